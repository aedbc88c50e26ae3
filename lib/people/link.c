#include "people/link.h"

#include <stdbool.h>
#include <string.h>

#include "base/clock.h"
#include "base/ctx.h"
#include "base/digest.h"
#include "base/uuid.h"
#include "people/membership.h"
#include "people/person.h"
#include "store/db.h"

#define HOUR (3600 * CLOCK_SECOND)
#define RANDOM 20 /* bytes */
/* How long the row of a link that is over tells it from a link that never was. */
#define KEPT (90 * 24 * HOUR)

static const struct {
	char name[7];
	char prefix[11];
	int64_t life;
} kinds[] = {
	[LINK_INVITE] = { "invite", "ab_invite_", 7 * 24 * HOUR },
	[LINK_RESET] = { "reset", "ab_reset_", HOUR },
};

/* A link has enough random bits to need no key. */
static void
digest_text_of(const char *text, unsigned char out[DIGEST_SIZE])
{
	struct digest d;

	digest_begin(&d, DIGEST_SIZE, "galley link 1");
	digest_text(&d, text);
	digest_end(&d, out);
}

static void
draw(enum link_kind kind, char text[LINK_TEXT])
{
	unsigned char chance[RANDOM];
	size_t len = strlen(kinds[kind].prefix);

	uuid_random_bytes(chance, sizeof(chance));
	memcpy(text, kinds[kind].prefix, len);
	digest_hex(text + len, chance, sizeof(chance));
	explicit_bzero(chance, sizeof(chance));
}

/* Removes links of the person that have been over for a long time. */
static void
sweep(struct ctx *c, int64_t person_id)
{
	struct stmt *q = db_prepare(c, "DELETE FROM link"
	    " WHERE person_id = :person_id AND expires_at < :expires_at");

	db_bind_int(q, ":person_id", person_id);
	db_bind_int(q, ":expires_at", c->now - KEPT);
	db_run(q);
}

static void
end_older_resets(struct ctx *c, int64_t person_id)
{
	struct stmt *q = db_prepare(c, "UPDATE link SET expires_at = :now"
	    " WHERE person_id = :person_id AND kind = 'reset'"
	    " AND used_at IS NULL AND expires_at > :now");

	db_bind_int(q, ":now", c->now);
	db_bind_int(q, ":person_id", person_id);
	db_run(q);
}

void
link_insert(struct ctx *c, enum link_kind kind, int64_t person_id,
    int64_t membership_id, char text[LINK_TEXT], struct link *out)
{
	unsigned char digest[DIGEST_SIZE];
	struct stmt *q;

	sweep(c, person_id);
	if (kind == LINK_INVITE)
		link_end_invitations(c, person_id,
		    membership_of(c, membership_id)->account);
	else
		end_older_resets(c, person_id);
	draw(kind, text);
	digest_text_of(text, digest);
	*out = (struct link){ .kind = kind, .person_id = person_id,
		.membership_id = membership_id, .created_at = c->now,
		.expires_at = c->now + kinds[kind].life };
	q = db_prepare(c, "INSERT INTO link"
	    " (digest, kind, person_id, membership_id, created_at, expires_at)"
	    " VALUES (:digest, :kind, :person_id, :membership_id, :created_at,"
	    " :expires_at) RETURNING id");
	db_bind_blob(q, ":digest", digest, sizeof(digest));
	db_bind_text(q, ":kind", kinds[kind].name);
	db_bind_int(q, ":person_id", person_id);
	if (membership_id != 0)
		db_bind_int(q, ":membership_id", membership_id);
	else
		db_bind_null(q, ":membership_id");
	db_bind_int(q, ":created_at", out->created_at);
	db_bind_int(q, ":expires_at", out->expires_at);
	out->id = db_insert(q);
}

enum link_state
link_check(struct ctx *c, enum link_kind kind, const char *text,
    struct link *out)
{
	struct stmt *q = db_prepare(c, "SELECT id, person_id, membership_id,"
	    " created_at, expires_at, used_at FROM link"
	    " WHERE digest = :digest AND kind = :kind");
	unsigned char digest[DIGEST_SIZE];
	const struct person *p;
	bool found;

	digest_text_of(text, digest);
	db_bind_blob(q, ":digest", digest, sizeof(digest));
	db_bind_text(q, ":kind", kinds[kind].name);
	found = db_row(q);
	if (found)
		*out = (struct link){ .id = db_int(q, 0), .kind = kind,
			.person_id = db_int(q, 1), .membership_id = db_int(q, 2),
			.created_at = db_int(q, 3), .expires_at = db_int(q, 4),
			.used_at = db_int(q, 5) };
	db_reset(q);
	if (!found)
		return LINK_UNKNOWN;
	p = person_of(c, out->person_id);
	/* A clock that was set back must not give a link a longer life. */
	if (p->disabled_at != 0 || out->used_at != 0 || c->now >= out->expires_at ||
	    c->now < out->created_at - HOUR)
		return LINK_OVER;
	return LINK_GOOD;
}

void
link_use(struct ctx *c, const struct link *l)
{
	struct stmt *q = db_prepare(c,
	    "UPDATE link SET used_at = :used_at WHERE id = :id");

	db_bind_int(q, ":used_at", c->now);
	db_bind_int(q, ":id", l->id);
	db_run(q);
	if (l->kind == LINK_INVITE)
		membership_begin_with(c, l->membership_id);
}

void
link_end_invitations(struct ctx *c, int64_t person_id, const char *account)
{
	struct stmt *q = db_prepare(c, "UPDATE link SET expires_at = :now"
	    " WHERE person_id = :person_id AND kind = 'invite'"
	    " AND used_at IS NULL AND expires_at > :now"
	    " AND membership_id IN (SELECT id FROM membership"
	    " WHERE person_id = :person_id AND account = :account)");

	db_bind_int(q, ":now", c->now);
	db_bind_int(q, ":person_id", person_id);
	db_bind_text(q, ":account", account);
	db_run(q);
}

void
link_end_all(struct ctx *c, int64_t person_id)
{
	struct stmt *q = db_prepare(c, "UPDATE link SET expires_at = :now"
	    " WHERE person_id = :person_id AND used_at IS NULL"
	    " AND expires_at > :now");

	db_bind_int(q, ":now", c->now);
	db_bind_int(q, ":person_id", person_id);
	db_run(q);
}
