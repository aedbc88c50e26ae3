#include "command/call.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "action/action.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "base/fileio.h"
#include "base/log.h"
#include "base/utf8.h"
#include "system/near.h"
#include "system/work.h"
#include "terminal/terminal.h"

#define OUT_MAX ((size_t)1 << 30)
#define IDS_MAX 3000

void
call_init(struct call *call, struct ctx *c)
{
	memset(call, 0, sizeof(*call));
	buf_init(&call->out, c->arena, OUT_MAX);
	buf_init(&call->ids, c->arena, IDS_MAX);
	jwrite_init(&call->json, &call->out);
	note_work(&call->progress, &call->work);
	call->user = "?";
}

const struct work *
call_work(struct call *call)
{
	stop_catch();
	return &call->work;
}

bool
call_is_stopped(struct call *call, const struct err *err)
{
	if (!work_is_stopped(err))
		return false;
	note_say("galley: %s", err->message);
	call->status = 1;
	call->stopped = true;
	return true;
}

static const struct command_option *
option_named(const struct command *command, const char *name, size_t len)
{
	const struct command_option *o = command->options;

	for (; o != NULL && o->name != NULL; o++) {
		if (strlen(o->name) == len && memcmp(o->name, name, len) == 0)
			return o;
	}
	return NULL;
}

const char *
call_option_at(const struct call *call, const char *name, size_t n)
{
	if (option_named(call->command, name, strlen(name)) == NULL)
		BUG("%s has no option --%s", call->command->verb, name);
	for (size_t i = 0; i < call->given_count; i++) {
		if (strcmp(call->given[i].name, name) == 0 && n-- == 0)
			return call->given[i].value;
	}
	return NULL;
}

const char *
call_option(const struct call *call, const char *name)
{
	return call_option_at(call, name, 0);
}

bool
call_has(const struct call *call, const char *name)
{
	return call_option(call, name) != NULL;
}

/* ---- usage errors */

/* A refusal with this param is a usage error. */
static const char usage_mark[] = "usage";

struct err *
call_usage(struct ctx *c, const char *format, ...)
{
	struct err *err;
	va_list args;

	va_start(args, format);
	err = refuse(c, ERR_INVALID, "%s", arena_vprintf(c->arena, format, args));
	va_end(args);
	err->param = usage_mark;
	return err;
}

bool
call_is_usage(const struct err *err)
{
	return err->param == usage_mark || find_is_unnamed(err);
}

/* ---- finding commands by their words */

#define NEAR_MAX 2 /* at most so many letters of a near word differ */

static bool
same(const char *a, const char *b)
{
	if (a == NULL || b == NULL)
		return a == b;
	return strcmp(a, b) == 0;
}

