#ifndef PEOPLE_TASK_H
#define PEOPLE_TASK_H
/*
 * Work outside requests that people want (docs/console.md §1.3), and what two kinds of it keep:
 * imports, and pages of websites. This file owns the tables task, moving, moving_item, moving_loss
 * and visited_page of the console's store. Every function needs a transaction of DB_CONSOLE.
 *
 * A task is waiting until its first slice, running until its last one, and then done, failed
 * (its report says why) or ended (by somebody, or with its person's rights).
 */
#include <stdbool.h>
#include <stdint.h>

#include "people/membership.h"
#include "store/lease.h"

struct ctx;

struct task {
	int64_t id;
	const char *uuid;
	const char *kind;
	const char *person; /* UUID of who wants it */
	enum right need; /* what each step needs of that person; 0:
	                        * the row names no right */
	const char *account; /* UUID, or "" */
	const char *workspace; /* UUID, or "" */
	int64_t number; /* how far it came, in the kind's own way */
	const char *state; /* "waiting", "running", "done", "failed", "ended" */
	int64_t done, total; /* pieces; total 0: not known */
	const char *report; /* a sentence; "" while there is none */
	int64_t slice_at; /* when the last slice began; 0: none did */
	int64_t deaths; /* slices that began since one came to its end */
	int64_t created_at;
	int64_t ended_at; /* 0: it is open */
	/* Of a slice: who has its lease (store/lease.h). The functions below that change the
	 * task change nothing once another one has it. "": nobody asked for it. */
	char holder[TASK_LEASE_HOLDER];
};

/* Returns whether the row is one that this release may have written. A task whose row is not
 * must not be worked on. */
bool task_is_sound(const struct task *t);

/* Returns whether no runner of another host has taken it over. In a writing transaction its lease
 * begins again. */
bool task_is_mine(struct ctx *c, const struct task *t);

/* Returns whether it waits or runs. */
bool task_is_open(const struct task *t);

/* Adds a waiting task; kind, person, need, account, workspace and total are read. Fills id,
 * uuid, state and created_at. */
void task_insert(struct ctx *c, struct task *t);

/* Returns the task with this UUID, or NULL. */
struct task *task_find(struct ctx *c, const char *uuid);

/* Returns the newest task of this kind in a workspace, or NULL. */
struct task *task_newest(struct ctx *c, const char *workspace, const char *kind);

/* Calls `each` for the newest tasks of this kind in a workspace, at most `limit`. */
void task_list_kind(struct ctx *c, const char *workspace, const char *kind, int64_t limit,
    void (*each)(void *arg, const struct task *t), void *arg);

/* Calls `each` for the newest tasks, at most `limit`; for the open ones in the order of their
 * accounts. */
void
task_list(struct ctx *c, int64_t limit, void (*each)(void *arg, const struct task *t), void *arg);
void task_list_open(struct ctx *c, void (*each)(void *arg, const struct task *t), void *arg);

/* Takes the lease, reads the task again and notes that a slice begins; false if a runner of another
 * host has it, or if it is not open any more. */
bool task_begin_slice(struct ctx *c, struct task *t);

/* Writes number, done and total of an open task; false if it is not open any more, or if another
 * host has taken it over. */
bool task_advance(struct ctx *c, const struct task *t);

/* Notes that a slice came to its end, and gives the lease back. */
void task_end_slice(struct ctx *c, const struct task *t);

/* Ends an open task: `state` is "done", "failed" or "ended". */
void task_end(struct ctx *c, const struct task *t, const char *state, const char *report);

/* Ends the tasks of a person (a UUID) that are not over; the report says why. */
void task_end_all(struct ctx *c, const char *person, const char *report);

/*
 * What a task of the kind "import" has to do, and what became of the posts so far
 * (docs/console.md §4.11).
 */

#define MOVING_KIND "import" /* of the task */
#define MOVING_NOTES_MAX 4000 /* bytes of the notes of one item that are kept */

struct moving {
	int64_t task_id;
	const char *program; /* "wordpress", "ghost", "markdown" */
	const char *site; /* an address, or "" */
	const char *upload; /* UUID */
	bool dry, publish;
	bool fetch; /* pictures that the upload does not have */
	bool with_pages; /* pages become articles, too */
	int64_t entries, bytes; /* of an archive: what was unpacked */
	int64_t created, updated, unchanged, failed, skipped, pictures;
	int64_t pictures_left; /* places whose picture stays on its website */
	int64_t pages; /* of all items, imported or passed over */
};

struct moving_item {
	int64_t number;
	const char *title;
	const char *article; /* UUID, or "" */
	const char *outcome; /* "created", "updated", "unchanged", "failed" */
	const char *notes; /* lines; "" for none */
};

struct moving_loss {
	const char *kind;
	int64_t count;
	bool skipped;
};

/* Adds a row; all but the counts is read. */
void moving_insert(struct ctx *c, const struct moving *m);

/* Returns the import of a task, or NULL. */
struct moving *moving_find(struct ctx *c, int64_t task_id);

/* Writes the counts. */
void moving_update(struct ctx *c, const struct moving *m);

/* Adds an item; the same number again takes its place. */
void moving_add_item(struct ctx *c, int64_t task_id, const struct moving_item *item);

/* Adds `count` to the losses of this kind. */
void moving_add_loss(struct ctx *c, int64_t task_id, const struct moving_loss *loss);

/* Calls `each` for items after `after`, at most `limit`, in their order: those that failed
 * or those that have notes or did not. */
void moving_list_items(struct ctx *c, int64_t task_id, bool failed, int64_t after, int64_t limit,
    void (*each)(void *arg, const struct moving_item *item), void *arg);

/* Calls `each` for the kinds of losses, the most frequent first, at most `limit`. */
void moving_list_losses(struct ctx *c, int64_t task_id, bool skipped, int64_t limit,
    void (*each)(void *arg, const struct moving_loss *loss), void *arg);

/* Returns whether an import that is kept for longer than MOVING_DAYS has items; removes the items
 * and losses of one of those. */
bool moving_forget(struct ctx *c, bool only_look);

/*
 * Which pages of a website a task of the kind "verify-pages" has to look at, and what it found
 * (docs/console.md §4.10).
 */

#define VISITED_KIND "verify-pages" /* of the task */
#define VISITED_FINDINGS_MAX 4000 /* bytes of the findings of a page that are kept */

struct visited {
	int64_t number;
	const char *article; /* UUID */
	const char *url; /* or "" */
	int64_t looked_at; /* 0: not yet */
	const char *findings; /* lines; "" for none */
};

/* Adds a page that is to be looked at; number and article are read. */
void visited_insert(struct ctx *c, int64_t task_id, const struct visited *v);

/* Reads the first page that was not looked at; false if there is none. */
bool visited_next(struct ctx *c, int64_t task_id, struct visited *out);

/* Returns when a page of the task was looked at last; 0: none was. */
int64_t visited_last_at(struct ctx *c, int64_t task_id);

/* Notes what was found on the page of this number, now. */
void visited_note(struct ctx *c, int64_t task_id, const struct visited *v);

/* Calls `each` for the pages that were looked at, in their order. Texts live until the call
 * ends. */
void visited_list(
    struct ctx *c, int64_t task_id, void (*each)(void *arg, const struct visited *v), void *arg);

/* Removes the pages of older tasks of the workspace (UUID). */
void visited_forget(struct ctx *c, const char *workspace, int64_t task_id);

#endif
