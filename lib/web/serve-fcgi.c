#include "web/serve-fcgi.h"

#include <errno.h>
#include <fcgiapp.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "base/fileio.h"
#include "base/log.h"
#include "system/fault.h"
#include "system/harden.h"
#include "system/instance.h"
#include "web/req.h"
#include "web/service.h"

/* What only a process of a pool runs is cold here: it lies apart from what a program runs that
 * answers one request, whose pages are counted (docs/speed.md §6). */

/* A process may have 64 descriptors. So many connections wait, or linger. */
#define AWAIT_AND_LINGER_MAX 40

/* An epoll descriptor that wakes the process: it watches the socket, and each connection that
 * waits or lingers. */
static int waiter;

/* How many connections wait. */
static int awaiting_count;

struct awaited {
	int fd;
	int64_t until; /* boot clock: when the body must have come */
};

/* ---- connections whose request was answered before all of its body had come */

/* If the process closed one at once, the web server would fail to send the
 * rest, and would drop the answer. If it read the rest at once, a client that sends
 * slowly would keep the process from all others. So the process goes on, and drops what
 * comes on such a connection beside its other work, until the web server closes the
 * connection or its time is over. */

#define LINGERING_MAX AWAIT_AND_LINGER_MAX
/* This is longer than Apache waits for a client (apache-conf/galley.conf). */
#define LINGER_TIME (30 * CLOCK_SECOND)
#define LINGER_LAST CLOCK_SECOND

struct lingering {
	int fd;
	int64_t until; /* boot clock */
	size_t left; /* so many bytes are dropped yet */
};

/* The connections of the process that linger, the oldest first. */
static struct lingering lingering[LINGERING_MAX];
static int lingering_count;

static void
linger_forget(int i)
{
	close(lingering[i].fd);
	lingering_count--;
	memmove(
	    &lingering[i], &lingering[i + 1], (size_t)(lingering_count - i) * sizeof(lingering[0]));
}

/* Takes a connection whose answer was sent, and watches it. It is closed when `max` bytes have
 * come: more than a web server that is set up as INSTALL.md says ever sends. If there are too many,
 * closes the oldest. */
static void
linger_add(int fd, size_t max)
{
	struct epoll_event event = { .events = EPOLLIN, .data.fd = fd };

	while (lingering_count > 0 && lingering_count >= LINGERING_MAX - awaiting_count)
		linger_forget(0);
	/* Some servers learn only by this that the answer has ended. */
	shutdown(fd, SHUT_WR);
	lingering[lingering_count++] =
	    (struct lingering) { .fd = fd, .until = clock_boot() + LINGER_TIME, .left = max };
	if (epoll_ctl(waiter, EPOLL_CTL_ADD, fd, &event) != 0)
		linger_forget(lingering_count - 1);
}

/* Drops what has come. Returns whether more may come. */
static bool
linger_drop(struct lingering *one)
{
	char rest[8192];
	ssize_t got = recv(one->fd, rest, sizeof(rest), MSG_DONTWAIT);

	if (got > 0)
		one->left -= (size_t)got < one->left ? (size_t)got : one->left;
	return got > 0 ? one->left > 0 : got < 0 && (errno == EAGAIN || errno == EINTR);
}

/* Drops what has come on the connection; closes it if nothing more can come. */
static void
linger_read(int fd)
{
	for (int i = 0; i < lingering_count; i++) {
		if (lingering[i].fd == fd && !linger_drop(&lingering[i])) {
			linger_forget(i);
			return;
		}
	}
}

/* Closes the connections whose time is over. Returns after how many milliseconds it must
 * be called again; -1: there is no such connection. */
static int
linger_next_ms(void)
{
	int64_t now;

	if (lingering_count == 0)
		return -1;
	now = clock_boot();
	while (lingering_count > 0 && lingering[0].until <= now)
		linger_forget(0);
	return lingering_count > 0 ? (int)((lingering[0].until - now) / (CLOCK_SECOND / 1000)) + 1
				   : -1;
}

