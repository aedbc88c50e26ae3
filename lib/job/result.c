#include "job/result.h"

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "access/workspace.h"
#include "article/article.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "base/fileio.h"
#include "base/jread.h"
#include "base/jwrite.h"
#include "base/log.h"
#include "content/content-read.h"
#include "content/picture-clean.h"
#include "content/slug.h"
#include "store/db.h"
#include "system/fault.h"

/* The cover of a result. */
struct result_cover {
	/* as stored; without `keep` only its type and size are set */
	struct media media;
	const char *alt;
	const char *caption; /* or NULL */
};

static struct err *
result_brief(struct ctx *c, const struct job *job, json_t *result, const char **json);
static bool result_image(struct ctx *c, json_t *image, const struct scratch *scratch, bool keep,
    struct result_cover *out);

static const char *
usage_json(struct ctx *c, const struct price_usage *usage)
{
	struct jwrite w;
	struct buf out;

	buf_init(&out, c->arena, 200);
	jwrite_init(&w, &out);
	jwrite_object(&w);
	jwrite_member_int(&w, "input_tokens", usage->input_tokens);
	jwrite_member_int(&w, "output_tokens", usage->output_tokens);
	jwrite_member_int(&w, "images", usage->images);
	jwrite_object_end(&w);
	return buf_done(&out);
}

/* Reads the fields around the content. */
static struct err *
read_fields(struct ctx *c, json_t *json, struct snapshot *s)
{
	const char *slug;
	struct jread r;

	jread_begin(&r, c, "");
	s->title = content_text_line(&r, json, "title", JREAD_NEEDED, SNAPSHOT_TITLE_MAX);
	if (content_text_is_blank(s->title))
		jread_refuse(&r, "title", "must not be empty.");
	s->meta_description =
	    content_text_line(&r, json, "description", JREAD_NEEDED, SNAPSHOT_META_DESCRIPTION_MAX);
	if (content_text_is_blank(s->meta_description))
		s->meta_description = NULL;
	slug = content_text_line_or_null(&r, json, "slug", SNAPSHOT_SLUG_MAX);
	s->slug = slug_make(c->arena, slug != NULL ? slug : s->title);
	s->section = content_text_line_or_null(&r, json, "section", SNAPSHOT_NAME_MAX);
	s->tags = content_text_array(&r, json, "tags", JREAD_ANY, SNAPSHOT_TAGS_MAX, &s->tag_count);
	(void)jread_object(&r, json, "content", JREAD_NEEDED);
	return jread_end(&r);
}

static void
read_cover(struct ctx *c, const struct try *try, bool keep, struct result *out)
{
	struct snapshot *s = &out->snapshot;
	struct result_cover cover;

	out->has_image =
	    result_image(c, json_object_get(try->result, "image"), &try->scratch, keep, &cover);
	if (!out->has_image)
		return;
	out->media = cover.media;
	s->image = cover.media.url;
	s->image_type = cover.media.type;
	s->image_width = cover.media.width;
	s->image_height = cover.media.height;
	s->image_generated = true;
	s->content.image_alt = cover.alt;
	s->content.image_caption = cover.caption;
}

static struct err *
read_article(struct ctx *c, const struct workspace *w, const struct try *try, struct result *out)
{
	struct snapshot *s = &out->snapshot;
	struct err *err;

	s->language = w->settings.language;
	err = read_fields(c, try->result, s);
	if (err == NULL)
		err = content_from_json(c, "content", json_object_get(try->result, "content"),
		    s->language, &s->content);
	if (err == NULL && s->content.section_count == 0)
		err = err_param(c, "content", "content.sections must not be empty.");
	if (err == NULL)
		err = snapshot_check(c, s);
	/* Only the cover sets these two. */
	s->content.image_alt = s->content.image_caption = NULL;
	return err;
}

