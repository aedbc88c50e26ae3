#ifndef SYSTEM_PROGRAM_H
#define SYSTEM_PROGRAM_H
/* What a program says of itself: its usage, and which build it is. */
#include <stddef.h>

/* ---- the usage of programs with few options; `text` is whole lines, the first "usage: …" */

/* Print the usage and end the process: for --help (exit 0), or as a complaint (exit 2). */
_Noreturn void usage_print(const char *text);

_Noreturn void usage_refuse(const char *text);

/* For a program without options: if there is an argument, prints the usage and ends; it
 * was asked for if the argument is --help. */
void usage_no_options(int argc, char **argv, const char *text);

/* ---- which build of a program runs: the linker's digest of everything in it. */

#define BUILD_ID_MAX 20

/* Fills in the id and returns its length: 0 where the program was linked
 * without one (-Wl,--build-id). It is in memory: no file is asked. */
size_t build_id(unsigned char out[BUILD_ID_MAX]);

#endif
