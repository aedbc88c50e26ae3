/* galley init: makes what an instance needs beside its programs. */
#include <errno.h>
#include <fcntl.h>
#include <pwd.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "access/pepper.h"
#include "action/sign/start-code.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "base/fileio.h"
#include "base/log.h"
#include "command/call.h"
#include "command/commands.h"
#include "command/workspace/first-site.h"
#include "people/secret.h"
#include "start/gift.h"
#include "start/owner.h"
#include "stats/stats.h"
#include "store/db.h"
#include "store/migrate.h"
#include "store/server.h"
#include "system/conf.h"
#include "system/conf/conf-address.h"
#include "system/disk.h"
#include "system/instance.h"
#include "terminal/terminal.h"

#define CODE_MAX ((size_t)1024)
#define SAID_MAX ((size_t)4096)
#define CONF_MAX ((size_t)64 * 1024)

static bool
exists(const char *path)
{
	struct stat st;

	return lstat(path, &st) == 0;
}

static void
be_silent(void *arg, const char *sentence)
{
	(void)arg;
	(void)sentence;
}

/* Gives a folder to the owner, with what `make install` put into it: no file of
 * an instance belongs to root. It works by descriptor, because the folder may
 * already belong to a user, who can exchange what is in it at any moment. */
static bool
give(struct ctx *c, const char *path, uid_t uid, gid_t gid)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	struct stat st;
	bool done;

	if (fd < 0)
		return false;
	done = fstat(fd, &st) == 0 && (st.st_uid != 0 || fchmod(fd, 0700) == 0);
	if (done && st.st_uid != uid)
		done = fchown(fd, uid, gid) == 0;
	close(fd);
	if (done)
		gift_give(c, path, uid, gid, be_silent, NULL);
	return done;
}

/* Makes a folder if it is missing. Root gives it away; its mode is set later by
 * the owner. */
static struct err *
make_folder(struct ctx *c, const char *path, mode_t mode, uid_t uid, gid_t gid)
{
	bool done = fileio_make_folder(path, 0755);

	if (done && geteuid() == 0 && uid != 0)
		done = give(c, path, uid, gid);
	else if (done)
		done = chmod(path, mode) == 0;
	if (!done)
		return refuse(c, ERR_INTERNAL, "%s: %s.", path, strerror(errno));
	return NULL;
}

static struct err *
make_folders(struct ctx *c, uid_t uid, gid_t gid)
{
	const struct instance *i = c->instance;
	const char *htdocs = fileio_folder(c->arena, i->media);
	mode_t usual = umask(022); /* the web server must reach the folders above media */
	uid_t leader = 0;
	struct err *err;

	err = make_folder(c, fileio_folder(c->arena, i->db), 0700, uid, gid);
	if (err == NULL)
		err = make_folder(c, i->run, 0700, uid, gid);
	if (err == NULL)
		err = make_folder(c, i->log, 0700, uid, gid);
	if (err == NULL)
		err = make_folder(c, conf_good_folder(c), 0700, uid, gid);
	if (err == NULL)
		err = make_folder(c, secret_folder(c), 0700, uid, gid);
	if (err == NULL)
		err = make_folder(c, stats_folder(c), 0700, uid, gid);
	/* If programs and pages already belong to the owner, the owner makes the
	 * folder. */
	if (err == NULL && geteuid() == 0)
		err = owner_leader(c, exists(htdocs) ? htdocs : i->programs, &leader);
	if (err == NULL && leader == 0)
		err = make_folder(c, i->media, 0755, uid, gid);
	umask(usual);
	return err;
}

/* Writes galley.conf with the defaults and what the options say. An existing file
 * is kept: it may have been put there with the programs. */
static struct err *
write_conf(struct ctx *c, const struct call *call, uid_t uid, gid_t gid)
{
	const char *path = c->instance->conf;
	const char *url = call_option(call, "public-url");
	const char *https = call_option(call, "require-https");
	static const char *const of_database[][2] = { { "database", "database" },
		{ "database-password-file", "database_password_file" },
		{ "database-api-user", "database_api_user" },
		{ "database-api-password-file", "database_api_password_file" },
		{ "database-owner-user", "database_owner_user" },
		{ "database-owner-password-file", "database_owner_password_file" } };
	const char *written;
	struct err *err = NULL;
	struct conf conf;
	struct buf text;

	if (exists(path)) {
		note_say("galley: %s is kept as it is.", path);
		return NULL;
	}
	conf_defaults(&conf);
	if (url != NULL)
		err = conf_set(c, &conf, "public_url", url);
	if (err == NULL && url != NULL)
		err = conf_address_check(c, "public_url", url);
	if (err == NULL && https != NULL)
		err = conf_set(c, &conf, "require_https", https);
	if (err != NULL)
		return err;
	buf_init(&text, c->arena, CONF_MAX);
	conf_write(&text, &conf);
	written = buf_done(&text);
	for (size_t i = 0; i < sizeof(of_database) / sizeof(of_database[0]) && err == NULL; i++) {
		const char *value = call_option(call, of_database[i][0]);

		if (value != NULL)
			err = conf_edit(c, &written, of_database[i][1], value);
	}
	if (err != NULL)
		return err;
	if (!fileio_replace(c->arena, path, written, strlen(written), 0600) ||
	    (geteuid() == 0 && chown(path, uid, gid) != 0))
		return refuse(c, ERR_INTERNAL, "%s: %s.", path, strerror(errno));
	return NULL;
}

