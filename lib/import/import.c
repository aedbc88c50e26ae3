#include "import/import.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "article/article-name.h"
#include "article/article.h"
#include "article/media.h"
#include "article/revision.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "base/fileio.h"
#include "base/utf8.h"
#include "content/lang.h"
#include "content/slug.h"
#include "export/todo.h"
#include "import/import-pictures.h"
#include "import/markdown/markdown.h"
#include "store/db.h"
#include "system/fault.h"
#include "system/work.h"

struct intake {
	struct ctx *c;
	const struct import_options *options;
	const char *path; /* real, or NULL */
	const char *source; /* by which the article is found again, or NULL */
	const struct beneath *folder; /* its files may be read; or NULL */
	struct document document;
	struct notes notes;
	struct media *images; /* stored files whose rows are to come */
	size_t image_count, image_room;
	bool by_id; /* the article was named by its id */
	bool stale; /* it has changed since `base` */
	bool touched;
};

const char *
import_action_name(enum import_action action)
{
	static const char *const names[] = { "created", "updated", "unchanged" };

	return names[action];
}

void
import_result_set(struct import_result *r, const struct article *a, bool fresh, bool touched)
{
	r->id = a->uuid;
	r->slug = a->slug;
	r->status = article_status_name(a->status);
	r->action = fresh ? IMPORT_CREATED : touched ? IMPORT_UPDATED : IMPORT_UNCHANGED;
}

/* ---- one document is read, outside of any transaction */

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

/* Reads a text, or a file (its real path is kept); pictures that it names by
 * relative paths are stored. Refusals as for import_text(). What was read lives
 * in the arena. */
static struct err *
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

static struct err *
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

/* ---- and is written, inside of one */

/* Finds the article that the document is about; NULL: it is a new one. */
static struct err *
find_article(struct intake *in, const struct workspace *w, struct article **out)
{
	const char *id = in->options->id, *said = in->document.id;
	struct ctx *c = in->c;

	*out = NULL;
	if (id != NULL && said != NULL && strcmp(id, said) != 0)
		return err_param(
		    c, "id", "The id in the text is that of another article: %s.", said);
	if (id == NULL)
		id = said;
	if (id != NULL)
		*out = article_find(c, w->id, id);
	in->by_id = *out != NULL;
	if (in->by_id)
		return NULL;
	if (in->options->id != NULL)
		return refuse(c, ERR_NOT_FOUND, "The workspace has no article %s any more.", id);
	if (said != NULL)
		notes_add(
		    &in->notes, "id %s is no article of this workspace; it is ignored.", said);
	if (in->source != NULL)
		*out = article_find_by_source(c, w->id, in->source);
	return NULL;
}

/* Returns whether the article differs from the one that the text was made from. */
static bool
is_stale(const struct intake *in, const struct article *a)
{
	const char *base = in->options->base;
	char now[TOKEN_TEXT];

	if (base == NULL)
		base = in->document.base;
	if (base == NULL || !in->by_id || in->options->force)
		return false;
	token_base(a, now);
	return strcmp(base, now) != 0;
}

/* Keeps what plain front matter has no word for as it was set. A document with an
 * id was written by Galley and says everything. */
static void
keep_unsaid(struct intake *in, const struct article *a)
{
	struct snapshot *s = &in->document.snapshot;
	const struct snapshot *old = article_working_copy(in->c, a);

	if (!in->document.has_slug)
		s->slug = a->slug;
	if (in->by_id)
		return;
	if (s->author_url == NULL)
		s->author_url = old->author_url;
	if (s->meta_title == NULL)
		s->meta_title = old->meta_title;
	if (s->image != NULL && old->image != NULL && s->image_width == 0 &&
	    strcmp(s->image, old->image) == 0) {
		s->image_type = old->image_type;
		s->image_width = old->image_width;
		s->image_height = old->image_height;
		s->image_generated = old->image_generated;
	}
}

static bool
same(const char *a, const char *b)
{
	if (a == NULL || b == NULL)
		return a == b;
	return strcmp(a, b) == 0;
}

/* Returns whether the document has to-dos and may not be published with them. */
static bool
is_unfinished(const struct intake *in)
{
	return !in->options->unfinished && todo_count(&in->document.snapshot.content) > 0;
}

/* Returns whether the document is to be published now: the caller wants it, and
 * it is no draft, not dated ahead and not unfinished. */
