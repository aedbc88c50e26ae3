#include "article/desk/comment.h"

#include <string.h>

#include "article/desk/text-room.h"
#include "base/ctx.h"
#include "base/log.h"
#include "store/db.h"

static const char *const kinds[] = { [COMMENT_SAID] = "said",
	[COMMENT_HANDED_IN] = "handed-in",
	[COMMENT_HANDED_BACK] = "handed-back",
	[COMMENT_TAKEN_BACK] = "taken-back" };

#define KINDS (sizeof(kinds) / sizeof(kinds[0]))

static enum comment_kind
kind_of(const char *name)
{
	for (size_t i = 0; i < KINDS; i++) {
		if (strcmp(kinds[i], name) == 0)
			return (enum comment_kind)i;
	}
	die("comment: the kind %s is not known", name);
}

/* Drops the oldest ones. */
static void
trim(struct ctx *c, const struct article *a)
{
	struct stmt *q =
	    db_prepare(c, "DELETE FROM comment WHERE article_id = :article"
			  " AND id <= (SELECT id FROM comment WHERE article_id = :article"
			  " ORDER BY id DESC LIMIT 1 OFFSET :kept)");

	db_bind_int(q, ":article", a->id);
	db_bind_int(q, ":kept", COMMENT_KEPT);
	db_run(q);
}

void
comment_insert(struct ctx *c, const struct article *a, enum comment_kind kind, const char *person,
    const char *text)
{
	struct stmt *q = db_prepare(c, "INSERT INTO comment"
				       " (article_id, created_at, person, kind, text)"
				       " VALUES (:article, :now, :person, :kind, :text)");

	db_bind_int(q, ":article", a->id);
	db_bind_int(q, ":now", c->now);
	db_bind_text(q, ":person", person);
	db_bind_text(q, ":kind", kinds[kind]);
	db_bind_text(q, ":text", text);
	db_run(q);
	text_room_took(c, strlen(text) + TEXT_ROOM_ROW);
	trim(c, a);
}

void
comment_list(struct ctx *c, const struct article *a, int64_t limit,
    void (*each)(void *arg, const struct comment *comment), void *arg)
{
	struct stmt *q = db_prepare(c, "SELECT created_at, person, kind, text"
				       " FROM comment WHERE article_id = :article ORDER BY id DESC"
				       " LIMIT :limit");

	db_bind_int(q, ":article", a->id);
	db_bind_int(q, ":limit", limit);
	while (db_row(q)) {
		const struct comment comment = { .at = db_int(q, 0),
			.person = db_text(q, 1),
			.kind = kind_of(db_text(q, 2)),
			.text = db_text(q, 3) };
		each(arg, &comment);
	}
}
