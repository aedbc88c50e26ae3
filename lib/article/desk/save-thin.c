/* Which saves of the editor's script stay (docs/console.md §5.3). */
#include <stdlib.h>
#include <string.h>

#include "article/desk/save.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "store/db.h"

#define MINUTE (60 * CLOCK_SECOND)
#define WHOLE (10 * MINUTE) /* of this time one save a minute stays */
#define OLDER 10 /* as many as fall out of that time in a while */

/* ---- words */

struct words {
	struct word {
		const char *at;
		size_t len;
	} * list;
	size_t count;
};

static int
compare(const void *a, const void *b)
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
	qsort(out.list, out.count, sizeof(*out.list), compare);
	return out;
}

bool
save_keeps_words(struct arena *arena, const char *before, const char *after)
{
	struct words old = words_of(arena, before), new = words_of(arena, after);
	size_t kept = 0;

	for (size_t i = 0, k = 0; i < old.count && k < new.count;) {
		int order = compare(&old.list[i], &new.list[k]);
		kept += order == 0;
		i += order <= 0;
		k += order >= 0;
	}
	return 10 * kept >= 9 * old.count;
}

/* ---- saves */

/* Removes a save, but for one that is to be published at a date. What differs from the next one
 * stays: a form may have it as its base. */
static bool
drop(struct ctx *c, const struct article *a, int64_t id, int64_t next)
{
	struct stmt *q = db_prepare(c, "SELECT 1 FROM desk WHERE article_id = :article"
				       " AND publish_save = :id");
	bool dated;

	db_bind_int(q, ":article", a->id);
	db_bind_int(q, ":id", id);
	dated = db_row(q);
	db_reset(q);
	if (dated || !save_was_insert(c, a, id, next))
		return false;
	q = db_prepare(c, "DELETE FROM save WHERE id = :id");
	db_bind_int(q, ":id", id);
	db_run(q);
	return true;
}

/* Reads the text of the save behind `id` into *text, which may be NULL. */
static int64_t
behind(struct ctx *c, const struct article *a, int64_t id, const char **text)
{
	struct stmt *q =
	    db_prepare(c, "SELECT id, text FROM save"
			  " WHERE article_id = :article AND id > :id ORDER BY id LIMIT 1");
	int64_t found = 0;

	*text = NULL;
	db_bind_int(q, ":article", a->id);
	db_bind_int(q, ":id", id);
	if (db_row(q)) {
		found = db_int(q, 0);
		*text = db_text(q, 1);
	}
	db_reset(q);
	return found;
}

/* Removes a save if the one behind it keeps its words. */
static bool
drop_needless(struct ctx *c, const struct article *a, int64_t id, const char *text)
{
	const char *after;
	int64_t next = behind(c, a, id, &after);

	return next != 0 && text != NULL && after != NULL &&
	       save_keeps_words(c->arena, text, after) && drop(c, a, id, next);
}

/* The save before the newest one, if both are the person's and of one minute. */
static bool
thin_minute(struct ctx *c, const struct article *a, const char *person)
{
	struct stmt *q =
	    db_prepare(c, "SELECT id, text FROM save"
			  " WHERE id = (SELECT id FROM save WHERE article_id = :article"
			  " ORDER BY id DESC LIMIT 1 OFFSET 1)"
			  " AND automatic = 1 AND person = :person AND saved_at >= :minute");
	const char *text = NULL;
	int64_t id = 0;

	db_bind_int(q, ":article", a->id);
	db_bind_text(q, ":person", person);
	db_bind_int(q, ":minute", c->now - c->now % MINUTE);
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
	struct stmt *q =
	    db_prepare(c, "SELECT id, text FROM save"
			  " WHERE article_id = :article AND automatic = 1 AND person = :person"
			  " AND saved_at < :old ORDER BY id DESC LIMIT :older");
	struct {
		int64_t id;
		const char *text;
	} found[OLDER];
	size_t count = 0;

	db_bind_int(q, ":article", a->id);
	db_bind_text(q, ":person", person);
	db_bind_int(q, ":old", c->now - WHOLE);
	db_bind_int(q, ":older", OLDER);
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
	struct stmt *q = db_prepare(c, "UPDATE save SET automatic = 1 WHERE id ="
				       " (SELECT id FROM save WHERE article_id = :article"
				       " ORDER BY id DESC LIMIT 1)");
	bool removed;

	db_bind_int(q, ":article", a->id);
	db_run(q);
	removed = thin_minute(c, a, person);
	thin_older(c, a, person);
	return removed;
}
