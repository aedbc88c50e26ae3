/* The bar and the panel of the editor (docs/console.md §5.1): the state of the article and its main
 * buttons; and all that is neither title nor text, in sections that close: what is left to do among
 * them. */
#include <string.h>

#include "../all.h"
#include "action/article/piece-look.h"
#include "article/stored.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "base/jwrite.h"
#include "base/utf8.h"
#include "editor-screen.h"
#include "export/export.h"
#include "import/losses.h"
#include "pages/page-item.h"
#include "screen/say.h"
#include "screen/tr.h"
#include "store/db.h"

/* ---- what an article measures */

void
editor_measure(
    struct ctx *c, const struct visit *v, const struct article *a, struct editor_measure *out)
{
	const struct export_source *source;
	const char *home;

	db_begin_read(c, DB_CONTENT);
	source = stored_source(c, v->workspace, a, true);
	home = item_home(c, v->workspace);
	db_rollback(c);
	*out = (struct editor_measure) { .address = export_canonical(c, source) };
	if (out->address == NULL && home != NULL)
		out->address = item_address(
		    c, v->workspace, home, source->snapshot->language, source->snapshot->slug);
	out->words = export_words(c, source, &out->minutes);
	out->length = arena_printf(c->arena, "%s · %s",
	    arena_printf(c->arena, tr_count("%s word", "%s words", (int64_t)out->words),
		tr_number(c->arena, (int64_t)out->words)),
	    arena_printf(c->arena,
		tr_count("%lld minute to read", "%lld minutes to read", (long long)out->minutes),
		(long long)out->minutes));
}

/* ---- failed checks and what is left to write: each is a link to its place, a field of the
 * editor or the block of the text that it means */

/* The reasons are bytes of the tool's answers, which say "has 1 words". */
static const char *
one_word(struct ctx *c, const char *reason)
{
	static const char wrong[] = " 1 words";
	const char *at = strstr(reason, wrong);

	if (at == NULL)
		return reason;
	return arena_printf(
	    c->arena, "%.*s 1 word%s", (int)(at - reason), reason, at + sizeof(wrong) - 1);
}

/* The fields that checks are about. */
static const char *const check_fields[] = { [EXPORT_TITLE] = "title",
	[EXPORT_DESCRIPTION] = "description",
	[EXPORT_TEXT] = "text",
	[EXPORT_COVER] = "cover",
	[EXPORT_AUTHOR] = "author-address",
	[EXPORT_SETTINGS] = "" };

static bool
ready_names(const struct ready *r, const char *field)
{
	for (size_t i = 0; i < r->failing_count; i++) {
		if (strcmp(check_fields[export_check_about(r->failing[i].label)], field) == 0)
			return true;
	}
	return false;
}

/* Returns the address of the editor's field that a check is about, or NULL. In the editor
 * itself that is a place of the page: what is typed stays. */
static const char *
field_of(struct ctx *c, const struct visit *v, const struct ready *r, const char *label)
{
	enum export_about about = export_check_about(label);
	bool here = strcmp(v->row->pattern, "/W/articles/ID") == 0 ||
		    strcmp(v->row->pattern, "/W/articles/ID/checks") == 0;

	if (about == EXPORT_SETTINGS)
		return console_may(v, RIGHT_MANAGE)
			   ? console_path(c, v, "/%s/settings", v->workspace->uuid)
			   : NULL;
	if (!editor_has_field(check_fields[about]))
		return NULL;
	return arena_printf(c->arena, "%s#article-%s",
	    here ? "" : console_path(c, v, "%s", editor_address(c, v, r->article->uuid)),
	    check_fields[about]);
}

/* Returns where a failed check or a to-do leads, or NULL. */
static const char *
way_of(struct ctx *c, const struct visit *v, const struct ready *r, const char *piece,
    const char *label)
{
	if (piece != NULL && console_may(v, RIGHT_WRITE) && r->article->status != ARTICLE_DELETED)
		return console_path(
		    c, v, "%s/parts/%s", editor_address(c, v, r->article->uuid), piece);
	return label != NULL ? field_of(c, v, r, label) : NULL;
}

