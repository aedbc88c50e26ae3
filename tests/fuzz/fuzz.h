#ifndef TESTS_FUZZ_H
#define TESTS_FUZZ_H
/*
 * A fuzz target is a file with one function, fuzz(), for one reader of bytes from
 * outside. It gives the bytes to the reader and says with MUST() what must hold for
 * any bytes. fuzz.c makes a program of it: for libFuzzer (`make fuzz`), or one that
 * reads the files of a folder again (`make check`).
 *
 * tests/fuzz/corpus/NAME/ holds the first inputs of target NAME, and every file that
 * ever found a fault.
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

/* Tests one input. Only a NUL follows `text`; the context's arena is reset when the
 * function returns. */
void fuzz(struct ctx *c, const char *text, size_t len);

/* Returns the path of a file with these bytes, for readers of files. */
const char *fuzz_file(struct ctx *c, const char *text, size_t len);

/* Gives the context an instance that has a pepper and nothing else. */
void fuzz_instance(struct ctx *c);

/* Returns whether the text is valid UTF-8 without NUL. */
bool fuzz_is_text(const char *text, size_t len);

#define MUST(condition)                                                                            \
	do {                                                                                       \
		if (!(condition)) {                                                                \
			fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);            \
			abort();                                                                   \
		}                                                                                  \
	} while (0)

#endif
