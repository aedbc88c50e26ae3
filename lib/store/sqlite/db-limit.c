/* The limits of one host, in files (limit.h). */
#include "store/limit.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "base/fileio.h"
#include "base/log.h"
#include "system/conf.h"
#include "system/filelock.h"
#include "system/instance.h"

/* ---- rings */

#define KEY_TIMES 120
#define KEY_SLOT 1024
#define ADDRESS_WINDOW (300 * CLOCK_SECOND)
#define ADDRESS_SLOT 256
#define ADDRESS_SLOTS 65536
/* The sites of IPv6 follow the addresses in the same file. */
#define SITE_SLOT KEY_SLOT
#define SITE_SLOTS 16384

/* A place in a file: the index of the oldest time, then the times. */
struct ring {
	int64_t head;
	int64_t times[KEY_TIMES];
};

static int
open_file(struct ctx *c, const char *name)
{
	const char *path = fileio_path(c->arena, c->instance->run, name);
	int fd = fileio_open(path, O_RDWR | O_CREAT);

	if (fd < 0)
		log_line("limiter: %s: %s; everybody passes", path, strerror(errno));
	return fd;
}

/* The file of the keys' rings, and its identity. A process of many requests keeps it
 * open until another file is at the path. */
static int keys_fd = -1;
static struct stat keys_st;

static int
open_keys(struct ctx *c)
{
	struct stat st;

	if (keys_fd >= 0 && stat(fileio_path(c->arena, c->instance->run, LIMIT_KEYS), &st) == 0 &&
	    st.st_ino == keys_st.st_ino && st.st_dev == keys_st.st_dev)
		return keys_fd;
	if (keys_fd >= 0)
		close(keys_fd);
	keys_fd = open_file(c, LIMIT_KEYS);
	if (keys_fd >= 0 && c->lasting && fstat(keys_fd, &keys_st) != 0)
		keys_st.st_ino = 0;
	return keys_fd;
}

/* Releases the ring's lock; a process of one request closes the file, too. */
static void
leave_keys(struct ctx *c, off_t offset)
{
	struct flock ring = {
		.l_type = F_UNLCK, .l_whence = SEEK_SET, .l_start = offset, .l_len = KEY_SLOT
	};

	if (c->lasting && fcntl(keys_fd, F_OFD_SETLK, &ring) == 0)
		return;
	close(keys_fd);
	keys_fd = -1;
}

/* Locks the ring at `offset` against other processes and reads it. If the file ends
 * before the ring, the ring is empty. */
static bool
read_ring(int fd, off_t offset, size_t size, int count, struct ring *ring)
{
	struct flock lock = {
		.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = offset, .l_len = (off_t)size
	};
	size_t bytes = sizeof(int64_t) * (size_t)(1 + count);

	memset(ring, 0, sizeof(*ring));
	while (fcntl(fd, F_OFD_SETLKW, &lock) != 0) {
		if (errno != EINTR)
			return false;
	}
	if (pread(fd, ring, bytes, offset) < 0)
		return false;
	if (ring->head < 0 || ring->head >= count)
		ring->head = 0;
	return true;
}

/* Writes `now` over the oldest time. The whole place is one write, which costs less
 * than two small ones and leaves nothing half done. */
static bool
write_ring(int fd, off_t offset, int count, struct ring *ring, int64_t now)
{
	ssize_t bytes = (ssize_t)sizeof(int64_t) * (1 + count);

	ring->times[ring->head] = now;
	ring->head = (ring->head + 1) % count;
	return pwrite(fd, ring, (size_t)bytes, offset) == bytes;
}

/* Returns how many times of the ring are in the window that ends now. *first is the
 * quota-th newest of them (or the oldest): when it leaves the window, one more
 * request may come. A time in the future counts as absent. */
static int
in_window(
    const struct ring *ring, int count, int64_t now, int64_t window, int quota, int64_t *first)
{
	int64_t place = ring->head;
	int found = 0;

	*first = now;
	for (int i = 0; i < count; i++) {
		int64_t at;
		/* From the newest to the oldest. */
		place = place > 0 ? place - 1 : count - 1;
		at = ring->times[place];
		if (at <= 0 || at > now || at + window <= now)
			continue;
		found++;
		if (found <= quota)
			*first = at;
	}
	return found;
}

