/* The page of the editor (docs/console.md §5.1): title and text, and what is said of them: what the
 * text loses, what people said. */
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
#include "editor-screen.h"
#include "export/export.h"
#include "import/losses.h"
#include "import/markdown/body.h"
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
	if (comment->kind == COMMENT_HANDED_IN)
		@ {name} handed it in,
	else if (comment->kind == COMMENT_HANDED_BACK)
		@ {name} handed it back,
	else if (comment->kind == COMMENT_TAKEN_BACK)
		@ {name} took it back,
	else
		@ {name} said,
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
		editor_write_saving(w, e);
		editor_write_tools(w);
	}
	form_write_field(w, f, "title");
	if (may_write)
		editor_write_questions(w, e);
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
		editor_write_beside(w, e);
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
