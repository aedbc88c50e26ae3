#include "web/reply.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "base/err.h"
#include "store/limit.h"
#include "web/req.h"

/* A page of a list ends at 32 MiB (docs/design.md §4.10); the body has room for one more
 * article. */
#define REPLY_BODY_MAX ((size_t)40 * 1024 * 1024)

/* ---- entity tags */

void
etag_begin(struct digest *d, const struct req *r)
{
	digest_begin(d, (ETAG_TEXT - 1) / 2, "galley etag 1");
	digest_text(d, r->access.workspace.uuid);
	digest_text(d, r->route->pattern);
	digest_text(d, r->id);
}

/* Returns whether `text` is a suffix that compressing servers append to a tag. */
static bool
is_suffix(const char *text, size_t len)
{
	static const char *const suffixes[] = { "", "-gzip", "-br", "-gunzip", "-zstd", "-deflate",
		";gzip", ";br", "--gzip" };

	for (size_t i = 0; i < sizeof(suffixes) / sizeof(suffixes[0]); i++) {
		if (strlen(suffixes[i]) == len && memcmp(suffixes[i], text, len) == 0)
			return true;
	}
	return false;
}

static bool
tag_fits(const char *tag, size_t len, const char *etag)
{
	size_t own = strlen(etag);

	return len >= own && memcmp(tag, etag, own) == 0 && is_suffix(tag + own, len - own);
}

bool
etag_matches(const char *if_none_match, const char *etag)
{
	const char *p = if_none_match;

	while (p != NULL && *p != '\0') {
		size_t len;
		p += strspn(p, " \t,");
		if (*p == '*')
			return p[1 + strspn(p + 1, " \t")] == '\0';
		if (strncmp(p, "W/", 2) == 0)
			p += 2;
		if (*p != '"') {
			p += strcspn(p, ",");
			continue;
		}
		len = strcspn(++p, "\"");
		if (tag_fits(p, len, etag))
			return true;
		p += len;
		if (*p == '"')
			p++;
	}
	return false;
}

/* ---- answers */

void
reply_init(struct ctx *c, struct reply *reply)
{
	memset(reply, 0, sizeof(*reply));
	reply->status = 200;
	buf_init(&reply->headers, c->arena, REPLY_HEADERS_MAX);
	buf_init(&reply->body, c->arena, REPLY_BODY_MAX);
	jwrite_init(&reply->json, &reply->body);
}

void
reply_header(struct reply *reply, const char *name, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	buf_printf(
	    &reply->headers, "%s: %s\r\n", name, arena_vprintf(reply->headers.arena, format, args));
	va_end(args);
}

bool
reply_unchanged(struct req *r, struct reply *reply, struct digest *d)
{
	digest_end_hex(d, reply->etag);
	if (!etag_matches(r->if_none_match, reply->etag))
		return false;
	reply->status = 304;
	return true;
}

void
reply_show_revision(struct reply *reply, const char *revision)
{
	memcpy(reply->shown, "x1=", 3);
	memcpy(reply->shown + 3, revision + 3, REPLY_SHOWN - 4);
}

void
reply_show_end(struct reply *reply)
{
	memcpy(reply->shown, "end", sizeof("end"));
}

static void
error_body(struct ctx *c, struct reply *reply, const struct err *err)
{
	struct jwrite *w = &reply->json;

	jwrite_object(w);
	jwrite_member_text(w, "error", err->message);
	jwrite_member_text(w, "code", err_name(err->code));
	jwrite_member_text(w, "request_id", c->request_id);
	jwrite_member_text_if(w, "param", err->param);
	for (int i = 0; i < 2; i++) {
		if (err->extra_name[i] != NULL)
			jwrite_member_int(w, err->extra_name[i], err->extra_value[i]);
	}
	jwrite_object_end(w);
}

void
reply_error(struct ctx *c, struct reply *reply, const struct err *err)
{
	buf_reset(&reply->headers);
	buf_reset(&reply->body);
	jwrite_init(&reply->json, &reply->body);
	reply->bytes = NULL;
	reply->etag[0] = reply->shown[0] = '\0';
	reply->status = err_status(err->code);
	error_body(c, reply, err);
	if (err->code == ERR_UNAUTHORIZED)
		reply_header(reply, "WWW-Authenticate", "Bearer");
	if (err->retry_after_s > 0)
		reply_header(reply, "Retry-After", "%d", err->retry_after_s);
}
