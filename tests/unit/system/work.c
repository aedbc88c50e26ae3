/* suite: fast */
#include "system/work.h"

#include <string.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "tests/tap.h"

/* What the caller of a work was told. */
struct heard {
	char sentence[64];
	char what[16];
	int64_t total, done;
	int ended, asked;
	int stop_after; /* steps; 0: never */
};

static void
tell(void *arg, const char *sentence)
{
	struct heard *heard = arg;

	strncpy(heard->sentence, sentence, sizeof(heard->sentence) - 1);
}

static void
begin(void *arg, const char *what, enum work_unit unit, int64_t total)
{
	struct heard *heard = arg;

	(void)unit;
	strncpy(heard->what, what, sizeof(heard->what) - 1);
	heard->total = total;
}

static void
step(void *arg, int64_t n)
{
	struct heard *heard = arg;

	heard->done += n;
}

static void
end(void *arg)
{
	struct heard *heard = arg;

	heard->ended++;
}

static bool
must_stop(void *arg)
{
	struct heard *heard = arg;

	heard->asked++;
	return heard->stop_after > 0 && heard->done >= heard->stop_after;
}

/* A work of five steps. */
static struct err *
run(struct ctx *c, const struct work *work)
{
	struct err *err = NULL;

	work_begin(work, "Counting", WORK_PIECES, 5);
	for (int i = 0; i < 5 && err == NULL; i++) {
		if (work_must_stop(work))
			err = work_stopped(c, "%d of 5 are counted.", i);
		else
			work_step(work, 1);
	}
	work_tell(work, "that was %s.", "it");
	work_end(work);
	return err;
}

static void
the_caller_hears_everything(struct ctx *c)
{
	struct heard heard = { .stop_after = 0 };
	const struct work work = { .tell = tell,
		.begin = begin,
		.step = step,
		.end = end,
		.must_stop = must_stop,
		.arg = &heard };

	ok(run(c, &work) == NULL, "a work that need not stop ends well");
	is_text(heard.what, "Counting", "the caller hears what it does");
	is_int(heard.total, 5, "how many steps there are");
	is_int(heard.done, 5, "each step");
	is_int(heard.ended, 1, "the end of it");
	is_int(heard.asked, 5, "and is asked before each step");
	is_text(heard.sentence, "that was it.", "a sentence is formatted");
}

static void
a_work_stops_between_two_steps(struct ctx *c)
{
	struct heard heard = { .stop_after = 2 };
	const struct work work = { .step = step, .must_stop = must_stop, .arg = &heard };
	struct err *err = run(c, &work);

	ok(err != NULL && work_is_stopped(err), "a work that must stop refuses");
	is_text(err->message, "stopped: 2 of 5 are counted.", "and says where it stopped");
	is_int(heard.done, 2, "no step follows");
	ok(!work_is_stopped(refuse(c, ERR_CONFLICT, "stopped: by a fault")),
	    "another refusal is no stop, whatever it says");
}

static void
a_caller_may_listen_to_nothing(struct ctx *c)
{
	const struct work work = { .tell = NULL };

	ok(run(c, &work) == NULL, "a work runs without a listener");
}

int
main(void)
{
	struct arena arena;
	struct ctx c = { .arena = &arena, .request_id = "" };

	arena_init(&arena, (size_t)1 << 20);
	the_caller_hears_everything(&c);
	a_work_stops_between_two_steps(&c);
	a_caller_may_listen_to_nothing(&c);
	return done_testing();
}