struct err *
editor_find_spots(
    struct ctx *c, const struct visit *v, const struct ready *r, const struct piece_spot **out)
{
	size_t count = r->failing_count + r->todo_count;
	struct piece_spot *spots = arena_array(c->arena, count + 1, sizeof(*spots));
	const char **keys = arena_array(c->arena, count + 1, sizeof(*keys));

	*out = NULL;
	if (!console_may(v, RIGHT_WRITE) || r->article->status == ARTICLE_DELETED)
		return NULL;
	memcpy(keys, r->failing_pieces, r->failing_count * sizeof(*keys));
	if (r->todo_count > 0)
		memcpy(keys + r->failing_count, r->todo_pieces, r->todo_count * sizeof(*keys));
	*out = spots;
	return piece_spots(c, v->workspace, v->id, keys, count, spots);
}

/* Writes what is left as a link to its place: the script leads to lines of the text. */
static void
write_one(struct hwrite *w, const char *way, const char *line, const struct piece_spot *spot)
{
	const char *first = NULL, *last = NULL;

	if (spot != NULL && spot->first > 0) {
		first = arena_printf(w->out->arena, "%u", spot->first);
		last = arena_printf(w->out->arena, "%u", spot->last);
	}
	if (way == NULL)
		@ <li>{line}</li>
	else
		@ <li><a href={way} data-first={first} data-last={last}>{line}</a></li>
}

void
editor_write_ready(struct ctx *c, const struct visit *v, struct hwrite *w, const struct ready *r,
    const struct piece_spot *spots)
{
	if (r->failing_count + r->todo_count == 0)
		screen_notice(w, SCREEN_GOOD, "%s",
		    tr("It passes every check, and nothing is left to write."));
	if (r->failing_count > 0) {
		@ <h2>Failed checks</h2><ul class="ways">
		for (size_t i = 0; i < r->failing_count; i++) {
			const struct export_check *k = &r->failing[i];
			write_one(w, way_of(c, v, r, r->failing_pieces[i], k->label),
			    k->reason == NULL ? tr(k->label)
					      : arena_printf(c->arena, "%s: %s", tr(k->label),
						    one_word(c, k->reason)),
			    spots != NULL ? &spots[i] : NULL);
		}
		@ </ul>
	}
	if (r->todo_count > 0) {
		@ <h2>Left to write</h2><ul class="ways">
		for (size_t i = 0; i < r->todo_count; i++)
			write_one(w, way_of(c, v, r, r->todo_pieces[i], NULL), r->todos[i],
			    spots != NULL ? &spots[r->failing_count + i] : NULL);
		@ </ul>
	}
}

/* Returns how much is left, in a word. */
static const char *
brief_of(struct ctx *c, const struct ready *r)
{
	const long long left = (long long)(r->failing_count + r->todo_count);

	if (left == 0)
		return tr("All passed");
	return arena_printf(c->arena, tr_count("%lld left", "%lld left", left), left);
}

/* ---- the same for the script (docs/console.md §5.4): after each save it asks for
 *
 * {passed, total, said, words, minutes, left: [{label, reason, todo, address, first, last}]}
 *
 * `said` is what the panel says of it; `reason` and `address` may be null; `first` and `last` are
 * lines of the saved text, where it is known which. */

static void
json_text(struct jwrite *w, const char *name, const char *text)
{
	if (text != NULL)
		jwrite_member_text(w, name, text);
	else
		jwrite_member_null(w, name);
}

static void
json_one(struct jwrite *w, const char *label, const char *reason, const char *way,
    const struct piece_spot *spot)
{
	jwrite_object(w);
	jwrite_member_text(w, "label", label);
	json_text(w, "reason", reason);
	json_text(w, "address", way);
	if (spot != NULL && spot->first > 0) {
		jwrite_member_int(w, "first", spot->first);
		jwrite_member_int(w, "last", spot->last);
	}
}

