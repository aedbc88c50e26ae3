/* People of a workspace or an account (docs/console.md §2): who they are and what may be done
 * with them; the links that somebody made; the list, and invitations. */
#include "people.h"

#include <string.h>

#include "action/person/mailing.h"
#include "action/person/person-look.h"
#include "all.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "base/utf8.h"
#include "console/page.h"
#include "screen/say.h"
#include "screen/tr.h"
#include "store/db.h"

static const struct {
	const char *name, *label;
} roles[] = {
	{ "writer", tr_mark("Writer: writes drafts") },
	{ "reviewer", tr_mark("Reviewer: publishes") },
	{ "editor", tr_mark("Editor: writes and publishes") },
	{ "owner", tr_mark("Owner: also settings, keys and people") },
};

#define ROLES (sizeof(roles) / sizeof(roles[0]))

const char *
people_path(struct ctx *c, const struct visit *v)
{
	return arena_printf(
	    c->arena, "/%s/people", v->workspace != NULL ? v->workspace->uuid : v->account->uuid);
}

struct person_by
people_by(const struct visit *v)
{
	return (struct person_by) { .person_id = v->person->id };
}

struct reading {
	struct ctx *c;
	const struct visit *v;
	struct member *list;
	size_t count;
};

/* Returns whether a membership reaches the place of the path. */
static bool
is_here(const struct visit *v, const struct membership *m)
{
	return v->workspace == NULL || m->kind == MEMBERSHIP_ACCOUNT ||
	       strcmp(m->place, v->workspace->uuid) == 0;
}

static void
keep(void *arg, const struct person *p, const struct person_membership *m)
{
	struct reading *r = arg;
	const struct person_by by = people_by(r->v);
	const struct person *inviter = person_find(r->c, m->m->invited_by);

	if (!is_here(r->v, m->m) || m->name == NULL)
		return;
	r->list = arena_grow(
	    r->c->arena, r->list, r->count * sizeof(*r->list), (r->count + 1) * sizeof(*r->list));
	r->list[r->count++] = (struct member) { .person = p,
		.m = m->m,
		.where = m->name,
		.by = inviter != NULL ? inviter->name : NULL,
		.changes = rule_change(r->c, &by, m->m, false) == NULL,
		.ends = rule_change(r->c, &by, m->m, true) == NULL,
		/* Nobody learns by an invitation who is known here. */
		.acts = m->m->begun_at != 0 && rule_act(r->c, &by, p) == NULL };
}

/* Reads the memberships that reach this place, oldest first. */
static struct err *
people_read(struct ctx *c, const struct visit *v, struct member **out, size_t *count)
{
	struct reading r = { .c = c, .v = v };
	struct err *err = person_show_account(c, v->account->uuid, keep, &r);

	*out = r.list;
	*count = r.count;
	return err;
}

struct err *
people_find(struct ctx *c, const struct visit *v, struct member *out)
{
	struct member *list;
	size_t count;
	struct err *err = people_read(c, v, &list, &count);

	for (size_t i = 0; err == NULL && i < count; i++) {
		if (strcmp(list[i].m->uuid, v->id) == 0) {
			*out = list[i];
			return NULL;
		}
	}
	return err != NULL ? err
			   : refuse(c, ERR_NOT_FOUND, tr_mark("There is no such member here."));
}

const char *
people_name(const struct member *m)
{
	return m->m->begun_at == 0 ? m->m->invited_name : m->person->name;
}

const char *
people_email(const struct person *p, const struct membership *m)
{
	return m != NULL && m->begun_at == 0 ? m->invited_email : p->login;
}

const char *
people_role(const struct member *m)
{
	const char *role = membership_role(m->m);

	for (size_t i = 0; i < ROLES; i++) {
		if (strcmp(roles[i].name, role) == 0)
			return tr(roles[i].label);
	}
	return tr("Other rights");
}

const struct field_choice *
people_roles(struct ctx *c, const struct visit *v)
{
	struct field_choice *choices = arena_array(c->arena, ROLES + 1, sizeof(*choices));
	size_t n = 0;

	for (size_t i = 0; i < ROLES; i++) {
		if ((membership_role_rights(roles[i].name) & ~v->rights) == 0)
			choices[n++] = (struct field_choice) { .value = roles[i].name,
				.label = tr(roles[i].label) };
	}
	choices[n] = (struct field_choice) { .value = NULL };
	return choices;
}

void
people_write_state(struct hwrite *w, const struct member *m)
{
	if (m->m->ended_at != 0)
		screen_state(w, SCREEN_WARNING, tr("Ended"));
	else if (m->m->begun_at == 0)
		screen_state(w, SCREEN_NOTE, tr("Invited"));
	else if (m->person->disabled_at != 0)
		screen_state(w, SCREEN_BAD, tr("Disabled"));
	else
		screen_state(w, SCREEN_GOOD, tr("Active"));
}

