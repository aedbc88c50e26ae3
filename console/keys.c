/* Keys (docs/console.md §4.9): the list; a new key, which is shown once, with lines that are ready
 * to be run; one key, the requests that arrive with it and its end; whose a leaked key is. */
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

#define SOON_DAYS 14 /* a key that ends in so many days is told */

/* Writes the state of a key. */
static void
key_write_state(struct hwrite *w, struct ctx *c, const struct apikey *key, int64_t used_at)
{
	const char *state = key_state(c, key);
	int64_t days = (key->expires_at - c->now + CLOCK_DAY - 1) / CLOCK_DAY;

	if (strcmp(state, "revoked") == 0)
		@ <state bad>Revoked</state>
	else if (strcmp(state, "good") != 0)
		@ <state note>Ended</state>
	else if (key->expires_at != 0 && days <= SOON_DAYS)
		@ <state warning>{#days: Ends in %d day|Ends in %d days}</state>
	else if (used_at == 0)
		@ <state note>Not used yet</state>
	else
		@ <state good>In use</state>
}

/* Returns what it may do and when it ends, as sentences (arena). */
static const char *
in_short(struct ctx *c, const struct apikey *key)
{
	const char *end = key->expires_at == 0 ? tr("It has no end.")
					       : arena_printf(c->arena, tr("It ends %s."),
						     say_time_text(c, key->expires_at));

	return arena_printf(
	    c->arena, "%s %s", arena_printf(c->arena, tr("It may %s."), key_may(c, key)), end);
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

/* The key is on this page alone, so its tabs lead nowhere: the sheet shows the chosen lines. */
static void
write_lines(struct hwrite *w, const struct page *p, const struct made *m)
{
	const size_t count = sizeof(ways) / sizeof(ways[0]);
	const char *address = arena_printf(p->c->arena, "%s/api/v1/connection?probe=%s",
	    p->c->conf->public_url, key_word(p->c, m->made));

	@ <section class="box lines"><header><h2>Try it</h2>
	@ <fieldset class="tabs" aria-label="Code">
	for (size_t i = 0; i < count; i++)
		@ <label><input type="radio" name="lines" id="lines-{i}" checked={i == 0}>
		@ {=tr(ways[i].title)}</label>
	@ </fieldset></header>
	for (size_t i = 0; i < count; i++)
		@ <div class="of-{i}">
		@ {!screen_copy(w, tr("these lines"),
		@ fill(p->c->arena, ways[i].lines, address, m->key))}
		@ </div>
	@ </section>
}

static void
write_made(struct hwrite *w, struct page *p)
{
	const struct made *m = p->data;
	bool reads = (m->made->scopes & SCOPE_READ) != 0;

	@ <div class="split"><div class="stack"><section class="box">
	@ <h2><label for="key">Copy it now: it is shown this once</label></h2>
	@ <div class="copy"><input id="key" readonly value={m->key}>
	@ {!screen_copy_button(w, tr("the key"))}</div>
	@ <p class="soft small">Lost it? Nothing is broken: make another one, and revoke this.</p>
	@ </section>
	if (reads)
		write_lines(w, p, m);
	@ </div><section class="box">
	if (reads) {
		@ <header><h2>First request</h2></header>
		@ <p class="soft small">Run the lines where your website runs.</p>
		@ <p><a class="button" href="/W/keys/{m->made->uuid}">Wait for its first request</a></p><hr>
	}
	@ <p class="soft small">Keep the key on the server: it never belongs in a page that browsers load.</p>
	@ <a class="button" href="/W/sites">Connect a website</a></section></div>
}

/* Answers with a new key, and clears it. `under` is a sentence. */
static void
show_made(struct page *p, const struct apikey *made, char *key, const char *under)
{
	struct made m = { .made = made, .key = key };
	const char *title = made->label[0] != '\0'
				? arena_printf(p->c->arena, tr("Key “%s”"), made->label)
				: tr("The new key");

	p->data = &m;
	page_answer(p, title, under, write_made);
	explicit_bzero(key, APIKEY_LENGTH + 1);
}

#define LOG_MAX (INT64_C(4) * 1024 * 1024) /* bytes of the log that are read */
#define SHOWN_MAX 10
#define WAIT_S 5
#define MINUTE (60 * CLOCK_SECOND)
#define GRACE CLOCK_DAY /* how long a key that was rotated still works */

/* One key. */
struct key_page {
	struct ctx *c;
	const struct apikey *key;
	const char *by; /* name of who made it, or NULL */
	int64_t used_at;
	const char *probe; /* probe=WORD */
	struct logs_request requests[SHOWN_MAX]; /* the last ones, in a ring */
	size_t count;
};

/* ---- one key: another one in its place */

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
write_requests(struct hwrite *w, const struct key_page *k)
{
	size_t shown = k->count < SHOWN_MAX ? k->count : SHOWN_MAX;

	@ <list caption="The last requests" columns="Time|Request|Answer#|Refusal">
	for (size_t i = 1; i <= shown; i++) {
		const struct logs_request *r = &k->requests[(k->count - i) % SHOWN_MAX];
		int64_t at = 0;
		(void)clock_parse(r->at, &at); /* as it was when it was found */
		@ <row><cell>{say_second_text(k->c, at)}</cell><cell>{r->method} {r->target}</cell>
		@ <cell>{r->status}</cell><cell>{r->sentence}</cell></row>
	}
	@ </list>
}

static void
write_facts(struct hwrite *w, const struct key_page *k)
{
	@ <header><h2>This key</h2>
	key_write_state(w, k->c, k->key, k->used_at);
	@ </header><dl>
	screen_fact(w, tr("Key"), k->key->display);
	screen_fact(w, tr("It may"), key_may(k->c, k->key));
	screen_fact(w, tr("Made by"), k->by);
	@ <dt>Created</dt><dd>{!say_time(w, k->key->created_at)}</dd>
	if (k->key->expires_at != 0)
		@ <dt>Ends</dt><dd>{!say_time(w, k->key->expires_at)}</dd>
	@ </dl>
}

static bool
is_good(const struct key_page *k)
{
	return strcmp(key_state(k->c, k->key), "good") == 0;
}

/* Returns whether its first request is still to come; one that came just now may not be in the
 * log. */
static bool
waits(const struct key_page *k)
{
	return k->count == 0 && is_good(k) && (k->used_at == 0 || k->used_at + MINUTE > k->c->now);
}

static void
write_one(struct hwrite *w, struct page *p)
{
	const struct key_page *k = p->data;

	@ <div class="split"><section>
	if (k->count > 0)
		write_requests(w, k);
	else if (waits(k))
		@ <div class="box"><header><h2>First request</h2>
		@ <span class="state live">Waiting</span></header>
		@ <p class="soft small">What arrives with this key is shown here within seconds.</p></div>
	else
		@ <div class="box"><p>No request with this key is in the log.</p></div>
	@ </section><section class="box">
	write_facts(w, k);
	if (is_good(k) && !console_rests(p->v)) {
		@ <div class="bar-of">
		page_form(w, p, &rotate_it, NULL);
		screen_question_link(
		    w, page_path(p, "/W/keys/%s/revoke", k->key->uuid), tr("Revoke"));
		@ </div><p class="soft small">“Rotate” makes another key, and this one works for a day
		@ longer. “Revoke” refuses it at once.</p>
	}
	@ </section></div>
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
	k->used_at = limit_last_used(p->c, k->key->id);
	read_log(p->c, k);
	if (waits(k) && p->form == NULL)
		p->v->refresh_s = WAIT_S;
	p->title = k->key->label[0] != '\0' ? k->key->label : tr("Key");
	return NULL;
}

static const struct page_kind key_page = { sizeof(struct key_page), load_one, write_one };

/* ---- one key: its end */

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
	    (struct page_question) {
		.about = arena_printf(p->c->arena, "%s %s", k->key->label, k->key->display),
		.says = { tr("From now on it is refused: each website and program that uses it reads nothing here any more."),
		    used,
		    tr("This cannot be undone. “Rotate” makes another key, and this one works for a while longer.") },
		.back = arena_printf(
		    p->c->arena, "/%s/keys/%s", p->v->workspace->uuid, k->key->uuid) });
}

