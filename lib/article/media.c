#include "article/media.h"

#include <blake2.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "article/thumbs.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "base/digest.h"
#include "base/fileio.h"
#include "base/log.h"
#include "content/snapshot.h"
#include "store/db.h"
#include "store/hosts.h"
#include "system/fault.h"
#include "system/filelock.h"
#include "system/instance.h"

#define DIGEST_BYTES 32
#define HOUR_S 3600
#define GONE_MAX 100 /* copies of one transaction: no writer waits for long */
#define SLACK ((size_t)64 * 1024) /* more than one picture needs in an arena */

/* Writes the plain BLAKE2b-256 of the bytes, as b2sum -l 256 prints it. */
static void
digest_of(const void *bytes, size_t len, char out[MEDIA_DIGEST])
{
	unsigned char digest[DIGEST_BYTES];

	blake2b(digest, bytes, NULL, sizeof(digest), len, 0);
	digest_hex(out, digest, sizeof(digest));
}

/* Returns whether the bytes are those that the name says. */
static bool
is_of_name(const char *name, const void *bytes, size_t len)
{
	char found[MEDIA_DIGEST];

	digest_of(bytes, len, found);
	return strncmp(name, found, MEDIA_DIGEST - 1) == 0;
}

/* ---- copies, where an instance has several hosts (docs/postgres.md §6) */

static bool
has_row(struct ctx *c, const char *digest)
{
	return db_exists(c, "SELECT 1 FROM media WHERE digest = :digest", db_t(":digest", digest));
}

/* Finds the bytes; what they are must be what the name says. */
static const void *
find(struct ctx *c, const char *name, size_t *len, const char **fault)
{
	const char *digest = media_digest_of(c, name);
	const void *bytes;

	*fault = "the database has no bytes of it";
	if (digest == NULL)
		return NULL;
	bytes = db_picture_find(c, digest, media_type_of(c, name), len);
	if (bytes != NULL && !is_of_name(name, bytes, *len)) {
		*fault = MEDIA_CHANGED;
		return NULL;
	}
	return bytes;
}

/* Gives the store the bytes of a picture whose file media_write() wrote and whose row is in the
 * table, unless it has them, whole: damaged ones are replaced. Does nothing where there is one
 * host. Dies of a passing failure if the file is gone. */
static void
media_cache_keep(struct ctx *c, const struct media *media)
{
	struct arena scratch, *kept = c->arena;
	const char *name = media->url + strlen("media:"), *fault;
	const void *bytes;
	size_t len;

	if (!db_has_hosts())
		return;
	arena_init(&scratch, 4 * PICTURE_BYTES_MAX + SLACK);
	c->arena = &scratch;
	if (find(c, name, &len, &fault) == NULL) {
		bytes = media_read(c, name, &len, &fault);
		if (bytes == NULL)
			die_passing(1, "%s: %s; try again", media_path(c, name), fault);
		db_pictures_add(c);
		db_picture_put(c, media->digest, bytes, len);
	}
	c->arena = kept;
	arena_release(&scratch);
}

const void *
media_cache_fetch(struct ctx *c, const char *name, size_t *len)
{
	const char *fault;
	const void *bytes = find(c, name, len, &fault);

	/* It is a copy: where it cannot be written, the next request asks the store, too. */
	if (bytes != NULL && !fileio_replace(c->arena, media_path(c, name), bytes, *len, 0644))
		log_line("%s: %s", media_path(c, name), strerror(errno));
	return bytes;
}

/* Returns what is wrong with the bytes that the store keeps of a row, or NULL. */
static const char *
media_cache_fault(struct ctx *c, const char *name, int64_t bytes)
{
	const char *fault;
	size_t len;

	if (find(c, name, &len, &fault) == NULL)
		return fault;
	return (int64_t)len == bytes ? NULL : "its row says another size";
}

static const char *
mark(struct ctx *c)
{
	return fileio_path(c->arena, c->instance->run, "media-swept");
}

