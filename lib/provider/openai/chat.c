#include "provider/openai/chat.h"

#include <string.h>

#include "base/jread.h"
#include "base/log.h"
#include "provider/openai/post.h"

#define ANSWER_MAX ((size_t)1024 * 1024)
#define REQUEST_MAX ((size_t)1024 * 1024)
#define ANSWER_TOKENS 8192
#define TRIES 4
/* of one answer: a larger number cannot be true */
#define TOKENS_MAX INT64_C(100000000)

static void
write_message(struct jwrite *w, const char *role, const char *text)
{
	jwrite_object(w);
	jwrite_member_text(w, "role", role);
	jwrite_member_text(w, "content", text);
	jwrite_object_end(w);
}

/*
 * Returns the message of the user. It holds the schema if the endpoint does not take
 * json_schema; json_object demands that the message holds the word JSON. It also tells
 * of a useless answer that had no text: a second message of the user would confuse some
 * models.
 */
static const char *
task_text(struct openai *oa, const struct openai_chat *chat)
{
	struct buf b;

	buf_init(&b, &oa->scratch, REQUEST_MAX);
	buf_add_text(&b, chat->user);
	if (oa->format != OPENAI_SCHEMA)
		buf_printf(&b,
		    "\n\nAnswer with one JSON object, without a code fence and without any text around it. It must fit this JSON Schema (galley_%s):\n%s\n",
		    chat->name, chat->schema);
	if (chat->wrong != NULL && chat->before[0] == '\0')
		buf_printf(&b, "\n\nAn earlier answer could not be used: %s\n", chat->wrong);
	return buf_done(&b);
}

static void
write_messages(struct openai *oa, struct jwrite *w, const struct openai_chat *chat)
{
	jwrite_member_array(w, "messages");
	write_message(w, "system", chat->system);
	write_message(w, "user", task_text(oa, chat));
	if (chat->wrong != NULL && chat->before[0] != '\0') {
		write_message(w, "assistant", chat->before);
		write_message(w, "user",
		    arena_printf(&oa->scratch,
			"That answer cannot be used: %s Send the whole answer again, as one JSON object that fits the schema.",
			chat->wrong));
	}
	jwrite_array_end(w);
}

static void
write_format(struct openai *oa, struct jwrite *w, const struct openai_chat *chat)
{
	if (oa->format == OPENAI_PROMPT)
		return;
	jwrite_member_object(w, "response_format");
	if (oa->format == OPENAI_OBJECT) {
		jwrite_member_text(w, "type", "json_object");
		jwrite_object_end(w);
		return;
	}
	jwrite_member_text(w, "type", "json_schema");
	jwrite_member_object(w, "json_schema");
	jwrite_member_text(w, "name", arena_printf(&oa->scratch, "galley_%s", chat->name));
	jwrite_member_bool(w, "strict", true);
	jwrite_name(w, "schema");
	jwrite_raw(w, chat->schema, strlen(chat->schema));
	jwrite_object_end(w);
	jwrite_object_end(w);
}

/* Writes the request. It sets no temperature: the newest models refuse one, and no
 * model needs one. */
static void
write_request(struct openai *oa, const struct openai_chat *chat, struct buf *out)
{
	int64_t tokens = chat->longer ? 2 * ANSWER_TOKENS : ANSWER_TOKENS;
	struct jwrite w;

	buf_init(out, &oa->scratch, REQUEST_MAX);
	jwrite_init(&w, out);
	jwrite_object(&w);
	jwrite_member_text(&w, "model", oa->conf.openai_model);
	write_messages(oa, &w, chat);
	if (oa->limit == OPENAI_COMPLETION_TOKENS)
		jwrite_member_int(&w, "max_completion_tokens", tokens);
	else if (oa->limit == OPENAI_TOKENS)
		jwrite_member_int(&w, "max_tokens", tokens);
	write_format(oa, &w, chat);
	jwrite_object_end(&w);
	buf_done(out);
}

