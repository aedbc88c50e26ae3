#ifndef IMPORT_DOCUMENT_H
#define IMPORT_DOCUMENT_H
/*
 * One document that is imported: what it became, and how it is read. Each format fills
 * the same struct (markdown.h, post.h).
 */
#include <stdbool.h>
#include <stdint.h>

#include "access/settings.h"
#include "content/snapshot.h"
#include "import/losses.h"

struct places; /* import/markdown/sections.h */

struct stored_image {
	const char *url; /* "media:<digest>.<ext>" */
	const char *type; /* "image/png" */
	int64_t width, height;
};

/*
 * Stores the picture that a document names, and gives its name, type and size; NULL
 * when it is not there. `address` is a relative one, decoded, without query: from
 * the document's folder, or with a slash from a site's root; or the name of a stored
 * picture, "media:<digest>.<ext>". Refusals (a truncated or lying file) become a
 * note. Given by the caller, so that parsing needs no database.
 */
typedef struct stored_image *document_store(void *arg, struct notes *notes, const char *address);

struct document_options {
	const char *path; /* of the file, for the default slug; NULL for an
			     editor's text */
	const struct settings *settings; /* language, website */
	document_store *store; /* or NULL: no images are stored */
	document_store *remote; /* the same for every other address of a
				   picture, as it is written, or NULL; gives NULL
				   for one that stays where it is */
	void *store_arg; /* of both */
	struct places *places; /* filled by markdown_read(), or NULL */
	struct losses *losses; /* filled by it, too, or NULL: then `notes` alone says what
				  was lost. The caller then has no store of pictures. */
	bool posts; /* a blog's HTML: what is embedded becomes a link */
};

struct document {
	struct snapshot snapshot; /* slug "" when front matter names none */
	bool has_slug;
	const char *id; /* front matter's, a UUID, or NULL */
	const char *base; /* token of the working copy, or NULL */
	int64_t date; /* front matter's, microseconds; 0 without */
	int64_t lastmod; /* the same */
	bool draft; /* front matter's draft: true */
	const char *published_url; /* canonical/published_url, or NULL */
	unsigned language_line; /* where front matter names the language, which is
				   well-formed; 0 where it names none */
};

#endif
