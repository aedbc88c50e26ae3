#include "provider/outline/outline.h"

#include <string.h>

#include "base/arena.h"
#include "base/jread.h"
#include "base/log.h"
#include "provider/cover/cover.h"
#include "provider/outline/theme.h"
#include "provider/outline/title.h"
#include "provider/outline/words.h"

#define BRIEF_STEP "brief"

/* Code points of a brief's topic. NFC may have made the topic of the task longer. */
#define TOPIC_MAX 1500

bool
outline_subject(
    struct ctx *c, const struct task *task, const struct phrases *p, struct subject *out)
{
	const char *theme;
	const char *topic = task->topic;

	if (title_is_blank(topic) && task->brief != NULL)
		topic = task->brief->topic;
	out->topic = title_cut(c, task_clean(c, topic, true), TOPIC_MAX);
	out->title = title_of_topic(c, topic);
	out->name = out->title;
	out->words = out->topic;
	if (!title_is_blank(topic))
		return true;
	theme = theme_find(c, task);
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

const char *
outline_summary(struct ctx *c, const struct phrases *p, const struct subject *subject)
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
common_words(
    struct ctx *c, const struct task *task, const struct related *related, struct words *out)
{
	struct words titles[RELATED_MAX];

	out->count = 0;
	out->list = arena_array(c->arena, OUTLINE_KEYWORDS_MAX, sizeof(*out->list));
	for (size_t i = 0; i < related->count; i++) {
		words_split(c, task->workspace.language, related->articles[i]->title,
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
brief_keywords(struct ctx *c, const struct task *task, const struct subject *subject,
    const struct related *related, struct brief *out)
{
	struct words all, common;

	words_split(c, task->workspace.language, subject->words, RELATED_TOPIC_WORDS, &all);
	common_words(c, task, related, &common);
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
brief_related(
    struct ctx *c, const struct task *task, const struct related *related, struct brief *out)
{
	const char *publisher = task->workspace.publisher_name;

	if (publisher == NULL && task->workspace.name[0] != '\0')
		publisher = task->workspace.name;
	out->related = arena_array(c->arena, RELATED_MAX, sizeof(*out->related));
	out->sources = arena_array(c->arena, RELATED_MAX, sizeof(*out->sources));
	for (size_t i = 0; i < related->count; i++) {
		const struct task_article *article = related->articles[i];
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

void
outline_brief(struct ctx *c, const struct task *task, const struct phrases *p,
    const struct subject *subject, struct brief *out)
{
	struct related related;

	memset(out, 0, sizeof(*out));
	out->topic = subject->topic;
	out->summary = outline_summary(c, p, subject);
	out->angle = p->angle;
	out->audience = p->audience;
	brief_outline(c, p, out);
	brief_questions(c, p, subject, out);
	related_find(c, task, subject->words, &related);
	brief_keywords(c, task, subject, &related, out);
	brief_related(c, task, &related, out);
}

/* Takes the brief that an earlier try of this job stored. False if there is none or it
 * is damaged. */
static bool
kept_brief(struct ctx *c, const struct task *task, struct brief *out)
{
	json_t *json = task_step(task, BRIEF_STEP);

	return json != NULL && task_brief(c, BRIEF_STEP, json, out) == NULL &&
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
make_brief(struct ctx *c, const struct task *task, const struct phrases *p, struct subject *subject,
    struct brief *out)
{
	struct jwrite w;
	struct buf json;

	protocol_stage(c, "research");
	if (kept_brief(c, task, out)) {
		take_topic(c, subject, out->topic);
		return;
	}
	outline_brief(c, task, p, subject, out);
	buf_init(&json, c->arena, PROTOCOL_LINE_MAX);
	jwrite_init(&w, &json);
	protocol_brief(&w, out);
	protocol_step(c, BRIEF_STEP, &json);
}

/* Reads the content as the runner will read it. A refusal here is a bug of this
 * program, but its sentence helps more than a draft that the runner refuses later. */
static struct err *
check(struct ctx *c, const struct task *task, const struct draft *draft)
{
	struct content read;
	struct buf json;
	struct err *err;
	json_t *tree;

	buf_init(&json, c->arena, CONTENT_BYTES_MAX);
	content_to_json(draft->content, NULL, &json);
	if (buf_full(&json))
		return refuse(c, ERR_TOO_LARGE, "The draft is too long.");
	err = jread_parse(c, "content", json.data, json.len, &tree);
	if (err != NULL)
		return err;
	return content_from_json(c, "content", tree, task->workspace.language, &read);
}

static void
add_cover(struct ctx *c, const struct task *task, const struct phrases *p, struct draft *draft,
    struct content *content, struct usage *usage)
{
	const char *name = task->workspace.publisher_name;
	const char *words;

	if (!task->image)
		return;
	protocol_stage(c, "image");
	if (!cover_draw(c, draft->title, name != NULL ? name : task->workspace.name,
		task->workspace.language, COVER_FILE))
		return;
	words = phrases_quote(c, p, title_cut(c, draft->title, 150));
	draft->image.file = COVER_FILE;
	draft->image.alt = phrases_fill(c, p->cover_alt, words);
	content->image_alt = draft->image.alt;
	usage->images = 1;
}

static void
run_article(
    struct ctx *c, const struct task *task, const struct phrases *p, struct subject *subject)
{
	struct usage usage = { 0, 0, 0 };
	struct content content;
	struct brief made;
	const struct brief *brief = task->brief;
	struct draft draft;
	struct err *err;

	if (brief == NULL) {
		make_brief(c, task, p, subject, &made);
		brief = &made;
	}
	protocol_stage(c, "outline");
	protocol_stage(c, "writing");
	outline_draft(c, task, p, subject, brief, &draft, &content);
	add_cover(c, task, p, &draft, &content, &usage);
	protocol_stage(c, "checks");
	err = check(c, task, &draft);
	if (err != NULL)
		protocol_error(c, PROTOCOL_INVALID_OUTPUT, false, "%s", err->message);
	else
		protocol_result_article(c, &draft, &usage);
}

void
outline_run(struct ctx *c, const struct task *task)
{
	const struct phrases *p = phrases_find(task->workspace.language);
	struct usage usage = { 0, 0, 0 };
	struct subject subject;
	struct brief brief;

	if (!outline_subject(c, task, p, &subject)) {
		protocol_error(c, PROTOCOL_REFUSED, false,
		    "There is no topic, and the workspace has no published articles to take one from. Send a topic.");
		return;
	}
	if (task->kind == TASK_ARTICLE) {
		run_article(c, task, p, &subject);
		return;
	}
	make_brief(c, task, p, &subject, &brief);
	protocol_stage(c, "checks");
	protocol_result_brief(c, &brief, &usage);
}
