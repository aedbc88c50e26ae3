#include "collect/collector.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "access/address-limit.h"
#include "access/day-key.h"
#include "access/sites.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "base/digest.h"
#include "base/fileio.h"
#include "base/log.h"
#include "collect/beacon.h"
#include "collect/bot.h"
#include "collect/path.h"
#include "stats/hit.h"
#include "store/db-hosts.h"
#include "system/conf.h"
#include "system/console-conf.h"
#include "system/harden.h"
#include "system/instance.h"
#include "web/req.h"
#include "web/serve.h"
#include "web/service.h"

#define COLLECT_BODY_MAX ((size_t)1024)

#define DRAIN_MAX ((size_t)1024 * 1024)
#define RETRY_S 60

/* What a hit is made of. */
struct asked {
	const struct req *r;
	struct beacon beacon;
	struct site site;
	int64_t now;
	/* Headers; NULL where there is none. */
	const char *origin, *user_agent, *accept_language;
};

/* ---- what was asked */

static void
read_headers(struct asked *a)
{
	const struct {
		const char *name;
		const char **value;
	} wanted[] = {
		{ "HTTP_ORIGIN=", &a->origin },
		{ "HTTP_USER_AGENT=", &a->user_agent },
		{ "HTTP_ACCEPT_LANGUAGE=", &a->accept_language },
	};

	for (char *const *v = a->r->exchange->variables; *v != NULL; v++) {
		for (size_t i = 0; i < sizeof(wanted) / sizeof(wanted[0]); i++) {
			size_t len = strlen(wanted[i].name);
			if (strncmp(*v, wanted[i].name, len) == 0)
				*wanted[i].value = *v + len;
		}
	}
}

/* Refuses too many requests of an address. */
static struct err *
check_limit(struct ctx *c, const struct asked *a)
{
	struct address_limit limit = { .file = ADDRESS_LIMIT_COLLECT,
		.now = a->now,
		.address = a->r->address,
		.forwarded = forwarded_unknown(a->r) };
	struct console_conf conf;
	struct err *err;
	int retry_s;

	console_conf_read(c, &conf);
	limit.per_minute = conf.collect_per_minute;
	if (address_limit_take(c, &limit, &retry_s))
		return NULL;
	refused_count(c, REFUSED_LIMITED);
	err = refuse(c, ERR_RATE_LIMITED, "Too many hits come from this address.");
	err->retry_after_s = retry_s;
	return err;
}

/* Reads the body, at most 1 KiB of it. A body that is longer counts as a bad form. */
static struct err *
read_body(struct ctx *c, struct req *r, char **body, size_t *len)
{
	struct err *err = NULL;

	if (r->content_length > (int64_t)COLLECT_BODY_MAX)
		err = refuse(c, ERR_TOO_LARGE, "A hit has at most %zu bytes.", COLLECT_BODY_MAX);
	if (err == NULL)
		err = req_bytes(c, r, COLLECT_BODY_MAX, body, len);
	if (err == NULL && r->late)
		r->body_err = err_param(c, "body", "A hit did not come within a second.");
	if (err != NULL)
		refused_count(c, REFUSED_BAD_FORM);
	return err;
}

static struct err *
read_form(struct ctx *c, struct asked *a, const char *body, size_t len)
{
	struct err *err = a->r->body_err;

	if (err == NULL)
		err = beacon_read(c, body, len, &a->beacon);
	if (err != NULL)
		refused_count(c, REFUSED_BAD_FORM);
	return err;
}

static struct err *
not_now(struct ctx *c)
{
	struct err *err = refuse(c, ERR_UNAVAILABLE, "No hit can be taken right now.");

	err->retry_after_s = RETRY_S;
	return err;
}

static struct err *
find_site(struct ctx *c, struct asked *a)
{
	switch (sites_find(c, a->beacon.site_id, &a->site)) {
	case SITES_FOUND:
		return NULL;
	case SITES_UNKNOWN:
		return not_now(c);
	case SITES_NONE:
		break;
	}
	refused_count(c, REFUSED_UNKNOWN);
	return refuse(c, ERR_NOT_FOUND, "There is no site with this site_id.");
}