#ifdef STORE_PG
/* Runs in a child, which becomes the owner: writes why the database is refused. */
static _Noreturn void
look_at_database(struct ctx *c, int out)
{
	struct err *err = owner_become(c);

	if (err == NULL)
		err = server_check_empty(c);
	if (err != NULL)
		dprintf(out, "%s", err->message);
	_exit(err != NULL);
}

/* Refuses a PostgreSQL that no instance can be made in. A galley.conf that this command wrote is
 * removed, so that the next one writes what it is told: only this process may. */
static struct err *
check_database(struct ctx *c, bool conf_was_there)
{
	const char *said = NULL;
	int ends[2], status = -1;
	pid_t child;

	if (pipe(ends) != 0)
		die("pipe: %s", strerror(errno));
	child = fork();
	if (child == 0)
		look_at_database(c, ends[1]);
	close(ends[1]);
	said = fileio_read_fd(c->arena, ends[0], SAID_MAX, NULL);
	close(ends[0]);
	while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
		continue;
	if (status == 0)
		return NULL;
	if (!conf_was_there)
		(void)unlink(c->instance->conf);
	return refuse(c, ERR_CONFLICT, "%s",
	    said != NULL && said[0] != '\0' ? said : "The database cannot be looked at.");
}
#else
#define check_database(c, conf_was_there) ((void)(conf_was_there), NULL)
#endif

static struct err *
make_database(struct ctx *c)
{
	const char *network = disk_network(c->instance->run);
	struct err *err;
	int64_t from;

	if (network != NULL)
		note_say(
		    "galley: this is %s, a file system of a network: the database works without a write-ahead\n"
		    "log, more slowly. A local disk is better.",
		    network);
	db_create(c, network == NULL);
	err = migrate_run(c, DB_CONTENT, &from);
	if (err == NULL) {
		secret_create(c);
		(void)stats_create(c);
	}
	return err;
}

/* If a user can change the instance's folders, the instance belongs to that user,
 * and root becomes that user to make it. */
static struct err *
be_led(struct ctx *c, const char *name, uid_t *uid, gid_t *gid)
{
	const struct passwd *user;
	struct err *err;
	uid_t leader;

	err = owner_leader(c, c->instance->home, &leader);
	if (err != NULL || leader == 0)
		return err;
	if (name != NULL && *uid != leader)
		return refuse(c, ERR_FORBIDDEN,
		    "%s can change what is in %s: name that user with --owner, or give the folder to root.",
		    owner_name(c, leader), c->instance->home);
	user = getpwuid(leader);
	*uid = leader;
	*gid = user != NULL ? user->pw_gid : leader;
	return owner_become_user(c, *uid, *gid);
}

/* Finds the owner: this process's user, or for root the user that `--owner`
 * names. */
static struct err *
choose_owner(struct ctx *c, const struct call *call, uid_t *uid, gid_t *gid)
{
	const char *name = call_option(call, "owner");
	struct err *err;

	*uid = geteuid();
	*gid = getegid();
	if (geteuid() == 0) {
		err = owner_find(c, name, uid, gid);
		return err != NULL ? err : be_led(c, name, uid, gid);
	}
	if (name == NULL)
		return NULL;
	err = owner_find(c, name, uid, gid);
	if (err == NULL && *uid != geteuid())
		return refuse(
		    c, ERR_FORBIDDEN, "Only root makes an instance that belongs to another user.");
	return err;
}

/* Reads galley.conf. One that existed before may be wrong. */
static struct err *
read_conf(struct ctx *c)
{
	struct conf *conf = arena_alloc(c->arena, sizeof(*conf));
	struct err *err = conf_read(c, c->instance->conf, conf);

	c->conf = conf;
	if (err == NULL && conf->require_https &&
	    strncmp(conf->public_url, "http://", strlen("http://")) == 0)
		note_say(
		    "galley: public_url is plain http, and require_https is on: requests will be refused. For\n"
		    "a trial set require_https = off in %s.",
		    c->instance->conf);
	return err;
}

/* Tells how the first person comes to sign in. Who reads a terminal gets a link that holds
 * the code; what is not a terminal may be a log that others read. */
