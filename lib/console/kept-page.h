#ifndef CONSOLE_KEPT_PAGE_H
#define CONSOLE_KEPT_PAGE_H
/*
 * Kept pages (docs/speed.md §3): a page that a person saw before is sent from a file, without
 * opening a store, as long as nothing has changed that it could show. Private to this floor.
 *
 * Only pages of rows with `kept`, of visitors who are recalled (people/recall.h). A page is a file
 * in one of some places of run/console/kept/. Its name is a digest of all that it depends on:
 *
 * - the visit that was recalled, with what that is believed for;
 * - the counters of run/generation for accounts, for this workspace, and for what only people
 *   see; the times and lengths of galley.db and its log, so that a program which announces
 *   nothing is seen, too;
 * - path and query, and the bytes of galley.conf.
 *
 * The file holds until when its times in words are right (screen/say.h).
 *
 * The form's token and number are not in the file: they are written into the page when it is
 * sent. Each number is a new one. A page that is torn, damaged, a link or another user's counts
 * as missing.
 */
#include <stdbool.h>

#include "console/visit.h"

struct kept_page;

/* Begins the page of a recalled visit, before a store is opened: sets v->kept, NULL if it may not
 * be kept. Fills the reply with the kept page and returns true if there is one. In test builds with GALLEY_KEPT=verify the ordinary way writes each kept page, too: one
 * that differs is a BUG, unless something has changed meanwhile. */
bool kept_page_find(struct ctx *c, struct visit *v, struct reply *reply);

/* Notes that the page holds this number of a form. `p` may be NULL. */
void kept_page_number(struct kept_page *p, const char *action, const char *number);

/* Keeps the page that the ordinary way wrote, unless something changed meanwhile. A fault is
 * silent. */
void kept_page_keep(struct ctx *c, const struct visit *v, const struct reply *reply);

#endif
