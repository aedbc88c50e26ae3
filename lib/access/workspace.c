#include "access/workspace.h"

#include <stddef.h>
#include <string.h>

#include "access/account.h"
#include "access/pages-look.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "base/digest.h"
#include "base/log.h"
#include "base/utf8.h"
#include "base/uuid.h"
#include "store/db.h"

void
workspace_from_row(struct stmt *q, int first, struct workspace *out)
{
	struct settings *s = &out->settings;
	int i = first;

	out->id = db_int(q, i++);
	out->uuid = s->workspace_id = db_text(q, i++);
	out->account_id = db_int(q, i++);
	s->name = db_text(q, i++);
	s->language = db_text(q, i++);
	s->website = db_text(q, i++);
	s->address_pattern = db_text(q, i++);
	s->publisher_name = db_text(q, i++);
	s->publisher_logo_url = db_text(q, i++);
	s->author_name = db_text(q, i++);
	s->author_url = db_text(q, i++);
	s->public_url = db_text(q, i++);
	out->analytics_enabled = db_int(q, i++) != 0;
	out->analytics_site_id = db_text(q, i++);
	out->analytics_origins = db_text(q, i++);
	out->embed_origins = db_text(q, i++);
	db_blob(q, i++, out->settings_digest, WORKSPACE_DIGEST);
	out->settings_count = db_int(q, i++);
	out->epoch = db_text(q, i++);
	out->clock = db_int(q, i++);
	out->announced_at = db_int(q, i++);
	out->created_at = db_int(q, i++);
}

void
workspace_head_from_row(struct stmt *q, int first, struct workspace *out)
{
	int i = first;

	memset(out, 0, sizeof(*out));
	out->id = db_int(q, i++);
	out->uuid = out->settings.workspace_id = db_text(q, i++);
	out->account_id = db_int(q, i++);
	db_blob(q, i++, out->settings_digest, WORKSPACE_DIGEST);
	out->settings_count = db_int(q, i++);
	out->epoch = db_text(q, i++);
	out->clock = db_int(q, i++);
}

static struct workspace *
one(struct ctx *c, struct stmt *q)
{
	struct workspace *w = arena_alloc(c->arena, sizeof(*w));

	workspace_from_row(q, 0, w);
	return w;
}

struct workspace *
workspace_find(struct ctx *c, const char *name_or_uuid, bool *many)
{
	struct stmt *q = db_prepare(c,
	    "SELECT " WORKSPACE_COLUMNS " FROM workspace w /*scan*/ WHERE w.deleted_at IS NULL"
	    " AND (w.uuid = :uuid OR (:uuid IS NULL AND w.name = :name))"
	    " ORDER BY w.id LIMIT 2");
	struct workspace *found = lookup_first(q, name_or_uuid) ? one(c, q) : NULL;

	*many = lookup_is_many(q, found);
	return *many ? NULL : found;
}

struct workspace *
workspace_find_uuid(struct ctx *c, const char *uuid)
{
	struct stmt *q =
	    db_prepare(c, "SELECT " WORKSPACE_COLUMNS
			  " FROM workspace w WHERE w.uuid = :uuid AND w.deleted_at IS NULL");
	struct workspace *found;

	db_bind_text(q, ":uuid", uuid);
	found = db_row(q) ? one(c, q) : NULL;
	db_reset(q);
	return found;
}

struct workspace *
workspace_of(struct ctx *c, int64_t id)
{
	struct stmt *q =
	    db_prepare(c, "SELECT " WORKSPACE_COLUMNS " FROM workspace w WHERE w.id = :id");
	struct workspace *found;

	db_bind_int(q, ":id", id);
	if (!db_row(q))
		die("workspace %lld is not there", (long long)id);
	found = one(c, q);
	db_reset(q);
	return found;
}

bool
workspace_is_deleted(struct ctx *c, int64_t id)
{
	struct stmt *q = db_prepare(c, "SELECT 1 FROM workspace"
				       " WHERE id = :id AND deleted_at IS NOT NULL");
	bool deleted;

	db_bind_int(q, ":id", id);
	deleted = db_row(q);
	db_reset(q);
	return deleted;
}

