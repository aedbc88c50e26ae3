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
#include "console/page.h"
#include "screen/say.h"
#include "screen/tr.h"
#include "stats/logs.h"
#include "store/db.h"
#include "store/limit.h"
#include "system/conf.h"

/* ---- a new key, shown once */

#define WORD 8 /* characters */

struct made {
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
write_lines(struct hwrite *w, const struct page *p, const struct made *m)
{
	const char *address = arena_printf(p->c->arena, "%s/api/v1/connection?probe=%s",
	    p->c->conf->public_url, key_word(p->c, m->made));

	hwrite_element(w, H_H2, tr("Try it"));
	hwrite_element(w, H_P,
	    tr("Each of these asks with the key which workspace it reads. Run one where your site runs: a key never belongs into a page."));
	for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
		hwrite_element(w, H_H3, tr(ways[i].title));
		screen_copy(
		    w, tr("these lines"), fill(p->c->arena, ways[i].lines, address, m->key));
	}
}

static void
write_made(struct hwrite *w, struct page *p)
{
	const struct made *m = p->data;
	bool reads = (m->made->scopes & SCOPE_READ) != 0;

	screen_notice(w, SCREEN_WARNING, "%s", tr("Copy the key now: it is shown this once only."));
	screen_copy(w, tr("the key"), m->key);
	if (reads)
		write_lines(w, p, m);
	hwrite_open(w, H_P);
	if (reads) {
		screen_button_link(w, page_path(p, "/W/keys/%s", m->made->uuid),
		    tr("Wait for its first request"), true);
		hwrite_text(w, " ");
	}
	screen_button_link(w, page_path(p, "/W/keys"), tr("Back to the keys"), false);
	hwrite_close(w, H_P);
}

/* Answers with a new key, and clears it. `under` is a sentence. */
static void
show_made(struct page *p, const struct apikey *made, char *key, const char *under)
{
	struct made m = { .made = made, .key = key };

	p->data = &m;
	page_answer(p, tr("The new key"), under, write_made);
	explicit_bzero(key, APIKEY_LENGTH + 1);
}

#define LOG_MAX (INT64_C(4) * 1024 * 1024) /* bytes of the log that are read */
#define SHOWN_MAX 10
#define WAIT_S 5
#define GRACE CLOCK_DAY /* how long a key that was rotated still works */

