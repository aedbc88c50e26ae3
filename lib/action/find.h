#ifndef ACTION_FIND_H
#define ACTION_FIND_H
/*
 * Finds what a person names. Everything has an id, which is a UUID. An account or a
 * workspace may be named by its name where only one has that name. A workspace may be
 * left out where one was chosen, or where there is only one (docs/design.md §6). An
 * article may also be named by its slug, by the beginning of its id, or by its title.
 *
 * A name that nothing has is refused, and the refusal quotes the name. A name that
 * several things have is refused, too: a name never means more than one thing.
 *
 * Call these functions inside a transaction. What they return lives in the arena.
 */
#include <stdbool.h>
#include <stdint.h>

#include "access/account.h"
#include "access/apikey.h"
#include "access/workspace.h"
#include "article/article.h"
#include "article/edition.h"
#include "base/err.h"
#include "job/job.h"

/* The workspace that a person means. */
struct find_place {
	const char *name; /* its id or name; NULL: the chosen one, else the only one */
	const char *chosen; /* id or name of the workspace chosen before, or NULL */
	const char *chosen_by; /* who chose it, for a sentence; with `chosen` */
};

/* Whether the refusal says that a workspace must be named: there are several, and
 * none was chosen. */
bool find_is_unnamed(const struct err *err);

/* Finds an account by its id or name. */
MAY_REFUSE struct err *find_account(struct ctx *c, const char *name, struct account **out);

/* Finds the workspace of `place`. A chosen workspace that does not exist is refused;
 * no other one is taken instead. */
MAY_REFUSE struct err *
find_workspace(struct ctx *c, const struct find_place *place, struct workspace **out);

/* Finds the chosen workspace of `place`; *out is NULL if none was chosen. */
MAY_REFUSE struct err *
find_chosen(struct ctx *c, const struct find_place *place, struct workspace **out);

/* Finds a key by its id, or by the whole key, which its owner has when it has leaked.
 * No refusal quotes a text that may be a key. */
MAY_REFUSE struct err *find_key(struct ctx *c, const char *id, struct apikey **out);

/* Finds an article of any status. By its id it is found in any workspace, by another
 * name only in the chosen workspace of `place`, if there is one. */
MAY_REFUSE struct err *
find_article(struct ctx *c, const struct find_place *place, const char *name, struct article **out);

/* Finds an article of any workspace and status by its id. */
MAY_REFUSE struct err *find_article_id(struct ctx *c, const char *id, struct article **out);

#define FIND_NEWEST (-1)

/* Finds an edition of the article by its number, or the newest one. */
MAY_REFUSE struct err *
find_edition(struct ctx *c, const struct article *a, int64_t version, struct edition *out);

/* Finds a job of any workspace by its id. */
MAY_REFUSE struct err *find_job(struct ctx *c, const char *id, struct job **out);

#endif
