#ifndef PROVIDER_OUTLINE_H
#define PROVIDER_OUTLINE_H
/*
 * provider-outline: briefs and drafts made of the topic, the brief and the
 * workspace's own articles, and of nothing else (docs/design.md §5).
 *
 * It knows nothing about any topic, and says so: a draft states no facts, names
 * no source that was not in the task, and marks with callouts of kind `todo`
 * what a person has to write. Every section has a whole sentence outside of
 * those callouts, so that a draft which is published as it is is thin but
 * whole; the points of the outline are in them.
 *
 * Deterministic: one task, one sequence of bytes. No clock, no randomness, no
 * network; no file but the cover.
 *
 * outline.c		the course of a task, subject and brief
 * outline-draft.c	brief to article
 */
#include "content/content.h"
#include "provider/task.h"
#include "provider/outline/phrases.h"
#include "provider/protocol.h"
#include "provider/outline/related.h"

enum {
	OUTLINE_KEYWORDS_MAX = 10,
	OUTLINE_TAGS_MAX = 6,
	OUTLINE_SECTIONS_MAX =
	    30, /* of a brief's outline that are taken over */
	OUTLINE_POINTS_MAX = 30, /* of one section */
	OUTLINE_POINT_MAX = 400, /* code points */
	OUTLINE_SUBJECT_MAX = 80 /* code points of a title inside a sentence */
};

/* What a task is about. */
struct subject {
	const char *topic; /* in full, one line */
	const char *title;
	const char *name; /* what sentences call it: title or theme */
	const char *words; /* what to look for in other articles */
};

/* Takes the task from its subject to its last line. */
void outline_run(struct ctx *c, const struct task *task);

/* The task's topic, else its brief's, else a theme of the workspace's own
 * articles; false where there is none of the three. */
bool outline_subject(struct ctx *c, const struct task *task,
    const struct phrases *p, struct subject *out);

/* A brief: the four parts of every outline, keywords, related articles. */
void outline_brief(struct ctx *c, const struct task *task,
    const struct phrases *p, const struct subject *subject, struct brief *out);

/* An article without its cover. `content` becomes out->content. */
void outline_draft(struct ctx *c, const struct task *task,
    const struct phrases *p, const struct subject *subject,
    const struct brief *brief, struct draft *out, struct content *content);

/* The summary that outline_brief() writes. */
const char *outline_summary(
    struct ctx *c, const struct phrases *p, const struct subject *subject);

#endif