static struct err *
checks(struct ctx *c, struct visit *v, struct reply *reply)
{
	const struct piece_spot *spots = NULL;
	struct editor_measure measure;
	struct ready r;
	struct jwrite w;
	struct err *err = ready_look(c, v->workspace, v->id, &r);

	if (err == NULL)
		err = editor_find_spots(c, v, &r, &spots);
	if (err != NULL)
		return err;
	editor_measure(c, v, r.article, &measure);
	console_json(reply);
	jwrite_init(&w, &reply->body);
	jwrite_object(&w);
	jwrite_member_int(&w, "passed", (int64_t)(EXPORT_CHECKS - r.failing_count));
	jwrite_member_int(&w, "total", EXPORT_CHECKS);
	jwrite_member_text(&w, "said", brief_of(c, &r));
	jwrite_member_int(&w, "words", (int64_t)measure.words);
	jwrite_member_int(&w, "minutes", measure.minutes);
	jwrite_member_array(&w, "left");
	for (size_t i = 0; i < r.failing_count + r.todo_count; i++) {
		const size_t n = i - r.failing_count;
		const bool todo = i >= r.failing_count;
		const char *reason = todo ? NULL : r.failing[i].reason;
		json_one(&w, todo ? r.todos[n] : tr(r.failing[i].label),
		    reason != NULL ? one_word(c, reason) : NULL,
		    todo ? way_of(c, v, &r, r.todo_pieces[n], NULL)
			 : way_of(c, v, &r, r.failing_pieces[i], r.failing[i].label),
		    spots != NULL ? &spots[i] : NULL);
		jwrite_member_bool(&w, "todo", todo);
		jwrite_object_end(&w);
	}
	jwrite_array_end(&w);
	jwrite_object_end(&w);
	return NULL;
}

SCREEN(editor_checks) = {
	{ "GET", "/W/articles/ID/checks", .title = tr_mark("Checks"), .handler = checks },
	{ .method = NULL },
};

/* ---- buttons */

static bool
has_button(const struct form *f, const char *name)
{
	for (size_t i = 0; !f->closed && f->fields[i].name != NULL; i++) {
		if (f->fields[i].kind == FIELD_SUBMIT && strcmp(f->fields[i].name, name) == 0)
			return true;
	}
	return false;
}

static void
write_button(struct hwrite *w, const struct form *f, const char *name)
{
	if (has_button(f, name))
		form_write_field(w, f, name);
}

void
editor_write_icon(struct hwrite *w, const char *class, const char *path)
{
	@ <svg class={class} viewBox="0 0 24 24" aria-hidden="true"><path d={path}></path></svg>
}

/* ---- the bar */

#define ARROW "M15 5l-7 7 7 7"
#define TURN "M9 7L4.5 11.5 9 16M4.5 11.5H15a4.5 4.5 0 0 1 0 9h-3"
#define SLIDERS "M4 7h9M17 7h3M4 17h3M11 17h9M15 4.5v5M9 14.5v5"
#define EYE                                                                                        \
	"M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12zM12 9.2a2.8 2.8 0 1 0 0 5.6 2.8 2.8 0 0 0 0-5.6z"

static void
write_state(struct hwrite *w, const struct article *a)
{
	if (a->status == ARTICLE_DELETED)
		@ <state bad>In the trash</state>
	else if (a->status == ARTICLE_DRAFT)
		@ <state note>Draft</state>
	else if (article_has_changes(a))
		@ <state warning>Published, with changes</state>
	else
		@ <state good>Published</state>
}

/* The script says when it saved itself, and takes this away: it would be said twice. */
static void
write_last_save(struct hwrite *w, const struct editing *e)
{
	const bool own = e->saved_by[0] == '\0';
	const char *when = say_time_text(e->c, e->saved_at), *at = NULL;

	if (own && say_day_of(e->c, e->saved_at) == say_day_of(e->c, clock_now()))
		at = say_clock_text(e->c, e->saved_at);
	@ <p class="said" id="last-save" data-at={at}>
	if (own)
		@ You saved {when}
	else
		@ {e->saved_by} saved {when}
	@ </p>
}

