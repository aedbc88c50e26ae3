#include "import/post.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "article/article-name.h"
#include "article/article.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "base/encoding.h"
#include "base/fileio.h"
#include "base/utf8.h"
#include "content/lang.h"
#include "content/slug.h"
#include "content/url.h"
#include "export/facts.h"
#include "export/todo.h"
#include "import/htmlmap.h"
#include "import/import-pictures.h"
#include "import/losses.h"
#include "import/markdown/fields.h"
#include "import/markdown/markdown.h"
#include "store/db.h"
#include "system/fault.h"

enum { POST_MEDIA_MAX = 1000 };

/* ---- a post as a document */

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

	memset(out, 0, sizeof(*out));
	there.website = options->site;
	read_fields(&r, settings);
	read_cover(&r, &how, notes);
	out->has_slug = true;
	out->date = post->created_at;
	out->lastmod = post->modified_at;
	out->draft = post->draft;
	out->published_url = published_url(&r, settings);
	TRY(markdown_html(
	    c, post->html == NULL ? "" : post->html, post->line, &how, losses, notes, out));
	if (r.untitled)
		name_untitled(&r, out);
	if (post->page)
		check_page(&r, out);
	return NULL;
}

/* ---- its pictures */

static struct stored_image *
taken(struct pictures *p, struct post_media *media, const struct media *m)
{
	struct stored_image *out = arena_alloc(p->c->arena, sizeof(*out));

	*out = (struct stored_image) { m->url, m->type, m->width, m->height };
	media->list[media->count++] = *m;
	p->stored++;
	if (p->room != NULL)
		*p->room -= m->bytes;
	return out;
}

/* Returns the address's path, decoded and without its query; NULL if no file of a
 * folder can have that path. */
static const char *
path_of(struct arena *a, const char *address)
{
	const char *p = strstr(address, "://"), *path;

	p = p == NULL ? address : p + 3 + strcspn(p + 3, "/?#");
	path = percent_decode(a, p, strcspn(p, "?#"));
	if (path == NULL || strstr(path, "/../") != NULL || strncmp(path, "../", 3) == 0)
		return NULL;
	return path;
}

/* Returns "a.png" for "a-300x200.png", and NULL for other names. */
static const char *
original(struct arena *a, const char *path)
{
	const char *dot = strrchr(path, '.'), *p = dot;

	if (dot == NULL)
		return NULL;
	while (p > path && isdigit((unsigned char)p[-1]))
		p--;
	if (p == dot || p == path || p[-1] != 'x')
		return NULL;
	for (p--; p > path && isdigit((unsigned char)p[-1]);)
		p--;
	if (p == path || p[-1] != '-')
		return NULL;
	return arena_printf(a, "%.*s%s", (int)(p - 1 - path), path, dot);
}

/* Returns whether the folder has such a file. A link that leaves the folder
 * counts: it is told when it is read. */
static bool
is_there(struct pictures *p, const char *name)
{
	int fd = name[0] == '\0' ? -1 : beneath_file(p->c->arena, &p->folder, name, NULL);

	if (fd >= 0)
		close(fd);
	return fd >= 0 || (name[0] != '\0' && (errno == EXDEV || errno == EACCES));
}

/* Returns the file of the folder that the address names, or NULL. */
static const char *
file_of(struct pictures *p, const char *address)
{
	static const char *const roots[] = { "/uploads/", "/content/images/" };
	struct arena *a = p->c->arena;
	const char *path = path_of(a, address), *tries[4] = { NULL }, *at;
	size_t count = 0;

	if (path == NULL)
		return NULL;
	for (size_t i = 0; i < 2; i++) {
		at = strstr(path, roots[i]);
		if (at != NULL && count == 0)
			tries[count++] = at + strlen(roots[i]);
	}
	tries[count++] = path + strspn(path, "/");
	for (size_t i = 0, n = count; i < n; i++) {
		tries[count] = original(a, tries[i]);
		count += tries[count] != NULL;
	}
	for (size_t i = 0; i < count; i++) {
		if (is_there(p, tries[i]))
			return tries[i];
	}
	return NULL;
}

/* Returns whether the address belongs to the old site: its host, or a host below
 * it. */
static bool
is_own(struct pictures *p, const char *url)
{
	struct arena *a = p->c->arena;
	const char *host = url_host(a, url), *site;
	size_t n, m;

	if (p->site == NULL)
		return true;
	site = url_host(a, p->site);
	if (host == NULL || site == NULL)
		return false;
	if (strncmp(site, "www.", 4) == 0)
		site += 4;
	n = strlen(host);
	m = strlen(site);
	return n >= m && strcmp(host + n - m, site) == 0 && (n == m || host[n - m - 1] == '.');
}

