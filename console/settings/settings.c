/* Settings of a workspace (docs/console.md §4.8). */
#include "settings.h"

#include <string.h>

#include "../all.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "base/digest.h"
#include "console/choices.h"
#include "content/lang.h"
#include "screen/tr.h"

#define AGREED 16 /* bytes of a digest */

static const char *
or_empty(const char *text)
{
	return text != NULL ? text : "";
}

/* Returns what the person wants the field to be. */
static const char *
typed(struct ctx *c, const struct form *f, const char *field)
{
	const char *name = settings_page_name(c, "", field);

	if (settings_page_is_tick(field))
		return form_is_on(f, name) ? "true" : "false";
	if (strcmp(field, "language") == 0)
		return or_empty(choices_language(f, &name));
	return or_empty(form_text(f, name));
}

/* Returns the name of the field that has the value. */
static const char *
place_of(struct ctx *c, const struct form *f, const char *field)
{
	const char *name = settings_page_name(c, "", field);

	if (strcmp(field, "language") == 0)
		(void)choices_language(f, &name);
	return name;
}

static struct err *
settings(struct ctx *c, struct visit *v, struct reply *reply)
{
	struct settings_page *p = settings_page_begin(c, v);

	settings_page_fill(p);
	return settings_page_show(p, reply);
}

/* ---- Save */

/* Adds a field that the person changed. */
static struct err *
read_field(struct settings_page *p, struct settings_change *change, const char *field)
{
	const char *was = settings_page_name(p->c, "was-", field);
	const char *seen = or_empty(form_text(&p->form, was));
	const char *value = typed(p->c, &p->form, field);
	const char *place = place_of(p->c, &p->form, field);

	if (value[0] == '\0' && strcmp(place, "language-code") == 0)
		return err_param(p->c, place, "%s", tr("This must be filled in."));

	/* A page from before a choice was there, or a choice that was refused. */
	if (strcmp(seen, value) == 0 ||
	    (settings_page_is_choice(field) && (seen[0] == '\0' || value[0] == '\0')))
		return NULL;
	return settings_field_seen(p->c, change, field, seen, value);
}

/* Reads what the person changed. Each wrong field gets its sentence. */
static struct err *
read_change(struct settings_page *p, struct settings_change *change)
{
	const struct find_place place = { .name = p->w->uuid };
	struct err *err = settings_read(p->c, &place, change);
	const char *field;

	for (size_t i = 0; err == NULL && (field = settings_page_field(i)) != NULL; i++) {
		struct err *wrong = read_field(p, change, field);
		if (wrong != NULL)
			form_refuse(&p->form, place_of(p->c, &p->form, field), wrong->message);
	}
	return err;
}

/* Returns the name of what is changed: who saw its effect sends it with the second Save. */
static const char *
agreement(struct ctx *c, const struct settings_change *change)
{
	char *hex = arena_alloc(c->arena, (size_t)AGREED * 2 + 1);
	struct digest d;

	digest_begin(&d, AGREED, "galley settings 1");
	for (size_t i = 0; i < change->count; i++) {
		digest_text(&d, change->pairs[i].field);
		digest_text(&d, change->pairs[i].value);
	}
	digest_end_hex(&d, hex);
	return hex;
}

/* Shows what the change does, if that was not agreed to. */
static struct err *
ask(struct settings_page *p, const struct settings_change *change, bool *asked)
{
	struct settings_effect *e = arena_alloc(p->c->arena, sizeof(*e));
	const char *agreed = agreement(p->c, change);
	struct err *err = settings_effect(p->c, change, e);

	*asked = err == NULL && e->announced > 0 &&
		 strcmp(or_empty(form_text(&p->form, "agreed")), agreed) != 0;
	if (!*asked)
		return err;
	p->effect = e;
	if (strcmp(change->read->settings.language, change->tried.settings.language) != 0)
		p->doubt = subtag_doubt(p->c->arena, change->tried.settings.language);
	form_fill(&p->form, "agreed", agreed);
	return NULL;
}

/* Puts a conflict beside its field. The person has seen then what that field holds now;
 * all others stay as they were seen. */
static struct err *
wrong(struct settings_page *p, struct visit *v, struct reply *reply, struct err *err)
{
	const struct find_place place = { .name = p->w->uuid };
	const char *field = err->param;
	struct settings_change now;
	struct err *gone;

	if (field != NULL)
		err->param = settings_page_name(p->c, "", field);
	err = console_wrong(p->c, v, reply, &p->form, err);
	if (err != NULL)
		return err;
	gone = settings_read(p->c, &place, &now);
	if (gone != NULL)
		return gone;
	p->w = now.read;
	settings_page_read(p);
	if (field != NULL)
		form_fill(&p->form, settings_page_name(p->c, "was-", field),
		    settings_page_value(p, field));
	form_fill(&p->form, "agreed", NULL);
	return settings_page_show(p, reply);
}

static struct err *
write_change(
    struct settings_page *p, struct visit *v, struct reply *reply, struct settings_change *change)
{
	const char *here = arena_printf(p->c->arena, "/%s/settings", p->w->uuid);
	struct err *err;

	console_will_go(v, arena_printf(p->c->arena, "%s?notice=saved", here));
	err = settings_write(p->c, change);
	if (err != NULL)
		return wrong(p, v, reply, err);
	console_journal(p->c, v, "workspace set %s", p->w->uuid);
	console_go(p->c, v, reply, here, "saved");
	return NULL;
}

static struct err *
save(struct ctx *c, struct visit *v, struct reply *reply)
{
	struct settings_page *p = settings_page_begin(c, v);
	struct settings_change change;
	bool asked, good = console_read(c, v, &p->form);
	struct err *err = read_change(p, &change);

	if (err != NULL)
		return err;
	if (!good || p->form.errors > 0) {
		console_refused(v, reply);
		return settings_page_show(p, reply);
	}
	if (change.count == 0) {
		console_go(
		    c, v, reply, arena_printf(c->arena, "/%s/settings", p->w->uuid), "unchanged");
		return NULL;
	}
	err = ask(p, &change, &asked);
	if (err != NULL)
		return err;
	return asked ? settings_page_show(p, reply) : write_change(p, v, reply, &change);
}

#define SETTINGS .title = tr_mark("Settings"), .need = RIGHT_MANAGE

const struct console_row settings_screens[] = {
	{ .method = "GET", .pattern = "/W/settings", SETTINGS, .handler = settings },
	{ .method = "POST", .pattern = "/W/settings", SETTINGS, .handler = save },
	{ .method = "POST",
	    .pattern = "/W/settings/delete",
	    SETTINGS,
	    .step_up = true,
	    .handler = settings_delete },
	{ .method = NULL },
};
