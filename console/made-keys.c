/* The keys that a person made, to be revoked when the person's rights ended (docs/console.md
 * §2.4). The ID of the path is the person's. */
#include <string.h>

#include "action/key-actions.h"
#include "all.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/ctx.h"
#include "base/uuid.h"
#include "people.h"
#include "screen/tr.h"

#define NAME_BEGIN "key-"

struct page {
	struct ctx *c;
	const struct visit *v;
	struct key_made made;
	struct people_links links; /* that have ended */
	struct field fields[KEY_MADE_MAX + 2];
	struct form form;
	const char *told; /* what was revoked, where that is told; or NULL */
};

const char *
made_path(struct ctx *c, const struct visit *v, const char *person)
{
	return arena_printf(c->arena, "%s/%s/keys", people_path(c, v), person);
}

/* Writes the lines that begin with the sign, as a list. */
static void
write_lines(struct hwrite *w, struct ctx *c, const char *told, char sign)
{
	@ <ul>
	for (const char *line = told; *line != '\0';) {
		size_t len = strcspn(line, "\n");
		if (line[0] == sign)
			@ <li>{arena_text_n(c->arena, line + 1, len - 1)}</li>
		line += len + (line[len] == '\n');
	}
	@ </ul>
}

static size_t
count_lines(const char *told, char sign)
{
	size_t n = 0;

	for (const char *line = told; *line != '\0'; line += strcspn(line, "\n")) {
		line += *line == '\n';
		n += *line == sign;
	}
	return n;
}

