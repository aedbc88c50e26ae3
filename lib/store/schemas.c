#include "store/schemas.h"

#include <stdlib.h>

#include "console.h"
#include "schema.h"
#include "stats.h"
#include "store/remote-store.h"
#include "system/conf.h"

const bool conf_database_is_remote = STORE_IS_REMOTE;

/* Made by db/embed.sh. */
extern const struct migration content_steps[], content_released[];
extern const struct migration console_steps[], console_released[];
extern const struct migration stats_steps[], stats_released[];

static const struct schemas content = { SCHEMA_VERSION, schema, DB_APPLICATION_ID, content_steps,
	content_released, "This database", "the database" };
static const struct schemas console = { CONSOLE_VERSION, console_schema, DB_CONSOLE_APPLICATION_ID,
	console_steps, console_released, "people/console.db", "people/console.db" };
static const struct schemas stats = { STATS_VERSION, stats_schema, DB_STATS_APPLICATION_ID,
	stats_steps, stats_released, "stats/stats.db", "stats/stats.db" };

#ifdef GALLEY_TEST
#include <stdlib.h>

#include "next.h"

/* Made by tests/next/make.sh. */
extern const struct migration content_next_steps[], content_next_released[];
extern const struct migration console_next_steps[], console_next_released[];

static const struct schemas next_content = { SCHEMA_VERSION + 1, next_schema, DB_APPLICATION_ID,
	content_next_steps, content_next_released, "This database", "the database" };
static const struct schemas next_console = { CONSOLE_VERSION + 1, next_console_schema,
	DB_CONSOLE_APPLICATION_ID, console_next_steps, console_next_released, "people/console.db",
	"people/console.db" };

const struct schemas *
schemas_of(enum db_store store)
{
	if (store == DB_STATS)
		return &stats;
	if (getenv("GALLEY_NEXT") == NULL)
		return store == DB_CONTENT ? &content : &console;
	return store == DB_CONTENT ? &next_content : &next_console;
}

int64_t
schemas_number(enum db_store store)
{
	int number = store == DB_CONTENT ? SCHEMA_VERSION : CONSOLE_VERSION;

	if (store == DB_STATS)
		return STATS_VERSION;
	return getenv("GALLEY_NEXT") == NULL ? number : number + 1;
}
#else
const struct schemas *
schemas_of(enum db_store store)
{
	return store == DB_CONTENT ? &content : store == DB_CONSOLE ? &console : &stats;
}
#endif
