#include "article/browse.h"

#include <string.h>

#include "article/row.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "base/jread.h"
#include "base/log.h"
#include "content/lang.h"
#include "store/db.h"

#define ALL                                                                    \
	"SELECT " ROW_WHOLE ", a.tags FROM article a"                          \
	" WHERE a.workspace_id = :workspace AND a.status = :status"
#define DOWN(time) " ORDER BY a." time " DESC, a.uuid DESC LIMIT :limit"
#define UP(time) " ORDER BY a." time ", a.uuid LIMIT :limit"
#define OLDER(time) " AND (a." time ", a.uuid) < (:at, :uuid)" DOWN(time)
#define NEWER(time) " AND (a." time ", a.uuid) > (:at, :uuid)" UP(time)

static struct stmt *
prepare_created(struct ctx *c, const struct browse *b)
{
	if (b->uuid == NULL)
		return b->up ? db_prepare(c, ALL UP("created_at"))
			     : db_prepare(c, ALL DOWN("created_at"));
	return b->up ? db_prepare(c, ALL NEWER("created_at"))
		     : db_prepare(c, ALL OLDER("created_at"));
}

static struct stmt *
prepare_changed(struct ctx *c, const struct browse *b)
{
	if (b->uuid == NULL)
		return b->up ? db_prepare(c, ALL UP("updated_at") " /*sort*/")
			     : db_prepare(c, ALL DOWN("updated_at") " /*sort*/");
	return b->up ? db_prepare(c, ALL NEWER("updated_at") " /*sort*/")
		     : db_prepare(c, ALL OLDER("updated_at") " /*sort*/");
}

static void
run(struct stmt *q, browse_each *each, void *arg)
{
	struct article a;

	while (db_row(q)) {
		row_whole(q, &a);
		if (!each(arg, &a, db_text(q, ROW_WHOLE_COUNT))) {
			db_reset(q);
			return;
		}
	}
}

void
browse_articles(struct ctx *c, const struct browse *b, browse_each *each, void *arg)
{
	struct stmt *q = b->by_change ? prepare_changed(c, b) : prepare_created(c, b);

	db_bind_int(q, ":workspace", b->workspace_id);
	db_bind_text(q, ":status", article_status_name(b->status));
	db_bind_int(q, ":limit", b->limit);
	if (b->uuid != NULL) {
		db_bind_int(q, ":at", b->at);
		db_bind_text(q, ":uuid", b->uuid);
	}
	run(q, each, arg);
}

void
browse_desk(struct ctx *c, const struct browse *b, browse_each *each, void *arg)
{
	struct stmt *q = db_prepare(c, "SELECT " ROW_WHOLE ", a.tags FROM desk d"
	    " JOIN article a ON a.id = d.article_id"
	    " AND a.workspace_id = d.workspace_id"
	    " WHERE d.workspace_id = :workspace LIMIT :limit");

	db_bind_int(q, ":workspace", b->workspace_id);
	db_bind_int(q, ":limit", b->limit);
	run(q, each, arg);
}

bool
browse_has_tag(struct ctx *c, const char *tags, const char *folded)
{
	json_t *list, *tag;
	bool found = false;
	size_t i;

	if (jread_parse(c, "tags", tags, strlen(tags), &list) != NULL)
		die("stored tags are not JSON: %s", tags);
	json_array_foreach(list, i, tag)
		found = found || strcmp(lang_fold(c->arena,
		    json_string_value(tag)), folded) == 0;
	return found;
}
