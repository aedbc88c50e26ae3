/* Which release the stores belong to, without a transaction that would end the process. */
#include <stdint.h>

#include "base/ctx.h"
#include "schema_version.h"
#include "store/db-handle.h"
#include "store/db.h"

enum db_release
db_release(struct ctx *c)
{
	static const struct {
		enum db_store store;
		int number;
	} stores[] = { { DB_CONTENT, SCHEMA_VERSION }, { DB_CONSOLE, CONSOLE_VERSION } };
	enum db_release found = DB_RELEASE_SAME;

	for (size_t i = 0; i < sizeof(stores) / sizeof(stores[0]); i++) {
		int64_t version;

		db_choose(c, stores[i].store);
		db_set_deadline(c->db);
		version = db_version(c);
		/* The first transaction says what is wrong with a file of another program. */
		if (version == stores[i].number || !db_is_ours(c))
			continue;
		if (version > stores[i].number)
			return DB_RELEASE_NEWER;
		found = DB_RELEASE_OLDER;
	}
	return found;
}
