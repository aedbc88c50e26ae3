#include "command/key/key-print.h"

#include <stddef.h>

#include "access/account.h"
#include "access/limit.h"
#include "access/scope.h"
#include "action/key-actions.h"
#include "base/ctx.h"
#include "command/call-words.h"
#include "system/conf.h"
#include "terminal/terminal.h"

static void
time_or_null(struct jwrite *w, const char *name, int64_t at)
{
	if (at == 0)
		jwrite_member_null(w, name);
	else
		jwrite_member_time(w, name, at);
}

void
key_print_json(struct ctx *c, struct jwrite *w, const struct apikey *key)
{
	jwrite_object(w);
	jwrite_member_text(w, "id", key->uuid);
	jwrite_member_text(w, "workspace_id", workspace_of(c, key->workspace_id)->uuid);
	jwrite_member_array(w, "scopes");
	for (unsigned bit = SCOPE_READ; bit <= SCOPE_GENERATE; bit <<= 1) {
		if ((key->scopes & bit) != 0)
			jwrite_text(w, scope_name((enum scope)bit));
	}
	jwrite_array_end(w);
	jwrite_member_text(w, "label", key->label);
	jwrite_member_text(w, "display", key->display);
	jwrite_member_time(w, "created_at", key->created_at);
	time_or_null(w, "expires_at", key->expires_at);
	time_or_null(w, "revoked_at", key->revoked_at);
	time_or_null(w, "last_used_at", limit_last_used(c, key->id));
	jwrite_object_end(w);
}

static const char *
or_word(const char *text, const char *word)
{
	return text != NULL && text[0] != '\0' ? text : word;
}

void
key_print_lines(struct ctx *c, struct call *call, const struct apikey *key)
{
	const struct workspace *w = workspace_of(c, key->workspace_id);
	const struct account *a = account_of(c, w->account_id);

	call_say(call, "id         %s", key->uuid);
	call_say(call, "key        %s", key->display);
	call_say(call, "label      %s", or_word(key->label, "-"));
	call_say(call, "workspace  %s (%s)", w->settings.name, w->uuid);
	call_say(call, "account    %s (%s)", a->name, a->uuid);
	call_say(call, "scopes     %s", scope_to_text(c->arena, key->scopes));
	call_say(call, "state      %s", key_state(c, key));
	call_say(call, "created    %s", when_text(c->arena, key->created_at));
	call_say(call, "last use   %s",
	    or_word(when_text(c->arena, limit_last_used(c, key->id)),
		c->conf->requests_per_minute == 0 ? "not known" : "never"));
	call_say(call, "expires    %s", or_word(when_text(c->arena, key->expires_at), "never"));
	if (key->revoked_at != 0)
		call_say(call, "revoked    %s", when_text(c->arena, key->revoked_at));
}

void
key_print_note_unused(struct ctx *c)
{
	if (c->conf->requests_per_minute == 0)
		note_say(
		    "galley: requests_per_minute is 0: nothing counts requests, so that later uses of a key are not known.");
}

void
key_print_warn(unsigned scopes)
{
	if ((scopes & SCOPE_DRAFTS) != 0 && (scopes & SCOPE_READ) == 0)
		note_say(
		    "galley: drafts:read never replaces articles:read: this key reads nothing without it.");
	if ((scopes & SCOPE_GENERATE) != 0 && scopes != SCOPE_GENERATE)
		note_say(
		    "galley: this key reads and orders jobs that cost credits; two keys are safer.");
}
