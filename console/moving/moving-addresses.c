/* Old addresses and redirects of articles that moved in (docs/console.md §4.11). */
#include <string.h>

#include "../all.h"
#include "action/article/article-addresses.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "console/answer.h"
#include "moving.h"
#include "screen/tr.h"

#define SHOWN 200 /* on the page; the downloads have all */

struct shown {
	const char *title, *id, *old, *new;
};

struct page {
	struct ctx *c;
	struct arena *kept;
	const struct visit *v;
	struct shown list[SHOWN];
	size_t count, all;
};

static void
keep(void *arg, const struct article *a, const char *old, const char *new)
{
	struct page *p = arg;

	if (p->all++ >= SHOWN)
		return;
	p->list[p->count++] = (struct shown) { .title = arena_text(p->kept, a->title),
		.id = arena_text(p->kept, a->uuid),
		.old = arena_text(p->kept, old),
		.new = new == NULL ? NULL : arena_text(p->kept, new) };
}

static const struct {
	const char *name, *label, *file, *type;
	enum redirects_form form;
} forms[] = {
	{ "apache", tr_mark("Redirects for Apache"), "redirects-apache.conf",
	    "text/plain; charset=utf-8", REDIRECTS_APACHE },
	{ "nginx", tr_mark("Redirects for nginx"), "redirects-nginx.conf",
	    "text/plain; charset=utf-8", REDIRECTS_NGINX },
	{ "csv", tr_mark("All addresses as CSV"), "addresses.csv", "text/csv; charset=utf-8",
	    REDIRECTS_CSV },
};
#define FORMS (sizeof(forms) / sizeof(forms[0]))

static void
write_table(struct hwrite *w, const struct page *p)
{
	static const struct screen_column columns[] = {
		{ .label = tr_mark("Article") },
		{ .label = tr_mark("Old address") },
		{ .label = tr_mark("New address") },
		{ .label = NULL },
	};
	struct screen_table t;

	screen_table_begin(&t, w, tr("Old addresses"), columns);
	for (size_t i = 0; i < p->count; i++) {
		screen_row_begin(&t);
		screen_cell_link(&t,
		    console_path(
			p->c, p->v, "/%s/articles/%s", p->v->workspace->uuid, p->list[i].id),
		    p->list[i].title);
		screen_cell(&t, p->list[i].old);
		screen_cell(&t, p->list[i].new);
		screen_row_end(&t);
	}
	screen_table_end(&t);
	if (p->all > p->count)
		hwrite_element(w, H_P,
		    arena_printf(p->c->arena,
			tr("These are the first %zu of %zu; the files have all of them."), p->count,
			p->all));
}

static void
write_main(struct hwrite *w, const void *data)
{
	const struct page *p = data;

	if (p->all == 0) {
		screen_empty(w,
		    tr("No article came from another program yet, and none was moved here."),
		    console_path(p->c, p->v, "/%s/moving", p->v->workspace->uuid), tr("Moving in"));
		return;
	}
	hwrite_element(w, H_H2, tr("Redirects"));
	hwrite_element(w, H_P,
	    tr("They go to the web server of the old site: for what is published under another address now."));
	hwrite_open(w, H_UL);
	for (size_t i = 0; i < FORMS; i++) {
		hwrite_open(w, H_LI);
		hwrite_open(w, H_A);
		hwrite_address(w, A_HREF,
		    console_path(p->c, p->v, "/%s/moving/redirects/%s", p->v->workspace->uuid,
			forms[i].name));
		hwrite_text(w, tr(forms[i].label));
		hwrite_close(w, H_A);
		hwrite_close(w, H_LI);
	}
	hwrite_close(w, H_UL);
	hwrite_element(w, H_H2, tr("Addresses"));
	write_table(w, p);
}

static struct err *
show(struct ctx *c, struct visit *v, struct reply *reply)
{
	struct page *p = arena_alloc(c->arena, sizeof(*p));
	const struct addresses asked = {
		.place = { .name = v->workspace->uuid }, .each = keep, .arg = p
	};
	struct err *err;

	p->c = c;
	p->kept = c->arena;
	p->v = v;
	p->count = p->all = 0;
	err = addresses_list(c, &asked);
	if (err != NULL)
		return err;
	console_page(c, v, reply, NULL, NULL, write_main, p);
	return NULL;
}

static void
each(void *arg, const struct article *a, const char *old, const char *new)
{
	redirects_add(arg, a, old, new);
}

static struct err *
download(struct ctx *c, struct visit *v, struct reply *reply)
{
	struct redirects r;
	struct addresses asked = {
		.place = { .name = v->workspace->uuid }, .each = each, .arg = &r
	};
	struct err *err;
	size_t i = 0;

	while (i < FORMS && strcmp(forms[i].name, v->name) != 0)
		i++;
	if (i == FORMS)
		return refuse(c, ERR_NOT_FOUND, tr_mark("There is no such page."));
	asked.moved_only = redirects_moved_only(forms[i].form);
	redirects_begin(&r, c, forms[i].form, &reply->body);
	err = addresses_list(c, &asked);
	if (err != NULL)
		return err;
	redirects_end(&r);
	reply->type = forms[i].type;
	head_add(reply, "no-store");
	reply_header(reply, "Content-Disposition", "attachment; filename=\"%s\"", forms[i].file);
	return NULL;
}

#define READS .method = "GET", .need = RIGHT_WRITE | RIGHT_PUBLISH

const struct console_row moving_addresses_screens[] = {
	{ READS, .pattern = "/W/moving/addresses", .title = tr_mark("Old addresses"),
	    .handler = show },
	{ READS, .pattern = "/W/moving/redirects/NAME", .title = tr_mark("Redirects"),
	    .handler = download },
	{ .method = NULL },
};
