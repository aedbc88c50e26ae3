/* Keeps keys and accounts that are ended now ended in the restored state, and what
 * workspaces have closed closed (restore.h). */
#include <string.h>

#include "access/account.h"
#include "access/apikey.h"
#include "access/pages-settings.h"
#include "access/workspace.h"
#include "backup/restore.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/ctx.h"
#include "content/origin.h"
#include "notify/notify-url.h"

struct reader {
	struct ctx *c;
	struct restore *r;
};

static void
keep_key(void *arg, const struct apikey *key)
{
	struct reader *reader = arg;
	struct restore *r = reader->r;
	size_t size = sizeof(*r->keys);

	if (key->revoked_at == 0 && key->expires_at == 0)
		return;
	r->keys =
	    arena_grow(reader->c->arena, r->keys, r->key_count * size, (r->key_count + 1) * size);
	r->keys[r->key_count++] =
	    (struct restore_key) { key->uuid, key->revoked_at != 0, key->expires_at };
}

static void
keep_account(void *arg, const struct account *account)
{
	struct reader *reader = arg;
	struct restore *r = reader->r;
	size_t size = sizeof(*r->suspended);

	if (!account->suspended)
		return;
	r->suspended = arena_grow(reader->c->arena, r->suspended, r->suspended_count * size,
	    (r->suspended_count + 1) * size);
	r->suspended[r->suspended_count++] = account->uuid;
}

void
restore_find_ended(struct ctx *c, struct restore *r)
{
	struct reader reader = { c, r };

	r->key_count = r->suspended_count = 0;
	apikey_list_all(c, keep_key, &reader);
	account_list(c, keep_account, &reader);
}

static void
note_key(struct ctx *c, struct restore *r, const struct apikey *key, bool revoked)
{
	size_t size = sizeof(*r->ended);

	r->ended =
	    arena_grow(c->arena, r->ended, r->ended_count * size, (r->ended_count + 1) * size);
	r->ended[r->ended_count++] = (struct restore_ended) { key->uuid, key->label, key->display,
		workspace_of(c, key->workspace_id)->settings.name, revoked };
}

/* Ends a key. An expiry moves to a sooner time only when another key replaces the
 * key. */
static void
end_key(struct ctx *c, struct restore *r, const struct restore_key *now)
{
	struct apikey *key = apikey_find(c, now->uuid);

	if (key == NULL || key->revoked_at != 0)
		return;
	if (now->revoked) {
		apikey_revoke(c, key->id);
		note_key(c, r, key, true);
	} else if (key->expires_at == 0 || key->expires_at > now->expires_at) {
		apikey_expire(c, key, now->expires_at);
		note_key(c, r, key, false);
	}
}

static void
suspend(struct ctx *c, struct restore *r, const char *uuid)
{
	bool many = false;
	struct account *account = account_find(c, uuid, &many);
	size_t size = sizeof(*r->suspended_again);

	if (account == NULL || account->suspended)
		return;
	account->suspended = true;
	account_update(c, account);
	r->suspended_again = arena_grow(c->arena, r->suspended_again,
	    r->suspended_again_count * size, (r->suspended_again_count + 1) * size);
	r->suspended_again[r->suspended_again_count++] = account->name;
}

void
restore_end_again(struct ctx *c, struct restore *r)
{
	for (size_t i = 0; i < r->key_count; i++)
		end_key(c, r, &r->keys[i]);
	for (size_t i = 0; i < r->suspended_count; i++)
		suspend(c, r, r->suspended[i]);
}

/* ---- workspaces */

/* What of a workspace of the copy is closed. */
struct closing {
	struct ctx *c;
	struct restore *r;
	struct workspace *w;
	bool changed; /* w, in memory */
};

static void
note_closed(struct closing *it, const char *what, const char *was)
{
	struct restore *r = it->r;
	size_t size = sizeof(*r->closed);

	r->closed = arena_grow(
	    it->c->arena, r->closed, r->closed_count * size, (r->closed_count + 1) * size);
	r->closed[r->closed_count++] =
	    (struct restore_closed) { it->w->uuid, it->w->settings.name, what, was };
}

