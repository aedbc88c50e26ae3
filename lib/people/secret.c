#include "people/secret.h"

#include <errno.h>
#include <fcntl.h>
#include <nettle/chacha-poly1305.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "base/digest.h"
#include "base/fileio.h"
#include "base/log.h"
#include "base/uuid.h"
#include "store/db.h"
#include "store/migrate.h"
#include "system/instance.h"

const char *
secret_folder(struct ctx *c)
{
	return fileio_path(c->arena, c->instance->home, "people");
}

static const char *
path_of(struct ctx *c)
{
	return fileio_path(c->arena, secret_folder(c), "secret");
}

static bool
exists(const char *path)
{
	struct stat st;

	return lstat(path, &st) == 0;
}

bool
secret_can_create(struct ctx *c)
{
	return exists(secret_folder(c)) || access(c->instance->home, W_OK) == 0;
}

bool
secret_exists(struct ctx *c)
{
	return exists(path_of(c)) && exists(db_console_path(c));
}

void
secret_create(struct ctx *c)
{
	const char *folder = secret_folder(c), *path = path_of(c);
	unsigned char fresh[SECRET_SIZE];
	struct err *err = NULL;
	int64_t from;

	if (!fileio_make_folder(folder, 0700))
		die("%s: %s", folder, strerror(errno));
	if (!exists(path)) {
		uuid_random_bytes(fresh, sizeof(fresh));
		if (!fileio_replace(c->arena, path, fresh, sizeof(fresh), 0600))
			die("%s: %s", path, strerror(errno));
		explicit_bzero(fresh, sizeof(fresh));
	}
	db_create_beside(c, DB_CONSOLE, db_is_write_ahead(c));
	/* A file that lost its schema to a crash is empty. An older one is for galley migrate. */
	if (migrate_number(c, DB_CONSOLE) == 0)
		err = migrate_run(c, DB_CONSOLE, &from);
	if (err != NULL)
		die("%s", err->message);
}

/* Reads the file's bytes. */
static void
read_secret(struct ctx *c, unsigned char out[SECRET_SIZE])
{
	const char *path = path_of(c);
	int fd = fileio_open(path, O_RDONLY | O_NOFOLLOW);
	struct stat st;
	ssize_t got;

	if (fd < 0)
		fileio_cannot_open(path);
	if (fstat(fd, &st) != 0 || (st.st_mode & 077) != 0)
		die("%s can be read by others: chmod 600 it", path);
	got = read(fd, out, SECRET_SIZE);
	close(fd);
	if (got != SECRET_SIZE || st.st_size != SECRET_SIZE)
		die("%s must have %d bytes: restore it from a backup", path, SECRET_SIZE);
}

void
secret_key(struct ctx *c, const char *purpose, unsigned char out[SECRET_SIZE])
{
	unsigned char secret[SECRET_SIZE];
	struct digest d;

	read_secret(c, secret);
	digest_begin_keyed(&d, SECRET_SIZE, purpose, secret, sizeof(secret));
	digest_end(&d, out);
	explicit_bzero(secret, sizeof(secret));
	explicit_bzero(&d, sizeof(d));
}

/* ---- seals */

/* A seal is its form's number, a random nonce, the bytes, and their tag. */
#define FORM 1
#define NONCE CHACHA_POLY1305_NONCE_SIZE
#define TAG CHACHA_POLY1305_DIGEST_SIZE
#define HEAD (1 + NONCE)

_Static_assert(HEAD + TAG == SEAL_MORE, "the header says how long a seal is");
_Static_assert(SECRET_SIZE == CHACHA_POLY1305_KEY_SIZE, "a key fits");

/* Begins with the key of the purpose, and with what must not be changed beside the bytes:
 * the form and the place. */
static void
begin(struct ctx *c, struct chacha_poly1305_ctx *cipher, const char *purpose, const char *place,
    const unsigned char head[HEAD])
{
	unsigned char key[SECRET_SIZE];

	secret_key(c, purpose, key);
	chacha_poly1305_set_key(cipher, key);
	explicit_bzero(key, sizeof(key));
	chacha_poly1305_set_nonce(cipher, head + 1);
	chacha_poly1305_update(cipher, 1, head);
	chacha_poly1305_update(cipher, strlen(place), (const uint8_t *)place);
}

const unsigned char *
seal_make(struct ctx *c, const char *purpose, const char *place, const void *bytes, size_t len)
{
	unsigned char *sealed = arena_alloc(c->arena, len + SEAL_MORE);
	struct chacha_poly1305_ctx cipher;

	sealed[0] = FORM;
	uuid_random_bytes(sealed + 1, NONCE);
	begin(c, &cipher, purpose, place, sealed);
	chacha_poly1305_encrypt(&cipher, len, sealed + HEAD, bytes);
	chacha_poly1305_digest(&cipher, TAG, sealed + HEAD + len);
	explicit_bzero(&cipher, sizeof(cipher));
	return sealed;
}

const unsigned char *
seal_open(
    struct ctx *c, const char *purpose, const char *place, const unsigned char *sealed, size_t len)
{
	struct chacha_poly1305_ctx cipher;
	unsigned char tag[TAG], *bytes;
	bool whole;

	if (len < SEAL_MORE || sealed[0] != FORM)
		return NULL;
	len -= SEAL_MORE;
	bytes = arena_alloc(c->arena, len + 1);
	begin(c, &cipher, purpose, place, sealed);
	chacha_poly1305_decrypt(&cipher, len, bytes, sealed + HEAD);
	chacha_poly1305_digest(&cipher, TAG, tag);
	explicit_bzero(&cipher, sizeof(cipher));
	whole = digest_compare(tag, sealed + HEAD + len, TAG) == 0;
	if (!whole)
		explicit_bzero(bytes, len);
	return whole ? bytes : NULL;
}
