#include "provider/outline/outline.h"

#include <stddef.h>
#include <string.h>
#include <utf8proc.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/ctx.h"
#include "base/jread.h"
#include "base/log.h"
#include "base/utf8.h"
#include "content/content.h"
#include "content/inline.h"
#include "provider/cover.h"
#include "provider/outline/phrases.h"
#include "provider/outline/related.h"
#include "provider/outline/title.h"
#include "provider/protocol.h"
#include "provider/assignment.h"

enum {
	OUTLINE_KEYWORDS_MAX = 10,
	OUTLINE_TAGS_MAX = 6,
	OUTLINE_SECTIONS_MAX = 30, /* parts of a brief's outline */
	OUTLINE_POINTS_MAX = 30, /* of one section */
	OUTLINE_POINT_MAX = 400, /* code points */
	OUTLINE_SUBJECT_MAX = 80 /* code points of a title inside a sentence */
};

/* What a task is about. */
struct subject {
	const char *topic; /* in full, one line */
	const char *title;
	const char *name; /* its name in sentences: title or theme */
	/* the text whose words are looked for in other articles */
	const char *words;
};

/* ---- the subject and the brief */

/* Code points of a brief's topic. NFC may have made the topic of the task longer. */
#define TOPIC_MAX 1500

/* Finds the subject: the task's topic, else that of its brief, else a theme of the
 * workspace's own articles. False if there is none of the three. */
static bool
find_subject(struct ctx *c, const struct assignment *assignment, const struct phrases *p,
    struct subject *out)
{
	const char *theme;
	const char *topic = assignment->topic;

	if (title_is_blank(topic) && assignment->brief != NULL)
		topic = assignment->brief->topic;
	out->topic = title_cut(c, assignment_clean(c, topic, true), TOPIC_MAX);
	out->title = title_of_topic(c, topic);
	out->name = out->title;
	out->words = out->topic;
	if (!title_is_blank(topic))
		return true;
	theme = theme_find(c, assignment);
	if (theme == NULL)
		return false;
	out->words = theme;
	out->name = theme;
	out->topic = phrases_fill(c, p->overview, theme);
	out->title = out->topic;
	return true;
}

static const char *
quoted_subject(struct ctx *c, const struct phrases *p, const struct subject *subject)
{
	return phrases_quote(c, p, title_cut(c, subject->name, OUTLINE_SUBJECT_MAX));
}

/* Returns the summary that new_brief() writes. */
static const char *
summary_of(struct ctx *c, const struct phrases *p, const struct subject *subject)
{
	return phrases_fill(c, p->summary, quoted_subject(c, p, subject));
}

static void
brief_outline(struct ctx *c, const struct phrases *p, struct brief *out)
{
	out->outline_count = PHRASES_PARTS;
	out->outline = arena_array(c->arena, PHRASES_PARTS, sizeof(*out->outline));
	for (size_t i = 0; i < PHRASES_PARTS; i++) {
		struct brief_part *part = &out->outline[i];
		part->heading = p->parts[i].heading;
		part->point_count = PHRASES_POINTS;
		part->points = arena_array(c->arena, PHRASES_POINTS, sizeof(*part->points));
		memcpy(part->points, p->parts[i].points, sizeof(p->parts[i].points));
	}
}

static void
brief_questions(
    struct ctx *c, const struct phrases *p, const struct subject *subject, struct brief *out)
{
	out->question_count = PHRASES_QUESTIONS;
	out->questions = arena_array(c->arena, PHRASES_QUESTIONS, sizeof(*out->questions));
	for (size_t i = 0; i < PHRASES_QUESTIONS; i++)
		out->questions[i] = phrases_fill(c, p->questions[i], quoted_subject(c, p, subject));
	if (title_is_question(subject->title))
		out->questions[0] = subject->title;
}

/* Finds the words that two of the related titles have in common. */
static void
common_words(struct ctx *c, const struct assignment *assignment, const struct related *related,
    struct words *out)
{
	struct words titles[RELATED_MAX];

	out->count = 0;
	out->list = arena_array(c->arena, OUTLINE_KEYWORDS_MAX, sizeof(*out->list));
	for (size_t i = 0; i < related->count; i++) {
		words_split(c, assignment->workspace.language, related->articles[i]->title,
		    RELATED_TITLE_WORDS, &titles[i]);
		words_distinct(&titles[i]);
		for (size_t k = 0; k < titles[i].count; k++) {
			const struct word *word = &titles[i].list[k];
			size_t before = 0;
			while (before < i && words_find(&titles[before], word) == NULL)
				before++;
			if (before < i && out->count < OUTLINE_KEYWORDS_MAX)
				out->list[out->count++] = *word;
		}
	}
}

