#include "article/stored.h"

#include <inttypes.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "access/workspace.h"
#include "article/article-row.h"
#include "article/revision.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "base/log.h"
#include "store/db.h"
#include "store/remote-store.h"
#include "system/fault.h"
#include "system/work.h"

static struct export_source *
source_of(struct ctx *c, const struct workspace *w, const struct article *a,
    const struct snapshot *snapshot, bool published, const char *revision)
{
	struct export_source *s = arena_alloc(c->arena, sizeof(*s));

	s->id = a->uuid;
	s->published = published;
	s->version = a->version;
	s->published_at = published ? a->first_published_at : 0;
	s->modified_at = published ? a->modified_at : 0;
	s->published_url = a->published_url;
	s->revision = revision;
	s->snapshot = snapshot;
	s->settings = &w->settings;
	return s;
}

struct export_source *
stored_source(struct ctx *c, const struct workspace *w, const struct article *a, bool working_copy)
{
	bool published = a->status == ARTICLE_PUBLISHED && !working_copy;
	char *revision = arena_alloc(c->arena, TOKEN_TEXT);
	struct article shown = *a;
	struct snapshot *s;

	shown.status = published ? ARTICLE_PUBLISHED : ARTICLE_DRAFT;
	token_export(w, &shown, revision);
	s = published ? article_edition(c, a, a->version) : article_working_copy(c, a);
	if (s == NULL)
		die("article %s lacks its edition %lld", a->uuid, (long long)a->version);
	return source_of(c, w, a, s, published, revision);
}

struct export_source *
stored_source_of(
    struct ctx *c, const struct workspace *w, const struct article *a, const struct snapshot *shown)
{
	char *revision = arena_alloc(c->arena, TOKEN_TEXT);

	token_export(w, a, revision);
	return source_of(c, w, a, shown, a->status == ARTICLE_PUBLISHED, revision);
}

struct export_source *
stored_edition(struct ctx *c, const struct workspace *w, const struct article *a,
    const struct edition *edition)
{
	char *revision = arena_alloc(c->arena, TOKEN_TEXT);
	struct article shown = *a;

	shown.status = ARTICLE_PUBLISHED;
	shown.version = edition->version;
	memcpy(shown.edition_digest, edition->digest, ARTICLE_DIGEST);
	if (edition->version != a->version)
		shown.modified_at = edition->published_at;
	if (shown.modified_at < shown.first_published_at)
		shown.modified_at = shown.first_published_at;
	token_export(w, &shown, revision);
	return source_of(c, w, &shown, article_edition(c, a, edition->version), true, revision);
}

/* Articles of one statement. A place that no article takes is NULL. */
#define TOGETHER 20

static struct stmt *
look_for_some(struct ctx *c, const struct article *articles, size_t count)
{
	static const char *const names[TOGETHER] = { ":a", ":b", ":c", ":d", ":e", ":f", ":g", ":h",
		":i", ":j", ":k", ":l", ":m", ":n", ":o", ":p", ":q", ":r", ":s", ":t" };
	struct db_value values[TOGETHER + 1] = { { 0 } };

	for (size_t i = 0; i < count && i < TOGETHER; i++)
		values[i] = db_i(names[i], articles[i].id);
	return db_prepare_with(c,
	    "SELECT x.article_id, x.revision, x.body /*bytes*/ FROM export x"
	    " WHERE x.article_id IN (:a, :b, :c, :d, :e, :f, :g, :h, :i, :j, :k, :l, :m, :n, :o,"
	    " :p, :q, :r, :s, :t)",
	    values);
}

void
stored_take(struct ctx *c, struct stmt *q, int column, struct stored_bytes *out)
{
	const void *bytes = db_bytes(q, column + 1, &out->len);

	out->revision = db_text(q, column);
	out->body = bytes != NULL ? arena_text_n(c->arena, bytes, out->len) : NULL;
}

/* Notes the rows of one statement; they come in any order. */
static void
note_some(struct ctx *c, struct stmt *q, const struct article *articles, size_t count,
    struct stored_bytes *out)
{
	while (db_row(q)) {
		int64_t id = db_int(q, 0);
		size_t i = 0;

		while (i < count && articles[i].id != id)
			i++;
		if (i < count)
			stored_take(c, q, 1, &out[i]);
	}
}

