#ifndef SYSTEM_SECCOMP_H
#define SYSTEM_SECCOMP_H
/*
 * The words of the filter programs that the kernel runs before each system call (seccomp),
 * as far as harden-confine.c and harden-stranger.c write them. ARCHITECTURE is not defined
 * where they write none.
 */
#include <stdint.h>

#if defined(__x86_64__)
#define ARCHITECTURE UINT32_C(0xC000003E)
#elif defined(__aarch64__)
#define ARCHITECTURE UINT32_C(0xC00000B7)
#endif

struct instruction {
	uint16_t code;
	uint8_t if_true, if_false; /* how many to skip */
	uint32_t value;
};

enum { LOAD = 0x20, EQUALS = 0x15, AT_LEAST = 0x35, AND = 0x54, RETURN = 0x06 };
/* The offsets of a call's words that LOAD takes. */
enum { NUMBER_AT = 0, ARCHITECTURE_AT = 4 };
#define ARGUMENT(n) (16 + 8 * (n))
#define UPPER_HALF(n) (20 + 8 * (n))

/* Verdicts: the call fails with an errno, or is made. */
#define FAILS(error) (UINT32_C(0x00050000) | (uint32_t)(error))
#define ALLOWED UINT32_C(0x7FFF0000)

#endif
