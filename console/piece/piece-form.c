/* The form of a piece of a text: fields, rows of cells, and buttons for rows. */
#include <string.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "base/utf8.h"
#include "content/inline.h"
#include "piece.h"
#include "screen/tr.h"

#define AREA_MAX ((size_t)2 * 1024 * 1024)
#define ROWS_MAX (PIECE_CELLS_MAX / 2)

static const struct field_choice callouts[] = {
	{ "note", tr_mark("Note") },
	{ "tip", tr_mark("Tip") },
	{ "important", tr_mark("Important") },
	{ "warning", tr_mark("Warning") },
	{ "caution", tr_mark("Caution") },
	{ "todo", tr_mark("To do: left to write, in drafts only") },
	{ NULL, NULL },
};

#define OF(kind) (1U << PIECE_##kind)
#define HAS_ROWS (OF(TABLE) | OF(STEPS))

/* The fields, with the kinds that have them. The rows come before the buttons. */
static const struct {
	unsigned kinds;
	bool only_new, only_old;
	struct field field;
} all[] = {
	{ ~0U, false, true, { .name = "seen", .kind = FIELD_HIDDEN } },
	{ OF(TABLE), false, false,
	    { .name = "caption",
		.label = tr_mark("Caption"),
		.kind = FIELD_TEXT,
		.max = CONTENT_TEXT_MAX,
		.hint = tr_mark("A line above the table, which says what it shows.") } },
	{ OF(TABLE), false, false,
	    { .name = "row-header",
		.label = tr_mark("The first column heads the rows"),
		.kind = FIELD_CHECKBOX } },
	{ OF(NOTE), false, false,
	    { .name = "callout",
		.label = tr_mark("Kind"),
		.kind = FIELD_SELECT,
		.required = true,
		.choices = callouts } },
	{ OF(NOTE), false, false,
	    { .name = "note-title", .label = tr_mark("Title"), .kind = FIELD_TEXT } },
	{ OF(QUESTION), false, false,
	    { .name = "question",
		.label = tr_mark("Question"),
		.kind = FIELD_TEXT,
		.required = true } },
	{ OF(QUESTION), false, false,
	    { .name = "answer",
		.label = tr_mark("Answer"),
		.kind = FIELD_AREA,
		.max = AREA_MAX,
		.rows = 8,
		.required = true } },
	{ OF(SOURCE), false, false,
	    { .name = "title",
		.label = tr_mark("Title"),
		.kind = FIELD_TEXT,
		.required = true,
		.hint = tr_mark("The name of the page, book or study.") } },
	{ OF(SOURCE), false, false,
	    { .name = "url",
		.label = tr_mark("Address"),
		.kind = FIELD_TEXT,
		.max = 8000,
		.dir = "ltr",
		.inputmode = "url",
		.hint = tr_mark("Example: https://www.example.org/study") } },
	{ OF(SOURCE), false, false,
	    { .name = "publisher", .label = tr_mark("Publisher"), .kind = FIELD_TEXT } },
	{ OF(SOURCE), false, false,
	    { .name = "published",
		.label = tr_mark("Published"),
		.kind = FIELD_TEXT,
		.max = 200,
		.dir = "ltr",
		.hint = tr_mark("A year or a date. Example: 2025-03-04") } },
	{ OF(SOURCE), false, false,
	    { .name = "accessed",
		.label = tr_mark("Read on"),
		.kind = FIELD_TEXT,
		.max = 200,
		.dir = "ltr",
		.hint = tr_mark("The day on which you read it. Example: 2026-08-30") } },
	{ OF(NOTE), false, false,
	    { .name = "text",
		.label = tr_mark("Text"),
		.kind = FIELD_AREA,
		.max = AREA_MAX,
		.rows = 6,
		.required = true } },
	{ OF(BLOCK), false, false,
	    { .name = "text",
		.label = tr_mark("Text"),
		.kind = FIELD_AREA,
		.max = AREA_MAX,
		.rows = 12,
		.hint = tr_mark("This block of the article as Markdown.") } },
	{ HAS_ROWS | OF(NOTE), true, false,
	    { .name = "place",
		.label = tr_mark("Section"),
		.kind = FIELD_SELECT,
		.required = true,
		.hint = tr_mark("It goes behind the text of this section.") } },
	{ OF(SOURCE), true, false,
	    { .name = "place",
		.label = tr_mark("Cited behind"),
		.kind = FIELD_SELECT,
		.required = true } },
	{ ~0U, false, false,
	    { .name = "save",
		.label = tr_mark("Save"),
		.kind = FIELD_SUBMIT,
		.tone = FIELD_PRIMARY } },
	{ HAS_ROWS, false, false,
	    { .name = "add-row", .label = tr_mark("Add a row"), .kind = FIELD_SUBMIT } },
	{ OF(TABLE), false, false,
	    { .name = "add-column", .label = tr_mark("Add a column"), .kind = FIELD_SUBMIT } },
	{ ~OF(BLOCK), false, true,
	    { .name = "remove",
		.label = tr_mark("Remove from the text"),
		.kind = FIELD_SUBMIT,
		.tone = FIELD_DANGER } },
};

