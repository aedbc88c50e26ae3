/* galley explain */
#include <inttypes.h>
#include <stddef.h>
#include <string.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "base/err.h"
#include "base/mask.h"
#include "base/uuid.h"
#include "command/call.h"
#include "command/commands.h"
#include "logs/explain.h"
#include "terminal/terminal.h"

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
to_json(struct ctx *c, struct jwrite *j, const struct explain *e)
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
say(struct ctx *c, struct call *call, const struct explain *e)
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
		to_json(c, &call->json, &e);
	else
		say(c, call, &e);
	/* A log of an older release may hold a key. */
	mask_secrets(call->out.data);
	return NULL;
}

const struct command command_explain[] = {
	{ .verb = "explain",
	    .operands = "REQUEST-ID",
	    .operands_min = 1,
	    .operands_max = 1,
	    .run = explain,
	    .summary = "tell what became of one request",
	    .text =
		"By the id in an answer's X-Request-Id, or its request_id: when, what was asked, the key, the\n"
		"scope, the limit, the answer, and for an error what it means and how it is fixed. Rotated\n"
		"logs are searched too, packed ones as well." },
	{ .verb = NULL },
};
