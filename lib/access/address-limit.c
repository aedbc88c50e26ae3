#include "access/address-limit.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>
#include <arpa/inet.h>

#include "access/day-key.h"
#include "access/pepper.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "base/digest.h"
#include "base/fileio.h"
#include "base/log.h"
#include "store/limit.h"
#include "system/conf.h"
#include "system/filelock.h"
#include "system/instance.h"

#define STEP (4 * CLOCK_SECOND)
#define STEPS 15 /* of a minute */
#define HOUR (3600 * CLOCK_SECOND)
#define HOURS 25 /* 24 full ones, and the present one */
#define PLACES 65536
#define PLACE_SIZE 256
#define PLACES_AT 4096
/* So few requests of a day do not tell who is a proxy. */
#define TELLING 1000
/* What anybody can say of itself makes this much of the limit, and no more. */
#define FORWARDED_TIMES 10

/* Counts of the last hours; hour h is at h % HOURS. */
struct hours {
	int64_t newest; /* hours since 1970 */
	uint32_t counts[HOURS];
};

/* What is known of an address. Step s is at s % STEPS. */
struct place {
	int64_t day; /* whose key gave it this place */
	int64_t newest; /* steps since 1970 */
	uint32_t steps[STEPS];
	struct hours hours;
};

/* The head of the file: all requests. */
struct head {
	int64_t since; /* hours since 1970: the first that was counted */
	int64_t passed_at; /* address_limit_passed_at() */
	struct hours hours;
};

_Static_assert(sizeof(struct place) <= PLACE_SIZE, "a place fits");
_Static_assert(sizeof(struct head) <= PLACES_AT, "the head fits");

size_t
address_network(const char *address, unsigned char out[ADDRESS_NETWORK_MAX])
{
	static const unsigned char mapped[12] = { [10] = 0xFF, [11] = 0xFF };
	unsigned char bytes[16] = { 0 };

	memset(out, 0, ADDRESS_NETWORK_MAX);
	if (inet_pton(AF_INET, address, out) == 1)
		return 4;
	if (inet_pton(AF_INET6, address, bytes) != 1)
		return ADDRESS_NETWORK_MAX;
	if (memcmp(bytes, mapped, sizeof(mapped)) == 0) {
		memcpy(out, bytes + sizeof(mapped), 4);
		return 4;
	}
	memcpy(out, bytes, ADDRESS_NETWORK_MAX);
	return ADDRESS_NETWORK_MAX;
}

/* ---- counts */

/* Empties what has left the window of `count` steps that ends with `now`. A newest step in the
 * future was written before the clock was set back, and nothing is known; but the next step may
 * be another process's, which took the time later and the lock earlier. */
static void
move_on(int64_t *newest, uint32_t *counts, int64_t count, int64_t now)
{
	if (*newest == now + 1)
		return;
	if (*newest > now || now - *newest >= count) {
		memset(counts, 0, (size_t)count * sizeof(counts[0]));
	} else {
		for (int64_t i = *newest + 1; i <= now; i++)
			counts[i % count] = 0;
	}
	*newest = now;
}

static int64_t
sum_of(const uint32_t *counts, int64_t count)
{
	int64_t sum = 0;

	for (int64_t i = 0; i < count; i++)
		sum += counts[i];
	return sum;
}

static void
count_one(uint32_t *count)
{
	*count += *count < UINT32_MAX;
}

/* Returns how many came in the 24 full hours before this one. */
static int64_t
in_full_hours(const struct hours *h)
{
	return sum_of(h->counts, HOURS) - h->counts[h->newest % HOURS];
}

/* Returns whether nine of ten requests of the last 24 full hours came from there. */
static bool
is_most(const struct head *head, const struct place *p)
{
	int64_t all = in_full_hours(&head->hours);

	return head->hours.newest - head->since >= HOURS - 1 && all >= TELLING &&
	       in_full_hours(&p->hours) * 10 >= all * 9;
}

/* Returns the seconds until the oldest step with a request leaves the window. */
static int
seconds_to_wait(const struct place *p, int64_t now)
{
	int64_t step = p->newest - STEPS + 1;

	while (step < p->newest && p->steps[step % STEPS] == 0)
		step++;
	return (int)(((step + STEPS) * STEP - now + CLOCK_SECOND - 1) / CLOCK_SECOND);
}

/* ---- the file */

/* Finds the place that the key of a day gives to the address. */
static bool
find_place(struct ctx *c, const struct address_limit *l, int64_t day, off_t *offset)
{
	unsigned char key[DAY_KEY_SIZE], network[ADDRESS_NETWORK_MAX];
	struct digest d;
	uint64_t out;

	/* That of yesterday is never drawn. */
	if (!(day == day_key_day(l->now) ? day_key_read : day_key_find)(c, day, l->now, key))
		return false;
	digest_begin_keyed(&d, sizeof(out), "galley address limit 1", key, sizeof(key));
	if (l->person != NULL)
		digest_text(&d, l->person);
	else
		digest_bytes(&d, network, address_network(l->address, network));
	digest_end(&d, &out);
	explicit_bzero(key, sizeof(key));
	*offset = PLACES_AT + (off_t)(out % PLACES) * PLACE_SIZE;
	return true;
}

/* Begins a place in which another address, or nobody, was yesterday. What is known of the hours
 * of this one is in the place that it had then, while the key of yesterday is alive. */
