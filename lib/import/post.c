#include "import/post.h"

#include <string.h>
#include <strings.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "base/percent.h"
#include "base/utf8.h"
#include "content/lang.h"
#include "content/slug.h"
#include "content/subtag.h"
#include "content/url.h"
#include "export/facts.h"
#include "import/markdown/fields.h"
#include "import/html/htmlmap.h"
#include "import/markdown/markdown.h"

struct reading {
	struct ctx *c;
	const struct post *post;
	struct losses *losses;
	struct snapshot *snapshot;
	bool untitled; /* the post has no title */
};

#define WORDS_MAX 60 /* code points of a title that is made of the first words */

/* Returns a text without tags on one line of at most `max` characters, or NULL. */
static const char *
line_of(struct reading *r, const char *html, size_t max, const char *what)
{
	const char *text = NULL;
	size_t len;

	if (html != NULL)
		text = fields_line(r->c, r->losses, 0, htmlmap_plain(r->c, html));
	if (text == NULL || utf8_length(text) <= max)
		return text;
	losses_add(r->losses, 0, "the %s was cut to %zu characters", what, max);
	len = utf8_prefix(text, max);
	return fields_line(r->c, r->losses, 0, arena_text_n(r->c->arena, text, len));
}

/* Returns the title: the post's, or else its slug, or else "Untitled". */
static const char *
title_of(struct reading *r)
{
	const char *title = line_of(r, r->post->title, SNAPSHOT_TITLE_MAX, "title");

	r->untitled = title == NULL;
	if (title != NULL)
		return title;
	return line_of(
	    r, r->post->slug != NULL ? r->post->slug : "Untitled", SNAPSHOT_TITLE_MAX, "title");
}

/* Returns the text without percent-encoding, if that is valid text. */
static const char *
decoded(struct arena *a, const char *text)
{
	const char *plain = percent_decode(a, text, strlen(text));

	return plain != NULL ? plain : text;
}

/* Returns the post's slug. Slugs outside ASCII are percent-encoded in exports. */
static const char *
slug_of(struct reading *r)
{
	struct arena *a = r->c->arena;
	const char *from = r->post->slug, *slug;

	if (from == NULL)
		return slug_make(a, r->snapshot->title);
	from = lang_nfc(a, decoded(a, from));
	if (slug_is_valid(a, from))
		return from;
	slug = slug_make(a, from);
	losses_add(r->losses, 0, "the slug \"%s\" became \"%s\"", from, slug);
	return slug;
}

/* Returns the post's language, or else the workspace's. */
static const char *
language_of(struct reading *r, const char *language)
{
	const char *own =
	    r->post->language == NULL ? NULL : lang_clean(r->c->arena, r->post->language);
	const char *known;
	size_t len;

	if (own == NULL)
		return language;
	if (subtag_read(r->c, "language", own, language, &known) != NULL) {
		losses_add(
		    r->losses, 0, "the language \"%s\" is none; it is %s now", own, language);
		return language;
	}
	len = strcspn(own, "-");
	if (strcspn(language, "-") == len && strncasecmp(own, language, len) == 0)
		return language;
	return own;
}

/* Reads the tags. Each counts once; those after the last allowed one are a loss. */
static void
read_tags(struct reading *r)
{
	struct snapshot *s = r->snapshot;
	const struct post *p = r->post;

	s->tags = arena_array(r->c->arena, p->tag_count + 1, sizeof(*s->tags));
	for (size_t i = 0; i < p->tag_count; i++) {
		const char *tag = line_of(r, p->tags[i], SNAPSHOT_NAME_MAX, "tag");
		size_t n = 0;
		while (tag != NULL && n < s->tag_count && strcmp(s->tags[n], tag) != 0)
			n++;
		if (tag == NULL || n < s->tag_count)
			continue;
		if (s->tag_count == SNAPSHOT_TAGS_MAX) {
			losses_add(r->losses, 0, "tags after the first %d were dropped",
			    SNAPSHOT_TAGS_MAX);
			return;
		}
		s->tags[s->tag_count++] = tag;
	}
}

/* Reads the cover. Its address is used as it is written: how->remote resolves a
 * relative one. */
static void
read_cover(struct reading *r, const struct document_options *how, struct notes *notes)
{
	struct snapshot *s = r->snapshot;
	struct stored_image *image = NULL;
	const struct post *p = r->post;
	struct buf caption;

	if (p->cover != NULL)
		image = htmlmap_cover(r->c, how, r->losses, notes, 0, p->cover);
	if (image == NULL)
		return;
	s->image = image->url;
	s->image_type = image->type;
	s->image_width = image->width;
	s->image_height = image->height;
	s->content.image_alt =
	    line_of(r, p->cover_alt, CONTENT_TEXT_MAX, "cover's alternative text");
	s->content.image_caption =
	    line_of(r, p->cover_caption, CONTENT_TEXT_MAX, "cover's caption");
	if (s->content.image_caption == NULL)
		return;
	buf_init(&caption, r->c->arena, 4 * CONTENT_TEXT_MAX * 4);
	inline_escape(&caption, s->content.image_caption, strlen(s->content.image_caption));
	s->content.image_caption = caption.data;
}

