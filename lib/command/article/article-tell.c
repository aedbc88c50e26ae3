#include "command/article/article-tell.h"

#include "article/content-state.h"

static void
write_moved(struct jwrite *j, const struct saved *s)
{
	if (!s->moves) {
		jwrite_member_null(j, "moved");
		return;
	}
	jwrite_member_object(j, "moved");
	jwrite_member_text(j, "from", s->from);
	jwrite_member_text(j, "to", s->to);
	jwrite_object_end(j);
}

void
article_tell(struct call *call, const struct saved *s)
{
	const struct article *a = s->article;

	if (call->as_json) {
		jwrite_object(&call->json);
		article_state_members(&call->json, a, s->unfinished);
		write_moved(&call->json, s);
		jwrite_object_end(&call->json);
		return;
	}
	if (a->status == ARTICLE_PUBLISHED && article_has_changes(a))
		call_say(call, "galley article publish %s shows the changes.", a->uuid);
	if (s->moves)
		call_say(call,
		    "Then it moves from %s\n"
		    "             to %s; galley article addresses tells others.",
		    s->from, s->to);
}
