/* Keys (docs/console.md §4.9): a new key, which is shown once, with lines that are ready to be
 * run; one key, the requests that arrive with it and its end; the list, and whose a leaked key
 * is. */
#include <inttypes.h>
#include <string.h>

#include "access/apikey.h"
#include "action/key-actions.h"
#include "all.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "screen/say.h"
#include "screen/tr.h"
#include "stats/logs.h"
#include "store/db.h"
#include "store/limit.h"
#include "system/conf.h"

/* ---- a new key, shown once */

#define WORD 8 /* characters */

struct made {
	struct ctx *c;
	const struct visit *v;
	const struct apikey *made;
	const char *key;
};

/* Returns the word that the first request of a key carries (arena): ?probe=WORD. */
static const char *
key_word(struct ctx *c, const struct apikey *key)
{
	return arena_text_n(c->arena, key->uuid, WORD);
}

const char *
key_may(struct ctx *c, const struct apikey *key)
{
	const char *texts[] = {
		(key->scopes & SCOPE_READ) != 0 ? tr("read published articles") : NULL,
		(key->scopes & SCOPE_DRAFTS) != 0 ? tr("read drafts") : NULL,
		(key->scopes & SCOPE_GENERATE) != 0 ? tr("create new articles") : NULL,
	};
	const char *all = "";

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		if (texts[i] != NULL)
			all = arena_printf(
			    c->arena, "%s%s%s", all, all[0] != '\0' ? ", " : "", texts[i]);
	}
	return all;
}

/* Writes the state of a key as a word. */
static void
key_write_state(struct hwrite *w, struct ctx *c, const struct apikey *key)
{
	const char *state = key_state(c, key);

	if (strcmp(state, "good") == 0)
		screen_state(w, SCREEN_GOOD, tr("Good"));
	else if (strcmp(state, "revoked") == 0)
		screen_state(w, SCREEN_BAD, tr("Revoked"));
	else
		screen_state(w, SCREEN_NOTE, tr("Ended"));
}

/* The lines: the first %s is the address, the second the key. */
static const struct {
	const char *title, *lines;
} ways[] = {
	{ tr_mark("curl"), "curl '%s' \\\n"
			   "  -H 'Authorization: Bearer %s'" },
	{ tr_mark("PHP"), "<?php\n"
			  "$address = '%s';\n"
			  "$header = 'Authorization: Bearer %s';\n"
			  "echo file_get_contents($address, false, stream_context_create(\n"
			  "    ['http' => ['header' => $header]]));" },
	{ tr_mark("Python"), "import urllib.request\n"
			     "address = '%s'\n"
			     "headers = {'Authorization': 'Bearer %s'}\n"
			     "request = urllib.request.Request(address, headers=headers)\n"
			     "print(urllib.request.urlopen(request).read().decode())" },
	{ tr_mark("JavaScript"), "const address = '%s';\n"
				 "const headers = { Authorization: 'Bearer %s' };\n"
				 "fetch(address, { headers })\n"
				 "  .then((answer) => answer.text()).then(console.log);" },
};

/* Returns the lines with the address and the key in their places (arena). */
static const char *
fill(struct arena *a, const char *lines, const char *address, const char *key)
{
	const char *first = strstr(lines, "%s"), *second = strstr(first + 2, "%s");

	return arena_printf(a, "%.*s%s%.*s%s%s", (int)(first - lines), lines, address,
	    (int)(second - first - 2), first + 2, key, second + 2);
}

static void
write_lines(struct hwrite *w, const struct made *m)
{
	const char *address = arena_printf(m->c->arena, "%s/api/v1/connection?probe=%s",
	    m->c->conf->public_url, key_word(m->c, m->made));

	hwrite_element(w, H_H2, tr("Try it"));
	hwrite_element(w, H_P,
	    tr("Each of these asks with the key which workspace it reads. Run one where your site runs: a key never belongs into a page."));
	for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
		hwrite_element(w, H_H3, tr(ways[i].title));
		screen_copy(
		    w, tr("these lines"), fill(m->c->arena, ways[i].lines, address, m->key));
	}
}

static void
write_links(struct hwrite *w, const struct made *m)
{
	const char *keys = console_path(m->c, m->v, "/%s/keys", m->v->workspace->uuid);

	hwrite_open(w, H_P);
	if ((m->made->scopes & SCOPE_READ) != 0) {
		screen_button_link(w, arena_printf(m->c->arena, "%s/%s", keys, m->made->uuid),
		    tr("Wait for its first request"), true);
		hwrite_text(w, " ");
	}
	screen_button_link(w, keys, tr("Back to the keys"), false);
	hwrite_close(w, H_P);
}

