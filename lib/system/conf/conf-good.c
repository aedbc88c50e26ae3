/* Keeps the last good settings (conf.h). */
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#include "base/arena.h"
#include "base/checksum.h"
#include "system/conf.h"
#include "system/conf/console-conf.h"
#include "base/ctx.h"
#include "base/fileio.h"
#include "system/instance.h"

#define GOOD_MAX ((size_t)64 * 1024)

const char *
conf_good_folder(struct ctx *c)
{
	return fileio_path(c->arena, c->instance->home, "good");
}

const char *
conf_good_path(struct ctx *c)
{
	return fileio_path(c->arena, conf_good_folder(c), "galley.conf");
}

struct err *
conf_good(struct ctx *c, struct err *fault, struct conf *out)
{
	const char *message = fault->message;

	if (conf_read(c, conf_good_path(c), out) != NULL)
		return fault;
	out->fault = message;
	return NULL;
}

struct err *
conf_read_all(struct ctx *c, const char *path, struct conf *out)
{
	struct err *err = conf_read(c, path, out);

	return err != NULL ? err : console_conf_check(c, path);
}

void
conf_keep(struct ctx *c)
{
	const char *path = conf_good_path(c), *bytes, *kept;
	struct timespec times[2] = { { .tv_nsec = UTIME_OMIT } };
	size_t len, kept_len;
	struct stat st;

	if (stat(c->instance->conf, &st) != 0)
		return;
	bytes = fileio_read_now(c->arena, c->instance->conf, GOOD_MAX, &len);
	/* The file may have been written since it was found good. */
	if (bytes == NULL || checksum(bytes, len) != c->conf->sum)
		return;
	kept = fileio_read_now(c->arena, path, GOOD_MAX, &kept_len);
	if (kept == NULL || kept_len != len || memcmp(kept, bytes, len) != 0) {
		(void)mkdir(conf_good_folder(c), 0700);
		if (!fileio_replace(c->arena, path, bytes, len, 0600))
			return;
	}
	times[1] = st.st_mtim;
	(void)utimensat(AT_FDCWD, path, times, 0);
}

bool
conf_kept(struct ctx *c, const struct stat *st, struct conf *out)
{
	const char *path = conf_good_path(c);
	struct stat kept;

	return stat(path, &kept) == 0 && kept.st_size == st->st_size &&
	       kept.st_mtim.tv_sec == st->st_mtim.tv_sec &&
	       kept.st_mtim.tv_nsec == st->st_mtim.tv_nsec && conf_read(c, path, out) == NULL;
}

struct err *
conf_take(struct ctx *c, struct conf *out)
{
	struct err *err = conf_read_all(c, c->instance->conf, out);

	c->conf = out;
	if (err != NULL)
		return conf_good(c, err, out);
	conf_keep(c);
	return NULL;
}
