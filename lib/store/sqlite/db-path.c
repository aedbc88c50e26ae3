#include "store/sqlite/db-path.h"

#include <string.h>
#include <sys/stat.h>

#include <sqlite3.h>

#include "base/log.h"

/* The VFS of this process, above that of the operating system. It is made once. */
static sqlite3_vfs ours, *beneath;

static int
full_path(sqlite3_vfs *vfs, const char *path, int size, char *out)
{
	size_t len = strlen(path);
	struct stat st;

	(void)vfs;
	if (path[0] != '/' || len >= (size_t)size || lstat(path, &st) != 0 || S_ISLNK(st.st_mode))
		return beneath->xFullPathname(beneath, path, size, out);
	memcpy(out, path, len + 1);
	return SQLITE_OK;
}

void
db_path(void)
{
	if (beneath != NULL)
		return;
	beneath = sqlite3_vfs_find(NULL);
	ours = *beneath;
	ours.zName = "galley";
	ours.xFullPathname = full_path;
	if (sqlite3_vfs_register(&ours, 1) != SQLITE_OK)
		BUG("the way to files cannot be registered");
}
