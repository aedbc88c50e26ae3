#include "pages/pages-service.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "access/address-limit.h"
#include "access/day-key.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "base/digest.h"
#include "base/encoding.h"
#include "base/fileio.h"
#include "base/jwrite.h"
#include "pages/page-layout.h"
#include "pages/page-words.h"
#include "pages/public-pages.h"
#include "screen/assets.h"
#include "screen/tr.h"
#include "store/db.h"
#include "store/hosts.h"
#include "store/remote-store.h"
#include "system/conf.h"
#include "system/harden.h"
#include "system/instance.h"
#include "web/serve.h"
#include "web/service.h"

#define DRAIN_MAX ((size_t)1024 * 1024)
#define TABLES_MAX ((size_t)16 * 1024)
#define SCRIPT_MAX ((size_t)64 * 1024)

/* The table of the program. */
static const struct pages_row *the_rows;

/* ---- answers */

static void
add_headers(struct ctx *c, struct reply *reply, const char *cache)
{
	reply_header(reply, "Cache-Control", "%s", cache);
	reply_header(reply, "Content-Security-Policy",
	    "default-src 'none'; img-src 'self' https: data:%s; style-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
	    http_origin(c));
	reply_header(reply, "X-Content-Type-Options", "nosniff");
	reply_header(reply, "Referrer-Policy", "no-referrer");
	reply_header(reply, "Cross-Origin-Opener-Policy", "same-origin");
	reply_header(reply, "Cross-Origin-Resource-Policy", "same-origin");
	reply_header(reply, "X-Robots-Tag", "noindex, nofollow, noarchive");
}

void
pages_begin(struct ctx *c, struct reply *reply, int status)
{
	buf_reset(&reply->headers);
	buf_reset(&reply->body);
	reply->bytes = NULL;
	reply->status = status;
	reply->type = "text/html; charset=utf-8";
	add_headers(c, reply, status == 200 ? "private, no-store" : "no-store");
}

struct saying {
	const char *language, *title, *sentence, *request_id;
};

static void
write_saying(struct hwrite *w, const void *data)
{
	const struct saying *s = data;

	words_element(w, H_H1, NULL, s->language, s->title);
	words_element(w, H_P, NULL, s->language, s->sentence);
	hwrite_open(w, H_P);
	words_text(w, s->language, tr_mark("Request:"));
	hwrite_text(w, " ");
	hwrite_element(w, H_CODE, s->request_id);
	hwrite_close(w, H_P);
}

/* `accept_language` is the reader's header, or NULL: English. */
static void
say(struct ctx *c, struct reply *reply, int status, const char *accept_language, const char *title,
    const char *sentence)
{
	const struct saying saying = { words_begin_reader(c, accept_language), title, sentence,
		c->request_id };

	pages_begin(c, reply, status);
	article_page_write(&reply->body, &(struct article_page) { .language = saying.language,
					     .title = words_said(title),
					     .root = root_path(c),
					     .write = write_saying,
					     .data = &saying });
}

void
pages_say(struct ctx *c, struct reply *reply, int status, const char *title, const char *sentence)
{
	say(c, reply, status, NULL, title, sentence);
}

static const char *
title_of(enum err_code code)
{
	switch (code) {
	case ERR_NOT_FOUND:
		return tr_mark("There is no such page");
	case ERR_METHOD:
		return tr_mark("This address is only read");
	case ERR_FORBIDDEN:
		return tr_mark("This is not allowed");
	case ERR_RATE_LIMITED:
		return tr_mark("Too many requests");
	case ERR_UNAVAILABLE:
		return tr_mark("Not available right now");
	case ERR_INTERNAL:
		return tr_mark("Something failed");
	default:
		return tr_mark("This did not work");
	}
}

static const char *
accept_language_of(const struct req *r)
{
	static const char name[] = "HTTP_ACCEPT_LANGUAGE=";
	char *const *v = r != NULL && r->exchange != NULL ? r->exchange->variables : NULL;

	for (; v != NULL && *v != NULL; v++) {
		if (strncmp(*v, name, sizeof(name) - 1) == 0)
			return *v + sizeof(name) - 1;
	}
	return NULL;
}

/* No workspace is known, or none can be read: the language is the reader's. */
static void
refuse_as_page(struct ctx *c, const struct req *r, struct reply *reply, const struct err *err)
{
	say(c, reply, err_status(err->code), accept_language_of(r), title_of(err->code),
	    err->message);
	if (err->retry_after_s > 0)
		reply_header(reply, "Retry-After", "%d", err->retry_after_s);
}

