#include "provider/openai/post.h"

#include <string.h>

#include "base/log.h"
#include "base/uuid.h"

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
