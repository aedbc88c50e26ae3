#ifndef COMMAND_COMMANDS_H
#define COMMAND_COMMANDS_H
/* All commands, and the life of one. */
#include "base/err.h"
#include "command/command.h"

struct call;
struct ctx;

/* The arrays of rows. To add one: a line here and a line in commands.c. */
extern const struct command command_account[];
extern const struct command command_article_import[];
extern const struct command command_article[];
extern const struct command command_article_state[];
extern const struct command command_article_edit[];
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
extern const struct command command_moving[];
extern const struct command command_person[];
extern const struct command command_task[];
extern const struct command command_provider[];
extern const struct command command_restore[];
extern const struct command command_stats[];
extern const struct command command_store[];
extern const struct command command_verify[];
extern const struct command command_verify_page[];
extern const struct command command_workspace[];

/* galley restore, where a workspace or an article is named (moving-commands.c). */
MAY_REFUSE struct err *restore_of_one(struct ctx *c, struct call *call);

/*
 * ---- the journal
 *
 * log/operator.log has one line for each command that changes something (docs/design.md §1): time,
 * user, the command's words, the ids that it changed, the result. A whole key, which `key revoke`
 * takes, is made unreadable (base/mask.h). Nothing that a command prints is written there.
 */

/* Makes operator.log the log of the process, which also records why the process dies.
 * Call it after the process has become the owner. */
void journal_begin(struct ctx *c, struct call *call);

/* Adds the line, if journal_begin() was called. `err` NULL means success. */
void journal_end(const struct call *call, const struct err *err);

/* A changed public_url in galley.conf is a settings change of every workspace. Takes it over and
 * says so, where it has changed (docs/design.md §3). The database is open, in no transaction. */
void public_url_take(struct ctx *c);

/* The program galley: runs the command that the words name; returns the exit status. */
int galley_main(int argc, char **argv);

#endif