static void
say_console(struct ctx *c, struct call *call)
{
	const char *url = c->conf->public_url, *code = NULL;

	if (!call->as_json && (isatty(STDOUT_FILENO) || call_has(call, "link")) &&
	    start_code_make(c))
		code = fileio_read_now(c->arena, start_code_path(c), CODE_MAX, NULL);
	if (code != NULL)
		call_say(call,
		    "The console is at %s/console/. Its first person opens this link within a day:\n\n"
		    "  %s/console/start?code=%.*s\n",
		    url, url, (int)strcspn(code, "\r\n"), code);
	else
		call_say(call,
		    "The console is at %s/console/. Its first person begins at %s/console/start,\n"
		    "or with galley person create EMAIL --name NAME --operator.",
		    url, url);
}

/* Tells people what to do next; the first site says the rest. */
static void
say_ready(struct ctx *c, struct call *call, uid_t uid)
{
	call_say(call, "The instance %s is ready; it belongs to %s.", c->instance->home,
	    owner_name(c, uid));
	if (c->conf->public_url[0] == '\0')
		call_say(call,
		    "Its address is not known yet: open its page /console/start in a browser, or say galley config\n"
		    "set public_url=https://…, then see that all is well with galley doctor.");
	else
		call_say(call, "It is to be reached at %s: galley doctor tells whether it is.",
		    c->conf->public_url);
	if (c->conf->public_url[0] != '\0')
		say_console(c, call);
}

static struct err *
init(struct ctx *c, struct call *call)
{
	bool was_there = exists(c->instance->conf);
	struct err *err;
	uid_t uid;
	gid_t gid;

	if (exists(c->instance->db))
		return refuse(c, ERR_CONFLICT,
		    "%s exists already: this is an instance. Nothing was changed.",
		    c->instance->db);
	err = first_site_check(c, call);
	if (err == NULL)
		err = choose_owner(c, call, &uid, &gid);
	if (err == NULL)
		err = make_folders(c, uid, gid);
	if (err == NULL)
		err = write_conf(c, call, uid, gid);
	if (err == NULL)
		err = check_database(c, was_there);
	if (err == NULL)
		err = owner_become(c);
	if (err == NULL)
		err = make_folders(c, uid, gid);
	if (err == NULL)
		err = read_conf(c);
	if (err != NULL)
		return err;
	conf_keep(c);
	journal_begin(c, call);
	if (!exists(c->instance->pepper))
		pepper_create(c);
	err = make_database(c);
	if (err != NULL)
		return err;
	if (call->as_json) {
		jwrite_object(&call->json);
		jwrite_member_text(&call->json, "instance", c->instance->home);
	}
	say_ready(c, call, uid);
	err = first_site_make(c, call);
	if (err == NULL && call->as_json)
		jwrite_object_end(&call->json);
	return err;
}

static const struct command_option init_options[] = {
	{ .name = "owner",
	    .value = "USER",
	    .help = "whose it is; for root, www-data unless named" },
	{ .name = "public-url",
	    .value = "URL",
	    .help = "where the instance is reached: https://host or with a path" },
	{ .name = "require-https",
	    .value = "on|off",
	    .help = "refuse requests over plain http; on unless named" },
	{ .name = "database",
	    .value = "ADDRESS",
	    .help = "of an empty PostgreSQL, without a password; needs galley-postgresql" },
	{ .name = "database-password-file",
	    .value = "FILE",
	    .help = "holds host:port:database:user:password, for the owner alone" },
	{ .name = "database-api-user",
	    .value = "USER",
	    .help = "as whom the API's programs sign in there" },
	{ .name = "database-api-password-file", .value = "FILE", .help = "the same for that user" },
	{ .name = "database-owner-user",
	    .value = "USER",
	    .help = "who makes the tables, and may change them" },
	{ .name = "database-owner-password-file",
	    .value = "FILE",
	    .help = "the same for that user" },
	{ .name = "site",
	    .value = "NAME",
	    .help = "make an account and a workspace of this name, and a key" },
	{ .name = "language", .value = "TAG", .help = "of the site's articles: en, ar, pt-BR, …" },
	{ .name = "website", .value = "URL", .help = "where the site shows them: https://host" },
	{ .name = "link", .help = "print the console's first link also where no terminal reads" },
	{ .name = NULL },
};

const struct command command_init[] = {
	{ .verb = "init",
	    .operands = "",
	    .options = init_options,
	    .flags = COMMAND_NEW | COMMAND_CHANGES,
	    .run = init,
	    .summary = "make galley.conf, the pepper and the database",
	    .text =
		"Refuses where there is a database already. make install PREFIX=DIR puts the programs there.\n\n"
		"With --site it makes the first customer, too, and prints a key and a request to try it with.\n"
		"The account is verified and has no credits: galley credits grant gives it some.\n\n"
		"  galley init --public-url https://api.example.com --site 'Example blog' --language en" },
	{ .verb = NULL },
};