static void
write_made(struct hwrite *w, const void *data)
{
	const struct made *m = data;

	screen_notice(w, SCREEN_WARNING, "%s", tr("Copy the key now: it is shown this once only."));
	screen_copy(w, tr("the key"), m->key);
	if ((m->made->scopes & SCOPE_READ) != 0)
		write_lines(w, m);
	write_links(w, m);
}

/* Writes the page that shows a new key, the only time. `under` is a sentence. */
static void
key_page_made(struct ctx *c, const struct visit *v, struct reply *reply, const struct apikey *made,
    const char *key, const char *under)
{
	const struct made m = { .c = c, .v = v, .made = made, .key = key };

	console_page(c, v, reply, tr("The new key"), under, write_made, &m);
}

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

/* ---- one key: what arrived */

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

/* ---- one key: its end */

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

#define KEYS_MAX 1000 /* of a workspace; a page shows the newest */
#define LEAKED_MAX 4000 /* bytes of a text that holds a key */

/* A key of the list. */
struct shown {
	const struct apikey *key;
	const char *state;
	int64_t used_at;
	bool sure; /* of those that were found */
	const char *by; /* name of who made it, or NULL */
};

struct keys {
	struct ctx *c;
	const struct visit *v;
	struct shown keys[KEYS_MAX];
	size_t count;
	struct form order, search;
	bool found; /* the list is what a search has found */
};

static const struct field order_fields[] = {
	{ .name = "label",
	    .label = tr_mark("Label"),
	    .kind = FIELD_TEXT,
	    .max = 200,
	    .required = true,
	    .missing = tr_mark("Say where the key will be used."),
	    .hint = tr_mark("It tells the keys apart: “Our website”.") },
	{ .name = "read", .label = tr_mark("Read published articles"), .kind = FIELD_CHECKBOX },
	{ .name = "drafts", .label = tr_mark("Also read drafts"), .kind = FIELD_CHECKBOX },
	{ .name = "generate",
	    .label = tr_mark("Create new articles"),
	    .kind = FIELD_CHECKBOX,
	    .hint = tr_mark("This spends credits, and needs a key of its own.") },
	{ .name = "expires",
	    .label = tr_mark("Ends"),
	    .kind = FIELD_DATE,
	    .hint = tr_mark(
		"The key is refused from this day on, in the time zone of the workspace.") },
	{ .name = "make",
	    .label = tr_mark("Create key"),
	    .kind = FIELD_SUBMIT,
	    .tone = FIELD_PRIMARY },
	{ .name = NULL },
};

static const struct field search_fields[] = {
	{ .name = "key",
	    .label = tr_mark("Key"),
	    .kind = FIELD_PASSWORD,
	    .max = LEAKED_MAX,
	    .required = true,
	    .autocomplete = "off",
	    .missing = tr_mark("Paste the key, its beginning, or its end."),
	    .hint = tr_mark(
		"A key that was seen where it must not be. It may be pasted whole: it is not kept and not shown.") },
	{ .name = "find", .label = tr_mark("Find"), .kind = FIELD_SUBMIT },
	{ .name = NULL },
};

static const struct field rotate_fields[] = {
	{ .name = "rotate", .label = tr_mark("Rotate"), .kind = FIELD_SUBMIT },
	{ .name = NULL },
};

/* ---- the list */

/* "Rotate" takes nothing away at once; "Revoke" asks. */
static void
write_acts(struct hwrite *w, const struct keys *k, size_t i)
{
	const char *path =
	    arena_printf(k->c->arena, "/%s/keys/%s", k->v->workspace->uuid, k->keys[i].key->uuid);
	struct form *f = arena_alloc(k->c->arena, sizeof(*f));

	form_init(f, arena_printf(k->c->arena, "rotate-%zu", i), rotate_fields);
	console_form(k->c, k->v, w, f, arena_printf(k->c->arena, "%s/rotate", path));
	screen_question_link(w, console_path(k->c, k->v, "%s/revoke", path), tr("Revoke"));
}

/* Writes the label, and the ends of the key below it: columns of their own would squeeze the
 * others. */
static void
write_name(struct screen_table *t, const struct keys *k, const struct apikey *key)
{
	bool labelled = key->label[0] != '\0';

	screen_cell_begin(t);
	hwrite_open(t->w, H_A);
	hwrite_address(t->w, A_HREF,
	    console_path(k->c, k->v, "/%s/keys/%s", k->v->workspace->uuid, key->uuid));
	screen_data(t->w, labelled ? key->label : key->display);
	hwrite_close(t->w, H_A);
	if (labelled) {
		hwrite_open(t->w, H_CODE);
		hwrite_attr(t->w, A_DIR, "ltr");
		hwrite_text(t->w, key->display);
		hwrite_close(t->w, H_CODE);
	}
	screen_cell_end(t);
}

