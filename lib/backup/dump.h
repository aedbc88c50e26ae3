#ifndef BACKUP_DUMP_H
#define BACKUP_DUMP_H
/*
 * Writes everything of an instance in open formats, for a customer who leaves or who
 * reads it without Galley (galley dump). All files show the same moment; the same
 * content gives the same bytes. A dump holds no secret: of a key it holds only what is
 * not secret. A dump is no backup: it lacks the secrets of keys, the pepper and the
 * stored exports.
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
 *	              editions/ID-N.md  everything that was ever published
 *	              articles/ID.json  state, editions, content as the API has it
 */
#include <stdint.h>

#include "access/workspace.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "system/work.h"

struct tar;

struct dump {
	struct ctx *c;
	const char *folder; /* or, for sentences, the archive */
	struct tar *tar; /* to which the files are added; NULL: they are in the folder */
	int64_t looked_at; /* bytes of it when the room on the disk was last looked at */
	struct err *err; /* the first refusal; later files are skipped */
	const struct work *work; /* the caller's */
	int64_t files;
	int64_t workspaces, articles;
	int64_t damaged; /* pictures that were left out */
};

/* Writes the dump into `folder`, which is created if it is missing, and fills the counts
 * of *out. Refuses a folder that is not empty or that the web server serves. A file that
 * cannot be written is a refusal, too; a part of the dump is then in the folder. */
MAY_REFUSE struct err *
dump_run(struct ctx *c, const struct work *work, const char *folder, struct dump *out);

/* Does the same into a tar archive at `path`, which must be beside the database; it gets this
 * name when it is whole. In it all is below the folder galley-dump. Refuses to fill the disk
 * (docs/console.md §1.3). */
MAY_REFUSE struct err *
dump_archive(struct ctx *c, const struct work *work, const char *path, struct dump *out);

/* ---- for its parts */

#endif
