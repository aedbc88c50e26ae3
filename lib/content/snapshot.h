#ifndef CONTENT_SNAPSHOT_H
#define CONTENT_SNAPSHOT_H
/*
 * What an editor edits and an edition freezes: the fields that the working
 * copy (table article) and its editions (table edition) have in common.
 *
 * Strings marked "or NULL" are NULL when unset, never "".
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "content/content.h"

enum { /* code points, docs/export.md §5 */
	SNAPSHOT_TITLE_MAX = 300,
	SNAPSHOT_SLUG_MAX = 200,
	SNAPSHOT_META_TITLE_MAX = 300,
	SNAPSHOT_META_DESCRIPTION_MAX = 1000,
	SNAPSHOT_NAME_MAX = 200, /* author's name, section, a tag */
	SNAPSHOT_TAGS_MAX = 50
};
#define SNAPSHOT_SIDE_MAX 100000 /* pixels of a cover */

struct snapshot {
	const char *title;
	const char *slug;
	const char *language; /* a clean tag (lang.h) */
	const char *author_name; /* or NULL: the workspace's */
	const char *author_url; /* or NULL: the workspace's, unless the
					 article names its own author */
	bool noindex;
	const char *meta_title; /* or NULL */
	const char *meta_description; /* or NULL */
	const char *section; /* or NULL */
	const char **tags;
	size_t tag_count;
	const char *image; /* cover: web address or media:<digest>.<ext>, or
				   NULL */
	const char *image_type; /* "image/png" …, or NULL when not known */
	int64_t image_width; /* pixels, up to SNAPSHOT_SIDE_MAX; 0 with height
				   when not known */
	int64_t image_height;
	bool image_generated; /* drawn by a model: digitalSourceType */
	int64_t unfinished; /* of an edition: callouts of kind todo that were
				   left out when it was published; 0 in a working
				   copy, which has them */
	struct content content;
};

/* Refuses fields that do not fit their limits; the param names the field. The
 * content was checked when it was read (content.h). */
MAY_REFUSE struct err *snapshot_check(struct ctx *c, const struct snapshot *s);

/* Whether a picture may have such a type (or NULL) and size (or 0 and 0). */
bool snapshot_image_fits(const char *type, int64_t width, int64_t height);

#endif
