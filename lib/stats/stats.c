#include "stats/stats.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "access/day-key.h"
#include "access/workspace.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "base/fileio.h"
#include "base/log.h"
#include "base/uuid.h"
#include "store/db.h"
#include "store/migrate.h"
#include "store/schemas.h"
#include "system/conf.h"
#include "system/fault.h"
#include "system/instance.h"

/* ---- the file */

static bool
exists(const char *path)
{
	struct stat st;

	return lstat(path, &st) == 0;
}

const char *
stats_folder(struct ctx *c)
{
	return fileio_path(c->arena, c->instance->home, "stats");
}

bool
stats_create(struct ctx *c)
{
	const char *folder = stats_folder(c);
	struct err *err;
	int64_t from;

	if (!exists(folder) && access(c->instance->home, W_OK) != 0)
		return false;
	if (!fileio_make_folder(folder, 0700))
		return false;
	db_create_beside(c, DB_STATS, db_is_write_ahead(c));
	if (migrate_number(c, DB_STATS) == schemas_number(DB_STATS))
		return true;
	err = migrate_run(c, DB_STATS, &from);
	if (err != NULL)
		log_line("%s", err->message);
	return err == NULL;
}

bool
stats_is_ready(struct ctx *c)
{
	return exists(db_file_of(c, DB_STATS)) &&
	       migrate_number(c, DB_STATS) == schemas_number(DB_STATS);
}

/* ---- reports */

#define ROWS_AT_ONCE 150000

/* Returns the name of a kind, as `galley stats export` prints it. */
static const char *
view_kind_name(enum view_kind kind)
{
	static const char *const names[VIEW_KINDS] = {
		[VIEW_VIEWS] = "views",
		[VIEW_VISITORS] = "visitors",
		[VIEW_PATH] = "path",
		[VIEW_ARTICLE] = "article",
		[VIEW_REFERRER] = "referrer",
		[VIEW_CAMPAIGN] = "campaign",
		[VIEW_LANGUAGE] = "language",
		[VIEW_WIDTH] = "width",
		[VIEW_BOT] = "bot",
		[VIEW_ARTICLE_REFERRER] = "referrer",
	};

	return names[kind];
}

/* Returns viewed.id of a workspace, or -1. */
static int64_t
id_of(struct ctx *c, const char *workspace)
{
	return db_one_int(c, -1, "SELECT id FROM viewed WHERE workspace = :workspace",
	    db_t(":workspace", workspace));
}

/* Returns the id that the article's counts have, 0 for NULL, or -1. */
static int64_t
article_id_of(struct ctx *c, int64_t viewed_id, const char *article)
{
	int64_t id;

	if (article == NULL)
		return 0;
	id = db_one_int(c, -1,
	    "SELECT id FROM viewed_article WHERE viewed_id = :viewed AND article = :article",
	    db_i(":viewed", viewed_id), db_t(":article", article));
	return id;
}

/* The values of a period of a workspace, and of a kind in it. */
#define PERIOD_VALUES(p, id) db_i(":viewed", id), db_i(":from", (p)->from), db_i(":to", (p)->to)
#define KIND_VALUES(c, p, id, kind, article)                                                       \
	PERIOD_VALUES(p, id), db_i(":kind", kind), db_i(":article", article_id_of(c, id, article))

int64_t
report_first_day(struct ctx *c, const char *workspace)
{
	return db_one_int(c, INT64_MAX,
	    "SELECT day FROM view WHERE viewed_id = :viewed AND kind = :kind AND article_id = 0"
	    " ORDER BY day LIMIT 1",
	    db_i(":viewed", id_of(c, workspace)), db_i(":kind", VIEW_VIEWS));
}

