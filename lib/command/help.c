#include "command/help.h"

#include <argon2.h>
#include <cmark-gfm.h>
#include <ctype.h>
#include <expat.h>
#include <jansson.h>
#include <qrencode.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <utf8proc.h>
#include <yaml.h>
#include <zlib.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/ctx.h"
#include "base/utf8.h"
#include "command/call.h"
#include "command/commands.h"
#include "export/export.h"
#include "galley_version.h"
#include "libraries.gen.h"
#include "schema_version.h"
#include "start/release.h"
#include "store/db.h"
#include "terminal/grid.h"

#define COLUMNS 78 /* columns of a terminal that are used */

/* ---- for people at a terminal */

/* Adds a piece that is not broken, after a space, to a line that is already
 * `*column` wide. If there is no room, the piece begins a new line after
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
	const char *name = call_name(c, row);
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
		buf_printf(out, "  %-26s %s\n", call_name(c, row) + 7, row->summary);
}

/* Appends all commands. */
static void
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

/* Appends the commands of a noun; returns false if there is none. */
static bool
help_of_noun(struct ctx *c, const char *noun, struct buf *out)
{
	bool found = false;

	for (size_t i = 0; command_list[i] != NULL; i++) {
		const char *of = command_list[i]->noun;
		if (of == NULL || strcmp(of, noun) != 0)
			continue;
		add_rows(c, command_list[i], out);
		found = true;
	}
	return found;
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

/* ---- for other readers: the part COMMANDS of galley(1), and completion of a shell */

/* Adds our own text as mdoc: nothing in it becomes a request, and what looks like
 * an option can be copied as one. With `flows` a sentence begins a new line, as
 * mdoc demands. */
static void
mdoc_piece(struct buf *out, const char *text, size_t len, bool flows)
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
mdoc_text(struct buf *out, const char *text, size_t len)
{
	mdoc_piece(out, text, len, false);
}

/* Adds a phrase as a line that ends like a sentence. */
static void
mdoc_phrase(struct buf *out, const char *text)
{
	static const char dots[] = "…";
	size_t len = strlen(text);

	mdoc_piece(out, text, len, true);
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
mdoc_paragraphs(struct buf *out, const char *text)
{
	bool literal = false;

	while (*text != '\0') {
		size_t len = strcspn(text, "\n");
		if (stands_alone(text) != literal) {
			literal = !literal;
			buf_add_text(out, literal ? ".Bd -literal -offset indent\n" : ".Ed\n");
		}
		if (literal)
			mdoc_text(out, text + 2, len - 2);
		else if (len > 0)
			mdoc_piece(out, text, len, true);
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
mdoc_name(struct buf *out, const struct command *row)
{
	if (row->noun != NULL)
		buf_printf(out, "%s ", row->noun);
	mdoc_text(out, row->verb, strlen(row->verb));
}

static void
mdoc_options(struct buf *out, const struct command *row)
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
			mdoc_text(out, o->value, strlen(o->value));
		}
		buf_add_text(out, o->needed ? "" : " Oc");
		buf_add_text(out, o->many ? " ..." : "");
	}
}

static void
mdoc_command(struct buf *out, const struct command *row)
{
	const struct command_option *o = row->options;

	buf_lit(out, ".It Ic ");
	mdoc_name(out, row);
	if (row->operands[0] != '\0') {
		buf_lit(out, " Ar ");
		mdoc_text(out, row->operands, strlen(row->operands));
	}
	mdoc_options(out, row);
	buf_add_char(out, '\n');
	buf_add_char(out, (char)toupper((unsigned char)row->summary[0]));
	mdoc_phrase(out, row->summary + 1);
	if (row->text != NULL) {
		buf_lit(out, ".Pp\n");
		mdoc_paragraphs(out, row->text);
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
			mdoc_text(out, o->value, strlen(o->value));
		}
		buf_add_char(out, '\n');
		mdoc_phrase(out, o->help);
	}
	buf_lit(out, ".El\n");
}

/* Appends a list of all commands in mdoc, the language of manual pages. */
static void
manual_commands(struct ctx *c, struct buf *out)
{
	(void)c;
	buf_lit(out, ".Bl -tag -width Ds\n");
	for (size_t i = 0; command_list[i] != NULL; i++) {
		const struct command *row = command_list[i];
		for (; row->verb != NULL; row++)
			mdoc_command(out, row);
	}
	buf_lit(out, ".El\n");
}

/* Adds the words that may follow: the verbs of a noun, or without a noun the
 * first words of all commands. */
static void
bash_words(struct buf *out, const char *noun)
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
bash_options(struct buf *out, const struct command *row)
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
bash_nouns(struct buf *out)
{
	const char *before = "";

	for (size_t i = 0; command_list[i] != NULL; i++) {
		const struct command *row = command_list[i];
		if (row->noun == NULL || strcmp(row->noun, before) == 0)
			continue;
		before = row->noun;
		buf_printf(out, "\t'%s') operands='", before);
		bash_words(out, before);
		buf_lit(out, "' ;;\n");
	}
}

