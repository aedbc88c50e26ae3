/* Checks what a stranger gets from the pages (shared previews), for doctor.h. */
#include <stddef.h>
#include <string.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "base/uuid.h"
#include "doctor/doctor-ask.h"
#include "doctor/doctor.h"
#include "system/conf/pages-address.h"

/* What each page must arrive with, and what happens without it. */
static const struct {
	const char *name, *value, *harm;
} fields[] = {
	{ "Content-Security-Policy", "default-src 'none'",
	    "what a text brings could run in a reader's browser" },
	{ "Cache-Control", "no-store", "a cache could keep what was shared" },
	{ "Referrer-Policy", "no-referrer", "other sites would learn the links" },
	{ "X-Robots-Tag", "noindex", "search engines could list what was shared" },
	{ "X-Content-Type-Options", "nosniff", "browsers would guess types" },
};

static struct doctor_finding
check_fields(struct ctx *c, const char *url, const struct doctor_answer *a)
{
	const char *value;

	for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++) {
		value = remote_header(c, &a->of, fields[i].name, 0);
		if (value == NULL || strstr(value, fields[i].value) == NULL)
			return doctor_bad(arena_printf(c->arena,
			    "%s arrives without its %s: %s", url, fields[i].name,
			    fields[i].harm), "see what in front of the programs removes or"
			    " changes header fields");
	}
	return doctor_good(arena_printf(c->arena, "%s answers as it must", url));
}

/* Asks for a link that nobody made. */
struct doctor_finding
doctor_pages(struct ctx *c)
{
	const char *base = c->conf != NULL ? pages_address(c) : NULL, *url;
	struct doctor_answer a;
	char id[UUID_TEXT];

	if (base == NULL)
		return doctor_note("not asked: public_url is not set",
		    "galley config set public_url=https://… with the address of this"
		    " instance");
	uuid_random(id);
	url = arena_printf(c->arena, "%s/share/%s", base, id);
	doctor_ask(c, url, (struct remote_how){ .limit_s = 0 }, &a);
	if (a.failure != NULL)
		return doctor_no_answer(&a);
	/* The web server's own 404 has no line that names the request in this way. */
	if (a.of.status != 404 || memmem(a.of.body, a.of.body_len, "<p>Request: <code>", 18) == NULL)
		return doctor_bad(arena_printf(c->arena, "%s answers %d, and not as"
			" cgi-bin/pages does: links of \"Share this preview\" cannot be opened",
			url, a.of.status), "the web server does not give /pages to"
		    " cgi-bin/pages: take the lines for it from apache-conf/; or correct"
		    " pages_url");
	return check_fields(c, base, &a);
}
