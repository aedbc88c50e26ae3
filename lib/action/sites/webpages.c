#include "action/sites/webpages.h"

#include "action/action.h"
#include "action/tasks.h"
#include "article/article.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "screen/tr.h"
#include "store/db.h"

struct err *
webpages_begin(struct ctx *c, const struct workspace *w, struct task *t)
{
	if (w->settings.website == NULL)
		return refuse(
		    c, ERR_CONFLICT, "%s", tr_mark("The workspace has no website. Set it first."));
	t->kind = VISITED_KIND;
	return tasks_begin(c, t);
}

struct reading {
	struct ctx *c;
	struct webpages *out;
};

static void
keep(void *arg, const struct visited *v)
{
	struct reading *r = arg;
	struct webpages *p = r->out;
	size_t size = sizeof(*p->list);

	p->list = arena_grow(r->c->arena, p->list, p->count * size, (p->count + 1) * size);
	p->list[p->count++] =
	    (struct webpages_page) { .found = { .number = v->number,
					 .article = arena_text(r->c->arena, v->article),
					 .url = arena_text(r->c->arena, v->url),
					 .looked_at = v->looked_at,
					 .findings = arena_text(r->c->arena, v->findings) } };
	p->wrong += v->findings[0] != '\0';
}

struct err *
webpages_look(struct ctx *c, const struct workspace *w, struct webpages *out)
{
	struct reading r = { c, out };
	struct err *err = action_read_console(c);
	const struct article *a;

	*out = (struct webpages) { .task = NULL };
	if (err != NULL)
		return err;
	out->task = task_newest(c, w->uuid, VISITED_KIND);
	if (out->task != NULL)
		visited_list(c, out->task->id, keep, &r);
	err = action_end(c, NULL);
	if (err != NULL)
		return err;
	db_begin_read(c, DB_CONTENT);
	for (size_t i = 0; i < out->count; i++) {
		a = article_find(c, w->id, out->list[i].found.article);
		out->list[i].title = a != NULL ? arena_text(c->arena, a->title) : NULL;
	}
	db_rollback(c);
	return NULL;
}
