#ifndef SYSTEM_CONF_EDIT_H
#define SYSTEM_CONF_EDIT_H
/*
 * galley.conf, changed while others may change it, too.
 *
 * One process at a time has the lock, which is on the folder: a file that is replaced
 * cannot carry it. The new file is written beside the old one, synced and renamed.
 * Where the folder belongs to another user (root, as INSTALL.md sets a server up) and
 * this process is not root, it can only be written in its place; then what it was is
 * in good/ (system/conf.h) should the machine stop halfway.
 */
#include <stddef.h>
#include <sys/stat.h>

#include "base/err.h"

#define CONF_FILE_MAX ((size_t)64 * 1024)

struct conf_file {
	int folder; /* descriptor, locked */
	const char *text;
	struct stat st; /* of the file that was read */
};

/* Waits for the lock and reads the file. Refuses a galley.conf that is a link, no
 * file, or not to be read. */
MAY_REFUSE struct err *conf_file_lock(struct ctx *c, struct conf_file *file);

/* Replaces the text; owner and mode stay. */
MAY_REFUSE struct err *
conf_file_replace(struct ctx *c, const struct conf_file *file, const char *text);

void conf_file_release(struct conf_file *file);

#endif
