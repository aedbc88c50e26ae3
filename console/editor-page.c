/* The page of the editor: the state of the article, what was found, and the form. */
#include <string.h>

#include "all.h"
#include "article/stored.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "editor.h"
#include "export/export.h"
#include "import/losses.h"
#include "piece.h"
#include "publish.h"
#include "screen/say.h"
#include "screen/tr.h"
#include "store/db.h"

static void
write_state(struct hwrite *w, const struct article *a)
{
	hwrite_open(w, H_P);
	if (a->status == ARTICLE_DELETED)
		screen_state(w, SCREEN_BAD, tr("In the trash"));
	else if (a->status == ARTICLE_DRAFT)
		screen_state(w, SCREEN_NOTE, tr("Draft"));
	else if (article_has_changes(a))
		screen_state(w, SCREEN_WARNING, tr("Published, with changes"));
	else
		screen_state(w, SCREEN_GOOD, tr("Published"));
	hwrite_close(w, H_P);
}

size_t
editor_words(struct ctx *c, const struct visit *v, const struct article *a)
{
	const struct export_source *source;

	db_begin_read(c, DB_CONTENT);
	source = stored_source(c, v->workspace, a, true);
	db_rollback(c);
	return export_words(c, source);
}

/* The script says when it saved itself, and takes this away: it would be said twice. */
static void
write_last_save(struct hwrite *w, const struct editing *e)
{
	const bool own = e->saved_by[0] == '\0';

	hwrite_open(w, H_SPAN);
	hwrite_attr(w, A_ID, "last-save");
	if (own && say_day_of(e->c, e->saved_at) == say_day_of(e->c, clock_now()))
		hwrite_data(w, "at", say_clock_text(e->c, e->saved_at));
	hwrite_text(w, " · ");
	if (own)
		screen_sentence(w, tr("You saved %s"), say_time_text(e->c, e->saved_at));
	else
		screen_sentence(
		    w, tr("%s saved %s"), e->saved_by, say_time_text(e->c, e->saved_at));
	hwrite_close(w, H_SPAN);
}

/* Says how long the text is, and who saved it when: nobody locks anybody. */
static void
write_facts(struct hwrite *w, const struct editing *e)
{
	long long words;

	if (e->article == NULL)
		return;
	words = (long long)editor_words(e->c, e->v, e->article);
	hwrite_open(w, H_P);
	hwrite_attr(w, A_CLASS, "hint");
	hwrite_open(w, H_SPAN);
	hwrite_attr(w, A_ID, "words");
	hwrite_text(
	    w, arena_printf(e->c->arena, tr_count("%lld word", "%lld words", words), words));
	hwrite_close(w, H_SPAN);
	if (e->saved_by != NULL)
		write_last_save(w, e);
	hwrite_close(w, H_P);
}

/* An article in the trash has two ways, each with its own right; the second one asks. */
static void
write_trash(struct hwrite *w, const struct editing *e)
{
	static const struct field restore[] = { { .name = "restore",
						    .label = tr_mark("Restore"),
						    .kind = FIELD_SUBMIT,
						    .tone = FIELD_PRIMARY },
		{ .name = NULL } };
	struct form f;

	hwrite_element(
	    w, H_P, tr("This article is in the trash. Nobody sees it, and it keeps its slug."));
	if (console_may(e->v, RIGHT_PUBLISH)) {
		form_init(&f, "restore", restore);
		console_form(e->c, e->v, w, &f, arena_printf(e->c->arena, "%s/restore", e->action));
	}
	if (console_may(e->v, RIGHT_MANAGE))
		screen_question_link(
		    w, console_path(e->c, e->v, "%s/destroy", e->action), tr("Delete for good"));
}

/* Writes the buttons that are (or are not) the main ones, in one row. */
static void
write_buttons(struct hwrite *w, const struct form *f, bool main, const char *class)
{
	bool begun = false;

	for (size_t i = 0; f->fields[i].name != NULL; i++) {
		if (f->fields[i].kind != FIELD_SUBMIT || editor_is_main(f->fields[i].name) != main)
			continue;
		if (!begun) {
			hwrite_open(w, H_DIV);
			hwrite_attr(w, A_CLASS, class);
		}
		begun = true;
		form_write_field(w, f, f->fields[i].name);
	}
	if (begun)
		hwrite_close(w, H_DIV);
}

static void
write_beside_text(struct hwrite *w, const struct editing *e)
{
	editor_write_keys(w);
	piece_write_buttons(e->c, w, e->content);
	editor_write_file(w);
}

