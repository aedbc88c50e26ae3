/* Checks what strangers, browsers and customers' websites get from an instance (doctor.h). */
#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "access/address-limit.h"
#include "access/apikey.h"
#include "access/day-key.h"
#include "access/pages-settings.h"
#include "access/sites.h"
#include "access/workspace.h"
#include "article/media.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "base/fileio.h"
#include "base/log.h"
#include "base/uuid.h"
#include "doctor/doctor.h"
#include "doctor/probe.h"
#include "net/remote.h"
#include "stats/hit.h"
#include "store/db.h"
#include "system/conf.h"
#include "system/instance.h"

/* ---- what a stranger gets from public_url */

#define CERTIFICATE_DAYS 14
#define SAMPLE 32 /* first bytes by which a file is recognised */

static const char *
need_url(struct ctx *c)
{
	return hint_say(c, "set public_url to the address of this instance", HINT_CONFIG,
	    "public_url=https://…");
}

/* Returns public_url, or NULL if it is not known. */
static const char *
public_url(struct ctx *c)
{
	if (c->conf == NULL || c->conf->public_url[0] == '\0')
		return NULL;
	return c->conf->public_url;
}

static void
get(struct ctx *c, const char *url, const char *key, struct probe_answer *out)
{
	probe_get(c, url, (struct remote_how) { .key = key }, out);
}

struct doctor_finding
doctor_no_answer(const struct probe_answer *a)
{
	if (a->by_client)
		return doctor_bad(a->failure, "make install again");
	if (strstr(a->failure, "certificate") != NULL)
		return doctor_bad(a->failure,
		    "renew the certificate, or install it with all those above it: no customer can connect");
	return doctor_bad(a->failure,
	    "see that the web server runs, and that public_url in galley.conf is its address");
}

/* Explains an answer of the API that is not 401. */
static struct doctor_finding
explain(struct ctx *c, const char *url, const struct probe_answer *a)
{
	const char *told = arena_printf(c->arena, "%s answers %d", url, a->of.status);

	if (a->of.status == 403 && strncmp(url, "http://", 7) == 0)
		return doctor_bad(told,
		    "public_url is plain http and require_https is on: use https, or set require_https = off");
	if (a->of.status == 403 || a->of.status == 404)
		return doctor_bad(told,
		    "the web server does not give /api/v1 to the programs in cgi-bin: see INSTALL.md");
	if (a->of.status >= 500)
		return doctor_bad(told,
		    "see log/ and the web server's error log; the programs may lack the right to run or to read the instance, galley-serve may not run, or the web server may not connect to its sockets");
	if (a->of.status >= 300 && a->of.status < 400)
		return doctor_bad(told, "public_url leads elsewhere: set it to the final address");
	return doctor_bad(told, "public_url is not the address of this instance");
}

static bool
says(const struct probe_answer *a, const char *text)
{
	return memmem(a->of.body, a->of.body_len, text, strlen(text)) != NULL;
}

/* Returns whether the answer is the API's own 401, and whole. */
static bool
is_refusal(struct ctx *c, const struct probe_answer *a)
{
	return a->of.status == 401 && !a->of.cut && says(a, "\"unauthorized\"") &&
	       remote_header(c, &a->of, "X-API-Version", 0) != NULL;
}

static struct doctor_finding
look_api(struct ctx *c)
{
	char key[APIKEY_LENGTH + 1];
	const char *url = public_url(c);
	struct probe_answer a;

	if (url == NULL)
		return doctor_bad(
		    "public_url is not set: images have no address, and nothing can be asked",
		    need_url(c));
	url = arena_printf(c->arena, "%s/api/v1/connection", url);
	apikey_random(key);
	get(c, url, key, &a);
	if (a.failure != NULL)
		return doctor_no_answer(&a);
	if (!is_refusal(c, &a) && a.of.status != 429)
		return explain(c, url, &a);
	if (says(&a, "No Authorization header"))
		return doctor_bad("the web server drops the Authorization header: no key works",
		    "CGIPassAuth On for cgi-bin, or fastcgi_pass_request_headers on in nginx; the files in apache-conf/ and nginx/ have it");
	return doctor_good(arena_printf(c->arena, "%s refuses a wrong key", url));
}

