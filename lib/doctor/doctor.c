#include "doctor/doctor.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "access/pepper.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "base/fileio.h"
#include "base/uuid.h"
#include "notify/mail.h"
#include "notify/postman.h"
#include "people/person.h"
#include "start/owner.h"
#include "stats/logs.h"
#include "system/conf.h"
#include "system/disk.h"
#include "system/harden.h"
#include "system/instance.h"
#include "system/work.h"

/* ---- folders, owners, modes, galley.conf, space and cron */

#define MIB (INT64_C(1024) * 1024)
#define SPACE_LEAST (64 * MIB)
#define SPACE_LITTLE (256 * MIB)
#define LOG_MOST (64 * MIB)
#define CRON_SILENT (CLOCK_SECOND * 60 * 15)

struct doctor_finding
doctor_good(const char *message)
{
	return (struct doctor_finding) { DOCTOR_GOOD, message, NULL };
}

struct doctor_finding
doctor_note(const char *message, const char *fix)
{
	return (struct doctor_finding) { DOCTOR_NOTE, message, fix };
}

struct doctor_finding
doctor_warn(const char *message, const char *fix)
{
	return (struct doctor_finding) { DOCTOR_WARN, message, fix };
}

struct doctor_finding
doctor_bad(const char *message, const char *fix)
{
	return (struct doctor_finding) { DOCTOR_BAD, message, fix };
}

static const char *
in_home(struct ctx *c, const char *name)
{
	return arena_printf(c->arena, "%s/%s", c->instance->home, name);
}

static struct doctor_finding
missing(struct ctx *c, const char *path)
{
	return doctor_bad(arena_printf(c->arena, "%s: %s", path, strerror(errno)),
	    errno == ENOENT ? hint_say(c, "restore it from a backup", HINT_INSTALL, NULL)
			    : "see the owners and modes of the folders above it");
}

/* Returns whether galley fix corrects the path. It does so as the owner: as root,
 * chmod would follow a link. */
static bool
is_fixed(struct ctx *c, const char *path)
{
	const char *const kept[] = { in_home(c, "db"), c->instance->run, c->instance->log,
		conf_good_folder(c), c->instance->conf, in_home(c, "people"), in_home(c, "stats"),
		c->instance->media };
	size_t len;

	for (size_t i = 0; i < sizeof(kept) / sizeof(kept[0]); i++) {
		len = strlen(kept[i]);
		if (strncmp(path, kept[i], len) == 0 && (path[len] == '/' || path[len] == '\0'))
			return true;
	}
	return false;
}

/* Checks owner and mode of one path. */
static struct doctor_finding
check_path(struct ctx *c, const char *path, mode_t forbidden)
{
	struct stat st;

	if (lstat(path, &st) != 0)
		return missing(c, path);
	if (st.st_uid != geteuid())
		return doctor_bad(
		    arena_printf(c->arena, "%s belongs to %s", path, owner_name(c, st.st_uid)),
		    arena_printf(c->arena, "chown -h %s %s", owner_name(c, geteuid()), path));
	if ((st.st_mode & forbidden) != 0)
		return doctor_bad(
		    arena_printf(c->arena, "%s has mode %04o", path, (unsigned)st.st_mode & 07777),
		    is_fixed(c, path)
			? hint_say(c, "take the rights of others away", HINT_FIX, NULL)
			: arena_printf(c->arena, "chmod 600 %s", path));
	return doctor_good(path);
}