static bool
is_older(const char *path, int64_t seconds)
{
	struct stat st;

	return lstat(path, &st) != 0 || st.st_mtime + seconds <= clock_now() / CLOCK_SECOND ||
	       st.st_mtime > clock_now() / CLOCK_SECOND + seconds;
}

bool
media_cache_is_due(struct ctx *c)
{
	if (!db_has_hosts() || !is_older(mark(c), HOUR_S))
		return false;
	if (!fileio_replace(c->arena, mark(c), "", 0, 0600))
		log_line("%s: %s", mark(c), strerror(errno));
	return true;
}

/* Returns whether a name is that of a picture which a process was writing: ".<digest>.<ext>.…". */
static bool
is_part(struct ctx *c, const char *name)
{
	const char *dot = strrchr(name, '.');

	return name[0] == '.' && dot != name &&
	       media_digest_of(c, arena_text_n(c->arena, name + 1, (size_t)(dot - name) - 1)) !=
		   NULL;
}

/* Finds copies without a row, at most GONE_MAX. Their names are in the arena `kept`. */
static size_t
look(struct ctx *c, struct arena *kept, const char *names[GONE_MAX])
{
	DIR *dir = opendir(c->instance->media);
	const struct dirent *entry;
	const char *digest, *small;
	size_t count = 0;

	db_begin_read(c, DB_CONTENT);
	while (dir != NULL && count < GONE_MAX && (entry = readdir(dir)) != NULL) {
		digest = media_digest_of(c, entry->d_name);
		small = thumb_digest_of(c, entry->d_name);
		if (digest == NULL && small == NULL && !is_part(c, entry->d_name))
			continue;
		if (!is_older(media_path(c, entry->d_name), HOUR_S) ||
		    (small != NULL && has_row(c, small)))
			continue;
		if (digest == NULL)
			(void)unlink(media_path(c, entry->d_name));
		else if (!has_row(c, digest))
			names[count++] = arena_text(kept, entry->d_name);
		arena_reset(c->arena);
	}
	db_commit(c);
	if (dir != NULL)
		closedir(dir);
	return count;
}

/* Removes them, unless a row came back meanwhile. Returns how many are gone: none while a backup
 * reads pictures. */
static size_t
remove_copies(struct ctx *c, const char *const *names, size_t count)
{
	pid_t holder;
	int held = filelock_take(fileio_path(c->arena, c->instance->run, "media.lock"), &holder);
	size_t gone = 0;

	if (held < 0)
		return 0;
	db_begin_write(c, DB_CONTENT, DB_CHANGES_NOTHING, 0, 0);
	for (size_t i = 0; i < count; i++)
		gone += media_remove(c, names[i]);
	db_commit(c);
	filelock_release(held);
	return gone;
}

size_t
media_cache_sweep(struct ctx *c)
{
	const char *names[GONE_MAX];
	struct arena scratch, *kept = c->arena;
	size_t all = 0, gone = GONE_MAX;

	while (gone == GONE_MAX) {
		size_t count;

		arena_init(&scratch, SLACK * 16);
		c->arena = &scratch;
		count = look(c, kept, names);
		c->arena = kept;
		arena_release(&scratch);
		gone = count > 0 ? remove_copies(c, names, count) : 0;
		all += gone;
	}
	return all;
}

/* ---- files and rows */

static const char *const extensions[] = { "png", "jpg", "webp", "gif" };

const char *
media_path(struct ctx *c, const char *name)
{
	return arena_printf(c->arena, "%s/%s", c->instance->media, name);
}

const char *
media_digest_of(struct ctx *c, const char *name)
{
	size_t hex = strspn(name, "0123456789abcdef");

	if (hex != MEDIA_DIGEST - 1 || name[hex] != '.')
		return NULL;
	for (size_t i = 0; i < sizeof(extensions) / sizeof(*extensions); i++) {
		if (strcmp(name + hex + 1, extensions[i]) == 0)
			return arena_text_n(c->arena, name, hex);
	}
	return NULL;
}

