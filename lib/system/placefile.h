#ifndef SYSTEM_PLACEFILE_H
#define SYSTEM_PLACEFILE_H
/*
 * Places in a file, each of which processes lock apart from the others: for counts of strangers.
 * Behind the end of the file all is 0. A place stays locked until the file is closed.
 */
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* Locks a place against other processes and reads it. Returns false with errno set. */
bool placefile_read(int fd, off_t offset, void *out, size_t size);

/* Writes a place; false with errno set. */
bool placefile_write(int fd, off_t offset, const void *bytes, size_t size);

#endif