/* Writes a main button. In a narrow window "Preview" is a drawing. */
static void
write_main_button(struct hwrite *w, const struct form *f, const char *name, const char *label,
    const char *path, bool primary)
{
	if (!has_button(f, name))
		return;
	@ <button type="submit" name={name} value="1" class={primary ? "button primary" :
	@     path != NULL ? "button eye" : "button"}>
	if (path != NULL)
		editor_write_icon(w, NULL, path);
	@ <span>{=label}</span></button>
}

/* "Save" is the first button of the form, so Enter in a field is "Save". */
void
editor_write_bar(struct hwrite *w, const struct editing *e)
{
	const struct form *f = e->form;
	const bool publishes = has_button(f, "publish");

	@ <header class="bar">
	@ <a class="button icon" href={console_path(e->c, e->v, "/%s/articles", e->v->workspace->uuid)}>
	@ {!editor_write_icon(w, "flip", ARROW)}<span class="heard">Articles</span></a>
	@ <div class="status">
	if (e->article != NULL)
		write_state(w, e->article);
	if (console_may(e->v, RIGHT_WRITE))
		@ <p class="said" id="saving-now"></p>
	if (e->article != NULL && e->saved_by != NULL)
		write_last_save(w, e);
	@ </div>
	if (e->article != NULL)
		@ <p class="hint wide" id="words">{=e->measure.length}</p>
	if (has_button(f, "save"))
		@ <button type="button" class="button icon wide" id="take-back" hidden>
		@ {!editor_write_icon(w, "flip", TURN)}<span class="heard">Undo</span></button>
	write_main_button(w, f, "save", tr("Save"), NULL, !publishes);
	write_main_button(w, f, "preview", tr("Preview"), EYE, false);
	if (!has_button(f, "preview") && e->article != NULL)
		@ <a class="button eye" href={console_path(e->c, e->v, "%s/preview", e->action)}>
		@ {!editor_write_icon(w, NULL, EYE)}<span>Preview</span></a>
	@ <a class="button icon thin" href="#settings">{!editor_write_icon(w, NULL, SLIDERS)}
	@ <span class="heard">Settings</span></a>
	write_main_button(w, f, "publish", tr("Publish"), NULL, true);
	@ </header>
}

/* ---- the sections of the panel */

/* Whether one of these fields was refused, or a failed check is about it: then its section is
 * open. */
static bool
is_wanted(const struct editing *e, const char *const *names)
{
	for (; names != NULL && *names != NULL; names++) {
		for (size_t i = 0; e->form->fields[i].name != NULL; i++) {
			if (strcmp(e->form->fields[i].name, *names) == 0 &&
			    e->form->entry[i].error != NULL)
				return true;
		}
		if (e->ready != NULL && ready_names(e->ready, *names))
			return true;
	}
	return false;
}

static const char *
text_of(const struct editing *e, const char *name)
{
	const char *text = form_text(e->form, name);

	return text != NULL ? text : "";
}

/* Begins a section, which shows its value in a word where it is closed. */
static void
begin_section(struct hwrite *w, const char *title, const char *brief, bool open)
{
	hwrite_open(w, H_DETAILS);
	hwrite_flag(w, A_OPEN, open);
	@ <summary><span>{=title}</span>
	if (brief != NULL && brief[0] != '\0')
		@ {=" "}<span class="brief">{brief}</span>
	@ </summary>
	hwrite_open(w, H_DIV);
	hwrite_attr(w, A_CLASS, "within");
}

static void
end_section(struct hwrite *w)
{
	hwrite_close(w, H_DIV);
	hwrite_close(w, H_DETAILS);
}

/* Writes a section that has these fields alone. */
static void
write_section(struct hwrite *w, const struct editing *e, const char *title, const char *brief,
    const char *const *names)
{
	begin_section(w, title, brief, is_wanted(e, names));
	for (; *names != NULL; names++)
		form_write_field(w, e->form, *names);
	end_section(w);
}

static const char *
without_scheme(const char *address)
{
	return strncmp(address, "https://", 8) == 0 ? address + 8 : address;
}

