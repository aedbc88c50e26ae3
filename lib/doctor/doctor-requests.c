/* Checks what requests.log tells and what the kernel allows, for doctor.h. */
#include <errno.h>
#include <inttypes.h>
#include <stddef.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "doctor/doctor.h"
#include "logs/logs.h"
#include "system/conf.h"
#include "system/harden.h"
#include "system/instance.h"

#define LOG_LAST (INT64_C(16) * 1024 * 1024) /* bytes of the log that are read */
#define HOUR (3600 * CLOCK_SECOND)

struct tally {
	struct ctx *c;
	struct arena *scratch;
	int64_t after; /* only failures after this time count */
	int64_t gets; /* GETs with a good key */
	int64_t kept;
	int64_t failures; /* answers of 500 and above */
	const char *last; /* the id of the last of them, in c's arena */
};

static void
count(void *arg, const char *line, size_t len)
{
	struct tally *t = arg;
	struct arena *mine = t->c->arena;
	struct logs_request r;
	int64_t at;

	t->c->arena = t->scratch;
	if (logs_parse(t->c, line, len, &r)) {
		bool get = strcmp(r.method, "GET") == 0 && r.key != 0;
		t->gets += get;
		t->kept += get && r.kept;
		if (r.status >= 500 && clock_parse(r.at, &at) && at >= t->after) {
			t->failures++;
			t->last = arena_text(mine, r.id);
		}
	}
	t->c->arena = mine;
	arena_reset(t->scratch);
}

/* Reads the end of the log. Returns false if there is no log. */
static bool
read_log(struct ctx *c, struct tally *t)
{
	const char *path = arena_printf(c->arena, "%s/requests.log", c->instance->log);
	struct arena scratch;
	const char *wrong;

	memset(t, 0, sizeof(*t));
	arena_init(&scratch, (size_t)1024 * 1024);
	t->c = c;
	t->scratch = &scratch;
	t->after = clock_now() - HOUR;
	wrong = logs_read(c, path, LOG_LAST, count, t);
	arena_release(&scratch);
	return wrong == NULL;
}

struct doctor_finding
doctor_requests(struct ctx *c)
{
	struct tally t;

	if (!read_log(c, &t))
		return doctor_good("no request has come yet");
	if (t.failures == 0)
		return doctor_good("no request failed in the last hour");
	return doctor_warn(arena_printf(c->arena,
			       "%" PRId64 " request%s of the last hour"
			       " failed (5xx)",
			       t.failures, t.failures == 1 ? "" : "s"),
	    hint_say(c, "look for the cause in log/requests.log", HINT_EXPLAIN, t.last));
}

struct doctor_finding
doctor_kept(struct ctx *c)
{
	struct tally t;

	if (c->conf != NULL && c->conf->kept_answers == 0)
		return doctor_note(
		    "kept answers are off", "kept_answers in galley.conf turns them on");
	if (!read_log(c, &t) || t.gets == 0)
		return doctor_good("no answer was needed yet");
	return doctor_good(arena_printf(c->arena,
	    "%" PRId64 " of the last %" PRId64 " answers to GET were kept ones"
	    " (%" PRId64 " %%)",
	    t.kept, t.gets, t.kept * 100 / t.gets));
}

/* Checks the confinement: a child applies everything that the kernel offers, and
 * reports. */
struct doctor_finding
doctor_confinement(struct ctx *c)
{
	unsigned bits = 0;
	int status = 0;
	pid_t child = fork();

	(void)c;
	if (child == 0)
		_exit((int)harden_confine(NULL, 0));
	while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
		continue;
	if (child > 0 && WIFEXITED(status))
		bits = (unsigned)WEXITSTATUS(status);
	if (bits == (HARDEN_FILES | HARDEN_CALLS))
		return doctor_good(
		    "programs are confined to the instance's files, and to few system calls");
	return doctor_note(
	    (bits & HARDEN_CALLS) != 0
		? "this kernel has no Landlock: programs are not confined to the instance's files"
	    : (bits & HARDEN_FILES) != 0
		? "this host allows no seccomp filter: system calls are not confined"
		: "this host allows neither Landlock nor seccomp: programs are not confined",
	    "nothing must be done; Linux 5.13 and newer has both");
}

struct doctor_finding
doctor_provider(struct ctx *c)
{
	unsigned bits = harden_stranger_possible();
	const char *lacks = harden_stranger_lacks(bits);
	bool own = c->conf == NULL || c->conf->provider[0] != '/';

	if (lacks == NULL)
		return doctor_good(
		    "a provider is confined to its own files, and reaches no other program");
	/* Galley's own providers need none of it. */
	if (own || (bits & HARDEN_FILES) != 0)
		return doctor_note(lacks,
		    "nothing must be done for a provider that you trust; a newer kernel has it");
	return doctor_warn(lacks, "use only a provider that you trust, or a newer kernel");
}
