#include "article/save.h"

#include <stdlib.h>
#include <string.h>

#include "article/article-row.h"
#include "article/revision.h"
#include "article/text-room.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "base/encoding.h"
#include "base/log.h"
#include "store/db.h"

#define SAVE_KEPT 50
#define SAVE_WAS_KEPT 500
#define SAVE_WAS_BYTES ((size_t)32 * 1024)

/* ---- saves that made room for the next one: what differs from it (table save_was) */

#define DAYS 2 /* for which they stay */
#define OLD 200 /* of them go at a time */
#define BYTES_MAX ((size_t)64 * 1024 * 1024)

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

static void
read_texts(struct ctx *c, int64_t id, const char **content, const char **text)
{
	struct stmt *q =
	    db_prepare(c, "SELECT content, text FROM save WHERE id = :id", db_i(":id", id));

	if (!db_row(q))
		die("there is no save %lld", (long long)id);
	*content = db_text(q, 0);
	*text = db_text(q, 1);
	db_reset(q);
}

/* The values of a change under a name, its _head and its _tail. */
#define CHANGE(name, d)                                                                            \
	db_t(name, (d)->middle), db_i(name "_head", (int64_t)(d)->head),                           \
	    db_i(name "_tail", (int64_t)(d)->tail)

/* Drops the oldest ones of an article. */
static void
drop_more(struct ctx *c, const struct article *a)
{
	db_run(c,
	    "DELETE FROM save_was WHERE article_id = :article"
	    " AND id <= (SELECT id FROM save_was WHERE article_id = :article"
	    " ORDER BY id DESC LIMIT 1 OFFSET :kept)",
	    db_i(":article", a->id), db_i(":kept", SAVE_WAS_KEPT));
}

/* Drops some that are too old to be the base of a form, of whatever article. */
static void
drop_old(struct ctx *c)
{
	db_run(c,
	    "DELETE FROM save_was WHERE id IN (SELECT id FROM save_was WHERE saved_at < :old"
	    " ORDER BY saved_at LIMIT :some)",
	    db_i(":old", c->now - DAYS * 24 * 3600 * CLOCK_SECOND), db_i(":some", OLD));
}

/* Stores what the save `id` differs from the save `next`, before it is removed. False if that is
 * more than SAVE_WAS_BYTES: then it must stay. In the writing transaction. */
static bool
save_was_insert(struct ctx *c, const struct article *a, int64_t id, int64_t next)
{
	const char *content, *text, *next_content, *next_text;
	struct change of_content, of_text;

	read_texts(c, id, &content, &text);
	read_texts(c, next, &next_content, &next_text);
	if (text == NULL || next_text == NULL)
		return false;
	of_content = compare(c->arena, content, next_content);
	of_text = compare(c->arena, text, next_text);
	if (strlen(of_content.middle) + strlen(of_text.middle) > SAVE_WAS_BYTES)
		return false;
	db_run(c,
	    "INSERT INTO save_was (id, article_id, saved_at, digest, next, " ROW_FIELDS ","
	    " content, content_head, content_tail, text, text_head, text_tail)"
	    " SELECT id, article_id, saved_at, digest, id, " ROW_FIELDS ","
	    " '', 0, 0, '', 0, 0 FROM save WHERE id = :id",
	    db_i(":id", id));
	db_run(c,
	    "UPDATE save_was SET next = :next, content = :content, content_head = :content_head,"
	    " content_tail = :content_tail,"
	    " text = :text, text_head = :text_head, text_tail = :text_tail WHERE id = :id",
	    db_i(":id", id), db_i(":next", next), CHANGE(":content", &of_content),
	    CHANGE(":text", &of_text));
	drop_more(c, a);
	drop_old(c);
	return true;
}

/* Removes those that lead to saves up to this one, and some that are old. */
static void
save_was_trim(struct ctx *c, const struct article *a, int64_t id)
{
	db_run(c, "DELETE FROM save_was WHERE article_id = :article AND next <= :id",
	    db_i(":article", a->id), db_i(":id", id));
}

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
		q = db_prepare(c,
		    "SELECT next, content, content_head, content_tail,"
		    " text, text_head, text_tail FROM save_was"
		    " WHERE id = :id AND article_id = :article",
		    db_i(":id", id), db_i(":article", a->id));
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
	found = db_exists(c, "SELECT 1 FROM save WHERE id = :id AND article_id = :article",
	    db_i(":id", id), db_i(":article", a->id));
	return found ? n : 0;
}

