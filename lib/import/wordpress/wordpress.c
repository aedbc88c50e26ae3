#include "import/wordpress/wordpress.h"

#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/ctx.h"
#include "import/markdown/fields.h"

/* Returns whether the item is a rest of the editor, and not for readers. */
static bool
is_left_over(const struct wxr_item *item)
{
	static const char *const none[] = { "trash", "auto-draft", "inherit" };

	for (size_t i = 0; i < sizeof(none) / sizeof(none[0]); i++) {
		if (item->status != NULL && strcmp(item->status, none[i]) == 0)
			return true;
	}
	return false;
}

/* Returns why the item is not a post for readers; NULL: it is one. */
static const char *
skipped(struct ctx *c, const struct wxr_item *item, bool pages, bool *page)
{
	const char *type = item->type == NULL ? "post" : item->type;

	*page = strcmp(type, "page") == 0 && !is_left_over(item);
	if (strcmp(type, "post") != 0 && (!pages || strcmp(type, "page") != 0))
		return arena_printf(c->arena, "of type %s", type);
	return is_left_over(item) ? arena_printf(c->arena, "with status %s", item->status) : NULL;
}

/* Reads the status. Only a published item without a password is for everyone. */
static void
read_status(struct ctx *c, const struct wxr_item *item, struct post *out)
{
	const char *status = item->status == NULL ? "draft" : item->status;

	if (strcmp(status, "draft") == 0)
		out->draft = true;
	else if (strcmp(status, "publish") != 0)
		out->private = arena_printf(c->arena, "status %s", status);
	if (item->password != NULL)
		out->private = "it has a password";
}

/* Reads "2024-05-06 07:08:09", UTC. Returns 0 for WordPress's year 0. */
static int64_t
time_of(struct ctx *c, const char *text)
{
	int64_t at;

	if (text == NULL || strncmp(text, "0000", 4) == 0 || !fields_date(c, text, &at))
		return 0;
	return at;
}

/* Reads the terms. The first category is the section; the other categories, and
 * the tags, are tags. "Uncategorized" is ignored. */
static void
read_terms(struct ctx *c, const struct wxr_item *item, struct post *out)
{
	out->tags = arena_array(c->arena, item->term_count + 1, sizeof(*out->tags));
	for (size_t i = 0; i < item->term_count; i++) {
		const struct wxr_term *term = &item->terms[i];
		bool category = strcmp(term->domain, "category") == 0;
		if (category && strcmp(term->name, "Uncategorized") == 0)
			continue;
		if (category && out->section == NULL)
			out->section = term->name;
		else if (category || strcmp(term->domain, "post_tag") == 0)
			out->tags[out->tag_count++] = term->name;
	}
}

/* Returns the value of a plugin's variable, or NULL. */
static const char *
variable(const struct wxr *wxr, const struct wxr_item *item, const char *name, size_t len)
{
	static const char *const names[] = { "title", "sep", "sitename", "page", "excerpt",
		"excerpt_only" };
	size_t i = 0;

	while (i < sizeof(names) / sizeof(names[0]) &&
	       (strlen(names[i]) != len || strncmp(names[i], name, len) != 0))
		i++;
	switch (i) {
	case 0:
		return item->title;
	case 1:
		return "–";
	case 2:
		return wxr->title;
	case 3:
		return "";
	case 4:
	case 5:
		return item->excerpt;
	default:
		return NULL;
	}
}

/* Returns a template of Yoast ("%%title%% %%sep%% %%sitename%%") or Rank Math
 * ("%title% %sep% %sitename%") with its variables filled in. Returns NULL, with a
 * note, if only the plugin knows one of them. */
static const char *
filled(struct ctx *c, const struct wxr *wxr, const struct wxr_item *item, struct notes *notes,
    const char *template)
{
	const char *p = template, *value;
	struct buf out;
	size_t marks, len;

	if (template == NULL)
		return NULL;
	buf_init(&out, c->arena, 1 << 20);
	while (*p != '\0') {
		marks = strspn(p, "%");
		len = strspn(p + marks, "abcdefghijklmnopqrstuvwxyz_");
		if (marks == 0 || marks > 2 || len == 0 || strspn(p + marks + len, "%") < marks) {
			buf_add_char(&out, *p++);
			continue;
		}
		value = variable(wxr, item, p + marks, len);
		if (value == NULL) {
			notes_add(notes,
			    "a search title or description was dropped: nothing is known of %.*s.",
			    (int)(2 * marks + len), p);
			return NULL;
		}
		buf_add_text(&out, value);
		p += 2 * marks + len;
	}
	return out.len > 0 ? out.data : NULL;
}

