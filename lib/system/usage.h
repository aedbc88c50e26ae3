#ifndef SYSTEM_USAGE_H
#define SYSTEM_USAGE_H
/* Prints the usage of programs with few options. `text` is whole lines, the first of them
 * "usage: …". */

/* Print the usage and end the process: for --help (exit 0), or as a complaint (exit 2). */
_Noreturn void usage_print(const char *text);
_Noreturn void usage_refuse(const char *text);

/* For a program without options: if there is an argument, prints the usage and ends; it
 * was asked for if the argument is --help. */
void usage_no_options(int argc, char **argv, const char *text);

#endif
