#ifndef WEB_SERVE_SHELL_H
#define WEB_SERVE_SHELL_H
/* One request from the command line, for debugging. Private to this floor. */

struct ctx;

/*
 * Turns the arguments described in serve.h into the environment that a web
 * server would give; returns the --instance, or NULL. A usage error prints the
 * usage and ends the process with 2.
 */
const char *serve_shell(struct ctx *c, int argc, char **argv,
    const char *program);

#endif
