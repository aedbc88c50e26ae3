#include "article/article-state.h"

#include "article/revision.h"

static void
time_or_null(struct jwrite *j, const char *name, int64_t at)
{
	if (at == 0)
		jwrite_member_null(j, name);
	else
		jwrite_member_time(j, name, at);
}

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
	time_or_null(j, "first_published_at", a->first_published_at);
	time_or_null(j, "modified_at", a->modified_at);
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
