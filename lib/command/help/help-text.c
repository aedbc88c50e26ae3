#include "command/help/help-text.h"

#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/ctx.h"
#include "command/call.h"
#include "system/near.h"
#include "terminal/grid.h"

#define COLUMNS 78 /* columns of a terminal that are used */
#define FAR 2 /* at most so many letters of a near word differ */

static bool
same(const char *a, const char *b)
{
	if (a == NULL || b == NULL)
		return a == b;
	return strcmp(a, b) == 0;
}

const struct command *
help_find(const char *noun, const char *verb)
{
	for (size_t i = 0; command_list[i] != NULL; i++) {
		const struct command *row = command_list[i];
		for (; row->verb != NULL; row++) {
			if (same(row->noun, noun) && same(row->verb, verb))
				return row;
		}
	}
	return NULL;
}

const char *
help_name(struct ctx *c, const struct command *command)
{
	if (command->noun == NULL)
		return arena_printf(c->arena, "galley %s", command->verb);
	return arena_printf(c->arena, "galley %s %s", command->noun, command->verb);
}

/* Returns the command nearest to two words, or NULL if none is near. */
static const struct command *
nearest(const char *first, const char *second)
{
	const struct command *best = NULL;
	size_t best_distance = FAR + 1;

	for (size_t i = 0; command_list[i] != NULL; i++) {
		const struct command *row = command_list[i];
		for (; row->verb != NULL; row++) {
			size_t d = row->noun == NULL ? near_distance(first, row->verb)
						     : near_distance(first, row->noun) +
							   near_distance(second, row->verb);
			if (d < best_distance) {
				best_distance = d;
				best = row;
			}
		}
	}
	return best;
}

/* Returns the verb of the noun that is nearest to a word, or begins with it. */
static const struct command *
nearest_verb(const char *noun, const char *verb)
{
	struct near near = near_to(verb);

	for (size_t i = 0; command_list[i] != NULL; i++) {
		const struct command *row = command_list[i];
		for (; row->verb != NULL; row++) {
			if (same(row->noun, noun))
				near_try(&near, row->verb);
		}
	}
	return near.best != NULL ? help_find(noun, near.best) : NULL;
}

static bool
is_noun(const char *word)
{
	for (size_t i = 0; command_list[i] != NULL; i++) {
		if (command_list[i]->verb != NULL && same(command_list[i]->noun, word))
			return true;
	}
	return false;
}

/* Returns the noun that a word was meant to be, or NULL. */
static const char *
nearest_noun(const char *word)
{
	struct near near = near_to(word);

	for (size_t i = 0; command_list[i] != NULL; i++) {
		if (command_list[i]->noun != NULL)
			near_try(&near, command_list[i]->noun);
	}
	return near.best;
}

struct err *
help_unknown(struct ctx *c, const char *first, const char *second)
{
	const struct command *near = nearest(first, second);

	if (is_noun(first) && nearest_verb(first, second) != NULL)
		near = nearest_verb(first, second);
	if (near != NULL)
		return call_usage(c, "galley has no command %s%s%s; did you mean %s?", first,
		    second[0] != '\0' ? " " : "", second, help_name(c, near));
	if (!is_noun(first) && nearest_noun(first) != NULL)
		return call_usage(c, "galley has no command %s; did you mean galley %s?", first,
		    nearest_noun(first));
	if (is_noun(first) && second[0] == '\0')
		return call_usage(
		    c, "galley %s needs a second word; galley help %s lists them.", first, first);
	if (is_noun(first))
		return call_usage(c,
		    "galley %s has no command %s; galley help %s lists what it has.", first, second,
		    first);
	return call_usage(c, "galley has no command %s; galley help lists what it has.", first);
}

/* Adds a piece that is not broken, after a space, to a line that is already
 * `*column` wide. If there is no room, the piece begins a new line behind
 * `indent` spaces. */
static void
add_piece(struct buf *out, const char *piece, size_t indent, size_t *column)
{
	size_t width = grid_width(piece);

	if (*column + 1 + width > COLUMNS) {
		buf_printf(out, "\n%*s", (int)indent, "");
		*column = indent;
	} else if (*column > indent) {
		buf_add_char(out, ' ');
		*column += 1;
	}
	buf_add_text(out, piece);
	*column += width;
}

