#ifndef CONSOLE_COUNTING_H
#define CONSOLE_COUNTING_H
/* Why the readers of a workspace are not counted, for its statistics. */
#include "action/statistics-actions.h"

struct hwrite;
struct page;

/* Writes why nothing is counted and what helps, if that is so. */
void
counting_write_silence(struct hwrite *w, const struct page *p, enum statistics_silence silence);

/* Writes the steps to the first count, of which the present one says what to do. */
void counting_write_empty(struct hwrite *w, const struct page *p, enum statistics_silence silence);

#endif