static struct doctor_finding
look_certificate(struct ctx *c)
{
	const char *url = public_url(c);
	struct probe_answer a;
	int64_t ends, days;

	if (url == NULL || strncmp(url, "https://", 8) != 0)
		return doctor_good("public_url has no certificate");
	probe_get(c, url, (struct remote_how) { .certificate = true }, &a);
	ends = a.failure == NULL ? a.of.expires_at : 0;
	if (ends == 0)
		return doctor_note("when the certificate ends is not known here",
		    "watch it with another tool; curl on this host does not tell");
	days = (ends - clock_now()) / (86400 * CLOCK_SECOND);
	if (ends <= clock_now())
		return doctor_bad(
		    "the certificate has expired", "renew it: no customer can connect");
	if (days < CERTIFICATE_DAYS)
		return doctor_warn(
		    arena_printf(c->arena, "the certificate ends in %lld days", (long long)days),
		    "see why it was not renewed by itself");
	return doctor_good(
	    arena_printf(c->arena, "the certificate is good for %lld days", (long long)days));
}

/* Checks that a request without a key is refused as such: else a proxy adds a
 * key, or another program answers. */
static struct doctor_finding
look_headers(struct ctx *c)
{
	const char *url = public_url(c);
	struct probe_answer a;

	if (url == NULL)
		return doctor_note("not asked: public_url is not set", need_url(c));
	url = arena_printf(c->arena, "%s/api/v1/connection", url);
	get(c, url, NULL, &a);
	if (a.failure != NULL)
		return doctor_no_answer(&a);
	if (!is_refusal(c, &a))
		return explain(c, url, &a);
	if (!says(&a, "No Authorization header"))
		return doctor_bad("a request without a key is taken for one with a key",
		    "something in front of the programs adds an Authorization header: take it out");
	return doctor_good("a request without a key is told so");
}

/* A file that no stranger may get, and its first bytes. */
struct secret {
	const char *name; /* path below the instance */
	const char *sample;
	size_t len;
};

/* Asks whether a file is served. failure is set if there was no answer at all. */
static bool
is_served(struct ctx *c, const char *base, const struct secret *s, const char **failure)
{
	struct probe_answer a;

	if (s->len == 0)
		return false;
	get(c, arena_printf(c->arena, "%s/%s", base, s->name), NULL, &a);
	if (a.failure != NULL)
		*failure = a.failure;
	return a.failure == NULL && a.of.status / 100 == 2 && a.of.body_len >= s->len &&
	       memcmp(a.of.body, s->sample, s->len) == 0;
}

/* Reads the first bytes of a file. len is 0 if there is no such file. */
static struct secret
secret_of(struct ctx *c, const char *name)
{
	const char *path = arena_printf(c->arena, "%s/%s", c->instance->home, name);
	struct secret s = { name, "", 0 };

	s.sample = fileio_read_now(c->arena, path, (size_t)64 * 1024 * 1024, &s.len);
	if (s.sample == NULL)
		s.len = 0;
	if (s.len > SAMPLE)
		s.len = SAMPLE;
	return s;
}

/* Returns the address without its path, or NULL if it has no path: files beside
 * the instance may be served there. */
static const char *
origin_of(struct ctx *c, const char *url)
{
	const char *slash = strchr(strstr(url, "://") + 3, '/');

	if (slash == NULL)
		return NULL;
	return arena_text_n(c->arena, url, (size_t)(slash - url));
}

static struct doctor_finding
look_private(struct ctx *c)
{
	/* Only SQLite may read the database's own bytes. */
	struct secret secrets[] = { secret_of(c, "galley.conf"), secret_of(c, "db/pepper"),
		secret_of(c, "log/operator.log"), secret_of(c, "log/requests.log"),
		secret_of(c, "people/secret"), secret_of(c, "run/console/code.txt"),
		secret_of(c, "run/keys.rl"), /* run/ has it when there is no code */
		{ "db/galley.db", "SQLite format 3", 16 },
		{ "people/console.db", "SQLite format 3", 16 } };
	const char *bases[] = { public_url(c), NULL };
	const char *failure = NULL;

	if (bases[0] == NULL)
		return doctor_note("not asked: public_url is not set", need_url(c));
	bases[1] = origin_of(c, bases[0]);
	for (size_t i = 0; i < 2 && bases[i] != NULL; i++) {
		for (size_t n = 0; n < sizeof(secrets) / sizeof(*secrets); n++) {
			if (!is_served(c, bases[i], &secrets[n], &failure))
				continue;
			return doctor_bad(arena_printf(c->arena, "%s/%s is served to everybody",
					      bases[i], secrets[n].name),
			    "close these folders now (INSTALL.md says how), then revoke all keys: they must count as known");
		}
	}
	if (failure != NULL)
		return doctor_note(failure, "ask again when the web server answers");
	return doctor_good("galley.conf, databases, secrets and logs are not served");
}

