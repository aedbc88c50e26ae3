/* What is asked before it is needed: store/ahead.h. */
#include "store/ahead.h"

#include <string.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "store/pg/pg-handle.h"

/* Copies the values that a statement has now. */
static struct pg_value *
values_of(struct ctx *c, const struct stmt *q)
{
	struct pg_value *values = arena_array(c->arena, (size_t)q->count + 1, sizeof(*values));

	for (int i = 0; i < q->count; i++) {
		struct pg_value *v = &values[i];
		char *text;

		*v = q->values[i];
		if (v->text == NULL)
			continue;
		text = arena_alloc(c->arena, (size_t)v->len + 1);
		memcpy(text, v->text, (size_t)v->len);
		text[v->len] = '\0';
		v->text = text;
	}
	return values;
}

void
ahead_ask(struct stmt *q)
{
	struct db *db = q->db;

	/* It is only a wish. */
	if (db->asks_count < PG_ASKS_MAX)
		db->asks[db->asks_count++] = (struct pg_ask){ .q = q,
			.values = values_of(db->c, q) };
	db_reset(q);
}

void
ahead_alone(struct ctx *c)
{
	c->db->alone = true;
}

bool
pg_send_asks(struct db *db)
{
	bool sent = true;

	for (int i = 0; i < db->asks_count && sent; i++) {
		struct pg_ask *ask = &db->asks[i];
		struct pg_value present[PG_PARAMETERS_MAX];
		size_t len = (size_t)ask->q->count * sizeof(*present);

		if (ask->sent || ask->stale)
			continue;
		memcpy(present, ask->q->values, len);
		memcpy(ask->q->values, ask->values, len);
		sent = ask->sent = pg_queue(ask->q, &ask->result);
		memcpy(ask->q->values, present, len);
	}
	return sent;
}

static bool
is_same(const struct pg_value *a, const struct pg_value *b)
{
	if (a->text == NULL || b->text == NULL)
		return a->text == b->text;
	return a->len == b->len && memcmp(a->text, b->text, (size_t)a->len) == 0;
}

static bool
is_of(const struct pg_ask *ask, const struct stmt *q)
{
	if (ask->q != q || ask->stale)
		return false;
	for (int i = 0; i < q->count; i++) {
		if (!is_same(&ask->values[i], &q->values[i]))
			return false;
	}
	return true;
}

/* The rows stay until the transaction ends: who asks once more has them, too. */
bool
pg_take_ask(struct stmt *q)
{
	for (int i = 0; i < q->db->asks_count; i++) {
		struct pg_ask *ask = &q->db->asks[i];

		if (!is_of(ask, q))
			continue;
		/* It is asked now. */
		ask->stale = ask->result == NULL;
		q->result = ask->result;
		q->borrowed = !ask->stale;
		return q->borrowed;
	}
	return false;
}

void
pg_stale_asks(struct db *db)
{
	for (int i = 0; i < db->asks_count; i++)
		db->asks[i].stale = db->asks[i].stale || db->asks[i].sent;
}

void
pg_unsend_asks(struct db *db)
{
	for (int i = 0; i < db->asks_count; i++) {
		PQclear(db->asks[i].result);
		db->asks[i].result = NULL;
		db->asks[i].sent = false;
	}
}

void
pg_forget_asks(struct db *db)
{
	pg_unsend_asks(db);
	db->asks_count = 0;
	db->alone = false;
}
