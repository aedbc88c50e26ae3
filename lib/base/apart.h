#ifndef BASE_APART_H
#define BASE_APART_H
/*
 * APART puts a variable that is large, or that few requests need, behind all others:
 *
 *	static APART char room[1024 * 1024];
 *
 * A process pays about two microseconds for each page that it touches (docs/speed.md
 * §6). The small ones that every request needs share a page this way.
 */

/* AddressSanitizer does not watch a variable that has a section, and clang would
 * write its zeros into the program. */
#if defined(__SANITIZE_ADDRESS__) || defined(__clang__)
#define APART
#else
#define APART __attribute__((section(".lbss")))
#endif

#endif
