#ifndef ARTICLE_PURGE_H
#define ARTICLE_PURGE_H
/*
 * Destroying articles for good. In the trash an article is whole; purged, its
 * rows in all tables are gone: working copy, editions, names, exports, origin.
 * Its slugs are free then, and an import of the file or post that made it makes
 * it anew. What stays: the id of the article in the job that ordered it, and
 * copies that customers' sites took. /sync never told of the trash and does not
 * tell of this.
 *
 * Pictures are shared by their content. Their rows go in the same transaction,
 * when nothing names them any more, their files after it:
 *
 *	purge_media_init(&media, c);
 *	err = purge_article(c, w, a, &media);	each
 *	purge_rows(c, &media);
 *	db_commit(c);
 *	gone = purge_files(c, &media);
 *
 * Killed before the end that leaves files without a row, which nothing names.
 */
#include <stddef.h>

#include "article/article.h"
#include "article/media.h"

/* Pictures that purged articles named: digests, each once. */
struct purge_media {
	struct arena *arena;
	char (*digests)[MEDIA_DIGEST]; /* sorted */
	const char **files;  /* of those that purge_rows() destroyed, or NULL */
	size_t count;
	size_t room;
};

void purge_media_init(struct purge_media *m, struct ctx *c);

/* Destroys the rows of an article that lies in the trash, and adds its pictures
 * to `media`. Refuses one that does not. In the writing transaction. */
MAY_REFUSE struct err *purge_article(struct ctx *c, const struct workspace *w,
    const struct article *a, struct purge_media *media);

/* Adds all pictures: those, too, that a deletion which was killed left. Inside a
 * transaction. */
void purge_media_add_all(struct purge_media *m, struct ctx *c);

/* Destroys the rows of those pictures that no article, edition or workspace
 * names; reads all articles once. In the writing transaction, after its last
 * article. */
void purge_rows(struct ctx *c, struct purge_media *media);

/* Then destroys their files, as long as no import has brought the rows back.
 * Waits for a backup that is at work. Returns how many are gone; no transaction
 * may be open. */
size_t purge_files(struct ctx *c, struct purge_media *media);

#endif
