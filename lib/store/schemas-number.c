/* The numbers of the schemas in a test build, apart from the schemas themselves, which programs
 * of one request do not have. */
#include <stdlib.h>

#include "store/schemas.h"

#ifdef GALLEY_TEST
int64_t
schemas_number(enum db_store store)
{
	int number = store == DB_CONTENT ? SCHEMA_VERSION : CONSOLE_VERSION;

	if (store == DB_STATS)
		return STATS_VERSION;
	return getenv("GALLEY_NEXT") == NULL ? number : number + 1;
}
#endif
