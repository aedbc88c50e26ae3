#include "stats/api-readers.h"

#include <fcntl.h>
#include <stddef.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "access/apikey.h"
#include "access/workspace.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "base/uuid.h"
#include "stats/logs.h"
#include "store/db.h"
#include "system/work.h"

/* ---- readers */

#define LOOKED_AT 20

/* A request of a key. */
struct reader_request {
	int64_t at;
	int status;
	const char *code; /* of the refusal, or NULL */
	bool reads; /* it was answered with articles or changes */
	bool ended; /* with the last page of them */
	const char *article; /* it was answered with this one (UUID), or NULL */
	const char *revision; /* eight digits of x1; with `article` */
};

/* Returns the id of the key's row, which is inserted if it is missing. */
static int64_t
reader_get(struct ctx *c, const char *uuid, const char *workspace, int64_t at)
{
	int64_t id =
	    db_one_int(c, 0, "SELECT id FROM reader WHERE uuid = :uuid", db_t(":uuid", uuid));

	if (id != 0)
		return id;
	return db_insert(c,
	    "INSERT INTO reader (uuid, workspace, requested_at, read_at,"
	    " listed_at, refused_at, refused_status, refused_code, looked_at)"
	    " VALUES (:uuid, :workspace, :at, 0, 0, 0, 0, '', :now) RETURNING id",
	    db_t(":uuid", uuid), db_t(":workspace", workspace), db_i(":at", at),
	    db_i(":now", c->now));
}

static void
note_last(struct ctx *c, int64_t reader_id, const struct reader_request *r)
{
	db_run(c, "UPDATE reader SET requested_at = :at WHERE id = :id AND requested_at < :at",
	    db_i(":id", reader_id), db_i(":at", r->at));
	if (r->reads)
		db_run(c, "UPDATE reader SET read_at = :at WHERE id = :id AND read_at < :at",
		    db_i(":id", reader_id), db_i(":at", r->at));
	if (r->reads && r->ended)
		db_run(c, "UPDATE reader SET listed_at = :at WHERE id = :id AND listed_at < :at",
		    db_i(":id", reader_id), db_i(":at", r->at));
}

static void
note_day(struct ctx *c, int64_t reader_id, const struct reader_request *r)
{
	db_run(c,
	    "INSERT INTO reading (reader_id, day, requests,"
	    " not_modified) VALUES (:id, :day, 1, :same)"
	    " ON CONFLICT (reader_id, day) DO UPDATE SET requests = reading.requests + 1,"
	    " not_modified = reading.not_modified + excluded.not_modified",
	    db_i(":id", reader_id), db_i(":day", r->at / CLOCK_DAY),
	    db_i(":same", r->status == 304));
}

static void
note_refusal(struct ctx *c, int64_t reader_id, const struct reader_request *r)
{
	db_run(c,
	    "INSERT INTO refusal (reader_id, day, status, requests)"
	    " VALUES (:id, :day, :status, 1) ON CONFLICT (reader_id, day, status)"
	    " DO UPDATE SET requests = refusal.requests + 1",
	    db_i(":id", reader_id), db_i(":day", r->at / CLOCK_DAY), db_i(":status", r->status));
	db_run(c,
	    "UPDATE reader SET refused_at = :at, refused_status = :status,"
	    " refused_code = :code WHERE id = :id AND refused_at <= :at",
	    db_i(":id", reader_id), db_i(":at", r->at), db_i(":status", r->status),
	    db_t(":code", r->code != NULL ? r->code : ""));
}

static void
note_article(struct ctx *c, int64_t reader_id, const struct reader_request *r)
{
	db_run(c,
	    "INSERT INTO fetched (reader_id, article, revision,"
	    " fetched_at) VALUES (:id, :article, :revision, :at)"
	    " ON CONFLICT (reader_id, article) DO UPDATE SET revision = excluded.revision,"
	    " fetched_at = excluded.fetched_at WHERE fetched.fetched_at <= excluded.fetched_at",
	    db_i(":id", reader_id), db_t(":article", r->article), db_t(":revision", r->revision),
	    db_i(":at", r->at));
}

