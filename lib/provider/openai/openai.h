#ifndef PROVIDER_OPENAI_H
#define PROVIDER_OPENAI_H
/*
 * The provider that speaks to an OpenAI-compatible endpoint: what its parts
 * share, and how they fail.
 *
 * openai.c		configuration, budget of time, failures; the whole job
 * openai-post.c	one request, tried again inside the budget
 * openai-chat.c	one chat completion, down the ladder of capabilities
 * openai-ask.c		one step: stored or asked, checked, repaired once
 * openai-schema.c	the shapes that answers must have
 * openai-prompt.c	what the model is told; foreign text as quoted data
 * openai-text.c	what the model wrote, as text of ours
 * openai-source.c	the numbered sources, and what was cited of them
 * openai-research.c openai-article.c openai-image.c	the steps
 *
 * A function that can fail returns false after openai_fail() noted why; its
 * caller passes false up, or, where the job can do without (the image), goes
 * on. Nothing is printed on the way: openai_answer() writes the last line.
 *
 * Time: a try has deadline_s, less a margin for ending in good order. No
 * request takes more than a third of deadline_s.
 */
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "system/conf.h"
#include "net/http.h"
#include "provider/task.h"
#include "provider/protocol.h"

#define OPENAI_KEY_MAX 512 /* bytes of the key */

/* How the answer's form is asked for: from the surest way down. */
enum openai_format {
	OPENAI_SCHEMA, /* response_format json_schema */
	OPENAI_OBJECT, /* response_format json_object, schema in the prompt */
	OPENAI_PROMPT /* schema in the prompt alone */
};

/* How the answer's length is limited. */
enum openai_limit {
	OPENAI_COMPLETION_TOKENS, /* max_completion_tokens */
	OPENAI_TOKENS, /* max_tokens */
	OPENAI_UNLIMITED
};

struct openai {
	struct ctx *c;
	struct arena scratch; /* one request and its answer; reset by each */
	const struct task *task;
	struct conf conf;
	char key[OPENAI_KEY_MAX + 1]; /* wiped by openai_answer() */
	struct http *http;
	int64_t ends_at; /* clock_boot() after which nothing is begun */
	int64_t request_ms; /* the longest that one request may take */
	int64_t pause_ms; /* before a second try: a second, or less */
	enum openai_format format; /* as far down as this endpoint needs */
	enum openai_limit limit;
	struct usage usage;
	struct {
		enum protocol_code code;
		bool retry;
		const char *sentence;
	} failure; /* valid after a function returned false */
};

/* Does the whole job of a task; writes all its lines. */
void openai_answer(struct ctx *c, const struct task *task);

/* Notes a failure and returns false. The sentence is the customer's: no
 * address, no key, nothing that the endpoint said. */
bool openai_fail(struct openai *oa, enum protocol_code code, bool retry,
    const char *format, ...) __attribute__((format(printf, 4, 5)));

/* Milliseconds that are left, 0 when time is up. */
int64_t openai_left_ms(const struct openai *oa);

/* Waits, but not beyond the end of the budget. */
void openai_wait(const struct openai *oa, int64_t ms);

/* A context whose arena is the scratch one. */
struct ctx openai_scratch(struct openai *oa);

#endif
