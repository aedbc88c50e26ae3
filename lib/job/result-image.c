/* Reads the cover that a provider delivered as a file in its scratch folder. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "base/fileio.h"
#include "base/jread.h"
#include "base/log.h"
#include "content/content-read.h"
#include "picture/picture-clean.h"
#include "job/result.h"

#define ALT_MAX 1000 /* code points */
#define FILE_NAME_MAX 255 /* bytes of a file's name */

/* Returns the bytes of a plain file that is directly in the folder; NULL for a symbolic
 * link and for a file that has a second name anywhere (a hard link). */
static const char *
read_file(struct ctx *c, const struct scratch *scratch, const char *name, size_t *len)
{
	const char *bytes = NULL;
	struct stat st;
	int fd;

	if (name[0] == '\0' || name[0] == '.' || strchr(name, '/') != NULL ||
	    strlen(name) > FILE_NAME_MAX)
		return NULL;
	fd = openat(scratch->fd, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0)
		return NULL;
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_nlink == 1)
		bytes = fileio_read_fd(c->arena, fd, PICTURE_GIVEN_MAX, len);
	close(fd);
	return bytes;
}

static struct err *
read_picture(
    struct ctx *c, const struct scratch *scratch, const char *file, bool keep, struct media *out)
{
	struct picture_clean clean;
	struct err *err;
	const char *bytes;
	size_t len;

	bytes = read_file(c, scratch, file, &len);
	if (bytes == NULL)
		return refuse(c, ERR_INVALID,
		    "image.file must name a file of the scratch folder, of at most %zu bytes.",
		    PICTURE_GIVEN_MAX);
	err = picture_clean(c, bytes, len, &clean);
	if (err != NULL)
		return err;
	if (strcmp(clean.is.type, "image/gif") == 0)
		return refuse(c, ERR_INVALID, "the picture must be a PNG, a JPEG or a WebP.");
	out->type = clean.is.type;
	out->width = clean.is.width;
	out->height = clean.is.height;
	return keep ? media_write(c, bytes, len, &clean, out) : NULL;
}

bool
result_image(struct ctx *c, json_t *image, const struct scratch *scratch, bool keep,
    struct result_cover *out)
{
	const char *file;
	struct jread r;
	struct err *err;

	if (image == NULL || json_is_null(image))
		return false;
	jread_begin(&r, c, "image");
	image = jread_element_object(&r, image);
	file = content_text_line(&r, image, "file", JREAD_NEEDED, FILE_NAME_MAX);
	out->alt = content_text_line(&r, image, "alt", JREAD_NEEDED, ALT_MAX);
	out->caption = content_text_line_or_null(&r, image, "caption", ALT_MAX);
	err = jread_end(&r);
	if (err == NULL)
		err = read_picture(c, scratch, file, keep, &out->media);
	if (err != NULL)
		log_line("a cover was given up: %s", err->message);
	return err == NULL;
}
