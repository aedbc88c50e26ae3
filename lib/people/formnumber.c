#include "people/formnumber.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "base/digest.h"
#include "base/uuid.h"
#include "people/secret.h"
#include "store/db.h"

#define LIFE (24 * 3600 * CLOCK_SECOND)
#define RANDOM 8 /* bytes */
#define CHECK 16 /* bytes */

/* A number is 16 hex digits of its time, 16 of chance, and 32 that bind it. */
enum { TIME_DIGITS = 16, HEAD_DIGITS = TIME_DIGITS + 2 * RANDOM };

static void
bind(
    struct ctx *c, const char *head, const char *person, const char *route, char out[2 * CHECK + 1])
{
	unsigned char key[SECRET_SIZE];
	struct digest d;

	secret_key(c, "galley form number 1", key);
	digest_begin_keyed(&d, CHECK, "galley form number 1", key, sizeof(key));
	digest_bytes(&d, head, HEAD_DIGITS);
	digest_text(&d, person);
	digest_text(&d, route);
	digest_end_hex(&d, out);
	explicit_bzero(key, sizeof(key));
}

void
formnumber_draw(struct ctx *c, const char *person, const char *route, char out[FORMNUMBER_TEXT])
{
	unsigned char chance[RANDOM];

	uuid_random_bytes(chance, sizeof(chance));
	memcpy(out, arena_printf(c->arena, "%016" PRIx64, (uint64_t)c->now), TIME_DIGITS);
	digest_hex(out + TIME_DIGITS, chance, sizeof(chance));
	bind(c, out, person, route, out + HEAD_DIGITS);
}

enum formnumber_state
formnumber_check(struct ctx *c, struct formnumber *f)
{
	char bound[2 * CHECK + 1];

	f->made_at = 0;
	if (f->number == NULL || strlen(f->number) != FORMNUMBER_TEXT - 1 ||
	    strspn(f->number, "0123456789abcdef") != FORMNUMBER_TEXT - 1)
		return FORMNUMBER_FOREIGN;
	bind(c, f->number, f->person, f->route, bound);
	if (digest_compare(bound, f->number + HEAD_DIGITS, 2 * CHECK) != 0)
		return FORMNUMBER_FOREIGN;
	f->made_at = (int64_t)strtoull(arena_text_n(c->arena, f->number, TIME_DIGITS), NULL, 16);
	return c->now - f->made_at > LIFE ? FORMNUMBER_OLD : FORMNUMBER_GOOD;
}

/* Looks for a number that was recorded before. */
static bool
find(struct ctx *c, const struct formnumber *f, bool *same, const char **answer)
{
	struct stmt *q = db_prepare(c,
	    "SELECT digest, answer FROM form"
	    " WHERE number = :number AND person = :person AND route = :route",
	    db_t(":number", f->number), db_t(":person", f->person), db_t(":route", f->route));
	unsigned char digest[DIGEST_SIZE];
	bool found = db_row(q);

	if (found) {
		db_blob(q, 0, digest, sizeof(digest));
		*same = digest_compare(digest, f->digest, sizeof(digest)) == 0;
		*answer = db_text(q, 1);
		*answer = arena_text_n(c->arena, *answer, strcspn(*answer, "\n"));
	}
	db_reset(q);
	return found;
}

bool
formnumber_find(struct ctx *c, const struct formnumber *f, const char **answer)
{
	bool same = false;

	return find(c, f, &same, answer) && same;
}

enum formnumber_spent
formnumber_spend(
    struct ctx *c, const struct formnumber *f, const char *location, const char **answer)
{
	bool same = false;

	if (find(c, f, &same, answer))
		return same ? FORMNUMBER_SAME : FORMNUMBER_OTHER;
	db_run(c,
	    "INSERT INTO form (number, person, route, digest, answer, created_at)"
	    " VALUES (:number, :person, :route, :digest, :answer, :created_at)",
	    db_t(":number", f->number), db_t(":person", f->person), db_t(":route", f->route),
	    db_b(":digest", f->digest, sizeof(f->digest)), db_t(":answer", location),
	    db_i(":created_at", c->now));
	return FORMNUMBER_FRESH;
}

const char *
formnumber_told(struct ctx *c, const char *number, const char *person, const char *route)
{
	const char *answer = db_one_text(c, "",
	    "SELECT answer FROM form WHERE number = :number"
	    " AND person = :person AND route = :route AND created_at > :since",
	    db_i(":since", c->now - LIFE), db_t(":number", number), db_t(":person", person),
	    db_t(":route", route));

	answer += strcspn(answer, "\n");
	return answer[0] != '\0' ? answer + 1 : NULL;
}

void
formnumber_answer(struct ctx *c, const struct formnumber *f, const char *location)
{
	db_run(c, "UPDATE form SET answer = :answer WHERE number = :number",
	    db_t(":answer", location), db_t(":number", f->number));
}

void
formnumber_sweep(struct ctx *c)
{
	db_run(c,
	    "DELETE FROM form WHERE number IN"
	    " (SELECT number FROM form WHERE created_at < :created_at"
	    " ORDER BY created_at LIMIT 200)",
	    db_i(":created_at", c->now - LIFE));
}