/* Reads the fields of the row, with this content. */
static struct snapshot *
read_snapshot(struct ctx *c, int64_t id, const char *content)
{
	struct snapshot *s = arena_alloc(c->arena, sizeof(*s));
	struct stmt *q =
	    db_prepare(c, "SELECT " ROW_FIELDS " FROM save_was WHERE id = :id", db_i(":id", id));

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

/* Reads a save that was removed so: its working copy and its text, both in the arena. False if
 * the way to it is not known: of an article SAVE_WAS_KEPT are, for two days. */
static bool
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

/* ---- which saves of the editor's script stay (docs/console.md §5.3) */

#define MINUTE (60 * CLOCK_SECOND)
#define WHOLE (10 * MINUTE) /* of this time one save a minute stays */
#define OLDER 10 /* as many as fall out of that time in a while */

struct words {
	struct word {
		const char *at;
		size_t len;
	} * list;
	size_t count;
};

static int
compare_words(const void *a, const void *b)
{
	const struct word *one = a, *other = b;
	size_t len = one->len < other->len ? one->len : other->len;
	int order = memcmp(one->at, other->at, len);

	if (order != 0)
		return order;
	return one->len < other->len ? -1 : one->len > other->len;
}

/* Returns the words of a text, sorted: what is between its spaces. */
static struct words
words_of(struct arena *arena, const char *text)
{
	static const char spaces[] = " \t\r\n";
	struct words out = { 0 };
	size_t most = strlen(text) / 2 + 1;

	out.list = arena_array(arena, most, sizeof(*out.list));
	for (const char *at = text + strspn(text, spaces); *at != '\0';) {
		size_t len = strcspn(at, spaces);
		out.list[out.count++] = (struct word) { at, len };
		at += len;
		at += strspn(at, spaces);
	}
	qsort(out.list, out.count, sizeof(*out.list), compare_words);
	return out;
}

/* Returns whether a text keeps nine tenths of the words of another, in whatever order. */
static bool
save_keeps_words(struct arena *arena, const char *before, const char *after)
{
	struct words old = words_of(arena, before), new = words_of(arena, after);
	size_t kept = 0;

	for (size_t i = 0, k = 0; i < old.count && k < new.count;) {
		int order = compare_words(&old.list[i], &new.list[k]);
		kept += order == 0;
		i += order <= 0;
		k += order >= 0;
	}
	return 10 * kept >= 9 * old.count;
}

/* Removes a save, but for one that is to be published at a date. What differs from the next one
 * stays: a form may have it as its base. */
static bool
drop(struct ctx *c, const struct article *a, int64_t id, int64_t next)
{
	bool dated =
	    db_exists(c, "SELECT 1 FROM desk WHERE article_id = :article AND publish_save = :id",
		db_i(":article", a->id), db_i(":id", id));

	if (dated || !save_was_insert(c, a, id, next))
		return false;
	db_run(c, "DELETE FROM save WHERE id = :id", db_i(":id", id));
	return true;
}

/* Reads the text of the save after `id` into *text, which may be NULL. */
static int64_t
find_next(struct ctx *c, const struct article *a, int64_t id, const char **text)
{
	struct stmt *q;
	int64_t found = 0;

	*text = NULL;
	q = db_prepare(c,
	    "SELECT id, text FROM save"
	    " WHERE article_id = :article AND id > :id ORDER BY id LIMIT 1",
	    db_i(":article", a->id), db_i(":id", id));
	if (db_row(q)) {
		found = db_int(q, 0);
		*text = db_text(q, 1);
	}
	db_reset(q);
	return found;
}

/* Removes a save if the one after it keeps its words. */
static bool
drop_needless(struct ctx *c, const struct article *a, int64_t id, const char *text)
{
	const char *after;
	int64_t next = find_next(c, a, id, &after);

	return next != 0 && text != NULL && after != NULL &&
	       save_keeps_words(c->arena, text, after) && drop(c, a, id, next);
}

/* The save before the newest one, if both are the person's and of one minute. */
static bool
thin_minute(struct ctx *c, const struct article *a, const char *person)
{
	const char *text = NULL;
	int64_t id = 0;
	struct stmt *q = db_prepare(c,
	    "SELECT id, text FROM save WHERE id = (SELECT id FROM save WHERE article_id = :article"
	    " ORDER BY id DESC LIMIT 1 OFFSET 1)"
	    " AND automatic = 1 AND person = :person AND saved_at >= :minute",
	    db_i(":article", a->id), db_t(":person", person),
	    db_i(":minute", c->now - c->now % MINUTE));

	if (db_row(q)) {
		id = db_int(q, 0);
		text = db_text(q, 1);
	}
	db_reset(q);
	return id != 0 && drop_needless(c, a, id, text);
}

/* Those that are older than ten minutes, the newest ones of them. */
static void
thin_older(struct ctx *c, const struct article *a, const char *person)
{
	struct stmt *q;
	struct {
		int64_t id;
		const char *text;
	} found[OLDER];
	size_t count = 0;

	q = db_prepare(c,
	    "SELECT id, text FROM save"
	    " WHERE article_id = :article AND automatic = 1 AND person = :person"
	    " AND saved_at < :old ORDER BY id DESC LIMIT :older",
	    db_i(":article", a->id), db_t(":person", person), db_i(":old", c->now - WHOLE),
	    db_i(":older", OLDER));
	while (db_row(q)) {
		found[count].id = db_int(q, 0);
		found[count++].text = db_text(q, 1);
	}
	while (count-- > 0)
		(void)drop_needless(c, a, found[count].id, found[count].text);
}

bool
save_thin(struct ctx *c, const struct article *a, const char *person)
{
	bool removed;

	db_run(c,
	    "UPDATE save SET automatic = 1 WHERE id ="
	    " (SELECT id FROM save WHERE article_id = :article ORDER BY id DESC LIMIT 1)",
	    db_i(":article", a->id));
	removed = thin_minute(c, a, person);
	thin_older(c, a, person);
	return removed;
}

/* ---- saves */

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
	int64_t last = db_one_int(c, 0,
	    "SELECT id FROM save WHERE article_id = :article ORDER BY id DESC LIMIT 1 OFFSET :kept",
	    db_i(":article", a->id), db_i(":kept", SAVE_KEPT));

	if (last == 0)
		return;
	db_run(c,
	    "DELETE FROM save WHERE article_id = :article AND id <= :last"
	    " AND NOT EXISTS (SELECT 1 FROM desk d WHERE d.article_id = :article"
	    " AND d.publish_save = save.id)",
	    db_i(":article", a->id), db_i(":last", last));
	save_was_trim(c, a, last);
}

