/* Checks the server of the database (store/server.h), in a child process. Of the build STORE_PG
 * alone. */
#include "doctor/doctor.h"

#ifdef STORE_PG

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "base/fileio.h"
#include "doctor/doctor-ask.h"
#include "store/server.h"
#include "system/instance.h"

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
look(struct ctx *c)
{
	tell(server_look(c));
}

struct doctor_finding
doctor_server(struct ctx *c)
{
	return hear(c, doctor_ask_child(c, look));
}

static void
look_at_users(struct ctx *c)
{
	tell(server_look_at_users(c));
}

struct doctor_finding
doctor_users(struct ctx *c)
{
	return hear(c, doctor_ask_child(c, look_at_users));
}

static void
look_at_standbys(struct ctx *c)
{
	tell(server_look_at_standbys(c));
}

struct doctor_finding
doctor_standbys(struct ctx *c)
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

/* Returns the number behind `word` in the text, 0 if it is not there. */
static int
number_behind(const char *text, const char *word)
{
	const char *at = text != NULL ? strstr(text, word) : NULL;

	return at != NULL ? atoi(at + strlen(word)) : 0;
}

/* Returns how many processes of a program there may be: what mod_fcgid's file and the unit of
 * systemd say, the larger number. */
static int
processes_of(struct ctx *c, const char *folder, const char *fcgid, const char *name)
{
	const char *line =
	    fcgid != NULL ? strstr(fcgid, arena_printf(c->arena,
					      "FcgidCmdOptions \"${GALLEY}/cgi-bin/%s\" ", name))
			  : NULL;
	const char *own = fileio_read_now(
	    c->arena, arena_printf(c->arena, "%s/%s.env", folder, name), FILE_MAX_BYTES, NULL);
	int by_fcgid, by_systemd = 8;

	if (line != NULL)
		line = arena_text_n(c->arena, line, strcspn(line, "\n"));
	by_fcgid = number_behind(line, "MaxProcesses ");
	if (own != NULL)
		by_systemd = number_behind(own, "GALLEY_PROCESSES=");
	else if (line != NULL)
		by_systemd = 0;
	return by_fcgid > by_systemd ? by_fcgid : by_systemd;
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

struct doctor_finding
doctor_room(struct ctx *c)
{
	return hear(c, doctor_ask_child(c, look_at_room));
}

#endif
