/* Which release the stores belong to, without a transaction that would end the process. */
#include <stdint.h>
#include <unistd.h>

#include "base/ctx.h"
#include "store/sqlite/db-handle.h"
#include "store/db.h"
#include "store/schemas.h"

enum db_release
db_release(struct ctx *c)
{
	static const enum db_store stores[] = { DB_CONTENT, DB_CONSOLE };
	enum db_release found = DB_RELEASE_SAME;

	for (size_t i = 0; i < sizeof(stores) / sizeof(stores[0]); i++) {
		int64_t version, number = schemas_number(stores[i]);

		/* An instance of before has no people yet. */
		if (stores[i] == DB_CONSOLE && access(db_console_path(c), F_OK) != 0)
			continue;
		db_choose(c, stores[i]);
		db_set_deadline(c->db);
		version = db_version(c);
		/* The first transaction says what is wrong with a file of another program. */
		if (version == number || !db_is_ours(c))
			continue;
		if (version > number)
			return version >= DB_MOVED ? DB_RELEASE_MOVED : DB_RELEASE_NEWER;
		found = DB_RELEASE_OLDER;
	}
	return found;
}
