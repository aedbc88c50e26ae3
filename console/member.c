/* One member: the role, the invitation, and acts on the person (docs/console.md §2.3). */
#include <string.h>

#include "action/key-actions.h"
#include "action/person/person-actions.h"
#include "all.h"
#include "base/arena.h"
#include "base/ctx.h"
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

#define PRESS(label_, tone_)                                                                       \
	(const struct field[])                                                                     \
	{                                                                                          \
		{ .name = "go", .label = (label_), .kind = FIELD_SUBMIT, .tone = (tone_) },        \
		{                                                                                  \
			.name = NULL                                                               \
		}                                                                                  \
	}

static const struct {
	const char *name;
	const struct field *fields;
} acts[ACTS] = {
	[ACT_ROLE] = { "role", role_fields },
	[ACT_END] = { "end", PRESS(tr_mark("End membership"), FIELD_DANGER) },
	[ACT_AGAIN] = { "invite", PRESS(tr_mark("Invite again"), FIELD_SECONDARY) },
	[ACT_CHANGE] = { "change", change_fields },
	[ACT_RESET] = { "reset", PRESS(tr_mark("Reset"), FIELD_SECONDARY) },
	[ACT_SESSIONS] = { "sessions", PRESS(tr_mark("End sessions"), FIELD_SECONDARY) },
	[ACT_DISABLE] = { "disable", PRESS(tr_mark("Disable"), FIELD_DANGER) },
	[ACT_ENABLE] = { "enable", PRESS(tr_mark("Enable"), FIELD_SECONDARY) },
	[ACT_REMOVE] = { "remove", remove_fields },
};

struct page {
	struct ctx *c;
	struct visit *v;
	struct member member;
	struct form forms[ACTS];
	size_t keys; /* good ones that the person made and this person manages */
	struct people_links links; /* open ones that the person made */
};

/* ---- the page */

