/* The page of a piece of a text: its form with rows of cells; and what leads to it. */
#include <string.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "content/inline.h"
#include "piece.h"
#include "screen/tr.h"

/* ---- rows */

static void
write_cell(
    struct hwrite *w, const struct piece_page *p, size_t r, size_t i, const char *label, bool area)
{
	const char *name = arena_printf(p->c->arena, "cell-%zu-%zu", r, i);
	const char *id = arena_printf(p->c->arena, "part-%s", name);

	hwrite_open(w, H_DIV);
	hwrite_attr(w, A_CLASS, "field");
	hwrite_open(w, H_LABEL);
	hwrite_attr(w, A_FOR, id);
	screen_data(w, label);
	hwrite_close(w, H_LABEL);
	hwrite_open(w, area ? H_TEXTAREA : H_INPUT);
	if (area)
		hwrite_number(w, A_ROWS, 3);
	else
		hwrite_attr(w, A_TYPE, "text");
	hwrite_attr(w, A_ID, id);
	hwrite_attr(w, A_NAME, name);
	hwrite_attr(w, A_DIR, "auto");
	hwrite_flag(w, A_AUTOFOCUS, p->focus != NULL && strcmp(p->focus, name) == 0);
	if (area) {
		hwrite_text(w, p->piece.rows[r][i]);
		hwrite_close(w, H_TEXTAREA);
	} else {
		hwrite_attr(w, A_VALUE, p->piece.rows[r][i]);
	}
	hwrite_close(w, H_DIV);
}

static void
write_remove(struct hwrite *w, const char *name, size_t at, const char *what)
{
	hwrite_open(w, H_BUTTON);
	hwrite_attr(w, A_TYPE, "submit");
	hwrite_attr(w, A_NAME, name);
	hwrite_attr(w, A_VALUE, arena_printf(w->out->arena, "%zu", at));
	hwrite_attr(w, A_CLASS, "button quiet");
	hwrite_attr(w, A_ARIA_LABEL, what);
	hwrite_text(w, tr("Remove"));
	hwrite_close(w, H_BUTTON);
}

static void
begin_row(struct hwrite *w, const char *legend)
{
	hwrite_open(w, H_FIELDSET);
	hwrite_attr(w, A_CLASS, "cells");
	hwrite_element(w, H_LEGEND, legend);
}

/* Returns the heading of a column without marks; its number where it has none. */
static const char *
column_of(const struct piece_page *p, size_t i)
{
	const char *plain = inline_plain(p->c->arena, p->piece.rows[0][i]);

	if (plain[0] != '\0')
		return plain;
	return arena_printf(p->c->arena, tr("Column %zu"), i + 1);
}

static void
write_table(struct hwrite *w, const struct piece_page *p)
{
	struct arena *a = p->c->arena;
	const struct piece *t = &p->piece;

	begin_row(w, tr("Headings of the columns"));
	for (size_t i = 0; i < t->column_count; i++) {
		hwrite_open(w, H_DIV);
		write_cell(w, p, 0, i, arena_printf(a, tr("Column %zu"), i + 1), false);
		if (t->column_count > 1)
			write_remove(
			    w, "remove-column", i, arena_printf(a, tr("Remove column %zu"), i + 1));
		hwrite_close(w, H_DIV);
	}
	hwrite_close(w, H_FIELDSET);
	for (size_t r = 1; r < t->row_count; r++) {
		begin_row(w, arena_printf(a, tr("Row %zu"), r));
		for (size_t i = 0; i < t->column_count; i++)
			write_cell(w, p, r, i, column_of(p, i), false);
		write_remove(w, "remove-row", r, arena_printf(a, tr("Remove row %zu"), r));
		hwrite_close(w, H_FIELDSET);
	}
}

static void
write_steps(struct hwrite *w, const struct piece_page *p)
{
	struct arena *a = p->c->arena;

	for (size_t r = 0; r < p->piece.row_count; r++) {
		begin_row(w, arena_printf(a, tr("Step %zu"), r + 1));
		write_cell(w, p, r, 0, tr("What to do"), false);
		write_cell(w, p, r, 1, tr("More about it"), true);
		if (p->piece.row_count > 1)
			write_remove(
			    w, "remove-row", r, arena_printf(a, tr("Remove step %zu"), r + 1));
		hwrite_close(w, H_FIELDSET);
	}
}

/* ---- the page */

/* Writes the buttons in a row. "Save" is also the first one of the form: Enter in a cell
 * presses that. */
static void
write_buttons(struct hwrite *w, const struct form *f, bool all, const char *class)
{
	hwrite_open(w, H_DIV);
	hwrite_attr(w, A_CLASS, class);
	for (size_t i = 0; f->fields[i].name != NULL; i++) {
		if (f->fields[i].kind == FIELD_SUBMIT &&
		    (all || f->fields[i].tone == FIELD_PRIMARY))
			form_write_field(w, f, f->fields[i].name);
	}
	hwrite_close(w, H_DIV);
}

static void
write_head(struct hwrite *w, const struct piece_page *p)
{
	hwrite_open(w, H_P);
	hwrite_open(w, H_A);
	hwrite_address(w, A_HREF, console_path(p->c, p->v, "%s", p->article));
	screen_data(
	    w, p->view.article != NULL ? p->view.article->title : tr("Back to the article"));
	hwrite_close(w, H_A);
	hwrite_close(w, H_P);
	if (p->view.line > 0 && p->key.kind == PIECE_BLOCK)
		hwrite_element(w, H_P,
		    arena_printf(
			p->c->arena, tr("It begins in line %u of the text."), p->view.line));
}

