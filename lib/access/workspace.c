#include "access/workspace.h"

#include <stddef.h>
#include <string.h>

#include "access/account.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/ctx.h"
#include "base/digest.h"
#include "base/log.h"
#include "base/utf8.h"
#include "base/uuid.h"
#include "content/lang.h"
#include "content/origin.h"
#include "content/url.h"
#include "store/db.h"
#include "store/generation.h"
#include "system/near.h"

/* The columns of a row of `workspace w`, for a join; see apikey.c. */
#define WORKSPACE_COLUMNS                                                                          \
	"w.id, w.uuid, w.account_id, w.name, w.language, w.website,"                               \
	" w.address_pattern, w.publisher_name, w.publisher_logo_url,"                              \
	" w.author_name, w.author_url, w.public_url, w.analytics_enabled,"                         \
	" w.analytics_site_id, w.analytics_origins, w.embed_origins,"                              \
	" w.settings_digest, w.settings_count, w.epoch, w.clock,"                                  \
	" w.announced_at, w.created_at"

#define WORKSPACE_COLUMN_COUNT 22

/* ---- rows */

/* Reads these columns of a row, from column `first` on. */
static void
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
	char uuid[UUID_TEXT];
	struct stmt *q = db_prepare(c,
	    "SELECT " WORKSPACE_COLUMNS " FROM workspace w /*scan*/ WHERE w.deleted_at IS NULL"
	    " AND (w.uuid = :uuid OR (:uuid IS NULL AND w.name = :name)) ORDER BY w.id LIMIT 2",
	    LOOKUP_VALUES(name_or_uuid, uuid));
	struct workspace *found = db_row(q) ? one(c, q) : NULL;

	*many = lookup_is_many(q, found);
	return *many ? NULL : found;
}

struct workspace *
workspace_find_uuid(struct ctx *c, const char *uuid)
{
	struct stmt *q = db_prepare(c,
	    "SELECT " WORKSPACE_COLUMNS
	    " FROM workspace w WHERE w.uuid = :uuid AND w.deleted_at IS NULL",
	    db_t(":uuid", uuid));
	struct workspace *found = db_row(q) ? one(c, q) : NULL;

	db_reset(q);
	return found;
}

static struct err *
look_for_uuid(struct ctx *c, void *arg)
{
	const char **uuid = arg;

	if (workspace_find_uuid(c, *uuid) == NULL)
		*uuid = NULL;
	return NULL;
}

bool
workspace_is_there(struct ctx *c, const char *uuid)
{
	const char *found = uuid;

	return db_aside(c, DB_CONTENT, look_for_uuid, &found) != NULL || found != NULL;
}

struct workspace *
workspace_of(struct ctx *c, int64_t id)
{
	struct stmt *q = db_prepare(
	    c, "SELECT " WORKSPACE_COLUMNS " FROM workspace w WHERE w.id = :id", db_i(":id", id));
	struct workspace *found;

	if (!db_row(q))
		die("workspace %lld is not there", (long long)id);
	found = one(c, q);
	db_reset(q);
	return found;
}

bool
workspace_is_deleted(struct ctx *c, int64_t id)
{
	return db_exists(c, "SELECT 1 FROM workspace WHERE id = :id AND deleted_at IS NOT NULL",
	    db_i(":id", id));
}

struct stmt *
workspace_list(struct ctx *c)
{
	return db_prepare(c,
	    "SELECT " WORKSPACE_COLUMNS " FROM workspace w /*scan*/ WHERE w.deleted_at IS NULL"
	    " ORDER BY w.id");
}

struct stmt *
workspace_list_deleted(struct ctx *c)
{
	return db_prepare(c,
	    "SELECT " WORKSPACE_COLUMNS " FROM workspace w /*scan*/ WHERE w.deleted_at IS NOT NULL"
	    " ORDER BY w.id");
}

struct workspace *
workspace_next(struct ctx *c, struct stmt *q)
{
	return db_row(q) ? one(c, q) : NULL;
}

void
workspace_walk(struct ctx *c, int64_t before,
    bool (*each)(void *arg, const struct workspace_brief *w), void *arg)
{
	struct stmt *q = db_prepare(c,
	    "SELECT id, account_id, name"
	    " FROM workspace /*scan*/ WHERE id < :before AND deleted_at IS NULL ORDER BY id DESC",
	    db_i(":before", before != 0 ? before : INT64_MAX));
	struct workspace_brief w;

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
	return db_insert(c,
	    "INSERT INTO workspace (uuid, account_id, name, language,"
	    " analytics_site_id, settings_digest, epoch, clock, created_at)"
	    " VALUES (:uuid, :account, :name, :language, :site, :digest,"
	    " :epoch, :now, :now) RETURNING id",
	    db_t(":uuid", w->uuid), db_i(":account", w->account_id),
	    db_t(":name", w->settings.name), db_t(":language", w->settings.language),
	    db_t(":site", w->analytics_site_id),
	    db_b(":digest", w->settings_digest, WORKSPACE_DIGEST), db_t(":epoch", w->epoch),
	    db_i(":now", c->now));
}

