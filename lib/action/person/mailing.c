#include "action/person/mailing.h"

#include <string.h>

#include "action/home-lists.h"
#include "action/person/person-rules.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "notify/mail.h"
#include "people/membership.h"
#include "store/db.h"
#include "system/conf.h"
#include "system/fault.h"

#define PERSON_MEMORY ((size_t)256 * 1024 * 1024)
#define HANDED_MAX 100 /* articles of a workspace */

/* What each kind of mail needs, one of these sets of rights, and what Home calls it. */
static const struct {
	unsigned rights[2];
	const char *path; /* below the workspace or account */
	bool thing; /* the thing's UUID follows */
} needs[MAIL_KINDS] = {
	[MAIL_HANDED_IN] = { { RIGHT_PUBLISH, RIGHT_PUBLISH }, "articles", true },
	[MAIL_JOB_FAILED] = { { RIGHT_WRITE | RIGHT_PUBLISH, RIGHT_WRITE | RIGHT_PUBLISH },
	    "orders", true },
	[MAIL_CREDITS_LOW] = { { RIGHT_MANAGE, RIGHT_MANAGE }, "credits", false },
	[MAIL_KEY_ENDS] = { { RIGHT_MANAGE, RIGHT_MANAGE }, "keys", true },
	[MAIL_SITE_SILENT] = { { RIGHT_PUBLISH, RIGHT_MANAGE }, "sites", false },
};

/* The mail that tells a line of Home; MAIL_KINDS: none does. */
static const enum mail_kind kinds[WAITS_KINDS] = {
	[WAITS_HANDED_IN] = MAIL_HANDED_IN,
	[WAITS_SUSPENDED] = MAIL_KINDS,
	[WAITS_TODO] = MAIL_KINDS,
	[WAITS_JOB] = MAIL_JOB_FAILED,
	[WAITS_SITE] = MAIL_SITE_SILENT,
	[WAITS_KEY] = MAIL_KEY_ENDS,
	[WAITS_INVITATION] = MAIL_KINDS,
	[WAITS_CREDITS] = MAIL_CREDITS_LOW,
	[WAITS_ASKING] = MAIL_KINDS,
};

bool
mailing_is_on(struct ctx *c)
{
	struct console_conf own;

	console_conf_read(c, &own);
	return own.mail_command[0] != '\0' && letter_console(c) != NULL;
}

bool
mailing_add_link(struct ctx *c, enum mail_kind kind, const struct person *p, const char *account,
    const char *link)
{
	struct mail m = {
		.kind = kind, .person = p->uuid, .account = account, .workspace = "", .link = link
	};

	return mailing_is_on(c) && mail_add(c, &m);
}

/* ---- what waits */

struct gathering {
	struct ctx *c;
	const char *person; /* UUID */
	struct mail *list;
	size_t count;
};

static void
take(void *arg, const struct waits_line *l)
{
	struct gathering *g = arg;
	size_t size = sizeof(*g->list);

	if (kinds[l->kind] == MAIL_KINDS || (l->by != NULL && strcmp(l->by, g->person) == 0))
		return;
	if ((g->count & (g->count - 1)) == 0)
		g->list = arena_grow(g->c->arena, g->list, g->count * size,
		    (g->count == 0 ? 1 : 2 * g->count) * size);
	g->list[g->count++] = (struct mail) { .kind = kinds[l->kind],
		.person = g->person,
		.account = l->account,
		.thing = l->id,
		.mark = l->mark,
		.workspace = l->kind == WAITS_CREDITS ? "" : l->workspace };
}

static bool
something_is_new(struct ctx *c, const struct gathering *g)
{
	bool is_new = false;

	db_begin_read(c, DB_CONSOLE);
	for (size_t i = 0; i < g->count && !is_new; i++)
		is_new = !mail_is_known(c, &g->list[i]);
	db_rollback(c);
	return is_new;
}

