#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/ctx.h"
#include "base/encoding.h"
#include "content/url.h"
#include "import/htmlmap.h"

/* ---- addresses of links */

/* Returns the address as browsers read it: spaces around it and ends of lines are
 * removed, spaces inside it are percent-encoded. */
static const char *
trimmed(struct htmlmap *m, const char *address)
{
	const char *end = address + strlen(address);
	struct buf out;

	while (*address != '\0' && (unsigned char)*address <= ' ')
		address++;
	while (end > address && (unsigned char)end[-1] <= ' ')
		end--;
	buf_init(&out, m->c->arena, 3 * (size_t)(end - address) + 1);
	for (; address < end; address++) {
		if (*address == ' ')
			buf_lit(&out, "%20");
		else if (*address == '\\')
			buf_lit(&out, "%5C");
		else if (*address != '\n' && *address != '\t')
			buf_add_char(&out, *address);
	}
	return out.data;
}

/* Returns whether an address is absolute: it begins with a scheme and a colon. */
static bool
has_scheme(const char *address)
{
	size_t n =
	    strspn(address, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+.-");

	return n > 0 && address[n] == ':';
}

/* Resolves a relative address against the website. Returns NULL if there is no
 * website. */
static const char *
resolved(struct htmlmap *m, const char *address)
{
	const char *website = m->options->settings->website;

	if (website == NULL)
		return NULL;
	return url_resolve(m->c->arena, arena_printf(m->c->arena, "%s/", website), address);
}

/* Returns the value of a parameter of an address, decoded; NULL without it. */
static const char *
parameter(struct htmlmap *m, const char *address, const char *name)
{
	const char *p = strchr(address, '?');
	size_t len = strlen(name);

	while (p != NULL && *p != '\0' && *p != '#') {
		p++;
		if (strncmp(p, name, len) == 0 && p[len] == '=')
			return percent_decode(m->c->arena, p + len + 1, strcspn(p + len + 1, "&#"));
		p += strcspn(p, "&#");
	}
	return NULL;
}

/* Programs whose documents lead every link over an address of theirs. */
static const struct {
	const char *host; /* the beginning of it, or with a dot before it the end */
	const char *path, *parameter;
} redirects[] = {
	{ "www.google.", "/url?", "q" },
	{ "www.google.", "/url?", "url" },
	{ ".safelinks.protection.outlook.com", "/?", "url" },
};

/* Returns where a redirect leads; NULL if the clean address is not one of these, or leads to no
 * page of the web. */
static const char *
redirected(struct htmlmap *m, const char *clean)
{
	const char *host = url_host(m->c->arena, clean), *to;
	size_t len, suffix;

	for (size_t i = 0; host != NULL && i < sizeof(redirects) / sizeof(*redirects); i++) {
		len = strlen(host);
		suffix = strlen(redirects[i].host);
		if (redirects[i].host[0] == '.'
			? len <= suffix || strcmp(host + len - suffix, redirects[i].host) != 0
			: strncmp(host, redirects[i].host, suffix) != 0)
			continue;
		to = strchr(strstr(clean, "://") + 3, '/');
		if (to == NULL || strncmp(to, redirects[i].path, strlen(redirects[i].path)) != 0)
			continue;
		to = parameter(m, to, redirects[i].parameter);
		to = to == NULL ? NULL : url_clean_web(m->c->arena, to);
		if (to != NULL)
			return to;
	}
	return NULL;
}

/* Returns the clean address of a post's link without the redirects before it (a loss). */
static const char *
direct(struct htmlmap *m, const char *clean)
{
	const char *to, *end = clean;

	/* Each is part of the one before it, so this ends. */
	while ((to = redirected(m, end)) != NULL)
		end = to;
	if (end != clean)
		losses_add(m->losses, m->line, "the link leads to %s itself, not over %s",
		    losses_excerpt(m->c, end, 200), url_host(m->c->arena, clean));
	return end;
}

const char *
htmlmap_link(struct htmlmap *m, const char *href)
{
	const char *address = trimmed(m, href), *clean = NULL, *why;

	if (address[0] == '#') {
		clean = url_clean(m->c->arena, address, strlen(address));
		why = tr_mark("an empty fragment");
	} else if (has_scheme(address)) {
		clean = url_clean(m->c->arena, address, strlen(address));
		why = tr_mark("only http, https and mailto addresses are kept");
	} else if (address[0] == '\0') {
		why = tr_mark("it has no address");
	} else if (m->options->settings->website == NULL) {
		why = tr_mark("it is relative, and the workspace has no website");
	} else {
		address = resolved(m, address);
		if (address != NULL)
			clean = url_clean(m->c->arena, address, strlen(address));
		why = tr_mark("its address is not valid");
	}
	if (clean == NULL)
		losses_add(m->losses, m->line, tr_mark("the link to \"%s\" stays as text: %s"),
		    losses_excerpt(m->c, href, 200), tr_for(m->c, why));
	return clean == NULL || !m->options->posts ? clean : direct(m, clean);
}

/* ---- addresses of pictures */

/* Returns whether the address is the name of a stored picture:
 * media:<digest>.<ext>. */
static bool
is_media(const char *address)
{
	static const char *const extensions[] = { ".png", ".jpg", ".webp", ".gif" };

	if (strncmp(address, "media:", 6) != 0 || strspn(address + 6, "0123456789abcdef") != 64)
		return false;
	for (size_t i = 0; i < sizeof(extensions) / sizeof(*extensions); i++) {
		if (strcmp(address + 6 + 64, extensions[i]) == 0)
			return true;
	}
	return false;
}

/* Returns the picture that a relative address, or the name of a stored picture,
 * means. Returns NULL if it is missing or cannot be stored (a note). */
static struct stored_image *
stored(struct htmlmap *m, const char *address)
{
	const struct document_options *options = m->options;
	const char *name = percent_decode(m->c->arena, address, strcspn(address, "?#"));

	if (name == NULL || name[0] == '\0' || options->store == NULL)
		return NULL;
	return options->store(options->store_arg, m->notes, name);
}

/* Notes a missing picture, unless `before` shows that a note about it was already
 * added. */
static void
say_missing(struct htmlmap *m, const char *src, size_t before)
{
	const char *name = losses_excerpt(m->c, src, 200);

	m->notes->missing++;
	if (m->options->losses != NULL)
		losses_add(m->losses, m->line,
		    tr_mark(
			"the picture \"%s\" is not there; its alternative text is shown instead"),
		    name);
	if (m->options->losses != NULL || m->notes->count > before)
		return;
	if (m->line > 0)
		notes_add(m->notes, "missing picture %s, line %u", name, m->line);
	else
		notes_add(m->notes, "missing picture %s", name);
}

/* Finds a picture by the name under which it is stored. The name stays even if
 * its file cannot be read: an article that is edited must not lose a picture that
 * it had. */
static struct stored_image *
find_media(struct htmlmap *m, const char *address)
{
	size_t before = m->notes->count;
	struct stored_image *image = stored(m, address);

	if (image != NULL)
		return image;
	if (m->options->store != NULL)
		say_missing(m, address, before);
	image = arena_alloc(m->c->arena, sizeof(*image));
	image->url = address;
	return image;
}

/* Returns the web address of a post's picture, which stays where it is. A
 * relative one belongs to the old site. */
static const char *
web_address(struct htmlmap *m, const char *address)
{
	if (strncmp(address, "//", 2) == 0 && !m->options->posts)
		address = arena_printf(m->c->arena, "https:%s", address);
	else if (!has_scheme(address))
		address = resolved(m, address);
	return address == NULL ? NULL : url_clean_web(m->c->arena, address);
}

/* Finds what `src` names: a stored picture, a file beside the document, or an
 * address. Returns NULL, with a loss or a note, if it is none of these. */
static struct stored_image *
find_image(struct htmlmap *m, const char *src)
{
	const char *address = trimmed(m, src);
	struct stored_image *image = NULL;
	size_t before = m->notes->count;

	if (is_media(address) && !m->options->posts)
		return find_media(m, address);
	if (m->options->remote != NULL)
		image = m->options->remote(m->options->store_arg, m->notes, address);
	else if (address[0] != '\0' && !has_scheme(address) && strncmp(address, "//", 2) != 0) {
		image = stored(m, address);
		if (image == NULL) {
			say_missing(m, src, before);
			return NULL;
		}
	}
	if (image != NULL)
		return image;
	image = arena_alloc(m->c->arena, sizeof(*image));
	if (address[0] != '\0')
		image->url = web_address(m, address);
	if (image->url != NULL)
		return image;
	losses_add(m->losses, m->line,
	    tr_mark("the picture \"%s\" was dropped: only http and https addresses are kept"),
	    losses_excerpt(m->c, src, 200));
	return NULL;
}

bool
htmlmap_image(struct htmlmap *m, const char *src, struct image *out)
{
	struct stored_image *image = find_image(m, src);

	if (image == NULL)
		return false;
	out->url = image->url;
	/* Such a name comes from an article, whose size is told elsewhere. */
	if (is_media(trimmed(m, src)))
		return true;
	out->width = image->width;
	out->height = image->height;
	return true;
}

struct stored_image *
htmlmap_cover(struct ctx *c, const struct document_options *options, struct losses *losses,
    struct notes *notes, unsigned line, const char *src)
{
	struct htmlmap m = {
		.c = c, .options = options, .losses = losses, .notes = notes, .line = line
	};

	return find_image(&m, src);
}

/* ---- parts of a line */

/* Returns how long the bare address at `p` is; 0 if there is none. It ends before the
 * punctuation after it, and before a parenthesis that it does not open. */
static size_t
bare_address(const char *p)
{
	size_t len, scheme = strncmp(p, "https://", 8) == 0  ? 8
			     : strncmp(p, "http://", 7) == 0 ? 7
			     : strncmp(p, "www.", 4) == 0    ? 4
							     : 0;
	int open = 0;

	if (scheme == 0 || !isalnum((unsigned char)p[scheme]))
		return 0;
	for (len = scheme; (unsigned char)p[len] > ' ' && strchr("<>\"", p[len]) == NULL; len++) {
		open += (p[len] == '(') - (p[len] == ')');
		if (open < 0)
			break;
	}
	while (len > scheme && strchr(".,;:!?*_~'", p[len - 1]) != NULL)
		len--;
	return len > scheme ? len : 0;
}

/* Adds a text of a post. A bare address in it becomes a link, as in Markdown. */
static void
text_of_post(struct htmlmap *m, const char *text)
{
	struct arena *a = m->c->arena;

	for (const char *p = text; *p != '\0'; p++) {
		size_t len = p > text && isalnum((unsigned char)p[-1]) ? 0 : bare_address(p);
		const char *typed, *full, *address = NULL;
		if (len == 0)
			continue;
		typed = arena_text_n(a, p, len);
		full = *p == 'w' ? arena_printf(a, "http://%s", typed) : typed;
		if (url_clean(a, full, strlen(full)) != NULL)
			address = htmlmap_link(m, full);
		/* What is no address is passed as a whole: a long one would be copied for each
		 * address within it. */
		if (address == NULL) {
			p += len - 1;
			continue;
		}
		pieces_text(&m->pieces, arena_text_n(a, text, (size_t)(p - text)));
		pieces_open(&m->pieces, INLINE_LINK, address);
		pieces_text(&m->pieces, typed);
		pieces_close(&m->pieces, INLINE_LINK_END);
		text = p + len;
		p = text - 1;
	}
	pieces_text(&m->pieces, text);
}

static void
text(struct htmlmap *m, const GumboNode *node)
{
	const char *p = node->v.text.text;

	if (node == m->begun)
		p += m->skip;
	if (m->options->posts && !m->pieces.link)
		text_of_post(m, p);
	else
		pieces_text(&m->pieces, p);
	/* Here the site's own program would insert something. */
	if (strstr(p, "{%") != NULL || strstr(p, "{{") != NULL)
		losses_add(
		    m->losses, m->line, tr_mark("a template's mark ({%% or {{) stays as text"));
}

/* Adds the content of an element between the two ends of a mark. */
static void
marked(struct htmlmap *m, const GumboNode *node, enum inline_event open, enum inline_event end)
{
	pieces_open(&m->pieces, open, NULL);
	htmlmap_inlines(m, node);
	pieces_close(&m->pieces, end);
}

/* Adds a link. It keeps its text if its address is refused. */
static void
link(struct htmlmap *m, const GumboNode *node)
{
	const char *href = node_attribute(node, "href");
	const char *title = node_attribute(node, "title");
	const char *address = NULL;

	if (title != NULL && title[0] != '\0')
		losses_add(m->losses, m->line, tr_mark("the title of a link was dropped: \"%s\""),
		    losses_excerpt(m->c, title, 60));
	if (href != NULL)
		address = htmlmap_link(m, href);
	if (address != NULL && !m->pieces.link) {
		pieces_open(&m->pieces, INLINE_LINK, address);
		htmlmap_inlines(m, node);
		pieces_close(&m->pieces, INLINE_LINK_END);
	} else {
		htmlmap_inlines(m, node);
	}
}

/* Returns a size in pixels, or 0 if the attribute is absent or not such a number. */
static int64_t
pixels(const GumboNode *node, const char *name)
{
	const char *value = node_attribute(node, name);
	char *end;
	long n;

	if (value == NULL || value[0] < '1' || value[0] > '9')
		return 0;
	n = strtol(value, &end, 10);
	return (*end == '\0' || strcmp(end, "px") == 0) && n <= 100000 ? n : 0;
}

/* Returns a picture's caption: its title, which is literal text. */
static const char *
title_caption(struct htmlmap *m, const GumboNode *node)
{
	const char *title = node_attribute(node, "title");
	struct pieces pieces;

	if (title == NULL)
		return NULL;
	pieces_init(&pieces, m->c, m->losses);
	pieces.line = m->line;
	pieces_text(&pieces, title);
	return htmlmap_fits(m, pieces_end(&pieces));
}

/* Returns an attribute as one line of literal text, or "" if it shows nothing. */
static const char *
plain_line(struct htmlmap *m, const char *value)
{
	struct pieces pieces;
	const char *line;

	if (value == NULL)
		return "";
	pieces_init(&pieces, m->c, m->losses);
	pieces.line = m->line;
	pieces_text(&pieces, value);
	line = pieces_end(&pieces);
	return line == NULL ? "" : inline_plain(m->c->arena, line);
}

/* A picture becomes a block after the text around it. A picture that cannot be
 * found leaves its alternative text. */
static void
image(struct htmlmap *m, const GumboNode *node)
{
	const char *src = node_attribute(node, "src");
	struct image image = { 0 };
	struct flow_block *block;

	image.alt = htmlmap_fits(m, plain_line(m, node_attribute(node, "alt")));
	if (src == NULL || !htmlmap_image(m, src, &image)) {
		m->losses->pictures++;
		pieces_text(&m->pieces, image.alt);
		return;
	}
	if (image.width == 0 && pixels(node, "width") > 0 && pixels(node, "height") > 0) {
		image.width = pixels(node, "width");
		image.height = pixels(node, "height");
	}
	image.caption = title_caption(m, node);
	block = flow_add(m->c, &m->images, BLOCK_IMAGE, m->line);
	block->image = image;
}

/* Returns the address of what an element shows from elsewhere, or NULL. */
static const char *
embedded_source(const GumboNode *node)
{
	const GumboVector *children = htmlmap_children(node);
	const char *src = node_attribute(node, "src");

	if (src == NULL)
		src = node_attribute(node, "data");
	for (unsigned i = 0; i < children->length && src == NULL; i++) {
		if (htmlmap_tag(children->data[i]) == GUMBO_TAG_SOURCE)
			src = node_attribute(children->data[i], "src");
	}
	return src;
}

/* Turns an element that shows something from elsewhere into a link, if the
 * document is a post and the address is allowed; else drops it. Both are losses. */
static void
embedded(struct htmlmap *m, const GumboNode *node)
{
	const char *src = embedded_source(node), *address = NULL;

	if (m->options->posts && src != NULL && !m->pieces.link)
		address = htmlmap_link(m, src);
	if (address != NULL) {
		losses_add(
		    m->losses, m->line, tr_mark("<%s> became a link"), htmlmap_name(m, node));
		pieces_open(&m->pieces, INLINE_LINK, address);
		pieces_text(&m->pieces, address);
		pieces_close(&m->pieces, INLINE_LINK_END);
		return;
	}
	if (src != NULL)
		losses_add(m->losses, m->line, tr_mark("<%s> %s was dropped"),
		    htmlmap_name(m, node), losses_excerpt(m->c, src, 200));
	else
		losses_add(m->losses, m->line, tr_mark("<%s> was dropped"), htmlmap_name(m, node));
	htmlmap_inlines(m, node);
}

/* Adds a block where only text can be: its text becomes lines of its own. An item
 * of a list gets a bullet. */
static void
block_as_line(struct htmlmap *m, const GumboNode *node)
{
	void (*end)(struct pieces * pieces) =
	    htmlmap_tag(node) == GUMBO_TAG_P ? pieces_paragraph : pieces_line;

	if (htmlmap_tag(node) != GUMBO_TAG_P && htmlmap_tag(node) != GUMBO_TAG_LI)
		losses_add(m->losses, m->line,
		    tr_mark("<%s> became lines of text: nothing else can stand there"),
		    htmlmap_name(m, node));
	end(&m->pieces);
	if (htmlmap_tag(node) == GUMBO_TAG_LI)
		pieces_text(&m->pieces, "• ");
	htmlmap_inlines(m, node);
	end(&m->pieces);
}

/* Adds text that is struck out (a loss). A text has no mark for it (docs/export.md §5), and
 * without any the meaning would be the opposite: a price that is no more would be the price. So
 * the signs of Markdown stay around it. */
static void
struck(struct htmlmap *m, const GumboNode *node)
{
	const char *inside = htmlmap_text(m, node);
	bool shows = inside[strspn(inside, " \t\n")] != '\0';

	losses_add(m->losses, m->line,
	    tr_mark("struck-out text is kept with ~~ around it, which readers see"));
	if (shows)
		pieces_text(&m->pieces, "~~");
	htmlmap_inlines(m, node);
	if (shows)
		pieces_text(&m->pieces, "~~");
}

/* Drops a tag that has no meaning here, and keeps its text (a loss). Only <cite
 * data-id> of from-markdown.h is a citation. */
static void
dropped_tag(struct htmlmap *m, const GumboNode *node)
{
	GumboTag tag = htmlmap_tag(node);
	const char *cite = node_attribute(node, "data-id");
	long number;

	if (tag == GUMBO_TAG_UNKNOWN && cite != NULL &&
	    strcmp(htmlmap_name(m, node), "cite") == 0) {
		number = strtol(cite, NULL, 10);
		if (number > 0 && (size_t)number <= m->html->note_count)
			pieces_cite(&m->pieces, m->cites[number - 1]);
		return;
	}
	if (tag == GUMBO_TAG_DEL || tag == GUMBO_TAG_S || tag == GUMBO_TAG_STRIKE) {
		struck(m, node);
		return;
	}
	if (tag == GUMBO_TAG_INPUT)
		losses_add(m->losses, m->line, tr_mark("<input> was dropped"));
	else
		losses_add(m->losses, m->line, tr_mark("the tag <%s> was dropped, its text kept"),
		    htmlmap_name(m, node));
	htmlmap_inlines(m, node);
}

/* Code, keyboard input and sample output become code. Those that contain
 * something that code cannot hold become plain text. */
static void
code(struct htmlmap *m, const GumboNode *node)
{
	if (htmlmap_tag(node) != GUMBO_TAG_CODE)
		losses_add(
		    m->losses, m->line, tr_mark("the tag <%s> became code"), htmlmap_name(m, node));
	if (htmlmap_has_solid(node)) {
		htmlmap_inlines(m, node);
		return;
	}
	pieces_code(&m->pieces, htmlmap_text(m, node));
}

/* Adds an element within a text: it becomes a mark, code, a link, a picture,
 * quotation marks or a line break, or only its content stays. */
static void
element(struct htmlmap *m, const GumboNode *node)
{
	switch (htmlmap_tag(node)) {
	case GUMBO_TAG_STRONG:
	case GUMBO_TAG_B:
		marked(m, node, INLINE_STRONG, INLINE_STRONG_END);
		break;
	case GUMBO_TAG_EM:
	case GUMBO_TAG_I:
		marked(m, node, INLINE_EMPHASIS, INLINE_EMPHASIS_END);
		break;
	case GUMBO_TAG_CITE:
	case GUMBO_TAG_DFN:
	case GUMBO_TAG_VAR:
		losses_add(m->losses, m->line, tr_mark("the tag <%s> became emphasis"),
		    htmlmap_name(m, node));
		marked(m, node, INLINE_EMPHASIS, INLINE_EMPHASIS_END);
		break;
	case GUMBO_TAG_CODE:
	case GUMBO_TAG_KBD:
	case GUMBO_TAG_SAMP:
	case GUMBO_TAG_TT:
		code(m, node);
		break;
	case GUMBO_TAG_A:
		link(m, node);
		break;
	case GUMBO_TAG_BR:
		pieces_break(&m->pieces);
		break;
	case GUMBO_TAG_WBR:
	case GUMBO_TAG_SOURCE:
		htmlmap_inlines(m, node);
		break;
	case GUMBO_TAG_IMG:
		image(m, node);
		break;
	case GUMBO_TAG_Q:
		pieces_text(&m->pieces, "“");
		htmlmap_inlines(m, node);
		pieces_text(&m->pieces, "”");
		break;
	case GUMBO_TAG_IFRAME:
	case GUMBO_TAG_VIDEO:
	case GUMBO_TAG_AUDIO:
	case GUMBO_TAG_OBJECT:
	case GUMBO_TAG_EMBED:
		embedded(m, node);
		break;
	default:
		dropped_tag(m, node);
	}
}

void
htmlmap_inline(struct htmlmap *m, const GumboNode *node)
{
	if (m->err != NULL || node == m->left_out)
		return;
	htmlmap_line(m, node);
	if (node->type == GUMBO_NODE_TEXT || node->type == GUMBO_NODE_CDATA ||
	    node->type == GUMBO_NODE_WHITESPACE)
		text(m, node);
	else if (htmlmap_is_block(node))
		block_as_line(m, node);
	else if (node->type == GUMBO_NODE_ELEMENT)
		element(m, node);
}

void
htmlmap_inlines(struct htmlmap *m, const GumboNode *node)
{
	const GumboVector *children = htmlmap_children(node);

	for (unsigned i = 0; i < children->length; i++)
		htmlmap_inline(m, children->data[i]);
}

const char *
htmlmap_text_of(struct htmlmap *m, const GumboNode *node)
{
	htmlmap_inlines(m, node);
	return htmlmap_fits(m, pieces_end(&m->pieces));
}

const char *
htmlmap_line_of(struct htmlmap *m, const GumboNode *node)
{
	const char *text = htmlmap_text_of(m, node);
	char *line;

	if (text == NULL || strchr(text, '\n') == NULL)
		return text;
	losses_add(
	    m->losses, m->line, tr_mark("a line's end in a heading or caption became a blank"));
	line = arena_text(m->c->arena, text);
	for (char *p = line; *p != '\0'; p++) {
		if (*p == '\n')
			*p = ' ';
	}
	return line;
}
