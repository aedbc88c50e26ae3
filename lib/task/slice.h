#ifndef TASK_SLICE_H
#define TASK_SLICE_H
/*
 * One slice of one task (people/task.h): five seconds of work, in turn by account. Of the
 * heavy tasks of an account only the oldest gets slices. Before each step the person's rights
 * are looked at again; a person who lost them has no task any more.
 *
 * A kind is a row of slice_kinds and a function that does one step: a short piece of work that
 * is safe to repeat, and sets t->number to where the next step begins. A slice that is killed
 * is begun again where the last step ended; after SLICE_DEATHS of them the task has failed.
 *
 * Where several hosts share the store, a slice has a lease of its task (store/lease.h). One
 * that loses it, because it was stopped for too long, ends and changes nothing more.
 */
#include <stdbool.h>

#include "base/ctx.h"
#include "base/err.h"
#include "people/task.h"

struct workspace;

struct slice_kind {
	const char *name; /* NULL ends the table */
	bool heavy;
	/* Returns whether only another host can do it, because files that it needs are there; NULL:
	 * each host can. In a transaction of DB_CONSOLE. */
	bool (*is_elsewhere)(struct ctx *c, const struct task *t);
	bool beside; /* waits for strangers: its slices work beside all else, one at a time */
	unsigned rights; /* that each step needs, all of them, besides t->need */
	/* Does what needs a program, outside of the confinement of steps, or is NULL. *prepared:
	 * the steps may follow; else it is called again in the next slice. It is outside of
	 * transactions. */
	struct err *(*prepare)(struct ctx *c, struct task *t, bool *prepared);
	/* Does a step of the task in this workspace. *more: there are more steps. Sets
	 * t->number, t->done and t->total; *report of the last step is a sentence (arena).
	 * Runs outside of transactions. */
	struct err *(*step)(struct ctx *c, const struct workspace *w, struct task *t, bool *more,
	    const char **report);
};

/* The kinds, in slice-kinds.c. */
extern const struct slice_kind slice_kinds[];

#define VISITING_PAGES 200 /* of a website, in a task of "verify-pages": old and new ones alike */

/* Returns whether a task is open that can have a slice, of the kinds that work beside all else or
 * of the others. */
bool slice_is_due(struct ctx *c, bool beside);

/* Works one slice of the task whose turn it is. The content is open. First its kind may prepare
 * it; `confine` then gives up what no step needs, with no database open. */
void slice_run(struct ctx *c, bool beside, void (*confine)(struct ctx *c));

/*
 * Whether a task may go on: it is open, no other host has taken it over, its person has the rights
 * that it needs, and its account is not suspended (docs/console.md §1.3). It is looked at before
 * each step, and again by a gate (base/ctx.h) under the lock of each change of content that the
 * step makes.
 *
 * 	struct task_gate gate;
 * 	task_gate_init(&gate, w, t, rights);
 * 	c->gate = &gate.gate;
 * 	... changes of content ...
 * 	c->gate = NULL;
 * 	if (gate.lost) ...			a change did not pass: the next step finds why
 */
struct task_gate {
	struct gate gate; /* first: its function gets it */
	const struct workspace *w;
	const struct task *t;
	unsigned rights; /* besides t->need */
	bool lost; /* a change did not pass */
};

void task_gate_init(
    struct task_gate *g, const struct workspace *w, const struct task *t, unsigned rights);

/* Returns why the person may not do this any more, as a sentence, or NULL. In a transaction of
 * DB_CONSOLE. */
const char *task_gate_why(struct ctx *c, const struct task *t, unsigned rights);

#endif
