#include "import/import-pictures.h"
#include "import/pictures.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "base/fileio.h"
#include "base/percent.h"
#include "content/url.h"

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
