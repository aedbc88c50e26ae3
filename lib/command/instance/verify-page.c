/* galley verify-page */
#include <inttypes.h>
#include <string.h>

#include "action/action.h"
#include "base/ctx.h"
#include "command/call-words.h"
#include "command/call.h"
#include "command/commands.h"
#include "content/url.h"
#include "site/verify-page.h"

#define SECONDS 20
#define SECONDS_MAX 300

static void
tell_json(struct jwrite *j, const char *article_id, const struct page_visit *visit,
    const struct page_report *report)
{
	jwrite_object(j);
	jwrite_member_text(j, "id", article_id);
	jwrite_member_text(j, "url", visit->asked);
	jwrite_member_bool(j, "ok", report->count == 0);
	jwrite_member_array(j, "redirects");
	for (size_t i = 0; i < visit->hop_count; i++) {
		jwrite_object(j);
		jwrite_member_int(j, "status", visit->hops[i].status);
		jwrite_member_text(j, "to", visit->hops[i].to);
		jwrite_object_end(j);
	}
	jwrite_array_end(j);
	jwrite_member_array(j, "findings");
	for (size_t i = 0; i < report->count; i++) {
		const struct page_finding *f = &report->findings[i];
		jwrite_object(j);
		jwrite_member_text(j, "check", f->check);
		jwrite_member_text(j, "expected", f->expected);
		jwrite_member_text(j, "found", f->found);
		jwrite_member_text(j, "mend", f->fix);
		jwrite_object_end(j);
	}
	jwrite_array_end(j);
	jwrite_object_end(j);
}

static void
tell(void *arg, const char *article_id, const struct page_visit *visit,
    const struct page_report *report)
{
	struct call *call = arg;

	if (call->as_json) {
		tell_json(&call->json, article_id, visit, report);
		return;
	}
	call_say(call, "%-5s %s", report->count == 0 ? "ok" : "WRONG",
	    visit->asked != NULL ? visit->asked : article_id);
	for (size_t i = 0; i < report->count; i++) {
		const struct page_finding *f = &report->findings[i];
		call_say(call, "      - %s: expected %s, found %s: %s.", f->check, f->expected,
		    f->found, f->fix);
	}
}

static struct err *
read_options(struct ctx *c, struct call *call, struct verify_page *v)
{
	const char *seconds = call_option(call, "seconds");
	const char *origin = call_option(call, "origin");
	int64_t limit_s = SECONDS;
	struct err *err = NULL;

	if (seconds != NULL)
		err = number_read(c, seconds, "number of seconds", &limit_s);
	if (err != NULL)
		return err;
	if (limit_s < 1 || limit_s > SECONDS_MAX)
		return call_usage(c, "--seconds must be 1 to %d.", SECONDS_MAX);
	if (origin != NULL) {
		origin = url_clean_web(c->arena, origin);
		if (origin == NULL || strpbrk(strstr(origin, "://") + 3, "/?#") != NULL)
			return call_usage(c,
			    "--origin must be a scheme and a host: https://staging.example.com.");
	}
	*v = (struct verify_page) { .origin = origin,
		.each = tell,
		.arg = call,
		.how = { .pages = true,
		    .limit_s = limit_s,
		    .private_allowed = call_has(call, "allow-private") } };
	return NULL;
}

/* Verifies the page that the first operand names, of the article that the second one
 * names. */
static struct err *
verify_one(struct ctx *c, struct call *call, struct verify_page *v)
{
	const char *url = url_clean_web(c->arena, call->operands[0]);
	struct article *a;
	struct err *err;

	if (url == NULL)
		return call_usage(c, "%s is no address of a page.", call->operands[0]);
	err = pick_one_article(c, call, 1, &a);
	if (err != NULL)
		return err;
	v->work = call_work(call);
	return verify_page_one(c, v, a->uuid, url);
}

static struct err *
verify_workspace(struct ctx *c, struct call *call, struct verify_page *v)
{
	const char *number = call_option(call, "sample");
	struct find_place place = pick_place(c, call, call_option(call, "workspace"));
	struct workspace *w;
	struct err *err = NULL;
	int64_t wanted = INT64_MAX;

	if (number != NULL)
		err = number_read(c, number, "number of articles", &wanted);
	if (err == NULL && wanted == 0)
		err = call_usage(c, "--sample must be at least 1.");
	if (err == NULL)
		err = read_workspace(c, &place, &w);
	if (err != NULL)
		return err;
	v->work = call_work(call);
	err = verify_page_some(c, v, w, wanted);
	if (err != NULL && !call_is_stopped(call, err))
		return err;
	call_say(call,
	    "%zu of %" PRId64 " published articles: %zu as exported,"
	    " %zu not, %zu without an address.",
	    v->looked_at, v->total, v->looked_at - v->wrong, v->wrong - v->homeless, v->homeless);
	return NULL;
}

static struct err *
verify_page(struct ctx *c, struct call *call)
{
	bool whole = call_has(call, "workspace");
	struct verify_page v;
	struct err *err = read_options(c, call, &v);

	if (err != NULL)
		return err;
	if (call->operand_count != (whole ? 0 : 2))
		return call_usage(
		    c, "Name a page and its article, or a workspace with --workspace.");
	if (call->as_json)
		jwrite_array(&call->json);
	err = whole ? verify_workspace(c, call, &v) : verify_one(c, call, &v);
	if (call->as_json)
		jwrite_array_end(&call->json);
	if (call->status == 0)
		call->status = v.wrong > 0;
	return err;
}

static const struct command_option options[] = {
	{ .name = "workspace", .value = "ID", .help = "the pages of all its published articles" },
	{ .name = "sample", .value = "N", .help = "only N of them, old and new ones alike" },
	{ .name = "origin",
	    .value = "ORIGIN",
	    .help =
		"ask there instead of the articles' own site: a staging copy, http://127.0.0.1:8000" },
	{ .name = "allow-private", .help = "also addresses of one's own network" },
	{ .name = "seconds", .value = "N", .help = "for each answer (20)" },
	{ .name = NULL },
};

const struct command command_verify_page[] = {
	{ .verb = "verify-page",
	    .operands = "[URL ARTICLE]",
	    .operands_max = 2,
	    .options = options,
	    .flags = COMMAND_DB,
	    .run = verify_page,
	    .summary = "fetch customers' pages, and say what is not as exported",
	    .text =
		"Looks at title, description, canonical address, robots (header, too), structured data,\n"
		"language, direction, heading, cover and redirects, and at what stands twice. Exit 1 if\n"
		"something differs. A page of an article that is not published any more must be gone." },
	{ .verb = NULL },
};
