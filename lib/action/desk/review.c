#include "action/desk/review.h"

#include <string.h>

#include "action/action.h"
#include "article/text-room.h"
#include "base/ctx.h"
#include "screen/tr.h"

bool
review_is_own(const struct handed *h, const char *person)
{
	return h->at != 0 && strcmp(h->by, person) == 0;
}

/* Stores what was said, and the act that it was said with. */
static struct err *
note(struct ctx *c, const struct article *a, enum comment_kind kind, const char *person,
    const char *comment)
{
	if (comment == NULL)
		comment = "";
	if (strlen(comment) > COMMENT_MAX)
		return err_param(
		    c, "comment", tr("A comment has at most %d bytes."), (int)COMMENT_MAX);
	if (comment[0] != '\0') {
		struct err *err = text_room_check(c);
		if (err != NULL)
			return err;
	}
	if (kind != COMMENT_SAID || comment[strspn(comment, " \n\t")] != '\0')
		comment_insert(c, a, kind, person, comment);
	return NULL;
}

struct err *
review_hand_in(struct ctx *c, const struct article *a, const char *person, const char *comment)
{
	struct handed h;

	if (handed_find(c, a, &h))
		return refuse(c, ERR_CONFLICT, "%s",
		    tr("This article is handed in already, so nothing was done."));
	if (a->status == ARTICLE_PUBLISHED && !article_has_changes(a))
		return refuse(c, ERR_CONFLICT, "%s",
		    tr("There is nothing to hand in: nothing was changed since this article was published."));
	handed_set(c, a, person);
	return note(c, a, COMMENT_HANDED_IN, person, comment);
}

struct err *
review_hand_back(struct ctx *c, const struct article *a, const char *person, const char *comment)
{
	struct handed h;

	if (!handed_find(c, a, &h))
		return refuse(c, ERR_CONFLICT, "%s",
		    tr("This article is not handed in any more, so nothing was done."));
	handed_end(c, a);
	return note(c, a, COMMENT_HANDED_BACK, person, comment);
}

struct err *
review_take_back(struct ctx *c, const struct article *a, const char *person, const char *comment)
{
	struct handed h;

	if (!handed_find(c, a, &h))
		return refuse(c, ERR_CONFLICT, "%s",
		    tr("This article is not handed in any more, so nothing was done."));
	if (!review_is_own(&h, person))
		return refuse(c, ERR_CONFLICT, "%s",
		    tr("Somebody else handed this article in, so nothing was done."));
	handed_end(c, a);
	return note(c, a, COMMENT_TAKEN_BACK, person, comment);
}

struct err *
review_say(struct ctx *c, const struct article *a, const char *person, const char *comment)
{
	return note(c, a, COMMENT_SAID, person, comment);
}

static void
keep(void *arg, const struct comment *comment)
{
	struct review *r = arg;

	if (r->count < REVIEW_SHOWN)
		r->comments[r->count++] = *comment;
}

struct err *
review_look(struct ctx *c, const struct workspace *w, const char *id, struct review *out)
{
	struct article *a;
	struct err *err;

	*out = (struct review) { .count = 0 };
	db_begin_read(c, DB_CONTENT);
	err = find_article_id(c, id, &a);
	if (err == NULL && a->workspace_id != w->id)
		err = refuse(c, ERR_NOT_FOUND, tr_mark("There is no such article."));
	if (err == NULL) {
		(void)handed_find(c, a, &out->handed);
		comment_list(c, a, REVIEW_SHOWN, keep, out);
	}
	return action_end(c, err);
}
