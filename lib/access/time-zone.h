#ifndef ACCESS_TIME_ZONE_H
#define ACCESS_TIME_ZONE_H
/*
 * The time zone in which people of a workspace type and read dates: a name that zone_load()
 * knows (system/zone/zone.h), in the table workspace_more. No program of the API reads it. All
 * functions need a transaction of DB_CONTENT.
 */
#include <stdint.h>

struct ctx;

/* Returns the name (arena); "UTC" where none was set. */
const char *time_zone_of(struct ctx *c, int64_t workspace_id);

/* Returns the name that is set in all workspaces of an account, or in that with the UUID `only`
 * (NULL: all): where they differ, and where there is none, "UTC" (arena). */
const char *time_zone_of_account(struct ctx *c, int64_t account_id, const char *only);

/* Sets it. The caller has checked that there is such a zone. */
void time_zone_set(struct ctx *c, int64_t workspace_id, const char *name);

#endif
