#ifndef ACTION_SAVED_H
#define ACTION_SAVED_H
/* What an action that saved a working copy returns. */
#include <stdbool.h>
#include <stdint.h>

#include "article/article.h"

struct saved {
	const struct article *article;
	int64_t unfinished; /* places that are left to write in the working copy */
	bool moves; /* publishing gives the article another address */
	const char *from; /* then: addresses, or slugs if none is configured */
	const char *to;
};

/* Fills `out`. Call it inside the transaction that saved. */
void
saved_read(struct ctx *c, const struct workspace *w, const struct article *a, struct saved *out);

#endif
