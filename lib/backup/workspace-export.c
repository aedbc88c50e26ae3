/* A workspace is written to a file (workspace-file.h): all is made twice, first for the list. */
#include <blake2.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "access/pages-settings.h"
#include "article/article-pictures.h"
#include "article/media.h"
#include "article/moved-article.h"
#include "backup/tar.h"
#include "backup/workspace-file.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "base/digest.h"
#include "base/jwrite.h"
#include "store/db.h"
#include "system/filelock.h"
#include "system/fresh.h"
#include "system/instance.h"
#include "system/work.h"

#define SENTENCE "One workspace of Galley, with its drafts and its trash: keep this file private.\n"
#define SCRATCH_MAX ((size_t)256 * 1024 * 1024) /* one article, or one picture */
#define PAGE 100 /* pictures of a list that are read at a time */

void
workspace_file_digest(const void *bytes, size_t len, char out[MEDIA_DIGEST])
{
	unsigned char digest[(MEDIA_DIGEST - 1) / 2];

	blake2b(digest, bytes, NULL, sizeof(digest), len, 0);
	digest_hex(out, digest, sizeof(digest));
}

struct writing {
	struct ctx *c;
	const struct work *work;
	const struct workspace *w;
	struct workspace_file *out;
	struct tar *tar; /* NULL: the list is made */
	struct buf list;
	size_t files; /* in it */
	struct article *articles;
	size_t count, room;
	char (*digests)[MEDIA_DIGEST]; /* of pictures that the workspace may have */
	size_t digest_count, digest_room;
	const char **names; /* of those that it has */
	size_t name_count;
	struct arena *scratch; /* of one file */
	bool (*wants)(
	    void *arg, const struct article *a); /* NULL: all, with the list of pictures */
	void *arg;
};

static struct err *
add(struct writing *x, const char *name, const void *bytes, size_t len)
{
	char digest[MEDIA_DIGEST];

	if (work_must_stop(x->work))
		return work_stopped(x->c, "nothing was written.");
	if (x->tar != NULL)
		return tar_add(x->tar, name, bytes, len, x->c->now);
	workspace_file_digest(bytes, len, digest);
	buf_printf(&x->list, "%s  %s %zu\n", digest, name, len);
	x->out->bytes += (int64_t)len;
	if (++x->files > WORKSPACE_FILE_COUNT_MAX || buf_full(&x->list) ||
	    x->out->bytes > WORKSPACE_FILE_BYTES_MAX)
		return refuse(x->c, ERR_TOO_LARGE,
		    "The workspace has more than %zu articles, editions and pictures, or more than %" PRId64
		    " bytes: it is too large for one file.",
		    WORKSPACE_FILE_COUNT_MAX, WORKSPACE_FILE_BYTES_MAX);
	return NULL;
}

static void
note_digest(void *arg, const char *digest)
{
	struct writing *x = arg;
	size_t size = sizeof(*x->digests);

	if (x->digest_count > 0 &&
	    memcmp(x->digests[x->digest_count - 1], digest, MEDIA_DIGEST - 1) == 0)
		return;
	if (x->digest_count == x->digest_room) {
		size_t more = x->digest_room == 0 ? 256 : 2 * x->digest_room;
		x->digests =
		    arena_grow(x->c->arena, x->digests, x->digest_room * size, more * size);
		x->digest_room = more;
	}
	memcpy(x->digests[x->digest_count], digest, MEDIA_DIGEST - 1);
	x->digests[x->digest_count++][MEDIA_DIGEST - 1] = '\0';
}

static void
write_pictures(struct writing *x, struct jwrite *j)
{
	struct ctx *c = x->c;
	struct picture_row *rows = arena_array(c->arena, PAGE, sizeof(*rows)), last;
	size_t count = x->wants != NULL ? 0 : picture_list_page(c, x->w->id, NULL, rows, PAGE);

	jwrite_member_array(j, "pictures");
	while (count > 0) {
		last = rows[count - 1];
		for (size_t i = 0; i < count; i++) {
			jwrite_object(j);
			jwrite_member_text(j, "digest", rows[i].digest);
			jwrite_member_text(j, "alternative", rows[i].alternative);
			jwrite_member_int(j, "added_at", rows[i].added_at);
			jwrite_object_end(j);
			if (x->tar == NULL)
				note_digest(x, rows[i].digest);
		}
		count = picture_list_page(c, x->w->id, &last, rows, PAGE);
	}
	jwrite_array_end(j);
}

