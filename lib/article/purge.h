#ifndef ARTICLE_PURGE_H
#define ARTICLE_PURGE_H
/*
 * Destroys articles for good. In the trash an article is whole. After a purge its rows
 * in all tables are gone: working copy, editions, names, exports, origin. Its slugs are
 * free then, and an import of the file or post that made it makes it again. The id of the
 * article stays in the job that ordered it; copies stay on customers' sites that took
 * them. /sync never announces the trash, and does not announce a purge.
 *
 * Articles with the same picture share it. A picture's row is removed in the same
 * transaction if nothing names it any more, its file after the transaction:
 *
 *	purge_media_init(&media, c);
 *	err = purge_article(c, w, a, &media);	each
 *	purge_rows(c, &media);
 *	db_commit(c);
 *	gone = purge_files(c, &media);
 *
 * A process that is killed before the end leaves files without a row, which nothing names.
 */
#include <stddef.h>

#include "article/article.h"
#include "article/media.h"

/* The last row of a table that purge_look() saw; id 0: there was none. */
struct purge_last {
	int64_t id, article_id;
};

/* Pictures that purged articles named: digests, each once. */
struct purge_media {
	struct arena *arena;
	char (*digests)[MEDIA_DIGEST]; /* sorted */
	const char **files; /* of those that purge_rows() destroyed, or NULL */
	size_t count;
	size_t room;
	bool looked; /* purge_look() has dropped what was named then */
	struct purge_last edition, save;
};

void purge_media_init(struct purge_media *m, struct ctx *c);

/* Destroys the rows of an article that is in the trash, and adds its pictures to `media`.
 * Refuses any other article. In the writing transaction. */
MAY_REFUSE struct err *purge_article(
    struct ctx *c, const struct workspace *w, const struct article *a, struct purge_media *media);

/* Adds a picture by its digest. */
void purge_media_add(struct purge_media *m, const char *digest);

/* Adds all pictures, also those that a killed deletion left. Inside a transaction. */
void purge_media_add_all(struct purge_media *m, struct ctx *c);

/* Drops the pictures that articles, editions and saves name; reads all articles once. In a reading
 * transaction before the writing one, so that nobody waits for it: purge_rows() then reads only
 * what was written since. */
void purge_look(struct ctx *c, struct purge_media *m);

/* Destroys the rows of those pictures that no article, edition, save or workspace
 * names, and that nobody uploaded; reads all articles once, unless purge_look()
 * did. In the writing transaction, after its last article. */
void purge_rows(struct ctx *c, struct purge_media *media);

/* Destroys their files, unless an import has added the rows again. Waits for a backup that
 * is running. Returns how many are gone. No transaction may be open. */
size_t purge_files(struct ctx *c, struct purge_media *media);

#endif
