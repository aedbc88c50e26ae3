#ifndef PROVIDER_THEME_H
#define PROVIDER_THEME_H
/* A theme from the workspace's own articles, for orders without a topic. */

struct ctx;
struct task;

/*
 * What the titles have in common: the word or phrase that stands in most of
 * them, longer ones counting more, the newest among equals; where no two share
 * one, the first phrase of the newest title. As written there, its first letter
 * a capital unless it has capitals of its own. Where no title has a word, the
 * newest of them; NULL when there is none.
 */
const char *theme_find(struct ctx *c, const struct task *task);

#endif
