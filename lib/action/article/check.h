#ifndef ACTION_CHECK_H
#define ACTION_CHECK_H
/* The action that asks which publishing checks the articles of a workspace fail. It only
 * reads. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "action/action.h"
#include "article/article.h"
#include "base/err.h"
#include "export/export.h"

/* An article that does not pass every check. */
struct check_failing {
	const struct article *article;
	struct export_check checks[EXPORT_CHECKS];
	size_t count;
	int64_t unfinished; /* places that are left to write */
};

/* One label, and how many articles fail there. */
struct check_label {
	const char *text;
	int64_t failed;
};

struct check {
	/* What is asked. */
	struct find_place place; /* whose articles */
	bool drafts; /* drafts, too: their working copies */
	/* Told how many of the articles are done; with 0 before the first. */
	void (*step)(void *arg, int64_t done, int64_t total);
	void *arg;

	/* What was found. */
	int64_t articles; /* that were checked */
	struct check_failing *failing;
	size_t count; /* of `failing` */
	struct check_label labels[EXPORT_CHECKS]; /* most failures first */
	size_t label_count;
};

/* Checks what the API shows of each article. Refuses what find_workspace() refuses. */
MAY_REFUSE struct err *check_articles(struct ctx *c, struct check *k);

#endif
