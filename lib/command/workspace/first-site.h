#ifndef COMMAND_FIRST_SITE_H
#define COMMAND_FIRST_SITE_H
/*
 * The first customer of a new instance, all in one: an account and a workspace
 * of one name, and a key that reads (galley init --site).
 */
#include "command/call.h"

/* Refuses what the options would be refused for later, before anything is
 * made. Without --site the others are refused, too. */
MAY_REFUSE struct err *first_site_check(struct ctx *c, const struct call *call);

/*
 * Makes them where --site is given, in a transaction of its own; c->conf is
 * that of the instance. Members of the present object with --json, else lines:
 * the key, and a request to try it with.
 */
MAY_REFUSE struct err *first_site_make(struct ctx *c, struct call *call);

#endif
