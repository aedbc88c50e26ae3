#include "web/reply.h"

#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "base/err.h"
#include "base/fileio.h"
#include "store/limit.h"
#include "system/harden.h"
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

#define HEADERS_MAX ((size_t)8 * 1024)
#define CHUNK 65536 /* of a stream */

/* ---- answers */

void
reply_init(struct ctx *c, struct reply *reply)
{
	memset(reply, 0, sizeof(*reply));
	reply->status = 200;
	buf_init(&reply->headers, c->arena, HEADERS_MAX);
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

void
reply_limit(struct reply *reply, const struct limit *limit)
{
	if (!limit->active)
		return;
	buf_lit(&reply->headers, "RateLimit-Policy: \"key\";q=");
	buf_add_int(&reply->headers, limit->quota);
	buf_lit(&reply->headers, ";w=60\r\nRateLimit: \"key\";r=");
	buf_add_int(&reply->headers, limit->left);
	buf_lit(&reply->headers, ";t=");
	buf_add_int(&reply->headers, limit->reset_s);
	buf_lit(&reply->headers, "\r\n");
}

static const char *
reason_of(int status)
{
	switch (status) {
	case 200:
		return "OK";
	case 204:
		return "No Content";
	case 301:
		return "Moved Permanently";
	case 303:
		return "See Other";
	case 304:
		return "Not Modified";
	case 308:
		return "Permanent Redirect";
	case 410:
		return "Gone";
	case 415:
		return "Unsupported Media Type";
	case 422:
		return "Unprocessable Content";
	default:
		break;
	}
	for (int code = ERR_INVALID; code <= ERR_TIMEOUT; code++) {
		if (err_status((enum err_code)code) == status)
			return err_reason((enum err_code)code);
	}
	return "Unknown";
}

size_t
reply_length(const struct reply *reply)
{
	if (reply->status == 304 || reply->status == 204)
		return 0;
	return reply->bytes != NULL ? reply->bytes_len : reply->body.len;
}

/* Writes the head of a page: its service has added all headers but these. */
static void
page_head(struct ctx *c, const struct reply *reply, struct buf *out)
{
	buf_printf(out, "Status: %d %s\r\nX-Request-Id: %s\r\n", reply->status,
	    reason_of(reply->status), c->request_id);
	if (reply->status != 304 && reply->status != 204)
		buf_printf(out, "Content-Type: %s\r\nContent-Length: %zu\r\n", reply->type,
		    reply_length(reply));
	buf_add(out, reply->headers.data, reply->headers.len);
	buf_lit(out, "\r\n");
}

/* Writes the head. Status is always in it, so that Apache leaves ETag and
 * If-None-Match to the program (docs/platform.md §1.2). */
static void
head(struct ctx *c, const struct reply *reply, struct buf *out)
{
	bool has_body = reply->status != 304 && reply->status != 204;

	buf_lit(out, "Status: ");
	buf_add_int(out, reply->status);
	buf_add_char(out, ' ');
	buf_add_text(out, reason_of(reply->status));
	if (has_body) {
		buf_lit(out, "\r\nContent-Type: application/json\r\nContent-Length: ");
		buf_add_int(out, (int64_t)reply_length(reply));
	}
	buf_lit(out, "\r\nCache-Control: no-store\r\nVary: Authorization");
	if (reply->etag[0] != '\0') {
		buf_lit(out, "\r\nETag: \"");
		buf_add_text(out, reply->etag);
		buf_add_char(out, '"');
	}
	buf_lit(out, "\r\nX-Request-Id: ");
	buf_add_text(out, c->request_id);
	buf_lit(out, "\r\nX-API-Version: 1.0\r\nX-Content-Type-Options: nosniff\r\n");
	buf_add(out, reply->headers.data, reply->headers.len);
	buf_lit(out, "\r\n");
}

/* Writes to standard output in as few writes as the kernel accepts. */
static bool
write_both(const struct iovec answer[2])
{
	ssize_t got = writev(STDOUT_FILENO, answer, 2);
	size_t sent = got > 0 ? (size_t)got : 0;
	bool done = got >= 0 || errno == EINTR;

	for (int i = 0; i < 2 && done; i++) {
		const char *bytes = answer[i].iov_base;
		size_t len = answer[i].iov_len;
		size_t skip = sent < len ? sent : len;
		done = fileio_write_all(STDOUT_FILENO, bytes + skip, len - skip);
		sent -= skip;
	}
	return done;
}

void
reply_finish(struct ctx *c, struct reply *reply)
{
	buf_init(&reply->head, c->arena, 2 * HEADERS_MAX);
	if (reply->type != NULL)
		page_head(c, reply, &reply->head);
	else
		head(c, reply, &reply->head);
	buf_done(&reply->head);
}

static bool
send_part(const struct exchange *x, const struct iovec *part)
{
	if (x->more != NULL)
		return x->more(x->arg, part);
	return fileio_write_all(STDOUT_FILENO, part->iov_base, part->iov_len);
}

/* Sends an answer whose body is read meanwhile. The life of the request is counted from each
 * piece that the client has taken. */
static __attribute__((noinline, cold)) bool
send_stream(const struct reply *reply, const struct exchange *x)
{
	static const struct iovec end[2];
	struct iovec part = { reply->head.data, reply->head.len };
	char chunk[CHUNK];
	ssize_t got = 0;
	bool sent;

	while ((sent = send_part(x, &part))) {
		harden_life(0);
		got = reply->stream->read(reply->stream->arg, chunk, sizeof(chunk));
		if (got <= 0)
			break;
		part = (struct iovec) { chunk, (size_t)got };
	}
	/* What was cut off must not look whole. */
	return sent && got == 0 && (x->send == NULL || x->send(x->arg, end));
}

bool
reply_send(const struct reply *reply, const struct exchange *x)
{
	const char *body = reply->bytes != NULL ? reply->bytes : reply->body.data;
	struct iovec answer[2];

	if (reply->stream != NULL)
		return send_stream(reply, x);
	answer[0] = (struct iovec) { reply->head.data, reply->head.len };
	answer[1] = (struct iovec) { (void *)(uintptr_t)body, reply_length(reply) };
	return x->send != NULL ? x->send(x->arg, answer) : write_both(answer);
}
