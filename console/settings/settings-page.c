/* The fields of a workspace's settings, and the page around them. */
#include "settings.h"

#include <inttypes.h>
#include <string.h>

#include "../account/verification.h"
#include "access/account.h"
#include "access/apikey.h"
#include "access/pages-settings.h"
#include "access/workspace.h"
#include "action/action.h"
#include "action/key-actions.h"
#include "article/content-state.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/ctx.h"
#include "console/choices.h"
#include "export/html-text.h"
#include "screen/tr.h"
#include "store/db.h"
#include "system/conf.h"

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
	{ "system", tr_mark("That of the reader's device") },
	{ "serif", tr_mark("With serifs") },
	{ "sans", tr_mark("Without serifs") },
	{ "mono", tr_mark("Typewriter") },
	{ NULL, NULL },
};

static const struct field fields[] = {
	FIELD("name", tr_mark("Name"), NULL, NAME_MAX_BYTES, NULL),
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
	    .kind = FIELD_SELECT,
	    .hint = tr_mark("In which the console shows and takes dates.") },
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
	    tr_mark("Such as #0a6e4f. Links get a shade of it that can be read. Empty: Galley's."),
	    20, "ltr"),
	{ .name = "pages-font",
	    .label = tr_mark("Font of the pages"),
	    .kind = FIELD_SELECT,
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
	{ .name = NULL },
};

/* ---- names of fields */

const char *
settings_page_field(size_t i)
{
	static const char *const more[] = { SETTINGS_TIME_ZONE, SETTINGS_PAGES, "pages_title",
		"pages_accent", "pages_font", "pages_width", NULL };
	size_t first = 0;

	while (workspace_fields[first] != NULL)
		first++;
	return i < first ? workspace_fields[i] : more[i - first];
}

const char *
settings_page_name(struct ctx *c, const char *before, const char *field)
{
	char *name = arena_printf(c->arena, "%s%s", before, field);

	for (char *p = name; *p != '\0'; p++)
		*p = *p == '_' ? '-' : *p;
	return name;
}

bool
settings_page_is_tick(const char *field)
{
	return strcmp(field, "analytics_enabled") == 0;
}

bool
settings_page_is_choice(const char *field)
{
	return strcmp(field, SETTINGS_TIME_ZONE) == 0 || strcmp(field, "pages_font") == 0 ||
	       strcmp(field, "language") == 0;
}

const char *
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

void
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

static void
write_effect(struct hwrite *w, const struct settings_page *p)
{
	const struct settings_effect *e = p->effect;
	int64_t n = e->announced;

	screen_notice(w, SCREEN_WARNING, "%s",
	    arena_printf(p->c->arena,
		tr_count(
		    "%lld published article is announced again: every site copies it at its next synchronization. Press “Save” once more to do it.",
		    "%lld published articles are announced again: every site copies them at its next synchronization. Press “Save” once more to do it.",
		    n),
		(long long)n));
	if (e->before != NULL && (e->after == NULL || strcmp(e->before, e->after) != 0))
		screen_notice(w, SCREEN_WARNING,
		    tr("Articles move, such as %s to %s. The site must lead the old addresses to the new ones."),
		    e->before, e->after != NULL ? e->after : tr("no address"));
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
		hwrite_text(w,
		    tr("Articles have no address: the website or the address of an article is empty."));
	hwrite_close(w, H_P);
	if (p->key_count == 0)
		return;
	hwrite_element(
	    w, H_P, tr("These keys may order articles that are published without a person:"));
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
	}
}

/* Writes what the pages are and how they look. */
static void
write_pages(struct hwrite *w, const struct settings_page *p)
{
	static const char *const own[] = { "pages", NULL };
	static const char *const look[] = { "pages-title", "pages-accent", "pages-font",
		"pages-width", "embed-origins", NULL };
	const char *address = pages_address_of(p->c, p->word);

	hwrite_element(w, H_H2, tr("Pages"));
	hwrite_element(w, H_P,
	    tr("Galley can show your published articles as pages of its own, for websites that have none yet, and in frames of other websites."));
	if (!p->has_pages)
		hwrite_element(w, H_P, tr("Only the workspaces of a verified account have pages."));
	else
		write_fields(w, p, own);
	if (address != NULL) {
		write_link(w, address, tr("Look at the pages"));
		hwrite_element(w, H_P,
		    tr("Unpublish acts in the next request; other caches may show it a minute longer."));
	}
	write_fields(w, p, look);
	if (address != NULL)
		form_write_field(w, &p->form, "embed-line");
}

static void
write_form(struct hwrite *w, const struct settings_page *p, const char *here)
{
	static const char *const first[] = { "name", "language", "time-zone", "website",
		"address-pattern", "publisher-name", "publisher-logo-url", "author-name",
		"author-url", NULL };
	static const char *const count[] = { "analytics-enabled", "analytics-origins", NULL };

	form_write_summary(w, &p->form);
	console_form_begin(p->c, p->v, w, &p->form, here);
	write_fields(w, p, first);
	write_pages(w, p);
	hwrite_element(w, H_H2, tr("Counting"));
	write_fields(w, p, count);
	if (p->w->analytics_enabled && form_text(&p->form, "collect-line") != NULL)
		form_write_field(w, &p->form, "collect-line");
	form_write_field(w, &p->form, "agreed");
	hwrite_open(w, H_DIV);
	hwrite_attr(w, A_CLASS, "buttons");
	form_write_field(w, &p->form, "save");
	hwrite_close(w, H_DIV);
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

	if (p->effect != NULL)
		write_effect(w, p);
	write_about(w, p);
	if (!p->has_pages && !console_rests(p->v)) {
		hwrite_element(w, H_P,
		    tr("This account is not verified, so this workspace has no pages of its own."));
		verification_write(w, p->c, p->v);
	}
	write_form(w, p, here);
	write_link(w, console_path(p->c, p->v, "%s/pings", here), tr("Pings"));
	write_link(w, console_path(p->c, p->v, "%s/exports", here), tr("Refresh exports"));
	if (console_rests(p->v))
		return;
	hwrite_element(w, H_H2, tr("Delete this workspace"));
	hwrite_element(w, H_P,
	    tr("Its articles, editions, trash and pictures are destroyed, and its keys are refused. A backup alone still holds them."));
	console_form(p->c, p->v, w, &p->deletion, arena_printf(p->c->arena, "%s/delete", here));
}

static void
keep_key(void *arg, const struct apikey *key)
{
	struct settings_page *p = arg;

	if ((key->scopes & SCOPE_GENERATE) != 0 && p->key_count < SETTINGS_KEYS_MAX &&
	    strcmp(key_state(p->c, key), "good") == 0)
		p->keys[p->key_count++] = key->label[0] != '\0' ? key->label : key->display;
}

void
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

struct settings_page *
settings_page_begin(struct ctx *c, const struct visit *v)
{
	struct settings_page *p = arena_alloc(c->arena, sizeof(*p));

	p->c = c;
	p->v = v;
	p->w = v->workspace;
	settings_page_read(p);
	form_init(&p->form, "settings", fields);
	p->form.closed = console_rests(v);
	choices_languages(c, &p->form, p->w->settings.language);
	form_choices(&p->form, "time-zone", choices_zones(c, p->zone));
	form_init(&p->deletion, "deletion", settings_delete_fields);
	return p;
}

static struct err *
look(void *arg)
{
	struct settings_page *p = arg;

	p->sample = workspace_state_sample(p->c, p->w);
	return NULL;
}

struct err *
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
