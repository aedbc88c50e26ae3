/* Settings of a workspace (docs/console.md §4.8): the fields and the page around them, and Save. */
#include <inttypes.h>
#include <string.h>

#include "access/account.h"
#include "access/apikey.h"
#include "access/pages-settings.h"
#include "access/workspace.h"
#include "action/action.h"
#include "action/key-actions.h"
#include "action/workspace-actions.h"
#include "all.h"
#include "article/content-state.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/ctx.h"
#include "base/digest.h"
#include "base/utf8.h"
#include "console/answer.h"
#include "console/choices.h"
#include "console/request.h"
#include "content/lang.h"
#include "export/html-text.h"
#include "screen/form.h"
#include "screen/say.h"
#include "screen/tr.h"
#include "store/db.h"
#include "system/conf.h"

#define SETTINGS_KEYS_MAX 20 /* that are named */
struct settings_page {
	struct ctx *c;
	const struct visit *v;
	const struct workspace *w;
	struct form form;
	const char *sample;
	const char *keys[SETTINGS_KEYS_MAX]; /* labels of those that may publish */
	size_t key_count;
	const struct settings_effect *effect; /* to be agreed to */
	const char *doubt; /* about the language, or NULL */
	/* what is stored of the workspace, and is no column of its table */
	const char *zone, *word;
	struct pages_look look;
	bool has_pages; /* its account is verified, or it has a word already */
};

#define NAME_MAX_BYTES 800
#define ADDRESS_MAX 2000
#define LIST_MAX 4000

/* A field, and hidden beside it what the person saw. */
#define FIELD(name_, label_, hint_, max_, dir_)                                                    \
	{ .name = (name_),                                                                         \
		.label = (label_),                                                                 \
		.kind = FIELD_TEXT,                                                                \
		.max = (max_),                                                                     \
		.dir = (dir_),                                                                     \
		.hint = (hint_) },                                                                 \
	{                                                                                          \
		.name = "was-" name_, .kind = FIELD_HIDDEN, .max = (max_)                          \
	}

static const struct field_choice fonts[] = {
	{ "system", tr_mark("Galley's, with serifs") },
	{ "serif", tr_mark("With serifs") },
	{ "sans", tr_mark("Without serifs") },
	{ "mono", tr_mark("Typewriter") },
	{ NULL, NULL },
};

static const struct field fields[] = {
	{ .name = "name",
	    .label = tr_mark("Name"),
	    .kind = FIELD_TEXT,
	    .max = NAME_MAX_BYTES,
	    .required = true },
	{ .name = "was-name", .kind = FIELD_HIDDEN, .max = NAME_MAX_BYTES },
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
	{ .name = "was-language", .kind = FIELD_HIDDEN },
	{ .name = "time-zone",
	    .label = tr_mark("Time zone"),
	    .kind = FIELD_TEXT,
	    .required = true,
	    .dir = "ltr",
	    .autocomplete = "off",
	    .hint = tr_mark("A city, such as Berlin, or an offset, such as UTC+2.") },
	{ .name = "was-time-zone", .kind = FIELD_HIDDEN },
	FIELD("website", tr_mark("Website"),
	    tr_mark("The site that shows the articles: https://www.example.com"), ADDRESS_MAX,
	    "ltr"),
	FIELD("address-pattern", tr_mark("Address of an article"),
	    tr_mark("Its path on the website: /blog/{slug}/"), ADDRESS_MAX, "ltr"),
	FIELD("publisher-name", tr_mark("Publisher"), tr_mark("The brand. Empty: the name above."),
	    NAME_MAX_BYTES, NULL),
	FIELD("publisher-logo-url", tr_mark("Address of the logo"), NULL, ADDRESS_MAX, "ltr"),
	FIELD("author-name", tr_mark("Author"),
	    tr_mark("Of articles that name none. Empty: the publisher."), NAME_MAX_BYTES, NULL),
	FIELD("author-url", tr_mark("Address of the author's profile"), NULL, ADDRESS_MAX, "ltr"),
	FIELD("pages", tr_mark("Word of the pages"),
	    tr_mark(
		"A part of their address: a to z, 0 to 9 and hyphens. Empty: no pages. Nobody else can have a word that you had."),
	    200, "ltr"),
	FIELD("pages-title", tr_mark("Title of the pages"), tr_mark("Empty: the name above."),
	    NAME_MAX_BYTES, NULL),
	FIELD("pages-accent", tr_mark("Color of the pages"),
	    tr_mark(
		"Such as #0a6e4f. Links that could not be read in it have Galley's. Empty: Galley's."),
	    20, "ltr"),
	{ .name = "pages-font",
	    .label = tr_mark("Font of the pages"),
	    .kind = FIELD_SELECT,
	    .required = true,
	    .choices = fonts },
	{ .name = "was-pages-font", .kind = FIELD_HIDDEN },
	FIELD("pages-width", tr_mark("Width of the text"),
	    tr_mark("From 30 to 60, in the width of letters (rem). Empty: 42."), 20, "ltr"),
	FIELD("embed-origins", tr_mark("Sites that may embed"),
	    tr_mark("https://host, several separated by commas."), LIST_MAX, "ltr"),
	{ .name = "embed-line",
	    .label = tr_mark("Line to paste into your website"),
	    .kind = FIELD_AREA,
	    .max = LIST_MAX,
	    .rows = 3,
	    .readonly = true,
	    .copied = true,
	    .dir = "ltr",
	    .hint =
		tr_mark("Where it is pasted, the pages appear. Only the sites above can do it.") },
	{ .name = "analytics-enabled", .label = tr_mark("Count readers"), .kind = FIELD_CHECKBOX },
	{ .name = "was-analytics-enabled", .kind = FIELD_HIDDEN },
	FIELD("analytics-origins", tr_mark("Sites that may count readers"),
	    tr_mark("https://host, several separated by commas."), LIST_MAX, "ltr"),
	{ .name = "collect-line",
	    .label = tr_mark("Line to paste for counting"),
	    .kind = FIELD_AREA,
	    .max = LIST_MAX,
	    .rows = 3,
	    .readonly = true,
	    .copied = true,
	    .dir = "ltr",
	    .hint =
		tr_mark("Nothing is counted before your website says that the reader agreed.") },
	{ .name = "agreed", .kind = FIELD_HIDDEN },
	{ .name = "save", .label = tr_mark("Save"), .kind = FIELD_SUBMIT, .tone = FIELD_PRIMARY },
	{ .name = "more", .label = tr_mark("Change more"), .kind = FIELD_SUBMIT },
	{ .name = NULL },
};

