#ifndef CONSOLE_SENT_H
#define CONSOLE_SENT_H
/*
 * A form that was sent: what it holds, and its number. Private to this floor.
 *
 * The body of a form on its way in (docs/console.md §3.13). A form without files is read
 * into memory. One that may bring a picture, and is longer than that, goes into a file
 * without a name in run/console/ and is mapped from there: a process that is killed leaves
 * nothing.
 *
 * Under FastCGI a body has a second before a process begins with its request (web/serve-fcgi.c),
 * or ten with one of two places: so strangers who send slowly occupy no process. The body of
 * somebody who is signed in has 10 s more, like those of the API. Then it may go on for 300 s, but
 * four at once: clients that send slowly never occupy all processes. A text whose session has ended
 * has 10 s more if it is the only one.
 */
#include <stddef.h>

#include "base/err.h"
#include "console/request.h"

struct buf;

#define ARRIVE_MS 1000 /* milliseconds in which no process waits for a body */
#define ARRIVE_S 300 /* seconds that a body may take */
/* A body of which more has come is a person's, and a process begins with it. Apache sends no more
 * than 25 KiB, in the smallest records that it makes of a body, before somebody reads. */
#define ARRIVE_STRANGER_MAX ((size_t)16 * 1024)
#define ARRIVE_FILES_MAX ((size_t)64 * 1024 * 1024)

/* Ends the life of the bytes that sent_read() has read. */
void arrive_release(struct visit *v);

/* Takes one of two places of bodies that need more than ARRIVE_MS, from strangers or not. Returns a
 * descriptor, or -1. */
int arrive_patience(struct ctx *c);

/* Reads the whole form and its number. Refuses one that is too long for its row (413), and a
 * picture for which the disk has no room (503). What did not come is missing at the end. */
MAY_REFUSE struct err *sent_read(struct ctx *c, struct visit *v, const struct headers *h);

/* Reads the form's number again, after a step-up put other fields in the form's place. */
void sent_number(struct ctx *c, struct visit *v);

/* Writes the fields that were sent, but the token, as bytes that are kept for later (files are
 * not among them). console_put_back() reads them. */
void sent_write(struct ctx *c, const struct visit *v, struct buf *out);

#endif
