#ifndef ARTICLE_TEXT_ROOM_H
#define ARTICLE_TEXT_ROOM_H
/*
 * How much the texts of an account may take, account_text_mib of galley.conf: its articles, their
 * editions, saves and comments, in all of its workspaces, each with its fields and some bytes for
 * its row. The limit is for what people do in the console, and for what moves in there. The tool
 * and the runners have none.
 *
 * run/console/texts has a place for each account: what a measure found, and what was stored since.
 * A measure reads all these texts, so it is made when there is none of the last hour; and, where
 * the account seems full, when something was purged, or half a minute after the last one; by one
 * process at a time, while others go on with what is known. What is stored counts at once, under
 * the lock of its place; what is removed counts until the next measure. Each of several hosts knows
 * what it stored itself. If the file cannot be used, everything is stored, and the log says so.
 */
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/uuid.h"

struct ctx;

#define TEXT_ROOM_ARTICLE ((size_t)4096) /* bytes of an article without its texts */
#define TEXT_ROOM_ROW ((size_t)512) /* of an edition, a save or a comment */

struct text_room {
	int64_t account_id;
	char account[UUID_TEXT];
	int64_t max; /* bytes */
};

/* Sets c->room, until text_room_end(), to a place that lives as long. Measures where that is due.
 * No transaction may be open. */
void
text_room_begin(struct ctx *c, int64_t account_id, const char *account, struct text_room *room);
void text_room_end(struct ctx *c);

/* These do nothing where c->room is NULL. */

/* Refuses (ERR_TOO_LARGE) where the account's texts take all that they may. */
MAY_REFUSE struct err *text_room_check(struct ctx *c);

/* Counts what is stored. */
void text_room_took(struct ctx *c, size_t bytes);

/* Notes that something was purged. */
void text_room_freed(struct ctx *c);

#endif