/* ---- names of fields */

/* Returns the i-th field of the screen, as settings_field() calls it; NULL after the last. */
static const char *
settings_page_field(size_t i)
{
	static const char *const more[] = { SETTINGS_TIME_ZONE, SETTINGS_PAGES, "pages_title",
		"pages_accent", "pages_font", "pages_width", NULL };
	size_t first = 0;

	while (workspace_fields[first] != NULL)
		first++;
	return i < first ? workspace_fields[i] : more[i - first];
}

/* Returns the name in the form of a field, with `before` in front of it (arena). */
static const char *
settings_page_name(struct ctx *c, const char *before, const char *field)
{
	char *name = arena_printf(c->arena, "%s%s", before, field);

	for (char *p = name; *p != '\0'; p++)
		*p = *p == '_' ? '-' : *p;
	return name;
}

/* Returns whether the field is a tick, and whether it is one of some choices. */
static bool
settings_page_is_tick(const char *field)
{
	return strcmp(field, "analytics_enabled") == 0;
}

static bool
settings_page_is_choice(const char *field)
{
	return strcmp(field, "pages_font") == 0 || strcmp(field, "language") == 0;
}

/* Returns what is stored of a field. */
static const char *
settings_page_value(const struct settings_page *p, const char *field)
{
	if (strcmp(field, SETTINGS_TIME_ZONE) == 0)
		return p->zone;
	if (strcmp(field, SETTINGS_PAGES) == 0)
		return p->word;
	if (strncmp(field, "pages_", 6) == 0)
		return pages_look_value(p->c, &p->look, field);
	return settings_value(p->c, p->w, field);
}

/* Fills in what is stored, also where it is hidden: the next Save is checked against that. */
static void
settings_page_fill(struct settings_page *p)
{
	const char *field;

	for (size_t i = 0; (field = settings_page_field(i)) != NULL; i++) {
		const char *value = settings_page_value(p, field);
		if (settings_page_is_tick(field))
			form_tick(&p->form, settings_page_name(p->c, "", field),
			    strcmp(value, "true") == 0);
		else
			form_fill(&p->form, settings_page_name(p->c, "", field), value);
		form_fill(&p->form, settings_page_name(p->c, "was-", field), value);
	}
}

/* ---- the page */

