/* The page of the editor (docs/console.md §5.1): title and text, what is said of them (what the
 * text loses, what people said), and what its script fills. */
#include <stdlib.h>
#include <string.h>

#include "../all.h"
#include "action/article/article-actions.h"
#include "action/article/piece-look.h"
#include "article/stored.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "base/jwrite.h"
#include "console/page.h"
#include "content/lang.h"
#include "editor-screen.h"
#include "export/export.h"
#include "import/losses.h"
#include "import/markdown/body.h"
#include "screen/assets.h"
#include "screen/say.h"
#include "screen/tr.h"
#include "store/db.h"

/* ---- what the text says and no reader of the article sees so: each place is named with its line
 * and what is typed there, and the script leads to it */

#define EXCERPT 60 /* characters of a line */

void
editor_find_losses(
    struct ctx *c, const struct visit *v, const struct write_view *view, struct losses *out)
{
	*out = (struct losses) { .c = c };
	if (view->typed)
		body_losses(c, &v->workspace->settings, view->snapshot, view->text, out);
}

static size_t
named(const struct loss *loss)
{
	size_t n = loss->count < LOSSES_LINES ? loss->count : LOSSES_LINES;

	return loss->lines[0] > 0 ? n : 0;
}

/* A line that a loss names, and how it begins. */
struct spot {
	unsigned line;
	const char *begins;
};

static int
by_line(const void *a, const void *b)
{
	const struct spot *x = a, *y = b;

	return (x->line > y->line) - (x->line < y->line);
}

static const char *
line_begins(struct ctx *c, const char *line)
{
	size_t len = 0;

	line += strspn(line, " \t");
	while (len <= EXCERPT * 4 && line[len] != '\0' && line[len] != '\n')
		len++;
	return losses_excerpt(c, arena_text_n(c->arena, line, len), EXCERPT);
}

/* The lines that losses name, in their order. */
struct spots {
	struct spot *list;
	size_t count;
};

/* Finds them by one walk through the text: text and losses may be long. */
static struct spots
find_spots(struct ctx *c, const char *text, const struct losses *losses)
{
	struct spots all = { .list = arena_array(
				 c->arena, losses->count * LOSSES_LINES, sizeof(*all.list)) };
	unsigned line = 1;

	for (size_t i = 0; i < losses->count; i++) {
		for (size_t j = 0; j < named(&losses->list[i]); j++)
			all.list[all.count++].line = losses->list[i].lines[j];
	}
	if (all.count > 1)
		qsort(all.list, all.count, sizeof(*all.list), by_line);
	for (size_t i = 0; i < all.count; i++) {
		struct spot *s = &all.list[i];
		if (i > 0 && s->line == s[-1].line) {
			s->begins = s[-1].begins;
			continue;
		}
		for (; line < s->line && text[0] != '\0'; line++) {
			text += strcspn(text, "\n");
			text += text[0] != '\0';
		}
		s->begins = line_begins(c, text);
	}
	return all;
}

static const char *
begins(const struct spots *spots, unsigned line)
{
	const struct spot key = { .line = line };
	const struct spot *found = bsearch(&key, spots->list, spots->count, sizeof(key), by_line);

	return found->begins;
}

/* Returns "and 3 more lines", or NULL if each line is named. */
static const char *
more(struct ctx *c, const struct loss *loss)
{
	long long n = (long long)loss->count - (long long)named(loss);

	if (loss->lines[0] == 0 || n == 0)
		return NULL;
	return arena_printf(c->arena, tr_count("and %lld more line", "and %lld more lines", n), n);
}

static void
write_loss(struct hwrite *w, const struct editor_losses *l, const struct spots *spots,
    const struct loss *loss)
{
	const char *rest = more(l->c, loss);

	@ <li>{loss->text}
	for (size_t i = 0; i < named(loss); i++) {
		const char *line = arena_printf(l->c->arena, "%u", loss->lines[i]);
		const char *here = l->here ? line : NULL;
		const char *way = here != NULL ? "#article-text"
					       : console_path(l->c, l->v, "%s?line=%s#article-text",
						     editor_address(l->c, l->v, l->v->id), line);
		@ {=" · "}<a href={way} data-first={here} data-last={here}>
		@ Line {line}: {begins(spots, loss->lines[i])}</a>
	}
	if (rest != NULL)
		@ {=" "}{=rest}
	@ </li>
}

void
editor_write_losses(struct hwrite *w, const struct editor_losses *l)
{
	struct spots spots;

	if (l->losses->count == 0 && !l->here)
		return;
	spots = find_spots(l->c, l->text, l->losses);
	@ <div id="losses" hidden={l->losses->count == 0}>
	@ <h2>Readers will not see this as it is written</h2><ul class="ways">
	for (size_t i = 0; i < l->losses->count; i++)
		write_loss(w, l, &spots, &l->losses->list[i]);
	@ </ul></div>
}

