/* GET /articles and GET /articles/{id} (docs/contract.md §4.2, §4.3). */
#include <stddef.h>
#include <string.h>

#include "article/article-list.h"
#include "article/stored.h"
#include "base/ctx.h"
#include "base/uuid.h"
#include "store/remote-store.h"
#include "web/cursor.h"
#include "web/serve.h"

static route_handler list, show;

/* This is more than a page holds beside its articles. */
#define PAGINATION_LENGTH ((size_t)512)

enum { LIMIT, OFFSET, CURSOR, DRAFTS };
static const struct param list_params[] = {
	[LIMIT] = { "limit", PARAM_INT, .min = 1, .max = 100, .standard = 20 },
	[OFFSET] = { "offset", PARAM_INT, .min = 0, .max = 100000 },
	[CURSOR] = { "cursor", PARAM_TEXT, .max = 1000 },
	[DRAFTS] = { "drafts", PARAM_BOOL, .scope = SCOPE_DRAFTS },
	{ .name = NULL },
};

enum { SHOW_DRAFTS };
static const struct param show_params[] = {
	[SHOW_DRAFTS] = { "drafts", PARAM_BOOL, .scope = SCOPE_DRAFTS },
	{ .name = NULL },
};

static const struct route routes[] = {
	{ .method = "GET",
	    .pattern = "",
	    .scope = SCOPE_READ,
	    .mode = ROUTE_READ,
	    .reads = ROUTE_READS_KEY " article- article_listed export",
	    .handler = list,
	    .cached = true,
	    .params = list_params },
	{ .method = "GET",
	    .pattern = "/{id}",
	    .scope = SCOPE_READ,
	    .mode = ROUTE_READ,
	    .reads = ROUTE_READS_KEY " article- export",
	    .handler = show,
	    .cached = true,
	    .params = show_params },
	{ .method = NULL },
};

/* The pagination of a page: its place in the list (docs/contract.md §2.3). */
struct pagination {
	int64_t limit;
	int64_t offset; /* -1: null */
	int64_t next_offset; /* -1: null */
	const char *next_cursor; /* or NULL */
	bool more;
};

/* The content of a cursor: the last article of a page, and of which list. */
struct place {
	const char *workspace; /* UUID */
	int64_t drafts; /* 1 or 0 */
	int64_t created_at;
	const char *uuid;
};

static const struct cursor_field place_fields[] = {
	{ CURSOR_TEXT, offsetof(struct place, workspace) },
	{ CURSOR_NUMBER, offsetof(struct place, drafts) },
	{ CURSOR_NUMBER, offsetof(struct place, created_at) },
	{ CURSOR_TEXT, offsetof(struct place, uuid) },
	{ .kind = CURSOR_END },
};

static const char *
cursor_of(struct ctx *c, const struct req *r, const struct article *last)
{
	struct place place = { r->access.workspace.uuid, r->param[DRAFTS].flag, last->created_at,
		last->uuid };

	return cursor_encode(c, "articles", place_fields, &place);
}

/* Finds the beginning of the page: after the article that the cursor names. */
static struct err *
read_cursor(struct ctx *c, struct req *r, struct feed_position *from)
{
	struct place place;

	if (!cursor_decode(c, r->param[CURSOR].text, "articles", place_fields, &place))
		return err_param(c, "cursor",
		    "This is not a cursor of this list. Send next_cursor exactly as it came, or begin again with the first page.");
	if (strcmp(place.workspace, r->access.workspace.uuid) != 0)
		return err_param(c, "cursor",
		    "The cursor belongs to another workspace. Begin again with the first page.");
	if (place.drafts != r->param[DRAFTS].flag)
		return err_param(c, "cursor",
		    "The cursor was made with drafts=%s. Keep drafts the same, or begin again with the first page.",
		    place.drafts != 0 ? "true" : "false");
	if (r->param[OFFSET].number != 0)
		return err_param(
		    c, "offset", "A cursor and an offset cannot be combined: leave offset out.");
	from->created_at = place.created_at;
	from->uuid = place.uuid;
	return NULL;
}

static void
paginate(struct ctx *c, const struct req *r, const struct feed_page *page, struct pagination *out)
{
	bool by_cursor = r->param[CURSOR].given;
	int64_t offset = r->param[OFFSET].number;
	int64_t next = offset + (int64_t)page->count;

	out->limit = r->param[LIMIT].number;
	out->more = page->more;
	out->offset = by_cursor ? -1 : offset;
	out->next_offset = !by_cursor && page->more && next <= 100000 ? next : -1;
	out->next_cursor = page->more ? cursor_of(c, r, &page->articles[page->count - 1]) : NULL;
}

