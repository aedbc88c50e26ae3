#ifndef PROVIDER_OPENAI_H
#define PROVIDER_OPENAI_H
/*
 * What the parts of provider-openai share while they work on one task: settings, the
 * key, the budget of time, and how a part fails. The program speaks to an
 * OpenAI-compatible endpoint.
 *
 * openai.c            settings, key, budget of time, failures; one request; one chat
 *                     completion, which leaves out what the endpoint lacks; one answer:
 *                     stored or asked, checked, asked again once
 * prompt.c            what the model is told, and the shapes that answers must have
 * model-text.c        makes text of Galley's of what the model wrote; the numbered sources, and
 *                     which of them were cited
 * openai-research.c, openai-article.c, image.c   the steps
 *
 * A function that can fail calls openai_fail() and returns false. Its caller returns
 * false, too, or goes on if the task can do without (the image). No part writes an
 * error line: bin/provider-openai does.
 *
 * Time: a try has deadline_s, less a margin for ending in good order. No request
 * takes more than a third of deadline_s.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/jread.h"
#include "net/http.h"
#include "provider/protocol.h"
#include "provider/assignment.h"
#include "system/conf.h"

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
	const struct assignment *assignment;
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
bool openai_open(struct openai *oa, struct ctx *c, const struct assignment *assignment);

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

/* Sends one request to the endpoint, again while that may help. */

struct openai_post {
	const char *path; /* below openai_url: "/chat/completions" */
	const struct buf *body;
	size_t answer_max; /* bytes */
	int tries; /* at least 1 */
};

/*
 * Posts with the key. After network faults, 408, 409, 425, 429 and 5xx it posts again,
 * after Retry-After or a growing pause, inside the budget.
 *
 * True with a 2xx answer (HTTP_ANSWERED or HTTP_TOO_LARGE), a 400 or a 422: the caller
 * reads these. False if openai_fail() was called.
 */
bool openai_post(struct openai *oa, const struct openai_post *post, struct http_answer *out);

/*
 * Checks of a model's answer, besides those of jread.h. The sentence of a refusal goes
 * back to the model, which gets one chance to fix its answer.
 */

/* A check refuses an answer that is of no use (jread_refuse()). */
typedef void openai_check(struct jread *r, json_t *answer);

/* Checks that a member is a text of at most `max` code points that is not empty without
 * its marks, HTML and citations. */
void openai_check_filled(struct jread *r, json_t *object, const char *name, size_t max);

/* Checks that a member is an array of `min` to `max` such texts. */
void openai_check_texts(
    struct jread *r, json_t *object, const char *name, size_t min, size_t max, size_t text_max);

/* Checks that a member is an array of `min` to `max` objects that pass `check`. */
void openai_check_objects(
    struct jread *r, json_t *object, const char *name, size_t min, size_t max, openai_check *check);

/*
 * One step of a task: a question to the model. The answer is a JSON object of a known
 * shape; it is stored, so that a later try need not ask again.
 */

struct openai_question {
	/* the name under which the answer is stored: "section-3" */
	const char *step;
	const char *name; /* name of the schema, letters only: "section" */
	const char *schema; /* of prompt.h */
	openai_check *check;
	const char *system;
	const char *user;
};

/*
 * Gets the answer: the stored one if it still passes the check, else a new one. It asks
 * once more if the new one is empty, cut off, not JSON or does not pass. The answer
 * lives in c->arena; its texts are fit to be stored. False if openai_fail() was called.
 */
bool openai_ask(struct openai *oa, const struct openai_question *question, json_t **out);

/*
 * Makes the brief of a topic: what an article about it should say, to whom, and which
 * of the workspace's own articles belong to it. Those are its only sources: the model
 * cannot look anything up, so it names none.
 */

/* Makes the brief (step "research"). False if openai_fail() was called. */
bool openai_research(struct openai *oa, struct brief *out);

/*
 * Writes an article: the outline, one call for each section, then what needs the
 * sections (summary, questions, description), then the checks. Its steps are "outline",
 * "section-1" …, "closing" and "checks".
 */
struct openai_article {
	struct draft draft; /* without image; its content was checked */
	const char *image_prompt; /* "" if the model gave none */
	const char *image_alt;
	const char *image_caption; /* or NULL */
};

/* Writes the article that `brief` describes. False if openai_fail() was called. */
bool openai_article(struct openai *oa, const struct brief *brief, struct openai_article *out);

/*
 * The cover: one picture from images/generations, as base64 or as an address. An
 * address is fetched with the same guards and without the key. An article is whole
 * without a cover, so nothing here fails the task.
 */

/*
 * Asks for the picture, at most twice, and writes it into the working directory.
 * Returns the name of the file; NULL without a model in the settings, a prompt, an
 * answer or a picture. Counts usage.images.
 */
const char *openai_image(struct openai *oa, const char *prompt);

#endif
