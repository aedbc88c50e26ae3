#include "action/article/create.h"

#include "action/action.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "content/slug.h"

/* Inserts the article, inside the transaction. */
static struct err *
insert(struct ctx *c, struct workspace *w, const char *title, const struct article **out)
{
	struct article_new how = { .slug_is_derived = true };
	struct snapshot s = { .title = title };
	struct article *a;
	struct err *err;

	s.slug = slug_make(c->arena, s.title);
	s.language = w->settings.language;
	content_init(&s.content, s.language);
	err = article_insert(c, w, &s, &how, &a);
	if (err == NULL)
		*out = a;
	return err;
}

struct err *
create_draft(
    struct ctx *c, const struct workspace *w, const char *title, const struct article **out)
{
	struct workspace *present;
	struct err *err = workspace_begin(c, w, &present);

	if (err == NULL)
		err = insert(c, present, title, out);
	return action_end(c, err);
}
