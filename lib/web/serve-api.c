/* The API as a service: keys, limits, scopes, cached answers, and the transactions of its
 * routes. */
#include <stddef.h>
#include <string.h>

#include "access/address-limit.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "base/fileio.h"
#include "base/log.h"
#include "store/hosts.h"
#include "store/limit.h"
#include "store/remote-store.h"
#include "system/conf.h"
#include "system/harden.h"
#include "system/instance.h"
#include "web/answer-cache.h"
#include "web/serve.h"
#include "web/service.h"

static struct err *
check_https(struct ctx *c, const struct req *r)
{
	if (!c->conf->require_https || r->https)
		return NULL;
	return refuse(c, ERR_FORBIDDEN,
	    "HTTPS is required. Use the https address, and revoke a key that was sent in clear.");
}

/* Checks the key. A key that is not good is refused with 401, or with 429 if its address
 * had too many of them. It is looked up twice: a restore may have come between the
 * snapshot and the pepper. `within`: the snapshot is open, which is always so with SQLite. */
static inline struct err *
check_key(struct ctx *c, struct req *r, bool within)
{
	bool failed;
	struct err *err = apikey_check(c, r->authorization, &r->access, &failed);
	int wait_s;

	if (err != NULL && failed) {
		if (!STORE_IS_REMOTE || within) {
			db_rollback(c);
			db_begin_read(c, DB_CONTENT);
		}
		err = apikey_check(c, r->authorization, &r->access, &failed);
	}
	if (err == NULL || !failed || !address_limit_fail(c, r->address, &wait_s))
		return err;
	err = refuse(c, ERR_RATE_LIMITED,
	    "Too many wrong keys came from this address; a right one is still answered. Try again after the seconds of Retry-After.");
	err->retry_after_s = wait_s;
	return err;
}

static struct err *
check_limit(struct ctx *c, struct req *r)
{
	struct err *err;

	limit_take(c, r->access.key_id, &r->limit);
	if (!r->limit.refused)
		return NULL;
	err = refuse(c, ERR_RATE_LIMITED,
	    "This key has used its %d requests of 60 seconds. Try again after the seconds of Retry-After.",
	    r->limit.quota);
	err->retry_after_s = r->limit.retry_s;
	return err;
}

static struct err *
check_scopes(struct ctx *c, struct req *r)
{
	enum scope first = SCOPE_READ;
	unsigned missing;

	r->scopes = req_scopes(c, r);
	missing = r->scopes & ~r->access.scopes;
	if (missing == 0)
		return NULL;
	while ((missing & first) == 0)
		first = (enum scope)(first << 1);
	return refuse(c, ERR_FORBIDDEN,
	    "The key lacks the scope %s. Scopes are chosen when a key is created: ask the publisher for a key that has it.",
	    scope_name(first));
}

/* Does everything between the key and the handler; nothing of it asks the database. */
static struct err *
admit(struct ctx *c, struct req *r)
{
	TRY(check_limit(c, r));
	TRY(check_scopes(c, r));
	if (r->route->body)
		TRY(req_body(c, r));
	TRY(req_id(c, r));
	return req_params(c, r);
}

/* The paths of what a request needs in run/, made in one piece: each request makes them. */
#define NAME_MAX_RUN 16
#define NEEDED 4
struct needed {
	const char *at[NEEDED];
};

static struct needed
needed_of_run(struct ctx *c)
{
	static const char names[NEEDED][NAME_MAX_RUN] = { "/generation", "/" LIMIT_KEYS,
		"/" LIMIT_ADDRESSES, "/kept" };
	size_t len = strlen(c->instance->run), room = len + NAME_MAX_RUN;
	char *piece = arena_grow(c->arena, NULL, 0, room * NEEDED);
	struct needed out;

	for (size_t i = 0; i < NEEDED; i++, piece += room) {
		memcpy(piece, c->instance->run, len);
		memcpy(piece + len, names[i], NAME_MAX_RUN);
		out.at[i] = piece;
	}
	return out;
}

/* Confines the process before the database is opened and a stranger's body is read: from
 * here on it has its limits, and reaches what a request needs and nothing else: not people/,
 * not what the console and the runner have in run/. A cached answer is sent without this: it
 * needs neither, and the confinement costs half as much as everything else that it does. A
 * FastCGI process reads galley.conf and opens its log again later, and must reach them. */
