/* The forms of the pieces of a text (docs/console.md §5.1): tables, steps, notes, questions and
 * citations have small forms of their own, and a failed check leads to the block that it means.
 * */
#include "editor-screen.h"

#include <string.h>

#include "../all.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "content/inline.h"
#include "screen/tr.h"

struct piece_page {
	struct ctx *c;
	const struct visit *v;
	struct piece_key key;
	struct piece_view view;
	struct piece piece; /* what the form shows: its rows are no fields of `form` */
	struct form form;
	const char *action; /* of the form, below the root */
	const char *article; /* the article's address below the root */
	bool removes; /* the page asks only whether the piece goes */
	const char *focus; /* the name of the cell that takes the focus, or NULL */
};

/* What follows the key in the value of a button that leads to the question whether the piece
 * goes. */
#define PIECE_REMOVES "/remove"

/* ---- the form: fields, rows of cells, and buttons for rows */

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
} all_fields[] = {
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
		.hint = tr_mark("It goes after the text of this section.") } },
	{ OF(SOURCE), true, false,
	    { .name = "place",
		.label = tr_mark("Cited after"),
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

#define ALL (sizeof(all_fields) / sizeof(all_fields[0]))

/* Returns the title of the page, in the interface's language. */
static const char *
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
	if ((all_fields[i].kinds & 1U << p->key.kind) == 0)
		return false;
	if (strcmp(all_fields[i].field.name, "place") == 0 && p->view.place_count == 0)
		return false;
	return p->key.is_new ? !all_fields[i].only_old : !all_fields[i].only_new;
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

/* Makes the fields that this kind has, and fills them and the places in. */
static void
piece_form(struct piece_page *p)
{
	struct field *own = arena_array(p->c->arena, ALL + 1, sizeof(*own));
	const struct piece *piece = &p->view.piece;
	size_t n = 0;

	for (size_t i = 0; i < ALL; i++) {
		if (has(p, i))
			own[n++] = all_fields[i].field;
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

/* Takes what was sent, after console_read(); and adds or removes a row or column if a button
 * for that was pressed, which it returns. */
static bool
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

/* Drops the rows at the end of a new table or list of steps that nobody filled in. */
static void
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

/* ---- rows */

static void
write_cell(
    struct hwrite *w, const struct piece_page *p, size_t r, size_t i, const char *label, bool area)
{
	const char *name = arena_printf(p->c->arena, "cell-%zu-%zu", r, i);
	const char *id = arena_printf(p->c->arena, "part-%s", name);
	bool focus = p->focus != NULL && strcmp(p->focus, name) == 0;

	@ <div class="field"><label for={id}>{label}</label>
	if (area)
		@ <textarea rows="3" id={id} name={name} dir="auto" autofocus={focus}>
		@ {=p->piece.rows[r][i]}</textarea>
	else
		@ <input type="text" id={id} name={name} dir="auto" autofocus={focus}
		@     value={p->piece.rows[r][i]}>
	@ </div>
}

static void
write_remove(struct hwrite *w, const char *name, size_t at, const char *what)
{
	@ <button type="submit" name={name} value={at} class="button quiet" aria-label={what}>
	@ Remove</button>
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

	@ <fieldset class="cells"><legend>Headings of the columns</legend>
	for (size_t i = 0; i < t->column_count; i++) {
		@ <div>
		write_cell(w, p, 0, i, arena_printf(a, tr("Column %zu"), i + 1), false);
		if (t->column_count > 1)
			write_remove(
			    w, "remove-column", i, arena_printf(a, tr("Remove column %zu"), i + 1));
		@ </div>
	}
	@ </fieldset>
	for (size_t r = 1; r < t->row_count; r++) {
		@ <fieldset class="cells"><legend>{=arena_printf(a, tr("Row %zu"), r)}</legend>
		for (size_t i = 0; i < t->column_count; i++)
			write_cell(w, p, r, i, column_of(p, i), false);
		write_remove(w, "remove-row", r, arena_printf(a, tr("Remove row %zu"), r));
		@ </fieldset>
	}
}

static void
write_steps(struct hwrite *w, const struct piece_page *p)
{
	struct arena *a = p->c->arena;

	for (size_t r = 0; r < p->piece.row_count; r++) {
		@ <fieldset class="cells"><legend>{=arena_printf(a, tr("Step %zu"), r + 1)}</legend>
		write_cell(w, p, r, 0, tr("What to do"), false);
		write_cell(w, p, r, 1, tr("More about it"), true);
		if (p->piece.row_count > 1)
			write_remove(
			    w, "remove-row", r, arena_printf(a, tr("Remove step %zu"), r + 1));
		@ </fieldset>
	}
}

/* ---- the page */

/* Asks whether the piece goes. */
static void
write_question(struct hwrite *w, const struct piece_page *p)
{
	if (p->key.kind == PIECE_SOURCE)
		@ <p>This takes the source out of the text, and each mark that cites it. History
		@ keeps the text as it is now.</p>
	else
		@ <p>This takes it out of the text. History keeps the text as it is now.</p>
	console_form_begin(p->c, p->v, w, &p->form, p->action);
	form_write_field(w, &p->form, "seen");
	@ <div class="buttons">{!form_write_field(w, &p->form, "remove")}</div>
	form_write_end(w);
}

static void
write_form(struct hwrite *w, const struct piece_page *p)
{
	const struct form *f = &p->form;

	form_write_summary(w, f);
	console_form_begin(p->c, p->v, w, f, p->action);
	/* Enter in a cell presses the first button of the form, so that one saves, too. */
	@ <div class="buttons above"><button type="submit" name="save" value="1" class="button">Save
	@ </button></div>
	for (size_t i = 0; f->fields[i].name != NULL; i++) {
		if (strcmp(f->fields[i].name, "place") != 0 && f->fields[i].kind != FIELD_SUBMIT)
			form_write_field(w, f, f->fields[i].name);
	}
	if (p->key.kind == PIECE_TABLE && p->piece.row_count > 0)
		write_table(w, p);
	else if (p->key.kind == PIECE_STEPS)
		write_steps(w, p);
	if (p->key.is_new && p->view.place_count > 0)
		form_write_field(w, f, "place");
	@ <div class="buttons below">
	for (size_t i = 0; f->fields[i].name != NULL; i++) {
		if (f->fields[i].kind == FIELD_SUBMIT)
			form_write_field(w, f, f->fields[i].name);
	}
	@ </div>
	form_write_end(w);
}

/* Writes the page's content. `data` is a struct piece_page. */
static void
piece_form_write(struct hwrite *w, const void *data)
{
	const struct piece_page *p = data;
	const struct article *a = p->view.article;

	@ <p><a href={console_path(p->c, p->v, "%s", p->article)}>
	@ {a != NULL ? a->title : tr("Back to the article")}</a></p>
	if (p->view.line > 0 && p->key.kind == PIECE_BLOCK)
		@ <p>{=arena_printf(
		@     p->c->arena, tr("It begins in line %u of the text."), p->view.line)}</p>
	if (console_rests(p->v))
		return;
	if (p->removes)
		write_question(w, p);
	else
		write_form(w, p);
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
	@ <button type="submit" name="part" value={key} class={class} aria-label={what}>
	@ {=label}</button>
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
	struct hwrite *w = l->w;
	const struct piece_key table = { .kind = PIECE_TABLE };
	const char *kind = piece_title(key->kind == PIECE_BLOCK ? &table : key);
	const char *name = piece_key_write(l->c, key);
	struct arena *a = l->c->arena;

	@ <li>
	write_button(
	    w, name, "button", tr("Edit"), arena_printf(a, tr("Edit: %s: %s"), kind, label));
	write_button(w, arena_printf(a, "%s" PIECE_REMOVES, name), "button quiet", tr("Remove"),
	    arena_printf(a, tr("Remove: %s: %s"), kind, label));
	@ <span>{!screen_sentence(w, tr("%s: %s"), kind, label)}</span></li>
}

void
piece_write_buttons(struct ctx *c, struct hwrite *w, const struct content *content)
{
	struct listed l = { .c = c, .w = w };

	@ <div class="buttons adds">
	for (size_t i = 0; i < sizeof(adds) / sizeof(adds[0]); i++) {
		const struct piece_key key = { .kind = (enum piece_kind)i, .is_new = true };
		write_button(w, piece_key_write(c, &key), "button", tr(adds[i]), NULL);
	}
	@ </div>
	if (content != NULL)
		piece_each(c, content, count_one, &l);
	if (l.count > 0)
		@ <details class="field">
		@ <summary>Tables, steps, notes, questions and sources</summary>
		@ <ul class="edits">{!piece_each(c, content, write_one, &l)}</ul></details>
}

/* ---- the answers */

#define ROWS 3 /* of a new table, with its head; of steps */
#define COLUMNS 2

/* A new table or list of steps begins with some rows. */
static void
begin_rows(struct piece_page *p)
{
	struct piece *piece = &p->piece;

	if (!p->key.is_new || (p->key.kind != PIECE_TABLE && p->key.kind != PIECE_STEPS))
		return;
	piece->row_count = ROWS;
	piece->column_count = COLUMNS;
	piece->rows = arena_array(p->c->arena, ROWS, sizeof(*piece->rows));
	for (size_t r = 0; r < ROWS; r++) {
		piece->rows[r] = arena_array(p->c->arena, COLUMNS, sizeof(**piece->rows));
		for (size_t i = 0; i < COLUMNS; i++)
			piece->rows[r][i] = "";
	}
}

/* Reads what the path names. */
static struct err *
begin(struct ctx *c, struct visit *v, struct piece_page *p)
{
	struct err *err;

	*p = (struct piece_page) { .c = c, .v = v, .article = editor_address(c, v, v->id) };
	if (!piece_key_read(c, v->name, &p->key))
		return refuse(c, ERR_NOT_FOUND, tr_mark("There is no such page."));
	p->action = arena_printf(c->arena, "%s/parts/%s", p->article, piece_key_write(c, &p->key));
	err = piece_look(c, v->workspace, v->id, &p->key, &p->view);
	if (err == NULL) {
		p->piece = p->view.piece;
		begin_rows(p);
	}
	return err;
}

static bool
is_gone(const struct err *err)
{
	return err->code == ERR_NOT_FOUND && err->param != NULL && strcmp(err->param, "piece") == 0;
}

static void
answer(struct piece_page *p, struct reply *reply)
{
	console_page(p->c, p->v, reply, piece_title(&p->key), NULL, piece_form_write, p);
}

static struct err *
show(struct ctx *c, struct visit *v, struct reply *reply)
{
	struct piece_page *p = arena_alloc(c->arena, sizeof(*p));
	struct err *err = begin(c, v, p);

	if (err != NULL && is_gone(err)) {
		console_go(c, v, reply, p->article, "no-piece");
		return NULL;
	}
	if (err != NULL)
		return err;
	p->removes =
	    !p->key.is_new && p->key.kind != PIECE_BLOCK && console_query(c, v, "remove") != NULL;
	piece_form(p);
	answer(p, reply);
	return NULL;
}

/* Shows what was typed beside what is wrong; somebody else's piece is the one that it
 * replaces when it is sent again. */
static struct err *
wrong(struct piece_page *p, struct visit *v, struct reply *reply, struct err *err)
{
	if (is_gone(err)) {
		form_refuse(&p->form, NULL, err->message);
		reply->status = 409;
	} else {
		TRY(console_wrong(p->c, v, reply, &p->form, err));
	}
	if (!p->key.is_new)
		form_fill(&p->form, "seen", p->view.seen);
	answer(p, reply);
	return NULL;
}

static void
read_place(struct piece_page *p, struct piece_write *w)
{
	w->key = p->key;
	w->piece = p->piece;
	w->place = p->key.is_new && p->view.place_count > 0 ? form_text(&p->form, "place") : "none";
	w->seen = p->key.is_new ? "" : form_text(&p->form, "seen");
	if (w->seen == NULL)
		w->seen = "";
}

/* "Remove" was pressed: what the other fields say does not count. */
static bool
is_removing(const struct piece_page *p)
{
	return !p->key.is_new && p->key.kind != PIECE_BLOCK && console_sent(p->v, "remove") != NULL;
}

static struct err *
save(struct ctx *c, struct visit *v, struct reply *reply)
{
	struct piece_page *p = arena_alloc(c->arena, sizeof(*p));
	struct piece_write w = { .id = v->id, .person = v->person->uuid };
	struct err *err = begin(c, v, p);
	bool good, changed;
	const char *notice;

	if (err != NULL && !is_gone(err))
		return err;
	piece_form(p);
	good = console_read(c, v, &p->form);
	changed = piece_form_take(p);
	good = good && p->form.errors == 0;
	w.removes = is_removing(p);
	if (w.removes) {
		changed = false;
		good = true;
	}
	if (changed || !good) {
		if (!changed)
			console_refused(v, reply);
		answer(p, reply);
		return NULL;
	}
	piece_form_trim(p);
	read_place(p, &w);
	notice = w.removes ? "part-removed" : "saved";
	console_will_go(v, arena_printf(c->arena, "%s?notice=%s", p->article, notice));
	err = piece_write(c, &w);
	if (err != NULL) {
		/* What was read before may be what somebody else has changed since. */
		struct err *again = piece_look(c, v->workspace, v->id, &p->key, &p->view);
		(void)again;
		/* Nothing was typed: the page shows what would have gone. */
		if (w.removes) {
			p->piece = p->view.piece;
			piece_form(p);
		}
		return wrong(p, v, reply, err);
	}
	if (w.saved)
		console_journal(c, v, "article save %s", v->id);
	console_go(c, v, reply, p->article, w.saved ? notice : "unchanged");
	return NULL;
}

#define PIECE                                                                                      \
	.pattern = "/W/articles/ID/parts/NAME", .need = RIGHT_WRITE,                               \
	.title = tr_mark("Part of the text"), .editor = true

SCREEN(piece) = {
	{ .method = "GET", PIECE, .handler = show },
	{ .method = "POST", PIECE, .handler = save },
	{ .method = NULL },
};
