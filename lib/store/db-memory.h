#ifndef STORE_DB_MEMORY_H
#define STORE_DB_MEMORY_H
/* The memory of SQLite. It depends on the life of the process. */
#include <stdbool.h>

/*
 * Declares that this process answers one request and ends. SQLite then allocates by
 * moving a pointer in one mapping, and reads the file in its mapping: this saves most
 * of the time of an ordinary allocator and page cache (docs/speed.md §6). A process that
 * answers many requests must never call it: the mapping would fill up. It costs nothing
 * until the database is opened.
 */
void db_memory_once(void);
bool db_memory_is_once(void);

/* Does what db_memory_once() asked; else gives SQLite a store of small blocks, from which
 * statements get most of their memory. The opener must call it before SQLite is used. */
void db_memory_begin(void);

#endif
