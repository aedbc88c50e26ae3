#ifndef PROVIDER_RELATED_H
#define PROVIDER_RELATED_H
/* Finds the workspace's own articles that belong to a topic, by the words that they
 * share with it. A rare word weighs more. */
#include <stddef.h>

#include "provider/task.h"
#include "provider/outline/words.h"

enum {
	RELATED_MAX = 6,
	RELATED_TOPIC_WORDS = 48, /* words of the topic that are compared */
	RELATED_TITLE_WORDS = 40,
	RELATED_SUMMARY_WORDS = 60
};

struct related {
	const struct task_article *articles[RELATED_MAX];
	size_t count;
};

/* Finds the related articles, the closest first, newer ones first among equals. An
 * article that shares only one common word, in its summary, is not related. */
void related_find(struct ctx *c, const struct task *task, const char *text, struct related *out);

/* Finds the articles that `brief` names, as far as the task has them. */
void related_named(const struct task *task, const struct brief *brief, struct related *out);

/*
 * Returns the one of `related` whose title shares most words with `text`; NULL if none
 * shares one. If `taken[i]` is true, articles[i] is left out.
 */
const struct task_article *related_best(struct ctx *c, const struct task *task,
    const struct related *related, const bool *taken, const char *text);

#endif
