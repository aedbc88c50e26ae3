#ifndef WEB_SERVE_SHELL_H
#define WEB_SERVE_SHELL_H
/* One request from the command line, for debugging; and the program's routes,
 * for the test of htdocs/openapi.json. Private to this floor. */

struct ctx;
struct service;

/*
 * Turns the arguments that serve.h describes into the environment that a web server
 * would give. Returns the --instance, or NULL. A usage error prints the usage and ends
 * the process with 2; --routes prints the service's tables and ends it with 0.
 */
__attribute__((cold)) const char *
serve_shell(struct ctx *c, int argc, char **argv, const struct service *service);

/* Prints the routes of an API program as JSON, and ends it (service.h: tables). */
__attribute__((cold)) _Noreturn void
serve_shell_routes(struct ctx *c, const struct service *service);

#endif