const char *
media_type_of(struct ctx *c, const char *name)
{
	const char *end = strrchr(name, '.') + 1;

	return arena_printf(c->arena, "image/%s", strcmp(end, "jpg") == 0 ? "jpeg" : end);
}

static bool
is_there(const char *path, size_t len)
{
	struct stat st;

	return stat(path, &st) == 0 && st.st_size == (off_t)len;
}

/* Returns the content of a plain file. A link or a pipe in its place is refused. */
static char *
read_plain(struct arena *a, const char *path, size_t max, size_t *len)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	char *bytes;
	int saved;

	if (fd < 0)
		return NULL;
	bytes = fileio_read_fd(a, fd, max, len);
	saved = errno;
	close(fd);
	errno = saved;
	return bytes;
}

/* Returns whether the file holds exactly these bytes. A file of that name and
 * size may be damaged; then the good bytes, which are here now, replace it. */
static bool
holds(const char *path, const void *bytes, size_t len)
{
	struct arena scratch;
	const char *found;
	bool same = false;
	size_t got;

	if (!is_there(path, len))
		return false;
	arena_init(&scratch, 2 * len + SLACK);
	found = read_plain(&scratch, path, len, &got);
	if (found != NULL)
		same = got == len && memcmp(found, bytes, len) == 0;
	arena_release(&scratch);
	return same;
}

static const char *
extension_of(const char *type)
{
	if (strcmp(type, "image/jpeg") == 0)
		return "jpg";
	return strncmp(type, "image/", 6) == 0 ? type + 6 : type;
}

/* Returns what an older release stored of the same source in another form than
 * `other`, if its file is whole. */
static bool
find_by_source(struct ctx *c, const char *source, const char *other, struct media *out)
{
	const char *fault;
	struct stmt *q;
	bool found;
	size_t len;

	db_begin_read(c, DB_CONTENT);
	q = db_prepare(c,
	    "SELECT digest, type, width, height, bytes FROM media"
	    " WHERE source_digest = :source AND digest <> :other",
	    db_t(":source", source), db_t(":other", other));
	found = db_row(q);
	if (found) {
		memcpy(out->digest, db_text(q, 0), MEDIA_DIGEST);
		out->type = db_text(q, 1);
		out->width = db_int(q, 2);
		out->height = db_int(q, 3);
		out->bytes = db_int(q, 4);
		out->url =
		    arena_printf(c->arena, "media:%s.%s", out->digest, extension_of(out->type));
	}
	db_reset(q);
	db_commit(c);
	return found && media_read(c, out->url + strlen("media:"), &len, &fault) != NULL;
}

void
media_of(struct ctx *c, const struct picture_clean *clean, struct media *out)
{
	digest_of(clean->bytes, clean->len, out->digest);
	out->url = arena_printf(c->arena, "media:%s.%s", out->digest, clean->is.extension);
	out->type = clean->is.type;
	out->width = clean->is.width;
	out->height = clean->is.height;
	out->bytes = (int64_t)clean->len;
	out->source[0] = '\0';
	out->staged = NULL;
}

struct err *
media_stage(struct ctx *c, const void *given, size_t len, const struct picture_clean *clean,
    struct media *out)
{
	struct media older = { .source = "" };
	const char *path;

	media_of(c, clean, out);
	if (clean->changed) {
		digest_of(given, len, out->source);
		if (find_by_source(c, out->source, out->digest, &older)) {
			*out = older;
			return NULL;
		}
	}
	path = media_path(c, out->url + strlen("media:"));
	if (holds(path, clean->bytes, clean->len)) {
		(void)FAULT("media-there");
		return NULL;
	}
	out->staged = fileio_stage(c->arena, path, clean->bytes, clean->len, 0644);
	if (out->staged == NULL)
		return refuse(c, ERR_INTERNAL, "%s: %s.", path, strerror(errno));
	(void)FAULT("media-staged");
	return NULL;
}

struct err *
media_write(struct ctx *c, const void *given, size_t len, const struct picture_clean *clean,
    struct media *out)
{
	struct err *err = media_stage(c, given, len, clean, out);
	const char *path;