static bool
says(const struct http_answer *answer, const char *word)
{
	return strcasestr(answer->body.data, word) != NULL;
}

/* Returns whether the endpoint refused the form in which the limit of length was
 * sent. */
static bool
is_about_limit(const struct openai *oa, const struct http_answer *answer)
{
	if (oa->limit == OPENAI_UNLIMITED)
		return false;
	return says(answer, "context_length") || says(answer, "max_tokens") ||
	       says(answer, "max_completion_tokens");
}

/*
 * Leaves out one capability after a 400 or 422: the limit of length if the answer names
 * it, else the form of the answer, which is the likelier cause. False if nothing is
 * left to leave out: the refusal has another cause.
 */
static bool
step_down(struct openai *oa, const struct http_answer *answer)
{
	if (is_about_limit(oa, answer))
		oa->limit++;
	else if (oa->format != OPENAI_PROMPT)
		oa->format++;
	else if (oa->limit != OPENAI_UNLIMITED)
		oa->limit++;
	else
		return false;
	log_line("%s: asking for less (format %d, limit %d)", answer->why, (int)oa->format,
	    (int)oa->limit);
	return true;
}

static int64_t
tokens(json_t *usage, const char *name)
{
	int64_t count = json_integer_value(json_object_get(usage, name));

	if (count < 0)
		return 0;
	return count < TOKENS_MAX ? count : TOKENS_MAX;
}

static bool
is_text(const char *text)
{
	return text != NULL && text[strspn(text, " \t\r\n")] != '\0';
}

/* Finds the text in a completion. Other members are ignored, so that servers may add
 * their own. */
static bool
read_completion(struct openai *oa, json_t *json, struct openai_said *out)
{
	json_t *choice = json_array_get(json_object_get(json, "choices"), 0);
	json_t *message = json_object_get(choice, "message");
	json_t *usage = json_object_get(json, "usage");
	const char *ended = json_string_value(json_object_get(choice, "finish_reason"));

	oa->usage.input_tokens += tokens(usage, "prompt_tokens");
	oa->usage.output_tokens += tokens(usage, "completion_tokens");
	out->text = json_string_value(json_object_get(message, "content"));
	if (is_text(json_string_value(json_object_get(message, "refusal"))) ||
	    (ended != NULL && strcmp(ended, "content_filter") == 0))
		return openai_fail(
		    oa, PROTOCOL_REFUSED, false, "The model declined to write about this topic.");
	out->cut = ended != NULL && strcmp(ended, "length") == 0;
	if (out->cut)
		out->wrong = "It was too long and was cut off; be brief.";
	else if (!is_text(out->text))
		out->wrong = "It was empty.";
	return true;
}

static bool
read_answer(struct openai *oa, const struct http_answer *answer, struct openai_said *out)
{
	struct ctx c = openai_scratch(oa);
	json_t *json;

	memset(out, 0, sizeof(*out));
	if (answer->outcome == HTTP_TOO_LARGE)
		out->wrong = "It was far too long.";
	else if (jread_parse(&c, "answer", answer->body.data, answer->body.len, &json) != NULL)
		out->wrong = "It did not arrive whole.";
	else if (!read_completion(oa, json, out))
		return false;
	if (out->wrong != NULL)
		out->text = NULL;
	return true;
}

bool
openai_chat(struct openai *oa, const struct openai_chat *chat, struct openai_said *out)
{
	struct openai_post post = {
		.path = "/chat/completions",
		.answer_max = ANSWER_MAX,
		.tries = TRIES,
	};
	struct http_answer answer;
	struct buf body;

	post.body = &body;
	do {
		write_request(oa, chat, &body);
		if (!openai_post(oa, &post, &answer))
			return false;
		if (answer.status < 400)
			return read_answer(oa, &answer, out);
	} while (step_down(oa, &answer));
	log_line("%s: refused with everything left out", answer.why);
	return openai_fail(oa, PROTOCOL_REFUSED, false,
	    "The model service refused the request (HTTP %d).", answer.status);
}