static struct doctor_finding
doctor_folders(struct ctx *c)
{
	const char *const paths[] = { in_home(c, "db"), c->instance->run, c->instance->log };
	const char *good = conf_good_folder(c);
	struct doctor_finding f;
	struct stat st;

	for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
		f = check_path(c, paths[i], 077);
		if (f.level != DOCTOR_GOOD)
			return f;
	}
	/* If it is missing, doctor_conf() says what that means. */
	f = lstat(good, &st) == 0 ? check_path(c, good, 077) : doctor_good("");
	if (f.level == DOCTOR_GOOD && lstat(in_home(c, "people"), &st) == 0)
		f = check_path(c, in_home(c, "people"), 077);
	if (f.level == DOCTOR_GOOD && lstat(in_home(c, "stats"), &st) == 0)
		f = check_path(c, in_home(c, "stats"), 077);
	if (f.level == DOCTOR_GOOD)
		f = check_path(c, c->instance->media, 022);
	if (f.level != DOCTOR_GOOD)
		return f;
	return doctor_good(arena_printf(c->arena,
	    "folders belong to %s; db, run, log and good are closed to others",
	    owner_name(c, geteuid())));
}

/* Tells of a fault in galley.conf, and what works in spite of it. */
static struct doctor_finding
faulty_conf(struct ctx *c, struct err *fault, struct conf *conf)
{
	bool good = conf_good(c, fault, conf) == NULL;

	c->conf = good ? conf : NULL;
	return doctor_bad(arena_printf(c->arena, "%s %s", fault->message,
			      good ? "The API goes on with the last good settings; no job is begun."
				   : "Every request is answered with 500."),
	    hint_say(c, "correct galley.conf", HINT_CONFIG_CHECK, NULL));
}

/* Tells of an address that a browser cannot open. A galley.conf with one is read as before. */
static struct doctor_finding
check_addresses(struct ctx *c)
{
	struct console_conf console;
	struct err *err;

	console_conf_read(c, &console);
	err = conf_address_check(c, "public_url", c->conf->public_url);
	if (err == NULL)
		err = conf_address_check(c, "console_url", console.url);
	if (err == NULL)
		err = conf_address_check(c, "pages_url", console.pages_url);
	if (err == NULL)
		return doctor_good("galley.conf can be read");
	return doctor_bad(arena_printf(c->arena, "galley.conf: %s", err->message),
	    hint_say(c, "set it to the address", HINT_CONFIG, "KEY=https://…"));
}

static struct doctor_finding
doctor_conf(struct ctx *c)
{
	struct conf *conf = arena_alloc(c->arena, sizeof(*conf));
	struct doctor_finding f = check_path(c, c->instance->conf, 077);
	struct err *err;
	struct stat st;

	err = conf_read_all(c, c->instance->conf, conf);
	if (err != NULL)
		return faulty_conf(c, err, conf);
	c->conf = conf;
	if (f.level != DOCTOR_GOOD)
		return f;
	conf_keep(c);
	if (lstat(conf_good_path(c), &st) != 0)
		return doctor_warn(
		    arena_printf(c->arena, "%s: %s: a fault of galley.conf would stop all requests",
			conf_good_path(c), strerror(errno)),
		    "as root: make install again, or setup; it makes the folder");
	return check_addresses(c);
}

/* c->conf is read after it,
						     or NULL */
static struct doctor_finding
doctor_secrets(struct ctx *c)
{
	const char *const files[] = { c->instance->pepper, c->instance->db,
		in_home(c, "db/galley.db-wal"), in_home(c, "db/galley.db-shm"),
		in_home(c, "run/keys.rl"), in_home(c, "log/operator.log"),
		in_home(c, "people/secret"), in_home(c, "people/console.db"),
		in_home(c, "people/console.db-wal"), in_home(c, "run/console/code.txt"),
		in_home(c, "log/sign-in.log"), in_home(c, "stats/stats.db") };
	struct doctor_finding f;
	struct stat st;

	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		/* Only the first two always exist. */
		if (i > 1 && lstat(files[i], &st) != 0)
			continue;
		f = check_path(c, files[i], 077);
		if (f.level != DOCTOR_GOOD)
			return f;
	}
	if (c->conf != NULL && c->conf->openai_key_file[0] != '\0') {
		f = check_path(c, c->conf->openai_key_file, 077);
		if (f.level != DOCTOR_GOOD)
			return f;
	}
	if (stat(c->instance->pepper, &st) == 0 && st.st_size != PEPPER_SIZE)
		return doctor_bad(
		    "the pepper is damaged: no key works", "restore it from a backup");
	return doctor_good("database, pepper and logs are the owner's alone");
}

