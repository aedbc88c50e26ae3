#include "console/sent.h"

#include <string.h>
#include <strings.h>

#include "access/address-limit.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "base/digest.h"
#include "console/arrive.h"
#include "console/headers.h"
#include "console/page.h"
#include "console/visitor.h"
#include "store/db.h"
#include "system/conf/console-conf.h"
#include "system/harden.h"

#define KEPT_MAX (ARRIVE_FORM_MAX + (size_t)1024 * 1024)

struct err *
sent_origin(struct ctx *c, const struct visit *v, const struct headers *h)
{
	if (h->fetch_site != NULL && strcmp(h->fetch_site, "same-origin") != 0)
		return refuse(c, ERR_FORBIDDEN,
		    tr_mark("This form came from another site, so nothing was done."));
	if (h->origin == NULL || strcasecmp(h->origin, v->place.origin) != 0)
		return refuse(c, ERR_FORBIDDEN,
		    tr_mark("This form did not come from a page of %s, so nothing was done."),
		    v->place.origin);
	return NULL;
}

struct err *
sent_token(struct ctx *c, const struct visit *v)
{
	const char *sent = console_sent(v, "token");

	if (v->row->access == SCREEN_PUBLIC)
		return NULL;
	if (sent != NULL && strlen(sent) == strlen(v->token) &&
	    digest_compare(sent, v->token, strlen(v->token)) == 0)
		return NULL;
	return refuse(c, ERR_FORBIDDEN,
	    tr_mark(
		"This form belongs to another session. Open the page again; nothing was done."));
}

struct err *
sent_often(struct ctx *c, struct visit *v)
{
	struct address_limit limit = {
		.file = ADDRESS_LIMIT_FORMS, .now = clock_now(), .no_proxy = true
	};
	struct console_conf conf;
	struct err *err;
	int retry_s;

	if (v->row->access == SCREEN_PUBLIC || (v->row->unnumbered && !v->row->script))
		return NULL;
	console_conf_read(c, &conf);
	limit.per_minute = conf.forms_per_minute;
	limit.person = v->person->uuid;
	if (address_limit_take(c, &limit, &retry_s))
		return NULL;
	v->often = true;
	err = refuse(c, ERR_RATE_LIMITED,
	    tr_mark(
		"You sent more than %lld forms in a minute, so nothing was done with this one. Wait a moment and send it again."),
	    (long long)limit.per_minute);
	err->retry_after_s = retry_s;
	return err;
}

/* Computes what makes two sendings of a form the same. */
static void
digest_sent(struct visit *v)
{
	struct digest d;

	digest_begin(&d, DIGEST_SIZE, "galley form 1");
	for (size_t i = 0; i < v->sent.count; i++) {
		const struct form_value *value = &v->sent.values[i];
		if (strcmp(value->name, "token") == 0 || strcmp(value->name, "number") == 0)
			continue;
		digest_text(&d, value->name);
		digest_bytes(&d, value->text, value->len);
	}
	digest_int(&d, (int64_t)v->sent.count);
	for (size_t i = 0; i < v->sent.file_count; i++) {
		digest_text(&d, v->sent.files[i].name);
		digest_bytes(&d, v->sent.files[i].text, v->sent.files[i].len);
	}
	digest_end(&d, v->number.digest);
}

void
sent_number(struct ctx *c, struct visit *v)
{
	v->number.number = console_sent(v, "number");
	v->number.person = v->person != NULL ? v->person->uuid : "";
	v->number.route = v->path;
	digest_sent(v);
	v->number_state = formnumber_check(c, &v->number);
}

/* A picture makes a form longer, not its texts. */
static struct err *
check_texts(struct ctx *c, const struct visit *v)
{
	size_t len = 0;

	for (size_t i = 0; i < v->sent.count; i++)
		len += v->sent.values[i].len;
	if (len <= ARRIVE_FORM_MAX)
		return NULL;
	return refuse(c, ERR_TOO_LARGE, tr_mark("This form is too large: it may have %zu MiB."),
	    ARRIVE_FORM_MAX >> 20);
}

