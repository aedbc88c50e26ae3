#ifndef WEB_EXCHANGE_H
#define WEB_EXCHANGE_H
/*
 * How a request reaches us and its answer leaves: the CGI environment with
 * standard input and output, or a FastCGI connection.
 */
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>
#include <sys/uio.h>

struct exchange {
	/* The request's environment: "NAME=value" each, NULL at the end. */
	char *const *variables;
	/* Some bytes of the body, 0 at its end, -1 when they do not come within
	 * REQ_BODY_S (req.h). NULL: standard input. */
	ssize_t (*read)(void *arg, char *into, size_t max);
	/* Sends an answer, its head and its body, and ends it, whether or not the
	 * body was read; false when the client went away. NULL: standard output. */
	bool (*send)(void *arg, const struct iovec answer[2]);
	/* Told before the answer of a process that dies: it is the last. NULL:
	 * nothing to do. */
	void (*last)(void);
	void *arg; /* of those that take it */
};

#endif
