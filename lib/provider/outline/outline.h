#ifndef PROVIDER_OUTLINE_H
#define PROVIDER_OUTLINE_H
/*
 * provider-outline makes briefs and drafts from the topic, the brief and the
 * workspace's own articles, and from nothing else (docs/design.md §5).
 *
 * It knows nothing about any topic, and says so: a draft states no facts, names no
 * source that was not in the task, and marks what a person must write with callouts of
 * kind `todo`. The points of the outline are in these callouts. Every section also has
 * a whole sentence outside of them, so that an unchanged draft, once published, is thin
 * but whole.
 *
 * It is deterministic: the same task gives the same bytes. It uses no clock, no
 * randomness, no network, and no file but the cover.
 */
struct ctx;
struct assignment;

/* Does what the task asks for and writes all lines of the answer. */
void outline_run(struct ctx *c, const struct assignment *assignment);

#endif
