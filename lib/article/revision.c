#include "article/revision.h"

#include <string.h>

#include "article/article.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "base/digest.h"
#include "base/uuid.h"
#include "export/export.h"
#include "store/db.h"
#include "system/fault.h"

/* ---- tokens */

#define TOKEN_BYTES 16

static void
finish(struct digest *d, const char *prefix, char out[TOKEN_TEXT])
{
	memcpy(out, prefix, 3);
	digest_end_hex(d, out + 3);
}

/* Makes a revision of an export. A request for a list makes one for each article:
 * without an address it is one block of BLAKE2b, 128 bytes. */
void
token_export(const struct workspace *w, const struct article *a, char out[TOKEN_TEXT])
{
	bool published = a->status == ARTICLE_PUBLISHED;
	struct digest d;

	digest_begin(&d, TOKEN_BYTES, "export " EXPORT_SCHEMA_VERSION);
	digest_int(&d, EXPORT_RENDERER);
	digest_fixed(&d, w->settings_digest, WORKSPACE_DIGEST);
	digest_fixed(&d, a->uuid, UUID_TEXT - 1);
	digest_fixed(&d, published ? a->edition_digest : a->digest, ARTICLE_DIGEST);
	digest_int(&d, a->version * 2 + published);
	digest_int(&d, published ? a->first_published_at : 0);
	digest_int(&d, published ? a->modified_at : 0);
	digest_text(&d, a->published_url);
	finish(&d, "x1_", out);
}

void
token_settings(const struct workspace *w, char out[TOKEN_TEXT])
{
	struct digest d;

	digest_begin(&d, TOKEN_BYTES, "galley settings revision 1");
	digest_int(&d, EXPORT_RENDERER);
	digest_text(&d, EXPORT_SCHEMA_VERSION);
	digest_bytes(&d, w->settings_digest, WORKSPACE_DIGEST);
	digest_text(&d, w->epoch);
	digest_int(&d, w->settings_count);
	finish(&d, "s1_", out);
}

void
token_manifest(
    const char settings[TOKEN_TEXT], const char *uuid, int64_t changed_at, char out[TOKEN_TEXT])
{
	struct digest d;

	digest_begin(&d, TOKEN_BYTES, "galley manifest 1");
	digest_text(&d, settings);
	digest_text(&d, uuid);
	digest_int(&d, changed_at);
	finish(&d, "m1_", out);
}

void
token_base(const struct article *a, char out[TOKEN_TEXT])
{
	memcpy(out, "b1_", 3);
	digest_hex(out + 3, a->digest, ARTICLE_DIGEST);
}

/* ---- the change clock */

/* This is longer than the feed's overlap of five minutes (docs/contract.md
 * §4.4.2). */
#define OLD_AFTER (360 * CLOCK_SECOND)

int64_t
change_stamp(struct ctx *c, struct workspace *w)
{
	int64_t stamp = c->now > w->clock ? c->now : w->clock + 1;

	db_run(c, "UPDATE workspace SET clock = :stamp, announced_at = :stamp WHERE id = :id",
	    db_i(":stamp", stamp), db_i(":id", w->id));
	w->clock = w->announced_at = stamp;
	(void)FAULT("change-stamped");
	return stamp;
}

/* Returns the next workspace after `id` whose clock must be moved, or 0. A
 * workspace that never announced a change needs no quiet time. */
static int64_t
next_old(struct ctx *c, int64_t id, int64_t now)
{
	return db_one_int(c, 0,
	    "SELECT id FROM workspace /*scan*/"
	    " WHERE id > :id AND announced_at = clock AND clock < :old ORDER BY id LIMIT 1",
	    db_i(":id", id), db_i(":old", now - OLD_AFTER));
}

/* Settles one workspace. The decision is made again under the lock: a writer may
 * have changed the workspace in between. */
static int64_t
settle_one(struct ctx *c, int64_t id)
{
	int64_t moved;

	db_begin_write(c, DB_CONTENT, DB_CHANGES_WORKSPACE, id, 0);
	moved = db_run_counted(c,
	    "UPDATE workspace SET clock = :now WHERE id = :id"
	    " AND announced_at = clock AND clock < :old",
	    db_i(":now", c->now), db_i(":old", c->now - OLD_AFTER), db_i(":id", id));
	db_commit(c);
	return moved;
}

int64_t
change_settle(struct ctx *c)
{
	int64_t id = 0, moved = 0;

	for (;;) {
		db_begin_read(c, DB_CONTENT);
		id = next_old(c, id, c->now);
		db_commit(c);
		if (id == 0)
			return moved;
		moved += settle_one(c, id);
	}
}