/* Checks programs and their folders: suEXEC refuses those that others may write. */
static struct doctor_finding
doctor_programs(struct ctx *c)
{
	const char *folder = arena_printf(c->arena, "%s/cgi-bin", c->instance->programs);
	const struct dirent *entry;
	DIR *dir = opendir(folder);
	const char *path;
	struct stat st;
	int count = 0;

	if (dir == NULL)
		return missing(c, folder);
	while ((entry = readdir(dir)) != NULL) {
		path = arena_printf(c->arena, "%s/%s", folder, entry->d_name);
		if (strcmp(entry->d_name, "..") == 0 || stat(path, &st) != 0)
			continue;
		if ((st.st_mode & 022) != 0)
			break;
		if (S_ISREG(st.st_mode) && (st.st_mode & 0111) != 0)
			count++;
	}
	closedir(dir);
	if (entry != NULL)
		return doctor_bad(arena_printf(c->arena, "%s may be written by others", path),
		    arena_printf(c->arena, "chmod 755 %s", path));
	if (count == 0)
		return doctor_bad("cgi-bin has no program that may be run",
		    "make install again, or chmod 755 cgi-bin/*");
	return doctor_good("the programs in cgi-bin may be run");
}

static struct doctor_finding
doctor_space(struct ctx *c)
{
	const char *const places[] = { in_home(c, "db"), c->instance->run, c->instance->media };
	int64_t least = INT64_MAX, space;
	const char *where = "";

	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		space = disk_free(places[i]);
		if (space >= 0 && space < least) {
			least = space;
			where = places[i];
		}
	}
	if (least < SPACE_LEAST)
		return doctor_bad(
		    arena_printf(c->arena, "%s has %" PRId64 " MiB left", where, least / MIB),
		    "make room: below 64 MiB no job is begun, and a full disk stops all writing");
	if (least < SPACE_LITTLE)
		return doctor_warn(
		    arena_printf(c->arena, "%s has %" PRId64 " MiB left", where, least / MIB),
		    "make room soon: below 64 MiB no job is begun");
	return doctor_good(arena_printf(c->arena, "%" PRId64 " MiB are free", least / MIB));
}

static struct doctor_finding
doctor_log(struct ctx *c)
{
	struct stat st;

	if (stat(in_home(c, "db/galley.db-wal"), &st) != 0 || st.st_size < LOG_MOST)
		return doctor_good("the write-ahead log is short");
	return doctor_bad(arena_printf(c->arena, "the write-ahead log has %" PRId64 " MiB",
			      (int64_t)st.st_size / MIB),
	    hint_say(c,
		"a process holds an old state open: end old CGI, FastCGI or sqlite3 processes, then verify the data",
		HINT_VERIFY, NULL));
}

/* The job runner is started; the task runner, which it starts, must be, too. */
static struct doctor_finding
check_tasks(struct ctx *c)
{
	struct stat st;

	if (access(fileio_path(c->arena, c->instance->programs, "bin/task-runner"), X_OK) != 0)
		return doctor_bad("there is no task runner: nothing is published at its date",
		    "make install again");
	if (stat(fileio_path(c->arena, c->instance->run, "task-runner.seen"), &st) != 0 ||
	    clock_now() - st.st_mtim.tv_sec * CLOCK_SECOND > CRON_SILENT)
		return doctor_warn(
		    "the task runner did not begin, although the job runner does: nothing is published at its date",
		    hint_say(c, "look into log/runner.log, and start the task runner once",
			HINT_TASK_RUNNER, c->instance->programs));
	return doctor_good("the job runner and the task runner are started");
}

