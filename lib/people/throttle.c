#include "people/throttle.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "access/day-key.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "base/digest.h"
#include "base/fileio.h"
#include "base/log.h"
#include "people/secret.h"
#include "screen/tr.h"
#include "store/limit.h"
#include "system/filelock.h"
#include "system/instance.h"

/* ---- failures that make a person wait */

#define BORNE 10 /* failures in the window */
#define FAILURE_WINDOW (600 * CLOCK_SECOND)
#define FIRST (60 * CLOCK_SECOND)

int
wait_left_s(const struct wait *w, int64_t now, int64_t longest)
{
	if (now >= w->until || w->until - now > longest)
		return 0;
	return (int)((w->until - now + CLOCK_SECOND - 1) / CLOCK_SECOND);
}

/* Returns when the failures are forgotten. */
static int64_t
end_of(const struct wait *w)
{
	return w->failures < BORNE ? w->since + FAILURE_WINDOW : w->until + CLOCK_DAY;
}

void
wait_count(struct wait *w, int64_t now, int64_t longest)
{
	int64_t wait = FIRST;

	if (w->failures <= 0 || now < w->since || now >= end_of(w)) {
		w->failures = 0;
		w->since = now;
	}
	w->failures++;
	w->until = 0;
	if (w->failures < BORNE)
		return;
	for (int64_t i = BORNE; i < w->failures && wait < longest; i++)
		wait *= 2;
	w->until = now + (wait < longest ? wait : longest);
}

/* Takes back a failure that was counted at `at`, with the wait that it began. */
static void
wait_uncount(struct wait *w, int64_t at)
{
	if (w->failures > 0)
		w->failures--;
	if (w->failures < BORNE)
		w->until = 0;
	else if (w->until > at)
		w->until = at;
}

/* ---- tries, by place */

#define LONGEST_WAIT (15 * 60 * CLOCK_SECOND)
#define WINDOW (300 * CLOCK_SECOND)
#define HOST_TIMES 30
#define SITE_TIMES 120
#define RIGHT_TIMES 20
#define RIGHT_WINDOW (600 * CLOCK_SECOND)
#define PEOPLE 100
#define PEOPLE_OF_A_PROXY 3

/* The numbers of places, in the order in which they are locked; with SQLite that of a byte of the
 * file. The peers are in that file with each store. */
enum {
	PEERS_AT = 0,
	LOGINS_AT = 4096,
	LOGIN_SIZE = 32,
	LOGINS = 65536,
	HOSTS_AT = LOGINS_AT + LOGIN_SIZE * LOGINS,
	HOST_SIZE = 256,
	HOSTS = 65536,
	SITES_AT = HOSTS_AT + HOST_SIZE * HOSTS,
	SITE_SIZE = 1024,
	SITES = 16384,
	RIGHTS_AT = SITES_AT + SITE_SIZE * SITES,
	RIGHT_SIZE = 16
};

/* The last times of a network: the index of the oldest one, then the times. 0 is none. */
struct ring {
	int64_t head;
	int64_t times[SITE_TIMES];
};

/* A network from which tries come. */
struct network {
	int64_t place;
	size_t size;
	int times; /* so many in the window are too many */
	struct ring ring;
};

/* The right passwords of a login. */
struct rights {
	int64_t count;
	int64_t since; /* the first of them */
};

/* The people who came last, each of them once, and from where. */
struct peers {
	uint64_t head; /* whose place is the next newcomer's */
	struct {
		int64_t person_id; /* 0: the place is free */
		int64_t day; /* of the key of the peer's digest */
		uint64_t peer;
	} people[PEOPLE];
};

_Static_assert(sizeof(struct wait) <= LOGIN_SIZE, "a login fits its place");
_Static_assert(sizeof(int64_t) * (1 + HOST_TIMES) <= HOST_SIZE, "an address, too");
_Static_assert(sizeof(struct ring) <= SITE_SIZE, "and a site");
_Static_assert(sizeof(struct rights) <= RIGHT_SIZE, "and right passwords");
_Static_assert(sizeof(struct peers) <= LOGINS_AT, "and the peers");

/* ---- the places */

static const char *
path_of(struct ctx *c)
{
	return arena_printf(c->arena, "%s/console/throttle", c->instance->run);
}

/* Returns the path of the file, in a folder that is there (arena); NULL with errno set. */
static const char *
path_made(struct ctx *c)
{
	const char *path = path_of(c);

	return fileio_make_folder(fileio_folder(c->arena, path), 0700) ? path : NULL;
}

