#include "tell/pinger.h"

#include <poll.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "base/jwrite.h"
#include "base/log.h"
#include "net/remote.h"
#include "store/db.h"
#include "tell/ping.h"
#include "tell/signature.h"

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
