#include "pages/pages-answer.h"

#include <stddef.h>
#include <string.h>

#include "access/address-limit.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "base/digest.h"
#include "base/log.h"
#include "system/conf.h"
#include "system/console-conf.h"
#include "web/req.h"

/* ---- addresses */

const char *
root_address(struct ctx *c)
{
	const char *address = c->conf != NULL ? pages_address(c) : NULL;

	return address != NULL ? address : "/pages";
}

const char *
root_path(struct ctx *c)
{
	const char *address = root_address(c), *host = strstr(address, "://");

	return host != NULL ? strchr(host + 3, '/') : address;
}

struct err *
often_check(struct ctx *c, const struct req *r)
{
	struct console_conf own;
	struct err *err;
	int wait_s;

	console_conf_read(c, &own);
	if (address_limit_take(c,
		&(struct address_limit) { .file = ADDRESS_LIMIT_PAGES,
		    .per_minute = own.pages_per_minute,
		    .address = r->address,
		    .now = clock_now(),
		    .forwarded = forwarded_unknown(r) },
		&wait_s))
		return NULL;
	err = refuse(c, ERR_RATE_LIMITED,
	    tr_mark("Too many pages were asked for from your network. Try again in a minute."));
	err->retry_after_s = wait_s;
	return err;
}

#define HTML "text/html; charset=utf-8"

#define MINUTE "public, max-age=60"
#define EVER "public, max-age=31536000, immutable"

/* Pictures are below public_url; an instance that is only tried out has no https. */
static const char *
http_origin(struct ctx *c)
{
	const char *url = c->conf != NULL ? c->conf->public_url : "";
	size_t host;

	if (strncmp(url, "http://", 7) != 0)
		return "";
	host = strcspn(url + 7, "/");
	return arena_printf(c->arena, " %.*s", (int)(7 + host), url);
}

static void
add_policy(struct ctx *c, struct reply *reply, const char *origins)
{
	struct buf *h = &reply->headers;

	buf_lit(h, "Content-Security-Policy: default-src 'none'; img-src 'self' https:");
	buf_add_text(h, http_origin(c));
	buf_lit(h,
	    "; style-src 'self'; script-src 'self'; connect-src 'self'; frame-src 'self'; frame-ancestors ");
	if (origins == NULL)
		buf_lit(h, "'none'");
	else
		buf_lit(h, "'self'");
	if (origins != NULL && origins[0] != '\0') {
		buf_add_char(h, ' ');
		buf_add_text(h, origins);
	}
	buf_lit(h, "; base-uri 'none'; form-action 'none'\r\n");
}

/* What is no page shows nothing and is in no frame. */
static void
add_strict_policy(struct reply *reply)
{
	buf_lit(&reply->headers,
	    "Content-Security-Policy: default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'\r\n");
}

static void
add_headers(struct reply *reply, const char *cache)
{
	struct buf *h = &reply->headers;

	buf_lit(h, "Cache-Control: ");
	buf_add_text(h, cache);
	buf_lit(h, "\r\n"
		   "X-Content-Type-Options: nosniff\r\n"
		   "Referrer-Policy: strict-origin-when-cross-origin\r\n"
		   "X-Robots-Tag: noindex\r\n");
}

static void
add_etag(struct reply *reply)
{
	struct buf *h = &reply->headers;

	buf_lit(h, "ETag: \"");
	buf_add_text(h, reply->etag);
	buf_lit(h, "\"\r\n");
}

void
send_begin(struct reply *reply, const char *origins)
{
	buf_reset(&reply->headers);
	buf_reset(&reply->body);
	reply->bytes = NULL;
	reply->etag[0] = '\0';
	reply->status = 200;
	if (origins == NULL)
		return;
	buf_add_text(&reply->body, origins);
	buf_add_char(&reply->body, '\n');
}

void
send_end(struct req *r, struct reply *reply)
{
	struct digest d;

	digest_begin(&d, (ETAG_TEXT - 1) / 2, "galley page 1");
	digest_bytes(&d, reply->body.data, reply->body.len);
	(void)reply_unchanged(r, reply, &d);
}

/* Takes the front off a page and returns it. */
static const char *
take_front(struct ctx *c, struct reply *reply)
{
	const char *bytes = reply->bytes != NULL ? reply->bytes : reply->body.data;
	size_t len = reply->bytes != NULL ? reply->bytes_len : reply->body.len;
	size_t at = 0;

	while (at < len && bytes[at] != '\n')
		at++;
	if (at == len)
		BUG("a page without its front");
	reply->bytes = bytes + at + 1;
	reply->bytes_len = len - at - 1;
	return arena_text_n(c->arena, bytes, at);
}

void
send_front(struct ctx *c, struct reply *reply, const struct send_how *how, bool fleeting)
{
	buf_reset(&reply->headers);
	reply->type = how->type != NULL ? how->type : HTML;
	add_headers(reply, fleeting ? "no-store" : how->ever ? EVER : MINUTE);
	add_etag(reply);
	if (reply->status == 304)
		return;
	if (how->type == NULL)
		add_policy(c, reply, take_front(c, reply));
	else
		add_strict_policy(reply);
}

void
send_begin_error(struct ctx *c, struct reply *reply, int status, const char *origins)
{
	buf_reset(&reply->headers);
	buf_reset(&reply->body);
	reply->bytes = NULL;
	reply->etag[0] = '\0';
	reply->status = status;
	reply->type = HTML;
	add_headers(reply, status == 301 ? MINUTE : "no-store");
	add_policy(c, reply, origins);
}

void
send_moved(struct ctx *c, struct reply *reply, const char *address)
{
	send_begin_error(c, reply, 301, NULL);
	reply_header(reply, "Location", "%s", address);
}

/* Writes a value with an escape for each byte that is no letter, digit, or one of -._~. */
static void
add_value(struct buf *out, const char *value)
{
	static const char plain[] =
	    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~";

	for (; *value != '\0'; value++) {
		if (strchr(plain, *value) != NULL)
			buf_add_char(out, *value);
		else
			buf_printf(out, "%%%02X", (unsigned)(unsigned char)*value);
	}
}

const char *
site_address(struct ctx *c, const struct site *s, const char *path)
{
	const struct param *params = s->r->route->params;
	struct buf out;
	char before = '?';

	buf_init(&out, c->arena, 4 * REQ_TARGET_MAX);
	buf_add_text(&out, s->home);
	buf_add_text(&out, path);
	for (int i = 0; params != NULL && params[i].name != NULL; i++) {
		if (s->r->param[i].text == NULL)
			continue;
		buf_printf(&out, "%c%s=", before, params[i].name);
		add_value(&out, s->r->param[i].text);
		before = '&';
	}
	return buf_done(&out);
}
