#ifndef BACKUP_RESTORE_H
#define BACKUP_RESTORE_H
/*
 * Restores an instance from a backup (docs/design.md §6). No file is replaced under
 * SQLite: a prepared copy is written into galley.db as one transaction, so that every
 * process sees either the old rows or the new rows.
 *
 * The order, and what a crash leaves:
 *
 *  1. the runner's lock is taken
 *  2. the archive is unpacked into a folder beside the database, pictures that are missing
 *     into one of the media folder; the copy is compared with the schema that
 *     Galley makes, brought to this release's, and checked; the present instance is
 *     written to a tar without a name
 *  3. the copy gets a new epoch; the keys that the present instance has ended
 *     end in it, too, its accounts that are suspended now are suspended, its
 *     articles that are withdrawn now withdrawn, and what a workspace has closed is
 *     closed; the pictures that are not removed now come to the others
 *                                                      → nothing has changed
 *  4. the folder becomes db/restore-pending, and db/pepper both peppers
 *                                                      → pending.h undoes it
 *  5. the write lock is taken; when anybody wrote since the tar was made, it is
 *     given back, tar and copy are brought up to date, and it is taken again;
 *     the last time they are brought up to date under the lock, so that nothing
 *     that was acknowledged is in neither of the two
 *  6. the tar is named db/before-restore-TIME.tar; the copy replaces the database,
 *     one transaction
 *  7. pepper and galley.conf follow                    → pending.h finishes
 *
 * restore.c		these steps, the copy, the tar
 * restore-closed.c	what is closed in the present instance stays closed
 * restore-people.c	the people of the backup, where there are none
 * restore-check.c	what is asked before: whether it can be restored, what it would replace
 *
 * lib/backup: backups, restores, dumps, upgrades of the schemas, the move to another store. Not
 * here: how rows are copied (lib/store). Begin with archive.h.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "article/article.h"
#include "backup/archive.h"
#include "base/err.h"
#include "job/scratch.h"

struct db_swap;
struct verify;
struct work;

/* An article of the present instance, of any status. */
struct restore_article {
	const char *uuid;
	enum article_status status;
	int64_t version;
};

/* A workspace of the present instance, and what of it is open. One that was deleted has nothing
 * open. */
struct restore_present {
	const char *uuid;
	const char *epoch; /* when it was first looked at */
	int64_t began_at; /* workspace_began_at() */
	bool same; /* the backup has the same epoch */
	bool past; /* so it has a state that comes before this one */
	bool deleted;
	bool pages; /* they are on */
	bool analytics_enabled;
	const char *analytics_origins, *embed_origins; /* separated by spaces */
	const char *notify_url; /* "": none */
};

/* What a workspace of the backup does not get back, because it is closed now. */
struct restore_closed {
	const char *workspace, *name; /* its UUID */
	const char *what; /* the setting; "workspace": all of it, because it is deleted */
	const char *was; /* the value, or the part of it, that stays out */
};

/* A key that is revoked in the present instance, or that expires there. */
struct restore_key {
	const char *uuid;
	bool revoked;
	int64_t expires_at;
};

/* A key of the backup that ends as it did in the present instance. */
struct restore_ended {
	const char *uuid, *label, *display;
	const char *workspace; /* its name */
	bool revoked; /* false: another key replaced it */
};

/* An article of the backup that is purged or in the trash now: it keeps no picture. */
struct restore_gone {
	int64_t workspace_id; /* of the copy */
	const char *uuid;
};

/* An article that the backup publishes, or has as a draft, and that stays withdrawn. */
struct restore_withdrawn {
	const struct workspace *workspace; /* of the copy */
	const char *uuid;
	const char *title;
	const char *how; /* "unpublished", "in the trash", "purged" */
};

/* A key of galley.conf that the backup has otherwise; the values as people may see them. */
struct restore_conf {
	const char *key, *now, *then;
};

