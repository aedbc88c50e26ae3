#include "command/workspace/workspace-text.h"

#include <stddef.h>
#include <string.h>

#include "access/account.h"
#include "article/article.h"
#include "article/token.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "export/export.h"

/* Where a setting is, and what it costs to leave it blank. */
static const struct {
	const char *field;
	size_t offset; /* of the member of struct settings */
	const char *cost;
} blanks[] = {
	{ "website", offsetof(struct settings, website),
	    "no canonical address, no og:url; in the JSON-LD no WebSite and no"
	    " breadcrumb" },
	{ "address_pattern", offsetof(struct settings, address_pattern),
	    "no canonical address, unless an article has a published_url" },
	{ "publisher_name", offsetof(struct settings, publisher_name),
	    "the workspace's name stands as the publisher; a publishing check"
	    " fails" },
	{ "publisher_logo_url", offsetof(struct settings, publisher_logo_url),
	    "no logo of the publisher in the JSON-LD; a publishing check"
	    " fails" },
	{ "author_name", offsetof(struct settings, author_name),
	    "articles that name no author are by the publisher" },
	{ "author_url", offsetof(struct settings, author_url),
	    "bylines have no link, the JSON-LD's author no url; a publishing"
	    " check fails" },
	{ "public_url", offsetof(struct settings, public_url),
	    "pictures stored here have no address and are left out; set it in"
	    " galley.conf" },
};

#define BLANKS (sizeof(blanks) / sizeof(blanks[0]))

static bool
is_blank(const struct workspace *w, size_t i)
{
	const char *value = *(const char *const *)
	    ((const char *)&w->settings + blanks[i].offset);

	return value == NULL || value[0] == '\0';
}

struct newest {
	struct ctx *c;
	const char *slug;
};

static void
keep_slug(void *arg, const struct article *a)
{
	struct newest *n = arg;

	n->slug = arena_text(n->c->arena, a->slug);
}

const char *
workspace_text_sample(struct ctx *c, const struct workspace *w)
{
	struct newest newest = { c, "an-article" };
	struct snapshot snapshot = { .slug = NULL };
	struct export_source source = { .snapshot = &snapshot,
		.settings = &w->settings };

	article_list(c, w->id, ARTICLE_PUBLISHED, 1, keep_slug, &newest);
	snapshot.slug = newest.slug;
	return export_canonical(c, &source);
}

/* Words separated by blanks, as an array. */
static void
words_to_json(struct jwrite *j, struct ctx *c, const char *name,
    const char *words)
{
	jwrite_member_array(j, name);
	while (*words != '\0') {
		size_t len = strcspn(words, " ");
		jwrite_text(j, arena_text_n(c->arena, words, len));
		words += len;
		words += strspn(words, " ");
	}
	jwrite_array_end(j);
}

static void
blanks_to_json(struct jwrite *j, const struct workspace *w)
{
	jwrite_member_object(j, "blank");
	for (size_t i = 0; i < BLANKS; i++) {
		if (is_blank(w, i))
			jwrite_member_text(j, blanks[i].field, blanks[i].cost);
	}
	jwrite_object_end(j);
}

void
workspace_text_json(struct ctx *c, struct jwrite *j,
    const struct workspace *w)
{
	const struct settings *s = &w->settings;
	char revision[TOKEN_TEXT];

	token_settings(w, revision);
	jwrite_member_text(j, "id", w->uuid);
	jwrite_member_text(j, "account_id", account_of(c, w->account_id)->uuid);
	jwrite_member_text(j, "name", s->name);
	jwrite_member_text(j, "language", s->language);
	jwrite_member_text(j, "website", s->website);
	jwrite_member_text(j, "address_pattern", s->address_pattern);
	jwrite_member_text(j, "publisher_name", s->publisher_name);
	jwrite_member_text(j, "publisher_logo_url", s->publisher_logo_url);
	jwrite_member_text(j, "author_name", s->author_name);
	jwrite_member_text(j, "author_url", s->author_url);
	jwrite_member_text(j, "public_url", s->public_url);
	jwrite_member_bool(j, "analytics_enabled", w->analytics_enabled);
	jwrite_member_text(j, "analytics_site_id", w->analytics_site_id);
	words_to_json(j, c, "analytics_origins", w->analytics_origins);
	words_to_json(j, c, "embed_origins", w->embed_origins);
	jwrite_member_text(j, "settings_revision", revision);
	jwrite_member_text(j, "sample_address", workspace_text_sample(c, w));
	blanks_to_json(j, w);
	jwrite_member_time(j, "clock", w->clock);
	jwrite_member_time(j, "created_at", w->created_at);
}

static void
line(struct call *call, const char *name, const char *value)
{
	bool blank = value == NULL || value[0] == '\0';

	call_say(call, "%-20s %s", name, blank ? "-" : value);
}

static void
say_blanks(struct call *call, const struct workspace *w)
{
	bool first = true;

	for (size_t i = 0; i < BLANKS; i++) {
		if (!is_blank(w, i))
			continue;
		if (first)
			call_say(call, "\nBlank, and what that costs:");
		first = false;
		call_say(call, "  %-18s %s", blanks[i].field, blanks[i].cost);
	}
}

void
workspace_text_say(struct ctx *c, struct call *call,
    const struct workspace *w)
{
	const struct settings *s = &w->settings;
	const struct account *a = account_of(c, w->account_id);
	char created[CLOCK_TEXT];

	clock_format(created, w->created_at);
	line(call, "id", w->uuid);
	line(call, "account",
	    arena_printf(c->arena, "%s (%s)", a->name, a->uuid));
	line(call, "name", s->name);
	line(call, "language", s->language);
	line(call, "website", s->website);
	line(call, "address_pattern", s->address_pattern);
	line(call, "publisher_name", s->publisher_name);
	line(call, "publisher_logo_url", s->publisher_logo_url);
	line(call, "author_name", s->author_name);
	line(call, "author_url", s->author_url);
	line(call, "public_url", s->public_url);
	line(call, "analytics_enabled",
	    w->analytics_enabled ? "true" : "false");
	line(call, "analytics_site_id", w->analytics_site_id);
	line(call, "analytics_origins", w->analytics_origins);
	line(call, "embed_origins", w->embed_origins);
	line(call, "created_at", created);
	line(call, "an article is at", workspace_text_sample(c, w));
	say_blanks(call, w);
}
