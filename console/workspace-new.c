/* A new workspace of an account (docs/console.md §4.1). */
#include "action/workspace-actions.h"

#include <string.h>

#include "all.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "console/answer.h"
#include "console/choices.h"
#include "screen/tr.h"

static const struct field fields[] = {
	{ .name = "name",
	    .label = tr_mark("Name"),
	    .kind = FIELD_TEXT,
	    .max = 800,
	    .required = true,
	    .hint = tr_mark("Of the site or the brand.") },
	{ .name = "language",
	    .label = tr_mark("Language"),
	    .kind = FIELD_SELECT,
	    .required = true,
	    .hint = tr_mark("Of articles that name none.") },
	{ .name = "language-code",
	    .label = tr_mark("Code of another language"),
	    .kind = FIELD_TEXT,
	    .max = 100,
	    .dir = "ltr",
	    .autocomplete = "off",
	    .hint = tr_mark("A tag of BCP 47, such as gsw, de-AT or mn-Mong.") },
	{ .name = "website",
	    .label = tr_mark("Website"),
	    .kind = FIELD_TEXT,
	    .max = 2000,
	    .dir = "ltr",
	    .inputmode = "url",
	    .hint = tr_mark(
		"The site that shows the articles: https://www.example.com. It can be set later.") },
	{ .name = "time-zone",
	    .label = tr_mark("Time zone"),
	    .kind = FIELD_TEXT,
	    .dir = "ltr",
	    .autocomplete = "off",
	    .hint = tr_mark("A city, such as Berlin, or an offset, such as UTC+2.") },
	{ .name = "another",
	    .label = tr_mark("Although there is one of this name"),
	    .kind = FIELD_CHECKBOX },
	{ .name = "create",
	    .label = tr_mark("Create workspace"),
	    .kind = FIELD_SUBMIT,
	    .tone = FIELD_PRIMARY },
	{ .name = NULL },
};

struct page {
	struct ctx *c;
	const struct visit *v;
	struct form form;
	bool taken; /* another workspace of the account has this name */
	struct workspace *made; /* or NULL */
};

/* That two workspaces have one name is offered where the name was refused. */
static void
write_form(struct hwrite *w, const struct page *p)
{
	const struct form *f = &p->form;

	form_write_summary(w, f);
	console_form_begin(
	    p->c, p->v, w, f, arena_printf(p->c->arena, "/%s/workspaces/new", p->v->account->uuid));
	form_write_field(w, f, "name");
	if (p->taken || form_is_on(f, "another"))
		form_write_field(w, f, "another");
	choices_write_language(w, f);
	form_write_field(w, f, "website");
	form_write_field(w, f, "time-zone");
	@ <div class="buttons">{!form_write_field(w, f, "create")}</div>
	form_write_end(w);
}

static void
write_page(struct hwrite *w, const void *data)
{
	const struct page *p = data;

	@ <p>A workspace holds the articles of one site, with its settings, keys and people.</p>
	if (!console_rests(p->v))
		write_form(w, p);
}

static struct err *
show(struct page *p, struct reply *reply)
{
	console_page(p->c, p->v, reply, NULL, p->v->account->name, write_page, p);
	return NULL;
}

/* What the form begins with: the language that the browser asks for, else the person's. The page's
 * script puts the browser's zone in. */
static struct page *
begin(struct ctx *c, const struct visit *v)
{
	struct page *p = arena_alloc(c->arena, sizeof(*p));
	const char *language = choices_accept(v->accept_language);

	p->c = c;
	p->v = v;
	form_init(&p->form, "workspace", fields);
	if (language == NULL)
		language = v->person->language;
	choices_languages(c, &p->form, language);
	form_fill(&p->form, "language", language);
	form_choices(&p->form, "time-zone", choices_zones(c));
	form_fill(&p->form, "time-zone", "UTC");
	return p;
}

static struct err *
new_workspace(struct ctx *c, struct visit *v, struct reply *reply)
{
	return show(begin(c, v), reply);
}

/* Returns the address of the new workspace's Home. */
static const char *
where(struct ctx *c, const void *arg)
{
	const struct page *p = arg;

	return arena_printf(c->arena, "/%s?notice=workspace-made", p->made->uuid);
}

static struct err *
create(struct ctx *c, struct visit *v, struct reply *reply)
{
	struct page *p = begin(c, v);
	struct workspace_order order = { .account = v->account->uuid, .within = true };
	const char *place;
	struct err *err;

	bool good = console_read(c, v, &p->form);
	order.language = choices_language(&p->form, &place);
	if (good && order.language == NULL)
		form_refuse(&p->form, place, tr("This must be filled in."));
	if (!good || order.language == NULL) {
		console_refused(v, reply);
		return show(p, reply);
	}
	order.name = form_text(&p->form, "name");
	order.time_zone = form_text(&p->form, "time-zone");
	order.website = form_text(&p->form, "website");
	order.another = form_is_on(&p->form, "another");
	console_will_tell(v, where, p);
	err = workspace_create(c, &order, &p->made);
	if (err != NULL) {
		/* The form is the first of its number, so what is there already is the
		 * name. */
		if (v->spent && err->code == ERR_CONFLICT) {
			p->taken = true;
			err->message = tr(
			    "This account has a workspace of this name already. Tick “Although there is one of this name” to create another one.");
			err->param = "name";
		}
		if (err->param != NULL && strcmp(err->param, "language") == 0)
			err->param = place;
		err = console_wrong(c, v, reply, &p->form, err);
		return err != NULL ? err : show(p, reply);
	}
	console_journal(c, v, "workspace create %s", p->made->uuid);
	console_go(c, v, reply, where(c, p), NULL);
	return NULL;
}

#define NEW .title = tr_mark("New workspace"), .need = RIGHT_MANAGE, .script = SCREEN_ZONE

SCREEN(workspace) = {
	{ "GET", "/A/workspaces/new", NEW, .handler = new_workspace },
	{ "POST", "/A/workspaces/new", NEW, .handler = create },
	{ .method = NULL },
};
