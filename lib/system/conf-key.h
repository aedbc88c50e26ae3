#ifndef SYSTEM_CONF_KEY_H
#define SYSTEM_CONF_KEY_H
/* The rows of the tables of keys. Private to conf.c and console-conf.c. */
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

struct ctx;

enum conf_kind { TEXT, URL, SWITCH, NUMBER, RATE };

struct conf_key {
	char name[32];
	enum conf_kind kind;
	size_t offset; /* of the member in the struct of the settings */
	int64_t min, max;
	char standard[8]; /* the default */
	char doc[280]; /* the comment that `galley init` writes above it */
};

/* Sets a key's member in `settings`, or its default. What it sets may point into
 * `value`. */
MAY_REFUSE struct err *
conf_key_set(struct ctx *c, void *settings, const struct conf_key *key, const char *value);
void conf_key_default(void *settings, const struct conf_key *key);

#endif
