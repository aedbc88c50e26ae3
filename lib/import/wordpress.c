#include "import/wordpress.h"

#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/ctx.h"
#include "import/markdown/fields.h"
#include "import/tagsoup.h"

/* ---- a post's text as HTML */

/* Text in these elements stays as it is. */
static const char literal_elements[] = " pre code script style textarea kbd samp tt xmp ";
/* Empty lines and newlines between the parts of these elements mean nothing. */
static const char frame_elements[] =
    " ul ol dl table thead tbody tfoot tr select figure video audio object ";

struct markup {
	struct ctx *c;
	const struct wxr *wxr;
	struct notes *notes;
	struct buf out;
	bool classic;
	int literal, frames; /* how many such elements are open */
	bool after_block; /* a newline after what came last shows nothing */
	unsigned flattened; /* bit n: blocks[n] was noted */
};

/* Blocks that lose their form, and what becomes of them. */
static const struct {
	const char *name, *note;
} blocks[] = {
	{ "columns", "columns stand one below the other now." },
	{ "buttons", "buttons became links." },
	{ "gallery", "a gallery became single pictures." },
};

/* Notes, once in a text, that such a block lost its form. */
static void
note_flattened(struct markup *m, const char *name, size_t len)
{
	for (unsigned i = 0; i < sizeof(blocks) / sizeof(blocks[0]); i++) {
		if (strlen(blocks[i].name) != len || strncmp(blocks[i].name, name, len) != 0 ||
		    (m->flattened & 1U << i) != 0)
			continue;
		m->flattened |= 1U << i;
		notes_add(m->notes, "%s", blocks[i].note);
	}
}

static void convert(struct markup *m, const char *p, const char *end);

/* Keeps the newlines of what is dropped, so that the numbers of lines stay true. */
static void
newlines(struct markup *m, const char *from, const char *to)
{
	for (; from < to; from++) {
		if (*from == '\n')
			buf_add_char(&m->out, '\n');
	}
}

/* Handles a comment. Those of the block editor and of WordPress itself are
 * dropped. */
static const char *
comment(struct markup *m, const char *p, const char *end)
{
	static const char *const ours[] = { "wp:", "/wp:", "more", "nextpage", "noteaser",
		"kg-card-" };
	const char *text = p + 4 + strspn(p + 4, " ");
	const char *to = memmem(p + 4, (size_t)(end - p - 4), "-->", 3);

	to = to == NULL ? end : to + 3;
	for (size_t i = 0; i < sizeof(ours) / sizeof(ours[0]); i++) {
		if (strncmp(text, ours[i], strlen(ours[i])) == 0) {
			if (strncmp(text, "wp:", 3) == 0)
				note_flattened(m, text + 3, strcspn(text + 3, " \t\n-{/"));
			newlines(m, p, to);
			m->after_block = true;
			return to;
		}
	}
	buf_add(&m->out, p, (size_t)(to - p));
	return to;
}

/* Copies a tag, and notes whether text inside the element is literal. */
static const char *
element(struct markup *m, const char *p, const struct tag *tag)
{
	int step = tag->closing ? -1 : tag->self_closing ? 0 : 1;

	if (tag_is_in(tag, literal_elements) && m->literal + step >= 0)
		m->literal += step;
	if (tag_is_in(tag, frame_elements) && m->frames + step >= 0)
		m->frames += step;
	m->after_block = tag_is_in(tag, tag_blocks) || tag_is(tag, "br");
	buf_add(&m->out, p, (size_t)(tag->end - p));
	return tag->end;
}

static const char *
skip_blank(const char *p, const char *end)
{
	while (p < end && (*p == ' ' || *p == '\t' || *p == '\r' || *p == '\n'))
		p++;
	return p;
}

/* Returns whether a block, a comment or the end follows: a newline before it is
 * not a line break. */
static bool
before_block(const char *p, const char *end)
{
	struct tag tag;

	return p == end || strncmp(p, "<!--", 4) == 0 ||
	       (*p == '<' && tag_read(p, end, &tag) && tag_is_in(&tag, tag_blocks));
}