/* One key. */
struct key_page {
	struct ctx *c;
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
	struct key_page *p = arg;
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
read_log(struct ctx *c, struct key_page *p)
{
	size_t count;
	const char **paths = logs_find(c, "requests.log", &count);

	p->probe = arena_printf(c->arena, "probe=%s", key_word(c, p->key));
	if (count > 0)
		(void)logs_read(c, paths[0], LOG_MAX, look_at, p);
}

static void
write_requests(struct hwrite *w, const struct key_page *p)
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
write_day(struct hwrite *w, const char *name, int64_t at)
{
	hwrite_element(w, H_DT, name);
	hwrite_open(w, H_DD);
	say_time(w, at);
	hwrite_close(w, H_DD);
}

static void
write_facts(struct hwrite *w, const struct key_page *p)
{
	hwrite_open(w, H_DL);
	screen_fact(w, tr("Key"), p->key->display);
	screen_fact(w, tr("It may"), key_may(p->c, p->key));
	screen_fact(w, tr("Made by"), p->by);
	hwrite_element(w, H_DT, tr("State"));
	hwrite_open(w, H_DD);
	key_write_state(w, p->c, p->key);
	hwrite_close(w, H_DD);
	write_day(w, tr("Created"), p->key->created_at);
	write_day(w, tr("Ends"), p->key->expires_at);
	hwrite_close(w, H_DL);
}

static void
write_one(struct hwrite *w, struct page *p)
{
	const struct key_page *k = p->data;

	write_facts(w, k);
	hwrite_element(w, H_H2, tr("Requests"));
	if (k->count > 0)
		write_requests(w, k);
	else
		screen_notice(w, SCREEN_NOTE, "%s",
		    tr("Waiting. This page looks again every 5 seconds for a request with this key."));
	hwrite_open(w, H_P);
	screen_button_link(w, page_path(p, "/W/keys"), tr("Back to the keys"), false);
	hwrite_close(w, H_P);
}

static void
keep(void *arg, const struct apikey *key)
{
	struct key_page *k = arg;

	k->key = key;
}

static struct err *
load_key(struct page *p)
{
	struct key_page *k = p->data;

	k->c = p->c;
	return key_show(p->c, p->v->workspace->uuid, p->v->id, keep, k);
}

static struct err *
load_one(struct page *p)
{
	struct key_page *k = p->data;
	struct err *err = load_key(p);

	if (err != NULL || p->acting)
		return err;
	key_made_names(p->c, &k->key->id, 1, &k->by);
	read_log(p->c, k);
	if (k->count == 0 && strcmp(key_state(p->c, k->key), "good") == 0 && p->form == NULL)
		p->v->refresh_s = WAIT_S;
	p->title = k->key->label[0] != '\0' ? k->key->label : tr("Key");
	return NULL;
}

static const struct page_kind key_page = { sizeof(struct key_page), load_one, write_one };

/* ---- one key: its end */

static struct err *
check_rotate(struct page *p)
{
	const struct key_page *k = p->data;

	if (key_is_strong(k->key->scopes))
		(void)page_step_up(p);
	return NULL;
}

static struct err *
rotate(struct page *p)
{
	const struct key_replacement order = { .within = p->v->workspace->uuid,
		.old = p->v->id,
		.grace = GRACE,
		.person = p->v->person->uuid };
	struct key_replaced r = { .again = false };
	struct err *err = key_replace(p->c, &order, &r);

	if (err != NULL)
		return err;
	console_journal(p->c, p->v, "key rotate %s %s", r.old->uuid, r.made->uuid);
	show_made(p, r.made, r.key,
	    arena_printf(p->c->arena, tr("The old key, %s, works until %s."), r.old->display,
		say_full_text(p->c, r.old->expires_at)));
	return NULL;
}

/* "Rotate" takes nothing away at once; "Revoke" asks. */
static const struct page_act rotate_it = { .name = "rotate",
	.fields = PAGE_BUTTON("rotate", tr_mark("Rotate"), FIELD_SECONDARY),
	.check = check_rotate,
	.act = rotate };

static struct err *
revoke(struct page *p)
{
	struct apikey *key;

	return key_revoke(p->c, p->v->workspace->uuid, p->v->id, &key);
}

static const struct page_act revoke_it = { .name = "revoke",
	.fields = PAGE_BUTTON("revoke", tr_mark("Revoke"), FIELD_DANGER),
	.act = revoke,
	.go = "/W/keys",
	.notice = "revoked",
	.journal = "key revoke ID" };

static struct err *
load_question(struct page *p)
{
	const struct key_page *k = p->data;
	struct err *err = load_key(p);

	p->title = tr("Revoke this key?");
	if (err == NULL && !p->acting && strcmp(key_state(p->c, k->key), "good") != 0)
		return refuse(p->c, ERR_CONFLICT, "%s", tr("This key is refused already."));
	return err;
}

/* A website stops at once. */
static void
write_question(struct hwrite *w, struct page *p)
{
	const struct key_page *k = p->data;
	int64_t used_at = limit_last_used(p->c, k->key->id);
	const char *used = used_at != 0 ? arena_printf(p->c->arena, tr("It was last used %s."),
					      say_time_text(p->c, used_at))
					: tr("It was never used.");

	page_ask(w, p, &revoke_it,
	    (struct console_question) {
		.about = arena_printf(p->c->arena, "%s %s", k->key->label, k->key->display),
		.says = { tr("From now on it is refused: each website and program that uses it reads nothing here any more."),
		    used,
		    tr("This cannot be undone. “Rotate” makes another key, and this one works for a while longer.") },
		.back = arena_printf(p->c->arena, "/%s/keys", p->v->workspace->uuid) });
}

static const struct page_kind question_page = { sizeof(struct key_page), load_question,
	write_question };

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
	struct shown keys[KEYS_MAX];
	size_t count;
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

/* ---- the list */

/* Writes the label, and the ends of the key below it: columns of their own would squeeze the
 * others. */
static void
write_name(struct screen_table *t, const struct page *p, const struct apikey *key)
{
	bool labelled = key->label[0] != '\0';

	screen_cell_begin(t);
	hwrite_open(t->w, H_A);
	hwrite_address(t->w, A_HREF, page_path(p, "/W/keys/%s", key->uuid));
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
write_key(struct screen_table *t, struct page *p, const struct shown *shown)
{
	const struct apikey *key = shown->key;

	screen_row_begin(t);
	write_name(t, p, key);
	screen_cell(t, key_may(p->c, key));
	screen_cell_begin(t);
	key_write_state(t->w, p->c, key);
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
	if (strcmp(shown->state, "good") == 0 && !console_rests(p->v)) {
		page_form(t->w, p, &rotate_it, key->uuid);
		screen_question_link(
		    t->w, page_path(p, "/W/keys/%s/revoke", key->uuid), tr("Revoke"));
	}
	screen_cell_end(t);
	screen_row_end(t);
}

static void
write_list(struct hwrite *w, struct page *p, const struct keys *k)
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
		write_key(&t, p, &k->keys[i - 1]);
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

static struct err *
load_keys(struct page *p)
{
	const struct find_place place = { .name = p->v->workspace->uuid };
	struct keys *k = p->data;
	struct err *err;

	k->c = p->c;
	err = p->acting ? NULL : key_list(p->c, &place, keep_one, k);
	if (err == NULL)
		name_makers(k);
	return err;
}

/* ---- making a key */

static void
begin_order(struct page *p, struct form *f)
{
	(void)p;
	form_tick(f, "read", true);
}

static struct key_order
order_of(const struct page *p)
{
	const struct form *f = p->form;
	const char *label = form_text(f, "label");
	struct key_order order = { .place = { .name = p->v->workspace->uuid },
		.person = p->v->person->uuid,
		.label = label != NULL ? label : "",
		.plain = true,
		.scopes = (form_is_on(f, "read") ? SCOPE_READ : 0U) |
			  (form_is_on(f, "drafts") ? SCOPE_DRAFTS : 0U) |
			  (form_is_on(f, "generate") ? SCOPE_GENERATE : 0U) };

	/* 0, where it was not typed, and where it was wrong: then nothing is made. */
	if (form_number(f, "expires") != 0)
		order.expires_at = say_day_begin(p->c, form_number(f, "expires") / CLOCK_DAY);
	return order;
}

static struct err *
check_order(struct page *p)
{
	const struct key_order order = order_of(p);
	struct err *err = key_check(p->c, &order);

	if (err == NULL && p->form->errors == 0 && key_is_strong(order.scopes))
		(void)page_step_up(p);
	return err;
}

static struct err *
create(struct page *p)
{
	const struct key_order order = order_of(p);
	char key[APIKEY_LENGTH + 1];
	struct workspace *w;
	struct apikey *made;
	struct err *err = key_create(p->c, &order, key, &made, &w);

	if (err != NULL)
		return err;
	console_journal(p->c, p->v, "key create %s", made->uuid);
	show_made(p, made, key, NULL);
	return NULL;
}

static const struct page_act create_it = { .name = "order",
	.fields = order_fields,
	.fill = begin_order,
	.check = check_order,
	.act = create };

/* ---- whose a leaked key is */

static struct err *
find(struct page *p)
{
	struct keys *k = p->data;
	struct err *err =
	    key_find(p->c, p->v->workspace->uuid, form_text(p->form, "key"), keep_key, k);

	k->found = err == NULL;
	name_makers(k);
	return err;
}

static const struct page_act find_it = { .name = "search", .fields = search_fields, .act = find };

/* ---- the page */

static void
write_keys(struct hwrite *w, struct page *p)
{
	const struct keys *k = p->data;
	bool rests = console_rests(p->v);

	if (k->found)
		write_found(w, k);
	if (k->count > 0)
		write_list(w, p, k);
	else if (!k->found)
		screen_empty(w,
		    rests
			? tr("There is no key yet.")
			: tr("There is no key yet. A site reads this workspace with a key: create one below."),
		    NULL, NULL);
	if (rests)
		return;
	if (!k->found) {
		hwrite_element(w, H_H2, tr("New key"));
		page_form(w, p, &create_it, NULL);
	}
	hwrite_element(w, H_H2, tr("Find a key"));
	page_form(w, p, &find_it, NULL);
	if (k->found) {
		hwrite_open(w, H_P);
		screen_button_link(w, page_path(p, "/W/keys"), tr("Back to the keys"), false);
		hwrite_close(w, H_P);
	}
}

static const struct page_kind keys_page = { sizeof(struct keys), load_keys, write_keys };

#define KEY .title = tr_mark("Key"), .need = RIGHT_MANAGE
#define KEYS .title = tr_mark("Keys"), .need = RIGHT_MANAGE, .page = &keys_page

SCREEN(keys) = {
	{ "GET", "/W/keys/ID", KEY, .page = &key_page },
	{ "POST", "/W/keys/ID/rotate", KEY, .page = &key_page, .act = &rotate_it },
	{ "GET", "/W/keys/ID/revoke", KEY, .page = &question_page },
	{ "POST", "/W/keys/ID/revoke", KEY, .page = &question_page, .act = &revoke_it },
	{ "GET", "/W/keys", KEYS },
	{ "POST", "/W/keys", KEYS, .act = &create_it },
	{ "POST", "/W/keys/find", KEYS, .act = &find_it },
	{ .method = NULL },
};