/* Asks whether the piece goes. */
static void
write_question(struct hwrite *w, const struct piece_page *p)
{
	hwrite_element(w, H_P,
	    p->key.kind == PIECE_SOURCE
		? tr("This takes the source out of the text, and each mark that cites it. History keeps the text as it is now.")
		: tr("This takes it out of the text. History keeps the text as it is now."));
	console_form_begin(p->c, p->v, w, &p->form, p->action);
	form_write_field(w, &p->form, "seen");
	hwrite_open(w, H_DIV);
	hwrite_attr(w, A_CLASS, "buttons");
	form_write_field(w, &p->form, "remove");
	hwrite_close(w, H_DIV);
	form_write_end(w);
}

void
piece_form_write(struct hwrite *w, const void *data)
{
	const struct piece_page *p = data;
	const struct form *f = &p->form;

	write_head(w, p);
	if (console_rests(p->v))
		return;
	if (p->removes) {
		write_question(w, p);
		return;
	}
	form_write_summary(w, f);
	console_form_begin(p->c, p->v, w, f, p->action);
	write_buttons(w, f, false, "buttons above");
	for (size_t i = 0; f->fields[i].name != NULL; i++) {
		if (strcmp(f->fields[i].name, "place") == 0 || f->fields[i].kind == FIELD_SUBMIT)
			continue;
		form_write_field(w, f, f->fields[i].name);
	}
	if (p->key.kind == PIECE_TABLE && p->piece.row_count > 0)
		write_table(w, p);
	else if (p->key.kind == PIECE_STEPS)
		write_steps(w, p);
	if (p->key.is_new && p->view.place_count > 0)
		form_write_field(w, f, "place");
	write_buttons(w, f, true, "buttons below");
	form_write_end(w);
}

/* ---- what leads here */

const char *
piece_way(struct ctx *c, const char *value)
{
	size_t len = strlen(value), tail = strlen(PIECE_REMOVES);
	bool removes = len > tail && strcmp(value + len - tail, PIECE_REMOVES) == 0;
	struct piece_key key;

	if (!piece_key_read(c, arena_text_n(c->arena, value, len - (removes ? tail : 0)), &key))
		return NULL;
	return arena_printf(
	    c->arena, "/parts/%s%s", piece_key_write(c, &key), removes ? "?remove" : "");
}

static const char *const adds[] = { tr_mark("Add a table"), tr_mark("Add steps"),
	tr_mark("Add a note"), tr_mark("Add a question"), tr_mark("Add a citation") };

static void
write_button(
    struct hwrite *w, const char *key, const char *class, const char *label, const char *what)
{
	hwrite_open(w, H_BUTTON);
	hwrite_attr(w, A_TYPE, "submit");
	hwrite_attr(w, A_NAME, "part");
	hwrite_attr(w, A_VALUE, key);
	hwrite_attr(w, A_CLASS, class);
	hwrite_attr(w, A_ARIA_LABEL, what);
	hwrite_text(w, label);
	hwrite_close(w, H_BUTTON);
}

struct listed {
	struct ctx *c;
	struct hwrite *w;
	size_t count;
};

static void
count_one(void *arg, const struct piece_key *key, const char *label)
{
	struct listed *l = arg;

	(void)key;
	(void)label;
	l->count++;
}

static void
write_one(void *arg, const struct piece_key *key, const char *label)
{
	struct listed *l = arg;
	const struct piece_key table = { .kind = PIECE_TABLE };
	const char *kind = piece_title(key->kind == PIECE_BLOCK ? &table : key);
	const char *name = piece_key_write(l->c, key);
	struct arena *a = l->c->arena;

	hwrite_open(l->w, H_LI);
	write_button(
	    l->w, name, "button", tr("Edit"), arena_printf(a, tr("Edit: %s: %s"), kind, label));
	write_button(l->w, arena_printf(a, "%s" PIECE_REMOVES, name), "button quiet", tr("Remove"),
	    arena_printf(a, tr("Remove: %s: %s"), kind, label));
	hwrite_open(l->w, H_SPAN);
	screen_sentence(l->w, tr("%s: %s"), kind, label);
	hwrite_close(l->w, H_SPAN);
	hwrite_close(l->w, H_LI);
}

void
piece_write_buttons(struct ctx *c, struct hwrite *w, const struct content *content)
{
	struct listed l = { .c = c, .w = w };

	hwrite_open(w, H_DIV);
	hwrite_attr(w, A_CLASS, "buttons adds");
	for (size_t i = 0; i < sizeof(adds) / sizeof(adds[0]); i++) {
		const struct piece_key key = { .kind = (enum piece_kind)i, .is_new = true };
		write_button(w, piece_key_write(c, &key), "button", tr(adds[i]), NULL);
	}
	hwrite_close(w, H_DIV);
	if (content != NULL)
		piece_each(c, content, count_one, &l);
	if (l.count == 0)
		return;
	hwrite_open(w, H_DETAILS);
	hwrite_attr(w, A_CLASS, "field");
	hwrite_element(w, H_SUMMARY, tr("Tables, steps, notes, questions and sources"));
	hwrite_open(w, H_UL);
	hwrite_attr(w, A_CLASS, "edits");
	piece_each(c, content, write_one, &l);
	hwrite_close(w, H_UL);
	hwrite_close(w, H_DETAILS);
}