void
editor_losses_json(struct jwrite *w, struct ctx *c, const char *text, const struct losses *losses)
{
	const struct spots spots = find_spots(c, text, losses);

	jwrite_member_array(w, "losses");
	for (size_t i = 0; i < losses->count; i++) {
		const struct loss *loss = &losses->list[i];
		jwrite_object(w);
		jwrite_member_text(w, "text", loss->text);
		jwrite_member_array(w, "places");
		for (size_t j = 0; j < named(loss); j++) {
			jwrite_object(w);
			jwrite_member_int(w, "line", loss->lines[j]);
			jwrite_member_text(w, "label",
			    arena_printf(c->arena, tr("Line %s: %s"),
				arena_printf(c->arena, "%u", loss->lines[j]),
				begins(&spots, loss->lines[j])));
			jwrite_object_end(w);
		}
		jwrite_array_end(w);
		jwrite_member_text(w, "more", more(c, loss) != NULL ? more(c, loss) : "");
		jwrite_object_end(w);
	}
	jwrite_array_end(w);
}

/* ---- what people said about an article, beside its editor and its history */

struct reviewed {
	struct review review;
	const char *by; /* who handed it in, as named now */
	const char *names[REVIEW_SHOWN]; /* who said each comment */
};

static const char *
name_of(struct ctx *c, const char *uuid)
{
	const struct person *p = person_find(c, uuid);

	return p != NULL ? p->name : tr("somebody who was removed");
}

struct err *
review_read(struct ctx *c, const struct visit *v, const char *id, const struct reviewed **out)
{
	struct reviewed *r = arena_alloc(c->arena, sizeof(*r));
	struct err *err = review_look(c, v->workspace, id, &r->review);

	if (err != NULL)
		return err;
	db_begin_read(c, DB_CONSOLE);
	if (r->review.handed.at != 0)
		r->by = name_of(c, r->review.handed.by);
	for (size_t i = 0; i < r->review.count; i++)
		r->names[i] = name_of(c, r->review.comments[i].person);
	db_rollback(c);
	*out = r;
	return NULL;
}

void
review_write_state(struct hwrite *w, const struct reviewed *r)
{
	if (r->review.handed.at != 0)
		@ <p><state warning>In review</state>
		@ {=" "}Handed in by {r->by}, {!say_time(w, r->review.handed.at)}</p>
}

static void
write_comment(struct hwrite *w, const struct comment *comment, const char *name)
{
	@ <li><p>
	switch (comment->kind) {
	case COMMENT_HANDED_IN:
		@ {name} handed it in,
		break;
	case COMMENT_HANDED_BACK:
		@ {name} handed it back,
		break;
	case COMMENT_TAKEN_BACK:
		@ {name} took it back,
		break;
	case COMMENT_SAID:
		@ {name} said,
		break;
	}
	@ {=" "}{!say_time(w, comment->at)}</p>
	if (comment->text[0] != '\0')
		@ <blockquote class="said" dir="auto">{=comment->text}</blockquote>
	@ </li>
}

size_t
review_count(const struct reviewed *r)
{
	return r->review.count;
}

void
review_write_comments(struct hwrite *w, const struct reviewed *r)
{
	if (r->review.count == 0)
		return;
	@ <section aria-label="Comments"><h2>Comments</h2><ul class="comments">
	for (size_t i = 0; i < r->review.count; i++)
		write_comment(w, &r->review.comments[i], r->names[i]);
	@ </ul></section>
}

/* ---- what the script fills in its page: whether all is saved, the tools, the question about a
 * picture, and the preview. Without the script nothing of it is seen. */

static const struct editor_says says[] = {
	{ "waits", tr_mark("Not saved yet") },
	{ "sending", tr_mark("Saving…") },
	{ "saved", tr_mark("Saved at %s") },
	{ "merged", tr_mark("Saved at %s, with what somebody else wrote meanwhile") },
	{ "lost",
	    tr_mark(
		"No connection. What you type stays in this page and is sent when there is one.") },
	{ "signed-out", tr_mark("Your session has ended. What you typed is kept in this tab.") },
	{ "sign-in", tr_mark("Sign in") },
	{ "clash",
	    tr_mark(
		"Somebody else changed the same place, so this is not saved. Press Save to choose a wording.") },
	{ "refused", tr_mark("Not saved: %s") },
	{ "failed", tr_mark("Failed checks") },
	{ "left", tr_mark("Left to write") },
	{ "passed", tr_mark("Checks that are passed") },
	{ "passes", tr_mark("It passes every check, and nothing is left to write.") },
	{ "count", tr_mark("%s of 70 to 160 characters") },
	{ "plain", tr_mark("No connection, so it was pasted as plain text.") },
	{ "left-out",
	    tr_mark(
		"Pictures were left out: your browser did not get them. Save each as a file, then choose it with \"Picture\".") },
	{ "no-picture", tr_mark("Only pictures can be taken in: JPEG, PNG, WebP or GIF.") },
	{ "uploading", tr_mark("The picture is being uploaded…") },
	{ "not-uploaded",
	    tr_mark("No connection, so the picture was not uploaded. Try it again.") },
	{ NULL, NULL },
};