static struct doctor_finding
doctor_runner(struct ctx *c)
{
	const char *program = arena_printf(c->arena, "%s/bin/job-runner", c->instance->programs);
	const char *fix = arena_printf(
	    c->arena, "run galley-serve, or let cron run it every minute: * * * * * %s", program);
	struct stat st;
	int64_t ago;

	if (access(program, X_OK) != 0)
		return doctor_note("there is no job runner",
		    "generation needs bin/job-runner: make install again");
	if (stat(arena_printf(c->arena, "%s/runner.seen", c->instance->run), &st) != 0)
		return doctor_warn(
		    "the job runner was never started: no generation job is worked on", fix);
	ago = clock_now() - st.st_mtim.tv_sec * CLOCK_SECOND;
	if (ago > CRON_SILENT)
		return doctor_bad(arena_printf(c->arena,
				      "the job runner was not started for"
				      " %" PRId64 " minutes",
				      ago / CLOCK_SECOND / 60),
		    fix);
	return check_tasks(c);
}

/* ---- how this instance sends mails, and a test */

static const char *
command_of(struct ctx *c)
{
	struct console_conf own;

	console_conf_read(c, &own);
	return own.mail_command;
}

/* Looks at the program itself. False: *out says what is wrong. */
static bool
look_at_program(struct ctx *c, const char *path, struct doctor_finding *out)
{
	struct stat st;

	if (stat(path, &st) != 0 || !S_ISREG(st.st_mode) || access(path, X_OK) != 0)
		*out =
		    doctor_bad(arena_printf(c->arena, "mail_command: %s cannot be started", path),
			hint_say(c, "set mail_command to a program that is there, or to nothing",
			    HINT_CONFIG, "mail_command=…"));
	else if ((st.st_mode & 022) != 0 || (st.st_uid != 0 && st.st_uid != geteuid()))
		*out = doctor_bad(
		    arena_printf(c->arena, "mail_command: %s may be written by others", path),
		    arena_printf(c->arena,
			"chmod go-w %s, and let root or the owner of this instance own it", path));
	else
		return true;
	return false;
}

static struct doctor_finding
doctor_mail(struct ctx *c)
{
	const char *command = command_of(c), *fault;
	struct doctor_finding found;
	struct postman p;
	struct err *err;

	if (command[0] == '\0')
		return doctor_good("mail_command is not set: no mail is sent");
	err = postman_read(c, command, &p);
	if (err != NULL)
		return doctor_bad(err->message,
		    hint_say(c, "correct mail_command", HINT_CONFIG, "mail_command=…"));
	if (!look_at_program(c, p.words[0], &found))
		return found;
	if (c->conf == NULL || letter_console(c) == NULL)
		return doctor_warn("mail_command is set, and public_url is not: no mail is sent",
		    hint_say(c, "set public_url to the address of this instance", HINT_CONFIG,
			"public_url=https://…"));
	fault = mail_fault_read(c);
	if (fault != NULL)
		return doctor_warn(
		    arena_printf(c->arena, "the last mail could not be sent: %s", fault),
		    hint_say(c, "send a test, and see what happens", HINT_MAIL_TEST, NULL));
	return doctor_good(arena_printf(c->arena, "mails are sent by %s", p.words[0]));
}

