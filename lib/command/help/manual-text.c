#include "command/help/manual-text.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/ctx.h"
#include "base/utf8.h"
#include "command/command.h"
#include "command/help/help-text.h"

/* Adds our own text as mdoc: nothing in it becomes a request, and what looks like
 * an option can be copied as one. With `flows` a sentence begins a new line, as
 * mdoc demands. */
static void
add_piece(struct buf *out, const char *text, size_t len, bool flows)
{
	const char *end = text + len;
	bool begins = true;

	while (text < end) {
		if (begins && (*text == '.' || *text == '\''))
			buf_lit(out, "\\&");
		begins = flows && end - text > 2 && strncmp(text, ". ", 2) == 0;
		if (begins) {
			buf_lit(out, ".\n");
			text += 2;
			continue;
		}
		uint32_t code_point = utf8_next(&text);
		if (code_point == 0x2026)
			buf_lit(out, "...");
		else if (code_point > 0x7E)
			buf_printf(out, "\\[u%04X]", (unsigned)code_point);
		else if (code_point == '\\')
			buf_lit(out, "\\e");
		else if (code_point == '-')
			buf_lit(out, "\\-");
		else
			buf_add_char(out, (char)code_point);
	}
}

static void
add_text(struct buf *out, const char *text, size_t len)
{
	add_piece(out, text, len, false);
}

/* Adds a phrase as a line that ends like a sentence. */
static void
add_phrase(struct buf *out, const char *text)
{
	static const char dots[] = "…";
	size_t len = strlen(text);

	add_piece(out, text, len, true);
	if (len < strlen(dots) || strcmp(text + len - strlen(dots), dots) != 0)
		buf_add_char(out, '.');
	buf_add_char(out, '\n');
}

/* Returns whether a line begins with spaces: then it stays a line of its own, as
 * one of a list or an example. */
static bool
stands_alone(const char *line)
{
	return line[0] == ' ' && line[1] == ' ';
}

/* Adds the text of a row. Its lines are joined, except those that stay lines of
 * their own. */
static void
add_paragraphs(struct buf *out, const char *text)
{
	bool literal = false;

	while (*text != '\0') {
		size_t len = strcspn(text, "\n");
		if (stands_alone(text) != literal) {
			literal = !literal;
			buf_add_text(out, literal ? ".Bd -literal -offset indent\n" : ".Ed\n");
		}
		if (literal)
			add_text(out, text + 2, len - 2);
		else if (len > 0)
			add_piece(out, text, len, true);
		else if (!stands_alone(text + 1))
			buf_lit(out, ".Pp");
		if (literal || len > 0 || !stands_alone(text + 1))
			buf_add_char(out, '\n');
		text += len + (text[len] != '\0');
	}
	if (literal)
		buf_lit(out, ".Ed\n");
}

static void
add_name(struct buf *out, const struct command *row)
{
	if (row->noun != NULL)
		buf_printf(out, "%s ", row->noun);
	add_text(out, row->verb, strlen(row->verb));
}

static void
add_options_of(struct buf *out, const struct command *row)
{
	const struct command_option *o = row->options;

	for (; o != NULL && o->name != NULL; o++) {
		buf_add_text(out, o->needed ? "" : " Oo");
		if (o->letter != 0)
			buf_printf(out, " Fl %c", o->letter);
		else
			buf_printf(out, " Fl -%s", o->name);
		if (o->value != NULL) {
			buf_lit(out, " Ar ");
			add_text(out, o->value, strlen(o->value));
		}
		buf_add_text(out, o->needed ? "" : " Oc");
		buf_add_text(out, o->many ? " ..." : "");
	}
}

static void
add_command(struct buf *out, const struct command *row)
{
	const struct command_option *o = row->options;

	buf_lit(out, ".It Ic ");
	add_name(out, row);
	if (row->operands[0] != '\0') {
		buf_lit(out, " Ar ");
		add_text(out, row->operands, strlen(row->operands));
	}
	add_options_of(out, row);
	buf_add_char(out, '\n');
	buf_add_char(out, (char)toupper((unsigned char)row->summary[0]));
	add_phrase(out, row->summary + 1);
	if (row->text != NULL) {
		buf_lit(out, ".Pp\n");
		add_paragraphs(out, row->text);
	}
	if (o == NULL)
		return;
	buf_lit(out, ".Bl -tag -width Ds\n");
	for (; o->name != NULL; o++) {
		buf_lit(out, ".It");
		if (o->letter != 0)
			buf_printf(out, " Fl %c ,", o->letter);
		buf_printf(out, " Fl -%s", o->name);
		if (o->value != NULL) {
			buf_lit(out, " Ar ");
			add_text(out, o->value, strlen(o->value));
		}
		buf_add_char(out, '\n');
		add_phrase(out, o->help);
	}
	buf_lit(out, ".El\n");
}

