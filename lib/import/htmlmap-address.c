#include "import/htmlmap.h"

#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/ctx.h"
#include "base/fileio.h"
#include "base/percent.h"
#include "content/url.h"

/* Without blanks around it, those inside and line ends percent-encoded or gone
 * as browsers do it. */
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

static bool
has_scheme(const char *address)
{
	size_t n = strspn(address, "abcdefghijklmnopqrstuvwxyz"
	    "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+.-");

	return n > 0 && address[n] == ':';
}

/* A relative address against the website; NULL when there is none. */
static const char *
resolved(struct htmlmap *m, const char *address)
{
	const char *website = m->options->settings->website;

	if (website == NULL)
		return NULL;
	return url_resolve(m->c->arena,
	    arena_printf(m->c->arena, "%s/", website), address);
}

const char *
htmlmap_link(struct htmlmap *m, const char *href)
{
	const char *address = trimmed(m, href), *clean = NULL, *why;

	if (address[0] == '#') {
		clean = url_clean(m->c->arena, address, strlen(address));
		why = "an empty fragment";
	} else if (has_scheme(address)) {
		clean = url_clean(m->c->arena, address, strlen(address));
		why = "only http, https and mailto addresses are kept";
	} else if (address[0] == '\0') {
		why = "it has no address";
	} else if (m->options->settings->website == NULL) {
		why = "it is relative, and the workspace has no website";
	} else {
		address = resolved(m, address);
		if (address != NULL)
			clean = url_clean(m->c->arena, address,
			    strlen(address));
		why = "its address is not valid";
	}
	if (clean == NULL)
		losses_add(m->losses, m->line,
		    "the link to \"%s\" stays as text: %s",
		    losses_excerpt(m->c, href, 200), why);
	return clean;
}

/* A relative address as the name of a file: without query and fragment,
 * decoded; NULL when it cannot be one. */
static const char *
file_name(struct htmlmap *m, const char *address)
{
	size_t len = strcspn(address, "?#");

	if (address[0] == '/' || len == 0)
		return NULL;
	return percent_decode(m->c->arena, address, len);
}

/* The picture file that a relative address names from the document's folder;
 * NULL when there is none, or it cannot be stored (a note). */
static struct stored_image *
stored_file(struct htmlmap *m, const char *address)
{
	const struct document_options *options = m->options;
	const char *name = file_name(m, address);

	if (name == NULL || options->path == NULL || options->store == NULL)
		return NULL;
	return options->store(options->store_arg, m->notes,
	    arena_printf(m->c->arena, "%s/%s",
		fileio_folder(m->c->arena, options->path), name));
}

/* The name of a stored picture: media:<digest>.<ext>. */
static bool
is_media(const char *address)
{
	static const char *const extensions[] = { ".png", ".jpg", ".webp",
		".gif" };

	if (strncmp(address, "media:", 6) != 0 ||
	    strspn(address + 6, "0123456789abcdef") != 64)
		return false;
	for (size_t i = 0; i < sizeof(extensions) / sizeof(*extensions); i++) {
		if (strcmp(address + 6 + 64, extensions[i]) == 0)
			return true;
	}
	return false;
}

/* What `src` names: a stored picture, a file beside the document, an address.
 * NULL with a loss when it is none of these. */
static struct stored_image *
find_image(struct htmlmap *m, const char *src)
{
	struct stored_image *image = arena_alloc(m->c->arena, sizeof(*image));
	const char *address = trimmed(m, src), *why;
	struct stored_image *stored;

	image->url = is_media(address) ? address : NULL;
	if (image->url == NULL && m->options->remote != NULL) {
		stored = m->options->remote(m->options->store_arg, m->notes,
		    address);
		if (stored != NULL)
			return stored;
	}
	why = "only http and https addresses are kept";
	if (image->url == NULL && has_scheme(address)) {
		image->url = url_clean_web(m->c->arena, address);
	} else if (image->url == NULL) {
		stored = stored_file(m, address);
		if (stored != NULL)
			return stored;
		address = address[0] == '\0' ? NULL : resolved(m, address);
		if (address != NULL)
			image->url = url_clean_web(m->c->arena, address);
		why = "it is no file beside the document, and the workspace"
		    " has no website";
	}
	if (image->url != NULL)
		return image;
	losses_add(m->losses, m->line, "the picture \"%s\" was dropped: %s",
	    losses_excerpt(m->c, src, 200), why);
	return NULL;
}

bool
htmlmap_image(struct htmlmap *m, const char *src, struct image *out)
{
	struct stored_image *image = find_image(m, src);

	if (image == NULL)
		return false;
	out->url = image->url;
	out->width = image->width;
	out->height = image->height;
	return true;
}

struct stored_image *
htmlmap_cover(struct ctx *c, const struct document_options *options,
    struct losses *losses, struct notes *notes, unsigned line, const char *src)
{
	struct htmlmap m = { .c = c, .options = options, .losses = losses,
		.notes = notes, .line = line };

	return find_image(&m, src);
}