struct stored_bytes *
stored_fetch(struct ctx *c, const struct article *articles, size_t count)
{
	struct stored_bytes *out = arena_array(c->arena, count + 1, sizeof(*out));

	memset(out, 0, (count + 1) * sizeof(*out));
	for (size_t i = 0; i < count; i += TOGETHER)
		prefetch(look_for_some(c, articles + i, count - i));
	for (size_t i = 0; i < count; i += TOGETHER)
		note_some(
		    c, look_for_some(c, articles + i, count - i), articles + i, count - i, out + i);
	return out;
}

void
stored_append(struct ctx *c, const struct workspace *w, const struct article *a,
    const char *revision, const struct stored_bytes *fetched, struct buf *out)
{
	struct stmt *q;
	const void *body;
	size_t len;

	if (STORE_IS_REMOTE && fetched != NULL) {
		if (fetched->revision != NULL && strcmp(fetched->revision, revision) == 0)
			buf_add(out, fetched->body, fetched->len);
		else
			export_render(c, stored_source(c, workspace_of(c, w->id), a, false), out);
		return;
	}
	q = db_prepare(c, "SELECT body FROM export WHERE article_id = :id AND revision = :revision",
	    db_i(":id", a->id), db_t(":revision", revision));
	if (db_row(q)) {
		body = db_bytes(q, 0, &len);
		buf_add(out, body, len);
		db_reset(q);
		return;
	}
	export_render(c, stored_source(c, workspace_of(c, w->id), a, false), out);
}

static void
put(struct ctx *c, int64_t article_id, const char *revision, const struct buf *body)
{
	db_run(c,
	    "INSERT INTO export (article_id, revision, body) VALUES (:id, :revision, :body)"
	    " ON CONFLICT (article_id) DO UPDATE"
	    " SET revision = excluded.revision, body = excluded.body",
	    db_i(":id", article_id), db_t(":revision", revision),
	    db_tn(":body", body->data, body->len));
	(void)FAULT("export-stored");
}

void
stored_delete(struct ctx *c, const struct article *a)
{
	db_run(c, "DELETE FROM export WHERE article_id = :id", db_i(":id", a->id));
}

static struct err *
render(struct ctx *c, const struct workspace *w, const struct article *a,
    const struct snapshot *snapshot, const char *revision, struct buf *body)
{
	bool published = a->status == ARTICLE_PUBLISHED;

	buf_init(body, c->arena, EXPORT_BYTES_MAX);
	export_render(c, source_of(c, w, a, snapshot, published, revision), body);
	if (buf_full(body))
		return err_param(c, "content",
		    tr_mark(
			"The finished article would be longer than %zu bytes: make two articles of it."),
		    EXPORT_BYTES_MAX);
	return NULL;
}

struct err *
stored_measure(struct ctx *c, const struct workspace *w, const struct article *a,
    const struct snapshot *snapshot, int64_t *length)
{
	char revision[TOKEN_TEXT];
	struct buf body;

	token_export(w, a, revision);
	TRY(render(c, w, a, snapshot, revision, &body));
	*length = (int64_t)body.len;
	return NULL;
}

struct err *
stored_write(
    struct ctx *c, const struct workspace *w, struct article *a, const struct snapshot *snapshot)
{
	char revision[TOKEN_TEXT];
	struct buf body;

	token_export(w, a, revision);
	TRY(render(c, w, a, snapshot, revision, &body));
	put(c, a->id, revision, &body);
	a->export_length = (int64_t)body.len;
	db_run(c,
	    "UPDATE article SET export_length = :length"
	    " WHERE id = :id AND workspace_id = :workspace",
	    db_i(":length", a->export_length), db_i(":id", a->id),
	    db_i(":workspace", a->workspace_id));
	return NULL;
}

/* An article whose stored bytes are stale, in one slice of the refresh. */
struct stale {
	const struct workspace *w;
	struct article a;
	char revision[TOKEN_TEXT];
	struct buf body;
};

/* Returns the workspace of an article: `last` if it is that one, so that it is
 * read once for many articles. */
static const struct workspace *
workspace_after(struct ctx *c, const struct workspace *last, int64_t id)
{
	return last != NULL && last->id == id ? last : workspace_of(c, id);
}

/* Looks at the next `count` articles in one snapshot of the database. Fills
 * `stale` with those whose stored bytes have another revision than now. Returns
 * how many articles it looked at. */