	if (err != NULL || out->staged == NULL)
		return err;
	path = media_path(c, out->url + strlen("media:"));
	if (!fileio_place(c->arena, out->staged, path))
		return refuse(c, ERR_INTERNAL, "%s: %s.", path, strerror(errno));
	out->staged = NULL;
	(void)FAULT("media-written");
	return NULL;
}

void
media_insert(struct ctx *c, const struct media *media)
{
	const char *path = media_path(c, media->url + strlen("media:"));

	db_pictures_hold(c, false);
	if (db_has_hosts() && !has_row(c, media->digest))
		db_pictures_add(c);
	db_run(c,
	    "INSERT INTO media (digest, type, width, height, bytes, created_at, source_digest)"
	    " VALUES (:digest, :type, :width, :height, :bytes, :now, :source)"
	    " ON CONFLICT (digest) DO NOTHING",
	    db_t(":digest", media->digest), db_t(":type", media->type),
	    db_i(":width", media->width), db_i(":height", media->height),
	    db_i(":bytes", media->bytes), db_i(":now", c->now),
	    db_t(":source", media->source[0] == '\0' ? NULL : media->source));
	if (media->staged != NULL && !fileio_place(c->arena, media->staged, path))
		die("%s: %s", path, strerror(errno));
	if (!is_there(path, (size_t)media->bytes))
		die_passing(1, "%s was purged while it was being stored; try again", path);
	media_cache_keep(c, media);
	thumb_wish(c, media->url + strlen("media:"));
}

void
media_list(struct ctx *c, void (*each)(void *arg, const char *name), void *arg)
{
	struct stmt *q = db_prepare(c, "SELECT digest, type FROM media /*scan*/ /*many*/");

	while (db_row(q))
		each(arg,
		    arena_printf(c->arena, "%s.%s", db_text(q, 0), extension_of(db_text(q, 1))));
}

int
media_hold(struct ctx *c, bool alone)
{
	return filelock_wait(arena_printf(c->arena, "%s/media.lock", c->instance->run), !alone);
}

const char *
media_delete(struct ctx *c, const char *digest)
{
	struct stmt *q = db_prepare(
	    c, "DELETE FROM media WHERE digest = :digest RETURNING type", db_t(":digest", digest));
	const char *name = NULL;

	if (db_row(q))
		name = arena_printf(c->arena, "%s.%s", digest, extension_of(db_text(q, 0)));
	db_reset(q);
	return name;
}

bool
media_remove(struct ctx *c, const char *name)
{
	if (has_row(c, media_digest_of(c, name)))
		return false;
	thumb_remove(c, name);
	return unlink(media_path(c, name)) == 0 || (db_has_hosts() && errno == ENOENT);
}

bool
media_is_there(struct ctx *c, const char *name)
{
	const char *digest = media_digest_of(c, name);

	if (access(media_path(c, name), R_OK) == 0)
		return true;
	if (!db_has_hosts() || digest == NULL)
		return false;
	errno = ENOENT;
	return db_picture_is_there(c, digest);
}

static const void *
read_file(struct ctx *c, const char *name, size_t *len, const char **fault)
{
	const char *content = read_plain(c->arena, media_path(c, name), PICTURE_BYTES_MAX, len);

	if (content == NULL) {
		*fault = errno == EFBIG ? MEDIA_CHANGED : strerror(errno);
		return NULL;
	}
	if (is_of_name(name, content, *len)) {
		*fault = NULL;
		return content;
	}
	*fault = MEDIA_CHANGED;
	errno = EFBIG;
	return NULL;
}

const void *
media_read(struct ctx *c, const char *name, size_t *len, const char **fault)
{
	const void *content = read_file(c, name, len, fault);
	int saved = errno;

	if (content != NULL || !db_has_hosts())
		return content;
	content = media_cache_fetch(c, name, len);
	if (content != NULL)
		*fault = NULL;
	errno = saved;
	return content;
}