static void
move_in(struct ctx *c, int fd, const struct address_limit *l, int64_t today, struct place *p)
{
	struct place before = { 0 };
	off_t offset;

	memset(p, 0, sizeof(*p));
	p->day = today;
	/* Without its lock: two that wait for each other's places would wait for ever. */
	if (find_place(c, l, today - 1, &offset) &&
	    pread(fd, &before, sizeof(before), offset) == (ssize_t)sizeof(before) &&
	    before.day == today - 1)
		p->hours = before.hours;
}

/* Counts the request that may come, here and among all. */
static bool
count_request(int fd, off_t offset, struct place *p, struct head *head)
{
	count_one(&p->steps[p->newest % STEPS]);
	count_one(&p->hours.counts[p->hours.newest % HOURS]);
	count_one(&head->hours.counts[head->hours.newest % HOURS]);
	return placefile_write(fd, offset, p, sizeof(*p)) &&
	       placefile_write(fd, 0, head, sizeof(*head));
}

/* Returns whether so many requests of a minute are too many for the address. */
static bool
is_too_many(
    const struct address_limit *l, const struct head *head, const struct place *p, int64_t used)
{
	if (!l->no_proxy && is_most(head, p))
		return false;
	return !l->forwarded || used / FORWARDED_TIMES >= l->per_minute;
}

/* Decides with the locks held; `look`: counts nothing. Returns false, with errno set, if the file
 * cannot be used. */
static bool
decide(struct ctx *c, int fd, const struct address_limit *l, bool look, off_t offset, int *retry_s)
{
	struct place p;
	struct head head;
	int64_t now = l->now, today = day_key_day(now), used;

	if (!placefile_read(fd, offset, &p, sizeof(p)))
		return false;
	if (p.day != today)
		move_in(c, fd, l, today, &p);
	if (!placefile_read(fd, 0, &head, sizeof(head)))
		return false;
	move_on(&p.newest, p.steps, STEPS, now / STEP);
	move_on(&p.hours.newest, p.hours.counts, HOURS, now / HOUR);
	move_on(&head.hours.newest, head.hours.counts, HOURS, now / HOUR);
	if (head.since == 0 || head.since > now / HOUR)
		head.since = now / HOUR;
	used = sum_of(p.steps, STEPS);
	if (used >= l->per_minute) {
		if (is_too_many(l, &head, &p, used)) {
			*retry_s = seconds_to_wait(&p, now);
			return true;
		}
		head.passed_at = now;
	}
	return look || count_request(fd, offset, &p, &head);
}

static bool
ask(struct ctx *c, const struct address_limit *l, bool look, int *retry_s)
{
	const char *path = fileio_path(c->arena, c->instance->run, l->file);
	off_t offset;
	int fd;

	*retry_s = 0;
	if (l->per_minute == 0)
		return true;
	fd = fileio_open(path, O_RDWR | O_CREAT | O_NOFOLLOW);
	if (fd < 0 || !find_place(c, l, day_key_day(l->now), &offset) ||
	    !decide(c, fd, l, look, offset, retry_s)) {
		log_line("%s: %s; everybody passes", path, strerror(errno));
		*retry_s = 0;
	}
	if (fd >= 0)
		close(fd);
	return *retry_s == 0;
}

bool
address_limit_take(struct ctx *c, const struct address_limit *l, int *retry_s)
{
	return ask(c, l, false, retry_s);
}

bool
address_limit_look(struct ctx *c, const struct address_limit *l, int *retry_s)
{
	return ask(c, l, true, retry_s);
}

int64_t
address_limit_passed_at(struct ctx *c, const char *file)
{
	int fd = fileio_open(fileio_path(c->arena, c->instance->run, file), O_RDONLY);
	struct head head = { 0 };

	if (fd < 0)
		return 0;
	if (pread(fd, &head, sizeof(head), 0) != (ssize_t)sizeof(head))
		head.passed_at = 0;
	close(fd);
	return head.passed_at;
}

/* ---- keys that fail */

#define SITE_BYTES 6

/* Returns the place of a network. A keyed digest decides it, so that no client can choose with
 * whom it shares a place. */
static unsigned
place_of(struct ctx *c, const unsigned char *bytes, size_t len)
{
	unsigned char out[8];
	struct pepper pepper;
	struct digest d;

	pepper_read(c, &pepper);
	digest_begin_keyed(&d, sizeof(out), "galley address 1", pepper.bytes, PEPPER_SIZE);
	digest_bytes(&d, bytes, len);
	digest_end(&d, out);
	pepper_wipe(&pepper);
	return (unsigned)out[0] | (unsigned)out[1] << 8;
}

bool
address_limit_fail(struct ctx *c, const char *address, int *retry_s)
{
	struct limit_network networks[LIMIT_NETWORKS];
	unsigned char bytes[ADDRESS_NETWORK_MAX];
	size_t len = address_network(address, bytes);
	int count = 0;

	*retry_s = 0;
	if (c->conf->requests_per_minute == 0)
		return false;
	/* Of IPv6, the site is first: so they are locked. */
	if (len > SITE_BYTES)
		networks[count++] = (struct limit_network) { true, place_of(c, bytes, SITE_BYTES) };
	networks[count++] = (struct limit_network) { false, place_of(c, bytes, len) };
	return limit_networks_fail(c, networks, count, retry_s);
}