/* Returns any stored image, or NULL. */
static const char *
some_media(struct ctx *c)
{
	DIR *dir = opendir(c->instance->media);
	const char *found = NULL;
	const struct dirent *entry;

	if (dir == NULL)
		return NULL;
	while (found == NULL && (entry = readdir(dir)) != NULL) {
		if (media_digest_of(c, entry->d_name) != NULL)
			found = arena_text(c->arena, entry->d_name);
	}
	closedir(dir);
	return found;
}

static struct doctor_finding
look_media(struct ctx *c)
{
	const char *name = some_media(c), *url = public_url(c);
	struct probe_answer a;

	if (name == NULL)
		return doctor_good("there is no stored image yet");
	if (url == NULL)
		return doctor_note("not asked: public_url is not set", need_url(c));
	url = arena_printf(c->arena, "%s/media/%s", url, name);
	get(c, url, NULL, &a);
	if (a.failure != NULL)
		return doctor_no_answer(&a);
	if (a.of.status != 200)
		return doctor_bad(arena_printf(c->arena, "%s answers %d", url, a.of.status),
		    "let the web server serve htdocs/media at /media: see INSTALL.md");
	if (remote_header(c, &a.of, "X-Content-Type-Options", 0) == NULL)
		return doctor_bad("images are served without nosniff",
		    "take the lines for /media from apache-conf/ or nginx/");
	return doctor_good("stored images are served");
}

/* ---- what a browser gets from the console, and what reaches it */

/* Codes of an authenticator are good for 30 s, and one step before and after. */
#define CLOCK_OFF_S 20
/* What hosts limit: mod_security's fields without files have 128 KiB. */
#define TEXT_KIB 300
#define FILE_KIB 2048
/* A picture of 32 MiB, which is the largest, and what a form holds besides. */
#define PICTURE_KIB (33 * 1024)
#define POST_S 60 /* seconds */

static struct doctor_finding
not_the_console(struct ctx *c, const char *url, const struct probe_answer *a)
{
	const char *told = arena_printf(c->arena, "%s answers %d", url, a->of.status);

	if (a->of.status == 503)
		return doctor_bad(told,
		    hint_say(c, "see log/requests.log; a migration makes what the console needs",
			HINT_MIGRATE_NOW, NULL));
	if (a->of.status == 308)
		return doctor_bad(told,
		    "the web server passes on another Host or scheme than that of console_url: correct console_url or public_url");
	if (a->of.status >= 500)
		return doctor_bad(told,
		    "see log/ and the web server's error log, and that galley-serve runs where it is used");
	return doctor_bad(told,
	    "the web server does not give /console to cgi-bin/console: take the lines for it from apache-conf/ or nginx/");
}

/* Returns the value of a header field, or "". */
static const char *
field(struct ctx *c, const struct probe_answer *a, const char *name)
{
	const char *value = remote_header(c, &a->of, name, 0);

	return value != NULL ? value : "";
}

/* Returns how far the web's clock is from ours, in seconds; 0 if it says nothing. */
static long long
clock_off(struct ctx *c, const struct probe_answer *a)
{
	struct tm tm = { .tm_isdst = 0 };
	const char *date = field(c, a, "Date");

	if (strptime(date, "%a, %d %b %Y %H:%M:%S GMT", &tm) == NULL)
		return 0;
	return (long long)timegm(&tm) - clock_now() / CLOCK_SECOND;
}

/* Checks the header fields that keep a page from other sites and caches. */
static struct doctor_finding
check_security_fields(struct ctx *c, const char *url, const struct probe_answer *first,
    const struct probe_answer *second)
{
	long long off = clock_off(c, second);

	if (strstr(field(c, first, "Content-Security-Policy"), "default-src 'none'") == NULL)
		return doctor_bad(
		    arena_printf(c->arena, "%s arrives without its Content-Security-Policy", url),
		    "see what in front of the programs removes header fields");
	if (strcmp(field(c, first, "Cache-Control"), "no-store") != 0)
		return doctor_bad(
		    arena_printf(c->arena, "%s arrives with another Cache-Control", url),
		    "see what in front of the programs changes header fields");
	if (field(c, first, "X-Request-Id")[0] == '\0')
		return doctor_bad(arena_printf(c->arena, "%s arrives without X-Request-Id", url),
		    "see what in front of the programs removes header fields");
	if (strcmp(field(c, first, "X-Request-Id"), field(c, second, "X-Request-Id")) == 0)
		return doctor_bad(arena_printf(c->arena, "%s comes from a cache", url),
		    "have no cache in front of /console: it would show one person's pages to another");
	if (llabs(off) > CLOCK_OFF_S)
		return doctor_warn(
		    arena_printf(
			c->arena, "the web server's clock is %lld seconds from this one's", off),
		    "let the host's clock follow NTP: codes of authenticators depend on it");
	return doctor_good(arena_printf(c->arena, "%s answers as it must", url));
}

