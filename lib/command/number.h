#ifndef COMMAND_NUMBER_H
#define COMMAND_NUMBER_H
/* Whole numbers among the words of a command. */
#include <stdint.h>

#include "base/err.h"

struct ctx;

/* Reads digits: 0 to 9,999,999,999. Another word is a usage error that says it
 * is no `what` ("number of credits"). */
MAY_REFUSE struct err *number_read(struct ctx *c, const char *word, const char *what, int64_t *out);

#endif
