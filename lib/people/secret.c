#include "people/secret.h"

#include <errno.h>
#include <fcntl.h>
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