/* Returns the address below which the console is, or NULL if none is set. */
static const char *
console_url(struct ctx *c)
{
	struct console_conf own;

	console_conf_read(c, &own);
	if (own.url[0] != '\0')
		return own.url;
	return c->conf != NULL && c->conf->public_url[0] != '\0' ? c->conf->public_url : NULL;
}

static struct doctor_finding
no_console(struct ctx *c)
{
	return doctor_note("not asked: public_url is not set",
	    hint_say(c,
		"open /console/start in a browser, or set public_url to the address of this instance",
		HINT_CONFIG, "public_url=https://…"));
}

static struct doctor_finding
look_console(struct ctx *c)
{
	struct probe_answer first, second;
	const char *url = console_url(c);

	if (url == NULL)
		return no_console(c);
	url = arena_printf(c->arena, "%s/console/sign-in", url);
	probe_get(c, url, (struct remote_how) { .limit_s = 0 }, &first);
	if (first.failure != NULL)
		return doctor_no_answer(&first);
	if (first.of.status != 200)
		return not_the_console(c, url, &first);
	probe_get(c, url, (struct remote_how) { .limit_s = 0 }, &second);
	if (second.failure != NULL)
		return doctor_no_answer(&second);
	return check_security_fields(c, url, &first, &second);
}

static struct doctor_finding
not_asked(void)
{
	return doctor_note("not asked: the console does not answer", "see the check console");
}

/* Checks what the web server makes of a cookie's attributes. */
static struct doctor_finding
look_cookies(struct ctx *c)
{
	const char *url = console_url(c), *cookie, *lacks = NULL;
	struct probe_answer a;
	bool https;

	if (url == NULL)
		return no_console(c);
	https = strncmp(url, "https:", 6) == 0;
	probe_get(c, arena_printf(c->arena, "%s/console/sign-in?cookie", url),
	    (struct remote_how) { .limit_s = 0 }, &a);
	if (a.failure != NULL || a.of.status != 200)
		return not_asked();
	cookie = field(c, &a, "Set-Cookie");
	if (strstr(cookie, "galley-probe=;") == NULL)
		return doctor_bad("the console's cookies do not arrive: nobody can sign in",
		    "see what in front of the programs removes Set-Cookie");
	if (https && strstr(cookie, "; Secure") == NULL)
		lacks = "Secure";
	else if (strstr(cookie, "; HttpOnly") == NULL)
		lacks = "HttpOnly";
	else if (strstr(cookie, "; SameSite=Lax") == NULL)
		lacks = "SameSite=Lax";
	else if (https && strncmp(cookie, "__Host-", 7) != 0 &&
		 strncmp(cookie, "__Secure-", 9) != 0)
		lacks = "the beginning of their name";
	if (lacks != NULL)
		return doctor_bad(
		    arena_printf(c->arena, "the console's cookies arrive without %s", lacks),
		    "see what in front of the programs rewrites Set-Cookie, such as Header edit or a proxy: others could take over sessions");
	return doctor_good("the console's cookies arrive as they were sent");
}

/* Sends a form of so many KiB, signed out: the console reads it, drops it, and leads to the
 * sign-in. Returns NULL if it did, else what was answered. */
static const char *
send_form(struct ctx *c, const char *url, int64_t kib, bool file)
{
	const struct remote_how how = { .form_kib = kib, .form_file = file, .limit_s = POST_S };
	struct probe_answer a;

	probe_get(c, arena_printf(c->arena, "%s/console/", url), how, &a);
	if (a.failure != NULL)
		return a.failure;
	if (a.of.status == 303 && field(c, &a, "X-Request-Id")[0] != '\0')
		return NULL;
	return arena_printf(c->arena, "it is answered with %d", a.of.status);
}

