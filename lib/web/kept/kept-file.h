#ifndef WEB_KEPT_FILE_H
#define WEB_KEPT_FILE_H
/* The files of kept answers: they are written whole, and believed only if they are
 * whole. Private to this floor. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/digest.h"
#include "web/kept/kept.h"
#include "web/reply.h"

struct ctx;

/* Everything that a file depends on. It is compared byte by byte, so it has no padding
 * and is zeroed before it is filled. */
struct kept_head {
	char magic[8];
	char boot[40];
	struct kept_moment moment;
	unsigned char name[DIGEST_SIZE];
};

struct kept_content {
	char etag[36];
	char shown[REPLY_SHOWN];
	uint64_t len; /* bytes of the body that follows */
	uint64_t checksum; /* of the body */
	uint64_t known; /* 0: the file holds the tag only (a 304) */
};

/* Fills a head from the noted moment, the counter of the workspace and the digest that
 * names the file. */
void kept_head_make(const struct kept *k, uint64_t workspace, const unsigned char name[DIGEST_SIZE],
    struct kept_head *out);

/* Returns whether both are of the same moment; they may be of different answers. */
bool kept_head_as_fresh(const struct kept_head *a, const struct kept_head *b);

/* Reads a file of at most `max` bytes of content, up to 128, whatever its head says: for
 * a caller that learns from the content what the head should be. */
bool kept_file_peek(const char *path, struct kept_head *head, char *body, size_t max, size_t *len);

/* Opens a file whose head is `wanted` and reads the description of its content.
 * Returns a descriptor for kept_file_body(), which the caller closes, or -1 if the file
 * is missing or has another head. *current then tells whether the place holds another
 * answer that is as fresh as `wanted`. */
int kept_file_open(
    const char *path, const struct kept_head *wanted, struct kept_content *content, bool *current);

/* Returns the body, content->len bytes without a NUL behind them, valid as long as the
 * process lives: it is mapped, since such a process answers once. NULL if it is
 * damaged. */
const char *kept_file_body(int fd, const struct kept_content *content);

/* Writes a file beside its place, and then moves it there: an answer if there is room for
 * it (kept-room.h), a key's record (`workspace_id` is 0) by renaming it over the old one.
 * Returns false with errno set. */
bool
kept_file_write(struct ctx *c, const char *path, int64_t workspace_id, const struct kept_head *head,
    const char *etag, const char *shown, bool known, const char *body, size_t len);

#endif
