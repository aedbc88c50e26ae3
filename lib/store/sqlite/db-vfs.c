#include "store/sqlite/db-vfs.h"

#ifdef GALLEY_TEST

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include <sqlite3.h>

#include "base/fileio.h"
#include "base/log.h"
#include "system/fault.h"

/* The file that SQLite sees; the true one follows it in memory. */
struct layer {
	sqlite3_file base;
	const char *name; /* SQLite keeps it as long as the file is open */
};

/* The VFS of this process, above that of the operating system. It is made once. */
static sqlite3_vfs layer_vfs, *beneath;
static int power_log = -1;

static sqlite3_file *
true_file(sqlite3_file *f)
{
	return (sqlite3_file *)(void *)((struct layer *)(void *)f + 1);
}

static const char *
name_of(sqlite3_file *f)
{
	return ((struct layer *)(void *)f)->name;
}

/* ---- records */

/* Writes a record with one write, so that records of several processes stay whole. */
static void
record(const char *head, const void *bytes, size_t len)
{
	struct iovec parts[3] = {
		{ (void *)(uintptr_t)head, strlen(head) },
		{ (void *)(uintptr_t)bytes, len },
		{ (void *)(uintptr_t) "\n", 1 },
	};
	ssize_t whole = (ssize_t)(strlen(head) + len + 1);

	if (writev(power_log, parts, 3) != whole)
		BUG("the power log cannot be written");
}

static void __attribute__((format(printf, 1, 2))) note(const char *format, ...)
{
	char line[512];
	va_list args;

	if (power_log < 0)
		return;
	va_start(args, format);
	vsnprintf(line, sizeof(line), format, args);
	va_end(args);
	record(line, "", 0);
}

static void
note_write(const char *name, sqlite3_int64 at, const void *bytes, int len)
{
	char line[512];

	if (power_log < 0)
		return;
	snprintf(line, sizeof(line), "W %s %lld %d\n", name, at, len);
	record(line, bytes, (size_t)len);
}

/* ---- operations on one file */

/* Returns SQLite's code for an errno of a fault point. */
static int
failed(int error, int otherwise)
{
	return error == ENOSPC ? SQLITE_FULL : otherwise;
}

static int
close_file(sqlite3_file *f)
{
	int error = FAULT("vfs-op");

	(void)error;
	return true_file(f)->pMethods->xClose(true_file(f));
}

static int
read_file(sqlite3_file *f, void *into, int len, sqlite3_int64 at)
{
	if (FAULT("vfs-read") != 0)
		return SQLITE_IOERR_READ;
	return true_file(f)->pMethods->xRead(true_file(f), into, len, at);
}

static int
write_file(sqlite3_file *f, const void *bytes, int len, sqlite3_int64 at)
{
	int error = FAULT("vfs-op") | FAULT("vfs-write");
	int result;

	if (error != 0)
		return failed(error, SQLITE_IOERR_WRITE);
	result = true_file(f)->pMethods->xWrite(true_file(f), bytes, len, at);
	if (result == SQLITE_OK)
		note_write(name_of(f), at, bytes, len);
	return result;
}

static int
truncate_file(sqlite3_file *f, sqlite3_int64 size)
{
	int error = FAULT("vfs-op") | FAULT("vfs-truncate");
	int result;

	if (error != 0)
		return failed(error, SQLITE_IOERR_TRUNCATE);
	result = true_file(f)->pMethods->xTruncate(true_file(f), size);
	if (result == SQLITE_OK)
		note("T %s %lld", name_of(f), size);
	return result;
}

static int
sync_file(sqlite3_file *f, int flags)
{
	int error = FAULT("vfs-op") | FAULT("vfs-sync");

	if (error != 0)
		return failed(error, SQLITE_IOERR_FSYNC);
	if (power_log < 0)
		return true_file(f)->pMethods->xSync(true_file(f), flags);
	note("S %s", name_of(f));
	return SQLITE_OK;
}

static int
file_size(sqlite3_file *f, sqlite3_int64 *size)
{
	return true_file(f)->pMethods->xFileSize(true_file(f), size);
}

static int
lock_file(sqlite3_file *f, int lock)
{
	if (FAULT("vfs-op") != 0)
		return SQLITE_IOERR_LOCK;
	return true_file(f)->pMethods->xLock(true_file(f), lock);
}

static int
unlock_file(sqlite3_file *f, int lock)
{
	if (FAULT("vfs-op") != 0)
		return SQLITE_IOERR_UNLOCK;
	return true_file(f)->pMethods->xUnlock(true_file(f), lock);
}

