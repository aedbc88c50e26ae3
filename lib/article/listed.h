#ifndef ARTICLE_LISTED_H
#define ARTICLE_LISTED_H
/*
 * What of a workspace is published, as its pages list it (tables listed and public_slug;
 * docs/pages.md §2). Each list is in the order of the API, by (created_at, uuid), and
 * each function reads only what it returns, however many articles there are. No program of the
 * API reads these tables.
 *
 * Rows say what the shown edition says: listed_note() writes them whenever an article's state
 * changes, in that transaction.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct article;
struct ctx;

enum listed_kind { LISTED_ALL, LISTED_LANGUAGE, LISTED_TAG, LISTED_SECTION };

/* A list: of everything, or of what has this language (a tag, upper and lower case are the
 * same), this tag, or this section (both letter by letter). */
struct listed_of {
	int64_t workspace_id;
	enum listed_kind kind;
	const char *value; /* NULL for LISTED_ALL */
};

struct listed {
	int64_t article_id;
	const char *uuid;
	int64_t created_at; /* place in the list */
	int64_t modified_at; /* of the edition */
};

/* Reads at most `max` articles of the list, the newest first, of those after the place
 * (`before`, `before_uuid`); `before_uuid` NULL: from the first on. Returns how many; *more
 * (may be NULL): whether others follow. */
size_t listed_page(struct ctx *c, const struct listed_of *of, int64_t before,
    const char *before_uuid, struct listed *out, size_t max, bool *more);

/* Reads the sections that have the most articles, at most `max`, those with as many in the order of
 * their letters (arena). It looks at the first 64, and counts 200 articles of each. Returns how
 * many. */
size_t listed_sections(struct ctx *c, int64_t workspace_id, const char **out, size_t max);

/* Read the neighbours of a published article in the list of its edition's language: the next
 * newer, the next older. False where it is the first, the last, or not published. */
bool listed_newer(struct ctx *c, const struct article *a, struct listed *out);
bool listed_older(struct ctx *c, const struct article *a, struct listed *out);

/* Returns the greatest dateModified of the list; 0: it is empty. */
int64_t listed_modified_at(struct ctx *c, const struct listed_of *of);

/* What a slug means to a stranger. */
enum listed_slug {
	SLUG_UNKNOWN, /* no article was ever published with it, or it was purged */
	SLUG_SHOWN, /* an article is shown with it */
	SLUG_MOVED, /* an article was, and is shown with another one now */
	SLUG_GONE /* an article was, and is not published now */
};

/* Finds what the slug means in a workspace. *uuid is the article's (arena); NULL for
 * SLUG_UNKNOWN. Where several articles had the slug, the one that is shown with it counts, then
 * the one that was published last with it. */
enum listed_slug
listed_find_slug(struct ctx *c, int64_t workspace_id, const char *slug, const char **uuid);

/* Returns whether the article was ever published with this slug and this language (a tag,
 * upper and lower case are the same). */
bool listed_had(struct ctx *c, const struct article *a, const char *slug, const char *language);

/* Writes the rows of an article as it is now. Every change of its state, edition or place calls
 * this, in the writing transaction, after its own rows (article.c). */
void listed_note(struct ctx *c, const struct article *a);

/* Destroys all that is known of an article (purge.h). */
void listed_delete(struct ctx *c, int64_t article_id);

/* Writes the rows of an article again, those of all its slugs, too. In a writing transaction. */
void listed_repair(struct ctx *c, const struct article *a);

/* Calls `each` for each article whose rows are not what its state and its editions say, until it
 * returns false. `a` lives only during the call. */
void listed_wrong(struct ctx *c, bool (*each)(void *arg, const struct article *a), void *arg);

/* Returns a language's tag as the tables have it: in lower case (arena). */
const char *listed_language(struct ctx *c, const char *tag);

#endif