struct restore {
	const struct work *work; /* the caller's */
	const char *file; /* the archive */
	bool as_it_was; /* what is withdrawn, removed or closed now is shown again */
	bool people; /* takes the backup's people; refuses where there are some */
	bool keep_conf; /* galley.conf stays as it is */
	struct restore_conf *conf; /* then: what the backup has otherwise */
	size_t conf_count;
	const char *address; /* public_url of the backup's galley.conf; "": not known */
	bool locked; /* the caller holds the job runner's lock */
	const char *folder; /* where the copy is prepared */
	const char *room; /* where the pictures are that the instance has not */
	struct archive_facts facts;
	void (*each)(void *arg, const struct verify *check); /* of the copy */
	void *arg; /* the caller's */
	size_t broken; /* of those checks */
	const char *kept; /* backup of what was replaced */
	struct archive archive; /* the same while it has no name */
	struct scratch scratch; /* for the copy of the present database */
	const char *copy; /* its path */
	int64_t database_at; /* where it begins in the archive; 0: it is not in
				 it */
	struct db_swap *swap;
	struct restore_key *keys; /* that the present instance has ended */
	size_t key_count;
	struct restore_ended *ended; /* of them in the restored database */
	size_t ended_count;
	const char **suspended; /* UUIDs of accounts that are suspended now */
	size_t suspended_count;
	const char **suspended_again; /* names of those of them in the restored database */
	size_t suspended_again_count;
	struct restore_article *present; /* by uuid */
	size_t present_count, present_room;
	struct restore_present *workspaces; /* of the present instance, also deleted ones */
	size_t workspace_count;
	bool present_known; /* the present instance could be read */
	const char **pictures_now; /* files of its pictures, in order */
	size_t pictures_now_count, pictures_now_room;
	struct restore_closed *closed;
	size_t closed_count;
	struct restore_gone *gone;
	size_t gone_count;
	const char **removed; /* files of pictures that stay removed */
	size_t removed_count;
	bool placed; /* the pictures were put in place */
	bool withdraws; /* restore_withdraw() was called before */
	struct restore_withdrawn *withdrawn;
	size_t withdrawn_count;
	const char *damage; /* of the present database; NULL: it is whole */
	const char **jobs; /* UUIDs of those that were open: failed now */
	size_t job_count;
	int64_t people_now; /* how many there are when the restore begins; 1: some, of another
				 release */
	bool people_newer; /* console.db is of a newer release than this program */
	bool people_back; /* so those of the backup take its place */
	int64_t people_there; /* in the backup, where it was looked at */
	struct scratch people_room; /* where they are prepared */
	int64_t from; /* schema of the backup */
	const char **pictures; /* that the backup should have and has not */
	size_t picture_count;
};

/* Restores r->file and fills the other members of *r. */
MAY_REFUSE struct err *restore_run(struct ctx *c, struct restore *r);

/* The contents of a backup, and whether it can be restored. */
struct restore_finding {
	int64_t bytes;
	int64_t schema; /* of its database */
	int64_t media;
	const char **workspaces; /* their names */
	size_t workspace_count;
	const char **problems; /* sentences; none: it is good */
	size_t problem_count;
};

/*
 * Reads the backup at `path` to its last byte and checks it as restore_run() would, in a
 * folder in run/ that is removed at the end. The instance is not changed. Refuses a
 * backup that cannot be restored at all. Closes the database.
 */
MAY_REFUSE struct err *restore_check(
    struct ctx *c, const struct work *work, const char *path, struct restore_finding *out);

/* ---- the copy */

/* Unpacks r->file into r->folder and, if `media` is true, the pictures that are missing into
 * r->room. The database of the copy must be whole before anything opens it; it is then
 * migrated to this release's schema and verified (`each`: doctor/verify.h). */
MAY_REFUSE struct err *restore_unpack(struct ctx *c, struct restore *r, bool media,
    void (*each)(void *arg, const struct verify *check));

/* Runs a step while the copy is open instead of the instance's database. */
typedef struct err *restore_step(struct ctx *c, struct restore *r);

MAY_REFUSE struct err *restore_with_copy(struct ctx *c, struct restore *r, restore_step *step);

/* Does the same with another database file. */
MAY_REFUSE struct err *
restore_with_database(struct ctx *c, struct restore *r, const char *path, restore_step *step);

/* Returns what is wrong with the backup's galley.conf. NULL: nothing is wrong, or the
 * backup has none. */
const char *restore_conf_complaint(struct ctx *c, const struct restore *r);

/* Returns the path of a file of the copy. In the arena. */
const char *restore_file(struct ctx *c, const struct restore *r, const char *name);