/* ---- the order of things */

/* Confines a process before it reads what strangers sent into the database. The process of
 * one request has opened the database already, so it may only read the rest of db/. One of
 * many requests opens it again if a restore replaced it. */
static void
confine(struct ctx *c, bool fcgi)
{
	const char *run = c->instance->run;
	const struct harden_path paths[] = {
		{ fileio_folder(c->arena, c->instance->db), fcgi, HARDEN_MAKE_NOTHING },
		{ c->instance->log, true, HARDEN_MAKE_NOTHING },
		{ c->instance->conf, false, HARDEN_MAKE_NOTHING },
		{ conf_good_folder(c), false, HARDEN_MAKE_NOTHING },
		{ fileio_path(c->arena, run, "generation"), false, HARDEN_MAKE_NOTHING },
		{ fileio_path(c->arena, run, "kept"), true, HARDEN_MAKE_FOLDER },
		/* Who answers one request has counted it already. */
		{ fileio_path(c->arena, run, ADDRESS_LIMIT_PAGES), true, HARDEN_MAKE_FILE },
		{ day_key_folder(c), true, HARDEN_MAKE_FOLDER },
	};
	const size_t count = sizeof(paths) / sizeof(paths[0]);

	db_as_api();
	harden_limit(fcgi ? HARDEN_FCGI : HARDEN_CGI);
	db_confine(c, paths, fcgi ? count : count - 2);
	if (fcgi)
		fileio_confined();
}

/* Does the same in the process of one request, when it has opened the database. */
static void
confine_now(struct ctx *c)
{
	confine(c, false);
}

static bool
answer_asset(struct ctx *c, const struct req *r, struct reply *reply)
{
	if (strncmp(r->path, "/assets/", 8) != 0)
		return false;
	reply->type = "text/css; charset=utf-8";
	reply->bytes = article_page_style_find(r->path + 8, &reply->bytes_len);
	if (reply->bytes == NULL)
		reply->bytes = layout_style_find(r->path + 8, &reply->bytes_len);
	if (reply->bytes == NULL) {
		reply->type = "text/javascript; charset=utf-8";
		reply->bytes = frame_script_find(r->path + 8, &reply->bytes_len);
	}
	if (reply->bytes == NULL) {
		reply->type = ICON_TYPE;
		reply->bytes = icon_find(r->path + 8, &reply->bytes_len);
	}
	if (reply->bytes == NULL)
		return false;
	add_headers(c, reply, "public, max-age=31536000, immutable");
	return true;
}

/* Answers a script for customers' websites: that of .htaccess, which a server of one's own gives
 * without a program. Who asks over plain http where https is required is sent there. */
static bool
answer_script(struct ctx *c, struct req *r, struct reply *reply)
{
	const char *name, *address;
	struct digest d;

	if (strcmp(r->path, "/embed.js") != 0 && strcmp(r->path, "/collect.js") != 0)
		return false;
	name = r->path + 1;
	address = pages_script_of(c, name);
	if (c->conf->require_https && !r->https) {
		if (address == NULL || strncmp(address, "https:", 6) != 0)
			return false;
		send_moved(c, reply, address);
	} else {
		reply->bytes = fileio_read(c->arena,
		    arena_printf(c->arena, "%s/htdocs/%s", c->instance->programs, name), SCRIPT_MAX,
		    &reply->bytes_len);
		if (reply->bytes == NULL)
			return false;
		reply->type = "text/javascript; charset=utf-8";
		reply_header(reply, "Cache-Control", "public, max-age=3600");
		reply_header(reply, "X-Content-Type-Options", "nosniff");
		digest_begin(&d, (ETAG_TEXT - 1) / 2, "galley script 1");
		digest_bytes(&d, reply->bytes, reply->bytes_len);
		(void)reply_unchanged(r, reply, &d);
		reply_header(reply, "ETag", "\"%s\"", reply->etag);
	}
	reply_header(reply, "Cross-Origin-Resource-Policy", "cross-origin");
	return true;
}

/* Returns whether a path may begin with the word of a workspace. */
static bool
is_below_word(const char *path)
{
	return path[0] == '/' && path[1] != '\0' && strncmp(path, "/share/", 7) != 0 &&
	       strncmp(path, "/assets/", 8) != 0;
}

