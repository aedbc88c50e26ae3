#ifndef CONSOLE_ROWS_H
#define CONSOLE_ROWS_H
/* Finds the row of an address in the tables of all screens. Private to this floor. */
#include "console/visit.h"

struct service;

/* What the capital words of a pattern matched; NULL where the pattern has none. */
struct matched {
	const char *workspace, *account, *id, *name;
};

/* Finds the row of v->path and the method, and sets v->row; false if there is none. *allow is
 * then the value of Allow if only another method has the path, else NULL. */
bool rows_find(struct ctx *c, struct visit *v, struct matched *m, const char **allow);

/* Refuses what rows_find() did not find: 405, or 404. */
MAY_REFUSE struct err *rows_refuse(struct ctx *c, const char *allow);

/* Returns whether GET has a row for this path. */
bool rows_get(struct ctx *c, const char *path);

/* Returns whether a form that is sent to this path is an operator's (RIGHT_OPERATE). */
bool rows_operate(struct ctx *c, const char *path);

/* Finds the row of an account's page with this path, where the row that was found is of a
 * workspace, and there is no such workspace: both are named by UUIDs. */
bool rows_find_account(struct ctx *c, struct visit *v, struct matched *m);

/* Prints all rows as JSON, for the tests that look for each screen, and ends the process
 * (web/service.h: tables). */
_Noreturn void rows_print(struct ctx *c, const struct service *service);

#endif
