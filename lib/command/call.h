#ifndef COMMAND_CALL_H
#define COMMAND_CALL_H
/*
 * One call of a command: its words, what it prints, and what it asks.
 *
 * Options may stand anywhere, as `--name VALUE` or `--name=VALUE`; everything
 * after `--` is an operand. A handler writes into `out`, either text for people
 * or, with --json, exactly one JSON value through `json`; it is printed, whole,
 * only when the handler succeeded.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/jwrite.h"
#include "command/command.h"
#include "system/work.h"
#include "terminal/grid.h"
#include "terminal/terminal.h"

struct ctx;

struct call_given {
	const char *name; /* of the option's row in the command's table */
	const char *value; /* "" for a switch */
};

struct call {
	const struct command *command;
	const char **operands;
	size_t operand_count;
	bool ids_given; /* `-` was among them (call_read_ids()): there may be none now */
	struct call_given *given; /* options, in the order given */
	size_t given_count;
	const char *instance; /* --instance, or NULL */
	bool as_json; /* --json */
	const char *user; /* who called, for operator.log */
	struct buf out;
	struct jwrite json; /* writes into out */
	struct buf ids; /* what was changed, for operator.log */
	bool journal; /* operator.log is open (commands.c) */
	int status; /* exit status of a call that succeeded; 0 */
	bool stopped; /* a signal ends the process when all is printed */
	struct progress progress;
	struct work work; /* call_work() */
	int unwritten; /* errno of output that could not be written, or 0 */
	/* Tells how far the call has come when its process dies, or NULL: JSON is
	 * brought to its end. */
	void (*on_death)(struct call *call);
	void *death_arg;
};

/* Prepares an empty call. */
void call_init(struct call *call, struct ctx *c);

/*
 * Reads the words after the program's name: the options of the tool itself, the
 * command's noun and verb, its options and operands. Refusals are usage errors:
 * an unknown word with the nearest known one, a missing or unknown option, a
 * wrong number of operands. With --help the command is `help`.
 */
MAY_REFUSE struct err *call_parse(struct ctx *c, struct call *call, int argc, char **argv);

/* Returns the row of a noun and verb, or of a command of one word (noun NULL); NULL when there is
 * none. */
const struct command *call_find(const char *noun, const char *verb);

/* Returns "galley article import". In the arena. */
const char *call_name(struct ctx *c, const struct command *command);

/* Refuses words that are no command, with the nearest one that is. */
MAY_REFUSE struct err *call_unknown(struct ctx *c, const char *first, const char *second);

/* The value of an option, "" for a switch that was given, NULL when absent. An
 * option that the command's row does not have is a BUG. */
const char *call_option(const struct call *call, const char *name);

/* Whether a switch was given. */
bool call_has(const struct call *call, const char *name);

/* The n-th value (from 0) of an option that may be given many times, or NULL. */
const char *call_option_at(const struct call *call, const char *name, size_t n);

/* Splits an operand FIELD=VALUE; *value points past the first `=`. A word
 * without one is a usage error. */
MAY_REFUSE struct err *
call_field(struct ctx *c, const char *operand, const char **field, const char **value);

/* Adds a line to what people see; nothing with --json. */
void call_say(struct call *call, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Writes a member of an object: a time, or null for 0. */
void call_member_time(struct jwrite *w, const char *name, int64_t at);

/* Prints what people see so far, and forgets it. Long work calls it, so that its lines
 * are there if it dies. With --json nothing, unless `last`: a value is printed
 * once, whole. What cannot be written is noted in `unwritten`, and ends nothing. */
void call_flush(struct call *call, bool last);

/* Returns what a work tells and asks (system/work.h): its sentences are lines on standard
 * error, its progress is on the terminal. From now on SIGINT and SIGTERM stop the work
 * between two steps; so call it when the person was asked everything. A refusal by
 * work_stopped() is told, then the signal ends the process. */
const struct work *call_work(struct call *call);

/* Returns whether the work was stopped (`err` is its refusal); then tells that. For a
 * command that prints what was found until then: the signal ends the process after it. */
bool call_is_stopped(struct call *call, const struct err *err);

/* Names something that the call changed, for operator.log. */
void call_changed(struct call *call, const char *uuid);

/* Makes a usage error: a refusal that says how a command is used, and ends the program with exit
 * status 2. */
MAY_REFUSE struct err *
call_usage(struct ctx *c, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Returns whether the refusal is a usage error: one of call_usage(), or that a workspace
 * must be named. */
bool call_is_usage(const struct err *err);

/*
 * Puts ids from standard input in the place of an operand `-`, so that one command can work on
 * the list of another:
 *
 *	galley article list -q --search compost | galley article publish -
 *
 * They are all ids there (COMMAND_IDS), of which there may be none, or, if a command takes one id
 * (COMMAND_ID), the only id there; else it is refused. Spaces or newlines separate them. Does
 * nothing for other commands.
 */
MAY_REFUSE struct err *call_read_ids(struct ctx *c, struct call *call);

/*
 * ---- a list that a command prints: a table for people, or an array of JSON
 *
 *	struct call_list l;
 *
 *	call_list_begin(&l, c, call, (const char *[]){ "ID", "NAME", NULL });
 *	account_show_all(c, list_one, &l);	each adds a row or a value
 *	call_list_end(&l, "There is no account yet.");
 */
struct call_list {
	struct ctx *c;
	struct call *call;
	struct grid grid; /* for people */
};

/* Begins a list; `head` is the names of the table's columns, ended by NULL. */
void
call_list_begin(struct call_list *l, struct ctx *c, struct call *call, const char *const *head);

/* Prints the list; `none` is the sentence for an empty table. */
void call_list_end(struct call_list *l, const char *none);

/*
 * ---- questions to the person at the terminal
 *
 * Where standard input or standard error is no terminal (pipes, cron) nobody is asked: a script
 * means what it says.
 */

/* Whether there is somebody to ask. */
bool ask_can(void);

/* Asks on standard error and reads a line; what begins with y or n is an answer,
 * all else is `otherwise`. Only where ask_can(). */
bool ask(const char *question, bool otherwise);

/* Asks on standard error and reads a line, into the arena, without its end; "" at
 * the end of input. Only where ask_can(). */
const char *ask_line(struct ctx *c, const char *question);

/*
 * Before more than one thing is done that is hard to undo: shows the `count`
 * names and asks whether they are to be `done` ("deleted"). Refuses where the
 * answer is no. Nothing with --yes, which the command must have as an option,
 * or where nobody can be asked.
 */
MAY_REFUSE struct err *ask_about(struct ctx *c, const struct call *call, const char *done,
    const char *const *names, size_t count);

#endif
