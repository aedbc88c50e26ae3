#ifndef SYSTEM_BUILD_H
#define SYSTEM_BUILD_H
/* Which build of a program runs: the linker's digest of everything in it. */
#include <stddef.h>

#define BUILD_ID_MAX 20

/* Fills in the id and returns its length: 0 where the program was linked
 * without one (-Wl,--build-id). It is in memory: no file is asked. */
size_t build_id(unsigned char out[BUILD_ID_MAX]);

#endif
