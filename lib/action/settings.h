#ifndef ACTION_SETTINGS_H
#define ACTION_SETTINGS_H
/*
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
#include <stdbool.h>
#include <stddef.h>

#include "access/workspace.h"
#include "action/action.h"
#include "base/err.h"

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
	const char *sample; /* an address of before (workspace-state.h), or NULL */
};

/* Reads the workspace of `place`. */
MAY_REFUSE struct err *
settings_read(struct ctx *c, const struct find_place *place, struct settings_change *out);

/* The field that is no column of the workspace (access/time-zone.h): "" is UTC. */
#define SETTINGS_TIME_ZONE "time_zone"

/* The other one (tell/notify.h): the address that is told of changes, for accounts that are
 * verified. */
#define SETTINGS_NOTIFY_URL "notify_url"

/* The word of the pages (access/word.h); "": none. Pages have other fields, too
 * (access/pages-look.h). A change of these is one of everything (DB_CHANGES_ALL): a word leads
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
	const char *before, *after; /* addresses of an article (workspace-state.h), or NULL */
};

/* Tells what settings_write() would do now, in a transaction that only reads. */
MAY_REFUSE struct err *
settings_effect(struct ctx *c, const struct settings_change *change, struct settings_effect *out);

/* Writes the fields to the workspace as it is by then: all of them or none. A name that
 * another workspace has is not refused: API clients see it, too. Refuses a workspace that
 * was deleted or restored at the same time. */
MAY_REFUSE struct err *settings_write(struct ctx *c, struct settings_change *change);

#endif
