#include "article/text-room.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/ctx.h"
#include "base/fileio.h"
#include "base/log.h"
#include "store/db.h"
#include "system/conf.h"
#include "system/filelock.h"
#include "system/instance.h"

#define MIB ((int64_t)1024 * 1024)
#define HOUR (3600 * CLOCK_SECOND)
#define AGAIN (30 * CLOCK_SECOND)
#define TURN (60 * CLOCK_SECOND) /* of a measure; after that another may begin */
#define FILE_NAME "console/texts"
#define PLACE_SIZE 128

/* What is known of an account. Its id is that of another one after a restore. */
struct place {
	char account[UUID_TEXT];
	int64_t measured; /* bytes */
	int64_t measured_at; /* 0: never */
	int64_t since; /* bytes that were stored since then */
	int64_t freed; /* 1: something was purged since then */
	int64_t began_at; /* a measure that has not ended; 0: none runs */
};

_Static_assert(sizeof(struct place) <= PLACE_SIZE, "a place fits");

/* ---- the file */

static void
complain(const char *what)
{
	log_line("run/" FILE_NAME ": %s: %s; texts are not counted", what, strerror(errno));
}

/* Locks the place of the account until the descriptor that it returns is closed; -1: it cannot be
 * used. */
static int
take_place(struct ctx *c, struct place *p)
{
	const struct text_room *room = c->room;
	int fd = fileio_open(
	    fileio_path(c->arena, c->instance->run, FILE_NAME), O_RDWR | O_CREAT | O_NOFOLLOW);

	if (fd < 0) {
		complain("open");
		return -1;
	}
	if (!placefile_read(fd, room->account_id * PLACE_SIZE, p, sizeof(*p))) {
		complain("read");
		close(fd);
		return -1;
	}
	if (memcmp(p->account, room->account, UUID_TEXT) != 0) {
		memset(p, 0, sizeof(*p));
		memcpy(p->account, room->account, UUID_TEXT);
	}
	return fd;
}

static void
write_place(struct ctx *c, int fd, const struct place *p)
{
	if (!placefile_write(fd, c->room->account_id * PLACE_SIZE, p, sizeof(*p)))
		complain("write");
}

static bool
is_full(const struct ctx *c, const struct place *p)
{
	return p->measured + p->since >= c->room->max;
}

/* ---- measures */

/* What row_size() counts. */
#define FIELDS(t)                                                                                  \
	t ".title, " t ".slug, " t ".author_name, " t ".author_url, " t ".meta_title, " t          \
	  ".meta_description, " t ".section, " t ".image, " t ".tags, " t ".content"
#define FIELD_COUNT 10

static int64_t
bytes_of(struct stmt *q, int columns, size_t each)
{
	int64_t sum = 0;
	size_t len;

	while (db_row(q)) {
		sum += (int64_t)each;
		for (int i = 0; i < columns; i++) {
			(void)db_bytes(q, i, &len);
			sum += (int64_t)len;
		}
	}
	return sum;
}

