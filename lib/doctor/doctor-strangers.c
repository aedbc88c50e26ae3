/* Checks what customers' websites load of the instance and send to it, for doctor.h. */
#include <stddef.h>
#include <string.h>

#include "access/address-limit.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "doctor/doctor-ask.h"
#include "doctor/doctor.h"
#include "system/conf/pages-address.h"

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
no_address(struct ctx *c)
{
	return doctor_note("not asked: public_url is not set",
	    hint_say(c, "set public_url to the address of this instance", HINT_CONFIG,
		"public_url=https://…"));
}

/* Returns what is wrong with a script, or a finding without a message. */
static struct doctor_finding
check_script(struct ctx *c, const char *url)
{
	struct doctor_answer a;
	const char *type;

	doctor_ask(c, url, (struct remote_how) { .limit_s = 0 }, &a);
	if (a.failure != NULL)
		return doctor_no_answer(&a);
	if (a.of.status != 200)
		return doctor_bad(arena_printf(c->arena,
				      "%s answers %d: the line that customers paste does nothing",
				      url, a.of.status),
		    "take the lines for embed.js and collect.js from apache-conf/; or correct pages_url");
	type = remote_header(c, &a.of, "Content-Type", 0);
	if (type == NULL || strstr(type, "javascript") == NULL)
		return doctor_bad(arena_printf(c->arena, "%s arrives as %s: browsers do not run it",
				      url, type != NULL ? type : "a file without a type"),
		    "let the web server call .js text/javascript, as the files in apache-conf/ do");
	return (struct doctor_finding) { .message = NULL };
}

struct doctor_finding
doctor_scripts(struct ctx *c)
{
	static const char *const names[] = { "embed.js", "collect.js" };
	const char *base = base_of(c);
	struct doctor_finding found;

	if (base == NULL)
		return no_address(c);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		found = check_script(c, arena_printf(c->arena, "%s/%s", base, names[i]));
		if (found.message != NULL)
			return found;
	}
	return doctor_good("the scripts that customers paste arrive");
}

/* Asks the collector in a way that it refuses: nothing is counted. */
struct doctor_finding
doctor_collector(struct ctx *c)
{
	const char *base = base_of(c), *url;
	struct doctor_answer a;

	if (base == NULL)
		return no_address(c);
	url = arena_printf(c->arena, "%s/collect", base);
	doctor_ask(c, url, (struct remote_how) { .limit_s = 0 }, &a);
	if (a.failure != NULL)
		return doctor_no_answer(&a);
	if (a.of.status != 405)
		return doctor_bad(
		    arena_printf(c->arena,
			"%s answers %d, and not as cgi-bin/collect does: no reader is counted", url,
			a.of.status),
		    a.of.status >= 500
			? "see log/ and the web server's error log"
			: "the web server does not give /collect to cgi-bin/collect: take the lines for it from apache-conf/");
	return doctor_good(arena_printf(c->arena, "%s answers as it must", url));
}

/* Where all readers seem to come from one address, they share its limit, or have none. */
struct doctor_finding
doctor_addresses(struct ctx *c)
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