static void
write_says(struct hwrite *w, const struct editor_says *s)
{
	for (; s->name != NULL; s++)
		@ <span data-say={s->name} hidden>{=tr(s->sentence)}</span>
}

/* "saving-copy" is what is in this tab and was never saved. */
static void
write_saving(struct hwrite *w, const struct editing *e)
{
	const char *language =
	    e->article != NULL ? e->article->language : e->v->workspace->settings.language;
	const char *parts =
	    arena_printf(e->c->arena, "%s\n%s\n%s", lang_label(language, LANG_TAKEAWAYS),
		lang_label(language, LANG_FAQS), lang_label(language, LANG_REFERENCES));

	@ <div id="saving" data-person={e->v->person->uuid}
	@     data-paste={console_path(e->c, e->v, "/%s/articles/paste", e->v->workspace->uuid)}
	@     data-parts={parts}
	@     data-visual={asset_address(e->c->arena, e->v->place.root, ASSET_VISUAL)}>
	@ <div id="saving-copy" class="notice warning" hidden>
	@ <p>You typed something here before that was not saved.</p>
	@ <p><button type="button" id="saving-take" class="button">Take it back</button>{=" "}
	@ <button type="button" id="saving-drop" class="button">Discard it</button>{=" "}
	@ </p></div><p id="saving-heard" class="heard" role="status"></p>
	write_says(w, says);
	write_says(w, editor_view_says);
	@ </div>
}

/* ---- the tools */

/* Writes what a picture that was dropped or pasted shows; its files follow one by one. The script
 * makes the field: it is none of the form. */
static void
write_questions(struct hwrite *w, const struct editing *e)
{
	const char *to = arena_printf(e->c->arena, "/%s/pictures", e->v->workspace->uuid);
	char number[FORMNUMBER_TEXT];

	formnumber_draw(e->c, e->v->person->uuid, to, number);
	@ <div id="picture" class="notice" data-to={console_path(e->c, e->v, "%s", to)}
	@     data-number={number} hidden>
	@ <p id="picture-label">What does this picture show? <bdi id="picture-name"></bdi></p>
	@ <p class="hint" id="picture-hint">It is read to people who do not see it. Leave it empty
	@ if the picture only decorates.</p>
	@ <p class="error" id="picture-error" role="alert"></p>
	@ <p class="row">
	@ <button type="button" id="picture-add" class="button">Add the picture</button>{=" "}
	@ <button type="button" id="picture-cancel" class="button">Leave it out</button>{=" "}
	@ </p></div><p class="error" id="paste-error" role="alert"></p>
	@ <button type="button" id="way-back" class="button quiet" hidden>Back to the list</button>
}

/* Writes the formats as one stop of the key Tab: the script moves the focus among them. */
static void
write_tools(struct hwrite *w)
{
	static const struct {
		const char *name, *label, *path;
	} tools[] = {
		{ "bold", tr_mark("Bold"),
		    "M7 5h6a3.5 3.5 0 0 1 0 7H7zM7 12h7a3.5 3.5 0 0 1 0 7H7z" },
		{ "italic", tr_mark("Italic"), "M14.5 5h-4M13.5 19h-4M13.5 5l-3 14" },
		{ "link", tr_mark("Link"),
		    "M10 14a4 4 0 0 0 5.7 0l3-3a4 4 0 0 0-5.7-5.7L11.7 6.6M14 10a4 4 0 0 0-5.7 0l-3 3A4 4 0 0 0 11 18.7l1.3-1.3" },
		{ "heading", tr_mark("Heading"), "M6 5v14M18 5v14M6 12h12" },
		{ "list", tr_mark("List"),
		    "M9 6h11M9 12h11M9 18h11M4.5 6h.01M4.5 12h.01M4.5 18h.01" },
		{ "numbers", tr_mark("Numbered list"),
		    "M10 6h10M10 12h10M10 18h10M4 5l1.5-1v5M4 14.5c0-1.6 2.6-1.6 2.6 0 0 1-2.6 2-2.6 3.5h2.8" },
		{ "quote", tr_mark("Quote"), "M5 6v12M9.5 8H20M9.5 12H20M9.5 16h7" },
		{ "picture", tr_mark("Picture"),
		    "M4 5h16v14H4zM4 16l5-5 4 4 2.5-2.5L20 17M15.5 9.5h.01" },
	};

	@ <div id="tools" class="kit" role="toolbar" aria-label="Formats of the text"
	@     aria-controls="article-text" hidden>
	for (size_t i = 0; i < sizeof(tools) / sizeof(tools[0]); i++)
		@ <button type="button" class="button" data-tool={tools[i].name}
		@     aria-label={tr(tools[i].label)} title={tr(tools[i].label)}>
		@ {!editor_write_icon(w, NULL, tools[i].path)}</button>
	@ </div>
}