/* Writes an address that is alone on the line at `p` (which WordPress would
 * embed) as a link. Returns where it ends, or NULL. */
static const char *
lone_address(struct markup *m, const char *p, const char *end)
{
	const char *from = p + strspn(p, " \t"), *to = from;

	if (strncmp(from, "https://", 8) != 0 && strncmp(from, "http://", 7) != 0)
		return NULL;
	while (to < end && strchr(" \t\r\n<>\"[]", *to) == NULL)
		to++;
	if (to < end && *(to + strspn(to, " \t\r")) != '\n' && strncmp(to, "</div>", 6) != 0)
		return NULL;
	buf_printf(
	    &m->out, "<a href=\"%.*s\">%.*s</a>", (int)(to - from), from, (int)(to - from), from);
	m->after_block = false;
	return to;
}

/* Writes white space with newlines in a text of the classic editor: two newlines
 * begin a paragraph, one is a line break unless a block is beside it. */
static const char *
line_ends(struct markup *m, const char *p, const char *end)
{
	const char *to = skip_blank(p, end);
	int count = 0;

	for (const char *q = p; q < to; q++)
		count += *q == '\n';
	if (count > 1)
		buf_lit(&m->out, "<p>");
	else if (!m->after_block && !before_block(to, end))
		buf_lit(&m->out, "<br>");
	newlines(m, p, to);
	return to;
}

/* ---- shortcodes in it */

struct shortcode {
	char name[41];
	const char *attributes, *attributes_end;
	const char *inside, *inside_end; /* NULL: the shortcode encloses nothing */
	const char *end;
};

static const char name_letters[] =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";

/* Reads "[name …]" with what it encloses. Returns false for any other bracket:
 * "[sic]" is text. */
static bool
shortcode_read(const char *p, const char *end, struct shortcode *out)
{
	size_t len = strspn(p + 1, name_letters);
	const char *close = memchr(p, ']', (size_t)(end - p)), *ending;
	char wanted[48];
	bool is_video;

	if (len == 0 || len > 40 || close == NULL || close - p > 4000 ||
	    strchr(" \t\n/]=", p[1 + len]) == NULL)
		return false;
	memcpy(out->name, p + 1, len);
	out->name[len] = '\0';
	is_video = strcmp(out->name, "youtube") == 0 || strcmp(out->name, "vimeo") == 0;
	if (p[1 + len] == '=' && !is_video)
		return false;
	out->attributes = p + 1 + len;
	out->attributes_end = close;
	out->inside = NULL;
	out->end = close + 1;
	wanted[0] = '[';
	wanted[1] = '/';
	memcpy(wanted + 2, out->name, len);
	wanted[2 + len] = ']';
	ending = memmem(close + 1, (size_t)(end - close - 1), wanted, len + 3);
	if (ending != NULL && close[-1] != '/') {
		out->inside = close + 1;
		out->inside_end = ending;
		out->end = ending + len + 3;
	}
	return ending != NULL || close[-1] == '/' ||
	       (is_video && strncmp(p + 2 + len, "http", 4) == 0) ||
	       memchr(out->attributes, '=', (size_t)(close - out->attributes)) != NULL ||
	       strcmp(out->name, "gallery") == 0 || strpbrk(out->name, "_") != NULL;
}

/* Returns the value of an attribute, or NULL. */
static const char *
shortcode_value(struct ctx *c, const struct shortcode *s, const char *name)
{
	const char *text = arena_printf(
	    c->arena, "<x %.*s>", (int)(s->attributes_end - s->attributes), s->attributes);
	struct tag_attribute attribute;
	const char *at;
	struct tag tag;

	if (!tag_read(text, text + strlen(text), &tag))
		return NULL;
	at = tag.attributes;
	while (tag_attribute(&tag, &at, &attribute)) {
		if (attribute.name_len == strlen(name) &&
		    strncmp(attribute.name, name, attribute.name_len) == 0 &&
		    attribute.value_len > 0)
			return arena_text_n(c->arena, attribute.value, attribute.value_len);
	}
	return NULL;
}

