#include "provider/outline/outline.h"

#include <string.h>
#include <utf8proc.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/ctx.h"
#include "base/jread.h"
#include "base/log.h"
#include "base/utf8.h"
#include "provider/cover.h"
#include "provider/outline/related.h"
#include "provider/outline/title.h"
#include "provider/task.h"

enum {
	/* of the newest articles: they show what the workspace is about now */
	TITLES_MAX = 50,
	TITLE_WORDS = 20,
	PHRASE_WORDS = 3,
	WHOLE_TITLE_MAX = 60, /* code points of a title without a word */
	CJK_MIN = 2, /* characters of a phrase in Han or Katakana */
	CJK_MAX = 6,
	CJK_RUN_MAX = 24 /* characters of a run that are examined */
};

struct titles {
	const char *text[TITLES_MAX];
	struct words words[TITLES_MAX];
	size_t count;
};

struct theme {
	const char *text; /* "" for none */
	/* titles that hold it, times its length in words or characters of CJK */
	size_t score;
};

static void
read_titles(struct ctx *c, const struct task *task, struct titles *t)
{
	for (size_t i = 0; i < task->article_count && i < TITLES_MAX; i++) {
		t->text[i] = task->articles[i].title;
		words_split(c, task->workspace.language, t->text[i], TITLE_WORDS, &t->words[i]);
		t->count++;
	}
}

/* Returns whether the words [at, at + len) are one phrase: they are joined, and
 * neither the first nor the last is a stop word or a run of Han or Katakana. */
static bool
is_phrase(const struct words *w, size_t at, size_t len)
{
	if (at + len > w->count || w->list[at].stop || w->list[at].cjk ||
	    w->list[at + len - 1].stop || w->list[at + len - 1].cjk)
		return false;
	for (size_t i = at + 1; i < at + len; i++) {
		if (!w->list[i].joined)
			return false;
	}
	return true;
}

/* Returns the phrase as the title writes it. */
static const char *
phrase_text(struct ctx *c, const struct titles *t, size_t title, size_t at, size_t len)
{
	const struct word *list = t->words[title].list;

	return arena_text_n(
	    c->arena, t->text[title] + list[at].at, list[at + len - 1].end - list[at].at);
}

static bool
has_phrase(const struct words *w, const struct word *phrase, size_t len)
{
	for (size_t at = 0; at + len <= w->count; at++) {
		size_t same = 0;
		while (same < len && words_same(&w->list[at + same], &phrase[same]))
			same++;
		if (same == len)
			return true;
	}
	return false;
}

/* Takes a phrase as the theme if it is better than the best one. A phrase of one title
 * only is no theme. A longer phrase says more, so fewer titles may hold it. */
static void
consider(struct theme *best, const char *text, size_t titles, size_t length)
{
	if (titles < 2 || titles * length <= best->score)
		return;
	best->text = text;
	best->score = titles * length;
}

static void
consider_phrases(struct ctx *c, const struct titles *t, size_t title, struct theme *best)
{
	const struct words *w = &t->words[title];

	for (size_t at = 0; at < w->count; at++) {
		for (size_t len = 1; len <= PHRASE_WORDS; len++) {
			size_t titles = 0;
			if (!is_phrase(w, at, len))
				continue;
			for (size_t i = 0; i < t->count; i++)
				titles += has_phrase(&t->words[i], &w->list[at], len);
			consider(best, phrase_text(c, t, title, at, len), titles, len);
		}
	}
}

/* Returns how many titles hold `text`. */
static size_t
titles_with(const struct titles *t, const char *text)
{
	size_t count = 0;

	for (size_t i = 0; i < t->count; i++)
		count += strstr(t->text[i], text) != NULL;
	return count;
}

/* Considers the parts of a run of Han or Katakana. */
static void
consider_run(struct ctx *c, const struct titles *t, const struct word *run, struct theme *best)
{
	const char *p = run->text;

	for (int i = 0; *p != '\0' && i < CJK_RUN_MAX; i++, utf8_next(&p)) {
		for (size_t len = CJK_MIN; len <= CJK_MAX; len++) {
			size_t bytes = utf8_prefix(p, len);
			char *part = arena_text_n(c->arena, p, bytes);
			if (utf8_length(part) == len)
				consider(best, part, titles_with(t, part), len);
		}
	}
}

static const char *
with_capital(struct ctx *c, const char *text)
{
	const char *p = text;
	struct buf b;

	while (*p != '\0' && *p != ' ') {
		if (utf8proc_category((utf8proc_int32_t)utf8_next(&p)) == UTF8PROC_CATEGORY_LU)
			return text;
	}
	p = text;
	buf_init(&b, c->arena, strlen(text) + 8);
	buf_add_code_point(&b, (uint32_t)utf8proc_totitle((utf8proc_int32_t)utf8_next(&p)));
	buf_add_text(&b, p);
	return b.data;
}

/* Takes the longest of the phrases that begin first in a title. */
static void
first_phrase(struct ctx *c, const struct titles *t, size_t title, struct theme *best)
{
	const struct words *w = &t->words[title];

	for (size_t at = 0; at < w->count && best->text[0] == '\0'; at++) {
		size_t len = PHRASE_WORDS;
		while (len > 0 && !is_phrase(w, at, len))
			len--;
		if (w->list[at].cjk && !w->list[at].stop)
			best->text = w->list[at].text;
		else if (len > 0)
			best->text = phrase_text(c, t, title, at, len);
	}
}

/*
 * Returns what the titles have in common: the word or phrase that most of them hold. A
 * longer one counts more; among equals the newest wins. If no two titles share one, it
 * is the first phrase of the newest title. It is written as in the title, with a
 * capital first letter unless it has capitals already. If no title has a word, it is
 * the newest title; NULL if there is none.
 */
static const char *
theme_find(struct ctx *c, const struct task *task)
{
	struct titles *t = arena_alloc(c->arena, sizeof(*t));
	struct theme best = { "", 0 };

	read_titles(c, task, t);
	for (size_t i = 0; i < t->count; i++) {
		consider_phrases(c, t, i, &best);
		for (size_t k = 0; k < t->words[i].count; k++) {
			if (t->words[i].list[k].cjk)
				consider_run(c, t, &t->words[i].list[k], &best);
		}
	}
	for (size_t i = 0; i < t->count && best.text[0] == '\0'; i++)
		first_phrase(c, t, i, &best);
	for (size_t i = 0; i < t->count && best.text[0] == '\0'; i++) {
		if (!title_is_blank(t->text[i]))
			best.text = title_cut(c, t->text[i], WHOLE_TITLE_MAX);
	}
	return best.text[0] != '\0' ? with_capital(c, best.text) : NULL;
}

#define BRIEF_STEP "brief"

/* Code points of a brief's topic. NFC may have made the topic of the task longer. */
#define TOPIC_MAX 1500

/* Finds the subject: the task's topic, else that of its brief, else a theme of the
 * workspace's own articles. False if there is none of the three. */
static bool
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