/* Reads the digest of a token; false if it is not a working copy's. */
static bool
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
	db_run(c,
	    "INSERT INTO save (article_id, saved_at, person, text, digest, " ROW_SNAPSHOT ")"
	    " VALUES (:article, :now, :person, :text, :digest, " ROW_SNAPSHOT_VALUES ")",
	    db_i(":article", a->id), db_i(":now", person != NULL ? c->now : a->updated_at),
	    db_t(":person", person), db_t(":text", text),
	    db_b(":digest", texts->digest, ARTICLE_DIGEST), ROW_BIND(s, texts));
	text_room_took(c, row_size(s, texts) + (text != NULL ? strlen(text) : 0) + TEXT_ROOM_ROW);
	trim(c, a);
}

struct err *
save_keep(struct ctx *c, const struct article *a, const struct snapshot *s, const char *person,
    const char *text)
{
	struct row_texts texts;

	TRY(row_texts(c, s, &texts));
	insert(c, a, s, &texts, person, text);
	return NULL;
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
	q = db_prepare(c,
	    "SELECT " COLUMNS " FROM save s WHERE s.article_id = :article AND s.digest = :digest"
	    " ORDER BY s.id DESC LIMIT 1",
	    db_i(":article", a->id), db_b(":digest", digest, sizeof(digest)));
	return one(q, out);
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
	/* The newest one with the digest. */
	here = db_one_int(c, 0,
	    "SELECT id FROM save WHERE article_id = :article"
	    " AND digest = :digest AND saved_at <= :at ORDER BY id DESC LIMIT 1",
	    db_i(":article", a->id), db_b(":digest", digest, ARTICLE_DIGEST), db_i(":at", at));
	was = db_one_int(c, 0,
	    "SELECT id FROM save_was WHERE article_id = :article"
	    " AND digest = :digest AND saved_at <= :at ORDER BY id DESC LIMIT 1",
	    db_i(":article", a->id), db_b(":digest", digest, ARTICLE_DIGEST), db_i(":at", at));
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
	struct stmt *q = db_prepare(c,
	    "SELECT " COLUMNS " FROM save s"
	    " WHERE s.article_id = :article AND s.id < :before AND s.text IS NOT NULL"
	    " ORDER BY s.id DESC LIMIT 1",
	    db_i(":article", a->id), db_i(":before", before > 0 ? before : INT64_MAX));

	return one(q, out);
}

