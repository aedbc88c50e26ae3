#ifndef ARTICLE_MOVED_ARTICLE_H
#define ARTICLE_MOVED_ARTICLE_H
/*
 * An article with its editions, as it leaves an instance and enters another one: a JSON text for
 * the article with its working copy, one for each edition. Only sources are in them, never finished
 * bytes. What comes in is a stranger's: each field is checked as when it is typed, times are at
 * most now, and digests are computed again.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "article/article-name.h"
#include "article/article-row.h"
#include "article/article.h"
#include "base/buf.h"
#include "base/uuid.h"

struct ctx;

/* Write the text of an article, and of an edition; false if it has no edition of this number. */
void moved_write_article(struct ctx *c, const struct article *a, struct buf *out);
bool moved_write_edition(struct ctx *c, const struct article *a, int64_t version, struct buf *out);

/* An article that comes in. What it has lives in the arena of moved_read_article(). */
struct moved_article {
	struct article
	    a; /* as the text says; the edition is that of the last moved_read_edition() */
	struct snapshot working; /* the working copy */
	struct row_texts texts; /* of it, then of the last edition */
	struct snapshot edition; /* the last edition; lives in the arena that read it */
	int64_t version; /* of the last edition that was read; 0: none was */
	int64_t edition_at; /* when it was published */
	bool has_origin;
	struct origin origin;
	unsigned char next[ARTICLE_DIGEST]; /* of what publishing the working copy would make */
};

/* Read the texts; of an article the editions follow in their order, the last one has its version.
 * Refuse what does not fit. They ask nothing of the store. */
MAY_REFUSE struct err *
moved_read_article(struct ctx *c, const char *text, size_t len, struct moved_article *out);
MAY_REFUSE struct err *
moved_read_edition(struct ctx *c, const char *text, size_t len, struct moved_article *m);

/* Gives the working copy, before its editions are read, or the edition that was read last another
 * slug: `s` is one of these two. */
MAY_REFUSE struct err *
moved_set_slug(struct ctx *c, struct moved_article *m, struct snapshot *s, const char *slug);

/* Returns one of these ids that an order of this instance has drawn for its article, whether or not
 * that was purged; NULL: there is none. Sorts the ids. */
const char *moved_find_ordered(struct ctx *c, char (*ids)[UUID_TEXT], size_t count);

/* Insert the article as a draft, the edition that was read last, and, once all of them are there,
 * the article's state. `length`: of its finished bytes. A published one is announced. Refuse a slug
 * that is taken. In the writing transaction. */
MAY_REFUSE struct err *moved_insert_article(
    struct ctx *c, const struct workspace *w, struct moved_article *m, int64_t length);
MAY_REFUSE struct err *
moved_insert_edition(struct ctx *c, const struct workspace *w, struct moved_article *m);
MAY_REFUSE struct err *
moved_insert_state(struct ctx *c, struct workspace *w, struct moved_article *m);

/* Puts a picture into the list of the workspace as it was there: added_at is at most now. */
void moved_insert_picture(struct ctx *c, const struct workspace *w, const char *digest,
    const char *alternative, int64_t added_at);

#endif
