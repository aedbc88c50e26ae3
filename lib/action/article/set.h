#ifndef ACTION_SET_H
#define ACTION_SET_H
/*
 * Sets fields of an article from text (docs/design.md §6): those of the working copy,
 * and two that act at once.
 *
 *	struct set set = { .move = true };
 *	err = set_read(c, place, name, &set);
 *	err = set_field(c, &set, "title", "Compost");	each field
 *	err = set_write(c, &set);
 *
 * set_write() is the action; it changes the article's workspace (DB_CHANGES_WORKSPACE).
 */
#include <stdint.h>

#include "action/action.h"
#include "action/article/saved.h"
#include "article/article.h"
#include "article/media.h"
#include "base/err.h"

struct set {
	bool move; /* also the slug of a published article */

	const struct article *read; /* as set_read() found it */
	struct snapshot *snapshot; /* the working copy, changed in memory */
	const char *published_url; /* as it will be; NULL: none */
	int64_t created_at; /* as it will be */
	struct media image; /* stored, if has_image */
	bool has_image; /* its row is to be inserted */
	const char *doubt; /* of the last field: what may be wrong, or NULL */

	struct saved saved; /* filled by set_write() */
};

/* Reads the article that is named. */
MAY_REFUSE struct err *
set_read(struct ctx *c, const struct find_place *place, const char *name, struct set *out);

/*
 * Sets one field in memory; "" clears it. Refuses an unknown field and a wrong value.
 * article_save() checks the rest, above all the lengths. A picture file is stored at
 * once; no transaction may be open for that.
 */
MAY_REFUSE struct err *
set_field(struct ctx *c, struct set *set, const char *field, const char *value);

/* Writes the fields. Refuses an article that was changed since set_read(), and another
 * slug of a published article without `move`. */
MAY_REFUSE struct err *set_write(struct ctx *c, struct set *set);

#endif