void
report_days(struct ctx *c, const struct report_period *p, enum view_kind kind, const char *article,
    void (*each)(void *arg, int64_t day, int64_t count), void *arg)
{
	int64_t id = id_of(c, p->workspace);
	struct stmt *q = db_prepare(c,
	    "SELECT day, count FROM view"
	    " WHERE viewed_id = :viewed AND kind = :kind AND article_id = :article"
	    " AND day >= :from AND day <= :to ORDER BY day",
	    KIND_VALUES(c, p, id, kind, article));

	while (db_row(q))
		each(arg, db_int(q, 0), db_int(q, 1));
}

int64_t
report_sum(struct ctx *c, const struct report_period *p, enum view_kind kind, const char *article)
{
	int64_t id = id_of(c, p->workspace);

	return db_one_int(c, 0,
	    "SELECT SUM(count) FROM view"
	    " WHERE viewed_id = :viewed AND kind = :kind AND article_id = :article"
	    " AND day >= :from AND day <= :to",
	    KIND_VALUES(c, p, id, kind, article));
}

size_t
report_labels(struct ctx *c, const struct report_period *p, enum view_kind kind,
    const char *article, struct report_sum *out, size_t max)
{
	int64_t id = id_of(c, p->workspace);
	struct stmt *q = db_prepare(c,
	    "SELECT label, SUM(count) AS count FROM view"
	    " WHERE viewed_id = :viewed AND kind = :kind AND article_id = :article"
	    " AND day >= :from AND day <= :to GROUP BY label ORDER BY count DESC, label /*sort*/",
	    KIND_VALUES(c, p, id, kind, article));
	int64_t other = 0;
	size_t n = 0;

	while (db_row(q)) {
		const char *label = n < max - 1 ? db_text(q, 0) : NULL;
		if (label == NULL || strcmp(label, VIEW_OTHER) == 0)
			other += db_int(q, 1);
		else
			out[n++] = (struct report_sum) { label, db_int(q, 1) };
	}
	if (other > 0)
		out[n++] = (struct report_sum) { VIEW_OTHER, other };
	return n;
}

/* One article after the other: the counts of each are beside each other, whatever the days. */
size_t
report_articles(
    struct ctx *c, const struct report_period *p, struct report_sum *out, size_t max, size_t *all)
{
	struct stmt *q = db_prepare(c,
	    "SELECT a.article, SUM(v.count) AS count"
	    " FROM viewed_article a JOIN view v ON v.viewed_id = :viewed"
	    " AND v.kind = :kind AND v.article_id = a.id AND v.day >= :from AND v.day <= :to"
	    " WHERE a.viewed_id = :viewed GROUP BY a.article"
	    " ORDER BY count DESC, a.article /*sort*/",
	    PERIOD_VALUES(p, id_of(c, p->workspace)), db_i(":kind", VIEW_ARTICLE));
	size_t n = 0;

	*all = 0;
	while (db_row(q)) {
		if (n < max)
			out[n++] = (struct report_sum) { db_text(q, 0), db_int(q, 1) };
		++*all;
	}
	return n;
}

/* Copies a text of the present row: years have millions of rows, so they are not kept in the
 * arena. */
static const char *
copy(struct stmt *q, int column, char *out, size_t size)
{
	size_t len;
	const void *bytes = db_bytes(q, column, &len);

	len = len < size ? len : size - 1;
	if (len > 0)
		memcpy(out, bytes, len);
	out[len] = '\0';
	return out;
}

