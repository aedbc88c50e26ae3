#ifndef PROVIDER_PROTOCOL_H
#define PROVIDER_PROTOCOL_H
/*
 * How a provider program answers: JSON lines on standard output (docs/design.md §5).
 *
 *	int
 *	main(void)
 *	{
 *		struct arena arena;
 *		struct ctx c;
 *		struct task task;
 *
 *		protocol_begin(&c, &arena, "provider-outline");
 *		protocol_read(&c, &task);
 *		protocol_stage(&c, "writing");
 *		…
 *		protocol_result_article(&c, &draft, &usage);
 *		return 0;
 *	}
 *
 * The last line is a result or an error. Both are written once: what comes
 * after one of them is a BUG. A program that dies (die(), BUG()) before its
 * last line answers with an error line of its own and exits 0; the text goes to
 * standard error only.
 * When standard output is gone (the runner died) the process ends silently.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/ctx.h"
#include "base/jwrite.h"
#include "content/content.h"
#include "provider/task.h"

enum {
	PROTOCOL_MEMORY_MAX = 192 * 1024 * 1024, /* bytes of the arena */
	PROTOCOL_LINE_MAX = 8 * 1024 * 1024, /* bytes of one line */
	PROTOCOL_SENTENCE_MAX = 500 /* code points of an error */
};

/* docs/design.md §4.19, the codes that a provider has a use for */
enum protocol_code {
	PROTOCOL_UNAVAILABLE, /* a service that it needs does not answer */
	PROTOCOL_REFUSED, /* the task cannot be met as it is */
	PROTOCOL_NOT_CONFIGURED, /* the operator has to do something first */
	PROTOCOL_INVALID_OUTPUT, /* what a model wrote is of no use */
	PROTOCOL_TIMEOUT,
	PROTOCOL_INTERNAL
};

struct usage {
	int64_t input_tokens;
	int64_t output_tokens;
	int64_t images; /* made, whether or not they are delivered */
};

/* An article as a provider delivers it. */
struct draft {
	const char *title; /* one line, 1 to 300 code points */
	const char *description; /* meta description, one line, "" for none */
	const char *slug; /* or NULL: made of the title */
	const char *section; /* or NULL */
	const char **tags;
	size_t tag_count;
	const struct content *content;
	struct {
		const char *file; /* in the scratch directory; NULL: no image */
		const char *alt;
		const char *caption; /* or NULL */
	} image;
};

/*
 * The first call of main(). Refuses to run as a CGI (GATEWAY_INTERFACE set):
 * says so on standard error and exits 2. Makes the arena and the context (no
 * instance, no configuration, no database), umask 077, ignores SIGPIPE, sends
 * the log to standard error. `program` must live as long as the process.
 */
void protocol_begin(struct ctx *c, struct arena *arena, const char *program);

/* Reads the task from standard input. One that is broken ends the program:
 * error line (internal_error, not to be tried again), exit 0. */
void protocol_read(struct ctx *c, struct task *out);

/* Says what is being done: "research", "outline", "writing", "image" or
 * "checks" (docs/design.md §4.19). Another name is a BUG. */
void protocol_stage(struct ctx *c, const char *stage);

/* Stores `json` (a whole value, from a jwrite) as the output of step `name`,
 * for task_step() of the next try. */
void protocol_step(struct ctx *c, const char *name, const struct buf *json);

/* The last line: an article, or a brief. */
void protocol_result_article(
    struct ctx *c, const struct draft *draft, const struct usage *usage);
void protocol_result_brief(
    struct ctx *c, const struct brief *brief, const struct usage *usage);

/* The last line: an error. `retry`: the fault may pass, try again later. The
 * sentence is shown to the customer: no addresses, no keys, no model output. */
void protocol_error(struct ctx *c, enum protocol_code code, bool retry,
    const char *format, ...) __attribute__((format(printf, 4, 5)));

/* Writes a brief as a JSON object, for steps and prompts; task_brief() reads
 * it back. */
void protocol_brief(struct jwrite *w, const struct brief *brief);

#endif
