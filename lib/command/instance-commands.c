/* galley init | fix | demo: an instance, its folders and its first customer. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pwd.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "access/account.h"
#include "access/pepper.h"
#include "action/demo-actions.h"
#include "action/person/first-operator.h"
#include "action/workspace-actions.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "base/digest.h"
#include "base/fileio.h"
#include "base/log.h"
#include "command/call.h"
#include "command/commands.h"
#include "people/secret.h"
#include "start/owner.h"
#include "stats/stats.h"
#include "store/db.h"
#include "store/migrate.h"
#include "store/remote-store.h"
#include "store/server.h"
#include "system/conf.h"
#include "system/disk.h"
#include "system/instance.h"
#include "terminal/terminal.h"

/* ---- galley init --site: the first customer: an account and a workspace of one name, and a key
 * that reads */

#define LABEL "galley init"

/* Returns what the options say of the first site. */
static struct first_site
site_of(const struct call *call)
{
	return (struct first_site) { .name = call_option(call, "site"),
		.language = call_option(call, "language"),
		.website = call_option(call, "website"),
		.label = LABEL };
}

/* Refuses what the options would be refused for later, before anything is
 * made. Without --site the others are refused, too. */
static struct err *
first_site_check(struct ctx *c, const struct call *call)
{
	const char *name = call_option(call, "site");
	const char *language = call_option(call, "language");
	struct first_site site = site_of(call);

	if (name == NULL && (language != NULL || call_option(call, "website") != NULL))
		return call_usage(
		    c, "--website and --language are those of a --site: name it, too.");
	if (name == NULL)
		return NULL;
	if (language == NULL)
		return call_usage(
		    c, "--site needs --language: that of its articles, such as en, ar or pt-BR.");
	return workspace_check_site(c, &site);
}

static void
site_to_json(struct jwrite *j, const struct first_site *s)
{
	jwrite_member_text(j, "account_id", s->account->uuid);
	jwrite_member_text(j, "workspace_id", s->workspace->uuid);
	jwrite_member_text(j, "key_id", s->apikey->uuid);
	jwrite_member_text(j, "key", s->key);
}

static void
say_site(struct ctx *c, struct call *call, const struct first_site *s)
{
	const char *url = c->conf->public_url;

	call_say(call,
	    "\n"
	    "Account and workspace %s were made, and a key that reads its articles. It is shown this\n"
	    "once only:\n\n"
	    "%s\n",
	    s->account->name, s->key);
	call_say(call,
	    "When the web server runs, this answers with the workspace:\n\n"
	    "  curl -H 'Authorization: Bearer %s' '%s/api/v1/connection'\n",
	    s->key, url[0] != '\0' ? url : "PUBLIC-URL");
	call_say(call,
	    "galley workspace show tells which settings are empty, and what that costs;\n"
	    "galley article import --publish FOLDER brings articles.");
}

/*
 * Makes them where --site is given, in a transaction of its own; c->conf is
 * that of the instance. Members of the present object with --json, else lines:
 * the key, and a request to try it with.
 */
static struct err *
first_site_make(struct ctx *c, struct call *call)
{
	struct first_site site = site_of(call);

	if (call_option(call, "site") == NULL)
		return NULL;
	TRY(workspace_create_site(c, &site));
	call_changed(call, site.account->uuid);
	call_changed(call, site.workspace->uuid);
	call_changed(call, site.apikey->uuid);
	if (call->as_json)
		site_to_json(&call->json, &site);
	else
		say_site(c, call, &site);
	explicit_bzero(site.key, sizeof(site.key));
	return NULL;
}

/* ---- galley init: what an instance needs beside its programs */

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
	const char *const closed[] = { fileio_folder(c->arena, i->db), i->run, i->log,
		conf_good_folder(c), secret_folder(c), stats_folder(c) };
	const char *htdocs = fileio_folder(c->arena, i->media);
	mode_t usual = umask(022); /* the web server must reach the folders above media */
	uid_t leader = 0;
	struct err *err = NULL;

	for (size_t n = 0; err == NULL && n < sizeof(closed) / sizeof(closed[0]); n++)
		err = make_folder(c, closed[n], 0700, uid, gid);
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
	struct conf conf;
	struct buf text;

	if (exists(path)) {
		note_say("galley: %s is kept as it is.", path);
		return NULL;
	}
	conf_defaults(&conf);
	if (url != NULL)
		TRY(conf_set(c, &conf, "public_url", url));
	if (url != NULL)
		TRY(conf_address_check(c, "public_url", url));
	if (https != NULL)
		TRY(conf_set(c, &conf, "require_https", https));
	buf_init(&text, c->arena, CONF_MAX);
	conf_write(&text, &conf);
	written = buf_done(&text);
	for (size_t i = 0; i < sizeof(of_database) / sizeof(of_database[0]); i++) {
		const char *value = call_option(call, of_database[i][0]);

		if (value != NULL)
			TRY(conf_edit(c, &written, of_database[i][1], value));
	}
	if (!fileio_replace(c->arena, path, written, strlen(written), 0600) ||
	    (geteuid() == 0 && chown(path, uid, gid) != 0))
		return refuse(c, ERR_INTERNAL, "%s: %s.", path, strerror(errno));
	return NULL;
}

