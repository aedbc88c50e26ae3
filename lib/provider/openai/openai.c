#include "provider/openai/openai.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdarg.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/jread.h"
#include "base/log.h"
#include "base/utf8.h"
#include "base/uuid.h"
#include "provider/openai/model-text.h"
#include "system/instance.h"

struct openai_chat {
	const char *name; /* name of the schema, letters only: "section" */
	const char *schema; /* the JSON Schema that the answer must fit */
	const char *system; /* the rules */
	const char *user; /* the task and its material */
	/* Both are set for a second call after a useless answer, else NULL. */
	const char *before; /* that answer, "" if there was none */
	const char *wrong; /* a sentence that says what was wrong with it */
	bool longer; /* that answer was cut off: allow twice the length */
};

struct openai_said {
	const char *text; /* the answer, in the scratch arena, or NULL */
	const char *wrong; /* if text is NULL: why there is no usable answer */
	bool cut; /* the answer met the limit of length */
};

static bool openai_chat(struct openai *oa, const struct openai_chat *chat, struct openai_said *out);

#define SCRATCH_MAX ((size_t)160 * 1024 * 1024)

bool
openai_fail(struct openai *oa, enum protocol_code code, bool retry, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	oa->failure.sentence = arena_vprintf(oa->c->arena, format, args);
	va_end(args);
	oa->failure.code = code;
	oa->failure.retry = retry;
	return false;
}

int64_t
openai_left_ms(const struct openai *oa)
{
	int64_t left = (oa->ends_at - clock_boot()) / 1000;

	return left > 0 ? left : 0;
}

void
openai_wait(const struct openai *oa, int64_t ms)
{
	int64_t left = openai_left_ms(oa);

	poll(NULL, 0, (int)(ms < left ? ms : left));
}

struct ctx
openai_scratch(struct openai *oa)
{
	struct ctx c = *oa->c;

	c.arena = &oa->scratch;
	return c;
}

/* Tells the customer that the operator must act, and the log what the operator must do. */
static bool
fail_configuration(struct openai *oa, const char *why)
{
	log_line("%s", why);
	return openai_fail(oa, PROTOCOL_NOT_CONFIGURED, false,
	    "The model service is not configured; the operator has to do that first.");
}

/* Takes the key from the bytes of the key file, without white space at its ends. False
 * if a character is not fit for a header. */
static bool
take_key(struct openai *oa, char *bytes, ssize_t len)
{
	ssize_t from = 0;

	while (len > 0 && strchr(" \t\r\n", bytes[len - 1]) != NULL)
		len--;
	while (from < len && strchr(" \t\r\n", bytes[from]) != NULL)
		from++;
	for (ssize_t i = from; i < len; i++) {
		if (bytes[i] <= ' ' || bytes[i] > '~')
			return false;
	}
	if (len - from <= 0 || len - from > OPENAI_KEY_MAX)
		return false;
	memcpy(oa->key, bytes + from, (size_t)(len - from));
	return true;
}

static bool
read_key(struct openai *oa, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	char bytes[OPENAI_KEY_MAX + 64];
	bool taken = false, open_to_others = false;
	struct stat st;
	ssize_t len;

	if (fd < 0 || fstat(fd, &st) != 0)
		return fail_configuration(oa,
		    arena_printf(oa->c->arena, "openai_key_file: %s: %s", path, strerror(errno)));
	open_to_others = (st.st_mode & 077) != 0;
	if (S_ISREG(st.st_mode) && !open_to_others) {
		len = read(fd, bytes, sizeof(bytes));
		taken = take_key(oa, bytes, len);
		explicit_bzero(bytes, sizeof(bytes));
	}
	close(fd);
	if (open_to_others)
		return fail_configuration(oa,
		    arena_printf(oa->c->arena,
			"openai_key_file: %s is open to other users; say chmod 600 on it.", path));
	return taken ||
	       fail_configuration(
		   oa, arena_printf(oa->c->arena,
			   "openai_key_file: %s holds no key: one line of at most %d characters.",
			   path, OPENAI_KEY_MAX));
}

static bool
check_conf(struct openai *oa)
{
	const struct conf *conf = &oa->conf;

	if (conf->openai_url[0] == '\0' || conf->openai_model[0] == '\0' ||
	    conf->openai_key_file[0] == '\0')
		return fail_configuration(
		    oa, "openai_url, openai_model and openai_key_file must be set in galley.conf.");
	if (strchr(conf->openai_url, '@') != NULL)
		return fail_configuration(oa, "openai_url must not hold a user name.");
	if (strncmp(conf->openai_url, "https://", 8) != 0 && !conf->allow_private_provider)
		return fail_configuration(
		    oa, "openai_url must begin with https:// unless allow_private_provider is on.");
	return true;
}

/* Reads the settings and the key. A relative openai_key_file is relative to the
 * instance, because the working directory is a new one at each try. */
