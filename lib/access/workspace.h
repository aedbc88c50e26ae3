#ifndef ACCESS_WORKSPACE_H
#define ACCESS_WORKSPACE_H
/*
 * Content workspaces and their settings (table workspace; docs/contract.md §1, §2.4).
 *
 * The effective publishing settings have a digest, and a counter of how often
 * that digest changed: s1_ (article/token.h) is made of both, so that it never
 * returns to an earlier value.
 */
#include <stdbool.h>
#include <stdint.h>

#include "access/settings.h"
#include "base/err.h"

struct stmt;

#define WORKSPACE_DIGEST 16

struct workspace {
	int64_t id;
	const char *uuid;
	int64_t account_id;
	struct settings settings; /* settings.workspace_id is uuid */
	bool analytics_enabled;
	const char *analytics_site_id; /* 36 hex digits */
	const char *analytics_origins; /* separated by blanks, may be "" */
	const char *embed_origins;     /* the same */
	unsigned char settings_digest[WORKSPACE_DIGEST];
	int64_t settings_count;
	const char *epoch; /* 32 hex digits */
	int64_t clock;     /* change clock, microseconds */
	int64_t announced_at;
	int64_t created_at;
};

/* The columns of a row of `workspace w`, for a join; see apikey.c. */
#define WORKSPACE_COLUMNS                                                      \
	"w.id, w.uuid, w.account_id, w.name, w.language, w.website,"           \
	" w.address_pattern, w.publisher_name, w.publisher_logo_url,"          \
	" w.author_name, w.author_url, w.public_url, w.analytics_enabled,"     \
	" w.analytics_site_id, w.analytics_origins, w.embed_origins,"          \
	" w.settings_digest, w.settings_count, w.epoch, w.clock,"              \
	" w.announced_at, w.created_at"
#define WORKSPACE_COLUMN_COUNT 22

/* Reads those columns from `first` on. */
void workspace_from_row(struct stmt *q, int first, struct workspace *out);

/* What of it every request needs: the columns that tokens are made of. */
#define WORKSPACE_HEAD                                                         \
	"w.id, w.uuid, w.account_id, w.settings_digest, w.settings_count,"     \
	" w.epoch, w.clock"

/* Reads those from `first` on, and leaves the others NULL, 0 or false: whoever
 * needs them asks workspace_of(). */
void workspace_head_from_row(struct stmt *q, int first, struct workspace *out);

/* By uuid, or by a name that only one workspace has; NULL when there is none,
 * or more than one of the name (then *many is true). A deleted one is none. */
struct workspace *workspace_find(struct ctx *c, const char *name_or_uuid,
    bool *many);

/* By the id inside, deleted or not. Dies when there is none. */
struct workspace *workspace_of(struct ctx *c, int64_t id);

/* Whether the workspace with the id inside was deleted. */
bool workspace_is_deleted(struct ctx *c, int64_t id);

/* Calls `each` for every workspace that is not deleted, oldest first. */
void workspace_list(struct ctx *c,
    void (*each)(void *arg, const struct workspace *workspace), void *arg);

/* Makes one of `account_id`. Refuses a wrong name or language tag. Names need
 * not be unique. Its clock begins at its creation. */
MAY_REFUSE struct err *workspace_insert(struct ctx *c, int64_t account_id,
    const char *name, const char *language, struct workspace **out);

/*
 * Sets one field of `w` (in memory) from text, "" clears; the fields are those
 * of docs/design.md §6: name language website address_pattern publisher_name
 * publisher_logo_url author_name author_url analytics_enabled
 * analytics_origins embed_origins. Refuses an unknown field and a wrong value,
 * param naming the field.
 */
MAY_REFUSE struct err *workspace_set(struct ctx *c, struct workspace *w,
    const char *field, const char *value);

/* Names of the fields above, ended by NULL. */
extern const char *const workspace_fields[];

/* Writes the fields of `w`; when an effective publishing setting differs from
 * what is stored, counts the change. True then. */
bool workspace_update(struct ctx *c, struct workspace *w);

/*
 * Begins the writing transaction that changes the articles or settings of `w`,
 * which was read in an earlier one, and reads it anew into *out. Refuses
 * (ERR_CONFLICT) when the workspace was deleted or the database restored in
 * between: inside ids would be those of other rows.
 */
MAY_REFUSE struct err *workspace_begin(struct ctx *c,
    const struct workspace *w, struct workspace **out);

/* Marks it as deleted and blanks its settings; nothing of it may be left but
 * revoked keys and jobs that ended (command-workspace-delete.c). The row stays
 * for the jobs' sake. */
void workspace_delete(struct ctx *c, const struct workspace *w);

/* Whether its settings' digest is that of its settings (galley verify). */
bool workspace_is_sound(const struct workspace *w);

/* Copies the instance's public_url to every workspace, each as a settings
 * change; returns how many changed. `public_url` is that of galley.conf. */
int64_t workspace_take_public_url(struct ctx *c, const char *public_url);
/* Whether there is a workspace with another public_url. */
bool workspace_public_url_differs(struct ctx *c, const char *public_url);

/* Draws a new epoch for every workspace (restore); it keeps the workspace's clock. */
void workspace_draw_epochs(struct ctx *c);
/* The clock of the state from which the present timeline of the workspace goes on,
 * since a restore: what was announced later is of another. 0: it was never restored. */
int64_t workspace_began_at(const struct ctx *c, const struct workspace *w);

#endif