struct err *
sent_read(struct ctx *c, struct visit *v, const struct headers *h)
{
	char *body;
	size_t len;
	struct err *err = arrive_read(c, v, &body, &len);

	harden_life(0);
	if (err == NULL)
		err = multipart_read(c, h->content_type, body, len, &v->sent);
	if (err == NULL)
		err = check_texts(c, v);
	if (err != NULL)
		return err;
	sent_number(c, v);
	return NULL;
}

/* ---- what is kept for later */

/* Names and values, each with a NUL behind it, and the length of the value before both. */
void
sent_write(struct ctx *c, const struct visit *v, struct buf *out)
{
	buf_init(out, c->arena, KEPT_MAX);
	for (size_t i = 0; i < v->sent.count; i++) {
		const struct form_value *value = &v->sent.values[i];
		const uint64_t len = value->len;
		if (strcmp(value->name, "token") == 0)
			continue;
		buf_add(out, &len, sizeof(len));
		buf_add(out, value->name, strlen(value->name) + 1);
		buf_add(out, value->text, value->len);
		buf_add_char(out, '\0');
	}
}

void
console_put_back(struct ctx *c, struct visit *v, const unsigned char *bytes, size_t len)
{
	const char *at = (const char *)bytes, *end = at + len;

	memset(&v->sent, 0, sizeof(v->sent));
	v->sent.values = arena_array(c->arena, MULTIPART_PARTS_MAX, sizeof(*v->sent.values));
	while (at < end) {
		struct form_value *value = &v->sent.values[v->sent.count++];
		uint64_t size;
		memcpy(&size, at, sizeof(size));
		at += sizeof(size);
		value->name = at;
		at += strlen(at) + 1;
		value->text = at;
		value->len = size;
		at += size + 1;
	}
}

/* ---- a form that was sent before */

static bool
is_in(struct ctx *c, struct visit *v, enum db_store store)
{
	bool found;

	db_begin_read(c, store);
	found = formnumber_find(c, &v->number, &v->answer);
	db_rollback(c);
	return found;
}

bool
sent_before(struct ctx *c, struct visit *v)
{
	/* The script is told what is saved now: a save of what is saved changes nothing. */
	if (v->row->access == SCREEN_PUBLIC || v->row->unnumbered || v->by_script ||
	    v->number_state != FORMNUMBER_GOOD)
		return false;
	v->repeated = is_in(c, v, DB_CONTENT) || is_in(c, v, DB_CONSOLE);
	return v->repeated;
}

/* ---- the gate */

struct err *
sent_enter(struct ctx *c, struct gate *gate)
{
	struct visit *v = (struct visit *)(void *)gate;
	const char *answer = NULL;
	struct err *err;

	if (v->row->access == SCREEN_PUBLIC)
		return NULL;
	if (v->number_state != FORMNUMBER_GOOD && !v->row->unnumbered)
		return refuse(c, ERR_CONFLICT,
		    tr_mark(
			"This form is older than a day, or belongs to another page, so nothing was done. Open the page again."));
	err = visitor_again(c, v);
	if (err != NULL || v->row->unnumbered)
		return err;
	switch (formnumber_spend(c, &v->number, v->answer, &answer)) {
	case FORMNUMBER_FRESH:
		v->spent = true;
		return NULL;
	case FORMNUMBER_SAME:
		if (v->spent)
			return NULL;
		/* A save of what is saved changes nothing (§5.4); a new article is made once. */
		if (v->by_script && !(v->row->editor && v->id == NULL))
			return NULL;
		v->repeated = true;
		v->answer = answer;
		return refuse(c, ERR_CONFLICT, tr_mark("This form was sent before."));
	case FORMNUMBER_OTHER:
		/* Another text for an article is saved against its base (§3.7). */
		if (v->row->editor && v->id != NULL)
			return NULL;
		break;
	}
	return refuse(c, ERR_CONFLICT,
	    tr_mark(
		"This form was sent before with another content. Look at it, and send it again."));
}

void
sent_leave(struct ctx *c, struct gate *gate)
{
	struct visit *v = (struct visit *)(void *)gate;
	const char *answer;

	if (v->tell == NULL || !v->spent)
		return;
	answer = v->tell(c, v->tell_arg);
	if (strcmp(answer, v->answer) != 0)
		formnumber_answer(c, &v->number, answer);
}
