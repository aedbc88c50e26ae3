#include <stddef.h>
#include <string.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "base/log.h"
#include "base/utf8.h"
#include "content/content.h"
#include "content/inline.h"
#include "provider/outline/outline.h"
#include "provider/outline/title.h"

enum {
	COMPOSE_BYTES_MAX = 64 * 1024, /* of one text */
	COMPOSE_HEADING_MAX = 140, /* code points, each may need a backslash */
	COMPOSE_BLOCKS = 5, /* blocks that a section has room for */
	COMPOSE_CALLOUTS = 8 /* callouts that a section has room for */
};

/* ---- the pieces that articles are put together from */

/* Returns a stranger's text as text of the content: cut at `max` code points, with no
 * character that works as a mark. */
static const char *
compose_literal(struct ctx *c, const char *text, size_t max)
{
	struct buf b;

	text = title_cut(c, text, max);
	buf_init(&b, c->arena, COMPOSE_BYTES_MAX);
	inline_escape(&b, text, strlen(text));
	return buf_done(&b);
}

/* Returns the address in a form that the target of a link may hold: parentheses that do
 * not balance would end the mark. */
static const char *
link_target(struct ctx *c, const char *url)
{
	struct buf b;
	int depth = 0;

	for (const char *p = url; *p != '\0' && depth >= 0; p++)
		depth += *p == '(' ? 1 : *p == ')' ? -1 : 0;
	if (depth == 0)
		return url;
	buf_init(&b, c->arena, 3 * strlen(url));
	for (const char *p = url; *p != '\0'; p++) {
		if (*p == '(')
			buf_lit(&b, "%28");
		else if (*p == ')')
			buf_lit(&b, "%29");
		else
			buf_add_char(&b, *p);
	}
	return buf_done(&b);
}

/* Returns a link with that text, cut at `max` code points; the text alone if `url` is
 * NULL. */
static const char *
compose_link(struct ctx *c, const char *text, size_t max, const char *url)
{
	text = compose_literal(c, text, max);
	if (url == NULL)
		return text;
	return arena_printf(c->arena, "[%s](%s)", text, link_target(c, url));
}

/* Adds a section to `content`, whose array must have room for it. The section has no
 * id: content_ids_number() gives it one. */
static struct section *
compose_section(struct ctx *c, struct content *content, const char *heading)
{
	struct section *s = &content->sections[content->section_count++];

	s->id = "";
	s->heading = compose_literal(c, heading, COMPOSE_HEADING_MAX);
	s->body = arena_array(c->arena, COMPOSE_BLOCKS, sizeof(*s->body));
	s->callouts = arena_array(c->arena, COMPOSE_CALLOUTS, sizeof(*s->callouts));
	return s;
}

static struct block *
add_block(struct section *s, enum block_type type, const char *text)
{
	struct block *block;

	if (s->body_count == COMPOSE_BLOCKS)
		BUG("a section of more than %d blocks", COMPOSE_BLOCKS);
	block = &s->body[s->body_count++];
	block->type = type;
	block->text = text;
	return block;
}

/* Add to a section. The texts must be texts of the content. A new list is empty and has
 * room for `max` items. */
static void
compose_paragraph(struct section *s, const char *text)
{
	add_block(s, BLOCK_PARAGRAPH, text);
}

static struct list *
compose_list(struct ctx *c, struct section *s, size_t max)
{
	struct list *list = &add_block(s, BLOCK_LIST, "")->list;

	list->items = arena_array(c->arena, max, sizeof(*list->items));
	return list;
}

static void
compose_item(struct list *list, const char *text)
{
	list->items[list->item_count++].text = text;
}

static void
compose_todo(struct section *s, const char *title, const char *text)
{
	struct callout *callout;

	if (s->callout_count == COMPOSE_CALLOUTS)
		BUG("a section of more than %d callouts", COMPOSE_CALLOUTS);
	callout = &s->callouts[s->callout_count++];
	callout->kind = CALLOUT_TODO;
	callout->title = title;
	callout->text = text;
}

enum {
	DESCRIPTION_MAX = 160,
	TEASER_MAX = 140, /* of a related article's summary */
	SOURCES_MAX = 20,
	SUMMARY_MAX = 600,
	SHORT_MAX = 200, /* titles in links */
	QUESTIONS_MAX = 10,
	NOTE_MAX = 7000, /* of the points in one note */
	ORDER_MAX = 1600 /* the topic in full */
};