bool
save_of(struct ctx *c, const struct article *a, int64_t id, struct save *out)
{
	struct stmt *q = db_prepare(c,
	    "SELECT " COLUMNS " FROM save s WHERE s.article_id = :article AND s.id = :id",
	    db_i(":article", a->id), db_i(":id", id));

	return one(q, out);
}

bool
save_before(struct ctx *c, const struct article *a, int64_t at, struct save *out)
{
	struct stmt *q = db_prepare(c,
	    "SELECT " COLUMNS " FROM save s WHERE s.article_id = :article AND s.saved_at <= :at"
	    " ORDER BY s.id DESC LIMIT 1",
	    db_i(":article", a->id), db_i(":at", at));

	return one(q, out);
}

bool
save_last(struct ctx *c, const struct article *a, struct save *out)
{
	struct stmt *q = db_prepare(c,
	    "SELECT " COLUMNS " FROM save s"
	    " WHERE s.article_id = :article ORDER BY s.id DESC LIMIT 1",
	    db_i(":article", a->id));

	return one(q, out) && out->person != NULL;
}

#define SAVES_SEEN 1000

size_t
save_drafts(
    struct ctx *c, int64_t workspace_id, const char *person, struct save_draft *out, size_t max)
{
	struct stmt *q = db_prepare(c,
	    "SELECT a.uuid, a.title, s.saved_at, a.image FROM save s JOIN article a"
	    " ON a.id = s.article_id AND a.workspace_id = :workspace AND a.status = 'draft'"
	    " WHERE s.person = :person AND s.id > coalesce((SELECT id FROM save"
	    " WHERE person = :person ORDER BY id DESC LIMIT 1 OFFSET :seen), 0) ORDER BY s.id DESC",
	    db_i(":workspace", workspace_id), db_t(":person", person), db_i(":seen", SAVES_SEEN));
	size_t count = 0, i;

	while (count < max && db_row(q)) {
		for (i = 0; i < count && strcmp(out[i].uuid, db_text(q, 0)) != 0; i++)
			continue;
		if (i == count)
			out[count++] = (struct save_draft) { .uuid = db_text(q, 0),
				.title = db_text(q, 1),
				.saved_at = db_int(q, 2),
				.cover = db_text(q, 3) };
	}
	db_reset(q);
	return count;
}

struct snapshot *
save_snapshot(struct ctx *c, const struct article *a, int64_t id)
{
	struct stmt *q = db_prepare(c,
	    "SELECT " ROW_SNAPSHOT " FROM save WHERE article_id = :article AND id = :id",
	    db_i(":article", a->id), db_i(":id", id));
	struct snapshot *s = arena_alloc(c->arena, sizeof(*s));

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
	struct stmt *q = db_prepare(c,
	    "SELECT " COLUMNS " FROM save s WHERE s.article_id = :article ORDER BY s.id DESC",
	    db_i(":article", a->id));
	struct save s;

	while (db_row(q)) {
		from_row(q, &s);
		each(arg, &s);
	}
}

void
save_delete(struct ctx *c, const struct article *a)
{
	db_run(c, "DELETE FROM save WHERE article_id = :article", db_i(":article", a->id));
	db_run(c, "DELETE FROM save_was WHERE article_id = :article", db_i(":article", a->id));
}
