#ifndef BASE_WATCH_H
#define BASE_WATCH_H
/*
 * Tells AddressSanitizer (SANITIZE and FUZZING builds) and valgrind (test builds)
 * which bytes of a block may be used that the program divides itself: they know only
 * those of malloc(). In all other builds it does nothing.
 */
#include <stdbool.h>
#include <stddef.h>

/* WATCH_GAP is the number of bytes that stay unused after each piece of a block, so that
 * a write beyond one does not reach the next. */
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define WATCH_ASAN
#endif
#endif
#ifdef __SANITIZE_ADDRESS__
#define WATCH_ASAN
#endif
#ifndef __has_include
#define __has_include(header) 0
#endif

#ifdef WATCH_ASAN
#include <sanitizer/asan_interface.h>

#define WATCH_GAP ((size_t)16)
#define watch_forbid(bytes, size) ASAN_POISON_MEMORY_REGION(bytes, size)
#define watch_allow(bytes, size) ASAN_UNPOISON_MEMORY_REGION(bytes, size)
#define watch_is_on() true

#elif defined(GALLEY_TEST) && __has_include(<valgrind/memcheck.h>)
#include <valgrind/memcheck.h>

#define WATCH_GAP ((size_t)16)
#define watch_forbid(bytes, size) (void)VALGRIND_MAKE_MEM_NOACCESS(bytes, size)
#define watch_allow(bytes, size) (void)VALGRIND_MAKE_MEM_UNDEFINED(bytes, size)
#define watch_is_on() (RUNNING_ON_VALGRIND != 0)

#else
#define WATCH_GAP ((size_t)0)

/* From here on a use of these bytes is a fault. */
#define watch_forbid(bytes, size) ((void)(bytes), (void)(size))

/* From here on these bytes may be used; to valgrind they have no value until they
 * are written. */
#define watch_allow(bytes, size) ((void)(bytes), (void)(size))

/* Returns whether a checker watches. */
#define watch_is_on() false
#endif

#endif
