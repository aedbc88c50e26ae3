#ifndef ACCESS_DAY_KEY_SHARE_H
#define ACCESS_DAY_KEY_SHARE_H
/*
 * Keys of days (day-key.h) where an instance has several hosts: a reader who meets two of them is
 * one visitor. The store has the key of each day, and the task runner of each host writes it into
 * run/days, a day before the first hit can need it. A collector that finds no key draws one, so
 * that no hit is lost; the task runner then replaces it, unless the store has none yet.
 */
#include <stdint.h>

struct ctx;

/* Makes the keys of this host those of all, for the days that it is somewhere on earth at `now` and
 * for those a day later. Does nothing where there is one host. The counts must be there; no
 * transaction may be open. */
void day_key_share(struct ctx *c, int64_t now);

#endif