/* The state of one article that is being written. */
struct draftsman {
	struct ctx *c;
	const struct task *task;
	const struct phrases *p;
	const struct subject *subject;
	const struct brief *brief;
	const struct brief_part *parts; /* of the outline to follow */
	size_t part_count;
	struct related related;
	bool linked[RELATED_MAX]; /* articles that a section links to */
	struct content *content;
};

/* Returns a title in quotation marks, for a sentence. */
static const char *
quoted(struct draftsman *d, const char *text)
{
	return phrases_quote(d->c, d->p, compose_literal(d->c, text, OUTLINE_SUBJECT_MAX));
}

/* Returns a link to an article of the workspace; its title alone if it has no address. */
static const char *
article_link(struct draftsman *d, const struct task_article *article)
{
	return compose_link(d->c, article->title, SHORT_MAX, article->url);
}

/* Adds one line to the note at the beginning of the first section. */
static void
note(struct draftsman *d, struct buf *b, const char *phrase, const char *value, size_t max)
{
	if (value[0] == '\0')
		return;
	if (b->len > 0)
		buf_add_char(b, '\n');
	buf_add_text(b, phrases_fill(d->c, phrase, compose_literal(d->c, value, max)));
}

/* Adds a note with what the brief tells the writer and not the reader. */
static void
add_note(struct draftsman *d, struct section *s)
{
	const struct brief *brief = d->brief;
	struct buf b, keywords;

	buf_init(&b, d->c->arena, COMPOSE_BYTES_MAX);
	buf_init(&keywords, d->c->arena, COMPOSE_BYTES_MAX);
	for (size_t i = 0; i < brief->keyword_count && i < OUTLINE_KEYWORDS_MAX; i++)
		buf_printf(&keywords, "%s%s", i > 0 ? " · " : "",
		    title_cut(d->c, brief->keywords[i], OUTLINE_SUBJECT_MAX));
	note(d, &b, d->p->todo_angle, brief->angle, OUTLINE_POINT_MAX);
	note(d, &b, d->p->todo_audience, brief->audience, OUTLINE_POINT_MAX);
	note(d, &b, d->p->todo_keywords, keywords.data, SUMMARY_MAX);
	if (strcmp(d->subject->topic, d->subject->title) != 0)
		note(d, &b, d->p->todo_order, d->subject->topic, ORDER_MAX);
	if (b.len > 0)
		compose_todo(s, d->p->todo_title, buf_done(&b));
}

static void
add_questions(struct draftsman *d, struct section *s)
{
	struct buf b;

	if (d->brief->question_count == 0)
		return;
	buf_init(&b, d->c->arena, COMPOSE_BYTES_MAX);
	buf_add_text(&b, d->p->todo_questions);
	for (size_t i = 0; i < d->brief->question_count && i < QUESTIONS_MAX; i++)
		buf_printf(
		    &b, "\n– %s", compose_literal(d->c, d->brief->questions[i], OUTLINE_POINT_MAX));
	compose_todo(s, d->p->todo_title, buf_done(&b));
}

/* Returns what the writer must do in a section: for a part of the provider's own
 * outline, the advice of that part. */
static const char *
todo_of(struct draftsman *d, const struct brief_part *part)
{
	for (size_t i = 0; i < PHRASES_PARTS; i++) {
		if (strcmp(part->heading, d->p->parts[i].heading) == 0)
			return d->p->parts[i].todo;
	}
	return part->point_count > 0 ? d->p->todo : d->p->todo_bare;
}

/* Links to the related article that shares most words with this section. */
static void
add_see_also(struct draftsman *d, struct section *s, const struct brief_part *part)
{
	const struct task_article *article;
	struct buf b;

	buf_init(&b, d->c->arena, COMPOSE_BYTES_MAX);
	buf_add_text(&b, title_cut(d->c, part->heading, SHORT_MAX));
	for (size_t i = 0; i < part->point_count && i < OUTLINE_POINTS_MAX; i++)
		buf_printf(&b, "\n%s", title_cut(d->c, part->points[i], OUTLINE_POINT_MAX));
	article = related_best(d->c, d->task, &d->related, d->linked, b.data);
	if (article == NULL)
		return;
	for (size_t i = 0; i < d->related.count; i++)
		d->linked[i] = d->linked[i] || d->related.articles[i] == article;
	compose_paragraph(s, phrases_fill(d->c, d->p->see, article_link(d, article)));
}

