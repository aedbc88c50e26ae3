#ifndef WEB_EXCHANGE_H
#define WEB_EXCHANGE_H
/*
 * How a request reaches us and its answer leaves: the CGI environment with
 * standard input and output, or a FastCGI connection.
 */
#include <stdbool.h>
#include <stddef.h>

struct exchange {
	/* A variable of the request's environment, or NULL. */
	const char *(*variable)(void *arg, const char *name);
	/* Some bytes of the body, 0 at its end. NULL: standard input. */
	size_t (*read)(void *arg, char *into, size_t max);
	/* Sends all the bytes, or false. NULL: standard output. */
	bool (*write)(void *arg, const char *bytes, size_t len);
	/* Ends the exchange of a process that dies in it. NULL: nothing to do. */
	void (*end)(void *arg);
	void *arg;  /* of all of them */
	bool keeps; /* kept answers may be used: a process of one request */
};

#endif
