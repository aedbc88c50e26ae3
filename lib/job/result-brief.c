/* Checks the brief that a research job delivered, and writes it in one canonical form. */
#include <string.h>

#include "article/article.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "base/jread.h"
#include "base/jwrite.h"
#include "content/content-read.h"
#include "job/result.h"
#include "store/db.h"

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

struct err *
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
