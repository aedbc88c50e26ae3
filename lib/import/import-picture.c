#include "import/import-picture.h"

#include <errno.h>
#include <string.h>

#include "article/media.h"
#include "base/ctx.h"
#include "base/fileio.h"
#include "picture/picture-clean.h"
#include "system/beneath.h"

struct err *
import_picture_bytes(struct ctx *c, const void *bytes, size_t len, struct media *out)
{
	struct picture_clean clean;
	struct err *err = picture_clean(c, bytes, len, &clean);

	return err != NULL ? err : media_write(c, bytes, len, &clean, out);
}

/* Reads the file, and stores it or (`dry`) only looks at it. */
static struct err *
take(struct ctx *c, const struct beneath *folder, const char *name, bool dry, struct media *out)
{
	const char *path = fileio_path(c->arena, folder->path, name);
	struct picture_clean clean;
	struct err *err;
	size_t len;
	char *bytes;

	bytes = beneath_read(c->arena, folder, name, PICTURE_GIVEN_MAX, &len, NULL);
	if (bytes == NULL && errno == EFBIG)
		return err_param(c, "image",
		    "%s is longer than the %zu bytes that a picture may have.", path,
		    PICTURE_GIVEN_MAX);
	if (bytes == NULL)
		return err_param(
		    c, "image", "%s: %s.", path, beneath_reason(c->arena, folder, errno));
	err = picture_clean(c, bytes, len, &clean);
	if (err == NULL && dry)
		media_of(c, &clean, out);
	else if (err == NULL)
		err = media_write(c, bytes, len, &clean, out);
	if (err != NULL && err->code == ERR_INVALID)
		return err_param(c, "image", "%s: %s", path, err->message);
	return err;
}

struct err *
import_picture_of(struct ctx *c, const struct beneath *folder, const char *name, struct media *out)
{
	return take(c, folder, name, false, out);
}

struct err *
import_picture_try(struct ctx *c, const struct beneath *folder, const char *name, struct media *out)
{
	return take(c, folder, name, true, out);
}

struct err *
import_picture(struct ctx *c, const char *path, struct media *out)
{
	struct beneath folder;

	if (!beneath_open(c->arena, fileio_folder(c->arena, path), &folder))
		return err_param(c, "image", "%s: %s.", path, strerror(errno));
	return import_picture_of(c, &folder, fileio_name(path), out);
}