const struct command *
call_find(const char *noun, const char *verb)
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
call_name(struct ctx *c, const struct command *command)
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
	size_t best_distance = NEAR_MAX + 1;

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
	return near.best != NULL ? call_find(noun, near.best) : NULL;
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
call_unknown(struct ctx *c, const char *first, const char *second)
{
	const struct command *near = nearest(first, second);

	if (is_noun(first) && nearest_verb(first, second) != NULL)
		near = nearest_verb(first, second);
	if (near != NULL)
		return call_usage(c, "galley has no command %s%s%s; did you mean %s?", first,
		    second[0] != '\0' ? " " : "", second, call_name(c, near));
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

/* ---- reading the words */

/* The words that are left to read. */
struct words {
	struct ctx *c;
	struct call *call;
	const char **next;
	size_t left;
};

static const char *
take(struct words *w)
{
	w->left--;
	return *w->next++;
}

/* Returns the value of `--name=VALUE`, or the next word, or NULL if there is
 * none. */
static const char *
value_of(struct words *w, const char *word)
{
	const char *equals = strchr(word, '=');

	if (equals != NULL)
		return equals + 1;
	return w->left > 0 ? take(w) : NULL;
}

/* Reads an option of the tool itself. *mine tells whether `word` was one. */
static struct err *
own_option(struct words *w, const char *word, bool *mine)
{
	struct call *call = w->call;

	*mine = true;
	if (strcmp(word, "--json") == 0) {
		call->as_json = true;
	} else if (strcmp(word, "--instance") == 0 || strncmp(word, "--instance=", 11) == 0) {
		call->instance = value_of(w, word);
		if (call->instance == NULL || call->instance[0] == '\0')
			return call_usage(w->c, "--instance needs the folder of an instance.");
	} else {
		*mine = false;
	}
	return NULL;
}

/* The options of the tool itself. They may follow every command. */
static const char *const own[] = { "json", "instance", "help", NULL };

static struct err *
no_option(struct words *w, const char *name)
{
	const struct command_option *o = w->call->command->options;
	struct near near = near_to(name);

	for (; o != NULL && o->name != NULL; o++)
		near_try(&near, o->name);
	for (size_t i = 0; own[i] != NULL; i++)
		near_try(&near, own[i]);
	if (near.best != NULL)
		near.best = arena_printf(w->c->arena, "--%s", near.best);
	return call_usage(w->c, "%s has no option --%s%s", call_name(w->c, w->call->command), name,
	    near_question(w->c->arena, near.best));
}

static struct err *
command_option(struct words *w, const char *word)
{
	struct call *call = w->call;
	size_t len = strcspn(word, "=");
	const struct command_option *o;
	const char *value = "";

	o = option_named(call->command, word + 2, len - 2);
	if (o == NULL)
		return no_option(w, arena_text_n(w->c->arena, word + 2, len - 2));
	if (o->value == NULL && word[len] == '=')
		return call_usage(w->c, "--%s takes no value.", o->name);
	if (o->value != NULL)
		value = value_of(w, word);
	if (value == NULL)
		return call_usage(w->c, "--%s needs a value: %s.", o->name, o->value);
	if (!o->many && call_option(call, o->name) != NULL)
		return call_usage(w->c, "--%s is given twice.", o->name);
	call->given[call->given_count++] = (struct call_given) { o->name, value };
	return NULL;
}

/* Reads `-q`, the short form of an option. */
static struct err *
short_option(struct words *w, const char *word)
{
	const struct command_option *o = w->call->command->options;

	for (; o != NULL && o->name != NULL; o++) {
		if (o->letter != 0 && word[1] == o->letter && word[2] == '\0')
			return command_option(w, arena_printf(w->c->arena, "--%s", o->name));
	}
	return call_usage(w->c,
	    "%s is no option: options begin with two hyphens; for an operand write -- before it.",
	    word);
}

static struct err *
read_words(struct words *w)
{
	struct call *call = w->call;
	bool mine, options = true;
	struct err *err;

	while (w->left > 0) {
		const char *word = take(w);
		if (options && strcmp(word, "--") == 0) {
			options = false;
			continue;
		}
		if (!options || word[0] != '-' || word[1] == '\0') {
			call->operands[call->operand_count++] = word;
			continue;
		}
		err = own_option(w, word, &mine);
		if (err == NULL && !mine && strncmp(word, "--", 2) == 0)
			err = command_option(w, word);
		else if (err == NULL && !mine)
			err = short_option(w, word);
		if (err != NULL)
			return err;
	}
	return NULL;
}

/* Reads the options before the command: they must be the tool's own. `--version`
 * is a command. */
static struct err *
own_options(struct words *w)
{
	bool mine;

	while (w->left > 0 && w->next[0][0] == '-' && strcmp(w->next[0], "--version") != 0) {
		const char *word = take(w);
		TRY(own_option(w, word, &mine));
		if (!mine)
			return call_usage(w->c,
			    "galley has no option %s; options of a command come after its name.",
			    word);
	}
	return NULL;
}

static struct err *
read_command(struct words *w)
{
	struct call *call = w->call;
	const char *first, *second;

	TRY(own_options(w));
	if (w->left == 0)
		return call_usage(w->c, "Say what to do.");
	first = take(w);
	call->command = call_find(NULL, first);
	if (call->command != NULL)
		return NULL;
	TRY(own_options(w));
	second = w->left > 0 ? w->next[0] : "";
	call->command = call_find(first, second);
	if (call->command == NULL)
		return call_unknown(w->c, first, second);
	take(w);
	return NULL;
}

/* Returns whether `--help` is anywhere. It asks for the help of the words that
 * are not options. */
static bool
asks_for_help(struct call *call, const struct words *w)
{
	bool asked = false;

	for (size_t i = 0; i < w->left; i++) {
		if (strcmp(w->next[i], "--") == 0)
			break;
		if (strcmp(w->next[i], "--help") == 0 || strcmp(w->next[i], "-h") == 0)
			asked = true;
	}
	for (size_t i = 0; asked && i < w->left; i++) {
		if (strcmp(w->next[i], "--instance") == 0)
			i++; /* its value is no command */
		else if (w->next[i][0] != '-' && call->operand_count < 2)
			call->operands[call->operand_count++] = w->next[i];
	}
	if (asked)
		call->command = call_find(NULL, "help");
	return asked;
}

/* Reads how many operands usage names. From the first bracket on they may be left out. */
static void
count_operands(const char *usage, size_t *min, size_t *max)
{
	bool needed = true;

	*min = *max = 0;
	for (size_t len; *usage != '\0'; usage += len + strspn(usage + len, " ")) {
		len = strcspn(usage, " ");
		needed = needed && usage[0] != '[';
		*min += needed;
		if (memmem(usage, len, "…", strlen("…")) != NULL)
			*max = SIZE_MAX;
		else if (*max != SIZE_MAX)
			++*max;
	}
}

static struct err *
check_counts(struct ctx *c, const struct call *call)
{
	const struct command *command = call->command;
	const struct command_option *o = command->options;
	size_t min, max;

	count_operands(command->operands, &min, &max);
	if (call->operand_count < min)
		return call_usage(c, "%s needs %s.", call_name(c, command), command->operands);
	if (call->operand_count > max)
		return call_usage(
		    c, "%s: %s is one word too many.", call_name(c, command), call->operands[max]);
	for (; o != NULL && o->name != NULL; o++) {
		if (o->needed && call_option(call, o->name) == NULL)
			return call_usage(
			    c, "%s needs --%s %s.", call_name(c, command), o->name, o->value);
	}
	return NULL;
}

struct err *
call_parse(struct ctx *c, struct call *call, int argc, char **argv)
{
	size_t count = argc > 0 ? (size_t)argc - 1 : 0;
	const char **words = arena_array(c->arena, count + 1, sizeof(char *));
	struct words w = { c, call, words, count };
	struct err *err;

	for (size_t i = 0; i < count; i++) {
		words[i] = argv[i + 1];
		if (!utf8_valid(words[i], strlen(words[i])))
			return call_usage(c, "Word %zu is not UTF-8 text.", i + 1);
	}
	call->operands = arena_array(c->arena, count + 1, sizeof(char *));
	call->given = arena_array(c->arena, count + 1, sizeof(*call->given));
	if (asks_for_help(call, &w))
		return NULL;
	err = read_command(&w);
	if (err == NULL)
		err = read_words(&w);
	return err != NULL ? err : check_counts(c, call);
}

struct err *
call_field(struct ctx *c, const char *operand, const char **field, const char **value)
{
	const char *equals = strchr(operand, '=');

	if (equals == NULL || equals == operand)
		return call_usage(
		    c, "%s must be FIELD=VALUE; an empty VALUE clears the field.", operand);
	*field = arena_text_n(c->arena, operand, (size_t)(equals - operand));
	*value = equals + 1;
	return NULL;
}

/* ---- ids from standard input */

#define INPUT_MAX ((size_t)64 << 20)

static const char spaces[] = " \t\r\n";

static struct err *
read_input(struct ctx *c, char **text)
{
	size_t len;

	*text = fileio_read_fd(c->arena, STDIN_FILENO, INPUT_MAX, &len);
	if (*text == NULL)
		return refuse(c, ERR_INVALID, "standard input: %s.", strerror(errno));
	if (!utf8_valid(*text, len))
		return refuse(c, ERR_INVALID, "Standard input is no list of ids.");
	return NULL;
}

static size_t
count_words(const char *text)
{
	size_t count = 0;

	for (text += strspn(text, spaces); *text != '\0'; text += strspn(text, spaces)) {
		text += strcspn(text, spaces);
		count++;
	}
	return count;
}

/* Splits `text` into words. */
static void
put_words(const char **out, char *text, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		text += strspn(text, spaces);
		out[i] = text;
		text += strcspn(text, spaces);
		if (*text != '\0')
			*text++ = '\0';
	}
}