/* Asks about a change that sites copy. The form goes along, hidden. */
static void
write_question(struct hwrite *w, const void *data)
{
	const struct settings_page *p = data;
	const struct settings_effect *e = p->effect;
	const char *said = arena_printf(p->c->arena,
	    tr_count(
		"%s published article is announced again: every site copies it at its next synchronization.",
		"%s published articles are announced again: every site copies them at its next synchronization.",
		e->announced),
	    tr_number(p->c->arena, e->announced));

	console_form_begin(
	    p->c, p->v, w, &p->form, arena_printf(p->c->arena, "/%s/settings", p->w->uuid));
	form_write_hidden(w, &p->form);
	@ <div class="box"><p>{=said}</p>
	if (e->before != NULL && (e->after == NULL || strcmp(e->before, e->after) != 0))
		@ <p>Articles move, such as {e->before} to
		@ {e->after != NULL ? e->after : tr("no address")}. The site must lead the old
		@ addresses to the new ones.</p>
	if (p->doubt != NULL)
		@ <p>{=p->doubt}</p>
	@ <div class="buttons"><button type="submit" name="save" value="1" class="button primary">
	@ Save and announce</button><button type="submit" name="more" value="1" class="button">
	@ Change more</button></div></div>
	form_write_end(w);
}

/* Writes where an article is, and which keys may publish without a person. */
static void
write_about(struct hwrite *w, const struct settings_page *p)
{
	if (p->sample != NULL)
		@ <p class="soft small">An article is at {p->sample}.</p>
	else
		@ <p class="soft small">Articles have no address: the website or the address of an
		@ article is empty.</p>
	if (p->key_count == 0)
		return;
	@ <p>These keys may order articles that are published without a person:</p><ul>
	for (size_t i = 0; i < p->key_count; i++)
		@ <li>{p->keys[i]}</li>
	@ </ul>
}

/* Writes fields, each with the hidden one of what was seen. */
static void
write_fields(struct hwrite *w, const struct settings_page *p, const char *const *names)
{
	for (; *names != NULL; names++) {
		if (strcmp(*names, "language") == 0)
			choices_write_language(w, &p->form);
		else
			form_write_field(w, &p->form, *names);
		form_write_field(w, &p->form, arena_printf(p->c->arena, "was-%s", *names));
		if (strcmp(*names, "time-zone") == 0)
			@ <p class="soft small">{p->zone}: it is {say_clock_text(p->c, p->c->now)} there now.
			@ The console shows and takes dates in this time zone.</p>
	}
}

/* Writes two short fields side by side. */
static void
write_half(struct hwrite *w, const struct settings_page *p, const char *first, const char *second)
{
	@ <div class="half"><div>
	write_fields(w, p, (const char *const[]) { first, NULL });
	@ </div><div>
	write_fields(w, p, (const char *const[]) { second, NULL });
	@ </div></div>
}

/* Writes what the pages are and how they look. */
static void
write_pages(struct hwrite *w, const struct settings_page *p)
{
	static const char *const own[] = { "pages", NULL }, *const title[] = { "pages-title",
		NULL };
	static const char *const look[] = { "pages-width", "embed-origins", NULL };
	const char *address = pages_address_of(p->c, p->word);

	@ <section class="box" id="pages"><header><h2>Pages</h2>
	if (address != NULL)
		@ <state good>On</state>
	@ </header><p class="soft small">Galley can show your published articles as pages of its own,
	@ for websites that have none yet, and in frames of other websites.</p>
	if (!p->has_pages)
		@ <p>Only the workspaces of a verified account have pages.</p>
	/* A word that was typed before stays. */
	if (p->has_pages || text_or_empty(form_text(&p->form, "pages"))[0] != '\0')
		write_fields(w, p, own);
	if (address != NULL)
		@ <p><a href={address}>Look at the pages</a></p><p class="soft small">Unpublish acts in
		@ the next request; other caches may show it a minute longer.</p>
	write_fields(w, p, title);
	write_half(w, p, "pages-accent", "pages-font");
	write_fields(w, p, look);
	if (address != NULL)
		form_write_field(w, &p->form, "embed-line");
	@ </section>
}

static void
write_counting(struct hwrite *w, const struct settings_page *p, const char *here)
{
	static const char *const names[] = { "analytics-enabled", "analytics-origins", NULL };

	@ <section class="box" id="counting"><header><h2>Counting</h2>
	if (p->w->analytics_enabled)
		@ <state good>On</state>
	@ </header>
	write_fields(w, p, names);
	if (p->w->analytics_enabled && form_text(&p->form, "collect-line") != NULL)
		form_write_field(w, &p->form, "collect-line");
	@ <p><a href={console_path(p->c, p->v, "%s/counting", here)}>What the collector took</a></p>
	@ </section>
}

