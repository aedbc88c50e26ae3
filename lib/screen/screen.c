#include "screen/screen.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

#include "base/arena.h"
#include "base/log.h"
#include "screen/tr.h"

static void
open_class(struct hwrite *w, enum hwrite_element e, const char *class)
{
	hwrite_open(w, e);
	hwrite_attr(w, A_CLASS, class);
}

void
screen_data(struct hwrite *w, const char *text)
{
	if (text != NULL)
		hwrite_element(w, H_BDI, text);
}

void
screen_fact(struct hwrite *w, const char *name, const char *text)
{
	if (text == NULL || text[0] == '\0')
		return;
	hwrite_element(w, H_DT, name);
	hwrite_open(w, H_DD);
	screen_data(w, text);
	hwrite_close(w, H_DD);
}

/* ---- pieces */

static const char *const notices[] = { [SCREEN_NOTE] = "notice note",
	[SCREEN_GOOD] = "notice good",
	[SCREEN_WARNING] = "notice warning",
	[SCREEN_BAD] = "notice bad" };
static const char *const states[] = { [SCREEN_NOTE] = "state note",
	[SCREEN_GOOD] = "state good",
	[SCREEN_WARNING] = "state warning",
	[SCREEN_BAD] = "state bad" };

#define SENTENCE_TEXTS 4

/* A part of a sentence: a text, and the index of the value that follows it; -1: none. */
struct part {
	const char *text;
	size_t len;
	int index;
};

/* Takes the next part from *p; false at the end. Directives of numbers are for values whose type is
 * known (struct screen_hole). */
static bool
next_part(const char **p, int *next, size_t count, bool numbers, struct part *out)
{
	const char *percent = strchr(*p, '%'), *at;

	*out = (struct part) { .text = *p, .len = strlen(*p), .index = -1 };
	if (percent == NULL) {
		*p += out->len;
		return out->len > 0;
	}
	at = percent + 1;
	out->len = (size_t)(percent - *p);
	if (at[0] == '%') {
		out->len++;
		*p = at + 1;
		return true;
	}
	if (at[0] >= '1' && at[0] <= '9' && at[1] == '$') {
		out->index = at[0] - '1';
		at += 2;
	} else {
		out->index = (*next)++;
	}
	if (numbers)
		at += strspn(at, "lz");
	if ((*at != 's' && !(numbers && *at == 'd') && !(numbers && *at == 'u')) ||
	    out->index >= (int)count)
		BUG("a sentence has the directive %.4s", percent);
	*p = at + 1;
	return true;
}

void
screen_message(struct hwrite *w, const char *format, size_t count, const struct screen_hole *holes)
{
	struct part part;

	for (int next = 0; next_part(&format, &next, count, true, &part);) {
		hwrite_text_n(w, part.text, part.len);
		if (part.index >= 0)
			screen_put(w, holes[part.index]);
	}
}

const char *
screen_value(struct hwrite *w, struct screen_hole hole)
{
	if (hole.kind == SCREEN_NUMBER)
		return arena_printf(w->out->arena, "%" PRId64, hole.number);
	return hole.text != NULL ? hole.text : "";
}

static const char *
for_people(struct hwrite *w, struct screen_hole hole)
{
	return hole.kind == SCREEN_NUMBER ? tr_number(w->out->arena, hole.number)
					  : screen_value(w, hole);
}

const char *
screen_text(struct hwrite *w, const char *format, size_t count, const struct screen_hole *holes)
{
	struct part part;
	struct buf out;

	buf_init(&out, w->out->arena, (size_t)64 * 1024);
	for (int next = 0; next_part(&format, &next, count, true, &part);) {
		buf_add(&out, part.text, part.len);
		if (part.index >= 0)
			buf_add_text(&out, for_people(w, holes[part.index]));
	}
	return buf_done(&out);
}

void
screen_put(struct hwrite *w, struct screen_hole hole)
{
	if (hole.kind == SCREEN_DATA)
		screen_data(w, hole.text);
	else
		hwrite_text(w, for_people(w, hole));
}

void
screen_attribute(struct hwrite *w, enum hwrite_attribute a, struct screen_hole hole)
{
	if (hole.kind == SCREEN_NUMBER)
		hwrite_number(w, a, hole.number);
	else
		hwrite_attr(w, a, hole.text);
}

