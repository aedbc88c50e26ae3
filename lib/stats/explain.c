#include "stats/explain.h"

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "access/apikey.h"
#include "access/workspace.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "base/fileio.h"
#include "base/jread.h"
#include "store/db.h"
#include "system/instance.h"

#define DESCRIPTION_MAX ((size_t)4 * 1024 * 1024)
#define KEY_MAX ((size_t)4096)
#define SAID_MAX 100

static void
add(struct ctx *c, const char ***list, size_t *count, const char *text)
{
	*list = arena_grow(c->arena, *list, *count * sizeof(**list), (*count + 1) * sizeof(**list));
	(*list)[(*count)++] = text;
}

static void
look_at(void *arg, const char *line, size_t len)
{
	struct explain *e = arg;
	struct logs_request request;
	bool whole;

	if (memmem(line, len, e->id, strlen(e->id)) == NULL)
		return;
	whole = logs_parse(e->c, line, len, &request);
	if (request.id == NULL || strcmp(request.id, e->id) != 0)
		return;
	if (whole || e->request.at == NULL)
		e->request = request;
	e->found |= whole;
	if (!whole && e->said_count < SAID_MAX)
		add(e->c, &e->said, &e->said_count, request.method);
}

/* Runs in the child. Writes the key's texts, each with its NUL; nothing if the
 * database does not know the key. */
static _Noreturn void
write_key(struct ctx *c, int64_t id, int to)
{
	struct apikey *key;
	struct buf out;
	const char *texts[6];

	db_open(c, DB_WAIT_READ_MS);
	db_begin_read(c, DB_CONTENT);
	key = apikey_of(c, id);
	if (key == NULL)
		_exit(0);
	texts[0] = key->uuid;
	texts[1] = key->display;
	texts[2] = key->label;
	texts[3] = scope_to_text(c->arena, key->scopes);
	texts[4] = key->revoked_at != 0					    ? "revoked"
		   : key->expires_at != 0 && key->expires_at <= clock_now() ? "expired"
									    : "good";
	texts[5] = workspace_of(c, key->workspace_id)->settings.name;
	buf_init(&out, c->arena, KEY_MAX);
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		buf_add(&out, texts[i], strlen(texts[i]) + 1);
	(void)fileio_write_all(to, out.data, out.len);
	_exit(0);
}

static struct explain_key *
read_key(struct ctx *c, int from)
{
	struct explain_key *key = arena_alloc(c->arena, sizeof(*key));
	const char **const texts[] = { &key->id, &key->display, &key->label, &key->scopes,
		&key->state, &key->workspace };
	const char *p, *end;
	size_t len;

	p = fileio_read_fd(c->arena, from, KEY_MAX, &len);
	if (p == NULL)
		return NULL;
	end = p + len;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		if (p >= end)
			return NULL;
		*texts[i] = p;
		p += strlen(p) + 1;
	}
	return key;
}

/* Reads a key in a child, because a fault of the store ends the process that
 * meets it. */
static struct explain_key *
find_key(struct ctx *c, int64_t id)
{
	struct explain_key *key;
	int ends[2];
	pid_t child;

	if (id == 0 || pipe2(ends, O_CLOEXEC) != 0)
		return NULL;
	child = fork();
	if (child == 0)
		write_key(c, id, ends[1]);
	close(ends[1]);
	key = read_key(c, ends[0]);
	close(ends[0]);
	while (child > 0 && waitpid(child, NULL, 0) < 0 && errno == EINTR)
		continue;
	return key;
}

void
explain_search(struct ctx *c, const char *id, int64_t until, struct explain *out)
{
	size_t count;
	const char **paths = logs_find(c, "requests.log", &count);
	const char *wrong;

	memset(out, 0, sizeof(*out));
	out->c = c;
	out->id = id;
	for (size_t i = 0; i < count && !out->found; i++) {
		wrong = until == 0 || clock_boot() < until
			    ? logs_read(c, paths[i], 0, look_at, out)
			    : arena_printf(c->arena, "%s was not searched.", paths[i]);
		if (wrong != NULL)
			add(c, &out->unread, &out->unread_count, wrong);
		else
			out->searched++;
		if (out->request.at != NULL && out->file == NULL)
			out->file = paths[i];
	}
}

void
explain_find(struct ctx *c, const char *id, struct explain *out)
{
	explain_search(c, id, 0, out);
	if (out->found)
		out->key = find_key(c, out->request.key);
}

/* Returns the cause that fits the sentence: the one whose words (member
 * `sentence`) are in it, and of several the one with the longest. Returns NULL if
 * none fits. */
static const json_t *
find_cause(const json_t *causes, const char *sentence)
{
	const json_t *cause, *found = NULL;
	size_t i, longest = 0;

	json_array_foreach(causes, i, cause) {
		const char *words = json_string_value(json_object_get(cause, "sentence"));
		if (words == NULL || sentence == NULL || strlen(words) <= longest ||
		    strstr(sentence, words) == NULL)
			continue;
		longest = strlen(words);
		found = cause;
	}
	return found;
}

/* Tells the causes of one error of the description. */
static void
tell_causes(const json_t *causes, const char *sentence,
    void (*each)(void *arg, const char *cause, const char *remedy), void *arg)
{
	const json_t *cause, *only = find_cause(causes, sentence);
	size_t i;

	json_array_foreach(causes, i, cause) {
		if (only == NULL || cause == only)
			each(arg, json_string_value(json_object_get(cause, "cause")),
			    json_string_value(json_object_get(cause, "mend")));
	}
}

const char *
explain_code(struct ctx *c, const char *code, const char *sentence,
    void (*each)(void *arg, const char *cause, const char *remedy), void *arg)
{
	const char *path = arena_printf(c->arena, "%s/htdocs/openapi.json", c->instance->programs);
	size_t len, i;
	const char *text = fileio_read(c->arena, path, DESCRIPTION_MAX, &len);
	json_t *whole, *error;
	struct err *err;

	if (text == NULL)
		return NULL;
	err = jread_parse(c, path, text, len, &whole);
	if (err != NULL)
		return NULL;
	json_array_foreach(json_object_get(whole, "x-errors"), i, error) {
		const char *name = json_string_value(json_object_get(error, "code"));
		if (name == NULL || strcmp(name, code) != 0)
			continue;
		tell_causes(json_object_get(error, "causes"), sentence, each, arg);
		return json_string_value(json_object_get(error, "meaning"));
	}
	return NULL;
}