static bool
configure(struct openai *oa)
{
	struct instance instance;
	struct err *err = instance_find(oa->c, NULL, &instance);
	const char *path;

	if (err == NULL)
		err = conf_read(oa->c, instance.conf, &oa->conf);
	if (err != NULL)
		return fail_configuration(oa, err->message);
	if (!check_conf(oa))
		return false;
	path = oa->conf.openai_key_file;
	if (path[0] != '/')
		path = arena_printf(oa->c->arena, "%s/%s", instance.home, path);
	return read_key(oa, path);
}

/* Begins the budget of time. A tenth of the deadline, at most five seconds, is kept for
 * the last line. */
static void
begin_budget(struct openai *oa)
{
	int64_t whole_ms = oa->assignment->deadline_s * 1000;
	int64_t margin_ms = whole_ms / 10 < 5000 ? whole_ms / 10 : 5000;

	oa->ends_at = clock_boot() + (whole_ms - margin_ms) * 1000;
	oa->request_ms = whole_ms / 3;
	oa->pause_ms = whole_ms < 60000 ? whole_ms / 60 : 1000;
}

bool
openai_open(struct openai *oa, struct ctx *c, const struct assignment *assignment)
{
	memset(oa, 0, sizeof(*oa));
	oa->c = c;
	oa->assignment = assignment;
	arena_init(&oa->scratch, SCRATCH_MAX);
	begin_budget(oa);
	if (!configure(oa))
		return false;
	/* The key is in memory from here on: no core dump, no tracer. */
	prctl(PR_SET_DUMPABLE, 0);
	oa->http = http_open(c->arena);
	return true;
}

void
openai_close(struct openai *oa)
{
	explicit_bzero(oa->key, sizeof(oa->key));
	if (oa->http != NULL)
		http_close(oa->http);
	arena_release(&oa->scratch);
}

#define LEAST_MS INT64_C(200) /* no request begins if less time is left */
#define SHOWN_MAX 300

/* Logs the beginning of the endpoint's answer, unless it holds the key: an endpoint may
 * send the key back. */
static void
log_answer(struct openai *oa, const struct http_answer *answer)
{
	const char *text = answer->body.data;

	if (strstr(text, oa->key) != NULL)
		text = "(not shown: it holds the key)";
	log_line("%s%s%.*s", answer->why, text[0] != '\0' ? ": " : "", SHOWN_MAX, text);
}

static bool
may_pass(const struct http_answer *answer)
{
	switch (answer->outcome) {
	case HTTP_UNREACHABLE:
	case HTTP_BROKEN:
	case HTTP_TIMEOUT:
		return true;
	case HTTP_FORBIDDEN:
		return false;
	case HTTP_ANSWERED:
	case HTTP_TOO_LARGE:
		break;
	}
	return answer->status == 408 || answer->status == 409 || answer->status == 425 ||
	       answer->status == 429 || answer->status >= 500;
}

static bool
is_for_the_caller(const struct http_answer *answer)
{
	if (answer->outcome == HTTP_ANSWERED && (answer->status == 400 || answer->status == 422))
		return true;
	return (answer->outcome == HTTP_ANSWERED || answer->outcome == HTTP_TOO_LARGE) &&
	       answer->status >= 200 && answer->status <= 299;
}

/* Returns whether the account at the endpoint has no quota left: that is a 429,
 * too, like that of a busy endpoint. */
static bool
is_without_quota(const struct http_answer *answer)
{
	return answer->status >= 400 && strstr(answer->body.data, "\"insufficient_quota\"") != NULL;
}

static bool
fail_for_good(struct openai *oa, const struct http_answer *answer)
{
	if (answer->outcome == HTTP_FORBIDDEN)
		return openai_fail(oa, PROTOCOL_NOT_CONFIGURED, false,
		    "The configured model service has an address that is not allowed.");
	if (is_without_quota(answer))
		return openai_fail(oa, PROTOCOL_REFUSED, false,
		    "The account at the model service has no quota left.");
	if (answer->status == 401 || answer->status == 403)
		return openai_fail(oa, PROTOCOL_REFUSED, false,
		    "The model service refused the configured key (HTTP %d).", answer->status);
	return openai_fail(oa, PROTOCOL_REFUSED, false,
	    "The model service refused the request (HTTP %d).", answer->status);
}

static bool
fail_for_now(struct openai *oa, const struct http_answer *answer)
{
	if (answer->outcome == HTTP_TIMEOUT)
		return openai_fail(
		    oa, PROTOCOL_TIMEOUT, true, "The model service did not answer in time.");
	if (answer->status == 429)
		return openai_fail(
		    oa, PROTOCOL_UNAVAILABLE, true, "The model service has too much to do.");
	if (answer->status != 0)
		return openai_fail(oa, PROTOCOL_UNAVAILABLE, true,
		    "The model service failed (HTTP %d).", answer->status);
	return openai_fail(oa, PROTOCOL_UNAVAILABLE, true, "The model service cannot be reached.");
}