static void
write_form(struct hwrite *w, const struct settings_page *p, const char *here)
{
	static const char *const name[] = { "name", NULL };
	static const char *const brand[] = { "publisher-name", "publisher-logo-url", "author-name",
		"author-url", NULL };
	static const char *const website[] = { "website", "address-pattern", NULL };

	form_write_summary(w, &p->form);
	console_form_begin(p->c, p->v, w, &p->form, here);
	@ <div class="stack"><section class="box" id="general"><header><h2>General</h2></header>
	write_fields(w, p, name);
	write_half(w, p, "language", "time-zone");
	write_fields(w, p, brand);
	@ </section><section class="box" id="website"><header><h2>Website</h2></header>
	write_fields(w, p, website);
	write_about(w, p);
	@ </section>
	write_pages(w, p);
	write_counting(w, p, here);
	@ </div>
	form_write_field(w, &p->form, "agreed");
	if (!p->form.closed) {
		@ <div class="save-bar">
		form_write_field(w, &p->form, "save");
		@ <a class="button quiet" href={console_path(p->c, p->v, "%s", here)}>Take back</a></div>
	}
	form_write_end(w);
}

static const char *
escaped(struct arena *a, const char *text)
{
	struct buf out;

	buf_init(&out, a, LIST_MAX);
	html_text_escape(&out, text, strlen(text));
	return buf_done(&out);
}

/* Fills in the lines that a person pastes. They are shown and never read. */
static void
fill_lines(struct settings_page *p)
{
	const char *title = p->look.title[0] != '\0' ? p->look.title : p->w->settings.name;
	const char *address = pages_address_of(p->c, p->word);
	const char *embed = pages_script_of(p->c, "embed.js");

	if (address != NULL)
		form_fill(&p->form, "embed-line",
		    arena_printf(p->c->arena,
			"<script src=\"%s\" data-pages=\"%s\" async></script><noscript><a href=\"%s\">%s</a></noscript>",
			embed, p->word, address, escaped(p->c->arena, title)));
	if (embed != NULL)
		form_fill(&p->form, "collect-line",
		    arena_printf(p->c->arena, "<script src=\"%s\" data-site=\"%s\" defer></script>",
			pages_script_of(p->c, "collect.js"), p->w->analytics_site_id));
}

static void
write_page(struct hwrite *w, const void *data)
{
	const struct settings_page *p = data;
	const char *here = arena_printf(p->c->arena, "/%s/settings", p->w->uuid);
	const bool rests = console_rests(p->v);

	if (!p->has_pages && !rests) {
		@ <p>This account is not verified, so this workspace has no pages of its own.</p>
		verification_write(w, p->c, p->v);
	}
	@ <div class="with-index"><nav class="index" aria-label="Parts of the settings"><ul>
	@ <li><a href="#general">General</a></li><li><a href="#website">Website</a></li>
	@ <li><a href="#pages">Pages</a></li><li><a href="#counting">Counting</a></li>
	@ <li><a href="#pings">Pings</a></li>
	if (!rests)
		@ <li><a href="#delete">Delete</a></li>
	@ </ul></nav><div class="stack">
	write_form(w, p, here);
	@ <section class="box" id="pings"><header><h2>Pings</h2></header>
	@ <p class="soft small">Your website is told at once when it has something to copy.</p>
	@ <p><a href={console_path(p->c, p->v, "%s/pings", here)}>Open the pings</a></p>
	@ <p><a href={console_path(p->c, p->v, "%s/exports", here)}>Refresh exports</a></p></section>
	if (!rests) {
		@ <section class="box danger" id="delete"><header><h2>Delete this workspace</h2></header>
		@ <p class="soft small">The next page says what goes with it, and asks for its name.</p><p>
		screen_question_link(
		    w, console_path(p->c, p->v, "%s/delete", here), tr("Delete this workspace"));
		@ </p></section>
	}
	@ </div></div>
}

static void
keep_key(void *arg, const struct apikey *key)
{
	struct settings_page *p = arg;

	if ((key->scopes & SCOPE_GENERATE) != 0 && p->key_count < SETTINGS_KEYS_MAX &&
	    strcmp(key_state(p->c, key), "good") == 0)
		p->keys[p->key_count++] = key->label[0] != '\0' ? key->label : key->display;
}

/* Reads p->w's part that is no column of its table. Needs no transaction. */
static void
settings_page_read(struct settings_page *p)
{
	struct ctx *c = p->c;

	db_begin_read(c, DB_CONTENT);
	p->zone = time_zone_of(c, p->w->id);
	p->word = word_of(c, p->w->id);
	pages_look_of(c, p->w->id, &p->look);
	p->has_pages = p->word[0] != '\0' || account_of(c, p->w->account_id)->verified;
	db_rollback(c);
}

