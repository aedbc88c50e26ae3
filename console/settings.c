/* Settings of a workspace, and its deletion (docs/console.md §4.8). */
#include "action/settings.h"

#include <inttypes.h>
#include <string.h>

#include "all.h"
#include "access/scope.h"
#include "access/time-zone.h"
#include "action/action.h"
#include "action/deletion.h"
#include "action/key.h"
#include "article/workspace-state.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "base/digest.h"
#include "content/subtag.h"
#include "screen/tr.h"
#include "store/db.h"
#include "system/zone/zone.h"

#define NAME_MAX_BYTES 800
#define ADDRESS_MAX 2000
#define LIST_MAX 4000
#define KEYS_MAX 20 /* that are named */
#define AGREED 16   /* bytes of a digest */
#define DELETE_S 20 /* so long one request deletes */

/* A field, and hidden beside it what the person saw. */
#define FIELD(name_, label_, hint_, max_, dir_)                                \
	{ .name = (name_), .label = (label_), .kind = FIELD_TEXT,         \
	    .max = (max_), .dir = (dir_), .hint = (hint_) },                        \
	    { .name = "was-" name_, .kind = FIELD_HIDDEN, .max = (max_) }

static const struct field fields[] = {
	FIELD("name", tr_mark("Name"), NULL, NAME_MAX_BYTES, NULL),
	FIELD("language", tr_mark("Language"),
	    tr_mark("Of articles that name none: en, ar, pt-BR."), 100, "ltr"),
	{ .name = "time-zone", .label = tr_mark("Time zone"), .kind = FIELD_SELECT,
	    .hint = tr_mark("In which the console shows and takes dates.") },
	{ .name = "was-time-zone", .kind = FIELD_HIDDEN },
	FIELD("website", tr_mark("Website"),
	    tr_mark("The site that shows the articles: https://www.example.com"),
	    ADDRESS_MAX, "ltr"),
	FIELD("address-pattern", tr_mark("Address of an article"),
	    tr_mark("Its path on the website: /blog/{slug}/"), ADDRESS_MAX, "ltr"),
	FIELD("publisher-name", tr_mark("Publisher"), tr_mark("The brand. Empty: the name above."),
	    NAME_MAX_BYTES, NULL),
	FIELD("publisher-logo-url", tr_mark("Address of the logo"), NULL, ADDRESS_MAX, "ltr"),
	FIELD("author-name", tr_mark("Author"),
	    tr_mark("Of articles that name none. Empty: the publisher."),
	    NAME_MAX_BYTES, NULL),
	FIELD("author-url", tr_mark("Address of the author's profile"), NULL, ADDRESS_MAX,
	    "ltr"),
	{ .name = "analytics-enabled", .label = tr_mark("Count readers"),
	    .kind = FIELD_CHECKBOX },
	{ .name = "was-analytics-enabled", .kind = FIELD_HIDDEN },
	FIELD("analytics-origins", tr_mark("Sites that may count readers"),
	    tr_mark("https://host, several separated by commas."), LIST_MAX, "ltr"),
	FIELD("embed-origins", tr_mark("Sites that may embed"),
	    tr_mark("https://host, several separated by commas."), LIST_MAX, "ltr"),
	{ .name = "agreed", .kind = FIELD_HIDDEN },
	{ .name = "save", .label = tr_mark("Save"), .kind = FIELD_SUBMIT,
	    .tone = FIELD_PRIMARY },
	{ .name = NULL },
};

static const struct field delete_fields[] = {
	{ .name = "confirm", .label = tr_mark("Name of the workspace"),
	    .kind = FIELD_TEXT, .max = NAME_MAX_BYTES, .required = true,
	    .autocomplete = "off", .missing = tr_mark("Type the name to delete it.") },
	{ .name = "delete", .label = tr_mark("Delete this workspace"),
	    .kind = FIELD_SUBMIT, .tone = FIELD_DANGER },
	{ .name = NULL },
};

