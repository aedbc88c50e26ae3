/* What is said of acts on many articles: before, with the question, and afterwards, with the way
 * back (docs/console.md §4.3). */
#include "all.h"
#include "articles.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "screen/tr.h"

#define ASKED_MAX 20 /* articles that a question names */
#define TOLD_MAX 5 /* and an answer */

/* ---- the question */

/* Returns how many the act is done with, and (or NULL) how many of them readers have now. */
static size_t
count(const struct bulk *b, size_t *published)
{
	size_t n = 0, shown = 0;

	for (size_t i = 0; i < b->count; i++) {
		n += b->ones[i].why == NULL;
		shown += b->ones[i].why == NULL && b->ones[i].was == ARTICLE_PUBLISHED;
	}
	if (published != NULL)
		*published = shown;
	return n;
}

const char *
articles_question(struct ctx *c, const struct bulk *b)
{
	size_t n = count(b, NULL);

	if (n == 0)
		return tr("Nothing of this can be done");
	switch (b->act) {
	case BULK_PUBLISH:
		return arena_printf(c->arena,
		    tr_count("Publish %zu article?", "Publish %zu articles?", (int64_t)n), n);
	case BULK_UNPUBLISH:
		return arena_printf(c->arena,
		    tr_count("Unpublish %zu article?", "Unpublish %zu articles?", (int64_t)n), n);
	case BULK_TRASH:
		return arena_printf(c->arena,
		    tr_count("Move %zu article to the trash?", "Move %zu articles to the trash?",
			(int64_t)n),
		    n);
	default:
		return arena_printf(c->arena,
		    tr_count("Delete %zu article for good?", "Delete %zu articles for good?",
			(int64_t)n),
		    n);
	}
}

const char *
articles_yes(struct ctx *c, const struct bulk *b)
{
	size_t n = count(b, NULL);

	switch (b->act) {
	case BULK_PUBLISH:
		return arena_printf(c->arena,
		    tr_count("Publish %zu article", "Publish %zu articles", (int64_t)n), n);
	case BULK_UNPUBLISH:
		return arena_printf(c->arena,
		    tr_count("Unpublish %zu article", "Unpublish %zu articles", (int64_t)n), n);
	case BULK_TRASH:
		return arena_printf(c->arena,
		    tr_count("Move %zu article to the trash", "Move %zu articles to the trash",
			(int64_t)n),
		    n);
	default:
		return arena_printf(c->arena,
		    tr_count(
			"Delete %zu article for good", "Delete %zu articles for good", (int64_t)n),
		    n);
	}
}

/* What readers will see, what is lost, and what not. */
static void
write_says(struct hwrite *w, struct ctx *c, const struct bulk *b)
{
	size_t published;
	bool one = count(b, &published) == 1;

	switch (b->act) {
	case BULK_PUBLISH:
		hwrite_element(w, H_P, tr("Readers can open them at once."));
		break;
	case BULK_UNPUBLISH:
		hwrite_element(w, H_P,
		    tr("Readers cannot open them any more: pages say that they are gone, and websites take them away when they ask next. They become drafts, and nothing of the text is lost. You can undo it afterwards."));
		break;
	case BULK_TRASH:
		if (one && published == 1)
			hwrite_element(
			    w, H_P, tr("It is published: readers cannot open it any more."));
		else if (published > 0)
			hwrite_element(w, H_P,
			    arena_printf(c->arena,
				tr_count(
				    "%zu of them is published: readers cannot open it any more.",
				    "%zu of them are published: readers cannot open these any more.",
				    (int64_t)published),
				published));
		hwrite_element(w, H_P,
		    one ? tr("In the trash it keeps its text and its slug. Its date of publishing and the links to its preview end. You can undo it afterwards.")
			: tr("In the trash they keep their text and their slugs. Dates of publishing and links to previews end. You can undo it afterwards."));
		break;
	default:
		hwrite_element(w, H_P,
		    one ? tr("Its text, its editions and its History are destroyed. This cannot be undone: only a backup still has them.")
			: tr("Their text, their editions and their History are destroyed. This cannot be undone: a backup alone still holds them."));
	}
}

/* ---- articles by name */

static void
write_name(struct hwrite *w, const struct bulk *b, size_t i)
{
	const struct bulk_one *one = &b->ones[i];

	screen_data(w, one->title != NULL ? one->title : b->ids[i]);
}

/* Writes the first `max` of those that the act is done with, and how many others there are. */
static void
write_names(struct hwrite *w, struct ctx *c, const struct bulk *b, size_t max)
{
	size_t n = count(b, NULL), written = 0;

	hwrite_open(w, H_UL);
	for (size_t i = 0; i < b->count && written < max; i++) {
		const struct bulk_one *one = &b->ones[i];
		if (one->why != NULL)
			continue;
		written++;
		hwrite_open(w, H_LI);
		write_name(w, b, i);
		if (one->failing_count > 0) {
			hwrite_open(w, H_UL);
			for (size_t k = 0; k < one->failing_count; k++)
				hwrite_element(w, H_LI, one->failing[k]);
			hwrite_close(w, H_UL);
		}
		hwrite_close(w, H_LI);
	}
	hwrite_close(w, H_UL);
	if (n > written)
		hwrite_element(w, H_P,
		    arena_printf(c->arena,
			tr_count("and %zu other", "and %zu others", (int64_t)(n - written)),
			n - written));
}

