#ifndef CONSOLE_CONSOLE_H
#define CONSOLE_CONSOLE_H
/*
 * The life of a request of the console (docs/console.md §3), in one place and one order.
 * Each file of the folder console/ is a screen: a table of addresses and their handlers.
 *
 *	static const struct console_row keys[] = {
 *		{ .method = "GET", .pattern = "/W/keys", .need = RIGHT_MANAGE,
 *		    .title = tr_mark("Keys"), .handler = list },
 *		{ .method = "POST", .pattern = "/W/keys", .need = RIGHT_MANAGE,
 *		    .title = tr_mark("Keys"), .handler = create, .step_up = true },
 *		{ .method = NULL },
 *	};
 *
 * What a row says is kept before its handler runs: nobody reaches it signed out (but of
 * SCREEN_PUBLIC), in another customer's place, or without the right; no GET may write; a POST
 * comes from a page of this console, once. Every change of a handler passes the gate
 * (base/ctx.h): session, person and right are read again under the lock, and the form's number
 * is recorded in the same transaction.
 *
 * In a pattern W is a workspace's UUID, A an account's, ID the UUID of a thing in it, NAME any
 * other text of one segment.
 */
#include "console/page.h"
#include "console/visit.h"

/* Runs the program (web/serve.h). */
int console_main(int argc, char **argv);

#endif
