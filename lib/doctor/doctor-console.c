/* Checks what a browser gets from the console, for doctor.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "doctor/doctor-ask.h"
#include "doctor/doctor.h"
#include "system/conf.h"
#include "system/conf/console-conf.h"

/* Codes of an authenticator are good for 30 s, and one step before and behind. */
#define CLOCK_OFF_S 20
/* What hosts limit: mod_security's fields without files have 128 KiB. */
#define TEXT_KIB 300
#define FILE_KIB 2048
/* A picture of 32 MiB, which is the largest, and what a form holds besides. */
#define PICTURE_KIB (33 * 1024)
#define POST_S 60 /* seconds */

static struct doctor_finding
not_ours(struct ctx *c, const char *url, const struct doctor_answer *a)
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
		return doctor_bad(told, "see log/ and the web server's error log");
	return doctor_bad(told,
	    "the web server does not give /console to cgi-bin/console: take the lines for it from apache-conf/");
}

/* Returns the value of a header field, or "". */
static const char *
field(struct ctx *c, const struct doctor_answer *a, const char *name)
{
	const char *value = remote_header(c, &a->of, name, 0);

	return value != NULL ? value : "";
}

/* Returns how far the web's clock is from ours, in seconds; 0 if it says nothing. */
static long long
clock_off(struct ctx *c, const struct doctor_answer *a)
{
	struct tm tm = { .tm_isdst = 0 };
	const char *date = field(c, a, "Date");

	if (strptime(date, "%a, %d %b %Y %H:%M:%S GMT", &tm) == NULL)
		return 0;
	return (long long)timegm(&tm) - clock_now() / CLOCK_SECOND;
}

/* Checks the header fields that keep a page from other sites and caches. */
static struct doctor_finding
check_fields(struct ctx *c, const char *url, const struct doctor_answer *first,
    const struct doctor_answer *second)
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
no_address(struct ctx *c)
{
	return doctor_note("not asked: public_url is not set",
	    hint_say(c,
		"open /console/start in a browser, or set public_url to the address of this instance",
		HINT_CONFIG, "public_url=https://…"));
}

struct doctor_finding
doctor_console(struct ctx *c)
{
	struct doctor_answer first, second;
	const char *url = console_url(c);

	if (url == NULL)
		return no_address(c);
	url = arena_printf(c->arena, "%s/console/sign-in", url);
	doctor_ask(c, url, (struct remote_how) { .limit_s = 0 }, &first);
	if (first.failure != NULL)
		return doctor_no_answer(&first);
	if (first.of.status != 200)
		return not_ours(c, url, &first);
	doctor_ask(c, url, (struct remote_how) { .limit_s = 0 }, &second);
	if (second.failure != NULL)
		return doctor_no_answer(&second);
	return check_fields(c, url, &first, &second);
}

static struct doctor_finding
not_asked(void)
{
	return doctor_note("not asked: the console does not answer", "see the check console");
}

/* Checks what the web server makes of a cookie's attributes. */
struct doctor_finding
doctor_cookies(struct ctx *c)
{
	const char *url = console_url(c), *cookie, *lacks = NULL;
	struct doctor_answer a;
	bool https;

	if (url == NULL)
		return no_address(c);
	https = strncmp(url, "https:", 6) == 0;
	doctor_ask(c, arena_printf(c->arena, "%s/console/sign-in?cookie", url),
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
	struct doctor_answer a;

	doctor_ask(c, arena_printf(c->arena, "%s/console/", url), how, &a);
	if (a.failure != NULL)
		return a.failure;
	if (a.of.status == 303 && field(c, &a, "X-Request-Id")[0] != '\0')
		return NULL;
	return arena_printf(c->arena, "it is answered with %d", a.of.status);
}

/* Checks whether texts and pictures reach the console: hosts limit what may be sent. */
struct doctor_finding
doctor_posts(struct ctx *c)
{
	const char *url = console_url(c), *wrong;
	struct doctor_answer a;

	if (url == NULL)
		return no_address(c);
	doctor_ask(c, arena_printf(c->arena, "%s/console/sign-in", url),
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
struct doctor_finding
doctor_neighbours(struct ctx *c)
{
	const char *url = console_url(c), *host, *path;

	if (url == NULL)
		return no_address(c);
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
