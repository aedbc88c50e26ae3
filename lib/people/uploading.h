#ifndef PEOPLE_UPLOADING_H
#define PEOPLE_UPLOADING_H
/*
 * Large files that people send in slices (docs/console.md §3.13). This file owns the table
 * upload of the console's store; action/uploaded-files.h owns the bytes. Every function needs a
 * transaction of DB_CONSOLE.
 */
#include <stdbool.h>
#include <stdint.h>

struct ctx;

#define UPLOADING_MARK_MAX 100 /* bytes */
#define UPLOADING_DAY_S 86400 /* an upload that rests so long is removed */

struct uploading {
	int64_t id;
	const char *uuid;
	const char *person; /* UUID of who sends it */
	const char *account; /* UUID; "" for the instance */
	const char *workspace; /* UUID; "" for the instance */
	const char *kind; /* "moving" or "backup" */
	int64_t size, got; /* bytes */
	const char *mark; /* tells two files of one size apart; or "" */
	int64_t created_at, changed_at;
};

static inline bool
uploading_is_whole(const struct uploading *u)
{
	return u->got == u->size;
}

/* Adds a row; all but id and times is read. */
void uploading_insert(struct ctx *c, struct uploading *u);

/* Returns the upload with this UUID, or NULL. */
struct uploading *uploading_find(struct ctx *c, const char *uuid);

/* Returns the upload of the same person, place, kind, size and mark whose slices are still
 * missing, or NULL. */
struct uploading *uploading_find_same(struct ctx *c, const struct uploading *like);

/* Counts the uploads of an account ("": the instance) whose slices are missing. Sets *bytes to
 * those that all its uploads will have. */
int64_t uploading_count(struct ctx *c, const char *account, int64_t *bytes);

/* Notes that the file has `got` bytes; false if it is not as it was read. */
bool uploading_advance(struct ctx *c, const struct uploading *u, int64_t got);

/* Notes that the file is used: it is kept a day more. */
void uploading_touch(struct ctx *c, const char *uuid);

/* Calls `each` for the newest uploads of the same person, place and kind, at most `limit`. */
void uploading_list(struct ctx *c, const struct uploading *like, int64_t limit,
    void (*each)(void *arg, const struct uploading *u), void *arg);

void uploading_delete(struct ctx *c, int64_t id);

/* Returns the upload that rests longest since before `since`, or NULL. */
struct uploading *uploading_oldest(struct ctx *c, int64_t since);

#endif