bool
report_rows(struct ctx *c, const struct report_period *p, struct report_read *read,
    void (*each)(void *arg, const struct report_row *row), void *arg)
{
	struct stmt *q = db_prepare(c,
	    "SELECT v.day, v.kind, a.article, v.label, v.count, v.article_id"
	    " FROM view v LEFT JOIN viewed_article a ON a.id = v.article_id"
	    " WHERE v.viewed_id = :viewed AND v.day >= :from AND v.day <= :to"
	    " AND (v.day, v.kind, v.article_id, v.label) > (:day, :kind, :article, :label)"
	    " ORDER BY v.day, v.kind, v.article_id, v.label LIMIT :max /*sort*/ /*many*/",
	    PERIOD_VALUES(p, id_of(c, p->workspace)),
	    db_i(":day", read->kind == 0 ? p->from : read->day), db_i(":kind", read->kind),
	    db_i(":article", read->article_id), db_t(":label", arena_text(c->arena, read->label)),
	    db_i(":max", ROWS_AT_ONCE));
	char article[UUID_TEXT];
	int64_t count = 0;

	for (; db_row(q); count++) {
		read->day = db_int(q, 0);
		read->kind = db_int(q, 1);
		read->article_id = db_int(q, 5);
		(void)copy(q, 3, read->label, sizeof(read->label));
		each(arg,
		    &(struct report_row) { read->day, view_kind_name((enum view_kind)read->kind),
			db_is_null(q, 2) ? NULL : copy(q, 2, article, sizeof(article)), read->label,
			db_int(q, 4) });
	}
	return count == ROWS_AT_ONCE;
}

static int64_t
health_of(struct ctx *c, int64_t viewed_id, const struct report_period *p, enum view_health kind)
{
	return db_one_int(c, 0,
	    "SELECT SUM(count) FROM health"
	    " WHERE viewed_id = :viewed AND kind = :kind AND day >= :from AND day <= :to",
	    db_i(":viewed", viewed_id), db_i(":kind", kind), db_i(":from", p->from),
	    db_i(":to", p->to));
}

void
report_health(struct ctx *c, const struct report_period *p, struct report_health *out)
{
	int64_t id = id_of(c, p->workspace);

	out->accepted = health_of(c, id, p, VIEW_ACCEPTED);
	out->refused_origin = health_of(c, id, p, VIEW_REFUSED_ORIGIN);
	out->without_consent = health_of(c, id, p, VIEW_WITHOUT_CONSENT);
	out->limited = health_of(c, 0, p, VIEW_LIMITED);
	out->last_hit_at =
	    db_one_int(c, 0, "SELECT last_hit_at FROM viewed WHERE id = :id", db_i(":id", id));
}

/* ---- removing */

static bool
has_article(enum view_kind kind)
{
	return kind == VIEW_ARTICLE || kind == VIEW_ARTICLE_REFERRER;
}

static void
remove_days(struct ctx *c, int64_t viewed_id, enum view_kind kind, int64_t from, int64_t to)
{
	/* Rows of an article are found by what the kind has, the others by their days. */
	if (has_article(kind))
		db_run(c,
		    "DELETE FROM view WHERE viewed_id = :viewed"
		    " AND kind = :kind AND day >= :from AND day <= :to",
		    db_i(":viewed", viewed_id), db_i(":kind", kind), db_i(":from", from),
		    db_i(":to", to));
	else
		db_run(c,
		    "DELETE FROM view WHERE viewed_id = :viewed"
		    " AND kind = :kind AND article_id = 0 AND day >= :from AND day <= :to",
		    db_i(":viewed", viewed_id), db_i(":kind", kind), db_i(":from", from),
		    db_i(":to", to));
}

static void
remove_health(struct ctx *c, int64_t viewed_id, int64_t from, int64_t to)
{
	db_run(c, "DELETE FROM health WHERE viewed_id = :viewed AND day >= :from AND day <= :to",
	    db_i(":viewed", viewed_id), db_i(":from", from), db_i(":to", to));
}

/* Removes articles that no count names any more. */
static void
remove_articles(struct ctx *c, int64_t viewed_id)
{
	/* What has a referrer of an article has its view, too, and for longer. */
	db_run(c,
	    "DELETE FROM viewed_article WHERE viewed_id = :viewed"
	    " AND id NOT IN (SELECT v.article_id FROM view v WHERE v.viewed_id = :viewed"
	    " AND v.kind = :article)",
	    db_i(":viewed", viewed_id), db_i(":article", VIEW_ARTICLE));
}

