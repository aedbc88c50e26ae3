#ifndef ARTICLE_SAVE_H
#define ARTICLE_SAVE_H
/*
 * Working copies that somebody saved in the console (table save): the bases of forms, and
 * what History shows (docs/console.md §5.3). A save has the token of its working copy
 * (token_base()). The newest SAVE_KEPT of an article stay, and the one that is to be published at
 * a date (schedule.h).
 */
#include <stdbool.h>
#include <stdint.h>

#include "article/article.h"

#define SAVE_KEPT 50

struct save {
	int64_t id;
	int64_t saved_at;
	const char *person; /* UUID; NULL: made in another way than the console's */
	const char *title;
	const char *text;   /* the Markdown as it was typed, or NULL */
	unsigned char digest[ARTICLE_DIGEST];
};

/* Stores the working copy `s` of an article, and drops what is more than SAVE_KEPT. With
 * `person` NULL it is one that was found: its time is that of the article. Call it in a
 * writing transaction. */
void save_insert(struct ctx *c, const struct article *a, const struct snapshot *s,
    const char *person, const char *text);

/* The same of what a person wrote and another text won. Refuses content that is too long. */
MAY_REFUSE struct err *save_keep(struct ctx *c, const struct article *a,
    const struct snapshot *s, const char *person, const char *text);

/* Return the newest save with this token (token.h), and the save with this internal id;
 * false if the article has none. */
bool save_find(struct ctx *c, const struct article *a, const char *token,
    struct save *out);
bool save_of(struct ctx *c, const struct article *a, int64_t id, struct save *out);

/* Returns the newest save that a person made; false if the article has none. */
bool save_last(struct ctx *c, const struct article *a, struct save *out);

/* Reads the working copy of a save (arena). */
struct snapshot *save_snapshot(struct ctx *c, const struct article *a, int64_t id);

/* Calls `each` for the saves of an article, newest first. */
void save_list(struct ctx *c, const struct article *a,
    void (*each)(void *arg, const struct save *s), void *arg);

/* Removes all saves of an article. In the writing transaction. */
void save_delete(struct ctx *c, const struct article *a);

#endif
