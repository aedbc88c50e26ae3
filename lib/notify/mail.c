#include "notify/mail.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "base/fileio.h"
#include "base/log.h"
#include "base/uuid.h"
#include "people/secret.h"
#include "screen/tr.h"
#include "store/db.h"
#include "store/lease.h"
#include "system/conf.h"
#include "system/fault.h"
#include "system/instance.h"

#define MAIL_DAY 20
#define MAIL_TRIES 6

/* ---- the last fault */

#define FAULT_MAX ((size_t)1000)

static const char *
path_of(struct ctx *c)
{
	return fileio_path(c->arena, c->instance->run, "console/mail-fault");
}

void
mail_fault_note(struct ctx *c, const char *why)
{
	if (why == NULL)
		(void)unlink(path_of(c));
	else if (!fileio_replace(c->arena, path_of(c), why, strlen(why), 0600))
		log_line("%s: %s", path_of(c), strerror(errno));
}

const char *
mail_fault_read(struct ctx *c)
{
	return fileio_read_now(c->arena, path_of(c), FAULT_MAX, NULL);
}

/* ---- the rows */

#define MINUTE (60 * CLOCK_SECOND)
#define DAY (86400 * CLOCK_SECOND)
#define WAITS (3 * DAY)
#define KEPT (400 * DAY)
#define UNKNOWN_MAX 2
#define SEAL "galley mail 1"
#define COLUMNS "id, uuid, kind, person, account, workspace, thing, mark, link, tries"

static const char *const kinds[MAIL_KINDS] = {
	[MAIL_INVITE] = "invite",
	[MAIL_RESET] = "reset",
	[MAIL_HANDED_IN] = "handed-in",
	[MAIL_JOB_FAILED] = "job-failed",
	[MAIL_CREDITS_LOW] = "credits-low",
	[MAIL_KEY_ENDS] = "key-ends",
	[MAIL_SITE_SILENT] = "site-silent",
};

static enum mail_kind
kind_of(const char *name)
{
	for (size_t i = 0; i < MAIL_KINDS; i++) {
		if (strcmp(kinds[i], name) == 0)
			return (enum mail_kind)i;
	}
	BUG("no mail is a %s", name);
}

/* ---- adding */

bool
mail_is_known(struct ctx *c, const struct mail *m)
{
	return db_exists(c,
	    "SELECT 1 FROM mail WHERE person = :person"
	    " AND kind = :kind AND thing = :thing AND mark = :mark",
	    db_t(":person", m->person), db_t(":kind", kinds[m->kind]), db_t(":thing", m->thing),
	    db_i(":mark", m->mark));
}

static bool
has_room(struct ctx *c, const char *account)
{
	int64_t count = db_one_int(c, 0,
	    "SELECT count(*) FROM mail WHERE account = :account AND created_at > :since",
	    db_t(":account", account), db_i(":since", c->now - DAY));

	return count < MAIL_DAY;
}

static void
insert(struct ctx *c, struct mail *m)
{
	size_t len = m->link != NULL ? strlen(m->link) : 0;

	m->id = db_insert(c,
	    "INSERT INTO mail (uuid, kind, person, account, workspace,"
	    " thing, mark, link, due_at, created_at) VALUES (:uuid, :kind, :person, :account,"
	    " :workspace, :thing, :mark, :link, :now, :now) RETURNING id",
	    db_t(":uuid", m->uuid), db_t(":kind", kinds[m->kind]), db_t(":person", m->person),
	    db_t(":account", m->account), db_t(":workspace", m->workspace),
	    db_t(":thing", m->thing), db_i(":mark", m->mark),
	    db_b(":link", m->link != NULL ? seal_make(c, SEAL, m->uuid, m->link, len) : NULL,
		len + SEAL_MORE),
	    db_i(":now", c->now));
}

bool
mail_add(struct ctx *c, struct mail *m)
{
	char *uuid = arena_alloc(c->arena, UUID_TEXT);

	uuid_random(uuid);
	m->uuid = uuid;
	if (m->thing == NULL)
		m->thing = uuid;
	if (mail_is_known(c, m) || !has_room(c, m->account))
		return false;
	insert(c, m);
	return true;
}

/* ---- tries */

bool
mail_is_due(struct ctx *c)
{
	bool due;

	db_begin_read(c, DB_CONSOLE);
	/* A due time that is far away is of a clock that was set back since. */
	due = db_exists(c,
	    "SELECT 1 FROM mail WHERE state = 'waiting'"
	    " AND (due_at <= :now OR due_at > :far) LIMIT 1",
	    db_i(":now", c->now), db_i(":far", c->now + DAY));
	db_rollback(c);
	return due;
}

