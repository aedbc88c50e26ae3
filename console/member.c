/* One member: the role, the invitation, and acts on the person (docs/console.md §2.3). */
#include <string.h>

#include "action/key-actions.h"
#include "action/person/person-actions.h"
#include "all.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "base/log.h"
#include "console/page.h"
#include "people.h"
#include "screen/tr.h"

/* The forms of the page, each sent to its own address below that of the member. */
enum act {
	ACT_ROLE,
	ACT_END,
	ACT_AGAIN,
	ACT_CHANGE,
	ACT_RESET,
	ACT_SESSIONS,
	ACT_DISABLE,
	ACT_ENABLE,
	ACT_REMOVE,
	ACTS
};

static const struct field role_fields[] = {
	{ .name = "role", .label = tr_mark("Role"), .kind = FIELD_SELECT, .required = true },
	{ .name = "go", .label = tr_mark("Change role"), .kind = FIELD_SUBMIT },
	{ .name = NULL },
};

static const struct field change_fields[] = {
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
	{ .name = "go", .label = tr_mark("Change"), .kind = FIELD_SUBMIT },
	{ .name = NULL },
};

static const struct field remove_fields[] = {
	{ .name = "erase",
	    .label = tr_mark("Also delete name and address"),
	    .kind = FIELD_CHECKBOX,
	    .hint = tr_mark("Otherwise the name stays beside what the person did.") },
	{ .name = "go", .label = tr_mark("Remove"), .kind = FIELD_SUBMIT, .tone = FIELD_DANGER },
	{ .name = NULL },
};

/* ---- the page */

struct shown {
	struct member member;
	size_t keys; /* good ones that the person made and this person manages */
	struct people_links links; /* open ones that the person made */
};

static struct err *
read_made(const struct page *p, struct shown *s)
{
	struct key_made made = { .person = s->member.person->uuid, .by = p->v->person->id };

	/* Nobody learns by an invitation who is known here. */
	if (s->member.m->begun_at == 0)
		return NULL;
	TRY(key_made_list(p->c, &made));
	s->keys = made.count;
	return people_read_links(p->c, p->v, made.person, false, &s->links);
}

static struct err *
load(struct page *p)
{
	struct shown *s = p->data;

	TRY(people_find(p->c, p->v, &s->member));
	p->title = people_name(&s->member);
	return read_made(p, s);
}

/* Returns whether a form is shown: what would be refused is not. */
static bool
is_offered(const struct page *p, enum act act)
{
	const struct member *m = &((const struct shown *)p->data)->member;
	bool open = m->m->begun_at == 0, disabled = m->person->disabled_at != 0;

	if (m->m->ended_at != 0)
		return act == ACT_END && m->ends;
	switch (act) {
	case ACT_ROLE:
		return m->changes && people_roles(p->c, p->v)->value != NULL;
	case ACT_END:
		return m->ends;
	case ACT_AGAIN:
		return m->changes && open;
	case ACT_RESET:
		return m->acts && !disabled && m->person->password != NULL;
	case ACT_DISABLE:
		return m->acts && !disabled;
	case ACT_ENABLE:
		return m->acts && disabled;
	default:
		return m->acts;
	}
}

/* What ends rights at once is asked about on a page of its own. */
static bool
is_asked(enum act act)
{
	return act == ACT_END || act == ACT_DISABLE || act == ACT_REMOVE;
}

/* ---- the changes */

static const struct page_act acts[ACTS];

/* The last segment of its address names an act. */
static enum act
act_of(const struct page *p)
{
	const char *name = strrchr(p->v->row->pattern, '/') + 1;

	for (enum act act = 0; act < ACTS; act++) {
		if (strcmp(acts[act].name, name) == 0)
			return act;
	}
	BUG("%s is no act on a member", name);
}

static void
fill_role(struct page *p, struct form *f)
{
	const struct shown *s = p->data;

	form_choices(f, "role", people_roles(p->c, p->v));
	form_fill(f, "role", membership_role(s->member.m));
}

static void
fill_change(struct page *p, struct form *f)
{
	const struct shown *s = p->data;

	form_fill(f, "email", s->member.person->email);
	form_fill(f, "name", s->member.person->name);
}

/* Returns whether the act ends rights of the person, or some of them. */
static bool
is_lowering(const struct page *p, enum act act)
{
	const struct shown *s = p->data;
	const char *role = act == ACT_ROLE ? form_text(p->form, "role") : NULL;

	if (act == ACT_ROLE)
		return role != NULL && (s->member.m->rights & ~membership_role_rights(role)) != 0;
	return is_asked(act);
}

/* Says where an act leads: to the keys and links that the person made, if the rights end and there
 * are some (docs/console.md §2.4), else to the list; home, if the own rights end, as the list may
 * not be read any more. */
