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
 *
 * outline.c		takes a task to its last line; makes the subject and the brief
 * outline-draft.c	makes the article from the brief
 */
#include "content/content.h"
#include "provider/outline/phrases.h"
#include "provider/outline/related.h"
#include "provider/protocol.h"
#include "provider/task.h"

struct ctx;
struct task;

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

/* Does what the task asks for and writes all lines of the answer. */
void outline_run(struct ctx *c, const struct task *task);

/* Makes a brief: the four parts of every outline, keywords and related articles. */
void outline_brief(struct ctx *c, const struct task *task, const struct phrases *p,
    const struct subject *subject, struct brief *out);

/* Makes an article without its cover. `content` becomes out->content. */
void outline_draft(struct ctx *c, const struct task *task, const struct phrases *p,
    const struct subject *subject, const struct brief *brief, struct draft *out,
    struct content *content);

/* Returns the summary that outline_brief() writes. */
const char *outline_summary(struct ctx *c, const struct phrases *p, const struct subject *subject);

/* Finds a theme in the workspace's own articles, for tasks without a topic. */

#endif