static int
is_reserved(sqlite3_file *f, int *out)
{
	return true_file(f)->pMethods->xCheckReservedLock(true_file(f), out);
}

static int
control(sqlite3_file *f, int what, void *arg)
{
	return true_file(f)->pMethods->xFileControl(true_file(f), what, arg);
}

static int
sector_size(sqlite3_file *f)
{
	return power_log >= 0 ? 512 : true_file(f)->pMethods->xSectorSize(true_file(f));
}

static int
promises(sqlite3_file *f)
{
	return power_log >= 0 ? 0 : true_file(f)->pMethods->xDeviceCharacteristics(true_file(f));
}

/* Maps the index of the write-ahead log, which need not survive: SQLite makes it
 * again after a start of the machine. */
static int
shm_map(sqlite3_file *f, int page, int size, int extend, void volatile **out)
{
	int error = FAULT("vfs-op");

	if (error != 0)
		return failed(error, SQLITE_IOERR_SHMMAP);
	return true_file(f)->pMethods->xShmMap(true_file(f), page, size, extend, out);
}

static int
shm_lock(sqlite3_file *f, int offset, int n, int flags)
{
	if (FAULT("vfs-op") != 0)
		return SQLITE_IOERR_SHMLOCK;
	return true_file(f)->pMethods->xShmLock(true_file(f), offset, n, flags);
}

static void
shm_barrier(sqlite3_file *f)
{
	true_file(f)->pMethods->xShmBarrier(true_file(f));
}

static int
shm_unmap(sqlite3_file *f, int remove)
{
	return true_file(f)->pMethods->xShmUnmap(true_file(f), remove);
}

static int
fetch(sqlite3_file *f, sqlite3_int64 at, int len, void **out)
{
	return true_file(f)->pMethods->xFetch(true_file(f), at, len, out);
}

static int
unfetch(sqlite3_file *f, sqlite3_int64 at, void *page)
{
	return true_file(f)->pMethods->xUnfetch(true_file(f), at, page);
}

static const sqlite3_io_methods methods = { 3, close_file, read_file, write_file, truncate_file,
	sync_file, file_size, lock_file, unlock_file, is_reserved, control, sector_size, promises,
	shm_map, shm_lock, shm_barrier, shm_unmap, fetch, unfetch };

/* ---- operations on files by name */

static int
open_file(sqlite3_vfs *vfs, const char *path, sqlite3_file *f, int flags, int *flags_out)
{
	struct layer *layer = (struct layer *)(void *)f;
	bool there = path != NULL && access(path, F_OK) == 0;
	int error = FAULT("vfs-op");
	int result;

	(void)vfs;
	f->pMethods = NULL;
	if (error != 0)
		return failed(error, SQLITE_CANTOPEN);
	layer->name = path != NULL ? fileio_name(path) : "(nameless)";
	result = beneath->xOpen(beneath, path, true_file(f), flags, flags_out);
	if (result != SQLITE_OK)
		return result;
	f->pMethods = &methods;
	if (!there && path != NULL)
		note("C %s", layer->name);
	return SQLITE_OK;
}

static int
delete_file(sqlite3_vfs *vfs, const char *path, int sync_folder)
{
	int error = FAULT("vfs-op") | FAULT("vfs-delete");
	int result;

	(void)vfs;
	if (error != 0)
		return failed(error, SQLITE_IOERR_DELETE);
	result = beneath->xDelete(beneath, path, sync_folder);
	if (result == SQLITE_OK)
		note("D %s %d", fileio_name(path), sync_folder != 0);
	return result;
}

void
db_vfs(void)
{
	const char *fault = getenv("GALLEY_FAULT");
	const char *path = getenv("GALLEY_POWER_LOG");

	if (beneath != NULL || (path == NULL && getenv("GALLEY_FAULT_LOG") == NULL &&
				   (fault == NULL || (strncmp(fault, "vfs-", 4) != 0 &&
							 strncmp(fault, "any:", 4) != 0))))
		return;
	if (path != NULL)
		power_log = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
	if (path != NULL && power_log < 0)
		BUG("%s cannot be opened", path);
	beneath = sqlite3_vfs_find(NULL);
	layer_vfs = *beneath;
	layer_vfs.zName = "galley-test";
	layer_vfs.szOsFile = (int)sizeof(struct layer) + beneath->szOsFile;
	layer_vfs.xOpen = open_file;
	layer_vfs.xDelete = delete_file;
	if (sqlite3_vfs_register(&layer_vfs, 1) != SQLITE_OK)
		BUG("the layer cannot be registered");
}

#else

/* Only test builds have this layer. */
typedef int db_vfs_is_empty;

#endif
