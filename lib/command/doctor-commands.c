/* galley verify | doctor | explain | verify-page: what is wrong, and why. */
#include <inttypes.h>
#include <stddef.h>
#include <string.h>

#include "action/action.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "base/err.h"
#include "base/mask.h"
#include "base/uuid.h"
#include "command/call-words.h"
#include "command/call.h"
#include "command/commands.h"
#include "content/url.h"
#include "doctor/doctor.h"
#include "doctor/verify-page.h"
#include "doctor/verify.h"
#include "stats/explain.h"
#include "system/conf.h"
#include "terminal/terminal.h"

/* ---- galley verify */

static void
verified(void *arg, const struct verify *check)
{
	struct call *call = arg;
	size_t told = check->count < VERIFY_TOLD ? check->count : VERIFY_TOLD;
	struct jwrite *j = &call->json;

	if (call->as_json) {
		jwrite_object(j);
		jwrite_member_text(j, "check", check->name);
		jwrite_member_bool(j, "ok", check->count == 0);
		jwrite_member_array(j, "problems");
		for (size_t i = 0; i < told; i++)
			jwrite_text(j, check->problems[i]);
		jwrite_array_end(j);
		jwrite_object_end(j);
		return;
	}
	call_say(call, "%-6s %s", check->count == 0 ? "ok" : "BROKEN", check->name);
	for (size_t i = 0; i < told; i++)
		call_say(call, "       - %s", check->problems[i]);
	if (check->count > told)
		call_say(call, "       - and %zu more", check->count - told);
}

static void
repair(struct ctx *c, struct call *call)
{
	size_t count;

	journal_begin(c, call);
	count = verify_repair(c);
	call_say(call, "%zu article%s listed again.", count, count == 1 ? " was" : "s were");
}

static struct err *
verify(struct ctx *c, struct call *call)
{
	size_t broken;
	struct err *err;

	if (call_has(call, "repair"))
		repair(c, call);
	if (call->as_json)
		jwrite_array(&call->json);
	err = verify_run(c, call_work(call), call_has(call, "quick"), verified, call, &broken);
	if (call->as_json)
		jwrite_array_end(&call->json);
	if (err != NULL)
		return call_is_stopped(call, err) ? NULL : err;
	call->status = broken > 0;
	return NULL;
}

/* ---- galley doctor */

static const char *const levels[] = { "ok", "note", "warn", "BAD" };

static void
tell_result(struct call *call, const struct doctor_result *result)
{
	const struct doctor_finding *f = &result->finding;
	const char *name = result->check;
	struct jwrite *j = &call->json;

	if (call->as_json) {
		jwrite_object(j);
		jwrite_member_text(j, "check", name);
		jwrite_member_bool(j, "ok", f->level != DOCTOR_BAD);
		jwrite_member_text(j, "level", levels[f->level]);
		jwrite_member_text(j, "message", f->message);
		jwrite_member_text(j, "mend", f->fix);
		jwrite_object_end(j);
		return;
	}
	if (f->fix == NULL)
		call_say(call, "%-5s %-14s %s", levels[f->level], name, f->message);
	else
		call_say(
		    call, "%-5s %-14s %s; fix: %s", levels[f->level], name, f->message, f->fix);
}

/* Returns the exit status that monitors expect: 0 is well, 1 a warning, 2
 * critical. */
static int
status_of(enum doctor_level worst)
{
	return worst == DOCTOR_BAD ? 2 : worst == DOCTOR_WARN ? 1 : 0;
}

/* Prints "GALLEY CRITICAL: space: …; fix: … | runner: …", the worst first. */
static void
say_brief(struct ctx *c, struct call *call, const struct doctor_results *found, int status)
{
	static const char *const words[] = { "OK", "WARNING", "CRITICAL" };
	const char *line = arena_printf(c->arena, "GALLEY %s", words[status]);
	const char *between = ": ";

	for (int level = DOCTOR_BAD; level >= DOCTOR_WARN; level--) {
		for (size_t i = 0; i < found->count; i++) {
			const struct doctor_result *r = &found->list[i];
			if ((int)r->finding.level != level)
				continue;
			line = arena_printf(c->arena, "%s%s%s: %s; fix: %s", line, between,
			    r->check, r->finding.message, r->finding.fix);
			between = " / ";
		}
	}
	if (status == 0)
		line = arena_printf(c->arena, "%s: %zu checks", line, found->count);
	if (call->as_json) {
		jwrite_object(&call->json);
		jwrite_member_int(&call->json, "status", status);
		jwrite_member_text(&call->json, "message", line);
		jwrite_object_end(&call->json);
	}
	call_say(call, "%s", line);
}

