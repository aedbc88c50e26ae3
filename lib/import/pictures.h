#ifndef IMPORT_PICTURES_H
#define IMPORT_PICTURES_H
/*
 * Decides what becomes of the pictures of posts from another program: they stay where they
 * are, are read from an unpacked uploads folder, or are fetched. With a folder and `fetch` those
 * are fetched that are not in the folder.
 *
 * Only pictures of the old site are looked for in the folder: by the part of
 * the address behind "/uploads/" or "/content/images/", or by the whole path;
 * a smaller copy that WordPress made ("-300x200") by its original too.
 */
#include <stdint.h>

#include "import/document.h"
#include "import/import-pictures.h"
#include "import/losses.h"
#include "import/post.h"
#include "system/beneath.h"

enum pictures_mode { PICTURES_KEEP, PICTURES_FOLDER, PICTURES_FETCH };

struct pictures {
	struct ctx *c;
	enum pictures_mode mode;
	struct beneath folder; /* of PICTURES_FOLDER: nothing outside of it is
				  read */
	const char *site; /* of the posts, or NULL */
	bool dry; /* nothing is stored or fetched */
	struct fetch *fetch; /* of PICTURES_FETCH, unless dry; or NULL */
	/* Is asked before the web is, or is NULL: false ends the post, which is done later. */
	bool (*may_ask)(void *arg);
	void *arg;
	int64_t *room; /* bytes that may be stored; NULL: all that come */
	size_t stored;
	size_t left; /* places of posts whose picture stays on its website */
	struct tally hosts; /* where pictures still live */
	struct tally failed; /* addresses of pictures that could not be read */
};

/* A document_store (arg: struct post_media, whose arg is the pictures). NULL:
 * the picture stays where it is. */
struct stored_image *pictures_find(void *arg, struct notes *notes, const char *address);

#endif
