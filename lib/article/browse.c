#include "article/browse.h"

#include <string.h>

#include "article/row.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "base/jread.h"
#include "base/log.h"
#include "content/lang.h"
#include "store/db.h"

#define ALL                                                                                        \
	"SELECT " ROW_WHOLE ", a.tags FROM article a"                                              \
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
browse_contents(struct ctx *c, const struct browse *b,
    void (*each)(void *arg, const struct article *a, const char *content, size_t len), void *arg)
{
	struct stmt *q =
	    db_prepare(c, "SELECT " ROW_WHOLE ", a.content FROM article a"
			  " WHERE a.workspace_id = :workspace AND a.status = :status" DOWN(
			      "created_at") " /*many*/");
	struct article a;

	db_bind_int(q, ":workspace", b->workspace_id);
	db_bind_text(q, ":status", article_status_name(b->status));
	db_bind_int(q, ":limit", b->limit);
	while (db_row(q)) {
		const char *content;
		size_t len;
		row_whole(q, &a);
		content = db_bytes(q, ROW_WHOLE_COUNT, &len);
		each(arg, &a, content, len);
	}
}

void
browse_working_copies(struct ctx *c, const struct browse *b, struct arena *scratch,
    void (*each)(void *arg, const struct article *a, const struct snapshot *copy), void *arg)
{
	struct stmt *q = db_prepare(c,
	    "SELECT " ROW_WHOLE
	    ", " ROW_SNAPSHOT_OF("a.") " FROM article a WHERE a.workspace_id = :workspace AND a.status = :status" DOWN(
		"created_at") " /*many*/");
	struct arena *kept = c->arena;
	struct snapshot copy;
	struct article a;

	db_bind_int(q, ":workspace", b->workspace_id);
	db_bind_text(q, ":status", article_status_name(b->status));
	db_bind_int(q, ":limit", b->limit);
	while (db_row(q)) {
		row_whole(q, &a);
		c->arena = scratch;
		row_snapshot_at(c, q, ROW_WHOLE_COUNT, &copy);
		c->arena = kept;
		each(arg, &a, &copy);
		arena_reset(scratch);
	}
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

/* ---- what articles have */

#define WORDS_FROM 50 /* articles of each status */

struct gathering {
	struct ctx *c;
	struct browse_words *out;
	const char *languages[BROWSE_LANGUAGES_MAX], *tags[BROWSE_TAGS_MAX]; /* folded */
};

/* Adds a word to two lists, as it is and folded, unless it is there or all places are taken. */
static void
gather(struct ctx *c, const char **list, const char **folded, size_t *count, size_t max,
    const char *word)
{
	const char *key = *count < max ? lang_fold(c->arena, word) : NULL;
	size_t i = 0;

	while (key != NULL && i < *count && strcmp(folded[i], key) != 0)
		i++;
	if (key == NULL || i < *count)
		return;
	list[*count] = arena_text(c->arena, word);
	folded[(*count)++] = key;
}

static json_t *
parse_tags(struct ctx *c, const char *tags)
{
	json_t *list;

	if (jread_parse(c, "tags", tags, strlen(tags), &list) != NULL)
		die("stored tags are not JSON: %s", tags);
	return list;
}

static bool
gather_words(void *arg, const struct article *a, const char *tags)
{
	struct gathering *g = arg;
	json_t *list = parse_tags(g->c, tags), *tag;
	size_t i;

	gather(g->c, g->out->languages, g->languages, &g->out->language_count, BROWSE_LANGUAGES_MAX,
	    a->language);
	json_array_foreach(list, i, tag)
		gather(g->c, g->out->tags, g->tags, &g->out->tag_count, BROWSE_TAGS_MAX,
		    json_string_value(tag));
	return g->out->tag_count < BROWSE_TAGS_MAX;
}

void
browse_words(struct ctx *c, int64_t workspace_id, struct browse_words *out)
{
	static const enum article_status statuses[] = { ARTICLE_DRAFT, ARTICLE_PUBLISHED };
	struct gathering g = { .c = c, .out = out };

	memset(out, 0, sizeof(*out));
	for (size_t i = 0; i < sizeof(statuses) / sizeof(statuses[0]); i++)
		browse_articles(c,
		    &(struct browse) {
			.workspace_id = workspace_id, .status = statuses[i], .limit = WORDS_FROM },
		    gather_words, &g);
}

bool
browse_has_tag(struct ctx *c, const char *tags, const char *folded)
{
	json_t *list = parse_tags(c, tags), *tag;
	bool found = false;
	size_t i;

	json_array_foreach(list, i, tag)
		found = found || strcmp(lang_fold(c->arena, json_string_value(tag)), folded) == 0;
	return found;
}