/* Checks whether texts and pictures reach the console: hosts limit what may be sent. */
static struct doctor_finding
look_posts(struct ctx *c)
{
	const char *url = console_url(c), *wrong;
	struct probe_answer a;

	if (url == NULL)
		return no_console(c);
	probe_get(c, arena_printf(c->arena, "%s/console/sign-in", url),
	    (struct remote_how) { .limit_s = 0 }, &a);
	if (a.failure != NULL || a.of.status != 200)
		return not_asked();
	wrong = send_form(c, url, FILE_KIB, true);
	if (wrong != NULL)
		return doctor_bad(arena_printf(c->arena,
				      "a form with a file of %d MiB does not reach the console: %s",
				      FILE_KIB / 1024, wrong),
		    "ask the host to raise its limit for uploads (LimitRequestBody, SecRequestBodyLimit, FcgidMaxRequestLen, client_max_body_size) to 64 MiB: pictures cannot be sent");
	wrong = send_form(c, url, PICTURE_KIB, true);
	if (wrong != NULL)
		return doctor_warn(
		    arena_printf(c->arena,
			"a form with a picture of 32 MiB does not reach the console: %s", wrong),
		    "ask the host to raise its limit for uploads to 64 MiB, or make large pictures smaller before they are sent");
	wrong = send_form(c, url, TEXT_KIB, false);
	if (wrong != NULL)
		return doctor_warn(
		    arena_printf(c->arena,
			"a form with a text of %d KiB does not reach the console: %s", TEXT_KIB,
			wrong),
		    "ask the host to raise its limit for text fields (SecRequestBodyNoFilesLimit): long articles cannot be saved");
	return doctor_good("texts of 300 KiB and pictures of 32 MiB reach the console");
}

/* Checks who else is at the console's origin: programs there can act as who is signed in. */
static struct doctor_finding
look_neighbours(struct ctx *c)
{
	const char *url = console_url(c), *host, *path;

	if (url == NULL)
		return no_console(c);
	host = strstr(url, "://");
	path = host != NULL ? strchr(host + 3, '/') : NULL;
	if (path == NULL)
		return doctor_good("the console has its host name for itself");
	return doctor_note(
	    arena_printf(c->arena,
		"the console shares %.*s with what else is served there: a program of that host name can act as who is signed in",
		(int)(path - url), url),
	    "set console_url to a host name of its own, such as a sub-domain that leads to the same folder (INSTALL.md, 2.5)");
}

/* ---- what a stranger gets from the pages (shared previews) */

/* What an answer must arrive with, and what happens without it. */
struct field {
	const char *name, *value, *harm;
};

static const struct field of_share[] = {
	{ "Content-Security-Policy", "default-src 'none'",
	    "what a text brings could run in a reader's browser" },
	{ "Cache-Control", "no-store", "a cache could keep what was shared" },
	{ "Referrer-Policy", "no-referrer", "other sites would learn the links" },
	{ "X-Robots-Tag", "noindex", "search engines could list what was shared" },
	{ "X-Content-Type-Options", "nosniff", "browsers would guess types" },
	{ NULL, NULL, NULL },
};

static const struct field of_page[] = {
	{ "Content-Security-Policy", "frame-ancestors",
	    "every website could show the pages as its own" },
	{ "X-Robots-Tag", "noindex",
	    "search engines would list them beside the customer's own pages" },
	{ "ETag", "\"", "each reader would load all of a page each time" },
	{ NULL, NULL, NULL },
};

/* Returns what is missing, or a finding without a message. */
static struct doctor_finding
check_page_fields(
    struct ctx *c, const char *url, const struct probe_answer *a, const struct field *field)
{
	const char *value;

	for (; field->name != NULL; field++) {
		value = remote_header(c, &a->of, field->name, 0);
		if (value == NULL || strstr(value, field->value) == NULL)
			return doctor_bad(arena_printf(c->arena, "%s arrives without its %s: %s",
					      url, field->name, field->harm),
			    "see what in front of the programs removes or changes header fields");
	}
	return (struct doctor_finding) { .message = NULL };
}

static struct doctor_finding
not_a_page(struct ctx *c, const char *url, int status, const char *harm)
{
	return doctor_bad(arena_printf(c->arena, "%s answers %d, and not as cgi-bin/pages does: %s",
			      url, status, harm),
	    "the web server does not give /pages to cgi-bin/pages: take the lines for it from apache-conf/ or nginx/; or correct pages_url");
}

#define WORD "word: "

