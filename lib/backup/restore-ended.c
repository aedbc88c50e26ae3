/* Keeps keys and accounts that are ended now ended in the restored state
 * (restore.h). */
#include "access/account.h"
#include "access/apikey.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "backup/restore.h"

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
	r->keys = arena_grow(reader->c->arena, r->keys, r->key_count * size,
	    (r->key_count + 1) * size);
	r->keys[r->key_count++] = (struct restore_key) { key->uuid,
		key->revoked_at != 0, key->expires_at };
}

static void
keep_account(void *arg, const struct account *account)
{
	struct reader *reader = arg;
	struct restore *r = reader->r;
	size_t size = sizeof(*r->suspended);

	if (!account->suspended)
		return;
	r->suspended = arena_grow(reader->c->arena, r->suspended,
	    r->suspended_count * size, (r->suspended_count + 1) * size);
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
		r->revoked_again++;
	} else if (key->expires_at == 0 || key->expires_at > now->expires_at) {
		apikey_expire(c, key, now->expires_at);
		r->replaced_again++;
	}
}

void
restore_end_again(struct ctx *c, struct restore *r)
{
	for (size_t i = 0; i < r->key_count; i++)
		end_key(c, r, &r->keys[i]);
	for (size_t i = 0; i < r->suspended_count; i++) {
		bool many = false;
		struct account *account =
		    account_find(c, r->suspended[i], &many);
		if (account == NULL || account->suspended)
			continue;
		account->suspended = true;
		account_update(c, account);
		r->suspended_again++;
	}
}
