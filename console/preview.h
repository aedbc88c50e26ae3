#ifndef PREVIEW_H
#define PREVIEW_H
/* What preview.c and share.c have in common. */
#include "action/article/article-actions.h"
#include "article/desk.h"
#include "console/answer.h"
#include "import/losses.h"

/* What the page shows. */
struct preview {
	struct ctx *c;
	const struct visit *v;
	const char *path; /* of the article, below the root */
	struct look look;
	bool is_published;
	const char *text; /* of the working copy, as its author sees it, and what it loses */
	struct losses losses;
	const char *of, *width, *scheme; /* as they were chosen */
	struct share *shares; /* open links: of the article, or */
	bool share_full; /* of the workspace, which has no room for another one */
	size_t share_count;
	const char **makers; /* who made each */
	const struct form *share_form; /* one that was refused, or NULL */
};

/* Reads the article of the path, and what the query asks for. */
MAY_REFUSE struct err *preview_read(struct ctx *c, const struct visit *v, struct preview *out);

/* Writes the page of a struct preview. */
void preview_write(struct hwrite *w, const void *data);

/* ---- links for strangers (share.c) */

/* Reads the open links, for who may end them. */
MAY_REFUSE struct err *share_read(struct ctx *c, const struct visit *v, struct preview *p);

/* Writes them, and the form for another one. */
void share_write(struct hwrite *w, const struct preview *p);

#endif
