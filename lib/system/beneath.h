#ifndef SYSTEM_BENEATH_H
#define SYSTEM_BENEATH_H
/*
 * Files of a folder that somebody named, and of nothing outside of it: somebody else
 * may have put links there. Each part of a path is opened by itself, without
 * following a link (O_NOFOLLOW); where a link leads is looked at here. So nothing that
 * is exchanged meanwhile leads out either. As openat2(RESOLVE_BENEATH), which older
 * kernels lack; an absolute link that leads back into the folder is followed, too.
 */
#include <stdbool.h>
#include <stddef.h>

struct arena;

struct beneath {
	const char *path; /* the folder's real path, "" for /; arena */
};

/* Finds the folder; links on the way to it are followed. False with errno set. */
bool beneath_open(struct arena *a, const char *folder, struct beneath *out);

/*
 * Opens the plain file or the folder of the relative path `path` for reading. Its
 * real path comes to *real (may be NULL). -1 with errno set: EXDEV where the path, or
 * a link in it, leaves the folder; EINVAL for a pipe, a device or a socket, which is
 * not waited for.
 */
int beneath_file(struct arena *a, const struct beneath *b, const char *path, const char **real);

/* The content of a plain file; NULL with errno set, as for beneath_file() and
 * fileio_read(). */
char *beneath_read(struct arena *a, const struct beneath *b, const char *path, size_t max,
    size_t *len, const char **real);

/* The reason for a person: the text of an errno that these gave. */
const char *beneath_reason(struct arena *a, const struct beneath *b, int error);

#endif
