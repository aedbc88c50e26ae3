#ifndef JOB_TRIAL_H
#define JOB_TRIAL_H
/*
 * Runs the provider of galley.conf once, as the job runner does, without job, credits and
 * article: what `galley provider test` and "Test the provider" do. It may take as long as
 * provider_timeout_s says.
 *
 *	struct trial t = { .kind = JOB_ARTICLE, .workspace = w, .told = print, .alive = go_on };
 *
 *	err = trial_program(c, &t.program);
 *	trial_run(c, &t);
 *	if (t.error == NULL) ...		t.result, t.try.usage
 *	trial_close(&t);
 */
#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "job/result.h"
#include "job/try.h"

struct trial {
	/* What is asked. */
	const char *program;
	enum job_kind kind;
	bool image; /* a cover, too, of an article */
	const char *topic; /* NULL: what readers ask most often */
	struct workspace *workspace; /* for which is written */
	/* Is told of each stage and step (`what`), and when it came. */
	void (*told)(void *arg, const char *what, const char *name, int64_t ms);
	bool (*alive)(void *arg); /* false ends it; or NULL */
	void *arg;

	/* What became of it. */
	bool stopped; /* by `alive` */
	int64_t ms;
	const char *error; /* the first fault as a sentence, or NULL */
	const char *code; /* of the fault */
	struct job job; /* it is in memory only */
	struct try try;
	struct result result;
	int64_t began_at; /* boot clock */
};

/* Returns the program that galley.conf names. Refuses while galley.conf has a fault: the program
 * to run never comes from the last good settings; and where none is named. */
MAY_REFUSE struct err *trial_program(struct ctx *c, const char **program);

/* Runs it to its end. Outside of transactions; the content is open. */
void trial_run(struct ctx *c, struct trial *t);

/* Removes what it left. */
void trial_close(struct trial *t);

#endif
