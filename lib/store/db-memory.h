#ifndef STORE_DB_MEMORY_H
#define STORE_DB_MEMORY_H
/* The allocator under SQLite in a process that answers one request. */

/*
 * Makes SQLite allocate by moving a pointer in one mapping, and give back only
 * what it allocated last: in a process that ends soon that is most of the time
 * of an ordinary allocator saved (HACKING.md, speed). Beyond the mapping it falls
 * back to the ordinary one. To be called before the database is opened, never in
 * a process that answers many requests: there the mapping would fill up.
 */
void db_memory_once(void);

#endif
