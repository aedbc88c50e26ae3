/* The keys that a person made, to be revoked when the person's rights ended
 * (docs/console.md §2.4). The ID of the path is the person's. */
#include "action/key-made.h"

#include <string.h>

#include "../all.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "../key.h"
#include "people.h"
#include "screen/tr.h"

#define NAME_BEGIN "key-"

struct page {
	struct ctx *c;
	const struct visit *v;
	struct key_made made;
	struct people_links links; /* that have ended */
	struct field fields[KEY_MADE_MAX + 2];
	struct form form;
};

const char *
made_path(struct ctx *c, const struct visit *v, const char *person)
{
	return arena_printf(c->arena, "%s/%s/keys", people_path(c, v), person);
}

static void
write_page(struct hwrite *w, const void *data)
{
	const struct page *p = data;

	people_write_links(w, &p->links, true);
	if (p->made.count == 0) {
		screen_empty(w, tr("No key that this person made is good any more."),
		    console_path(p->c, p->v, "%s", people_path(p->c, p->v)),
		    tr("Back to the people"));
		return;
	}
	hwrite_element(w, H_P, tr("This person made these keys in the console and may still"
		" know them. Choose those that must end; a site that uses one needs"
		" another."));
	console_form(p->c, p->v, w, &p->form, made_path(p->c, p->v, p->v->id));
	if (p->made.more)
		hwrite_element(w, H_P, tr("There are more: they are shown when some of"
					  " these are revoked."));
	hwrite_open(w, H_P);
	screen_button_link(w, console_path(p->c, p->v, "%s",
	    people_path(p->c, p->v)), tr("Back to the people"), false);
	hwrite_close(w, H_P);
}

/* Makes a check box for each key. */
static void
fill(struct page *p)
{
	size_t n = 0;

	for (; n < p->made.count; n++) {
		const struct apikey *k = p->made.keys[n].key;
		p->fields[n] = (struct field){ .kind = FIELD_CHECKBOX,
			.name = arena_printf(p->c->arena, NAME_BEGIN "%s", k->uuid),
			.label = arena_printf(p->c->arena, "%s · %s",
			    k->label[0] != '\0' ? k->label : k->display,
			    p->made.keys[n].name),
			.hint = arena_printf(p->c->arena, "%s: %s", k->display,
			    key_may(p->c, k)) };
	}
	p->fields[n++] = (struct field){ .name = "revoke", .label = tr_mark("Revoke"),
		.kind = FIELD_SUBMIT, .tone = FIELD_DANGER };
	p->fields[n] = (struct field){ .name = NULL };
	form_init(&p->form, "made", p->fields);
}

static struct err *
begin(struct ctx *c, const struct visit *v, struct page **out)
{
	struct page *p = arena_alloc(c->arena, sizeof(*p));
	struct err *err;

	*out = p;
	p->c = c;
	p->v = v;
	p->made = (struct key_made){ .person = v->id, .by = v->person->id };
	err = key_made_list(c, &p->made);
	/* Of who was erased there are keys, and nothing else. */
	if (err == NULL) {
		fill(p);
		err = people_read_links(c, v, v->id, true, &p->links);
		if (err != NULL && err->code == ERR_NOT_FOUND)
			err = NULL;
	}
	return err;
}

static struct err *
show(struct ctx *c, struct visit *v, struct reply *reply)
{
	struct page *p;
	struct err *err = begin(c, v, &p);

	if (err == NULL)
		console_page(c, v, reply, NULL, NULL, write_page, p);
	return err;
}

/* Revokes what is ticked. A key that is not in the list any more was revoked meanwhile. */
static struct err *
revoke(struct ctx *c, struct visit *v, struct reply *reply)
{
	const char *chosen[KEY_MADE_MAX];
	size_t count = 0, revoked;
	struct page *p;
	struct err *err = begin(c, v, &p);

	if (err != NULL)
		return err;
	console_will_go(v, arena_printf(c->arena, "%s?notice=revoked-made",
	    made_path(c, v, v->id)));
	if (!console_read(c, v, &p->form)) {
		console_refused(v, reply);
		console_page(c, v, reply, NULL, NULL, write_page, p);
		return NULL;
	}
	for (size_t i = 0; i < p->made.count; i++) {
		if (form_is_on(&p->form, p->fields[i].name))
			chosen[count++] = p->made.keys[i].key->uuid;
	}
	err = key_made_revoke(c, &p->made, chosen, count, &revoked);
	if (err != NULL)
		return err;
	for (size_t i = 0; i < count; i++)
		console_journal(c, v, "key revoke %s", chosen[i]);
	console_go(c, v, reply, made_path(c, v, v->id), "revoked-made");
	return NULL;
}

#define ROWS(place)                                                            \
	{ .method = "GET", .pattern = place "/people/ID/keys",                 \
	    .title = tr_mark("Keys that this person made"),                    \
	    .need = RIGHT_MANAGE, .handler = show },                           \
	    { .method = "POST", .pattern = place "/people/ID/keys",            \
		    .title = tr_mark("Keys that this person made"),            \
		    .need = RIGHT_MANAGE, .handler = revoke }

const struct console_row made_screens[] = {
	ROWS("/W"),
	ROWS("/A"),
	{ .method = NULL },
};
