#ifndef STATS_HIT_SUM_H
#define STATS_HIT_SUM_H
/*
 * Counts lines of hits: sums them up in memory, and adds the sums to the counts (view.h). What is
 * no line of a hit (hit.h), is of a workspace that is not there, or of a day that was erased after
 * it, is passed over. What a line says is a stranger's: label.h decides what is counted of it, and
 * an article counts if the workspace has it.
 */
#include <stddef.h>

struct ctx;

/* Counts `len` bytes of whole lines, some MiB at most. Needs a transaction of DB_STATS. */
void hit_sum(struct ctx *c, const char *bytes, size_t len);

#endif
