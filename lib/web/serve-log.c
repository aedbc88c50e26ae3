#include "web/serve-log.h"

#include <ctype.h>
#include <string.h>

#include "access/apikey.h"
#include "access/scope.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "base/log.h"
#include "web/reply.h"
#include "web/req.h"

#define TARGET_MAX 900 /* escaped it may be four times as long */

/* The address in at most TARGET_MAX bytes, as one word, keys unreadable. */
static const char *
target_of(struct ctx *c, const struct req *r)
{
	const char *whole = r->target != NULL && r->target[0] != '\0'
	    ? r->target : r->path;
	size_t len;
	char *text;

	if (whole == NULL || whole[0] == '\0')
		return "-";
	len = strnlen(whole, TARGET_MAX + 1);
	if (len <= TARGET_MAX && strchr(whole, ' ') == NULL &&
	    strstr(whole, APIKEY_PREFIX) == NULL)
		return whole;
	text = arena_text_n(c->arena, whole,
	    len <= TARGET_MAX ? len : TARGET_MAX);
	for (char *p = text; *p != '\0'; p++)
		*p = *p == ' ' ? '+' : *p;
	for (char *p = text; (p = strstr(p, APIKEY_PREFIX)) != NULL;) {
		for (p += strlen(APIKEY_PREFIX); isalnum((unsigned char)*p); p++)
			*p = '*';
	}
	return len <= TARGET_MAX ? text
				 : arena_printf(c->arena, "%s…", text);
}

/* "articles:read+drafts:read"; "-" for none. */
static const char *
names_of(struct ctx *c, unsigned scopes)
{
	char *text;

	if (scopes == 0)
		return "-";
	/* Nearly always one, whose name is a literal. */
	if ((scopes & (scopes - 1)) == 0)
		return scope_name((enum scope)scopes);
	text = arena_text(c->arena, scope_to_text(c->arena, scopes));
	for (char *p = text; *p != '\0'; p++)
		*p = *p == ' ' ? '+' : *p;
	return text;
}

/* "118/120", or why there is none. */
static const char *
limit_of(struct ctx *c, const struct req *r)
{
	if (r->limit.active)
		return arena_printf(c->arena, "%d/%d", r->limit.left,
		    r->limit.quota);
	return r->access.key_id != 0 ? "off" : "-";
}

/* " error=CODE SENTENCE" */
static const char *
error_of(struct ctx *c, const struct err *err)
{
	if (err == NULL)
		return "";
	return arena_printf(c->arena, " error=%s %s", err_name(err->code),
	    err->message);
}

void
serve_log(struct ctx *c, const struct req *r, const struct reply *reply,
    const struct err *err, int64_t began_at)
{
	unsigned missing = r->access.key_id != 0
	    ? r->scopes & ~r->access.scopes : 0;
	const char *workspace = r->access.workspace.uuid;

	log_line("%s %s %d %zu bytes %lld us key=%lld workspace=%s scope=%s%s%s"
		 " limit=%s%s%s",
	    r->method != NULL && r->method[0] != '\0' ? r->method : "-",
	    target_of(c, r), reply->status, reply_length(reply),
	    (long long)(clock_boot() - began_at), (long long)r->access.key_id,
	    workspace != NULL ? workspace : "-", names_of(c, r->scopes),
	    missing != 0 ? " lacks=" : "",
	    missing != 0 ? names_of(c, missing) : "", limit_of(c, r),
	    error_of(c, err), r->kept ? " kept" : "");
}
