/* One key: what it may do, the requests that arrive with it, and its end (docs/console.md
 * §4.9). */
#include <inttypes.h>
#include <string.h>

#include "access/apikey.h"
#include "action/key-actions.h"
#include "all.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "key.h"
#include "screen/say.h"
#include "screen/tr.h"
#include "stats/logs.h"
#include "store/db.h"
#include "store/limit.h"

#define LOG_MAX (INT64_C(4) * 1024 * 1024) /* bytes of the log that are read */
#define SHOWN_MAX 10
#define WAIT_S 5
#define GRACE CLOCK_DAY /* how long a key that was rotated still works */

struct page {
	struct ctx *c;
	const struct visit *v;
	const struct apikey *key;
	const char *by; /* name of who made it, or NULL */
	const char *probe; /* probe=WORD */
	struct logs_request requests[SHOWN_MAX]; /* the last ones, in a ring */
	size_t count;
};

/* ---- what arrived */

/* Keeps a request that was sent with this key, or with its word. */
static void
look_at(void *arg, const char *line, size_t len)
{
	struct page *p = arg;
	char number[32];
	struct logs_request r;
	int64_t at;
	int number_len = snprintf(number, sizeof(number), " key=%" PRId64 " ", p->key->id);

	if (memmem(line, len, number, (size_t)number_len) == NULL &&
	    memmem(line, len, p->probe, strlen(p->probe)) == NULL)
		return;
	if (!logs_parse(p->c, line, len, &r) || !clock_parse(r.at, &at) ||
	    at < p->key->created_at - CLOCK_SECOND)
		return;
	if (r.key != p->key->id && strstr(r.target, p->probe) == NULL)
		return;
	p->requests[p->count++ % SHOWN_MAX] = r;
}

static void
read_log(struct ctx *c, struct page *p)
{
	size_t count;
	const char **paths = logs_find(c, "requests.log", &count);

	p->probe = arena_printf(c->arena, "probe=%s", key_word(c, p->key));
	if (count > 0)
		(void)logs_read(c, paths[0], LOG_MAX, look_at, p);
}

static void
write_requests(struct hwrite *w, const struct page *p)
{
	static const struct screen_column columns[] = {
		{ .label = tr_mark("Time") },
		{ .label = tr_mark("Request") },
		{ .label = tr_mark("Answer"), .number = true },
		{ .label = tr_mark("Refusal") },
		{ .label = NULL },
	};
	size_t shown = p->count < SHOWN_MAX ? p->count : SHOWN_MAX;
	struct screen_table t;

	screen_table_begin(&t, w, tr("The last requests"), columns);
	for (size_t i = 1; i <= shown; i++) {
		const struct logs_request *r = &p->requests[(p->count - i) % SHOWN_MAX];
		int64_t at = 0;
		screen_row_begin(&t);
		(void)clock_parse(r->at, &at); /* as it was when it was found */
		screen_cell(&t, say_second_text(p->c, at));
		screen_cell(&t, arena_printf(p->c->arena, "%s %s", r->method, r->target));
		screen_cell(&t, arena_printf(p->c->arena, "%d", r->status));
		screen_cell(&t, r->sentence);
		screen_row_end(&t);
	}
	screen_table_end(&t);
}

static void
write_fact(struct hwrite *w, const char *name, const char *value)
{
	hwrite_element(w, H_DT, name);
	hwrite_open(w, H_DD);
	screen_data(w, value);
	hwrite_close(w, H_DD);
}

static void
write_day(struct hwrite *w, const char *name, int64_t at)
{
	hwrite_element(w, H_DT, name);
	hwrite_open(w, H_DD);
	say_time(w, at);
	hwrite_close(w, H_DD);
}

static void
write_facts(struct hwrite *w, const struct page *p)
{
	hwrite_open(w, H_DL);
	write_fact(w, tr("Key"), p->key->display);
	write_fact(w, tr("It may"), key_may(p->c, p->key));
	if (p->by != NULL)
		write_fact(w, tr("Made by"), p->by);
	hwrite_element(w, H_DT, tr("State"));
	hwrite_open(w, H_DD);
	key_write_state(w, p->c, p->key);
	hwrite_close(w, H_DD);
	write_day(w, tr("Created"), p->key->created_at);
	write_day(w, tr("Ends"), p->key->expires_at);
	hwrite_close(w, H_DL);
}

static void
write_page(struct hwrite *w, const void *data)
{
	const struct page *p = data;

	write_facts(w, p);
	hwrite_element(w, H_H2, tr("Requests"));
	if (p->count > 0)
		write_requests(w, p);
	else
		screen_notice(w, SCREEN_NOTE, "%s",
		    tr("Waiting. This page looks again every 5 seconds for a request with this key."));
	hwrite_open(w, H_P);
	screen_button_link(w, console_path(p->c, p->v, "/%s/keys", p->v->workspace->uuid),
	    tr("Back to the keys"), false);
	hwrite_close(w, H_P);
}

