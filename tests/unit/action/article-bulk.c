/* suite: fast */
#include "action/article/article-bulk.h"

#include "tests/tap.h"

static struct bulk b;

/* Returns whether a person must say yes to this act on a draft; a published article that is none
 * of them is beside it. */
static bool
asks_of_draft(enum bulk_act act)
{
	b = (struct bulk) { .act = act, .count = 1 };
	b.ones[0].was = ARTICLE_DRAFT;
	b.ones[1].was = ARTICLE_PUBLISHED;
	return bulk_asks(&b);
}

/* The same of a published article, and whether it would not be done. */
static bool
asks_of_published(enum bulk_act act, const char *why)
{
	b = (struct bulk) { .act = act, .count = 2 };
	b.ones[1].was = ARTICLE_PUBLISHED;
	b.ones[1].why = why;
	return bulk_asks(&b);
}

int
main(void)
{
	ok(asks_of_published(BULK_TRASH, NULL), "what is taken from readers is asked");
	ok(!asks_of_published(BULK_TRASH, "It is in the trash already."), "unless nothing is done");
	ok(!asks_of_draft(BULK_TRASH), "a draft goes to the trash without a question");
	ok(asks_of_draft(BULK_PUBLISH), "what is shown to readers is asked");
	ok(asks_of_draft(BULK_UNPUBLISH), "what is hidden from them, too");
	ok(asks_of_draft(BULK_DESTROY), "and what cannot be undone");
	ok(!asks_of_draft(BULK_RESTORE), "what is brought back is not");
	ok(!asks_of_draft(BULK_BACK), "nor what is taken back");
	return done_testing();
}
