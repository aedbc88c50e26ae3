#include "stats/count.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "access/apikey.h"
#include "access/workspace.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "base/uuid.h"
#include "logs/logs.h"
#include "stats/logfile.h"
#include "stats/reader.h"
#include "store/db.h"
#include "system/stop.h"

#define CHUNK ((size_t)1024 * 1024)
#define HEAD_MAX ((size_t)32 * 1024) /* no line of a log is as long */
#define LINE_MEMORY ((size_t)1024 * 1024)
#define BUDGET (2 * CLOCK_SECOND)
#define DAYS_KEPT 400
#define KEYS 1024 /* remembered in a chunk */

/* What is known of a key's internal id. */
struct known {
	int64_t key; /* 0: a free place */
	int64_t reader; /* 0: it has no row; lines of it are left out */
	const char *workspace;
	int64_t created_at;
};

struct counting {
	struct ctx *c;
	struct arena *chunk; /* lives as long as a chunk is counted */
	struct arena line;
	struct known known[KEYS];
	int64_t since_at; /* of the oldest line; 0: none was counted */
};

/* ---- lines */

struct asking {
	struct arena *keep;
	int64_t id;
	const char *uuid, *workspace; /* NULL: there is no such key */
	int64_t created_at;
};

static struct err *
ask_key(struct ctx *c, void *arg)
{
	struct asking *a = arg;
	const struct apikey *key = apikey_of(c, a->id);

	if (key == NULL)
		return NULL;
	a->uuid = arena_text(a->keep, key->uuid);
	a->workspace = arena_text(a->keep, workspace_of(c, key->workspace_id)->uuid);
	a->created_at = key->created_at;
	return NULL;
}

/* Returns what is known of the key; the reader's row is inserted where it is missing. */
static const struct known *
find_key(struct counting *n, int64_t id, int64_t at)
{
	struct known *k = &n->known[(uint64_t)id % KEYS];
	struct asking a = { .keep = n->chunk, .id = id };

	if (k->key == id)
		return k;
	*k = (struct known) { .key = id };
	if (db_aside(n->c, DB_CONTENT, ask_key, &a) != NULL || a.uuid == NULL)
		return k;
	k->workspace = a.workspace;
	k->created_at = a.created_at;
	if (at >= a.created_at)
		k->reader = reader_get(n->c, a.uuid, a.workspace, at);
	else
		k->key = 0; /* a later line may be the key's */
	return k;
}

static bool
is_revision(const char *text)
{
	return text != NULL && strlen(text) == READER_REVISION - 1 &&
	       strspn(text, "0123456789abcdef") == READER_REVISION - 1;
}

/* Returns the UUID that the target of a detail names (in `out`), or NULL. */
static const char *
article_of(const char *target, char out[UUID_TEXT])
{
	const char *at = strstr(target, "/articles/");
	char text[UUID_TEXT] = "";

	if (at == NULL || strlen(at + 10) < UUID_TEXT - 1)
		return NULL;
	memcpy(text, at + 10, UUID_TEXT - 1);
	return uuid_parse(text, out) ? out : NULL;
}

static void
take_line(struct counting *n, const char *line, size_t len)
{
	struct logs_request r;
	struct reader_request out = { .status = 0 };
	char article[UUID_TEXT];
	const struct known *k;

	if (!logs_parse(n->c, line, len, &r) || !clock_parse(r.at, &out.at))
		return;
	if (n->since_at == 0 || out.at < n->since_at)
		n->since_at = out.at;
	if (r.key <= 0)
		return;
	k = find_key(n, r.key, out.at);
	if (k->reader == 0 || out.at < k->created_at ||
	    (strcmp(r.workspace, "-") != 0 && strcmp(r.workspace, k->workspace) != 0))
		return;
	out.status = r.status;
	out.code = r.error;
	out.reads = (r.status == 200 || r.status == 304) &&
		    (strcmp(r.program, "articles") == 0 || strcmp(r.program, "sync") == 0);
	out.ended = r.ended;
	if (out.reads && is_revision(r.revision)) {
		out.article = article_of(r.target, article);
		out.revision = r.revision;
	}
	reader_count(n->c, k->reader, &out);
}

static void
take_lines(struct counting *n, const char *text, size_t len)
{
	struct arena *kept = n->c->arena;
	const char *end;

	n->c->arena = &n->line;
	while (len > 0 && (end = memchr(text, '\n', len)) != NULL) {
		take_line(n, text, (size_t)(end - text));
		arena_reset(&n->line);
		len -= (size_t)(end + 1 - text);
		text = end + 1;
	}
	n->c->arena = kept;
}

/* ---- files */

struct file {
	int fd;
	struct logfile_state state; /* before it was read */
	unsigned char head[DIGEST_SIZE];
	char *bytes; /* CHUNK of them */
};

static void
state_of(const struct stat *st, struct logfile_state *out)
{
	out->inode = (int64_t)st->st_ino;
	out->size = st->st_size;
	out->changed_at = (int64_t)st->st_mtim.tv_sec * 1000000000 + st->st_mtim.tv_nsec;
}

