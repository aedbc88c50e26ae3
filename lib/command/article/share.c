/* galley article share | unshare: links by which a stranger reads a working copy. */
#include <inttypes.h>
#include <stddef.h>
#include <string.h>

#include "action/article/sharing.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "base/uuid.h"
#include "command/call-words.h"
#include "command/call.h"
#include "command/commands.h"

static void
list_one(void *arg, const struct share *s)
{
	struct call_list *l = arg;
	struct jwrite *j = &l->call->json;

	if (l->call->as_json) {
		jwrite_object(j);
		jwrite_member_text(j, "id", s->uuid);
		jwrite_member_text(j, "article", s->article);
		jwrite_member_text(j, "title", s->title);
		jwrite_member_text(j, "person", s->person);
		jwrite_member_time(j, "created_at", s->created_at);
		jwrite_member_time(j, "expires_at", s->expires_at);
		jwrite_object_end(j);
		return;
	}
	grid_row(&l->grid, (const char *[]) { s->uuid, when_text(l->c->arena, s->created_at),
			       when_text(l->c->arena, s->expires_at), s->title });
}

static struct err *
list(struct ctx *c, struct call *call)
{
	struct find_place place = pick_place(c, call, call_option(call, "workspace"));
	struct call_list l;
	struct err *err;

	call_list_begin(
	    &l, c, call, (const char *[]) { "ID", "CREATED", "EXPIRES", "ARTICLE", NULL });
	err = sharing_list(c, &place, list_one, &l);
	if (err == NULL)
		call_list_end(&l, "Nothing of this workspace is shared.");
	return err;
}

static void
tell(struct ctx *c, struct call *call, struct sharing_made *made)
{
	const struct share *s = &made->share;

	call_changed(call, s->uuid);
	if (call->as_json) {
		jwrite_object(&call->json);
		jwrite_member_text(&call->json, "id", s->uuid);
		jwrite_member_text(&call->json, "article", s->article);
		jwrite_member_text(&call->json, "link", made->link);
		jwrite_member_time(&call->json, "expires_at", s->expires_at);
		jwrite_object_end(&call->json);
	}
	call_say(call, "%s", made->link);
	call_say(call,
	    "Who has this link reads the working copy of %s until %s. It is shown this once only; galley article unshare %s ends it.",
	    s->title, when_text(c->arena, s->expires_at), s->uuid);
	explicit_bzero(made->text, sizeof(made->text));
}

static struct err *
share(struct ctx *c, struct call *call)
{
	struct sharing_order order = { .days = SHARE_DAYS };
	const char *days = call_option(call, "days");
	struct sharing_made made;
	struct article *a;
	struct err *err = NULL;

	if (call_has(call, "list")) {
		if (call->operand_count > 0 || days != NULL)
			return call_usage(c, "--list takes no article and no --days.");
		return list(c, call);
	}
	if (call->operand_count == 0)
		return call_usage(c, "Which article? --list shows the links that are open.");
	if (days != NULL)
		err = number_read(c, days, "number of days", &order.days);
	if (err == NULL)
		err = pick_one_article(c, call, 0, &a);
	if (err != NULL)
		return err;
	order.article = a->uuid;
	err = sharing_make(c, &order, &made);
	if (err == NULL)
		tell(c, call, &made);
	return err;
}

/* Ends all links of an article. */
static struct err *
unshare_article(struct ctx *c, struct call *call)
{
	struct article *a;
	int64_t count;
	struct err *err = pick_one_article(c, call, 0, &a);

	if (err == NULL)
		err = sharing_end_article(c, a->uuid, &count);
	if (err != NULL)
		return err;
	call_changed(call, a->uuid);
	if (call->as_json) {
		jwrite_object(&call->json);
		jwrite_member_text(&call->json, "article", a->uuid);
		jwrite_member_int(&call->json, "ended", count);
		jwrite_object_end(&call->json);
	}
	call_say(call, "%" PRId64 " link%s of %s ended.", count, count == 1 ? "" : "s", a->title);
	return NULL;
}

static struct err *
unshare(struct ctx *c, struct call *call)
{
	char id[UUID_TEXT];
	struct share s;
	struct err *err;

	if (!uuid_parse(call->operands[0], id))
		return unshare_article(c, call);
	err = sharing_end(c, NULL, id, &s);
	if (err != NULL && err->code == ERR_NOT_FOUND)
		return unshare_article(c, call);
	if (err != NULL)
		return err;
	call_changed(call, s.uuid);
	if (call->as_json) {
		jwrite_object(&call->json);
		jwrite_member_text(&call->json, "article", s.article);
		jwrite_member_int(&call->json, "ended", s.revoked_at == 0);
		jwrite_object_end(&call->json);
	}
	call_say(call, "The link of %s ended.", s.title);
	return NULL;
}

static const struct command_option share_options[] = {
	{ .name = "days", .value = "N", .help = "how long it is open: 1 to 30, else 7" },
	{ .name = "list", .help = "show the links that are open" },
	{ .name = "workspace", .value = "ID", .help = "with --list: of which workspace" },
	{ .name = NULL },
};

const struct command command_article_share[] = {
	{ .noun = "article",
	    .verb = "share",
	    .operands = "[ID]",
	    .operands_min = 0,
	    .operands_max = 1,
	    .options = share_options,
	    .flags = COMMAND_DB | COMMAND_CHANGES,
	    .run = share,
	    .summary = "make a link by which anybody reads the working copy",
	    .text =
		"The link shows the working copy as it is when it is opened, and nothing else of the workspace.\n"
		"It is printed once. It ends after its days, with article unshare, with the trash, with the workspace,\n"
		"and when a backup is restored; a workspace has 30 open links at most.\n\n"
		"--json: {id, article, link, expires_at}; with --list [{id, article, title, person, created_at, expires_at}]." },
	{ .noun = "article",
	    .verb = "unshare",
	    .operands = "SHARE|ARTICLE",
	    .operands_min = 1,
	    .operands_max = 1,
	    .flags = COMMAND_DB | COMMAND_CHANGES,
	    .run = unshare,
	    .summary = "end a link of article share, or all of an article",
	    .text = "SHARE is the id that article share --list shows.\n\n"
		    "--json: {article, ended}." },
	{ .verb = NULL },
};