/* Waits a second for the connections that are left, and closes them: for a process
 * that ends. */
static void
linger_end(void)
{
	struct pollfd fds[LINGERING_MAX];
	int64_t until = clock_boot() + LINGER_LAST;

	while (lingering_count > 0 && clock_boot() < until) {
		int watched = lingering_count;
		for (int i = 0; i < watched; i++)
			fds[i] = (struct pollfd) { .fd = lingering[i].fd, .events = POLLIN };
		if (poll(fds, (nfds_t)watched, 100) <= 0)
			continue;
		for (int i = 0; i < watched; i++) {
			if (fds[i].revents != 0)
				linger_read(fds[i].fd);
		}
	}
	while (lingering_count > 0)
		linger_forget(0);
}

/* ---- connections whose request has not come whole */

/* A process that read at once
 * would wait for a client that sends slowly, and would answer nobody else. So the process goes on,
 * and looks at such a connection beside its other work: without taking anything from it, so that
 * libfcgi reads the request from its beginning later. It begins with the request when the mark at
 * the end of its body is there, when so much of it has come that a stranger's is too long, or when
 * its time is over (service.h, body_ms). What has no mark then is read as far as it came, up to
 * `until`. */

#define AWAITING_MAX 24
/* So much of a request is looked at: its head, and the body that is awaited. */
#define LOOKED_AT_MAX ((size_t)96 * 1024)
/* A look costs as much as all that has come. A client may send byte by byte. */
#define LOOKS_AT_ONCE 16
#define BETWEEN_LOOKS (CLOCK_SECOND / 100)

/* A record (FastCGI specification 1.0, §3.3). */
enum { FCGI_STDIN = 5, RECORD_HEAD = 8 };

struct awaiting {
	int fd;
	int slot; /* a descriptor of the service; -1: its time is body_ms */
	int64_t at; /* boot clock: when it was accepted */
	int64_t until; /* the end of its time */
	int64_t look_at; /* when to look at it again; 0: when something comes */
	int64_t looked_at;
	int looks;
};

/* The connections of the process that wait, the oldest first. */
static struct awaiting awaiting[AWAITING_MAX];

/* Returns whether the request can begin, by what has come of it. */
static bool
look(const struct service *service, struct awaiting *one)
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
hand_over(int i, int64_t until, struct awaited *out)
{
	*out = (struct awaited) { .fd = awaiting[i].fd, .until = until };
	(void)epoll_ctl(waiter, EPOLL_CTL_DEL, out->fd, NULL);
	if (awaiting[i].slot >= 0)
		close(awaiting[i].slot);
	awaiting_count--;
	memmove(&awaiting[i], &awaiting[i + 1], (size_t)(awaiting_count - i) * sizeof(awaiting[0]));
}

/* Watches a connection if it must wait. Returns true and a connection whose request can begin: this
 * one or, if too many wait, the oldest, whose time is over. */
static bool
await_add(const struct service *service, struct awaiting *one, struct awaited *out)
{
	struct epoll_event event = { .events = EPOLLIN | EPOLLRDHUP | EPOLLET };

	event.data.fd = one->fd;
	*out = (struct awaited) { .fd = one->fd, .until = one->until };
	if (look(service, one) || epoll_ctl(waiter, EPOLL_CTL_ADD, one->fd, &event) != 0) {
		if (one->slot >= 0)
			close(one->slot);
		return true;
	}
	/* What came before it was watched is no event. */
	one->look_at = one->looked_at;
	if (awaiting_count == AWAITING_MAX)
		hand_over(0, one->looked_at, out);
	awaiting[awaiting_count++] = *one;
	return out->fd != one->fd;
}

/* Accepts a connection of standard input; returns what await_add() does. If it is false, errno is
 * that of accept(), or 0. */