/* Runs in the child: tells the first word whose pages strangers get. */
static void
look_for_word(struct ctx *c)
{
	const struct workspace *w;
	struct word found;

	db_open(c, DB_WAIT_READ_MS);
	db_begin_read(c, DB_CONTENT);
	for (struct stmt *q = workspace_list(c); (w = workspace_next(c, q)) != NULL;) {
		const char *word = word_of(c, w->id);
		if (word[0] != '\0' && word_find(c, word, &found) == WORD_PRESENT)
			die(WORD "%s", word);
	}
	db_commit(c);
	db_close(c);
}

/* Returns the word of a workspace whose pages are there (arena), or NULL: none is known. A child
 * asks the database. */
static const char *
word_of_any(struct ctx *c)
{
	const char *said = doctor_ask_child(c, look_for_word);

	return said != NULL && strncmp(said, WORD, strlen(WORD)) == 0 ? said + strlen(WORD) : NULL;
}

/* Asks for the list of a workspace, if one has pages. */
static struct doctor_finding
check_list(struct ctx *c, const char *base)
{
	const char *word = word_of_any(c), *url;
	struct doctor_finding found;
	struct probe_answer a;

	if (word == NULL)
		return doctor_good(arena_printf(c->arena, "%s answers as it must", base));
	url = arena_printf(c->arena, "%s/%s/", base, word);
	probe_get(c, url, (struct remote_how) { .limit_s = 0 }, &a);
	if (a.failure != NULL)
		return doctor_no_answer(&a);
	if (a.of.status != 200)
		return not_a_page(c, url, a.of.status, "nobody can read the pages");
	found = check_page_fields(c, url, &a, of_page);
	return found.message != NULL
		   ? found
		   : doctor_good(arena_printf(c->arena, "%s answers as it must", url));
}

/* Asks for a link that nobody made, and for pages. */
static struct doctor_finding
look_pages(struct ctx *c)
{
	const char *base = c->conf != NULL ? pages_address(c) : NULL, *url;
	struct doctor_finding found;
	struct probe_answer a;
	char id[UUID_TEXT];

	if (base == NULL)
		return doctor_note("not asked: public_url is not set", need_url(c));
	uuid_random(id);
	url = arena_printf(c->arena, "%s/share/%s", base, id);
	probe_get(c, url, (struct remote_how) { .limit_s = 0 }, &a);
	if (a.failure != NULL)
		return doctor_no_answer(&a);
	/* The web server's own 404 has no line that names the request in this way. */
	if (a.of.status != 404 ||
	    memmem(a.of.body, a.of.body_len, "<p>Request: <code>", 18) == NULL)
		return not_a_page(
		    c, url, a.of.status, "links of \"Share this preview\" cannot be opened");
	found = check_page_fields(c, base, &a, of_share);
	return found.message != NULL ? found : check_list(c, base);
}

/* ---- what customers' websites load of the instance and send to it; limits for an address */

#define LATELY (CLOCK_SECOND * 60 * 60 * 24)

/* Returns the address whose scripts customers paste (arena), or NULL: none is set. */
static const char *
base_of(struct ctx *c)
{
	const char *pages = c->conf != NULL ? pages_address(c) : NULL;

	return pages != NULL ? arena_text_n(c->arena, pages, strlen(pages) - strlen("/pages"))
			     : NULL;
}

static struct doctor_finding
no_script(struct ctx *c)
{
	return doctor_note("not asked: public_url is not set", need_url(c));
}

/* Returns what is wrong with a script, or a finding without a message. */
static struct doctor_finding
check_script(struct ctx *c, const char *url)
{
	struct probe_answer a;
	const char *type;

	probe_get(c, url, (struct remote_how) { .limit_s = 0 }, &a);
	if (a.failure != NULL)
		return doctor_no_answer(&a);
	if (a.of.status != 200)
		return doctor_bad(arena_printf(c->arena,
				      "%s answers %d: the line that customers paste does nothing",
				      url, a.of.status),
		    "take the lines for embed.js and collect.js from apache-conf/ or nginx/; or correct pages_url");
	type = remote_header(c, &a.of, "Content-Type", 0);
	if (type == NULL || strstr(type, "javascript") == NULL)
		return doctor_bad(arena_printf(c->arena, "%s arrives as %s: browsers do not run it",
				      url, type != NULL ? type : "a file without a type"),
		    "let the web server call .js text/javascript, as the files in apache-conf/ and nginx/ do");
	return (struct doctor_finding) { .message = NULL };
}

static struct doctor_finding
look_scripts(struct ctx *c)
{
	static const char *const names[] = { "embed.js", "collect.js" };
	const char *base = base_of(c);
	struct doctor_finding found;

	if (base == NULL)
		return no_script(c);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		found = check_script(c, arena_printf(c->arena, "%s/%s", base, names[i]));
		if (found.message != NULL)
			return found;
	}
	return doctor_good("the scripts that customers paste arrive");
}

