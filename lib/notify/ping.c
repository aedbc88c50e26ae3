#include "notify/ping.h"

#include <inttypes.h>
#include <nettle/hmac.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "base/digest.h"
#include "base/jwrite.h"
#include "base/log.h"
#include "net/remote.h"
#include "people/secret.h"
#include "store/db.h"
#include "store/lease.h"
#include "system/fault.h"

enum ping_result {
	PING_ANSWERED, /* with a status of 200 to 299 */
	PING_REFUSED, /* with any other status */
	PING_NO_ANSWER
};

#define PINGER_CLIENTS 16

/* ---- signatures */

#define PREFIX "ab_ping_"

void
signature_secret(struct ctx *c, const char *workspace, int64_t number, char out[SIGNATURE_SECRET])
{
	unsigned char key[SECRET_SIZE];
	struct digest d;

	secret_key(c, "galley ping 1", key);
	digest_begin_keyed(&d, DIGEST_SIZE, "galley ping secret 1", key, sizeof(key));
	digest_text(&d, workspace);
	digest_int(&d, number);
	memcpy(out, PREFIX, strlen(PREFIX));
	digest_end_hex(&d, out + strlen(PREFIX));
	explicit_bzero(key, sizeof(key));
	explicit_bzero(&d, sizeof(d));
}

const char *
signature_make(struct ctx *c, const char *secret, int64_t at, const void *body, size_t len)
{
	unsigned char mac[SHA256_DIGEST_SIZE];
	char hex[2 * SHA256_DIGEST_SIZE + 1];
	const char *seconds = arena_printf(c->arena, "%" PRId64, at / CLOCK_SECOND);
	struct hmac_sha256_ctx hmac;

	hmac_sha256_set_key(&hmac, strlen(secret), (const uint8_t *)secret);
	hmac_sha256_update(&hmac, strlen(seconds), (const uint8_t *)seconds);
	hmac_sha256_update(&hmac, 1, (const uint8_t *)".");
	hmac_sha256_update(&hmac, len, body);
	hmac_sha256_digest(&hmac, sizeof(mac), mac);
	explicit_bzero(&hmac, sizeof(hmac));
	digest_hex(hex, mac, sizeof(mac));
	return arena_printf(c->arena, "t=%s,v1=%s", seconds, hex);
}

/* ---- the rows */

#define TOGETHER (10 * CLOCK_SECOND)
#define NEW_FOR (3600 * CLOCK_SECOND) /* an address */
#define HOUR (3600 * CLOCK_SECOND)
#define TRIES 4
#define FAILURES 20 /* afterwards hourly */
#define HOST_REST CLOCK_SECOND

static const char *const results[] = { "answered", "refused", "no answer" };

struct row {
	const char *epoch;
	int64_t set_at, announced_at;
	unsigned char mark[NOTIFY_MARK];
	int64_t due_at; /* 0: nothing is due */
	int64_t tries, failures, tried_at;
};

static bool
find(struct ctx *c, const char *workspace, struct row *out)
{
	struct stmt *q = db_prepare(c,
	    "SELECT set_at, announced_at, mark, due_at, tries,"
	    " failures, tried_at, epoch FROM ping WHERE workspace = :workspace",
	    db_t(":workspace", workspace));
	bool found = db_row(q);

	if (found) {
		*out = (struct row) { .set_at = db_int(q, 0),
			.announced_at = db_int(q, 1),
			.due_at = db_int(q, 3),
			.tries = db_int(q, 4),
			.failures = db_int(q, 5),
			.tried_at = db_int(q, 6),
			.epoch = db_text(q, 7) };
		db_blob(q, 2, out->mark, NOTIFY_MARK);
	}
	db_reset(q);
	return found;
}

/* ---- what was changed */

struct reading {
	struct ctx *c;
	struct ping_list *all;
};

static void
keep(void *arg, const struct notify *n)
{
	struct reading *r = arg;
	struct ping_list *all = r->all;
	size_t size = sizeof(*all->list);

	/* By doubling: an instance may have thousands. */
	if ((all->count & (all->count - 1)) == 0)
		all->list = arena_grow(r->c->arena, all->list, all->count * size,
		    (all->count == 0 ? 1 : 2 * all->count) * size);
	all->list[all->count++] = *n;
}

void
ping_read(struct ctx *c, struct ping_list *out)
{
	struct reading r = { c, out };

	*out = (struct ping_list) { .count = 0 };
	db_begin_read(c, DB_CONTENT);
	notify_list(c, keep, &r);
	db_rollback(c);
}

