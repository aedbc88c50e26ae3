#ifndef PEOPLE_VISITED_VISITED_H
#define PEOPLE_VISITED_VISITED_H
/*
 * Which pages of a website a task of the kind "verify-pages" has to look at, and what it found
 * (docs/console.md §4.10). This file owns the table visited_page of the console's store. Every
 * function needs a transaction of DB_CONSOLE.
 */
#include <stdbool.h>
#include <stdint.h>

struct ctx;

#define VISITED_KIND "verify-pages" /* of the task */
#define VISITED_FINDINGS_MAX 4000 /* bytes of the findings of a page that are kept */

struct visited {
	int64_t number;
	const char *article; /* UUID */
	const char *url; /* or "" */
	int64_t looked_at; /* 0: not yet */
	const char *findings; /* lines; "" for none */
};

/* Adds a page that is to be looked at; number and article are read. */
void visited_insert(struct ctx *c, int64_t task_id, const struct visited *v);

/* Reads the first page that was not looked at; false if there is none. */
bool visited_next(struct ctx *c, int64_t task_id, struct visited *out);

/* Returns when a page of the task was looked at last; 0: none was. */
int64_t visited_last_at(struct ctx *c, int64_t task_id);

/* Notes what was found on the page of this number, now. */
void visited_note(struct ctx *c, int64_t task_id, const struct visited *v);

/* Calls `each` for the pages that were looked at, in their order. Texts live until the call
 * ends. */
void visited_list(
    struct ctx *c, int64_t task_id, void (*each)(void *arg, const struct visited *v), void *arg);

/* Removes the pages of older tasks of the workspace (UUID). */
void visited_forget(struct ctx *c, const char *workspace, int64_t task_id);

#endif
