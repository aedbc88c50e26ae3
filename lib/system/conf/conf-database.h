#ifndef SYSTEM_CONF_DATABASE_H
#define SYSTEM_CONF_DATABASE_H
/*
 * Which values `database` and the files of passwords of galley.conf may have
 * (docs/postgres.md §1, §7). Private to conf.c and console-conf.c, but for the first function.
 */
#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

struct ctx;

/* Returns whether the value of `database` is an address of a PostgreSQL, not the word sqlite. */
bool conf_database_is_address(const char *value);

/* Refuses the value of one of these keys: an address that holds a password, a store that these
 * programs are not built for, a path that is not absolute. Other keys have all values. No sentence
 * repeats the value. */
MAY_REFUSE struct err *
conf_database_check(struct ctx *c, const char *key, size_t len, const char *value);

#endif
