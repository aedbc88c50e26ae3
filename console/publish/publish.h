#ifndef PUBLISH_H
#define PUBLISH_H
/* What publish.c, publish-date.c and published.c share: the page "Publish" of one article, and what
 * is said behind it. */
#include "action/article/publish-check.h"
#include "action/site-actions.h"
#include "console/answer.h"
#include "import/losses.h"

struct publishing {
	struct ctx *c;
	const struct visit *v;
	const char *path; /* of the article */
	struct ready ready;
	const char *text; /* as its author sees it, and what it loses */
	struct losses losses;
	struct sites *sites; /* of the workspace */
	struct form now; /* "Publish" */
	struct form later; /* "Publish at" */
	struct form cancel; /* "Cancel the date" */
};

/* Looks at the article of the path and begins the forms. */
MAY_REFUSE struct err *publish_look(struct ctx *c, struct visit *v, struct publishing *p);

/* Writes the page. */
void publish_page(struct publishing *p, struct reply *reply);

/* Writes the list of sites, with the state of each. */
void publish_write_sites(struct hwrite *w, const struct sites *sites);

/* Looks where the article is now, for the page that answers "Publish". NULL: the page is not that
 * answer. It is its own transactions. */
struct published;
const struct published *
published_look(struct ctx *c, const struct visit *v, const struct article *a);

/* Writes it, above the editor. */
void published_write(struct hwrite *w, const struct published *p);

/* Begins the forms of the date, and writes them and what is known of the date. */
void publish_date_begin(struct publishing *p);
void publish_date_write(struct hwrite *w, const struct publishing *p);

#endif
