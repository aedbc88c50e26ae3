#include "access/sites.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "access/pages-settings.h"
#include "access/workspace.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "base/fileio.h"
#include "base/log.h"
#include "store/db.h"
#include "system/conf.h"
#include "system/filelock.h"
#include "system/instance.h"
#include "system/zone.h"

#define SITES_ID 36 /* characters of a site's id, hexadecimal digits */

/* ---- writing the list */

#define LIST_MAX ((size_t)256 * 1024 * 1024)
#define DAY_S INT64_C(86400)
#define LOOK_DAYS 400 /* a zone that changes its offset does so within a year */

/* What a line says of a time zone. Most workspaces are in a few zones, so they are kept. */
struct offsets {
	const char *zone;
	char text[64]; /* "OFFSET CHANGES_AT LATER_OFFSET" */
	struct offsets *next;
};

/* Finds the first second after `from` at which the zone's offset is not what it was. */
static int64_t
change_of(const struct tzif *rules, int64_t from)
{
	int32_t offset = tzif_offset(rules, from);
	int64_t same = from, other = from;

	for (int i = 0; i < LOOK_DAYS && tzif_offset(rules, other) == offset; i++) {
		same = other;
		other += DAY_S;
	}
	if (tzif_offset(rules, other) == offset)
		return 0;
	while (other - same > 1) {
		int64_t middle = same + (other - same) / 2;
		if (tzif_offset(rules, middle) == offset)
			same = middle;
		else
			other = middle;
	}
	return other;
}

/* A zone that this machine does not know any more counts as UTC. */
static struct offsets *
add_offsets(struct ctx *c, struct offsets **known, const char *name, int64_t now_s)
{
	struct offsets *o = arena_alloc(c->arena, sizeof(*o));
	struct zone zone;
	int64_t changes_at = 0;
	int32_t offset = 0, later = 0;

	if (zone_load(c, name, &zone) && !zone.utc) {
		offset = later = tzif_offset(&zone.rules, now_s);
		changes_at = change_of(&zone.rules, now_s);
		if (changes_at != 0)
			later = tzif_offset(&zone.rules, changes_at);
	}
	o->zone = arena_text(c->arena, name);
	(void)snprintf(o->text, sizeof(o->text), "%" PRId32 " %" PRId64 " %" PRId32, offset,
	    changes_at, later);
	o->next = *known;
	*known = o;
	return o;
}

static const char *
offsets_of(struct ctx *c, struct offsets **known, const char *name, int64_t now_s)
{
	struct offsets *o = *known;

	while (o != NULL && strcmp(o->zone, name) != 0)
		o = o->next;
	return (o != NULL ? o : add_offsets(c, known, name, now_s))->text;
}

/* Returns the origin at which people read pages; "" where no address is set. */
static const char *
pages_origin(struct ctx *c)
{
	const char *address = c->conf != NULL ? pages_address(c) : NULL;
	const char *host = address != NULL ? strstr(address, "://") : NULL;

	return host == NULL ? ""
			    : arena_text_n(c->arena, address,
				  (size_t)(host - address) + 3 + strcspn(host + 3, "/"));
}

static void
list(struct ctx *c, struct buf *out)
{
	struct stmt *q =
	    db_prepare(c, "SELECT w.analytics_site_id, w.uuid, w.id,"
			  " w.analytics_origins, a.verified FROM workspace w /*scan*/"
			  " JOIN account a ON a.id = w.account_id"
			  " WHERE w.analytics_enabled = 1 AND w.deleted_at IS NULL"
			  " AND a.suspended = 0 ORDER BY w.analytics_site_id /*sort*/");
	const char *pages = pages_origin(c);
	struct offsets *known = NULL;

	while (db_row(q)) {
		const char *origins = db_text(q, 3);
		int64_t id = db_int(q, 2);

		buf_printf(out, "%s %s %s", db_text(q, 0), db_text(q, 1),
		    offsets_of(c, &known, time_zone_of(c, id), clock_now() / CLOCK_SECOND));
		if (origins[0] != '\0')
			buf_printf(out, " %s", origins);
		if (pages[0] != '\0' && db_int(q, 4) != 0 && word_of(c, id)[0] != '\0')
			buf_printf(out, " %s", pages);
		buf_add_char(out, '\n');
	}
}

/* Returns whether the list says so already. */
static bool
is_written(struct ctx *c, const char *path, const struct buf *text)
{
	size_t len;
	const char *present = fileio_read(c->arena, path, LIST_MAX, &len);

	return present != NULL && len == text->len && memcmp(present, text->data, len) == 0;
}

/* Waits for the lock: the next writer reads what the one before has committed. -1 if there is
 * none. */
static int
hold(const char *folder, const char *path)
{
	int lock = fileio_make_folder(folder, 0700) ? filelock_wait(path, false) : -1;

	if (lock < 0)
		log_line("%s: %s", folder, strerror(errno));
	return lock;
}

