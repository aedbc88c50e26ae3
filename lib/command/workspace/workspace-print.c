#include "command/workspace/workspace-print.h"

#include <stddef.h>
#include <string.h>

#include "access/account.h"
#include "access/pages-look.h"
#include "access/time-zone.h"
#include "access/word.h"
#include "action/workspace-actions.h"
#include "article/content-state.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "system/conf/pages-address.h"
#include "tell/notify.h"

static void
line(struct call *call, const char *name, const char *value)
{
	bool empty = value == NULL || value[0] == '\0';

	call_say(call, "%-20s %s", name, empty ? "-" : value);
}

static void
say_blanks(struct call *call, const struct workspace *w)
{
	const struct workspace_blank *empty;
	bool first = true;
	size_t i = 0;

	while ((empty = workspace_state_blank(w, &i)) != NULL) {
		if (first)
			call_say(call, "\nBlank, and what that costs:");
		first = false;
		call_say(call, "  %-18s %s", empty->field, empty->cost);
	}
}

static void
say_pages(struct ctx *c, struct call *call, const struct workspace *w)
{
	const char *word = word_of(c, w->id);
	const char *address = pages_address_of(c, word);
	struct pages_look look;

	pages_look_of(c, w->id, &look);
	line(call, SETTINGS_PAGES, word);
	for (size_t i = 0; pages_look_fields[i] != NULL; i++)
		line(call, pages_look_fields[i], pages_look_value(c, &look, pages_look_fields[i]));
	if (address != NULL)
		line(call, "pages are at", address);
}

void
workspace_print_lines(struct ctx *c, struct call *call, const struct workspace *w)
{
	const struct settings *s = &w->settings;
	const struct account *a = account_of(c, w->account_id);
	char created[CLOCK_TEXT];

	clock_format(created, w->created_at);
	line(call, "id", w->uuid);
	line(call, "account", arena_printf(c->arena, "%s (%s)", a->name, a->uuid));
	line(call, "name", s->name);
	line(call, "language", s->language);
	line(call, "time_zone", time_zone_of(c, w->id));
	line(call, SETTINGS_NOTIFY_URL, notify_url_of(c, w->id));
	line(call, "website", s->website);
	line(call, "address_pattern", s->address_pattern);
	line(call, "publisher_name", s->publisher_name);
	line(call, "publisher_logo_url", s->publisher_logo_url);
	line(call, "author_name", s->author_name);
	line(call, "author_url", s->author_url);
	line(call, "public_url", s->public_url);
	line(call, "analytics_enabled", w->analytics_enabled ? "true" : "false");
	line(call, "analytics_site_id", w->analytics_site_id);
	line(call, "analytics_origins", w->analytics_origins);
	line(call, "embed_origins", w->embed_origins);
	say_pages(c, call, w);
	line(call, "created_at", created);
	line(call, "an article is at", workspace_state_sample(c, w));
	say_blanks(call, w);
}