void
workspace_list(struct ctx *c, void (*each)(void *arg, const struct workspace *workspace), void *arg)
{
	struct stmt *q = db_prepare(c,
	    "SELECT " WORKSPACE_COLUMNS " FROM workspace w /*scan*/ WHERE w.deleted_at IS NULL"
	    " ORDER BY w.id");

	while (db_row(q))
		each(arg, one(c, q));
}

void
workspace_list_deleted(
    struct ctx *c, void (*each)(void *arg, const struct workspace *workspace), void *arg)
{
	struct stmt *q = db_prepare(c,
	    "SELECT " WORKSPACE_COLUMNS " FROM workspace w /*scan*/ WHERE w.deleted_at IS NOT NULL"
	    " ORDER BY w.id");

	while (db_row(q))
		each(arg, one(c, q));
}

void
workspace_walk(struct ctx *c, int64_t before,
    bool (*each)(void *arg, const struct workspace_brief *w), void *arg)
{
	struct stmt *q =
	    db_prepare(c, "SELECT id, account_id, name"
			  " FROM workspace /*scan*/ WHERE id < :before AND deleted_at IS NULL"
			  " ORDER BY id DESC");
	struct workspace_brief w;

	db_bind_int(q, ":before", before != 0 ? before : INT64_MAX);
	while (db_row(q)) {
		w = (struct workspace_brief) { .id = db_int(q, 0), .account_id = db_int(q, 1) };
		w.name = db_bytes(q, 2, &w.name_len);
		if (!each(arg, &w))
			break;
	}
	db_reset(q);
}

/* Computes the digest of the settings that reach an export. It holds the name only if
 * the name is the brand, and whether it is: a publishing check must distinguish a
 * publisher with the workspace's name from no publisher. */
static void
effective_digest(const struct settings *s, unsigned char out[WORKSPACE_DIGEST])
{
	struct digest d;

	digest_begin(&d, WORKSPACE_DIGEST, "galley settings 1");
	digest_text(&d, s->workspace_id);
	digest_text(&d, s->publisher_name != NULL ? s->publisher_name : s->name);
	digest_int(&d, s->publisher_name != NULL);
	digest_text(&d, s->language);
	digest_text(&d, s->website);
	digest_text(&d, s->address_pattern);
	digest_text(&d, s->publisher_logo_url);
	digest_text(&d, s->author_name);
	digest_text(&d, s->author_url);
	digest_text(&d, s->public_url);
	digest_end(&d, out);
}

#define EPOCH_BEGAN                                                                                \
	((size_t)16) /* digits of the clock at the beginning of an epoch
                                  * that a restore drew */

static void
random_hex(char *out, size_t digits)
{
	unsigned char bytes[32];

	uuid_random_bytes(bytes, digits / 2);
	digest_hex(out, bytes, digits / 2);
}

static int64_t
insert_row(struct ctx *c, const struct workspace *w)
{
	struct stmt *q =
	    db_prepare(c, "INSERT INTO workspace (uuid, account_id, name, language,"
			  " analytics_site_id, settings_digest, epoch, clock, created_at)"
			  " VALUES (:uuid, :account, :name, :language, :site, :digest,"
			  " :epoch, :now, :now) RETURNING id");

	db_bind_text(q, ":uuid", w->uuid);
	db_bind_int(q, ":account", w->account_id);
	db_bind_text(q, ":name", w->settings.name);
	db_bind_text(q, ":language", w->settings.language);
	db_bind_text(q, ":site", w->analytics_site_id);
	db_bind_blob(q, ":digest", w->settings_digest, WORKSPACE_DIGEST);
	db_bind_text(q, ":epoch", w->epoch);
	db_bind_int(q, ":now", c->now);
	return db_insert(q);
}

