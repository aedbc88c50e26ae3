#include "article/desk/save.h"

#include <string.h>

#include "article/desk/text-room.h"
#include "article/row.h"
#include "article/token.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "base/log.h"
#include "base/percent.h"
#include "store/db.h"

#define COLUMNS "s.id, s.saved_at, s.person, s.title, s.text, s.digest, s.automatic"

static void
from_row(struct stmt *q, struct save *out)
{
	out->id = db_int(q, 0);
	out->saved_at = db_int(q, 1);
	out->person = db_text(q, 2);
	out->title = db_text(q, 3);
	out->text = db_text(q, 4);
	db_blob(q, 5, out->digest, ARTICLE_DIGEST);
	out->automatic = db_int(q, 6) != 0;
}

static bool
one(struct stmt *q, struct save *out)
{
	bool found = db_row(q);

	if (found)
		from_row(q, out);
	db_reset(q);
	return found;
}

/* Drops the oldest ones, but for the one that is to be published at a date. */
static void
trim(struct ctx *c, const struct article *a)
{
	struct stmt *q = db_prepare(c, "SELECT id FROM save WHERE article_id = :article"
				       " ORDER BY id DESC LIMIT 1 OFFSET :kept");
	int64_t last = 0;

	db_bind_int(q, ":article", a->id);
	db_bind_int(q, ":kept", SAVE_KEPT);
	if (db_row(q))
		last = db_int(q, 0);
	db_reset(q);
	if (last == 0)
		return;
	q = db_prepare(c, "DELETE FROM save WHERE article_id = :article AND id <= :last"
			  " AND NOT EXISTS (SELECT 1 FROM desk d WHERE d.article_id = :article"
			  " AND d.publish_save = save.id)");
	db_bind_int(q, ":article", a->id);
	db_bind_int(q, ":last", last);
	db_run(q);
	save_was_trim(c, a, last);
}

bool
save_token(const char *token, unsigned char out[ARTICLE_DIGEST])
{
	if (strlen(token) != TOKEN_TEXT - 1 || strncmp(token, "b1_", 3) != 0)
		return false;
	for (size_t i = 0; i < ARTICLE_DIGEST; i++) {
		int high = percent_digit(token[3 + 2 * i]);
		int low = percent_digit(token[4 + 2 * i]);
		if (high < 0 || low < 0)
			return false;
		out[i] = (unsigned char)(16 * high + low);
	}
	return true;
}

static void
insert(struct ctx *c, const struct article *a, const struct snapshot *s,
    const struct row_texts *texts, const char *person, const char *text)
{
	struct stmt *q = db_prepare(c,
	    "INSERT INTO save"
	    " (article_id, saved_at, person, text, digest, " ROW_SNAPSHOT ")"
	    " VALUES (:article, :now, :person, :text, :digest, " ROW_SNAPSHOT_VALUES ")");

	db_bind_int(q, ":article", a->id);
	db_bind_int(q, ":now", person != NULL ? c->now : a->updated_at);
	db_bind_text(q, ":person", person);
	db_bind_text(q, ":text", text);
	db_bind_blob(q, ":digest", texts->digest, ARTICLE_DIGEST);
	row_bind(q, s, texts);
	db_run(q);
	text_room_took(c, row_size(s, texts) + (text != NULL ? strlen(text) : 0) + TEXT_ROOM_ROW);
	trim(c, a);
}

struct err *
save_keep(struct ctx *c, const struct article *a, const struct snapshot *s, const char *person,
    const char *text)
{
	struct row_texts texts;
	struct err *err = row_texts(c, s, &texts);

	if (err == NULL)
		insert(c, a, s, &texts, person, text);
	return err;
}

void
save_insert(struct ctx *c, const struct article *a, const struct snapshot *s, const char *person,
    const char *text)
{
	struct err *err = save_keep(c, a, s, person, text);

	/* It was saved just now, so it is within its limits. */
	if (err != NULL)
		die("article %s: %s", a->uuid, err->message);
}

bool
save_find(struct ctx *c, const struct article *a, const char *token, struct save *out)
{
	struct stmt *q;
	unsigned char digest[ARTICLE_DIGEST];

	if (!save_token(token, digest))
		return false;
	q = db_prepare(c, "SELECT " COLUMNS " FROM save s"
			  " WHERE s.article_id = :article AND s.digest = :digest"
			  " ORDER BY s.id DESC LIMIT 1");
	db_bind_int(q, ":article", a->id);
	db_bind_blob(q, ":digest", digest, sizeof(digest));
	return one(q, out);
}