static void
gather_for(struct ctx *c, int64_t id, const char *person)
{
	struct places *p = arena_alloc(c->arena, sizeof(*p));
	struct gathering g = { .c = c, .person = person };

	*p = (struct places) { .person_id = id, .max = PLACES_MAX, .own = true };
	if (places_read(c, p) != NULL)
		return;
	waits_list(c, p, HANDED_MAX, take, &g);
	if (!something_is_new(c, &g))
		return;
	db_begin_write(c, DB_CONSOLE, DB_CHANGES_NOTHING, 0, 0);
	for (size_t i = 0; i < g.count; i++)
		(void)mail_add(c, &g.list[i]);
	db_commit(c);
	(void)FAULT("mail-noted");
}

/* People who want mails. */
struct people {
	struct ctx *c;
	struct person *list;
	size_t count;
};

static void
add_person(void *arg, const struct person *p)
{
	struct people *all = arg;
	size_t size = sizeof(*all->list);

	if (!p->mails || p->disabled_at != 0 || p->password == NULL)
		return;
	if ((all->count & (all->count - 1)) == 0)
		all->list = arena_grow(all->c->arena, all->list, all->count * size,
		    (all->count == 0 ? 1 : 2 * all->count) * size);
	all->list[all->count++] = *p;
}

void
mailing_gather(struct ctx *c, int64_t until, bool (*must_stop)(void))
{
	struct people all = { .c = c };
	struct arena *kept = c->arena, mine;
	size_t first;

	db_begin_read(c, DB_CONSOLE);
	person_list(c, add_person, &all);
	db_rollback(c);
	/* Where there is no time for everybody, another one is the first each time. */
	first = all.count > 0 ? (size_t)(c->now / CLOCK_SECOND) % all.count : 0;
	arena_init(&mine, PERSON_MEMORY);
	c->arena = &mine;
	for (size_t i = 0; i < all.count && clock_boot() < until && !must_stop(); i++) {
		const struct person *p = &all.list[(first + i) % all.count];
		gather_for(c, p->id, p->uuid);
		arena_reset(&mine);
	}
	c->arena = kept;
	arena_release(&mine);
	mail_sweep(c);
}

/* ---- sending */

static bool
is_link(enum mail_kind kind)
{
	return kind == MAIL_INVITE || kind == MAIL_RESET;
}

/* Reads the path of a link that is still good. *email is changed where it goes to the address
 * that was typed with the invitation. */
static const char *
link_path(struct ctx *c, const struct mail *m, const char **email)
{
	bool invites = m->kind == MAIL_INVITE;
	struct link l;

	if (m->link == NULL ||
	    rule_check_link(c, invites ? LINK_INVITE : LINK_RESET, m->link, &l) != LINK_GOOD)
		return NULL;
	if (invites)
		*email = membership_of(c, l.membership_id)->invited_email;
	return arena_printf(c->arena, "/%s/%s", invites ? "invite" : "reset", m->link);
}

/* Reads the path of what waits, if the person may still decide about it. */
static const char *
wait_path(struct ctx *c, const struct mail *m, const struct person *p)
{
	const char *place = m->workspace[0] != '\0' ? m->workspace : m->account;
	unsigned rights =
	    membership_rights(c, p->id, m->account, m->workspace[0] != '\0' ? m->workspace : NULL);
	bool may = false;

	for (size_t i = 0; i < 2; i++)
		may = may || (rights & needs[m->kind].rights[i]) == needs[m->kind].rights[i];
	if (!may || !p->mails)
		return NULL;
	return arena_printf(c->arena, "/%s/%s%s%s", place, needs[m->kind].path,
	    needs[m->kind].thing ? "/" : "", needs[m->kind].thing ? m->thing : "");
}

bool
mailing_read(struct ctx *c, const struct mail *m, struct mailing *out)
{
	db_begin_read(c, DB_CONSOLE);
	*out = (struct mailing) { .person = person_find(c, m->person) };
	if (out->person != NULL && out->person->disabled_at == 0) {
		out->email = out->person->email;
		out->path =
		    is_link(m->kind) ? link_path(c, m, &out->email) : wait_path(c, m, out->person);
	}
	db_rollback(c);
	return out->path != NULL;
}