struct err *
doctor_send_test(struct ctx *c, const char *address, const char **said)
{
	struct letter l = { .test = true, .path = "/" };
	char uuid[UUID_TEXT], why[POSTMAN_WHY];
	const char *login;
	struct postman p;
	struct err *err = person_read_email(c, address, &l.to, &login);

	if (err == NULL && command_of(c)[0] == '\0')
		err = err_hint(c, refuse(c, ERR_CONFLICT, "mail_command is not set."), HINT_CONFIG,
		    "mail_command=…");
	if (err == NULL)
		err = postman_read(c, command_of(c), &p);
	l.console = letter_console(c);
	if (err == NULL && l.console == NULL)
		err = err_hint(c, refuse(c, ERR_CONFLICT, "public_url is not set."), HINT_CONFIG,
		    "public_url=https://…");
	if (err != NULL)
		return err;
	uuid_random(uuid);
	l.uuid = uuid;
	l.from = p.from;
	c->now = clock_now();
	if (postman_send(c, &p, l.to, letter_write(c, &l), NULL, why) != POSTMAN_SENT)
		return refuse(c, ERR_UNAVAILABLE, "%s.", why);
	mail_fault_note(c, NULL);
	*said = arena_printf(
	    c->arena, "%s took a test for %s. Look whether it arrives.", p.words[0], l.to);
	return NULL;
}

/* ---- what requests.log tells, and what the kernel allows */

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

static struct doctor_finding
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

static struct doctor_finding
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
static struct doctor_finding
doctor_confinement(struct ctx *c)
{
	unsigned bits = 0;
	int status = 0;
	pid_t child = fork();

	(void)c;
	if (child == 0)
		_exit((int)harden_confine(NULL, 0, false));
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

static struct doctor_finding
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

/* ---- the order of the checks */

static const struct doctor_check on_disk[] = {
	{ "folders", doctor_folders },
	{ "galley.conf", doctor_conf },
	{ "secrets", doctor_secrets },
	{ "programs", doctor_programs },
	{ "space", doctor_space },
	{ "log", doctor_log }, /* before any check opens the database */
	{ NULL, NULL },
};
static const struct doctor_check programs[] = {
	{ "confinement", doctor_confinement },
	{ "provider", doctor_provider },
	{ NULL, NULL },
};
static const struct doctor_check work_done[] = {
	{ "runner", doctor_runner },
	{ "mail", doctor_mail },
	{ "requests", doctor_requests },
	{ "kept answers", doctor_kept },
	{ NULL, NULL },
};
static const struct doctor_check *const order[] = { on_disk, doctor_database, programs, doctor_web,
	work_done };

/* An upgrade asks what holds without a server, while the instance is stopped (tool_find()): to wait
 * for its public address would keep it stopped for minutes. */
static bool
is_asked(const struct doctor_check *list)
{
	return list != doctor_web || getenv("GALLEY_UPGRADE") == NULL;
}

static size_t
count_checks(void)
{
	size_t count = 0;

	for (size_t i = 0; i < sizeof(order) / sizeof(order[0]); i++)
		for (const struct doctor_check *k = order[i]; k->name != NULL; k++)
			count += k->run != NULL && is_asked(order[i]);
	return count;
}

static struct err *
run_list(struct ctx *c, const struct work *work, const struct doctor_check *list, size_t all,
    struct doctor_results *out)
{
	for (const struct doctor_check *k = list; k->name != NULL; k++) {
		struct doctor_result *r = &out->list[out->count];
		if (k->run == NULL)
			continue;
		if (work_must_stop(work))
			return work_stopped(c, "%zu of %zu checks were made.", out->count, all);
		r->check = k->name;
		r->finding = k->run(c);
		out->count++;
		if (r->finding.level > out->worst)
			out->worst = r->finding.level;
		work_step(work, 1);
	}
	return NULL;
}

struct err *
doctor_run(struct ctx *c, const struct work *work, struct doctor_results *out)
{
	size_t all = count_checks(), lists = sizeof(order) / sizeof(order[0]);
	struct err *err = NULL;

	*out = (struct doctor_results) {
		.list = arena_array(c->arena, all, sizeof(*out->list)),
		.worst = DOCTOR_GOOD,
	};
	work_begin(work, "Checking", WORK_PIECES, (int64_t)all);
	for (size_t i = 0; i < lists && err == NULL; i++)
		if (is_asked(order[i]))
			err = run_list(c, work, order[i], all, out);
	work_end(work);
	return err;
}