static void
brief_keywords(struct ctx *c, const struct assignment *assignment, const struct subject *subject,
    const struct related *related, struct brief *out)
{
	struct words all, common;

	words_split(c, assignment->workspace.language, subject->words, RELATED_TOPIC_WORDS, &all);
	common_words(c, assignment, related, &common);
	all.list = arena_grow(c->arena, all.list, all.count * sizeof(*all.list),
	    (all.count + common.count + 1) * sizeof(*all.list));
	for (size_t i = 0; i < common.count; i++)
		all.list[all.count++] = common.list[i];
	words_distinct(&all);
	if (all.count > OUTLINE_KEYWORDS_MAX)
		all.count = OUTLINE_KEYWORDS_MAX;
	out->keywords = arena_array(c->arena, all.count + 1, sizeof(*out->keywords));
	for (size_t i = 0; i < all.count; i++)
		out->keywords[out->keyword_count++] =
		    title_cut(c, all.list[i].text, OUTLINE_SUBJECT_MAX);
}

static void
brief_related(struct ctx *c, const struct assignment *assignment, const struct related *related,
    struct brief *out)
{
	const char *publisher = assignment->workspace.publisher_name;

	if (publisher == NULL && assignment->workspace.name[0] != '\0')
		publisher = assignment->workspace.name;
	out->related = arena_array(c->arena, RELATED_MAX, sizeof(*out->related));
	out->sources = arena_array(c->arena, RELATED_MAX, sizeof(*out->sources));
	for (size_t i = 0; i < related->count; i++) {
		const struct assignment_article *article = related->articles[i];
		struct brief_source *source;

		out->related[out->related_count++] = article->id;
		if (article->url == NULL)
			continue;
		source = &out->sources[out->source_count++];
		source->id = arena_printf(c->arena, "r%zu", out->source_count);
		source->title = article->title;
		source->url = article->url;
		source->publisher = publisher;
	}
}

/* Makes a brief: the four parts of every outline, keywords and related articles. */
static void
new_brief(struct ctx *c, const struct assignment *assignment, const struct phrases *p,
    const struct subject *subject, struct brief *out)
{
	struct related related;

	memset(out, 0, sizeof(*out));
	out->topic = subject->topic;
	out->summary = summary_of(c, p, subject);
	out->angle = p->angle;
	out->audience = p->audience;
	brief_outline(c, p, out);
	brief_questions(c, p, subject, out);
	related_find(c, assignment, subject->words, &related);
	brief_keywords(c, assignment, subject, &related, out);
	brief_related(c, assignment, &related, out);
}

/* ---- the pieces that articles are put together from */

enum {
	COMPOSE_BYTES_MAX = 64 * 1024, /* of one text */
	COMPOSE_HEADING_MAX = 140, /* code points, each may need a backslash */
	COMPOSE_BLOCKS = 5, /* blocks that a section has room for */
	COMPOSE_CALLOUTS = 8 /* callouts that a section has room for */
};

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

/* ---- an article, from its brief */

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
	const struct assignment *assignment;
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
article_link(struct draftsman *d, const struct assignment_article *article)
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
	const struct assignment_article *article;
	struct buf b;

	buf_init(&b, d->c->arena, COMPOSE_BYTES_MAX);
	buf_add_text(&b, title_cut(d->c, part->heading, SHORT_MAX));
	for (size_t i = 0; i < part->point_count && i < OUTLINE_POINTS_MAX; i++)
		buf_printf(&b, "\n%s", title_cut(d->c, part->points[i], OUTLINE_POINT_MAX));
	article = related_best(d->c, d->assignment, &d->related, d->linked, b.data);
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
	new_brief(d->c, d->assignment, d->p, d->subject, &own);
	d->parts = own.outline;
	d->part_count = own.outline_count;
}