/* ---- galley doctor --mail ADDRESS */
static struct err *
send_test(struct ctx *c, struct call *call, const char *address)
{
	const char *said;
	struct conf conf;

	TRY(conf_take(c, &conf));
	TRY(doctor_send_test(c, address, &said));
	if (call->as_json) {
		jwrite_object(&call->json);
		jwrite_member_text(&call->json, "message", said);
		jwrite_object_end(&call->json);
	}
	call_say(call, "%s", said);
	return NULL;
}

static struct err *
doctor(struct ctx *c, struct call *call)
{
	struct doctor_results found;
	struct err *err;

	if (call_option(call, "mail") != NULL)
		return send_test(c, call, call_option(call, "mail"));
	err = doctor_run(c, call_work(call), &found);
	if (call_has(call, "brief")) {
		if (err != NULL)
			return err;
		call->status = status_of(found.worst);
		say_brief(c, call, &found, call->status);
		return NULL;
	}
	if (call->as_json)
		jwrite_array(&call->json);
	for (size_t i = 0; i < found.count; i++)
		tell_result(call, &found.list[i]);
	if (call->as_json)
		jwrite_array_end(&call->json);
	if (err != NULL)
		return call_is_stopped(call, err) ? NULL : err;
	call->status = found.worst == DOCTOR_BAD;
	return NULL;
}

/* ---- galley explain */

static void
cause_to_json(void *arg, const char *cause, const char *fix)
{
	struct jwrite *j = arg;

	jwrite_object(j);
	jwrite_member_text(j, "cause", cause);
	jwrite_member_text(j, "mend", fix);
	jwrite_object_end(j);
}

static void
key_to_json(struct jwrite *j, const struct explain_key *key)
{
	jwrite_member_object(j, "key");
	jwrite_member_text(j, "id", key->id);
	jwrite_member_text(j, "display", key->display);
	jwrite_member_text(j, "label", key->label);
	jwrite_member_text(j, "scopes", key->scopes);
	jwrite_member_text(j, "state", key->state);
	jwrite_member_text(j, "workspace", key->workspace);
	jwrite_object_end(j);
}

static const char *
or_null(const char *text)
{
	return text == NULL || strcmp(text, "-") == 0 ? NULL : text;
}

static void
request_to_json(struct jwrite *j, const struct logs_request *r)
{
	jwrite_member_text(j, "method", r->method);
	jwrite_member_text(j, "target", r->target);
	jwrite_member_int(j, "status", r->status);
	jwrite_member_int(j, "bytes", r->bytes);
	jwrite_member_int(j, "microseconds", r->took_us);
	jwrite_member_bool(j, "kept", r->kept);
	jwrite_member_text(j, "workspace", or_null(r->workspace));
	jwrite_member_text(j, "scope", or_null(r->scope));
	jwrite_member_text(j, "lacks", or_null(r->lacks));
	jwrite_member_text(j, "limit", or_null(r->limit));
	jwrite_member_text(j, "code", r->error);
	jwrite_member_text(j, "error", r->sentence);
}

static void
explained_to_json(struct ctx *c, struct jwrite *j, const struct explain *e)
{
	jwrite_object(j);
	jwrite_member_text(j, "id", e->id);
	jwrite_member_text(j, "at", e->request.at);
	jwrite_member_text(j, "program", e->request.program);
	jwrite_member_text(j, "file", e->file);
	if (e->found)
		request_to_json(j, &e->request);
	if (e->key != NULL)
		key_to_json(j, e->key);
	jwrite_member_array(j, "log");
	for (size_t i = 0; i < e->said_count; i++)
		jwrite_text(j, e->said[i]);
	jwrite_array_end(j);
	if (e->found && e->request.error != NULL) {
		jwrite_member_array(j, "causes");
		(void)explain_code(c, e->request.error, e->request.sentence, cause_to_json, j);
		jwrite_array_end(j);
	}
	jwrite_object_end(j);
}

/* Returns the code of a refusal. Four refusals have a status of their own; of a
 * 405 the log has no more than the status. */
