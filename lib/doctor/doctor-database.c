/* Checks the database, its server, its clocks and the stored pictures (doctor.h). This is done in a
 * child process, because a fault of the store ends the process that meets it. */
#include <errno.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "access/live.h"
#include "access/workspace.h"
#include "article/media.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "base/fileio.h"
#include "base/log.h"
#include "base/uuid.h"
#include "doctor/doctor.h"
#include "people/secret.h"
#include "store/db.h"
#include "store/hosts.h"
#include "store/lease.h"
#include "store/migrate.h"
#include "store/remote-store.h"
#include "store/schemas.h"
#include "store/server.h"
#include "system/disk.h"
#include "system/instance.h"

#define SAID_MAX 4096
#define PICTURES_READ (INT64_C(128) * 1024 * 1024) /* bytes that one check reads */
#define AHEAD_MOST (CLOCK_SECOND * 60 * 6) /* the same as the runner's (docs/design.md §3) */

/* Looks at people/console.db, if the instance has people. */
static void
look_at_people(struct ctx *c)
{
	const char *path = db_console_path(c), *complaint;
	struct err *err;
	int64_t version;

	if (!secret_exists(c))
		return;
	complaint = db_file_complaint(c, path, true);
	if (complaint != NULL)
		die("%s is damaged: %s", path, complaint);
	err = migrate_compare_console(c, path);
	if (err != NULL)
		die("%s", err->message);
	version = migrate_number(c, DB_CONSOLE);
	if (version != schemas_number(DB_CONSOLE))
		die("%s is of schema %" PRId64 " and this program of %" PRId64, path, version,
		    schemas_number(DB_CONSOLE));
}

/* Looks at stats/stats.db, if the instance has counts. */
static void
look_at_counts(struct ctx *c)
{
	const char *path = db_file_of(c, DB_STATS), *complaint = NULL;

	if (access(path, F_OK) == 0)
		complaint = db_file_complaint(c, path, true);
	if (complaint != NULL && lease_is_shared())
		die("the counts of readers are damaged: %s: docs/several-hosts.md §9 says what to do",
		    complaint);
	if (complaint != NULL)
		die("%s is damaged: %s: remove the files in stats/, and the counts begin again",
		    path, complaint);
}

/* Runs in the child: writes what is wrong to standard error, and exits with 1. */
static void
look(struct ctx *c)
{
	const char *network = disk_network(c->instance->run);
	const char *complaint;
	struct err *err;
	int64_t version;

	db_open(c, DB_WAIT_READ_MS);
	if (!db_is_ours(c))
		die("%s is no database of Galley", c->instance->db);
	version = db_version(c);
	if (version != schemas_number(DB_CONTENT))
		die("the database is of schema %" PRId64 " and this program of"
		    " %" PRId64,
		    version, schemas_number(DB_CONTENT));
	complaint = db_complaint(c, true);
	if (complaint != NULL)
		die("the database is damaged: %s: %s", complaint,
		    lease_is_shared() ? "docs/several-hosts.md §9 says what to do"
				      : "restore a backup");
	/* Builds before the first release had other tables with its number. */
	err = migrate_compare(c, c->instance->db, version);
	if (err != NULL)
		die("%s", err->message);
	if (network != NULL && db_is_write_ahead(c))
		die("the database has a write-ahead log on %s, which loses data: move the instance to a local disk",
		    network);
	look_at_people(c);
	look_at_counts(c);
	db_close(c);
}

/* Returns what the child wrote, without the name of the program before it. */
static const char *
clean(struct ctx *c, const char *said)
{
	if (strncmp(said, "galley: ", 8) == 0)
		said += 8;
	return arena_text_n(c->arena, said, strcspn(said, "\n"));
}

/* Runs in the child: looks for a workspace whose clock is ahead of the machine's. */
static void
check_clock(struct ctx *c, const struct workspace *w)
{
	int64_t ahead = w->clock - c->now;

	if (ahead > AHEAD_MOST)
		die("the machine's clock is %" PRId64 " minutes behind the last"
		    " change of workspace %s: it was ahead before, or is set"
		    " back now",
		    ahead / CLOCK_SECOND / 60, w->uuid);
}

static void
look_at_clocks(struct ctx *c)
{
	const struct workspace *w;

	db_open(c, DB_WAIT_READ_MS);
	db_begin_read(c, DB_CONTENT);
	for (struct stmt *q = workspace_list(c); (w = workspace_next(c, q)) != NULL;)
		check_clock(c, w);
	db_commit(c);
	db_close(c);
}

static _Noreturn void
look_apart(struct ctx *c, void (*step)(struct ctx *c), int out)
{
	dup2(out, STDERR_FILENO);
	step(c);
	_exit(0);
}

const char *
doctor_ask_child(struct ctx *c, void (*step)(struct ctx *c))
{
	const char *said;
	int ends[2], status = -1;
	pid_t child;

	if (pipe(ends) != 0)
		die("pipe: %s", strerror(errno));
	fflush(stdout);
	child = fork();
	if (child == 0)
		look_apart(c, step, ends[1]);
	close(ends[1]);
	said = fileio_read_fd(c->arena, ends[0], SAID_MAX, NULL);
	close(ends[0]);
	while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	if (status == 0)
		return NULL;
	return said != NULL && said[0] != '\0' ? clean(c, said)
					       : "the database cannot be looked at";
}

