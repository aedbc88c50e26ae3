#ifndef ARTICLE_REFRESH_H
#define ARTICLE_REFRESH_H
/*
 * Stores the finished bytes of all articles whose stored bytes are stale (stored.h): a
 * work (system/work.h) that uses all processors at once. Answers are right without it;
 * they cost more until the bytes are stored. The job runner does the same in small
 * pieces.
 *
 * Each process opens a connection of its own, since no connection may live through a
 * fork(). A process that ends early leaves whole articles; the same work again does the
 * rest.
 */
#include <stdint.h>

#include "base/err.h"

struct work;

/* Renews what is stale in this workspace (internal id; 0: in all of them). Closes the
 * database before it begins. *renewed says how many articles were renewed. Refuses when a
 * process ended early, and when it must stop; what was renewed stays in both cases. */
MAY_REFUSE struct err *
refresh_run(struct ctx *c, const struct work *work, int64_t workspace_id, int64_t *renewed);

#endif