static bool
is_own(struct draftsman *d, const struct brief_source *source)
{
	for (size_t i = 0; i < d->assignment->article_count; i++) {
		const char *url = d->assignment->articles[i].url;
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
with_teaser(struct draftsman *d, const struct assignment_article *article)
{
	const char *teaser = assignment_clean(d->c, article->summary, true);

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
		const struct assignment_article *article = d->related.articles[i];
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
	const char *summary = assignment_clean(d->c, d->brief->summary, true);

	if (strcmp(d->brief->summary, summary_of(d->c, d->p, d->subject)) == 0) {
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

/* Makes an article without its cover. `content` becomes out->content. */
static void
make_draft(struct ctx *c, const struct assignment *assignment, const struct phrases *p,
    const struct subject *subject, const struct brief *brief, struct draft *out,
    struct content *content)
{
	struct draftsman d = { .c = c,
		.assignment = assignment,
		.p = p,
		.subject = subject,
		.brief = brief,
		.content = content };

	memset(out, 0, sizeof(*out));
	out->title = subject->title;
	out->content = content;
	out->description = description(&d);
	take_tags(&d, out);
	content_init(content, assignment->workspace.language);
	content->summary = lead(&d);
	related_named(assignment, brief, &d.related);
	if (d.related.count == 0)
		related_find(c, assignment, subject->words, &d.related);
	take_outline(&d);
	take_references(&d);
	content->sections = arena_array(c->arena, d.part_count + 1, sizeof(*content->sections));
	for (size_t i = 0; i < d.part_count; i++)
		write_part(&d, i);
	write_reading(&d);
	content_ids_number(c, content);
}

/* ---- a task, to its last line */

#define BRIEF_STEP "brief"

/* Takes the brief that an earlier try of this job stored. False if there is none or it
 * is damaged. */
static bool
kept_brief(struct ctx *c, const struct assignment *assignment, struct brief *out)
{
	json_t *json = assignment_step(assignment, BRIEF_STEP);

	return json != NULL && assignment_brief(c, BRIEF_STEP, json, out) == NULL &&
	       out->topic[0] != '\0' && out->outline_count > 0;
}

/* Takes the topic of the stored brief: a task without a topic keeps the theme of its
 * first try, even if articles were published since. */
static void
take_topic(struct ctx *c, struct subject *subject, const char *topic)
{
	if (strcmp(subject->topic, topic) == 0)
		return;
	subject->topic = topic;
	subject->title = title_of_topic(c, topic);
	subject->name = subject->title;
	subject->words = topic;
}

static void
make_brief(struct ctx *c, const struct assignment *assignment, const struct phrases *p,
    struct subject *subject, struct brief *out)
{
	struct jwrite w;
	struct buf json;

	protocol_stage(c, "research");
	if (kept_brief(c, assignment, out)) {
		take_topic(c, subject, out->topic);
		return;
	}
	new_brief(c, assignment, p, subject, out);
	buf_init(&json, c->arena, PROTOCOL_LINE_MAX);
	jwrite_init(&w, &json);
	protocol_brief(&w, out);
	protocol_step(c, BRIEF_STEP, &json);
}

/* Reads the content as the runner will read it. A refusal here is a bug of this
 * program, but its sentence helps more than a draft that the runner refuses later. */
static struct err *
check(struct ctx *c, const struct assignment *assignment, const struct draft *draft)
{
	struct content read;
	struct buf json;
	json_t *tree;

	buf_init(&json, c->arena, CONTENT_BYTES_MAX);
	content_to_json(draft->content, NULL, &json);
	if (buf_full(&json))
		return refuse(c, ERR_TOO_LARGE, "The draft is too long.");
	TRY(jread_parse(c, "content", json.data, json.len, &tree));
	return content_from_json(c, "content", tree, assignment->workspace.language, &read);
}

static void
add_cover(struct ctx *c, const struct assignment *assignment, const struct phrases *p,
    struct draft *draft, struct content *content, struct usage *usage)
{
	const char *name = assignment->workspace.publisher_name;
	const char *words;

	if (!assignment->image)
		return;
	protocol_stage(c, "image");
	if (!cover_draw(c, draft->title, name != NULL ? name : assignment->workspace.name,
		assignment->workspace.language, COVER_FILE))
		return;
	words = phrases_quote(c, p, title_cut(c, draft->title, 150));
	draft->image.file = COVER_FILE;
	draft->image.alt = phrases_fill(c, p->cover_alt, words);
	content->image_alt = draft->image.alt;
	usage->images = 1;
}

static void
run_article(struct ctx *c, const struct assignment *assignment, const struct phrases *p,
    struct subject *subject)
{
	struct usage usage = { 0, 0, 0 };
	struct content content;
	struct brief made;
	const struct brief *brief = assignment->brief;
	struct draft draft;
	struct err *err;

	if (brief == NULL) {
		make_brief(c, assignment, p, subject, &made);
		brief = &made;
	}
	protocol_stage(c, "outline");
	protocol_stage(c, "writing");
	make_draft(c, assignment, p, subject, brief, &draft, &content);
	add_cover(c, assignment, p, &draft, &content, &usage);
	protocol_stage(c, "checks");
	err = check(c, assignment, &draft);
	if (err != NULL)
		protocol_error(c, PROTOCOL_INVALID_OUTPUT, false, "%s", err->message);
	else
		protocol_result_article(c, &draft, &usage);
}

void
outline_run(struct ctx *c, const struct assignment *assignment)
{
	const struct phrases *p = phrases_find(assignment->workspace.language);
	struct usage usage = { 0, 0, 0 };
	struct subject subject;
	struct brief brief;

	if (!find_subject(c, assignment, p, &subject)) {
		protocol_error(c, PROTOCOL_REFUSED, false,
		    "There is no topic, and the workspace has no published articles to take one from. Send a topic.");
		return;
	}
	if (assignment->kind == ASSIGNMENT_ARTICLE) {
		run_article(c, assignment, p, &subject);
		return;
	}
	make_brief(c, assignment, p, &subject, &brief);
	protocol_stage(c, "checks");
	protocol_result_brief(c, &brief, &usage);
}
