#ifndef ARTICLE_MEDIA_H
#define ARTICLE_MEDIA_H
/*
 * Stored images: htdocs/media/<digest>.<ext>, and a row of table media for each
 * (docs/design.md §5). A file is named by the BLAKE2b-256 of its bytes, so it never
 * changes, and storing it twice is storing it once. It holds no metadata
 * (picture-clean.h), but for one that was stored before that was so; the row knows
 * the digest of what was given, too.
 *
 * Where an instance has several hosts (store/hosts.h), the store keeps the bytes as well,
 * and the file is a copy that may be missing (media_cache_fetch()).
 *
 * The file is written first, durably, and then the transaction that relies on it. A
 * file without its transaction is no fault: nothing names it. The web server gives it to who
 * knows its name, though: what may still be refused has another name until then (media_stage()).
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "content/picture-clean.h"

struct content;
struct ctx;
struct snapshot;

#define MEDIA_DIGEST 65 /* bytes of 64 hex digits and a NUL */

struct media {
	char digest[MEDIA_DIGEST];
	const char *url; /* "media:<digest>.<ext>", as content names it */
	const char *type; /* "image/png" */
	int64_t width, height;
	int64_t bytes;
	char source[MEDIA_DIGEST]; /* digest of what was given; "" where it was
				      stored as it was given */
	const char *staged; /* the path of the file until media_insert(), of media_stage();
			       NULL: it has its name */
};

/* Says what the picture will be when it is stored; nothing is written. */
void media_of(struct ctx *c, const struct picture_clean *clean, struct media *out);

/*
 * Writes the file of what picture_clean() left of `given`, unless it is there with
 * exactly these bytes: a damaged one is replaced. The same that was given
 * before is the picture that was stored then, also when an older release cleaned
 * it otherwise. No transaction may be open. Refuses (ERR_INTERNAL) where the folder
 * cannot be written.
 */
MAY_REFUSE struct err *media_write(struct ctx *c, const void *given, size_t len,
    const struct picture_clean *clean, struct media *out);

/* The same, but a file that is not there yet gets its name with the row, from media_insert().
 * If that is not called, the caller removes out->staged. */
MAY_REFUSE struct err *media_stage(struct ctx *c, const void *given, size_t len,
    const struct picture_clean *clean, struct media *out);

/* Adds the row, where there is none yet. In a writing transaction. Dies of a
 * passing failure when the file was purged since media_write(): once more, and
 * it is written again. */
void media_insert(struct ctx *c, const struct media *media);

/*
 * Keeps the files from being removed until the descriptor that it returns is
 * given to filelock_release(): for a backup, whose copy of the database names
 * pictures that it reads later. `alone`: for a caller that removes files; it waits until
 * no process keeps them. Returns -1 with errno set for a fault.
 */
int media_hold(struct ctx *c, bool alone);

/* Deletes the row. Returns the file's name, or NULL if there was no row. media_remove()
 * removes the file, in a later transaction. */
const char *media_delete(struct ctx *c, const char *digest);

/* Removes the file of that name, with its thumbnail (media_hold(), alone), unless it has a row
 * again. In a writing transaction, so that nobody inserts one meanwhile. True when it is gone. */
bool media_remove(struct ctx *c, const char *name);

/* The path of the file of "<digest>.<ext>", in the arena. */
const char *media_path(struct ctx *c, const char *name);

/* The digest that a file's name says; NULL when `name` is no name of media. */
const char *media_digest_of(struct ctx *c, const char *name);

/* The type that such a name says: "image/png". */
const char *media_type_of(struct ctx *c, const char *name);

/* Returns whether the picture can be served: its file is there, or the store has it. False with
 * errno set. */
bool media_is_there(struct ctx *c, const char *name);

/* What is wrong with a file whose bytes have another digest than its name. */
#define MEDIA_CHANGED "its bytes are not those that its name says"

/* The bytes of the file "<digest>.<ext>", in the arena, compared with its name. A copy that is
 * missing or damaged is fetched from the store.
 * NULL with *fault (a text) and errno when it is missing, cannot be read or is
 * damaged: MEDIA_CHANGED is EFBIG. */
const void *media_read(struct ctx *c, const char *name, size_t *len, const char **fault);

/* Calls `each` with the file's name of every row. */
void media_list(struct ctx *c, void (*each)(void *arg, const char *name), void *arg);

/* Calls `tell` with a sentence for each row whose file is missing or is not
 * what its name says, and with NULL after each row; then with a sentence for each
 * damaged file that no row names (galley verify). */
void media_verify(struct ctx *c, bool (*tell)(void *arg, const char *problem), void *arg);

/*
 * htdocs/media where an instance has several hosts (docs/postgres.md §6): copies of pictures that
 * the store keeps. Any of them may be missing. media_read() and the program `picture` write one
 * when it is asked for; the task runner of each host removes what no row names any more.
 */

/* Returns the bytes that the store keeps of "<digest>.<ext>", in the arena, and copies them to
 * htdocs/media; NULL if there are none, or not of this kind. A name that is none asks nobody. */
const void *media_cache_fetch(struct ctx *c, const char *name, size_t *len);

/* Returns whether it is time to sweep: there are several hosts, and an hour has gone. Says in
 * run/media-swept that it was done. */
bool media_cache_is_due(struct ctx *c);

/* Removes the copies without a row, and what killed processes left; nothing younger than an hour.
 * Returns how many copies are gone. No transaction may be open. */
size_t media_cache_sweep(struct ctx *c);

/*
 * Gives a cover that is a stored picture the type and size of its row, whatever a
 * document said. One without a row keeps what it has: nobody knows better. In a
 * transaction.
 */
void cover_fit(struct ctx *c, struct snapshot *s);

/* Gives the pictures within a text that are stored, and have no size, that of their rows. In a
 * transaction. */
void cover_fit_text(struct ctx *c, struct content *content);

#endif
