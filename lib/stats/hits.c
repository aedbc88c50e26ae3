#include "stats/hits.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "base/log.h"
#include "stats/aged.h"
#include "stats/hit-sum.h"
#include "stats/hit.h"
#include "stats/view.h"
#include "store/db.h"
#include "system/fault.h"
#include "system/stop.h"

#define CHUNK ((size_t)1024 * 1024)
#define CHUNK_MEMORY ((size_t)64 * 1024 * 1024)
#define BUDGET (2 * CLOCK_SECOND)
#define WRITERS (5 * CLOCK_SECOND)

/* ---- segments */

/* Returns how many bytes of a segment are counted. *whole: all of it is. */
static int64_t
segment_at(struct ctx *c, const char *name, bool *whole)
{
	struct stmt *q = db_prepare(c, "SELECT at, whole FROM segment WHERE name = :name");
	int64_t at = 0;

	*whole = false;
	db_bind_text(q, ":name", name);
	if (db_row(q)) {
		at = db_int(q, 0);
		*whole = db_int(q, 1) != 0;
	}
	db_reset(q);
	return at;
}

static void
note_segment(struct ctx *c, const char *name, int64_t at, bool whole)
{
	struct stmt *q = db_prepare(c,
	    "INSERT INTO segment (name, at, whole)"
	    " VALUES (:name, :at, :whole)"
	    " ON CONFLICT (name) DO UPDATE SET at = excluded.at, whole = excluded.whole");

	db_bind_text(q, ":name", name);
	db_bind_int(q, ":at", at);
	db_bind_int(q, ":whole", whole);
	db_run(q);
}

/* Counts one chunk of a segment that is open and locked. Returns whether there is more of it.
 * *whole: all of it is counted. */
static bool
count_chunk(struct ctx *c, const char *name, int fd, char *bytes, bool *whole)
{
	const char *last;
	ssize_t got;
	int64_t at;
	size_t len;

	db_begin_write(c, DB_STATS, DB_CHANGES_NOTHING, 0, 0);
	at = segment_at(c, name, whole);
	got = *whole ? 0 : pread(fd, bytes, CHUNK, at);
	if (got < 0)
		log_line("hits: %s: %s", name, strerror(errno));
	if (*whole || got < 0) {
		db_rollback(c);
		return false;
	}
	last = got == 0 ? NULL : memrchr(bytes, '\n', (size_t)got);
	/* A line that fills a chunk is none. */
	len = last != NULL ? (size_t)(last + 1 - bytes) : (size_t)got;
	*whole = (size_t)got < CHUNK;
	if (last != NULL)
		hit_sum(c, bytes, len);
	note_segment(c, name, at + (int64_t)len, *whole);
	(void)FAULT("hits-counted");
	db_commit(c);
	(void)FAULT("hits-committed");
	return !*whole;
}

/* Counts a segment. Returns whether all of it is counted. */
static bool
count_segment(struct ctx *c, const char *name, int fd, char *bytes, int64_t until)
{
	struct arena *kept = c->arena;
	struct arena chunk;
	bool more = true, whole = false;

	arena_init(&chunk, CHUNK_MEMORY);
	c->arena = &chunk;
	while (more && clock_boot() < until && stop_signal() == 0) {
		more = count_chunk(c, name, fd, bytes, &whole);
		arena_reset(&chunk);
	}
	c->arena = kept;
	arena_release(&chunk);
	return whole;
}

