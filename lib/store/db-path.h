#ifndef STORE_DB_PATH_H
#define STORE_DB_PATH_H
/*
 * How SQLite comes to the whole path of a database. Private to this floor.
 *
 * Its own way looks at each folder for symbolic links. Galley names databases by
 * whole paths, and what lies beside one (its log, the index of that) is reached
 * through the same folders: only the file itself may not be a link, and only that
 * is looked at.
 */

/* Before a database is opened, after SQLite was configured. */
void db_path(void);

#endif