/* Returns what is wrong with the file of a row, or NULL. */
static const char *
fault_of(struct ctx *c, const char *name, int64_t bytes)
{
	const char *fault;
	size_t len;

	if (db_has_hosts())
		return media_cache_fault(c, name, bytes);
	if (media_read(c, name, &len, &fault) == NULL)
		return fault;
	return (int64_t)len == bytes ? NULL : "its row says another size";
}

/* Tells of damaged files that no row names: backups contain them. Of copies, tells of all that
 * are damaged: the web server serves them. */
static void
verify_others(
    struct ctx *c, struct arena *kept, bool (*tell)(void *arg, const char *problem), void *arg)
{
	DIR *dir = opendir(c->instance->media);
	const struct dirent *entry;
	const char *fault, *digest;
	size_t len;

	while (dir != NULL && (entry = readdir(dir)) != NULL) {
		digest = media_digest_of(c, entry->d_name);
		if (digest != NULL && (db_has_hosts() || !has_row(c, digest)) &&
		    read_file(c, entry->d_name, &len, &fault) == NULL)
			(void)tell(arg,
			    arena_printf(kept,
				db_has_hosts()
				    ? "media %s: %s: remove the file, which is a copy of what the database has"
				    : "media %s: %s; no article names it: remove the file",
				entry->d_name, fault));
		arena_reset(c->arena);
	}
	if (dir != NULL)
		closedir(dir);
}

void
media_verify(struct ctx *c, bool (*tell)(void *arg, const char *problem), void *arg)
{
	struct stmt *q = db_prepare(c, "SELECT digest, type, bytes FROM media /*scan*/ /*many*/");
	struct arena scratch, *kept = c->arena;
	bool more = true;

	arena_init(&scratch, 4 * PICTURE_BYTES_MAX);
	c->arena = &scratch;
	while (more && db_row(q)) {
		const char *name =
		    arena_printf(c->arena, "%s.%s", db_text(q, 0), extension_of(db_text(q, 1)));
		const char *fault = fault_of(c, name, db_int(q, 2));
		if (fault != NULL)
			(void)tell(arg, arena_printf(kept, "media %s: %s", name, fault));
		more = tell(arg, NULL);
		arena_reset(&scratch);
	}
	db_reset(q);
	if (more)
		verify_others(c, kept, tell, arg);
	arena_release(&scratch);
	c->arena = kept;
}

/* ---- type and size of what an article shows */

/* Asks for the row of a stored picture; NULL: the address is of none. */
static struct stmt *
ask(struct ctx *c, const char *url)
{
	struct stmt *q;

	if (url == NULL || strncmp(url, "media:", 6) != 0)
		return NULL;
	q = db_prepare(c, "SELECT type, width, height FROM media WHERE digest = :digest",
	    db_tn(":digest", url + 6, strcspn(url + 6, ".")));
	return q;
}

void
cover_fit(struct ctx *c, struct snapshot *s)
{
	struct stmt *q = ask(c, s->image);

	if (q == NULL)
		return;
	if (db_row(q)) {
		s->image_type = db_text(q, 0);
		s->image_width = db_int(q, 1);
		s->image_height = db_int(q, 2);
	}
	db_reset(q);
}

static void
fit_blocks(struct ctx *c, struct section *s)
{
	for (size_t i = 0; i < s->body_count; i++) {
		struct image *image = &s->body[i].image;
		struct stmt *q =
		    s->body[i].type == BLOCK_IMAGE && image->width == 0 ? ask(c, image->url) : NULL;
		if (q == NULL)
			continue;
		if (db_row(q)) {
			image->width = db_int(q, 1);
			image->height = db_int(q, 2);
		}
		db_reset(q);
	}
	for (size_t i = 0; i < s->subsection_count; i++)
		fit_blocks(c, &s->subsections[i]);
}

void
cover_fit_text(struct ctx *c, struct content *content)
{
	for (size_t i = 0; i < content->section_count; i++)
		fit_blocks(c, &content->sections[i]);
}