static const char *
code_of(const struct logs_request *r)
{
	if (r->error != NULL || r->status < 400)
		return r->error;
	for (int code = ERR_INVALID; code <= ERR_TIMEOUT; code++) {
		if (err_status((enum err_code)code) == r->status)
			return err_name((enum err_code)code);
	}
	return NULL;
}

static void
say_key(struct call *call, const struct explain *e)
{
	const struct logs_request *r = &e->request;

	if (r->key == 0)
		call_say(call, "key        none that was good");
	else if (e->key == NULL)
		call_say(call,
		    "key        number %" PRId64
		    " of workspace %s; the database does not tell more",
		    r->key, r->workspace);
	else
		call_say(call, "key        %s%s%s%s, of workspace %s; now %s", e->key->display,
		    e->key->label[0] != '\0' ? " (" : "", e->key->label,
		    e->key->label[0] != '\0' ? ")" : "", e->key->workspace, e->key->state);
}

static void
say_decisions(struct call *call, const struct explain *e)
{
	const struct logs_request *r = &e->request;

	if (strcmp(r->scope, "-") != 0 && r->lacks == NULL)
		call_say(call, "scope      %s: the key has it", r->scope);
	if (r->lacks != NULL)
		call_say(call, "scope      %s: the key lacks %s", r->scope, r->lacks);
	if (strcmp(r->limit, "off") == 0)
		call_say(call, "limit      off");
	else if (strcmp(r->limit, "-") != 0)
		call_say(call, "limit      %.*s of %s requests were left%s",
		    (int)strcspn(r->limit, "/"), r->limit,
		    strchr(r->limit, '/') != NULL ? strchr(r->limit, '/') + 1 : "?",
		    r->status == 429 ? ": refused" : "");
}

static void
say_cause(void *arg, const char *cause, const char *fix)
{
	struct call *call = arg;

	call_say(call, "           - %s\n             %s", cause, fix);
}

static void
count_cause(void *arg, const char *cause, const char *fix)
{
	int *count = arg;

	(void)cause;
	(void)fix;
	(*count)++;
}

static void
say_error(struct ctx *c, struct call *call, const struct logs_request *r)
{
	const char *code = code_of(r), *meaning;
	int causes = 0;

	if (r->sentence != NULL)
		call_say(call, "told       %s", r->sentence);
	if (code == NULL)
		return;
	meaning = explain_code(c, code, r->sentence, count_cause, &causes);
	call_say(call, "code       %s. %s, and what to do:", code,
	    causes == 1 ? "The cause" : "What can be the cause");
	(void)explain_code(c, code, r->sentence, say_cause, call);
	if (causes == 0)
		call_say(
		    call, "           %s", meaning != NULL ? meaning : "see the documentation");
}

static void
say_explained(struct ctx *c, struct call *call, const struct explain *e)
{
	const struct logs_request *r = &e->request;

	call_say(call, "request    %s", e->id);
	call_say(call, "when       %s, by %s (process %s)", r->at, r->program, r->process);
	if (e->found) {
		call_say(call, "asked      %s %s", r->method, r->target);
		call_say(call,
		    "answered   %d, %" PRId64 " bytes, after %" PRId64 ".%03" PRId64 " ms%s",
		    r->status, r->bytes, r->took_us / 1000, r->took_us % 1000,
		    r->kept ? ", with a kept answer" : "");
		say_key(call, e);
		say_decisions(call, e);
	}
	for (size_t i = 0; i < e->said_count; i++)
		call_say(call, "log        %s", e->said[i]);
	if (e->found)
		say_error(c, call, r);
	else
		call_say(call,
		    "           It left no line of its own: the program was ended before it could answer.");
	call_say(call, "file       %s", e->file);
}

static struct err *
not_found(struct ctx *c, const struct explain *e)
{
	return refuse(c, ERR_NOT_FOUND,
	    "%zu log file%s searched, and none has %s. The web server's own errors carry an id of its error log; older logs may be gone (log_keep in galley.conf, or logrotate).",
	    e->searched, e->searched == 1 ? " was" : "s were", e->id);
}

