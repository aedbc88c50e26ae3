#ifndef WEB_CACHE_SPACE_H
#define WEB_CACHE_SPACE_H
/*
 * The disk space of cached answers: at most 64 MiB for each workspace and 512 MiB for all
 * of them, and none while the disk has less than 64 MiB left. A client that may read
 * cannot fill the disk, however many answers there are.
 *
 * run/kept/used holds the counts: first a pair (bytes, time of the count) for all
 * workspaces, then a pair for each. A file counts as the blocks that it takes. An answer
 * gets its place under a lock of that file; if another process holds the lock, the answer
 * is not cached this time. A process that is killed there leaves too high a count, never
 * one that is too low. A process that finds no room counts the workspace again, once a
 * minute, and removes stale answers; the job runner does so for all workspaces, once an
 * hour.
 *
 * Operators' commands and the job runner call the two cache_drop_ functions; the rest is
 * for answer-cache.c.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ctx;

struct cache_space {
	int fd; /* of run/kept/used */
	int64_t workspace_id;
	int64_t bytes; /* that the answer takes */
};

/* Returns whether an answer of `len` bytes may be cached at `path`, a place of the
 * workspace. If so, the caller must call cache_space_fill() or cache_space_leave(). */
__attribute__((cold)) bool cache_space_find(
    struct ctx *c, int64_t workspace_id, const char *path, size_t len, struct cache_space *out);

/* Renames the finished file `fresh` to `path`, or removes it if there is no room any
 * more. Returns false with errno set if it cannot be renamed; then it is still there. */
__attribute__((cold)) bool
cache_space_fill(struct cache_space *room, const char *fresh, const char *path);

/* Gives the room back: for a caller that has no finished file. */
__attribute__((cold)) void cache_space_leave(struct cache_space *room);

/* Removes the cached answers of a workspace that was deleted: nobody asks for them any
 * more, so nothing would overwrite them. */
void cache_drop_workspace(struct ctx *c, int64_t workspace_id);

/* Removes stale answers, and counts what is left, once an hour. Removes all answers if
 * kept_answers is 0, and at once while the disk has less than 64 MiB left. */
void cache_drop_stale(struct ctx *c);

#endif