static struct err *
replace(struct ctx *c, struct call *call, size_t at)
{
	bool one = (call->command->flags & COMMAND_ID) != 0;
	const char **operands;
	size_t count, rest = call->operand_count - at - 1;
	char *text;

	TRY(read_input(c, &text));
	count = count_words(text);
	if (one && count != 1)
		return call_usage(c, "%s takes one id, and standard input has %zu.",
		    call_name(c, call->command), count);
	operands = arena_array(c->arena, at + count + rest + 1, sizeof(*operands));
	memcpy(operands, call->operands, at * sizeof(*operands));
	put_words(operands + at, text, count);
	memcpy(operands + at + count, call->operands + at + 1, rest * sizeof(*operands));
	call->ids_given = true;
	call->operands = operands;
	call->operand_count = at + count + rest;
	return NULL;
}

struct err *
call_read_ids(struct ctx *c, struct call *call)
{
	unsigned flags = call->command->flags;
	size_t last = (flags & COMMAND_IDS) != 0  ? call->operand_count
		      : (flags & COMMAND_ID) != 0 ? 1
						  : 0;

	for (size_t i = 0; i < last && i < call->operand_count; i++) {
		if (strcmp(call->operands[i], "-") == 0)
			return replace(c, call, i);
	}
	return NULL;
}

