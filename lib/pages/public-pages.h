#ifndef PAGES_PUBLIC_PAGES_H
#define PAGES_PUBLIC_PAGES_H
/*
 * What is below /pages/WORD/ (docs/pages.md §2), as a table, and the life of a request there: a
 * cached answer; or the limit, the snapshot, the workspace, the handler.
 */
#include "base/err.h"
#include "pages/pages-answer.h"
#include "web/reply.h"
#include "web/req.h"

/* Fills the reply, in a snapshot of the content. Where it has nothing to show it says so. */
typedef void rows_handler(struct ctx *c, struct site *s, struct reply *reply);

struct rows_row {
	const char *path; /* behind "/WORD/"; "theme-*.css": one segment; "*": any, and the last */
	rows_handler *handler;
	struct send_how how;
	/* Its pattern is the row's name in cached answers; its parameters (web/req.h) are
	 * part of them, others are ignored. */
	struct route route;
};

extern const struct rows_row rows_table[];

/* Answers an address "/WORD…". Refuses (404) a word that is no present and no past one of a
 * workspace which may have pages. Calls `confine` when the database is open. */
MAY_REFUSE struct err *
rows_answer(struct ctx *c, struct req *r, struct reply *reply, void (*confine)(struct ctx *c));

#endif
