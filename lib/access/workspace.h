#ifndef ACCESS_WORKSPACE_H
#define ACCESS_WORKSPACE_H
/*
 * Content workspaces and their settings (table workspace; docs/contract.md §1, §2.4).
 *
 * The effective publishing settings have a digest, and a counter of how often
 * that digest changed: s1_ (article/revision.h) is made of both, so that it never
 * returns to an earlier value.
 *
 * lib/access: accounts of customers, their workspaces and settings, keys of the API, limits of
 * addresses, what the pages of a workspace show. Not here: people and their rights (lib/people).
 * Begin with workspace.h.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "access/settings.h"
#include "base/err.h"

struct ctx;
struct stmt;

#define WORKSPACE_DIGEST 16
#define WORKSPACE_PAGES_WIDTH 42 /* of its pages, where nobody set one (pages-settings.h) */

struct workspace {
	int64_t id;
	const char *uuid;
	int64_t account_id;
	struct settings settings; /* settings.workspace_id is uuid */
	bool analytics_enabled;
	const char *analytics_site_id; /* 36 hex digits */
	const char *analytics_origins; /* separated by spaces, may be "" */
	const char *embed_origins; /* the same */
	unsigned char settings_digest[WORKSPACE_DIGEST];
	int64_t settings_count;
	const char *epoch; /* 32 hex digits */
	int64_t clock; /* change clock, microseconds */
	int64_t announced_at;
	int64_t created_at;
};

/* The columns of which tokens are made: every request needs them. */
#define WORKSPACE_HEAD                                                                             \
	"w.id, w.uuid, w.account_id, w.settings_digest, w.settings_count,"                         \
	" w.epoch, w.clock"

/* Reads these columns from column `first` on. All other members are NULL, 0 or false:
 * a caller that needs them calls workspace_of(). */
void workspace_head_from_row(struct stmt *q, int first, struct workspace *out);

/* Returns the workspace with this UUID, or with this name if only one workspace has
 * it; else NULL. *many is true if several workspaces have the name. A deleted
 * workspace is never found. */
struct workspace *workspace_find(struct ctx *c, const char *name_or_uuid, bool *many);

/* Returns the workspace with this UUID (in lower case), or NULL if it is not there or was
 * deleted. */
struct workspace *workspace_find_uuid(struct ctx *c, const char *uuid);

/* Returns whether it is there, in a transaction of another store than the content. True where the
 * content cannot be asked now. */
bool workspace_is_there(struct ctx *c, const char *uuid);

/* Returns the workspace with this internal id, deleted or not. Dies if there is none. */
struct workspace *workspace_of(struct ctx *c, int64_t id);

/* Returns whether the workspace with this internal id was deleted. */
bool workspace_is_deleted(struct ctx *c, int64_t id);

/* Begins to list the workspaces that are not deleted, oldest first, or those that were deleted.
 * workspace_next() returns one after the other (arena), then NULL. db_reset() ends it early. */
struct stmt *workspace_list(struct ctx *c);
struct stmt *workspace_list_deleted(struct ctx *c);
struct workspace *workspace_next(struct ctx *c, struct stmt *q);

/* What a list of places says of a workspace. */
struct workspace_brief {
	int64_t id, account_id;
	const char *name; /* no NUL follows */
	size_t name_len;
};

/* Calls `each` for the workspaces that are not deleted, the newest first, of those whose
 * internal id is less than `before` (0: of all), until `each` returns false. It reads the
 * rows of the table one by one: `*w` and its name live only during the call. */
void workspace_walk(struct ctx *c, int64_t before,
    bool (*each)(void *arg, const struct workspace_brief *w), void *arg);

/* Creates a workspace of account `account_id`. Refuses a wrong name or language tag.
 * Names need not be unique. The workspace's clock begins at its creation. */
MAY_REFUSE struct err *workspace_insert(struct ctx *c, int64_t account_id, const char *name,
    const char *language, struct workspace **out);

/* Returns whether a workspace, also a deleted one, has this UUID or this analytics_site_id. */
bool workspace_is_known(struct ctx *c, const char *uuid, const char *site);

/* Gives a workspace that was inserted in this transaction the ids that it had elsewhere. */
void
workspace_set_ids(struct ctx *c, const struct workspace *w, const char *uuid, const char *site);

