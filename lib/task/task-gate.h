#ifndef TASK_TASK_GATE_H
#define TASK_TASK_GATE_H
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
#include <stdbool.h>

#include "base/ctx.h"

struct task;
struct workspace;

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