/* Opens the places of tries; NULL with errno set. */
static struct limit_places *
open_places(struct ctx *c)
{
	const char *path = path_made(c);

	return path != NULL ? limit_places_open(c, path) : NULL;
}

/* Opens the file, which has the peers of this host; -1 with errno set. */
static int
open_file(struct ctx *c)
{
	const char *path = path_made(c);

	return path != NULL ? fileio_open(path, O_RDWR | O_CREAT | O_NOFOLLOW) : -1;
}

/* Computes what decides about a place. No client can choose with whom it shares one. */
static uint64_t
digest_of(const unsigned char key[SECRET_SIZE], const char *kind, int64_t device, const void *bytes,
    size_t len)
{
	struct digest d;
	uint64_t out;

	digest_begin_keyed(&d, sizeof(out), kind, key, SECRET_SIZE);
	digest_int(&d, device);
	digest_bytes(&d, bytes, len);
	digest_end(&d, &out);
	return out;
}

_Static_assert(SECRET_SIZE == DAY_KEY_SIZE, "both keys are as long");

/* Returns the number of a login, of LOGINS; in a browser that is known it has another one. */
static int64_t
login_number(struct ctx *c, const char *login, int64_t device)
{
	unsigned char key[SECRET_SIZE];
	uint64_t digest;

	secret_key(c, "galley throttle 1", key);
	digest = digest_of(key, "galley throttle login 1", device, login, strlen(login));
	explicit_bzero(key, sizeof(key));
	return (int64_t)(digest % LOGINS);
}

static int64_t
login_place(struct ctx *c, const char *login, int64_t device)
{
	return LOGINS_AT + login_number(c, login, device) * LOGIN_SIZE;
}

/* A person's right passwords count together, whatever the browser. */
static int64_t
rights_place(struct ctx *c, const char *login)
{
	return RIGHTS_AT + login_number(c, login, 0) * RIGHT_SIZE;
}

static void
add_network(const unsigned char *key, struct network *n, bool is_site, const unsigned char *bytes,
    size_t len)
{
	uint64_t digest = digest_of(key, "galley throttle address 1", 0, bytes, len);

	n->size = sizeof(int64_t) * (size_t)(1 + (is_site ? SITE_TIMES : HOST_TIMES));
	n->times = is_site ? SITE_TIMES : HOST_TIMES;
	n->place = is_site ? SITES_AT + (int64_t)(digest % SITES) * SITE_SIZE
			   : HOSTS_AT + (int64_t)(digest % HOSTS) * HOST_SIZE;
}

/* Reads an address. Returns 4 for IPv4, also in the form of IPv6, else 16. */
static size_t
read_address(const char *address, unsigned char bytes[16])
{
	static const unsigned char mapped[12] = { [10] = 0xFF, [11] = 0xFF };

	memset(bytes, 0, 16);
	if (inet_pton(AF_INET, address, bytes) == 1)
		return 4;
	if (inet_pton(AF_INET6, address, bytes) != 1 || memcmp(bytes, mapped, sizeof(mapped)) != 0)
		return 16;
	memmove(bytes, bytes + sizeof(mapped), 4);
	return 4;
}

/* Finds the networks of an address: of IPv6 the /64 and the /48. The key of the day `at` gives
 * them their places, so that they end with it. Returns how many there are, or -1 with errno. */
static int
networks_of(struct ctx *c, const char *address, int64_t at, struct network out[2])
{
	unsigned char bytes[16], key[DAY_KEY_SIZE];
	int count = read_address(address, bytes) == 4 ? 1 : 2;

	if (!day_key_read(c, day_key_day(at), at, key))
		return -1;
	if (count == 1) {
		add_network(key, &out[0], false, bytes, 4);
	} else {
		add_network(key, &out[0], false, bytes, 8);
		add_network(key, &out[1], true, bytes, 6);
	}
	explicit_bzero(key, sizeof(key));
	return count;
}

/* Returns the time from which one more try may come from a network; 0: now. */
static int64_t
full_until(struct network *n, int64_t now)
{
	int64_t oldest;

	if (n->ring.head < 0 || n->ring.head >= n->times)
		n->ring.head = 0;
	oldest = n->ring.times[n->ring.head];
	if (oldest <= 0 || oldest > now || oldest + WINDOW <= now)
		return 0;
	return oldest + WINDOW;
}

/* ---- who is a proxy */

