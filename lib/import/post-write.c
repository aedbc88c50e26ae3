#include <string.h>

#include "article/article-name.h"
#include "article/article.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "content/url.h"
#include "export/todo.h"
#include "import/losses.h"
#include "import/post.h"
#include "store/db.h"
#include "system/fault.h"

struct writing {
	struct ctx *c;
	const struct post *post;
	const struct post_options *options;
	struct document document;
	struct notes notes;
	struct origin origin; /* the post as the export has it */
	bool touched;
};

/* Returns whether the post has to-dos and may not be published with them. */
static bool
is_unfinished(const struct writing *in)
{
	return !in->options->unfinished && todo_count(&in->document.snapshot.content) > 0;
}

/* Makes an article of a new post. Remembers what the export said. */
static struct err *
create(struct writing *in, struct workspace *w, struct article **out)
{
	struct document *d = &in->document;
	struct article_new how = { .created_at = d->date,
		.source = in->post->key,
		.published_url = d->published_url,
		.slug_is_derived = true };
	const char *wanted = d->snapshot.slug;
	struct err *err;

	how.published_next = in->post->private == NULL && in->options->publish && !d->draft &&
			     d->date <= in->c->now && !is_unfinished(in);
	err = article_insert(in->c, w, &d->snapshot, &how, out);
	if (err != NULL)
		return err;
	if (strcmp(wanted, (*out)->slug) != 0)
		notes_add(&in->notes, "The slug %s is taken; this is %s.", wanted, (*out)->slug);
	origin_set(in->c, *out, &in->origin);
	return NULL;
}

/* Finds out whether the working copy differs from what the export made of it. */
static struct err *
was_edited(struct writing *in, const struct article *a, const struct origin *known, bool *edited)
{
	unsigned char now[ARTICLE_DIGEST];
	struct err *err = origin_digest(in->c, article_working_copy(in->c, a), now);

	*edited = err == NULL && memcmp(now, known->digest, ARTICLE_DIGEST) != 0;
	return err;
}

/* Writes a post whose export says something new. The slug stays as it is here. */
static struct err *
change(struct writing *in, struct workspace *w, struct article *a)
{
	struct snapshot *s = &in->document.snapshot;
	const char *url = in->document.published_url;
	struct err *err;

	if (strcmp(s->slug, a->slug) != 0)
		notes_add(&in->notes, "Its slug is %s there; here it stays %s.", s->slug, a->slug);
	s->slug = a->slug;
	err = article_save(in->c, w, a, s, false, &in->touched);
	if (err != NULL)
		return err;
	if (url != NULL && a->published_url == NULL) {
		article_set_published_url(in->c, w, a, url);
		in->touched = true;
	}
	origin_set(in->c, a, &in->origin);
	return NULL;
}

/* Updates an article. The same export again changes nothing. An article in the
 * trash stays there, and one that was edited here stays as it is. --force
 * overrules all three. */
static struct err *
update(struct writing *in, struct workspace *w, struct article *a)
{
	struct origin known = { 0 };
	bool found = origin_find(in->c, a, &known), edited = false;
	struct err *err = NULL;

	if (a->status == ARTICLE_DELETED && !in->options->force) {
		notes_add_hint(
		    &in->notes, HINT_FORCE_BACK, "It is in the trash here, and stays there.");
		return NULL;
	}
	if (a->status == ARTICLE_DELETED) {
		err = article_undelete(in->c, w, a);
		in->touched = true;
	}
	if (found && memcmp(known.digest, in->origin.digest, ARTICLE_DIGEST) == 0 &&
	    !in->options->force)
		return NULL;
	if (err == NULL)
		err = was_edited(in, a, &known, &edited);
	if (err != NULL)
		return err;
	if (found && edited && !in->options->force) {
		notes_add_hint(&in->notes, HINT_FORCE,
		    "It was changed there, and edited here: it stays as it is here.");
		return NULL;
	}
	return change(in, w, a);
}

/* Publishes a post that was published there, is for everyone, is not dated ahead,
 * and was not unpublished here. */
static struct err *
publish(struct writing *in, struct workspace *w, struct article *a)
{
	const struct document *d = &in->document;
	int64_t modified = d->lastmod != 0 ? d->lastmod : d->date;

	if (in->post->private != NULL) {
		notes_add(&in->notes, "It is not for everyone there (%s): %s.", in->post->private,
		    a->status == ARTICLE_PUBLISHED ? "it is published here already"
						   : "it is a draft");
		return NULL;
	}
	if (!in->options->publish || d->draft || a->status == ARTICLE_DELETED)
		return NULL;
	if (d->date > in->c->now) {
		notes_add(&in->notes, "It has a date that is yet to come: it is a draft.");
		return NULL;
	}
	if (a->status == ARTICLE_DRAFT && a->version > 0 && !in->options->force) {
		notes_add(&in->notes, "It was published here and taken back: it stays a draft.");
		return NULL;
	}
	/* The export must not publish what an editor has not published yet. */
	if (a->status == ARTICLE_PUBLISHED && (!in->touched || !article_has_changes(a)))
		return NULL;
	if (is_unfinished(in)) {
		notes_add_hint(&in->notes, HINT_IMPORT_UNFINISHED, "It is not finished: %s.",
		    a->status == ARTICLE_PUBLISHED ? "it is published here as it was"
						   : "it is a draft");
		return NULL;
	}
	in->touched = true;
	if (modified > in->c->now)
		modified = in->c->now;
	return article_publish(in->c, w, a, d->date, modified);
}

/* Writes one post in one transaction: its pictures, and then the article. The
 * article is known by the key of the post. */
static struct err *
write_article(struct writing *in, const struct workspace *workspace, struct import_result *out)
{
	const struct post_media *media = in->options->media;
	struct workspace *w;
	struct article *a;
	bool fresh;
	struct err *err;

	err = workspace_begin(in->c, workspace, &w);
	if (err != NULL)
		return err;
	a = article_find_by_source(in->c, w->id, in->post->key);
	for (size_t i = 0; i < media->count; i++)
		media_insert(in->c, &media->list[i]);
	fresh = a == NULL;
	err = fresh ? create(in, w, &a) : update(in, w, a);
	if (err == NULL)
		err = publish(in, w, a);
	if (err != NULL)
		return err;
	(void)FAULT("import-written");
	if (!in->options->dry)
		db_commit(in->c);
	import_result_set(out, a, fresh, in->touched);
	if (fresh && in->options->dry)
		out->id = NULL;
	return NULL;
}

struct err *
post_import(struct ctx *c, const struct workspace *workspace, const struct post *post,
    const struct post_options *options, struct import_result *out)
{
	struct writing in = { .c = c, .post = post, .options = options, .notes = { .c = c } };
	struct losses losses = { .c = c };
	struct err *err;

	memset(out, 0, sizeof(*out));
	options->media->list = arena_array(c->arena, POST_MEDIA_MAX, sizeof(*options->media->list));
	options->media->count = 0;
	options->media->over = options->media->cut = false;
	err = post_read(c, post, &workspace->settings, options, &losses, &in.notes, &in.document);
	if (options->media->cut)
		return err;
	losses_report(&losses, &in.notes);
	if (err == NULL)
		err = origin_digest(c, &in.document.snapshot, in.origin.digest);
	if (post->address != NULL)
		in.origin.url = url_clean_web(c->arena, post->address);
	if (err == NULL)
		err = write_article(&in, workspace, out);
	db_rollback(c);
	out->notes = in.notes.lines;
	out->note_count = in.notes.count;
	return err;
}
