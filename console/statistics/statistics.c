/* Statistics: what the readers of the websites read (docs/pages.md §10). */
#include "base/arena.h"
#include "base/ctx.h"
#include "screen/tr.h"
#include "statistics.h"

#define ARTICLES 100

static struct err *
show(struct ctx *c, struct visit *v, struct reply *reply)
{
	struct statistics_page *p = arena_alloc(c->arena, sizeof(*p));
	struct err *err;

	p->c = c;
	p->v = v;
	p->days = (struct statistics_days) {
		.c = c, .v = v, .path = arena_printf(c->arena, "/%s/statistics", v->workspace->uuid)
	};
	p->s.articles_max = ARTICLES;
	p->s.credits = (v->rights & RIGHT_MANAGE) != 0;
	if (!statistics_read_days(&p->days, &p->s.period)) {
		reply->status = 422;
		console_page(c, v, reply, NULL, NULL, statistics_write, p);
		return NULL;
	}
	err = statistics_read(c, v->workspace, &p->s);
	if (err != NULL)
		err = statistics_refused(&p->days, reply, err);
	if (err == NULL)
		console_page(c, v, reply, NULL, NULL, statistics_write, p);
	return err;
}

const struct console_row statistics_screens[] = {
	{ .method = "GET",
	    .pattern = "/W/statistics",
	    .title = tr_mark("Statistics"),
	    .need = RIGHT_READ,
	    .handler = show },
	{ .method = NULL },
};