struct err *
workspace_insert(struct ctx *c, int64_t account_id, const char *name, const char *language,
    struct workspace **out)
{
	struct workspace *w = arena_alloc(c->arena, sizeof(*w));
	char uuid[UUID_TEXT], site[37], epoch[33];

	uuid_random(uuid);
	random_hex(site, 36);
	random_hex(epoch, 32);
	w->uuid = w->settings.workspace_id = uuid;
	w->account_id = account_id;
	w->analytics_site_id = site;
	w->epoch = epoch;
	w->settings.public_url = "";
	TRY(workspace_set(c, w, "name", name));
	TRY(workspace_set(c, w, "language", language));
	effective_digest(&w->settings, w->settings_digest);
	*out = workspace_of(c, insert_row(c, w));
	return NULL;
}

bool
workspace_is_known(struct ctx *c, const char *uuid, const char *site)
{
	return db_exists(c,
	    "SELECT 1 FROM workspace /*scan*/ WHERE uuid = :uuid OR analytics_site_id = :site",
	    db_t(":uuid", uuid), db_t(":site", site));
}

void
workspace_set_ids(struct ctx *c, const struct workspace *w, const char *uuid, const char *site)
{
	db_run(c, "UPDATE workspace SET uuid = :uuid, analytics_site_id = :site WHERE id = :id",
	    db_t(":uuid", uuid), db_t(":site", site), db_i(":id", w->id));
}