static bool
await_accept(const struct service *service, struct awaited *out)
{
	struct awaiting one = { .slot = -1 };

	one.fd = accept4(STDIN_FILENO, NULL, NULL, SOCK_CLOEXEC);
	if (one.fd < 0)
		return false;
	one.at = clock_boot();
	one.until = one.at + service->body_ms * (CLOCK_SECOND / 1000);
	if (await_add(service, &one, out))
		return true;
	errno = 0;
	return false;
}

/* Notes that something came on the connection. */
static void
await_came(int fd)
{
	for (int i = 0; i < awaiting_count; i++) {
		struct awaiting *one = &awaiting[i];
		if (one->fd != fd)
			continue;
		one->look_at =
		    one->looks < LOOKS_AT_ONCE ? one->looked_at : one->looked_at + BETWEEN_LOOKS;
	}
}

/* Gives a body more time, if the service has a place for it. */
static bool
is_given_more(struct ctx *c, const struct service *service, struct awaiting *one)
{
	if (one->slot >= 0 || service->patience == NULL)
		return false;
	one->slot = service->patience(c);
	if (one->slot < 0)
		return false;
	one->until = one->at + REQ_BODY_S * CLOCK_SECOND;
	return true;
}

/* Returns true and a connection whose request can begin. */
static bool
await_next(struct ctx *c, const struct service *service, struct awaited *out)
{
	int64_t now = awaiting_count > 0 ? clock_boot() : 0;

	for (int i = 0; i < awaiting_count; i++) {
		struct awaiting *one = &awaiting[i];
		bool is_looked_at = one->look_at != 0 && one->look_at <= now;
		if ((!is_looked_at || !look(service, one)) &&
		    (one->until > now || is_given_more(c, service, one)))
			continue;
		hand_over(i, one->until, out);
		return true;
	}
	return false;
}

/* Returns after how many milliseconds await_next() must be called again; -1: there is no such
 * connection. */
static int
await_next_ms(void)
{
	int64_t next = INT64_MAX, now;

	if (awaiting_count == 0)
		return -1;
	for (int i = 0; i < awaiting_count; i++) {
		const struct awaiting *one = &awaiting[i];
		if (one->until < next)
			next = one->until;
		if (one->look_at != 0 && one->look_at < next)
			next = one->look_at;
	}
	now = clock_boot();
	return next <= now ? 0 : (int)((next - now) / (CLOCK_SECOND / 1000)) + 1;
}

/* ---- the relay */

/* A process that reads a slow body answers nobody else, and one second is enough to have accepted
 * others. So it gives away those that still wait to the processes of its pool that are free. The
 * pool makes a socket for this, on which each of them sends and receives. */

/* Whether the pool has made one: standard output may be anything else, such as a log's socket. */
static bool is_relayed;

static void
relay_watch(void)
{
	struct epoll_event event = { .events = EPOLLIN | EPOLLEXCLUSIVE, .data.fd = SERVE_RELAY };
	struct sockaddr_un own = { .sun_family = AF_UNSPEC }, peer = own;
	socklen_t len = sizeof(own), peer_len = sizeof(peer);

	is_relayed = getsockname(SERVE_RELAY, (struct sockaddr *)&own, &len) == 0 &&
		     getpeername(SERVE_RELAY, (struct sockaddr *)&peer, &peer_len) == 0 &&
		     own.sun_family == AF_UNIX && len > sizeof(own.sun_family) &&
		     memcmp(&own, &peer, sizeof(own)) == 0 &&
		     epoll_ctl(waiter, EPOLL_CTL_ADD, SERVE_RELAY, &event) == 0;
}

/* A connection on its way: when it was accepted, the end of its time, and its descriptors. */
struct relayed {
	struct msghdr message;
	struct iovec times[2];
	char fds[CMSG_SPACE(2 * sizeof(int))] __attribute__((aligned(sizeof(size_t))));
};

