#ifndef ACTION_ARTICLE_REDIRECTS_H
#define ACTION_ARTICLE_REDIRECTS_H
/*
 * Old and new addresses of articles (addresses.h) as a text: CSV of all of them, or the redirects
 * of a web server for those that moved.
 *
 *	redirects_begin(&r, c, REDIRECTS_NGINX, &out);
 *	redirects_add(&r, article, old, new);        for each address
 *	redirects_end(&r);
 */
#include <stdbool.h>

#include "base/buf.h"

struct article;
struct ctx;

enum redirects_form { REDIRECTS_CSV, REDIRECTS_APACHE, REDIRECTS_NGINX };

struct redirects {
	struct ctx *c;
	enum redirects_form form;
	struct buf *out;
	struct buf late; /* rules that follow the others */
};

/* Returns whether the form has only what moved (addresses.moved_only). */
bool redirects_moved_only(enum redirects_form form);

/* Writes what comes first. `out` is the caller's. */
void redirects_begin(struct redirects *r, struct ctx *c, enum redirects_form form, struct buf *out);

/* Writes one address. `new` may be NULL in CSV alone. */
void redirects_add(struct redirects *r, const struct article *a, const char *old, const char *new);

/* Writes what comes last. */
void redirects_end(struct redirects *r);

#endif
