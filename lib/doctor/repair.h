#ifndef DOCTOR_REPAIR_H
#define DOCTOR_REPAIR_H
/* Repairs what Galley can make of other rows (galley verify --repair). */
#include <stddef.h>

struct ctx;

/* Writes the rows again from which pages list an article, of each article whose rows are wrong
 * (article/listed.h). Each article has a transaction of its own. Returns how many there
 * were. Call it outside a transaction. */
size_t repair_listed(struct ctx *c);

#endif