/* Begins the page; its forms are empty. */
static struct settings_page *
settings_page_begin(struct ctx *c, const struct visit *v)
{
	struct settings_page *p = arena_alloc(c->arena, sizeof(*p));
	const char *seen = console_sent(v, "was-language");

	p->c = c;
	p->v = v;
	p->w = v->workspace;
	settings_page_read(p);
	form_init(&p->form, "settings", fields);
	p->form.closed = console_rests(v);
	/* Somebody may have changed one that is in no list since the page was shown. */
	choices_languages(c, &p->form, seen != NULL ? seen : p->w->settings.language);
	form_choices(&p->form, "time-zone", choices_zones(c));
	return p;
}

static struct err *
look(void *arg)
{
	struct settings_page *p = arg;

	p->sample = workspace_state_sample(p->c, p->w);
	return NULL;
}

/* Answers with the page. */
static struct err *
settings_page_show(struct settings_page *p, struct reply *reply)
{
	const struct find_place place = { .name = p->w->uuid };
	struct err *err = action_read(p->c, look, p);

	fill_lines(p);
	if (err == NULL)
		err = key_list(p->c, &place, keep_key, p);
	if (err == NULL)
		console_page(p->c, p->v, reply, NULL, NULL, write_page, p);
	return err;
}

static struct err *
settings(struct ctx *c, struct visit *v, struct reply *reply)
{
	struct settings_page *p = settings_page_begin(c, v);

	settings_page_fill(p);
	return settings_page_show(p, reply);
}

/* ---- Save */

#define AGREED 16 /* bytes of a digest */

/* Returns what the person wants the field to be. */
static const char *
typed(struct ctx *c, const struct form *f, const char *field)
{
	const char *name = settings_page_name(c, "", field);

	if (settings_page_is_tick(field))
		return form_is_on(f, name) ? "true" : "false";
	if (strcmp(field, "language") == 0)
		return text_or_empty(choices_language(f, &name));
	return text_or_empty(form_text(f, name));
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

/* Adds a field that the person changed. */
static struct err *
read_field(struct settings_page *p, struct settings_change *change, const char *field)
{
	const char *was = settings_page_name(p->c, "was-", field);
	const char *seen = text_or_empty(form_text(&p->form, was));
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

/* Returns the name of what is changed, and of where articles move: who saw it sends it back. */
static const char *
agreement(struct ctx *c, const struct settings_change *change, const struct settings_effect *e)
{
	char *hex = arena_alloc(c->arena, (size_t)AGREED * 2 + 1);
	struct digest d;

	digest_begin(&d, AGREED, "galley settings 1");
	for (size_t i = 0; i < change->count; i++) {
		digest_text(&d, change->pairs[i].field);
		digest_text(&d, change->pairs[i].value);
	}
	digest_text(&d, text_or_empty(e->before));
	digest_text(&d, text_or_empty(e->after));
	digest_end_hex(&d, hex);
	return hex;
}

/* Shows what the change does, if that was not agreed to. */
static struct err *
ask(struct settings_page *p, const struct settings_change *change, bool *asked)
{
	struct settings_effect *e = arena_alloc(p->c->arena, sizeof(*e));
	const char *agreed;

	TRY(settings_effect(p->c, change, e));
	agreed = agreement(p->c, change, e);
	*asked =
	    e->announced > 0 && strcmp(text_or_empty(form_text(&p->form, "agreed")), agreed) != 0;
	if (!*asked)
		return NULL;
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

	if (field != NULL)
		err->param = settings_page_name(p->c, "", field);
	TRY(console_wrong(p->c, v, reply, &p->form, err));
	TRY(settings_read(p->c, &place, &now));
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

	TRY(read_change(p, &change));
	if (!good || p->form.errors > 0) {
		console_refused(v, reply);
		return settings_page_show(p, reply);
	}
	if (form_is_on(&p->form, "more"))
		return settings_page_show(p, reply);
	if (change.count == 0) {
		console_go(
		    c, v, reply, arena_printf(c->arena, "/%s/settings", p->w->uuid), "unchanged");
		return NULL;
	}
	TRY(ask(p, &change, &asked));
	if (!asked)
		return write_change(p, v, reply, &change);
	console_page(c, v, reply, tr("Save these settings?"), NULL, write_question, p);
	return NULL;
}

#define SETTINGS .title = tr_mark("Settings"), .need = RIGHT_MANAGE

SCREEN(settings) = {
	{ "GET", "/W/settings", SETTINGS, .handler = settings },
	{ "POST", "/W/settings", SETTINGS, .handler = save },
	{ .method = NULL },
};
