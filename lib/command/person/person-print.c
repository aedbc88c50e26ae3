#include "command/person/person-print.h"

#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/ctx.h"
#include "command/call-words.h"
#include "console/place.h"

static void
time_or_null(struct jwrite *w, const char *name, int64_t at)
{
	if (at == 0)
		jwrite_member_null(w, name);
	else
		jwrite_member_time(w, name, at);
}

static const char *
state_of(const struct membership *m)
{
	if (m->begun_at != 0)
		return "active";
	return m->ended_at != 0 ? "ended" : "invited";
}

static void
membership_to_json(struct jwrite *w, const struct membership *m)
{
	jwrite_object(w);
	if (m->kind == MEMBERSHIP_INSTANCE)
		jwrite_member_bool(w, "instance", true);
	else
		jwrite_member_text(
		    w, m->kind == MEMBERSHIP_ACCOUNT ? "account" : "workspace", m->place);
	jwrite_member_text(w, "role", membership_role(m));
	jwrite_member_bool(w, "write", (m->rights & RIGHT_WRITE) != 0);
	jwrite_member_bool(w, "publish", (m->rights & RIGHT_PUBLISH) != 0);
	jwrite_member_bool(w, "manage", (m->rights & RIGHT_MANAGE) != 0);
	jwrite_member_text(w, "state", state_of(m));
	jwrite_object_end(w);
}

void
person_print_json(struct jwrite *w, const struct person_view *view)
{
	const struct person *p = view->person;

	jwrite_object(w);
	jwrite_member_text(w, "id", p->uuid);
	jwrite_member_text(w, "email", p->email);
	jwrite_member_text(w, "name", p->name);
	jwrite_member_text(w, "language", p->language);
	jwrite_member_text(w, "state", person_state(p));
	jwrite_member_bool(w, "second_factor", p->has_factor);
	time_or_null(w, "last_seen_at", view->seen_at);
	jwrite_member_time(w, "created_at", p->created_at);
	jwrite_member_array(w, "memberships");
	for (size_t i = 0; i < view->count; i++)
		membership_to_json(w, view->memberships[i].m);
	jwrite_array_end(w);
	jwrite_object_end(w);
}

const char *
person_print_role(struct ctx *c, const struct membership *m)
{
	const char *role = membership_role(m);

	if (role[0] != '\0')
		return role;
	if ((m->rights & (RIGHT_WRITE | RIGHT_PUBLISH | RIGHT_MANAGE)) == 0)
		return "read";
	return arena_printf(c->arena, "%s%s%s", (m->rights & RIGHT_WRITE) != 0 ? "write " : "",
	    (m->rights & RIGHT_PUBLISH) != 0 ? "publish " : "",
	    (m->rights & RIGHT_MANAGE) != 0 ? "manage" : "");
}

static void
membership_line(struct ctx *c, struct call *call, const struct person_membership *pm)
{
	static const char *const kinds[] = { [MEMBERSHIP_INSTANCE] = "the instance",
		[MEMBERSHIP_ACCOUNT] = "account",
		[MEMBERSHIP_WORKSPACE] = "workspace" };
	const struct membership *m = pm->m;
	const char *invited = m->begun_at != 0 ? "" : arena_printf(c->arena, ", %s", state_of(m));

	if (m->kind == MEMBERSHIP_INSTANCE)
		call_say(call, "member     %s of the instance%s", person_print_role(c, m), invited);
	else
		call_say(call, "member     %s of %s %s (%s)%s", person_print_role(c, m),
		    kinds[m->kind], pm->name != NULL ? pm->name : "that is deleted", m->place,
		    invited);
}

static const char *
or_never(const char *text)
{
	return text != NULL ? text : "never";
}

void
person_print_lines(struct ctx *c, struct call *call, const struct person_view *view)
{
	const struct person *p = view->person;

	call_say(call, "id         %s", p->uuid);
	call_say(call, "e-mail     %s", p->email);
	call_say(call, "name       %s", p->name);
	call_say(call, "language   %s", p->language);
	call_say(call, "state      %s%s", person_state(p),
	    p->has_factor ? ", with a second factor" : "");
	call_say(call, "seen       %s", or_never(when_text(c->arena, view->seen_at)));
	call_say(call, "created    %s", when_text(c->arena, p->created_at));
	for (size_t i = 0; i < view->count; i++)
		membership_line(c, call, &view->memberships[i]);
}

struct err *
person_print_needs_address(struct ctx *c)
{
	struct place place;

	place_read(c, &place);
	if (place.origin[0] != '\0')
		return NULL;
	return refuse(c, ERR_CONFLICT,
	    "A link needs the address of this instance: galley config set public_url=https://… sets it.");
}

void
person_print_link(struct ctx *c, struct call *call, const char *what, struct person_link *made)
{
	struct place place;
	const char *link;

	place_read(c, &place);
	link = arena_printf(c->arena, "%s%s%s", place.origin, place.root, made->path);
	call_changed(call, made->person->uuid);
	if (call->as_json) {
		jwrite_object(&call->json);
		jwrite_member_text(&call->json, "id", made->person->uuid);
		jwrite_member_text(&call->json, "link", link);
		jwrite_member_time(&call->json, "expires_at", made->expires_at);
		jwrite_object_end(&call->json);
	}
	call_say(call, "%s", link);
	call_say(call, "%s for %s. It works once, until %s, and is shown this once only.", what,
	    made->email, when_text(c->arena, made->expires_at));
	if (made->mailed)
		call_say(call, "The task runner mails it, too.");
	explicit_bzero(made->text, sizeof(made->text));
}

static void
add_ended(void *arg, const struct person_made *made)
{
	buf_printf(arg, "%s for %s, which this person made, has ended.\n",
	    made->m != NULL ? "The invitation" : "The link for a new password",
	    made->m != NULL && made->m->begun_at == 0 ? made->m->invited_email
						      : made->person->email);
}

const char *
person_print_ended(struct ctx *c, const char *who, int64_t since)
{
	struct buf lines;
	struct err *none;

	buf_init(&lines, c->arena, (size_t)1024 * 1024);
	none = person_links(c, who, NULL, since, add_ended, &lines);
	return none == NULL ? buf_done(&lines) : "";
}
