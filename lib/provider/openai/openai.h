#ifndef PROVIDER_OPENAI_H
#define PROVIDER_OPENAI_H
/*
 * What the parts of provider-openai share while they work on one task: settings, the
 * key, the budget of time, and how a part fails. The program speaks to an
 * OpenAI-compatible endpoint.
 *
 * Each part includes this header, and only answer.c includes all parts:
 *
 * openai.c	settings, key, budget of time, failures
 * answer.c	the whole task: calls the steps and writes the last line
 * research.c article.c image.c		the steps
 * draft.c	makes the draft of the answers to an article's steps
 * section.c	makes one section of the content
 * ask.c	gets one answer: stored or asked, checked, asked again once
 * chat.c	sends one chat completion; leaves out what the endpoint lacks
 * post.c	sends one request; tries again while the budget allows
 * schema.c	the shapes that answers must have
 * prompt.c	what the model is told; foreign text as quoted data
 * check.c	checks of answers
 * text.c	makes text of Galley's of what the model wrote
 * html.c	the HTML in what the model wrote
 * source.c	the numbered sources, and which of them were cited
 *
 * A function that can fail calls openai_fail() and returns false. Its caller returns
 * false, too, or goes on if the task can do without (the image). No part writes an
 * error line: openai_answer() does.
 *
 * Time: a try has deadline_s, less a margin for ending in good order. No request
 * takes more than a third of deadline_s.
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
	char key[OPENAI_KEY_MAX + 1]; /* wiped by openai_close() */
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

/* Begins the work on a task: starts the budget of time, reads the settings and the
 * key. False if openai_fail() was called. Call openai_close() in both cases. */
bool openai_open(struct openai *oa, struct ctx *c, const struct task *task);

/* Wipes the key and frees the scratch memory. */
void openai_close(struct openai *oa);

/* Notes why the task fails, and returns false. The customer reads the sentence: it
 * must hold no address, no key and nothing that the endpoint said. */
bool openai_fail(struct openai *oa, enum protocol_code code, bool retry, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Returns the milliseconds that are left; 0 if the time is over. */
int64_t openai_left_ms(const struct openai *oa);

/* Waits `ms` milliseconds, but never beyond the end of the budget. */
void openai_wait(const struct openai *oa, int64_t ms);

/* Returns a context whose arena is the scratch arena. */
struct ctx openai_scratch(struct openai *oa);

#endif
