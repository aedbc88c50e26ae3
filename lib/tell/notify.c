#include "tell/notify.h"

#include "base/ctx.h"
#include "base/digest.h"
#include "store/db.h"

#define COLUMNS                                                                                    \
	"w.id, w.uuid, m.notify_url, m.notify_set_at, m.notify_secret,"                            \
	" a.verified, a.suspended, w.announced_at, w.settings_digest,"                             \
	" w.settings_count, w.analytics_enabled, w.analytics_origins,"                             \
	" w.embed_origins, w.epoch, m.withdrawn"

static void
from_row(struct stmt *q, struct notify *out)
{
	struct digest d;
	const void *settings;
	size_t len;

	*out = (struct notify) { .workspace_id = db_int(q, 0),
		.workspace = db_text(q, 1),
		.url = db_is_null(q, 2) ? "" : db_text(q, 2),
		.set_at = db_int(q, 3),
		.secret = db_int(q, 4),
		.epoch = db_text(q, 13),
		.announced_at = db_int(q, 7),
		.rests = db_int(q, 5) == 0 || db_int(q, 6) != 0 };
	digest_begin(&d, NOTIFY_MARK, "galley ping mark 1");
	digest_int(&d, out->announced_at);
	settings = db_bytes(q, 8, &len);
	digest_bytes(&d, settings, len);
	digest_int(&d, db_int(q, 9));
	digest_int(&d, db_int(q, 10));
	digest_text(&d, db_text(q, 11));
	digest_text(&d, db_text(q, 12));
	digest_int(&d, db_int(q, 14));
	digest_end(&d, out->mark);
}

bool
notify_find(struct ctx *c, const char *workspace, struct notify *out)
{
	struct stmt *q = db_prepare(c, "SELECT " COLUMNS " FROM workspace w"
				       " JOIN account a ON a.id = w.account_id"
				       " LEFT JOIN workspace_more m ON m.workspace_id = w.id"
				       " WHERE w.uuid = :uuid AND w.deleted_at IS NULL");
	bool found;

	db_bind_text(q, ":uuid", workspace);
	found = db_row(q);
	if (found)
		from_row(q, out);
	db_reset(q);
	return found;
}

void
notify_list(struct ctx *c, void (*each)(void *arg, const struct notify *n), void *arg)
{
	struct stmt *q =
	    db_prepare(c, "SELECT " COLUMNS " FROM workspace_more m"
			  " JOIN workspace w ON w.id = m.workspace_id"
			  " JOIN account a ON a.id = w.account_id"
			  " WHERE m.notify_url <> '' AND w.deleted_at IS NULL /*scan*/");
	struct notify n;

	while (db_row(q)) {
		from_row(q, &n);
		each(arg, &n);
	}
}

const char *
notify_url_of(struct ctx *c, int64_t workspace_id)
{
	struct stmt *q = db_prepare(c, "SELECT notify_url FROM workspace_more"
				       " WHERE workspace_id = :workspace");
	const char *url;

	db_bind_int(q, ":workspace", workspace_id);
	url = db_row(q) ? db_text(q, 0) : "";
	db_reset(q);
	return url;
}

static void
clear(struct ctx *c, int64_t workspace_id)
{
	struct stmt *q = db_prepare(c, "UPDATE workspace_more SET notify_url = ''"
				       " WHERE workspace_id = :workspace");

	db_bind_int(q, ":workspace", workspace_id);
	db_run(q);
}

static void
set(struct ctx *c, int64_t workspace_id, const char *url)
{
	struct stmt *q = db_prepare(c,
	    "INSERT INTO workspace_more"
	    " (workspace_id, notify_url, notify_set_at) VALUES (:workspace, :url, :now)"
	    " ON CONFLICT (workspace_id) DO UPDATE SET notify_url = excluded.notify_url,"
	    " notify_set_at = excluded.notify_set_at"
	    " WHERE workspace_more.notify_url <> excluded.notify_url");

	db_bind_int(q, ":workspace", workspace_id);
	db_bind_text(q, ":url", url);
	db_bind_int(q, ":now", c->now);
	db_run(q);
}

void
notify_set_url(struct ctx *c, int64_t workspace_id, const char *url)
{
	if (url[0] == '\0')
		clear(c, workspace_id);
	else
		set(c, workspace_id, url);
}

int64_t
notify_count_secret(struct ctx *c, int64_t workspace_id)
{
	struct stmt *q = db_prepare(c, "INSERT INTO workspace_more"
				       " (workspace_id, notify_secret) VALUES (:workspace, 1)"
				       " ON CONFLICT (workspace_id) DO UPDATE SET"
				       " notify_secret = workspace_more.notify_secret + 1"
				       " RETURNING notify_secret");
	int64_t number = 0;

	db_bind_int(q, ":workspace", workspace_id);
	if (db_row(q))
		number = db_int(q, 0);
	db_reset(q);
	return number;
}
