#include "access/lookup.h"

#include <stddef.h>

#include "base/uuid.h"
#include "store/db.h"

bool
lookup_first(struct stmt *q, const char *name_or_uuid)
{
	char uuid[UUID_TEXT];

	db_bind_text(q, ":uuid", uuid_parse(name_or_uuid, uuid) ? uuid : NULL);
	db_bind_text(q, ":name", name_or_uuid);
	return db_row(q);
}

bool
lookup_is_many(struct stmt *q, const void *found)
{
	bool many = found != NULL && db_row(q);

	db_reset(q);
	return many;
}
