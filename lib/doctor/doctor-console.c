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

static struct doctor_finding
not_ours(struct ctx *c, const char *url, const struct doctor_answer *a)
{
	const char *told = arena_printf(c->arena, "%s answers %d", url, a->of.status);

	if (a->of.status == 503)
		return doctor_bad(told, "galley migrate makes what the console needs; else"
		    " see log/requests.log");
	if (a->of.status == 308)
		return doctor_bad(told, "the web server passes on another Host or scheme"
		    " than that of console_url: correct console_url or public_url");
	if (a->of.status >= 500)
		return doctor_bad(told, "see log/ and the web server's error log");
	return doctor_bad(told, "the web server does not give /console to"
	    " cgi-bin/console: take the lines for it from apache-conf/");
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
		return doctor_bad(arena_printf(c->arena,
		    "%s arrives without its Content-Security-Policy", url),
		    "see what in front of the programs removes header fields");
	if (strcmp(field(c, first, "Cache-Control"), "no-store") != 0)
		return doctor_bad(arena_printf(c->arena,
		    "%s arrives with another Cache-Control", url),
		    "see what in front of the programs changes header fields");
	if (strcmp(field(c, first, "X-Request-Id"), field(c, second, "X-Request-Id")) == 0)
		return doctor_bad(arena_printf(c->arena, "%s comes from a cache", url),
		    "have no cache in front of /console: it would show one person's"
		    " pages to another");
	if (llabs(off) > CLOCK_OFF_S)
		return doctor_warn(arena_printf(c->arena,
		    "the web server's clock is %lld seconds from this one's", off),
		    "let the host's clock follow NTP: codes of authenticators depend"
		    " on it");
	return doctor_good(arena_printf(c->arena, "%s answers as it must", url));
}

struct doctor_finding
doctor_console(struct ctx *c)
{
	struct doctor_answer first, second;
	struct console_conf own;
	const char *url;

	console_conf_read(c, &own);
	url = own.url;
	if (url[0] == '\0' && c->conf != NULL)
		url = c->conf->public_url;
	if (url[0] == '\0')
		return doctor_note("not asked: public_url is not set",
		    "galley config set public_url=https://… with the address of this"
		    " instance");
	url = arena_printf(c->arena, "%s/console/sign-in", url);
	doctor_ask(c, url, (struct remote_how){ .limit_s = 0 }, &first);
	if (first.failure != NULL)
		return doctor_no_answer(&first);
	if (first.of.status != 200)
		return not_ours(c, url, &first);
	doctor_ask(c, url, (struct remote_how){ .limit_s = 0 }, &second);
	if (second.failure != NULL)
		return doctor_no_answer(&second);
	return check_fields(c, url, &first, &second);
}
