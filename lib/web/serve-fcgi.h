#ifndef WEB_SERVE_FCGI_H
#define WEB_SERVE_FCGI_H
/*
 * The loop of a FastCGI process. serve-fcgi.c is the only file that knows of
 * FastCGI: the executables are the same as under CGI. Private to this floor.
 */
#include <stdbool.h>

struct ctx;
struct service;

/*
 * Answers requests until SIGTERM comes between two of them, or a hundred thousand are
 * answered (the web server starts a new process). A connection that comes meanwhile is
 * answered, or refused before a byte of its request is read: web servers then ask
 * another process. Statements stay prepared; the arena is reset after each request.
 */
__attribute__((cold)) void serve_fcgi(struct ctx *c, const struct service *service);

#endif
