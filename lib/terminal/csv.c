#include "terminal/csv.h"

#include <stdbool.h>
#include <string.h>

#include "base/buf.h"

/* Returns whether the text is a number: a number, signed or not, is not a
 * formula. */
static bool
is_number(const char *text)
{
	if (text[0] == '-' || text[0] == '+')
		text++;
	return text[0] != '\0' && text[strspn(text, "0123456789")] == '\0';
}

/* Spreadsheets look past spaces, and some take the wide forms of = + - @ for these. */
static bool
is_formula(const char *text)
{
	static const char *const wide[] = { "\uFF1D", "\uFF0B", "\uFF0D", "\uFF20" };

	if (text[0] != '\0' && strchr("=+-@ \t\r\n", text[0]) != NULL)
		return !is_number(text);
	for (size_t i = 0; i < sizeof(wide) / sizeof(wide[0]); i++) {
		if (strncmp(text, wide[i], strlen(wide[i])) == 0)
			return true;
	}
	return false;
}

static void
cell(struct buf *out, const char *text)
{
	buf_add_char(out, '"');
	if (text != NULL && is_formula(text))
		buf_add_char(out, '\'');
	for (; text != NULL && *text != '\0'; text++) {
		if (*text == '"')
			buf_add_char(out, '"');
		buf_add_char(out, *text);
	}
	buf_add_char(out, '"');
}

void
csv_row(struct buf *out, const char *const *cells, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (i > 0)
			buf_add_char(out, ',');
		cell(out, cells[i]);
	}
	buf_lit(out, "\r\n");
}