struct err *
workspace_insert(struct ctx *c, int64_t account_id, const char *name, const char *language,
    struct workspace **out)
{
	struct workspace *w = arena_alloc(c->arena, sizeof(*w));
	char uuid[UUID_TEXT], site[37], epoch[33];
	struct err *err;

	uuid_random(uuid);
	random_hex(site, 36);
	random_hex(epoch, 32);
	w->uuid = w->settings.workspace_id = uuid;
	w->account_id = account_id;
	w->analytics_site_id = site;
	w->epoch = epoch;
	w->settings.public_url = "";
	err = workspace_set(c, w, "name", name);
	if (err == NULL)
		err = workspace_set(c, w, "language", language);
	if (err != NULL)
		return err;
	effective_digest(&w->settings, w->settings_digest);
	*out = workspace_of(c, insert_row(c, w));
	return NULL;
}

static void
update_row(struct ctx *c, const struct workspace *w)
{
	const struct settings *s = &w->settings;
	struct stmt *q = db_prepare(c, "UPDATE workspace SET name = :name, language = :language,"
				       " website = :website, address_pattern = :pattern,"
				       " publisher_name = :publisher, publisher_logo_url = :logo,"
				       " author_name = :author, author_url = :author_url,"
				       " public_url = :public_url, analytics_enabled = :analytics,"
				       " analytics_origins = :origins, embed_origins = :embed,"
				       " settings_digest = :digest, settings_count = :count"
				       " WHERE id = :id");

	db_bind_text(q, ":name", s->name);
	db_bind_text(q, ":language", s->language);
	db_bind_text(q, ":website", s->website);
	db_bind_text(q, ":pattern", s->address_pattern);
	db_bind_text(q, ":publisher", s->publisher_name);
	db_bind_text(q, ":logo", s->publisher_logo_url);
	db_bind_text(q, ":author", s->author_name);
	db_bind_text(q, ":author_url", s->author_url);
	db_bind_text(q, ":public_url", s->public_url);
	db_bind_int(q, ":analytics", w->analytics_enabled);
	db_bind_text(q, ":origins", w->analytics_origins);
	db_bind_text(q, ":embed", w->embed_origins);
	db_bind_blob(q, ":digest", w->settings_digest, WORKSPACE_DIGEST);
	db_bind_int(q, ":count", w->settings_count);
	db_bind_int(q, ":id", w->id);
	db_run(q);
}

bool
workspace_update(struct ctx *c, struct workspace *w)
{
	struct workspace *stored = workspace_of(c, w->id);
	bool changed;

	effective_digest(&w->settings, w->settings_digest);
	changed = memcmp(w->settings_digest, stored->settings_digest, WORKSPACE_DIGEST) != 0;
	w->settings_count = stored->settings_count + (changed ? 1 : 0);
	update_row(c, w);
	return changed;
}

/* Reads the workspace again in the transaction that has begun. */
static struct err *
begun(struct ctx *c, const struct workspace *w, struct workspace **out)
{
	struct err *err = gate_pass(c);
	bool many;

	if (err != NULL)
		return err;
	*out = workspace_find(c, w->uuid, &many);
	if (*out != NULL && (*out)->id == w->id && strcmp((*out)->epoch, w->epoch) == 0)
		return NULL;
	return refuse(c, ERR_CONFLICT,
	    tr_mark(
		"The workspace was deleted, or the database restored from a backup meanwhile; nothing was changed. Say it again."));
}

struct err *
workspace_begin(struct ctx *c, const struct workspace *w, struct workspace **out)
{
	db_begin_write(c, DB_CONTENT, DB_CHANGES_WORKSPACE, w->id, 0);
	return begun(c, w, out);
}

struct err *
workspace_begin_all(struct ctx *c, const struct workspace *w, struct workspace **out)
{
	db_begin_write(c, DB_CONTENT, DB_CHANGES_ALL, 0, 0);
	return begun(c, w, out);
}