/* Returns the refusal that storing the file would give. */
static struct err *
try(struct pictures *p, const char *file)
{
	struct ctx *c = p->c;
	struct picture_clean clean;
	size_t len;
	char *bytes = beneath_read(c->arena, &p->folder, file, PICTURE_GIVEN_MAX, &len, NULL);

	if (bytes == NULL)
		return refuse(c, ERR_INVALID, "%s: %s.",
		    fileio_path(c->arena, p->folder.path, file),
		    beneath_reason(c->arena, &p->folder, errno));
	return picture_clean(c, bytes, len, &clean);
}

/* Fetches and stores a picture. One that cannot be fetched stays where it is. */
static struct stored_image *
fetched(struct pictures *p, struct post_media *media, struct notes *notes, const char *url)
{
	struct media found;
	struct err *err;

	if (p->dry)
		return NULL;
	if (p->may_ask != NULL && fetch_asks(p->fetch, url) && !p->may_ask(p->arg)) {
		media->cut = true;
		return NULL;
	}
	err = fetch_picture(p->c, p->fetch, url, &found);
	if (err == NULL)
		return taken(p, media, &found);
	tally_add(&p->failed, url);
	notes_add(notes, "the picture \"%s\" stays where it is: %s", url, err->message);
	return NULL;
}

/* Stores a picture of the old site from the folder. Any other picture is fetched, if `fetch` is
 * there, or stays where it is. */
static struct stored_image *
from_folder(struct pictures *p, struct post_media *media, struct notes *notes, const char *url)
{
	const char *file = is_own(p, url) ? file_of(p, url) : NULL;
	struct media found;
	struct err *err;

	if (file == NULL && p->fetch != NULL)
		return fetched(p, media, notes, url);
	if (file == NULL) {
		tally_add(&p->failed, url);
		notes_add(
		    notes, "the picture \"%s\" is not in the folder; it stays where it is.", url);
		return NULL;
	}
	err = p->dry ? try(p, file) : import_picture_of(p->c, &p->folder, file, &found);
	if (err == NULL && !p->dry)
		return taken(p, media, &found);
	if (err == NULL) {
		p->stored++;
		return NULL;
	}
	tally_add(&p->failed, url);
	notes_add(notes, "the picture \"%s\" stays where it is: %s", url, err->message);
	return NULL;
}

/* Notes that there is no room for a picture: it stays where it is. */
static void
leave_for_room(struct notes *notes, const char *url)
{
	notes_add(notes, "the picture \"%s\" stays where it is: %s", url,
	    "the pictures of this account have no more room.");
}

/* Notes that a post's list is full: the picture stays where it is. */
static void
leave(struct post_media *media, struct notes *notes)
{
	if (!media->over)
		notes_add(notes,
		    "the post has more than %d pictures; the others stay where they are.",
		    POST_MEDIA_MAX);
	media->over = true;
}

struct stored_image *
pictures_find(void *arg, struct notes *notes, const char *address)
{
	struct post_media *media = arg;
	struct pictures *p = media->arg;
	struct arena *a = p->c->arena;
	struct stored_image *image = NULL;
	const char *url = address, *host;
	size_t before = p->stored;

	if (strstr(address, "://") == NULL && p->site != NULL)
		url = url_resolve(a, arena_printf(a, "%s/", p->site), address);
	if (url != NULL && strstr(url, "://") != NULL)
		url = url_clean_web(a, url);
	if (url == NULL || media->cut)
		return NULL;
	if (p->mode != PICTURES_KEEP && p->room != NULL && *p->room <= 0)
		leave_for_room(notes, url);
	else if (p->mode != PICTURES_KEEP && media->count == POST_MEDIA_MAX)
		leave(media, notes);
	else if (p->mode == PICTURES_FOLDER)
		image = from_folder(p, media, notes, url);
	else if (p->mode == PICTURES_FETCH && strstr(url, "://") != NULL)
		image = fetched(p, media, notes, url);
	host = url_host(a, url);
	if (image == NULL && host != NULL && p->stored == before) {
		tally_add(&p->hosts, host);
		p->left++;
	}
	return image;
}

/* ---- into the store */

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

	how.published_next = in->post->private == NULL && in->options->publish && !d->draft &&
			     d->date <= in->c->now && !is_unfinished(in);
	TRY(article_insert(in->c, w, &d->snapshot, &how, out));
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

	if (strcmp(s->slug, a->slug) != 0)
		notes_add(&in->notes, "Its slug is %s there; here it stays %s.", s->slug, a->slug);
	s->slug = a->slug;
	TRY(article_save(in->c, w, a, s, false, &in->touched));
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

	TRY(workspace_begin(in->c, workspace, &w));
	a = article_find_by_source(in->c, w->id, in->post->key);
	for (size_t i = 0; i < media->count; i++)
		media_insert(in->c, &media->list[i]);
	fresh = a == NULL;
	TRY(fresh ? create(in, w, &a) : update(in, w, a));
	TRY(publish(in, w, a));
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