/* ---- what is written */

/* Draws a reader's digest, by which a day's hits of one person are known as such. */
static bool
draw_visitor(struct ctx *c, const struct asked *a, struct hit *hit)
{
	unsigned char key[DAY_KEY_SIZE], network[ADDRESS_NETWORK_MAX];
	size_t len = address_network(a->r->address, network);
	struct digest d;

	if (!day_key_read(c, hit->day, a->now, key))
		return false;
	digest_begin_keyed(&d, HIT_VISITOR, "galley visitor 1", key, sizeof(key));
	digest_text(&d, a->beacon.site_id);
	digest_bytes(&d, network, len);
	digest_text(&d, a->user_agent);
	digest_end(&d, hit->visitor);
	explicit_bzero(key, sizeof(key));
	explicit_bzero(network, sizeof(network));
	return true;
}

/* Finds the first language that a browser asks for: "de" of "de-AT,de;q=0.9". */
static void
read_language(const char *header, char out[HIT_LANGUAGE_MAX + 1])
{
	size_t len = 0;

	out[0] = '\0';
	if (header == NULL)
		return;
	for (; len <= HIT_LANGUAGE_MAX; len++) {
		char ch = header[len];
		if (ch >= 'A' && ch <= 'Z')
			ch = (char)(ch - 'A' + 'a');
		if (ch < 'a' || ch > 'z')
			break;
		if (len < HIT_LANGUAGE_MAX)
			out[len] = ch;
	}
	out[len == 2 || len == 3 ? len : 0] = '\0';
}

/* Takes a UUID, or the digits of it that the HTML of an export has (docs/export.md §1). What is
 * neither is none. */
static void
read_article(const char *text, char out[UUID_TEXT])
{
	if (strlen(text) == HIT_PREFIX && strspn(text, "0123456789abcdef") == HIT_PREFIX)
		memcpy(out, text, HIT_PREFIX + 1);
	else if (!uuid_parse(text, out))
		out[0] = '\0';
}

static void
put(char *out, size_t size, const char *text)
{
	(void)snprintf(out, size, "%s", text != NULL ? text : "");
}

static void
fill(struct ctx *c, const struct asked *a, struct hit *hit)
{
	const struct beacon *f = &a->beacon;

	if (f->article != NULL)
		read_article(f->article, hit->article);
	put(hit->path, sizeof(hit->path), path_clean(c->arena, f->path));
	if (f->referrer != NULL)
		put(hit->referrer, sizeof(hit->referrer),
		    path_referrer(c->arena, f->referrer, a->origin));
	put(hit->campaign, sizeof(hit->campaign),
	    path_campaign(c->arena, f->source, f->medium, f->campaign));
	put(hit->width, sizeof(hit->width), f->width);
	read_language(a->accept_language, hit->language);
	put(hit->bot, sizeof(hit->bot), bot_rule(a->user_agent, a->accept_language));
}

/* Writes a line. Returns false if it is not written. */
static bool
write_hit(struct ctx *c, const struct asked *a, enum hit_kind kind)
{
	struct hit hit = { .kind = kind, .at = a->now };
	char line[HIT_LINE_MAX + 1];

	hit.day = day_key_day(sites_local(&a->site, a->now));
	put(hit.workspace, sizeof(hit.workspace), a->site.workspace);
	if (kind == HIT_VIEW) {
		fill(c, a, &hit);
		if (!draw_visitor(c, a, &hit))
			return false;
	}
	return segment_append(c, line, hit_write(c->arena, &hit, line));
}

static struct err *
refuse_noted(struct ctx *c, const struct asked *a, enum hit_kind kind, const char *sentence)
{
	if (!write_hit(c, a, kind))
		log_line("hits: %s", strerror(errno));
	return refuse(c, ERR_FORBIDDEN, "%s", sentence);
}