/* Adds a note that tells what the section must hold and what its writer must do;
 * several notes if the points are too long for one. */
static void
add_part_note(struct draftsman *d, struct section *s, size_t number)
{
	const struct brief_part *part = &d->parts[number];
	const char *title = d->p->todo_title, *point;
	struct buf b;

	buf_init(&b, d->c->arena, COMPOSE_BYTES_MAX);
	if (part->point_count > 0 && number < PHRASES_LEADS)
		buf_printf(&b, "%s\n", d->p->leads[number]);
	for (size_t i = 0; i < part->point_count && i < OUTLINE_POINTS_MAX; i++) {
		point = compose_literal(d->c, part->points[i], OUTLINE_POINT_MAX);
		if (utf8_length(b.data) + utf8_length(point) > NOTE_MAX) {
			compose_todo(s, title, arena_text(d->c->arena, b.data));
			buf_init(&b, d->c->arena, COMPOSE_BYTES_MAX);
		}
		buf_printf(&b, "– %s\n", point);
	}
	buf_add_text(&b, todo_of(d, part));
	compose_todo(s, title, buf_done(&b));
}

/* Writes a section. Readers of a published draft see whole sentences: instructions to
 * the writer are in notes, which an edition leaves out. */
static void
write_part(struct draftsman *d, size_t number)
{
	const struct brief_part *part = &d->parts[number];
	const char *heading = part->heading;
	struct section *s;

	if (heading[0] == '\0')
		heading = part->points[0];
	s = compose_section(d->c, d->content, heading);
	compose_paragraph(s, phrases_fill(d->c, d->p->bare, quoted(d, heading)));
	add_see_also(d, s, part);
	if (number == 0)
		add_note(d, s);
	add_part_note(d, s, number);
	if (number + 1 == d->part_count)
		add_questions(d, s);
}

/* Chooses the outline: the brief's parts that are not empty, else the provider's own
 * outline. */
static void
take_outline(struct draftsman *d)
{
	struct brief_part *parts = arena_array(d->c->arena, OUTLINE_SECTIONS_MAX, sizeof(*parts));
	struct brief own;

	d->parts = parts;
	for (size_t i = 0; i < d->brief->outline_count && d->part_count < OUTLINE_SECTIONS_MAX;
	     i++) {
		const struct brief_part *part = &d->brief->outline[i];
		if (part->heading[0] != '\0' || part->point_count > 0)
			parts[d->part_count++] = *part;
	}
	if (d->part_count > 0)
		return;
	outline_brief(d->c, d->task, d->p, d->subject, &own);
	d->parts = own.outline;
	d->part_count = own.outline_count;
}

static bool
is_own(struct draftsman *d, const struct brief_source *source)
{
	for (size_t i = 0; i < d->task->article_count; i++) {
		const char *url = d->task->articles[i].url;
		if (url != NULL && source->url != NULL && strcmp(url, source->url) == 0)
			return true;
	}
	return false;
}

/* Takes the sources of the brief that are not articles of the workspace as references. */
static void
take_references(struct draftsman *d)
{
	struct content *content = d->content;

	content->references = arena_array(d->c->arena, SOURCES_MAX, sizeof(*content->references));
	for (size_t i = 0; i < d->brief->source_count && content->reference_count < SOURCES_MAX;
	     i++) {
		const struct brief_source *source = &d->brief->sources[i];
		struct reference *reference;

		if (source->title[0] == '\0' || is_own(d, source))
			continue;
		reference = &content->references[content->reference_count++];
		reference->id = arena_printf(d->c->arena, "r%zu", content->reference_count);
		reference->title = title_cut(d->c, source->title, SHORT_MAX);
		reference->url = source->url;
		if (source->publisher != NULL)
			reference->publisher = title_cut(d->c, source->publisher, SHORT_MAX);
		if (source->published != NULL && utf8_length(source->published) <= SHORT_MAX)
			reference->published = source->published;
	}
}