static int
collect(struct ctx *c, int64_t workspace_id, int64_t *after, int64_t last, int count,
    struct stale *stale, int *found)
{
	/* The plus keeps the planner from using an index that every slice would
	 * have to sort again: ids are walked in their own order. */
	const struct workspace *w = NULL;
	struct stmt *q;
	struct article a;
	int seen = 0;

	*found = 0;
	q = db_prepare(c,
	    "SELECT " ROW_HEAD ", x.revision"
	    " FROM article a LEFT JOIN export x ON x.article_id = a.id"
	    " WHERE a.id > :after AND a.id <= :last"
	    " AND (+a.workspace_id = :workspace OR :workspace = 0)"
	    " AND a.status <> 'deleted' ORDER BY a.id LIMIT :count",
	    db_i(":after", *after), db_i(":last", last), db_i(":workspace", workspace_id),
	    db_i(":count", count));
	while (db_row(q)) {
		struct stale *s = &stale[*found];
		const char *stored = db_text(q, ROW_HEAD_COUNT);
		row_head(q, &a);
		*after = a.id;
		seen++;
		s->a = a;
		s->w = w = workspace_after(c, w, a.workspace_id);
		token_export(w, &a, s->revision);
		if (stored == NULL || strcmp(stored, s->revision) != 0)
			(*found)++;
	}
	return seen;
}

/* Stores the bytes that were rendered outside the transaction, if their revision
 * is still the article's. */
static int64_t
store_slice(struct ctx *c, struct stale *stale, int found)
{
	const struct workspace *w = NULL;
	char revision[TOKEN_TEXT];
	int64_t stored = 0;

	db_begin_write(c, DB_CONTENT, DB_CHANGES_NOTHING, 0, 0);
	if (gate_pass(c) != NULL) {
		db_rollback(c);
		return 0;
	}
	for (int i = 0; i < found; i++) {
		struct article *a = article_find(c, stale[i].w->id, stale[i].a.uuid);
		if (a == NULL || a->status == ARTICLE_DELETED)
			continue;
		w = workspace_after(c, w, a->workspace_id);
		token_export(w, a, revision);
		if (strcmp(revision, stale[i].revision) != 0)
			continue;
		put(c, a->id, revision, &stale[i].body);
		stored++;
	}
	db_commit(c);
	return stored;
}

bool
stored_refresh(struct ctx *c, int64_t workspace_id, int64_t *after, int64_t last, int count,
    int64_t *seen, int64_t *renewed)
{
	struct stale *stale = arena_array(c->arena, (size_t)count + 1, sizeof(*stale));
	int found, looked;

	db_begin_read(c, DB_CONTENT);
	looked = collect(c, workspace_id, after, last, count, stale, &found);
	for (int i = 0; i < found; i++) {
		buf_init(&stale[i].body, c->arena, 2 * EXPORT_BYTES_MAX);
		export_render(c, stored_source(c, stale[i].w, &stale[i].a, false), &stale[i].body);
	}
	db_commit(c);
	if (found > 0) {
		(void)FAULT("exports-rendered");
		*renewed += store_slice(c, stale, found);
	}
	*seen += looked;
	return looked == count;
}

/* ---- all that is stale, by several processes */

#define SLICE 20 /* articles rendered between two transactions */
#define SLICE_MEMORY ((size_t)1 << 30)
#define SHARE 60 /* ids that a process takes at a time */
#define WORKERS_MAX 8

/* The work as all processes know it. */
struct refresh {
	struct ctx *c;
	const struct work *work; /* the caller's */
	int64_t workspace_id; /* 0: all */
	int64_t total; /* articles to look at */
	int64_t last; /* highest internal id of an article */
	pid_t workers[WORKERS_MAX];
	int count; /* of the workers */
	int pipe[2]; /* from them, a struct slice for each slice */
	bool stopped;
};

/* A message is shorter than PIPE_BUF, so each arrives whole. */
struct slice {
	int64_t seen, renewed;
};

static void
count_articles(struct refresh *r, const struct workspace *w)
{
	r->total += article_count(r->c, w->id, ARTICLE_DRAFT) +
		    article_count(r->c, w->id, ARTICLE_PUBLISHED);
}

