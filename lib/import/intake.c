#include "import/intake.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

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

/* Stores the file of a path below the folder. False, with a note unless there is
 * no such file. */
static bool
store_file(struct intake *in, struct notes *notes, const char *path,
    struct media *out)
{
	const struct beneath *folder = in->folder;
	size_t len = folder == NULL ? 0 : strlen(folder->path);
	const char *name;
	struct err *err;
	int fd;

	if (folder == NULL || strncmp(path, folder->path, len) != 0)
		return false;
	name = path + len + strspn(path + len, "/");
	fd = beneath_file(in->c->arena, folder, name, NULL);
	if (fd < 0 && errno != EXDEV && errno != EACCES)
		return false;
	if (fd >= 0)
		close(fd);
	err = import_picture_of(in->c, folder, name, out);
	if (err != NULL)
		notes_add(notes, "%s", err->message);
	return err == NULL;
}

static bool
store_embedded(struct intake *in, struct notes *notes, const char *path,
    struct media *out)
{
	const struct import_embedded *e = find_embedded(in->options->pictures,
	    fileio_name(path));
	struct err *err;

	if (e == NULL)
		return false;
	err = import_picture_bytes(in->c, e->bytes, e->len, out);
	if (err != NULL)
		notes_add(notes, "%s", err->message);
	return err == NULL;
}

/* The document_store of markdown.h. */
static struct stored_image *
store_image(void *arg, struct notes *notes, const char *path)
{
	struct intake *in = arg;
	struct stored_image *stored;
	struct media *image;

	if (in->image_count == IMAGES_MAX) {
		notes_add(notes, "%s: a document has at most %d images.", path,
		    IMAGES_MAX);
		return NULL;
	}
	image = next_image(in);
	if (in->options->pictures != NULL
		? !store_embedded(in, notes, path, image)
		: !store_file(in, notes, path, image))
		return NULL;
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

/* Why the file could not be read, `error` an errno. */
static struct err *
unread(struct intake *in, const struct import_item *item, int error)
{
	struct ctx *c = in->c;

	if (error == EFBIG)
		return refuse(c, ERR_INVALID,
		    "The file is longer than %zu bytes.", FILE_MAX);
	if (error == EXDEV)
		return refuse(c, ERR_INVALID, "This link leads out of the folder"
		    " %s; nothing behind it is imported.", item->folder->path);
	return refuse(c, ERR_INVALID, "%s.",
	    beneath_reason(c->arena, item->folder, error));
}

struct err *
intake_file(struct intake *in, const struct settings *settings,
    const struct import_item *item)
{
	struct ctx *c = in->c;
	const char *text, *real;
	size_t len;

	text = beneath_read(c->arena, item->folder, item->name, FILE_MAX, &len,
	    &real);
	if (text == NULL)
		return unread(in, item, errno);
	if (!utf8_valid(real, strlen(real)))
		return refuse(c, ERR_INVALID, "The path is not UTF-8 text.");
	in->path = real;
	in->folder = item->folder;
	return intake_text(in, settings, text, len);
}
