#include "people/session.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "base/digest.h"
#include "base/encoding.h"
#include "base/fileio.h"
#include "base/log.h"
#include "base/utf8.h"
#include "base/uuid.h"
#include "people/link.h"
#include "store/db.h"
#include "system/conf.h"
#include "system/instance.h"

#define SESSION_COUNT_MAX 50

#define TOKEN_BYTES 32
#define BROWSER_MAX 200
#define HOUR_S 3600
#define HALF_S 600
#define UNTRUSTED_DAYS 7
#define DAY_S (24 * HOUR_S)
#define SWEPT_AFTER (24 * HOUR_S * CLOCK_SECOND)
/* The file is touched at most so often: a page and its pictures are one use. */
#define USE_INTERVAL (30 * CLOCK_SECOND)

#define COLUMNS                                                                                    \
	"id, uuid, person_id, half, attempts, created_at, proved_at, ends_at,"                     \
	" idle_s, trusted, address, browser, digest"

static const char *
folder_of(struct ctx *c)
{
	return arena_printf(c->arena, "%s/console/sessions", c->instance->run);
}

/* Returns when the session was used last, from its file; 0: no file tells it. */
static int64_t
file_time(struct ctx *c, const char *uuid)
{
	struct stat st;

	if (stat(fileio_path(c->arena, folder_of(c), uuid), &st) != 0)
		return 0;
	return (int64_t)st.st_mtim.tv_sec * CLOCK_SECOND + st.st_mtim.tv_nsec / 1000;
}

static void
learn_use(struct ctx *c, struct session *s)
{
	s->used_at = file_time(c, s->uuid);
	if (s->used_at < s->proved_at)
		s->used_at = s->proved_at;
}

static struct session *
from_row(struct ctx *c, struct stmt *q)
{
	struct session *s = arena_alloc(c->arena, sizeof(*s));

	s->id = db_int(q, 0);
	s->uuid = db_text(q, 1);
	s->person_id = db_int(q, 2);
	s->half = db_int(q, 3) != 0;
	s->attempts = db_int(q, 4);
	s->created_at = db_int(q, 5);
	s->proved_at = db_int(q, 6);
	s->ends_at = db_int(q, 7);
	s->idle_s = db_int(q, 8);
	s->trusted = db_int(q, 9) != 0;
	s->address = db_text(q, 10);
	s->browser = db_text(q, 11);
	db_blob(q, 12, s->digest, sizeof(s->digest));
	learn_use(c, s);
	return s;
}

static bool
has_ended(const struct ctx *c, const struct session *s)
{
	return c->now >= s->ends_at || c->now < s->created_at - CLOCK_SECOND * HOUR_S ||
	       c->now >= s->used_at + s->idle_s * CLOCK_SECOND;
}

/* Computes what is stored of a token; false if the text is no token. It needs no
 * transaction. A token has enough random bits to need no key. */
static bool
digest_token(struct ctx *c, const char *token, unsigned char out[DIGEST_SIZE])
{
	struct digest d;
	unsigned char *bytes;
	size_t len;

	if (strlen(token) != SESSION_TOKEN)
		return false;
	bytes = base64_decode(c->arena, token, &len);
	if (bytes == NULL || len != TOKEN_BYTES)
		return false;
	digest_begin(&d, DIGEST_SIZE, "galley session 1");
	digest_fixed(&d, bytes, len);
	digest_end(&d, out);
	return true;
}

enum session_state
session_check(struct ctx *c, const char *token, struct session **s, struct person **p)
{
	unsigned char digest[DIGEST_SIZE];
	struct stmt *q;

	*s = NULL;
	*p = NULL;
	if (!digest_token(c, token, digest))
		return SESSION_NONE;
	q = db_prepare(c, "SELECT " COLUMNS " FROM session WHERE digest = :digest",
	    db_b(":digest", digest, sizeof(digest)));
	if (db_row(q))
		*s = from_row(c, q);
	db_reset(q);
	if (*s != NULL)
		*p = person_of(c, (*s)->person_id);
	if (*p == NULL || (*p)->disabled_at != 0 ||
	    digest_compare((*s)->digest, digest, sizeof(digest)) != 0) {
		*s = NULL;
		*p = NULL;
		return SESSION_NONE;
	}
	if (has_ended(c, *s))
		return SESSION_ENDED;
	return (*s)->half ? SESSION_HALF : SESSION_GOOD;
}