static void
find_work(struct refresh *r)
{
	struct ctx *c = r->c;
	const struct workspace *w;

	db_begin_read(c, DB_CONTENT);
	if (r->workspace_id != 0)
		count_articles(r, workspace_of(c, r->workspace_id));
	else
		for (struct stmt *q = workspace_list(c); (w = workspace_next(c, q)) != NULL;)
			count_articles(r, w);
	r->last = db_one_int(c, 0, "SELECT id FROM article ORDER BY id DESC LIMIT 1");
	db_commit(c);
}

/* Works on a share, slice by slice. Each slice has its own memory. The first
 * process sends SIGTERM if the work must stop. */
static void
work_on(struct refresh *r, int64_t after, int64_t last)
{
	struct slice slice;
	bool more = true;

	while (more && stop_signal() == 0) {
		slice = (struct slice) { 0 };
		more = stored_refresh(
		    r->c, r->workspace_id, &after, last, SLICE, &slice.seen, &slice.renewed);
		arena_reset(r->c->arena);
		if (slice.seen > 0 &&
		    write(r->pipe[1], &slice, sizeof(slice)) != (ssize_t)sizeof(slice))
			die("the pipe to the first process is closed");
	}
}

/* Works on every `count`-th share of the ids, from the `number`-th on. */
static _Noreturn void
work(struct refresh *r, int number, pid_t parent)
{
	struct arena scratch;

	stop_catch();
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(1);
	close(r->pipe[0]);
	arena_init(&scratch, SLICE_MEMORY);
	r->c->arena = &scratch;
	db_open(r->c, DB_WAIT_TOOL_MS);
	for (int64_t from = (int64_t)SHARE * number; from < r->last;
	     from += (int64_t)SHARE * r->count)
		work_on(r, from, from + SHARE);
	db_close(r->c);
	_exit(0);
}

/* Returns how many processes to use: one for each processor that this process may
 * use, but not more than there are shares. */
static int
workers_for(int64_t total)
{
	cpu_set_t set;
	int count = 1;

	if (sched_getaffinity(0, sizeof(set), &set) == 0)
		count = CPU_COUNT(&set);
	if (count > WORKERS_MAX)
		count = WORKERS_MAX;
	while (count > 1 && total <= (int64_t)SHARE * (count - 1))
		count--;
	return count;
}

/* Shows what the workers do until they have ended. Returns how many articles were
 * renewed. */
static int64_t
watch(struct refresh *r)
{
	int64_t renewed = 0;
	struct slice slice;

	work_begin(r->work, "Rendering", WORK_PIECES, r->total);
	while (read(r->pipe[0], &slice, sizeof(slice)) == (ssize_t)sizeof(slice)) {
		renewed += slice.renewed;
		work_step(r->work, slice.seen);
		(void)FAULT("exports-watched");
		if (r->stopped || !work_must_stop(r->work))
			continue;
		r->stopped = true;
		for (int i = 0; i < r->count; i++)
			(void)kill(r->workers[i], SIGTERM);
	}
	work_end(r->work);
	return renewed;
}

static void
start_workers(struct refresh *r)
{
	pid_t own = getpid();

	if (pipe(r->pipe) != 0)
		die("pipe: no more descriptors");
	r->count = workers_for(r->total);
	for (int i = 0; i < r->count; i++) {
		r->workers[i] = fork();
		if (r->workers[i] == 0)
			work(r, i, own);
		if (r->workers[i] < 0)
			die("fork: no more processes");
	}
	close(r->pipe[1]);
}

struct err *
refresh_run(struct ctx *c, const struct work *work, int64_t workspace_id, int64_t *renewed)
{
	struct refresh r = { .c = c, .work = work, .workspace_id = workspace_id };
	int status, failed = 0;

	find_work(&r);
	db_close(c);
	start_workers(&r);
	*renewed = watch(&r);
	close(r.pipe[0]);
	for (int i = 0; i < r.count; i++)
		failed += waitpid(r.workers[i], &status, 0) < 0 || status != 0;
	if (failed > 0)
		return refuse(c, ERR_INTERNAL,
		    "%d of %d processes ended early. What was renewed stays; the same command again does the rest.",
		    failed, r.count);
	if (r.stopped)
		return work_stopped(c,
		    "%" PRId64 " stored export%s renewed."
		    " The same command again does the rest.",
		    *renewed, *renewed == 1 ? " was" : "s were");
	return NULL;
}
