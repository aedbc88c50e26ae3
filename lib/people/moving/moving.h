#ifndef PEOPLE_MOVING_MOVING_H
#define PEOPLE_MOVING_MOVING_H
/*
 * What a task of the kind "import" has to do, and what became of the posts so far
 * (docs/console.md §4.11). This file owns the tables moving, moving_item and moving_loss of the
 * console's store. Every function needs a transaction of DB_CONSOLE.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ctx;

#define MOVING_KIND "import" /* of the task */
#define MOVING_DAYS 30 /* so long the items of an import are kept */
#define MOVING_TITLE_MAX 400 /* bytes of a title that is kept */
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

/* Calls `each` for items behind `after`, at most `limit`, in their order: those that failed
 * or those that have notes or did not. */
void moving_list_items(struct ctx *c, int64_t task_id, bool failed, int64_t after, int64_t limit,
    void (*each)(void *arg, const struct moving_item *item), void *arg);

/* Calls `each` for the kinds of losses, the most frequent first, at most `limit`. */
void moving_list_losses(struct ctx *c, int64_t task_id, bool skipped, int64_t limit,
    void (*each)(void *arg, const struct moving_loss *loss), void *arg);

/* Returns whether an import that is kept for longer than MOVING_DAYS has items; removes the items
 * and losses of one of those. */
bool moving_forget(struct ctx *c, bool only_look);

#endif