/* ---- the preview */

static void
write_beside(struct hwrite *w, const struct editing *e)
{
	@ <dialog id="beside" class="beside" aria-label="The article as readers see it"
	@     data-src={console_path(e->c, e->v, "%s/preview/copy?beside=1&colours=", e->action)}
	@     data-title={e->article->title}><p class="row">
	@ <button type="button" id="beside-close" class="button">Close the preview</button>{=" "}
	@ <a class="button" href={console_path(e->c, e->v, "%s/preview", e->action)}>All previews</a>
	@ </p><div id="beside-frames"></div></dialog>
}

/* ---- the page */

/* The text is the first thing of the page, after its title. One that nobody can change here is
 * written once more, for paper: the sheet shows it there. */
static void
write_sheet(struct hwrite *w, const struct editing *e)
{
	const struct form *f = e->form;
	const char *text = form_text(f, "text");
	const bool may_write = console_may(e->v, RIGHT_WRITE);

	@ <div class="manuscript">
	if (may_write) {
		write_saving(w, e);
		write_tools(w);
	}
	form_write_field(w, f, "title");
	if (may_write)
		write_questions(w, e);
	form_write_field(w, f, "text");
	if (may_write)
		piece_write_buttons(e->c, w, e->content);
	else if (text != NULL && text[0] != '\0')
		@ <pre class="paper" dir="auto">{=text}</pre>
	@ </div>
}

static void
write_form(struct hwrite *w, const struct editing *e)
{
	const struct form *f = e->form;

	console_form_begin(e->c, e->v, w, f, e->action);
	for (size_t i = 0; f->fields[i].name != NULL; i++) {
		if (f->fields[i].kind == FIELD_HIDDEN)
			form_write_field(w, f, f->fields[i].name);
	}
	editor_write_bar(w, e);
	@ <div class="editing">
	write_sheet(w, e);
	editor_write_panel(w, e);
	if (console_may(e->v, RIGHT_WRITE) && e->article != NULL)
		write_beside(w, e);
	@ </div>
	form_write_end(w);
}

/* The notices are not in the form: they may have forms. */
static void
write_editor(struct hwrite *w, const void *data)
{
	const struct editing *e = data;

	@ <h1 class="heard">
	if (e->article != NULL)
		@ Edit: {e->article->title}
	else
		@ New article
	@ </h1><div class="notices">
	console_notices(w, e->c, e->v);
	if (e->unpublished)
		unpublished_write(w, e->c, e->v, e->article);
	form_write_summary(w, e->form);
	@ </div>
	write_form(w, e);
}

/* An article in the trash has two ways, each with its own right; the second one asks. */
static void
write_trashed(struct hwrite *w, const void *data)
{
	const struct editing *e = data;
	struct form f;

	@ <p>This article is in the trash. Nobody sees it, and it keeps its slug.</p>
	if (console_may(e->v, RIGHT_PUBLISH)) {
		form_init(&f, "restore", PAGE_BUTTON("restore", tr_mark("Restore"), FIELD_PRIMARY));
		console_form(e->c, e->v, w, &f, arena_printf(e->c->arena, "%s/restore", e->action));
	}
	if (console_may(e->v, RIGHT_MANAGE))
		screen_question_link(
		    w, console_path(e->c, e->v, "%s/destroy", e->action), tr("Delete for good"));
	if (e->reviewed != NULL)
		review_write_comments(w, e->reviewed);
}

static void
write_nothing(struct hwrite *w, const void *data)
{
	(void)w;
	(void)data;
}

void
editor_page(struct editing *e, struct reply *reply)
{
	/* There is nothing yet that could be read. */
	if (e->article == NULL && console_rests(e->v)) {
		console_page(e->c, e->v, reply, NULL, NULL, write_nothing, NULL);
		return;
	}
	/* What was sent meanwhile stays in its form, with the reason. */
	if (e->article != NULL && e->article->status == ARTICLE_DELETED && e->view == NULL) {
		console_page(e->c, e->v, reply, e->article->title, NULL, write_trashed, e);
		return;
	}
	if (e->article != NULL)
		editor_measure(e->c, e->v, e->article, &e->measure);
	console_desk(e->c, e->v, reply, e->article != NULL ? e->article->title : tr("New article"),
	    "#article-text", write_editor, e);
}
