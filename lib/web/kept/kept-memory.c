#include "web/kept/kept-memory.h"

#include <string.h>

#include "web/kept/memo.h"
#include "web/reply.h"
#include "web/req.h"

/* This holds some five hundred articles of usual length. */
#define MEMORY_MAX ((size_t)16 * 1024 * 1024)
#define BODY_MAX ((size_t)1024 * 1024)

/* The head of an entry; the bytes of the answer follow it. */
struct answer {
	struct kept_moment moment;
	char etag[ETAG_TEXT];
	char shown[REPLY_SHOWN];
	bool known; /* false: the tag alone is known (a 304) */
	size_t len; /* of the body that follows */
};

struct key {
	struct kept_moment moment;
	struct kept_key key;
};

/* The process's memo: it outlives its requests. */
static struct memo memory = { .max = MEMORY_MAX };

/* Compares two moments. The boot id cannot change while the process lives. */
static bool
same_moment(const struct kept_moment *a, const struct kept_moment *b)
{
	return memcmp(a, b, sizeof(*a)) == 0;
}

bool
kept_memory_key(struct ctx *c, struct kept *k, struct kept_key *out)
{
	struct kept_moment keys;
	const struct key *known;
	size_t len;

	known = memo_find(&memory, k->key, &len);
	if (known != NULL) {
		kept_note(c, k, known->key.workspace_id);
		keys = k->moment;
		keys.workspace = known->moment.workspace; /* are not of one */
		*out = known->key;
		if (k->seen.usable && same_moment(&known->moment, &keys))
			return true;
	}
	kept_note(c, k, 0);
	return false;
}

bool
kept_memory_find(struct req *r, const struct kept *k, struct reply *reply)
{
	const struct answer *found;
	size_t len;

	found = memo_find(&memory, k->name, &len);
	if (found == NULL || !same_moment(&found->moment, &k->moment))
		return false;
	if (etag_matches(r->if_none_match, found->etag)) {
		reply->status = 304;
	} else if (found->known) {
		reply->bytes = (const char *)(found + 1);
		reply->bytes_len = found->len;
	} else {
		return false;
	}
	memcpy(reply->etag, found->etag, sizeof(reply->etag));
	memcpy(reply->shown, found->shown, sizeof(reply->shown));
	r->kept = true;
	return true;
}

void
kept_memory_keep_key(const struct kept *k, const struct kept_key *key)
{
	struct key *place = memo_put(&memory, k->key, sizeof(*place));

	if (place == NULL)
		return;
	memset(place, 0, sizeof(*place));
	place->moment = k->moment;
	place->key = *key;
}

void
kept_memory_keep(const struct kept *k, const struct reply *reply)
{
	bool known = reply->status == 200;
	size_t len = known ? reply->body.len : 0;
	struct answer *place;

	if (len > BODY_MAX)
		return;
	place = memo_put(&memory, k->name, sizeof(*place) + len);
	if (place == NULL)
		return;
	memset(place, 0, sizeof(*place));
	place->moment = k->moment;
	memcpy(place->etag, reply->etag, sizeof(place->etag));
	memcpy(place->shown, reply->shown, sizeof(place->shown));
	place->known = known;
	place->len = len;
	if (len > 0)
		memcpy(place + 1, reply->body.data, len);
}
