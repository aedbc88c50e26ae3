#include "provider/outline/related.h"

#include <string.h>

#include "base/arena.h"
#include "base/ctx.h"

enum { TITLE_WEIGHT = 3, SUMMARY_WEIGHT = 1, RELATED_FROM = 3 };

/* The words of the topic that one article has. The index of a word in the topic is its
 * bit. */
struct match {
	uint64_t title; /* words of the topic that its title has */
	uint64_t summary; /* and its summary */
};

static uint64_t
shared(const struct words *topic, const struct words *words)
{
	uint64_t bits = 0;

	for (size_t i = 0; i < topic->count; i++) {
		if (words_find(words, &topic->list[i]) != NULL)
			bits |= UINT64_C(1) << i;
	}
	return bits;
}

static void
distinct(struct ctx *c, const struct task *task, const char *text, size_t max, struct words *out)
{
	words_split(c, task->workspace.language, text, max, out);
	words_distinct(out);
}

static struct match *
match_all(struct ctx *c, const struct task *task, const struct words *topic)
{
	struct match *matches = arena_array(c->arena, task->article_count + 1, sizeof(*matches));

	for (size_t i = 0; i < task->article_count; i++) {
		const struct task_article *article = &task->articles[i];
		struct words words;

		distinct(c, task, article->title, RELATED_TITLE_WORDS, &words);
		matches[i].title = shared(topic, &words);
		distinct(c, task, article->summary, RELATED_SUMMARY_WORDS, &words);
		matches[i].summary = shared(topic, &words);
	}
	return matches;
}

/* Returns the weight of a word: 4 if at most an eighth of the articles have it, 1 if
 * more than half have it. In a workspace of few articles all words have the same
 * weight. */
static int
rarity(const struct match *matches, size_t count, size_t word)
{
	size_t with = 0;

	for (size_t i = 0; i < count; i++)
		with += (matches[i].title | matches[i].summary) >> word & 1;
	if (count < 8 || with * 2 > count)
		return 1;
	if (with * 4 > count)
		return 2;
	return with * 8 > count ? 3 : 4;
}

static int
score(const struct match *match, const int *weights, size_t words)
{
	int sum = 0;

	for (size_t i = 0; i < words; i++) {
		if (match->title >> i & 1)
			sum += TITLE_WEIGHT * weights[i];
		else if (match->summary >> i & 1)
			sum += SUMMARY_WEIGHT * weights[i];
	}
	return sum;
}

/* Inserts an article into the list of the best articles. */
static void
insert(struct related *out, int *scores, const struct task_article *article, int points)
{
	size_t at = out->count;

	while (at > 0 && scores[at - 1] < points)
		at--;
	if (at == RELATED_MAX)
		return;
	if (out->count < RELATED_MAX)
		out->count++;
	for (size_t i = out->count - 1; i > at; i--) {
		out->articles[i] = out->articles[i - 1];
		scores[i] = scores[i - 1];
	}
	out->articles[at] = article;
	scores[at] = points;
}

void
related_find(struct ctx *c, const struct task *task, const char *text, struct related *out)
{
	int weights[RELATED_TOPIC_WORDS], scores[RELATED_MAX];
	struct match *matches;
	struct words topic;

	memset(out, 0, sizeof(*out));
	distinct(c, task, text, RELATED_TOPIC_WORDS, &topic);
	matches = match_all(c, task, &topic);
	for (size_t i = 0; i < topic.count; i++)
		weights[i] = rarity(matches, task->article_count, i);
	for (size_t i = 0; i < task->article_count; i++) {
		int points = score(&matches[i], weights, topic.count);
		if (points >= RELATED_FROM)
			insert(out, scores, &task->articles[i], points);
	}
}

void
related_named(const struct task *task, const struct brief *brief, struct related *out)
{
	memset(out, 0, sizeof(*out));
	for (size_t i = 0; i < brief->related_count; i++) {
		const struct task_article *article = task_article_find(task, brief->related[i]);
		bool known = false;

		for (size_t k = 0; k < out->count; k++)
			known = known || out->articles[k] == article;
		if (article != NULL && !known && out->count < RELATED_MAX)
			out->articles[out->count++] = article;
	}
}

const struct task_article *
related_best(struct ctx *c, const struct task *task, const struct related *related,
    const bool *taken, const char *text)
{
	const struct task_article *best = NULL;
	struct words words, title;
	int most = 0;

	distinct(c, task, text, RELATED_TOPIC_WORDS, &words);
	for (size_t i = 0; i < related->count; i++) {
		int count;

		distinct(c, task, related->articles[i]->title, RELATED_TITLE_WORDS, &title);
		count = __builtin_popcountll(shared(&words, &title));
		if (!taken[i] && count > most) {
			most = count;
			best = related->articles[i];
		}
	}
	return best;
}
