#ifndef PUBLISH_H
#define PUBLISH_H
/* What publish.c and publish-date.c share: the page "Publish" of one article. */
#include "action/article/ready.h"
#include "action/sites/sites.h"
#include "console/console.h"
#include "import/losses.h"

struct publishing {
	struct ctx *c;
	const struct visit *v;
	const char *path; /* of the article */
	struct ready ready;
	const char *text; /* as its author sees it, and what it loses */
	struct losses losses;
	struct sites *sites; /* of the workspace */
	struct form now;    /* "Publish" */
	struct form later;  /* "Publish at" */
	struct form cancel; /* "Cancel the date" */
};

/* Looks at the article of the path and begins the forms. */
MAY_REFUSE struct err *publish_look(struct ctx *c, struct visit *v,
    struct publishing *p);

/* Writes the page. */
void publish_page(struct publishing *p, struct reply *reply);

/* Begins the forms of the date, and writes them and what is known of the date. */
void publish_date_begin(struct publishing *p);
void publish_date_write(struct hwrite *w, const struct publishing *p);

#endif
