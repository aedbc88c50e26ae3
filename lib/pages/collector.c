#include "pages/collector.h"

#include <errno.h>
#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "access/address-limit.h"
#include "access/day-key.h"
#include "access/sites.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "base/digest.h"
#include "base/encoding.h"
#include "base/fileio.h"
#include "base/jread.h"
#include "base/log.h"
#include "base/utf8.h"
#include "stats/hit.h"
#include "stats/label.h"
#include "system/conf.h"
#include "system/harden.h"
#include "system/instance.h"
#include "web/req.h"
#include "web/serve.h"
#include "web/service.h"

/* ---- what a browser sends */

/* The slots of the members that are strings. */
static const struct {
	const char *name;
	size_t offset;
} members[] = {
	{ "site_id", offsetof(struct beacon, site_id) },
	{ "path", offsetof(struct beacon, path) },
	{ "article", offsetof(struct beacon, article) },
	{ "referrer", offsetof(struct beacon, referrer) },
	{ "width", offsetof(struct beacon, width) },
	{ "utm_source", offsetof(struct beacon, source) },
	{ "utm_medium", offsetof(struct beacon, medium) },
	{ "utm_campaign", offsetof(struct beacon, campaign) },
};

/* Returns the slot of a member, or NULL. */
static const char **
slot_of(struct beacon *beacon, const char *name)
{
	for (size_t i = 0; i < sizeof(members) / sizeof(members[0]); i++) {
		if (strcmp(members[i].name, name) == 0)
			return (const char **)(void *)((char *)beacon + members[i].offset);
	}
	return NULL;
}

static struct err *
read_member(struct ctx *c, struct beacon *out, const char *name, const json_t *value)
{
	const char **slot;

	if (strcmp(name, "consent") == 0) {
		out->consent = json_is_true(value);
		return json_is_boolean(value) ? NULL : err_param(c, name, "consent must be true.");
	}
	slot = slot_of(out, name);
	if (slot == NULL)
		return err_param(c, "body",
		    "A hit has no other members than site_id, path, article, referrer, width, consent, utm_source, utm_medium and utm_campaign.");
	*slot = json_string_value(value);
	return *slot != NULL ? NULL : err_param(c, name, "%s must be a text.", name);
}

static bool
is_width(const char *text)
{
	static const char *const widths[] = { "xs", "s", "m", "l", "xl" };

	for (size_t i = 0; i < sizeof(widths) / sizeof(widths[0]); i++) {
		if (strcmp(widths[i], text) == 0)
			return true;
	}
	return false;
}

static struct err *
check(struct ctx *c, const struct beacon *beacon)
{
	if (beacon->site_id == NULL)
		return err_param(c, "site_id", "A hit needs its site_id.");
	if (beacon->path == NULL || beacon->path[0] != '/')
		return err_param(c, "path", "A hit needs its path, which begins with a slash.");
	if (beacon->width != NULL && !is_width(beacon->width))
		return err_param(c, "width", "width must be xs, s, m, l or xl.");
	return NULL;
}

struct err *
beacon_read(struct ctx *c, const char *body, size_t len, struct beacon *out)
{
	json_t *object = NULL, *value;
	const char *name;

	memset(out, 0, sizeof(*out));
	TRY(jread_parse(c, "body", body, len, &object));
	if (!json_is_object(object))
		return err_param(c, "body", "A hit is a JSON object.");
	json_object_foreach(object, name, value)
		TRY(read_member(c, out, name, value));
	return check(c, out);
}

/* ---- readers that are no people */

#define _ NULL

/* Words of user agents, in lower case; the first rule with one of them counts. */
static const struct {
	const char *rule;
	const char *words[40];
} rules[] = {
	{ "webdriver", { "headless", "phantomjs", "slimerjs", "selenium", "webdriver", "puppeteer",
			   "playwright", "cypress", "htmlunit", _ } },
	{ "preview",
	    { "facebookexternalhit", "facebookcatalog", "whatsapp/", "slackbot", "slack-imgproxy",
		"twitterbot", "discordbot", "telegrambot", "linkedinbot", "skypeuripreview",
		"embedly", "iframely", "vkshare", "redditbot", "pinterestbot", "bingpreview",
		"google-pagerenderer", "mastodon/", "outbrain", "quora link preview", _ } },
	{ "monitor", { "uptimerobot", "pingdom", "statuscake", "site24x7", "lighthouse", "gtmetrix",
			 "pagespeed", "ptst/", "newrelicpinger", "datadog", "checkly",
			 "uptime-kuma", "uptime kuma", "better uptime", "betterstack",
			 "hetrixtools", "nagios", "zabbix", "updown.io", "monitor", _ } },
	{ "crawler",
	    { "bot/", "bot;", "bot)", "bot ", "bot-", "bot.", "+http", "crawl", "spider", "slurp",
		"scrap", "mediapartners", "adsbot", "feedfetcher", "google-inspection",
		"googleother", "ia_archiver", "archive.org", "yandex.com/bots", "ahrefs", "semrush",
		"facebot", "meta-external", "chatgpt-user", "claude-web", "claude-user",
		"perplexity", "cohere-ai", "ccbot", "dataprovider", "netcraft", "censys", "nmap",
		"masscan", "zgrab", _ } },
	{ "library", { "curl/", "libcurl", "wget/", "python", "aiohttp", "httpx/", "go-http-client",
			 "java/", "okhttp", "apache-http", "libwww", "lwp::", "perl/", "ruby",
			 "faraday", "php/", "guzzle", "axios/", "node-fetch", "node.js", "undici",
			 "deno/", "postman", "insomnia", "httpie", "http_request", "winhttp",
			 "reqwest", "rest-client", "http.rb", "symfony", "feedparser", _ } },
};

