/* What somebody looks at before an article is published (docs/console.md §5.2). */
#include "all.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "editor.h"
#include "screen/tr.h"

static const struct field finished[] = {
	{ .name = "seen", .kind = FIELD_HIDDEN },
	{ .name = "publish", .label = tr_mark("Publish"), .kind = FIELD_SUBMIT,
	    .tone = FIELD_PRIMARY },
	{ .name = NULL },
};

static const struct field unfinished[] = {
	{ .name = "seen", .kind = FIELD_HIDDEN },
	{ .name = "unfinished", .label = tr_mark("Publish unfinished"),
	    .kind = FIELD_SUBMIT, .tone = FIELD_DANGER },
	{ .name = NULL },
};

struct publishing {
	struct ctx *c;
	const struct visit *v;
	struct ready ready;
	struct form *form;
	const char *path; /* of the article */
};

static void
write_difference(struct hwrite *w, const struct ready *r)
{
	hwrite_element(w, H_H2, tr("What changes"));
	if (r->before == NULL)
		hwrite_element(w, H_P, tr("It was never published."));
	else
		difference_write(w, r->before, r->after);
}

static void
write_publish(struct hwrite *w, const void *data)
{
	const struct publishing *p = data;
	const struct article *a = p->ready.article;

	hwrite_open(w, H_P);
	hwrite_open(w, H_A);
	hwrite_address(w, A_HREF, console_path(p->c, p->v, "%s", p->path));
	screen_data(w, a->title);
	hwrite_close(w, H_A);
	hwrite_close(w, H_P);
	editor_write_ready(p->c, p->v, w, &p->ready);
	write_difference(w, &p->ready);
	if (a->status == ARTICLE_DELETED)
		hwrite_element(w, H_P, tr("It is in the trash: restore it first."));
	else
		console_form(p->c, p->v, w, p->form,
		    arena_printf(p->c->arena, "%s/publish", p->path));
}

static struct err *
look(struct ctx *c, struct visit *v, struct publishing *p, struct form *f)
{
	struct err *err = ready_look(c, v->workspace, v->id, &p->ready);

	p->c = c;
	p->v = v;
	p->form = f;
	p->path = arena_printf(c->arena, "/%s/articles/%s", v->workspace->uuid, v->id);
	if (err == NULL)
		form_init(f, "publish", p->ready.todo_count > 0 ? unfinished : finished);
	return err;
}

static struct err *
show(struct ctx *c, struct visit *v, struct reply *reply)
{
	struct publishing p = { .c = c };
	struct form f;
	struct err *err = look(c, v, &p, &f);

	if (err != NULL)
		return err;
	form_fill(&f, "seen", p.ready.seen);
	console_page(c, v, reply, NULL, NULL, write_publish, &p);
	return NULL;
}

static struct err *
publish(struct ctx *c, struct visit *v, struct reply *reply)
{
	struct publishing p = { .c = c };
	struct form f;
	struct err *err = look(c, v, &p, &f);
	const char *seen;

	if (err != NULL)
		return err;
	console_will_go(v, arena_printf(c->arena, "%s?notice=published", p.path));
	reply->status = 409;
	if (console_read(c, v, &f)) {
		seen = form_text(&f, "seen");
		err = ready_publish(c, v->id, seen != NULL ? seen : "",
		    console_sent(v, "unfinished") != NULL);
		if (err == NULL) {
			reply->status = 200;
			console_journal(c, v, "article publish %s", v->id);
			console_go(c, v, reply, p.path, "published");
			return NULL;
		}
		err = console_wrong(c, v, reply, &f, err);
		if (err == NULL)
			err = look(c, v, &p, arena_alloc(c->arena, sizeof(f)));
		if (err != NULL)
			return err;
		p.form = &f;
	}
	form_fill(&f, "seen", p.ready.seen);
	console_page(c, v, reply, NULL, NULL, write_publish, &p);
	return NULL;
}

const struct console_row publish_screens[] = {
	{ .method = "GET", .pattern = "/W/articles/ID/publish", .need = RIGHT_PUBLISH,
	    .title = tr_mark("Publish"), .handler = show },
	{ .method = "POST", .pattern = "/W/articles/ID/publish", .need = RIGHT_PUBLISH,
	    .title = tr_mark("Publish"), .handler = publish },
	{ .method = NULL },
};