static void
write_told(struct hwrite *w, struct ctx *c, const char *told)
{
	size_t done = count_lines(told, '+'), left = count_lines(told, '-');

	screen_notice_begin(w, left == 0 ? SCREEN_GOOD : done > 0 ? SCREEN_WARNING : SCREEN_BAD);
	@ <p>{#done:%zu key was revoked.|%zu keys were revoked.}</p>
	if (done > 0)
		write_lines(w, c, told, '+');
	if (left > 0) {
		@ <p>{#left:%zu was not:|%zu were not:}</p>
		write_lines(w, c, told, '-');
	}
	screen_notice_end(w);
}

static void
write_page(struct hwrite *w, const void *data)
{
	const struct page *p = data;

	if (p->told != NULL)
		write_told(w, p->c, p->told);
	people_write_links(w, &p->links, true);
	if (p->made.count == 0) {
		screen_empty(w, tr("No key that this person made is good any more."),
		    console_path(p->c, p->v, "%s", people_path(p->c, p->v)),
		    tr("Back to the people"));
		return;
	}
	@ <p>This person made these keys in the console and may still know them. Choose those that
	@ must end; a site that uses one needs another.</p>
	console_form(p->c, p->v, w, &p->form, made_path(p->c, p->v, p->v->id));
	if (p->made.more)
		@ <p>There are more: they are shown when some of these are revoked.</p>
	@ <p>
	@ <a class="button" href={console_path(p->c, p->v, "%s", people_path(p->c, p->v))}>
	@ Back to the people</a></p>
}

static const char *
key_name(struct ctx *c, const struct apikey *k, const char *workspace)
{
	return arena_printf(
	    c->arena, "%s · %s", k->label[0] != '\0' ? k->label : k->display, workspace);
}

/* Makes a check box for each key. */
static void
fill(struct page *p)
{
	size_t n = 0;

	for (; n < p->made.count; n++) {
		const struct apikey *k = p->made.keys[n].key;
		p->fields[n] = (struct field) { .kind = FIELD_CHECKBOX,
			.name = arena_printf(p->c->arena, NAME_BEGIN "%s", k->uuid),
			.label = key_name(p->c, k, p->made.keys[n].name),
			.hint = arena_printf(p->c->arena, "%s: %s", k->display, key_may(p->c, k)) };
	}
	p->fields[n++] = (struct field) { .name = "revoke",
		.label = tr_mark("Revoke"),
		.kind = FIELD_SUBMIT,
		.tone = FIELD_DANGER };
	p->fields[n] = (struct field) { .name = NULL };
	form_init(&p->form, "made", p->fields);
}

static struct err *
begin(struct ctx *c, const struct visit *v, struct page **out)
{
	struct page *p = arena_alloc(c->arena, sizeof(*p));
	struct err *err;

	*out = p;
	p->c = c;
	p->v = v;
	p->made = (struct key_made) { .person = v->id, .by = v->person->id };
	err = key_made_list(c, &p->made);
	/* Of an erased person only the keys are left. */
	if (err == NULL) {
		fill(p);
		err = people_read_links(c, v, v->id, true, &p->links);
		if (err != NULL && err->code == ERR_NOT_FOUND)
			err = NULL;
	}
	return err;
}

static struct err *
show(struct ctx *c, struct visit *v, struct reply *reply)
{
	struct page *p;
	struct err *err = begin(c, v, &p);

	if (err == NULL) {
		p->told = console_told(c, v, console_query(c, v, "done"));
		console_page(c, v, reply, NULL, NULL, write_page, p);
	}
	return err;
}

struct ending {
	struct ctx *c;
	const char *path;
	struct key_made_end ends[KEY_MADE_MAX];
	size_t count;
};

/* The page tells what was done: a line for each key, after "+" or "-", with why it was not. */
static const char *
will_go(struct ctx *c, const void *arg)
{
	const struct ending *e = arg;
	struct buf out;

	buf_init(&out, c->arena, (size_t)64 * 1024);
	buf_add_text(&out, e->path);
	for (size_t i = 0; i < e->count; i++) {
		const struct key_made_end *end = &e->ends[i];
		const char *why = end->key == NULL		     ? tr("There is no such key.")
				  : strcmp(end->was, "revoked") == 0 ? tr("It was revoked before.")
								     : tr("It had ended before.");
		if (end->key == NULL)
			buf_printf(&out, "\n-%s", why);
		else if (strcmp(end->was, "good") == 0)
			buf_printf(&out, "\n+%s", key_name(c, end->key, end->name));
		else
			buf_printf(&out, "\n-%s \u2013 %s", key_name(c, end->key, end->name), why);
	}
	return buf_done(&out);
}

/* Reads what is ticked, also keys that are not in the list any more. */
static size_t
read_chosen(struct ctx *c, const struct visit *v, const char *chosen[KEY_MADE_MAX])
{
	const size_t begin = strlen(NAME_BEGIN);
	char uuid[UUID_TEXT];
	size_t n = 0;

	for (size_t i = 0; i < v->sent.count && n < KEY_MADE_MAX; i++) {
		const char *name = v->sent.values[i].name;
		if (strncmp(name, NAME_BEGIN, begin) == 0 && uuid_parse(name + begin, uuid))
			chosen[n++] = arena_text(c->arena, uuid);
	}
	return n;
}

static struct err *
revoke(struct ctx *c, struct visit *v, struct reply *reply)
{
	struct ending *e = arena_alloc(c->arena, sizeof(*e));
	const char *chosen[KEY_MADE_MAX];
	struct page *p;
	struct err *err = begin(c, v, &p);

	if (err != NULL)
		return err;
	e->c = c;
	e->count = read_chosen(c, v, chosen);
	e->path = arena_printf(c->arena, "%s?done=%s", made_path(c, v, v->id), v->number.number);
	if (console_read(c, v, &p->form) && e->count == 0)
		form_refuse(
		    &p->form, NULL, tr("Choose keys first: tick the boxes before their names."));
	if (e->count == 0 || p->form.error != NULL) {
		console_refused(v, reply);
		console_page(c, v, reply, NULL, NULL, write_page, p);
		return NULL;
	}
	console_will_tell(v, will_go, e);
	err = key_made_revoke(c, &p->made, chosen, e->count, e->ends);
	if (err != NULL)
		return err;
	for (size_t i = 0; i < e->count; i++) {
		if (e->ends[i].key != NULL && strcmp(e->ends[i].was, "good") == 0)
			console_journal(c, v, "key revoke %s", chosen[i]);
	}
	console_go(c, v, reply, e->path, NULL);
	return NULL;
}

#define ROWS(place)                                                                                \
	{ .method = "GET",                                                                         \
		.pattern = place "/people/ID/keys",                                                \
		.title = tr_mark("Keys that this person made"),                                    \
		.need = RIGHT_MANAGE,                                                              \
		.handler = show },                                                                 \
	{                                                                                          \
		"POST", place "/people/ID/keys", .title = tr_mark("Keys that this person made"),   \
						 .need = RIGHT_MANAGE, .handler = revoke           \
	}

SCREEN(made_keys) = {
	ROWS("/W"),
	ROWS("/A"),
	{ .method = NULL },
};
