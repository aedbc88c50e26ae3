#include "import/import.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "article/article.h"
#include "article/media.h"
#include "article/token.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "base/fault.h"
#include "base/fileio.h"
#include "base/utf8.h"
#include "content/slug.h"
#include "import/markdown.h"
#include "store/db.h"

#define FILE_MAX ((size_t)8 * 1024 * 1024)
#define IMAGES_MAX 1000 /* of one document */

/* One document on its way in. */
struct intake {
	struct ctx *c;
	const struct import_options *options;
	const char *path; /* real, or NULL */
	struct document document;
	struct notes notes;
	struct media *images; /* stored files whose rows are to come */
	size_t image_count;
	bool by_id; /* the article was named by its id */
	bool stale; /* it has changed since `base` */
	bool touched;
};

const char *
import_action_name(enum import_action action)
{
	static const char *const names[] = { "created", "updated",
		"unchanged" };

	return names[action];
}

struct err *
import_picture(struct ctx *c, const char *path, struct media *out)
{
	struct picture picture;
	struct err *err;
	size_t len;
	char *bytes;

	bytes = fileio_read(c->arena, path, PICTURE_BYTES_MAX + 1, &len);
	if (bytes == NULL && errno == EFBIG)
		return err_param(c, "image",
		    "%s is longer than the %zu bytes that a picture may have.",
		    path, PICTURE_BYTES_MAX);
	if (bytes == NULL)
		return err_param(c, "image", "%s: %s.", path, strerror(errno));
	err = picture_read(c, bytes, len, &picture);
	if (err != NULL)
		return err_param(c, "image", "%s: %s", path, err->message);
	return media_write(c, bytes, len, &picture, out);
}

/* The picture that came with a text under this name, or NULL. */
static const struct import_embedded *
find_embedded(const struct import_embedded *e, const char *name)
{
	while (e->name != NULL && strcmp(e->name, name) != 0)
		e++;
	return e->name != NULL ? e : NULL;
}

static struct err *
store_embedded(struct ctx *c, const struct import_embedded *e,
    struct media *out)
{
	struct picture picture;
	struct err *err = picture_read(c, e->bytes, e->len, &picture);

	return err != NULL ? err
			   : media_write(c, e->bytes, e->len, &picture, out);
}