static bool
is_for_readers(const struct intake *in)
{
	const struct document *d = &in->document;

	return in->options->publish && !d->draft && d->date <= in->c->now && !is_unfinished(in);
}

/* Sets the two fields that take effect at once. Documents tell times to the
 * second. */
static void
set_at_once(struct intake *in, struct workspace *w, struct article *a)
{
	const struct document *d = &in->document;
	bool unsaid = d->published_url == NULL && d->base == NULL;

	if (!unsaid && !same(d->published_url, a->published_url)) {
		article_set_published_url(in->c, w, a, d->published_url);
		in->touched = true;
	}
	if (d->date != 0 && d->date / CLOCK_SECOND != a->created_at / CLOCK_SECOND) {
		article_set_created_at(in->c, w, a, d->date);
		in->touched = true;
	}
}

/* Tells that the slug has changed. */
static void
note_move(struct intake *in, const struct workspace *w, const struct article *a)
{
	const char *from, *to;

	if (moved_find(in->c, w, a, &from, &to))
		notes_add(&in->notes, "Published again, it moves from %s to %s.", from, to);
}

/* Checks a language that the document names, if it is not that of its article or
 * of the workspace. */
static struct err *
check_language(struct intake *in, const struct workspace *w, const struct article *a)
{
	const struct document *d = &in->document;
	const char *language = d->snapshot.language, *doubt;
	struct err *err;

	if (d->language_line == 0 || same(language, w->settings.language) ||
	    (a != NULL && same(language, a->language)))
		return NULL;
	err = subtag_read(in->c, "lang", language, NULL, &language);
	if (err != NULL)
		return err_param(in->c, "lang", "line %u: %s", d->language_line, err->message);
	doubt = subtag_doubt(in->c->arena, language);
	if (doubt != NULL)
		notes_add(&in->notes, "%s", doubt);
	return NULL;
}

/* Changes an existing article. An article in the trash comes back. */
static struct err *
update(struct intake *in, struct workspace *w, struct article *a)
{
	const char *slug = a->slug;
	struct err *err = NULL;
	bool changed;

	in->stale = is_stale(in, a);
	if (a->status == ARTICLE_DELETED) {
		err = article_undelete(in->c, w, a);
		notes_add(&in->notes, "It was in the trash and is back.");
		in->touched = true;
	}
	keep_unsaid(in, a);
	if (err == NULL)
		err = moved_check(in->c, a, in->document.snapshot.slug, in->options->move);
	if (err == NULL)
		err =
		    article_save(in->c, w, a, &in->document.snapshot, is_for_readers(in), &changed);
	if (err != NULL)
		return err;
	in->touched = in->touched || changed;
	if (strcmp(slug, a->slug) != 0)
		note_move(in, w, a);
	set_at_once(in, w, a);
	if (in->stale && in->touched)
		return err_hint(in->c,
		    refuse(in->c, ERR_CONFLICT,
			"The article %s (%s) was changed after this text was made from it. Nothing was imported.",
			a->uuid, a->title),
		    HINT_STALE, a->uuid);
	return NULL;
}

/* Makes a new article. If the document names no slug, the slug is made of its
 * path or its title. */
static struct err *
create(struct intake *in, struct workspace *w, struct article **out)
{
	struct document *d = &in->document;
	struct article_new how = { .created_at = d->date,
		.source = in->source,
		.published_url = d->published_url,
		.slug_is_derived = !d->has_slug,
		.published_next = is_for_readers(in) };
	const char *wanted;

	if (!d->has_slug)
		d->snapshot.slug = in->path != NULL
				       ? slug_of_document(in->c->arena, in->path, d->snapshot.title)
				       : slug_make(in->c->arena, d->snapshot.title);
	wanted = d->snapshot.slug;
	TRY(article_insert(in->c, w, &d->snapshot, &how, out));
	if (strcmp(wanted, (*out)->slug) != 0)
		notes_add(&in->notes, "The slug %s is taken; this is %s.", wanted, (*out)->slug);
	return NULL;
}

