#ifndef PAGES_PAGES_SERVICE_H
#define PAGES_PAGES_SERVICE_H
/*
 * The life of a request of the program `pages`, which shows pages to people who have no account
 * (docs/pages.md, docs/console.md §4.5): GET and HEAD alone, no cookie, no key. Addresses below
 * the word of a workspace are those of public-pages.h; cgi-bin/pages.c has the others as a table:
 *
 * 	static const struct pages_row rows[] = {
 * 		{ "/share/", share },
 * 		{ NULL, NULL },
 * 	};
 *
 * The program reads db/, keeps answers in run/kept/, counts addresses in run/ and writes log/; it
 * cannot reach people/, the rest of run/ or the network (system/harden.h). What goes wrong is a
 * whole page, which no search engine lists and nobody stores.
 */
#include "base/err.h"
#include "web/reply.h"
#include "web/req.h"

/* Answers an address; `rest` is the text after the row's beginning, one segment. Runs in a
 * snapshot of the content. */
typedef struct err *pages_handler(struct ctx *c, const char *rest, struct reply *reply);

struct pages_row {
	const char *begins; /* "/share/"; NULL ends a table */
	pages_handler *handler;
};

/* Runs the program. */
int pages_main(int argc, char **argv, const struct pages_row *rows);

/* Says that the reply is a page with this status that nobody stores, lists or passes on, and
 * adds its headers. The caller writes its body. */
void pages_begin(struct ctx *c, struct reply *reply, int status);

/* Answers with such a page that says a sentence. */
void
pages_say(struct ctx *c, struct reply *reply, int status, const char *title, const char *sentence);

#endif
