#ifndef CONSOLE_ORDERS_H
#define CONSOLE_ORDERS_H
/* What the screens of orders have in common (docs/console.md §4.7). */
#include "action/order-actions.h"
#include "console/answer.h"

#define ORDERS_NEED (RIGHT_WRITE | RIGHT_PUBLISH)

/* Returns what was ordered: "Article with image". */
const char *orders_kind(const struct job *job);

/* Returns the topic in a line (arena), or a sentence where none was ordered. */
const char *orders_topic(struct ctx *c, const struct job *job);

/* Returns a stage in words. */
const char *orders_stage(const char *stage);

/* Writes the state as a word: "Waiting", a stage, "Done", "Failed", "Cancelled". */
void orders_write_state(struct hwrite *w, const struct job *job);

/* Writes who ordered: a person, a key, the operator. */
void orders_write_orderer(struct hwrite *w, const struct orders_orderer *by);

#endif
