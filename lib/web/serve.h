#ifndef WEB_SERVE_H
#define WEB_SERVE_H
/*
 * The life of a request, in one place and one order (docs/design.md §2). A program of
 * cgi-bin/ is its tables, its handlers, and
 *
 *	int
 *	main(int argc, char **argv)
 *	{
 *		return serve_main(argc, argv, "articles", routes);
 *	}
 *
 * Under a web server (GATEWAY_INTERFACE is set) the program never reads its
 * arguments: a client can choose them. From a shell the program answers one request
 * with the same code, for debugging:
 *
 *	articles GET '/?limit=2' --key ab_live_… [--instance DIR]
 *		[--header 'If-None-Match: "…"'] [--body FILE]
 *
 * or prints its tables: articles --routes
 *
 * lib/web: what a request under a web server runs through: key, limit, scope, transaction, cached
 * answers, output. Not here: handlers (cgi-bin/), and requests of people (lib/console). Begin with
 * serve.h.
 */
#include "base/err.h"
#include "web/reply.h"
#include "web/req.h"

struct ctx;
struct service;

int serve_main(int argc, char **argv, const char *program, const struct route *routes);

/* The same for a program that is not the API's (service.h). */
int serve_service(int argc, char **argv, const struct service *service);

/* Prints the routes of an API program as JSON, for the test of htdocs/openapi.json, and ends it
 * (service.h: tables). For this floor alone. */
__attribute__((cold)) _Noreturn void
serve_shell_routes(struct ctx *c, const struct service *service);

#endif
