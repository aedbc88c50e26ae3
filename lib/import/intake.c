#include "import/import-picture.h"
#include "import/intake.h"
#include "import/markdown/markdown.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "article/article-name.h"
#include "article/media.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "base/fileio.h"
#include "base/utf8.h"

#define FILE_MAX ((size_t)8 * 1024 * 1024)
#define IMAGES_MAX 1000 /* of one document */

/* Returns the picture of this name that came with a text, or NULL. */
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
		    in->image_room * sizeof(*in->images), room * sizeof(*in->images));
		in->image_room = room;
	}
	return &in->images[in->image_count];
}

/* Stores a file of the folder. Returns false, with a note unless there is no such
 * file. */
static bool
store_file(struct intake *in, struct notes *notes, const struct beneath *folder, const char *name,
    struct media *out)
{
	struct err *err;
	int fd = beneath_file(in->c->arena, folder, name, NULL);

	if (fd < 0 && errno != EXDEV && errno != EACCES)
		return false;
	if (fd >= 0)
		close(fd);
	err = in->options->dry ? import_picture_try(in->c, folder, name, out)
			       : import_picture_of(in->c, folder, name, out);
	if (err != NULL)
		notes_add(notes, "%s", err->message);
	return err == NULL;
}

/* Stores a file of the folder of --media: the path from the site's root, or the
 * path without the ".." and "." at its beginning. The folder's own name may also
 * be the first part of the path. */
static bool
store_of_media(struct intake *in, struct notes *notes, const char *address, struct media *out)
{
	const struct beneath *folder = in->options->media;
	const char *name = address + strspn(address, "/"), *last;
	size_t len;

	if (folder == NULL)
		return false;
	while (strncmp(name, "../", 3) == 0 || strncmp(name, "./", 2) == 0)
		name += strcspn(name, "/") + 1;
	last = fileio_name(folder->path);
	len = strlen(last);
	if (store_file(in, notes, folder, name, out))
		return true;
	return strncmp(name, last, len) == 0 && name[len] == '/' &&
	       store_file(in, notes, folder, name + len + 1, out);
}

/* Finds a picture that is already stored. Its bytes tell type and size. */
static bool
find_stored(struct intake *in, const char *name, struct media *out)
{
	struct ctx *c = in->c;
	struct picture picture;
	const char *fault;
	const void *bytes;
	struct err *err;
	size_t len;

	bytes = media_read(c, name, &len, &fault);
	if (bytes == NULL)
		return false;
	err = picture_read(c, bytes, len, &picture);
	if (err != NULL || strcmp(strrchr(name, '.') + 1, picture.extension) != 0)
		return false;
	memset(out, 0, sizeof(*out));
	memcpy(out->digest, name, MEDIA_DIGEST - 1);
	out->url = arena_printf(c->arena, "media:%s", name);
	out->type = picture.type;
	out->width = picture.width;
	out->height = picture.height;
	out->bytes = (int64_t)len;
	return true;
}

/* Stores the file that an address of the document names: the one beside the
 * document, or else the one in the folder of --media. */
static bool
store_address(struct intake *in, struct notes *notes, const char *address, struct media *out)
{
	size_t len = in->folder == NULL ? 0 : strlen(in->folder->path);
	size_t before = notes->count;
	const char *here;

	if (strncmp(address, "media:", 6) == 0)
		return find_stored(in, address + 6, out) ||
		       store_of_media(in, notes, address + 6, out);
	if (in->folder == NULL)
		return false;
	if (address[0] != '/') {
		here = fileio_path(in->c->arena, fileio_folder(in->c->arena, in->path), address);
		here += len + strspn(here + len, "/");
		if (store_file(in, notes, in->folder, here, out))
			return true;
	}
	/* Notes about the place beside the document do not matter then. */
	if (!store_of_media(in, notes, address, out))
		return false;
	notes->count = before;
	return true;
}

/* Stores a picture that came with the text. Returns false if there is none of
 * this name, or it is refused (a note). */
static bool
store_embedded(struct intake *in, struct notes *notes, const char *address, struct media *out)
{
	const struct import_embedded *e =
	    find_embedded(in->options->pictures, fileio_name(address));
	struct err *err;

	if (e == NULL)
		return false;
	err = import_picture_bytes(in->c, e->bytes, e->len, out);
	if (err != NULL)
		notes_add(notes, "%s", err->message);
	return err == NULL;
}

/* Stores an image for markdown.h (document_store). */
static struct stored_image *
store_image(void *arg, struct notes *notes, const char *address)
{
	struct intake *in = arg;
	struct stored_image *stored;
	struct media *image;

	if (in->image_count == IMAGES_MAX) {
		notes_add(notes, "%s: a document has at most %d images.", address, IMAGES_MAX);
		return NULL;
	}
	if (in->options->room != NULL && *in->options->room <= 0) {
		notes_add(notes, "%s: the pictures of this account have no more room.", address);
		return NULL;
	}
	image = next_image(in);
	if (in->options->pictures != NULL ? !store_embedded(in, notes, address, image)
					  : !store_address(in, notes, address, image))
		return NULL;
	if (in->options->room != NULL)
		*in->options->room -= image->bytes;
	if (!in->options->dry)
		in->image_count++;
	stored = arena_alloc(in->c->arena, sizeof(*stored));
	stored->url = image->url;
	stored->type = image->type;
	stored->width = image->width;
	stored->height = image->height;
	return stored;
}

struct err *
intake_text(struct intake *in, const struct settings *settings, const char *text, size_t len)
{
	struct document_options how = {
		.settings = settings, .store = store_image, .store_arg = in, .path = in->path
	};

	return markdown_read(in->c, text, len, &how, &in->notes, &in->document);
}

/* Tells why the file could not be read; `error` is an errno. */
static struct err *
unread(struct intake *in, const struct import_item *item, int error)
{
	struct ctx *c = in->c;

	if (error == EFBIG)
		return refuse(c, ERR_INVALID, "The file is longer than %zu bytes.", FILE_MAX);
	if (error == EXDEV)
		return refuse(c, ERR_INVALID,
		    "This link leads out of the folder %s; nothing behind it is imported.",
		    item->folder->path);
	return refuse(c, ERR_INVALID, "%s.", beneath_reason(c->arena, item->folder, error));
}

struct err *
intake_file(struct intake *in, const struct settings *settings, const struct import_item *item)
{
	struct ctx *c = in->c;
	const char *text, *real;
	size_t len;

	text = beneath_read(c->arena, item->folder, item->name, FILE_MAX, &len, &real);
	if (text == NULL)
		return unread(in, item, errno);
	if (!utf8_valid(real, strlen(real)))
		return refuse(c, ERR_INVALID, "The path is not UTF-8 text.");
	in->path = real;
	in->source = in->options->source == NULL
			 ? real
			 : arena_printf(c->arena, "%s%s", in->options->source, item->name);
	if (strlen(in->source) > NAME_BYTES_MAX)
		return refuse(c, ERR_INVALID, "The path has %zu bytes; at most %zu are allowed.",
		    strlen(in->source), NAME_BYTES_MAX);
	in->folder = item->folder;
	return intake_text(in, settings, text, len);
}
