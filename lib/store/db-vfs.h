#ifndef STORE_DB_VFS_H
#define STORE_DB_VFS_H
/*
 * A layer below SQLite, in test builds only (docs/platform.md §3.5 and §9):
 * between it and the operating system, for two purposes. Private to this floor.
 *
 * FAULTS. Every operation on a database's files is a fault point (system/fault.h):
 * vfs-read, vfs-write, vfs-truncate, vfs-sync, vfs-delete each before it happens,
 * and vfs-op before any of these but reads, before files are opened and closed,
 * and before each lock is taken or given back. An errno makes SQLite see that
 * operation fail.
 *
 * POWER. With GALLEY_POWER_LOG=FILE what changes files is appended to that file
 * after it happened, whole records in the order of the operations:
 *
 *	C NAME			created, empty
 *	W NAME OFFSET LENGTH	written; LENGTH bytes and a newline follow
 *	T NAME SIZE		cut or stretched
 *	S NAME			what was done to it until here is durable
 *	D NAME DIRSYNC		removed; durably when DIRSYNC is 1
 *
 * NAME is the file's name without its folder. Syncs are not carried out, and the
 * disk promises nothing: sectors of 512 bytes, no order, no whole sectors. The
 * test, which writes its own records (what was acknowledged) between these, makes
 * from any beginning of the log what a power failure may leave.
 */
#ifdef GALLEY_TEST
/* Before a database is opened. Nothing, when the environment names neither. */
void db_vfs(void);
#else
#define db_vfs() ((void)0)
#endif

#endif
