#ifndef COMMAND_LIBRARIES_H
#define COMMAND_LIBRARIES_H
/* The libraries that the tool is made of, for reports of faults. Those that tell
 * no version themselves are named as they were when it was built; argon2 by the version of
 * the algorithm. */
#include <stddef.h>

#define LIBRARIES 12

struct library {
	const char *name;
	const char *version;
};

void libraries_list(struct library out[LIBRARIES]);

#endif