static void
write_key(struct screen_table *t, const struct keys *k, size_t i)
{
	const struct shown *shown = &k->keys[i];
	const struct apikey *key = shown->key;

	screen_row_begin(t);
	write_name(t, k, key);
	screen_cell(t, key_may(k->c, key));
	screen_cell_begin(t);
	key_write_state(t->w, k->c, key);
	screen_cell_end(t);
	screen_cell_begin(t);
	hwrite_open(t->w, H_SPAN);
	say_time(t->w, key->created_at);
	hwrite_text(t->w, " ");
	screen_data(t->w, shown->by);
	hwrite_close(t->w, H_SPAN);
	screen_cell_end(t);
	screen_cell_time(t, key->expires_at);
	screen_cell_time(t, shown->used_at);
	screen_cell_begin(t);
	if (strcmp(shown->state, "good") == 0 && !console_rests(k->v))
		write_acts(t->w, k, i);
	screen_cell_end(t);
	screen_row_end(t);
}

static void
write_list(struct hwrite *w, const struct keys *k)
{
	static const struct screen_column columns[] = {
		{ .label = tr_mark("Label") },
		{ .label = tr_mark("It may") },
		{ .label = tr_mark("State") },
		{ .label = tr_mark("Created") },
		{ .label = tr_mark("Ends") },
		{ .label = tr_mark("Last use") },
		{ .label = tr_mark("Actions") },
		{ .label = NULL },
	};
	struct screen_table t;

	screen_table_begin(&t, w, tr("Keys of this workspace"), columns);
	for (size_t i = k->count; i > 0; i--)
		write_key(&t, k, i - 1);
	screen_table_end(&t);
}

static void
write_found(struct hwrite *w, const struct keys *k)
{
	if (k->count == 0)
		screen_notice(w, SCREEN_NOTE, "%s",
		    tr("No key of this workspace is that one, or begins or ends like it."));
	else if (k->keys[0].sure)
		screen_notice(w, SCREEN_WARNING, "%s",
		    tr("It is this key. “Revoke” refuses it from now on; “Rotate” first makes another one."));
	else
		screen_notice(w, SCREEN_NOTE, "%s",
		    tr("What was pasted is no whole key. These begin or end like it."));
}

static void
write_keys(struct hwrite *w, const void *data)
{
	const struct keys *k = data;
	const char *place = arena_printf(k->c->arena, "/%s/keys", k->v->workspace->uuid);

	if (k->found)
		write_found(w, k);
	if (k->count > 0)
		write_list(w, k);
	else if (!k->found)
		screen_empty(w,
		    console_rests(k->v)
			? tr("There is no key yet.")
			: tr("There is no key yet. A site reads this workspace with a key: create one below."),
		    NULL, NULL);
	if (console_rests(k->v))
		return;
	if (!k->found) {
		hwrite_element(w, H_H2, tr("New key"));
		console_form(k->c, k->v, w, &k->order, place);
	}
	hwrite_element(w, H_H2, tr("Find a key"));
	console_form(k->c, k->v, w, &k->search, arena_printf(k->c->arena, "%s/find", place));
	if (k->found) {
		hwrite_open(w, H_P);
		screen_button_link(
		    w, console_path(k->c, k->v, "%s", place), tr("Back to the keys"), false);
		hwrite_close(w, H_P);
	}
}

/* ---- what the list shows */

static void
keep_key(void *arg, const struct apikey *key, bool sure)
{
	struct keys *k = arg;

	if (k->count == KEYS_MAX) {
		memmove(k->keys, k->keys + 1, sizeof(k->keys) - sizeof(k->keys[0]));
		k->count--;
	}
	k->keys[k->count++] = (struct shown) { .key = key,
		.sure = sure,
		.state = key_state(k->c, key),
		.used_at = limit_last_used(k->c, key->id) };
}

static void
keep_one(void *arg, const struct apikey *key)
{
	keep_key(arg, key, false);
}

static void
name_makers(struct keys *k)
{
	int64_t *ids = arena_array(k->c->arena, k->count + 1, sizeof(*ids));
	const char **names = arena_array(k->c->arena, k->count + 1, sizeof(const char *));

	for (size_t i = 0; i < k->count; i++)
		ids[i] = k->keys[i].key->id;
	key_made_names(k->c, ids, k->count, names);
	for (size_t i = 0; i < k->count; i++)
		k->keys[i].by = names[i];
}