/* Returns the time of a request whose transaction has not begun, too. */
static int64_t
now_of(const struct ctx *c)
{
	return c->now > 0 ? c->now : clock_now();
}

static uint64_t
peer_of(const unsigned char *key, const char *address)
{
	unsigned char bytes[16];
	size_t len = read_address(address, bytes);

	return digest_of(key, "galley throttle peer 1", 0, bytes, len);
}

/* Returns whether most people who are signed in come from this address: as far as the keys of
 * yesterday and today tell. */
static bool
is_proxy(struct ctx *c, const char *address)
{
	int64_t now = now_of(c), today = day_key_day(now);
	unsigned char key[DAY_KEY_SIZE];
	struct peers p = { 0 };
	int all = 0, here = 0, fd = open_file(c);
	bool known = fd >= 0 && pread(fd, &p, sizeof(p), PEERS_AT) == (ssize_t)sizeof(p);

	if (fd >= 0)
		close(fd);
	if (!known)
		return false;
	for (int64_t day = today - 1; day <= today; day++) {
		uint64_t self = day_key_find(c, day, now, key) ? peer_of(key, address) : 0;
		for (int i = 0; i < PEOPLE; i++) {
			if (p.people[i].person_id == 0 || p.people[i].day != day)
				continue;
			all++;
			here += self != 0 && p.people[i].peer == self;
		}
	}
	explicit_bzero(key, sizeof(key));
	return here >= PEOPLE_OF_A_PROXY && here * 10 >= all * 9;
}

/* Finds the place of a person, or takes one. Returns its index. */
static size_t
place_of_person(struct peers *p, int64_t person_id)
{
	size_t at;

	for (at = 0; at < PEOPLE; at++) {
		if (p->people[at].person_id == person_id)
			return at;
	}
	at = p->head % PEOPLE;
	p->head = (at + 1) % PEOPLE;
	p->people[at].person_id = person_id;
	return at;
}

void
throttle_note(struct ctx *c, const char *address, int64_t person_id)
{
	unsigned char key[DAY_KEY_SIZE];
	int64_t now = now_of(c), day = day_key_day(now);
	struct peers p, before;
	int fd = open_file(c);

	if (fd >= 0 && day_key_read(c, day, now, key) &&
	    placefile_read(fd, PEERS_AT, &p, sizeof(p))) {
		size_t at;
		before = p;
		at = place_of_person(&p, person_id);
		p.people[at].day = day;
		p.people[at].peer = peer_of(key, address);
		if (memcmp(&p, &before, sizeof(p)) == 0 ||
		    placefile_write(fd, PEERS_AT, &p, sizeof(p))) {
			close(fd);
			return;
		}
	}
	log_line("%s: %s", path_of(c), strerror(errno));
	if (fd >= 0)
		close(fd);
}

/* ---- tries */

static struct err *
refuse_closed(struct ctx *c, struct limit_places *p)
{
	struct err *err;

	log_line("%s: %s; nobody can sign in", path_of(c), strerror(errno));
	if (p != NULL)
		limit_places_close(p);
	err = refuse(c, ERR_UNAVAILABLE, "%s",
	    tr("Nobody can sign in at this moment. Try again in a minute."));
	err->retry_after_s = 60;
	return err;
}

static struct err *
refuse_try(struct ctx *c, struct limit_places *p, int wait_s)
{
	struct err *err = refuse(
	    c, ERR_RATE_LIMITED, "%s", tr("There were too many tries. Wait, and try again."));

	limit_places_close(p);
	err->retry_after_s = wait_s;
	return err;
}

/* What a try counts at. */
struct tries {
	int64_t login_at;
	struct wait login;
	struct network networks[2];
	int count; /* of networks */
	struct rights rights;
};

/* Finds, locks and reads the places of a try, whose time is `at`. */
static bool
read_tries(
    struct ctx *c, const struct throttle *t, int64_t at, struct limit_places *p, struct tries *out)
{
	if (t->login != NULL) {
		out->login_at = login_place(c, t->login, t->device);
		if (!limit_places_read(p, out->login_at, &out->login, sizeof(out->login)))
			return false;
	}
	if (t->device == 0)
		out->count = networks_of(c, t->address, at, out->networks);
	if (out->count < 0)
		return false;
	for (int i = 0; i < out->count; i++) {
		struct network *n = &out->networks[i];
		if (!limit_places_read(p, n->place, &n->ring, n->size))
			return false;
	}
	return t->login == NULL ||
	       limit_places_read(p, rights_place(c, t->login), &out->rights, sizeof(out->rights));
}

