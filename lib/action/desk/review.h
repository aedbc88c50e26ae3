#ifndef ACTION_REVIEW_H
#define ACTION_REVIEW_H
/*
 * The review of an article (docs/console.md §5.1): a writer hands it in and may take it back,
 * a person who publishes hands it back or publishes it, which ends the review
 * (article/desk.h). Every member may say something. Who may do which of them is for the
 * caller to ask; these functions hold the rest of the rules.
 *
 * The acts are a part of a save: write_article() calls them in its transaction. `comment` is
 * what the person says with the act; NULL and "" are none.
 */
#include <stdbool.h>
#include <stddef.h>

#include "access/workspace.h"
#include "article/article.h"
#include "article/desk.h"
#include "base/err.h"

/* Returns whether this person handed the article in, and so may take it back. */
bool review_is_own(const struct handed *h, const char *person);

/* Hands the article in. Refuses (ERR_CONFLICT) one that is handed in, and one that was not
 * changed since it was published. */
MAY_REFUSE struct err *
review_hand_in(struct ctx *c, const struct article *a, const char *person, const char *comment);

/* Hands it back. Refuses (ERR_CONFLICT) an article that is not handed in. */
MAY_REFUSE struct err *
review_hand_back(struct ctx *c, const struct article *a, const char *person, const char *comment);

/* Takes it back. Refuses (ERR_CONFLICT) an article that this person did not hand in. */
MAY_REFUSE struct err *
review_take_back(struct ctx *c, const struct article *a, const char *person, const char *comment);

/* Says something, with no act. Refuses a comment that is too long. */
MAY_REFUSE struct err *
review_say(struct ctx *c, const struct article *a, const char *person, const char *comment);

#define REVIEW_SHOWN 100

/* What people said about an article, the newest first. */
struct review {
	struct handed handed;
	struct comment comments[REVIEW_SHOWN];
	size_t count;
};

/* Reads it. Refuses an article of another workspace. */
MAY_REFUSE struct err *
review_look(struct ctx *c, const struct workspace *w, const char *id, struct review *out);

#endif