void
workspace_delete(struct ctx *c, const struct workspace *w)
{
	struct stmt *q =
	    db_prepare(c, "UPDATE workspace SET"
			  " deleted_at = :now, website = NULL, address_pattern = NULL,"
			  " publisher_name = NULL, publisher_logo_url = NULL,"
			  " author_name = NULL, author_url = NULL, analytics_enabled = 0,"
			  " analytics_origins = '', embed_origins = ''"
			  " WHERE id = :id");

	db_bind_int(q, ":now", c->now);
	db_bind_int(q, ":id", w->id);
	db_run(q);
	pages_look_reset(c, w->id);
}

bool
workspace_is_sound(const struct workspace *w)
{
	unsigned char digest[WORKSPACE_DIGEST];

	effective_digest(&w->settings, digest);
	return memcmp(digest, w->settings_digest, WORKSPACE_DIGEST) == 0;
}

static bool
public_url_differs(struct ctx *c, const char *public_url)
{
	struct stmt *q = db_prepare(c, "SELECT 1 FROM workspace /*scan*/"
				       " WHERE public_url <> :url AND deleted_at IS NULL LIMIT 1");
	bool differs;

	db_bind_text(q, ":url", public_url);
	differs = db_row(q);
	db_reset(q);
	return differs;
}

int64_t
workspace_take_public_url(struct ctx *c, const char *public_url)
{
	int64_t changed = 0;
	struct workspace *w;
	struct stmt *q;

	for (;;) {
		q = db_prepare(c, "SELECT " WORKSPACE_COLUMNS " FROM workspace w /*scan*/"
				  " WHERE w.public_url <> :url AND w.deleted_at IS NULL"
				  " LIMIT 1");
		db_bind_text(q, ":url", public_url);
		if (!db_row(q))
			return changed;
		w = one(c, q);
		db_reset(q);
		w->settings.public_url = public_url;
		workspace_update(c, w);
		changed++;
	}
}

int64_t
workspace_follow_public_url(struct ctx *c, const char *public_url)
{
	int64_t changed;
	bool differs;

	db_begin_read(c, DB_CONTENT);
	differs = public_url_differs(c, public_url);
	db_commit(c);
	if (!differs)
		return -1;
	db_begin_write(c, DB_CONTENT, DB_CHANGES_ALL, 0, 0);
	changed = workspace_take_public_url(c, public_url);
	db_commit(c);
	return changed;
}

/* Reads the id and the clock of the workspace after `*id`; false if there is none. */
static bool
next_clock(struct ctx *c, int64_t *id, int64_t *clock)
{
	struct stmt *q = db_prepare(c, "SELECT id, clock FROM workspace"
				       " WHERE id > :id ORDER BY id LIMIT 1");
	bool found;

	db_bind_int(q, ":id", *id);
	found = db_row(q);
	if (found) {
		*id = db_int(q, 0);
		*clock = db_int(q, 1);
	}
	db_reset(q);
	return found;
}

static void
set_epoch(struct ctx *c, int64_t id, const char *epoch)
{
	struct stmt *q = db_prepare(c, "UPDATE workspace SET epoch = :epoch"
				       " WHERE id = :id");

	db_bind_text(q, ":epoch", epoch);
	db_bind_int(q, ":id", id);
	db_run(q);
}

void
workspace_draw_epochs(struct ctx *c)
{
	char drawn[33];
	int64_t id = 0, clock = 0;

	random_hex(drawn, 32 - EPOCH_BEGAN);
	while (next_clock(c, &id, &clock))
		set_epoch(
		    c, id, arena_printf(c->arena, "%016llx%s", (unsigned long long)clock, drawn));
}

int64_t
workspace_began_at(const struct ctx *c, const struct workspace *w)
{
	int64_t at = 0;

	for (size_t i = 0; i < EPOCH_BEGAN; i++) {
		char digit = w->epoch[i];
		if (i == 0 && digit != '0')
			return 0;
		at = at << 4 | (digit <= '9' ? digit - '0' : digit - 'a' + 10);
	}
	return at <= c->now ? at : 0;
}
