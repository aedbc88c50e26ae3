#include "import/intake.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "article/media.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "base/fileio.h"
#include "base/utf8.h"

#define FILE_MAX ((size_t)8 * 1024 * 1024)
#define IMAGES_MAX 1000 /* of one document */

/* The picture that came with a text under this name, or NULL. */
static const struct import_embedded *
find_embedded(const struct import_embedded *e, const char *name)
{
	while (e->name != NULL && strcmp(e->name, name) != 0)
		e++;
	return e->name != NULL ? e : NULL;
}

static bool
is_file(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

static struct media *
next_image(struct intake *in)
{
	if (in->image_count == in->image_room) {
		size_t room = in->image_room == 0 ? 4 : 2 * in->image_room;
		in->images = arena_grow(in->c->arena, in->images,
		    in->image_room * sizeof(*in->images),
		    room * sizeof(*in->images));
		in->image_room = room;
	}
	return &in->images[in->image_count];
}

/* The document_store of markdown.h. */
static struct stored_image *
store_image(void *arg, struct notes *notes, const char *path)
{
	struct intake *in = arg;
	struct stored_image *stored;
	struct media *image;
	const struct import_embedded *embedded = in->options->pictures;
	struct err *err;

	if (embedded != NULL)
		embedded = find_embedded(embedded, fileio_name(path));
	if (in->options->pictures != NULL ? embedded == NULL : !is_file(path))
		return NULL;
	if (in->image_count == IMAGES_MAX) {
		notes_add(notes, "%s: a document has at most %d images.", path,
		    IMAGES_MAX);
		return NULL;
	}
	image = next_image(in);
	err = embedded != NULL ? import_picture_bytes(in->c, embedded->bytes,
				     embedded->len, image)
			       : import_picture(in->c, path, image);
	if (err != NULL) {
		notes_add(notes, "%s", err->message);
		return NULL;
	}
	in->image_count++;
	stored = arena_alloc(in->c->arena, sizeof(*stored));
	stored->url = image->url;
	stored->type = image->type;
	stored->width = image->width;
	stored->height = image->height;
	return stored;
}

struct err *
intake_text(struct intake *in, const struct settings *settings,
    const char *text, size_t len)
{
	struct document_options how = { .settings = settings,
		.store = store_image, .store_arg = in, .path = in->path };

	if (in->options->pictures != NULL)
		how.path = "embedded.md";
	return markdown_read(in->c, text, len, &how, &in->notes,
	    &in->document);
}

struct err *
intake_file(struct intake *in, const struct settings *settings,
    const char *path)
{
	struct ctx *c = in->c;
	char real[PATH_MAX];
	const char *text;
	size_t len;

	if (realpath(path, real) == NULL)
		return refuse(c, ERR_INVALID, "%s.", strerror(errno));
	if (!utf8_valid(real, strlen(real)))
		return refuse(c, ERR_INVALID, "The path is not UTF-8 text.");
	text = fileio_read(c->arena, real, FILE_MAX, &len);
	if (text == NULL && errno == EFBIG)
		return refuse(c, ERR_INVALID,
		    "The file is longer than %zu bytes.", FILE_MAX);
	if (text == NULL)
		return refuse(c, ERR_INVALID, "%s.", strerror(errno));
	in->path = arena_text(c->arena, real);
	return intake_text(in, settings, text, len);
}