/* Counts one request. Requests may come in any order. */
static void
reader_count(struct ctx *c, int64_t reader_id, const struct reader_request *r)
{
	note_last(c, reader_id, r);
	note_day(c, reader_id, r);
	if (r->status >= 400)
		note_refusal(c, reader_id, r);
	if (r->article != NULL)
		note_article(c, reader_id, r);
}

#define COLUMNS                                                                                    \
	"id, uuid, workspace, requested_at, read_at, listed_at, refused_at,"                       \
	" refused_status, refused_code"

static void
each_row(struct stmt *q, void (*each)(void *arg, const struct reader *r), void *arg)
{
	struct reader r;

	while (db_row(q)) {
		r = (struct reader) { db_int(q, 0), db_text(q, 1), db_text(q, 2), db_int(q, 3),
			db_int(q, 4), db_int(q, 5), db_int(q, 6), (int)db_int(q, 7),
			db_text(q, 8) };
		each(arg, &r);
	}
}

void
reader_list(struct ctx *c, const char *workspace, void (*each)(void *arg, const struct reader *r),
    void *arg)
{
	struct stmt *q =
	    db_prepare(c, "SELECT " COLUMNS " FROM reader WHERE workspace = :workspace",
		db_t(":workspace", workspace));

	each_row(q, each, arg);
}

void
reader_list_silent(struct ctx *c, int64_t before, int64_t limit,
    void (*each)(void *arg, const struct reader *r), void *arg)
{
	struct stmt *q = db_prepare(c,
	    "SELECT " COLUMNS " FROM reader WHERE requested_at < :before AND read_at > 0"
	    " ORDER BY requested_at DESC LIMIT :limit /*scan*/ /*sort*/",
	    db_i(":before", before), db_i(":limit", limit));

	each_row(q, each, arg);
}

void
reader_fetched(struct ctx *c, int64_t reader_id,
    void (*each)(void *arg, const struct reader_article *a), void *arg)
{
	struct stmt *q = db_prepare(c,
	    "SELECT article, revision, fetched_at FROM fetched WHERE reader_id = :id /*many*/",
	    db_i(":id", reader_id));
	struct arena *kept = c->arena, row;

	arena_init(&row, (size_t)64 * 1024);
	c->arena = &row;
	for (; db_row(q); arena_reset(&row))
		each(arg, &(struct reader_article) { db_text(q, 0), db_text(q, 1), db_int(q, 2) });
	c->arena = kept;
	arena_release(&row);
}

void
reader_days(struct ctx *c, int64_t reader_id, int64_t from,
    void (*each)(void *arg, int64_t day, int64_t requests, int64_t not_modified), void *arg)
{
	struct stmt *q = db_prepare(c,
	    "SELECT day, requests, not_modified FROM reading"
	    " WHERE reader_id = :id AND day >= :from ORDER BY day",
	    db_i(":id", reader_id), db_i(":from", from));

	while (db_row(q))
		each(arg, db_int(q, 0), db_int(q, 1), db_int(q, 2));
}

void
reader_refusals(struct ctx *c, int64_t reader_id, int64_t from,
    void (*each)(void *arg, int64_t day, int status, int64_t requests), void *arg)
{
	struct stmt *q = db_prepare(c,
	    "SELECT day, status, requests FROM refusal"
	    " WHERE reader_id = :id AND day >= :from ORDER BY day, status",
	    db_i(":id", reader_id), db_i(":from", from));

	while (db_row(q))
		each(arg, db_int(q, 0), (int)db_int(q, 1), db_int(q, 2));
}

static void
remove_days(struct ctx *c, int64_t day)
{
	db_run(c, "DELETE FROM reading WHERE day < :day", db_i(":day", day));
	db_run(c, "DELETE FROM refusal WHERE day < :day", db_i(":day", day));
}

/* Removes the counts of days before this one (days since 1970), and looks at the few readers
 * that nobody looked at for longest: those of workspaces that are not there are removed. */
