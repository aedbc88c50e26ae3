#ifndef COMMAND_LISTING_H
#define COMMAND_LISTING_H
/*
 * A list that a command prints: a table for people, or an array of JSON.
 *
 *	struct listing l;
 *
 *	listing_begin(&l, c, call, (const char *[]){ "ID", "NAME", NULL });
 *	account_show_all(c, list_one, &l);	each adds a row or a value
 *	listing_end(&l, "There is no account yet.");
 */
#include "command/call.h"
#include "terminal/grid.h"

struct listing {
	struct ctx *c;
	struct call *call;
	struct grid grid; /* for people */
};

/* Begins a list; `head` is the names of the table's columns, ended by NULL. */
void listing_begin(struct listing *l, struct ctx *c, struct call *call, const char *const *head);

/* Prints the list; `none` is the sentence for an empty table. */
void listing_end(struct listing *l, const char *none);

#endif