static void
confine(struct ctx *c, bool fcgi)
{
	const struct needed run = needed_of_run(c);
	/* No ring is made where nothing is counted. */
	const enum harden_make ring =
	    fcgi || c->conf->requests_per_minute > 0 ? HARDEN_MAKE_FILE : HARDEN_MAKE_NOTHING;
	const struct harden_path paths[] = {
		{ fileio_folder(c->arena, c->instance->db), true, HARDEN_MAKE_NOTHING },
		{ run.at[0], false, HARDEN_MAKE_NOTHING },
		{ run.at[1], true, ring },
		{ run.at[2], true, ring },
		{ run.at[3], true, HARDEN_MAKE_FOLDER },
		/* The rest is what a FastCGI process opens later. */
		{ c->instance->log, true, HARDEN_MAKE_NOTHING },
		{ c->instance->conf, false, HARDEN_MAKE_NOTHING },
		{ fcgi ? conf_good_folder(c) : NULL, false, HARDEN_MAKE_NOTHING },
	};

	db_as_api();
	harden_limit(fcgi ? HARDEN_FCGI : HARDEN_CGI);
	db_confine(c, paths, fcgi ? 8 : 5);
	if (fcgi)
		fileio_confined();
}

/* Opens the database. A CGI process confines itself when it first needs the
 * database. */
static void
open_database(struct ctx *c, int wait_ms)
{
	if (!c->lasting && c->db == NULL)
		confine(c, false);
	db_open(c, wait_ms);
}

/* Opens the snapshot of a read and checks the key in it: from here to the last
 * row everything is of one moment. */
static struct err *
begin_read(struct ctx *c, struct req *r)
{
	open_database(c, DB_WAIT_READ_MS);
	if (!c->lasting && r->route->reads != NULL)
		db_reads(c, DB_CONTENT, r->route->reads);
	db_begin_read(c, DB_CONTENT);
	return check_key(c, r, true);
}

/* With PostgreSQL, after look_at_key(). */
static inline void
begin_later(struct ctx *c)
{
	remote_begin_later(c);
	db_begin_read(c, DB_CONTENT);
}

/* With PostgreSQL: checks the key, counts the request, and notes on which stamps an answer would
 * depend, in one round trip. */
static inline struct err *
look_at_key(struct ctx *c, struct req *r, struct cache *cache)
{
	struct err *err;

	open_database(c, DB_WAIT_READ_MS);
	err = check_key(c, r, false);
	if (err == NULL)
		(void)cache_key(c, r, cache);
	return err;
}

/* Fills the reply from a cached answer; false if there is none. Test builds can compute it
 * the ordinary way as well, and compare. */
static bool
cache_will_do(struct ctx *c, struct req *r, struct cache *k, struct reply *reply)
{
	if (!cache_find(c, r, k, reply))
		return false;
#ifdef GALLEY_TEST
	if (cache_is_doubted()) {
		struct reply ordinary;
		reply_init(c, &ordinary);
		bool refused =
		    begin_read(c, r) != NULL || r->route->handler(c, r, &ordinary) != NULL;
		db_rollback(c);
		cache_compare(c, r, k, reply, refused ? NULL : &ordinary);
	}
#endif
	return true;
}

/*
 * A cached answer needs no database. A read is one of four cases, by what run/kept holds
 * at the present moment (answer-cache.h):
 *
 *	           the answer is cached         the answer is not cached
 *	key is     admit, send the kept       admit, open the snapshot and check
 *	cached       answer; the database       the key in it; handler; keep the
 *	(knew)     is never opened            answer
 *	key is     the same as on the         open the snapshot and check the key
 *	not cached   right: the answer's        in it; admit; handler; keep the
 *	           name is not known          key, and the next request is of the
 *	           without the key            upper row
 *
 * admit() runs once in each case: the limit counts a request once.
 *
 * With PostgreSQL every key is known after look_at_key(). What is not cached is answered in a
 * snapshot of the same stamps, and is cached under them.
 */