/* Opens the link of a mail. One that was sealed with another secret is lost. */
static const char *
open_link(struct ctx *c, struct stmt *q, const char *uuid)
{
	size_t len;
	const void *bytes;

	if (db_is_null(q, 8))
		return NULL;
	bytes = db_bytes(q, 8, &len);
	return (const char *)seal_open(c, SEAL, uuid, bytes, len);
}

bool
mail_next(struct ctx *c, struct mail *out)
{
	struct stmt *q;
	bool found;

	db_begin_read(c, DB_CONSOLE);
	q = db_prepare(c,
	    "SELECT " COLUMNS " FROM mail WHERE state = 'waiting'"
	    " AND due_at > 0 AND (due_at <= :now OR due_at > :far) /*sort*/ ORDER BY tries, due_at, id LIMIT 1",
	    db_i(":now", c->now), db_i(":far", c->now + DAY));
	found = db_row(q);
	if (found) {
		*out = (struct mail) { .id = db_int(q, 0),
			.uuid = db_text(q, 1),
			.kind = kind_of(db_text(q, 2)),
			.person = db_text(q, 3),
			.account = db_text(q, 4),
			.workspace = db_text(q, 5),
			.thing = db_text(q, 6),
			.mark = db_int(q, 7),
			.tries = db_int(q, 9) };
		out->link = open_link(c, q, out->uuid);
	}
	db_rollback(c);
	return found;
}

/* Sets the state of a mail that will not be tried again. */
static void
settle(struct ctx *c, const struct mail *m, const char *state)
{
	db_run(c,
	    "UPDATE mail SET state = :state, link = NULL WHERE id = :id AND state = 'waiting'",
	    db_t(":state", state), db_i(":id", m->id));
}

/* Settles it as failed if it had all its tries, or as many as may have been sent. */
static void
settle_if_over(struct ctx *c, const struct mail *m)
{
	db_run(c,
	    "UPDATE mail SET state = 'failed', link = NULL"
	    " WHERE id = :id AND state = 'waiting' AND (tries >= :tries OR unknown >= :unknown)",
	    db_i(":id", m->id), db_i(":tries", MAIL_TRIES), db_i(":unknown", UNKNOWN_MAX));
}

/* Returns whether it waits, and has had so many tries. */
static bool
has_tries(struct ctx *c, const struct mail *m)
{
	return db_exists(c,
	    "SELECT 1 FROM mail WHERE id = :id AND state = 'waiting' AND tries = :tries",
	    db_i(":id", m->id), db_i(":tries", m->tries));
}

/* Counts the try as one of which nobody knows how it ended: killed now, it is one. */
static bool
count_try(struct ctx *c, struct mail *m)
{
	static const int64_t minutes[MAIL_TRIES] = { 1, 5, 30, 120, 360, 0 };

	if (!has_tries(c, m))
		return false;
	db_run(c,
	    "UPDATE mail SET tries = tries + 1, unknown = unknown + 1,"
	    " due_at = :again WHERE id = :id",
	    db_i(":again",
		c->now + minutes[m->tries < MAIL_TRIES ? m->tries : MAIL_TRIES - 1] * MINUTE),
	    db_i(":id", m->id));
	m->tries++;
	return true;
}

bool
mail_begin(struct ctx *c, struct mail *m)
{
	bool begun;

	db_begin_write(c, DB_CONSOLE, DB_CHANGES_NOTHING, 0, 0);
	settle_if_over(c, m);
	begun = count_try(c, m);
	db_commit(c);
	(void)FAULT("mail-begun");
	return begun;
}

bool
mail_is_last_try(struct ctx *c, const struct mail *m)
{
	bool last;

	if (!lease_is_shared())
		return true;
	db_begin_read(c, DB_CONSOLE);
	last = has_tries(c, m);
	db_rollback(c);
	return last;
}

void
mail_end(struct ctx *c, const struct mail *m, enum mail_outcome outcome)
{
	(void)FAULT("mail-sent");
	db_begin_write(c, DB_CONSOLE, DB_CHANGES_NOTHING, 0, 0);
	if (outcome != MAIL_SENT && !has_tries(c, m)) {
		db_rollback(c);
		return;
	}
	if (outcome == MAIL_FAILED) {
		db_run(c, "UPDATE mail SET unknown = unknown - 1 WHERE id = :id AND unknown > 0",
		    db_i(":id", m->id));
	}
	if (outcome == MAIL_SENT || outcome == MAIL_ENDED)
		settle(c, m, outcome == MAIL_SENT ? "sent" : "ended");
	else
		settle_if_over(c, m);
	db_commit(c);
	(void)FAULT("mail-ended");
}