static void
relay_prepare(struct relayed *m, struct awaiting *one)
{
	memset(m, 0, sizeof(*m));
	m->times[0] = (struct iovec) { &one->at, sizeof(one->at) };
	m->times[1] = (struct iovec) { &one->until, sizeof(one->until) };
	m->message.msg_iov = m->times;
	m->message.msg_iovlen = 2;
	m->message.msg_control = m->fds;
	m->message.msg_controllen = sizeof(m->fds);
}

/* Gives away all that wait, with their places of patience. */
static __attribute__((cold)) void
relay_others(void)
{
	struct awaited given;
	struct relayed m;

	while (awaiting_count > 0) {
		const int fds[] = { awaiting[0].fd, awaiting[0].slot };
		size_t len = (fds[1] >= 0 ? 2 : 1) * sizeof(int);
		struct cmsghdr *head = (struct cmsghdr *)m.fds;
		relay_prepare(&m, &awaiting[0]);
		*head = (struct cmsghdr) {
			.cmsg_len = CMSG_LEN(len), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS
		};
		memcpy(CMSG_DATA(head), fds, len);
		m.message.msg_controllen = CMSG_SPACE(len);
		if (sendmsg(SERVE_RELAY, &m.message, MSG_DONTWAIT) < 0)
			return;
		hand_over(0, 0, &given);
		close(given.fd);
	}
}

/* Takes what another process gave away; returns what await_add() does. */
static __attribute__((cold)) bool
relay_take(const struct service *service, struct awaited *out)
{
	struct awaiting one = { .slot = -1 };
	const struct cmsghdr *head;
	struct relayed m;

	relay_prepare(&m, &one);
	if (recvmsg(SERVE_RELAY, &m.message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC) < 0 ||
	    (head = CMSG_FIRSTHDR(&m.message)) == NULL)
		return false;
	memcpy(&one.fd, CMSG_DATA(head), sizeof(int));
	if (head->cmsg_len == CMSG_LEN(2 * sizeof(int)))
		memcpy(&one.slot, CMSG_DATA(head) + sizeof(int), sizeof(int));
	return await_add(service, &one, out);
}

/* ---- the loop */

/* A process that ends after so many requests cannot grow for ever. */
#define REQUESTS_MAX 100000
/* How many waiting requests are answered after SIGTERM. */
#define LAST_MAX 64
/* How long the process waits for the end mark after a body that has come. */
#define MARK_TIME (CLOCK_SECOND / 1000)

/* The kinds of records that are sent, and the longest record. */
enum { FCGI_END_REQUEST = 3, FCGI_STDOUT = 6 };
#define RECORD_MAX ((size_t)65528)
#define PARTS 32
#define PARTS_OF_RECORD 3
#define PARTS_OF_END 3

/* A signal sets this. Signals arrive only while the process waits. */
static volatile sig_atomic_t ending;

static __attribute__((cold)) void
on_terminate(int signal)
{
	(void)signal;
	ending = 1;
}

/* The present request. */
struct connection {
	FCGX_Request request;
	int64_t until; /* boot clock: when its body must have come; 0: it was not asked for */
};

/* Limits reading from the web server to that time. */
static bool
read_until(int fd, int64_t until)
{
	int64_t left = until - clock_boot();
	const struct timeval most = { .tv_sec = left / CLOCK_SECOND,
		.tv_usec = left % CLOCK_SECOND };

	return left > 0 && setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &most, sizeof(most)) == 0;
}

/* Reads some bytes of the body from one record. Returns 0 at its end, and -1 if they do
 * not come. */
static __attribute__((cold)) ssize_t
receive(FCGX_Request *request, char *into, size_t max, int64_t until)
{
	FCGX_Stream *in = request->in;
	size_t more;
	int first;

	if (in->rdNext == in->stop && !read_until(request->ipcFd, until))
		return -1;
	first = FCGX_GetChar(in);
	if (first == EOF)
		return FCGX_GetError(in) == 0 ? 0 : -1;
	into[0] = (char)first;
	more = (size_t)(in->stop - in->rdNext);
	if (more > max - 1)
		more = max - 1;
	return 1 + FCGX_GetStr(into + 1, (int)more, in);
}