/* Tells why the article is not published. */
static void
note_draft(struct intake *in, const struct article *a)
{
	const struct document *d = &in->document;
	int64_t left = todo_count(&d->snapshot.content);
	const char *what =
	    a->status == ARTICLE_PUBLISHED ? "saved, not published again" : "imported as a draft";

	if (d->draft || d->date > in->c->now)
		notes_add(&in->notes, "It %s: %s.",
		    d->draft ? "is marked as a draft" : "has a date that is yet to come", what);
	else
		notes_add_hint(&in->notes, HINT_IMPORT_UNFINISHED,
		    "It is not finished (%lld place%s left to write): %s.", (long long)left,
		    left == 1 ? " is" : "s are", what);
}

/* Publishes the article, if it is to be published and there is something new. */
static struct err *
publish(struct intake *in, struct workspace *w, struct article *a)
{
	const struct document *d = &in->document;

	if (!in->options->publish)
		return NULL;
	if (!is_for_readers(in)) {
		note_draft(in, a);
		return NULL;
	}
	if (a->status == ARTICLE_PUBLISHED && !article_has_changes(a))
		return NULL;
	in->touched = true;
	return article_publish(in->c, w, a, d->date, d->lastmod);
}

/* Writes what was read, in a writing transaction of its workspace. A refusal
 * may come after something was written: the caller must undo that. */
static struct err *
intake_write(struct intake *in, struct workspace *w, struct import_result *out)
{
	struct article *a;
	bool fresh;

	TRY(find_article(in, w, &a));
	TRY(check_language(in, w, a));
	for (size_t i = 0; i < in->image_count; i++)
		media_insert(in->c, &in->images[i]);
	fresh = a == NULL;
	TRY(fresh ? create(in, w, &a) : update(in, w, a));
	TRY(publish(in, w, a));
	import_result_set(out, a, fresh, in->touched);
	return NULL;
}

/* ---- the Markdown files below a folder */

#define DEPTH_MAX 64

/* A folder below the one that the caller named: `name` is its path from there, ""
 * for the named folder itself. */
struct place {
	const struct beneath *folder;
	const char *path; /* its path as messages show it */
	const char *name;
};

static struct place
inside(struct ctx *c, const struct place *place, const char *name)
{
	return (struct place) { place->folder, fileio_path(c->arena, place->path, name),
		place->name[0] == '\0' ? name : fileio_path(c->arena, place->name, name) };
}

static void
add(struct arena *a, struct import_paths *n, const struct place *place)
{
	if (n->count == n->room) {
		size_t room = n->room == 0 ? 64 : 2 * n->room;
		n->items =
		    arena_grow(a, n->items, n->room * sizeof(*n->items), room * sizeof(*n->items));
		n->room = room;
	}
	n->items[n->count++] = (struct import_path) { place->path, place->folder, place->name };
}

/* Returns whether the file is Markdown: NAME.md or NAME.markdown, in any case. */
static bool
is_markdown(const char *name)
{
	const char *dot = strrchr(name, '.');

	return dot != NULL && dot != name &&
	       (strcasecmp(dot, ".md") == 0 || strcasecmp(dot, ".markdown") == 0);
}

/* An entry of a folder. */
struct entry {
	const char *name;
	bool is_folder, is_link;
	bool to_folder; /* it is a link to a folder */
};

struct entries {
	struct entry *list;
	size_t count, room;
};

static int
by_bytes(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;

	return strcmp(x->name, y->name);
}

static void
add_entry(struct arena *a, struct entries *n, const struct entry *entry)
{
	if (n->count == n->room) {
		size_t room = n->room == 0 ? 64 : 2 * n->room;
		n->list =
		    arena_grow(a, n->list, n->room * sizeof(*n->list), room * sizeof(*n->list));
		n->room = room;
	}
	n->list[n->count++] = *entry;
}

/* Handles a name that is not UTF-8: for a Markdown file or a folder the import is
 * refused; any other is only listed as odd. */
static struct err *
meet_odd(
    struct ctx *c, const struct place *place, const struct entry *entry, struct import_paths *odd)
{
	if (is_markdown(entry->name) || entry->is_folder)
		return refuse(
		    c, ERR_INVALID, "%s: this name is not UTF-8 text: rename it.", place->path);
	add(c->arena, odd, place);
	return NULL;
}

/* Looks at one name. A file that is gone by now is reported when it is read. */
static struct entry
look(struct arena *a, int folder, const char *name)
{
	struct entry entry = { .name = arena_text(a, name) };
	struct stat st;

	if (fstatat(folder, name, &st, AT_SYMLINK_NOFOLLOW) != 0)
		return entry;
	entry.is_folder = S_ISDIR(st.st_mode);
	entry.is_link = S_ISLNK(st.st_mode);
	entry.to_folder =
	    entry.is_link && fstatat(folder, name, &st, 0) == 0 && S_ISDIR(st.st_mode);
	return entry;
}