/* Runs in a child, which becomes the owner: writes why the database is refused. */
static _Noreturn void
look_at_database(struct ctx *c, int out)
{
	struct err *err = owner_become(c);

	if (err == NULL)
		err = server_check_empty(c);
	if (err != NULL)
		dprintf(out, "%s", err->message);
	_exit(err != NULL ? 1 : 0);
}

/* Refuses a PostgreSQL that no instance can be made in. A galley.conf that this command wrote is
 * removed, so that the next one writes what it is told: only this process may. */
static struct err *
check_database(struct ctx *c, bool conf_was_there)
{
	const char *said = NULL;
	int ends[2], status = -1;
	pid_t child;

	if (!STORE_IS_REMOTE)
		return NULL;
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

static struct err *
make_database(struct ctx *c)
{
	const char *network = disk_network(c->instance->run);
	int64_t from;

	if (network != NULL)
		note_say(
		    "galley: this is %s, a file system of a network: the database works without a write-ahead\n"
		    "log, more slowly. A local disk is better.",
		    network);
	db_create(c, network == NULL);
	TRY(migrate_run(c, DB_CONTENT, &from));
	secret_create(c);
	(void)stats_create(c);
	return NULL;
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

	*uid = geteuid();
	*gid = getegid();
	if (geteuid() == 0) {
		TRY(owner_find(c, name, uid, gid));
		return be_led(c, name, uid, gid);
	}
	if (name == NULL)
		return NULL;
	TRY(owner_find(c, name, uid, gid));
	if (*uid != geteuid())
		return refuse(
		    c, ERR_FORBIDDEN, "Only root makes an instance that belongs to another user.");
	return NULL;
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
		    "Its address is not known yet: open its page /console/start in a browser, or run galley config\n"
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
	uid_t uid;
	gid_t gid;

	if (exists(c->instance->db))
		return refuse(c, ERR_CONFLICT,
		    "%s exists already: this is an instance. Nothing was changed.",
		    c->instance->db);
	TRY(first_site_check(c, call));
	TRY(choose_owner(c, call, &uid, &gid));
	TRY(make_folders(c, uid, gid));
	TRY(write_conf(c, call, uid, gid));
	TRY(check_database(c, was_there));
	TRY(owner_become(c));
	TRY(make_folders(c, uid, gid));
	TRY(read_conf(c));
	conf_keep(c);
	journal_begin(c, call);
	if (!exists(c->instance->pepper))
		pepper_create(c);
	TRY(make_database(c));
	if (call->as_json) {
		jwrite_object(&call->json);
		jwrite_member_text(&call->json, "instance", c->instance->home);
	}
	say_ready(c, call, uid);
	TRY(first_site_make(c, call));
	if (call->as_json)
		jwrite_object_end(&call->json);
	return NULL;
}

/* ---- galley fix: owners and modes of an instance's folders (docs/design.md §1) */

/* The text that install.sh writes, too. */
#define FIX_HTACCESS                                                                               \
	"# Nothing here is for the web: it does not exist there.\n"                                \
	"<IfModule mod_alias.c>\n"                                                                 \
	"\tRedirectMatch 404 \".*\"\n"                                                             \
	"</IfModule>\n"                                                                            \
	"<IfModule !mod_alias.c>\n"                                                                \
	"\tRequire all denied\n"                                                                   \
	"</IfModule>\n"
#define NOTE_MAX ((size_t)1024 * 1024)

/* Tells of a change: as a line, or with --json as a text. */
static void
say_fixed(struct call *call, const char *line)
{
	if (call->as_json)
		jwrite_text(&call->json, line);
	call_say(call, "%s", line);
}

static void
say_gift(void *arg, const char *line)
{
	say_fixed(arg, line);
}

/* Sets the mode of one of the owner's own files. Root never does this. */
static void
set_mode(struct ctx *c, struct call *call, const char *path, mode_t mode)
{
	struct stat st;

	if (lstat(path, &st) != 0 || !(S_ISREG(st.st_mode) || S_ISDIR(st.st_mode)) ||
	    (st.st_mode & 07777) == mode)
		return;
	if (chmod(path, mode) == 0)
		say_fixed(call, arena_printf(c->arena, "Mode %o of %s is now %o.",
				    (unsigned)st.st_mode & 07777, path, (unsigned)mode));
	else
		say_fixed(call,
		    arena_printf(c->arena, "Mode %o of %s should be %o, and cannot be changed: %s.",
			(unsigned)st.st_mode & 07777, path, (unsigned)mode, strerror(errno)));
}

static void
set_files(struct ctx *c, struct call *call, const char *folder, mode_t mode)
{
	DIR *dir = opendir(folder);
	const struct dirent *entry;
	const char *path;
	struct stat st;

	if (dir == NULL)
		return;
	while ((entry = readdir(dir)) != NULL) {
		path = fileio_path(c->arena, folder, entry->d_name);
		if (lstat(path, &st) == 0 && S_ISREG(st.st_mode))
			set_mode(c, call, path, mode);
	}
	closedir(dir);
}

/* Writes a .htaccess into a folder that a web server might serve without knowing
 * what to hide. */
static void
hide(struct ctx *c, const char *folder)
{
	static const char text[] = FIX_HTACCESS;
	const char *path = fileio_path(c->arena, folder, ".htaccess");
	struct stat st;

	if (lstat(path, &st) != 0)
		(void)fileio_replace(c->arena, path, text, strlen(text), 0600);
}

/* The files of the console in run/. */
static void
set_console_modes(struct ctx *c, struct call *call, const char *folder)
{
	const char *sessions = fileio_path(c->arena, folder, "sessions");

	set_mode(c, call, folder, 0700);
	set_files(c, call, folder, 0600);
	set_mode(c, call, sessions, 0700);
	set_files(c, call, sessions, 0600);
}

static void
set_modes(struct ctx *c, struct call *call, const char *const *closed, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		set_mode(c, call, closed[i], 0700);
		hide(c, closed[i]);
		set_files(c, call, closed[i], 0600);
	}
	set_console_modes(c, call, fileio_path(c->arena, c->instance->run, "console"));
	set_mode(c, call, c->instance->conf, 0600);
	set_mode(c, call, c->instance->media, 0755);
	set_files(c, call, c->instance->media, 0644);
}