static __attribute__((cold)) ssize_t
read_body(void *arg, char *into, size_t max)
{
	struct connection *conn = arg;
	struct pollfd socket = { .fd = conn->request.ipcFd, .events = POLLIN };

	if (conn->until == 0)
		conn->until = clock_boot() + REQ_BODY_S * CLOCK_SECOND;
	if (is_relayed && awaiting_count > 0 && !ending &&
	    conn->request.in->rdNext == conn->request.in->stop && conn->until > clock_boot() &&
	    poll(&socket, 1, 0) == 0)
		relay_others();
	return receive(&conn->request, into, max, conn->until);
}

static __attribute__((cold)) void
wait_longer(void *arg, unsigned seconds)
{
	struct connection *conn = arg;

	conn->until = clock_boot() + seconds * CLOCK_SECOND;
}

/* Records on their way to the web server (FastCGI specification 1.0, §3.3). */
struct records {
	int fd, id;
	int count; /* of parts */
	struct iovec parts[PARTS]; /* heads, and what belongs to them */
	int begun; /* of heads */
	unsigned char heads[PARTS / 2][8];
};

static __attribute__((cold)) bool
flush(struct records *out)
{
	struct iovec *part = out->parts, *end = part + out->count;

	out->count = out->begun = 0;
	while (part < end) {
		ssize_t sent = writev(out->fd, part, (int)(end - part));
		if (sent < 0 && errno != EINTR)
			return false;
		for (; part < end && sent >= (ssize_t)part->iov_len; part++)
			sent -= (ssize_t)part->iov_len;
		if (part < end && sent > 0) {
			part->iov_base = (char *)part->iov_base + sent;
			part->iov_len -= (size_t)sent;
		}
	}
	return true;
}

/* Adds the head of a record; `len` bytes must follow. */
static __attribute__((cold)) void
add_head(struct records *out, unsigned char type, size_t len)
{
	unsigned char *head = out->heads[out->begun++];
	const unsigned char fields[8] = { 1, type, (unsigned char)(out->id >> 8),
		(unsigned char)out->id, (unsigned char)(len >> 8), (unsigned char)len, 0, 0 };

	memcpy(head, fields, sizeof(fields));
	out->parts[out->count++] = (struct iovec) { head, sizeof(fields) };
}

static void
add_part(struct records *out, void *bytes, size_t len)
{
	if (len > 0)
		out->parts[out->count++] = (struct iovec) { bytes, len };
}

/* Adds at most `max` bytes of the rest of an answer's part. */
static size_t
add_some(struct records *out, struct iovec *part, size_t max)
{
	size_t len = part->iov_len < max ? part->iov_len : max;

	add_part(out, part->iov_base, len);
	part->iov_base = (char *)part->iov_base + len;
	part->iov_len -= len;
	return len;
}

/* Sends an answer whole and at once: libfcgi's own stream copies it into pieces of
 * 8 KiB, and each of them wakes the web server. The head shares its record with the
 * beginning of the body, because mod_proxy_fcgi waits again for each record. */
static __attribute__((cold)) bool
send_answer(void *arg, const struct iovec answer[2])
{
	static unsigned char complete[8]; /* status 0, FCGI_REQUEST_COMPLETE */
	struct connection *conn = arg;
	const FCGX_Request *request = &conn->request;
	struct records out = { .fd = request->ipcFd, .id = request->requestId };
	struct iovec head = answer[0], body = answer[1];
	size_t left;

	while ((left = head.iov_len + body.iov_len) > 0) {
		size_t len = left < RECORD_MAX ? left : RECORD_MAX, of_head;
		if (out.count > PARTS - PARTS_OF_RECORD - PARTS_OF_END && !flush(&out))
			return false;
		add_head(&out, FCGI_STDOUT, len);
		of_head = add_some(&out, &head, len);
		add_some(&out, &body, len - of_head);
	}
	add_head(&out, FCGI_STDOUT, 0);
	add_head(&out, FCGI_END_REQUEST, sizeof(complete));
	add_part(&out, complete, sizeof(complete));
	return flush(&out);
}

