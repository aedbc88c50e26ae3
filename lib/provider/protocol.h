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
 *		struct assignment assignment;
 *
 *		protocol_begin(&c, &arena, "provider-outline");
 *		protocol_read(&c, &assignment);
 *		protocol_stage(&c, "writing");
 *		…
 *		protocol_result_article(&c, &draft, &usage);
 *		return 0;
 *	}
 *
 * The last line is a result or an error. It must be written once: a line after it is a
 * BUG. If die() or BUG() ends the program before its last line, protocol.c writes an
 * error line and the program exits with 0; the text goes to standard error only. If the
 * reader of standard output is gone (the runner died), the process ends silently.
 *
 * lib/provider: what programs are made of that write what was ordered: the protocol, covers, the
 * built-in writer (outline/), a model's API (openai/). They never see the store. Not here: who
 * starts them (lib/job). Begin with protocol.h.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/ctx.h"
#include "base/jwrite.h"
#include "content/content.h"
#include "provider/assignment.h"

enum {
	PROTOCOL_MEMORY_MAX = 192 * 1024 * 1024, /* bytes of the arena */
	PROTOCOL_LINE_MAX = 8 * 1024 * 1024, /* bytes of one line */
	PROTOCOL_SENTENCE_MAX = 500 /* code points of an error */
};

/* the codes of docs/design.md §4.19 that a provider may use */
enum protocol_code {
	/* a service that the provider needs does not answer */
	PROTOCOL_UNAVAILABLE,
	PROTOCOL_REFUSED, /* the task cannot be met as it is */
	PROTOCOL_NOT_CONFIGURED, /* the operator must do something first */
	PROTOCOL_INVALID_OUTPUT, /* a model wrote nothing usable */
	PROTOCOL_TIMEOUT,
	PROTOCOL_INTERNAL
};

struct usage {
	int64_t input_tokens;
	int64_t output_tokens;
	int64_t images; /* how many were made, delivered or not */
};

/* An article as a provider delivers it. */
struct draft {
	const char *title; /* one line, 1 to 300 code points */
	/* meta description, one line, "" if there is none */
	const char *description;
	const char *slug; /* NULL: it is made from the title */
	const char *section; /* or NULL */
	const char **tags;
	size_t tag_count;
	const struct content *content;
	struct {
		/* name in the current directory; NULL: no image */
		const char *file;
		const char *alt;
		const char *caption; /* or NULL */
	} image;
};

/*
 * Must be the first call of main(). If GATEWAY_INTERFACE is set, it refuses to run as a
 * CGI program on standard error and exits with 2. Initialises the arena and the context
 * (without instance, settings and database), sets umask 077, ignores SIGPIPE and sends
 * the log to standard error. `program` must live as long as the process.
 */
void protocol_begin(struct ctx *c, struct arena *arena, const char *program);

/* Reads the task from standard input. A broken task ends the program with an error line
 * (internal_error, no further try) and exit status 0. */
void protocol_read(struct ctx *c, struct assignment *out);

/* Tells the stage of the work: "research", "outline", "writing", "image" or "checks"
 * (docs/design.md §4.19). Another name is a BUG. */
void protocol_stage(struct ctx *c, const char *stage);

/* Stores `json` as the output of step `name`, for assignment_step() of the next try. `json`
 * must be one whole value. */
void protocol_step(struct ctx *c, const char *name, const struct buf *json);

/* Write the last line: an article or a brief. */
void protocol_result_article(struct ctx *c, const struct draft *draft, const struct usage *usage);
void protocol_result_brief(struct ctx *c, const struct brief *brief, const struct usage *usage);

/* Writes the last line: an error. `retry` tells that the fault may pass and the runner
 * may try again. The customer reads the sentence: it must hold no addresses, no keys
 * and no output of a model. */
void protocol_error(struct ctx *c, enum protocol_code code, bool retry, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Writes a brief as a JSON object, for steps and prompts. assignment_brief() reads it. */
void protocol_brief(struct jwrite *w, const struct brief *brief);

#endif