/* Returns whether the row does not say yet what the workspace is now. */
static bool
is_behind(const struct notify *n, bool found, const struct row *row)
{
	return !found || strcmp(row->epoch, n->epoch) != 0 || row->set_at != n->set_at ||
	       (!n->rests && memcmp(row->mark, n->mark, NOTIFY_MARK) != 0);
}

/* A due time that is far away is of a clock that was set back since. */
static bool
is_past(int64_t due_at, int64_t now)
{
	return due_at != 0 && (due_at <= now || due_at > now + 2 * HOUR);
}

static int64_t
count_rows(struct ctx *c)
{
	return db_one_int(c, 0, "SELECT count(*) FROM ping /*scan*/");
}

bool
ping_is_due(struct ctx *c, const struct ping_list *all)
{
	struct row row = { .set_at = 0 };
	bool due, found;

	if (!secret_exists(c))
		return false;
	db_begin_read(c, DB_CONSOLE);
	due = count_rows(c) > (int64_t)all->count; /* an address was taken away */
	for (size_t i = 0; i < all->count && !due; i++) {
		const struct notify *n = &all->list[i];
		found = find(c, n->workspace, &row);
		due = is_behind(n, found, &row) || (!n->rests && is_past(row.due_at, c->now));
	}
	db_rollback(c);
	return due;
}

/* Returns when what is new is told. */
static int64_t
when(struct ctx *c, const struct notify *n, const struct row *row)
{
	bool known = n->announced_at != row->announced_at && n->announced_at < c->now;
	int64_t at = (known ? n->announced_at : c->now) + TOGETHER;

	if (row->failures >= FAILURES && row->tried_at <= c->now && at < row->tried_at + HOUR)
		at = row->tried_at + HOUR;
	return at;
}

static void
write_row(struct ctx *c, const struct notify *n, const struct row *row)
{
	db_run(c,
	    "INSERT INTO ping (workspace, epoch, host, set_at, mark,"
	    " announced_at, due_at, tries, failures, tried_at) VALUES (:workspace, :epoch,"
	    " :host, :set_at, :mark, :announced_at, :due_at, :tries, :failures, :tried_at)"
	    " ON CONFLICT (workspace) DO UPDATE SET epoch = excluded.epoch,"
	    " host = excluded.host, set_at = excluded.set_at, mark = excluded.mark,"
	    " announced_at = excluded.announced_at, due_at = excluded.due_at,"
	    " tries = excluded.tries, failures = excluded.failures, tried_at = excluded.tried_at",
	    db_t(":workspace", n->workspace), db_t(":epoch", n->epoch),
	    db_t(":host", notify_host(c, n->url)), db_i(":set_at", n->set_at),
	    db_b(":mark", n->mark, NOTIFY_MARK), db_i(":announced_at", n->announced_at),
	    db_i_or_null(":due_at", row->due_at), db_i(":tries", row->tries),
	    db_i(":failures", row->failures), db_i(":tried_at", row->tried_at));
}

static void
forget_results(struct ctx *c, const char *workspace)
{
	db_run(c, "DELETE FROM ping_result WHERE workspace = :workspace",
	    db_t(":workspace", workspace));
}

static void
note(struct ctx *c, const struct notify *n)
{
	struct row row = { .set_at = 0 };
	bool found = find(c, n->workspace, &row);
	bool fresh = n->set_at <= c->now && c->now - n->set_at < NEW_FOR;
	int64_t at;

	if (!is_behind(n, found, &row))
		return;
	if (found && strcmp(row.epoch, n->epoch) != 0) {
		row.due_at = 0;
	} else if (!found || row.set_at != n->set_at) {
		row = (struct row) { .due_at = fresh ? c->now : 0 };
		forget_results(c, n->workspace);
	} else {
		at = when(c, n, &row);
		/* What is due for the first time stays so: it is told with this. */
		if (row.due_at == 0 || row.tries > 0 || row.due_at > c->now + 2 * HOUR)
			row.due_at = at;
		row.tries = 0;
	}
	write_row(c, n, &row);
}

static bool
is_listed(const struct ping_list *all, const char *workspace)
{
	for (size_t i = 0; i < all->count; i++) {
		if (strcmp(all->list[i].workspace, workspace) == 0)
			return true;
	}
	return false;
}

