/* galley article set */
#include "action/article/set.h"

#include <stddef.h>

#include "base/ctx.h"
#include "command/article/article-tell.h"
#include "command/call-words.h"
#include "command/call.h"
#include "command/commands.h"
#include "terminal/terminal.h"

static struct err *
read_fields(struct ctx *c, const struct call *call, struct set *set)
{
	const char *field, *value;
	struct err *err = NULL;

	for (size_t i = 1; i < call->operand_count && err == NULL; i++) {
		err = call_field(c, call->operands[i], &field, &value);
		if (err == NULL)
			err = set_field(c, set, field, value);
		if (err == NULL && set->doubt != NULL)
			note_say("%s", set->doubt);
	}
	return err;
}

static struct err *
set(struct ctx *c, struct call *call)
{
	struct find_place place = pick_place(c, call, NULL);
	struct set set = { .move = call_has(call, "move") };
	struct err *err;

	err = set_read(c, &place, call->operands[0], &set);
	if (err != NULL)
		return err;
	call->operands[0] = set.read->uuid;
	err = read_fields(c, call, &set);
	if (err == NULL)
		err = set_write(c, &set);
	if (err != NULL)
		return err;
	call_changed(call, set.saved.article->uuid);
	call_say(call, "%s is saved.", set.saved.article->title);
	article_tell(call, &set.saved);
	return NULL;
}

static const struct command_option set_options[] = {
	{ .name = "move", .help = "also the slug of a published article" },
	{ .name = NULL },
};

const struct command command_article_set[] = {
	{ .noun = "article",
	    .verb = "set",
	    .operands = "ID FIELD=VALUE…",
	    .operands_min = 2,
	    .operands_max = -1,
	    .options = set_options,
	    .flags = COMMAND_DB | COMMAND_CHANGES | COMMAND_ID,
	    .run = set,
	    .summary = "change fields of the working copy",
	    .text =
		"An empty VALUE clears a field. Fields:\n\n"
		"  title, slug, language, section\n"
		"  author_name, author_url  instead of the workspace's\n"
		"  noindex                  true or false\n"
		"  meta_title, meta_description\n"
		"  tags                     separated by commas\n"
		"  image                    a file (stored as media) or an https address\n"
		"  image_alt, image_caption\n"
		"  published_url            instead of the address made of the settings; acts at once\n"
		"  created_at               the place in lists; acts at once\n\n"
		"Another slug is another address: of a published article it is changed with --move only,\n"
		"which says from where to where. galley article addresses remembers the old one.\n\n"
		"--json: the article, as galley article show prints it, and moved: {from, to} or null." },
	{ .verb = NULL },
};
