#ifndef PREVIEW_H
#define PREVIEW_H
/* What preview.c and share.c have in common. */
#include "action/article/look.h"
#include "console/console.h"

/* What the page shows. */
struct preview {
	struct ctx *c;
	const struct visit *v;
	const char *path; /* of the article, below the root */
	struct look look;
	bool is_published;
	const char *of, *width, *scheme; /* as they were chosen */
};

/* Reads the article of the path, and what the query asks for. */
MAY_REFUSE struct err *preview_read(struct ctx *c, const struct visit *v,
    struct preview *out);

/* Writes the page of a struct preview. */
void preview_write(struct hwrite *w, const void *data);

#endif
