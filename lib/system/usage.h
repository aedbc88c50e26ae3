#ifndef SYSTEM_USAGE_H
#define SYSTEM_USAGE_H
/* What programs with few options or none say of themselves. `text` is whole
 * lines, the first of them "usage: …". */

/* Prints it: as what was asked for (exit 0), or as a complaint (exit 2). */
_Noreturn void usage_print(const char *text);
_Noreturn void usage_refuse(const char *text);

/* For a program without options: prints it when there is an argument, as what
 * was asked for with --help. */
void usage_no_options(int argc, char **argv, const char *text);

#endif
