#ifndef WEB_EXCHANGE_H
#define WEB_EXCHANGE_H
/*
 * How a request reaches the program and how its answer leaves: the CGI environment
 * with standard input and output, or a FastCGI connection.
 */
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>
#include <sys/uio.h>

struct exchange {
	/* The request's environment: "NAME=value" each, NULL at the end. */
	char *const *variables;
	/* Reads some bytes of the body. Returns 0 at its end, and -1 if they do not come
	 * within REQ_BODY_S (req.h), what the service says (service.h, body_ms) or what wait()
	 * says. NULL: standard input. */
	ssize_t (*read)(void *arg, char *into, size_t max);
	/* Gives the body so many seconds from now. NULL: standard input. */
	void (*wait)(void *arg, unsigned seconds);
	/* Sends an answer, its head and its body, and ends it, whether or not the
	 * request's body was read. Returns false if the client went away. NULL: standard
	 * output. */
	bool (*send)(void *arg, const struct iovec answer[2]);
	/* Sends a part of an answer, its head or a piece of its body; send() with nothing then
	 * ends it. NULL: standard output. */
	bool (*more)(void *arg, const struct iovec *part);
	/* Called before a process that dies sends its answer: no other answer follows.
	 * NULL: nothing to do. */
	void (*last)(void);
	void *arg; /* for the functions above that take one */
};

#endif