/* Removes one row whose workspace has no address any more. False if there is none. */
static bool
remove_one(struct ctx *c, const struct ping_list *all)
{
	struct stmt *q = db_prepare(c, "SELECT workspace FROM ping /*scan*/");
	const char *gone = NULL;

	while (gone == NULL && db_row(q)) {
		if (!is_listed(all, db_text(q, 0)))
			gone = db_text(q, 0);
	}
	db_reset(q);
	if (gone == NULL)
		return false;
	forget_results(c, gone);
	db_run(c, "DELETE FROM ping WHERE workspace = :workspace", db_t(":workspace", gone));
	return true;
}

/* Notes what was changed since. */
static void
ping_note(struct ctx *c, const struct ping_list *all)
{
	db_begin_write(c, DB_CONSOLE, DB_CHANGES_NOTHING, 0, 0);
	for (size_t i = 0; i < all->count; i++)
		note(c, &all->list[i]);
	(void)remove_one(c, all);
	db_commit(c);
	(void)FAULT("ping-noted");
}

/* ---- a try */

static bool
is_among(const char *const *list, size_t count, const char *text)
{
	for (size_t i = 0; i < count; i++) {
		if (strcmp(list[i], text) == 0)
			return true;
	}
	return false;
}

/* Returns the UUID of a workspace whose ping is due (arena), or NULL: what answered last time
 * comes first. `busy` are hosts that are being asked now. */
static const char *
ping_next(struct ctx *c, const char *const *busy, size_t busy_count)
{
	const char *next = NULL;
	struct stmt *q;

	db_begin_read(c, DB_CONSOLE);
	q = db_prepare(c,
	    "SELECT min(p.workspace), p.host FROM ping p /*scan*/ /*sort*/"
	    " WHERE p.due_at IS NOT NULL AND (p.due_at <= :now OR p.due_at > :far)"
	    " AND NOT EXISTS (SELECT 1 FROM ping o WHERE o.host = p.host"
	    " AND o.tried_at > :since AND o.tried_at <= :now)"
	    " GROUP BY p.host ORDER BY coalesce(min(CASE WHEN p.failures = 0 THEN 0 ELSE 1"
	    " END), 0), coalesce(min(p.tried_at), 0), p.host LIMIT :limit",
	    db_i(":now", c->now), db_i(":far", c->now + 2 * HOUR),
	    db_i(":since", c->now - HOST_REST), db_i(":limit", (int64_t)busy_count + 1));
	while (next == NULL && db_row(q)) {
		if (!is_among(busy, busy_count, db_text(q, 1)))
			next = db_text(q, 0);
	}
	db_rollback(c);
	return next;
}

/* Returns when a try follows the one that begins now, if that fails; 0: none does. */
static int64_t
again_at(struct ctx *c, const struct row *row)
{
	static const int64_t minutes[TRIES] = { 1, 5, 30, 0 };
	int64_t wait = row->tries < TRIES ? minutes[row->tries] : 0;

	if (wait == 0)
		return 0;
	return c->now + (row->failures + 1 >= FAILURES ? HOUR : wait * 60 * CLOCK_SECOND);
}

/* Counts a try that begins now: killed meanwhile, it is one that failed. False if the ping is
 * not due any more, or if another host has begun it. */
static bool
ping_begin(struct ctx *c, const char *workspace)
{
	struct row row;
	bool due;

	db_begin_write(c, DB_CONSOLE, DB_CHANGES_NOTHING, 0, 0);
	due = find(c, workspace, &row) && is_past(row.due_at, c->now);
	if (due) {
		db_run(c,
		    "UPDATE ping SET tries = tries + 1,"
		    " failures = failures + 1, tried_at = :now, due_at = :again"
		    " WHERE workspace = :workspace",
		    db_t(":workspace", workspace), db_i(":now", c->now),
		    (again_at(c, &row) != 0) ? db_i(":again", again_at(c, &row))
					     : db_null(":again"));
	}
	db_commit(c);
	(void)FAULT("ping-begun");
	return due;
}

/* Returns whether the try that began at `tried_at` is still the last one. Where hosts share the
 * store, one that was stopped before it was sent may have been overtaken. */
static bool
ping_is_last_try(struct ctx *c, const char *workspace, int64_t tried_at)
{
	struct stmt *q;
	bool last;

	if (!lease_is_shared())
		return true;
	db_begin_read(c, DB_CONSOLE);
	q = db_prepare(c,
	    "SELECT 1 FROM ping WHERE workspace = :workspace AND tried_at = :tried_at",
	    db_t(":workspace", workspace), db_i(":tried_at", tried_at));
	last = db_row(q);
	db_rollback(c);
	return last;
}

