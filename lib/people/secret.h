#ifndef PEOPLE_SECRET_H
#define PEOPLE_SECRET_H
/*
 * people/secret: 32 random bytes that key what needs a key in people/console.db
 * (docs/console.md §1.2). A backup holds the file, a download of a backup does not.
 */
#include <stdbool.h>
#include <stddef.h>

struct ctx;

#define SECRET_SIZE 32

/*
 * Creates the folder people/, the secret and console.db where they are missing, for this
 * user alone. The content must be open: console.db gets the journal that it has. Dies if
 * that cannot be done.
 */
void secret_create(struct ctx *c);

/* Returns the folder people/ of the instance (arena). */
const char *secret_folder(struct ctx *c);

/* Returns whether secret_create() can work: the folder is there, or this user can create
 * it. In an instance whose top folder is root's, only root can. */
bool secret_can_create(struct ctx *c);

/* Returns whether the folder, the secret and console.db are there. */
bool secret_exists(struct ctx *c);

/* Makes a key of SECRET_SIZE bytes for one purpose: keys of two purposes say nothing
 * about each other. Dies if the file is missing, has another size, or can be read by
 * others. The caller clears the key. */
void secret_key(struct ctx *c, const char *purpose, unsigned char out[SECRET_SIZE]);

/*
 * Bytes that only this instance can read, and that nobody can change unseen:
 * ChaCha20-Poly1305 (RFC 8439) with a key made of people/secret. What has no other copy
 * is not sealed: without that file it is lost.
 *
 * A seal is for one purpose and one place. `purpose` is a literal that names the use, with
 * its number ("galley factor 1"); `place` says where the seal belongs, such as the
 * UUID of a row: in another place it does not open.
 */

#define SEAL_MORE 29 /* bytes that a seal is longer than what is in it */

/* Returns the sealed bytes, `len` + SEAL_MORE of them, in the arena. */
const unsigned char *
seal_make(struct ctx *c, const char *purpose, const char *place, const void *bytes, size_t len);

/* Opens a seal: returns the `len` - SEAL_MORE bytes in it, with a NUL after them, in
 * the arena. NULL: it was changed, was made for another purpose or place, or with
 * another secret. */
const unsigned char *seal_open(
    struct ctx *c, const char *purpose, const char *place, const unsigned char *sealed, size_t len);

#endif
