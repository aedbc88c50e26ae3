#ifndef TESTS_FUZZ_H
#define TESTS_FUZZ_H
/*
 * A fuzz target is a file with one function, fuzz(), for one reader of bytes from
 * outside. It gives the bytes to the reader and says with MUST() what holds
 * whatever they are. fuzz.c makes a program of it: for libFuzzer (`make fuzz`),
 * or one that reads a folder of files again (`make check`).
 *
 * tests/fuzz/corpus/NAME/ holds what target NAME begins with, and every file that
 * found a fault once.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "base/err.h"

/* The target. `text` is followed by a NUL and by nothing else; everything in
 * the context's arena goes when it returns. */
void fuzz(struct ctx *c, const char *text, size_t len);

/* The bytes as a file, for readers that want a path. */
const char *fuzz_file(struct ctx *c, const char *text, size_t len);

/* Gives the context an instance that has a pepper and nothing else. */
void fuzz_instance(struct ctx *c);

/* Whether the text is what may come in: valid UTF-8 without NUL. */
bool fuzz_is_text(const char *text, size_t len);

#define MUST(condition)                                                        \
	do {                                                                   \
		if (!(condition)) {                                            \
			fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__,     \
			    #condition);                                       \
			abort();                                               \
		}                                                              \
	} while (0)

#endif