/* ---- links that somebody made */

struct made_links {
	struct ctx *c;
	struct people_links *out;
};

static void
keep_link(void *arg, const struct person_made *made)
{
	const struct made_links *m = arg;
	struct link *link = arena_alloc(m->c->arena, sizeof(*link));
	size_t count = m->out->count, size = sizeof(*m->out->list);

	*link = *made->link;
	m->out->list = arena_grow(m->c->arena, m->out->list, count * size, (count + 1) * size);
	m->out->list[count] = *made;
	m->out->list[count].link = link;
	m->out->count++;
}

struct err *
people_read_links(
    struct ctx *c, const struct visit *v, const char *person, bool ended, struct people_links *out)
{
	struct made_links m = { .c = c, .out = out };

	*out = (struct people_links) { .count = 0 };
	return person_links(
	    c, person, v->account->uuid, ended ? clock_now() - CLOCK_DAY : 0, keep_link, &m);
}

void
people_write_links(struct hwrite *w, const struct people_links *links, bool ended)
{
	if (links->count == 0)
		return;
	@ <h2>{=ended ? tr("Links that have ended") : tr("Open links")}</h2><p>
	if (ended)
		@ This person made these links and may not do so any more. They open nothing. Who
		@ still needs one gets it from somebody else.
	else
		@ This person made these links. They end when the person may not make them any more.
	@ </p><list caption="Links" columns="Name|E-mail|Link|Until?{!ended}">
	for (size_t i = 0; i < links->count; i++) {
		const struct person_made *made = &links->list[i];
		@ <row><cell>{made->m != NULL && made->m->begun_at == 0 ? made->m->invited_name
		@     : made->person->name}</cell>
		@ <cell>{people_email(made->person, made->m)}</cell>
		@ <cell>{=made->m != NULL ? tr("Invitation") : tr("New password")}</cell>
		if (!ended)
			@ <cell>{!say_moment(w, made->link->expires_at)}</cell>
		@ </row>
	}
	@ </list>
}

/* ---- a link, shown once */

struct shown {
	struct ctx *c;
	const struct visit *v;
	const struct person_link *link;
};

static void
write_link(struct hwrite *w, const void *data)
{
	const struct shown *s = data;

	@ <notice warning><p>Copy the link now and send it: it is shown this once only.</p></notice>
	screen_copy(w, tr("the link"),
	    arena_printf(
		s->c->arena, "%s%s%s", s->v->place.origin, s->v->place.root, s->link->path));
	@ <p>It works once, until {say_full_text(s->c, s->link->expires_at)}.</p>
	if (s->link->mailed)
		@ <p>It is sent to {s->link->email} by mail, too, within a minute or two.</p>
	else if (mailing_is_on(s->c))
		@ <p>No mail is sent: the mails of this day are used up.</p>
	@ <p><a class="button" href={console_path(s->c, s->v, "%s", people_path(s->c, s->v))}>
	@ Back to the people</a></p>
}

void
people_page_link(struct ctx *c, const struct visit *v, struct reply *reply,
    const struct person_link *link, const char *under)
{
	const struct shown s = { .c = c, .v = v, .link = link };

	console_page(c, v, reply, tr("The link"), under, write_link, &s);
}

/* ---- the list */

static const struct field invite_fields[] = {
	{ .name = "email",
	    .label = tr_mark("E-mail"),
	    .kind = FIELD_EMAIL,
	    .max = PERSON_EMAIL_MAX,
	    .required = true,
	    .autocomplete = "off" },
	{ .name = "name",
	    .label = tr_mark("Name"),
	    .kind = FIELD_TEXT,
	    .max = PERSON_NAME_MAX,
	    .required = true,
	    .autocomplete = "off" },
	{ .name = "role", .label = tr_mark("Role"), .kind = FIELD_SELECT, .required = true },
	{ .name = "invite",
	    .label = tr_mark("Invite"),
	    .kind = FIELD_SUBMIT,
	    .tone = FIELD_PRIMARY },
	{ .name = NULL },
};

static void
fill_invitation(struct page *p, struct form *f)
{
	form_choices(f, "role", people_roles(p->c, p->v));
}