/* Reads the row of a session again. */
static enum session_state
look(struct ctx *c, const struct session *s, bool *same_token)
{
	struct stmt *q;
	enum session_state state = SESSION_NONE;

	*same_token = false;
	q = db_prepare(c, "SELECT " COLUMNS " FROM session WHERE id = :id", db_i(":id", s->id));
	if (db_row(q)) {
		struct session *now = from_row(c, q);
		*same_token = digest_compare(now->digest, s->digest, sizeof(s->digest)) == 0;
		if (has_ended(c, now))
			state = SESSION_ENDED;
		else
			state = now->half ? SESSION_HALF : SESSION_GOOD;
	}
	db_reset(q);
	return state;
}

bool
session_is_live(struct ctx *c, const struct session *s)
{
	bool same_token;

	return look(c, s, &same_token) == SESSION_GOOD && same_token;
}

enum session_state
session_look(struct ctx *c, const struct session *s)
{
	bool same_token;

	return look(c, s, &same_token);
}

static void
draw_token(struct ctx *c, char token[SESSION_TOKEN + 1], unsigned char digest[DIGEST_SIZE])
{
	unsigned char bytes[TOKEN_BYTES];

	uuid_random_bytes(bytes, sizeof(bytes));
	memcpy(token, base64_encode(c->arena, bytes, sizeof(bytes)), SESSION_TOKEN + 1);
	explicit_bzero(bytes, sizeof(bytes));
	if (!digest_token(c, token, digest))
		BUG("a token that was just drawn is none");
}

/* Returns how long a session lasts at most. The second step must follow within ten
 * minutes. */
static int64_t
life_s(struct ctx *c, bool half, bool trusted)
{
	struct console_conf conf;

	if (half)
		return HALF_S;
	console_conf_read(c, &conf);
	return trusted || conf.days < UNTRUSTED_DAYS ? conf.days * DAY_S : UNTRUSTED_DAYS * DAY_S;
}

/* Returns after which time without use it ends. */
static int64_t
idle_s(struct ctx *c, bool half, bool trusted)
{
	struct console_conf conf;

	if (half || trusted)
		return life_s(c, half, trusted);
	console_conf_read(c, &conf);
	return conf.idle_minutes * 60;
}

/* Makes room for one more session of a person. Some are left for the next time if there are very
 * many, as a backup of an older release may have. */
static void
make_room(struct ctx *c, int64_t person_id)
{
	struct stmt *q = db_prepare(c,
	    "SELECT " COLUMNS " FROM session"
	    " WHERE person_id = :person_id /*sort*/ ORDER BY half, created_at DESC LIMIT 200",
	    db_i(":person_id", person_id));
	struct session *all[200];
	size_t count = 0, left;

	while (db_row(q))
		all[count++] = from_row(c, q);
	left = count;
	for (int pass = 0; pass < 3; pass++) {
		for (size_t i = count; i-- > 0 && left >= SESSION_COUNT_MAX;) {
			if (all[i] == NULL || (pass == 0 && !all[i]->half) ||
			    (pass == 1 && !has_ended(c, all[i])))
				continue;
			session_delete(c, all[i]->id);
			all[i] = NULL;
			left--;
		}
	}
}