void
sites_write(struct ctx *c)
{
	const char *folder = sites_folder(c);
	const char *path = fileio_path(c->arena, folder, "list");
	int lock = hold(folder, fileio_path(c->arena, folder, "lock"));
	struct buf text;

	if (lock < 0)
		return;
	buf_init(&text, c->arena, LIST_MAX);
	db_begin_read(c, DB_CONTENT);
	list(c, &text);
	db_end_read(c);
	if (!is_written(c, path, &text) &&
	    !fileio_replace(c->arena, path, text.data, text.len, 0600))
		log_line("%s: %s", path, strerror(errno));
	filelock_release(lock);
}

/* Who writes the list has the lock from before its look: one that waits finds the store closed. */
void
sites_remove(struct ctx *c)
{
	const char *folder = sites_folder(c);
	const char *path = fileio_path(c->arena, folder, "list");
	int lock = hold(folder, fileio_path(c->arena, folder, "lock"));

	if (lock < 0)
		return;
	if (unlink(path) != 0 && errno != ENOENT)
		log_line("%s: %s", path, strerror(errno));
	filelock_release(lock);
}

/* ---- reading it: no database */

const char *
sites_folder(struct ctx *c)
{
	return fileio_path(c->arena, c->instance->run, "sites");
}

/* Returns the beginning of the line that holds `at`. */
static const char *
line_of(const char *text, const char *at)
{
	while (at > text && at[-1] != '\n')
		at--;
	return at;
}

/* Finds the line that begins with the id: lines are in the order of their ids. Returns NULL if
 * there is none. */
static const char *
find_line(const char *text, size_t len, const char *id)
{
	const char *from = text, *to = text + len;

	while (from < to) {
		const char *line = line_of(from, from + (to - from) / 2);
		const char *end = memchr(line, '\n', (size_t)(to - line));
		int order;

		if (end == NULL || end - line <= SITES_ID)
			return NULL;
		order = memcmp(id, line, SITES_ID);
		if (order == 0)
			return line;
		if (order < 0)
			to = line;
		else
			from = end + 1;
	}
	return NULL;
}

/* Reads the number at *at, and moves past the space that follows. */
static int64_t
read_number(char **at)
{
	int64_t number = strtoll(*at, at, 10);

	*at += **at == ' ';
	return number;
}

/* Reads a line after its id: "WORKSPACE OFFSET CHANGES_AT LATER_OFFSET ORIGIN …". */
static bool
read_line(char *at, struct site *out)
{
	if (at[0] != ' ' || strlen(at) < UUID_TEXT + 1 || at[UUID_TEXT] != ' ')
		return false;
	at[UUID_TEXT] = '\0';
	if (!uuid_parse(at + 1, out->workspace))
		return false;
	at += UUID_TEXT + 1;
	out->offset_s = read_number(&at);
	out->changes_at = read_number(&at);
	out->later_offset_s = strtoll(at, &at, 10);
	out->origins = at;
	return *at == '\0' || *at == ' ';
}

static bool
find_in(struct ctx *c, const char *text, size_t len, const char *id, struct site *out)
{
	const char *line = find_line(text, len, id), *end;

	if (line == NULL)
		return false;
	end = memchr(line, '\n', len - (size_t)(line - text));
	line += SITES_ID;
	return read_line(arena_text_n(c->arena, line, (size_t)(end - line)), out);
}

/* Opens the list; -1 if there is none, and the log says so. */
static int
open_list(const char *path)
{
	int fd = fileio_open(path, O_RDONLY | O_NOFOLLOW);

	if (fd >= 0)
		return fd;
	if (errno == ENOENT)
		log_line(
		    "%s is missing: the task runner writes it, unless this instance has moved to another store",
		    path);
	else
		log_line("%s: %s", path, strerror(errno));
	return -1;
}

enum sites_found
sites_find(struct ctx *c, const char *id, struct site *out)
{
	const char *path = fileio_path(c->arena, sites_folder(c), "list");
	char *text = MAP_FAILED;
	struct stat st;
	bool found;
	int fd = open_list(path);

	if (fd < 0)
		return SITES_UNKNOWN;
	if (fstat(fd, &st) == 0 && st.st_size == 0) {
		close(fd);
		return SITES_NONE;
	}
	/* Of a long list a few pages are looked at. It is replaced, never written. */
	text = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	close(fd);
	if (text == MAP_FAILED) {
		log_line("%s: %s", path, strerror(errno));
		return SITES_UNKNOWN;
	}
	found = strlen(id) == SITES_ID && find_in(c, text, (size_t)st.st_size, id, out);
	munmap(text, (size_t)st.st_size);
	return found ? SITES_FOUND : SITES_NONE;
}

bool
sites_has_origin(const struct site *s, const char *origin)
{
	size_t len = strlen(origin);
	const char *at = s->origins;

	while (len > 0 && *at == ' ') {
		size_t n = strcspn(++at, " ");
		if (n == len && memcmp(at, origin, len) == 0)
			return true;
		at += n;
	}
	return false;
}

int64_t
sites_local(const struct site *s, int64_t at)
{
	bool later = s->changes_at != 0 && at >= s->changes_at * CLOCK_SECOND;

	return at + (later ? s->later_offset_s : s->offset_s) * CLOCK_SECOND;
}