struct err *
result_read(struct ctx *c, const struct job *job, const struct workspace *w, const struct try *try,
    bool keep, struct result *out)
{
	struct err *err;

	memset(out, 0, sizeof(*out));
	out->usage = usage_json(c, &try->usage);
	if (job->kind == JOB_RESEARCH)
		err = result_brief(c, job, try->result, &out->brief);
	else
		err = read_article(c, w, try, out);
	if (err == NULL && job->image)
		read_cover(c, try, keep, out);
	out->charge =
	    price_charge(c->conf, job->kind, job->reserved_credits, out->has_image, &try->usage);
	return err;
}

static struct err *
insert_article(struct ctx *c, const struct job *job, struct result *result)
{
	struct article_new how = { .uuid = job->article_uuid,
		.slug_is_derived = true,
		.published_next = job->auto_publish };
	struct workspace *w = workspace_of(c, job->workspace_id);
	struct article *a;
	struct err *err;

	if (result->has_image)
		media_insert(c, &result->media);
	err = article_insert(c, w, &result->snapshot, &how, &a);
	(void)FAULT("job-article-inserted");
	if (err == NULL && job->auto_publish)
		err = article_publish(c, w, a, 0, 0);
	(void)FAULT("job-article-published");
	return err;
}

struct err *
result_finish(struct ctx *c, struct job *job, struct result *result, bool *held)
{
	struct err *err = NULL;

	if (job->kind == JOB_ARTICLE)
		db_begin_write(
		    c, DB_CONTENT, DB_CHANGES_WORKSPACE, job->workspace_id, job->account_id);
	else
		db_begin_write(c, DB_CONTENT, DB_CHANGES_NOTHING, 0, job->account_id);
	*held = job_claim_holds(c, job);
	if (*held && job->kind == JOB_ARTICLE)
		err = insert_article(c, job, result);
	if (*held && err == NULL)
		*held = job_end_complete(c, job, result->charge, result->usage, result->brief);
	if (*held && err == NULL)
		db_commit(c);
	else
		db_rollback(c);
	return err;
}

/* ---- the brief of a research job: checked, and written in one canonical form */

enum { /* of texts, in code points */
	LINE_MAX_CHARS = 1000,
	PARTS_MAX = 60,
	POINTS_MAX = 100,
	LIST_MAX = 100,
	SOURCE_ID_MAX = 64,
	BRIEF_BYTES_MAX = 1024 * 1024
};

/* Each member is read from `r`, checked, and written to `w` at once. */
struct editor {
	struct jread *r;
	struct jwrite *w;
};

static void
line_of(struct editor *e, json_t *object, const char *name, size_t max)
{
	jwrite_member_text(e->w, name, content_text_line(e->r, object, name, JREAD_NEEDED, max));
}

static void
line(struct editor *e, json_t *object, const char *name)
{
	line_of(e, object, name, LINE_MAX_CHARS);
}

static void
lines(struct editor *e, json_t *object, const char *name, size_t max)
{
	json_t *array = jread_array(e->r, object, name, JREAD_NEEDED, max);

	jwrite_member_array(e->w, name);
	jread_enter(e->r, name);
	for (size_t i = 0; i < json_array_size(array); i++) {
		jread_enter_element(e->r, i);
		jwrite_text(
		    e->w, jread_element_text(e->r, json_array_get(array, i), LINE_MAX_CHARS));
		jread_leave(e->r);
	}
	jread_leave(e->r);
	jwrite_array_end(e->w);
}

typedef void each_object(struct editor *e, json_t *object);

static void
objects(struct editor *e, json_t *brief, const char *name, size_t max, each_object *each)
{
	json_t *array = jread_array(e->r, brief, name, JREAD_NEEDED, max);

	jwrite_member_array(e->w, name);
	jread_enter(e->r, name);
	for (size_t i = 0; i < json_array_size(array); i++) {
		jread_enter_element(e->r, i);
		jwrite_object(e->w);
		each(e, jread_element_object(e->r, json_array_get(array, i)));
		jwrite_object_end(e->w);
		jread_leave(e->r);
	}
	jread_leave(e->r);
	jwrite_array_end(e->w);
}

static void
part(struct editor *e, json_t *object)
{
	line(e, object, "heading");
	lines(e, object, "points", POINTS_MAX);
}

