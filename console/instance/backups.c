/* The backups and dumps that are beside the database, "Make a backup" and "Make a dump"
 * (docs/console.md §4.14). */
#include <string.h>

#include "backup/kept-backups.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "console/page.h"
#include "instance-screen.h"
#include "screen/say.h"
#include "screen/tr.h"
#include "task/errand.h"

struct backups {
	struct instance_errand errand;
	struct kept *list;
	size_t count;
};

static struct err *
make(struct page *p)
{
	return asking_begin(p->c, ASKING_BACKUP, p->v->person->uuid);
}

static const struct page_act make_it = { .name = "make",
	.fields = PAGE_BUTTON("make", tr_mark("Make a backup"), FIELD_PRIMARY),
	.act = make,
	.go = "/instance/backups",
	.journal = "instance " ASKING_BACKUP };

static struct err *
make_dump(struct page *p)
{
	return asking_begin(p->c, ASKING_DUMP, p->v->person->uuid);
}

static const struct page_act dump_it = { .name = "dump",
	.fields = PAGE_BUTTON("dump", tr_mark("Make a dump"), FIELD_SECONDARY),
	.act = make_dump,
	.go = "/instance/backups",
	.journal = "instance " ASKING_DUMP };

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
write_list(struct hwrite *w, const struct page *p, const struct backups *b)
{
	@ <list caption="Backups and dumps, the newest first" columns="File|What|Made (UTC)|Size#">
	for (size_t i = 0; i < b->count; i++) {
		const struct kept *k = &b->list[i];
		@ <row><cell><a href="/instance/backups/{k->name}">{k->name}</a></cell>
		@ <cell>{=what_of(k)}</cell><cell>{!say_moment(w, k->made_at)}</cell>
		@ <cell>{instance_bytes(p->c, k->bytes)}</cell></row>
	}
	@ </list>
}

static void
write_main(struct hwrite *w, struct page *p)
{
	static const char *const kinds[] = { ASKING_BACKUP, ASKING_DUMP, NULL };
	const struct backups *b = p->data;

	instance_write_places(w, p->c, p->v);
	instance_write_errand(w, &b->errand, kinds);
	@ <p>A backup is the whole instance in one file: articles, pictures, orders, credits, keys,
	@ people
	@ and settings. It is kept beside the database: a copy on another machine is what helps when
	@ this
	@ one is lost.</p>
	if (b->count > 0)
		write_list(w, p, b);
	else
		screen_empty(w, tr("There is no backup here yet."), NULL, NULL);
	if (b->errand.open)
		return;
	page_form(w, p, &make_it, NULL);
	@ <p><a class="button" href="/instance/restore">Restore</a></p>
	@ <h2>In open formats</h2>
	@ <p>A dump is everything as Markdown, JSON, CSV and pictures, to read it or to leave with
	@ it. It
	@ holds no secret and no people, so nothing can be restored from it.</p>
	page_form(w, p, &dump_it, NULL);
}

static struct err *
load(struct page *p)
{
	struct backups *b = p->data;

	if (p->acting)
		return NULL;
	instance_look(p->c, p->v, &b->errand);
	b->list = kept_list(p->c, &b->count);
	return NULL;
}

static const struct page_kind page = { sizeof(struct backups), load, write_main };

#define BACKUPS INSTANCE, .title = tr_mark("Backups"), .page = &page

SCREEN(backups) = {
	{ "GET", "/instance/backups", BACKUPS },
	{ "POST", "/instance/backups", BACKUPS, .act = &make_it },
	{ "POST", "/instance/dump", BACKUPS, .act = &dump_it },
	{ .method = NULL },
};