/* Puts a ping off for an hour: its workspace has no address now, or may have no pings. */
static void
ping_put_off(struct ctx *c, const char *workspace)
{
	db_begin_write(c, DB_CONSOLE, DB_CHANGES_NOTHING, 0, 0);
	db_run(c, "UPDATE ping SET due_at = :later WHERE workspace = :workspace",
	    db_t(":workspace", workspace), db_i(":later", c->now + HOUR));
	db_commit(c);
}

/* Adds a result, and removes what is older than the last three. */
static void
add_result(struct ctx *c, const char *workspace, enum ping_result result)
{
	db_run(c,
	    "INSERT INTO ping_result (workspace, result, at) VALUES (:workspace, :result, :now)",
	    db_t(":workspace", workspace), db_t(":result", results[result]), db_i(":now", c->now));
	db_run(c,
	    "DELETE FROM ping_result WHERE workspace = :workspace"
	    " AND id <= (SELECT id FROM ping_result WHERE workspace = :workspace"
	    " ORDER BY id DESC LIMIT 1 OFFSET :kept)",
	    db_t(":workspace", workspace), db_i(":kept", PING_RESULTS));
}

/* Notes how it ended. */
static void
ping_end(struct ctx *c, const char *workspace, enum ping_result result)
{
	(void)FAULT("ping-sent");
	db_begin_write(c, DB_CONSOLE, DB_CHANGES_NOTHING, 0, 0);
	add_result(c, workspace, result);
	if (result == PING_ANSWERED) {
		/* Tries that were set to 0 meanwhile are of a newer change. */
		db_run(c,
		    "UPDATE ping SET failures = 0, due_at ="
		    " CASE WHEN tries = 0 THEN due_at ELSE NULL END WHERE workspace = :workspace",
		    db_t(":workspace", workspace));
	}
	db_commit(c);
	(void)FAULT("ping-ended");
}

size_t
ping_results(struct ctx *c, const char *workspace, struct ping_try out[PING_RESULTS])
{
	struct stmt *q = db_prepare(c,
	    "SELECT result, at FROM ping_result"
	    " WHERE workspace = :workspace ORDER BY id DESC LIMIT :limit",
	    db_t(":workspace", workspace), db_i(":limit", PING_RESULTS));
	size_t count = 0;

	while (count < PING_RESULTS && db_row(q)) {
		out[count++] = (struct ping_try) { .result = db_text(q, 0), .at = db_int(q, 1) };
	}
	db_reset(q);
	return count;
}

/* ---- sending them */

#define BODY_MAX ((size_t)1024)
#define PAUSE_MS 200 /* until a host may have its next ping, or a change is looked for */
#define NAME_MAX 300 /* bytes of a UUID, and of a host */
#define ROUND_MEMORY ((size_t)64 * 1024 * 1024)

struct client {
	struct remote *remote; /* NULL: its program ended */
	bool waits; /* it was sent a ping, and has not answered */
	char workspace[40], host[NAME_MAX];
};

struct pinger {
	struct client clients[PINGER_CLIENTS];
};

struct pinger *
pinger_open(struct ctx *c)
{
	const struct remote_how how = { .pings = true, .limit_s = PINGER_SECONDS };
	struct pinger *p = arena_alloc(c->arena, sizeof(*p));

	*p = (struct pinger) { .clients = { { .remote = NULL } } };
	for (size_t i = 0; i < PINGER_CLIENTS; i++) {
		p->clients[i].remote = remote_open(c, &how);
		remote_start(c, p->clients[i].remote);
	}
	return p;
}

static void
close_client(struct client *client)
{
	if (client->remote != NULL)
		remote_close(client->remote);
	client->remote = NULL;
}

void
pinger_close(struct pinger *p)
{
	for (size_t i = 0; i < PINGER_CLIENTS; i++)
		close_client(&p->clients[i]);
}

/* Returns the body of a ping (arena). */
static const char *
body_of(struct ctx *c, const char *workspace)
{
	struct jwrite j;
	struct buf out;

	buf_init(&out, c->arena, BODY_MAX);
	jwrite_init(&j, &out);
	jwrite_object(&j);
	jwrite_member_text(&j, "workspace_id", workspace);
	jwrite_member_text(&j, "event", "changed");
	jwrite_member_time(&j, "at", c->now);
	jwrite_object_end(&j);
	return buf_done(&out);
}

