#ifndef COMMAND_COMMAND_H
#define COMMAND_COMMAND_H
/*
 * The operator's tool: galley [--instance DIR] [--json] COMMAND … (docs/design.md §6).
 *
 * A command is a row of a table. Each file THING-commands.c has handlers, and exports an array of
 * rows for each noun, ended by a row whose verb is NULL; command.c lists the arrays. Usage, help
 * and parsing come from the rows alone, so a new command is one row and one handler.
 *
 * The life of a command: refuse to run under a web server; parse (call.h); find the instance and become its owner (start/owner.h); finish a restore that was
 * interrupted; read galley.conf; open the database; run the handler; print what it made,
 * whole; one line in log/operator.log.
 *
 * A handler reads the words, calls an action or a work, and prints. It begins no
 * transaction. What is refused is printed to standard error, and the exit status is 1 (2
 * for call_usage()).
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
	const char *operands; /* as usage writes them, "" for none */
	int operands_min;
	int operands_max; /* -1: any number */
	const struct command_option *options; /* or NULL */
	unsigned flags; /* of enum command_flag */
	struct err *(*run)(struct ctx *c, struct call *call);
	const char *summary; /* one line, for lists of commands */
	const char *text; /* more of it for `help COMMAND`, or NULL: lines
				 flow together, except those that begin with
				 two spaces */
};

/* The arrays of all files, in the order in which `galley help` shows them, ended by NULL. */
extern const struct command *const command_list[];

/* The arrays. To add one: a line here and a line in command.c. */
extern const struct command command_account[];
extern const struct command command_article_addresses[];
extern const struct command command_article_check[];
extern const struct command command_article_create[];
extern const struct command command_article_diff[];
extern const struct command command_article_edit[];
extern const struct command command_article_history[];
extern const struct command command_article_import[];
extern const struct command command_article_list[];
extern const struct command command_article_publish[];
extern const struct command command_article_purge[];
extern const struct command command_article_revert[];
extern const struct command command_article_set[];
extern const struct command command_article_share[];
extern const struct command command_article_show[];
extern const struct command command_backup[];
extern const struct command command_config[];
extern const struct command command_credits[];
extern const struct command command_demo[];
extern const struct command command_doctor[];
extern const struct command command_dump[];
extern const struct command command_explain[];
extern const struct command command_export[];
extern const struct command command_fix[];
extern const struct command command_live[];
extern const struct command command_help[];
extern const struct command command_init[];
extern const struct command command_job[];
extern const struct command command_key[];
extern const struct command command_migrate[];
extern const struct command command_person[];
extern const struct command command_task[];
extern const struct command command_provider[];
extern const struct command command_restore[];
extern const struct command command_stats[];
extern const struct command command_store[];
extern const struct command command_verify[];
extern const struct command command_verify_page[];
extern const struct command command_workspace[];

/*
 * ---- the journal
 *
 * log/operator.log has one line for each command that changes something (docs/design.md §1): time, user, the command's words, the ids that it changed, the result. A
 * whole key, which `key revoke` takes, is made unreadable (base/mask.h). Nothing that a
 * command prints is written here.
 */

/* Makes operator.log the log of the process, which also records why the process dies.
 * Call it after the process has become the owner. */
void journal_begin(struct ctx *c, struct call *call);

/* Adds the line, if journal_begin() was called. `err` NULL means success. */
void journal_end(const struct call *call, const struct err *err);

/* A changed public_url in galley.conf is a settings change of every workspace. Takes it over and
 * says so, where it has changed (docs/design.md §3). The database is open, in no transaction. */
void public_url_take(struct ctx *c);

/* The program galley: runs the command that the words name; returns the exit status of the process. */
int galley_main(int argc, char **argv);

#endif
