#include "web/linger.h"

#include <errno.h>
#include <poll.h>
#include <stdint.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "web/await.h"

#define CONNECTIONS_MAX AWAIT_AND_LINGER_MAX
/* This is longer than Apache waits for a client (apache-conf/galley.conf). */
#define TIME (30 * CLOCK_SECOND)
#define LAST_TIME CLOCK_SECOND

struct connection {
	int fd;
	int64_t until; /* boot clock */
	size_t left; /* so many bytes are dropped yet */
};

/* The connections of the process that linger, the oldest first. */
static struct connection connections[CONNECTIONS_MAX];
static int count;

static void
forget(int i)
{
	close(connections[i].fd);
	count--;
	memmove(&connections[i], &connections[i + 1], (size_t)(count - i) * sizeof(connections[0]));
}

void
linger_add(int waiter, int fd, size_t max)
{
	struct epoll_event event = { .events = EPOLLIN, .data.fd = fd };

	while (count > 0 && count >= CONNECTIONS_MAX - await_count())
		forget(0);
	/* Some servers learn only by this that the answer has ended. */
	shutdown(fd, SHUT_WR);
	connections[count++] =
	    (struct connection) { .fd = fd, .until = clock_boot() + TIME, .left = max };
	if (epoll_ctl(waiter, EPOLL_CTL_ADD, fd, &event) != 0)
		forget(count - 1);
}

/* Drops what has come. Returns whether more may come. */
static bool
drop(struct connection *one)
{
	char rest[8192];
	ssize_t got = recv(one->fd, rest, sizeof(rest), MSG_DONTWAIT);

	if (got > 0)
		one->left -= (size_t)got < one->left ? (size_t)got : one->left;
	return got > 0 ? one->left > 0 : got < 0 && (errno == EAGAIN || errno == EINTR);
}

void
linger_read(int fd)
{
	for (int i = 0; i < count; i++) {
		if (connections[i].fd == fd && !drop(&connections[i])) {
			forget(i);
			return;
		}
	}
}

int
linger_next_ms(void)
{
	int64_t now;

	if (count == 0)
		return -1;
	now = clock_boot();
	while (count > 0 && connections[0].until <= now)
		forget(0);
	return count > 0 ? (int)((connections[0].until - now) / (CLOCK_SECOND / 1000)) + 1 : -1;
}

void
linger_end(void)
{
	struct pollfd fds[CONNECTIONS_MAX];
	int64_t until = clock_boot() + LAST_TIME;

	while (count > 0 && clock_boot() < until) {
		int watched = count;
		for (int i = 0; i < watched; i++)
			fds[i] = (struct pollfd) { .fd = connections[i].fd, .events = POLLIN };
		if (poll(fds, (nfds_t)watched, 100) <= 0)
			continue;
		for (int i = 0; i < watched; i++) {
			if (fds[i].revents != 0)
				linger_read(fds[i].fd);
		}
	}
	while (count > 0)
		forget(0);
}
