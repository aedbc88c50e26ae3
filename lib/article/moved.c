#include "article/moved.h"

#include <string.h>

#include "article/edition.h"
#include "base/ctx.h"
#include "export/export.h"

struct err *
moved_check(struct ctx *c, const struct article *a, const char *slug, bool wanted)
{
	const char *shown;

	if (wanted || a->status != ARTICLE_PUBLISHED || strcmp(slug, a->slug) == 0)
		return NULL;
	shown = edition_shown_slug(c, a);
	if (strcmp(slug, shown) == 0)
		return NULL;
	return err_hint(c,
	    err_param(c, "slug",
		"%s is published under the slug %s, and %s would change its address.", a->title,
		shown, slug),
	    HINT_MOVE, NULL);
}

const char *
moved_address(struct ctx *c, const struct workspace *w, const struct article *a, const char *slug)
{
	const struct snapshot snapshot = { .slug = slug };
	const struct export_source source = {
		.snapshot = &snapshot, .settings = &w->settings, .published_url = a->published_url
	};

	return export_canonical(c, &source);
}

bool
moved_find(struct ctx *c, const struct workspace *w, const struct article *a, const char **from,
    const char **to)
{
	const char *shown = edition_shown_slug(c, a);

	if (shown == NULL || strcmp(shown, a->slug) == 0)
		return false;
	*from = moved_address(c, w, a, shown);
	*to = moved_address(c, w, a, a->slug);
	if (*from == NULL || *to == NULL) {
		*from = shown;
		*to = a->slug;
	}
	return strcmp(*from, *to) != 0;
}
