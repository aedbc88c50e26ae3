/* Keys: the list, a new one, and whose a leaked one is (docs/console.md §4.9). */
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
#include "store/db.h"
#include "store/limit.h"

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

/* ---- the page */

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

void
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

/* ---- what it shows */

static void
keep(void *arg, const struct apikey *key, bool sure)
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
	keep(arg, key, false);
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
show(struct ctx *c, struct visit *v, struct reply *reply, struct keys *k)
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
	return show(c, v, reply, begin(c, v));
}

/* ---- a new key */

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
	return err != NULL ? err : show(c, v, reply, k);
}

static struct err *
find(struct ctx *c, struct visit *v, struct reply *reply)
{
	struct keys *k = begin(c, v);
	struct err *err;

	if (!console_read(c, v, &k->search)) {
		console_refused(v, reply);
		return show(c, v, reply, k);
	}
	err = key_find(c, v->workspace->uuid, form_text(&k->search, "key"), keep, k);
	if (err != NULL) {
		err = console_wrong(c, v, reply, &k->search, err);
		return err != NULL ? err : show(c, v, reply, k);
	}
	k->found = true;
	name_makers(k);
	console_page(c, v, reply, NULL, NULL, write_keys, k);
	return NULL;
}

#define KEYS .title = tr_mark("Keys"), .need = RIGHT_MANAGE

const struct console_row keys_screens[] = {
	{ .method = "GET", .pattern = "/W/keys", KEYS, .handler = list },
	{ .method = "POST", .pattern = "/W/keys", KEYS, .handler = create },
	{ .method = "POST", .pattern = "/W/keys/find", KEYS, .handler = find },
	{ .method = NULL },
};