void
manual_commands(struct ctx *c, struct buf *out)
{
	(void)c;
	buf_lit(out, ".Bl -tag -width Ds\n");
	for (size_t i = 0; command_list[i] != NULL; i++) {
		const struct command *row = command_list[i];
		for (; row->verb != NULL; row++)
			add_command(out, row);
	}
	buf_lit(out, ".El\n");
}

/* Adds the words that may follow: the verbs of a noun, or without a noun the
 * first words of all commands. */
static void
add_words(struct buf *out, const char *noun)
{
	const char *before = "";

	for (size_t i = 0; command_list[i] != NULL; i++) {
		const struct command *row = command_list[i];
		for (; row->verb != NULL; row++) {
			const char *word = row->verb;
			if (word[0] == '-')
				continue;
			if (noun == NULL && row->noun != NULL)
				word = row->noun;
			else if (noun != NULL &&
				 (row->noun == NULL || strcmp(row->noun, noun) != 0))
				continue;
			/* The rows of one noun follow each other. */
			if (strcmp(word, before) != 0)
				buf_printf(out, "%s%s", before[0] != '\0' ? " " : "", word);
			before = word;
		}
	}
}

static void
add_bash_options(struct buf *out, const struct command *row)
{
	const struct command_option *o = row->options;

	buf_printf(out, "\t'%s%s%s') words='", row->noun != NULL ? row->noun : "",
	    row->noun != NULL ? " " : "", row->verb);
	for (; o != NULL && o->name != NULL; o++)
		buf_printf(out, "--%s ", o->name);
	buf_lit(out, "--json --instance --help' valued='");
	for (o = row->options; o != NULL && o->name != NULL; o++) {
		if (o->value != NULL)
			buf_printf(out, " --%s ", o->name);
	}
	buf_lit(out, " --instance ' ;;\n");
}

static void
add_bash_nouns(struct buf *out)
{
	const char *before = "";

	for (size_t i = 0; command_list[i] != NULL; i++) {
		const struct command *row = command_list[i];
		if (row->noun == NULL || strcmp(row->noun, before) == 0)
			continue;
		before = row->noun;
		buf_printf(out, "\t'%s') operands='", before);
		add_words(out, before);
		buf_lit(out, "' ;;\n");
	}
}

/* Adds the commands of one word, as a pattern of the shell. */
static void
add_bash_single(struct buf *out)
{
	for (size_t i = 0; command_list[i] != NULL; i++) {
		const struct command *row = command_list[i];
		for (; row->verb != NULL; row++) {
			if (row->noun == NULL)
				buf_printf(out, " | %s", row->verb);
		}
	}
}

/* Writes the completion for bash. The shell itself completes operands and values
 * of options, as files. `help` may be followed by any command. */
void
manual_bash(struct ctx *c, struct buf *out)
{
	(void)c;
	buf_lit(out, "# Completion of galley for bash; made by: galley completion bash\n"
		     "_galley() {\n"
		     "\tlocal current=${COMP_WORDS[COMP_CWORD]} said='' word i\n"
		     "\tlocal words='--json --instance --help --version' operands=''\n"
		     "\tlocal valued=' --instance '\n"
		     "\tCOMPREPLY=()\n"
		     "\tfor ((i = 1; i < COMP_CWORD; i++)); do\n"
		     "\t\tword=${COMP_WORDS[i]}\n"
		     "\t\tcase $word in\n"
		     "\t\t--instance) ((i++)) ;;\n"
		     "\t\t-* | help) ;;\n"
		     "\t\t*)\n"
		     "\t\t\tsaid=${said:+$said }$word\n"
		     "\t\t\tcase $said in *' '*");
	add_bash_single(out);
	buf_lit(out, ") break ;; esac\n"
		     "\t\t\t;;\n"
		     "\t\tesac\n"
		     "\tdone\n"
		     "\tcase $said in\n"
		     "\t'') operands='");
	add_words(out, NULL);
	buf_lit(out, "' ;;\n");
	add_bash_nouns(out);
	for (size_t i = 0; command_list[i] != NULL; i++) {
		const struct command *row = command_list[i];
		for (; row->verb != NULL; row++) {
			if (strcmp(row->verb, "help") != 0 && row->verb[0] != '-')
				add_bash_options(out, row);
		}
	}
	buf_lit(out, "\tesac\n"
		     "\tcase $valued in\n"
		     "\t*\" ${COMP_WORDS[COMP_CWORD - 1]} \"*) return ;;\n"
		     "\tesac\n"
		     "\tcase $current in\n"
		     "\t-*) ;;\n"
		     "\t*) words=$operands ;;\n"
		     "\tesac\n"
		     "\twhile IFS= read -r word; do\n"
		     "\t\tCOMPREPLY+=(\"$word\")\n"
		     "\tdone < <(compgen -W \"$words\" -- \"$current\")\n"
		     "}\n"
		     "complete -o bashdefault -o default -F _galley galley\n");
}