/* Writes those that are left, each with its reason. */
static void
write_left(struct hwrite *w, const struct bulk *b)
{
	hwrite_open(w, H_UL);
	for (size_t i = 0; i < b->count; i++) {
		if (b->ones[i].why == NULL)
			continue;
		hwrite_open(w, H_LI);
		write_name(w, b, i);
		hwrite_text(w, " \u2013 ");
		hwrite_text(w, b->ones[i].why);
		hwrite_close(w, H_LI);
	}
	hwrite_close(w, H_UL);
}

void
articles_write_effect(struct hwrite *w, struct ctx *c, const struct bulk *b)
{
	size_t n = count(b, NULL);

	if (n > 0) {
		write_says(w, c, b);
		/* The checks that fail are read one by one. */
		write_names(w, c, b, b->act == BULK_PUBLISH ? BULK_MAX : ASKED_MAX);
	}
	if (n < b->count) {
		hwrite_element(w, H_H2,
		    arena_printf(c->arena,
			tr_count("%zu will be left", "%zu will be left", (int64_t)(b->count - n)),
			b->count - n));
		write_left(w, b);
	}
}

/* ---- the answer */

static const char *
taken_back(struct ctx *c, enum bulk_act of, size_t n)
{
	switch (of) {
	case BULK_PUBLISH:
		return arena_printf(c->arena,
		    tr_count("%zu article is a draft again.", "%zu articles are drafts again.",
			(int64_t)n),
		    n);
	case BULK_UNPUBLISH:
		return arena_printf(c->arena,
		    tr_count("%zu article is published again.", "%zu articles are published again.",
			(int64_t)n),
		    n);
	case BULK_TRASH:
		return arena_printf(c->arena,
		    tr_count("%zu article is out of the trash again.",
			"%zu articles are out of the trash again.", (int64_t)n),
		    n);
	default:
		return arena_printf(c->arena,
		    tr_count("%zu article is in the trash again.",
			"%zu articles are in the trash again.", (int64_t)n),
		    n);
	}
}

static const char *
was_done(struct ctx *c, const struct bulk *b)
{
	size_t n = b->done;

	switch (b->act) {
	case BULK_PUBLISH:
		return arena_printf(c->arena,
		    tr_count(
			"%zu article was published.", "%zu articles were published.", (int64_t)n),
		    n);
	case BULK_UNPUBLISH:
		return arena_printf(c->arena,
		    tr_count("%zu article was unpublished.", "%zu articles were unpublished.",
			(int64_t)n),
		    n);
	case BULK_TRASH:
		return arena_printf(c->arena,
		    tr_count("%zu article was moved to the trash.",
			"%zu articles were moved to the trash.", (int64_t)n),
		    n);
	case BULK_RESTORE:
		return arena_printf(c->arena,
		    tr_count("%zu article was restored from the trash, as a draft.",
			"%zu articles were restored from the trash, as drafts.", (int64_t)n),
		    n);
	case BULK_DESTROY:
		return arena_printf(c->arena,
		    tr_count("%zu article was deleted for good.",
			"%zu articles were deleted for good.", (int64_t)n),
		    n);
	case BULK_BACK:
		break;
	}
	return taken_back(c, b->of, n);
}

/* The way back: a form that names the number of the first one. */
static void
write_undo(struct hwrite *w, const struct articles *l)
{
	static const struct field fields[] = {
		ARTICLES_ASKED,
		{ .name = "done", .kind = FIELD_HIDDEN },
		{ .name = "undo", .label = tr_mark("Undo"), .kind = FIELD_SUBMIT },
		{ .name = NULL },
	};
	const struct bulk *b = l->told;
	size_t n = 0;
	struct form f;

	for (size_t i = 0; i < b->count; i++)
		n += bulk_goes_back(b, i);
	if (b->act == BULK_PUBLISH && n < b->done)
		hwrite_element(w, H_P,
		    arena_printf(l->c->arena,
			tr_count("%zu was published before: its History has what readers saw.",
			    "%zu were published before: their History has what readers saw.",
			    (int64_t)(b->done - n)),
			b->done - n));
	if (n == 0 || !console_may(l->v, RIGHT_PUBLISH))
		return;
	form_init(&f, "undo", fields);
	articles_fill(&f, l);
	form_fill(&f, "done", l->done);
	console_form(
	    l->c, l->v, w, &f, arena_printf(l->c->arena, "/%s/articles", l->v->workspace->uuid));
}

void
articles_write_told(struct hwrite *w, const struct articles *l)
{
	const struct bulk *b = l->told;
	size_t left = b->count - b->done;

	screen_notice_begin(w, left == 0 ? SCREEN_GOOD : b->done > 0 ? SCREEN_WARNING : SCREEN_BAD);
	hwrite_element(w, H_P, was_done(l->c, b));
	if (b->done > 0 && b->act != BULK_DESTROY)
		write_names(w, l->c, b, TOLD_MAX);
	if (left > 0) {
		hwrite_element(w, H_P,
		    arena_printf(l->c->arena,
			tr_count("%zu was not:", "%zu were not:", (int64_t)left), left));
		write_left(w, b);
	}
	if (b->act == BULK_TRASH && b->done > 0) {
		hwrite_open(w, H_P);
		hwrite_open(w, H_A);
		hwrite_address(w, A_HREF,
		    console_path(l->c, l->v, "/%s/articles?status=trash", l->v->workspace->uuid));
		hwrite_text(w, tr("Open the trash"));
		hwrite_close(w, H_A);
		hwrite_close(w, H_P);
	}
	write_undo(w, l);
	screen_notice_end(w);
}