static struct err *
write_settings(struct writing *x)
{
	struct ctx *c = x->c;
	const struct workspace *w = x->w;
	const struct settings *s = &w->settings;
	struct pages_look look;
	struct jwrite j;
	struct buf text;

	pages_look_of(c, w->id, &look);
	buf_init(&text, c->arena, WORKSPACE_FILE_TEXT_MAX);
	jwrite_init(&j, &text);
	jwrite_object(&j);
	jwrite_member_text(&j, "id", w->uuid);
	jwrite_member_text(&j, "analytics_site_id", w->analytics_site_id);
	jwrite_member_text(&j, "name", s->name);
	jwrite_member_text(&j, "language", s->language);
	jwrite_member_text(&j, "website", s->website);
	jwrite_member_text(&j, "address_pattern", s->address_pattern);
	jwrite_member_text(&j, "publisher_name", s->publisher_name);
	jwrite_member_text(&j, "publisher_logo_url", s->publisher_logo_url);
	jwrite_member_text(&j, "author_name", s->author_name);
	jwrite_member_text(&j, "author_url", s->author_url);
	jwrite_member_text(&j, "analytics_enabled", w->analytics_enabled ? "true" : "false");
	jwrite_member_text(&j, "analytics_origins", w->analytics_origins);
	jwrite_member_text(&j, "embed_origins", w->embed_origins);
	jwrite_member_text(&j, "time_zone", time_zone_of(c, w->id));
	for (size_t i = 0; pages_look_fields[i] != NULL; i++)
		jwrite_member_text(
		    &j, pages_look_fields[i], pages_look_value(c, &look, pages_look_fields[i]));
	write_pictures(x, &j);
	jwrite_object_end(&j);
	if (buf_full(&text))
		return refuse(
		    c, ERR_TOO_LARGE, "The workspace has too many pictures for one file.");
	return add(x, "1", text.data, text.len);
}

/* Writes an article, or one of its editions, with the memory of one file. */
static struct err *
write_one(struct writing *x, size_t number, int64_t version)
{
	struct ctx *c = x->c;
	struct arena *kept = c->arena;
	const struct article *a = &x->articles[number];
	struct err *err = NULL;
	struct buf text;
	bool there = true;

	c->arena = x->scratch;
	buf_init(&text, c->arena, WORKSPACE_FILE_TEXT_MAX);
	if (version == 0)
		moved_write_article(c, a, &text);
	else
		there = moved_write_edition(c, a, version, &text);
	c->arena = kept;
	if (there && x->tar == NULL)
		picture_use_in(text.data, text.len, note_digest, x);
	if (there)
		err = add(x,
		    version == 0 ? arena_printf(x->scratch, "%zu", number + 2)
				 : arena_printf(x->scratch, "%zu.%" PRId64, number + 2, version),
		    buf_done(&text), text.len);
	arena_reset(x->scratch);
	return err;
}

static struct err *
write_articles(struct writing *x)
{
	for (size_t i = 0; i < x->count; i++)
		for (int64_t version = 0; version <= x->articles[i].version; version++)
			TRY(write_one(x, i, version));
	return NULL;
}

static int
by_text(const void *a, const void *b)
{
	return strcmp(a, b);
}