/* Adds what setup said to log/setup.txt. The same text is not added twice in a
 * row: a line of cron must not fill the disk. */
static struct err *
add_note(struct ctx *c)
{
	const char *log = fileio_path(c->arena, c->instance->log, "setup.txt");
	const char *last = fileio_path(c->arena, c->instance->log, "setup.last");
	const char *text, *before, *sum, *note;
	char now[CLOCK_TEXT];
	size_t len;
	int fd;

	text = fileio_read_fd(c->arena, STDIN_FILENO, NOTE_MAX, &len);
	if (text == NULL)
		return refuse(c, ERR_INTERNAL, "standard input: %s.", strerror(errno));
	sum = arena_printf(c->arena, "%llx\n", (unsigned long long)checksum(text, len));
	before = fileio_read_now(c->arena, last, NOTE_MAX, NULL);
	if (before != NULL && strcmp(before, sum) == 0)
		return NULL;
	clock_format(now, clock_now());
	note = arena_printf(c->arena, "==== %s\n%s\n", now, text);
	fd = fileio_open(log, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK);
	if (fd < 0 || !fileio_write_all(fd, note, strlen(note)))
		return refuse(c, ERR_INTERNAL, "%s: %s.", log, strerror(errno));
	close(fd);
	(void)fileio_replace(c->arena, last, sum, strlen(sum), 0600);
	return NULL;
}

static struct err *
fix(struct ctx *c, struct call *call)
{
	const char *const folders[] = { fileio_folder(c->arena, c->instance->db), c->instance->run,
		c->instance->log, conf_good_folder(c),
		fileio_path(c->arena, c->instance->home, "people"), stats_folder(c),
		c->instance->media };
	size_t count = sizeof(folders) / sizeof(folders[0]);
	struct err *err;
	uid_t uid, leader;
	gid_t gid;

	TRY(owner_of(c, &uid, &gid));
	if (call->as_json)
		jwrite_array(&call->json);
	for (size_t i = 0; i < count && geteuid() == 0 && uid != 0; i++) {
		/* This is done only if nobody can exchange the folder itself. */
		if (owner_leader(c, fileio_folder(c->arena, folders[i]), &leader) == NULL &&
		    leader == 0)
			gift_give(c, folders[i], uid, gid, say_gift, call);
	}
	err = owner_become_user(c, uid, gid);
	if (err == NULL && call_has(call, "note"))
		err = add_note(c);
	else if (err == NULL)
		set_modes(c, call, folders, count - 1);
	if (call->as_json)
		jwrite_array_end(&call->json);
	return err;
}

