#ifndef STORE_DB_VFS_H
#define STORE_DB_VFS_H
/*
 * A layer between SQLite and the operating system, in test builds only
 * (docs/platform.md §3.5 and §9). It has two purposes. Private to this floor.
 *
 * FAULTS. Every operation on a database's files is a fault point (system/fault.h):
 * vfs-read, vfs-write, vfs-truncate, vfs-sync, vfs-delete each before it happens,
 * and vfs-op before any of these but reads, before files are opened and closed,
 * and before each lock is taken or released. An errno makes that operation fail for
 * SQLite.
 *
 * POWER. With GALLEY_POWER_LOG=FILE each operation that changes files is appended to
 * that file after it happened, as whole records in the order of the operations:
 *
 *	C NAME			created, empty
 *	W NAME OFFSET LENGTH	written; LENGTH bytes and a newline follow
 *	T NAME SIZE		cut or stretched
 *	S NAME			everything done to it before is durable
 *	D NAME DIRSYNC		removed; durably when DIRSYNC is 1
 *
 * NAME is the file's name without its folder. The layer carries out no sync, and the
 * disk promises nothing: sectors of 512 bytes, no order, no whole sectors. The test
 * writes its own records (what was acknowledged) between these. From any beginning of
 * the log it makes the files that a power failure may leave.
 */
#ifdef GALLEY_TEST
/* Installs the layer. Call it before a database is opened. It does nothing if the
 * environment names neither purpose. */
void db_vfs(void);
#else
#define db_vfs() ((void)0)
#endif

#endif