/* Returns the id that a query for the newest save with a digest finds; 0: none. */
static int64_t
newest(struct stmt *q, const struct article *a, const unsigned char *digest, int64_t at)
{
	int64_t id;

	db_bind_int(q, ":article", a->id);
	db_bind_blob(q, ":digest", digest, ARTICLE_DIGEST);
	db_bind_int(q, ":at", at);
	id = db_row(q) ? db_int(q, 0) : 0;
	db_reset(q);
	return id;
}

bool
save_base(struct ctx *c, const struct article *a, const char *token, int64_t at, struct save *out,
    struct snapshot **s)
{
	unsigned char digest[ARTICLE_DIGEST];
	int64_t here, was;

	if (!save_token(token, digest))
		return false;
	if (at == 0)
		at = INT64_MAX;
	here = newest(
	    db_prepare(c, "SELECT id FROM save WHERE article_id = :article"
			  " AND digest = :digest AND saved_at <= :at ORDER BY id DESC LIMIT 1"),
	    a, digest, at);
	was = newest(
	    db_prepare(c, "SELECT id FROM save_was WHERE article_id = :article"
			  " AND digest = :digest AND saved_at <= :at ORDER BY id DESC LIMIT 1"),
	    a, digest, at);
	*out = (struct save) { .id = was };
	if (was > here && save_was_read(c, a, was, s, &out->text))
		return true;
	if (here != 0 && save_of(c, a, here, out)) {
		*s = save_snapshot(c, a, here);
		return true;
	}
	/* Hosts of one store may have clocks that differ. */
	return at < INT64_MAX && save_base(c, a, token, INT64_MAX, out, s);
}

bool
save_typed(struct ctx *c, const struct article *a, int64_t before, struct save *out)
{
	struct stmt *q =
	    db_prepare(c, "SELECT " COLUMNS " FROM save s"
			  " WHERE s.article_id = :article AND s.id < :before AND s.text IS NOT NULL"
			  " ORDER BY s.id DESC LIMIT 1");

	db_bind_int(q, ":article", a->id);
	db_bind_int(q, ":before", before > 0 ? before : INT64_MAX);
	return one(q, out);
}

bool
save_of(struct ctx *c, const struct article *a, int64_t id, struct save *out)
{
	struct stmt *q = db_prepare(c, "SELECT " COLUMNS " FROM save s"
				       " WHERE s.article_id = :article AND s.id = :id");

	db_bind_int(q, ":article", a->id);
	db_bind_int(q, ":id", id);
	return one(q, out);
}

bool
save_before(struct ctx *c, const struct article *a, int64_t at, struct save *out)
{
	struct stmt *q = db_prepare(c, "SELECT " COLUMNS " FROM save s"
				       " WHERE s.article_id = :article AND s.saved_at <= :at"
				       " ORDER BY s.id DESC LIMIT 1");

	db_bind_int(q, ":article", a->id);
	db_bind_int(q, ":at", at);
	return one(q, out);
}

bool
save_last(struct ctx *c, const struct article *a, struct save *out)
{
	struct stmt *q = db_prepare(c, "SELECT " COLUMNS " FROM save s"
				       " WHERE s.article_id = :article ORDER BY s.id DESC LIMIT 1");

	db_bind_int(q, ":article", a->id);
	return one(q, out) && out->person != NULL;
}

struct snapshot *
save_snapshot(struct ctx *c, const struct article *a, int64_t id)
{
	struct stmt *q = db_prepare(c, "SELECT " ROW_SNAPSHOT " FROM save"
				       " WHERE article_id = :article AND id = :id");
	struct snapshot *s = arena_alloc(c->arena, sizeof(*s));

	db_bind_int(q, ":article", a->id);
	db_bind_int(q, ":id", id);
	if (!db_row(q))
		die("article %s has no save %lld", a->uuid, (long long)id);
	row_snapshot(c, q, s);
	db_reset(q);
	return s;
}

void
save_list(struct ctx *c, const struct article *a, void (*each)(void *arg, const struct save *s),
    void *arg)
{
	struct stmt *q = db_prepare(c, "SELECT " COLUMNS " FROM save s"
				       " WHERE s.article_id = :article ORDER BY s.id DESC");
	struct save s;

	db_bind_int(q, ":article", a->id);
	while (db_row(q)) {
		from_row(q, &s);
		each(arg, &s);
	}
}

void
save_delete(struct ctx *c, const struct article *a)
{
	struct stmt *q = db_prepare(c, "DELETE FROM save WHERE article_id = :article");

	db_bind_int(q, ":article", a->id);
	db_run(q);
	q = db_prepare(c, "DELETE FROM save_was WHERE article_id = :article");
	db_bind_int(q, ":article", a->id);
	db_run(q);
}
