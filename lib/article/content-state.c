#include "article/content-state.h"

#include <string.h>

#include "access/account.h"
#include "access/pages-settings.h"
#include "article/article.h"
#include "article/revision.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "export/export.h"
#include "system/conf.h"

void
article_state_members(struct jwrite *j, const struct article *a, int64_t unfinished)
{
	char base[TOKEN_TEXT];

	token_base(a, base);
	jwrite_member_text(j, "id", a->uuid);
	jwrite_member_text(j, "title", a->title);
	jwrite_member_text(j, "slug", a->slug);
	jwrite_member_text(j, "language", a->language);
	jwrite_member_text(j, "status", article_status_name(a->status));
	jwrite_member_bool(j, "changed", article_has_changes(a));
	jwrite_member_int(j, "unfinished", unfinished);
	jwrite_member_int(j, "version", a->version);
	jwrite_member_text(j, "published_url", a->published_url);
	jwrite_member_time(j, "created_at", a->created_at);
	jwrite_member_time(j, "updated_at", a->updated_at);
	jwrite_member_time_or_null(j, "first_published_at", a->first_published_at);
	jwrite_member_time_or_null(j, "modified_at", a->modified_at);
	jwrite_member_text(j, "source", a->source);
	jwrite_member_text(j, "base", base);
}

void
article_state_write(struct jwrite *j, const struct article *a, int64_t unfinished)
{
	jwrite_object(j);
	article_state_members(j, a, unfinished);
	jwrite_object_end(j);
}

/* The settings that may be empty, and what an empty one costs. */
static const struct {
	struct workspace_blank is;
	size_t offset; /* of the member in struct settings */
} blanks[] = {
	{ { "website",
	      "no canonical address, no og:url; in the JSON-LD no WebSite and no breadcrumb" },
	    offsetof(struct settings, website) },
	{ { "address_pattern", "no canonical address, unless an article has a published_url" },
	    offsetof(struct settings, address_pattern) },
	{ { "publisher_name",
	      "the workspace's name stands as the publisher; a publishing check fails" },
	    offsetof(struct settings, publisher_name) },
	{ { "publisher_logo_url",
	      "no logo of the publisher in the JSON-LD; a publishing check fails" },
	    offsetof(struct settings, publisher_logo_url) },
	{ { "author_name", "articles that name no author are by the publisher" },
	    offsetof(struct settings, author_name) },
	{ { "author_url",
	      "bylines have no link, the JSON-LD's author no url; a publishing check fails" },
	    offsetof(struct settings, author_url) },
	{ { "public_url",
	      "pictures stored here have no address and are left out; set it in galley.conf" },
	    offsetof(struct settings, public_url) },
};

#define BLANKS (sizeof(blanks) / sizeof(blanks[0]))

static bool
is_blank(const struct workspace *w, size_t i)
{
	const char *value = *(const char *const *)((const char *)&w->settings + blanks[i].offset);

	return value == NULL || value[0] == '\0';
}

const struct workspace_blank *
workspace_state_blank(const struct workspace *w, size_t *i)
{
	while (*i < BLANKS) {
		size_t n = (*i)++;
		if (is_blank(w, n))
			return &blanks[n].is;
	}
	return NULL;
}

const char *
workspace_state_sample(struct ctx *c, const struct workspace *w)
{
	struct snapshot snapshot = { .slug = "an-article" };
	struct export_source source = { .snapshot = &snapshot, .settings = &w->settings };
	struct article a;

	for (struct stmt *q = article_list(c, w->id, ARTICLE_PUBLISHED, 1); article_next(q, &a);)
		snapshot.slug = a.slug;
	return export_canonical(c, &source);
}

/* Writes words that are separated by spaces as an array. */
static void
words_to_json(struct jwrite *j, struct ctx *c, const char *name, const char *words)
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
	const struct workspace_blank *blank;
	size_t i = 0;

	jwrite_member_object(j, "blank");
	while ((blank = workspace_state_blank(w, &i)) != NULL)
		jwrite_member_text(j, blank->field, blank->cost);
	jwrite_object_end(j);
}

void
workspace_state_members(struct ctx *c, struct jwrite *j, const struct workspace *w)
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
	jwrite_member_text(j, "sample_address", workspace_state_sample(c, w));
	blanks_to_json(j, w);
	jwrite_member_time(j, "clock", w->clock);
	jwrite_member_time(j, "created_at", w->created_at);
}

static void
text_or_null(struct jwrite *j, const char *name, const char *text)
{
	jwrite_member_text(j, name, text[0] != '\0' ? text : NULL);
}

void
workspace_state_pages(struct ctx *c, struct jwrite *j, const struct workspace *w)
{
	const char *word = word_of(c, w->id);
	struct pages_look look;

	pages_look_of(c, w->id, &look);
	text_or_null(j, "pages", word);
	jwrite_member_text(j, "pages_address", pages_address_of(c, word));
	text_or_null(j, "pages_title", look.title);
	text_or_null(j, "pages_accent", look.accent);
	jwrite_member_text(j, "pages_font", look.font);
	jwrite_member_int(j, "pages_width", look.width);
}
