/* What somebody looks at before an article is published (docs/console.md §5.2). */
#include <string.h>

#include "../all.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "../editor.h"
#include "publish.h"
#include "../sites/sites.h"
#include "screen/tr.h"

static const struct field finished[] = {
	{ .name = "seen", .kind = FIELD_HIDDEN },
	{ .name = "publish",
	    .label = tr_mark("Publish"),
	    .kind = FIELD_SUBMIT,
	    .tone = FIELD_PRIMARY },
	{ .name = NULL },
};

static const struct field unfinished[] = {
	{ .name = "seen", .kind = FIELD_HIDDEN },
	{ .name = "unfinished",
	    .label = tr_mark("Publish unfinished"),
	    .kind = FIELD_SUBMIT,
	    .tone = FIELD_DANGER },
	{ .name = NULL },
};

static void
write_difference(struct hwrite *w, const struct ready *r)
{
	hwrite_element(w, H_H2, tr("What changes"));
	if (r->before == NULL)
		hwrite_element(w, H_P, tr("It was never published."));
	else
		difference_write(w, r->before, r->after);
	if (r->slug_before == NULL || strcmp(r->slug_before, r->slug_after) == 0)
		return;
	hwrite_open(w, H_P);
	screen_sentence(w,
	    tr("Its slug was %s and becomes %s. Pages of Galley lead from the old address to the new one. Another website must do so itself."),
	    r->slug_before, r->slug_after);
	hwrite_close(w, H_P);
}

void
publish_write_sites(struct hwrite *w, const struct sites *sites)
{
	hwrite_open(w, H_UL);
	for (size_t i = 0; i < sites->count; i++) {
		const struct site *s = &sites->sites[i];
		hwrite_open(w, H_LI);
		screen_data(w, s->key->label[0] != '\0' ? s->key->label : s->key->display);
		hwrite_text(w, " ");
		sites_write_state(w, s);
		hwrite_close(w, H_LI);
	}
	hwrite_close(w, H_UL);
}

/* The sites get the article once it is published. */
static void
write_sites(struct hwrite *w, const struct publishing *p)
{
	hwrite_element(w, H_H2, tr("The sites that read this workspace"));
	if (p->sites->count == 0)
		hwrite_element(w, H_P, tr("No site reads this workspace yet."));
	else
		publish_write_sites(w, p->sites);
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
	editor_write_ready(p->c, p->v, w, &p->ready, NULL);
	editor_write_losses(w, &(struct editor_losses) {
				   .c = p->c, .v = p->v, .text = p->text, .losses = &p->losses });
	write_difference(w, &p->ready);
	write_sites(w, p);
	if (a->status == ARTICLE_DELETED) {
		hwrite_element(w, H_P, tr("It is in the trash: restore it first."));
		return;
	}
	console_form(p->c, p->v, w, &p->now, arena_printf(p->c->arena, "%s/publish", p->path));
	publish_date_write(w, p);
}

struct err *
publish_look(struct ctx *c, struct visit *v, struct publishing *p)
{
	struct write_view view;
	const struct article *a;
	struct err *err = ready_look(c, v->workspace, v->id, &p->ready);

	if (err == NULL)
		err = write_look(c, v->workspace, v->id, &a, &view);
	p->c = c;
	p->v = v;
	p->path = arena_printf(c->arena, "/%s/articles/%s", v->workspace->uuid, v->id);
	if (err != NULL)
		return err;
	p->text = view.text;
	editor_find_losses(c, v, &view, &p->losses);
	form_init(&p->now, "publish", p->ready.todo_count > 0 ? unfinished : finished);
	publish_date_begin(p);
	return NULL;
}

void
publish_page(struct publishing *p, struct reply *reply)
{
	form_fill(&p->now, "seen", p->ready.seen);
	form_fill(&p->later, "seen", p->ready.seen);
	p->sites = arena_alloc(p->c->arena, sizeof(*p->sites));
	sites_read(p->c, p->v->workspace->uuid, false, p->sites);
	console_page(p->c, p->v, reply, NULL, NULL, write_publish, p);
}

static struct err *
show(struct ctx *c, struct visit *v, struct reply *reply)
{
	struct publishing *p = arena_alloc(c->arena, sizeof(*p));
	struct err *err = publish_look(c, v, p);

	if (err == NULL)
		publish_page(p, reply);
	return err;
}

static struct err *
publish(struct ctx *c, struct visit *v, struct reply *reply)
{
	struct publishing *p = arena_alloc(c->arena, sizeof(*p));
	struct err *err = publish_look(c, v, p);
	const char *seen;

	if (err != NULL)
		return err;
	console_will_go(v, arena_printf(c->arena, "%s?notice=published", p->path));
	reply->status = 409;
	if (console_read(c, v, &p->now)) {
		seen = form_text(&p->now, "seen");
		err = ready_publish(
		    c, v->id, seen != NULL ? seen : "", console_sent(v, "unfinished") != NULL);
		if (err == NULL) {
			reply->status = 200;
			console_journal(c, v, "article publish %s", v->id);
			console_go(c, v, reply, p->path, "published");
			return NULL;
		}
		err = console_wrong(c, v, reply, &p->now, err);
		if (err == NULL)
			err = ready_look(c, v->workspace, v->id, &p->ready);
		if (err != NULL)
			return err;
	}
	publish_page(p, reply);
	return NULL;
}

const struct console_row publish_screens[] = {
	{ .method = "GET",
	    .pattern = "/W/articles/ID/publish",
	    .need = RIGHT_PUBLISH,
	    .title = tr_mark("Publish"),
	    .handler = show },
	{ .method = "POST",
	    .pattern = "/W/articles/ID/publish",
	    .need = RIGHT_PUBLISH,
	    .title = tr_mark("Publish"),
	    .handler = publish },
	{ .method = NULL },
};
