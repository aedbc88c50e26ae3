/* suite: fast */
#include "action/article/article-bulk.h"

#include <stdio.h>
#include <string.h>

#include "article/purge.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "tests/tap.h"

#define MANY 40 /* pictures */

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

static void
pictures_of_many_are_remembered(void)
{
	struct arena arena;
	struct ctx c = { .arena = &arena };
	struct purge_media *m = &b.media;
	char digest[MEDIA_DIGEST], *beside = NULL;
	size_t found = 0;

	arena_init(&arena, (size_t)64 * 1024);
	purge_media_init(m, &c);
	for (int i = 2 * MANY; i-- > 0;) {
		(void)snprintf(digest, sizeof(digest), "%064d", i % MANY);
		purge_media_add(m, digest);
		if (beside == NULL)
			beside = arena_text(&arena, "beside");
	}
	for (int i = 0; i < MANY; i++) {
		(void)snprintf(digest, sizeof(digest), "%064d", i);
		found += m->count == MANY && strcmp(m->digests[i], digest) == 0;
	}
	ok(found == MANY, "each picture of many articles is remembered once, in order");
	is_text(beside, "beside", "in a room of their own");
	arena_release(&arena);
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
	pictures_of_many_are_remembered();
	return done_testing();
}
