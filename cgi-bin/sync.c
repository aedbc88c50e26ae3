/* GET /sync: the manifest of what changed (docs/contract.md §4.4, docs/design.md §4.13-16). */
#include <stddef.h>
#include <string.h>

#include "article/article-list.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "base/uuid.h"
#include "web/cursor.h"
#include "web/serve.h"

#define OVERLAP (300 * CLOCK_SECOND)

static route_handler scan;

enum { LIMIT, SINCE, SETTINGS_REVISION, CURSOR };
static const struct param params[] = {
	[LIMIT] = { "limit", PARAM_INT, .min = 1, .max = 100, .standard = 50 },
	[SINCE] = { "since", PARAM_TIME },
	[SETTINGS_REVISION] = { "settings_revision", PARAM_TEXT, .max = REQ_TARGET_MAX },
	[CURSOR] = { "cursor", PARAM_TEXT, .max = 2000 },
	{ .name = NULL },
};

static const struct route routes[] = {
	{ .method = "GET",
	    .pattern = "",
	    .scope = SCOPE_READ,
	    .mode = ROUTE_READ,
	    .reads = ROUTE_READS_KEY " article- article_announced edition",
	    .handler = scan,
	    .cached = true,
	    .params = params },
	{ .method = NULL },
};

/* A scan: its boundary in time, and the beginning of this page. */
struct scan {
	char settings[TOKEN_TEXT]; /* s1 of now, and of the scan */
	int64_t checkpoint; /* the change clock when it began */
	int64_t since; /* inclusive */
	int64_t after_at; /* position, with after_uuid */
	const char *after_uuid; /* NULL: the first page */
};

/* The content of a cursor: a scan, and the last change of one of its pages. */
struct place {
	const char *workspace; /* UUID */
	const char *settings; /* s1 of the scan */
	int64_t checkpoint;
	int64_t after_at;
	const char *after_uuid;
};

static const struct cursor_field place_fields[] = {
	{ CURSOR_TEXT, offsetof(struct place, workspace) },
	{ CURSOR_TEXT, offsetof(struct place, settings) },
	{ CURSOR_NUMBER, offsetof(struct place, checkpoint) },
	{ CURSOR_NUMBER, offsetof(struct place, after_at) },
	{ CURSOR_TEXT, offsetof(struct place, after_uuid) },
	{ .kind = CURSOR_END },
};

/* Begins a scan with its first page: incremental if the pair fits, else full. */
static void
begin_scan(const struct req *r, struct scan *s)
{
	const struct param_value *since = &r->param[SINCE];
	const char *settings = r->param[SETTINGS_REVISION].text;

	s->checkpoint = r->access.workspace.clock;
	s->after_uuid = NULL;
	s->since = 0;
	if (!since->given || settings == NULL || strcmp(settings, s->settings) != 0 ||
	    since->number > s->checkpoint)
		return;
	if (since->number > OVERLAP)
		s->since = since->number - OVERLAP;
}

/* Continues a scan with a later page: everything is in the cursor. */
static struct err *
continue_scan(struct ctx *c, const struct req *r, struct scan *s)
{
	struct place place;

	if (!cursor_decode(c, r->param[CURSOR].text, "sync", place_fields, &place))
		return err_param(c, "cursor",
		    "This is not a cursor of this feed. Restart the scan from the stored pair of checkpoint and settings_revision.");
	if (strcmp(place.workspace, r->access.workspace.uuid) != 0)
		return err_param(c, "cursor",
		    "The cursor belongs to another workspace. Restart the scan from the stored pair.");
	if (strcmp(place.settings, s->settings) != 0)
		return err_param(c, "cursor",
		    "The publishing settings changed during this scan. Restart it from the stored pair of checkpoint and settings_revision.");
	s->checkpoint = place.checkpoint;
	s->after_at = place.after_at;
	s->after_uuid = place.after_uuid;
	return NULL;
}

static const char *
next_cursor(
    struct ctx *c, const struct req *r, const struct scan *s, const struct feed_changes *found)
{
	const struct feed_change *last;
	struct place place;

	if (!found->more)
		return NULL;
	last = &found->changes[found->count - 1];
	place = (struct place) { r->access.workspace.uuid, s->settings, s->checkpoint,
		last->changed_at, last->uuid };
	return cursor_encode(c, "sync", place_fields, &place);
}

static void
write_manifest(const struct req *r, const struct scan *s, const struct feed_changes *found,
    const char *cursor, struct jwrite *w)
{
	jwrite_object(w);
	jwrite_member_text(w, "workspace_id", r->access.workspace.uuid);
	jwrite_member_text(w, "settings_revision", s->settings);
	jwrite_member_time(w, "checkpoint", s->checkpoint);
	jwrite_member_array(w, "data");
	for (size_t i = 0; i < found->count; i++) {
		jwrite_object(w);
		jwrite_member_text(w, "id", found->changes[i].uuid);
		jwrite_member_text(w, "title", found->changes[i].title);
		jwrite_member_text(w, "revision", found->changes[i].revision);
		jwrite_object_end(w);
	}
	jwrite_array_end(w);
	jwrite_member_object(w, "pagination");
	jwrite_member_text(w, "next_cursor", cursor);
	jwrite_object_end(w);
	jwrite_object_end(w);
}

/* The tag holds tokens and no titles: an edition's title changes only with its manifest
 * revision. */
static void
reply_manifest(struct ctx *c, struct req *r, const struct scan *s, const struct feed_changes *found,
    struct reply *reply)
{
	const char *cursor = next_cursor(c, r, s, found);
	struct digest d;

	if (cursor == NULL)
		reply_show_end(reply);
	etag_begin(&d, r);
	digest_int(&d, r->param[LIMIT].number);
	digest_int(&d, s->checkpoint);
	digest_text(&d, s->settings);
	digest_text(&d, cursor);
	for (size_t i = 0; i < found->count; i++) {
		digest_text(&d, found->changes[i].uuid);
		digest_text(&d, found->changes[i].revision);
	}
	if (!reply_unchanged(r, reply, &d))
		write_manifest(r, s, found, cursor, &reply->json);
}

static struct err *
scan(struct ctx *c, struct req *r, struct reply *reply)
{
	struct feed_changes found;
	struct scan s;

	memset(&s, 0, sizeof(s));
	token_settings(&r->access.workspace, s.settings);
	if (r->param[CURSOR].given)
		TRY(continue_scan(c, r, &s));
	else
		begin_scan(r, &s);
	feed_sync(c, &r->access.workspace, s.settings, s.since, s.checkpoint, s.after_at,
	    s.after_uuid, r->param[LIMIT].number, &found);
	reply_manifest(c, r, &s, &found, reply);
	return NULL;
}

int
main(int argc, char **argv)
{
	return serve_main(argc, argv, "sync", routes);
}
