#include "import/intake.h"

#include <string.h>

#include "article/article-name.h"
#include "article/article.h"
#include "article/media.h"
#include "article/revision.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "content/slug.h"
#include "content/subtag.h"
#include "export/todo.h"

/* Finds the article that the document is about; NULL: it is a new one. */
static struct err *
find_article(struct intake *in, const struct workspace *w, struct article **out)
{
	const char *id = in->options->id, *said = in->document.id;
	struct ctx *c = in->c;

	*out = NULL;
	if (id != NULL && said != NULL && strcmp(id, said) != 0)
		return err_param(
		    c, "id", "The id in the text is that of another article: %s.", said);
	if (id == NULL)
		id = said;
	if (id != NULL)
		*out = article_find(c, w->id, id);
	in->by_id = *out != NULL;
	if (in->by_id)
		return NULL;
	if (in->options->id != NULL)
		return refuse(c, ERR_NOT_FOUND, "The workspace has no article %s any more.", id);
	if (said != NULL)
		notes_add(
		    &in->notes, "id %s is no article of this workspace; it is ignored.", said);
	if (in->source != NULL)
		*out = article_find_by_source(c, w->id, in->source);
	return NULL;
}

/* Returns whether the article differs from the one that the text was made from. */
static bool
is_stale(const struct intake *in, const struct article *a)
{
	const char *base = in->options->base;
	char now[TOKEN_TEXT];

	if (base == NULL)
		base = in->document.base;
	if (base == NULL || !in->by_id || in->options->force)
		return false;
	token_base(a, now);
	return strcmp(base, now) != 0;
}

/* Keeps what plain front matter has no word for as it was set. A document with an
 * id was written by Galley and says everything. */
static void
keep_unsaid(struct intake *in, const struct article *a)
{
	struct snapshot *s = &in->document.snapshot;
	const struct snapshot *old = article_working_copy(in->c, a);

	if (!in->document.has_slug)
		s->slug = a->slug;
	if (in->by_id)
		return;
	if (s->author_url == NULL)
		s->author_url = old->author_url;
	if (s->meta_title == NULL)
		s->meta_title = old->meta_title;
	if (s->image != NULL && old->image != NULL && s->image_width == 0 &&
	    strcmp(s->image, old->image) == 0) {
		s->image_type = old->image_type;
		s->image_width = old->image_width;
		s->image_height = old->image_height;
		s->image_generated = old->image_generated;
	}
}

static bool
same(const char *a, const char *b)
{
	if (a == NULL || b == NULL)
		return a == b;
	return strcmp(a, b) == 0;
}

/* Returns whether the document has to-dos and may not be published with them. */
static bool
is_unfinished(const struct intake *in)
{
	return !in->options->unfinished && todo_count(&in->document.snapshot.content) > 0;
}

/* Returns whether the document is to be published now: the caller wants it, and
 * it is no draft, not dated ahead and not unfinished. */
static bool
is_for_readers(const struct intake *in)
{
	const struct document *d = &in->document;

	return in->options->publish && !d->draft && d->date <= in->c->now && !is_unfinished(in);
}

/* Sets the two fields that take effect at once. Documents tell times to the
 * second. */
static void
set_at_once(struct intake *in, struct workspace *w, struct article *a)
{
	const struct document *d = &in->document;
	bool unsaid = d->published_url == NULL && d->base == NULL;

	if (!unsaid && !same(d->published_url, a->published_url)) {
		article_set_published_url(in->c, w, a, d->published_url);
		in->touched = true;
	}
	if (d->date != 0 && d->date / CLOCK_SECOND != a->created_at / CLOCK_SECOND) {
		article_set_created_at(in->c, w, a, d->date);
		in->touched = true;
	}
}

/* Tells that the slug has changed. */
static void
note_move(struct intake *in, const struct workspace *w, const struct article *a)
{
	const char *from, *to;

	if (moved_find(in->c, w, a, &from, &to))
		notes_add(&in->notes, "Published again, it moves from %s to %s.", from, to);
}

/* Checks a language that the document names, if it is not that of its article or
 * of the workspace. */
