#ifndef STORE_DB_HANDLE_H
#define STORE_DB_HANDLE_H
/* The connection itself, for the files of this floor only. It may write, and
 * waits for others from now on as long as a transaction would. */
#include <sqlite3.h>

struct ctx;

sqlite3 *db_handle(struct ctx *c);

#endif