/*
 * ---- people: restore-people.c
 *
 * A restore keeps the present people (docs/console.md §4.15). Where there are none,
 * r->people takes those of the backup, all disabled. That is a step of its own after the
 * restore: if it does not come to its end, it can be said again.
 *
 * People of a newer release than this program cannot be kept: this is the way back after an
 * upgrade. Those of the backup take their place, not disabled, if they have the secret of this
 * instance, so were its own; else nobody is touched. People of an older release in a backup are
 * brought to this one.
 */

/* Prepares the people of the copy. Refuses people where there are some, and those that the
 * backup does not have, or has damaged. */
MAY_REFUSE struct err *restore_people_prepare(struct ctx *c, struct restore *r);

/* Ends the mails that wait of people who stay, if no others come: they are of the past that is
 * gone. Call it just before the restore is committed: a restore that failed then may have ended
 * them, and one that is committed fails no more. */
void restore_people_stay(struct ctx *c, const struct restore *r);

/* Puts prepared people in place, after the restore is committed. */
void restore_people_put(struct ctx *c, const struct restore *r);

/* Returns what is wrong with the people of the unpacked backup, or NULL. */
const char *restore_people_complaint(struct ctx *c, const struct restore *r);

/* ---- what a restore would replace: restore-check.c */

/* A workspace or an article. */
struct restore_thing {
	const char *uuid, *kind, *name;
};

/* What the present instance holds, or the backup. */
struct restore_side {
	struct ctx *c;
	int64_t changed_at; /* the last change; 0: none */
	int64_t workspaces, articles, published, jobs, credits;
	struct restore_thing *things; /* in the order of their UUIDs */
	size_t count, room;
};

struct restore_comparison {
	struct restore_side now, then;
	const char *unknown; /* why `now` is empty ("is damaged"), or NULL */
};

/* Reads what a restore of `file` would replace, and by what. Changes nothing, and
 * waits for no lock. Closes the database. */
MAY_REFUSE struct err *restore_compare(
    struct ctx *c, const struct work *work, const char *file, struct restore_comparison *out);

/* Returns whether a side holds this workspace or article. */
bool restore_side_has(const struct restore_side *s, const struct restore_thing *it);

/* ---- what stays closed: restore-closed.c */

/* Notes the workspaces and articles of the open database, in a transaction: r->workspaces,
 * r->present. */
void restore_find_present(struct ctx *c, struct restore *r);

/* Returns what the present instance has of a workspace; NULL: it never had it. */
struct restore_present *restore_present_of(const struct restore *r, const char *uuid);

/* A fix: what the backup publishes and the present instance has unpublished is a draft in the
 * copy, and what is in the trash now, or purged, is in the trash: r->withdrawn. Before the
 * epochs are drawn, and again for what was withdrawn meanwhile. The latter are
 * listed, also where the backup has them in the trash: r->gone. */
void restore_withdraw(struct ctx *c, struct restore *r);

/* Notes the pictures of the open database, in a transaction: r->pictures_now. */
void restore_find_pictures(struct ctx *c, struct restore *r);

/* A fix, after restore_withdraw(): pictures that the present instance does not have any more, and
 * that nothing in the copy shows but r->gone, leave the copy: r->removed. May be repeated. */
void restore_remove_pictures(struct ctx *c, struct restore *r);

/* Puts the unpacked pictures in place, but for those of r->removed. Those that are found later
 * are taken away again. */
MAY_REFUSE struct err *restore_put_pictures(struct ctx *c, struct restore *r);

/* Notes the keys of the open database that end, and the accounts that are
 * suspended, in a transaction: r->keys, r->suspended. */
void restore_find_ended(struct ctx *c, struct restore *r);

/* A fix: those keys end in the copy no later than there, those accounts are
 * suspended: r->ended, r->suspended_again. May be repeated. */
void restore_end_again(struct ctx *c, struct restore *r);

/* A fix: what is closed in r->workspaces is closed in the copy, and its lists are those origins
 * that both have: r->closed. May be repeated. */
void restore_close(struct ctx *c, struct restore *r);

/* Return a sentence, without its full stop, that says so (arena). */
const char *restore_ended_text(struct ctx *c, const struct restore_ended *key);

const char *restore_closed_text(struct ctx *c, const struct restore_closed *it);

#endif