static void
write_sentence(struct hwrite *w, const char *format, va_list args)
{
	struct screen_hole texts[SENTENCE_TEXTS];
	const char *p = format;
	struct part part;
	int count = 0;

	for (int next = 0; next_part(&p, &next, SENTENCE_TEXTS, false, &part);)
		count = part.index >= count ? part.index + 1 : count;
	for (int i = 0; i < count; i++)
		texts[i] = screen_hole_data(va_arg(args, const char *));
	screen_message(w, format, (size_t)count, texts);
}

void
screen_sentence(struct hwrite *w, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	write_sentence(w, format, args);
	va_end(args);
}

/* Writes the beginning of a notice, to the picture of its tone. */
static void
begin_notice(struct hwrite *w, enum screen_tone tone)
{
	static const enum screen_icon pictures[] = { [SCREEN_NOTE] = ICON_ORDERS,
		[SCREEN_GOOD] = ICON_DONE,
		[SCREEN_WARNING] = ICON_CARE,
		[SCREEN_BAD] = ICON_CARE };

	open_class(w, H_DIV, notices[tone]);
	hwrite_attr(w, A_ROLE, tone == SCREEN_BAD ? "alert" : "status");
	screen_icon(w, pictures[tone]);
}

void
screen_notice_begin(struct hwrite *w, enum screen_tone tone)
{
	begin_notice(w, tone);
	hwrite_open(w, H_DIV);
}

void
screen_notice_end(struct hwrite *w)
{
	hwrite_close(w, H_DIV);
	hwrite_close(w, H_DIV);
}

void
screen_notice(struct hwrite *w, enum screen_tone tone, const char *format, ...)
{
	va_list args;

	begin_notice(w, tone);
	hwrite_open(w, H_P);
	va_start(args, format);
	write_sentence(w, format, args);
	va_end(args);
	hwrite_close(w, H_P);
	hwrite_close(w, H_DIV);
}

void
screen_notice_link(struct hwrite *w, enum screen_tone tone, const char *sentence,
    const char *address, const char *label)
{
	begin_notice(w, tone);
	hwrite_element(w, H_P, sentence);
	hwrite_text(w, " ");
	hwrite_open(w, H_A);
	hwrite_address(w, A_HREF, address);
	hwrite_text(w, label);
	hwrite_close(w, H_A);
	hwrite_close(w, H_DIV);
}

void
screen_copy_button(struct hwrite *w, const char *what)
{
	w->copies = true;
	open_class(w, H_BUTTON, "button");
	hwrite_attr(w, A_TYPE, "button");
	hwrite_flag(w, A_HIDDEN, true);
	hwrite_data(w, "copied", tr("Copied."));
	hwrite_data(w, "chosen", tr("It is selected: copy it now."));
	hwrite_text(w, tr("Copy"));
	open_class(w, H_SPAN, "heard");
	hwrite_text(w, ": ");
	hwrite_text(w, what);
	hwrite_close(w, H_SPAN);
	hwrite_close(w, H_BUTTON);
	hwrite_open(w, H_SPAN);
	hwrite_attr(w, A_ROLE, "status");
	hwrite_close(w, H_SPAN);
}

void
screen_copy(struct hwrite *w, const char *what, const char *text)
{
	open_class(w, H_DIV, "copy");
	hwrite_open(w, H_PRE);
	hwrite_attr(w, A_DIR, "ltr");
	hwrite_element(w, H_CODE, text);
	hwrite_close(w, H_PRE);
	screen_copy_button(w, what);
	hwrite_close(w, H_DIV);
}

void
screen_state_begin(struct hwrite *w, enum screen_tone tone)
{
	open_class(w, H_SPAN, states[tone]);
}

void
screen_state_end(struct hwrite *w)
{
	hwrite_close(w, H_SPAN);
}

void
screen_state(struct hwrite *w, enum screen_tone tone, const char *word)
{
	screen_state_begin(w, tone);
	hwrite_text(w, word);
	screen_state_end(w);
}

static void
write_button_link(struct hwrite *w, const char *class, const char *address, const char *label)
{
	open_class(w, H_A, class);
	hwrite_address(w, A_HREF, address);
	hwrite_text(w, label);
	hwrite_close(w, H_A);
}

void
screen_button_link(struct hwrite *w, const char *address, const char *label, bool primary)
{
	write_button_link(w, primary ? "button primary" : "button", address, label);
}