static struct err *
lead(struct page *p)
{
	const struct shown *s = p->data;
	const struct person *who = s->member.person;
	const enum act act = act_of(p);
	bool lowers = is_lowering(p, act);
	bool made = s->keys > 0 ||
		    (s->links.count > 0 && (act != ACT_REMOVE || !form_is_on(p->form, "erase")));
	const char *to = people_path(p->c, p->v);

	if (act == ACT_AGAIN || act == ACT_RESET)
		return NULL;
	if (who->id == p->v->person->id && lowers)
		to = "/";
	else if (made && lowers)
		to = made_path(p->c, p->v, who->uuid);
	page_will_go(p, to, act == ACT_END || act == ACT_SESSIONS ? "ended" : "changed");
	return NULL;
}

/* Calls the action of a form. *link is filled where a link is made. */
static struct err *
change(struct page *p, enum act act, struct person_link *link)
{
	const struct shown *s = p->data;
	const struct person_by by = people_by(p->v);
	const struct membership *m = s->member.m;
	const struct where where = { .kind = m->kind, .name = m->place };
	const char *who = s->member.person->uuid;
	const struct form *f = p->form;
	struct person_rights rights = { .where = where, .role = "none" };
	struct person_fields fields = { .email = NULL };
	struct person *found;
	bool open;

	switch (act) {
	case ACT_ROLE:
		rights.role = form_text(f, "role");
		return person_set_rights(p->c, &by, who, &rights, &found, &open);
	case ACT_END:
		return person_set_rights(p->c, &by, who, &rights, &found, &open);
	case ACT_AGAIN:
		return person_invite(p->c, &by, who, &where, link);
	case ACT_CHANGE:
		fields.email = form_text(f, "email");
		fields.name = form_text(f, "name");
		return person_change(p->c, &by, who, &fields, &found);
	case ACT_RESET:
		return person_reset(p->c, &by, who, link);
	case ACT_SESSIONS:
		return person_sign_out(p->c, &by, who, &found);
	case ACT_REMOVE:
		return person_remove(p->c, &by, who, form_is_on(f, "erase"), &found);
	default:
		return person_switch(p->c, &by, who, act == ACT_DISABLE, &found);
	}
}

static struct err *
run(struct page *p)
{
	const struct member *m = &((const struct shown *)p->data)->member;
	const enum act act = act_of(p);
	struct person_link link = { .person = NULL };

	/* Acts on a person wait until the invitation was opened. */
	if (act >= ACT_CHANGE && m->m->begun_at == 0)
		return refuse(
		    p->c, ERR_FORBIDDEN, tr_mark("This person has not opened the invitation yet."));
	TRY(change(p, act, &link));
	console_journal(p->c, p->v, "person %s %s", acts[act].name, m->person->uuid);
	if (act == ACT_AGAIN || act == ACT_RESET) {
		people_page_link(p->c, p->v, p->reply, &link, people_name(m));
		explicit_bzero(link.text, sizeof(link.text));
		p->answered = true;
	}
	return NULL;
}

#define ACT(name_, fields_, fill_)                                                                 \
	{                                                                                          \
		.name = (name_), .fields = (fields_), .fill = (fill_), .check = lead, .act = run,  \
		.store = DB_CONSOLE                                                                \
	}
#define PRESS(name_, label_, tone_) ACT(name_, PAGE_BUTTON("go", label_, tone_), NULL)

static const struct page_act acts[ACTS] = {
	[ACT_ROLE] = ACT("role", role_fields, fill_role),
	[ACT_END] = PRESS("end", tr_mark("End membership"), FIELD_DANGER),
	[ACT_AGAIN] = PRESS("invite", tr_mark("Invite again"), FIELD_SECONDARY),
	[ACT_CHANGE] = ACT("change", change_fields, fill_change),
	[ACT_RESET] = PRESS("reset", tr_mark("Reset"), FIELD_SECONDARY),
	[ACT_SESSIONS] = PRESS("sessions", tr_mark("End sessions"), FIELD_SECONDARY),
	[ACT_DISABLE] = PRESS("disable", tr_mark("Disable"), FIELD_DANGER),
	[ACT_ENABLE] = PRESS("enable", tr_mark("Enable"), FIELD_SECONDARY),
	[ACT_REMOVE] = ACT("remove", remove_fields, NULL),
};

/* ---- the question before an act that ends rights */

static void
say_end(const struct page *p, struct page_question *q)
{
	const struct shown *s = p->data;

	if (s->member.m->ended_at != 0) {
		q->says[0] = tr("The invitation has ended already. This takes it off the list.");
	} else if (s->member.m->begun_at == 0) {
		q->says[0] = tr("The link in the invitation no longer works.");
	} else if (s->member.person->id == p->v->person->id) {
		q->says[0] = tr(
		    "You cannot open this place any more, unless somebody who manages it invites you again.");
		return;
	} else {
		q->says[0] = tr(
		    "The person cannot open this place any more. Dates of publishing that the person set are suspended, and links to previews that the person made end.");
		q->says[1] =
		    s->keys > 0
			? tr("Keys that the person made still work. The next page lists them.")
			: NULL;
	}
	q->says[q->says[1] != NULL ? 2 : 1] = tr("The person can be invited again.");
}