static const struct page_kind question_page = { sizeof(struct key_page), load_question,
	write_question };

#define KEYS_MAX 1000 /* of a workspace; a page shows the newest */
#define LEAKED_MAX 4000 /* bytes of a text that holds a key */

/* A key of the list. */
struct shown {
	const struct apikey *key;
	int64_t used_at;
	bool sure; /* of those that were found */
};

struct keys {
	struct ctx *c;
	struct shown keys[KEYS_MAX];
	size_t count;
	bool any; /* there are keys, listed or not */
	bool ended; /* the list is of those that ended */
	bool found; /* the list is what a search has found */
	struct screen_link actions[2]; /* of the page's head */
};

static const struct field order_fields[] = {
	{ .name = "label",
	    .label = tr_mark("Name"),
	    .kind = FIELD_TEXT,
	    .max = 200,
	    .required = true,
	    .missing = tr_mark("Enter where the key will be used."),
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

static void
write_key(struct hwrite *w, struct page *p, const struct shown *shown)
{
	const struct apikey *key = shown->key;
	bool labelled = key->label[0] != '\0';

	@ <row><cell><span><span>
	@ <a href="/W/keys/{key->uuid}">{labelled ? key->label : key->display}</a>
	if (labelled)
		@ <small class="num">{key->display}</small>
	@ </span></span></cell><cell>{=key_may(p->c, key)}</cell>
	@ <cell>{!key_write_state(w, p->c, key, shown->used_at)}</cell><cell>
	if (shown->used_at != 0)
		say_time(w, shown->used_at);
	else
		@ Never
	@ </cell></row>
}

static void
write_list(struct hwrite *w, struct page *p, const struct keys *k)
{
	@ <list caption="Keys" columns="Name|It may|State|Last used#">
	for (size_t i = k->count; i > 0; i--)
		write_key(w, p, &k->keys[i - 1]);
	@ </list>
}

static void
write_found(struct hwrite *w, const struct keys *k)
{
	if (k->count == 0)
		screen_notice(w, SCREEN_NOTE, "%s",
		    tr("No key of this workspace is that one, or begins or ends like it."));
	else if (k->keys[0].sure && strcmp(key_state(k->c, k->keys[0].key), "good") != 0)
		screen_notice(w, SCREEN_NOTE, "%s", tr("It is this key. It is refused already."));
	else if (k->keys[0].sure)
		screen_notice(w, SCREEN_WARNING, "%s",
		    tr("It is this key. Its page has “Revoke”, which refuses it from now on."));
	else
		screen_notice(w, SCREEN_NOTE, "%s",
		    tr("What was pasted is not a whole key. These begin or end like it."));
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
	k->keys[k->count++] =
	    (struct shown) { .key = key, .sure = sure, .used_at = limit_last_used(k->c, key->id) };
}

static void
keep_one(void *arg, const struct apikey *key)
{
	struct keys *k = arg;

	k->any = true;
	if ((strcmp(key_state(k->c, key), "good") != 0) == k->ended)
		keep_key(k, key, false);
}

static struct err *
load_keys(struct page *p)
{
	const struct find_place place = { .name = p->v->workspace->uuid };
	struct keys *k = p->data;

	k->c = p->c;
	k->ended = console_query(p->c, p->v, "ended") != NULL;
	p->title = k->ended ? tr("Ended keys") : NULL;
	p->under =
	    k->ended ? NULL : tr("A key lets a website or a program read from this workspace.");
	TRY(key_list(p->c, &place, keep_one, k));
	if (!console_rests(p->v) && !k->ended && k->count > 0)
		k->actions[0] = (struct screen_link) { .address = page_path(p, "/W/keys/new"),
			.label = tr("New key"),
			.icon = ICON_NEW };
	p->v->actions = k->actions;
	return NULL;
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
	show_made(p, made, key, in_short(p->c, made));
	return NULL;
}

static const struct page_act create_it = { .name = "order",
	.fields = order_fields,
	.fill = begin_order,
	.check = check_order,
	.act = create };

static void
write_new(struct hwrite *w, struct page *p)
{
	if (console_rests(p->v))
		return;
	@ <div class="split"><div class="box">{!page_form(w, p, &create_it, NULL)}</div>
	@ <div class="box"><p class="soft small">The key is shown once, on the next page, with lines
	@ that try it.</p><p class="soft small">Keep the key on the server: it never belongs in a page
	@ that browsers load.</p></div></div>
}

static const struct page_kind new_page = { .write = write_new };

/* ---- whose a leaked key is */

static struct err *
find(struct page *p)
{
	struct keys *k = p->data;

	k->c = p->c;
	TRY(key_find(p->c, p->v->workspace->uuid, form_text(p->form, "key"), keep_key, k));
	k->found = true;
	return NULL;
}

static const struct page_act find_it = { .name = "search", .fields = search_fields, .act = find };

static void
write_find(struct hwrite *w, struct page *p)
{
	const struct keys *k = p->data;

	if (k->found)
		write_found(w, k);
	if (k->count > 0)
		write_list(w, p, k);
	if (!console_rests(p->v))
		@ <div class="box">{!page_form(w, p, &find_it, NULL)}</div>
}

static const struct page_kind find_page = { sizeof(struct keys), NULL, write_find };

/* ---- the page */

static void
write_keys(struct hwrite *w, struct page *p)
{
	const struct keys *k = p->data;
	bool rests = console_rests(p->v);

	if (k->count > 0)
		write_list(w, p, k);
	else
		screen_empty(w,
		    k->ended ? tr("No key has ended.")
		    : k->any ? tr("Every key has ended.")
			     : tr("There is no key yet. A site reads this workspace with a key."),
		    rests ? NULL : page_path(p, "/W/keys/new"), tr("New key"));
	@ <p class="more-of">
	if (!rests)
		@ <a href="/W/keys/find">Find a leaked key</a>
	if (k->ended)
		@ <a href="/W/keys">Keys that are good</a>
	else if (k->any)
		@ <a href="/W/keys?ended">Ended keys</a>
	@ </p>
}

static const struct page_kind keys_page = { sizeof(struct keys), load_keys, write_keys };

#define KEY .title = tr_mark("Key"), .need = RIGHT_MANAGE
#define NEW .title = tr_mark("New key"), .need = RIGHT_MANAGE, .page = &new_page
#define FIND .title = tr_mark("Find a leaked key"), .need = RIGHT_MANAGE, .page = &find_page

SCREEN(keys) = {
	{ "GET", "/W/keys/ID", KEY, .page = &key_page },
	{ "POST", "/W/keys/ID/rotate", KEY, .page = &key_page, .act = &rotate_it },
	{ "GET", "/W/keys/ID/revoke", KEY, .page = &question_page },
	{ "POST", "/W/keys/ID/revoke", KEY, .page = &question_page, .act = &revoke_it },
	{ "GET", "/W/keys", .title = tr_mark("Keys"), .need = RIGHT_MANAGE, .page = &keys_page },
	{ "GET", "/W/keys/new", NEW },
	{ "POST", "/W/keys/new", NEW, .act = &create_it },
	{ "GET", "/W/keys/find", FIND },
	{ "POST", "/W/keys/find", FIND, .act = &find_it },
	{ .method = NULL },
};
