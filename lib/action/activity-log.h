#ifndef ACTION_ACTIVITY_LOG_H
#define ACTION_ACTIVITY_LOG_H
/*
 * What was changed in an account (or, for operators, in the instance), by whom and when: the lines
 * of log/operator.log that are about it (docs/console.md §4.12). The console's lines name their
 * account. A line of the tool names what it changed: it is of the account in which that is. Nothing
 * that somebody typed is taken from the log, only its time, ids and words that are known; all names
 * come from the stores, and only those of this account.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "stats/logs.h"

struct ctx;

/* What an id of the content names, and whose it is. */
enum thing_kind {
	THING_NONE, /* it is not there, or not any more */
	THING_ARTICLE,
	THING_KEY,
	THING_JOB,
	THING_WORKSPACE,
	THING_ACCOUNT,
	THING_SHARE /* id and name are its article's */
};

struct thing {
	enum thing_kind kind;
	const char *id; /* UUID */
	const char *name; /* title, topic or name; of a key its label, or its ends; may be "" */
	const char *account; /* UUID */
	const char *workspace; /* UUID; NULL: none, or it was deleted */
	const char *place; /* name of the workspace, or NULL */
};

#define ACTIVITY_PAGE 50

/* A change. */
struct activity_line {
	int64_t at;
	const char *person; /* UUID; NULL: the tool, or a date */
	const char *by; /* the person's name; NULL: removed for good */
	const char *what; /* English, tr_mark() */
	int64_t credits; /* of "credits grant" and the like; 0: none */
	struct thing thing; /* what was changed, as far as it is there */
	const char *whom; /* of an act on a person: the name that this account knows */
	const char *account; /* of the whole instance: the account's name, or NULL */
};

struct activity {
	/* What is asked. */
	const char *account; /* UUID; NULL: all of the instance, for operators alone */
	const char *person; /* UUID: of this person alone; "": of no person; NULL: all */
	const char *workspace; /* UUID: in this workspace alone; NULL: all */
	struct logs_place place; /* older lines than this; all zero: from the newest on */
	size_t max; /* lines */
	int64_t bytes; /* of the log; 0: the last 4 MiB */

	/* What is found: newest first. */
	struct activity_line *lines;
	size_t count;
	bool more; /* older lines are at `place` */
};

/* Reads a page. It is its own transactions. Refuses where people/ is not there. */
MAY_REFUSE struct err *activity_read(struct ctx *c, struct activity *a);

/* The members of an account, and its workspaces, by which a page is filtered. */
struct activity_choice {
	const char *id, *name;
};

struct activity_choices {
	struct activity_choice *people, *workspaces;
	size_t person_count, workspace_count;
};

MAY_REFUSE struct err *
activity_choices(struct ctx *c, const char *account, struct activity_choices *out);

#endif
