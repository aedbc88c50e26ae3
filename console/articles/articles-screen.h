#ifndef CONSOLE_ARTICLES_SCREEN_H
#define CONSOLE_ARTICLES_SCREEN_H
/* What the list of articles and the acts on many of them share (articles-many.c). */
#include "action/article/article-bulk.h"
#include "action/article/article-search.h"
#include "console/page.h"

/* The list as an address, or the hidden fields of a form, asks for it. */
struct articles {
	const struct page *p;
	struct browsing browsing;
	const char *address; /* of the list, without what is asked */
	const struct statistics_few *views; /* of each that was found; NULL: nothing is counted */
	bool languages; /* those that were found are not in one language alone */
	bool many; /* up to BROWSING_MAX on a page */
	bool ticked; /* all are chosen */
	const struct form *form; /* of the acts on many */
	const struct bulk *told; /* what the last act on many did, or NULL */
	const char *done; /* the number of its form */
};

/* Reads what is asked: `get` returns a parameter's text, or NULL. */
typedef const char *articles_get(struct ctx *c, const struct visit *v, const char *name);
void articles_asked(struct ctx *c, struct visit *v, articles_get *get, struct articles *out);

/* Returns the address of the list below the root, with all that was asked but its page. */
const char *articles_path(const struct articles *l);

/* Returns that address with another state, with or without all else that was asked. */
const char *
articles_of_status(const struct articles *l, enum browsing_status status, bool filtered);

/* The words of an address for the states and the orders. */
extern const char *const articles_statuses[], *const articles_orders[];

/* Writes the toolbar (articles-bar.c). */
void articles_write_bar(struct hwrite *w, const struct articles *l);

/* Reads the page of the list and answers with it. */
void articles_page(struct articles *l, struct reply *reply);

/* Makes the form of the acts that this person has on this list; NULL if there is none. */
struct form *articles_form(struct ctx *c, const struct articles *l);

/* Fills what was asked into the hidden fields of a form that has them: ARTICLES_ASKED. */
void articles_fill(struct form *f, const struct articles *l);

/* Writes what l->told did: the act, the articles, the reasons, and the way back
 * (articles-many.c). */
void articles_write_told(struct hwrite *w, const struct articles *l);

#define ARTICLES_ASKED                                                                             \
	{ .name = "status", .kind = FIELD_HIDDEN }, { .name = "language", .kind = FIELD_HIDDEN },  \
	    { .name = "tag", .kind = FIELD_HIDDEN }, { .name = "author", .kind = FIELD_HIDDEN },   \
	    { .name = "search", .kind = FIELD_HIDDEN }, { .name = "order", .kind = FIELD_HIDDEN }, \
	{                                                                                          \
		.name = "many", .kind = FIELD_HIDDEN                                               \
	}

#endif
