#ifndef PROVIDER_RELATED_H
#define PROVIDER_RELATED_H
/* Which of the workspace's own articles belong to a topic: by the words that
 * they share, rare ones weighing more. */
#include <stddef.h>

#include "provider/task.h"
#include "provider/outline/words.h"

enum {
	RELATED_MAX = 6,
	RELATED_TOPIC_WORDS = 48, /* words of the topic that are looked at */
	RELATED_TITLE_WORDS = 40,
	RELATED_SUMMARY_WORDS = 60
};

struct related {
	const struct task_article *articles[RELATED_MAX];
	size_t count;
};

/* The related articles, the closest first, newer ones first among equals. An
 * article that shares one common word in its summary only is not related. */
void related_find(struct ctx *c, const struct task *task, const char *text,
    struct related *out);

/* Those that `brief` names, as far as they are among the task's articles. */
void related_named(
    const struct task *task, const struct brief *brief, struct related *out);

/*
 * The one of `related` whose title shares most words with `text`, or NULL
 * where none shares one. `taken[i]` true leaves articles[i] out.
 */
const struct task_article *related_best(struct ctx *c, const struct task *task,
    const struct related *related, const bool *taken, const char *text);

#endif
