#ifndef IMPORT_GHOST_H
#define IMPORT_GHOST_H
/*
 * Reads export files of Ghost: one JSON object, db[0].data with the tables posts, tags,
 * posts_tags, users, posts_authors, posts_meta and settings (older ones have
 * data at the top, and an author_id with each post).
 *
 * The file is one tree in memory, so its length has a limit, and all of it is
 * checked before anything is written.
 */
#include <jansson.h>

#include "import/post.h"

#define GHOST_MEMORY ((size_t)2 << 30)

struct ghost {
	struct ctx *c;
	const char *path;
	const char *site; /* where it was, without slash, or NULL */
	json_t *posts, *tags, *posts_tags, *users, *posts_authors, *posts_meta,
	    *settings; /* arrays, or NULL */
	struct err *err; /* the first thing that is wrong, or NULL */
};

/* Reads the file into the arena (of GHOST_MEMORY) and checks it. Refuses what is
 * no Ghost export; the sentence names the line or the member. */
MAY_REFUSE struct err *
ghost_open(struct ctx *c, const char *path, const char *site, struct ghost *out);

size_t ghost_count(const struct ghost *g);

/* Fills the n-th post, in the arena, and returns NULL; else returns why it is skipped ("of
 * type page"), and fills title and page only. With `pages` a page is a post. */
const char *
ghost_post(struct ghost *g, size_t n, bool pages, struct notes *notes, struct post *out);

#endif