static const char *
with_teaser(struct draftsman *d, const struct task_article *article)
{
	const char *teaser = task_clean(d->c, article->summary, true);

	if (teaser[0] == '\0')
		return article_link(d, article);
	return arena_printf(d->c->arena, "%s – %s", article_link(d, article),
	    compose_literal(d->c, teaser, TEASER_MAX));
}

static void
write_own_links(struct draftsman *d, struct section *s)
{
	struct list *list = NULL;

	for (size_t i = 0; i < d->related.count; i++) {
		const struct task_article *article = d->related.articles[i];
		if (d->linked[i] || article->title[0] == '\0')
			continue;
		if (list == NULL) {
			compose_paragraph(s, d->p->reading_own);
			list = compose_list(d->c, s, RELATED_MAX);
		}
		compose_item(list, with_teaser(d, article));
	}
}

static void
write_sources(struct draftsman *d, struct section *s)
{
	const struct content *content = d->content;
	struct list *list;

	if (content->reference_count == 0)
		return;
	compose_paragraph(s, d->p->reading_sources);
	list = compose_list(d->c, s, SOURCES_MAX);
	for (size_t i = 0; i < content->reference_count; i++)
		compose_item(
		    list, arena_printf(d->c->arena, "%s[^%s]",
			      compose_literal(d->c, content->references[i].title, SHORT_MAX),
			      content->references[i].id));
}

/* Writes the last section, with links, if there is any link. */
static void
write_reading(struct draftsman *d)
{
	struct section *s = compose_section(d->c, d->content, d->p->reading);

	write_own_links(d, s);
	write_sources(d, s);
	if (s->body_count == 0)
		d->content->section_count--;
}

/* Returns the meta description. A title that is a question gets quotation marks before
 * the colon that follows it. */
static const char *
description(struct draftsman *d)
{
	size_t rest = utf8_length(d->p->description) + 2;
	const char *title = title_cut(d->c, d->subject->name, DESCRIPTION_MAX - rest);
	const char *summary = task_clean(d->c, d->brief->summary, true);

	if (strcmp(d->brief->summary, outline_summary(d->c, d->p, d->subject)) == 0) {
		if (title_is_question(title))
			title = phrases_quote(d->c, d->p, title);
		return phrases_fill(d->c, d->p->description, title);
	}
	if (summary[0] != '\0')
		return title_cut(d->c, summary, DESCRIPTION_MAX);
	return phrases_fill(d->c, d->p->about,
	    phrases_quote(d->c, d->p, title_cut(d->c, d->subject->name, OUTLINE_SUBJECT_MAX)));
}

static void
take_tags(struct draftsman *d, struct draft *out)
{
	out->tags = arena_array(d->c->arena, OUTLINE_TAGS_MAX, sizeof(*out->tags));
	for (size_t i = 0; i < d->brief->keyword_count && out->tag_count < OUTLINE_TAGS_MAX; i++) {
		if (utf8_length(d->brief->keywords[i]) <= OUTLINE_SUBJECT_MAX)
			out->tags[out->tag_count++] = d->brief->keywords[i];
	}
}

static const char *
lead(struct draftsman *d)
{
	if (d->brief->summary[0] != '\0')
		return compose_literal(d->c, d->brief->summary, SUMMARY_MAX);
	return phrases_fill(d->c, d->p->about, quoted(d, d->subject->name));
}

void
outline_draft(struct ctx *c, const struct task *task, const struct phrases *p,
    const struct subject *subject, const struct brief *brief, struct draft *out,
    struct content *content)
{
	struct draftsman d = {
		.c = c, .task = task, .p = p, .subject = subject, .brief = brief, .content = content
	};

	memset(out, 0, sizeof(*out));
	out->title = subject->title;
	out->content = content;
	out->description = description(&d);
	take_tags(&d, out);
	content_init(content, task->workspace.language);
	content->summary = lead(&d);
	related_named(task, brief, &d.related);
	if (d.related.count == 0)
		related_find(c, task, subject->words, &d.related);
	take_outline(&d);
	take_references(&d);
	content->sections = arena_array(c->arena, d.part_count + 1, sizeof(*content->sections));
	for (size_t i = 0; i < d.part_count; i++)
		write_part(&d, i);
	write_reading(&d);
	content_ids_number(c, content);
}