#undef _

/* Longer than any user agent of a browser. */
#define AGENT_MAX 1024

/* A phone of the maker Cubot is none. */
static bool
has_word(const char *agent, const char *word)
{
	for (const char *found = strstr(agent, word); found != NULL;
	     found = strstr(found + 1, word)) {
		if (strncmp(word, "bot", 3) != 0 || found - agent < 2 ||
		    memcmp(found - 2, "cu", 2) != 0)
			return true;
	}
	return false;
}

static const char *
rule_of(const char *agent)
{
	for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++) {
		for (const char *const *word = rules[i].words; *word != NULL; word++) {
			if (has_word(agent, *word))
				return rules[i].rule;
		}
	}
	return "";
}

const char *
bot_rule(const char *user_agent, const char *accept_language)
{
	char agent[AGENT_MAX + 1];
	size_t len = 0;
	const char *rule;

	if (user_agent == NULL || user_agent[0] == '\0')
		return "no-agent";
	for (; len < AGENT_MAX && user_agent[len] != '\0'; len++) {
		char ch = user_agent[len];
		agent[len] = (char)(ch >= 'A' && ch <= 'Z' ? ch - 'A' + 'a' : ch);
	}
	agent[len] = '\0';
	rule = rule_of(agent);
	if (rule[0] != '\0')
		return rule;
	return accept_language == NULL || accept_language[0] == '\0' ? "no-language" : "";
}

/* ---- the path */

/* A body has 1 KiB, and a byte of it becomes an escape at most. */
#define ROOM ((size_t)8 * 1024)

static bool
is_one_of(char ch, const char *set)
{
	return ch != '\0' && strchr(set, ch) != NULL;
}

static bool
is_plain(char ch)
{
	return (ch >= 'a' && ch <= 'z') || (ch >= 'A' && ch <= 'Z') || (ch >= '0' && ch <= '9') ||
	       is_one_of(ch, "-._~!$&'()*+,;=:@/");
}

static void
add_escape(struct buf *out, unsigned char byte)
{
	static const char digits[] = "0123456789ABCDEF";

	buf_add_char(out, '%');
	buf_add_char(out, digits[byte >> 4]);
	buf_add_char(out, digits[byte & 15]);
}

/* Decodes each escape but those of characters that would mean something else. What is left with
 * a "%" is an escape. */
static const char *
decode(struct arena *a, const char *raw)
{
	const char *end = raw + strcspn(raw, "?#");
	struct buf out;

	buf_init(&out, a, ROOM);
	for (const char *p = raw; p < end; p++) {
		int byte = percent_byte(p, end);
		if (byte < 0 && *p != '%') {
			buf_add_char(&out, *p);
			continue;
		}
		if (byte < 0)
			byte = '%';
		else
			p += 2;
		if (is_one_of((char)byte, "/?#%"))
			add_escape(&out, (unsigned char)byte);
		else if (byte != 0)
			buf_add_char(&out, (char)byte);
	}
	return buf_done(&out);
}

/* Copies a character at `p`, unless it is obeyed instead of shown. Returns its length. */
static size_t
copy(struct buf *out, const char *p)
{
	size_t len = utf8_sequence(p);
	const char *next = p;

	if (len == 0) {
		add_escape(out, (unsigned char)*p);
		return 1;
	}
	if (utf8_is_obeyed(utf8_next(&next)))
		return len;
	if (len > 1 || *p == '%' || is_plain(*p))
		buf_add(out, p, len);
	else
		add_escape(out, (unsigned char)*p);
	return len;
}

/* Removes the last part, with its slash. */
static void
drop_part(struct buf *out)
{
	if (out->len == 0)
		return;
	while (out->len > 0 && out->data[--out->len] != '/')
		;
	out->data[out->len] = '\0';
}

static bool
is_dots(const char *part, size_t len)
{
	return (len == 1 || len == 2) && memcmp(part, "..", len) == 0;
}

/* Adds the parts one after another (RFC 3986 §5.2.4). */
static void
add_parts(struct buf *out, const char *path)
{
	while (*path == '/') {
		const char *part = path + 1;
		size_t len = strcspn(part, "/");

		path = part + len;
		if (is_dots(part, len)) {
			if (len == 2)
				drop_part(out);
			if (*path == '\0')
				buf_add_char(out, '/');
			continue;
		}
		buf_add_char(out, '/');
		if (part_is_personal(part, len))
			buf_lit(out, PART_HIDDEN);
		else
			buf_add(out, part, len);
	}
}