/* Writes a text that nobody can change here once more, for paper: the sheet shows it there. */
static void
write_for_paper(struct hwrite *w, const struct form *f)
{
	const char *text = form_text(f, "text");

	if (text == NULL || text[0] == '\0')
		return;
	hwrite_open(w, H_PRE);
	hwrite_attr(w, A_CLASS, "paper");
	hwrite_attr(w, A_DIR, "auto");
	hwrite_text(w, text);
	hwrite_close(w, H_PRE);
}

/* The main buttons are above and below the fields. On a phone the lower row stays in
 * sight, and the upper one is not shown. */
static void
write_form(struct hwrite *w, const struct editing *e)
{
	const struct form *f = e->form;
	bool may_write = console_may(e->v, RIGHT_WRITE);

	form_write_summary(w, f);
	if (may_write)
		editor_write_saving(w, e);
	hwrite_open(w, H_DIV);
	hwrite_attr(w, A_CLASS, "editing");
	console_form_begin(e->c, e->v, w, f, e->action);
	write_buttons(w, f, true, "buttons above");
	for (size_t i = 0; f->fields[i].name != NULL; i++) {
		if (strcmp(f->fields[i].name, "cover") == 0)
			editor_write_cover(w, e);
		if (strcmp(f->fields[i].name, "text") == 0 && may_write)
			editor_write_tools(w, e);
		if (f->fields[i].kind != FIELD_SUBMIT)
			form_write_field(w, f, f->fields[i].name);
		if (strcmp(f->fields[i].name, "text") == 0 && may_write)
			write_beside_text(w, e);
		else if (strcmp(f->fields[i].name, "text") == 0)
			write_for_paper(w, f);
	}
	write_buttons(w, f, false, "buttons");
	write_buttons(w, f, true, "buttons below");
	form_write_end(w);
	if (may_write && e->article != NULL)
		editor_write_beside(w, e);
	hwrite_close(w, H_DIV);
}

/* Says what the text loses, and has a place for what the script is told of it. */
static void
write_losses(struct hwrite *w, const struct editing *e)
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
write_editor(struct hwrite *w, const void *data)
{
	const struct editing *e = data;

	if (e->article != NULL)
		write_state(w, e->article);
	if (e->published != NULL)
		published_write(w, e->published);
	write_facts(w, e);
	if (e->reviewed != NULL)
		review_write_state(w, e->reviewed);
	if (e->ready != NULL)
		editor_write_ready(e->c, e->v, w, e->ready, e->spots);
	write_losses(w, e);
	if (e->article != NULL) {
		hwrite_open(w, H_P);
		hwrite_attr(w, A_CLASS, "noprint");
		hwrite_open(w, H_A);
		hwrite_address(w, A_HREF, console_path(e->c, e->v, "%s/history", e->action));
		hwrite_text(w, tr("History"));
		hwrite_close(w, H_A);
		hwrite_text(w, " · ");
		hwrite_open(w, H_A);
		hwrite_address(w, A_HREF, console_path(e->c, e->v, "%s/preview", e->action));
		hwrite_text(w, tr("Preview"));
		hwrite_close(w, H_A);
		hwrite_text(w, " · ");
		hwrite_open(w, H_A);
		hwrite_address(w, A_HREF, console_path(e->c, e->v, "%s/markdown", e->action));
		hwrite_text(w, tr("Download as Markdown"));
		hwrite_close(w, H_A);
		if (e->article->status == ARTICLE_PUBLISHED) {
			hwrite_text(w, " · ");
			hwrite_open(w, H_A);
			hwrite_address(w, A_HREF, console_path(e->c, e->v, "%s/public", e->action));
			hwrite_text(w, tr("Open what readers see"));
			hwrite_close(w, H_A);
		}
		if (e->article->status != ARTICLE_DELETED && console_may(e->v, RIGHT_PUBLISH)) {
			hwrite_text(w, " · ");
			hwrite_open(w, H_A);
			hwrite_address(
			    w, A_HREF, console_path(e->c, e->v, "%s/publish", e->action));
			hwrite_text(w, tr("Publish later"));
			hwrite_close(w, H_A);
		}
		hwrite_close(w, H_P);
	}
	/* There is nothing yet that could be read. */
	if (e->article == NULL && console_rests(e->v))
		return;
	/* What was sent meanwhile stays in its form, with the reason. */
	if (e->article != NULL && e->article->status == ARTICLE_DELETED && e->view == NULL)
		write_trash(w, e);
	else
		write_form(w, e);
	if (e->reviewed != NULL)
		review_write_comments(w, e->reviewed);
}

void
editor_page(const struct editing *e, struct reply *reply)
{
	console_page(e->c, e->v, reply, e->article != NULL ? e->article->title : NULL, NULL,
	    write_editor, e);
}