/* A deleted workspace comes back, with everything closed. That is told once. */
static void
note_deleted(struct closing *it)
{
	const struct restore *r = it->r;

	for (size_t i = 0; i < r->closed_count; i++) {
		if (strcmp(r->closed[i].workspace, it->w->uuid) == 0 &&
		    strcmp(r->closed[i].what, "workspace") == 0)
			return;
	}
	note_closed(it, "workspace", "");
}

static bool
has_word(const char *list, const char *word, size_t len)
{
	for (size_t next; *list != '\0'; list += next + (list[next] != '\0')) {
		next = strcspn(list, " ");
		if (next == len && memcmp(list, word, len) == 0)
			return true;
	}
	return false;
}

/* Leaves in a list of origins those that the other list has, too. Both are compared in the form of
 * browsers: an earlier release stored others. */
static void
close_origins(
    struct closing *it, const char *what, const char **list, const char *other, bool local)
{
	struct arena *a = it->c->arena;
	const char *then = origin_clean_list(a, *list, local);
	const char *now = origin_clean_list(a, other, local);
	struct buf kept, out;
	size_t len;

	buf_init(&kept, a, strlen(then) + 1);
	buf_init(&out, a, strlen(then) + 1);
	for (const char *p = then; *p != '\0'; p += len + (p[len] != '\0')) {
		struct buf *to;
		len = strcspn(p, " ");
		to = has_word(now, p, len) ? &kept : &out;
		buf_printf(to, "%s%.*s", to->len > 0 ? " " : "", (int)len, p);
	}
	if (out.len == 0)
		return;
	note_closed(it, what, buf_done(&out));
	*list = kept.len > 0 ? buf_done(&kept) : "";
	it->changed = true;
}

static void
close_settings(struct closing *it, const struct restore_present *now)
{
	struct workspace *w = it->w;

	if (w->analytics_enabled && !now->analytics_enabled) {
		note_closed(it, "analytics_enabled", "on");
		w->analytics_enabled = false;
		it->changed = true;
	}
	close_origins(
	    it, "analytics_origins", &w->analytics_origins, now->analytics_origins, false);
	close_origins(it, "embed_origins", &w->embed_origins, now->embed_origins, true);
	if (it->changed)
		(void)workspace_update(it->c, w);
}

static void
close_workspace(struct closing *it, const struct restore_present *now)
{
	struct ctx *c = it->c;
	const char *word = word_of(c, it->w->id), *url = notify_url_of(c, it->w->id);
	struct err *err;

	if (now->deleted)
		note_deleted(it);
	if (word[0] != '\0' && !now->pages) {
		err = word_set(c, it->w, "", false);
		if (err == NULL) /* no word is always right */
			note_closed(it, "pages", word);
	}
	if (url[0] != '\0' && strcmp(url, now->notify_url) != 0) {
		note_closed(it, "notify_url", url);
		notify_set_url(c, it->w->id, "");
	}
	close_settings(it, now);
}

void
restore_close(struct ctx *c, struct restore *r)
{
	if (r->as_it_was)
		return;
	for (size_t i = 0; i < r->workspace_count; i++) {
		struct closing it = { .c = c, .r = r };
		it.w = workspace_find_uuid(c, r->workspaces[i].uuid);
		if (it.w != NULL)
			close_workspace(&it, &r->workspaces[i]);
	}
}

const char *
restore_ended_text(struct ctx *c, const struct restore_ended *key)
{
	return arena_printf(c->arena, "The key %s%s%s of %s stays %s", key->label,
	    key->label[0] != '\0' ? " " : "", key->display, key->workspace,
	    key->revoked ? "revoked" : "replaced");
}

const char *
restore_closed_text(struct ctx *c, const struct restore_closed *it)
{
	if (strcmp(it->what, "workspace") == 0)
		return arena_printf(c->arena,
		    "The workspace %s (%s) is deleted now: it is back with everything closed, and what it had published is in the trash",
		    it->name, it->workspace);
	if (strcmp(it->what, "pages") == 0)
		return arena_printf(c->arena,
		    "The pages of %s (%s) are off now and stay off; in the backup they had the word %s",
		    it->name, it->workspace, it->was);
	if (strcmp(it->what, "analytics_enabled") == 0)
		return arena_printf(c->arena, "Analytics of %s (%s) are off now and stay off",
		    it->name, it->workspace);
	return arena_printf(c->arena, "%s of %s (%s) stays without %s, which it had in the backup",
	    it->what, it->name, it->workspace, it->was);
}
