#ifndef COMMAND_COMMAND_H
#define COMMAND_COMMAND_H
/*
 * The operator's tool: galley [--instance DIR] [--json] COMMAND … (docs/design.md §6).
 *
 * A command is a row of a table. Each file THING-commands.c has handlers, and exports an array of
 * rows for each noun, ended by a row whose verb is NULL; commands.c lists the arrays. Usage, help
 * and parsing come from the rows alone, so a new command is one row and one handler.
 *
 * The life of a command (commands.c): refuse to run under a web server; parse (call.h); find the
 * instance and become its owner (start/owner.h); finish a restore that was interrupted; read
 * galley.conf; open the database; run the handler; print what it made, whole; one line in
 * log/operator.log.
 *
 * A handler reads the words, calls an action or a work, and prints. It begins no
 * transaction. What is refused is printed to standard error, and the exit status is 1 (2
 * for call_usage()).
 *
 * lib/command: the operator's commands: their arguments, and what they print. Not here: what they
 * do (lib/action, lib/backup, lib/doctor). Begin with task-commands.c.
 */
#include <stdbool.h>

#include "base/err.h"

struct call;
struct ctx;

/* What a command needs before its handler runs. */
enum command_flag {
	COMMAND_CONF = 1, /* galley.conf is read: c->conf */
	COMMAND_DB = 2, /* the database is open; implies the first */
	COMMAND_CHANGES = 4, /* a line in log/operator.log */
	COMMAND_ALONE = 8, /* no instance at all (help) */
	COMMAND_NEW = 16, /* makes the instance (init) */
	COMMAND_ID = 32, /* its first operand is an id (call_read_ids()) */
	COMMAND_IDS = 64 /* all of them are */
};

struct command_option {
	const char *name; /* without the hyphens; NULL ends a list */
	char letter; /* of its short form, or 0: 'q' is -q */
	const char *value; /* what usage calls it; NULL: a switch */
	const char *help; /* one line */
	bool many; /* may be given more than once */
	bool needed; /* must be given */
};

struct command {
	const char *noun; /* "article"; NULL for commands of one word */
	const char *verb; /* "import"; NULL ends an array */
	const char *operands; /* as usage writes them, and as they are counted: "ID [FILE]" are one
				 or two, "ID…" one or more; "" for none */
	const struct command_option *options; /* or NULL */
	unsigned flags; /* of enum command_flag */
	struct err *(*run)(struct ctx *c, struct call *call);
	const char *summary; /* one line, for lists of commands */
	const char *text; /* more of it for `help COMMAND`, or NULL: lines
				 flow together, except those that begin with
				 two spaces */
};

/* The arrays of all files, in the order in which `galley help` shows them, ended by NULL
 * (commands.c). */
extern const struct command *const command_list[];

#endif