void
session_insert(struct ctx *c, int64_t person_id, bool half, bool trusted, const char *address,
    const char *browser, char token[SESSION_TOKEN + 1])
{
	unsigned char digest[DIGEST_SIZE];
	char uuid[UUID_TEXT];
	size_t len = strlen(browser);

	make_room(c, person_id);
	draw_token(c, token, digest);
	uuid_random(uuid);
	while (len > BROWSER_MAX || !utf8_valid(browser, len))
		len = len > BROWSER_MAX ? BROWSER_MAX : len - 1;
	db_run(c,
	    "INSERT INTO session (uuid, digest, person_id, half, created_at, proved_at, ends_at,"
	    " idle_s, trusted, address, browser)"
	    " VALUES (:uuid, :digest, :person_id, :half, :created_at, :created_at,"
	    " :ends_at, :idle_s, :trusted, :address, :browser)",
	    db_t(":uuid", uuid), db_b(":digest", digest, sizeof(digest)),
	    db_i(":person_id", person_id), db_i(":half", half), db_i(":created_at", c->now),
	    db_i(":ends_at", c->now + life_s(c, half, trusted) * CLOCK_SECOND),
	    db_i(":idle_s", idle_s(c, half, trusted)), db_i(":trusted", trusted),
	    db_t(":address", address), db_tn(":browser", browser, len));
}

void
session_renew(struct ctx *c, const struct session *s, char token[SESSION_TOKEN + 1])
{
	unsigned char digest[DIGEST_SIZE];

	draw_token(c, token, digest);
	db_run(c,
	    "UPDATE session SET digest = :digest, half = 0, attempts = 0, proved_at = :proved_at,"
	    " ends_at = :ends_at, idle_s = :idle_s WHERE id = :id",
	    db_b(":digest", digest, sizeof(digest)), db_i(":proved_at", c->now),
	    db_i(":ends_at",
		s->half ? c->now + life_s(c, false, s->trusted) * CLOCK_SECOND : s->ends_at),
	    db_i(":idle_s", idle_s(c, false, s->trusted)), db_i(":id", s->id));
}

int64_t
session_attempt(struct ctx *c, const struct session *s, int by)
{
	struct stmt *q = db_prepare(c,
	    "UPDATE session SET attempts = attempts + :by WHERE id = :id RETURNING attempts",
	    db_i(":by", by), db_i(":id", s->id));
	int64_t attempts = db_row(q) ? db_int(q, 0) : INT64_MAX;

	while (db_row(q))
		;
	return attempts;
}

void
session_used(struct ctx *c, const struct session *s)
{
	const char *folder = folder_of(c);
	const char *path = fileio_path(c->arena, folder, s->uuid);
	const struct timespec now[2] = { { .tv_nsec = UTIME_OMIT },
		{ .tv_sec = c->now / CLOCK_SECOND, .tv_nsec = c->now % CLOCK_SECOND * 1000 } };
	int fd;

	if (s->used_at > c->now - USE_INTERVAL && s->used_at <= c->now)
		return;
	if (utimensat(AT_FDCWD, path, now, AT_SYMLINK_NOFOLLOW) == 0)
		return;
	if (!fileio_make_folder(folder, 0700) ||
	    (fd = fileio_open(path, O_WRONLY | O_CREAT | O_NOFOLLOW)) < 0) {
		log_line("%s: %s: the session may end early", path, strerror(errno));
		return;
	}
	(void)futimens(fd, now);
	close(fd);
}

static void
forget_file(struct ctx *c, const char *uuid)
{
	(void)unlink(fileio_path(c->arena, folder_of(c), uuid));
}

void
session_delete(struct ctx *c, int64_t id)
{
	struct stmt *q =
	    db_prepare(c, "DELETE FROM session WHERE id = :id RETURNING uuid", db_i(":id", id));

	while (db_row(q))
		forget_file(c, db_text(q, 0));
}

void
session_delete_all(struct ctx *c, int64_t person_id, int64_t keep)
{
	struct stmt *q = db_prepare(c,
	    "DELETE FROM session WHERE person_id = :person_id AND id <> :keep RETURNING uuid",
	    db_i(":person_id", person_id), db_i(":keep", keep));

	while (db_row(q))
		forget_file(c, db_text(q, 0));
	link_end_resets(c, person_id);
}

void
session_sweep(struct ctx *c)
{
	struct stmt *q =
	    db_prepare(c, "SELECT " COLUMNS " FROM session /*scan*/ ORDER BY id LIMIT 100");
	int64_t old[100];
	size_t count = 0;

	while (db_row(q)) {
		struct session *s = from_row(c, q);
		int64_t end = s->used_at + s->idle_s * CLOCK_SECOND;
		if (end > s->ends_at)
			end = s->ends_at;
		if (c->now > end + SWEPT_AFTER)
			old[count++] = s->id;
	}
	for (size_t i = 0; i < count; i++)
		session_delete(c, old[i]);
}

