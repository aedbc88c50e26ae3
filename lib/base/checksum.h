#ifndef BASE_CHECKSUM_H
#define BASE_CHECKSUM_H
/*
 * A sum of bytes at memory's speed. It shows damage and changes. It does not protect
 * against forgers: a user who may write the summed bytes may write the database, too.
 */
#include <stddef.h>
#include <stdint.h>

uint64_t checksum(const char *bytes, size_t len);

#endif
