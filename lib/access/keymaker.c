#include "access/keymaker.h"

#include <stddef.h>

#include "base/ctx.h"
#include "store/db.h"

void
keymaker_insert(struct ctx *c, int64_t key_id, const char *person)
{
	struct stmt *q =
	    db_prepare(c, "INSERT INTO key_more (key_id, person) VALUES (:key, :person)");

	db_bind_int(q, ":key", key_id);
	db_bind_text(q, ":person", person);
	db_run(q);
}

const char *
keymaker_find(struct ctx *c, int64_t key_id)
{
	struct stmt *q = db_prepare(c, "SELECT person FROM key_more WHERE key_id = :key");
	const char *person = NULL;

	db_bind_int(q, ":key", key_id);
	if (db_row(q))
		person = db_text(q, 0);
	db_reset(q);
	return person;
}

void
keymaker_list(struct ctx *c, const char *person, int64_t max,
    void (*each)(void *arg, const struct apikey *key), void *arg)
{
	struct stmt *q =
	    db_prepare(c, "SELECT m.key_id FROM key_more m"
			  " JOIN api_key k ON k.id = m.key_id WHERE m.person = :person"
			  " AND k.revoked_at IS NULL ORDER BY m.key_id DESC LIMIT :max");

	db_bind_text(q, ":person", person);
	db_bind_int(q, ":max", max);
	while (db_row(q))
		each(arg, apikey_of(c, db_int(q, 0)));
}
