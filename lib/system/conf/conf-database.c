#include "system/conf/conf-database.h"

#include <string.h>

#include "base/ctx.h"

bool
conf_database_is_address(const char *value)
{
	return value[0] != '\0' && strcmp(value, "sqlite") != 0;
}

static bool
begins(const char *text, const char *with)
{
	return strncmp(text, with, strlen(with)) == 0;
}

/* Returns what follows the scheme, or NULL: the value is no URI. */
static const char *
behind_scheme(const char *value)
{
	return begins(value, "postgresql://") ? value + strlen("postgresql://")
	       : begins(value, "postgres://") ? value + strlen("postgres://")
					      : NULL;
}

/* Returns whether `word` is in the text as a key of its own: `password = …`, `?password=…`. */
static bool
has_key(const char *text, const char *word)
{
	const char *found = text;

	while ((found = strstr(found, word)) != NULL) {
		const char *end = found + strlen(word);

		if ((found == text || strchr(" \t?&'", found[-1]) != NULL) &&
		    end[strspn(end, " \t")] == '=')
			return true;
		found = end;
	}
	return false;
}

/* A URI's user ends at the last @ before its parameters: what a person wrote as a password may hold
 * another one. */
static bool
has_password(const char *value)
{
	const char *rest = behind_scheme(value), *user_end = NULL, *colon;
	size_t len;

	if (has_key(value, "password") || has_key(value, "sslpassword"))
		return true;
	if (rest == NULL)
		return false;
	/* A % may hide a letter of the word. */
	colon = strchr(rest, '?');
	if (colon != NULL && strchr(colon, '%') != NULL && strcasestr(colon, "word=") != NULL)
		return true;
	len = strcspn(rest, "?");
	for (size_t i = 0; i < len; i++) {
		if (rest[i] == '@')
			user_end = rest + i;
	}
	colon = strchr(rest, ':');
	return user_end != NULL && colon != NULL && colon < user_end;
}

static struct err *
check_address(struct ctx *c, const char *value)
{
	if (has_password(value))
		return refuse(c, ERR_INTERNAL,
		    "database must hold no password: write it to a file that only the owner reads, and name that in database_password_file.");
	if (behind_scheme(value) == NULL && strchr(value, '=') == NULL)
		return refuse(c, ERR_INTERNAL,
		    "database must be sqlite, postgresql://host/name, or host=… dbname=….");
#ifndef STORE_PG
	return refuse(c, ERR_INTERNAL,
	    "database names a PostgreSQL, and these programs are built for SQLite: install galley-postgresql.");
#else
	return NULL;
#endif
}

/* Returns whether the key names a file of passwords. */
static bool
is_file(const char *key, size_t len)
{
	static const char begin[] = "database_", end[] = "password_file";
	const size_t tail = sizeof(end) - 1;

	return len > tail && begins(key, begin) && memcmp(key + len - tail, end, tail) == 0;
}

struct err *
conf_database_check(struct ctx *c, const char *key, size_t len, const char *value)
{
	if (len == strlen("database") && memcmp(key, "database", len) == 0) {
		if (conf_database_is_address(value))
			return check_address(c, value);
#ifdef STORE_PG
		if (strcmp(value, "sqlite") == 0)
			return refuse(c, ERR_INTERNAL,
			    "database is sqlite, and these programs are built for PostgreSQL: install those without PostgreSQL, or name the database.");
#endif
		return NULL;
	}
	if (is_file(key, len) && value[0] != '\0' && value[0] != '/')
		return refuse(c, ERR_INTERNAL, "%.*s must be an absolute path.", (int)len, key);
	return NULL;
}