struct settings_page {
	struct ctx *c;
	const struct visit *v;
	const struct workspace *w;
	struct form form, deletion;
	const char *sample;
	const char *keys[KEYS_MAX]; /* labels of those that may publish */
	size_t key_count;
	const struct settings_effect *effect; /* to be agreed to, or NULL */
	const char *doubt; /* about the language, or NULL */
	const char *zone;  /* the present time zone */
};

/* ---- names of fields */

/* Returns the name in the form of a field of a workspace, with `before` in front of it. */
static const char *
name_of(struct ctx *c, const char *before, const char *field)
{
	char *name = arena_printf(c->arena, "%s%s", before, field);

	for (char *p = name; *p != '\0'; p++)
		*p = *p == '_' ? '-' : *p;
	return name;
}

static bool
is_tick(const char *field)
{
	return strcmp(field, "analytics_enabled") == 0;
}

static const char *
or_empty(const char *text)
{
	return text != NULL ? text : "";
}

/* Returns what the person wants the field to be. */
static const char *
typed(struct ctx *c, const struct form *f, const char *field)
{
	const char *name = name_of(c, "", field);

	if (is_tick(field))
		return form_is_on(f, name) ? "true" : "false";
	return or_empty(form_text(f, name));
}

/* ---- the page */

static void
write_effect(struct hwrite *w, const struct settings_page *p)
{
	const struct settings_effect *e = p->effect;
	int64_t n = e->announced;

	screen_notice(w, SCREEN_WARNING, "%s", arena_printf(p->c->arena,
	    tr_count("%lld published article is announced again: every site copies it"
		     " at its next synchronization. Press “Save” once more to do it.",
		"%lld published articles are announced again: every site copies them"
		" at its next synchronization. Press “Save” once more to do it.", n),
	    (long long)n));
	if (e->before != NULL &&
	    (e->after == NULL || strcmp(e->before, e->after) != 0))
		screen_notice(w, SCREEN_WARNING,
		    tr("Articles move, such as %s to %s. The site must lead the old"
		       " addresses to the new ones."), e->before,
		    e->after != NULL ? e->after : tr("no address"));
	if (p->doubt != NULL)
		screen_notice(w, SCREEN_NOTE, "%s", p->doubt);
}

static void
write_about(struct hwrite *w, const struct settings_page *p)
{
	hwrite_open(w, H_P);
	if (p->sample != NULL)
		screen_sentence(w, tr("An article is at %s."), p->sample);
	else
		hwrite_text(w, tr("Articles have no address: the website or the address"
				  " of an article is empty."));
	hwrite_close(w, H_P);
	if (p->key_count == 0)
		return;
	hwrite_element(w, H_P, tr("These keys may order articles that are published"
				  " without a person:"));
	hwrite_open(w, H_UL);
	for (size_t i = 0; i < p->key_count; i++) {
		hwrite_open(w, H_LI);
		screen_data(w, p->keys[i]);
		hwrite_close(w, H_LI);
	}
	hwrite_close(w, H_UL);
}

static void
write_link(struct hwrite *w, const char *address, const char *text)
{
	hwrite_open(w, H_P);
	hwrite_open(w, H_A);
	hwrite_address(w, A_HREF, address);
	hwrite_text(w, text);
	hwrite_close(w, H_A);
	hwrite_close(w, H_P);
}

static void
write_page(struct hwrite *w, const void *data)
{
	const struct settings_page *p = data;
	const char *here = arena_printf(p->c->arena, "/%s/settings", p->w->uuid);

	if (p->effect != NULL)
		write_effect(w, p);
	write_about(w, p);
	console_form(p->c, p->v, w, &p->form, here);
	write_link(w, console_path(p->c, p->v, "%s/pings", here), tr("Pings"));
	write_link(w, console_path(p->c, p->v, "%s/exports", here), tr("Refresh exports"));
	hwrite_element(w, H_H2, tr("Delete this workspace"));
	hwrite_element(w, H_P, tr("Its articles, editions, trash and pictures are destroyed,"
				  " and its keys are refused. A backup alone still holds them."));
	console_form(p->c, p->v, w, &p->deletion,
	    arena_printf(p->c->arena, "%s/delete", here));
}