/* Returns whether a form is shown: what would be refused is not. */
static bool
is_offered(const struct page *p, enum act act)
{
	const struct member *m = &p->member;
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

static void
write_forms(struct hwrite *w, const struct page *p, enum act first, enum act last)
{
	for (enum act act = first; act <= last; act++) {
		const struct field *field = acts[act].fields;
		const char *path = arena_printf(p->c->arena, "%s/%s/%s", people_path(p->c, p->v),
		    p->member.m->uuid, acts[act].name);
		if (!is_offered(p, act))
			continue;
		while (field->kind != FIELD_SUBMIT)
			field++;
		if (is_asked(act))
			screen_question_link(
			    w, console_path(p->c, p->v, "%s", path), tr(field->label));
		else
			console_form(p->c, p->v, w, &p->forms[act], path);
	}
}

static void
say_end(const struct page *p, struct console_question *q)
{
	q->title = tr("End this membership?");
	if (p->member.m->ended_at != 0) {
		q->says[0] = tr("The invitation has ended already. This takes it off the list.");
	} else if (p->member.m->begun_at == 0) {
		q->says[0] = tr("The link in the invitation no longer works.");
	} else if (p->member.person->id == p->v->person->id) {
		q->says[0] = tr(
		    "You cannot open this place any more, unless somebody who manages it invites you again.");
		return;
	} else {
		q->says[0] = tr(
		    "The person cannot open this place any more. Dates of publishing that the person set are suspended, and links to previews that the person made end.");
		q->says[1] =
		    p->keys > 0
			? tr("Keys that the person made still work. The next page lists them.")
			: NULL;
	}
	q->says[q->says[1] != NULL ? 2 : 1] = tr("The person can be invited again.");
}

/* Asks before such an act; after one that was refused, with the reason. */
static void
ask(const struct page *p, enum act act, struct reply *reply)
{
	struct console_question q = { .form = &p->forms[act],
		.action = arena_printf(p->c->arena, "%s/%s/%s", people_path(p->c, p->v),
		    p->member.m->uuid, acts[act].name),
		.back =
		    arena_printf(p->c->arena, "%s/%s", people_path(p->c, p->v), p->member.m->uuid),
		.about = arena_printf(
		    p->c->arena, "%s · %s", people_name(&p->member), p->member.where) };

	if (act == ACT_END) {
		say_end(p, &q);
	} else {
		q.about = people_name(&p->member);
		q.title =
		    act == ACT_REMOVE ? tr("Remove this person?") : tr("Disable this person?");
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
	console_ask(p->c, p->v, reply, &q);
}

static void
write_page(struct hwrite *w, const void *data)
{
	const struct page *p = data;

	@ <dl>
	screen_fact(w, tr("E-mail"), people_email(p->member.person, p->member.m));
	screen_fact(w, tr("Role"), people_role(&p->member));
	screen_fact(w, tr("Of"), p->member.where);
	@ <dt>State</dt><dd>{!people_write_state(w, &p->member)}</dd>
	screen_fact(w, tr("Invited by"), p->member.by);
	@ </dl>
	people_write_links(w, &p->links, false);
	if (p->member.m->ended_at != 0)
		@ <p>The address of this person was changed elsewhere before the invitation was
		@ opened, so it has ended. If the address that you typed is right, invite it again:
		@ type it in People.</p>
	if (!console_rests(p->v)) {
		@ <h2>Membership</h2>
		write_forms(w, p, ACT_ROLE, ACT_AGAIN);
	}
	if (p->member.acts && !console_rests(p->v)) {
		@ <h2>The person</h2><p>What is done here is done everywhere.</p>
		write_forms(w, p, ACT_CHANGE, ACT_REMOVE);
	}
	@ <p>
	if (p->keys > 0)
		screen_button_link(w,
		    console_path(p->c, p->v, "%s", made_path(p->c, p->v, p->member.person->uuid)),
		    tr("Keys that this person made"), false);
	@ <a class="button" href={console_path(p->c, p->v, "%s", people_path(p->c, p->v))}>
	@ Back to the people</a></p>
}

static void
fill(struct page *p)
{
	for (enum act act = 0; act < ACTS; act++)
		form_init(&p->forms[act], acts[act].name, acts[act].fields);
	form_choices(&p->forms[ACT_ROLE], "role", people_roles(p->c, p->v));
	form_fill(&p->forms[ACT_ROLE], "role", membership_role(p->member.m));
	form_fill(&p->forms[ACT_CHANGE], "email", p->member.person->email);
	form_fill(&p->forms[ACT_CHANGE], "name", p->member.person->name);
}

static struct err *
read_made(struct page *p)
{
	struct key_made *made = arena_alloc(p->c->arena, sizeof(*made));
	struct err *err = NULL;

	made->person = p->member.person->uuid;
	made->by = p->v->person->id;
	/* Nobody learns by an invitation who is known here. */
	if (p->member.m->begun_at != 0)
		err = key_made_list(p->c, made);
	if (err == NULL && p->member.m->begun_at != 0)
		err = people_read_links(p->c, p->v, made->person, false, &p->links);
	p->keys = made->count;
	return err;
}

static struct err *
begin(struct ctx *c, struct visit *v, struct page **out)
{
	struct page *p = arena_alloc(c->arena, sizeof(*p));
	struct err *err = people_find(c, v, &p->member);

	p->c = c;
	p->v = v;
	if (err == NULL)
		err = read_made(p);
	if (err == NULL)
		fill(p);
	*out = p;
	return err;
}

static struct err *
show(struct page *p, struct reply *reply)
{
	console_page(p->c, p->v, reply, people_name(&p->member), NULL, write_page, p);
	return NULL;
}

static struct err *
person(struct ctx *c, struct visit *v, struct reply *reply)
{
	struct page *p;
	struct err *err = begin(c, v, &p);

	return err != NULL ? err : show(p, reply);
}

/* ---- changes */

/* Calls the action of a form. *link is filled where a link is made. */
static struct err *
run(struct page *p, enum act act, struct person_link *link)
{
	const struct person_by by = people_by(p->v);
	const struct membership *m = p->member.m;
	const struct where where = { .kind = m->kind, .name = m->place };
	const char *who = p->member.person->uuid;
	const struct form *f = &p->forms[act];
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

/* Returns the name of the sentence that follows an act. */
static const char *
notice_of(enum act act)
{
	return act == ACT_END || act == ACT_SESSIONS ? "ended" : "changed";
}

/* Answers a change that was made. */
static void
answer(struct page *p, enum act act, struct reply *reply, struct person_link *link, const char *to)
{
	console_journal(p->c, p->v, "person %s %s", acts[act].name, p->member.person->uuid);
	if (act == ACT_AGAIN || act == ACT_RESET)
		people_page_link(p->c, p->v, reply, link, people_name(&p->member));
	else
		console_go(p->c, p->v, reply, to, notice_of(act));
	explicit_bzero(link->text, sizeof(link->text));
}

/* Returns whether the act ends rights of the person, or some of them. */
static bool
is_lowering(const struct page *p, enum act act)
{
	const char *role = form_text(&p->forms[ACT_ROLE], "role");

	if (act == ACT_ROLE)
		return role != NULL && (p->member.m->rights & ~membership_role_rights(role)) != 0;
	return act == ACT_END || act == ACT_DISABLE || act == ACT_REMOVE;
}

/* Returns where an act leads: to the keys and links that the person made, if the rights end and
 * there are some (docs/console.md §2.4), else to the list; home, if the own rights end, as the
 * list may not be read any more. */
static const char *
next_of(const struct page *p, enum act act)
{
	const struct person *who = p->member.person;
	bool links =
	    p->links.count > 0 && (act != ACT_REMOVE || !form_is_on(&p->forms[act], "erase"));

	if (who->id == p->v->person->id && is_lowering(p, act))
		return "/";
	if ((p->keys > 0 || links) && is_lowering(p, act))
		return made_path(p->c, p->v, who->uuid);
	return people_path(p->c, p->v);
}

/* Shows the page of the form again, with what is wrong. */
static struct err *
again(struct page *p, enum act act, struct reply *reply)
{
	if (!is_asked(act))
		return show(p, reply);
	ask(p, act, reply);
	return NULL;
}

static struct err *
press(struct ctx *c, struct visit *v, struct reply *reply, enum act act)
{
	struct person_link link = { .person = NULL };
	const char *to;
	struct page *p;
	struct err *err = begin(c, v, &p);

	if (err != NULL)
		return err->code == ERR_NOT_FOUND ? console_gone(c, DB_CONSOLE, err) : err;
	if (!console_read(c, v, &p->forms[act])) {
		console_refused(v, reply);
		return again(p, act, reply);
	}
	to = next_of(p, act);
	if (act != ACT_AGAIN && act != ACT_RESET)
		console_will_go(v, arena_printf(c->arena, "%s?notice=%s", to, notice_of(act)));
	/* Acts on a person wait until the invitation was opened. */
	if (act >= ACT_CHANGE && p->member.m->begun_at == 0)
		return refuse(
		    c, ERR_FORBIDDEN, tr_mark("This person has not opened the invitation yet."));
	err = run(p, act, &link);
	if (err == NULL) {
		answer(p, act, reply, &link, to);
		return NULL;
	}
	err = console_wrong(c, v, reply, &p->forms[act], err);
	return err != NULL ? err : again(p, act, reply);
}

/* Asks before an act that is offered. */
static struct err *
question(struct ctx *c, struct visit *v, struct reply *reply, enum act act)
{
	struct page *p;

	TRY(begin(c, v, &p));
	if (!is_offered(p, act))
		return refuse(c, ERR_FORBIDDEN, "%s",
		    tr("Your role here does not allow this. Ask somebody who manages this place."));
	ask(p, act, reply);
	return NULL;
}

#define HANDLER(name_, act_)                                                                       \
	static struct err *name_(struct ctx *c, struct visit *v, struct reply *reply)              \
	{                                                                                          \
		return press(c, v, reply, act_);                                                   \
	}

#define QUESTION(name_, act_)                                                                      \
	static struct err *name_(struct ctx *c, struct visit *v, struct reply *reply)              \
	{                                                                                          \
		return question(c, v, reply, act_);                                                \
	}

QUESTION(ask_end, ACT_END)
QUESTION(ask_disable, ACT_DISABLE)
QUESTION(ask_remove, ACT_REMOVE)
HANDLER(set_role, ACT_ROLE)
HANDLER(end, ACT_END)
HANDLER(invite_again, ACT_AGAIN)
HANDLER(change, ACT_CHANGE)
HANDLER(reset, ACT_RESET)
HANDLER(sessions, ACT_SESSIONS)
HANDLER(disable, ACT_DISABLE)
HANDLER(enable, ACT_ENABLE)
HANDLER(remove_person, ACT_REMOVE)

#define ROW(method_, pattern_, handler_, asks_)                                                    \
	{                                                                                          \
		.method = (method_), .pattern = (pattern_), .title = tr_mark("Member"),            \
		.need = RIGHT_MANAGE, .step_up = (asks_), .handler = (handler_)                    \
	}

#define ROWS(place)                                                                                \
	ROW("GET", place "/people/ID", person, false),                                             \
	    ROW("POST", place "/people/ID/role", set_role, true),                                  \
	    ROW("GET", place "/people/ID/end", ask_end, false),                                    \
	    ROW("POST", place "/people/ID/end", end, true),                                        \
	    ROW("POST", place "/people/ID/invite", invite_again, true),                            \
	    ROW("POST", place "/people/ID/change", change, true),                                  \
	    ROW("POST", place "/people/ID/reset", reset, true),                                    \
	    ROW("POST", place "/people/ID/sessions", sessions, true),                              \
	    ROW("GET", place "/people/ID/disable", ask_disable, false),                            \
	    ROW("POST", place "/people/ID/disable", disable, true),                                \
	    ROW("POST", place "/people/ID/enable", enable, true),                                  \
	    ROW("GET", place "/people/ID/remove", ask_remove, false),                              \
	    ROW("POST", place "/people/ID/remove", remove_person, true)

SCREEN(member) = {
	ROWS("/W"),
	ROWS("/A"),
	{ .method = NULL },
};