/* Asks the collector in a way that it refuses: nothing is counted. */
static struct doctor_finding
look_collector(struct ctx *c)
{
	const char *base = base_of(c), *url;
	struct probe_answer a;

	if (base == NULL)
		return no_script(c);
	url = arena_printf(c->arena, "%s/collect", base);
	probe_get(c, url, (struct remote_how) { .limit_s = 0 }, &a);
	if (a.failure != NULL)
		return doctor_no_answer(&a);
	if (a.of.status != 405)
		return doctor_bad(
		    arena_printf(c->arena,
			"%s answers %d, and not as cgi-bin/collect does: no reader is counted", url,
			a.of.status),
		    a.of.status >= 500
			? "see log/ and the web server's error log"
			: "the web server does not give /collect to cgi-bin/collect: take the lines for it from apache-conf/ or nginx/");
	return doctor_good(arena_printf(c->arena, "%s answers as it must", url));
}

/* Where all readers seem to come from one address, they share its limit, or have none. */
static struct doctor_finding
look_addresses(struct ctx *c)
{
	const int64_t pages = address_limit_passed_at(c, ADDRESS_LIMIT_PAGES);
	const int64_t hits = address_limit_passed_at(c, ADDRESS_LIMIT_COLLECT);
	const int64_t pictures = address_limit_passed_at(c, ADDRESS_LIMIT_PICTURES);
	const int64_t readers = pages > pictures ? pages : pictures;
	const int64_t last = readers > hits ? readers : hits;

	if (last == 0 || clock_now() - last > LATELY)
		return doctor_good(
		    "no request of a stranger passed beyond a limit because of a proxy");
	return doctor_warn(
	    arena_printf(c->arena,
		"%s come through a proxy that is not in trusted_proxies, or say so: all of them together have ten times the limit for an address (pages_per_minute, collect_per_minute), or none",
		readers > hits ? "readers of the pages" : "hits of the collector"),
	    "name the proxy in trusted_proxies, so that addresses of readers are counted");
}

/* ---- what becomes of readers' hits, and who writes down who sent them */

#define WAITING (30 * 60 * CLOCK_SECOND)
#define LATELY_S 60
#define LOG_END_BYTES ((off_t)64 * 1024) /* bytes of a log that are read */

/* ---- hits that wait */

static const char *
unwritable(struct ctx *c)
{
	const char *const folders[] = { segment_folder(c), day_key_folder(c), sites_folder(c) };

	for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); i++) {
		if (access(folders[i], F_OK) == 0 && access(folders[i], R_OK | W_OK | X_OK) != 0)
			return folders[i];
	}
	return NULL;
}

/* Returns when the first hit of run/hits/open was taken; 0: there is none. */
static int64_t
first_of_open(struct ctx *c)
{
	char bytes[2 * SEGMENT_LINE_MAX + 1];
	int fd =
	    fileio_open(fileio_path(c->arena, segment_folder(c), "open"), O_RDONLY | O_NOFOLLOW);
	ssize_t got = fd >= 0 ? read(fd, bytes, sizeof(bytes) - 1) : 0;
	struct hit hit;
	char *line;
	size_t len;

	if (fd >= 0)
		close(fd);
	bytes[got > 0 ? got : 0] = '\0';
	line = bytes + strspn(bytes, "\n");
	len = strcspn(line, "\n");
	return hit_read(c->arena, line, len, &hit) ? hit.at : 0;
}

/* Returns the time since which hits wait to be counted; 0: none do. */
static int64_t
waiting_since(struct ctx *c)
{
	int64_t oldest = first_of_open(c);
	size_t count;
	const char **names = segment_list(c, &count);
	struct stat st;

	for (size_t i = 0; i < count; i++) {
		int64_t at;
		if (stat(fileio_path(c->arena, segment_folder(c), names[i]), &st) != 0)
			continue;
		at = st.st_mtim.tv_sec * CLOCK_SECOND;
		oldest = oldest == 0 || at < oldest ? at : oldest;
	}
	return oldest;
}

/* ---- logs of others */