static void
keep_key(void *arg, const struct apikey *key)
{
	struct settings_page *p = arg;

	if ((key->scopes & SCOPE_GENERATE) != 0 && p->key_count < KEYS_MAX &&
	    strcmp(key_state(p->c, key), "good") == 0)
		p->keys[p->key_count++] =
		    key->label[0] != '\0' ? key->label : key->display;
}

/* Fills in what is stored, also where it is hidden: the next Save is checked against that. */
static void
fill(struct settings_page *p)
{
	for (size_t i = 0; workspace_fields[i] != NULL; i++) {
		const char *field = workspace_fields[i];
		const char *value = settings_value(p->c, p->w, field);
		if (is_tick(field))
			form_tick(&p->form, name_of(p->c, "", field),
			    strcmp(value, "true") == 0);
		else
			form_fill(&p->form, name_of(p->c, "", field), value);
		form_fill(&p->form, name_of(p->c, "was-", field), value);
	}
	form_fill(&p->form, "time-zone", p->zone);
	form_fill(&p->form, "was-time-zone", p->zone);
}

/* Returns the time zones that can be chosen. The present one is among them, wherever it came
 * from. */
static const struct field_choice *
zone_choices(struct ctx *c, struct settings_page *p)
{
	const char **names = zone_names(c);
	struct field_choice *out;
	size_t count = 0, made = 0;
	bool here = false;

	db_begin_read(c, DB_CONTENT);
	p->zone = time_zone_of(c, p->w->id);
	db_rollback(c);
	for (; names[count] != NULL; count++)
		here = here || strcmp(names[count], p->zone) == 0;
	out = arena_array(c->arena, count + 2, sizeof(*out));
	if (!here)
		out[made++] = (struct field_choice){ p->zone, p->zone };
	for (size_t i = 0; i < count; i++)
		out[made++] = (struct field_choice){ names[i], names[i] };
	out[made] = (struct field_choice){ NULL, NULL };
	return out;
}

static struct settings_page *
begin(struct ctx *c, const struct visit *v)
{
	struct settings_page *p = arena_alloc(c->arena, sizeof(*p));

	p->c = c;
	p->v = v;
	p->w = v->workspace;
	form_init(&p->form, "settings", fields);
	form_choices(&p->form, "time-zone", zone_choices(c, p));
	form_init(&p->deletion, "deletion", delete_fields);
	return p;
}

static struct err *
look(void *arg)
{
	struct settings_page *p = arg;

	p->sample = workspace_state_sample(p->c, p->w);
	return NULL;
}

static struct err *
show(struct settings_page *p, struct reply *reply)
{
	const struct find_place place = { .name = p->w->uuid };
	struct err *err = action_read(p->c, look, p);

	if (err == NULL)
		err = key_list(p->c, &place, keep_key, p);
	if (err == NULL)
		console_page(p->c, p->v, reply, NULL, NULL, write_page, p);
	return err;
}

static struct err *
settings(struct ctx *c, struct visit *v, struct reply *reply)
{
	struct settings_page *p = begin(c, v);

	fill(p);
	return show(p, reply);
}

/* ---- Save */

static struct err *
read_zone(struct settings_page *p, struct settings_change *change)
{
	const char *seen = or_empty(form_text(&p->form, "was-time-zone"));
	const char *value = or_empty(form_text(&p->form, "time-zone"));

	/* A page from before this field was there, or a choice that was refused. */
	if (seen[0] == '\0' || value[0] == '\0' || strcmp(seen, value) == 0)
		return NULL;
	return settings_field_seen(p->c, change, SETTINGS_TIME_ZONE, seen, value);
}

