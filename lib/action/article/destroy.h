#ifndef ACTION_DESTROY_H
#define ACTION_DESTROY_H
/*
 * Actions that destroy articles of the trash for good. What is to be destroyed is found
 * first, so that a person can be asked; then the articles of each workspace are destroyed
 * in one transaction, which changes that workspace (DB_CHANGES_WORKSPACE).
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "action/action.h"
#include "article/article.h"
#include "article/purge.h"
#include "base/err.h"

/* Articles as they were when they were found; all zero is none. */
struct destroy {
	/* What is asked: a backup that is running keeps the files of the pictures. Of one that
	 * does not wait for it, a later upload removes them. */
	bool waits_not;

	const struct article **articles;
	size_t count;
	size_t room;

	/* Filled by destroy_workspace(), for the articles of that workspace. */
	bool *done;
	struct err **refused; /* of each article: why it was not destroyed, or NULL */
	struct purge_media media; /* pictures that they named */
};

/* Adds an article. */
void destroy_add(struct ctx *c, struct destroy *d, const struct article *a);

/* Adds the articles that came into the trash more than `span` microseconds ago: those of
 * the workspace of `place`; of all workspaces if none is named and none was chosen. */
MAY_REFUSE struct err *
destroy_find_old(struct ctx *c, const struct find_place *place, int64_t span, struct destroy *d);

/* Destroys those articles of `d` that are in this workspace. Each article can be refused
 * alone. */
MAY_REFUSE struct err *destroy_workspace(struct ctx *c, struct destroy *d, int64_t workspace_id);

/* Then destroys the files of the pictures that only those articles named, and returns their
 * number. No transaction may be open. */
size_t destroy_pictures(struct ctx *c, struct destroy *d);

#endif