static void
remove_place(struct ctx *c, int64_t viewed_id)
{
	remove_health(c, viewed_id, INT64_MIN, INT64_MAX);
	db_run(c, "DELETE FROM viewed WHERE id = :id", db_i(":id", viewed_id));
}

/* Returns whether anything is left of a workspace. */
static bool
has_counts(struct ctx *c, int64_t viewed_id)
{
	return db_exists(c,
	    "SELECT 1 WHERE EXISTS (SELECT 1 FROM view v WHERE v.viewed_id = :viewed)"
	    " OR EXISTS (SELECT 1 FROM health h WHERE h.viewed_id = :viewed)",
	    db_i(":viewed", viewed_id));
}

/* Removes all that is of a workspace on these days, both included. Returns how many views they
 * had. */
static int64_t
view_erase(struct ctx *c, const char *workspace, int64_t from_day, int64_t to_day)
{
	const struct report_period period = {
		.workspace = workspace, .from = from_day, .to = to_day
	};
	int64_t id = id_of(c, workspace), views;

	if (id < 0)
		return 0;
	views = report_sum(c, &period, VIEW_VIEWS, NULL);
	for (int kind = 1; kind < VIEW_KINDS; kind++)
		remove_days(c, id, (enum view_kind)kind, from_day, to_day);
	remove_health(c, id, from_day, to_day);
	db_run(c, "DELETE FROM seen WHERE viewed_id = :viewed AND day >= :from AND day <= :to",
	    db_i(":viewed", id), db_i(":from", from_day), db_i(":to", to_day));
	if (has_counts(c, id))
		remove_articles(c, id);
	else
		remove_place(c, id);
	return views;
}

/* ---- what people erased */

const struct erased *
erased_list(struct ctx *c, size_t *count)
{
	struct stmt *q;
	struct erased *list;
	size_t max = (size_t)db_one_int(c, 0, "SELECT count(*) FROM erased /*scan*/");

	list = arena_array(c->arena, max + 1, sizeof(*list));
	q = db_prepare(c, "SELECT workspace, from_day, to_day, erased_at FROM erased /*scan*/");
	for (*count = 0; *count < max && db_row(q); (*count)++) {
		list[*count] = (struct erased) { .workspace = db_text(q, 0),
			.from_day = db_int(q, 1),
			.to_day = db_int(q, 2),
			.erased_at = db_int(q, 3) };
	}
	db_reset(q);
	return list;
}

/* Removes marks from before this time: nothing older than them is counted any more. */
static void
erased_clean(struct ctx *c, int64_t before)
{
	db_run(c, "DELETE FROM erased WHERE erased_at < :before /*scan*/", db_i(":before", before));
}

/* A mark that takes in earlier ones replaces them. */
static void
mark(struct ctx *c, const char *workspace, int64_t from_day, int64_t to_day)
{
	db_run(c,
	    "DELETE FROM erased WHERE workspace = :workspace"
	    " AND from_day >= :from AND to_day <= :to AND erased_at <= :now",
	    db_t(":workspace", workspace), db_i(":from", from_day), db_i(":to", to_day),
	    db_i(":now", c->now));
	db_run(c,
	    "INSERT INTO erased (workspace, from_day, to_day, erased_at)"
	    " VALUES (:workspace, :from, :to, :now)",
	    db_t(":workspace", workspace), db_i(":from", from_day), db_i(":to", to_day),
	    db_i(":now", c->now));
}

int64_t
erased_run(struct ctx *c, const char *workspace, int64_t from_day, int64_t to_day)
{
	int64_t views;

	db_begin_write(c, DB_STATS, DB_CHANGES_NOTHING, 0, 0);
	views = view_erase(c, workspace, from_day, to_day);
	mark(c, workspace, from_day, to_day);
	(void)FAULT("stats-erased");
	db_commit(c);
	/* What was deleted still is in the log beside the file. */
	if (!db_empty_log(c))
		log_line(
		    "stats.db: others read it: the log beside it keeps what was erased until they have ended");
	return views;
}

/* ---- what is too old */

