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
 * Pictures are shared by their content. They are destroyed afterwards, when
 * nothing names them any more:
 *
 *	struct purge_media media;
 *	purge_media_init(&media, c);
 *	err = purge_article(c, w, a, &media);	each in its own transaction
 *	gone = purge_media(c, &media);
 */
#include <stddef.h>

#include "article/article.h"

/* Pictures that purged articles named: digests, each once. */
struct purge_media {
	struct arena *arena;
	char (*digests)[65]; /* sorted */
	size_t count;
	size_t room;
};

void purge_media_init(struct purge_media *m, struct ctx *c);

/* Destroys the rows of an article that lies in the trash, and adds its pictures
 * to `media`. Refuses one that does not. In the writing transaction. */
MAY_REFUSE struct err *purge_article(struct ctx *c, const struct workspace *w,
    const struct article *a, struct purge_media *media);

/*
 * Destroys those of the pictures that no article, edition or workspace names:
 * the rows in one transaction, which reads all articles once, then the files in
 * another, as long as their rows have not come back. Killed between the two it
 * leaves files that nothing names. Returns how many pictures are gone; no
 * transaction may be open.
 */
size_t purge_media(struct ctx *c, struct purge_media *media);

#endif
