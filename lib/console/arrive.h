#ifndef CONSOLE_ARRIVE_H
#define CONSOLE_ARRIVE_H
/*
 * The body of a form on its way in (docs/console.md §3.13). A form without files is read
 * into memory. One that may bring a picture, and is longer than that, goes into a file
 * without a name in run/console/ and is mapped from there: a process that is killed leaves
 * nothing. Private to this floor.
 *
 * Under FastCGI a body has 10 s, like those of the API. Then somebody who is signed in may go
 * on for 300 s, but four at once: clients that send slowly never occupy all processes.
 */
#include <stddef.h>

#include "base/err.h"
#include "console/visit.h"

#define ARRIVE_S 300 /* seconds that a body may take */
#define ARRIVE_FORM_MAX ((size_t)8 * 1024 * 1024)
#define ARRIVE_FILES_MAX ((size_t)64 * 1024 * 1024)

/*
 * Reads the whole body, with one more byte behind it that may be written. Refuses one that
 * is too long for its row (413), and a picture for which the disk has no room (503). What did
 * not come is missing at the end. arrive_release() ends the life of the bytes.
 */
MAY_REFUSE struct err *arrive_read(struct ctx *c, struct visit *v, char **body,
    size_t *len);

void arrive_release(struct visit *v);

#endif
