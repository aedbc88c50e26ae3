#ifndef PROVIDER_THEME_H
#define PROVIDER_THEME_H
/* Finds a theme in the workspace's own articles, for tasks without a topic. */

struct ctx;
struct task;

/*
 * Returns what the titles have in common: the word or phrase that most of them hold. A
 * longer one counts more; among equals the newest wins. If no two titles share one, it
 * is the first phrase of the newest title. It is written as in the title, with a
 * capital first letter unless it has capitals already. If no title has a word, it is
 * the newest title; NULL if there is none.
 */
const char *theme_find(struct ctx *c, const struct task *task);

#endif