#define ALL (sizeof(all) / sizeof(all[0]))

const char *
piece_title(const struct piece_key *key)
{
	static const char *const new_ones[PIECE_KINDS] = { tr_mark("Add a table"),
		tr_mark("Add steps"), tr_mark("Add a note"), tr_mark("Add a question"),
		tr_mark("Add a citation"), NULL };
	static const char *const old_ones[PIECE_KINDS] = { tr_mark("Table"), tr_mark("Steps"),
		tr_mark("Note"), tr_mark("Question"), tr_mark("Source"),
		tr_mark("Place in the text") };

	return tr(key->is_new ? new_ones[key->kind] : old_ones[key->kind]);
}

static bool
has(const struct piece_page *p, size_t i)
{
	if ((all[i].kinds & 1U << p->key.kind) == 0)
		return false;
	if (strcmp(all[i].field.name, "place") == 0 && p->view.place_count == 0)
		return false;
	return p->key.is_new ? !all[i].only_old : !all[i].only_new;
}

static void
fill(struct piece_page *p, const char *name, const char *text)
{
	for (size_t i = 0; p->form.fields[i].name != NULL; i++) {
		if (strcmp(p->form.fields[i].name, name) == 0)
			form_fill(&p->form, name, text[0] != '\0' ? text : NULL);
	}
}

static const char *
place_label(struct ctx *c, const struct piece_place *place)
{
	const char *heading = place->heading[0] != '\0' ? place->heading : tr("The beginning");

	if (place->excerpt == NULL)
		return heading;
	return arena_printf(c->arena, tr("%s: %s"), heading, place->excerpt);
}

/* Fills the places in. A source may be cited nowhere yet; all else goes to the end. */
static void
fill_places(struct piece_page *p)
{
	size_t count = p->view.place_count, n = 0;
	struct field_choice *choices = arena_array(p->c->arena, count + 2, sizeof(*choices));

	if (p->key.kind == PIECE_SOURCE)
		choices[n++] = (struct field_choice) { "none",
			tr("Nowhere yet: it is not shown until the text cites it") };
	for (size_t i = 0; i < count; i++)
		choices[n++] = (struct field_choice) { p->view.places[i].value,
			place_label(p->c, &p->view.places[i]) };
	form_choices(&p->form, "place", choices);
	form_fill(&p->form, "place", choices[n - 1].value);
}

void
piece_form(struct piece_page *p)
{
	struct field *own = arena_array(p->c->arena, ALL + 1, sizeof(*own));
	const struct piece *piece = &p->view.piece;
	size_t n = 0;

	for (size_t i = 0; i < ALL; i++) {
		if (has(p, i))
			own[n++] = all[i].field;
	}
	form_init(&p->form, "part", own);
	if (p->key.is_new && p->view.place_count > 0)
		fill_places(p);
	if (p->key.kind == PIECE_NOTE)
		form_fill(&p->form, "callout", content_callout_name(piece->callout));
	if (piece->title == NULL)
		return; /* it is gone */
	fill(p, "seen", p->view.seen);
	fill(p, "caption", piece->title);
	fill(p, "note-title", piece->title);
	fill(p, "title", piece->title);
	fill(p, "url", piece->url);
	fill(p, "publisher", piece->publisher);
	fill(p, "published", piece->published);
	fill(p, "accessed", piece->accessed);
	fill(p, "text", piece->text);
	if (p->key.kind == PIECE_TABLE)
		form_tick(&p->form, "row-header", piece->row_header);
	if (p->key.kind == PIECE_QUESTION && piece->row_count > 0) {
		fill(p, "question", piece->rows[0][0]);
		fill(p, "answer", piece->rows[0][1]);
	}
}

/* ---- what was sent */

/* Returns the text of a field that this kind has, "" for none. */
static const char *
taken(const struct piece_page *p, const char *name)
{
	for (size_t i = 0; p->form.fields[i].name != NULL; i++) {
		if (strcmp(p->form.fields[i].name, name) == 0 && p->form.entry[i].text != NULL)
			return p->form.entry[i].text;
	}
	return "";
}

/* Returns the bytes with \n at the end of lines, and sets their new number. */
static char *
with_lines(const struct piece_page *p, const char *sent, size_t *len)
{
	char *text = arena_text_n(p->c->arena, sent, *len), *to = text;

	for (size_t i = 0; i < *len; i++) {
		if (sent[i] != '\r')
			*to++ = sent[i];
		else if (sent[i + 1] != '\n')
			*to++ = '\n';
	}
	*to = '\0';
	*len = (size_t)(to - text);
	return text;
}

/* Returns the text of a cell, which check_cells() has seen; NULL: there is no such cell. */
static const char *
cell(const struct piece_page *p, size_t r, size_t i)
{
	return console_sent(p->v, arena_printf(p->c->arena, "cell-%zu-%zu", r, i));
}