void
screen_question_link(struct hwrite *w, const char *address, const char *label)
{
	write_button_link(w, "button danger", address, label);
}

void
screen_empty(struct hwrite *w, const char *sentence, const char *address, const char *label)
{
	open_class(w, H_DIV, "empty");
	hwrite_element(w, H_P, sentence);
	if (address != NULL)
		screen_button_link(w, address, label, true);
	hwrite_close(w, H_DIV);
}

static void
write_page_link(struct hwrite *w, const char *rel, const char *address, const char *label)
{
	if (address == NULL)
		return;
	open_class(w, H_A, rel);
	hwrite_attr(w, A_REL, rel);
	hwrite_address(w, A_HREF, address);
	hwrite_text(w, label);
	hwrite_close(w, H_A);
}

void
screen_pages(struct hwrite *w, const char *newer, const char *older)
{
	if (newer == NULL && older == NULL)
		return;
	open_class(w, H_NAV, "pages");
	hwrite_attr(w, A_ARIA_LABEL, tr("Pages"));
	write_page_link(w, "prev", newer, tr("Newer"));
	write_page_link(w, "next", older, tr("Older"));
	hwrite_close(w, H_NAV);
}

/* ---- lists */

const struct screen_column *
screen_columns(struct hwrite *w, const struct screen_column *columns)
{
	struct screen_column *out;
	size_t count = 0, n = 0;

	while (columns[count].label != NULL)
		count++;
	out = arena_array(w->out->arena, count + 1, sizeof(*out));
	for (size_t i = 0; i <= count; i++) {
		if (!columns[i].left_out)
			out[n++] = columns[i];
	}
	return out;
}

void
screen_list_begin(struct hwrite *w, const char *caption, const struct screen_column *columns)
{
	if (w->columns != NULL)
		BUG("a list is within a list");
	w->columns = columns;
	open_class(w, H_TABLE, "list");
	hwrite_element(w, H_CAPTION, caption);
	hwrite_open(w, H_THEAD);
	hwrite_open(w, H_TR);
	for (; columns->label != NULL; columns++) {
		hwrite_open(w, H_TH);
		hwrite_attr(w, A_SCOPE, "col");
		if (columns->number)
			hwrite_attr(w, A_CLASS, "number");
		hwrite_text(w, tr(columns->label));
		hwrite_close(w, H_TH);
	}
	hwrite_close(w, H_TR);
	hwrite_close(w, H_THEAD);
	hwrite_open(w, H_TBODY);
}

void
screen_list_row(struct hwrite *w)
{
	w->cell = 0;
	hwrite_open(w, H_TR);
}

void
screen_list_cell(struct hwrite *w)
{
	const struct screen_column *column = &w->columns[w->cell];

	if (column->label == NULL)
		BUG("a row has more cells than there are columns");
	hwrite_open(w, w->cell == 0 ? H_TH : H_TD);
	if (w->cell == 0)
		hwrite_attr(w, A_SCOPE, "row");
	else
		hwrite_data(w, "label", tr(column->label));
	if (column->number)
		hwrite_attr(w, A_CLASS, "number");
}

void
screen_list_cell_end(struct hwrite *w)
{
	hwrite_close(w, w->cell == 0 ? H_TH : H_TD);
	w->cell++;
}

void
screen_list_row_end(struct hwrite *w)
{
	if (w->columns[w->cell].label != NULL)
		BUG("a row has fewer cells than there are columns");
	hwrite_close(w, H_TR);
}

void
screen_list_end(struct hwrite *w)
{
	hwrite_close(w, H_TBODY);
	hwrite_close(w, H_TABLE);
	w->columns = NULL;
}

void
screen_address_add(struct buf *address, const char *name, const char *value)
{
	static const char plain[] =
	    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~";
	static const char digits[] = "0123456789ABCDEF";

	if (value == NULL)
		return;
	buf_add_char(address, strchr(address->data, '?') != NULL ? '&' : '?');
	buf_add_text(address, name);
	buf_add_char(address, '=');
	for (const char *p = value; *p != '\0'; p++) {
		unsigned byte = (unsigned char)*p;
		if (strchr(plain, *p) != NULL) {
			buf_add_char(address, *p);
			continue;
		}
		buf_add_char(address, '%');
		buf_add_char(address, digits[byte >> 4]);
		buf_add_char(address, digits[byte & 15]);
	}
}
