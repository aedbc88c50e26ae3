#ifndef ACTION_ARTICLE_ADDRESSES_H
#define ACTION_ARTICLE_ADDRESSES_H
/*
 * Where articles were, and where they are now: articles that came from another program, and
 * published articles whose slug was changed. They are listed, and written as redirects. Nothing is
 * changed.
 */
#include <stdbool.h>

#include "action/action.h"
#include "article/article.h"
#include "base/buf.h"
#include "base/err.h"

struct ctx;

struct addresses {
	struct find_place place; /* whose articles */
	bool moved_only; /* only published ones that have another address now */
	/* Called for each old address, inside the transaction. `new` is NULL if no
	 * address is configured. The texts live until it returns. */
	void (*each)(void *arg, const struct article *a, const char *old, const char *new);
	void *arg;
};

/* Lists them. Refuses what find_workspace() refuses, before the first call. */
MAY_REFUSE struct err *addresses_list(struct ctx *c, const struct addresses *asked);

/*
 * ---- Redirects
 *
 * Old and new addresses of articles as a text: CSV of all of them, or the redirects
 * of a web server for those that moved.
 *
 *	redirects_begin(&r, c, REDIRECTS_NGINX, &out);
 *	redirects_add(&r, article, old, new);        for each address
 *	redirects_end(&r);
 */
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
