#ifndef PAGES_SITE_H
#define PAGES_SITE_H
/*
 * The pages of a workspace, below /pages/WORD/ (docs/pages.md §1 to §6), as one request asks for
 * them.
 *
 * rows.c	the table of what is there, and the life of a request
 * often.c	the limit for an address
 * handlers-list.c	the list of articles, and the feeds; feed.c
 * handlers-article.c	an article, what is said where there is none, and the workspace's sheet
 * say.c	pages that say a sentence
* page-layout.c	the document around all of them, its script, the workspace's own sheet and its colours
 * item.c	an article, from the bytes that the API answers
 * words.c	the page's language
 * send.c	header fields and the tag
 */
#include "access/pages-settings.h"
#include "access/workspace.h"
#include "web/req.h"

struct site {
	struct req *r;
	const struct workspace *w;
	struct pages_look look;
	const char *word; /* the present one */
	const char *root; /* "/pages" */
	const char *home; /* "/pages/WORD/" */
	const char *title; /* of the pages: their own, or the workspace's name */
	const char *path; /* behind `home`, decoded */
	bool fleeting; /* a handler says so of an answer that nobody should ask for again:
			    * neither we nor others keep it */
};

/* Returns the address of what is at `path` (percent-encoded) with the parameters of the route
 * that were given (arena). */
const char *site_address(struct ctx *c, const struct site *s, const char *path);

#endif
