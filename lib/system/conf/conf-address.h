#ifndef SYSTEM_CONF_ADDRESS_H
#define SYSTEM_CONF_ADDRESS_H
/*
 * Which addresses public_url, console_url and pages_url may be given. conf_read() takes more
 * than this, because an instance that works must go on to work: the strict rules are asked
 * where somebody sets an address (`galley init`, `galley config set`, the page Start) and by
 * `galley doctor`. The programs of the API never ask them.
 */
#include <stdbool.h>

#include "base/err.h"

struct ctx;

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