static int
by_name(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void
take_name(void *arg, const char *name)
{
	struct writing *x = arg;
	char digest[MEDIA_DIGEST] = "";

	memcpy(digest, name, MEDIA_DIGEST - 1);
	if (bsearch(digest, x->digests, x->digest_count, sizeof(*x->digests), by_text) != NULL)
		x->names[x->name_count++] = name;
}

/* Finds the pictures of the workspace: those that its list has, and those that an article or an
 * edition shows. */
static void
find_pictures(struct writing *x)
{
	size_t count = 0;

	if (x->digest_count == 0)
		return;
	qsort(x->digests, x->digest_count, sizeof(*x->digests), by_text);
	for (size_t i = 0; i < x->digest_count; i++)
		if (count == 0 || strcmp(x->digests[count - 1], x->digests[i]) != 0)
			memmove(x->digests[count++], x->digests[i], sizeof(*x->digests));
	x->digest_count = count;
	/* Each has one row at most. */
	x->names = arena_array(x->c->arena, count, sizeof(*x->names));
	media_list(x->c, take_name, x);
	qsort(x->names, x->name_count, sizeof(*x->names), by_name);
}

static void
note_damaged(struct writing *x, const char *name, const char *fault)
{
	struct workspace_file *f = x->out;
	size_t size = sizeof(*f->damaged);

	f->damaged = arena_grow(
	    x->c->arena, f->damaged, f->damaged_count * size, (f->damaged_count + 1) * size);
	f->damaged[f->damaged_count++] = (struct archive_damaged) { name, fault };
}

/* Those that cannot be read when the list is made are left out. */
static struct err *
add_pictures(struct writing *x)
{
	struct ctx *c = x->c;
	struct arena *kept = c->arena;
	struct err *err = NULL;
	size_t there = 0;

	for (size_t i = 0; i < x->name_count && err == NULL; i++) {
		const char *name = x->names[i], *fault;
		const void *bytes;
		size_t len;
		c->arena = x->scratch;
		bytes = media_read(c, name, &len, &fault);
		c->arena = kept;
		if (bytes != NULL) {
			err = add(x, name, bytes, len);
			x->names[there++] = name;
		} else if (x->tar == NULL) {
			note_damaged(x, name, fault);
		} else {
			err = refuse(c, ERR_INTERNAL, "%s: %s.", media_path(c, name), fault);
		}
		arena_reset(x->scratch);
	}
	x->name_count = there;
	return err;
}

static void
find_articles(struct writing *x)
{
	struct ctx *c = x->c;
	struct article a;

	for (int s = ARTICLE_DRAFT; s <= ARTICLE_DELETED; s++)
		for (struct stmt *q = article_list(c, x->w->id, (enum article_status)s, INT64_MAX);
		     article_next(q, &a);) {
			if (x->wants != NULL && !x->wants(x->arg, &a))
				continue;
			if (x->count == x->room) {
				size_t more = x->room == 0 ? 256 : 2 * x->room;
				x->articles = arena_grow(
				    c->arena, x->articles, x->room * sizeof(a), more * sizeof(a));
				x->room = more;
			}
			x->articles[x->count++] = a;
			x->out->published += a.status == ARTICLE_PUBLISHED;
		}
	x->out->articles = (int64_t)x->count;
}

/* Makes the list. Which pictures there are is known when the articles were read, which come after
 * them. */
static struct err *
make_list(struct writing *x)
{
	struct buf articles;

	find_articles(x);
	buf_init(&x->list, x->c->arena, WORKSPACE_FILE_LIST_MAX);
	TRY(write_articles(x));
	articles = x->list;
	buf_init(&x->list, x->c->arena, WORKSPACE_FILE_LIST_MAX);
	buf_lit(&x->list, WORKSPACE_FILE_FORMAT SENTENCE);
	TRY(write_settings(x));
	find_pictures(x);
	TRY(add_pictures(x));
	x->out->pictures = (int64_t)x->name_count;
	buf_add(&x->list, articles.data, articles.len);
	if (buf_full(&x->list))
		return refuse(x->c, ERR_TOO_LARGE, "The workspace is too large for one file.");
	return NULL;
}

static struct err *
write_files(struct writing *x, struct tar *tar)
{
	struct err *err;

	x->tar = tar;
	work_begin(x->work, "Writing", WORK_BYTES, x->out->bytes);
	tar->work = x->work;
	err = tar_add(tar, "0", x->list.data, x->list.len, x->c->now);
	if (err == NULL)
		err = write_settings(x);
	if (err == NULL)
		err = add_pictures(x);
	if (err == NULL)
		err = write_articles(x);
	work_end(x->work);
	return err != NULL ? err : tar_end(tar);
}

/* Writes the file in one snapshot, while no picture of it can be removed. */
static struct err *
write_snapshot(struct writing *x, struct fresh *file)
{
	struct ctx *c = x->c;
	int held = media_hold(c, false);
	struct err *err;
	struct tar tar;

	if (held < 0)
		return refuse(c, ERR_INTERNAL, "run/media.lock: %s.", strerror(errno));
	tar_init(&tar, c, file->fd, file->path);
	db_begin_read(c, DB_CONTENT);
	x->w = workspace_find_uuid(c, x->out->uuid);
	if (x->w == NULL)
		err = refuse(c, ERR_CONFLICT, "The workspace was deleted meanwhile.");
	else
		err = make_list(x);
	if (err == NULL)
		err = write_files(x, &tar);
	db_rollback(c);
	filelock_release(held);
	x->out->bytes = tar.written;
	return err;
}

static struct err *
write_file(struct writing *x, const char *path)
{
	struct ctx *c = x->c;
	struct arena scratch;
	struct fresh file;
	struct err *err;

	TRY(fresh_make(c, path, &file));
	if (file.name != NULL)
		interrupt_remove(file.name);
	arena_init(&scratch, SCRATCH_MAX);
	x->scratch = &scratch;
	err = write_snapshot(x, &file);
	arena_release(&scratch);
	if (err == NULL)
		err = fresh_put(c, &file, false);
	fresh_drop(&file);
	return err;
}

struct err *
workspace_export(struct ctx *c, const struct work *work, const struct workspace *w,
    const char *path, struct workspace_file *out)
{
	struct writing x = { .c = c, .work = work, .out = out };

	*out = (struct workspace_file) { .uuid = w->uuid, .name = w->settings.name };
	TRY(archive_check_place(c, path));
	if (access(path, F_OK) == 0)
		return refuse(c, ERR_CONFLICT, "%s is there already: name another file.", path);
	return write_file(&x, path);
}

struct err *
workspace_export_some(struct ctx *c, const struct work *work, const struct workspace *w,
    const char *path, const char *media, bool (*wants)(void *arg, const struct article *a),
    void *arg, struct workspace_file *out)
{
	const struct instance *present = c->instance;
	struct writing x = { .c = c, .work = work, .out = out, .wants = wants, .arg = arg };
	struct instance there = *present;
	struct err *err;

	*out = (struct workspace_file) { .uuid = w->uuid };
	there.media = media;
	c->instance = &there;
	err = write_file(&x, path);
	c->instance = present;
	return err;
}