static void
add_escaped(struct markup *m, const char *text)
{
	for (; *text != '\0'; text++) {
		if (*text == '"')
			buf_lit(&m->out, "&quot;");
		else if (*text == '<')
			buf_lit(&m->out, "&lt;");
		else
			buf_add_char(&m->out, *text);
	}
}

static void
add_link(struct markup *m, const char *address)
{
	buf_lit(&m->out, "<p><a href=\"");
	add_escaped(m, address);
	buf_lit(&m->out, "\">");
	add_escaped(m, address);
	buf_lit(&m->out, "</a></p>");
	m->after_block = true;
}

/* Writes [caption] as a figure: a picture, perhaps in a link, and the text after
 * it as the caption. */
static void
caption(struct markup *m, const struct shortcode *s)
{
	const char *text = shortcode_value(m->c, s, "caption");
	const char *to = s->inside, *close;

	while (to < s->inside_end &&
	       (close = memchr(to, '>', (size_t)(s->inside_end - to))) != NULL &&
	       to[strspn(to, " \n\t")] == '<')
		to = close + 1;
	buf_lit(&m->out, "<figure>");
	m->frames++;
	convert(m, s->inside, to);
	buf_lit(&m->out, "<figcaption>");
	if (text != NULL)
		buf_add_text(&m->out, text);
	convert(m, to, s->inside_end);
	buf_lit(&m->out, "</figcaption></figure>");
	m->frames--;
	m->after_block = true;
}

/* Writes a gallery as figures of the attachments with its ids, in their order. */
static void
gallery(struct markup *m, const struct shortcode *s)
{
	const char *ids = shortcode_value(m->c, s, "ids");
	const struct wxr_attachment *found;
	size_t len;

	if (ids != NULL)
		note_flattened(m, "gallery", 7);
	else
		notes_add(m->notes, "a gallery without ids was dropped.");
	for (; ids != NULL && *ids != '\0'; ids += len) {
		ids += strspn(ids, ", ");
		len = strcspn(ids, ", ");
		found = wxr_attachment(m->wxr, arena_text_n(m->c->arena, ids, len));
		if (found == NULL) {
			notes_add(m->notes,
			    "a picture of a gallery is in none of the files (attachment %.*s): export media too.",
			    (int)len, ids);
			continue;
		}
		buf_lit(&m->out, "<figure><img src=\"");
		add_escaped(m, found->url);
		buf_lit(&m->out, "\" alt=\"");
		add_escaped(m, found->alt == NULL ? "" : found->alt);
		buf_lit(&m->out, "\">");
		if (found->caption != NULL)
			buf_printf(&m->out, "<figcaption>%s</figcaption>", found->caption);
		buf_lit(&m->out, "</figure>");
	}
	m->after_block = true;
}

/* Returns the address of [audio], [video], [embed], [youtube] or [vimeo], or NULL. */
static const char *
media_address(struct markup *m, const struct shortcode *s)
{
	static const char *const names[] = { "src", "mp4", "m4v", "webm", "ogv", "flv", "mp3",
		"m4a", "ogg", "wav", "url" };
	const char *from, *found = NULL;

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]) && found == NULL; i++)
		found = shortcode_value(m->c, s, names[i]);
	if (found != NULL)
		return found;
	/* "[youtube https://…]", "[youtube=https://…]" */
	from = skip_blank(s->attributes + (*s->attributes == '='), s->attributes_end);
	if (strncmp(from, "http", 4) == 0)
		return arena_text_n(m->c->arena, from, strcspn(from, " \t\r\n[]<\""));
	if (s->inside == NULL)
		return NULL;
	from = skip_blank(s->inside, s->inside_end);
	if ((size_t)(s->inside_end - from) < 8 || strncmp(from, "http", 4) != 0)
		return NULL;
	return arena_text_n(m->c->arena, from, strcspn(from, " \t\r\n[<"));
}