static struct keys *
begin(struct ctx *c, const struct visit *v)
{
	struct keys *k = arena_alloc(c->arena, sizeof(*k));

	k->c = c;
	k->v = v;
	form_init(&k->order, "order", order_fields);
	form_tick(&k->order, "read", true);
	form_init(&k->search, "search", search_fields);
	return k;
}

/* Writes the page with the list. */
static struct err *
show_list(struct ctx *c, struct visit *v, struct reply *reply, struct keys *k)
{
	const struct find_place place = { .name = v->workspace->uuid };
	struct err *err = key_list(c, &place, keep_one, k);

	if (err != NULL)
		return err;
	name_makers(k);
	console_page(c, v, reply, NULL, NULL, write_keys, k);
	return NULL;
}

static struct err *
list(struct ctx *c, struct visit *v, struct reply *reply)
{
	return show_list(c, v, reply, begin(c, v));
}

/* ---- making a key */

static void
read_order(struct ctx *c, const struct form *f, struct key_order *order)
{
	const char *label = form_text(f, "label");

	order->label = label != NULL ? label : "";
	/* 0, where it was not typed, and where it was wrong: then nothing is made. */
	if (form_number(f, "expires") != 0)
		order->expires_at = say_day_begin(c, form_number(f, "expires") / CLOCK_DAY);
	order->plain = true;
	order->scopes = (form_is_on(f, "read") ? SCOPE_READ : 0U) |
			(form_is_on(f, "drafts") ? SCOPE_DRAFTS : 0U) |
			(form_is_on(f, "generate") ? SCOPE_GENERATE : 0U);
}

static struct err *
make(struct ctx *c, struct visit *v, struct reply *reply, const struct key_order *order)
{
	char key[APIKEY_LENGTH + 1];
	struct workspace *w;
	struct apikey *made;
	struct err *err = key_create(c, order, key, &made, &w);

	if (err != NULL)
		return err;
	console_journal(c, v, "key create %s", made->uuid);
	key_page_made(c, v, reply, made, key, NULL);
	explicit_bzero(key, sizeof(key));
	return NULL;
}

static struct err *
create(struct ctx *c, struct visit *v, struct reply *reply)
{
	struct key_order order = { .place = { .name = v->workspace->uuid },
		.person = v->person->uuid };
	struct keys *k = begin(c, v);
	bool good = console_read(c, v, &k->order);
	struct err *err;

	read_order(c, &k->order, &order);
	err = key_check(c, &order);
	if (err == NULL && good && key_is_strong(order.scopes) && !console_step_up(c, v, reply))
		return NULL;
	if (err == NULL && good)
		err = make(c, v, reply, &order);
	if (err == NULL && good)
		return NULL;
	if (err != NULL)
		err = console_wrong(c, v, reply, &k->order, err);
	if (!good)
		console_refused(v, reply);
	return err != NULL ? err : show_list(c, v, reply, k);
}

static struct err *
find(struct ctx *c, struct visit *v, struct reply *reply)
{
	struct keys *k = begin(c, v);
	struct err *err;

	if (!console_read(c, v, &k->search)) {
		console_refused(v, reply);
		return show_list(c, v, reply, k);
	}
	err = key_find(c, v->workspace->uuid, form_text(&k->search, "key"), keep_key, k);
	if (err != NULL) {
		err = console_wrong(c, v, reply, &k->search, err);
		return err != NULL ? err : show_list(c, v, reply, k);
	}
	k->found = true;
	name_makers(k);
	console_page(c, v, reply, NULL, NULL, write_keys, k);
	return NULL;
}

#define KEYS .title = tr_mark("Keys"), .need = RIGHT_MANAGE

const struct console_row keys_screens[] = {
	{ .method = "GET", .pattern = "/W/keys/ID", KEY, .handler = show },
	{ .method = "POST", .pattern = "/W/keys/ID/rotate", KEY, .handler = rotate },
	{ .method = "GET", .pattern = "/W/keys/ID/revoke", KEY, .handler = ask },
	{ .method = "POST", .pattern = "/W/keys/ID/revoke", KEY, .handler = revoke },
	{ .method = "GET", .pattern = "/W/keys", KEYS, .handler = list },
	{ .method = "POST", .pattern = "/W/keys", KEYS, .handler = create },
	{ .method = "POST", .pattern = "/W/keys/find", KEYS, .handler = find },
	{ .method = NULL },
};
