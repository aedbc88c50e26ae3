/* galley verify-page */
#include <inttypes.h>
#include <string.h>

#include "article/stored.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "command/call.h"
#include "command/command-list.h"
#include "command/number.h"
#include "site/visit.h"
#include "command/pick.h"
#include "terminal/progress.h"
#include "content/url.h"
#include "store/db.h"

#define PAGE_MEMORY ((size_t)1 << 30) /* for one page */
#define SECONDS 20
#define SECONDS_MAX 300

struct verifying {
	struct ctx *c;
	struct call *call;
	struct remote *remote;
	const char *origin; /* --origin, or NULL */
	size_t wrong;
	size_t homeless; /* articles without an address */
};

/* ---- one article */

struct subject {
	const char *id;
	bool published;
	const char *canonical; /* or NULL */
	struct page expected;  /* empty when it is not published */
};

/* The page that would be made of nothing but the export. */
static void
read_expected(struct ctx *c, const struct export_source *source,
    struct page *out)
{
	struct buf html;

	buf_init(&html, c->arena, 2 * EXPORT_BYTES_MAX);
	buf_lit(&html, "<!DOCTYPE html><html><head>");
	export_head(c, source, &html);
	buf_lit(&html, "</head><body>");
	export_html(c, source, &html);
	buf_lit(&html, "</body></html>");
	page_read(c, buf_done(&html), html.len, out);
}

static struct err *
read_subject(struct ctx *c, const char *id, struct subject *out)
{
	const struct export_source *source;
	struct article *a;
	struct err *err;

	memset(out, 0, sizeof(*out));
	db_begin_read(c, DB_CONTENT);
	err = find_article_id(c, id, &a);
	if (err == NULL && a->version == 0)
		err = refuse(c, ERR_CONFLICT, "Article %s was never published:"
		    " no page can show it.", id);
	if (err != NULL)
		return err;
	out->id = a->uuid;
	out->published = a->status == ARTICLE_PUBLISHED;
	source = stored_source(c, workspace_of(c, a->workspace_id), a, false);
	out->canonical = export_canonical(c, source);
	if (out->published)
		read_expected(c, source, &out->expected);
	db_commit(c);
	return NULL;
}

static void
check_page(struct page_visit *visit, const struct subject *s,
    struct page_report *report)
{
	struct page_header header;

	if (!page_visit_is_page(visit, report))
		return;
	page_visit_header(visit, &header);
	compare_apart(report, &s->expected, visit->answer.body,
	    visit->answer.body_len, &header);
}

/* What is not published any more must be nowhere. */
static void
check_gone(const struct page_visit *visit, struct page_report *report)
{
	if (visit->answer.status != 404 && visit->answer.status != 410)
		compare_tell(report, "answer",
		    "status 404 or 410: the article is not published",
		    arena_printf(visit->c->arena, "status %d from %s",
			visit->answer.status, visit->address),
		    "the site's next full scan removes it; run it now");
}

/* ---- what is told */

