/* galley article revert */
#include "action/past/revert.h"

#include <inttypes.h>
#include <stddef.h>
#include <string.h>

#include "action/action.h"
#include "base/ctx.h"
#include "command/article/article-tell.h"
#include "command/call-words.h"
#include "command/call.h"
#include "command/commands.h"
#include "terminal/terminal.h"

/* Asks on a terminal: changes that were never published are not in any edition. */
static struct err *
ask_about_changes(struct ctx *c, const struct call *call, const struct article *a)
{
	if (!article_has_changes(a) || call_has(call, "yes") || !ask_can())
		return NULL;
	note_say(
	    "The working copy of %s has changes that were never published, and would lose them.",
	    a->title);
	if (ask("Go on?", false))
		return NULL;
	return refuse(c, ERR_CONFLICT, "Nothing was changed.");
}

static void
tell(struct call *call, const struct revert *r, const struct edition *e)
{
	const struct article *a = r->saved.article;

	call_changed(call, a->uuid);
	if (e->unfinished > 0)
		note_say("Edition %" PRId64 " was published unfinished: its"
			 " notes of what is left to write are in no edition.",
		    e->version);
	call_say(
	    call, "The working copy of %s is edition %" PRId64 " again.", a->title, e->version);
	if (strcmp(a->slug, e->slug) != 0)
		call_say(call, "Its slug stays %s; it was %s. --move takes that back too.", a->slug,
		    e->slug);
	article_tell(call, &r->saved);
}

static struct err *
revert(struct ctx *c, struct call *call)
{
	struct revert r = { .move = call_has(call, "move") };
	struct edition e;
	struct article *a;
	int64_t version;
	struct err *err;

	err = pick_one_article(c, call, 0, &a);
	if (err == NULL)
		err = pick_version(c, call, &version);
	if (err == NULL)
		err = read_edition(c, a, version, &e);
	if (err == NULL)
		err = ask_about_changes(c, call, a);
	if (err != NULL)
		return err;
	r.id = a->uuid;
	r.version = e.version;
	err = revert_article(c, &r);
	if (err == NULL)
		tell(call, &r, &e);
	return err;
}

static const struct command_option revert_options[] = {
	{ .name = "edition",
	    .value = "N",
	    .needed = true,
	    .help = "which one; galley article history lists them" },
	{ .name = "move", .help = "take its slug too, if that is another" },
	{ .name = "yes", .help = "ask nothing" },
	{ .name = NULL },
};

const struct command command_article_revert[] = {
	{ .noun = "article",
	    .operands = "ID",
	    .operands_min = 1,
	    .operands_max = 1,
	    .verb = "revert",
	    .options = revert_options,
	    .flags = COMMAND_DB | COMMAND_CHANGES | COMMAND_ID,
	    .run = revert,
	    .summary = "make an edition the working copy again",
	    .text =
		"What is published stays until galley article publish. Changes that were never published\n"
		"are lost; on a terminal that is asked first.\n\n"
		"--json: the article, as galley article show prints it, and moved, as galley article set." },
	{ .verb = NULL },
};
