/* Checks folders, owners, modes, galley.conf, space and cron, for doctor.h. */
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stddef.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "access/pepper.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "base/fileio.h"
#include "doctor/doctor.h"
#include "start/owner.h"
#include "system/conf.h"
#include "system/conf/conf-address.h"
#include "system/conf/console-conf.h"
#include "system/disk.h"
#include "system/instance.h"

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

struct doctor_finding
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

struct doctor_finding
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

struct doctor_finding
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
struct doctor_finding
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

struct doctor_finding
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

struct doctor_finding
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
		    "the task runner did not begin, although cron runs the job runner: nothing is published at its date",
		    hint_say(c, "look into log/runner.log, and start the task runner once",
			HINT_TASK_RUNNER, c->instance->programs));
	return doctor_good("cron runs the job runner and the task runner");
}

struct doctor_finding
doctor_runner(struct ctx *c)
{
	const char *program = arena_printf(c->arena, "%s/bin/job-runner", c->instance->programs);
	const char *fix =
	    arena_printf(c->arena, "let cron run it every minute: * * * * * %s", program);
	struct stat st;
	int64_t ago;

	if (access(program, X_OK) != 0)
		return doctor_note("there is no job runner",
		    "generation needs bin/job-runner: make install again");
	if (stat(arena_printf(c->arena, "%s/runner.seen", c->instance->run), &st) != 0)
		return doctor_warn(
		    "cron has never run the job runner: no generation job is worked on", fix);
	ago = clock_now() - st.st_mtim.tv_sec * CLOCK_SECOND;
	if (ago > CRON_SILENT)
		return doctor_bad(arena_printf(c->arena,
				      "cron has not run the job runner for"
				      " %" PRId64 " minutes",
				      ago / CLOCK_SECOND / 60),
		    fix);
	return check_tasks(c);
}