/* Adds the commands of one word, as a pattern of the shell. */
static void
bash_single(struct buf *out)
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
static void
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
	bash_single(out);
	buf_lit(out, ") break ;; esac\n"
		     "\t\t\t;;\n"
		     "\t\tesac\n"
		     "\tdone\n"
		     "\tcase $said in\n"
		     "\t'') operands='");
	bash_words(out, NULL);
	buf_lit(out, "' ;;\n");
	bash_nouns(out);
	for (size_t i = 0; command_list[i] != NULL; i++) {
		const struct command *row = command_list[i];
		for (; row->verb != NULL; row++) {
			if (strcmp(row->verb, "help") != 0 && row->verb[0] != '-')
				bash_options(out, row);
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

/* ---- the libraries */

/* The libraries that the tool is made of, for reports of faults. Those that tell
 * no version themselves are named as they were when it was built; argon2 by the version of
 * the algorithm. */
#define LIBRARIES 12
struct library {
	const char *name;
	const char *version;
};

static void
libraries_list(struct library out[LIBRARIES])
{
	const struct library all[LIBRARIES] = {
		{ "SQLite", db_library() },
		{ "jansson", jansson_version_str() },
		{ "libb2", LIBRARY_libb2 },
		{ "utf8proc", utf8proc_version() },
		{ "argon2", ARGON2_VERSION_NUMBER == ARGON2_VERSION_13 ? "1.3" : "1.0" },
		{ "nettle", LIBRARY_nettle },
		{ "qrencode", QRcode_APIVersionString() },
		{ "libyaml", yaml_get_version_string() },
		{ "cmark-gfm", cmark_version_string() },
		{ "gumbo", LIBRARY_gumbo },
		{ "expat", XML_ExpatVersion() + strlen("expat_") },
		{ "zlib", zlibVersion() },
	};

	memcpy(out, all, sizeof(all));
}

/* ---- galley help | completion | --version */

static struct err *
help(struct ctx *c, struct call *call)
{
	const char *first = call->operand_count > 0 ? call->operands[0] : NULL;
	const char *second = call->operand_count > 1 ? call->operands[1] : NULL;
	const struct command *row;

	if (call_has(call, "man")) {
		manual_commands(c, &call->out);
		return NULL;
	}
	if (first == NULL) {
		help_all(c, &call->out);
		return NULL;
	}
	row = call_find(NULL, first);
	if (row == NULL && second == NULL) {
		if (help_of_noun(c, first, &call->out))
			return NULL;
		return call_unknown(c, first, "");
	}
	if (row == NULL)
		row = call_find(first, second);
	if (row == NULL)
		return call_unknown(c, first, second);
	help_of_command(c, row, &call->out);
	return NULL;
}

static struct err *
completion(struct ctx *c, struct call *call)
{
	if (strcmp(call->operands[0], "bash") != 0)
		return call_usage(c,
		    "There is no completion for %s: bash has one (zsh takes it after bashcompinit).",
		    call->operands[0]);
	manual_bash(c, &call->out);
	return NULL;
}

static void
libraries_to_json(struct jwrite *j, const struct library *libraries)
{
	jwrite_member_object(j, "libraries");
	for (size_t i = 0; i < LIBRARIES; i++)
		jwrite_member_text(j, libraries[i].name, libraries[i].version);
	jwrite_object_end(j);
}

static struct err *
version(struct ctx *c, struct call *call)
{
	struct library libraries[LIBRARIES];
	char build[RELEASE_ID];

	(void)c;
	release_own(build);
	libraries_list(libraries);
	if (call->as_json) {
		jwrite_object(&call->json);
		jwrite_member_int(&call->json, "schema", SCHEMA_VERSION);
		jwrite_member_text(&call->json, "schema_version", EXPORT_SCHEMA_VERSION);
		libraries_to_json(&call->json, libraries);
		jwrite_member_text(&call->json, "version", GALLEY_VERSION);
		jwrite_member_int(&call->json, "people_schema", CONSOLE_VERSION);
		jwrite_member_text(&call->json, "build", build);
		jwrite_object_end(&call->json);
	}
	call_say(call, "galley %s: schema %d, people of schema %d, articles of schema_version %s",
	    GALLEY_VERSION, SCHEMA_VERSION, CONSOLE_VERSION, EXPORT_SCHEMA_VERSION);
	call_say(call, "build     %s", build);
	for (size_t i = 0; i < LIBRARIES; i++)
		call_say(call, "%-9s %s", libraries[i].name, libraries[i].version);
	call_say(call, "Report a security hole in private to %s.", GALLEY_CONTACT);
	return NULL;
}

static const struct command_option help_options[] = {
	{ .name = "man", .help = "the commands as a part of galley(1), in mdoc" },
	{ .name = NULL },
};

const struct command command_help[] = {
	{ .verb = "help",
	    .operands = "[COMMAND [VERB]]",
	    .options = help_options,
	    .flags = COMMAND_ALONE,
	    .run = help,
	    .summary = "what the commands are, or how one is used" },
	{ .verb = "completion",
	    .operands = "SHELL",
	    .flags = COMMAND_ALONE,
	    .run = completion,
	    .summary = "a script that completes words after galley in bash",
	    .text = "make install puts it below share/bash-completion. Elsewhere, in ~/.bashrc:\n\n"
		    "  source <(galley completion bash)" },
	{ .verb = "--version",
	    .operands = "",
	    .flags = COMMAND_ALONE,
	    .run = version,
	    .summary = "the release of this program, and its libraries" },
	{ .verb = NULL },
};