#define LOOKED_AT 20

/* Returns the first day that is not over everywhere. */
static int64_t
first_living_day(int64_t now)
{
	int64_t day = now / CLOCK_DAY;

	while (day_key_is_alive(day - 1, now))
		day--;
	return day;
}

bool
view_is_old(struct ctx *c)
{
	return db_exists(c, "SELECT 1 FROM seen WHERE day < :day LIMIT 1",
		   db_i(":day", first_living_day(c->now))) ||
	       db_exists(c, "SELECT 1 FROM viewed WHERE looked_at < :before LIMIT 1",
		   db_i(":before", c->now - CLOCK_DAY));
}

/* Removes what is too old of a workspace that exists. */
static void
clean_place(struct ctx *c, int64_t viewed_id, int64_t oldest_day)
{
	int64_t referrers = c->now / CLOCK_DAY - VIEW_REFERRER_DAYS;

	db_run(c, "UPDATE viewed SET looked_at = :now WHERE id = :id", db_i(":now", c->now),
	    db_i(":id", viewed_id));
	for (int kind = 1; kind < VIEW_KINDS; kind++)
		remove_days(c, viewed_id, (enum view_kind)kind, INT64_MIN, oldest_day - 1);
	remove_days(c, viewed_id, VIEW_ARTICLE_REFERRER, INT64_MIN, referrers - 1);
	remove_health(c, viewed_id, INT64_MIN, oldest_day - 1);
	remove_articles(c, viewed_id);
}

/* Removes visitors of days that are over everywhere, and looks at the few workspaces that nobody
 * looked at for longest: counts of days before `oldest_day` are removed, and all of a workspace
 * that is not there. */
static void
view_clean(struct ctx *c, int64_t oldest_day)
{
	struct stmt *q;
	struct {
		int64_t id;
		const char *workspace;
	} list[LOOKED_AT];
	size_t count = 0;

	db_run(c, "DELETE FROM seen WHERE day < :day", db_i(":day", first_living_day(c->now)));
	remove_health(c, 0, INT64_MIN, oldest_day - 1);
	q = db_prepare(c,
	    "SELECT id, workspace FROM viewed WHERE looked_at < :before"
	    " ORDER BY looked_at LIMIT :max",
	    db_i(":before", c->now - CLOCK_DAY), db_i(":max", LOOKED_AT));
	while (db_row(q)) {
		list[count].id = db_int(q, 0);
		list[count++].workspace = db_text(q, 1);
	}
	for (size_t i = 0; i < count; i++) {
		if (workspace_is_there(c, list[i].workspace))
			clean_place(c, list[i].id, oldest_day);
		else
			remove_place(c, list[i].id);
	}
}

int64_t
aged_first_day(int64_t now, int64_t months)
{
	char text[CLOCK_TEXT];
	int64_t count, at = 0;
	int day;

	clock_format_date(text, now);
	count = strtol(text, NULL, 10) * 12 + strtol(text + 5, NULL, 10) - 1 - months;
	/* Each month has a 28th. */
	day = (int)strtol(text + 8, NULL, 10);
	(void)snprintf(text, sizeof(text), "%04d-%02d-%02d", (int)(count / 12),
	    (int)(count % 12) + 1, day > 28 ? 28 : day);
	return clock_parse_date(text, &at) ? at / CLOCK_DAY : 0;
}

void
aged_run(struct ctx *c)
{
	struct console_conf conf;
	int64_t first;
	bool old;

	db_begin_read(c, DB_STATS);
	old = view_is_old(c);
	db_rollback(c);
	if (!old)
		return;
	console_conf_read(c, &conf);
	db_begin_write(c, DB_STATS, DB_CHANGES_NOTHING, 0, 0);
	first = aged_first_day(c->now, conf.stats_months);
	view_clean(c, first);
	erased_clean(c, first * CLOCK_DAY);
	(void)FAULT("stats-purged");
	db_commit(c);
}
