#include "tell/letter.h"

#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "screen/tr.h"
#include "system/conf.h"
#include "system/conf/console-conf.h"

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
