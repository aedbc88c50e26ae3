#ifndef COMMAND_KEY_PRINT_H
#define COMMAND_KEY_PRINT_H
/* Keys as operators see them: everything but the key. Inside a transaction. */
#include "access/apikey.h"
#include "command/call.h"

/* All that is known of a key, as one JSON object or as lines. */
void key_print_json(struct ctx *c, struct jwrite *w, const struct apikey *key);
void key_print_lines(struct ctx *c, struct call *call, const struct apikey *key);

/* Says that last uses are not known where the limiter is switched off. */
void key_print_note_unused(struct ctx *c);

/* A warning on standard error for each set of scopes that surprises people. */
void key_print_warn(unsigned scopes);

#endif
