#include "provider/openai/ask.h"

#include <string.h>

#include "base/log.h"
#include "base/utf8.h"
#include "provider/openai/chat.h"
#include "provider/openai/text.h"

#define STEP_MAX ((size_t)2 * 1024 * 1024)
#define SHOWN_MAX ((size_t)8000) /* bytes of a useless answer, sent back */

/* Returns the part of an answer that looks like the object; NULL if there is none.
 * Models that are only asked for JSON put thoughts, fences and greetings around it. */
static const char *
object_in(const char *text, size_t *len)
{
	const char *thought = strstr(text, "</think>");
	const char *from, *to;

	if (thought != NULL)
		text = thought + strlen("</think>");
	from = strchr(text, '{');
	to = strrchr(text, '}');
	if (from == NULL || to == NULL || to < from)
		return NULL;
	*len = (size_t)(to + 1 - from);
	return from;
}

/* Makes every text of the JSON tree fit to be stored. */
static void
scrub(struct ctx *c, json_t *json)
{
	const char *name;
	json_t *value;
	size_t i;

	if (json_is_string(json))
		json_string_set(json, openai_text_scrub(c, json_string_value(json)));
	json_array_foreach(json, i, value)
		scrub(c, value);
	json_object_foreach(json, name, value)
		scrub(c, value);
}

/* Reads the answer as JSON and checks it. Returns NULL if it passed, else the reason
 * why it is of no use. */
static const char *
read_object(struct openai *oa, const struct openai_question *q, const char *text, json_t **out)
{
	struct ctx c = openai_scratch(oa);
	struct jread r;
	struct err *err;
	size_t len;
	const char *object = object_in(text, &len);

	if (object == NULL)
		return "It holds no JSON object.";
	err = jread_parse(&c, "answer", object, len, out);
	if (err != NULL)
		return err->message;
	scrub(&c, *out);
	jread_begin(&r, &c, "answer");
	q->check(&r, *out);
	err = jread_end(&r);
	return err == NULL ? NULL : err->message;
}

static int
add_bytes(const char *bytes, size_t len, void *arg)
{
	struct buf *out = arg;

	buf_add(out, bytes, len);
	return buf_full(out) ? -1 : 0;
}

/* Writes what a step stores: the answer and what it cost. A job that completes in its
 * third try is charged for the answers of the first two, too. */
static bool
write_step(struct openai *oa, json_t *answer, const struct usage *before, struct buf *out)
{
	struct buf text;
	struct jwrite w;

	buf_init(&text, &oa->scratch, STEP_MAX);
	if (json_dump_callback(answer, add_bytes, &text, JSON_COMPACT) != 0)
		return false;
	buf_init(out, oa->c->arena, STEP_MAX + 1000);
	jwrite_init(&w, out);
	jwrite_object(&w);
	jwrite_name(&w, "answer");
	jwrite_raw(&w, text.data, text.len);
	jwrite_member_int(&w, "input_tokens", oa->usage.input_tokens - before->input_tokens);
	jwrite_member_int(&w, "output_tokens", oa->usage.output_tokens - before->output_tokens);
	jwrite_object_end(&w);
	return true;
}

static bool
keep(struct openai *oa, const struct openai_question *q, json_t *answer, const struct usage *before,
    json_t **out)
{
	struct buf step;
	json_t *json;

	if (!write_step(oa, answer, before, &step) ||
	    jread_parse(oa->c, "step", step.data, step.len, &json) != NULL)
		return openai_fail(oa, PROTOCOL_INVALID_OUTPUT, false,
		    "The model's answer (%s) cannot be stored.", q->name);
	protocol_step(oa->c, q->step, &step);
	*out = json_object_get(json, "answer");
	return true;
}

static bool
is_stored(struct openai *oa, const struct openai_question *q, json_t **out)
{
	json_t *step = task_step(oa->task, q->step);
	json_t *answer = json_object_get(step, "answer");
	int64_t input, output;
	struct jread r;

	if (step == NULL)
		return false;
	jread_begin(&r, oa->c, "step");
	input = jread_int(&r, step, "input_tokens", JREAD_NEEDED, 0, INT32_MAX, 0);
	output = jread_int(&r, step, "output_tokens", JREAD_NEEDED, 0, INT32_MAX, 0);
	jread_element_object(&r, answer);
	q->check(&r, answer);
	if (jread_end(&r) != NULL)
		return false;
	oa->usage.input_tokens += input;
	oa->usage.output_tokens += output;
	*out = answer;
	return true;
}

/* Prepares the second question: copies the useless answer and its fault out of the
 * scratch arena. */
static void
ask_differently(
    struct openai *oa, struct openai_chat *chat, const struct openai_said *said, const char *wrong)
{
	const char *text = said->text != NULL ? said->text : "";
	size_t len = strlen(text);

	while (len > SHOWN_MAX || (len > 0 && !utf8_valid(text, len)))
		len = len > SHOWN_MAX ? SHOWN_MAX : len - 1;
	chat->before = arena_text_n(oa->c->arena, text, len);
	chat->wrong = arena_text(oa->c->arena, wrong);
	chat->longer = said->cut;
	log_line("%s: the answer is of no use: %s", chat->name, wrong);
}

bool
openai_ask(struct openai *oa, const struct openai_question *q, json_t **out)
{
	struct openai_chat chat = {
		.name = q->name, .schema = q->schema, .system = q->system, .user = q->user
	};
	struct usage before = oa->usage;
	struct openai_said said;
	const char *wrong;
	json_t *answer;

	if (is_stored(oa, q, out))
		return true;
	for (int try = 1; try <= 2; try++) {
		arena_reset(&oa->scratch);
		if (!openai_chat(oa, &chat, &said))
			return false;
		wrong = said.wrong != NULL ? said.wrong : read_object(oa, q, said.text, &answer);
		if (wrong == NULL)
			return keep(oa, q, answer, &before, out);
		ask_differently(oa, &chat, &said, wrong);
	}
	return openai_fail(oa, PROTOCOL_INVALID_OUTPUT, false,
	    "The model did not give a usable answer (%s).", q->name);
}