/* Reads the names in a folder, ordered by their bytes. */
static struct err *
read_folder(struct ctx *c, const struct place *place, struct entries *out, struct import_paths *odd)
{
	int fd = beneath_file(c->arena, place->folder, place->name, NULL);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	const struct dirent *entry;
	struct err *err = NULL;

	if (dir == NULL)
		return refuse(c, ERR_INVALID, "%s: %s.", place->path,
		    beneath_reason(c->arena, place->folder, errno));
	while (err == NULL && (entry = readdir(dir)) != NULL) {
		struct entry found;
		struct place below;
		if (entry->d_name[0] == '.')
			continue;
		found = look(c->arena, fd, entry->d_name);
		below = inside(c, place, found.name);
		if (utf8_valid(found.name, strlen(found.name)))
			add_entry(c->arena, out, &found);
		else
			err = meet_odd(c, &below, &found, odd);
	}
	closedir(dir);
	if (out->count > 0)
		qsort(out->list, out->count, sizeof(*out->list), by_bytes);
	return err;
}

/* Returns whether the entry is a link to a folder outside the one that the caller
 * named. */
static bool
leads_out(struct ctx *c, const struct place *place, const struct entry *entry)
{
	int fd = entry->to_folder ? beneath_file(c->arena, place->folder, place->name, NULL) : -1;

	if (fd >= 0)
		close(fd);
	return entry->to_folder && fd < 0 && errno == EXDEV;
}

/* Adds the Markdown files of a folder and of the folders in it, in the order of
 * their paths. */
static struct err *
walk(struct ctx *c, const struct place *place, int depth, struct import_paths *files,
    struct import_paths *odd)
{
	struct entries entries = { NULL, 0, 0 };

	if (depth > DEPTH_MAX)
		return refuse(c, ERR_INVALID, "%s: folders nest too deep.", place->path);
	TRY(read_folder(c, place, &entries, odd));
	for (size_t i = 0; i < entries.count; i++) {
		const struct entry *entry = &entries.list[i];
		struct place below = inside(c, place, entry->name);
		if (entry->is_folder)
			TRY(walk(c, &below, depth + 1, files, odd));
		else if (leads_out(c, &below, entry) ||
			 (is_markdown(entry->name) && !entry->to_folder))
			add(c->arena, files, &below);
	}
	return NULL;
}

/* Returns a path without the slashes at its end. */
static const char *
trimmed(struct ctx *c, const char *path)
{
	size_t len = strlen(path);

	while (len > 1 && path[len - 1] == '/')
		len--;
	return arena_text_n(c->arena, path, len);
}

/* Opens the folder that the caller named, or the folder of a named file. If it is
 * the last file's folder, it is used again: the files of one folder follow each
 * other. */
static const struct beneath *
named(struct ctx *c, const char *folder, const struct import_paths *files)
{
	struct beneath *out = arena_alloc(c->arena, sizeof(*out));
	const struct beneath *last =
	    files->count == 0 ? NULL : files->items[files->count - 1].folder;

	if (!beneath_open(c->arena, folder, out))
		return NULL;
	return last != NULL && strcmp(last->path, out->path) == 0 ? last : out;
}

static struct err *
unreadable(struct ctx *c, const char *path)
{
	return refuse(c, ERR_INVALID, "%s: %s.%s", path, strerror(errno),
	    errno == EACCES
		? " It is read as the instance's owner: put it where that user may read it."
		: "");
}

struct err *
import_walk(struct ctx *c, const char *path, struct import_paths *files, struct import_paths *odd)
{
	struct place place = { .path = trimmed(c, path), .name = "" };
	struct stat st;
	bool is_folder;

	path = place.path;
	if (stat(path, &st) != 0 || access(path, R_OK) != 0)
		return unreadable(c, path);
	is_folder = S_ISDIR(st.st_mode);
	place.folder = named(c, is_folder ? path : fileio_folder(c->arena, path), files);
	if (place.folder == NULL)
		return unreadable(c, path);
	if (is_folder)
		return walk(c, &place, 0, files, odd);
	place.name = fileio_name(path);
	add(c->arena, files, &place);
	return NULL;
}