static void
update_row(struct ctx *c, const struct workspace *w)
{
	const struct settings *s = &w->settings;

	db_run(c,
	    "UPDATE workspace SET name = :name, language = :language,"
	    " website = :website, address_pattern = :pattern,"
	    " publisher_name = :publisher, publisher_logo_url = :logo,"
	    " author_name = :author, author_url = :author_url,"
	    " public_url = :public_url, analytics_enabled = :analytics,"
	    " analytics_origins = :origins, embed_origins = :embed,"
	    " settings_digest = :digest, settings_count = :count WHERE id = :id",
	    db_t(":name", s->name), db_t(":language", s->language), db_t(":website", s->website),
	    db_t(":pattern", s->address_pattern), db_t(":publisher", s->publisher_name),
	    db_t(":logo", s->publisher_logo_url), db_t(":author", s->author_name),
	    db_t(":author_url", s->author_url), db_t(":public_url", s->public_url),
	    db_i(":analytics", w->analytics_enabled), db_t(":origins", w->analytics_origins),
	    db_t(":embed", w->embed_origins), db_b(":digest", w->settings_digest, WORKSPACE_DIGEST),
	    db_i(":count", w->settings_count), db_i(":id", w->id));
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
	bool many;

	TRY(gate_pass(c));
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
workspace_undelete(struct ctx *c, const struct workspace *w)
{
	db_run(c, "UPDATE workspace SET deleted_at = NULL WHERE id = :id", db_i(":id", w->id));
}

void
workspace_delete(struct ctx *c, const struct workspace *w)
{
	db_run(c,
	    "UPDATE workspace SET deleted_at = :now, website = NULL, address_pattern = NULL,"
	    " publisher_name = NULL, publisher_logo_url = NULL,"
	    " author_name = NULL, author_url = NULL, analytics_enabled = 0,"
	    " analytics_origins = '', embed_origins = '' WHERE id = :id",
	    db_i(":now", c->now), db_i(":id", w->id));
	db_run(c,
	    "UPDATE workspace_more SET pages_title = '',"
	    " pages_accent = '', pages_font = 'system', pages_width = :width"
	    " WHERE workspace_id = :workspace",
	    db_i(":width", WORKSPACE_PAGES_WIDTH), db_i(":workspace", w->id));
}

bool
workspace_is_sound(const struct workspace *w)
{
	unsigned char digest[WORKSPACE_DIGEST];

	effective_digest(&w->settings, digest);
	return memcmp(digest, w->settings_digest, WORKSPACE_DIGEST) == 0;
}

int64_t
workspace_take_public_url(struct ctx *c, const char *public_url)
{
	int64_t changed = 0;
	struct workspace *w;
	struct stmt *q;

	for (;;) {
		q = db_prepare(c,
		    "SELECT " WORKSPACE_COLUMNS " FROM workspace w /*scan*/"
		    " WHERE w.public_url <> :url AND w.deleted_at IS NULL LIMIT 1",
		    db_t(":url", public_url));
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
	differs = db_exists(c,
	    "SELECT 1 FROM workspace /*scan*/"
	    " WHERE public_url <> :url AND deleted_at IS NULL LIMIT 1",
	    db_t(":url", public_url));
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
	struct stmt *q = db_prepare(c,
	    "SELECT id, clock FROM workspace WHERE id > :id ORDER BY id LIMIT 1", db_i(":id", *id));
	bool found = db_row(q);

	if (found) {
		*id = db_int(q, 0);
		*clock = db_int(q, 1);
	}
	db_reset(q);
	return found;
}

void
workspace_draw_epochs(struct ctx *c)
{
	char drawn[33];
	int64_t id = 0, clock = 0;

	random_hex(drawn, 32 - EPOCH_BEGAN);
	while (next_clock(c, &id, &clock))
		db_run(c, "UPDATE workspace SET epoch = :epoch WHERE id = :id",
		    db_t(":epoch",
			arena_printf(c->arena, "%016llx%s", (unsigned long long)clock, drawn)),
		    db_i(":id", id));
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

/* ---- the fields that an operator sets, and what each may hold */

#define NAME_MAX_CHARS 200
#define PATTERN_MAX_BYTES 500
#define ORIGINS_MAX_BYTES 4000

typedef struct err *setter(struct ctx *c, struct workspace *w, const char *name, const char *value);

/* Returns NULL for "": empty settings are NULL. */
static const char *
or_null(struct ctx *c, const char *value)
{
	return value[0] == '\0' ? NULL : arena_text(c->arena, value);
}

static struct err *
check_line(struct ctx *c, const char *name, const char *value)
{
	if (utf8_length(value) > NAME_MAX_CHARS)
		return err_param(
		    c, name, tr_mark("%s has at most %d characters."), name, NAME_MAX_CHARS);
	if (utf8_forbidden(value, true) != NULL)
		return err_param(
		    c, name, tr_mark("%s must be one line without control characters."), name);
	return NULL;
}

static struct err *
set_name(struct ctx *c, struct workspace *w, const char *name, const char *value)
{
	struct err *err;

	if (value[0] == '\0')
		return err_param(c, name, tr_mark("A workspace needs a name."));
	err = check_line(c, name, value);
	/* An older name stays as it is. */
	if (err == NULL && !utf8_is_seen(value) &&
	    (w->settings.name == NULL || strcmp(w->settings.name, value) != 0))
		err = err_param(c, name,
		    tr_mark("A name must have a visible character, and no invisible ones."));
	w->settings.name = arena_text(c->arena, value);
	return err;
}

static struct err *
set_language(struct ctx *c, struct workspace *w, const char *name, const char *value)
{
	return subtag_read(c, name, value, w->settings.language, &w->settings.language);
}

static struct err *
set_website(struct ctx *c, struct workspace *w, const char *name, const char *value)
{
	w->settings.website = NULL;
	if (value[0] == '\0')
		return NULL;
	w->settings.website = url_clean_origin(c->arena, value);
	if (w->settings.website == NULL)
		return err_param(c, name,
		    tr_mark(
			"The website is an https address without a path, such as https://www.example.com; a path belongs in address_pattern."));
	return NULL;
}

/* Returns whether the value is a pattern: a path with one {slug} and no character
 * that a path cannot contain. */
static bool
is_pattern(const char *value)
{
	const char *slug = strstr(value, "{slug}");

	if (value[0] != '/' || value[1] == '/' || slug == NULL ||
	    strstr(slug + 1, "{slug}") != NULL || strlen(value) > PATTERN_MAX_BYTES)
		return false;
	for (const char *p = value; *p != '\0'; p++) {
		if (p == slug)
			p += strlen("{slug}");
		if (*p == '\0')
			break;
		if ((unsigned char)*p <= 0x20 || *p == 0x7F || strchr("?#{}\\\"'<>^`|", *p) != NULL)
			return false;
	}
	return true;
}

static struct err *
set_address_pattern(struct ctx *c, struct workspace *w, const char *name, const char *value)
{
	w->settings.address_pattern = or_null(c, value);
	if (value[0] != '\0' && !is_pattern(value))
		return err_param(c, name,
		    tr_mark(
			"The address pattern is a path that holds {slug} once, such as /blog/{slug}/."));
	return NULL;
}

static struct err *
set_publisher_name(struct ctx *c, struct workspace *w, const char *name, const char *value)
{
	w->settings.publisher_name = or_null(c, value);
	return check_line(c, name, value);
}

static struct err *
set_author_name(struct ctx *c, struct workspace *w, const char *name, const char *value)
{
	w->settings.author_name = or_null(c, value);
	return check_line(c, name, value);
}

static struct err *
web_address(struct ctx *c, const char **slot, const char *name, const char *value)
{
	*slot = NULL;
	if (value[0] == '\0')
		return NULL;
	*slot = url_clean_web(c->arena, value);
	if (*slot == NULL)
		return err_param(
		    c, name, tr_mark("%s must be an absolute https or http address."), name);
	return NULL;
}

static struct err *
set_publisher_logo_url(struct ctx *c, struct workspace *w, const char *name, const char *value)
{
	return web_address(c, &w->settings.publisher_logo_url, name, value);
}

static struct err *
set_author_url(struct ctx *c, struct workspace *w, const char *name, const char *value)
{
	return web_address(c, &w->settings.author_url, name, value);
}

static struct err *
set_analytics_enabled(struct ctx *c, struct workspace *w, const char *name, const char *value)
{
	bool on = strcmp(value, "true") == 0 || strcmp(value, "on") == 0;

	w->analytics_enabled = on;
	if (!on && value[0] != '\0' && strcmp(value, "false") != 0 && strcmp(value, "off") != 0)
		return err_param(c, name, tr_mark("%s must be true or false."), name);
	return NULL;
}

/* Reads origins separated by commas or spaces; they are stored as browsers write them, each once,
 * with one space between them. */
static struct err *
origins(struct ctx *c, const char **slot, const char *name, const char *value, bool local)
{
	struct buf b;

	buf_init(&b, c->arena, ORIGINS_MAX_BYTES);
	while (*value != '\0') {
		size_t len = strcspn(value, ", ");
		const char *text = arena_text_n(c->arena, value, len);
		const char *origin = origin_clean(c->arena, text, local);
		if (len > 0 && origin == NULL)
			return err_param(c, name,
			    tr_mark(
				"%s is not an origin: write https://host, several separated by commas."),
			    text);
		if (len > 0)
			buf_printf(&b, "%s%s", b.len > 0 ? " " : "", origin);
		value += len + (value[len] != '\0');
	}
	if (buf_full(&b))
		return err_param(c, name, tr_mark("%s has too many origins."), name);
	*slot = origin_clean_list(c->arena, b.data, local);
	return NULL;
}

static struct err *
set_analytics_origins(struct ctx *c, struct workspace *w, const char *name, const char *value)
{
	return origins(c, &w->analytics_origins, name, value, false);
}

static struct err *
set_embed_origins(struct ctx *c, struct workspace *w, const char *name, const char *value)
{
	return origins(c, &w->embed_origins, name, value, true);
}

const char *const workspace_fields[] = { "name", "language", "website", "address_pattern",
	"publisher_name", "publisher_logo_url", "author_name", "author_url", "analytics_enabled",
	"analytics_origins", "embed_origins", NULL };

static setter *const setters[] = { set_name, set_language, set_website, set_address_pattern,
	set_publisher_name, set_publisher_logo_url, set_author_name, set_author_url,
	set_analytics_enabled, set_analytics_origins, set_embed_origins };

struct err *
workspace_set(struct ctx *c, struct workspace *w, const char *field, const char *value)
{
	if (!utf8_valid(value, strlen(value)))
		return err_param(c, field, tr_mark("The value is not UTF-8 text."));
	for (size_t i = 0; workspace_fields[i] != NULL; i++) {
		if (strcmp(workspace_fields[i], field) == 0)
			return setters[i](c, w, field, value);
	}
	return err_hint(c,
	    err_param(c, field, tr_mark("A workspace has no field %s%s"), field,
		near_question(c->arena, near_among(field, workspace_fields))),
	    HINT_WORKSPACE_FIELDS, NULL);
}

/* ---- origins that an earlier release stored, in the form of browsers */

/* A workspace whose origins change. */
struct settled {
	int64_t id;
	const char *analytics, *embed;
};

/* Returns whether a list may hold what no browser writes: bytes that are percent-encoded, the port
 * 443, a dot at the end, an IPv6 address. */
static bool
is_doubtful(const char *list)
{
	size_t len = strlen(list);

	return strpbrk(list, "%[") != NULL || strstr(list, ":443") != NULL ||
	       strstr(list, ". ") != NULL || strstr(list, ".:") != NULL ||
	       (len > 0 && list[len - 1] == '.');
}

/* Finds the first one after `id`. */
static bool
find_next(struct ctx *c, int64_t id, struct settled *out)
{
	struct stmt *q = db_prepare(c,
	    "SELECT id, analytics_origins, embed_origins"
	    " FROM workspace WHERE id > :id AND (analytics_origins <> ''"
	    " OR embed_origins <> '') ORDER BY id /*scan*/",
	    db_i(":id", id));
	bool found = false;

	while (!found && db_row(q)) {
		const char *analytics = db_text(q, 1), *embed = db_text(q, 2);
		if (!is_doubtful(analytics) && !is_doubtful(embed))
			continue;
		out->id = db_int(q, 0);
		out->analytics = origin_clean_list(c->arena, analytics, false);
		out->embed = origin_clean_list(c->arena, embed, true);
		found = strcmp(analytics, out->analytics) != 0 || strcmp(embed, out->embed) != 0;
	}
	db_reset(q);
	return found;
}

int64_t
workspace_settle_origins(struct ctx *c)
{
	struct settled s = { .id = 0 };
	int64_t settled = 0;
	bool found;

	db_begin_read(c, DB_CONTENT);
	found = find_next(c, 0, &s);
	db_commit(c);
	if (!found)
		return 0;
	db_begin_write(c, DB_CONTENT, DB_CHANGES_ALL, 0, 0);
	for (s.id = 0; find_next(c, s.id, &s); settled++)
		db_run(c,
		    "UPDATE workspace SET analytics_origins = :analytics,"
		    " embed_origins = :embed WHERE id = :id",
		    db_t(":analytics", s.analytics), db_t(":embed", s.embed), db_i(":id", s.id));
	db_commit(c);
	return settled;
}

/* ---- time zones */

const char *
time_zone_of(struct ctx *c, int64_t workspace_id)
{
	return db_one_text(c, "UTC",
	    "SELECT time_zone FROM workspace_more WHERE workspace_id = :workspace",
	    db_i(":workspace", workspace_id));
}

const char *
time_zone_of_account(struct ctx *c, int64_t account_id, const char *only)
{
	struct stmt *q = db_prepare(c,
	    "SELECT w.uuid, coalesce(m.time_zone, 'UTC')"
	    " FROM workspace w /*scan*/ LEFT JOIN workspace_more m ON m.workspace_id = w.id"
	    " WHERE w.account_id = :account AND w.deleted_at IS NULL",
	    db_i(":account", account_id));
	const char *name = NULL;
	bool differ = false;

	while (db_row(q)) {
		if (only != NULL && strcmp(db_text(q, 0), only) != 0)
			continue;
		differ = differ || (name != NULL && strcmp(db_text(q, 1), name) != 0);
		name = db_text(q, 1);
	}
	return name != NULL && !differ ? name : "UTC";
}

void
time_zone_set(struct ctx *c, int64_t workspace_id, const char *name)
{
	db_run(c,
	    "INSERT INTO workspace_more (workspace_id, time_zone) VALUES (:workspace, :name)"
	    " ON CONFLICT (workspace_id) DO UPDATE SET time_zone = excluded.time_zone",
	    db_i(":workspace", workspace_id), db_t(":name", name));
}

/* ---- counters of run/generation */

/* Commits. If a writer died before, db_commit() writes even if the transaction
 * changed nothing. */
static void
commit_under(struct ctx *c, enum db_change change, int64_t workspace_id)
{
	db_begin_write(c, DB_CONTENT, change, workspace_id, 0);
	db_commit(c);
}

static int64_t
next_workspace(struct ctx *c, int64_t after)
{
	struct stmt *q;
	int64_t id;

	db_begin_read(c, DB_CONTENT);
	q = db_prepare(c, "SELECT id FROM workspace WHERE id > :after ORDER BY id LIMIT 1",
	    db_i(":after", after));
	id = db_row(q) ? db_int(q, 0) : 0;
	db_commit(c);
	return id;
}

int64_t
workspace_repair_counters(struct ctx *c)
{
	int64_t id = 0, repaired = 0;

	while ((id = next_workspace(c, id)) != 0) {
		if (!generation_is_broken(c, id))
			continue;
		commit_under(c, DB_CHANGES_WORKSPACE, id);
		repaired++;
	}
	if (generation_is_broken(c, 0)) {
		commit_under(c, DB_CHANGES_KEYS, 0);
		repaired++;
	}
	return repaired;
}
