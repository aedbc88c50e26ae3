#include "import/html/htmlmap.h"

#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/ctx.h"
#include "base/percent.h"
#include "content/url.h"

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