/* Sends a part of an answer. */
static __attribute__((cold)) bool
send_more(void *arg, const struct iovec *part)
{
	const struct connection *conn = arg;
	struct records out = { .fd = conn->request.ipcFd, .id = conn->request.requestId };
	struct iovec rest = *part;

	while (rest.iov_len > 0) {
		size_t len = rest.iov_len < RECORD_MAX ? rest.iov_len : RECORD_MAX;
		add_head(&out, FCGI_STDOUT, len);
		(void)add_some(&out, &rest, len);
		if (!flush(&out))
			return false;
	}
	return true;
}

/* Closes the connection, as servers that were not told to keep it expect. The server can
 * still read what was sent. But if the body has not come to its end mark, the server is
 * still sending it: it would meet a closed connection and answer 503, although our
 * answer is in its buffer. */
static void
finish(FCGX_Request *request, size_t max)
{
	int64_t until = clock_boot() + MARK_TIME;
	char rest[1024];
	ssize_t got;

	while ((got = receive(request, rest, sizeof(rest), until)) > 0)
		;
	FCGX_Free(request, 0);
	if (got == 0)
		close(request->ipcFd);
	else
		linger_add(request->ipcFd, max);
	request->ipcFd = -1;
	alarm(0);
}

/* Stops listening: new connections are refused here, and no process that ends
 * accepts them. If others share the socket, only this process's part is closed. */
static __attribute__((cold)) void
stop_listening(void)
{
	/* While another process has the socket, closing it here does not end the watch. */
	(void)epoll_ctl(waiter, EPOLL_CTL_DEL, STDIN_FILENO, NULL);
	/* The descriptor must be in use, or the next file would get its number. */
	dup2(STDERR_FILENO, STDIN_FILENO);
}

/* Returns whether the listening socket belongs to this process alone. mod_fcgid creates
 * one for each process, and names it by mod_fcgid's own process and a number:
 * "…/4711.3". */
static bool
owns_socket(void)
{
	struct sockaddr_un name = { .sun_family = AF_UNSPEC };
	socklen_t len = sizeof(name) - 1; /* the last byte stays NUL */
	const char *file;
	char *end;

	if (getsockname(STDIN_FILENO, (struct sockaddr *)&name, &len) != 0 ||
	    name.sun_family != AF_UNIX)
		return false;
	file = strrchr(name.sun_path, '/');
	return file != NULL && strtol(file + 1, &end, 10) == getppid() && *end == '.' &&
	       end[1] >= '0' && end[1] <= '9';
}

/* Refuses new connections. Between the last look for a request and the end of the
 * process no client may connect, or its request is lost. New connections go to
 * another process; existing ones are still accepted. If others share the socket,
 * they accept what waits there. */
static void
refuse_newcomers(void)
{
	if (owns_socket())
		(void)shutdown(STDIN_FILENO, SHUT_RD);
}

/* Signals are blocked except while the process waits: none can come between the
 * arrival of a request and its end. */
static void
prepare_signals(sigset_t *waiting)
{
	struct sigaction action;
	sigset_t ours;

	memset(&action, 0, sizeof(action));
	action.sa_handler = on_terminate;
	sigaction(SIGTERM, &action, NULL);
	sigaction(SIGUSR1, &action, NULL);
	signal(SIGPIPE, SIG_IGN);
	sigemptyset(&ours);
	sigaddset(&ours, SIGTERM);
	sigaddset(&ours, SIGUSR1);
	sigprocmask(SIG_BLOCK, &ours, waiting);
	sigdelset(waiting, SIGTERM);
	sigdelset(waiting, SIGUSR1);
}

