#ifndef COMMAND_ARTICLE_SET_H
#define COMMAND_ARTICLE_SET_H
/*
 * The fields of an article that an operator sets from text (docs/design.md §6): those
 * of the working copy, and two that act at once.
 */
#include <stdint.h>

#include "article/article.h"
#include "article/media.h"
#include "base/err.h"

struct article_set {
	struct snapshot *snapshot; /* the working copy, changed in memory */
	const char *published_url; /* as it will be; NULL: none */
	int64_t created_at;        /* as it will be */
	struct media image;        /* stored, when has_image */
	bool has_image;            /* its row is to be inserted */
};

/* Names of the fields, ended by NULL. */
extern const char *const article_set_fields[];

/*
 * Sets one field; "" clears. Refuses an unknown field and a wrong value. The
 * rest, lengths above all, is checked by article_save(). A picture file is
 * stored at once; no transaction may be open for that.
 */
MAY_REFUSE struct err *article_set_field(struct ctx *c,
    struct article_set *set, const char *field, const char *value);

#endif
