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

static bool
is_asked(const struct stmt *q)
{
	for (int i = 0; i < q->db->asks_count; i++) {
		if (is_of(&q->db->asks[i], q))
			return true;
	}
	return false;
}

void
ahead_ask(struct stmt *q)
{
	struct db *db = q->db;

	/* It is only a wish. What a writer asks once more is what it will find behind its next
	 * write. */
	if (db->asks_count < PG_ASKS_MAX && (db->writing || !is_asked(q)))
		db->asks[db->asks_count++] =
		    (struct pg_ask) { .q = q, .values = values_of(db->c, q) };
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

bool
pg_has_answer(const struct stmt *q)
{
	for (int i = 0; i < q->db->asks_count; i++) {
		if (is_of(&q->db->asks[i], q))
			return q->db->asks[i].result != NULL;
	}
	return false;
}

void
pg_lend_answers(struct db *db, PGresult *old[PG_ASKS_MAX])
{
	for (int i = 0; i < db->asks_count; i++) {
		old[i] = db->asks[i].result;
		db->asks[i].result = NULL;
		db->asks[i].sent = false;
	}
}

static bool
is_same_field(const PGresult *a, const PGresult *b, int row, int column)
{
	int len = PQgetlength(a, row, column);

	return PQgetisnull(a, row, column) == PQgetisnull(b, row, column) &&
	       PQgetlength(b, row, column) == len &&
	       memcmp(PQgetvalue(a, row, column), PQgetvalue(b, row, column), (size_t)len) == 0;
}

static bool
is_same_result(const PGresult *a, const PGresult *b)
{
	int rows = PQntuples(a), columns = PQnfields(a);

	if (PQntuples(b) != rows || PQnfields(b) != columns)
		return false;
	for (int at = 0; at < rows * columns; at++) {
		if (!is_same_field(a, b, at / columns, at % columns))
			return false;
	}
	return true;
}

/* A question that was not answered before has only a new answer. */
bool
pg_same_answers(struct db *db, PGresult *old[PG_ASKS_MAX])
{
	bool same = true;

	for (int i = 0; i < db->asks_count; i++) {
		struct pg_ask *ask = &db->asks[i];

		if (old[i] == NULL)
			continue;
		same = same && ask->result != NULL && is_same_result(old[i], ask->result);
		PQclear(ask->result);
		ask->result = old[i];
		ask->sent = true;
	}
	return same;
}

/* The rows stay until the transaction ends: who asks once more has them, too. */
bool
pg_take_ask(struct stmt *q)
{
	for (int i = 0; i < q->db->asks_count; i++) {
		struct pg_ask *ask = &q->db->asks[i];

		if (!is_of(ask, q))
			continue;
		/* It is asked now, with all the others. */
		if (ask->result == NULL && (!pg_send_asks(q->db) || !pg_settle(q->db)))
			return false;
		q->result = ask->result;
		q->borrowed = q->result != NULL;
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
