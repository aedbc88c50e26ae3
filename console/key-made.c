/* A new key: shown once, with lines that are ready to be run (docs/console.md §4.9). */
#include <string.h>

#include "access/apikey.h"
#include "all.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "key.h"
#include "screen/tr.h"
#include "system/conf.h"

#define WORD 8 /* characters */

struct made {
	struct ctx *c;
	const struct visit *v;
	const struct apikey *made;
	const char *key;
};

const char *
key_word(struct ctx *c, const struct apikey *key)
{
	return arena_text_n(c->arena, key->uuid, WORD);
}

/* The lines: the first %s is the address, the second the key. */
static const struct {
	const char *title, *lines;
} ways[] = {
	{ tr_mark("curl"), "curl '%s' \\\n"
			   "  -H 'Authorization: Bearer %s'" },
	{ tr_mark("PHP"), "<?php\n"
			  "$address = '%s';\n"
			  "$header = 'Authorization: Bearer %s';\n"
			  "echo file_get_contents($address, false, stream_context_create(\n"
			  "    ['http' => ['header' => $header]]));" },
	{ tr_mark("Python"), "import urllib.request\n"
			     "address = '%s'\n"
			     "headers = {'Authorization': 'Bearer %s'}\n"
			     "request = urllib.request.Request(address, headers=headers)\n"
			     "print(urllib.request.urlopen(request).read().decode())" },
	{ tr_mark("JavaScript"), "const address = '%s';\n"
				 "const headers = { Authorization: 'Bearer %s' };\n"
				 "fetch(address, { headers })\n"
				 "  .then((answer) => answer.text()).then(console.log);" },
};

/* Returns the lines with the address and the key in their places (arena). */
static const char *
fill(struct arena *a, const char *lines, const char *address, const char *key)
{
	const char *first = strstr(lines, "%s"), *second = strstr(first + 2, "%s");

	return arena_printf(a, "%.*s%s%.*s%s%s", (int)(first - lines), lines, address,
	    (int)(second - first - 2), first + 2, key, second + 2);
}

static void
write_lines(struct hwrite *w, const struct made *m)
{
	const char *address = arena_printf(m->c->arena, "%s/api/v1/connection?probe=%s",
	    m->c->conf->public_url, key_word(m->c, m->made));

	hwrite_element(w, H_H2, tr("Try it"));
	hwrite_element(w, H_P,
	    tr("Each of these asks with the key which workspace it reads. Run one where your site runs: a key never belongs into a page."));
	for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
		hwrite_element(w, H_H3, tr(ways[i].title));
		screen_copy(
		    w, tr("these lines"), fill(m->c->arena, ways[i].lines, address, m->key));
	}
}

static void
write_links(struct hwrite *w, const struct made *m)
{
	const char *keys = console_path(m->c, m->v, "/%s/keys", m->v->workspace->uuid);

	hwrite_open(w, H_P);
	if ((m->made->scopes & SCOPE_READ) != 0) {
		screen_button_link(w, arena_printf(m->c->arena, "%s/%s", keys, m->made->uuid),
		    tr("Wait for its first request"), true);
		hwrite_text(w, " ");
	}
	screen_button_link(w, keys, tr("Back to the keys"), false);
	hwrite_close(w, H_P);
}

static void
write_made(struct hwrite *w, const void *data)
{
	const struct made *m = data;

	screen_notice(w, SCREEN_WARNING, "%s", tr("Copy the key now: it is shown this once only."));
	screen_copy(w, tr("the key"), m->key);
	if ((m->made->scopes & SCOPE_READ) != 0)
		write_lines(w, m);
	write_links(w, m);
}

void
key_page_made(struct ctx *c, const struct visit *v, struct reply *reply, const struct apikey *made,
    const char *key, const char *under)
{
	const struct made m = { .c = c, .v = v, .made = made, .key = key };

	console_page(c, v, reply, tr("The new key"), under, write_made, &m);
}
