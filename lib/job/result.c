#include "job/result.h"

#include <string.h>

#include "access/workspace.h"
#include "article/article.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "system/fault.h"
#include "base/jread.h"
#include "base/jwrite.h"
#include "content/content-read.h"
#include "content/slug.h"
#include "store/db.h"

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
