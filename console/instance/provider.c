/* "Test the provider": what becomes of an order, without the order (docs/console.md §4.14). */
#include "base/arena.h"
#include "base/ctx.h"
#include "instance.h"
#include "job/try.h"
#include "screen/tr.h"
#include "system/conf.h"
#include "task/errand.h"

#define PATH "/instance/provider"

static const struct field_choice whats[] = {
	{ PROVIDER_ARTICLE, tr_mark("An article") },
	{ PROVIDER_PICTURE, tr_mark("An article with a picture") },
	{ PROVIDER_RESEARCH, tr_mark("A research brief") },
	{ NULL, NULL },
};

static const struct field fields[] = {
	{ .name = "what",
	    .label = tr_mark("What is asked for"),
	    .kind = FIELD_SELECT,
	    .required = true,
	    .choices = whats },
	{ .name = "test",
	    .label = tr_mark("Test the provider"),
	    .kind = FIELD_SUBMIT,
	    .tone = FIELD_PRIMARY },
	{ .name = NULL },
};

struct page {
	struct ctx *c;
	const struct visit *v;
	struct instance_errand errand;
	struct report report;
	const char *program; /* NULL: none is run */
	struct form form;
};

static void
write_main(struct hwrite *w, const void *data)
{
	static const char *const kinds[] = { ASKING_PROVIDER, NULL };
	const struct page *p = data;

	instance_write_places(w, p->c, p->v);
	instance_write_errand(w, &p->errand, kinds);
	hwrite_element(w, H_P,
	    tr("The provider of galley.conf is run once, as for an order of the newest workspace. No order, no article and no charge comes of it; what a model costs is to be paid."));
	if (p->c->conf->fault != NULL)
		screen_notice(w, SCREEN_BAD,
		    tr("galley.conf has a fault, so no provider is run: %s"), p->c->conf->fault);
	else if (p->program == NULL)
		screen_empty(w, tr("galley.conf names no provider."), NULL, NULL);
	else if (!p->errand.open)
		console_form(p->c, p->v, w, &p->form, PATH);
	if (p->report.count > 0 && !p->errand.open)
		instance_write_report(w, tr("What the provider did"), &p->report);
}

static struct page *
begin(struct ctx *c, struct visit *v)
{
	struct page *p = arena_alloc(c->arena, sizeof(*p));

	p->c = c;
	p->v = v;
	p->program = c->conf->fault != NULL ? NULL : try_program(c);
	instance_look_aside(c, v, &p->errand);
	(void)report_read(c, ASKING_PROVIDER, &p->report);
	form_init(&p->form, "provider", fields);
	return p;
}

static struct err *
show(struct ctx *c, struct visit *v, struct reply *reply)
{
	console_page(c, v, reply, NULL, NULL, write_main, begin(c, v));
	return NULL;
}

static struct err *
test(struct ctx *c, struct visit *v, struct reply *reply)
{
	struct page *p = begin(c, v);
	struct err *err;

	console_will_go(v, PATH);
	if (!console_read(c, v, &p->form)) {
		console_refused(v, reply);
		console_page(c, v, reply, NULL, NULL, write_main, p);
		return NULL;
	}
	err = asking_provider(c, form_text(&p->form, "what"), v->person->uuid);
	if (err != NULL)
		return err;
	console_journal(c, v, "instance provider");
	console_go(c, v, reply, PATH, NULL);
	return NULL;
}

const struct console_row provider_screens[] = {
	{ .method = "GET",
	    .pattern = PATH,
	    INSTANCE,
	    .title = tr_mark("Provider"),
	    .handler = show },
	{ .method = "POST",
	    .pattern = PATH,
	    INSTANCE,
	    .title = tr_mark("Provider"),
	    .handler = test },
	{ .method = NULL },
};
