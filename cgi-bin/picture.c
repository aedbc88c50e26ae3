/* Answers a picture that this host has no copy of yet, and makes the copy (docs/postgres.md §6):
 * the web server asks it for what is missing in htdocs/media. It belongs to the build STORE=pg
 * alone.
 *
 * A name that no row has costs a question each time, so these are counted for each address: one
 * that asks for too many of them gets no copy made for a while. Pictures that there are count
 * nothing. */
#include <string.h>

#include "access/address-limit.h"
#include "access/day-key.h"
#include "article/media.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "base/fileio.h"
#include "store/db.h"
#include "store/hosts.h"
#include "store/remote-store.h"
#include "system/conf.h"
#include "system/harden.h"
#include "system/instance.h"
#include "web/req.h"
#include "web/serve.h"
#include "web/service.h"

#define BODY_MAX ((size_t)64 * 1024)

/* Confines a process to the database's address, the copies, the counts of addresses and its log. */
static void
confine(struct ctx *c, bool fcgi)
{
	const struct harden_path paths[] = {
		{ fileio_folder(c->arena, c->instance->db), false, HARDEN_MAKE_NOTHING },
		{ c->instance->media, true, HARDEN_MAKE_NOTHING },
		{ c->instance->log, true, HARDEN_MAKE_NOTHING },
		{ c->instance->conf, false, HARDEN_MAKE_NOTHING },
		{ conf_good_folder(c), false, HARDEN_MAKE_NOTHING },
		{ fileio_path(c->arena, c->instance->run, ADDRESS_LIMIT_PICTURES), true,
		    HARDEN_MAKE_FILE },
		{ day_key_folder(c), true, HARDEN_MAKE_FOLDER },
	};

	db_as_api();
	harden_limit(fcgi ? HARDEN_FCGI : HARDEN_CGI);
	db_confine(c, paths, sizeof(paths) / sizeof(paths[0]));
	if (fcgi)
		fileio_confined();
}

/* The limit is that of pages, counted apart. */
static struct address_limit
limit_of(struct ctx *c, const struct req *r)
{
	struct console_conf conf;

	console_conf_read(c, &conf);
	return (struct address_limit) { .file = ADDRESS_LIMIT_PICTURES,
		.no_proxy = true,
		.per_minute = conf.pages_per_minute,
		.address = r->address,
		.now = clock_now(),
		.forwarded = forwarded_unknown(r) };
}

static struct err *
too_many(struct ctx *c, int retry_s)
{
	struct err *err = refuse(c, ERR_RATE_LIMITED,
	    "Too many pictures that do not exist were asked for from your network. Try again in a minute.");

	err->retry_after_s = retry_s;
	return err;
}

static struct err *
answer(struct ctx *c, const struct service *service, struct req *r, struct reply *reply)
{
	const char *name = r->path[0] == '/' ? r->path + 1 : r->path;
	struct address_limit limit;
	int retry_s;

	if (strcmp(r->method, "GET") != 0 && strcmp(r->method, "HEAD") != 0)
		return refuse(c, ERR_METHOD, "A picture is only read.");
	if (media_digest_of(c, name) == NULL)
		return refuse(c, ERR_NOT_FOUND, "There is no picture at this address.");
	if (!c->lasting)
		service->confine(c, false);
	limit = limit_of(c, r);
	if (!address_limit_look(c, &limit, &retry_s))
		return too_many(c, retry_s);
	db_open(c, DB_WAIT_READ_MS);
	db_begin_read(c, DB_CONTENT);
	reply->bytes = media_cache_fetch(c, name, &reply->bytes_len);
	db_end_read(c);
	if (reply->bytes == NULL)
		return address_limit_take(c, &limit, &retry_s)
			   ? refuse(c, ERR_NOT_FOUND, "There is no picture at this address.")
			   : too_many(c, retry_s);
	reply->status = 200;
	reply->type = media_type_of(c, name);
	/* As the web server gives them with the copy. */
	reply_header(reply, "Cache-Control", "public, max-age=31536000, immutable");
	reply_header(reply, "X-Content-Type-Options", "nosniff");
	return NULL;
}

static void
refuse_as_json(struct ctx *c, const struct req *r, struct reply *reply, const struct err *err)
{
	(void)r;
	reply->type = NULL;
	reply_error(c, reply, err);
	if (err->code == ERR_METHOD)
		reply_header(reply, "Allow", "GET, HEAD");
}

int
main(int argc, char **argv)
{
	const struct service service = {
		.program = "picture",
		.base = "/media",
		.body_max = BODY_MAX,
		.drain_max = BODY_MAX,
		.brief = true,
		.repeats = true,
		.unlogged = true,
		.answer = answer,
		.refuse = refuse_as_json,
		.confine = confine,
		.tables = NULL, /* its addresses are names of files */
		.passing = "The picture cannot be read right now. Try again in a moment.",
		.failed =
		    "The picture cannot be read; the publisher finds the cause in the log under this request_id.",
	};

	return serve_service(argc, argv, &service);
}
