#ifndef ACTION_WORKSPACE_ACTIONS_H
#define ACTION_WORKSPACE_ACTIONS_H
/* Actions on workspaces: create, show, list, change their settings, delete. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "access/account.h"
#include "access/apikey.h"
#include "access/workspace.h"
#include "action/action.h"
#include "base/err.h"
#include "job/job.h"
#include "system/work.h"

/* A new workspace. */
struct workspace_order {
	const char *account; /* id or name of the account that owns it */
	const char *name;
	const char *language;
	const char *website; /* or NULL */
	const char *time_zone; /* or NULL: UTC */
	bool another; /* another workspace may have this name */
	bool within; /* only the names of this account count: others are not told of */
};

/* Creates a workspace with the public_url of the instance. Refuses a name that another workspace
 * has, unless `another`. Two workspaces of one name are seldom intended, and the name finds neither
 * of them. `param` of a refused value names the field. Changes everything (DB_CHANGES_ALL). */
MAY_REFUSE struct err *
workspace_create(struct ctx *c, const struct workspace_order *order, struct workspace **out);

/* Calls `show` for the workspace of `place`, inside the transaction. */
MAY_REFUSE struct err *workspace_show(struct ctx *c, const struct find_place *place,
    void (*show)(void *arg, const struct workspace *workspace), void *arg);

/* Calls `each` for every workspace that is not deleted, oldest first, inside the
 * transaction. */
void workspace_show_all(
    struct ctx *c, void (*each)(void *arg, const struct workspace *workspace), void *arg);

/* The first customer of an instance: an account that may order, a workspace and a key
 * that reads its articles. */
struct first_site {
	const char *name; /* of the account and of the workspace */
	const char *language;
	const char *website; /* or NULL */
	const char *label; /* of the key */
	struct account *account;
	struct workspace *workspace;
	struct apikey *apikey;
	char key[APIKEY_LENGTH + 1]; /* the only copy; the caller must clear it */
};

/* Refuses what workspace_create_site() would refuse, without a database. */
MAY_REFUSE struct err *workspace_check_site(struct ctx *c, const struct first_site *site);

/* Creates all three; fills the last four members. Changes everything
 * (DB_CHANGES_ALL). */
MAY_REFUSE struct err *workspace_create_site(struct ctx *c, struct first_site *site);

/*
 * ---- Settings
 *
 * Changes settings of a workspace from text (docs/design.md §6):
 *
 *	struct settings_change change;
 *	err = settings_read(c, place, &change);
 *	err = settings_field(c, &change, "website", "https://example.com");	each field
 *	err = settings_write(c, &change);
 *
 * settings_write() is the action; it changes the workspace (DB_CHANGES_WORKSPACE), its pages
 * DB_CHANGES_ALL.
 */
struct settings_change {
	const struct workspace *read; /* as settings_read() found it */
	const char *time_zone; /* the same */
	const char *notify_url; /* the same; "": none */
	struct workspace tried; /* with the fields, in memory */
	struct settings_pair {
		const char *field, *value;
		const char *seen; /* what the person saw and changes, or NULL */
	} * pairs; /* the fields, in their order */
	size_t count;
	bool take; /* `pages` may be a word of a deleted workspace: the operator's shell alone */

	/* Filled by settings_write(). */
	struct workspace *changed; /* as it is afterwards */
	bool announced; /* an export may be another one now */
	bool word_is_left; /* the word of its pages was one of a deleted workspace */
	bool renamed_as_another; /* another workspace has its new name */
	const char *sample; /* an earlier address (article/content-state.h), or NULL */
};

/* Reads the workspace of `place`. */
MAY_REFUSE struct err *
settings_read(struct ctx *c, const struct find_place *place, struct settings_change *out);

/* The field that is no column of the workspace (access/workspace.h): "" is UTC. */
#define SETTINGS_TIME_ZONE "time_zone"

/* The other one (notify/notify-url.h): the address that is told of changes, for accounts that are
 * verified. */
#define SETTINGS_NOTIFY_URL "notify_url"

/* The word of the pages (access/pages-settings.h); "": there is none. Pages have other fields, too
 * (pages_look there). A change of these is one of everything (DB_CHANGES_ALL): a word leads
 * to another workspace. */
#define SETTINGS_PAGES "pages"

/* Adds a field; "" clears it. `value` must live as long as `change`. Refuses an unknown
 * field and a wrong value. */
MAY_REFUSE struct err *
settings_field(struct ctx *c, struct settings_change *change, const char *field, const char *value);

/* Returns a field's value as settings_field() takes it; "": it is empty. Those two
 * need a transaction. */
const char *settings_value(struct ctx *c, const struct workspace *w, const char *field);

/* Adds a field as settings_field() does. settings_write() will refuse (ERR_CONFLICT, `param` is
 * the field) if somebody else has changed it from `seen` to another value. */
MAY_REFUSE struct err *settings_field_seen(struct ctx *c, struct settings_change *change,
    const char *field, const char *seen, const char *value);

/* What a change would do. */
struct settings_effect {
	bool reaches; /* it reaches the exports */
	int64_t announced; /* published articles that are announced again */
	const char *before, *after; /* addresses of an article (article/content-state.h), or NULL */
};

/* Tells what settings_write() would do now, in a transaction that only reads. */
MAY_REFUSE struct err *
settings_effect(struct ctx *c, const struct settings_change *change, struct settings_effect *out);

/* Writes the fields to the workspace as it is by then: all of them or none. A name that
 * another workspace has is not refused: API clients see it, too. Refuses a workspace that
 * was deleted or restored at the same time. */
MAY_REFUSE struct err *settings_write(struct ctx *c, struct settings_change *change);

/*
 * ---- Deletion
 *
 * Deletes a workspace for good: a work (system/work.h) of many transactions.
 *
 *	struct deletion d = { .work = &work };
 *	err = deletion_find(c, place, &d);
 *	…					a person is asked
 *	err = deletion_run(c, &d);
 *
 * The first transaction revokes the keys of the workspace and cancels its open jobs: from
 * then on nobody reads the workspace, and no job writes into it. A provider that is at
 * work finds that its lease is gone. The articles are destroyed next, some in each
 * transaction, then the workspace and the pictures that nothing else names. A work that
 * was stopped or killed leaves a workspace without keys that has fewer articles; the same
 * work again does the rest.
 */
struct deletion {
	const struct work *work; /* the caller's */
	/* Is called with the id of each job that was cancelled, or NULL. */
	void (*cancelled)(void *arg, const char *uuid);
	void *arg; /* the caller's */

	/* Filled by deletion_find(). */
	struct workspace *workspace;
	const struct account *account;
	int64_t found; /* articles, the trash included */

	/* Filled by deletion_run(), also when it refuses. */
	const char **jobs; /* ids of those that were open */
	size_t job_count;
	int64_t credits; /* that these jobs had reserved */
	int64_t articles, keys;
	size_t pictures;
};

/* Finds the workspace of `place`. */
MAY_REFUSE struct err *
deletion_find(struct ctx *c, const struct find_place *place, struct deletion *d);

/* Refuses a text that is not the name of the workspace. */
MAY_REFUSE struct err *deletion_confirm(struct ctx *c, const struct deletion *d, const char *typed);

/* Deletes it. Refuses a workspace that was deleted or restored at the same time, and when
 * it must stop: nothing of what was destroyed comes back. */
MAY_REFUSE struct err *deletion_run(struct ctx *c, struct deletion *d);

#endif
