/* galley article addresses */
#include <stddef.h>
#include <string.h>

#include "action/article/addresses.h"
#include "action/article/redirects.h"
#include "article/article.h"
#include "base/ctx.h"
#include "command/call-words.h"
#include "command/call.h"
#include "command/commands.h"

struct listed {
	struct call *call;
	bool json;
	struct redirects redirects; /* unless json */
};

static void
write_json(struct listed *l, const struct article *a, const char *old, const char *new)
{
	struct jwrite *j = &l->call->json;

	jwrite_object(j);
	jwrite_member_text(j, "id", a->uuid);
	jwrite_member_text(j, "status", article_status_name(a->status));
	jwrite_member_text(j, "old", old);
	jwrite_member_text(j, "new", new);
	jwrite_object_end(j);
}

static void
each(void *arg, const struct article *a, const char *old, const char *new)
{
	struct listed *l = arg;

	if (l->json)
		write_json(l, a, old, new);
	else
		redirects_add(&l->redirects, a, old, new);
}

static struct err *
form_of(struct ctx *c, const struct call *call, struct listed *l, enum redirects_form *out)
{
	static const char *const names[] = { "csv", "apache", "nginx" };
	const char *given = call_option(call, "as");

	*out = REDIRECTS_CSV;
	l->json = given == NULL ? call->as_json : strcmp(given, "json") == 0;
	for (size_t i = 0; given != NULL && !l->json && i <= 3; i++) {
		if (i == 3)
			return err_param(
			    c, "as", "--as must be csv, apache, nginx or json, not %s.", given);
		*out = (enum redirects_form)i;
		if (strcmp(given, names[i]) == 0)
			break;
	}
	if (call->as_json && !l->json)
		return err_param(c, "as", "With --json there is only --as json.");
	return NULL;
}

static struct err *
addresses(struct ctx *c, struct call *call)
{
	struct listed l = { .call = call };
	struct addresses asked = { .each = each, .arg = &l };
	enum redirects_form form;
	struct err *err = form_of(c, call, &l, &form);

	if (err != NULL)
		return err;
	asked.place = pick_place(c, call, call_option(call, "workspace"));
	asked.moved_only = !l.json && redirects_moved_only(form);
	if (l.json)
		jwrite_array(&call->json);
	else
		redirects_begin(&l.redirects, c, form, &call->out);
	err = addresses_list(c, &asked);
	if (err != NULL)
		return err;
	if (!l.json)
		redirects_end(&l.redirects);
	else
		jwrite_array_end(&call->json);
	if (l.json && !call->as_json)
		buf_add_char(&call->out, '\n');
	return NULL;
}

static const struct command_option addresses_options[] = {
	{ .name = "workspace", .value = "ID", .help = "whose articles" },
	{ .name = "as", .value = "FORM", .help = "csv (as it is without), apache, nginx or json" },
	{ .name = NULL },
};

const struct command command_article_addresses[] = {
	{ .noun = "article",
	    .verb = "addresses",
	    .operands = "",
	    .options = addresses_options,
	    .flags = COMMAND_DB,
	    .run = addresses,
	    .summary = "where articles were, and where they are now",
	    .text =
		"For articles that came from WordPress or Ghost (galley article import --from), and for\n"
		"published ones whose slug was changed. csv and json list all of them; apache and nginx\n"
		"write redirects for those that are published under another address than they had.\n\n"
		"--json: [{id, status, old, new}]." },
	{ .verb = NULL },
};