static int64_t
measure(struct ctx *c)
{
	const int64_t id = c->room->account_id;
	int64_t sum;

	db_begin_read(c, DB_CONTENT);
	sum = bytes_of(
	    db_prepare(c,
		"SELECT " FIELDS("a") " FROM workspace w JOIN article a ON a.workspace_id = w.id"
				      " WHERE w.account_id = :account /*scan*/ /*many*/",
		db_i(":account", id)),
	    FIELD_COUNT, TEXT_ROOM_ARTICLE);
	sum += bytes_of(
	    db_prepare(c,
		"SELECT " FIELDS(
		    "e") " FROM workspace w"
			 " JOIN article a ON a.workspace_id = w.id JOIN edition e ON e.article_id = a.id"
			 " WHERE w.account_id = :account /*scan*/ /*many*/",
		db_i(":account", id)),
	    FIELD_COUNT, TEXT_ROOM_ROW);
	sum += bytes_of(
	    db_prepare(c,
		"SELECT " FIELDS(
		    "s") ", s.text FROM workspace w"
			 " JOIN article a ON a.workspace_id = w.id JOIN save s ON s.article_id = a.id"
			 " WHERE w.account_id = :account /*scan*/ /*many*/",
		db_i(":account", id)),
	    FIELD_COUNT + 1, TEXT_ROOM_ROW);
	sum += bytes_of(
	    db_prepare(c,
		"SELECT " FIELDS(
		    "s") ", s.text FROM workspace w"
			 " JOIN article a ON a.workspace_id = w.id JOIN save_was s ON s.article_id = a.id"
			 " WHERE w.account_id = :account /*scan*/ /*many*/",
		db_i(":account", id)),
	    FIELD_COUNT + 1, TEXT_ROOM_ROW);
	sum += bytes_of(
	    db_prepare(c,
		"SELECT s.text FROM workspace w"
		" JOIN article a ON a.workspace_id = w.id JOIN comment s ON s.article_id = a.id"
		" WHERE w.account_id = :account /*scan*/ /*many*/",
		db_i(":account", id)),
	    1, TEXT_ROOM_ROW);
	db_rollback(c);
	return sum;
}

static bool
is_due(const struct ctx *c, const struct place *p, int64_t now)
{
	const int64_t age = now - p->measured_at, runs = now - p->began_at;

	if (p->began_at != 0 && runs >= 0 && runs < TURN)
		return false;
	return age < 0 || age >= HOUR || (is_full(c, p) && (p->freed != 0 || age >= AGAIN));
}

void
text_room_begin(struct ctx *c, int64_t account_id, const char *account, struct text_room *room)
{
	int64_t now = clock_now(), measured, before;
	struct console_conf conf;
	struct place p;
	int fd;

	console_conf_read(c, &conf);
	*room = (struct text_room) { .account_id = account_id, .max = conf.account_text_mib * MIB };
	(void)snprintf(room->account, UUID_TEXT, "%s", account);
	c->room = room;
	fd = take_place(c, &p);
	if (fd < 0)
		return;
	if (!is_due(c, &p, now)) {
		close(fd);
		return;
	}
	/* One at a time: many forms at once would read all texts as many times. */
	p.began_at = now;
	write_place(c, fd, &p);
	close(fd);
	/* Without the lock: others go on, and what they store counts after this. */
	before = p.since;
	measured = measure(c);
	fd = take_place(c, &p);
	if (fd < 0)
		return;
	p.since = p.since > before ? p.since - before : 0;
	p.measured = measured;
	p.measured_at = now;
	p.freed = 0;
	p.began_at = 0;
	write_place(c, fd, &p);
	close(fd);
}

void
text_room_end(struct ctx *c)
{
	c->room = NULL;
}

/* ---- what is stored */

struct err *
text_room_check(struct ctx *c)
{
	struct place p;
	bool full;
	int fd;

	if (c->room == NULL)
		return NULL;
	fd = take_place(c, &p);
	if (fd < 0)
		return NULL;
	full = is_full(c, &p);
	close(fd);
	if (!full)
		return NULL;
	return refuse(c, ERR_TOO_LARGE,
	    tr_mark(
		"The texts of this account, with those that History keeps, take %lld of %lld MiB, so nothing was stored. Delete articles for good, or ask the operator for more."),
	    (long long)((p.measured + p.since) / MIB), (long long)(c->room->max / MIB));
}

void
text_room_took(struct ctx *c, size_t bytes)
{
	struct place p;
	int fd = c->room == NULL ? -1 : take_place(c, &p);

	if (fd < 0)
		return;
	p.since += (int64_t)bytes;
	write_place(c, fd, &p);
	close(fd);
}

void
text_room_freed(struct ctx *c)
{
	struct place p;
	int fd = c->room == NULL ? -1 : take_place(c, &p);

	if (fd < 0)
		return;
	p.freed = 1;
	write_place(c, fd, &p);
	close(fd);
}