static struct err *
take(struct ctx *c, const struct asked *a)
{
	if (c->conf->require_https && !a->r->https)
		return refuse(c, ERR_FORBIDDEN, "This address needs https.");
	if (a->origin == NULL || !sites_has_origin(&a->site, a->origin))
		return refuse_noted(c, a, HIT_REFUSED_ORIGIN, "This origin is none of the site's.");
	if (!a->beacon.consent)
		return refuse_noted(c, a, HIT_WITHOUT_CONSENT, "A hit needs the reader's consent.");
	if (write_hit(c, a, HIT_VIEW))
		return NULL;
	log_line("hits: %s", strerror(errno));
	return not_now(c);
}

/* ---- the order of things */

static void
add_headers(struct reply *reply)
{
	reply_header(reply, "Cache-Control", "no-store");
	reply_header(reply, "X-Content-Type-Options", "nosniff");
	reply_header(reply, "X-Robots-Tag", "noindex");
}

static void
refuse_as_text(struct ctx *c, const struct req *r, struct reply *reply, const struct err *err)
{
	(void)c;
	(void)r;
	buf_reset(&reply->headers);
	buf_reset(&reply->body);
	reply->bytes = NULL;
	reply->status = err_status(err->code);
	reply->type = "text/plain; charset=utf-8";
	buf_printf(&reply->body, "%s\n", err->message);
	add_headers(reply);
	if (err->code == ERR_METHOD)
		reply_header(reply, "Allow", "POST");
	if (err->retry_after_s > 0)
		reply_header(reply, "Retry-After", "%d", err->retry_after_s);
}

/* Confines a process to what it needs of the instance. */
static void
confine(struct ctx *c, bool fcgi)
{
	const struct harden_path paths[] = {
		{ segment_folder(c), true, HARDEN_MAKE_FOLDER },
		{ day_key_folder(c), true, HARDEN_MAKE_FOLDER },
		{ fileio_path(c->arena, c->instance->run, ADDRESS_LIMIT_COLLECT), true,
		    HARDEN_MAKE_FILE },
		{ sites_folder(c), false, HARDEN_MAKE_FOLDER },
		{ c->instance->log, true, HARDEN_MAKE_NOTHING },
		{ c->instance->conf, false, HARDEN_MAKE_NOTHING },
		{ conf_good_folder(c), false, HARDEN_MAKE_NOTHING },
	};

	harden_limit(fcgi ? HARDEN_FCGI : HARDEN_CGI);
	db_before_confinement(c);
	(void)harden_confine(paths, sizeof(paths) / sizeof(paths[0]));
	if (fcgi)
		fileio_confined();
}

static struct err *
answer(struct ctx *c, const struct service *service, struct req *r, struct reply *reply)
{
	struct asked a = { .r = r, .now = clock_now() };
	struct err *err;
	char *body;
	size_t len;

	if (strcmp(r->method, "POST") != 0)
		return refuse(c, ERR_METHOD, "This address takes POST only.");
	if (r->path[0] != '\0' && strcmp(r->path, "/") != 0)
		return refuse(c, ERR_NOT_FOUND, "There is nothing at this address.");
	err = read_body(c, r, &body, &len);
	if (err == NULL && !c->lasting)
		service->confine(c, false);
	if (err == NULL)
		err = check_limit(c, &a);
	if (err == NULL)
		err = read_form(c, &a, body, len);
	if (err == NULL)
		err = find_site(c, &a);
	if (err != NULL)
		return err;
	read_headers(&a);
	err = take(c, &a);
	if (err != NULL)
		return err;
	reply->status = 204;
	reply->type = "text/plain; charset=utf-8";
	add_headers(reply);
	return NULL;
}

int
collect_main(int argc, char **argv)
{
	const struct service service = {
		.program = "collect",
		.base = "/collect",
		.body_max = SIZE_MAX / 4, /* read_body() decides, behind the method */
		.drain_max = DRAIN_MAX,
		.body_ms = 1000,
		.body_awaited = COLLECT_BODY_MAX,
		.brief = false,
		.unlogged = true,
		.answer = answer,
		.refuse = refuse_as_text,
		.confine = confine,
		.tables = NULL, /* its one address has no name below the program */
		.passing = "No hit can be taken right now.",
		.failed = "This hit failed.",
	};

	return serve_service(argc, argv, &service);
}