/* Refuses the form if a cell holds what cannot be kept: fields have this check of their own. */
static void
check_cells(struct piece_page *p)
{
	for (size_t i = 0; i < p->v->sent.count; i++) {
		struct form_value *value = &p->v->sent.values[i];
		char *text;
		if (strncmp(value->name, "cell-", 5) != 0)
			continue;
		text = with_lines(p, value->text, &value->len);
		form_refuse(&p->form, NULL, form_take_out(text, &value->len, false));
		value->text = text;
	}
}

/* Takes the cells: as many as were sent. */
static void
take_cells(struct piece_page *p)
{
	struct piece *piece = &p->piece;
	size_t rows = 0, columns = 0;

	while (columns < CONTENT_COLUMNS_MAX && cell(p, 0, columns) != NULL)
		columns++;
	while (rows < ROWS_MAX && columns > 0 && cell(p, rows, 0) != NULL)
		rows++;
	piece->row_count = rows;
	piece->column_count = columns;
	piece->rows = arena_array(p->c->arena, rows + 1, sizeof(*piece->rows));
	/* There is room for one more of both. */
	for (size_t r = 0; r <= rows; r++) {
		piece->rows[r] = arena_array(p->c->arena, columns + 1, sizeof(**piece->rows));
		for (size_t i = 0; i <= columns; i++) {
			const char *text = r < rows && i < columns ? cell(p, r, i) : NULL;
			piece->rows[r][i] = text != NULL ? text : "";
		}
	}
}

/* Reads the number of a button "Remove"; false if it was not pressed. */
static bool
removed(const struct piece_page *p, const char *name, size_t count, size_t *out)
{
	const char *sent = console_sent(p->v, name);

	for (size_t i = 0; sent != NULL && i < count; i++) {
		if (strcmp(sent, arena_printf(p->c->arena, "%zu", i)) == 0) {
			*out = i;
			return true;
		}
	}
	return false;
}

static void
remove_column(struct piece *piece, size_t at)
{
	for (size_t r = 0; r < piece->row_count; r++)
		memmove(&piece->rows[r][at], &piece->rows[r][at + 1],
		    (piece->column_count - at - 1) * sizeof(**piece->rows));
	piece->column_count--;
}

static bool
change_rows(struct piece_page *p)
{
	struct piece *piece = &p->piece;
	bool room = (piece->row_count + 1) * (piece->column_count + 1) <= PIECE_CELLS_MAX;
	size_t at;

	if (console_sent(p->v, "add-row") != NULL) {
		if (room)
			p->focus = arena_printf(p->c->arena, "cell-%zu-0", piece->row_count++);
	} else if (console_sent(p->v, "add-column") != NULL) {
		if (room && piece->column_count < CONTENT_COLUMNS_MAX)
			p->focus = arena_printf(p->c->arena, "cell-0-%zu", piece->column_count++);
	} else if (removed(p, "remove-row", piece->row_count, &at)) {
		memmove(&piece->rows[at], &piece->rows[at + 1],
		    (piece->row_count - at - 1) * sizeof(*piece->rows));
		piece->row_count--;
		p->focus = "cell-0-0";
	} else if (removed(p, "remove-column", piece->column_count, &at)) {
		remove_column(piece, at);
		p->focus = "cell-0-0";
	} else {
		return false;
	}
	return true;
}

/* Takes question and answer as the two cells of one row. */
static void
take_question(struct piece_page *p)
{
	struct piece *piece = &p->piece;

	piece->row_count = 1;
	piece->column_count = 2;
	piece->rows = arena_array(p->c->arena, 1, sizeof(*piece->rows));
	piece->rows[0] = arena_array(p->c->arena, 2, sizeof(**piece->rows));
	piece->rows[0][0] = taken(p, "question");
	piece->rows[0][1] = taken(p, "answer");
}

bool
piece_form_take(struct piece_page *p)
{
	struct piece *piece = &p->piece;

	*piece = (struct piece) { .text = taken(p, "text"),
		.url = taken(p, "url"),
		.publisher = taken(p, "publisher"),
		.published = taken(p, "published"),
		.accessed = taken(p, "accessed") };
	piece->title = taken(p, p->key.kind == PIECE_TABLE  ? "caption"
				: p->key.kind == PIECE_NOTE ? "note-title"
							    : "title");
	if (p->key.kind == PIECE_NOTE)
		(void)content_callout_kind(taken(p, "callout"), &piece->callout);
	if (p->key.kind == PIECE_TABLE)
		piece->row_header = form_is_on(&p->form, "row-header");
	if (p->key.kind == PIECE_QUESTION)
		take_question(p);
	if ((1U << p->key.kind & HAS_ROWS) == 0)
		return false;
	check_cells(p);
	take_cells(p);
	return change_rows(p);
}

void
piece_form_trim(struct piece_page *p)
{
	struct piece *piece = &p->piece;
	bool empty = p->key.is_new && (1U << p->key.kind & HAS_ROWS) != 0;

	while (empty && piece->row_count > 1) {
		for (size_t i = 0; i < piece->column_count; i++)
			empty = empty && piece->rows[piece->row_count - 1][i][0] == '\0';
		piece->row_count -= empty;
	}
}