/* Removes what is known of segments whose files are gone for good. */
static void
forget_segments(struct ctx *c)
{
	struct stmt *q;
	const char **gone;
	size_t count = 0, max;

	db_begin_write(c, DB_STATS, DB_CHANGES_NOTHING, 0, 0);
	q = db_prepare(c, "SELECT count(*) FROM segment /*scan*/");
	max = db_row(q) ? (size_t)db_int(q, 0) : 0;
	db_reset(q);
	gone = arena_array(c->arena, max + 1, sizeof(*gone));
	q = db_prepare(c, "SELECT name FROM segment /*scan*/");
	while (count < max && db_row(q)) {
		gone[count] = db_text(q, 0);
		count += !segment_exists(c, gone[count]);
	}
	db_reset(q);
	for (size_t i = 0; i < count; i++) {
		q = db_prepare(c, "DELETE FROM segment WHERE name = :name");
		db_bind_text(q, ":name", gone[i]);
		db_run(q);
	}
	(void)FAULT("hits-forgotten");
	db_commit(c);
}

/* Counts a segment that no writer has at `writers`, and removes it. Returns whether nothing of it
 * is left to be done now. *removed: its file was removed. */
static bool
work_on_segment(
    struct ctx *c, const char *name, char *bytes, int64_t writers, int64_t until, bool *removed)
{
	int fd = segment_open(c, name, writers);
	bool whole;

	if (fd < 0)
		return false;
	whole = count_segment(c, name, fd, bytes, until);
	if (whole) {
		segment_remove(c, name);
		(void)FAULT("hits-removed");
		*removed = true;
	}
	close(fd);
	return whole;
}

/* Counts all segments. First those that nobody writes: one whose writer hangs holds up no other.
 * Returns whether time ended before. *removed: files were removed. */
static bool
count_segments(struct ctx *c, bool *removed)
{
	int64_t until = clock_boot() + BUDGET;
	size_t count, left = 0;
	const char **names = segment_list(c, &count);
	char *bytes = arena_alloc(c->arena, CHUNK);

	for (size_t i = 0; i < count; i++) {
		if (!work_on_segment(c, names[i], bytes, 0, until, removed))
			names[left++] = names[i];
		if (clock_boot() >= until || stop_signal() != 0)
			return true;
	}
	until = clock_boot() + WRITERS;
	for (size_t i = 0; i < left && stop_signal() == 0; i++)
		(void)work_on_segment(c, names[i], bytes, until, until + BUDGET, removed);
	return false;
}

/* ---- refusals of no workspace */

/* Returns whether run/hits/refused has more than is known. */
static bool
refusals_are_due(struct ctx *c)
{
	struct refused days[REFUSED_DAYS];
	bool due = false;

	refused_read(c, days);
	for (size_t i = 0; i < REFUSED_DAYS && !due; i++) {
		const struct refused *d = &days[i];
		due = d->day > 0 && d->limited + d->unknown + d->bad_form > view_refused(c, d->day);
	}
	return due;
}

static void
take_refusals(struct ctx *c)
{
	struct refused days[REFUSED_DAYS];
	bool news;

	db_begin_read(c, DB_STATS);
	news = refusals_are_due(c);
	db_rollback(c);
	if (!news)
		return;
	refused_read(c, days);
	db_begin_write(c, DB_STATS, DB_CHANGES_NOTHING, 0, 0);
	for (size_t i = 0; i < REFUSED_DAYS; i++) {
		const struct refused *d = &days[i];
		if (d->day <= 0)
			continue;
		view_raise_health(c, d->day, VIEW_LIMITED, d->limited);
		view_raise_health(c, d->day, VIEW_UNKNOWN_SITE, d->unknown);
		view_raise_health(c, d->day, VIEW_BAD_FORM, d->bad_form);
	}
	db_commit(c);
}

bool
hits_are_due(struct ctx *c)
{
	bool due;

	if (segment_is_due(c))
		return true;
	db_begin_read(c, DB_STATS);
	due = refusals_are_due(c) || view_is_old(c);
	db_rollback(c);
	return due;
}

bool
hits_count(struct ctx *c)
{
	bool removed = false, more;

	if (!segment_claim(c))
		return false;
	more = count_segments(c, &removed);
	/* A name is forgotten only when its file cannot come back with a power failure. */
	if (removed && segment_settle(c))
		forget_segments(c);
	take_refusals(c);
	if (!more)
		aged_run(c);
	return more;
}