void
mail_end_all(struct ctx *c)
{
	db_begin_write(c, DB_CONSOLE, DB_CHANGES_NOTHING, 0, 0);
	db_run(c,
	    "UPDATE mail SET state = 'ended', link = NULL WHERE state = 'waiting' AND due_at > 0");
	db_commit(c);
}

/* What may go on for years is told once all the same: those rows stay. */
void
mail_sweep(struct ctx *c)
{
	db_begin_write(c, DB_CONSOLE, DB_CHANGES_NOTHING, 0, 0);
	db_run(c,
	    "UPDATE mail SET state = 'ended', link = NULL"
	    " WHERE state = 'waiting' AND due_at > 0 AND created_at < :since",
	    db_i(":since", c->now - WAITS));
	db_run(c,
	    "DELETE FROM mail WHERE created_at < :since AND kind NOT IN"
	    " ('credits-low', 'site-silent') AND state <> 'waiting' /*scan*/",
	    db_i(":since", c->now - KEPT));
	db_commit(c);
}

/* ---- the text of a mail */

#define LETTER_MAX ((size_t)64 * 1024)
#define LINE 57 /* bytes that base64 makes a line of 76 of */
#define WORD 42 /* bytes of an encoded word, which has 75 at most */

static const struct {
	const char *subject, *sentence, *more;
} texts[MAIL_KINDS] = {
	[MAIL_INVITE] = { tr_mark("An invitation"),
	    tr_mark("You are invited to write and publish. This link makes you a member:"),
	    tr_mark(
		"It works once, for seven days. If you do not know who invites you, you need not do anything.") },
	[MAIL_RESET] = { tr_mark("A new password"),
	    tr_mark(
		"Somebody who manages your account made this link. It sets a new password for you:"),
	    tr_mark(
		"It works once, for an hour. If you did not ask for it, say so to that person.") },
	[MAIL_HANDED_IN] = { tr_mark("An article was handed in"),
	    tr_mark("An article waits for you to publish it or hand it back:"), NULL },
	[MAIL_JOB_FAILED] = { tr_mark("An order failed"),
	    tr_mark("An order of your workspace failed. Its page says why:"), NULL },
	[MAIL_CREDITS_LOW] = { tr_mark("Few credits are left"),
	    tr_mark("Your account has credits for less than five articles:"), NULL },
	[MAIL_KEY_ENDS] = { tr_mark("A key ends"),
	    tr_mark("A key of your website ends within 14 days and has no successor:"), NULL },
	[MAIL_SITE_SILENT] = { tr_mark("A site is silent"),
	    tr_mark("A website that reads your articles has asked for nothing in three days:"),
	    NULL },
};

const char *
letter_console(struct ctx *c)
{
	struct console_conf own;
	const char *url;

	console_conf_read(c, &own);
	url = own.url[0] != '\0' ? own.url : c->conf->public_url;
	return url[0] != '\0' ? arena_printf(c->arena, "%s/console", url) : NULL;
}

static bool
is_ascii(const char *text)
{
	for (; *text != '\0'; text++) {
		if ((unsigned char)*text >= 0x80)
			return false;
	}
	return true;
}

/* Adds base64 with padding (RFC 4648 §4). */
static void
add_base64(struct buf *out, const char *bytes, size_t len)
{
	static const char digits[] =
	    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

	for (size_t i = 0; i < len; i += 3) {
		unsigned n = (unsigned)(unsigned char)bytes[i] << 16;
		if (i + 1 < len)
			n |= (unsigned)(unsigned char)bytes[i + 1] << 8;
		if (i + 2 < len)
			n |= (unsigned char)bytes[i + 2];
		buf_add_char(out, digits[n >> 18 & 63]);
		buf_add_char(out, digits[n >> 12 & 63]);
		buf_add_char(out, i + 1 < len ? digits[n >> 6 & 63] : '=');
		buf_add_char(out, i + 2 < len ? digits[n & 63] : '=');
	}
}

/* Returns how many bytes of a text are whole characters, at most `max`. */
static size_t
whole(const char *text, size_t max)
{
	size_t len = strlen(text);

	if (len <= max)
		return len;
	while (max > 0 && ((unsigned char)text[max] & 0xC0) == 0x80)
		max--;
	return max;
}