static struct err *
check_language(struct intake *in, const struct workspace *w, const struct article *a)
{
	const struct document *d = &in->document;
	const char *language = d->snapshot.language, *doubt;
	struct err *err;

	if (d->language_line == 0 || same(language, w->settings.language) ||
	    (a != NULL && same(language, a->language)))
		return NULL;
	err = subtag_read(in->c, "lang", language, NULL, &language);
	if (err != NULL)
		return err_param(in->c, "lang", "line %u: %s", d->language_line, err->message);
	doubt = subtag_doubt(in->c->arena, language);
	if (doubt != NULL)
		notes_add(&in->notes, "%s", doubt);
	return NULL;
}

/* Changes an existing article. An article in the trash comes back. */
static struct err *
update(struct intake *in, struct workspace *w, struct article *a)
{
	const char *slug = a->slug;
	struct err *err = NULL;
	bool changed;

	in->stale = is_stale(in, a);
	if (a->status == ARTICLE_DELETED) {
		err = article_undelete(in->c, w, a);
		notes_add(&in->notes, "It was in the trash and is back.");
		in->touched = true;
	}
	keep_unsaid(in, a);
	if (err == NULL)
		err = moved_check(in->c, a, in->document.snapshot.slug, in->options->move);
	if (err == NULL)
		err =
		    article_save(in->c, w, a, &in->document.snapshot, is_for_readers(in), &changed);
	if (err != NULL)
		return err;
	in->touched = in->touched || changed;
	if (strcmp(slug, a->slug) != 0)
		note_move(in, w, a);
	set_at_once(in, w, a);
	if (in->stale && in->touched)
		return err_hint(in->c,
		    refuse(in->c, ERR_CONFLICT,
			"The article %s (%s) was changed after this text was made from it. Nothing was imported.",
			a->uuid, a->title),
		    HINT_STALE, a->uuid);
	return NULL;
}

/* Makes a new article. If the document names no slug, the slug is made of its
 * path or its title. */
static struct err *
create(struct intake *in, struct workspace *w, struct article **out)
{
	struct document *d = &in->document;
	struct article_new how = { .created_at = d->date,
		.source = in->source,
		.published_url = d->published_url,
		.slug_is_derived = !d->has_slug,
		.published_next = is_for_readers(in) };
	const char *wanted;
	struct err *err;

	if (!d->has_slug)
		d->snapshot.slug = in->path != NULL
				       ? slug_of_document(in->c->arena, in->path, d->snapshot.title)
				       : slug_make(in->c->arena, d->snapshot.title);
	wanted = d->snapshot.slug;
	err = article_insert(in->c, w, &d->snapshot, &how, out);
	if (err == NULL && strcmp(wanted, (*out)->slug) != 0)
		notes_add(&in->notes, "The slug %s is taken; this is %s.", wanted, (*out)->slug);
	return err;
}

/* Tells why the article is not published. */
static void
note_draft(struct intake *in, const struct article *a)
{
	const struct document *d = &in->document;
	int64_t left = todo_count(&d->snapshot.content);
	const char *what =
	    a->status == ARTICLE_PUBLISHED ? "saved, not published again" : "imported as a draft";

	if (d->draft || d->date > in->c->now)
		notes_add(&in->notes, "It %s: %s.",
		    d->draft ? "is marked as a draft" : "has a date that is yet to come", what);
	else
		notes_add_hint(&in->notes, HINT_IMPORT_UNFINISHED,
		    "It is not finished (%lld place%s left to write): %s.", (long long)left,
		    left == 1 ? " is" : "s are", what);
}

/* Publishes the article, if it is to be published and there is something new. */
static struct err *
publish(struct intake *in, struct workspace *w, struct article *a)
{
	const struct document *d = &in->document;

	if (!in->options->publish)
		return NULL;
	if (!is_for_readers(in)) {
		note_draft(in, a);
		return NULL;
	}
	if (a->status == ARTICLE_PUBLISHED && !article_has_changes(a))
		return NULL;
	in->touched = true;
	return article_publish(in->c, w, a, d->date, d->lastmod);
}

struct err *
intake_write(struct intake *in, struct workspace *w, struct import_result *out)
{
	struct article *a;
	bool fresh;
	struct err *err;

	err = find_article(in, w, &a);
	if (err == NULL)
		err = check_language(in, w, a);
	if (err != NULL)
		return err;
	for (size_t i = 0; i < in->image_count; i++)
		media_insert(in->c, &in->images[i]);
	fresh = a == NULL;
	err = fresh ? create(in, w, &a) : update(in, w, a);
	if (err == NULL)
		err = publish(in, w, a);
	if (err != NULL)
		return err;
	import_result_set(out, a, fresh, in->touched);
	return NULL;
}
