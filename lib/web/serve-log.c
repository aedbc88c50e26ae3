#include "web/serve-log.h"

#include <string.h>

#include "access/scope.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "base/log.h"
#include "web/reply.h"
#include "web/req.h"

#define TARGET_MAX 900 /* escaped it may be four times as long */
/* This is more than a line of the log holds. */
#define TEXT_MAX ((size_t)16 * 1024)

/* Returns the target in at most TARGET_MAX bytes, as one word. The log hides keys. */
static const char *
target_of(struct ctx *c, const struct req *r)
{
	const char *whole = r->target != NULL && r->target[0] != '\0' ? r->target : r->path;
	size_t len;
	char *text;

	if (whole == NULL || whole[0] == '\0')
		return "-";
	len = strnlen(whole, TARGET_MAX + 1);
	if (len <= TARGET_MAX && strchr(whole, ' ') == NULL)
		return whole;
	text = arena_text_n(c->arena, whole, len <= TARGET_MAX ? len : TARGET_MAX);
	for (char *p = text; *p != '\0'; p++)
		*p = *p == ' ' ? '+' : *p;
	return len <= TARGET_MAX ? text : arena_printf(c->arena, "%s…", text);
}

/* Returns the names of scopes as "articles:read+drafts:read"; "-" for none. */
static const char *
names_of(struct ctx *c, unsigned scopes)
{
	char *text;

	if (scopes == 0)
		return "-";
	/* Nearly always there is one scope, whose name is a literal. */
	if ((scopes & (scopes - 1)) == 0)
		return scope_name((enum scope)scopes);
	text = arena_text(c->arena, scope_to_text(c->arena, scopes));
	for (char *p = text; *p != '\0'; p++)
		*p = *p == ' ' ? '+' : *p;
	return text;
}

/* Adds the caller, the request and its duration. */
static void
add_request(struct ctx *c, struct buf *line, const struct req *r, const struct reply *reply,
    int64_t took_us)
{
	const char *workspace = r->access.workspace.uuid;
	const char *method = r->method;

	buf_add_text(line, method != NULL && method[0] != '\0' ? method : "-");
	buf_add_char(line, ' ');
	buf_add_text(line, target_of(c, r));
	buf_add_char(line, ' ');
	buf_add_int(line, reply->status);
	buf_add_char(line, ' ');
	buf_add_int(line, (int64_t)reply_length(reply));
	buf_lit(line, " bytes ");
	buf_add_int(line, took_us);
	buf_lit(line, " us key=");
	buf_add_int(line, r->access.key_id);
	buf_lit(line, " workspace=");
	buf_add_text(line, workspace != NULL ? workspace : "-");
}

/* Adds the scopes that the request needs, and the one that the key lacks. */
static void
add_scopes(struct ctx *c, struct buf *line, const struct req *r)
{
	unsigned missing = r->access.key_id != 0 ? r->scopes & ~r->access.scopes : 0;

	buf_lit(line, " scope=");
	buf_add_text(line, names_of(c, r->scopes));
	if (missing == 0)
		return;
	buf_lit(line, " lacks=");
	buf_add_text(line, names_of(c, missing));
}

/* Adds the limit as "118/120", or the reason why there is none. */
static void
add_limit(struct buf *line, const struct req *r)
{
	buf_lit(line, " limit=");
	if (r->limit.active) {
		buf_add_int(line, r->limit.left);
		buf_add_char(line, '/');
		buf_add_int(line, r->limit.quota);
	} else {
		buf_add_text(line, r->access.key_id != 0 ? "off" : "-");
	}
}

static void
add_error(struct buf *line, const struct err *err)
{
	buf_lit(line, " error=");
	buf_add_text(line, err_name(err->code));
	buf_add_char(line, ' ');
	buf_add_text(line, err->message);
}

void
serve_log(struct ctx *c, const struct req *r, const struct reply *reply, const struct err *err,
    int64_t began_at)
{
	struct buf line;

	buf_init(&line, c->arena, TEXT_MAX);
	add_request(c, &line, r, reply, clock_boot() - began_at);
	add_scopes(c, &line, r);
	add_limit(&line, r);
	if (reply->shown[0] != '\0') {
		buf_add_char(&line, ' ');
		buf_add_text(&line, reply->shown);
	}
	if (err != NULL)
		add_error(&line, err);
	if (r->kept)
		buf_lit(&line, " kept");
	log_text(line.data);
}