/* Watches the socket: a client that connects wakes one of the processes that share it. */
static bool
watch_socket(void)
{
	struct epoll_event event = { .events = EPOLLIN | EPOLLEXCLUSIVE, .data.fd = STDIN_FILENO };

	return epoll_ctl(waiter, EPOLL_CTL_ADD, STDIN_FILENO, &event) == 0;
}

/* Accepting must not block: another process may have been faster. */
static void
prepare_socket(void)
{
	int flags = fcntl(STDIN_FILENO, F_GETFL);

	waiter = epoll_create1(EPOLL_CLOEXEC);
	if (waiter < 0 || flags < 0 || fcntl(STDIN_FILENO, F_SETFL, flags | O_NONBLOCK) != 0 ||
	    !watch_socket())
		die("FastCGI cannot begin: %s", strerror(errno));
	relay_watch();
}

/* Returns a limit of the process; a test may make it smaller. */
static int
limit_of(const char *name, int value)
{
#ifdef GALLEY_TEST
	const char *smaller = getenv(name);

	return smaller != NULL ? atoi(smaller) : value;
#else
	(void)name;
	return value;
#endif
}

/* Begins with the request of a connection, or of the next one. Returns whether there was one for
 * this process. */
static bool
begin_request(struct connection *conn, const struct service *service, const struct awaited *awaited)
{
	conn->until = 0;
	if (awaited != NULL) {
		conn->until = awaited->until;
		conn->request.ipcFd = awaited->fd;
		/* libfcgi takes the connection that is open, as if an answer went before. */
		conn->request.keepConnection = 1;
	}
	/* One request may take as long as under CGI. */
	alarm((unsigned)limit_of("GALLEY_FCGI_LIFE", HARDEN_LIFE_S) + service->upload_s);
	if (FCGX_Accept_r(&conn->request) == 0)
		return true;
	alarm(0);
	return false;
}

/* Accepts a connection. Returns whether there is a request with which this process begins. */
static bool
accept_request(struct connection *conn, const struct service *service)
{
	struct awaited awaited;

	/* libfcgi compares the addresses of servers with this list where it accepts. */
	if (service->body_ms == 0 || getenv("FCGI_WEB_SERVER_ADDRS") != NULL)
		return begin_request(conn, service, NULL);
	if (await_accept(service, &awaited))
		return begin_request(conn, service, &awaited);
	/* The kernel wakes the process that has watched for the longest time. One whose connections
	 * wait goes to the end, or it would take all of them. */
	if (errno == 0) {
		(void)epoll_ctl(waiter, EPOLL_CTL_DEL, STDIN_FILENO, NULL);
		if (!watch_socket())
			die("FastCGI cannot go on: %s", strerror(errno));
	}
	return false;
}

/* Returns how long the process may wait, in milliseconds; -1: for ever. */
static int
wait_ms(void)
{
	int linger = linger_next_ms(), await = await_next_ms();

	return linger < 0 || (await >= 0 && await < linger) ? await : linger;
}

/* Returns whether this process begins with a request, which another one gave away. */
static bool
something_came(struct connection *conn, const struct service *service, int fd)
{
	struct awaited awaited;

	if (fd == SERVE_RELAY)
		return relay_take(service, &awaited) && begin_request(conn, service, &awaited);
	await_came(fd);
	linger_read(fd);
	return false;
}

/* Waits for the next request; false if the process must end. After a signal it answers
 * those that have connected already, up to LAST_MAX. */
static bool
next_request(
    struct ctx *c, struct connection *conn, const struct service *service, const sigset_t *waiting)
{
	static int last; /* requests since the signal */
	struct epoll_event event;
	struct awaited awaited;
	int got;