/*
 * Sets one field of `w` (in memory) from text; "" clears it. The fields are those
 * of docs/design.md §6: name language website address_pattern publisher_name
 * publisher_logo_url author_name author_url analytics_enabled
 * analytics_origins embed_origins. Refuses an unknown field and a wrong value;
 * `param` of the refusal names the field.
 */
MAY_REFUSE struct err *
workspace_set(struct ctx *c, struct workspace *w, const char *field, const char *value);

/* The names of the fields above; NULL ends them. */
extern const char *const workspace_fields[];

/* Writes the fields of `w`. If an effective publishing setting differs from the stored one, counts
 * the change and returns true. */
bool workspace_update(struct ctx *c, struct workspace *w);

/*
 * Begins the writing transaction that changes the articles or settings of `w`,
 * which was read in an earlier one, and reads it again into *out. Refuses
 * (ERR_CONFLICT) if the workspace was deleted or the database restored in
 * between: its internal ids would be those of other rows.
 */
MAY_REFUSE struct err *
workspace_begin(struct ctx *c, const struct workspace *w, struct workspace **out);

/* Does the same for a change that GETs of other workspaces may show (DB_CHANGES_ALL). */
MAY_REFUSE struct err *
workspace_begin_all(struct ctx *c, const struct workspace *w, struct workspace **out);

/* Marks the workspace as deleted and empties its settings. Nothing else of the
 * workspace may be left but revoked keys and jobs that ended. The row stays because
 * the jobs refer to it. */
void workspace_delete(struct ctx *c, const struct workspace *w);

/* The row is that of a workspace again, with what the caller writes into it (a restore). */
void workspace_undelete(struct ctx *c, const struct workspace *w);

/* Returns whether the stored digest of the settings fits the settings (galley
 * verify). */
bool workspace_is_sound(const struct workspace *w);

/* Copies the instance's public_url to every workspace, each as a settings
 * change. `public_url` is that of galley.conf. Returns how many workspaces changed. */
int64_t workspace_take_public_url(struct ctx *c, const char *public_url);

/* Does the same in a transaction of its own, if any workspace has another public_url.
 * Returns how many workspaces changed, or -1 if none had another. Call it outside a
 * transaction. */
int64_t workspace_follow_public_url(struct ctx *c, const char *public_url);

/* Brings the origins that an earlier release stored into the form of browsers
 * (content/origin.h), in a transaction of its own if any is in another one: the
 * job runner does it, for the step of a schema is SQL. Returns how many workspaces changed. Call it
 * outside a transaction. */
int64_t workspace_settle_origins(struct ctx *c);

/* Draws a new epoch for every workspace (restore). The epoch also holds the
 * workspace's clock. */
void workspace_draw_epochs(struct ctx *c);

/* Returns the workspace's clock at the last restore: the present timeline begins there,
 * and what was announced later belongs to another. 0: it was never restored. */
int64_t workspace_began_at(const struct ctx *c, const struct workspace *w);

/*
 * The time zone in which people of a workspace type and read dates: a name that zone_load()
 * knows (system/zone.h), in the table workspace_more. No program of the API reads it. All
 * functions need a transaction of DB_CONTENT.
 */

/* Returns the name (arena); "UTC" where none was set. */
const char *time_zone_of(struct ctx *c, int64_t workspace_id);

/* Returns the name that is set in all workspaces of an account, or in that with the UUID `only`
 * (NULL: all); "UTC" where they differ, or where nothing was set (arena). */
const char *time_zone_of_account(struct ctx *c, int64_t account_id, const char *only);

/* Sets it. The caller has checked that there is such a zone. */
void time_zone_set(struct ctx *c, int64_t workspace_id, const char *name);

/*
 * Repairs the counters of run/generation, so that answers are kept again
 * (docs/speed.md §3, rule 2). A counter is broken after a writer died between its
 * declaration and its end, or after the machine was started again. The repair is
 * one commit under the same declaration.
 */

/* Repairs every broken counter, each in a short transaction of its own. Call it
 * outside a transaction. Returns the number of repaired counters. */
int64_t workspace_repair_counters(struct ctx *c);

#endif
