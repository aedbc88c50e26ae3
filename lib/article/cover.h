#ifndef ARTICLE_COVER_H
#define ARTICLE_COVER_H
/* The type and size of an article's cover. */
struct content;
struct ctx;
struct snapshot;

/*
 * Gives a cover that is a stored picture the type and size of its row, whatever a
 * document said. One without a row keeps what it has: nobody knows better. In a
 * transaction.
 */
void cover_fit(struct ctx *c, struct snapshot *s);

/* Gives the pictures within a text that are stored, and have no size, that of their rows. In a
 * transaction. */
void cover_fit_text(struct ctx *c, struct content *content);

#endif