/* ---- what is printed */

void
call_say(struct call *call, const char *format, ...)
{
	va_list args;

	if (call->as_json)
		return;
	va_start(args, format);
	buf_add_text(&call->out, arena_vprintf(call->out.arena, format, args));
	va_end(args);
	buf_add_char(&call->out, '\n');
}

void
call_member_time(struct jwrite *w, const char *name, int64_t at)
{
	if (at == 0)
		jwrite_member_null(w, name);
	else
		jwrite_member_time(w, name, at);
}

void
call_changed(struct call *call, const char *uuid)
{
	buf_printf(&call->ids, "%s%s", call->ids.len > 0 ? " " : "", uuid);
}

/* Returns the text to print: for a person at a terminal, or as programs get it. */
static const char *
text_of(struct call *call, size_t *len)
{
	bool terminal = isatty(STDOUT_FILENO) != 0;
	const char *text = call->out.data;

	*len = call->out.len;
	if (terminal && call->as_json) {
		text = plain_json(call->out.arena, text);
		*len = strlen(text);
	} else if (terminal) {
		*len = plain_make(call->out.data);
	}
	return text;
}

void
call_flush(struct call *call, bool last)
{
	void (*pipe)(int);
	const char *text;
	size_t len;

	if (call->out.len == 0 || (call->as_json && !last))
		return;
	if (call->as_json)
		buf_add_char(&call->out, '\n');
	progress_hide();
	text = text_of(call, &len);
	/* A reader that ends early must not end the work. */
	pipe = last ? SIG_ERR : signal(SIGPIPE, SIG_IGN);
	if (call->unwritten == 0 && !fileio_write_all(STDOUT_FILENO, text, len))
		call->unwritten = errno;
	if (pipe != SIG_ERR)
		signal(SIGPIPE, pipe);
	buf_reset(&call->out);
}

void
call_list_begin(struct call_list *l, struct ctx *c, struct call *call, const char *const *head)
{
	l->c = c;
	l->call = call;
	grid_init(&l->grid, c->arena, head);
	if (call->as_json)
		jwrite_array(&call->json);
}

void
call_list_end(struct call_list *l, const char *none)
{
	if (l->call->as_json)
		jwrite_array_end(&l->call->json);
	else
		grid_print(&l->grid, none, &l->call->out);
}

/* ---- questions */

#define NAMES_MAX 20 /* names that are shown */
#define LINE_MAX_BYTES 4096

bool
ask_can(void)
{
	return isatty(STDIN_FILENO) != 0 && isatty(STDERR_FILENO) != 0;
}

/* Prints a question. It may quote text of strangers. */
static void
show(const char *question)
{
	char line[LINE_MAX_BYTES];

	progress_hide();
	snprintf(line, sizeof(line), "%s ", question);
	(void)plain_make(line);
	fputs(line, stderr);
}

bool
ask(const char *question, bool otherwise)
{
	char answer[64];

	show(question);
	fputs(otherwise ? "[Y/n] " : "[y/N] ", stderr);
	if (!line_read(stdin, answer, sizeof(answer), NULL))
		return false;
	if (answer[0] == 'y' || answer[0] == 'Y')
		return true;
	return otherwise && answer[0] != 'n' && answer[0] != 'N';
}

const char *
ask_line(struct ctx *c, const char *question)
{
	char answer[LINE_MAX_BYTES];
	bool whole;

	show(question);
	if (!line_read(stdin, answer, sizeof(answer), &whole) || !whole)
		return "";
	return arena_text(c->arena, answer);
}

struct err *
ask_about(struct ctx *c, const struct call *call, const char *done, const char *const *names,
    size_t count)
{
	if (count < 2 || call_has(call, "yes") || !ask_can())
		return NULL;
	note_say("These %zu will be %s:", count, done);
	for (size_t i = 0; i < count && i < NAMES_MAX; i++)
		note_say("  %s", names[i]);
	if (count > NAMES_MAX)
		note_say("  … and %zu more", count - NAMES_MAX);
	if (ask("Go on?", false))
		return NULL;
	return refuse(c, ERR_CONFLICT, "Nothing was changed.");
}
