#ifndef ACTION_ACTION_H
#define ACTION_ACTION_H
/*
 * What people may change, one change each. The operator's commands call these functions,
 * and every other way in must call them, too: they hold the rules.
 *
 * An action is a function of this floor that
 * - takes what was asked and fills in what became of it, or refuses;
 * - is one transaction of its own: ACTION() begins it, action_commit() makes it last, and any other
 *   return undoes it;
 * - names in its declaration what it changes (struct action_scope);
 * - asks nobody, prints nothing and reads no arguments.
 *
 *	struct err *
 *	key_revoke(struct ctx *c, const char *within, const char *id, struct apikey **out)
 *	{
 *		struct apikey *k;
 *
 *		ACTION(c, action_begin(c, &scope));
 *		TRY(find(c, within, id, &k));
 *		apikey_revoke(c, k->id);
 *		*out = apikey_find(c, k->uuid);
 *		return action_commit(c);
 *	}
 *
 * This file holds what actions have in common: how they begin and end, and how they find what a
 * person names.
 *
 * lib/action: one change each, for commands and screens alike; article/ has those of articles,
 * person/ those of people. Not here: rows, which belong to the floors below, and the words of a
 * shell or a browser. Begin with action.h and instance-actions.c.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "access/account.h"
#include "access/apikey.h"
#include "access/workspace.h"
#include "article/article-row.h"
#include "article/article.h"
#include "base/err.h"
#include "job/job.h"
#include "store/db.h"

struct ctx;

/* What an action changes: what GET answers may show of it, and whose it is. */
struct action_scope {
	enum db_change change;
	int64_t workspace_id; /* of DB_CHANGES_WORKSPACE, else 0 */
	int64_t account_id; /* whose credits or jobs are changed, else 0 */
};

/*
 * Begins the transaction of a function: `begin` is one of the calls below, or one that ends with
 * such a call. From here on each return undoes what was done, a refusal of `begin` too; only
 * action_commit() keeps it. It comes after the declarations, once in a function.
 */
#define ACTION(c, begin)                                                                           \
	__attribute__((cleanup(action_undo))) struct ctx *action_guard = (c);                      \
	(void)action_guard;                                                                        \
	TRY(begin)

/* Makes the transaction last. Returns NULL. */
struct err *action_commit(struct ctx *c);

/* Undoes the transaction if it is open still; for ACTION() alone. */
static inline void
action_undo(struct ctx **c)
{
	db_rollback(*c);
}

/* Begins the transaction, with the write lock held. Sets c->now. Refuses what the gate
 * refuses (base/ctx.h). */
MAY_REFUSE struct err *action_begin(struct ctx *c, const struct action_scope *scope);

/* Begins a transaction of the console's store, with its write lock held: for changes of
 * people. Refuses as action_begin() does, and where people/ is not there. */
MAY_REFUSE struct err *action_begin_console(struct ctx *c);

/* Begins a transaction that only reads, so that everything in it is of one moment. Returns NULL. */
MAY_REFUSE struct err *action_reading(struct ctx *c, enum db_store store);

/* The same for the console's store. Refuses where people/ is not there. */
MAY_REFUSE struct err *action_read_console(struct ctx *c);

/* Refuses a change that a person typed (ERR_UNAVAILABLE) while the disk of the database has
 * less than 16 MiB of space. A write that fails in the middle answers without what was typed;
 * this refusal comes before it, and the page shows the form as it was sent. */
MAY_REFUSE struct err *action_room(struct ctx *c);

/* Begins a change of articles of one workspace: the transaction in the workspace of
 * the article with this id (DB_CHANGES_WORKSPACE). Reads both inside it. Refuses an id that no
 * article has, and a workspace that was deleted or restored from a backup at the same time. */
MAY_REFUSE struct err *
begin_article(struct ctx *c, const char *id, struct workspace **w, struct article **a);

/* Calls `look` in one transaction that only reads, so that everything it finds is of one
 * moment. Returns its refusal. */
MAY_REFUSE struct err *action_read(struct ctx *c, struct err *(*look)(void *arg), void *arg);

/*
 * ---- Finding what a person names
 *
 * Everything has an id, which is a UUID. An account or a
 * workspace may be named by its name where only one has that name. A workspace may be
 * left out where one was chosen, or where there is only one (docs/design.md §6). An
 * article may also be named by its slug, by the beginning of its id, or by its title.
 *
 * A name that nothing has is refused, and the refusal quotes the name. A name that
 * several things have is refused, too: a name never means more than one thing.
 *
 * Call these functions inside a transaction. What they return lives in the arena.
 */

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

/* Finds an article of any status. By its id it is found in any workspace, by another
 * name only in the chosen workspace of `place`, if there is one. */
MAY_REFUSE struct err *
find_article(struct ctx *c, const struct find_place *place, const char *name, struct article **out);

/* Finds an article of any workspace and status by its id. */
MAY_REFUSE struct err *find_article_id(struct ctx *c, const char *id, struct article **out);

/* Finds an article of this workspace and of any status by its id. */
MAY_REFUSE struct err *
find_article_in(struct ctx *c, const struct workspace *w, const char *id, struct article **out);

#define FIND_NEWEST (-1)

/* Finds an edition of the article by its number, or the newest one. */
MAY_REFUSE struct err *
find_edition(struct ctx *c, const struct article *a, int64_t version, struct edition *out);

/*
 * ---- The same in a transaction of its own
 *
 * A person can be asked before anything is changed, and a wrong name changes nothing.
 */

/* Reads the workspace of `place`. */
MAY_REFUSE struct err *
read_workspace(struct ctx *c, const struct find_place *place, struct workspace **out);

/* Reads the article that has this name. */
MAY_REFUSE struct err *
read_article(struct ctx *c, const struct find_place *place, const char *name, struct article **out);

/* Reads the articles that have these names: all or none of them. out[i] is the article
 * of names[i]. */
MAY_REFUSE struct err *read_articles(struct ctx *c, const struct find_place *place,
    const char *const *names, size_t count, struct article **out);

/* Reads an edition of the article; `version` may be FIND_NEWEST. */
MAY_REFUSE struct err *
read_edition(struct ctx *c, const struct article *a, int64_t version, struct edition *out);

/* ---- A name that another account or workspace has already
 *
 * Two things of one name are seldom intended, and the name finds neither of them. */
struct twin {
	const char *article, *noun; /* "a", "workspace" */
	const char *name, *uuid; /* not read if `many` */
	const char *about; /* what tells it from others: "created at …" */
	bool many; /* several have the name */
};

/* Makes the refusal of such a name. */
MAY_REFUSE struct err *twin_refuse(struct ctx *c, const struct twin *twin);

#endif
