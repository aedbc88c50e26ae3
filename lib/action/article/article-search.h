#ifndef ACTION_ARTICLE_SEARCH_H
#define ACTION_ARTICLE_SEARCH_H
/*
 * Lists of the articles of a workspace: for the tool, and page by page for a screen. They only
 * read.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "access/workspace.h"
#include "action/action.h"
#include "article/article-list.h"
#include "article/article.h"
#include "article/desk.h"
#include "base/err.h"

struct listing {
	/* What is asked. */
	struct find_place place;
	unsigned statuses; /* 1 << of each enum article_status */
	int64_t limit; /* the newest articles; INT64_MAX: all */
	int64_t since; /* only those saved or announced since; 0: ever */
	const char *search; /* only those that say this, in any case; or NULL */
	bool ids_only; /* `unfinished` is not needed */

	/* What was found, newest first. */
	struct article *found;
	int64_t *unfinished; /* of each: places that are left to write */
	size_t count;
};

/* Finds the articles. A search looks into title, slug, section, tags and text of the
 * working copy. Refuses what find_workspace() refuses. */
MAY_REFUSE struct err *listing_find(struct ctx *c, struct listing *l);

/*
 * ---- A page for a screen
 *
 * The action that reads a page of a workspace's articles for a person (docs/console.md §4.3).
 * Without language, tag, author and search, and in the order of creation, it visits as
 * many articles as it returns. Otherwise it visits at most 10,000 of each status,
 * and says where it stopped: the next page goes on from there.
 */
#define BROWSING_MAX 200 /* articles of a page */

enum browsing_status {
	BROWSING_ALL, /* but the trash */
	BROWSING_DRAFT,
	BROWSING_REVIEW,
	BROWSING_SCHEDULED,
	BROWSING_PUBLISHED,
	BROWSING_CHANGED,
	BROWSING_TRASH
};

enum browsing_order { BROWSING_NEWEST, BROWSING_OLDEST, BROWSING_LAST_CHANGED };

struct browsing_key {
	int64_t at;
	const char *uuid; /* NULL: none */
};

struct browsing_one {
	struct article article;
	struct browse_shown shown;
	struct desk desk;
};

struct browsing {
	/* What is asked. */
	int64_t workspace_id;
	enum browsing_status status;
	enum browsing_order order;
	const char *language; /* and what is below it: "pt" finds "pt-BR"; or NULL */
	const char *tag; /* in any case; or NULL */
	const char *author; /* the whole name, in any case; or NULL */
	const char *search; /* in any case; or NULL */
	struct browsing_key key; /* after this */
	bool back; /* towards the first page */
	size_t limit; /* at most BROWSING_MAX */
	bool titles; /* it looks in titles and slugs only; set where there are many texts */

	/* What was found, in the order that was asked. */
	struct browsing_one *found;
	size_t count;
	struct browsing_key previous, next; /* of the pages beside this; or none */
	bool cut; /* not all were visited that may fit on this page */
	struct browse_counts counts; /* of all lists, whatever is asked */
};

/* Reads a page. */
void browsing_read(struct ctx *c, struct browsing *b);

#endif