/* Writes a shortcode. A known one becomes HTML. Any other loses its brackets and
 * keeps what it encloses (a note). */
static const char *
shortcode(struct markup *m, const char *p, const struct shortcode *s)
{
	const char *address = NULL;

	if (strcmp(s->name, "embed") == 0 || strcmp(s->name, "video") == 0 ||
	    strcmp(s->name, "audio") == 0 || strcmp(s->name, "youtube") == 0 ||
	    strcmp(s->name, "vimeo") == 0)
		address = media_address(m, s);
	if (address != NULL && s->name[0] != 'a')
		notes_add(m->notes, "[%s] became a link.", s->name);
	if (strcmp(s->name, "caption") == 0 && s->inside != NULL) {
		caption(m, s);
	} else if (strcmp(s->name, "gallery") == 0) {
		gallery(m, s);
		newlines(m, p, s->end);
	} else if (address != NULL) {
		add_link(m, address);
		newlines(m, p, s->end);
	} else {
		notes_add(m->notes, "the shortcode [%s] was dropped%s.", s->name,
		    s->inside == NULL ? "" : ", its text kept");
		newlines(m, p, s->attributes_end);
		if (s->inside != NULL)
			convert(m, s->inside, s->inside_end);
	}
	return s->end;
}

/* Writes a bracket that begins no shortcode as text. */
static const char *
bracket(struct markup *m, const char *p, const char *end)
{
	struct shortcode s;
	const char *close;

	/* WordPress writes "[[name]]" for a shortcode that is meant as text. */
	if (p + 1 < end && p[1] == '[') {
		close = memmem(p, (size_t)(end - p), "]]", 2);
		if (close != NULL && close - p < 4000) {
			buf_add(&m->out, p + 1, (size_t)(close - p));
			return close + 2;
		}
	}
	if (shortcode_read(p, end, &s))
		return shortcode(m, p, &s);
	buf_add_char(&m->out, '[');
	m->after_block = false;
	return p + 1;
}

/* ---- the whole text */

/* Copies text up to the next tag, bracket or newline. */
static const char *
plain(struct markup *m, const char *p, const char *end)
{
	const char *to = p;

	while (to < end && strchr("<[\n", *to) == NULL)
		to++;
	to = to == p ? p + 1 : to;
	if (p[strspn(p, " \t")] != '\0' && p + strspn(p, " \t") < to)
		m->after_block = false;
	buf_add(&m->out, p, (size_t)(to - p));
	return to;
}

/* Converts a range. Each kind of markup has a function. */
static void
convert(struct markup *m, const char *p, const char *end)
{
	const char *next;
	struct tag tag;
	bool line_start = true;

	while (p < end) {
		bool starts = line_start;
		line_start = *p == '\n' || *p == '>';
		next = NULL;
		if (strncmp(p, "<!--", 4) == 0)
			next = comment(m, p, end);
		else if (*p == '<' && tag_read(p, end, &tag)) {
			next = element(m, p, &tag);
			line_start = true;
		} else if (m->literal == 0 && *p == '[')
			next = bracket(m, p, end);
		else if (m->literal == 0 && *p == '\n' && m->classic && m->frames == 0)
			next = line_ends(m, p, end);
		else if (m->literal == 0 && starts && *p != '\n')
			next = lone_address(m, p, end);
		p = next != NULL ? next : plain(m, p, end);
	}
}

const char *
wordpress_html(struct ctx *c, const struct wxr *wxr, const char *text, struct notes *notes)
{
	struct markup m = { .c = c,
		.wxr = wxr,
		.notes = notes,
		.classic = strstr(text, "<!-- wp:") == NULL,
		.after_block = true };

	buf_init(&m.out, c->arena, 16 * strlen(text) + (1 << 20));
	convert(&m, text, text + strlen(text));
	return m.out.data;
}

/* ---- an item as a post */

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
