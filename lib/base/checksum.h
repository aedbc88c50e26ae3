#ifndef BASE_CHECKSUM_H
#define BASE_CHECKSUM_H
/*
 * A sum of bytes at memory's speed, by which damage and changes show. Not against
 * forgers: whoever may write what is summed here may write the database.
 */
#include <stddef.h>
#include <stdint.h>

uint64_t checksum(const char *bytes, size_t len);

#endif