void
session_list(
    struct ctx *c, int64_t person_id, void (*each)(void *arg, const struct session *s), void *arg)
{
	struct stmt *q = db_prepare(c,
	    "SELECT " COLUMNS " FROM session WHERE person_id = :person_id ORDER BY created_at DESC",
	    db_i(":person_id", person_id));

	while (db_row(q)) {
		struct session *s = from_row(c, q);
		if (!has_ended(c, s))
			each(arg, s);
	}
}

void
session_form_token(const struct session *s, char out[33])
{
	struct digest d;

	digest_begin_keyed(&d, 16, "galley form token 1", s->digest, sizeof(s->digest));
	digest_end_hex(&d, out);
}

/* ---- known browsers */

#define DEVICE_BYTES 16
#define DEVICES 10 /* of a person */

/* Computes the digest that is stored. A token has enough random bits to need no key. */
static bool
digest_device(struct ctx *c, const char *token, unsigned char out[DIGEST_SIZE])
{
	struct digest d;
	const unsigned char *bytes;
	size_t len;

	if (token == NULL || strlen(token) != DEVICE_TOKEN)
		return false;
	bytes = base64_decode(c->arena, token, &len);
	if (bytes == NULL || len != DEVICE_BYTES)
		return false;
	digest_begin(&d, DIGEST_SIZE, "galley device 1");
	digest_fixed(&d, bytes, len);
	digest_end(&d, out);
	return true;
}

int64_t
device_find(struct ctx *c, int64_t person_id, const char *token)
{
	unsigned char digest[DIGEST_SIZE];
	int64_t id;

	if (!digest_device(c, token, digest))
		return 0;
	id = db_one_int(c, 0,
	    "SELECT id FROM device WHERE digest = :digest"
	    " AND person_id = :person_id AND used_at > :since",
	    db_b(":digest", digest, sizeof(digest)), db_i(":person_id", person_id),
	    db_i(":since", c->now - DEVICE_DAYS * CLOCK_DAY));
	return id;
}

void
device_used(struct ctx *c, int64_t id)
{
	db_run(c, "UPDATE device SET used_at = :used_at WHERE id = :id", db_i(":used_at", c->now),
	    db_i(":id", id));
}

/* Removes the devices that rest for the longest time, so that one more has its place. */
static void
make_room_for_device(struct ctx *c, int64_t person_id)
{
	db_run(c,
	    "DELETE FROM device WHERE id IN (SELECT id FROM device WHERE person_id = :person_id"
	    " ORDER BY used_at DESC LIMIT 1000 OFFSET :kept)",
	    db_i(":person_id", person_id), db_i(":kept", DEVICES - 1));
}

void
device_insert(struct ctx *c, int64_t person_id, char token[DEVICE_TOKEN + 1])
{
	unsigned char bytes[DEVICE_BYTES], digest[DIGEST_SIZE];

	uuid_random_bytes(bytes, sizeof(bytes));
	memcpy(token, base64_encode(c->arena, bytes, sizeof(bytes)), DEVICE_TOKEN + 1);
	explicit_bzero(bytes, sizeof(bytes));
	if (!digest_device(c, token, digest))
		BUG("a token that was just drawn is none");
	make_room_for_device(c, person_id);
	db_run(c,
	    "INSERT INTO device (person_id, digest, created_at, used_at)"
	    " VALUES (:person_id, :digest, :now, :now)",
	    db_i(":person_id", person_id), db_b(":digest", digest, sizeof(digest)),
	    db_i(":now", c->now));
}

void
device_delete_all(struct ctx *c, int64_t person_id, int64_t keep)
{
	db_run(c, "DELETE FROM device WHERE person_id = :person_id AND id <> :keep",
	    db_i(":person_id", person_id), db_i(":keep", keep));
}
