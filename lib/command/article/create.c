/* galley article create */
#include "action/article/create.h"

#include <stddef.h>

#include "action/action.h"
#include "base/ctx.h"
#include "command/call-words.h"
#include "command/call.h"
#include "command/commands.h"

static struct err *
create(struct ctx *c, struct call *call)
{
	struct find_place place = pick_place(c, call, call_option(call, "workspace"));
	const struct article *a;
	struct workspace *w;
	struct err *err;

	err = read_workspace(c, &place, &w);
	if (err == NULL)
		err = create_draft(c, w, call_option(call, "title"), &a);
	if (err != NULL)
		return err;
	call_changed(call, a->uuid);
	if (call->as_json) {
		jwrite_object(&call->json);
		jwrite_member_text(&call->json, "id", a->uuid);
		jwrite_object_end(&call->json);
	}
	call_say(call, "The draft %s was created: %s.", a->title, a->uuid);
	call_say(call, "galley article edit %s opens it.", a->uuid);
	return NULL;
}

static const struct command_option create_options[] = {
	{ .name = "workspace", .value = "ID", .help = "where" },
	{ .name = "title",
	    .value = "T",
	    .needed = true,
	    .help = "of the article; the slug is made of it" },
	{ .name = NULL },
};

const struct command command_article_create[] = {
	{ .noun = "article",
	    .verb = "create",
	    .operands = "",
	    .options = create_options,
	    .flags = COMMAND_DB | COMMAND_CHANGES,
	    .run = create,
	    .summary = "make an empty draft" },
	{ .verb = NULL },
};
