#include "task/notifier.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "action/person/mailing.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "base/fileio.h"
#include "base/log.h"
#include "notify/mail.h"
#include "notify/ping.h"
#include "notify/postman.h"
#include "people/secret.h"
#include "store/db.h"
#include "system/conf.h"
#include "system/instance.h"
#include "system/work.h"

/* ---- pings */

#define LONG (600 * CLOCK_SECOND) /* a child of a run that has no end */
#define SHORT (2 * CLOCK_SECOND) /* for the first child of a run */

bool
notifier_has_pings(struct ctx *c)
{
	struct ping_list all;

	ping_read(c, &all);
	return ping_is_due(c, &all);
}

static bool
must_stop(void)
{
	return stop_signal() != 0;
}

_Static_assert(NOTIFIER_PING_LAST > PINGER_SECONDS * CLOCK_SECOND, "a ping ends in this time");

void
notifier_send_pings(struct ctx *c, void (*confine)(struct ctx *c), int64_t until)
{
	struct pinger *p = pinger_open(c);

	confine(c);
	db_open(c, DB_WAIT_TOOL_MS);
	pinger_run(c, p, until, must_stop);
	db_close(c);
	pinger_close(p);
	_exit(0);
}

enum child { CHILD_NONE, CHILD_WORKS, CHILD_DONE, CHILD_DIED };

/* Looks at the child, which is no more if it has ended. */
static enum child
look(struct notifier *t, int *deaths)
{
	int status;

	if (t->child == 0)
		return CHILD_NONE;
	if (waitpid(t->child, &status, WNOHANG) != t->child)
		return CHILD_WORKS;
	t->child = 0;
	if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
		return CHILD_DONE;
	++*deaths;
	log_line("a child that tells ended with status %d", status);
	return CHILD_DIED;
}

void
notifier_start(
    struct ctx *c, struct notifier *t, void (*confine)(struct ctx *c), int64_t ends_at, int *deaths)
{
	int64_t now = clock_boot();
	int64_t until = ends_at != 0 ? ends_at - t->last : now + LONG;
	pid_t own = getpid();

	if (!t->began && until < now + SHORT)
		until = now + SHORT;
	if (look(t, deaths) == CHILD_WORKS || now >= until)
		return;
	t->began = true;
	t->child = fork();
	if (t->child == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (getppid() != own)
			_exit(1);
		t->run(c, confine, until);
		_exit(1);
	}
	if (t->child < 0) {
		log_line("fork: %s", strerror(errno));
		t->child = 0;
	}
}

bool
notifier_wait(struct notifier *t, int *deaths)
{
	const struct timespec pause = { 0, 20 * 1000 * 1000 };
	enum child child;

	/* A signal that comes just before a wait that blocks would not end it. */
	while ((child = look(t, deaths)) == CHILD_WORKS) {
		if (stop_signal() != 0)
			(void)kill(t->child, SIGTERM);
		nanosleep(&pause, NULL);
	}
	return child == CHILD_DONE;
}

/* ---- mails */

#define EVERY (300 * CLOCK_SECOND)

static const char *
looked_file(struct ctx *c)
{
	return fileio_path(c->arena, c->instance->run, "console/mailed");
}

/* Returns whether it is time to look for what is to be told. */
static bool
is_time(struct ctx *c)
{
	const char *text = fileio_read_now(c->arena, looked_file(c), CLOCK_TEXT, NULL);
	int64_t at, now = clock_now();

	return text == NULL || !clock_parse(text, &at) || at > now || at < now - EVERY;
}

/* On a host whose console nobody has used yet the folder is not there. */
static void
note_time(struct ctx *c)
{
	char now[CLOCK_TEXT];

	clock_format(now, clock_now());
	if (!fileio_make_folder(fileio_folder(c->arena, looked_file(c)), 0700) ||
	    !fileio_replace(c->arena, looked_file(c), now, strlen(now), 0600))
		log_line("%s: %s", looked_file(c), strerror(errno));
}

/* Reads mail_command. */
static struct err *
read_postman(struct ctx *c, struct postman *out)
{
	struct console_conf own;

	console_conf_read(c, &own);
	return postman_read(c, own.mail_command, out);
}

/* A command that cannot be started is told each time that is looked. */
bool
notifier_has_mails(struct ctx *c, bool now)
{
	struct postman postman;

	if (!secret_exists(c) || !mailing_is_on(c))
		return false;
	if (now)
		(void)unlink(looked_file(c));
	return is_time(c) || (read_postman(c, &postman) == NULL && mail_is_due(c));
}

/* Sends one mail. No database is open. Returns how its try ended. */
static enum mail_outcome
send(struct ctx *c, const struct postman *postman, const struct mail *m, const struct mailing *to)
{
	static const enum mail_outcome outcomes[] = { [POSTMAN_SENT] = MAIL_SENT,
		[POSTMAN_FAILED] = MAIL_FAILED,
		[POSTMAN_UNKNOWN] = MAIL_UNKNOWN };
	const struct letter l = { .kind = m->kind,
		.uuid = m->uuid,
		.to = to->email,
		.from = postman->from,
		.language = to->person->language,
		.console = letter_console(c),
		.path = to->path };
	char why[POSTMAN_WHY];
	enum postman_result result =
	    postman_send(c, postman, to->email, letter_write(c, &l), must_stop, why);

	mail_fault_note(c, result == POSTMAN_SENT ? NULL : why);
	if (result != POSTMAN_SENT)
		log_line("mail %s: %s", m->uuid, why);
	return outcomes[result];
}

/* Works on the mail that is due. False if there is none. */
static bool
work(struct ctx *c, const struct postman *postman)
{
	struct mailing to;
	struct mail m;
	enum mail_outcome outcome = MAIL_ENDED;
	bool wanted, begun;

	db_open(c, DB_WAIT_TOOL_MS);
	if (!mail_next(c, &m)) {
		db_close(c);
		return false;
	}
	wanted = mailing_read(c, &m, &to);
	begun = wanted && mail_begin(c, &m) && mail_is_last_try(c, &m);
	db_close(c);
	if (begun)
		outcome = send(c, postman, &m, &to);
	if (begun || !wanted) {
		db_open(c, DB_WAIT_TOOL_MS);
		mail_end(c, &m, outcome);
		db_close(c);
	}
	return true;
}

static void
gather(struct ctx *c, int64_t until)
{
	if (!is_time(c))
		return;
	note_time(c);
	db_open(c, DB_WAIT_TOOL_MS);
	mailing_gather(c, until, must_stop);
	db_close(c);
}

static void
run(struct ctx *c, int64_t until)
{
	struct postman postman;
	struct err *err = read_postman(c, &postman);

	if (err != NULL) {
		mail_fault_note(c, err->message);
		log_line("%s", err->message);
		note_time(c);
		return;
	}
	gather(c, until);
	while (!must_stop() && clock_boot() < until && work(c, &postman))
		continue;
}

/* It is not confined: it starts the operator's program (notify/postman.h). */
_Noreturn void
notifier_send_mails(struct ctx *c, void (*confine)(struct ctx *c), int64_t until)
{
	(void)confine;
	run(c, until);
	_exit(0);
}