static void
reader_clean(struct ctx *c, int64_t day)
{
	const char *workspaces[LOOKED_AT];
	int64_t ids[LOOKED_AT];
	size_t count = 0;
	struct stmt *q;

	remove_days(c, day);
	q = db_prepare(c, "SELECT id, workspace FROM reader ORDER BY looked_at LIMIT :max /*scan*/",
	    db_i(":max", LOOKED_AT));
	for (; db_row(q); count++) {
		ids[count] = db_int(q, 0);
		workspaces[count] = db_text(q, 1);
	}
	for (size_t i = 0; i < count; i++) {
		if (workspace_is_there(c, workspaces[i]))
			db_run(c, "UPDATE reader SET looked_at = :now WHERE id = :id",
			    db_i(":now", c->now), db_i(":id", ids[i]));
		else
			db_run(c, "DELETE FROM reader WHERE id = :id", db_i(":id", ids[i]));
	}
}

/* ---- how far files are counted */

#define KEPT 5000 /* files: the logs of years */

/* A file as stat() tells it. */
struct logfile_state {
	int64_t inode;
	int64_t size;
	int64_t changed_at; /* nanoseconds since 1970 */
};

/* Returns whether this very state was counted whole. */
static bool
logfile_is_counted(struct ctx *c, const struct logfile_state *state)
{
	/* There are as many rows as files. */
	return db_exists(c,
	    "SELECT 1 FROM log_file WHERE inode = :inode"
	    " AND size = :size AND changed_at = :changed /*scan*/",
	    db_i(":inode", state->inode), db_i(":size", state->size),
	    db_i(":changed", state->changed_at));
}

/* Returns how many bytes of the file are counted: 0 for a file that is not known. */
static int64_t
logfile_at(struct ctx *c, const unsigned char head[DIGEST_SIZE])
{
	return db_one_int(
	    c, 0, "SELECT at FROM log_file WHERE head = :head", db_b(":head", head, DIGEST_SIZE));
}

/* Notes how many bytes are counted. `state` is that of a file that is counted whole, or NULL. */
static void
logfile_note(struct ctx *c, const unsigned char head[DIGEST_SIZE], int64_t at,
    const struct logfile_state *state)
{
	db_run(c,
	    "INSERT INTO log_file (head, at, inode, size, changed_at)"
	    " VALUES (:head, :at, :inode, :size, :changed)"
	    " ON CONFLICT (head) DO UPDATE SET at = excluded.at, inode = excluded.inode,"
	    " size = excluded.size, changed_at = excluded.changed_at",
	    db_b(":head", head, DIGEST_SIZE), db_i(":at", at),
	    db_i(":inode", state != NULL ? state->inode : 0),
	    db_i(":size", state != NULL ? state->size : 0),
	    db_i(":changed", state != NULL ? state->changed_at : 0));
}

/* Notes that lines were counted; the oldest of them is of `since_at`. Forgets the oldest of some
 * thousand files. */
static void
logfile_note_counted(struct ctx *c, int64_t since_at)
{
	db_run(c,
	    "INSERT INTO log (id, since_at, counted_at)"
	    " VALUES (1, :since, :now) ON CONFLICT (id) DO UPDATE SET"
	    " since_at = CASE WHEN excluded.since_at < log.since_at"
	    " THEN excluded.since_at ELSE log.since_at END, counted_at = excluded.counted_at",
	    db_i(":since", since_at), db_i(":now", c->now));
	db_run(c, "DELETE FROM log_file WHERE id < (SELECT max(f.id) FROM log_file f) - :kept",
	    db_i(":kept", KEPT));
}

int64_t
logfile_since(struct ctx *c)
{
	return db_one_int(c, 0, "SELECT since_at FROM log WHERE id = 1");
}

/* ---- counting lines */

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

/* Counts the lines of a chunk, and notes where the next one begins. */
static void
commit_chunk(struct counting *n, const struct file *f, int64_t at, size_t len, bool whole)
{
	struct ctx *c = n->c;

	take_lines(n, f->bytes, len);
	logfile_note(c, f->head, at + (int64_t)len, whole ? &f->state : NULL);
	if (n->since_at != 0)
		logfile_note_counted(c, n->since_at);
	reader_clean(c, c->now / CLOCK_DAY - DAYS_KEPT);
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
