#include "pages/rows.h"

#include <string.h>

#include "access/pages-settings.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "base/percent.h"
#include "pages/feed.h"
#include "pages/page-layout.h"
#include "pages/pages-answer.h"
#include "pages/say.h"
#include "store/db.h"
#include "web/answer-cache.h"

static const struct param list_params[] = {
	{ .name = "before", .kind = PARAM_TEXT, .max = 200 },
	{ .name = "language", .kind = PARAM_TEXT, .max = 35 },
	{ .name = "tag", .kind = PARAM_TEXT, .max = 200 },
	{ .name = "section", .kind = PARAM_TEXT, .max = 300 },
	{ .name = NULL },
};

static const struct param feed_params[] = {
	{ .name = "language", .kind = PARAM_TEXT, .max = 35 },
	{ .name = NULL },
};

const struct rows_row rows_table[] = {
	{ "", handlers_list, { .type = NULL },
	    { .pattern = "pages: list", .params = list_params, .cached = true } },
	{ "feed.atom", handlers_feed, { .type = FEED_ATOM_TYPE },
	    { .pattern = "pages: feed.atom", .params = feed_params, .cached = true } },
	{ "feed.json", handlers_feed, { .type = FEED_JSON_TYPE },
	    { .pattern = "pages: feed.json", .params = feed_params, .cached = true } },
	{ THEME_BEGINS "*" THEME_ENDS, handlers_theme,
	    { .type = "text/css; charset=utf-8", .ever = true },
	    { .pattern = "pages: theme", .cached = true } },
	{ "*", handlers_article, { .type = NULL },
	    { .pattern = "pages: article", .cached = true } },
};
#define ROWS (sizeof(rows_table) / sizeof(rows_table[0]))

/* Returns whether a path is the row's: a slug may begin as a file does, but it has no dot. */
static bool
is_of(const struct rows_row *row, const char *path)
{
	const char *star = strchr(row->path, '*');
	size_t len = strlen(path), head, tail;

	if (star == NULL)
		return strcmp(path, row->path) == 0;
	head = (size_t)(star - row->path);
	tail = strlen(star + 1);
	return len >= head + tail && strchr(path, '/') == NULL &&
	       strncmp(path, row->path, head) == 0 && strcmp(path + len - tail, star + 1) == 0;
}

static const struct rows_row *
row_of(const char *path)
{
	const struct rows_row *row = rows_table;

	while (row < &rows_table[ROWS - 1] && !is_of(row, path))
		row++;
	return row;
}

/* ---- the request */

/* One request: what is known before the database is open. */
struct asked {
	struct req *r;
	const struct rows_row *row;
	const char *word;
	const char *path; /* behind "/WORD/"; NULL: the slash is missing */
	bool wrong; /* a parameter is wrong */
};

/* Returns the name of a path among the row's cached answers: whatever digest a sheet's name has,
 * there is one sheet. */
static const char *
name_of(const char *path)
{
	return theme_is_name(path) ? "" : path;
}

static void
read_asked(struct ctx *c, struct req *r, struct asked *out)
{
	const char *word = r->path + 1, *slash = strchr(word, '/');
	struct err *err;

	out->r = r;
	out->word = slash == NULL ? word : arena_text_n(c->arena, word, (size_t)(slash - word));
	out->path = slash == NULL ? NULL : slash + 1;
	out->row = row_of(slash == NULL ? "" : slash + 1);
	r->route = &out->row->route;
	r->id = slash == NULL ? "" : name_of(slash + 1);
	err = r->route->params != NULL ? req_params(c, r) : NULL;
	out->wrong = err != NULL;
}

/* Fills the site. Returns false after it answered a word that is past. */
static bool
find_site(
    struct ctx *c, const struct asked *q, struct site *s, struct reply *reply, struct err **err)
{
	struct word found;
	enum word_found how = word_find(c, q->word, &found);

	*err = NULL;
	if (how == WORD_UNKNOWN) {
		*err = refuse(c, ERR_NOT_FOUND, tr_mark("Look at the address again."));
		return false;
	}
	memset(s, 0, sizeof(*s));
	s->r = q->r;
	s->w = found.workspace;
	s->word = found.present;
	s->root = root_path(c);
	s->home = arena_printf(c->arena, "%s/%s/", s->root, s->word);
	s->path = q->path != NULL ? q->path : "";
	if (how == WORD_PAST || q->path == NULL) {
		send_moved(c, reply, site_address(c, s, percent_encode_path(c->arena, s->path)));
		return false;
	}
	pages_look_of(c, s->w->id, &s->look);
	s->title = s->look.title[0] != '\0' ? s->look.title : s->w->settings.name;
	q->r->access.workspace = *s->w;
	return true;
}

/* Answers in a snapshot. *keep: whether the word, and a 200, may be cached. */
static struct err *
answer_site(struct ctx *c, const struct asked *q, struct reply *reply, bool *keep)
{
	struct err *err;
	struct site s;

	*keep = false;
	if (!find_site(c, q, &s, reply, &err))
		return err;
	if (q->wrong)
		say_wrong(c, &s, reply);
	else
		q->row->handler(c, &s, reply);
	if (reply->status == 200 && reply->etag[0] == '\0')
		send_end(q->r, reply);
	*keep = !s.fleeting;
	return NULL;
}

static void
begin_read(struct ctx *c, void (*confine)(struct ctx *c))
{
	db_open(c, DB_WAIT_READ_MS);
	db_begin_read(c, DB_CONTENT);
	if (!c->lasting)
		confine(c);
}

/* Fills the reply from a cached answer; false if there is none. Test builds can compute it
 * the ordinary way as well, and compare. */
static bool
is_cached(struct ctx *c, const struct asked *q, struct cache *k, struct reply *reply,
    void (*confine)(struct ctx *c))
{
	if (q->wrong || !cache_find(c, q->r, k, reply))
		return false;
#ifdef GALLEY_TEST
	if (cache_is_doubted()) {
		struct reply ordinary;
		bool keep;
		reply_init(c, &ordinary);
		begin_read(c, confine);
		bool refused = answer_site(c, q, &ordinary, &keep) != NULL || !keep;
		db_rollback(c);
		cache_compare(c, q->r, k, reply, refused ? NULL : &ordinary);
	}
#else
	(void)confine;
#endif
	return true;
}

struct err *
rows_answer(struct ctx *c, struct req *r, struct reply *reply, void (*confine)(struct ctx *c))
{
	struct cache cache = { .on = false };
	struct err *err;
	struct asked q;
	bool knew, keep;

	read_asked(c, r, &q);
	knew = q.path != NULL && cache_word(c, r, &cache, q.word);
	if (knew && is_cached(c, &q, &cache, reply, confine)) {
		send_front(c, reply, &q.row->how, false);
		return NULL;
	}
	err = often_check(c, r);
	if (err != NULL)
		return err;
	begin_read(c, confine);
	err = answer_site(c, &q, reply, &keep);
	db_end_read(c);
	if (keep)
		cache_keep(c, r, &cache, knew, reply);
	if (reply->etag[0] != '\0')
		send_front(c, reply, &q.row->how, !keep);
	return err;
}