/* Reads the workspace as it is now. False if it gets no ping. */
static bool
read_now(struct ctx *c, const char *workspace, struct notify *out)
{
	bool found;

	db_begin_read(c, DB_CONTENT);
	found = notify_find(c, workspace, out) && out->url[0] != '\0' && !out->rests;
	db_rollback(c);
	return found;
}

enum sent { SENT, SENT_NOT, SENT_NOTHING_IS_DUE };

/* Sends one ping that is due. One whose workspace may have none now is put off. */
static enum sent
send_one(struct ctx *c, struct pinger *p, struct client *client)
{
	const char *busy[PINGER_CLIENTS], *workspace, *body;
	char secret[SIGNATURE_SECRET];
	size_t busy_count = 0;
	struct notify n;

	for (size_t i = 0; i < PINGER_CLIENTS; i++) {
		if (p->clients[i].waits)
			busy[busy_count++] = p->clients[i].host;
	}
	workspace = ping_next(c, busy, busy_count);
	if (workspace == NULL)
		return SENT_NOTHING_IS_DUE;
	if (!read_now(c, workspace, &n)) {
		ping_put_off(c, workspace);
		return SENT_NOT;
	}
	if (!ping_begin(c, workspace) || !ping_is_last_try(c, workspace, c->now))
		return SENT_NOT;
	body = body_of(c, workspace);
	signature_secret(c, workspace, n.secret, secret);
	remote_send(
	    client->remote, n.url, signature_make(c, secret, c->now, body, strlen(body)), body);
	explicit_bzero(secret, sizeof(secret));
	snprintf(client->workspace, sizeof(client->workspace), "%s", workspace);
	snprintf(client->host, sizeof(client->host), "%s", notify_host(c, n.url));
	client->waits = true;
	return SENT;
}

static void
take_one(struct ctx *c, struct client *client)
{
	struct remote_answer answer;
	struct err *err = remote_take(c, client->remote, &answer);

	client->waits = false;
	if (err != NULL && answer.reason == NULL) {
		log_line("%s", err->message);
		close_client(client);
	}
	ping_end(c, client->workspace,
	    err != NULL					   ? PING_NO_ANSWER
	    : answer.status >= 200 && answer.status <= 299 ? PING_ANSWERED
							   : PING_REFUSED);
}

/* Waits until a client has answered, or for `wait_ms`, and reads what came. Returns how many
 * clients still wait. */
static size_t
take_answers(struct ctx *c, struct pinger *p, int wait_ms)
{
	struct pollfd fds[PINGER_CLIENTS];
	struct client *waiting[PINGER_CLIENTS];
	size_t count = 0, left = 0;

	for (size_t i = 0; i < PINGER_CLIENTS; i++) {
		if (!p->clients[i].waits)
			continue;
		fds[count] = (struct pollfd) { .events = POLLIN,
			.fd = remote_wait_on(p->clients[i].remote) };
		waiting[count++] = &p->clients[i];
	}
	(void)poll(fds, count, wait_ms);
	for (size_t i = 0; i < count; i++) {
		if (fds[i].revents != 0)
			take_one(c, waiting[i]);
		left += waiting[i]->waits ? 1 : 0;
	}
	return left;
}

/* Sends as many as clients are free. Returns whether a client is left that could send. */
static bool
send_all(struct ctx *c, struct pinger *p)
{
	enum sent sent = SENT;
	bool left = false;

	for (size_t i = 0; i < PINGER_CLIENTS; i++) {
		struct client *client = &p->clients[i];
		left = left || client->remote != NULL;
		while (client->remote != NULL && !client->waits && sent != SENT_NOTHING_IS_DUE)
			sent = send_one(c, p, client);
	}
	return left;
}

/* Returns whether there is anything to do: notes what was changed first. */
static bool
look(struct ctx *c)
{
	struct ping_list all;

	ping_read(c, &all);
	if (!ping_is_due(c, &all))
		return false;
	ping_note(c, &all);
	return ping_is_due(c, &all);
}

void
pinger_run(struct ctx *c, struct pinger *p, int64_t until, bool (*must_stop)(void))
{
	struct arena *kept = c->arena;
	struct arena round;
	size_t waiting = 0;
	bool due = true;

	arena_init(&round, ROUND_MEMORY);
	c->arena = &round;
	while (!must_stop() && (due || waiting > 0)) {
		arena_reset(&round);
		due = clock_boot() < until && look(c);
		if (due)
			due = send_all(c, p);
		waiting = take_answers(c, p, PAUSE_MS);
	}
	c->arena = kept;
	arena_release(&round);
}
