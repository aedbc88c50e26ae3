#ifndef WORKSPACE_HOME_H
#define WORKSPACE_HOME_H
/*
 * Home of one workspace (docs/console.md §4.1): what was published lately, its readers, and the
 * drafts that the person saved last. home.c has what waits, and the first steps.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "action/statistics-actions.h"
#include "article/save.h"
#include "base/err.h"
#include "screen/screen.h"

struct page;

#define LATELY 3 /* articles of a box */

/* An article of a box. */
struct home_article {
	const char *uuid, *title, *cover; /* as browse_shown (article-list.h) has it */
	int64_t at;
};

struct workspace_home {
	struct statistics_few views[LATELY]; /* of those published lately */
	struct home_article published[LATELY];
	struct save_draft drafts[LATELY];
	size_t published_count, draft_count;
	struct statistics readers;
	bool beside; /* there is something for workspace_home_write_beside() */
	struct screen_link actions[3]; /* of the page's head */
};

/* Finds it for the workspace of the page, in transactions of its own. */
MAY_REFUSE struct err *workspace_home_read(struct page *p, struct workspace_home *h);

/* Write what was published, and what is beside it. */
void workspace_home_write(struct hwrite *w, const struct page *p, const struct workspace_home *h);
void
workspace_home_write_beside(struct hwrite *w, const struct page *p, const struct workspace_home *h);

#endif
