#ifndef EXPORT_FACTS_H
#define EXPORT_FACTS_H
/*
 * What an export is made of, the addresses that follow from it, and what several views of it
 * need. export.h makes the export.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "access/settings.h"
#include "base/clock.h"
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

/* Returns whether `len` bytes are spaces and invisible characters only. */
bool invisible_text(const char *text, size_t len);

struct facts_image {
	const char *url; /* address; NULL: no cover, or none to link to */
	const char *type; /* "image/png" …, or NULL */
	const char *alt; /* "" for none */
	const char *caption; /* with inline marks, or NULL */
	int64_t width; /* pixels; 0 with height when not known */
	int64_t height;
	bool generated;
};

/*
 * Computes once what several views of an export need, so that they cannot disagree:
 * addresses, names, the search title and description, dates, the cover. Strings live in the
 * request's arena or in the source.
 */
struct facts {
	struct ctx *c;
	const struct export_source *source;
	const struct snapshot *snapshot;
	const struct settings *settings;
	const struct content *content; /* a published one has no todo callout */

	char prefix[12]; /* of every id in html: "ab-3f2a9c10" */
	const char *language; /* BCP 47 tag of the article */
	bool rtl;
	const char *locale; /* Open Graph's, or NULL */

	const char *heading; /* the h1: the title, without marks */
	const char *title; /* for search: meta title or title */
	const char *description; /* plain text; "" when there is none */
	const char *robots;

	const char *canonical; /* or NULL */
	const char *base; /* canonical, or urn:uuid of the article: names nodes */
	const char *site; /* website with trailing slash, or NULL */
	const char *site_base; /* site, or urn:uuid of the workspace */

	const char *brand;
	const char *author; /* a person's name, or the brand */
	bool author_is_brand;
	const char *author_url; /* profile, or NULL */

	struct facts_image image;

	/* "" in drafts */
	char published_date[CLOCK_TEXT]; /* YYYY-MM-DD */
	char published_time[CLOCK_TEXT]; /* to the second, Z */
	char modified_time[CLOCK_TEXT];
};

/* Computes everything above; `source` must outlive `f`. */
void facts_init(struct facts *f, struct ctx *c, const struct export_source *source);

/* Returns plain text on one line, in the arena: runs of spaces are one space, none at the
 * ends; at most `max` code points, cut between words where there are any. */
const char *facts_cut(struct ctx *c, const char *text, size_t max);

#endif
