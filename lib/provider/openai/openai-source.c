#include "provider/openai/openai-source.h"

#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "base/utf8.h"

enum { TITLE_MAX = 300, NAME_MAX_CHARS = 200, DATE_MAX = 40, SUMMARY_MAX = 300 };

static const char *
cut(struct ctx *c, const char *text, size_t max)
{
	if (text == NULL)
		return NULL;
	return arena_text_n(c->arena, text, utf8_prefix(text, max));
}

bool
openai_source_has_url(const struct openai_sources *sources, const char *url, size_t len)
{
	for (size_t i = 0; i < sources->count; i++) {
		const char *own = sources->list[i].url;
		if (own != NULL && strlen(own) == len && memcmp(own, url, len) == 0)
			return true;
	}
	return false;
}

static void
add(struct openai_sources *sources, const struct openai_source *source)
{
	if (sources->count == OPENAI_SOURCES_MAX || source->title[0] == '\0')
		return;
	if (source->url != NULL && openai_source_has_url(sources, source->url, strlen(source->url)))
		return;
	sources->list[sources->count++] = *source;
}

/* Returns the summary of the workspace's article with this address; "" if there is
 * none. */
static const char *
summary_of(struct ctx *c, const struct task *task, const char *url)
{
	for (size_t i = 0; url != NULL && i < task->article_count; i++) {
		const struct task_article *article = &task->articles[i];
		if (article->url != NULL && strcmp(article->url, url) == 0)
			return cut(c, task_clean(c, article->summary, true), SUMMARY_MAX);
	}
	return "";
}

static void
add_article(struct ctx *c, const struct task *task, const struct task_article *article,
    struct openai_sources *out)
{
	const char *publisher = task->workspace.publisher_name;
	struct openai_source source = {
		.title = cut(c, article->title, TITLE_MAX),
		.url = article->url,
		.summary = summary_of(c, task, article->url),
	};

	if (publisher == NULL)
		publisher = task->workspace.name;
	if (publisher[0] != '\0')
		source.publisher = cut(c, publisher, NAME_MAX_CHARS);
	add(out, &source);
}

void
openai_source_collect(
    struct ctx *c, const struct task *task, const struct brief *brief, struct openai_sources *out)
{
	memset(out, 0, sizeof(*out));
	for (size_t i = 0; i < brief->source_count; i++) {
		const struct brief_source *from = &brief->sources[i];
		struct openai_source source = {
			.title = cut(c, from->title, TITLE_MAX),
			.url = from->url,
			.publisher = cut(c, from->publisher, NAME_MAX_CHARS),
			.published = cut(c, from->published, DATE_MAX),
			.summary = summary_of(c, task, from->url),
		};
		add(out, &source);
	}
	for (size_t i = 0; i < brief->related_count; i++) {
		const struct task_article *article = task_article_find(task, brief->related[i]);
		if (article != NULL && article->url != NULL)
			add_article(c, task, article, out);
	}
}

size_t
openai_source_cite(struct openai_sources *sources, size_t number)
{
	if (number == 0 || number > sources->count)
		return 0;
	if (sources->reference[number - 1] == 0)
		sources->reference[number - 1] = ++sources->cited;
	return sources->reference[number - 1];
}

void
openai_source_list(const struct openai_sources *sources, struct buf *out)
{
	for (size_t i = 0; i < sources->count; i++) {
		const struct openai_source *source = &sources->list[i];
		buf_printf(out, "[%zu] %s", i + 1, source->title);
		if (source->publisher != NULL)
			buf_printf(out, ", %s", source->publisher);
		if (source->published != NULL)
			buf_printf(out, ", %s", source->published);
		if (source->summary[0] != '\0')
			buf_printf(out, ": %s", source->summary);
		buf_add_char(out, '\n');
	}
}

static void
write_reference(struct jwrite *w, size_t reference, const struct openai_source *source)
{
	char id[24];

	snprintf(id, sizeof(id), "r%zu", reference);
	jwrite_object(w);
	jwrite_member_text(w, "id", id);
	jwrite_member_text(w, "title", source->title);
	jwrite_member_text(w, "url", source->url);
	jwrite_member_text(w, "publisher", source->publisher);
	jwrite_member_text(w, "published", source->published);
	jwrite_member_null(w, "accessed");
	jwrite_object_end(w);
}

void
openai_source_references(const struct openai_sources *sources, struct jwrite *w)
{
	jwrite_array(w);
	for (size_t n = 1; n <= sources->cited; n++) {
		for (size_t i = 0; i < sources->count; i++) {
			if (sources->reference[i] == n)
				write_reference(w, n, &sources->list[i]);
		}
	}
	jwrite_array_end(w);
}