/* Reads the other fields. The description is the post's own, or else its excerpt. */
static void
read_fields(struct reading *r, const struct settings *settings)
{
	const struct post *p = r->post;
	struct snapshot *s = r->snapshot;
	const char *description = p->meta_description != NULL ? p->meta_description : p->excerpt;

	s->title = title_of(r);
	s->slug = slug_of(r);
	s->language = language_of(r, settings->language);
	s->author_name = line_of(r, p->author_name, SNAPSHOT_NAME_MAX, "author's name");
	if (p->author_url != NULL)
		s->author_url = url_clean_web(r->c->arena, p->author_url);
	s->noindex = p->noindex;
	s->meta_title = line_of(r, p->meta_title, SNAPSHOT_META_TITLE_MAX, "search title");
	s->meta_description = line_of(r, description, SNAPSHOT_META_DESCRIPTION_MAX, "description");
	s->section = line_of(r, p->section, SNAPSHOT_NAME_MAX, "section");
	read_tags(r);
}

/* Returns the address at which the article will be published: the post's
 * canonical address; or else, on the workspace's own website, the address that it
 * had. */
static const char *
published_url(struct reading *r, const struct settings *settings)
{
	struct arena *a = r->c->arena;
	const struct post *p = r->post;
	const char *url = NULL, *host, *path;

	if (p->canonical != NULL) {
		url = url_clean_web(a, p->canonical);
		if (url == NULL)
			losses_add(r->losses, 0,
			    "the canonical address \"%s\" was dropped: only http and https addresses are kept",
			    losses_excerpt(r->c, p->canonical, 200));
	}
	if (url != NULL || p->address == NULL || p->draft || p->private != NULL ||
	    settings->website == NULL)
		return url;
	host = url_host(a, p->address);
	if (host == NULL || strcmp(host, url_host(a, settings->website)) != 0)
		return NULL;
	/* Scheme and port are the website's, whatever the old ones were. */
	path = strstr(p->address, "//") + 2;
	return url_clean_web(
	    a, arena_printf(a, "%s%s", settings->website, path + strcspn(path, "/?#")));
}

/* The first words that a reader sees. */
struct first_words {
	struct ctx *c;
	const char *text; /* or NULL */
};

static void
take_words(void *arg, enum content_text_kind kind, const char *text, const char *place)
{
	struct first_words *first = arg;
	const char *plain;

	(void)place;
	if (first->text != NULL || kind == CONTENT_IS_CODE)
		return;
	plain = facts_cut(first->c, inline_plain(first->c->arena, text), SIZE_MAX);
	if (plain[0] != '\0')
		first->text = plain;
}

/* Returns the first words that a reader sees, or NULL. */
static const char *
words_of(const struct reading *r)
{
	struct first_words first = { .c = r->c };

	content_walk(&r->snapshot->content, take_words, &first);
	return first.text;
}

/* A page without words is filled by the other program: with the newest posts, or by a
 * template. It stays a draft, because readers would see its title alone. */
static void
check_page(struct reading *r, struct document *out)
{
	if (out->draft || words_of(r) != NULL)
		return;
	out->draft = true;
	if (r->post->canonical == NULL)
		out->published_url = NULL;
	losses_add(r->losses, 0, "the page has no text of its own: it stays a draft");
}

/* Names a post without a title by its first words. A post without words is not an
 * article yet: it stays a draft, named by its slug. */
static void
name_untitled(struct reading *r, struct document *out)
{
	const char *words = words_of(r);
	struct snapshot *s = r->snapshot;

	if (words == NULL) {
		out->draft = true;
		losses_add(r->losses, 0,
		    "there is no title, and no text to make one of: it stays a draft until it has one");
		return;
	}
	losses_add(r->losses, 0, "there is no title; it was made of the first words");
	s->title = facts_cut(r->c, words, WORDS_MAX);
	if (strcmp(s->title, words) != 0)
		s->title = arena_printf(r->c->arena, "%s …", s->title);
	if (r->post->slug == NULL)
		s->slug = slug_make(r->c->arena, s->title);
}

struct err *
post_read(struct ctx *c, const struct post *post, const struct settings *settings,
    const struct post_options *options, struct losses *losses, struct notes *notes,
    struct document *out)
{
	struct settings there = *settings;
	struct document_options how = { .settings = &there,
		.remote = options->picture,
		.store_arg = options->media,
		.posts = true };
	struct reading r = { c, post, losses, &out->snapshot, false };
	struct err *err;

	memset(out, 0, sizeof(*out));
	there.website = options->site;
	read_fields(&r, settings);
	read_cover(&r, &how, notes);
	out->has_slug = true;
	out->date = post->created_at;
	out->lastmod = post->modified_at;
	out->draft = post->draft;
	out->published_url = published_url(&r, settings);
	err = markdown_html(
	    c, post->html == NULL ? "" : post->html, post->line, &how, losses, notes, out);
	if (err == NULL && r.untitled)
		name_untitled(&r, out);
	if (err == NULL && post->page)
		check_page(&r, out);
	return err;
}