static void
tell_json(struct verifying *v, const struct page_visit *visit,
    const struct subject *s, const struct page_report *report)
{
	struct jwrite *j = &v->call->json;

	jwrite_object(j);
	jwrite_member_text(j, "id", s->id);
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
tell(struct verifying *v, const struct page_visit *visit,
    const struct subject *s, const struct page_report *report)
{
	if (v->call->as_json) {
		tell_json(v, visit, s, report);
		return;
	}
	call_say(v->call, "%-5s %s", report->count == 0 ? "ok" : "WRONG",
	    visit->asked != NULL ? visit->asked : s->id);
	for (size_t i = 0; i < report->count; i++) {
		const struct page_finding *f = &report->findings[i];
		call_say(v->call, "      - %s: expected %s, found %s: %s.",
		    f->check, f->expected, f->found, f->fix);
	}
}

/* `url` NULL: at the address that the export names. */
static struct err *
verify_article(struct verifying *v, const char *id, const char *url)
{
	struct page_report report = { .c = v->c };
	struct page_visit visit = { .c = v->c, .remote = v->remote,
		.origin = v->origin };
	struct subject s;
	struct err *err = read_subject(v->c, id, &s);

	if (err != NULL)
		return err;
	visit.asked = url != NULL ? url : s.canonical;
	visit.canonical = s.canonical;
	if (visit.asked == NULL) {
		compare_tell(&report, "address", "an address of its page",
		    "none", "set the workspace's website and address_pattern,"
		    " or the article's published_url");
		v->homeless++;
	} else if (page_visit(&visit, &report)) {
		if (s.published)
			check_page(&visit, &s, &report);
		else
			check_gone(&visit, &report);
	}
	v->wrong += report.count > 0;
	tell(v, &visit, &s, &report);
	return NULL;
}

/* ---- a workspace */

struct sample {
	struct ctx *c;
	int64_t total, wanted; /* published articles; how many are asked */
	int64_t seen;
	const char **ids;
	size_t count;
};

/* Takes them at even distances, so that old and new ones are among them. */
static void
keep_some(void *arg, const struct article *a)
{
	struct sample *s = arg;
	int64_t at = s->seen++;

	if (at >= s->total ||
	    at * s->wanted / s->total == (at + 1) * s->wanted / s->total)
		return;
	s->ids[s->count++] = arena_text(s->c->arena, a->uuid);
}

static struct err *
draw(struct ctx *c, const struct call *call, struct sample *out)
{
	const char *number = call_option(call, "sample");
	struct workspace *w;
	struct err *err = NULL;
	int64_t wanted = INT64_MAX;

	*out = (struct sample){ .c = c };
	if (number != NULL)
		err = number_read(c, number, "number of articles", &wanted);
	if (err == NULL && wanted == 0)
		err = call_usage(c, "--sample must be at least 1.");
	if (err != NULL)
		return err;
	db_begin_read(c, DB_CONTENT);
	err = pick_workspace(c, call, call_option(call, "workspace"), &w);
	if (err != NULL)
		return err;
	out->total = article_count(c, w->id, ARTICLE_PUBLISHED);
	out->wanted = wanted < out->total ? wanted : out->total;
	out->ids = arena_array(c->arena, (size_t)out->wanted + 1,
	    sizeof(*out->ids));
	article_list(c, w->id, ARTICLE_PUBLISHED, out->total, keep_some, out);
	db_commit(c);
	return NULL;
}

/* Each article has memory of its own, given back after it. */
static struct err *
verify_all(struct verifying *v, const struct sample *s)
{
	struct arena one, *kept = v->c->arena;
	struct progress progress;
	struct err *err = NULL;

	arena_init(&one, PAGE_MEMORY);
	v->c->arena = &one;
	progress_begin(&progress, "Asking", WORK_PIECES,
	    (int64_t)s->count);
	for (size_t i = 0; i < s->count && err == NULL; i++) {
		err = verify_article(v, s->ids[i], NULL);
		if (err != NULL && err->code == ERR_NOT_FOUND)
			err = NULL; /* purged meanwhile */
		if (err == NULL)
			arena_reset(&one);
		progress_step(&progress, 1);
	}
	progress_end(&progress);
	v->c->arena = kept;
	if (err == NULL)
		arena_release(&one);
	return err;
}

static struct err *
verify_workspace(struct verifying *v)
{
	struct call *call = v->call;
	struct sample s;
	struct err *err = draw(v->c, call, &s);

	if (err == NULL)
		err = verify_all(v, &s);
	if (err != NULL)
		return err;
	call_say(call, "%zu of %" PRId64 " published articles: %zu as exported,"
	    " %zu not, %zu without an address.", s.count, s.total,
	    s.count - v->wrong, v->wrong - v->homeless, v->homeless);
	return NULL;
}

/* ---- the command */

static struct err *
read_options(struct ctx *c, const struct call *call, struct verifying *v)
{
	struct remote_how how = { .pages = true, .limit_s = SECONDS,
		.private_allowed = call_has(call, "allow-private") };
	const char *seconds = call_option(call, "seconds");
	const char *origin = call_option(call, "origin");
	struct err *err = NULL;

	*v = (struct verifying){ .c = c };
	if (seconds != NULL)
		err = number_read(c, seconds, "number of seconds",
		    &how.limit_s);
	if (err != NULL)
		return err;
	if (how.limit_s < 1 || how.limit_s > SECONDS_MAX)
		return call_usage(c, "--seconds must be 1 to %d.", SECONDS_MAX);
	if (origin != NULL) {
		origin = url_clean_web(c->arena, origin);
		if (origin == NULL ||
		    strpbrk(strstr(origin, "://") + 3, "/?#") != NULL)
			return call_usage(c, "--origin must be a scheme and a"
			    " host: https://staging.example.com.");
	}
	v->origin = origin;
	v->remote = remote_open(c, &how);
	return NULL;
}

/* Puts the id of the article in the place of its name. */
static struct err *
one_article(struct ctx *c, struct call *call)
{
	struct article *a;
	struct err *err;

	db_begin_read(c, DB_CONTENT);
	err = pick_article(c, call, 1, &a);
	db_commit(c);
	return err;
}

static struct err *
verify_page(struct ctx *c, struct call *call)
{
	bool whole = call_has(call, "workspace");
	struct verifying v;
	const char *url = NULL;
	struct err *err = read_options(c, call, &v);

	if (err != NULL)
		return err;
	if (call->operand_count != (whole ? 0 : 2))
		return call_usage(c, "Name a page and its article, or a"
		    " workspace with --workspace.");
	if (!whole) {
		url = url_clean_web(c->arena, call->operands[0]);
		if (url == NULL)
			return call_usage(c, "%s is no address of a page.",
			    call->operands[0]);
		err = one_article(c, call);
		if (err != NULL)
			return err;
	}
	v.call = call;
	if (call->as_json)
		jwrite_array(&call->json);
	err = whole ? verify_workspace(&v)
		    : verify_article(&v, call->operands[1], url);
	remote_close(v.remote);
	if (call->as_json)
		jwrite_array_end(&call->json);
	call->status = v.wrong > 0;
	return err;
}

static const struct command_option options[] = {
	{ .name = "workspace", .value = "ID",
	    .help = "the pages of all its published articles" },
	{ .name = "sample", .value = "N",
	    .help = "only N of them, old and new ones alike" },
	{ .name = "origin", .value = "ORIGIN",
	    .help = "ask there instead of the articles' own site: a staging"
		    " copy, http://127.0.0.1:8000" },
	{ .name = "allow-private",
	    .help = "also addresses of one's own network" },
	{ .name = "seconds", .value = "N",
	    .help = "for each answer (20)" },
	{ .name = NULL },
};

const struct command command_verify_page[] = {
	{ .verb = "verify-page", .operands = "[URL ARTICLE]",
	    .operands_max = 2, .options = options, .flags = COMMAND_DB,
	    .run = verify_page,
	    .summary = "fetch customers' pages, and say what is not as"
		       " exported",
	    .text = "Looks at title, description, canonical address, robots"
		    " (header, too), structured data,\nlanguage, direction,"
		    " heading, cover and redirects, and at what stands"
		    " twice. Exit 1 if\nsomething differs. A page of an"
		    " article that is not published any more must be gone." },
	{ .verb = NULL },
};