/* ---- galley demo: two workspaces to look at, and an order in each */

static void
tell_demo(struct call *call, const struct demo_made *m)
{
	const struct workspace *w = m->workspace;
	struct jwrite *j = &call->json;

	if (call->as_json) {
		jwrite_object(j);
		jwrite_member_text(j, "id", w->uuid);
		jwrite_member_text(j, "name", w->settings.name);
		jwrite_member_text(j, "language", w->settings.language);
		jwrite_member_text(j, "read_key", m->read_key);
		jwrite_member_text(j, "drafts_key", m->drafts_key);
		jwrite_member_text(j, "generate_key", m->generate_key);
		jwrite_member_text(j, "article_id", m->article_id);
		jwrite_member_int(j, "revoked", m->revoked);
		jwrite_object_end(j);
		return;
	}
	call_say(call, "%s  %s", w->settings.name, w->uuid);
	call_say(call, "  read key      %s", m->read_key);
	call_say(call, "  drafts key    %s", m->drafts_key);
	call_say(call, "  generate key  %s", m->generate_key);
	call_say(call, "  an article    %s", m->article_id != NULL ? m->article_id : "-");
	if (m->revoked > 0)
		call_say(call, "  The %d demo keys of the run before are revoked now.", m->revoked);
}

/* Tells how a person signs in to the demo's console: once. */
static void
tell_demo_person(struct call *call, const char *password)
{
	if (call->as_json) {
		jwrite_member_object(&call->json, "console");
		jwrite_member_text(&call->json, "email", DEMO_PERSON_EMAIL);
		jwrite_member_text(&call->json, "password", password);
		jwrite_object_end(&call->json);
	}
	call_say(call, "Console: e-mail %s, password %s", DEMO_PERSON_EMAIL, password);
}

static struct err *
demo(struct ctx *c, struct call *call)
{
	struct demo_made made[DEMO_WORKSPACES] = { { .workspace = NULL } };
	char password[DEMO_PASSWORD];
	struct err *err = NULL;

	/* This comes first: keys that were made and are not printed are lost. */
	if (call_has(call, "console"))
		err = demo_person(c, password);
	if (err == NULL)
		err = demo_make(c, call_work(call), made);
	for (size_t i = 0; i < DEMO_WORKSPACES; i++) {
		if (made[i].workspace != NULL)
			call_changed(call, made[i].workspace->uuid);
	}
	if (err != NULL)
		return err;
	if (call->as_json) {
		jwrite_object(&call->json);
		jwrite_member_array(&call->json, "workspaces");
	}
	for (size_t i = 0; i < DEMO_WORKSPACES; i++)
		tell_demo(call, &made[i]);
	if (call->as_json)
		jwrite_array_end(&call->json);
	if (call_has(call, "console"))
		tell_demo_person(call, password);
	if (call->as_json)
		jwrite_object_end(&call->json);
	explicit_bzero(password, sizeof(password));
	return NULL;
}

/* ---- the rows */

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

static const struct command_option fix_options[] = {
	{ .name = "note", .help = "instead, add standard input to log/setup.txt: for setup" },
	{ .name = NULL },
};

static const struct command_option demo_options[] = {
	{ .name = "console", .help = "also a person who signs in to the console of this machine" },
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

const struct command command_fix[] = {
	{ .verb = "fix",
	    .operands = "",
	    .options = fix_options,
	    .flags = COMMAND_NEW,
	    .run = fix,
	    .summary = "give files and folders their owner and mode again",
	    .text =
		"Where db, run, log, good, people, stats and media hold what root has put there, root gives it to the instance's owner; a link, and a file of several names, is left and named, since it may lead elsewhere. All else is done as that owner: modes that others could read or write by. Says what it changed. setup does this, too." },
	{ .verb = NULL },
};

const struct command command_demo[] = {
	{ .verb = "demo",
	    .operands = "",
	    .options = demo_options,
	    .flags = COMMAND_DB | COMMAND_CHANGES,
	    .run = demo,
	    .summary = "two workspaces with articles and keys to try",
	    .text =
		"A second run keeps workspaces and articles, revokes the demo keys of the run before and\n"
		"makes new ones.\n\n"
		"With --console it also makes an operator, demo@example.com, whose password is made by chance\n"
		"and printed once. A second run gives that person another password and ends the sessions.\n"
		"It is refused where other machines reach the console." },
	{ .verb = NULL },
};