void
limit_take(struct ctx *c, int64_t key_id, struct limit *out)
{
	off_t offset = (off_t)key_id * KEY_SLOT;
	struct ring ring;
	int64_t now, first;
	int fd, used;

	memset(out, 0, sizeof(*out));
	if (c->conf->requests_per_minute == 0)
		return;
	fd = open_keys(c);
	if (fd < 0)
		return;
	if (!read_ring(fd, offset, KEY_SLOT, KEY_TIMES, &ring)) {
		log_line("limiter: " LIMIT_KEYS ": %s; everybody passes", strerror(errno));
		leave_keys(c, offset);
		return;
	}
	now = clock_now();
	out->active = true;
	out->quota = (int)c->conf->requests_per_minute;
	used = in_window(&ring, KEY_TIMES, now, LIMIT_KEY_WINDOW, out->quota, &first);
	out->refused = used >= out->quota && !c->conf->requests_counted;
	if (!out->refused && write_ring(fd, offset, KEY_TIMES, &ring, now))
		used++;
	leave_keys(c, offset);
	out->left = used >= out->quota ? 0 : out->quota - used;
	out->reset_s = clock_seconds_until(first + LIMIT_KEY_WINDOW, now);
	out->retry_s = out->refused ? out->reset_s : 0;
}

/* A network from which failed keys came, with its ring. */
struct network {
	off_t offset;
	size_t slot; /* bytes of its place */
	int times; /* this many failures are too many */
	struct ring ring;
};

static struct network
network_of(const struct limit_network *n)
{
	if (n->is_site)
		return (struct network) {
			.offset = (off_t)ADDRESS_SLOTS * ADDRESS_SLOT +
				  (off_t)(n->place % SITE_SLOTS) * SITE_SLOT,
			.slot = SITE_SLOT,
			.times = LIMIT_SITE_TIMES,
		};
	return (struct network) {
		.offset = (off_t)(n->place % ADDRESS_SLOTS) * ADDRESS_SLOT,
		.slot = ADDRESS_SLOT,
		.times = LIMIT_HOST_TIMES,
	};
}

/* Returns the time from which one more key may fail; 0: now. */
static int64_t
full_until(const struct network *n, int64_t now)
{
	int64_t first;

	if (in_window(&n->ring, n->times, now, ADDRESS_WINDOW, n->times, &first) < n->times)
		return 0;
	return first + ADDRESS_WINDOW;
}

bool
limit_networks_fail(struct ctx *c, const struct limit_network *of, int count, int *retry_s)
{
	struct network networks[LIMIT_NETWORKS];
	int64_t now, until = 0;
	int fd = open_file(c, LIMIT_ADDRESSES);
	bool read = true;

	*retry_s = 0;
	if (fd < 0)
		return false;
	for (int i = 0; i < count && read; i++) {
		networks[i] = network_of(&of[i]);
		read = read_ring(
		    fd, networks[i].offset, networks[i].slot, networks[i].times, &networks[i].ring);
	}
	now = clock_now();
	for (int i = 0; i < count && read && !c->conf->requests_counted; i++) {
		int64_t at = full_until(&networks[i], now);
		until = at > until ? at : until;
	}
	/* A refused request takes no place in any ring. */
	for (int i = 0; i < count && read && until == 0; i++)
		write_ring(fd, networks[i].offset, networks[i].times, &networks[i].ring, now);
	close(fd);
	*retry_s = until == 0 ? 0 : clock_seconds_until(until, now);
	return until != 0;
}

int64_t
limit_last_used(struct ctx *c, int64_t key_id)
{
	const char *path = fileio_path(c->arena, c->instance->run, LIMIT_KEYS);
	int fd = fileio_open(path, O_RDONLY);
	struct ring ring;
	int64_t newest = 0;

	if (fd < 0)
		return 0;
	memset(&ring, 0, sizeof(ring));
	(void)!pread(fd, &ring, sizeof(ring), (off_t)key_id * KEY_SLOT);
	close(fd);
	for (int i = 0; i < KEY_TIMES; i++) {
		if (ring.times[i] > newest)
			newest = ring.times[i];
	}
	return newest;
}

/* ---- places */

struct limit_places {
	int fd;
};

struct limit_places *
limit_places_open(struct ctx *c, const char *path)
{
	struct limit_places *p = arena_alloc(c->arena, sizeof(*p));

	p->fd = fileio_open(path, O_RDWR | O_CREAT | O_NOFOLLOW);
	return p->fd < 0 ? NULL : p;
}

bool
limit_places_read(struct limit_places *p, int64_t number, void *out, size_t size)
{
	return placefile_read(p->fd, (off_t)number, out, size);
}

bool
limit_places_write(struct limit_places *p, int64_t number, const void *bytes, size_t size)
{
	return placefile_write(p->fd, (off_t)number, bytes, size);
}

void
limit_places_close(struct limit_places *p)
{
	close(p->fd);
}