/* ---- many documents, in batches */

/* A batch is written in one transaction, since each costs one wait for the disk;
 * or in several if one would keep other writers waiting. */
enum { BATCH_FILES = 32 };
#define BATCH_MEMORY ((size_t)64 * 1024 * 1024) /* bytes of the documents that were read */
#define FILES_MEMORY ((size_t)3 << 29) /* for a batch, with all that is made of it */
#define HOLD (CLOCK_SECOND / 30)

/* Writes the documents that were read, from `first` on, in one transaction.
 * Returns where it ended. A piece that is undone leaves the clock of `w` ahead of
 * the table's clock: so no stamp is given twice. */
static size_t
write_some(struct ctx *c, const struct workspace *workspace, struct intake *intakes,
    struct import_item *items, size_t first, size_t count)
{
	struct workspace *w;
	struct err *err = workspace_begin(c, workspace, &w);
	int64_t until = clock_boot() + HOLD;
	size_t i = first;

	while (i < count && (i == first || clock_boot() < until)) {
		struct import_item *item = &items[i];
		if (item->err == NULL)
			item->err = err;
		if (item->err == NULL) {
			db_mark(c);
			item->err = intake_write(&intakes[i], w, &item->result);
			if (item->err == NULL && !intakes[i].options->dry)
				db_keep(c);
			else
				db_undo(c);
		}
		i++;
	}
	(void)FAULT("import-written");
	if (err == NULL && !intakes[first].options->dry)
		db_commit(c);
	else
		db_rollback(c);
	return i;
}

static void
take_notes(struct import_item *item, const struct intake *in)
{
	item->result.notes = in->notes.lines;
	item->result.note_count = in->notes.count;
	item->result.missing_pictures = in->notes.missing;
}

/* Imports the first of `items`, at least one, and returns how many fit the batch. */
static size_t
import_batch(struct ctx *c, const struct work *work, const struct workspace *workspace,
    const struct import_options *options, struct import_item *items, size_t count,
    import_each *each, void *arg)
{
	size_t read = 0, told = 0, limit = count < BATCH_FILES ? count : BATCH_FILES;
	struct intake *intakes = arena_array(c->arena, limit, sizeof(*intakes));
	size_t before = c->arena->used;

	while (read < limit && c->arena->used - before < BATCH_MEMORY) {
		struct intake *in = &intakes[read];
		struct import_item *item = &items[read++];
		*in = (struct intake) { .c = c, .options = options, .notes = { .c = c } };
		memset(&item->result, 0, sizeof(item->result));
		item->err = intake_file(in, &workspace->settings, item);
	}
	for (size_t i = 0; i < read;) {
		bool refused = items[i].err != NULL;
		i = refused ? i + 1 : write_some(c, workspace, intakes, items, i, read);
		if (refused && i < read)
			continue;
		/* This is told before the next transaction, in which the process
		 * may die. */
		for (; told < i; told++) {
			take_notes(&items[told], &intakes[told]);
			each(arg, &items[told]);
			work_step(work, 1);
		}
	}
	return read;
}

size_t
import_files(struct ctx *c, const struct work *work, const struct workspace *workspace,
    const struct import_options *options, struct import_item *items, size_t count,
    import_each *each, void *arg)
{
	struct arena scratch, *kept = c->arena;
	size_t done = 0;

	arena_init(&scratch, FILES_MEMORY);
	work_begin(work, "Importing", WORK_PIECES, (int64_t)count);
	while (done < count && !work_must_stop(work)) {
		c->arena = &scratch;
		done += import_batch(
		    c, work, workspace, options, items + done, count - done, each, arg);
		c->arena = kept;
		arena_reset(&scratch);
	}
	work_end(work);
	arena_release(&scratch);
	return done;
}

struct err *
import_text(struct ctx *c, const struct workspace *workspace, const char *text, size_t len,
    const struct import_options *options, struct import_result *out)
{
	struct intake in = { .c = c, .options = options, .notes = { .c = c } };
	struct import_item item = { 0 };

	item.err = intake_text(&in, &workspace->settings, text, len);
	if (item.err == NULL)
		(void)write_some(c, workspace, &in, &item, 0, 1);
	take_notes(&item, &in);
	*out = item.result;
	return item.err;
}
