#include "command/article/article-tell.h"

#include <stddef.h>

#include "article/article-state.h"
#include "article/moved.h"

static void
write_moved(struct jwrite *j, bool moves, const char *from, const char *to)
{
	if (!moves) {
		jwrite_member_null(j, "moved");
		return;
	}
	jwrite_member_object(j, "moved");
	jwrite_member_text(j, "from", from);
	jwrite_member_text(j, "to", to);
	jwrite_object_end(j);
}

void
article_tell(struct ctx *c, struct call *call, const struct workspace *w,
    const struct article *a)
{
	const char *from, *to;
	bool moves = moved_find(c, w, a, &from, &to);

	if (call->as_json) {
		jwrite_object(&call->json);
		article_state_members(c, &call->json, a);
		write_moved(&call->json, moves, from, to);
		jwrite_object_end(&call->json);
		return;
	}
	if (a->status == ARTICLE_PUBLISHED && article_has_changes(a))
		call_say(call, "galley article publish %s shows the changes.",
		    a->uuid);
	if (moves)
		call_say(call, "Then it moves from %s\n             to %s;"
		    " galley article addresses tells others.", from, to);
}
