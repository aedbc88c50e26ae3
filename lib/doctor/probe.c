#include "doctor/probe.h"

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "base/fileio.h"
#include "base/log.h"

#define ANSWER_MAX ((size_t)256 * 1024)
#define SECONDS 10

/* The parts of http://HOST[:PORT][/PATH]. */
struct address {
	const char *host;
	const char *port;
	const char *path;
	const char *authority; /* for the Host header */
};

static void
take_apart(struct ctx *c, const char *url, struct address *out)
{
	const char *rest = url + strlen("http://");
	size_t len = strcspn(rest, "/");
	const char *colon;

	out->authority = arena_text_n(c->arena, rest, len);
	out->path = rest[len] == '/' ? rest + len : "/";
	colon = strrchr(out->authority, ':');
	if (colon != NULL && strchr(colon, ']') != NULL)
		colon = NULL;
	out->port = colon != NULL ? colon + 1 : "80";
	len = colon != NULL ? (size_t)(colon - out->authority)
			    : strlen(out->authority);
	out->host = arena_text_n(c->arena, out->authority, len);
	if (out->host[0] == '[' && len > 2)
		out->host = arena_text_n(c->arena, out->host + 1, len - 2);
}

static int
connect_to(const struct address *a)
{
	const struct timeval wait = { .tv_sec = SECONDS };
	struct addrinfo hints = { .ai_socktype = SOCK_STREAM };
	struct addrinfo *found, *f;
	int fd = -1;

	if (getaddrinfo(a->host, a->port, &hints, &found) != 0) {
		errno = EHOSTUNREACH;
		return -1;
	}
	for (f = found; f != NULL && fd < 0; f = f->ai_next) {
		fd = socket(f->ai_family, f->ai_socktype | SOCK_CLOEXEC, 0);
		if (fd < 0)
			continue;
		setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &wait, sizeof(wait));
		setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &wait, sizeof(wait));
		if (connect(fd, f->ai_addr, f->ai_addrlen) != 0) {
			int saved = errno;
			close(fd);
			errno = saved;
			fd = -1;
		}
	}
	freeaddrinfo(found);
	return fd;
}

/* Reads until the other side closes, or the ceiling. */
static char *
read_answer(struct ctx *c, int fd, size_t *len)
{
	char *text = arena_alloc(c->arena, ANSWER_MAX + 1);
	ssize_t got;

	*len = 0;
	while (*len < ANSWER_MAX) {
		got = read(fd, text + *len, ANSWER_MAX - *len);
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			break;
		*len += (size_t)got;
	}
	text[*len] = '\0';
	return text;
}

static char *
get_plain(struct ctx *c, const char *url, const char *authorization,
    struct probe *out, size_t *len)
{
	const char *request;
	struct address a;
	char *text;
	int fd;

	take_apart(c, url, &a);
	fd = connect_to(&a);
	if (fd < 0) {
		out->failure = arena_printf(c->arena, "%s: %s", url,
		    strerror(errno));
		return NULL;
	}
	request = arena_printf(c->arena,
	    "GET %s HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n"
	    "User-Agent: galley-doctor\r\n%s%s%s\r\n",
	    a.path, a.authority, authorization != NULL ? "Authorization: " : "",
	    authorization != NULL ? authorization : "",
	    authorization != NULL ? "\r\n" : "");
	fileio_write_all(fd, request, strlen(request));
	text = read_answer(c, fd, len);
	close(fd);
	return text;
}

static _Noreturn void
become_curl(const char *url, const char *authorization, int out)
{
	char seconds[8] = "10";
	const char *words[16] = { "curl", "-q", "-sS", "-i", "--http1.1",
		"--max-time", seconds, "-A", "galley-doctor" };
	size_t n = 9;

	if (authorization != NULL) {
		words[n++] = "-H";
		words[n++] = authorization;
	}
	words[n++] = url;
	dup2(out, STDOUT_FILENO);
	dup2(out, STDERR_FILENO);
	execvp("curl", (char *const *)words);
	_exit(127);
}