/* Reads what the person changed. Each wrong field gets its sentence. */
static struct err *
read_change(struct settings_page *p, struct settings_change *change)
{
	const struct find_place place = { .name = p->w->uuid };
	struct err *err = settings_read(p->c, &place, change);

	for (size_t i = 0; err == NULL && workspace_fields[i] != NULL; i++) {
		const char *field = workspace_fields[i];
		const char *seen = or_empty(form_text(&p->form,
		    name_of(p->c, "was-", field)));
		const char *value = typed(p->c, &p->form, field);
		struct err *wrong = strcmp(seen, value) == 0 ? NULL
		    : settings_field_seen(p->c, change, field, seen, value);
		if (wrong != NULL)
			form_refuse(&p->form, name_of(p->c, "", field),
			    wrong->message);
	}
	return err != NULL ? err : read_zone(p, change);
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
	if (strcmp(change->read->settings.language,
		change->tried.settings.language) != 0)
		p->doubt = subtag_doubt(p->c->arena,
		    change->tried.settings.language);
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
		err->param = name_of(p->c, "", field);
	err = console_wrong(p->c, v, reply, &p->form, err);
	if (err != NULL)
		return err;
	gone = settings_read(p->c, &place, &now);
	if (gone != NULL)
		return gone;
	p->w = now.read;
	if (field != NULL)
		form_fill(&p->form, name_of(p->c, "was-", field),
		    strcmp(field, SETTINGS_TIME_ZONE) == 0 ? now.time_zone
			: settings_value(p->c, p->w, field));
	form_fill(&p->form, "agreed", NULL);
	return show(p, reply);
}

static struct err *
write_change(struct settings_page *p, struct visit *v, struct reply *reply,
    struct settings_change *change)
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
	struct settings_page *p = begin(c, v);
	struct settings_change change;
	bool asked, good = console_read(c, v, &p->form);
	struct err *err = read_change(p, &change);

	if (err != NULL)
		return err;
	if (!good || p->form.errors > 0) {
		console_refused(v, reply);
		return show(p, reply);
	}
	if (change.count == 0) {
		console_go(c, v, reply, arena_printf(c->arena, "/%s/settings",
		    p->w->uuid), "unchanged");
		return NULL;
	}
	err = ask(p, &change, &asked);
	if (err != NULL)
		return err;
	return asked ? show(p, reply) : write_change(p, v, reply, &change);
}

/* ---- deletion */

static bool
must_stop(void *arg)
{
	const int64_t *until = arg;

	return clock_boot() > *until;
}

static struct err *
deletion_page(struct settings_page *p, struct visit *v, struct reply *reply,
    struct err *err)
{
	if (work_is_stopped(err))
		err->message = tr("The keys of this workspace are refused, and many of its"
				  " articles are destroyed. Some are left: send this once"
				  " more.");
	else if (v->repeated || err->code != ERR_CONFLICT)
		return err;
	form_refuse(&p->deletion, "confirm", err->message);
	reply->status = 422;
	fill(p);
	return show(p, reply);
}

static struct err *
run_deletion(struct settings_page *p, struct visit *v, struct deletion *d)
{
	struct err *err = deletion_confirm(p->c, d, form_text(&p->deletion, "confirm"));

	if (err != NULL)
		return err;
	console_will_go(v, "/?notice=deleted");
	console_journal(p->c, v, "workspace delete %s", p->w->uuid);
	return deletion_run(p->c, d);
}

static struct err *
delete(struct ctx *c, struct visit *v, struct reply *reply)
{
	int64_t until = clock_boot() + DELETE_S * CLOCK_SECOND;
	const struct work work = { .must_stop = must_stop, .arg = &until };
	const struct find_place place = { .name = v->workspace->uuid };
	struct deletion d = { .work = &work };
	struct settings_page *p = begin(c, v);
	struct err *err;

	if (!console_read(c, v, &p->deletion)) {
		console_refused(v, reply);
		fill(p);
		return show(p, reply);
	}
	err = deletion_find(c, &place, &d);
	if (err == NULL)
		err = run_deletion(p, v, &d);
	if (err != NULL)
		return deletion_page(p, v, reply, err);
	console_go(c, v, reply, "/", "deleted");
	return NULL;
}

#define SETTINGS .title = tr_mark("Settings"), .need = RIGHT_MANAGE

const struct console_row settings_screens[] = {
	{ .method = "GET", .pattern = "/W/settings", SETTINGS, .handler = settings },
	{ .method = "POST", .pattern = "/W/settings", SETTINGS, .handler = save },
	{ .method = "POST", .pattern = "/W/settings/delete", SETTINGS,
	    .step_up = true, .handler = delete },
	{ .method = NULL },
};
