#ifndef STORE_DB_PATH_H
#define STORE_DB_PATH_H
/*
 * How SQLite finds the whole path of a database. Private to this floor.
 *
 * SQLite's own way examines each folder for symbolic links. Galley names databases by
 * whole paths, and SQLite reaches the files beside one (the log, and its index) through
 * the same folders. Only the file itself must not be a link, so only the file is
 * examined.
 */

/* Installs this way. Call it after SQLite was configured, before a database is opened. */
void db_path(void);

#endif