static char *
get_by_curl(struct ctx *c, const char *url, const char *authorization,
    struct probe *out, size_t *len)
{
	const char *header = authorization == NULL ? NULL
	    : arena_printf(c->arena, "Authorization: %s", authorization);
	char *text;
	int ends[2], status;
	pid_t child;

	if (pipe2(ends, O_CLOEXEC) != 0)
		die("pipe: %s", strerror(errno));
	child = fork();
	if (child == 0)
		become_curl(url, header, ends[1]);
	close(ends[1]);
	text = read_answer(c, ends[0], len);
	close(ends[0]);
	if (child < 0 || waitpid(child, &status, 0) < 0)
		status = 127 << 8;
	if (status == 127 << 8)
		out->failure = "This host has no curl, so https cannot be asked"
			       " from here: ask the address from another"
			       " machine.";
	else if (status != 0)
		out->failure = arena_printf(c->arena, "%s: %.*s", url,
		    (int)strcspn(text, "\r\n"), text);
	return text;
}

/* Passes over 1xx answers and a proxy's "200 Connection established". */
static char *
last_head(char *text)
{
	char *end = strstr(text, "\r\n\r\n");

	while (end != NULL && strncmp(text, "HTTP/1.1 1", 10) == 0 &&
	    strncmp(end + 4, "HTTP/", 5) == 0) {
		text = end + 4;
		end = strstr(text, "\r\n\r\n");
	}
	return text;
}

/* The body of an answer in chunks, put together in place; how long it is. */
static size_t
unchunk(char *body, size_t len)
{
	char *from = body, *to = body, *end = body + len;

	for (;;) {
		char *line = memchr(from, '\n', (size_t)(end - from));
		size_t size;
		if (line == NULL)
			break;
		size = strtoul(from, NULL, 16);
		from = line + 1;
		if (size == 0 || size > (size_t)(end - from))
			break;
		memmove(to, from, size);
		to += size;
		from += size;
		if (end - from >= 2)
			from += 2;
	}
	*to = '\0';
	return (size_t)(to - body);
}

void
probe_get(struct ctx *c, const char *url, const char *authorization,
    struct probe *out)
{
	bool plain = strncmp(url, "http://", 7) == 0;
	char *text, *head, *end;
	const char *coding;
	size_t len = 0;
	long status;

	memset(out, 0, sizeof(*out));
	text = plain ? get_plain(c, url, authorization, out, &len)
		     : get_by_curl(c, url, authorization, out, &len);
	if (out->failure != NULL)
		return;
	head = last_head(text);
	end = strstr(head, "\r\n\r\n");
	out->head = head;
	if (strncmp(head, "HTTP/", 5) != 0 || end == NULL) {
		out->failure = arena_printf(c->arena,
		    "%s: the answer is not HTTP.", url);
		return;
	}
	status = strtol(out->head + strcspn(out->head, " "), NULL, 10);
	out->status = status > 0 && status < 1000 ? (int)status : 0;
	out->body = end + 4;
	out->body_len = len - (size_t)(out->body - text);
	coding = probe_header(c, out, "Transfer-Encoding");
	if (plain && coding != NULL && strcasecmp(coding, "chunked") == 0)
		out->body_len = unchunk(out->body, out->body_len);
}

const char *
probe_header(struct ctx *c, const struct probe *p, const char *name)
{
	size_t len = strlen(name);
	const char *line = strstr(p->head, "\r\n");

	for (; line != NULL && line + 2 < p->body; line = strstr(line, "\r\n")) {
		line += 2;
		if (strncasecmp(line, name, len) == 0 && line[len] == ':') {
			line += len + 1;
			line += strspn(line, " \t");
			return arena_text_n(c->arena, line,
			    strcspn(line, "\r\n"));
		}
	}
	return NULL;
}
