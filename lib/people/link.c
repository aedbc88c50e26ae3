#include "people/link.h"

#include <stdbool.h>
#include <string.h>

#include "base/clock.h"
#include "base/ctx.h"
#include "base/digest.h"
#include "base/uuid.h"
#include "store/db.h"

#define HOUR (3600 * CLOCK_SECOND)
#define RANDOM 20 /* bytes */
#define COLUMNS                                                                                    \
	"link.id, link.kind, link.person_id, link.membership_id, link.made_by,"                    \
	" link.created_at, link.expires_at, link.used_at"
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

static struct link
from_row(struct stmt *q)
{
	struct link l = { .id = db_int(q, 0),
		.person_id = db_int(q, 2),
		.membership_id = db_int(q, 3),
		.made_by = db_int(q, 4),
		.created_at = db_int(q, 5),
		.expires_at = db_int(q, 6),
		.used_at = db_int(q, 7) };

	if (strcmp(db_text(q, 1), kinds[LINK_RESET].name) == 0)
		l.kind = LINK_RESET;
	return l;
}

/* Removes links of the person that have been over for a long time. */
static void
sweep(struct ctx *c, int64_t person_id)
{
	db_run(c, "DELETE FROM link WHERE person_id = :person_id AND expires_at < :expires_at",
	    db_i(":person_id", person_id), db_i(":expires_at", c->now - KEPT));
}

void
link_insert(struct ctx *c, struct link *l, const char *account, char text[LINK_TEXT])
{
	unsigned char digest[DIGEST_SIZE];

	sweep(c, l->person_id);
	if (l->kind == LINK_INVITE)
		link_end_invitations(c, l->person_id, account);
	else
		link_end_resets(c, l->person_id);
	draw(l->kind, text);
	digest_text_of(text, digest);
	l->created_at = c->now;
	l->expires_at = c->now + kinds[l->kind].life;
	l->id = db_insert(c,
	    "INSERT INTO link (digest, kind, person_id, membership_id,"
	    " made_by, created_at, expires_at) VALUES (:digest, :kind, :person_id,"
	    " :membership_id, :made_by, :created_at, :expires_at) RETURNING id",
	    db_b(":digest", digest, sizeof(digest)), db_t(":kind", kinds[l->kind].name),
	    db_i(":person_id", l->person_id), db_i_or_null(":membership_id", l->membership_id),
	    db_i_or_null(":made_by", l->made_by), db_i(":created_at", l->created_at),
	    db_i(":expires_at", l->expires_at));
}

static void
list(struct stmt *q, void (*each)(void *arg, const struct link *l), void *arg)
{
	while (db_row(q)) {
		struct link l = from_row(q);
		each(arg, &l);
	}
}

enum link_state
link_check(struct ctx *c, enum link_kind kind, const char *text, struct link *out)
{
	struct stmt *q;
	unsigned char digest[DIGEST_SIZE];
	bool found, disabled = false;

	digest_text_of(text, digest);
	q = db_prepare(c,
	    "SELECT " COLUMNS ", person.disabled_at"
	    " FROM link JOIN person ON person.id = link.person_id"
	    " WHERE link.digest = :digest AND link.kind = :kind",
	    db_b(":digest", digest, sizeof(digest)), db_t(":kind", kinds[kind].name));
	found = db_row(q);
	if (found) {
		*out = from_row(q);
		disabled = db_int(q, 8) != 0;
	}
	db_reset(q);
	if (!found)
		return LINK_UNKNOWN;
	/* A clock that was set back must not give a link a longer life. An invitation tells nobody
	 * that the person is disabled: who uses it is refused. */
	if ((disabled && kind == LINK_RESET) || out->used_at != 0 || c->now >= out->expires_at ||
	    c->now < out->created_at - HOUR)
		return LINK_OVER;
	return LINK_GOOD;
}

void
link_use(struct ctx *c, const struct link *l)
{
	db_run(c, "UPDATE link SET used_at = :used_at WHERE id = :id", db_i(":used_at", c->now),
	    db_i(":id", l->id));
}

void
link_revoke(struct ctx *c, const struct link *l)
{
	db_run(c, "UPDATE link SET expires_at = :now, revoked_at = :now WHERE id = :id",
	    db_i(":now", c->now), db_i(":id", l->id));
}

void
link_list_open(
    struct ctx *c, int64_t made_by, void (*each)(void *arg, const struct link *l), void *arg)
{
	struct stmt *q = db_prepare(c,
	    "SELECT " COLUMNS " FROM link WHERE link.made_by = :made_by AND link.used_at IS NULL"
	    " AND link.expires_at > :now /*sort*/ ORDER BY link.id",
	    db_i(":made_by", made_by), db_i(":now", c->now));

	list(q, each, arg);
}

void
link_list_revoked(struct ctx *c, int64_t made_by, int64_t since,
    void (*each)(void *arg, const struct link *l), void *arg)
{
	struct stmt *q = db_prepare(c,
	    "SELECT " COLUMNS " FROM link"
	    " WHERE link.made_by = :made_by AND link.revoked_at >= :since"
	    " /*sort*/ ORDER BY link.id",
	    db_i(":made_by", made_by), db_i(":since", since));

	list(q, each, arg);
}

void
link_end_invitations(struct ctx *c, int64_t person_id, const char *account)
{
	db_run(c,
	    "UPDATE link SET expires_at = :now WHERE person_id = :person_id AND kind = 'invite'"
	    " AND used_at IS NULL AND expires_at > :now"
	    " AND membership_id IN (SELECT id FROM membership"
	    " WHERE person_id = :person_id AND account = :account)",
	    db_i(":now", c->now), db_i(":person_id", person_id), db_t(":account", account));
}

void
link_end_resets(struct ctx *c, int64_t person_id)
{
	db_run(c,
	    "UPDATE link SET expires_at = :now WHERE person_id = :person_id AND kind = 'reset'"
	    " AND used_at IS NULL AND expires_at > :now",
	    db_i(":now", c->now), db_i(":person_id", person_id));
}

void
link_end_all(struct ctx *c, int64_t person_id)
{
	db_run(c,
	    "UPDATE link SET expires_at = :now WHERE person_id = :person_id AND used_at IS NULL"
	    " AND expires_at > :now",
	    db_i(":now", c->now), db_i(":person_id", person_id));
}