	for (;;) {
		if (ending && last++ == LAST_MAX)
			return false;
		if (ending && last == 1)
			refuse_newcomers();
		if (await_next(c, service, &awaited)) {
			if (begin_request(conn, service, &awaited))
				return true;
			continue;
		}
		got = epoll_pwait(waiter, &event, 1, ending ? 0 : wait_ms(), waiting);
		if (got == 0 && ending)
			return false;
		if (got < 0 && errno != EINTR)
			die("FastCGI cannot wait: %s", strerror(errno));
		if (got > 0 && event.data.fd != STDIN_FILENO) {
			if (something_came(conn, service, event.data.fd))
				return true;
			continue;
		}
		if (got > 0 && accept_request(conn, service))
			return true;
		/* All that had connected are answered. */
		if (ending && got > 0 && (errno == EAGAIN || errno == EINVAL))
			return false;
	}
}

/* Waits for the next of the requests that began to come before the process stopped listening, each
 * for its own time: it must not read from a slow client while the others are whole. What was given
 * away is among them: there may be no other process. Returns false if there are no more. */
static bool
next_awaited(struct ctx *c, struct connection *conn, const struct service *service)
{
	struct epoll_event event;
	struct awaited awaited;
	int got;

	for (;;) {
		if (await_next(c, service, &awaited)) {
			if (begin_request(conn, service, &awaited))
				return true;
			continue;
		}
		got = epoll_wait(waiter, &event, 1, awaiting_count > 0 ? wait_ms() : 0);
		if (got > 0 && something_came(conn, service, event.data.fd))
			return true;
		if (got <= 0 && awaiting_count == 0)
			return false;
	}
}

/* Opens the log again after its rotation. A few lines may still go to the old
 * file: asking at each request costs more than writing the line. */
static void
follow_log(void)
{
	static int64_t next; /* clock_boot() at which to ask again */
	int64_t now = clock_boot();

	if (now < next)
		return;
	next = now + CLOCK_SECOND / 4;
	log_follow();
}

/* Answers a request, and ends its connection. */
static void
answer_request(
    struct ctx *c, struct connection *conn, struct exchange *x, const struct service *service)
{
	follow_log();
	x->variables = conn->request.envp;
	serve_life(c, service, x);
	finish(&conn->request, 2 * service->drain_max);
	arena_reset(c->arena);
	/* Another process is confined to the files that are there now. */
	if (fileio_is_shut_out())
		ending = 1;
}

void
serve_fcgi(struct ctx *c, const struct service *service)
{
	struct connection conn;
	struct exchange x = { .read = read_body,
		.wait = wait_longer,
		.send = send_answer,
		.more = send_more,
		.last = stop_listening,
		.arg = &conn };
	int max = limit_of("GALLEY_FCGI_REQUESTS", REQUESTS_MAX);
	struct arena *process = c->arena, arena;
	sigset_t waiting;

	prepare_socket();
	prepare_signals(&waiting);
	/* The instance's paths live in the process's arena, requests in theirs. */
	arena_init(&arena, process->max);
	c->arena = &arena;
	c->lasting = true;
	if (FCGX_Init() != 0 || FCGX_InitRequest(&conn.request, STDIN_FILENO, 0) != 0)
		die("FastCGI cannot begin");
	/* One buffer of the size that libfcgi uses for each request stays allocated,
	 * or musl's allocator would return its pages to the system each time. */
	(void)FCGX_CreateWriter(-1, 0, 8192, FCGI_STDOUT);
	for (int n = 1; n <= max && next_request(c, &conn, service, &waiting); n++) {
		if (n == max)
			stop_listening();
		answer_request(c, &conn, &x, service);
	}
	(void)FAULT("fastcgi-ends");
	stop_listening();
	while (next_awaited(c, &conn, service))
		answer_request(c, &conn, &x, service);
	linger_end();
	arena_release(&arena);
	c->arena = process;
}