static bool
is_file(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

/* The document_store of markdown.h. */
static struct stored_image *
store_image(void *arg, struct notes *notes, const char *path)
{
	struct intake *in = arg;
	struct stored_image *stored;
	struct media *image = &in->images[in->image_count];
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
	err = embedded != NULL ? store_embedded(in->c, embedded, image)
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

/* The article that the document is about; NULL: a new one. */
static struct err *
find_article(struct intake *in, const struct workspace *w,
    struct article **out)
{
	const char *id = in->options->id, *said = in->document.id;
	struct ctx *c = in->c;

	*out = NULL;
	if (id != NULL && said != NULL && strcmp(id, said) != 0)
		return err_param(c, "id",
		    "The id in the text is that of another article: %s.", said);
	if (id == NULL)
		id = said;
	if (id != NULL)
		*out = article_find(c, w->id, id);
	in->by_id = *out != NULL;
	if (in->by_id)
		return NULL;
	if (in->options->id != NULL)
		return refuse(c, ERR_NOT_FOUND,
		    "The workspace has no article %s any more.", id);
	if (said != NULL)
		notes_add(&in->notes,
		    "id %s is no article of this workspace; it is ignored.",
		    said);
	if (in->path != NULL)
		*out = article_find_by_source(c, w->id, in->path);
	return NULL;
}

/* Whether the article is another than the one that the text was made from. */
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

/* What plain front matter has no word for stays as it was set; a document with
 * an id was written by Galley and says everything. */
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

/* The two fields that act at once. Documents tell times to the second. */
static void
set_at_once(struct intake *in, struct workspace *w, struct article *a)
{
	const struct document *d = &in->document;
	bool unsaid = d->published_url == NULL && d->base == NULL;

	if (!unsaid && !same(d->published_url, a->published_url)) {
		article_set_published_url(in->c, w, a, d->published_url);
		in->touched = true;
	}
	if (d->date != 0 &&
	    d->date / CLOCK_SECOND != a->created_at / CLOCK_SECOND) {
		article_set_created_at(in->c, w, a, d->date);
		in->touched = true;
	}
}

static struct err *
update(struct intake *in, struct workspace *w, struct article *a)
{
	struct err *err = NULL;
	bool changed;

	in->stale = is_stale(in, a);
	if (a->status == ARTICLE_DELETED) {
		err = article_undelete(in->c, w, a);
		notes_add(&in->notes, "It was in the trash and is back.");
		in->touched = true;
	}
	if (err != NULL)
		return err;
	keep_unsaid(in, a);
	err = article_save(in->c, w, a, &in->document.snapshot, &changed);
	if (err != NULL)
		return err;
	in->touched = in->touched || changed;
	set_at_once(in, w, a);
	if (in->stale && in->touched)
		return refuse(in->c, ERR_CONFLICT,
		    "The article %s (%s) was changed after this text was made"
		    " from it; nothing was imported. Say galley article show %s"
		    " --as markdown for what it is now, or overwrite it with"
		    " --force.",
		    a->uuid, a->title, a->uuid);
	return NULL;
}

static struct err *
create(struct intake *in, struct workspace *w, struct article **out)
{
	struct document *d = &in->document;
	struct article_new how = { .created_at = d->date, .source = in->path,
		.published_url = d->published_url,
		.slug_is_derived = !d->has_slug };
	const char *wanted;
	struct err *err;

	if (!d->has_slug)
		d->snapshot.slug = in->path != NULL
		    ? slug_of_file(in->c->arena, in->path)
		    : slug_make(in->c->arena, d->snapshot.title);
	wanted = d->snapshot.slug;
	err = article_insert(in->c, w, &d->snapshot, &how, out);
	if (err == NULL && strcmp(wanted, (*out)->slug) != 0)
		notes_add(&in->notes, "The slug %s is taken; this is %s.",
		    wanted, (*out)->slug);
	return err;
}

/* Publishes what is to be, where something is new to publish. */
static struct err *
publish(struct intake *in, struct workspace *w, struct article *a)
{
	const struct document *d = &in->document;

	if (!in->options->publish)
		return NULL;
	if (d->draft || d->date > in->c->now) {
		notes_add(&in->notes, "It %s: %s.",
		    d->draft ? "is marked as a draft"
			     : "has a date that is yet to come",
		    a->status == ARTICLE_PUBLISHED
			? "saved, not published again"
			: "imported as a draft");
		return NULL;
	}
	if (a->status == ARTICLE_PUBLISHED && !article_has_changes(a))
		return NULL;
	in->touched = true;
	return article_publish(in->c, w, a, d->date, d->lastmod);
}

static struct err *
write_article(struct intake *in, const struct workspace *workspace,
    struct import_result *out)
{
	struct workspace *w;
	struct article *a;
	bool fresh;
	struct err *err;

	err = workspace_begin(in->c, workspace, &w);
	if (err == NULL)
		err = find_article(in, w, &a);
	if (err != NULL)
		return err;
	for (size_t i = 0; i < in->image_count; i++)
		media_insert(in->c, &in->images[i]);
	fresh = a == NULL;
	err = fresh ? create(in, w, &a) : update(in, w, a);
	if (err == NULL)
		err = publish(in, w, a);
	if (err != NULL)
		return err;
	(void)FAULT("import-written");
	db_commit(in->c);
	out->id = a->uuid;
	out->slug = a->slug;
	out->status = article_status_name(a->status);
	out->action = fresh   ? IMPORT_CREATED
	    : in->touched ? IMPORT_UPDATED
			  : IMPORT_UNCHANGED;
	return NULL;
}

static struct err *
take_in(struct ctx *c, const struct workspace *workspace, const char *path,
    const char *text, size_t len, const struct import_options *options,
    struct import_result *out)
{
	struct intake in = { .c = c, .options = options, .path = path,
		.notes = { .c = c } };
	struct document_options how = { .settings = &workspace->settings,
		.store = store_image, .store_arg = &in };
	struct err *err;

	memset(out, 0, sizeof(*out));
	in.images = arena_array(c->arena, IMAGES_MAX + 1, sizeof(*in.images));
	how.path = options->pictures != NULL ? "embedded.md" : path;
	err = markdown_read(c, text, len, &how, &in.notes, &in.document);
	if (err == NULL)
		err = write_article(&in, workspace, out);
	db_rollback(c);
	out->notes = in.notes.lines;
	out->note_count = in.notes.count;
	return err;
}

struct err *
import_text(struct ctx *c, const struct workspace *workspace, const char *text,
    size_t len, const struct import_options *options,
    struct import_result *out)
{
	return take_in(c, workspace, NULL, text, len, options, out);
}

struct err *
import_file(struct ctx *c, const struct workspace *workspace,
    const char *path, const struct import_options *options,
    struct import_result *out)
{
	char real[PATH_MAX];
	const char *text;
	size_t len;

	memset(out, 0, sizeof(*out));
	if (realpath(path, real) == NULL)
		return refuse(c, ERR_INVALID, "%s: %s.", path,
		    strerror(errno));
	if (!utf8_valid(real, strlen(real)))
		return refuse(c, ERR_INVALID, "The path is not UTF-8 text.");
	text = fileio_read(c->arena, real, FILE_MAX, &len);
	if (text == NULL && errno == EFBIG)
		return refuse(c, ERR_INVALID,
		    "The file is longer than %zu bytes.", FILE_MAX);
	if (text == NULL)
		return refuse(c, ERR_INVALID, "%s.", strerror(errno));
	return take_in(c, workspace, arena_text(c->arena, real), text, len,
	    options, out);
}
