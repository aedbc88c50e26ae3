/* Saves that made room for the next one: what differs from it (table save_was). */
#include <string.h>

#include "article/desk/save.h"
#include "article/row.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "base/log.h"
#include "store/db.h"

#define DAYS 2 /* for which they stay */
#define OLD 200 /* of them go at a time */
#define BYTES_MAX ((size_t)64 * 1024 * 1024)

/* ---- what differs */

struct change {
	size_t head, tail; /* bytes that both have */
	const char *middle; /* of the older one (arena) */
};

static bool
is_inside(char byte)
{
	return ((unsigned char)byte & 0xC0) == 0x80;
}

/* Compares two texts; no character is cut. */
static struct change
compare(struct arena *arena, const char *was, const char *now)
{
	size_t len = strlen(was), other = strlen(now);
	size_t most = len < other ? len : other;
	struct change out = { 0 };

	while (out.head < most && was[out.head] == now[out.head])
		out.head++;
	while (out.head > 0 && is_inside(was[out.head]))
		out.head--;
	while (out.tail < most - out.head && was[len - out.tail - 1] == now[other - out.tail - 1])
		out.tail++;
	while (out.tail > 0 && is_inside(was[len - out.tail]))
		out.tail--;
	out.middle = arena_text_n(arena, was + out.head, len - out.head - out.tail);
	return out;
}

/* Makes the older text of the newer one, which it replaces. */
static void
go_back(struct buf *text, const struct change *d, struct buf *scratch)
{
	struct buf swap = *text;

	buf_reset(scratch);
	buf_add(scratch, text->data, d->head);
	buf_add_text(scratch, d->middle);
	buf_add(scratch, text->data + text->len - d->tail, d->tail);
	*text = *scratch;
	*scratch = swap;
}

/* ---- rows */

static void
read_texts(struct ctx *c, int64_t id, const char **content, const char **text)
{
	struct stmt *q = db_prepare(c, "SELECT content, text FROM save WHERE id = :id");

	db_bind_int(q, ":id", id);
	if (!db_row(q))
		die("there is no save %lld", (long long)id);
	*content = db_text(q, 0);
	*text = db_text(q, 1);
	db_reset(q);
}

static void
bind(struct stmt *q, const char *middle, const char *head, const char *tail, const struct change *d)
{
	db_bind_text(q, middle, d->middle);
	db_bind_int(q, head, (int64_t)d->head);
	db_bind_int(q, tail, (int64_t)d->tail);
}

/* Drops the oldest ones of an article. */
static void
drop_more(struct ctx *c, const struct article *a)
{
	struct stmt *q =
	    db_prepare(c, "DELETE FROM save_was WHERE article_id = :article"
			  " AND id <= (SELECT id FROM save_was WHERE article_id = :article"
			  " ORDER BY id DESC LIMIT 1 OFFSET :kept)");

	db_bind_int(q, ":article", a->id);
	db_bind_int(q, ":kept", SAVE_WAS_KEPT);
	db_run(q);
}

/* Drops some that are too old to be the base of a form, of whatever article. */
static void
drop_old(struct ctx *c)
{
	struct stmt *q = db_prepare(c, "DELETE FROM save_was WHERE id IN"
				       " (SELECT id FROM save_was WHERE saved_at < :old"
				       " ORDER BY saved_at LIMIT :some)");

	db_bind_int(q, ":old", c->now - DAYS * 24 * 3600 * CLOCK_SECOND);
	db_bind_int(q, ":some", OLD);
	db_run(q);
}

bool
save_was_insert(struct ctx *c, const struct article *a, int64_t id, int64_t next)
{
	const char *content, *text, *next_content, *next_text;
	struct change of_content, of_text;
	struct stmt *q;

	read_texts(c, id, &content, &text);
	read_texts(c, next, &next_content, &next_text);
	if (text == NULL || next_text == NULL)
		return false;
	of_content = compare(c->arena, content, next_content);
	of_text = compare(c->arena, text, next_text);
	if (strlen(of_content.middle) + strlen(of_text.middle) > SAVE_WAS_BYTES)
		return false;
	q = db_prepare(c, "INSERT INTO save_was"
			  " (id, article_id, saved_at, digest, next, " ROW_FIELDS ","
			  " content, content_head, content_tail, text, text_head, text_tail)"
			  " SELECT id, article_id, saved_at, digest, id, " ROW_FIELDS ","
			  " '', 0, 0, '', 0, 0 FROM save WHERE id = :id");
	db_bind_int(q, ":id", id);
	db_run(q);
	q = db_prepare(c, "UPDATE save_was SET next = :next,"
			  " content = :content, content_head = :content_head,"
			  " content_tail = :content_tail,"
			  " text = :text, text_head = :text_head, text_tail = :text_tail"
			  " WHERE id = :id");
	db_bind_int(q, ":id", id);
	db_bind_int(q, ":next", next);
	bind(q, ":content", ":content_head", ":content_tail", &of_content);
	bind(q, ":text", ":text_head", ":text_tail", &of_text);
	db_run(q);
	drop_more(c, a);
	drop_old(c);
	return true;
}