/* Opens a file and names it by its first line. Returns false if it has none yet. */
static bool
open_file(struct file *f, const char *path)
{
	struct stat st;
	struct digest d;
	ssize_t got;
	const char *end;

	f->fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	if (f->fd < 0 || fstat(f->fd, &st) != 0 || !S_ISREG(st.st_mode))
		return false;
	state_of(&st, &f->state);
	got = pread(f->fd, f->bytes, HEAD_MAX, 0);
	end = got <= 0 ? NULL : memchr(f->bytes, '\n', (size_t)got);
	if (end == NULL)
		return false;
	digest_begin(&d, DIGEST_SIZE, "galley log 1");
	digest_bytes(&d, f->bytes, (size_t)(end - f->bytes));
	digest_end(&d, f->head);
	return true;
}

static struct err *
ask_workspace(struct ctx *c, void *arg)
{
	const char **uuid = arg;

	if (workspace_find_uuid(c, *uuid) == NULL)
		*uuid = NULL;
	return NULL;
}

static bool
workspace_exists(struct ctx *c, const char *uuid)
{
	const char *found = uuid;

	return db_aside(c, DB_CONTENT, ask_workspace, &found) != NULL || found != NULL;
}

/* Counts the lines of a chunk, and notes where the next one begins. */
static void
commit_chunk(struct counting *n, const struct file *f, int64_t at, size_t len, bool whole)
{
	struct ctx *c = n->c;

	take_lines(n, f->bytes, len);
	logfile_note(c, f->head, at + (int64_t)len, whole ? &f->state : NULL);
	if (n->since_at != 0)
		logfile_note_counted(c, n->since_at);
	reader_clean(c, c->now / CLOCK_DAY - DAYS_KEPT, workspace_exists);
	db_commit(c);
}

/* Counts one chunk of the file. Returns whether there may be more of it; *news is true if
 * anything was written. */
static bool
count_chunk(struct counting *n, struct file *f, bool *news)
{
	struct ctx *c = n->c;
	const char *last;
	ssize_t got;
	int64_t at;
	size_t len;
	bool whole;

	db_begin_write(c, DB_STATS, DB_CHANGES_NOTHING, 0, 0);
	at = logfile_at(c, f->head);
	got = at < f->state.size ? pread(f->fd, f->bytes, CHUNK, at) : 0;
	if (got < 0) {
		db_rollback(c);
		return false;
	}
	last = got == 0 ? NULL : memrchr(f->bytes, '\n', (size_t)got);
	/* Galley writes no line that fills a chunk: what does is no line. */
	len = last != NULL ? (size_t)(last + 1 - f->bytes) : (size_t)got == CHUNK ? CHUNK : 0;
	whole = (size_t)got < CHUNK;
	*news = true;
	n->since_at = 0;
	memset(n->known, 0, sizeof(n->known));
	commit_chunk(n, f, at, len, whole);
	return !whole;
}

/* Counts a file that changed. */
static bool
count_file(struct counting *n, struct file *f, const char *path, int64_t until)
{
	struct arena *kept = n->c->arena;
	bool news = false, more = open_file(f, path);

	n->c->arena = n->chunk;
	while (more && clock_boot() < until && stop_signal() == 0) {
		more = count_chunk(n, f, &news);
		arena_reset(n->chunk);
	}
	n->c->arena = kept;
	if (f->fd >= 0)
		close(f->fd);
	return news;
}

/* ---- what is due */

/* Calls `each` for the files that are not counted whole, the oldest first. It stops where `each`
 * returns false. */
static void
each_changed(struct ctx *c, bool (*each)(void *arg, const char *path), void *arg)
{
	size_t count;
	const char **paths = logs_find(c, "requests.log", &count);
	const char **changed = arena_array(c->arena, count + 1, sizeof(*changed));
	struct logfile_state state;
	struct stat st;
	size_t n = 0;

	db_begin_read(c, DB_STATS);
	for (size_t i = count; i > 0; i--) {
		const char *path = paths[i - 1];
		if (logs_is_packed(path) || stat(path, &st) != 0 || st.st_size == 0)
			continue;
		state_of(&st, &state);
		if (!logfile_is_counted(c, &state))
			changed[n++] = path;
	}
	db_rollback(c);
	for (size_t i = 0; i < n && each(arg, changed[i]); i++)
		;
}

static bool
note_any(void *arg, const char *path)
{
	(void)path;
	*(bool *)arg = true;
	return false;
}

bool
count_is_due(struct ctx *c)
{
	bool due = false;

	each_changed(c, note_any, &due);
	return due;
}

struct run {
	struct counting counting;
	struct file file;
	int64_t until;
	bool news;
};

static bool
count_one(void *arg, const char *path)
{
	struct run *r = arg;

	r->news = count_file(&r->counting, &r->file, path, r->until) || r->news;
	return clock_boot() < r->until && stop_signal() == 0;
}

bool
count_run(struct ctx *c)
{
	struct run *r = arena_alloc(c->arena, sizeof(*r));
	struct arena chunk;

	memset(r, 0, sizeof(*r));
	arena_init(&chunk, (size_t)64 * 1024 * 1024);
	arena_init(&r->counting.line, LINE_MEMORY);
	r->counting.c = c;
	r->counting.chunk = &chunk;
	r->file.bytes = arena_alloc(c->arena, CHUNK);
	r->until = clock_boot() + BUDGET;
	each_changed(c, count_one, r);
	arena_release(&r->counting.line);
	arena_release(&chunk);
	return r->news;
}