static struct err *
run_read(struct ctx *c, struct req *r, struct reply *reply)
{
	struct cache cache;
	bool knew = STORE_IS_REMOTE || cache_key(c, r, &cache);
	struct err *err = STORE_IS_REMOTE ? look_at_key(c, r, &cache)
			  : knew	  ? NULL
					  : begin_read(c, r);

	if (r->route->body)
		BUG("a route that reads waits for a body: %s", r->target);
	if (err == NULL)
		err = admit(c, r);
	if (err == NULL && knew) {
		if (cache_will_do(c, r, &cache, reply))
			return NULL;
		if (STORE_IS_REMOTE)
			begin_later(c);
		else
			err = begin_read(c, r);
	}
	if (err == NULL)
		err = r->route->handler(c, r, reply);
	db_end_read(c);
	if (err == NULL)
		cache_keep(c, r, &cache, knew, reply);
	return err;
}

/* Checks the key once more, in the transaction that acts for it. Since the first check
 * the key may have been revoked or have expired, its workspace may have been deleted, or
 * the database restored. A restored database's keys may need another pepper, which was
 * written before this lock was held: so the key is looked up twice. */
static struct err *
check_key_again(struct ctx *c, struct req *r)
{
	struct err *err;
	bool failed;

	err = apikey_check(c, r->authorization, &r->access, &failed);
	if (err != NULL && failed)
		err = apikey_check(c, r->authorization, &r->access, &failed);
	return err != NULL ? err : check_scopes(c, r);
}

/* Runs a write. It waits for the lock only after everything else was found right.
 * No snapshot is open while a client sends the body: the client may be slow, and
 * without a write-ahead log a snapshot keeps all writers out. */
static struct err *
run_write(struct ctx *c, struct req *r, struct reply *reply)
{
	struct err *err;

	serve_learn_boot();
	open_database(c, DB_WAIT_WRITE_MS);
	if (!c->lasting && r->route->reads != NULL)
		db_touches(c, r->route->reads);
	if (!STORE_IS_REMOTE)
		db_begin_read(c, DB_CONTENT);
	err = check_key(c, r, false);
	db_rollback(c);
	if (err == NULL)
		err = admit(c, r);
	if (err != NULL)
		return err;
	db_open(c, DB_WAIT_WRITE_MS);
	db_begin_write(c, DB_CONTENT, r->route->change, 0, r->access.workspace.account_id);
	err = check_key_again(c, r);
	if (err == NULL)
		err = r->route->handler(c, r, reply);
	if (err == NULL)
		db_commit(c);
	else
		db_rollback(c);
	return err;
}

static struct err *
answer(struct ctx *c, const struct service *service, struct req *r, struct reply *reply)
{
	const char *allow;
	struct err *err;

	err = route_match(c, service->routes, r->method, r->path, &r->route, &r->id, &allow);
	if (err != NULL && err->code == ERR_METHOD) {
		reply_error(c, reply, err);
		reply_header(reply, "Allow", "%s", allow);
		return NULL;
	}
	if (err != NULL)
		return err;
	if (r->route == NULL) {
		reply->status = 204;
		reply_header(reply, "Allow", "%s", allow);
		return NULL;
	}
	TRY(check_https(c, r));
	return r->route->mode == ROUTE_WRITE ? run_write(c, r, reply) : run_read(c, r, reply);
}

static void
refuse_as_json(struct ctx *c, const struct req *r, struct reply *reply, const struct err *err)
{
	(void)r;
	reply_error(c, reply, err);
}

struct service
serve_api(const char *program, const struct route *routes)
{
	return (struct service) {
		.program = program,
		.base = "/api/v1",
		.body_max = REQ_BODY_MAX,
		.drain_max = REQ_DRAIN_MAX,
		.brief = true,
		.repeats = true,
		.routes = routes,
		.answer = answer,
		.refuse = refuse_as_json,
		.confine = confine,
		.tables = serve_shell_routes,
		.passing =
		    "The service cannot answer right now; nothing of this says that an article is gone. Try again after the seconds of Retry-After. If this was an order, its outcome is unknown: send it again with the same Idempotency-Key.",
		.failed =
		    "The service failed; the publisher finds the cause in the log under this request_id. Nothing of this says that an article is gone.",
	};
}

int
serve_main(int argc, char **argv, const char *program, const struct route *routes)
{
	const struct service service = serve_api(program, routes);

	return serve_service(argc, argv, &service);
}