static void
write_publishing(struct hwrite *w, const struct editing *e)
{
	static const char *const names[] = { "unpublish", "hand-in", "hand-back", "take-back",
		NULL };
	const struct article *a = e->article;
	const struct form *f = e->form;
	const char *address = e->measure.address;

	if (a == NULL && !has_button(f, "hand-in"))
		return;
	begin_section(w, tr("Publishing"),
	    a != NULL && a->status == ARTICLE_PUBLISHED ? tr("Published") : tr("Not published"),
	    true);
	if (e->reviewed != NULL)
		review_write_state(w, e->reviewed);
	if (address != NULL)
		@ <p class="where" dir="ltr">{without_scheme(address)}</p>
	@ <div class="row">
	if (a != NULL && a->status == ARTICLE_PUBLISHED)
		@ <a class="button" href={console_path(e->c, e->v, "%s/public", e->action)}>
		@ Open what readers see</a>
	if (a != NULL && a->status != ARTICLE_DELETED && console_may(e->v, RIGHT_PUBLISH))
		@ <a class="button" href={console_path(e->c, e->v, "%s/publish", e->action)}>
		@ Publish later</a>
	for (size_t i = 0; names[i] != NULL; i++)
		write_button(w, f, names[i]);
	@ </div>
	end_section(w);
}

/* Says what the text loses, and has a place for what the script is told of it. */
static void
write_own_losses(struct hwrite *w, const struct editing *e)
{
	static const struct losses none;
	struct editor_losses l = { .c = e->c, .v = e->v, .losses = e->losses, .here = true };

	if (l.losses == NULL)
		l.losses = &none;
	l.text = form_text(e->form, "text");
	if (l.text == NULL)
		l.text = "";
	if (l.losses->count > 0 || console_may(e->v, RIGHT_WRITE))
		editor_write_losses(w, &l);
}

static void
write_checks(struct hwrite *w, const struct editing *e)
{
	const struct ready *r = e->ready;

	begin_section(w, tr("Checks"), r != NULL ? brief_of(e->c, r) : NULL, true);
	@ <div id="checks">
	if (r != NULL) {
		const size_t passed = EXPORT_CHECKS - r->failing_count;
		@ <div class="score">
		@ <strong dir="ltr">{passed} / {EXPORT_CHECKS}</strong>
		@ <meter min="0" max={EXPORT_CHECKS} high={EXPORT_CHECKS} optimum={EXPORT_CHECKS}
		@     value={passed} aria-label="Checks that are passed"></meter></div>
		editor_write_ready(e->c, e->v, w, r, e->spots);
	}
	@ </div>
	write_own_losses(w, e);
	@ <div class="row">{!write_button(w, e->form, "check")}</div>
	end_section(w);
}

static void
write_search(struct hwrite *w, const struct editing *e)
{
	const char *description = text_of(e, "description");
	const char *length = arena_printf(e->c->arena, "%zu", utf8_length(description));

	begin_section(
	    w, tr("Search engines"), arena_printf(e->c->arena, tr("%s of 160"), length), true);
	form_write_field(w, e->form, "description");
	@ <p class="hint count" id="description-count">
	@ {!screen_sentence(w, tr("%s of 70 to 160 characters"), length)}</p>
	@ <div class="found">
	if (e->measure.address != NULL)
		@ <span dir="ltr">{without_scheme(e->measure.address)}</span>
	@ <b id="found-title" dir="auto">{text_of(e, "title")}</b>
	@ <p id="found-description" dir="auto">{description}</p></div>
	@ <p class="hint">So a search engine may show it.</p>
	form_write_field(w, e->form, "noindex");
	end_section(w);
}

static void
write_cover(struct hwrite *w, const struct editing *e)
{
	static const char *const names[] = { "cover", "cover-file", "cover-address",
		"cover-alternative", "cover-caption", NULL };
	const char *words = text_of(e, "cover-alternative"), *chosen = text_of(e, "cover");

	begin_section(w, tr("Cover"),
	    words[0] != '\0'						  ? words
	    : chosen[0] == '\0' && text_of(e, "cover-address")[0] == '\0' ? tr("No cover")
									  : NULL,
	    is_wanted(e, names));
	editor_write_cover(w, e);
	for (size_t i = 0; names[i] != NULL; i++)
		form_write_field(w, e->form, names[i]);
	end_section(w);
}

