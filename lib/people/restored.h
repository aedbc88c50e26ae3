#ifndef PEOPLE_RESTORED_H
#define PEOPLE_RESTORED_H
/* People who come out of a backup (docs/console.md §4.15). Both functions need a
 * transaction of DB_CONSOLE. */
#include <stdint.h>

struct ctx;

/* Returns how many people there are. */
int64_t restored_count(struct ctx *c);

/*
 * Removes what never comes back: sessions, known browsers, links, held texts, numbers
 * of forms and tasks. Disables everybody: who left after the backup must not be
 * back.
 */
void restored_settle(struct ctx *c);

#endif