/* Returns the value of Yoast, or else that of Rank Math. */
static const char *
either(const struct wxr_item *item, const char *yoast, const char *rank_math)
{
	const char *value = wxr_meta(item, yoast);

	return value != NULL ? value : wxr_meta(item, rank_math);
}

/* Reads what Yoast or Rank Math say to search engines: title, description,
 * canonical address, noindex. */
static void
read_search(struct ctx *c, const struct wxr *wxr, const struct wxr_item *item, struct notes *notes,
    struct post *out)
{
	const char *robots = wxr_meta(item, "rank_math_robots");
	const char *noindex = wxr_meta(item, "_yoast_wpseo_meta-robots-noindex");

	out->meta_title =
	    filled(c, wxr, item, notes, either(item, "_yoast_wpseo_title", "rank_math_title"));
	out->meta_description = filled(
	    c, wxr, item, notes, either(item, "_yoast_wpseo_metadesc", "rank_math_description"));
	out->canonical = either(item, "_yoast_wpseo_canonical", "rank_math_canonical_url");
	/* In Yoast, 0 means as the site does, 1 noindex, 2 index. Rank Math has a
	 * list as PHP serializes it. */
	out->noindex = (noindex != NULL && strcmp(noindex, "1") == 0) ||
		       (robots != NULL && strstr(robots, "\"noindex\"") != NULL);
}

/* The cover is the attachment that the item names. It must be in one of the
 * files, or else a note says so. */
static void
read_cover(
    const struct wxr *wxr, const struct wxr_item *item, struct notes *notes, struct post *out)
{
	const char *id = wxr_meta(item, "_thumbnail_id");
	const struct wxr_attachment *found = wxr_attachment(wxr, id);

	if (found != NULL) {
		out->cover = found->url;
		out->cover_alt = found->alt;
		out->cover_caption = found->caption;
	} else if (id != NULL && strcmp(id, "0") != 0) {
		notes_add(notes,
		    "the featured image is in none of the files (attachment %s): export media too.",
		    id);
	}
}

/* Returns where the item was, or NULL: the address of a draft is only that of a preview,
 * and the one of the front page is the site's. */
static const char *
address_of(const struct wxr *wxr, const struct wxr_item *item, struct notes *notes,
    const struct post *post)
{
	size_t len = item->link == NULL ? 0 : strlen(item->link);

	if (post->draft || len == 0)
		return NULL;
	while (len > 0 && item->link[len - 1] == '/')
		len--;
	if (!post->page || wxr->site == NULL || strlen(wxr->site) != len ||
	    strncmp(wxr->site, item->link, len) != 0)
		return item->link;
	notes_add(notes, "it was the front page of the site, of which no redirect is made.");
	return NULL;
}

const char *
wordpress_post(struct ctx *c, const struct wxr *wxr, const struct wxr_item *item, bool pages,
    struct notes *notes, struct post *out)
{
	const char *why;

	memset(out, 0, sizeof(*out));
	why = skipped(c, item, pages, &out->page);
	if (why != NULL)
		return why;
	if (item->id == NULL)
		return "without a number";
	out->key =
	    arena_printf(c->arena, "wordpress:%s#%s", wxr->site == NULL ? "" : wxr->site, item->id);
	out->title = item->title;
	out->slug = item->name;
	out->line = item->content_line;
	out->language = wxr->language;
	read_status(c, item, out);
	out->created_at = time_of(c, item->date_gmt);
	if (out->created_at == 0)
		out->created_at = time_of(c, item->date);
	out->modified_at = time_of(c, item->modified_gmt);
	out->address = address_of(wxr, item, notes, out);
	out->author_name = wxr_author(wxr, item->creator);
	out->excerpt = item->excerpt;
	read_terms(c, item, out);
	read_cover(wxr, item, notes, out);
	read_search(c, wxr, item, notes, out);
	out->html = wordpress_html(c, wxr, item->content == NULL ? "" : item->content, notes);
	return NULL;
}