static struct doctor_finding
find_database(struct ctx *c)
{
	const char *said = doctor_ask_child(c, look);

	if (said == NULL)
		return doctor_good("the database is whole and of this release");
	if (strstr(said, " is of schema ") != NULL)
		return doctor_bad(
		    said, hint_say(c, "migrate, or install the release that belongs to it",
			      HINT_MIGRATE_NOW, NULL));
	return doctor_bad(said, db_has_hosts()
				    ? "see what is said, and the check of the server"
				    : hint_say(c, "see what is said", HINT_RESTORE, NULL));
}

static struct doctor_finding
find_clock(struct ctx *c)
{
	const char *said = doctor_ask_child(c, look_at_clocks);

	if (said == NULL)
		return doctor_good("the clock is not behind the last change");
	if (strncmp(said, "the machine's clock", 19) != 0)
		return doctor_note("not known while the database cannot be asked",
		    "see the check of the database");
	return doctor_warn(said,
	    "see that the clock is right (timedatectl), and let NTP keep it: changes are announced in order all the same");
}

#define QUIET "this instance is quiet"

static void
look_at_live(struct ctx *c)
{
	int64_t since;
	char day[CLOCK_TEXT];

	db_open(c, DB_WAIT_READ_MS);
	db_begin_read(c, DB_CONTENT);
	since = live_quiet_since(c);
	db_commit(c);
	db_close(c);
	clock_format_date(day, since);
	if (since != 0)
		die(QUIET " since %s, because it was live under another address or on another"
			  " machine before: orders, dates of publishing, pings and mails rest",
		    day);
}

static struct doctor_finding
find_live(struct ctx *c)
{
	const char *said = doctor_ask_child(c, look_at_live);

	if (said == NULL)
		return doctor_good("the instance is live");
	if (strncmp(said, QUIET, strlen(QUIET)) != 0)
		return doctor_note("not known while the database cannot be asked",
		    "see the check of the database");
	return doctor_warn(
	    said, hint_say(c, "once the other one is gone, make this one live", HINT_LIVE, NULL));
}

/* The pictures that the database names. */
struct shelf {
	struct ctx *c;
	const char **names;
	size_t count, room;
};

static void
put_on_shelf(void *arg, const char *name)
{
	struct shelf *s = arg;

	if (s->count == s->room) {
		size_t more = s->room == 0 ? 64 : 2 * s->room;
		s->names = arena_grow(
		    s->c->arena, s->names, s->room * sizeof(*s->names), more * sizeof(*s->names));
		s->room = more;
	}
	s->names[s->count++] = name;
}

/* Dies if a picture is missing or damaged. Returns the bytes that were read.
 * Without `whole` it only looks whether the file exists. */
static int64_t
look_at_picture(struct ctx *c, const char *name, bool whole)
{
	const char *fault = NULL;
	size_t len = 0;

	if (whole)
		(void)media_read(c, name, &len, &fault);
	else if (!media_is_there(c, name))
		fault = strerror(errno);
	if (fault != NULL)
		die("the picture %s: %s", name, fault);
	return (int64_t)len;
}

/* Looks for all files. Reads only some of them whole: those that follow a random
 * one, so that in time each is read. */
static void
look_at_pictures(struct ctx *c)
{
	struct shelf shelf = { .c = c };
	struct arena scratch, *kept = c->arena;
	int64_t read = 0;
	size_t first;

	db_open(c, DB_WAIT_READ_MS);
	db_begin_read(c, DB_CONTENT);
	media_list(c, put_on_shelf, &shelf);
	db_commit(c);
	db_close(c);
	if (shelf.count == 0)
		return;
	uuid_random_bytes(&first, sizeof(first));
	first %= shelf.count;
	arena_init(&scratch, 4 * PICTURE_BYTES_MAX);
	c->arena = &scratch;
	for (size_t i = 0; i < shelf.count; i++) {
		read += look_at_picture(
		    c, shelf.names[(first + i) % shelf.count], read < PICTURES_READ);
		arena_reset(&scratch);
	}
	c->arena = kept;
	arena_release(&scratch);
}

static struct doctor_finding
find_pictures(struct ctx *c)
{
	const char *said = doctor_ask_child(c, look_at_pictures);

	if (said == NULL)
		return doctor_good(
		    hint_say(c, "stored pictures are there, and those that were read are whole",
			HINT_VERIFY, NULL));
	if (strncmp(said, "the picture ", 12) != 0)
		return doctor_note("not known while the database cannot be asked",
		    "see the check of the database");
	return doctor_bad(said,
	    hint_say(c,
		"verify the data, which names all such pictures; give each again, or restore a backup that has it",
		HINT_PICTURE, NULL));
}

/* ---- the server of the database (store/server.h): only if STORE_IS_REMOTE */

