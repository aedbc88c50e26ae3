/* Reads one line of a provider's answer (docs/provider.md). */
#include <string.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "base/jread.h"
#include "base/utf8.h"
#include "job/try.h"

#define STEP_NAME_MAX 100 /* code points */

/* Returns the element of `words` that equals `word`; NULL if there is none. */
static const char *
one_of(const char *const *words, const char *word)
{
	for (; *words != NULL; words++) {
		if (word != NULL && strcmp(*words, word) == 0)
			return *words;
	}
	return NULL;
}

/* Returns a stage that a provider may report, or NULL. It may not report "queued" and
 * "done". */
static const char *
known_stage(const char *stage)
{
	static const char *const stages[] = { "research", "outline", "writing", "image", "checks",
		"publishing", NULL };

	return one_of(stages, stage);
}

static const char *
known_code(const char *code)
{
	static const char *const codes[] = { "provider_unavailable", "provider_refused",
		"provider_not_configured", "invalid_output", "timeout", "internal_error", NULL };

	return one_of(codes, code);
}

/* Returns a sentence that may be shown to the customer: one line of limited length. */
static const char *
sentence_of(struct ctx *c, const char *text)
{
	if (text[0] == '\0' || utf8_forbidden(text, true) != NULL)
		return "The provider failed.";
	return arena_text_n(c->arena, text, utf8_prefix(text, JOB_ERROR_MAX));
}

static void
read_error(struct jread *r, json_t *line, struct try_said *out)
{
	const char *text = json_string_value(json_object_get(line, "error"));
	const char *code = jread_line(r, line, "code", JREAD_NEEDED, 100);

	out->kind = LINE_ERROR;
	if (text == NULL)
		jread_refuse(r, "error", "must be a string.");
	else
		out->fault.sentence = sentence_of(r->c, text);
	out->fault.code = known_code(code);
	if (out->fault.code == NULL)
		jread_refuse(r, "code", "is not a known code.");
	out->fault.retry = jread_bool(r, line, "retry", JREAD_NEEDED, false);
}

static void
read_result(struct jread *r, json_t *line, struct try_said *out)
{
	json_t *usage = jread_object(r, line, "usage", JREAD_NEEDED);

	out->kind = LINE_RESULT;
	out->result = jread_object(r, line, "result", JREAD_NEEDED);
	jread_enter(r, "usage");
	out->usage.input_tokens =
	    jread_int(r, usage, "input_tokens", JREAD_NEEDED, 0, PRICE_TOKENS_MAX, 0);
	out->usage.output_tokens =
	    jread_int(r, usage, "output_tokens", JREAD_NEEDED, 0, PRICE_TOKENS_MAX, 0);
	out->usage.images = jread_int(r, usage, "images", JREAD_NEEDED, 0, PRICE_IMAGES_MAX, 0);
	jread_leave(r);
}

static void
read_step(struct jread *r, json_t *line, struct try_said *out)
{
	out->kind = LINE_STEP;
	out->step = jread_line(r, line, "step", JREAD_NEEDED, STEP_NAME_MAX);
	out->output = json_object_get(line, "output");
	if (out->output == NULL)
		jread_refuse(r, "output", "is missing.");
}

static void
read_stage(struct jread *r, json_t *line, struct try_said *out)
{
	json_t *stage = json_object_get(line, "stage");

	out->kind = LINE_STAGE;
	if (!json_is_string(stage))
		jread_refuse(r, "stage", "must be a string.");
	out->stage = known_stage(json_string_value(stage));
}

struct err *
try_line(struct ctx *c, const char *text, size_t len, struct try_said *out)
{
	struct jread r;
	struct err *err;
	json_t *line;

	memset(out, 0, sizeof(*out));
	err = jread_parse(c, "output", text, len, &line);
	if (err != NULL)
		return err;
	jread_begin(&r, c, "");
	line = jread_element_object(&r, line);
	if (json_object_get(line, "result") != NULL)
		read_result(&r, line, out);
	else if (json_object_get(line, "error") != NULL)
		read_error(&r, line, out);
	else if (json_object_get(line, "step") != NULL)
		read_step(&r, line, out);
	else if (json_object_get(line, "stage") != NULL)
		read_stage(&r, line, out);
	else
		jread_refuse(&r, NULL, "is none of stage, step, result and error.");
	return jread_end(&r);
}