/* Writes them; the right passwords only if one is counted. */
static bool
write_tries(struct ctx *c, const struct throttle *t, struct limit_places *p,
    const struct tries *tries, bool right)
{
	if (t->login != NULL &&
	    !limit_places_write(p, tries->login_at, &tries->login, sizeof(tries->login)))
		return false;
	for (int i = 0; i < tries->count; i++) {
		const struct network *n = &tries->networks[i];
		if (!limit_places_write(p, n->place, &n->ring, n->size))
			return false;
	}
	return t->login == NULL || !right ||
	       limit_places_write(
		   p, rights_place(c, t->login), &tries->rights, sizeof(tries->rights));
}

static bool
are_over(const struct rights *r, int64_t now)
{
	return r->count <= 0 || now < r->since || now >= r->since + RIGHT_WINDOW;
}

static int
whole_seconds(int64_t time)
{
	return (int)((time + CLOCK_SECOND - 1) / CLOCK_SECOND);
}

/* Returns the seconds that this try must wait; 0: it may come now. */
static int
seconds_to_wait(struct ctx *c, const struct throttle *t, struct tries *tries, int64_t now)
{
	const struct rights *r = &tries->rights;
	int wait_s = wait_left_s(&tries->login, now, LONGEST_WAIT), s;
	int64_t until = 0;

	if (r->count >= RIGHT_TIMES && !are_over(r, now)) {
		s = whole_seconds(r->since + RIGHT_WINDOW - now);
		wait_s = s > wait_s ? s : wait_s;
	}
	for (int i = 0; i < tries->count; i++) {
		int64_t at = full_until(&tries->networks[i], now);
		until = at > until ? at : until;
	}
	if (until != 0 && !is_proxy(c, t->address)) {
		s = whole_seconds(until - now);
		wait_s = s > wait_s ? s : wait_s;
	}
	return wait_s;
}

struct err *
throttle_take(struct ctx *c, struct throttle *t)
{
	struct tries tries = { 0 };
	struct limit_places *p = open_places(c);
	int64_t now = c->now;
	int wait_s;

	if (now <= 0)
		BUG("throttle_take() needs c->now");
	if (p == NULL || !read_tries(c, t, now, p, &tries))
		return refuse_closed(c, p);
	wait_s = seconds_to_wait(c, t, &tries, now);
	if (wait_s > 0)
		return refuse_try(c, p, wait_s);
	wait_count(&tries.login, now, LONGEST_WAIT);
	for (int i = 0; i < tries.count; i++) {
		struct network *n = &tries.networks[i];
		n->ring.times[n->ring.head] = now;
		n->ring.head = (n->ring.head + 1) % n->times;
	}
	if (!write_tries(c, t, p, &tries, false))
		return refuse_closed(c, p);
	limit_places_close(p);
	t->taken_at = now;
	return NULL;
}

/* Takes the time of a try out of a network's ring. */
static void
forget_time(struct network *n, int64_t at)
{
	for (int i = 0; i < n->times; i++) {
		if (n->ring.times[i] == at) {
			n->ring.times[i] = 0;
			return;
		}
	}
}

void
throttle_return(struct ctx *c, const struct throttle *t, bool right)
{
	struct tries tries = { 0 };
	struct limit_places *p = open_places(c);
	bool done = p != NULL && read_tries(c, t, t->taken_at, p, &tries);

	for (int i = 0; i < tries.count; i++)
		forget_time(&tries.networks[i], t->taken_at);
	if (right) {
		tries.login = (struct wait) { 0 };
		if (are_over(&tries.rights, t->taken_at))
			tries.rights = (struct rights) { .since = t->taken_at };
		tries.rights.count++;
	} else {
		wait_uncount(&tries.login, t->taken_at);
	}
	if (!done || !write_tries(c, t, p, &tries, right))
		log_line("%s: %s", path_of(c), strerror(errno));
	if (p != NULL)
		limit_places_close(p);
}

void
throttle_forgive(struct ctx *c, const char *login)
{
	const struct wait none = { 0 };
	struct limit_places *p = open_places(c);
	int64_t place = login_place(c, login, 0);
	struct wait w;

	if (p == NULL || !limit_places_read(p, place, &w, sizeof(w)) ||
	    !limit_places_write(p, place, &none, sizeof(none)))
		log_line("%s: %s", path_of(c), strerror(errno));
	if (p != NULL)
		limit_places_close(p);
}