#define FILE_MAX_BYTES ((size_t)64 * 1024)
/* What the runners and the tool have beside the programs of the web server. */
#define OTHERS 9

/* In a line of the child's: grade, message, fix. */
#define BETWEEN "\x1e"

static _Noreturn void
tell(struct server_finding found)
{
	dprintf(STDERR_FILENO, "%d" BETWEEN "%s" BETWEEN "%s", (int)found.grade, found.message,
	    found.fix != NULL ? found.fix : "");
	_exit(1);
}

/* Returns what the child told; what it said when it died instead. */
static struct doctor_finding
hear(struct ctx *c, const char *said)
{
	static struct doctor_finding (*const as[])(const char *, const char *) = {
		[SERVER_NOTE] = doctor_note, [SERVER_WARN] = doctor_warn, [SERVER_BAD] = doctor_bad
	};
	char *message = said != NULL ? strchr(said, BETWEEN[0]) : NULL;
	char *fix = message != NULL ? strchr(message + 1, BETWEEN[0]) : NULL;
	int grade = said != NULL ? atoi(said) : 0;

	if (fix == NULL || grade < SERVER_GOOD || grade > SERVER_BAD)
		return doctor_bad(
		    said != NULL ? said : "the server cannot be looked at", "see what is said");
	message = arena_text_n(c->arena, message + 1, (size_t)(fix - message - 1));
	return grade == SERVER_GOOD ? doctor_good(message) : as[grade](message, fix + 1);
}

static void
look_at_server(struct ctx *c)
{
	tell(server_look(c));
}

static struct doctor_finding
find_server(struct ctx *c)
{
	return hear(c, doctor_ask_child(c, look_at_server));
}

static void
look_at_users(struct ctx *c)
{
	tell(server_look_at_users(c));
}

static struct doctor_finding
find_users(struct ctx *c)
{
	return hear(c, doctor_ask_child(c, look_at_users));
}

static void
look_at_standbys(struct ctx *c)
{
	tell(server_look_at_standbys(c));
}

static struct doctor_finding
find_standbys(struct ctx *c)
{
	return hear(c, doctor_ask_child(c, look_at_standbys));
}

/* ---- how many connections the programs of this host may have */

/* Programs that have no process are not asked; the others have so many connections each. */
static const struct {
	const char *name;
	int connections;
} programs[] = {
	{ "articles", 1 },
	{ "connection", 1 },
	{ "generate", 1 },
	{ "jobs", 1 },
	{ "pricing", 1 },
	{ "sync", 1 },
	{ "console", 3 },
	{ "pages", 3 },
	{ "collect", 3 },
	{ "picture", 3 },
};

/* Returns the number after `word` in the text, 0 if it is not there. */
static int
number_behind(const char *text, const char *word)
{
	const char *at = text != NULL ? strstr(text, word) : NULL;

	return at != NULL ? atoi(at + strlen(word)) : 0;
}

/* Returns how many processes of a program there may be: what mod_fcgid's file and that of
 * galley-serve say, the larger number. */
static int
processes_of(struct ctx *c, const char *folder, const char *fcgid, const char *name)
{
	const char *line =
	    fcgid != NULL ? strstr(fcgid, arena_printf(c->arena,
					      "FcgidCmdOptions \"${GALLEY}/cgi-bin/%s\" ", name))
			  : NULL;
	const char *own = fileio_read_now(
	    c->arena, arena_printf(c->arena, "%s/%s.env", folder, name), FILE_MAX_BYTES, NULL);
	int by_fcgid, by_serve = 8;

	if (line != NULL)
		line = arena_text_n(c->arena, line, strcspn(line, "\n"));
	by_fcgid = number_behind(line, "MaxProcesses ");
	if (own != NULL)
		by_serve = number_behind(own, "GALLEY_PROCESSES=");
	else if (line != NULL)
		by_serve = 0;
	return by_fcgid > by_serve ? by_fcgid : by_serve;
}

static void
look_at_room(struct ctx *c)
{
	const char *folder = fileio_path(c->arena, c->instance->programs, "apache-conf");
	const char *fcgid = fileio_read_now(
	    c->arena, fileio_path(c->arena, folder, "galley-fcgid.conf"), FILE_MAX_BYTES, NULL);
	int sum = OTHERS;

	for (size_t i = 0; i < sizeof(programs) / sizeof(programs[0]); i++)
		sum += programs[i].connections * processes_of(c, folder, fcgid, programs[i].name);
	tell(server_look_at_room(c, sum));
}

static struct doctor_finding
find_room(struct ctx *c)
{
	return hear(c, doctor_ask_child(c, look_at_room));
}

/* ---- the list */

const struct doctor_check doctor_database[] = {
	{ "server", STORE_IS_REMOTE ? find_server : NULL },
	{ "users", STORE_IS_REMOTE ? find_users : NULL },
	{ "standbys", STORE_IS_REMOTE ? find_standbys : NULL },
	{ "connections", STORE_IS_REMOTE ? find_room : NULL },
	{ "database", find_database },
	{ "clock", find_clock },
	{ "live", find_live },
	{ "pictures", find_pictures },
	{ NULL, NULL },
};
