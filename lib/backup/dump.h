#ifndef BACKUP_DUMP_H
#define BACKUP_DUMP_H
/*
 * Everything of an instance in open formats, for whoever wants to leave, or to
 * look without Galley (galley dump). All is of one moment; the same content
 * gives the same bytes. No secret is in it: of keys only what is not secret. It
 * is no backup: keys, pepper and stored exports are not there.
 *
 *	README                      what the files are
 *	accounts.json accounts.csv  customers and their credits
 *	ledger/ACCOUNT.json .csv    each movement of credits
 *	media/DIGEST.png            images
 *	workspaces/ID/workspace.json   settings
 *	              keys.json     labels, scopes, dates
 *	              jobs.json     orders, with briefs
 *	              published/ID.md   what is shown; for `article import --publish`
 *	              drafts/ID.md      articles that are not shown
 *	              changes/ID.md     working copies that differ from what is shown
 *	              trash/ID.md
 *	              editions/ID-N.md  all that was ever published
 *	              articles/ID.json  state, editions, content as the API has it
 *
 * dump.c		the run, accounts, credits, images
 * dump-workspace.c	workspaces
 * dump-article.c	their articles
 */
#include <stdint.h>

#include "access/workspace.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "system/work.h"

struct dump {
	struct ctx *c;
	const char *folder;
	struct err *err; /* the first refusal; the rest is passed over */
	const struct work *work; /* the caller's */
	int64_t files;
	int64_t workspaces, articles;
	int64_t damaged; /* pictures that were left out */
};

/* Writes the whole of it into `folder`, which is made where it is missing.
 * Refuses a folder that is not empty or that the web server serves, and what
 * cannot be written: then a part is there. Fills *out's counts. */
MAY_REFUSE struct err *dump_run(struct ctx *c, const struct work *work,
    const char *folder, struct dump *out);

/* ---- for its parts */

/* Makes a folder below, 0700; a file of these bytes, 0600. `name` is its path
 * below the dump's folder. */
void dump_folder(struct dump *d, const char *name);
void dump_file(struct dump *d, const char *name, const struct buf *bytes);

/* An empty buffer for a file. */
void dump_begin(struct dump *d, struct buf *out);

void dump_workspace(struct dump *d, const struct workspace *w);
void dump_articles(struct dump *d, const struct workspace *w);

#endif
