#include "web/await.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "web/req.h"
#include "web/service.h"

#define CONNECTIONS_MAX 24
/* So much of a request is looked at: its head, and the body that is awaited. */
#define LOOKED_AT_MAX ((size_t)96 * 1024)
/* A look costs as much as all that has come. A client may send byte by byte. */
#define LOOKS_AT_ONCE 16
#define BETWEEN_LOOKS (CLOCK_SECOND / 100)

/* A record (FastCGI specification 1.0, §3.3). */
enum { FCGI_STDIN = 5, RECORD_HEAD = 8 };

struct connection {
	int fd;
	int slot; /* a descriptor of the service; -1: its time is body_ms */
	int64_t at; /* boot clock: when it was accepted */
	int64_t until; /* the end of its time */
	int64_t look_at; /* when to look at it again; 0: when something comes */
	int64_t looked_at;
	int looks;
};

/* The connections of the process that wait, the oldest first. */
static struct connection connections[CONNECTIONS_MAX];
static int count;

/* Returns whether the request can begin, by what has come of it. */
static bool
look(const struct service *service, struct connection *one)
{
	static unsigned char bytes[LOOKED_AT_MAX];
	ssize_t got = recv(one->fd, bytes, sizeof(bytes), MSG_PEEK | MSG_DONTWAIT);
	size_t at = 0, body = 0;

	one->looks++;
	one->looked_at = clock_boot();
	one->look_at = 0;
	if (got <= 0)
		return got == 0 || (errno != EAGAIN && errno != EINTR);
	while (at + RECORD_HEAD <= (size_t)got && body <= service->body_awaited) {
		const unsigned char *head = bytes + at;
		size_t len = (size_t)head[4] << 8 | head[5];
		if (head[1] == FCGI_STDIN && len == 0)
			return true;
		body += head[1] == FCGI_STDIN ? len : 0;
		at += RECORD_HEAD + len + head[6];
	}
	return body > service->body_awaited || (size_t)got == sizeof(bytes);
}

/* Ends the wait of a connection, whose body must have come at `until`. */
static void
hand_over(int waiter, int i, int64_t until, struct awaited *out)
{
	*out = (struct awaited) { .fd = connections[i].fd, .until = until };
	(void)epoll_ctl(waiter, EPOLL_CTL_DEL, out->fd, NULL);
	if (connections[i].slot >= 0)
		close(connections[i].slot);
	count--;
	memmove(&connections[i], &connections[i + 1], (size_t)(count - i) * sizeof(connections[0]));
}

bool
await_accept(int waiter, const struct service *service, struct awaited *out)
{
	struct connection one = { .slot = -1 };
	struct epoll_event event = { .events = EPOLLIN | EPOLLRDHUP | EPOLLET };

	one.fd = accept4(STDIN_FILENO, NULL, NULL, SOCK_CLOEXEC);
	if (one.fd < 0)
		return false;
	errno = 0;
	one.at = clock_boot();
	one.until = one.at + service->body_ms * (CLOCK_SECOND / 1000);
	event.data.fd = one.fd;
	*out = (struct awaited) { .fd = one.fd, .until = one.until };
	if (look(service, &one) || epoll_ctl(waiter, EPOLL_CTL_ADD, one.fd, &event) != 0)
		return true;
	/* What came before it was watched is no event. */
	one.look_at = one.at;
	if (count == CONNECTIONS_MAX)
		hand_over(waiter, 0, one.at, out);
	connections[count++] = one;
	return out->fd != one.fd;
}

void
await_came(int fd)
{
	for (int i = 0; i < count; i++) {
		struct connection *one = &connections[i];
		if (one->fd != fd)
			continue;
		one->look_at =
		    one->looks < LOOKS_AT_ONCE ? one->looked_at : one->looked_at + BETWEEN_LOOKS;
	}
}

/* Gives a body more time, if the service has a place for it. */
static bool
is_given_more(struct ctx *c, const struct service *service, struct connection *one)
{
	if (one->slot >= 0 || service->patience == NULL)
		return false;
	one->slot = service->patience(c);
	if (one->slot < 0)
		return false;
	one->until = one->at + REQ_BODY_S * CLOCK_SECOND;
	return true;
}

bool
await_next(struct ctx *c, int waiter, const struct service *service, bool all, struct awaited *out)
{
	int64_t now = count > 0 ? clock_boot() : 0;

	for (int i = 0; i < count; i++) {
		struct connection *one = &connections[i];
		bool is_looked_at = one->look_at != 0 && one->look_at <= now;
		if (!all && (!is_looked_at || !look(service, one)) &&
		    (one->until > now || is_given_more(c, service, one)))
			continue;
		hand_over(waiter, i, one->until, out);
		return true;
	}
	return false;
}

int
await_count(void)
{
	return count;
}

int
await_next_ms(void)
{
	int64_t next = INT64_MAX, now;

	if (count == 0)
		return -1;
	for (int i = 0; i < count; i++) {
		const struct connection *one = &connections[i];
		if (one->until < next)
			next = one->until;
		if (one->look_at != 0 && one->look_at < next)
			next = one->look_at;
	}
	now = clock_boot();
	return next <= now ? 0 : (int)((next - now) / (CLOCK_SECOND / 1000)) + 1;
}