static struct err *
invite(struct page *p)
{
	const struct visit *v = p->v;
	const struct where where = { .kind = v->workspace != NULL ? MEMBERSHIP_WORKSPACE
								  : MEMBERSHIP_ACCOUNT,
		.name = v->workspace != NULL ? v->workspace->uuid : v->account->uuid };
	const struct person_order order = { .by = people_by(v),
		.email = form_text(p->form, "email"),
		.name = form_text(p->form, "name"),
		.role = form_text(p->form, "role"),
		.where = &where,
		.where_count = 1,
		.known = true,
		.link = true };
	struct person_link made;
	struct err *err = person_create(p->c, &order, &made);

	if (err != NULL) {
		/* What the form meets is a member of that address. */
		if (v->spent && err->code == ERR_CONFLICT)
			err->param = "email";
		return err;
	}
	console_journal(p->c, v, "person invite %s", made.person->uuid);
	people_page_link(p->c, v, p->reply, &made, NULL);
	p->answered = true;
	explicit_bzero(made.text, sizeof(made.text));
	return NULL;
}

static const struct page_act invite_it = {
	.name = "invitation", .fields = invite_fields, .fill = fill_invitation, .act = invite
};

struct people {
	struct member *list;
	size_t count;
	struct trace *traces; /* of each of them */
	bool whole; /* the person of the session manages the whole account */
};

/* Writes nothing where no time is known. */
static void
write_time(struct hwrite *w, int64_t at)
{
	if (at != 0)
		say_time(w, at);
}

static void
write_member(struct hwrite *w, const struct page *p, const struct member *m, const struct trace *t)
{
	const char *name = people_name(m);

	@ <row><cell><span><span class="mark person-of" aria-hidden="true">
	@ {arena_text_n(p->c->arena, name, utf8_prefix(name, 1))}</span><span>
	@ <a href={console_path(p->c, p->v, "%s/%s", people_path(p->c, p->v), m->m->uuid)}>{name}</a>
	@ <small>{people_email(m->person, m->m)}</small></span></span></cell>
	@ <cell>{=people_role(m)}</cell><cell>{m->where}</cell><cell>{m->by}</cell>
	@ <cell>{!people_write_state(w, m)}</cell><cell>{!write_time(w, t->act_at)}</cell>
	if (console_may(p->v, RIGHT_OPERATE))
		@ <cell>{!write_time(w, t->sign_in_at)}</cell>
	@ </row>
}

static void
write_page(struct hwrite *w, struct page *p)
{
	const struct people *all = p->data;
	bool operates = console_may(p->v, RIGHT_OPERATE);

	if (all->count == 0) {
		screen_empty(w,
		    console_rests(p->v) ? tr("Nobody is a member yet.")
					: tr("Nobody is a member yet: invite somebody below."),
		    NULL, NULL);
	} else {
		@ <list caption="Members"
		@     columns="Name|Role|Of|Invited by|State|Last act|Last sign-in?{operates}">
		for (size_t i = 0; i < all->count; i++)
			write_member(w, p, &all->list[i], &all->traces[i]);
		@ </list>
	}
	if (p->v->workspace != NULL && all->whole)
		@ <p><a class="button" href="/A/people">People of the whole account</a></p>
	if (people_roles(p->c, p->v)->value == NULL || console_rests(p->v))
		return;
	@ <h2>Invite somebody</h2>{!page_form(w, p, &invite_it, NULL)}
}

/* Reads what each of them did last. Nobody learns by an invitation what somebody did. */
static void
read_traces(const struct page *p, struct people *all)
{
	all->traces = arena_array(p->c->arena, all->count + 1, sizeof(*all->traces));
	for (size_t i = 0; i < all->count; i++) {
		const struct member *m = &all->list[i];
		all->traces[i].person = m->m->begun_at != 0 ? m->person->uuid : "";
	}
	trace_acts(p->c, p->v->account->uuid, all->traces, all->count);
	if (console_may(p->v, RIGHT_OPERATE))
		trace_sign_ins(p->c, all->traces, all->count);
}

static struct err *
load(struct page *p)
{
	struct people *all = p->data;

	if (p->v->workspace == NULL)
		p->under = p->v->account->name;
	if (p->acting)
		return NULL;
	TRY(people_read(p->c, p->v, &all->list, &all->count));
	read_traces(p, all);
	db_begin_read(p->c, DB_CONSOLE);
	all->whole = (membership_rights(p->c, p->v->person->id, p->v->account->uuid, NULL) &
			 RIGHT_MANAGE) != 0;
	db_rollback(p->c);
	return NULL;
}

static const struct page_kind page = { sizeof(struct people), load, write_page };

#define PEOPLE .title = tr_mark("People"), .need = RIGHT_MANAGE, .page = &page

SCREEN(people) = {
	{ "GET", "/W/people", PEOPLE },
	{ "POST", "/W/people", PEOPLE, .step_up = true, .act = &invite_it },
	{ "GET", "/A/people", PEOPLE },
	{ "POST", "/A/people", PEOPLE, .step_up = true, .act = &invite_it },
	{ .method = NULL },
};