static void
source(struct editor *e, json_t *object)
{
	const char *id = content_text_line(e->r, object, "id", JREAD_NEEDED, SOURCE_ID_MAX);

	if (content_text_is_blank(id))
		jread_refuse(e->r, "id", "must not be empty.");
	jwrite_member_text(e->w, "id", id);
	line(e, object, "title");
	jwrite_member_text(
	    e->w, "url", content_text_address(e->r, object, "url", JREAD_NULLABLE, false));
	jwrite_member_text(e->w, "publisher",
	    content_text_line_or_null(e->r, object, "publisher", LINE_MAX_CHARS));
	jwrite_member_text(e->w, "published",
	    content_text_line_or_null(e->r, object, "published", LINE_MAX_CHARS));
}

/* Writes the ids of the workspace's published articles. An id that is not one of them
 * is left out: the article may have been unpublished since the try began. */
static void
related(struct editor *e, json_t *brief, const struct job *job)
{
	json_t *array = jread_array(e->r, brief, "related", JREAD_NEEDED, TRY_ARTICLES_MAX);
	const struct article *a;
	const char *id;

	jwrite_member_array(e->w, "related");
	jread_enter(e->r, "related");
	for (size_t i = 0; i < json_array_size(array); i++) {
		jread_enter_element(e->r, i);
		id = jread_element_text(e->r, json_array_get(array, i), LINE_MAX_CHARS);
		jread_leave(e->r);
		a = id == NULL ? NULL : article_find(e->r->c, job->workspace_id, id);
		if (a != NULL && a->status == ARTICLE_PUBLISHED)
			jwrite_text(e->w, a->uuid);
	}
	jread_leave(e->r);
	jwrite_array_end(e->w);
}

static void
edit(struct editor *e, const struct job *job, json_t *brief)
{
	jwrite_object(e->w);
	line_of(e, brief, "topic", JOB_TOPIC_MAX);
	jwrite_member_text(e->w, "summary", content_text(e->r, brief, "summary", JREAD_NEEDED));
	line(e, brief, "angle");
	line(e, brief, "audience");
	objects(e, brief, "outline", PARTS_MAX, part);
	lines(e, brief, "questions", LIST_MAX);
	lines(e, brief, "keywords", LIST_MAX);
	objects(e, brief, "sources", LIST_MAX, source);
	related(e, brief, job);
	jwrite_object_end(e->w);
}

/* The parts of result_read(); only result.c calls them. */
static struct err *
result_brief(struct ctx *c, const struct job *job, json_t *result, const char **json)
{
	struct editor e;
	struct jwrite w;
	struct jread r;
	struct buf out;

	buf_init(&out, c->arena, BRIEF_BYTES_MAX);
	jwrite_init(&w, &out);
	jread_begin(&r, c, "");
	e.r = &r;
	e.w = &w;
	result = jread_object(&r, result, "brief", JREAD_NEEDED);
	jread_enter(&r, "brief");
	db_begin_read(c, DB_CONTENT);
	edit(&e, job, result);
	db_commit(c);
	jread_leave(&r);
	if (buf_full(&out))
		jread_refuse(&r, "brief", "has more than %d bytes.", BRIEF_BYTES_MAX);
	*json = out.data;
	return jread_end(&r);
}

/* ---- the cover, a file in the scratch folder */

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
	const char *bytes;
	size_t len;

	bytes = read_file(c, scratch, file, &len);
	if (bytes == NULL)
		return refuse(c, ERR_INVALID,
		    "image.file must name a file of the scratch folder, of at most %zu bytes.",
		    PICTURE_GIVEN_MAX);
	TRY(picture_clean(c, bytes, len, &clean));
	if (strcmp(clean.is.type, "image/gif") == 0)
		return refuse(c, ERR_INVALID, "the picture must be a PNG, a JPEG or a WebP.");
	out->type = clean.is.type;
	out->width = clean.is.width;
	out->height = clean.is.height;
	return keep ? media_write(c, bytes, len, &clean, out) : NULL;
}

/* Reads the cover from `image`, the member of the result (null for none), and stores
 * its file if `keep`. Returns false, with a line in the log, if the cover does not fit. */
static bool
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
