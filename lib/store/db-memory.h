#ifndef STORE_DB_MEMORY_H
#define STORE_DB_MEMORY_H
/* The memory of SQLite, by how long the process lives. */
#include <stdbool.h>

/*
 * Says that this process answers one request and ends. SQLite then allocates by
 * moving a pointer in one mapping, and reads the file where it is mapped: most
 * of the time of an ordinary allocator and page cache is saved (docs/speed.md
 * §6). Never in a process that answers many requests: the mapping would fill
 * up. Costs nothing until the database is opened.
 */
void db_memory_once(void);
bool db_memory_is_once(void);

/* For the opener, before SQLite is used: does what db_memory_once() asked; else
 * gives SQLite a store of small blocks, from which most of what statements take
 * comes. */
void db_memory_begin(void);

#endif
