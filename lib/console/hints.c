#include "console/hints.h"

#include <string.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "console/page.h"
#include "console/visit.h"
#include "screen/tr.h"

/* A path that begins with "/W" is below the workspace; ID in it is what the hint is about. A hint
 * that is not here says nothing in a browser: the page has a button for it, or only a shell meets
 * the refusal. */
static const struct {
	const char *text; /* a sentence, or NULL */
	const char *label, *path; /* of a link, or NULL */
	unsigned need; /* the rights without which nobody gets the link */
} words[HINT_COUNT] = {
	[HINT_ACCOUNTS] = { .label = tr_mark("Customers"),
	    .path = "/customers",
	    .need = RIGHT_OPERATE },
	[HINT_ARTICLES] = { .label = tr_mark("Articles"), .path = "/W/articles" },
	[HINT_ARTICLE_DELETE] = { tr_mark("Move it to the trash first."),
	    tr_mark("Open the article"), "/W/articles/ID", 0 },
	[HINT_ARTICLE_UNDELETE] = { tr_mark("Restore it first."), tr_mark("Trash"),
	    "/W/articles?status=trash", 0 },
	[HINT_DOCTOR] = { tr_mark("The operator of this instance finds the cause."),
	    tr_mark("Check the installation"), "/instance", RIGHT_OPERATE },
	[HINT_EDITIONS] = { .label = tr_mark("History"), .path = "/W/articles/ID/history" },
	[HINT_JOBS] = { .label = tr_mark("Orders"), .path = "/W/orders" },
	[HINT_KEYS] = { .label = tr_mark("Keys"), .path = "/W/keys", .need = RIGHT_MANAGE },
	[HINT_KEY_CREATE] = { tr_mark("Make a new key."), tr_mark("Keys"), "/W/keys",
	    RIGHT_MANAGE },
	[HINT_MIGRATE] = { tr_mark("The operator finishes the installation on the host."), NULL,
	    NULL, 0 },
	[HINT_UNFINISHED] = { tr_mark(
				  "Write them, or publish it unfinished: it is then hidden from search engines."),
	    tr_mark("Open the article"), "/W/articles/ID", 0 },
};

const char *
hints_say(struct ctx *c, const char *sentence, enum hint hint, const char *about)
{
	const char *text = words[hint].text;

	(void)about;
	return text == NULL ? sentence
			    : arena_printf(c->arena, "%s%s%s", sentence,
				  strchr(sentence, '\n') != NULL ? "\n" : " ", tr(text));
}

/* Returns the path with the ids of its place. */
static const char *
path_of(struct ctx *c, const struct visit *v, const char *path, const char *about)
{
	const char *id = strstr(path, "/ID");

	if (strncmp(path, "/W", 2) != 0)
		return path;
	if (id == NULL)
		return arena_printf(c->arena, "/%s%s", v->workspace->uuid, path + 2);
	return arena_printf(c->arena, "/%s%.*s/%s%s", v->workspace->uuid, (int)(id - path - 2),
	    path + 2, about, id + 3);
}

bool
hints_link(struct ctx *c, const struct visit *v, const struct err *err, const char **address,
    const char **label)
{
	const char *path = words[err->hint].path;

	if (path == NULL || v == NULL || v->state != SESSION_GOOD ||
	    !console_may(v, words[err->hint].need) ||
	    (strncmp(path, "/W", 2) == 0 && v->workspace == NULL) ||
	    (strstr(path, "/ID") != NULL && err->about == NULL))
		return false;
	*address = console_path(c, v, "%s", path_of(c, v, path, err->about));
	*label = tr(words[err->hint].label);
	return true;
}
