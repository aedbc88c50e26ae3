#ifndef CONSOLE_SERVE_CONSOLE_H
#define CONSOLE_SERVE_CONSOLE_H
/* The life of a request of the console (docs/console.md §3), in one place and one order. */

/* Runs the program (web/serve.h). */
int console_main(int argc, char **argv);

#endif