/* Returns whether the end of a file has the text. */
static bool
ends_with(struct ctx *c, const char *path, const char *text)
{
	struct stat st;
	char *bytes;
	ssize_t got = 0;
	int fd;

	if (stat(path, &st) != 0 || !S_ISREG(st.st_mode) ||
	    st.st_mtim.tv_sec < clock_now() / CLOCK_SECOND - LATELY_S)
		return false;
	fd = fileio_open(path, O_RDONLY | O_NOCTTY);
	if (fd < 0)
		return false;
	bytes = arena_alloc(c->arena, (size_t)LOG_END_BYTES);
	got = pread(fd, bytes, (size_t)LOG_END_BYTES,
	    st.st_size > LOG_END_BYTES ? st.st_size - LOG_END_BYTES : 0);
	close(fd);
	return got > 0 && memmem(bytes, (size_t)got, text, strlen(text)) != NULL;
}

static const char *
find_in_folder(struct ctx *c, const char *folder, const char *text)
{
	DIR *dir = opendir(folder);
	const char *path, *found = NULL;
	struct dirent *e;

	while (dir != NULL && found == NULL && (e = readdir(dir)) != NULL) {
		path = fileio_path(c->arena, folder, e->d_name);
		found = e->d_name[0] != '.' && ends_with(c, path, text) ? path : NULL;
	}
	if (dir != NULL)
		closedir(dir);
	return found;
}

/* Looks where web servers and hosts keep logs that this user may read. Returns the path of one
 * that has the text, or NULL. */
static const char *
find_log(struct ctx *c, const char *text)
{
	static const char *const of_home[] = { "logs", "log", "access-logs" };
	const char *home = getenv("HOME"), *found = NULL;
	const char *folders[] = { fileio_path(c->arena, c->instance->run, "apache"),
		"/var/log/apache2", "/var/log/httpd", "/var/log/nginx", NULL, NULL, NULL };

	for (size_t i = 0; i < 3 && home != NULL && home[0] == '/'; i++)
		folders[4 + i] = fileio_path(c->arena, home, of_home[i]);
	for (size_t i = 0; i < 7 && found == NULL; i++)
		found = folders[i] != NULL ? find_in_folder(c, folders[i], text) : NULL;
	return found;
}

/* Asks the collector for something that a log would name, and looks for that. */
static const char *
find_writer(struct ctx *c)
{
	const char *pages = c->conf != NULL ? pages_address(c) : NULL, *found;
	const struct timespec pause = { 0, 100 * 1000 * 1000 };
	struct probe_answer a;
	char id[UUID_TEXT];

	if (pages == NULL)
		return NULL;
	uuid_random(id);
	probe_get(c,
	    arena_printf(c->arena, "%.*s/collect?doctor=%s",
		(int)(strlen(pages) - strlen("/pages")), pages, id),
	    (struct remote_how) { .limit_s = 0 }, &a);
	if (a.failure != NULL)
		return NULL;
	found = find_log(c, id);
	if (found != NULL)
		return found;
	/* A server may write its line after the answer. */
	nanosleep(&pause, NULL);
	return find_log(c, id);
}

static struct doctor_finding
look_hits(struct ctx *c)
{
	const char *path = unwritable(c);
	int64_t since;

	if (path != NULL)
		return doctor_bad(
		    arena_printf(c->arena, "%s cannot be written: readers' hits are refused", path),
		    arena_printf(c->arena, "give %s to the user whom the programs run as", path));
	since = waiting_since(c);
	if (since != 0 && clock_now() - since > WAITING)
		return doctor_bad(arena_printf(c->arena,
				      "hits of %" PRId64 " minutes ago are not"
				      " counted",
				      (clock_now() - since) / CLOCK_SECOND / 60),
		    arena_printf(c->arena,
			"let cron run the task runner every minute: * * * * * %s/bin/task-runner; or see log/",
			c->instance->programs));
	path = find_writer(c);
	if (path != NULL)
		return doctor_warn(arena_printf(c->arena,
				       "%s names who sent each hit, and from which address", path),
		    "leave /collect out of that log, as the lines in apache-conf/ and nginx/ do; or say in the privacy notice that the host keeps addresses, and how long");
	return doctor_good("hits are counted, and no log that can be read names who sent them");
}

/* ---- the list */

const struct doctor_check doctor_web[] = {
	{ "certificate", look_certificate },
	{ "api", look_api },
	{ "authorization", look_headers },
	{ "private", look_private },
	{ "media", look_media },
	{ "console", look_console },
	{ "cookies", look_cookies },
	{ "posts", look_posts },
	{ "neighbours", look_neighbours },
	{ "pages", look_pages },
	{ "scripts", look_scripts },
	{ "collector", look_collector },
	{ "hits", look_hits },
	{ "addresses", look_addresses },
	{ NULL, NULL },
};
