#ifndef SYSTEM_CONSOLE_CONF_H
#define SYSTEM_CONSOLE_CONF_H
/*
 * The keys of galley.conf that only the console, the pages and the tool read (docs/console.md
 * §6.4), and those that the second store reads when it connects.
 * The API's programs pass over their lines. `galley init` does not write them, because
 * every request of the API would read them: `galley config set` adds them.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

struct conf_key;
struct ctx;

struct console_conf {
	const char *database; /* "sqlite", an address of a PostgreSQL; "": not set */
	const char *database_password_file; /* for libpq: host:port:database:role:password */
	/* Of the API's programs, and of what makes the schemas; "": they are those before. */
	const char *database_api_user, *database_api_password_file;
	const char *database_owner_user, *database_owner_password_file;
	const char *url; /* https origin and path, no trailing slash; "": public_url */
	const char *pages_url; /* the same of what is shared; "": public_url */
	int64_t pages_per_minute; /* requests of an address to pages; 0: no limit */
	int64_t collect_per_minute; /* hits of an address; 0: no limit */
	int64_t idle_minutes; /* an unused session ends after so long */
	int64_t days; /* a session on one's own device ends after so long */
	int64_t step_up_minutes; /* who it is is asked again after so long; 0: always */
	int64_t forms_per_minute; /* of the console, of a person; 0: no limit */
	int64_t account_mib; /* what the pictures of an account may take */
	int64_t account_text_mib; /* what its texts may take (article/text-room.h) */
	int64_t stats_months; /* counts of readers are kept for so long */
	const char *mail_command; /* sends a mail (notify/postman.h); "": none is sent */
};

/* Reads them from galley.conf; where it has a fault, from the last good settings (but for
 * mail_command, which is "" then), and where there are none, the defaults. Strings are in the
 * arena. */
void console_conf_read(struct ctx *c, struct console_conf *out);

/* Reads them from the text of a file, which is written over. What is no line of theirs is
 * passed over: conf_parse() looks at it. Where it refuses (ERR_INTERNAL: a wrong value, a
 * key given twice), *line is the number of the line at fault. */
MAY_REFUSE struct err *
console_conf_parse(struct ctx *c, char *text, struct console_conf *out, int *line);

/* Refuses the file at `path` if console_conf_parse() does, with the line in the sentence. */
MAY_REFUSE struct err *console_conf_check(struct ctx *c, const char *path);

/* Sets a key from text, which *out may point into. Refuses a wrong value. */
MAY_REFUSE struct err *console_conf_set(
    struct ctx *c, struct console_conf *out, const struct conf_key *key, const char *value);

/* Returns the key of this name, or NULL. */
const struct conf_key *console_conf_named(const char *name, size_t len);

/* Returns the key at this place of the table; NULL behind the last. */
const struct conf_key *console_conf_key(size_t i);

/*
 * ---- which values `database` and the files of passwords of galley.conf may have
 * (docs/postgres.md §1, §7)
 */

/* Whether these programs are built for PostgreSQL: the store says it (store/schemas.c). */
extern const bool conf_database_is_remote;

/* Returns whether the value of `database` is an address of a PostgreSQL, not the word sqlite. */
bool conf_database_is_address(const char *value);

/* Refuses the value of one of these keys: an address that holds a password, a store that these
 * programs are not built for, a path that is not absolute. Other keys have all values. No sentence
 * repeats the value. */
MAY_REFUSE struct err *
conf_database_check(struct ctx *c, const char *key, size_t len, const char *value);

/*
 * ---- which addresses public_url, console_url and pages_url may be given. conf_read() takes more
 * than this, because an instance that works must go on to work: the strict rules are asked
 * where somebody sets an address (`galley init`, `galley config set`, the page Start) and by
 * `galley doctor`. The programs of the API never ask them.
 */

/* Returns whether the value of this key of galley.conf is such an address. */
bool conf_address_is_of(const char *key);

/*
 * Refuses (ERR_INTERNAL, as conf_set() does) a value of `key` that no browser could open, with
 * a sentence that says which part of it is wrong. It must be "http" or "https"; a host name
 * (labels of letters, digits, - and _, of 1 to 63 bytes, 253 together), an IPv4 address or an
 * IPv6 address in brackets; perhaps a port from 1 to 65535; perhaps a path without empty
 * parts, "." and "..". "" is good: the address is not set.
 */
MAY_REFUSE struct err *conf_address_check(struct ctx *c, const char *key, const char *value);

#endif