void
save_was_trim(struct ctx *c, const struct article *a, int64_t id)
{
	struct stmt *q = db_prepare(c, "DELETE FROM save_was"
				       " WHERE article_id = :article AND next <= :id");

	db_bind_int(q, ":article", a->id);
	db_bind_int(q, ":id", id);
	db_run(q);
}

/* ---- reading */

struct back {
	int64_t id, next;
	struct change content, text;
};

static struct change
change_of(struct stmt *q, int column)
{
	return (struct change) { .middle = db_text(q, column),
		.head = (size_t)db_int(q, column + 1),
		.tail = (size_t)db_int(q, column + 2) };
}

/* Reads the way from a save that was removed to one that is there. Returns its steps, 0 if there
 * is no such way. */
static size_t
read_way(struct ctx *c, const struct article *a, int64_t id, struct back *steps)
{
	struct stmt *q;
	size_t n = 0;
	bool found = true;

	while (found && n <= SAVE_WAS_KEPT) {
		q = db_prepare(c, "SELECT next, content, content_head, content_tail,"
				  " text, text_head, text_tail FROM save_was"
				  " WHERE id = :id AND article_id = :article");
		db_bind_int(q, ":id", id);
		db_bind_int(q, ":article", a->id);
		found = db_row(q);
		if (found) {
			steps[n++] = (struct back) { .id = id,
				.next = db_int(q, 0),
				.content = change_of(q, 1),
				.text = change_of(q, 4) };
			id = db_int(q, 0);
		}
		db_reset(q);
	}
	q = db_prepare(c, "SELECT 1 FROM save WHERE id = :id AND article_id = :article");
	db_bind_int(q, ":id", id);
	db_bind_int(q, ":article", a->id);
	found = db_row(q);
	db_reset(q);
	return found ? n : 0;
}

/* Reads the fields of the row, with this content. */
static struct snapshot *
read_snapshot(struct ctx *c, int64_t id, const char *content)
{
	struct snapshot *s = arena_alloc(c->arena, sizeof(*s));
	struct stmt *q = db_prepare(c, "SELECT " ROW_FIELDS " FROM save_was"
				       " WHERE id = :id");

	db_bind_int(q, ":id", id);
	if (!db_row(q))
		die("there is no earlier save %lld", (long long)id);
	row_fields(c, q, 0, s);
	db_reset(q);
	content_from_stored(c, content, s->language, &s->content);
	return s;
}

static void
take_steps(
    struct ctx *c, const struct back *steps, size_t count, struct buf *content, struct buf *text)
{
	const char *now_content, *now_text;
	struct buf scratch;

	read_texts(c, steps[count - 1].next, &now_content, &now_text);
	buf_init(content, c->arena, BYTES_MAX);
	buf_init(text, c->arena, BYTES_MAX);
	buf_init(&scratch, c->arena, BYTES_MAX);
	buf_add_text(content, now_content);
	buf_add_text(text, now_text != NULL ? now_text : "");
	while (count-- > 0) {
		go_back(content, &steps[count].content, &scratch);
		go_back(text, &steps[count].text, &scratch);
	}
}

bool
save_was_read(
    struct ctx *c, const struct article *a, int64_t id, struct snapshot **s, const char **text)
{
	struct back *steps = arena_array(c->arena, SAVE_WAS_KEPT + 1, sizeof(*steps));
	struct buf content, shown;
	size_t count = read_way(c, a, id, steps);

	if (count == 0)
		return false;
	take_steps(c, steps, count, &content, &shown);
	*text = buf_done(&shown);
	*s = read_snapshot(c, id, buf_done(&content));
	return true;
}