/* Adds a subject: encoded words (RFC 2047) where it is not ASCII, each of whole characters. */
static void
add_subject(struct buf *out, const char *subject)
{
	const char *between = "";

	buf_add_text(out, "Subject: ");
	if (is_ascii(subject)) {
		buf_printf(out, "%s\n", subject);
		return;
	}
	while (*subject != '\0') {
		size_t len = whole(subject, WORD);
		buf_printf(out, "%s=?UTF-8?B?", between);
		add_base64(out, subject, len);
		buf_add_text(out, "?=");
		between = "\n ";
		subject += len;
	}
	buf_add_char(out, '\n');
}

/* Returns the host of the console for an address: an IPv4 address is in brackets. */
static const char *
host_of(struct ctx *c, const char *console)
{
	const char *host = strstr(console, "://");
	size_t len;

	host = host != NULL ? host + 3 : console;
	if (host[0] == '[')
		return arena_printf(c->arena, "[IPv6:%.*s]", (int)strcspn(host + 1, "]"), host + 1);
	len = strcspn(host, ":/");
	return arena_printf(
	    c->arena, strspn(host, "0123456789.") >= len ? "[%.*s]" : "%.*s", (int)len, host);
}

/* Adds "Mon, 23 Nov 2026 05:00:00 +0000". */
static void
add_date(struct buf *out, int64_t at)
{
	static const char days[][4] = { "Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed" };
	static const char months[][4] = { "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug",
		"Sep", "Oct", "Nov", "Dec" };
	char text[CLOCK_TEXT];
	int month;

	clock_format_seconds(text, at);
	month = (text[5] - '0') * 10 + text[6] - '0';
	buf_printf(out, "Date: %s, %.2s %s %.4s %.8s +0000\n", days[at / CLOCK_SECOND / 86400 % 7],
	    text + 8, months[month - 1], text, text + 11);
}

/* Adds a text in lines of at most 78 bytes, broken at spaces. */
static void
add_lines(struct buf *out, const char *text)
{
	size_t used = 0;

	while (*text != '\0') {
		size_t len = strcspn(text, " ");
		if (used > 0 && used + 1 + len > 78) {
			buf_add_char(out, '\n');
			used = 0;
		}
		if (used > 0)
			buf_add_char(out, ' ');
		buf_add(out, text, len);
		used += len + (used > 0 ? 1 : 0);
		text += len;
		text += strspn(text, " ");
	}
	buf_add_char(out, '\n');
}

static const char *
body_of(struct ctx *c, const struct letter *l)
{
	const char *more = !l->test ? texts[l->kind].more : NULL;
	struct buf out;

	buf_init(&out, c->arena, LETTER_MAX);
	if (l->test) {
		add_lines(&out, "This is a test: the mails of this instance arrive.");
		buf_printf(&out, "\n%s/\n", l->console);
		return buf_done(&out);
	}
	add_lines(&out, tr(texts[l->kind].sentence));
	buf_printf(&out, "\n%s%s\n\n", l->console, l->path);
	if (more != NULL) {
		add_lines(&out, tr(more));
		return buf_done(&out);
	}
	add_lines(&out, tr("You are told this once. Your account has a switch for such mails:"));
	buf_printf(&out, "\n%s/me\n", l->console);
	return buf_done(&out);
}

static void
add_body(struct buf *out, const char *body)
{
	size_t len = strlen(body);

	buf_printf(out, "Content-Transfer-Encoding: %s\n\n", is_ascii(body) ? "7bit" : "base64");
	if (is_ascii(body)) {
		buf_add_text(out, body);
		return;
	}
	for (size_t at = 0; at < len; at += LINE) {
		add_base64(out, body + at, len - at < LINE ? len - at : LINE);
		buf_add_char(out, '\n');
	}
}

const char *
letter_write(struct ctx *c, const struct letter *l)
{
	const char *host = host_of(c, l->console), *body;
	struct buf out;

	tr_begin(c, l->test ? NULL : l->language);
	buf_init(&out, c->arena, LETTER_MAX);
	if (l->from != NULL)
		buf_printf(&out, "From: %s\n", l->from);
	else
		buf_printf(&out, "From: galley@%s\n", host);
	buf_printf(&out, "To: %s\n", l->to);
	add_subject(&out, l->test ? "A test" : tr(texts[l->kind].subject));
	add_date(&out, c->now);
	buf_printf(&out,
	    "Message-ID: <%s@%s>\nAuto-Submitted: auto-generated\n"
	    "MIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\n",
	    l->uuid, host);
	if (!l->test)
		buf_printf(&out, "Content-Language: %s\n", tr_tag());
	body = body_of(c, l);
	add_body(&out, body);
	tr_begin(c, NULL);
	return buf_done(&out);
}
