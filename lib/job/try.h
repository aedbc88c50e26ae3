#ifndef JOB_TRY_H
#define JOB_TRY_H
/*
 * A try: one run of a provider for a job. A provider is a program that writes
 * what a customer ordered (docs/provider.md, docs/design.md §5). It reads one JSON
 * object, its task, on standard input and answers in JSON lines.
 *
 *	struct try try;
 *
 *	try_init();
 *	try_run(c, try_program(c), &task, &watch, &try);
 *	if (try.end == TRY_DONE)
 *		use(try.result, &try.usage);
 *	try_close(&try);
 *
 * The program is not trusted. It gets an empty environment, an empty folder, no
 * descriptor but 0, 1 and 2, and limits on time, memory, output and the size of
 * files. It may read the programs of the system and its own, and write in its
 * folder (system/harden.h says which kernels can enforce that). It runs in a session
 * of its own. Everything that it started is killed when the try ends, and when this
 * process ends in any way. It sees neither database nor keys nor credits, and its
 * answer is checked before it is used.
 *
 * try.c		one try, from start to end: writes the task, reads the lines of the answer
 * try-process.c	the process: starts it, and kills it with all that it started; the files
 *			that it may see; the supervisor between, which sets limits and lets nothing
 *			outlive the try
 * scratch.c		the folder of the try
 */
#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "job/job.h"
#include "job/scratch.h"
#include "system/harden.h"

enum { /* limits of one try; a provider that exceeds one failed: invalid_output */
	TRY_LINE_MAX = 8 * 1024 * 1024, /* bytes of one line */
	TRY_OUTPUT_MAX = 32 * 1024 * 1024, /* bytes of all lines */
	TRY_LINES_MAX = 10000,
	TRY_VALUES_MAX = 500000, /* JSON values of all lines */
	TRY_STEPS_MAX = 8 * 1024 * 1024, /* bytes of all stored steps */
	TRY_ARTICLES_MAX = 200
};

/* What the provider is asked to do in this try. The program reads it as struct task
 * (provider/assignment.h); what the customer ordered is struct job_order (job.h). */
struct try_task {
	const char *job_id; /* a UUID */
	enum job_kind kind;
	const char *topic;
	bool image;
	int64_t attempt; /* from 1 */
	const char *brief; /* JSON object, or NULL */
	const char *steps; /* JSON object: what earlier tries stored */
	const struct workspace *workspace;
};

/* What the caller does while a try runs. A callback ends the try at once when it
 * returns false. */
struct try_watch {
	void *arg;
	/* Called whenever something happens, at least every 200 ms. */
	bool (*alive)(void *arg);
	bool (*stage)(void *arg, const char *stage);
	/* `steps` holds all steps, the new one included; it is valid until the
	 * next call. */
	bool (*step)(void *arg, const char *name, const char *steps);
};

enum try_end {
	TRY_DONE, /* result and usage are set */
	TRY_FAILED, /* fault is set */
	TRY_STOPPED /* a callback returned false */
};

struct
try {
	enum try_end end;
	struct job_fault fault;
	json_t *result; /* the value of "result", not checked yet */
	struct price_usage usage;
	struct scratch scratch; /* holds the files that the result names */
};

/* Makes this process the parent of all processes that providers leave behind, so that
 * they can be killed, too. Call it once, before the first try of a process. */
void try_init(void);

/*
 * Runs one try to its end. Everything that it started is dead when this function
 * returns. Call it outside a transaction; the callbacks open their own. `program` is
 * an absolute path. The folder stays until try_close().
 */
void try_run(struct ctx *c, const char *program, const struct try_task *task,
    const struct try_watch *watch, struct try *out);

/* Removes the folder of the try. */
void try_close(struct try *try);

/* Returns the path of the program that galley.conf names, in the arena; the name
 * "outline" means bin/provider-outline. NULL if galley.conf names none. */
const char *try_program(struct ctx *c);

/* ---- the answer */

enum try_line { LINE_STAGE, LINE_STEP, LINE_RESULT, LINE_ERROR };

struct try_said {
	enum try_line kind;
	/* of docs/design.md §4.19; NULL for an unknown one: ignore it */
	const char *stage;
	const char *step; /* its name */
	json_t *output; /* of a step */
	json_t *result;
	struct price_usage usage;
	struct job_fault fault;
};

/* Reads one line. The refusal says what is wrong with the line. */
MAY_REFUSE struct err *try_line(struct ctx *c, const char *text, size_t len, struct try_said *out);

/* ---- the files that the program may see */

struct try_places {
	struct harden_place *at; /* in the arena */
	size_t count;
};

/* Lists the files that `program` may read, start and write when it works in the
 * folder `scratch`. */
void try_places(struct ctx *c, const char *program, const char *scratch, struct try_places *out);

/* ---- the process */

struct try_process {
	pid_t pid; /* of the supervisor; 0: none */
	int in, out, err; /* our ends of the pipes, non-blocking; -1: closed */
	int alive; /* open while the provider may go on */
	int report; /* gives the wait status of the provider at its end */
	uint64_t mark; /* of the scratch folder */
};

/* Starts the program in the folder, confined as far as this machine can confine it.
 * Returns 0, or the errno of the call that failed. */
int try_process_start(struct ctx *c, const char *program, const struct scratch *scratch,
    int64_t seconds, struct try_process *p);

/* Whether the program and everything that it started have ended. */
bool try_process_ended(const struct try_process *p);

/* Kills everything that is left, reaps it and closes the pipes. Returns the wait
 * status of the program. */
int try_process_kill(struct try_process *p);

#endif