static void
write_question(struct hwrite *w, struct page *p)
{
	const struct shown *s = p->data;
	const enum act act = act_of(p);
	struct page_question q = { .back = arena_printf(p->c->arena, "%s/%s",
				       people_path(p->c, p->v), s->member.m->uuid),
		.about = people_name(&s->member) };

	if (act == ACT_END) {
		q.about =
		    arena_printf(p->c->arena, "%s · %s", people_name(&s->member), s->member.where);
		say_end(p, &q);
	} else {
		q.says[0] =
		    act == ACT_REMOVE
			? tr("All memberships of the person end, in each account, and the person cannot sign in any more. The password and the authenticator are deleted.")
			: tr("The person cannot sign in any more, and all sessions end at once.");
		q.says[1] = tr(
		    "Dates of publishing that the person set are suspended, and links to previews that the person made end.");
		q.says[2] = act == ACT_REMOVE
				? tr("This cannot be undone. The person can be invited again.")
				: tr("“Enable” lets the person sign in again.");
	}
	page_ask(w, p, &acts[act], q);
}

/* One that is not offered is not asked about; a form that was sent is refused by its action. */
static struct err *
load_question(struct page *p)
{
	const enum act act = act_of(p);

	TRY(load(p));
	p->title = act == ACT_END      ? tr("End this membership?")
		   : act == ACT_REMOVE ? tr("Remove this person?")
				       : tr("Disable this person?");
	if (p->acting || p->form != NULL || is_offered(p, act))
		return NULL;
	return refuse(p->c, ERR_FORBIDDEN, "%s",
	    tr("Your role here does not allow this. Ask somebody who manages this place."));
}

static const struct page_kind question_page = { sizeof(struct shown), load_question,
	write_question };

/* ---- the page of the member */

static void
write_forms(struct hwrite *w, struct page *p, enum act first, enum act last)
{
	const struct shown *s = p->data;

	for (enum act act = first; act <= last; act++) {
		const struct field *field = acts[act].fields;
		if (!is_offered(p, act))
			continue;
		while (field->kind != FIELD_SUBMIT)
			field++;
		if (is_asked(act))
			screen_question_link(w,
			    console_path(p->c, p->v, "%s/%s/%s", people_path(p->c, p->v),
				s->member.m->uuid, acts[act].name),
			    tr(field->label));
		else
			page_form(w, p, &acts[act], NULL);
	}
}

static void
write_page(struct hwrite *w, struct page *p)
{
	const struct shown *s = p->data;

	@ <dl>
	screen_fact(w, tr("E-mail"), people_email(s->member.person, s->member.m));
	screen_fact(w, tr("Role"), people_role(&s->member));
	screen_fact(w, tr("Of"), s->member.where);
	@ <dt>State</dt><dd>{!people_write_state(w, &s->member)}</dd>
	screen_fact(w, tr("Invited by"), s->member.by);
	@ </dl>
	people_write_links(w, &s->links, false);
	if (s->member.m->ended_at != 0)
		@ <p>The address of this person was changed elsewhere before the invitation was
		@ opened, so it has ended. If the address that you typed is right, invite it again:
		@ type it in People.</p>
	if (!console_rests(p->v)) {
		@ <h2>Membership</h2>
		write_forms(w, p, ACT_ROLE, ACT_AGAIN);
	}
	if (s->member.acts && !console_rests(p->v)) {
		@ <h2>The person</h2><p>What is done here is done everywhere.</p>
		write_forms(w, p, ACT_CHANGE, ACT_REMOVE);
	}
	@ <p>
	if (s->keys > 0)
		screen_button_link(w,
		    console_path(p->c, p->v, "%s", made_path(p->c, p->v, s->member.person->uuid)),
		    tr("Keys that this person made"), false);
	@ <a class="button" href={console_path(p->c, p->v, "%s", people_path(p->c, p->v))}>
	@ Back to the people</a></p>
}

static const struct page_kind page = { sizeof(struct shown), load, write_page };

#define ROW(method_, pattern_, kind_, act_)                                                        \
	{                                                                                          \
		.method = (method_), .pattern = (pattern_), .title = tr_mark("Member"),            \
		.need = RIGHT_MANAGE, .step_up = (act_) != NULL, .page = &(kind_), .act = (act_)   \
	}
#define CHANGE(place, name_, act_) ROW("POST", place "/people/ID/" name_, page, &acts[act_])
#define QUESTION(place, name_, act_)                                                               \
	ROW("GET", place "/people/ID/" name_, question_page, NULL),                                \
	    ROW("POST", place "/people/ID/" name_, question_page, &acts[act_])

#define ROWS(place)                                                                                \
	ROW("GET", place "/people/ID", page, NULL), CHANGE(place, "role", ACT_ROLE),               \
	    QUESTION(place, "end", ACT_END), CHANGE(place, "invite", ACT_AGAIN),                   \
	    CHANGE(place, "change", ACT_CHANGE), CHANGE(place, "reset", ACT_RESET),                \
	    CHANGE(place, "sessions", ACT_SESSIONS), QUESTION(place, "disable", ACT_DISABLE),      \
	    CHANGE(place, "enable", ACT_ENABLE), QUESTION(place, "remove", ACT_REMOVE)

SCREEN(member) = {
	ROWS("/W"),
	ROWS("/A"),
	{ .method = NULL },
};
