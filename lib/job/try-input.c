/* Writes the task of a try: the one JSON object that a provider reads
 * (docs/provider.md). */
#include <string.h>

#include "article/article.h"
#include "article/stored.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "base/jwrite.h"
#include "base/utf8.h"
#include "content/inline.h"
#include "export/export.h"
#include "job/try.h"
#include "store/db.h"

#define ARTICLE_MEMORY ((size_t)256 * 1024 * 1024)
#define SUMMARY_MAX 1000 /* code points */

static void
write_job(struct jwrite *w, const struct try_task *task, int64_t deadline_s)
{
	jwrite_member_object(w, "job");
	jwrite_member_text(w, "id", task->job_id);
	jwrite_member_text(w, "kind", job_kind_name(task->kind));
	jwrite_member_text(w, "topic", task->topic);
	jwrite_member_bool(w, "image", task->image);
	jwrite_member_int(w, "attempt", task->attempt);
	jwrite_member_int(w, "deadline_s", deadline_s);
	jwrite_object_end(w);
}

static void
write_workspace(struct jwrite *w, const struct settings *s)
{
	jwrite_member_object(w, "workspace");
	jwrite_member_text(w, "name", s->name);
	jwrite_member_text(w, "language", s->language);
	jwrite_member_text(w, "website", s->website);
	jwrite_member_text(w, "publisher_name", s->publisher_name);
	jwrite_object_end(w);
}

static void
write_article(struct ctx *c, const struct workspace *ws, const struct article *a, struct jwrite *w)
{
	const struct export_source *source = stored_source(c, ws, a, false);
	const struct snapshot *s = source->snapshot;
	const char *summary = s->meta_description;

	if (summary == NULL)
		summary = inline_plain(c->arena, s->content.summary);
	jwrite_object(w);
	jwrite_member_text(w, "id", a->uuid);
	jwrite_member_text(w, "title", s->title);
	jwrite_member_text(
	    w, "summary", arena_text_n(c->arena, summary, utf8_prefix(summary, SUMMARY_MAX)));
	jwrite_member_text(w, "url", export_canonical(c, source));
	jwrite_object_end(w);
}

struct shelf {
	struct article articles[TRY_ARTICLES_MAX];
	size_t count;
};

static void
put_on_shelf(void *arg, const struct article *a)
{
	struct shelf *shelf = arg;

	shelf->articles[shelf->count++] = *a;
}

/* Holds one article in memory at a time: 200 of the largest would not fit. */
static void
write_articles(struct ctx *c, const struct workspace *ws, struct jwrite *w)
{
	struct shelf *shelf = arena_alloc(c->arena, sizeof(*shelf));
	struct arena *whole = c->arena, one;

	jwrite_member_array(w, "articles");
	db_begin_read(c, DB_CONTENT);
	article_list(c, ws->id, ARTICLE_PUBLISHED, TRY_ARTICLES_MAX, put_on_shelf, shelf);
	arena_init(&one, ARTICLE_MEMORY);
	c->arena = &one;
	for (size_t i = 0; i < shelf->count; i++) {
		write_article(c, ws, &shelf->articles[i], w);
		arena_reset(&one);
	}
	c->arena = whole;
	arena_release(&one);
	db_commit(c);
	jwrite_array_end(w);
}

/* Writes JSON that Galley wrote before, or null. */
static void
write_json(struct jwrite *w, const char *name, const char *json)
{
	jwrite_name(w, name);
	if (json == NULL)
		jwrite_null(w);
	else
		jwrite_raw(w, json, strlen(json));
}

void
try_input(struct ctx *c, const struct try_task *task, int64_t deadline_s, struct buf *out)
{
	struct jwrite w;

	jwrite_init(&w, out);
	jwrite_object(&w);
	jwrite_member_int(&w, "protocol", 1);
	write_job(&w, task, deadline_s);
	write_workspace(&w, &task->workspace->settings);
	write_json(&w, "brief", task->brief);
	write_articles(c, task->workspace, &w);
	write_json(&w, "steps", task->steps);
	jwrite_object_end(&w);
	buf_add_char(out, '\n');
}