/* Returns two texts with a sign between them, or the one that is there. */
static const char *
both(const struct editing *e, const char *one, const char *other)
{
	if (one[0] == '\0' || other[0] == '\0')
		return one[0] != '\0' ? one : other;
	return arena_printf(e->c->arena, "%s · %s", one, other);
}

static const char *
day_of(const struct editing *e)
{
	int64_t at;

	return clock_parse_date(text_of(e, "date"), &at)
		   ? say_day_text(e->c, at / ((int64_t)86400 * 1000 * 1000))
		   : "";
}

static void
write_comments(struct hwrite *w, const struct editing *e)
{
	static const char *const names[] = { "comment", NULL };
	const size_t count = e->reviewed != NULL ? review_count(e->reviewed) : 0;

	if (count == 0 && !editor_has(e->form, "comment"))
		return;
	begin_section(w, tr("Comments"), count > 0 ? arena_printf(e->c->arena, "%zu", count) : NULL,
	    is_wanted(e, names));
	if (e->reviewed != NULL)
		review_write_comments(w, e->reviewed);
	if (editor_has(e->form, "comment"))
		form_write_field(w, e->form, "comment");
	@ <div class="row">{!write_button(w, e->form, "say")}</div>
	end_section(w);
}

static void
write_rest(struct hwrite *w, const struct editing *e)
{
	const bool writes = console_may(e->v, RIGHT_WRITE) && !e->form->closed;

	if (e->article == NULL && !writes)
		return;
	begin_section(w,
	    e->article != NULL ? tr("History, files, trash") : tr("Files and keyboard"), NULL,
	    false);
	if (e->article != NULL)
		@ <p class="ways"><a href={console_path(e->c, e->v, "%s/history", e->action)}>History</a>
		@ <a href={console_path(e->c, e->v, "%s/markdown", e->action)}>Download as Markdown</a></p>
	if (writes)
		@ <div class="field"><label for="article-file">Text from a file</label>
		@ <p class="hint" id="article-file-hint">A file of Markdown, which takes the place
		@ of the text when you save.</p>
		@ <input type="file" id="article-file" name="file"
		@     accept=".md,.markdown,.txt,text/markdown,text/plain"
		@     aria-describedby="article-file-hint"></div>
		@ <details id="keys" hidden><summary>Keyboard</summary><ul class="keys">
		@ <li><kbd>Ctrl</kbd> + <kbd>{="S"}</kbd> Save</li>
		@ <li><kbd>Ctrl</kbd> + <kbd>{="B"}</kbd> Bold</li>
		@ <li><kbd>Ctrl</kbd> + <kbd>{="I"}</kbd> Italic</li>
		@ <li><kbd>Ctrl</kbd> + <kbd>{="K"}</kbd> Link</li>
		@ <li><kbd>Ctrl</kbd> + <kbd>Shift</kbd> + <kbd>{="V"}</kbd>
		@ {=" "}Paste as plain text</li></ul>
		@ <p>On a Mac it is Command in the place of Ctrl.</p></details>
	@ <div class="row">{!write_button(w, e->form, "trash")}</div>
	end_section(w);
}

void
editor_write_panel(struct hwrite *w, const struct editing *e)
{
	static const char *const address[] = { "slug", "published-address", NULL };
	static const char *const author[] = { "author", "author-address", "tags", "section", NULL };
	static const char *const dates[] = { "language", "date", NULL };

	@ <section id="settings" class="panel" aria-labelledby="settings-title"><div class="sections">
	@ <h2 id="settings-title" class="heard">Settings</h2>
	write_publishing(w, e);
	write_checks(w, e);
	write_search(w, e);
	write_section(w, e, tr("Address"), text_of(e, "slug"), address);
	write_cover(w, e);
	write_section(
	    w, e, tr("Author and tags"), both(e, text_of(e, "author"), text_of(e, "tags")), author);
	write_section(
	    w, e, tr("Language and dates"), both(e, text_of(e, "language"), day_of(e)), dates);
	write_comments(w, e);
	write_rest(w, e);
	@ </div></section>
}