static void
keep(void *arg, const struct apikey *key)
{
	struct page *p = arg;

	p->key = key;
}

static struct err *
show(struct ctx *c, struct visit *v, struct reply *reply)
{
	struct page *p = arena_alloc(c->arena, sizeof(*p));
	struct err *err = key_show(c, v->workspace->uuid, v->id, keep, p);

	if (err != NULL)
		return err;
	p->c = c;
	p->v = v;
	key_made_names(c, &p->key->id, 1, &p->by);
	read_log(c, p);
	if (p->count == 0 && strcmp(key_state(c, p->key), "good") == 0)
		v->refresh_s = WAIT_S;
	console_page(
	    c, v, reply, p->key->label[0] != '\0' ? p->key->label : tr("Key"), NULL, write_page, p);
	return NULL;
}

/* ---- its end */

/* Returns what a rotation did to the old key. */
static const char *
about_old(struct ctx *c, const struct key_replaced *r)
{
	return arena_printf(c->arena, tr("The old key, %s, works until %s."), r->old->display,
	    say_full_text(c, r->old->expires_at));
}

static struct err *
rotate(struct ctx *c, struct visit *v, struct reply *reply)
{
	const struct key_replacement order = { .within = v->workspace->uuid,
		.old = v->id,
		.grace = GRACE,
		.person = v->person->uuid };
	struct key_replaced r = { .again = false };
	struct page old = { .key = NULL };
	struct err *err = key_show(c, v->workspace->uuid, v->id, keep, &old);

	if (err != NULL)
		return err;
	if (key_is_strong(old.key->scopes) && !console_step_up(c, v, reply))
		return NULL;
	err = key_replace(c, &order, &r);
	if (err != NULL)
		return err;
	console_journal(c, v, "key rotate %s %s", r.old->uuid, r.made->uuid);
	key_page_made(c, v, reply, r.made, r.key, about_old(c, &r));
	explicit_bzero(r.key, sizeof(r.key));
	return NULL;
}

static const struct field revoke_fields[] = {
	{ .name = "revoke",
	    .label = tr_mark("Revoke"),
	    .kind = FIELD_SUBMIT,
	    .tone = FIELD_DANGER },
	{ .name = NULL },
};

/* Asks before "Revoke": a website stops at once. */
static struct err *
ask(struct ctx *c, struct visit *v, struct reply *reply)
{
	const char *keys = arena_printf(c->arena, "/%s/keys", v->workspace->uuid);
	struct console_question q = {
		.title = tr("Revoke this key?"), .action = v->path, .back = keys
	};
	struct page p = { .key = NULL };
	struct form f;
	struct err *err = key_show(c, v->workspace->uuid, v->id, keep, &p);
	int64_t used_at;

	if (err != NULL)
		return err;
	if (strcmp(key_state(c, p.key), "good") != 0)
		return refuse(c, ERR_CONFLICT, "%s", tr("This key is refused already."));
	used_at = limit_last_used(c, p.key->id);
	form_init(&f, "revoke", revoke_fields);
	q.form = &f;
	q.about = arena_printf(c->arena, "%s %s", p.key->label, p.key->display);
	q.says[0] = tr(
	    "From now on it is refused: each website and program that uses it reads nothing here any more.");
	q.says[1] = used_at != 0 ? arena_printf(c->arena, tr("It was last used %s."),
				       say_time_text(c, used_at))
				 : tr("It was never used.");
	q.says[2] = tr(
	    "This cannot be undone. “Rotate” makes another key, and this one works for a while longer.");
	console_ask(c, v, reply, &q);
	return NULL;
}

static struct err *
revoke(struct ctx *c, struct visit *v, struct reply *reply)
{
	const char *keys = arena_printf(c->arena, "/%s/keys", v->workspace->uuid);
	struct apikey *key;
	struct err *err;

	console_will_go(v, arena_printf(c->arena, "%s?notice=revoked", keys));
	err = key_revoke(c, v->workspace->uuid, v->id, &key);
	if (err != NULL)
		return err;
	console_journal(c, v, "key revoke %s", key->uuid);
	console_go(c, v, reply, keys, "revoked");
	return NULL;
}

#define KEY .title = tr_mark("Key"), .need = RIGHT_MANAGE

const struct console_row key_screens[] = {
	{ .method = "GET", .pattern = "/W/keys/ID", KEY, .handler = show },
	{ .method = "POST", .pattern = "/W/keys/ID/rotate", KEY, .handler = rotate },
	{ .method = "GET", .pattern = "/W/keys/ID/revoke", KEY, .handler = ask },
	{ .method = "POST", .pattern = "/W/keys/ID/revoke", KEY, .handler = revoke },
	{ .method = NULL },
};
