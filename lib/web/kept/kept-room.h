#ifndef WEB_KEPT_ROOM_H
#define WEB_KEPT_ROOM_H
/*
 * How much room kept answers take: at most 64 MiB for each workspace and 512 MiB for
 * all of them, and none while the disk has less than 64 MiB left. Who may read cannot
 * fill the disk, however many answers there are to ask for.
 *
 * run/kept/used counts: a pair (bytes, when they were counted) for each workspace, and
 * one for all of them before these. A file counts as the blocks that it takes. An answer
 * gets its place under a lock of that file; where somebody else has the lock, it is not
 * kept this time. A process that is killed there leaves too much counted, never too
 * little. Who finds no room counts the workspace anew, once a minute, and removes what
 * is stale; the job runner does so for all of them, once an hour.
 *
 * Private to this floor, but for kept-drop.h.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ctx;

struct kept_room {
	int fd; /* of run/kept/used */
	int64_t workspace_id;
	int64_t bytes; /* that the answer takes */
};

/* Whether an answer of `len` bytes may be kept at `path`, a place of the workspace.
 * True: kept_room_fill() or kept_room_leave() follows. */
bool kept_room_find(struct ctx *c, int64_t workspace_id, const char *path,
    size_t len, struct kept_room *out);

/* Renames the finished file `fresh` to `path`, or removes it where there is no room any
 * more. False with errno set when it cannot be renamed; then it is still there. */
bool kept_room_fill(struct kept_room *room, const char *fresh, const char *path);

/* Instead, where there is no finished file. */
void kept_room_leave(struct kept_room *room);

#endif
