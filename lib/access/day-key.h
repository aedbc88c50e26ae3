#ifndef ACCESS_DAY_KEY_H
#define ACCESS_DAY_KEY_H
/*
 * A random key for each day: what is derived from the address of a stranger is keyed with it
 * (docs/pages.md §8), so that nobody can tell any more which address it was once the key
 * is gone. A key is a file of run/days, which is in no backup. It is there while it is that day
 * anywhere on earth, 50 hours, and is then unlinked by the next process that draws a key, and by
 * the task runner.
 *
 * Where an instance has several hosts, a key is there a day before (day_key_share()).
 *
 * A day is the number of days since 1970 of a clock that shows local time. A confined process
 * needs the right to write in the folder. No function needs the database.
 */
#include <stdbool.h>
#include <stdint.h>

struct ctx;

#define DAY_KEY_SIZE 32

/* Returns the folder of the keys (arena). */
const char *day_key_folder(struct ctx *c);

/* Returns the day that a clock shows at `local` (microseconds, as if it showed UTC). */
int64_t day_key_day(int64_t local);

/* Returns whether it is this day somewhere on earth at `now`. */
bool day_key_is_alive(int64_t day, int64_t now);

/* Reads the key of a day, and draws it where there is none yet. Returns false, with errno set,
 * if it is this day nowhere at `now` (ESTALE), or the key can neither be read nor be kept. */
bool day_key_read(struct ctx *c, int64_t day, int64_t now, unsigned char key[DAY_KEY_SIZE]);

/* Reads the key of a day. Returns false if there is none. */
bool day_key_find(struct ctx *c, int64_t day, int64_t now, unsigned char key[DAY_KEY_SIZE]);

/* Unlinks the keys of all days that are over everywhere. Returns whether none of them is left. */
bool day_key_sweep(struct ctx *c, int64_t now);

/*
 * Keys of days where an instance has several hosts: a reader who meets two of them is
 * one visitor. The store has the key of each day, and the task runner of each host writes it into
 * run/days, a day before the first hit can need it. A collector that finds no key draws one, so
 * that no hit is lost; the task runner then replaces it, unless the store has none yet.
 */

/* Makes the keys of this host those of all, for the days that it is somewhere on earth at `now` and
 * for those a day later. Does nothing where there is one host. The counts must be there; no
 * transaction may be open. */
void day_key_share(struct ctx *c, int64_t now);

#endif
