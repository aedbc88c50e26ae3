#ifndef BASE_FILEIO_H
#define BASE_FILEIO_H
/*
 * Whole files. Not for galley.db and its companions: no process opens those
 * except through SQLite (docs/design.md §3).
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/types.h>

struct arena;

/*
 * open(2) with O_CLOEXEC; a file that it makes is the owner's alone (0600). musl's
 * open() asks the system a second time for that flag, its openat() does not.
 */
int fileio_open(const char *path, int flags);

/*
 * For a process that was confined to some files (system/harden.h) and lives long: says that
 * it is confined, and returns whether fileio_open() has met a file since then that its mode
 * allows and the confinement does not. It has taken the place of one that was granted, so
 * the process must end soon, and let another one be confined to the present files.
 */
void fileio_confined(void);

bool fileio_is_shut_out(void);

/*
 * Ends the process because a file without which nothing works cannot be opened (errno). Where its
 * folder is gone, or the file may not be read, another folder takes, or took, the place of the one
 * that this process was granted: that passes (503). A file that is lost does not (500).
 */
_Noreturn void fileio_cannot_open(const char *path);

/*
 * The content of a file, NUL-terminated, in the arena; *len (may be NULL) its
 * bytes. NULL with errno set when it cannot be read; EFBIG when it is longer
 * than `max` bytes.
 */
char *fileio_read(struct arena *a, const char *path, size_t max, size_t *len);

/* Reads a file without waiting: a pipe in the place of the file is EINVAL or EAGAIN. */
char *fileio_read_now(struct arena *a, const char *path, size_t max, size_t *len);

/*
 * Reads a file that nobody but the present user wrote: a regular one of this user, which no
 * other may write, and no symbolic link. NULL with errno set otherwise; EPERM for another
 * file. *st (may be NULL) becomes that of the file that was read.
 */
char *fileio_read_own(struct arena *a, const char *path, size_t max, struct stat *st);

/* Reads an open descriptor to its end. Does not close it. */
char *fileio_read_fd(struct arena *a, int fd, size_t max, size_t *len);

/*
 * Writes a file so that after a crash there is the old content or the new one:
 * temporary name beside it, fsync, rename, fsync of the folder. False with
 * errno set; then nothing changed.
 */
bool fileio_replace(struct arena *a, const char *path, const void *bytes, size_t len, mode_t mode);

/*
 * Its two halves. fileio_stage() writes the temporary name and returns it (arena), or NULL with
 * errno set. fileio_place() gives that file its name; false with errno set, and the file is gone.
 */
char *fileio_stage(struct arena *a, const char *path, const void *bytes, size_t len, mode_t mode);

bool fileio_place(struct arena *a, const char *staged, const char *path);

/* Syncs a folder in which a name was made or moved; false with errno set. */
bool fileio_sync_folder(const char *folder);

/* Calls write(2) until all is written; false with errno set. */
bool fileio_write_all(int fd, const void *bytes, size_t len);

/*
 * For a caller that remembers a file. fileio_same() returns whether the file was not
 * written between two stat()s, as far as its times show. fileio_settled() returns whether
 * it was written so long ago that a later write would show in its times; the caller must
 * read a file that is not settled again.
 */
bool fileio_same(const struct stat *a, const struct stat *b);

bool fileio_settled(const struct stat *st);

/* The identity of a file. Its number may be that of a file that was removed before; then
 * it was born later. All members are 0 if there is no file; born is 0 if the system does
 * not know it. */
struct fileio_identity {
	uint64_t device;
	uint64_t inode;
	uint64_t born; /* nanoseconds since 1970 */
};

void fileio_identify(const char *path, struct fileio_identity *out);

/*
 * When and how far a file was written; zeros for one that is empty or missing. No padding:
 * compared byte by byte.
 */
struct fileio_written {
	uint64_t len;
	uint64_t modified, changed; /* nanoseconds since 1970 */
};

void fileio_look(const char *path, struct fileio_written *out);

/* Creates a folder and those above it that are missing; true if it exists then. */
bool fileio_make_folder(const char *path, mode_t mode);

/* Returns "folder/name", in the arena. */
char *fileio_path(struct arena *a, const char *folder, const char *name);

/* Returns "/a/b" for "/a/b/c", and "." for a path without a slash. In the arena. */
char *fileio_folder(struct arena *a, const char *path);

/* Returns "c" for "/a/b/c": a pointer into `path`. */
const char *fileio_name(const char *path);

/*
 * ---- a stream, line by line: a line that is too long is one line. Its rest is never taken for the
 * next line, as it is with fgets().
 *
 * Reads a line into `line`, without its newline; the last line may have none. Returns false
 * at the end of the stream. *whole (may be NULL) tells whether the line fitted into `size`
 * bytes with a NUL, and held none; the rest was read and dropped.
 */
bool line_read(FILE *in, char *line, size_t size, bool *whole);

#endif
