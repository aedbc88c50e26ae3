#include "access/day-key-share.h"

#include <errno.h>
#include <string.h>

#include "access/day-key.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "base/log.h"
#include "store/db-hosts.h"
#include "store/db.h"

#define DAYS_MAX 4 /* what is alive within a day from now */

struct day {
	int64_t day;
	bool own; /* this host has a key already */
	unsigned char key[DAY_KEY_SIZE], shared[DAY_KEY_SIZE];
};

/* Reads this host's keys, and draws those that it lacks. */
static size_t
read_days(struct ctx *c, int64_t now, struct day *out)
{
	int64_t today = day_key_day(now);
	size_t count = 0;

	for (int64_t day = today - 1; day <= today + 2 && count < DAYS_MAX; day++) {
		if (!day_key_is_due(day, now))
			continue;
		out[count].day = day;
		out[count].own = day_key_look(c, day, out[count].key);
		if (!out[count].own)
			day_key_draw(out[count].key);
		memcpy(out[count].shared, out[count].key, DAY_KEY_SIZE);
		count++;
	}
	return count;
}

void
day_key_share(struct ctx *c, int64_t now)
{
	struct day days[DAYS_MAX];
	size_t count;

	if (!db_has_hosts())
		return;
	count = read_days(c, now, days);
	db_begin_write(c, DB_STATS, DB_CHANGES_NOTHING, 0, 0);
	if (count > 0)
		db_day_keys_forget(c, days[0].day);
	for (size_t i = 0; i < count; i++)
		db_day_key_share(c, days[i].day, days[i].shared, DAY_KEY_SIZE);
	db_commit(c);
	for (size_t i = 0; i < count; i++) {
		if (days[i].own && memcmp(days[i].key, days[i].shared, DAY_KEY_SIZE) == 0)
			continue;
		if (!day_key_put(c, days[i].day, days[i].shared))
			log_line("run/days: %s", strerror(errno));
	}
	explicit_bzero(days, sizeof(days));
}
