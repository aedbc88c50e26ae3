#ifndef CONSOLE_HEAD_H
#define CONSOLE_HEAD_H
/* The headers of every answer, and redirects. Private to this floor. */

#include <stdbool.h>

struct reply;

/* Adds the headers of an asset: the article's sheet is read by a frame, whose origin is
 * none (docs/console.md §3.11). */
void head_add_asset(struct reply *reply, bool framed);

/* Adds those of a framed preview. `scrolled`: its document has the origin of the page around it,
 * so that the editor's script can keep its place; no script runs in it either way. */
void head_add_frame(struct reply *reply, bool scrolled);

/* Adds the headers of docs/console.md §3.11. `cache` NULL: Cache-Control is there already. */
void head_add(struct reply *reply, const char *cache);

/* Answers with a redirect to an address. */
void head_go(struct reply *reply, int status, const char *address);

#endif
