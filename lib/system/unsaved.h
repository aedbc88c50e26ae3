#ifndef SYSTEM_UNSAVED_H
#define SYSTEM_UNSAVED_H
/*
 * The texts of `article edit`: a file run/edit-SLUG-XXXXXX.md for each editor that is open,
 * and for each text that could not be saved. Beside it is NAME.lock while its command
 * runs. An unsaved text is kept for 30 days: long enough for the person who was told its
 * path, and not for ever.
 */
#include <stddef.h>

struct ctx;

enum { UNSAVED_DAYS = 30 };

struct unsaved {
	const char *path; /* of the text, in the arena */
	int lock; /* -1: none could be taken */
};

/* Creates a file with the text and locks it. Returns 0, or the errno of what failed. */
int
unsaved_make(struct ctx *c, const char *slug, const char *text, size_t len, struct unsaved *out);

/* Releases the lock; the text stays. */
void unsaved_keep(struct unsaved *u);

/* Removes the text, and the file that an editor left beside it (NAME~). */
void unsaved_remove(struct unsaved *u);

/* Calls `each` with the path of every text of this slug that no editor has open. */
void
unsaved_list(struct ctx *c, const char *slug, void (*each)(void *arg, const char *path), void *arg);

/* Removes texts that are older than 30 days and that no editor has open. */
void unsaved_sweep(struct ctx *c);

#endif