static void
write_int_or_null(struct jwrite *w, const char *name, int64_t value)
{
	if (value < 0)
		jwrite_member_null(w, name);
	else
		jwrite_member_int(w, name, value);
}

/* Returns the approximate length of a page: articles that were rendered since
 * differ a little. */
static size_t
expected_length(const struct feed_page *page)
{
	size_t length = PAGINATION_LENGTH;

	for (size_t i = 0; i < page->count; i++)
		length += (size_t)page->articles[i].export_length + 1;
	return length;
}

/* With PostgreSQL the bytes of the whole page come in one round trip, or with the row. */
static inline void
append_all(struct ctx *c, const struct req *r, const struct feed_page *page, struct jwrite *w,
    struct buf *out)
{
	const struct stored_bytes *bytes = page->bytes;

	if (STORE_IS_REMOTE && bytes == NULL)
		bytes = stored_fetch(c, page->articles, page->count);
	for (size_t i = 0; i < page->count; i++) {
		jwrite_raw(w, "", 0);
		stored_append(c, &r->access.workspace, &page->articles[i], page->revisions[i],
		    STORE_IS_REMOTE ? &bytes[i] : NULL, out);
	}
}

static void
write_page(struct ctx *c, const struct req *r, const struct feed_page *page,
    const struct pagination *p, struct reply *reply)
{
	struct jwrite *w = &reply->json;

	buf_expect(&reply->body, expected_length(page));
	jwrite_object(w);
	jwrite_member_array(w, "data");
	append_all(c, r, page, w, &reply->body);
	jwrite_array_end(w);
	jwrite_member_object(w, "pagination");
	jwrite_member_int(w, "limit", p->limit);
	write_int_or_null(w, "offset", p->offset);
	jwrite_member_bool(w, "has_more", p->more);
	jwrite_member_text(w, "next_cursor", p->next_cursor);
	write_int_or_null(w, "next_offset", p->next_offset);
	jwrite_object_end(w);
	jwrite_object_end(w);
}

/* Fills the reply with the page, or 304. */
static void
reply_page(struct ctx *c, struct req *r, const struct feed_page *page, const struct pagination *p,
    struct reply *reply)
{
	struct digest d;

	etag_begin(&d, r);
	digest_int(&d, p->limit);
	digest_int(&d, p->offset);
	digest_int(&d, p->next_offset);
	digest_text(&d, p->next_cursor);
	/* The revisions name their articles, too. */
	for (size_t i = 0; i < page->count; i++)
		digest_text(&d, page->revisions[i]);
	if (!reply_unchanged(r, reply, &d))
		write_page(c, r, page, p, reply);
}

static struct err *
list(struct ctx *c, struct req *r, struct reply *reply)
{
	struct feed_position from, *start = NULL;
	struct pagination pagination;
	struct feed_page page;

	if (r->param[CURSOR].given) {
		start = &from;
		TRY(read_cursor(c, r, start));
	}
	feed_list(c, &r->access.workspace, r->param[DRAFTS].flag, start, r->param[OFFSET].number,
	    r->param[LIMIT].number, REPLY_PAGE_BYTES, &page);
	paginate(c, r, &page, &pagination);
	if (!page.more)
		reply_show_end(reply);
	reply_page(c, r, &page, &pagination, reply);
	return NULL;
}

static struct err *
show(struct ctx *c, struct req *r, struct reply *reply)
{
	struct pagination pagination = { .limit = 1, .offset = -1, .next_offset = -1 };
	char revisions[1][TOKEN_TEXT];
	struct stored_bytes bytes;
	struct article article;
	struct feed_page page = { .articles = &article, .revisions = revisions, .count = 1 };

	/* Who names a tag has the bytes most likely. */
	if (STORE_IS_REMOTE && r->if_none_match == NULL)
		page.bytes = &bytes;
	if (!feed_find(c, &r->access.workspace, r->param[SHOW_DRAFTS].flag, r->id, &article,
		revisions[0], page.bytes))
		return refuse(c, ERR_NOT_FOUND,
		    "No article %s can be read with this request: it is not in this key's workspace, was deleted, or is a draft%s.",
		    r->id,
		    r->param[SHOW_DRAFTS].flag
			? ""
			: ", which needs drafts=true and the scope drafts:read");
	reply_show_revision(reply, revisions[0]);
	reply_page(c, r, &page, &pagination, reply);
	return NULL;
}

int
main(int argc, char **argv)
{
	return serve_main(argc, argv, "articles", routes);
}
