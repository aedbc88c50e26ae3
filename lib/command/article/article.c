/* galley article set */
#include <stddef.h>
#include <string.h>

#include "article/article.h"
#include "article/moved.h"
#include "base/ctx.h"
#include "command/article/article-tell.h"
#include "command/article/article-set.h"
#include "command/call.h"
#include "command/command-list.h"
#include "command/pick.h"
#include "store/db.h"

static struct err *
set_fields(struct ctx *c, const struct call *call, struct article_set *set)
{
	const char *field, *value;
	struct err *err = NULL;

	for (size_t i = 1; i < call->operand_count && err == NULL; i++) {
		err = call_field(c, call->operands[i], &field, &value);
		if (err == NULL)
			err = article_set_field(c, set, field, value);
	}
	return err;
}

/* Writes what was set, if the article is still the one that was read. */
static struct err *
write_fields(struct ctx *c, struct call *call,
    const struct workspace *read_w, const struct article *read_a,
    struct article_set *set)
{
	struct workspace *w;
	struct article *a;
	struct err *err;

	err = workspace_begin(c, read_w, &w);
	if (err == NULL)
		err = find_article_id(c, read_a->uuid, &a);
	if (err != NULL)
		return err;
	if (memcmp(a->digest, read_a->digest, ARTICLE_DIGEST) != 0)
		return refuse(c, ERR_CONFLICT,
		    "%s was changed by another at the same time; nothing was"
		    " set. Say it again.", a->title);
	err = moved_check(c, a, set->snapshot->slug, call_has(call, "move"));
	if (err != NULL)
		return err;
	if (set->has_image)
		media_insert(c, &set->image);
	err = article_save(c, w, a, set->snapshot, false, NULL);
	if (err != NULL)
		return err;
	article_set_published_url(c, w, a, set->published_url);
	if (set->created_at != a->created_at)
		article_set_created_at(c, w, a, set->created_at);
	call_changed(call, a->uuid);
	call_say(call, "%s is saved.", a->title);
	article_tell(c, call, w, a);
	db_commit(c);
	return NULL;
}

static struct err *
set(struct ctx *c, struct call *call)
{
	struct article_set set = { .has_image = false };
	struct workspace *w;
	struct article *a;
	struct err *err;

	db_begin_read(c);
	err = pick_article(c, call, 0, &a);
	if (err != NULL)
		return err;
	w = workspace_of(c, a->workspace_id);
	set.snapshot = article_working_copy(c, a);
	set.published_url = a->published_url;
	set.created_at = a->created_at;
	db_commit(c);
	err = set_fields(c, call, &set);
	if (err == NULL)
		err = write_fields(c, call, w, a, &set);
	return err;
}

static const struct command_option set_options[] = {
	{ .name = "move", .help = "also the slug of a published article" },
	{ .name = NULL },
};

const struct command command_article[] = {
	{ .noun = "article", .verb = "set", .operands = "ID FIELD=VALUE…",
	    .operands_min = 2, .operands_max = -1, .options = set_options,
	    .flags = COMMAND_DB | COMMAND_CHANGES | COMMAND_ID, .run = set,
	    .summary = "change fields of the working copy",
	    .text = "An empty VALUE clears a field. Fields:\n\n"
		    "  title, slug, language, section\n"
		    "  author_name, author_url  instead of the workspace's\n"
		    "  noindex                  true or false\n"
		    "  meta_title, meta_description\n"
		    "  tags                     separated by commas\n"
		    "  image                    a file (stored as media) or an"
		    " https address\n"
		    "  image_alt, image_caption\n"
		    "  published_url            instead of the address made of"
		    " the settings; acts at once\n"
		    "  created_at               the place in lists; acts at"
		    " once\n\n"
		    "Another slug is another address: of a published article"
		    " it is changed with --move only,\nwhich says from where"
		    " to where. galley article addresses remembers the old"
		    " one.\n\n"
		    "--json: the article, as galley article show prints it,"
		    " and moved: {from, to} or null." },
	{ .verb = NULL },
};
