#include "article/feed.h"

#include <string.h>

#include "article/row.h"
#include "article/stored.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "store/ahead.h"
#include "store/db.h"

#define OF_STATUS(status)                                                                          \
	"SELECT " ROW_LISTED " FROM article a"                                                     \
	" WHERE a.workspace_id = :workspace AND a.status = '" status "'"
#define PUBLISHED OF_STATUS("published")
#define DRAFTS OF_STATUS("draft")
#define AFTER " AND (a.created_at, a.uuid) < (:created, :uuid)"
#define NEWEST_FIRST " ORDER BY 4 DESC, 2 DESC LIMIT :limit OFFSET :offset"

/* Prepares the statement of a list. The first page is asked for most often and
 * compares with no place. With drafts, both halves come in the order of the index
 * and are merged. */
static struct stmt *
list_statement(struct ctx *c, bool drafts, bool after)
{
	if (drafts && after)
		return db_prepare(c, PUBLISHED AFTER " UNION ALL " DRAFTS AFTER NEWEST_FIRST);
	if (drafts)
		return db_prepare(c, PUBLISHED " UNION ALL " DRAFTS NEWEST_FIRST);
	if (after)
		return db_prepare(c, PUBLISHED AFTER NEWEST_FIRST);
	return db_prepare(c, PUBLISHED NEWEST_FIRST);
}

/* The same with its values: one row more than the page has tells whether there are more. */
static struct stmt *
listed(struct ctx *c, const struct workspace *w, bool drafts, const struct feed_position *from,
    int64_t offset, int64_t limit)
{
	struct stmt *q = list_statement(c, drafts, from != NULL);

	db_bind_int(q, ":workspace", w->id);
	if (from != NULL) {
		db_bind_int(q, ":created", from->created_at);
		db_bind_text(q, ":uuid", from->uuid);
	}
	db_bind_int(q, ":limit", limit + 1);
	db_bind_int(q, ":offset", offset);
	return q;
}

void
feed_list(struct ctx *c, const struct workspace *w, bool drafts, const struct feed_position *from,
    int64_t offset, int64_t limit, int64_t bytes_max, struct feed_page *out)
{
	struct stmt *q = listed(c, w, drafts, from, offset, limit);
	int64_t bytes = 0;

	out->articles = arena_array(c->arena, (size_t)limit + 1, sizeof(*out->articles));
	out->revisions = arena_array(c->arena, (size_t)limit + 1, TOKEN_TEXT);
	out->count = 0;
	out->more = false;
	while (db_row(q)) {
		struct article *a = &out->articles[out->count];
		row_listed(q, a);
		a->workspace_id = w->id;
		bytes += a->export_length;
		out->more = (int64_t)out->count == limit || (out->count > 0 && bytes > bytes_max);
		if (out->more)
			break;
		token_export(w, a, out->revisions[out->count]);
		out->count++;
	}
	db_reset(q);
}

static struct stmt *
row_of(struct ctx *c, const struct workspace *w, const char *uuid)
{
	struct stmt *q = db_prepare(c, "SELECT " ROW_LISTED " FROM article a"
				       " WHERE a.uuid = :uuid AND a.workspace_id = :workspace");

	db_bind_text(q, ":uuid", uuid);
	db_bind_int(q, ":workspace", w->id);
	return q;
}

#ifdef STORE_PG
static struct stmt *
one(struct ctx *c, const struct workspace *w, const char *uuid, bool bytes)
{
	return bytes ? stored_row(c, w, uuid) : row_of(c, w, uuid);
}

void
feed_list_ask(struct ctx *c, const struct workspace *w, bool drafts, int64_t offset, int64_t limit)
{
	ahead_ask(listed(c, w, drafts, NULL, offset, limit));
}

void
feed_find_ask(struct ctx *c, const struct workspace *w, const char *uuid, bool bytes)
{
	ahead_ask(one(c, w, uuid, bytes));
}

/* What is asked ahead stays for stored_append(). */
static struct stmt *
asked(struct ctx *c, const struct workspace *w, const char *uuid, bool bytes)
{
	feed_find_ask(c, w, uuid, bytes);
	return one(c, w, uuid, bytes);
}
#else
static inline struct stmt *
asked(struct ctx *c, const struct workspace *w, const char *uuid, bool bytes)
{
	(void)bytes;
	return row_of(c, w, uuid);
}
#endif

bool
feed_find(struct ctx *c, const struct workspace *w, bool drafts, const char *uuid, bool bytes,
    struct article *out, char revision[TOKEN_TEXT])
{
	struct stmt *q = asked(c, w, uuid, bytes);
	bool found;

	found = db_row(q);
	if (found) {
		row_listed(q, out);
		out->workspace_id = w->id;
		found =
		    out->status == ARTICLE_PUBLISHED || (drafts && out->status == ARTICLE_DRAFT);
		token_export(w, out, revision);
	}
	db_reset(q);
	return found;
}

void
feed_sync(struct ctx *c, const struct workspace *w, const char settings[TOKEN_TEXT], int64_t since,
    int64_t until, int64_t after_at, const char *after_uuid, int64_t limit,
    struct feed_changes *out)
{
	struct stmt *q =
	    db_prepare(c, "SELECT a.uuid, e.title, a.changed_at"
			  " FROM article a JOIN edition e ON e.id = a.edition_id"
			  " WHERE a.workspace_id = :workspace AND a.status = 'published'"
			  " AND (a.changed_at, a.uuid) > (:at, :uuid)"
			  " AND a.changed_at <= :until"
			  " ORDER BY a.changed_at, a.uuid LIMIT :limit");

	out->changes = arena_array(c->arena, (size_t)limit, sizeof(*out->changes));
	out->count = 0;
	out->more = false;
	db_bind_int(q, ":workspace", w->id);
	/* Every uuid is greater than "", so the list begins at `since` itself. */
	db_bind_int(q, ":at", after_uuid != NULL ? after_at : since);
	db_bind_text(q, ":uuid", after_uuid != NULL ? after_uuid : "");
	db_bind_int(q, ":until", until);
	db_bind_int(q, ":limit", limit + 1);
	while (db_row(q)) {
		struct feed_change *change;
		if ((int64_t)out->count == limit) {
			out->more = true;
			break;
		}
		change = &out->changes[out->count++];
		change->uuid = db_text(q, 0);
		change->title = db_text(q, 1);
		change->changed_at = db_int(q, 2);
		token_manifest(settings, change->uuid, change->changed_at, change->revision);
	}
	db_reset(q);
}
