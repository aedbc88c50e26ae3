/* The backups and dumps that are beside the database, "Make a backup" and "Make a dump"
 * (docs/console.md §4.14). */
#include <string.h>

#include "backup/kept-backups.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "instance-screen.h"
#include "screen/say.h"
#include "screen/tr.h"
#include "task/errand.h"

static const struct field make_fields[] = {
	{ .name = "make", .label = tr_mark("Make a backup"), .kind = FIELD_SUBMIT,
	    .tone = FIELD_PRIMARY },
	{ .name = NULL },
}, dump_fields[] = {
	{ .name = "dump", .label = tr_mark("Make a dump"), .kind = FIELD_SUBMIT },
	{ .name = NULL },
};

struct page {
	struct ctx *c;
	const struct visit *v;
	struct instance_errand errand;
	struct kept *list;
	size_t count;
	struct form form, dump;
};

static const char *
what_of(const struct kept *k)
{
	if (strcmp(k->what, "before-migrate") == 0)
		return tr("Before an upgrade");
	if (k->dump)
		return tr("Dump");
	return strcmp(k->what, "before-restore") == 0 ? tr("Before a restore") : tr("Backup");
}

static void
write_list(struct hwrite *w, const struct page *p)
{
	static const struct screen_column columns[] = {
		{ .label = tr_mark("File") },
		{ .label = tr_mark("What") },
		{ .label = tr_mark("Made (UTC)") },
		{ .label = tr_mark("Size"), .number = true },
		{ .label = NULL },
	};
	struct screen_table t;

	screen_table_begin(&t, w, tr("Backups and dumps, the newest first"), columns);
	for (size_t i = 0; i < p->count; i++) {
		const struct kept *k = &p->list[i];
		screen_row_begin(&t);
		screen_cell_link(
		    &t, console_path(p->c, p->v, "/instance/backups/%s", k->name), k->name);
		screen_cell(&t, what_of(k));
		screen_cell_begin(&t);
		say_moment(w, k->made_at);
		screen_cell_end(&t);
		screen_cell(&t, instance_bytes(p->c, k->bytes));
		screen_row_end(&t);
	}
	screen_table_end(&t);
}

static void
write_main(struct hwrite *w, const void *data)
{
	static const char *const kinds[] = { ASKING_BACKUP, ASKING_DUMP, NULL };
	const struct page *p = data;

	instance_write_places(w, p->c, p->v);
	instance_write_errand(w, &p->errand, kinds);
	hwrite_element(w, H_P,
	    tr("A backup is the whole instance in one file: articles, pictures, orders, credits, keys, people and settings. It is kept beside the database: a copy on another machine is what helps when this one is lost."));
	if (p->count > 0)
		write_list(w, p);
	else
		screen_empty(w, tr("There is no backup here yet."), NULL, NULL);
	if (p->errand.open)
		return;
	console_form(p->c, p->v, w, &p->form, "/instance/backups");
	hwrite_open(w, H_P);
	screen_button_link(w, console_path(p->c, p->v, "/instance/restore"), tr("Restore"), false);
	hwrite_close(w, H_P);
	hwrite_element(w, H_H2, tr("In open formats"));
	hwrite_element(w, H_P,
	    tr("A dump is everything as Markdown, JSON, CSV and pictures, to read it or to leave with it. It holds no secret and no people, so nothing can be restored from it."));
	console_form(p->c, p->v, w, &p->dump, "/instance/dump");
}

static struct err *
show(struct ctx *c, struct visit *v, struct reply *reply)
{
	struct page *p = arena_alloc(c->arena, sizeof(*p));

	p->c = c;
	p->v = v;
	instance_look(c, v, &p->errand);
	p->list = kept_list(c, &p->count);
	form_init(&p->form, "make", make_fields);
	form_init(&p->dump, "dump", dump_fields);
	console_page(c, v, reply, NULL, NULL, write_main, p);
	return NULL;
}

static struct err *
make(struct ctx *c, struct visit *v, struct reply *reply)
{
	return instance_ask(c, v, reply, ASKING_BACKUP, "/instance/backups");
}

static struct err *
make_dump(struct ctx *c, struct visit *v, struct reply *reply)
{
	return instance_ask(c, v, reply, ASKING_DUMP, "/instance/backups");
}

const struct console_row backups_screens[] = {
	{ .method = "GET",
	    .pattern = "/instance/backups",
	    INSTANCE,
	    .title = tr_mark("Backups"),
	    .handler = show },
	{ .method = "POST",
	    .pattern = "/instance/backups",
	    INSTANCE,
	    .title = tr_mark("Backups"),
	    .handler = make },
	{ .method = "POST",
	    .pattern = "/instance/dump",
	    INSTANCE,
	    .title = tr_mark("Backups"),
	    .handler = make_dump },
	{ .method = NULL },
};
