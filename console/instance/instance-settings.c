/* Settings of the instance, to read: galley.conf as it counts (docs/console.md §4.14). */
#include "base/arena.h"
#include "base/ctx.h"
#include "instance.h"
#include "screen/tr.h"
#include "system/conf.h"
#include "system/instance.h"

struct page {
	struct ctx *c;
	const struct visit *v;
};

struct writing {
	struct ctx *c;
	struct screen_table *t;
};

static void
write_key(void *arg, const char *key, const char *value, bool is_default)
{
	struct writing *to = arg;
	struct screen_table *t = to->t;

	screen_row_begin(t);
	screen_cell_begin(t);
	instance_write_english(t->w, H_CODE, key);
	screen_cell_end(t);
	screen_cell_begin(t);
	if (value[0] != '\0')
		instance_write_english(t->w, H_CODE, conf_shown(to->c, value));
	screen_cell_end(t);
	screen_cell_begin(t);
	screen_state(
	    t->w, is_default ? SCREEN_NOTE : SCREEN_GOOD, is_default ? tr("Default") : tr("Set"));
	screen_cell_end(t);
	screen_row_end(t);
}

static void
write_main(struct hwrite *w, const void *data)
{
	static const struct screen_column columns[] = {
		{ .label = tr_mark("Key") },
		{ .label = tr_mark("Value") },
		{ .label = tr_mark("State") },
		{ .label = NULL },
	};
	const struct page *p = data;
	struct screen_table t;
	struct writing to = { p->c, &t };

	instance_write_places(w, p->c, p->v);
	if (p->c->conf->fault != NULL)
		screen_notice(w, SCREEN_BAD,
		    tr("galley.conf has a fault, so the last good settings are used: %s"),
		    p->c->conf->fault);
	hwrite_element(w, H_P,
	    tr("These keys are read from galley.conf, and changed on the host alone. Nothing can be changed here: some of them name programs and files."));
	screen_table_begin(&t, w, tr("Keys of galley.conf"), columns);
	conf_each(p->c, p->c->conf, write_key, &to);
	screen_table_end(&t);
}

static struct err *
show(struct ctx *c, struct visit *v, struct reply *reply)
{
	struct page *p = arena_alloc(c->arena, sizeof(*p));

	*p = (struct page) { c, v };
	console_page(c, v, reply, NULL, NULL, write_main, p);
	return NULL;
}

const struct console_row instance_settings_screens[] = {
	{ .method = "GET",
	    .pattern = "/instance/settings",
	    INSTANCE,
	    .title = tr_mark("Settings of the instance"),
	    .handler = show },
	{ .method = NULL },
};