static void
add_usage(struct ctx *c, const struct command *row, struct buf *out)
{
	const struct command_option *o = row->options;
	const char *name = help_name(c, row);
	size_t column = strlen(name);

	buf_add_text(out, name);
	if (row->operands[0] != '\0')
		add_piece(out, row->operands, 4, &column);
	for (; o != NULL && o->name != NULL; o++) {
		const char *form = arena_printf(c->arena, "%s%s%s",
		    o->letter != 0 ? arena_printf(c->arena, "-%c", o->letter)
				   : arena_printf(c->arena, "--%s", o->name),
		    o->value != NULL ? " " : "", o->value != NULL ? o->value : "");
		add_piece(out,
		    arena_printf(c->arena, "%s%s%s%s", o->needed ? "" : "[", form,
			o->needed ? "" : "]", o->many ? "…" : ""),
		    4, &column);
	}
}

/* Ends the present line. */
static void
end_line(struct buf *out, size_t *column)
{
	if (*column > 0)
		buf_add_char(out, '\n');
	*column = 0;
}

static void
add_words(struct ctx *c, const char *line, size_t len, struct buf *out, size_t *column)
{
	const char *end = line + len;

	while (line < end) {
		size_t word = strcspn(line, " \n");
		add_piece(out, arena_text_n(c->arena, line, word), 0, column);
		line += word + 1;
	}
}

/* Adds a text whose lines are joined and broken again. Empty lines stay, and so
 * do lines that begin with two spaces: examples and lists. */
static void
add_flowing(struct ctx *c, const char *text, struct buf *out)
{
	size_t column = 0;

	while (*text != '\0') {
		size_t len = strcspn(text, "\n");
		if (len == 0 || strncmp(text, "  ", 2) == 0) {
			end_line(out, &column);
			buf_add(out, text, len);
			buf_add_char(out, '\n');
		} else {
			add_words(c, text, len, out, &column);
		}
		text += len + (text[len] != '\0');
	}
	end_line(out, &column);
}

static void
add_rows(struct ctx *c, const struct command *row, struct buf *out)
{
	for (; row->verb != NULL; row++)
		buf_printf(out, "  %-26s %s\n", help_name(c, row) + 7, row->summary);
}

void
help_all(struct ctx *c, struct buf *out)
{
	buf_lit(out, "galley [--instance DIR] [--json] COMMAND …\n\n"
		     "The operator's tool of a Galley instance.\n\n");
	for (size_t i = 0; command_list[i] != NULL; i++)
		add_rows(c, command_list[i], out);
	buf_lit(out,
	    "\n"
	    "  --instance DIR  the instance, where it is not that of this program\n"
	    "  --json          print one JSON value and nothing else\n"
	    "  --help          about a command; galley help COMMAND does the same\n\n"
	    "The name of an account or workspace may be used in place of its id where it is\n"
	    "unique, and --workspace may be left out where there is only one. A - in\n"
	    "the place of ids reads them from standard input.\n");
}

bool
help_of_noun(struct ctx *c, const char *noun, struct buf *out)
{
	if (!is_noun(noun))
		return false;
	for (size_t i = 0; command_list[i] != NULL; i++) {
		if (same(command_list[i]->noun, noun))
			add_rows(c, command_list[i], out);
	}
	return true;
}

void
help_of_command(struct ctx *c, const struct command *row, struct buf *out)
{
	const struct command_option *o = row->options;

	add_usage(c, row, out);
	buf_printf(out, "\n\n%s\n", row->summary);
	if (row->text != NULL) {
		buf_add_char(out, '\n');
		add_flowing(c, row->text, out);
	}
	if (o != NULL)
		buf_add_char(out, '\n');
	for (; o != NULL && o->name != NULL; o++) {
		const char *letter =
		    o->letter == 0 ? "" : arena_printf(c->arena, "-%c, ", o->letter);
		const char *name = arena_printf(c->arena, "%s--%s%s%s", letter, o->name,
		    o->value != NULL ? " " : "", o->value != NULL ? o->value : "");
		buf_printf(out, "  %-26s %s\n", name, o->help);
	}
}