/* Returns the pause before the next request: Retry-After if there is one, else a pause
 * that doubles with each request. It is shortened at random by up to a half, so that
 * many clients spread out. */
static int64_t
pause_ms(const struct openai *oa, const struct http_answer *answer, int try)
{
	int64_t ms = oa->pause_ms << (try - 1);
	unsigned char random;

	if (answer->retry_after_s > 0)
		return answer->retry_after_s * 1000;
	uuid_random_bytes(&random, sizeof(random));
	return ms / 2 + ms / 2 * random / 255;
}

static void
send_once(
    struct openai *oa, const struct openai_post *post, int64_t left_ms, struct http_answer *out)
{
	struct http_request request = {
		.url = arena_printf(&oa->scratch, "%s%s", oa->conf.openai_url, post->path),
		.key = oa->key,
		.body = post->body->data,
		.body_len = post->body->len,
		.answer_max = post->answer_max,
		.limit_ms = left_ms < oa->request_ms ? left_ms : oa->request_ms,
		.private_allowed = oa->conf.allow_private_provider,
	};

	http_send(oa->http, &oa->scratch, &request, out);
}

bool
openai_post(struct openai *oa, const struct openai_post *post, struct http_answer *out)
{
	int64_t wait_ms, left_ms;

	for (int try = 1;; try++) {
		left_ms = openai_left_ms(oa);
		if (left_ms < LEAST_MS)
			return openai_fail(
			    oa, PROTOCOL_TIMEOUT, true, "The time for this try was used up.");
		send_once(oa, post, left_ms, out);
		if (out->status >= 300 || out->outcome != HTTP_ANSWERED)
			log_answer(oa, out);
		if (is_without_quota(out))
			return fail_for_good(oa, out);
		if (is_for_the_caller(out))
			return true;
		if (!may_pass(out))
			return fail_for_good(oa, out);
		wait_ms = pause_ms(oa, out, try);
		if (try >= post->tries || wait_ms + LEAST_MS > openai_left_ms(oa))
			return fail_for_now(oa, out);
		openai_wait(oa, wait_ms);
	}
}

/*
 * ---- one chat completion
 *
 * Servers differ, and answer 400 or 422 to a request that they do not understand. What the endpoint
 * does not understand is left out, step by step (format and limit of struct openai), for the rest
 * of the task.
 */

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

/* Asks for one completion and adds to oa->usage. False if the endpoint failed and
 * openai_fail() was called. */
static bool
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

#define STEP_MAX ((size_t)2 * 1024 * 1024)
#define ASK_SHOWN_MAX ((size_t)8000) /* bytes of a useless answer, sent back */

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
	json_t *step = assignment_step(oa->assignment, q->step);
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

	while (len > ASK_SHOWN_MAX || (len > 0 && !utf8_valid(text, len)))
		len = len > ASK_SHOWN_MAX ? ASK_SHOWN_MAX : len - 1;
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

static bool
is_filled(struct jread *r, const char *text, size_t max)
{
	return openai_text_plain(r->c, text, max)[0] != '\0';
}

void
openai_check_filled(struct jread *r, json_t *object, const char *name, size_t max)
{
	const char *text = jread_text(r, object, name, JREAD_NEEDED, max);

	if (text != NULL && !is_filled(r, text, max))
		jread_refuse(r, name, "must not be empty.");
}

static json_t *
check_array(struct jread *r, json_t *object, const char *name, size_t min, size_t max)
{
	json_t *array = jread_array(r, object, name, JREAD_NEEDED, max);

	if (array != NULL && json_array_size(array) < min)
		jread_refuse(
		    r, name, "must have at least %zu element%s.", min, min == 1 ? "" : "s");
	return array;
}

void
openai_check_texts(
    struct jread *r, json_t *object, const char *name, size_t min, size_t max, size_t text_max)
{
	json_t *array = check_array(r, object, name, min, max);

	jread_enter(r, name);
	for (size_t i = 0; i < json_array_size(array); i++) {
		const char *text;
		jread_enter_element(r, i);
		text = jread_element_text(r, json_array_get(array, i), text_max);
		if (text != NULL && !is_filled(r, text, text_max))
			jread_refuse(r, NULL, "must not be empty.");
		jread_leave(r);
	}
	jread_leave(r);
}

void
openai_check_objects(
    struct jread *r, json_t *object, const char *name, size_t min, size_t max, openai_check *check)
{
	json_t *array = check_array(r, object, name, min, max);

	jread_enter(r, name);
	for (size_t i = 0; i < json_array_size(array); i++) {
		jread_enter_element(r, i);
		check(r, jread_element_object(r, json_array_get(array, i)));
		jread_leave(r);
	}
	jread_leave(r);
}