/* Returns the query with its question mark, without what has no place in an address. */
static const char *
query_of(struct ctx *c, const struct req *r)
{
	struct buf out;

	if (r->query[0] == '\0')
		return "";
	buf_init(&out, c->arena, 3 * REQ_TARGET_MAX + 1);
	buf_add_char(&out, '?');
	for (const char *p = r->query; *p != '\0'; p++) {
		if (*p > ' ' && *p < 0x7F && strchr("\"<>\\^`{|}", *p) == NULL)
			buf_add_char(&out, *p);
		else
			buf_printf(&out, "%%%02X", (unsigned)(unsigned char)*p);
	}
	return buf_done(&out);
}

/* A page says nothing over a plain connection where https is required. */
static bool
moved_to_https(struct ctx *c, const struct req *r, struct reply *reply)
{
	const char *address;

	if (!c->conf->require_https || r->https)
		return false;
	address = pages_address(c);
	if (address == NULL || strncmp(address, "https:", 6) != 0)
		return false;
	address = arena_printf(
	    c->arena, "%s%s%s", address, percent_encode_path(c->arena, r->path), query_of(c, r));
	if (is_below_word(r->path)) {
		send_moved(c, reply, address);
	} else {
		pages_begin(c, reply, 301);
		reply_header(reply, "Location", "%s", address);
	}
	return true;
}

static const struct pages_row *
find_row(const char *path, const char **rest)
{
	for (const struct pages_row *row = the_rows; row->begins != NULL; row++) {
		size_t len = strlen(row->begins);
		if (strncmp(path, row->begins, len) != 0 || path[len] == '\0' ||
		    strchr(path + len, '/') != NULL)
			continue;
		*rest = path + len;
		return row;
	}
	return NULL;
}

static struct err *
answer(struct ctx *c, const struct service *service, struct req *r, struct reply *reply)
{
	const struct pages_row *row;
	const char *rest;
	struct err *err;

	/* Refusals are in English: a page that has a language translates them. */
	if (c->lasting)
		tr_begin(c, NULL);
	if (strcmp(r->method, "GET") != 0 && strcmp(r->method, "HEAD") != 0) {
		say(c, reply, 405, accept_language_of(r), title_of(ERR_METHOD),
		    "This address answers GET and HEAD.");
		reply_header(reply, "Allow", "GET, HEAD");
		return NULL;
	}
	if (answer_asset(c, r, reply) || answer_script(c, r, reply) || moved_to_https(c, r, reply))
		return NULL;
	row = find_row(r->path, &rest);
	if (c->conf->require_https && !r->https)
		return refuse(c, ERR_FORBIDDEN, "This address needs https.");
	if (row == NULL && is_below_word(r->path))
		return rows_answer(c, r, reply, confine_now);
	if (row == NULL)
		return refuse(c, ERR_NOT_FOUND, "Look at the address again.");
	TRY(often_check(c, r));
	db_open(c, DB_WAIT_READ_MS);
	db_begin_read(c, DB_CONTENT);
	if (!c->lasting)
		service->confine(c, false);
	err = row->handler(c, rest, reply);
	db_end_read(c);
	return err;
}

/* Prints the addresses, for the tests. */
static void
tables(struct ctx *c, const struct service *service)
{
	struct jwrite w;
	struct buf out;

	(void)service;
	buf_init(&out, c->arena, TABLES_MAX);
	jwrite_init(&w, &out);
	jwrite_array(&w);
	for (const struct pages_row *row = the_rows; row->begins != NULL; row++) {
		jwrite_object(&w);
		jwrite_member_text(&w, "begins", row->begins);
		jwrite_object_end(&w);
	}
	for (const struct rows_row *row = rows_table; row != NULL;
	     row = row->path[0] == '*' ? NULL : row + 1) {
		jwrite_object(&w);
		jwrite_member_text(&w, "page", row->path);
		jwrite_object_end(&w);
	}
	jwrite_array_end(&w);
	exit(puts(buf_done(&out)) < 0 || fflush(stdout) != 0);
}

int
pages_main(int argc, char **argv, const struct pages_row *rows)
{
	const struct service service = {
		.program = "pages",
		.base = "",
		.body_max = SIZE_MAX / 4, /* no address reads one: it is passed over */
		.drain_max = DRAIN_MAX,
		.brief = true,
		.repeats = true,
		.answer = answer,
		.refuse = refuse_as_page,
		.confine = confine,
		.tables = tables,
		.passing = tr_mark("This page cannot be shown right now. Try again in a moment."),
		.failed = tr_mark(
		    "This page failed. Its publisher finds the cause in the log under the number below."),
	};

	the_rows = rows;
	return serve_service(argc, argv, &service);
}
