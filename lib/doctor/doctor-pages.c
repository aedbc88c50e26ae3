/* Checks what a stranger gets from the pages (shared previews), for doctor.h. */
#include <stddef.h>
#include <string.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "base/uuid.h"
#include "doctor/doctor-ask.h"
#include "doctor/doctor.h"
#include "system/conf/pages-address.h"

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
check_fields(
    struct ctx *c, const char *url, const struct doctor_answer *a, const struct field *field)
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
not_ours(struct ctx *c, const char *url, int status, const char *harm)
{
	return doctor_bad(arena_printf(c->arena, "%s answers %d, and not as cgi-bin/pages does: %s",
			      url, status, harm),
	    "the web server does not give /pages to cgi-bin/pages: take the lines for it from apache-conf/; or correct pages_url");
}

/* Asks for the list of a workspace, if one has pages. */
static struct doctor_finding
check_list(struct ctx *c, const char *base)
{
	const char *word = doctor_word(c), *url;
	struct doctor_finding found;
	struct doctor_answer a;

	if (word == NULL)
		return doctor_good(arena_printf(c->arena, "%s answers as it must", base));
	url = arena_printf(c->arena, "%s/%s/", base, word);
	doctor_ask(c, url, (struct remote_how) { .limit_s = 0 }, &a);
	if (a.failure != NULL)
		return doctor_no_answer(&a);
	if (a.of.status != 200)
		return not_ours(c, url, a.of.status, "nobody can read the pages");
	found = check_fields(c, url, &a, of_page);
	return found.message != NULL
		   ? found
		   : doctor_good(arena_printf(c->arena, "%s answers as it must", url));
}

/* Asks for a link that nobody made, and for pages. */
struct doctor_finding
doctor_pages(struct ctx *c)
{
	const char *base = c->conf != NULL ? pages_address(c) : NULL, *url;
	struct doctor_finding found;
	struct doctor_answer a;
	char id[UUID_TEXT];

	if (base == NULL)
		return doctor_note("not asked: public_url is not set",
		    hint_say(c, "set public_url to the address of this instance", HINT_CONFIG,
			"public_url=https://…"));
	uuid_random(id);
	url = arena_printf(c->arena, "%s/share/%s", base, id);
	doctor_ask(c, url, (struct remote_how) { .limit_s = 0 }, &a);
	if (a.failure != NULL)
		return doctor_no_answer(&a);
	/* The web server's own 404 has no line that names the request in this way. */
	if (a.of.status != 404 ||
	    memmem(a.of.body, a.of.body_len, "<p>Request: <code>", 18) == NULL)
		return not_ours(
		    c, url, a.of.status, "links of \"Share this preview\" cannot be opened");
	found = check_fields(c, base, &a, of_share);
	return found.message != NULL ? found : check_list(c, base);
}