const char *
path_clean(struct arena *a, const char *raw)
{
	struct buf text, out;

	buf_init(&text, a, ROOM);
	buf_init(&out, a, ROOM);
	for (const char *p = decode(a, raw); *p != '\0';)
		p += copy(&text, p);
	add_parts(&out, buf_done(&text));
	while (out.len > HIT_PATH_MAX)
		drop_part(&out);
	return out.len > 0 ? buf_done(&out) : "/";
}

/* ---- where the reader came from */

static bool
is_host(const char *host)
{
	const char *last = strrchr(host, '.');

	if (last == NULL || last == host || host[0] == '-' || strstr(host, "..") != NULL)
		return false;
	/* The last label of a name has a letter, that of an address has none. */
	return strspn(host, "abcdefghijklmnopqrstuvwxyz0123456789-.") == strlen(host) &&
	       strspn(last + 1, "0123456789") != strlen(last + 1);
}

/* Returns whether `host` is that of the origin. */
static bool
is_own(const char *host, const char *origin)
{
	const char *own = strstr(origin, "://");
	size_t len = strlen(host);

	return own != NULL && strncmp(own + 3, host, len) == 0 &&
	       (own[3 + len] == '\0' || own[3 + len] == ':');
}

const char *
path_referrer(struct arena *a, const char *raw, const char *own)
{
	char *host = arena_text(a, raw);
	size_t len;

	for (char *p = host; *p != '\0'; p++) {
		if (*p >= 'A' && *p <= 'Z')
			*p = (char)(*p - 'A' + 'a');
	}
	host[strcspn(host, ":")] = '\0';
	len = strlen(host);
	if (len > 0 && host[len - 1] == '.')
		host[len - 1] = '\0';
	if (!is_host(host) || is_own(host, own))
		return "";
	while (strlen(host) > HIT_REFERRER_MAX) {
		host = strchr(host, '.');
		if (host == NULL)
			return "";
		host++;
	}
	return is_host(host) ? host : "";
}

/* ---- the campaign */

/* Adds a text in one line, without what is obeyed; several spaces are one. */
static void
add_word(struct buf *out, const char *text)
{
	size_t from = out->len;
	bool space = false;

	while (*text != '\0') {
		const char *at = text;
		uint32_t cp = utf8_next(&text);
		if (cp == ' ' || cp == '\t' || cp == '\n') {
			space = out->len > from;
			continue;
		}
		if (utf8_is_obeyed(cp))
			continue;
		if (space)
			buf_add_char(out, ' ');
		space = false;
		buf_add(out, at, (size_t)(text - at));
	}
	if (part_is_personal(out->data + from, out->len - from)) {
		out->len = from;
		buf_lit(out, PART_HIDDEN);
	} else if (out->len == from) {
		buf_add_char(out, '-');
	}
}

const char *
path_campaign(struct arena *a, const char *source, const char *medium, const char *campaign)
{
	const char *const words[] = { source, medium, campaign };
	size_t known = 0, len;
	struct buf out;

	for (size_t i = 0; i < 3; i++) {
		if (words[i] != NULL && words[i][0] != '\0')
			known = i + 1;
	}
	buf_init(&out, a, ROOM);
	for (size_t i = 0; i < known; i++) {
		if (i > 0)
			buf_lit(&out, " / ");
		add_word(&out, words[i] != NULL ? words[i] : "");
	}
	len = out.len;
	if (len > HIT_CAMPAIGN_MAX) {
		/* No character is cut in two. */
		for (len = HIT_CAMPAIGN_MAX; ((unsigned char)out.data[len] & 0xC0) == 0x80;)
			len--;
	}
	return known > 0 ? arena_text_n(a, buf_done(&out), len) : "";
}

/* ---- what was asked */

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
	/* It opens no database, so it connects nowhere. */
	(void)harden_confine(paths, sizeof(paths) / sizeof(paths[0]), false);
	if (fcgi)
		fileio_confined();
}

static struct err *
answer(struct ctx *c, const struct service *service, struct req *r, struct reply *reply)
{
	struct asked a = { .r = r, .now = clock_now() };
	char *body;
	size_t len;

	if (strcmp(r->method, "POST") != 0)
		return refuse(c, ERR_METHOD, "This address takes POST only.");
	if (r->path[0] != '\0' && strcmp(r->path, "/") != 0)
		return refuse(c, ERR_NOT_FOUND, "There is nothing at this address.");
	TRY(read_body(c, r, &body, &len));
	if (!c->lasting)
		service->confine(c, false);
	TRY(check_limit(c, &a));
	TRY(read_form(c, &a, body, len));
	TRY(find_site(c, &a));
	read_headers(&a);
	TRY(take(c, &a));
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
		.body_max = SIZE_MAX / 4, /* read_body() decides, after the method */
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
