#ifndef JOB_PROVIDER_H
#define JOB_PROVIDER_H
/*
 * Runs a provider: a program that writes what was ordered (docs/design.md §5, "A
 * provider is a program"). It is given one JSON object on standard input and
 * answers in JSON lines; HACKING.md tells how to write one.
 *
 * The program is not trusted. It gets an empty environment, an empty folder, no
 * descriptor but 0, 1 and 2, limits on time, memory, output and the size of
 * files; it reads the system's programs and its own, and writes its folder
 * (system/harden.h says what a kernel must have for that). It runs in a session of its
 * own, and everything that it started is killed when the try ends, and with this
 * process, however that ends. It sees neither database nor keys nor credits, and what
 * it says is checked before anything is done with it.
 *
 * provider.c		one try, from start to end
 * provider-process.c	the process: start, killing whole
 * provider-places.c	the files that it sees
 * supervisor.c		limits and confinement; lets nothing outlive the try
 * provider-line.c	what one line says
 * provider-input.c	what it is told
 * scratch.c		its folder
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include <jansson.h>

#include "system/harden.h"
#include "job/job.h"
#include "job/price.h"
#include "job/scratch.h"

struct buf;

enum { /* of one try; beyond: invalid_output */
	PROVIDER_LINE_MAX = 8 * 1024 * 1024,   /* bytes of one line */
	PROVIDER_OUTPUT_MAX = 32 * 1024 * 1024, /* bytes of all lines */
	PROVIDER_LINES_MAX = 10000,
	PROVIDER_VALUES_MAX = 500000, /* JSON values of all lines */
	PROVIDER_STEPS_MAX = 8 * 1024 * 1024, /* bytes of all stored steps */
	PROVIDER_ARTICLES_MAX = 200
};

/* What is ordered of it. */
struct provider_order {
	const char *job_id; /* a UUID */
	enum job_kind kind;
	const char *topic;
	bool image;
	int64_t attempt;   /* from 1 */
	const char *brief; /* JSON object, or NULL */
	const char *steps; /* JSON object: what earlier tries stored */
	const struct workspace *workspace;
};

/* Who watches. Each returns false to end the try at once. */
struct provider_watch {
	void *arg;
	/* Asked whenever something happens, at least every 200 ms. */
	bool (*alive)(void *arg);
	bool (*stage)(void *arg, const char *stage);
	/* `steps` are all of them, the new one included; valid until the next
	 * call. */
	bool (*step)(void *arg, const char *name, const char *steps);
};

enum provider_end {
	PROVIDER_DONE,   /* result and usage */
	PROVIDER_FAILED, /* fault */
	PROVIDER_STOPPED /* the watcher wanted it */
};

struct provider_try {
	enum provider_end end;
	struct job_fault fault;
	json_t *result; /* the value of "result": not checked yet */
	struct price_usage usage;
	struct scratch scratch; /* with the files that the result names */
};

/*
 * Once, before the first try of a process: becomes the parent of whatever the
 * providers' processes leave behind, so that it can be killed too.
 */
void provider_init(void);

/*
 * Runs one try to its end; everything it started is dead then. In a transaction
 * of nobody: the watcher makes its own. `program` is an absolute path. The folder
 * stays until provider_close().
 */
void provider_run(struct ctx *c, const char *program,
    const struct provider_order *order, const struct provider_watch *watch,
    struct provider_try *out);

void provider_close(struct provider_try *try);

/* The program that galley.conf names: "outline" is bin/provider-outline. NULL:
 * it names none. In the arena. */
const char *provider_program(struct ctx *c);

/* ---- provider-input.c. Reads the database in transactions of its own. */

/* Appends the order as the JSON object that the program reads. */
void provider_input(struct ctx *c, const struct provider_order *order,
    int64_t deadline_s, struct buf *out);

/* ---- provider-line.c */

enum provider_line { LINE_STAGE, LINE_STEP, LINE_RESULT, LINE_ERROR };

struct provider_said {
	enum provider_line kind;
	const char *stage; /* a stage of docs/design.md §4.19, or NULL: ignore it */
	const char *step;  /* name */
	json_t *output;    /* of a step */
	json_t *result;
	struct price_usage usage;
	struct job_fault fault;
};

/* Reads one line; refused: what is wrong with it. */
MAY_REFUSE struct err *provider_line(struct ctx *c, const char *text,
    size_t len, struct provider_said *out);

/* ---- provider-places.c */

struct provider_places {
	struct harden_place *at; /* in the arena */
	size_t count;
};

/* The files that a program which works in `scratch` may read, start and write. */
void provider_places(struct ctx *c, const char *program, const char *scratch,
    struct provider_places *out);

/* ---- provider-process.c */

struct provider_process {
	pid_t pid; /* of the supervisor; 0: none */
	int in, out, err; /* our ends, non-blocking; -1: closed */
	int alive;        /* held open while it shall go on */
	int report;       /* its wait status, at the end */
	uint64_t mark;    /* of the scratch folder */
};

/* Starts the program in the folder, confined as far as this machine can; 0, or the
 * errno of what failed. */
int provider_process_start(struct ctx *c, const char *program,
    const struct scratch *scratch, int64_t seconds, struct provider_process *p);

/* Whether the program itself has ended, and all that it started. */
bool provider_process_ended(const struct provider_process *p);

/* Kills everything that is left, reaps it, closes the pipes. Returns the
 * program's wait status. */
int provider_process_kill(struct provider_process *p);

#endif