static struct err *
explain(struct ctx *c, struct call *call)
{
	char id[UUID_TEXT];
	struct explain e;

	if (!uuid_parse(call->operands[0], id))
		return refuse(c, ERR_INVALID,
		    "%s is no id of a request of ours: take the UUID of X-Request-Id, or request_id of the error's body. Other ids are the web server's: look into its error log.",
		    call->operands[0]);
	explain_find(c, id, &e);
	for (size_t i = 0; i < e.unread_count; i++)
		note_say("galley: %s", e.unread[i]);
	if (e.request.at == NULL)
		return not_found(c, &e);
	if (call->as_json)
		explained_to_json(c, &call->json, &e);
	else
		say_explained(c, call, &e);
	/* A log of an older release may hold a key. */
	mask_secrets(call->out.data);
	return NULL;
}

/* ---- galley verify-page */

#define SECONDS 20
#define SECONDS_MAX 300

static void
page_to_json(struct jwrite *j, const char *article_id, const struct page_visit *visit,
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
tell_page(void *arg, const char *article_id, const struct page_visit *visit,
    const struct page_report *report)
{
	struct call *call = arg;

	if (call->as_json) {
		page_to_json(&call->json, article_id, visit, report);
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
read_page_options(struct ctx *c, struct call *call, struct verify_page *v)
{
	const char *seconds = call_option(call, "seconds");
	const char *origin = call_option(call, "origin");
	int64_t limit_s = SECONDS;

	if (seconds != NULL)
		TRY(number_read(c, seconds, "number of seconds", &limit_s));
	if (limit_s < 1 || limit_s > SECONDS_MAX)
		return call_usage(c, "--seconds must be 1 to %d.", SECONDS_MAX);
	if (origin != NULL) {
		origin = url_clean_web(c->arena, origin);
		if (origin == NULL || strpbrk(strstr(origin, "://") + 3, "/?#") != NULL)
			return call_usage(c,
			    "--origin must be a scheme and a host: https://staging.example.com.");
	}
	*v = (struct verify_page) { .origin = origin,
		.each = tell_page,
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

	if (url == NULL)
		return call_usage(c, "%s is no address of a page.", call->operands[0]);
	TRY(pick_one_article(c, call, 1, &a));
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
		TRY(number_read(c, number, "number of articles", &wanted));
	if (wanted == 0)
		return call_usage(c, "--sample must be at least 1.");
	TRY(read_workspace(c, &place, &w));
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
	struct err *err;

	TRY(read_page_options(c, call, &v));
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

/* ---- the rows */

static const struct command_option verify_options[] = {
	{ .name = "quick", .help = "without rendering every article and reading every image" },
	{ .name = "repair",
	    .help = "first write again what Galley can make of other rows: what pages list" },
	{ .name = NULL },
};

static const struct command_option doctor_options[] = {
	{ .name = "brief", .help = "one line for monitors; exit 0 well, 1 warning, 2 critical" },
	{ .name = "mail", .value = "ADDRESS", .help = "only send a test there, by mail_command" },
	{ .name = NULL },
};

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

const struct command command_verify[] = {
	{ .verb = "verify",
	    .operands = "",
	    .options = verify_options,
	    .flags = COMMAND_DB,
	    .run = verify,
	    .summary = "check what must hold in the store; exit 1 if something is broken" },
	{ .verb = NULL },
};

const struct command command_doctor[] = {
	{ .verb = "doctor",
	    .operands = "",
	    .options = doctor_options,
	    .run = doctor,
	    .summary = "check the installation from the outside, and say what to fix",
	    .text =
		"Calls the instance's own public_url as a stranger would. One line for each check;\n"
		"exit 1 if one is bad. Changes nothing.\n\n"
		"With --brief one line, as Nagios and its kin read it: GALLEY OK, WARNING or CRITICAL with what\n"
		"must be fixed, the worst first; exit 0, 1, 2. A warning becomes a fault if nobody acts." },
	{ .verb = NULL },
};

const struct command command_explain[] = {
	{ .verb = "explain",
	    .operands = "REQUEST-ID",
	    .run = explain,
	    .summary = "tell what became of one request",
	    .text =
		"By the id in an answer's X-Request-Id, or its request_id: when, what was asked, the key, the\n"
		"scope, the limit, the answer, and for an error what it means and how it is fixed. Rotated\n"
		"logs are searched too, packed ones as well." },
	{ .verb = NULL },
};

const struct command command_verify_page[] = {
	{ .verb = "verify-page",
	    .operands = "[URL ARTICLE]",
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
