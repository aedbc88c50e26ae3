#ifndef ARTICLE_COVER_H
#define ARTICLE_COVER_H
/* The type and size of an article's cover. */
struct ctx;
struct snapshot;

/*
 * Gives a cover that is a stored picture the type and size of its row, whatever a
 * document said. One without a row keeps what it has: nobody knows better. In a
 * transaction.
 */
void cover_fit(struct ctx *c, struct snapshot *s);

#endif
