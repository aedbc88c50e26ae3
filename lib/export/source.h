#ifndef EXPORT_SOURCE_H
#define EXPORT_SOURCE_H
/*
 * What an export is made of, and the addresses that follow from it. export.h makes the
 * export.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "access/settings.h"
#include "content/snapshot.h"

struct ctx;

#define EXPORT_BYTES_MAX ((size_t)3 * 1024 * 1024) /* of finished bytes */

/* Everything that an export depends on. */
struct export_source {
	const char *id; /* the article's UUID */
	bool published; /* false: a draft */
	int64_t version; /* publication number; 0 when never published */
	int64_t published_at; /* datePublished; 0 for drafts */
	int64_t modified_at; /* dateModified; 0 for drafts */
	const char *published_url; /* clean web address, or NULL */
	const char *revision; /* x1_…, from article/revision.h */
	const struct snapshot *snapshot;
	const struct settings *settings;
};

/* Returns the final address, or NULL when none is configured (docs/export.md §4): the
 * published URL, else website + pattern with the percent-encoded slug. */
const char *export_canonical(struct ctx *c, const struct export_source *source);

/* Returns "https://host/media/<digest>.<ext>" for "media:<digest>.<ext>", NULL for it while
 * public_url is "", and any other address unchanged. */
const char *export_media_address(struct ctx *c, const struct settings *s, const char *url);

#endif
