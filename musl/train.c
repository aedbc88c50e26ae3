/*
 * train: has SQLite do, in small, what it does for one request of each kind.
 *
 * library.sh links it with a SQLite that counts how often each of its branches is
 * taken, and compiles SQLite again by these counts: what runs here will be quick. It
 * is the opening, the reading of the schema, the statements of reads and those of an
 * order. They need not follow each change of lib/: all statements of a kind go the
 * same ways through the parser, the planner and the pages.
 *
 * Whoever builds must count the same, or the programs of a release would not be the
 * same: nothing here depends on time, on chance, on the user, or on the name of a
 * folder.
 *
 * Makes train.db in the present folder; exits with 1 when something does not work.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* guards.h, schema.h and train.h: db/guards.sql, the migrations and train.sql, each
 * as a text of its name (db/embed.sh). */
#include "guards.h"
#include "schema.h"
#include "sqlite3.h"
#include "store/db-schema.h"
#include "train.h"

#define READ_MAPPED ((sqlite3_int64)256 * 1024 * 1024)

#define ARTICLE                                                                \
	"SELECT a.id, a.uuid, a.status, a.created_at, a.published_url,"        \
	" a.version, a.edition_digest, a.first_published_at, a.modified_at,"   \
	" a.export_length, a.digest FROM article a WHERE "
#define LIST ARTICLE "a.workspace_id = :one AND a.status = 'published'"
#define NEWEST_FIRST " ORDER BY 4 DESC, 2 DESC LIMIT :limit OFFSET :zero"
#define BODY                                                                   \
	"SELECT body FROM export WHERE article_id = :id AND revision = "       \
	":revision"
#define JOB                                                                    \
	"SELECT j.id, j.uuid, j.account_id, j.workspace_id, j.kind, j.topic,"  \
	" j.research_id, r.uuid, j.article_uuid, j.created_at, j.status,"      \
	" j.cost, j.settled_at, j.tries, j.lease_token, j.steps, j.usage,"     \
	" j.brief FROM job j LEFT JOIN job r ON r.id = j.research_id"          \
	" WHERE j.workspace_id = :one AND j.uuid = "

/* A statement, and how often it runs once it is prepared. */
struct statement {
	const char *sql;
	int times;
};

static const struct statement beginning[] = {
	{ "BEGIN", 1 },
	{ "PRAGMA application_id", 1 },
	{ "PRAGMA user_version", 1 },
	{ NULL, 0 },
};

static const struct statement key[] = {
	{ "SELECT k.id, k.digest, k.scopes, k.expires_at, w.id, w.uuid,"
	  " w.account_id, w.settings_digest, w.settings_count, w.epoch, w.clock"
	  " FROM api_key k JOIN workspace w ON w.id = k.workspace_id"
	  " WHERE k.digest = :digest AND k.revoked_at IS NULL",
	    1 },
	{ NULL, 0 },
};

static const struct statement connection[] = {
	{ "SELECT w.id, w.uuid, w.account_id, w.name, w.language, w.website,"
	  " w.public_url, w.analytics_enabled, w.settings_digest, w.epoch"
	  " FROM workspace w WHERE w.id = :one",
	    1 },
	{ NULL, 0 },
};

static const struct statement one_article[] = {
	{ ARTICLE "a.uuid = :uuid AND a.workspace_id = :one", 1 },
	{ BODY, 1 },
	{ NULL, 0 },
};

static const struct statement first_page[] = {
	{ LIST NEWEST_FIRST, 1 },
	{ BODY, 20 },
	{ NULL, 0 },
};

static const struct statement page[] = {
	{ LIST " AND (a.created_at, a.uuid) < (:now, :last)" NEWEST_FIRST, 1 },
	{ BODY, 20 },
	{ NULL, 0 },
};

static const struct statement changes[] = {
	{ "SELECT a.uuid, e.title, a.changed_at FROM article a"
	  " JOIN edition e ON e.id = a.edition_id"
	  " WHERE a.workspace_id = :one AND a.status = 'published'"
	  " AND (a.changed_at, a.uuid) > (:zero, :first)"
	  " AND a.changed_at <= :now"
	  " ORDER BY a.changed_at, a.uuid LIMIT :limit",
	    1 },
	{ NULL, 0 },
};

static const struct statement one_job[] = {
	{ JOB ":uuid", 1 },
	{ NULL, 0 },
};

static const struct statement nothing[] = {
	{ NULL, 0 },
};

/* A request that reads, and its tables as lib/store/db-schema.h names them. */
struct read {
	const char *tables; /* NULL: the whole schema is parsed */
	const struct statement *statements;
};

#define KEY "api_key workspace"

static const struct read read_connection = { KEY, connection };
static const struct read read_article = { KEY " article export", one_article };
static const struct read read_first_page = { KEY " article export", first_page };
static const struct read read_page = { KEY " article export", page };
static const struct read read_changes = { KEY " article edition", changes };
static const struct read read_job = { KEY " job", one_job };
static const struct read read_nothing = { NULL, nothing };

static const struct statement order[] = {
	{ "BEGIN IMMEDIATE", 1 },
	{ "SELECT id, uuid, name, verified, suspended, granted, available,"
	  " reserved, spent, created_at FROM account WHERE id = :one",
	    1 },
	{ "SELECT created_at FROM job WHERE account_id = :one"
	  " AND created_at > :zero AND created_at <= :now"
	  " ORDER BY created_at DESC LIMIT 1 OFFSET :limit",
	    1 },
	{ "INSERT INTO job (uuid, account_id, workspace_id, api_key_id, kind,"
	  " topic, image, auto_publish, article_uuid, reserved_credits, cost,"
	  " created_at) VALUES (:new, :one, :one, :one, 'article', :topic,"
	  " :zero, :zero, :new, :price, :price, :now)",
	    1 },
	{ "SELECT number FROM ledger WHERE account_id = :one"
	  " ORDER BY number DESC LIMIT 1",
	    1 },
	{ "INSERT INTO ledger (account_id, number, kind, job_id, available,"
	  " reserved, spent, available_after, reserved_after, spent_after, at)"
	  " SELECT :one, 2, 'reserve', id, -:price, :price, :zero,"
	  " 1000 - :price, :price, :zero, :now FROM job WHERE uuid = :new",
	    1 },
	{ JOB ":new", 1 },
	{ "COMMIT", 1 },
	{ NULL, 0 },
};

static sqlite3 *db;

/* Ends this process; no counts are written. */
static void
must(int result)
{
	if (result == SQLITE_OK)
		return;
	fprintf(stderr, "train: %s\n", sqlite3_errmsg(db));
	_exit(1);
}

static void
exec(const char *sql)
{
	must(sqlite3_exec(db, sql, NULL, NULL, NULL));
}

static int
full_name(sqlite3_vfs *vfs, const char *name, int size, char *out)
{
	(void)vfs;
	sqlite3_snprintf(size, out, "%s", name);
	return SQLITE_OK;
}

static void
nobody(void)
{
}

/* SQLite walks along a path letter by letter, and asks whether it is root. */
static void
open_files_alike(void)
{
	static sqlite3_vfs alike;
	sqlite3_vfs *files = sqlite3_vfs_find("unix");

	must(files->xSetSystemCall(files, "geteuid", nobody));
	alike = *files;
	alike.zName = "train";
	alike.xFullPathname = full_name;
	must(sqlite3_vfs_register(&alike, 1));
}

static int
do_not_wait(void *arg, int tries)
{
	(void)arg, (void)tries;
	return 0;
}

/* As lib/store/db.c opens and configures. */
static void
open_database(int flags)
{
	sqlite3_config(SQLITE_CONFIG_LOOKASIDE, 0, 0);
	sqlite3_config(SQLITE_CONFIG_MMAP_SIZE, READ_MAPPED, READ_MAPPED);
	sqlite3_initialize();
	open_files_alike();
	must(sqlite3_open_v2("train.db", &db, flags, NULL));
	sqlite3_busy_handler(db, do_not_wait, NULL);
	sqlite3_db_config(db, SQLITE_DBCONFIG_DQS_DDL, 0, NULL);
	sqlite3_db_config(db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
	sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_FKEY, 1, NULL);
	sqlite3_limit(db, SQLITE_LIMIT_EXPR_DEPTH, 100);
}

/* What parameters are named; others have no value. */
static const struct {
	const char *name, *text;
	sqlite3_int64 number;
} values[] = {
	{ ":uuid", "00000007-0000-4000-8000-000000000007", 0 },
	{ ":new", "10000000-0000-4000-8000-000000000000", 0 },
	{ ":topic", "Compost in a small garden", 0 },
	{ ":revision", "x1_", 0 },
	{ ":first", "", 0 },
	{ ":last", "~", 0 },
	{ ":zero", NULL, 0 },
	{ ":one", NULL, 1 },
	{ ":id", NULL, 7 },
	{ ":price", NULL, 20 },
	{ ":limit", NULL, 21 },
	{ ":now", NULL, 1700000000000000 },
};

/* As lib/store/db-stmt.c binds. */
static int
bind_values(sqlite3_stmt *q)
{
	static const char digest[32];
	int bound = 0, place = sqlite3_bind_parameter_index(q, ":digest");

	if (place != 0) {
		must(sqlite3_bind_blob64(
		    q, place, digest, sizeof(digest), SQLITE_STATIC));
		bound++;
	}
	for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
		const char *text = values[i].text;
		place = sqlite3_bind_parameter_index(q, values[i].name);
		bound += place != 0;
		if (place != 0 && text == NULL)
			must(sqlite3_bind_int64(q, place, values[i].number));
		else if (place != 0)
			must(sqlite3_bind_text64(q, place, text, strlen(text),
			    SQLITE_STATIC, SQLITE_UTF8));
	}
	return bound;
}

static void
look_at(sqlite3_stmt *q, int column)
{
	int type = sqlite3_column_type(q, column);

	if (type == SQLITE_INTEGER)
		(void)sqlite3_column_int64(q, column);
	else if (type == SQLITE_BLOB)
		(void)sqlite3_column_blob(q, column);
	else
		(void)sqlite3_column_text(q, column);
	if (type == SQLITE_BLOB || type == SQLITE_TEXT)
		(void)sqlite3_column_bytes(q, column);
}

static void
run_once(sqlite3_stmt *q)
{
	int rows = 0;

	if (bind_values(q) != sqlite3_bind_parameter_count(q)) {
		fprintf(stderr, "train: no value: %s\n", sqlite3_sql(q));
		_exit(1);
	}
	for (; sqlite3_step(q) == SQLITE_ROW; rows++) {
		for (int i = 0; i < sqlite3_column_count(q); i++)
			look_at(q, i);
	}
	must(sqlite3_reset(q));
	sqlite3_clear_bindings(q);
	/* Where nothing is found, little is learned. */
	if (sqlite3_column_count(q) > 0 && rows == 0) {
		fprintf(stderr, "train: no row: %s\n", sqlite3_sql(q));
		_exit(1);
	}
}

static void
run(const struct statement *s)
{
	sqlite3_stmt *q;

	for (; s->sql != NULL; s++) {
		must(sqlite3_prepare_v3(
		    db, s->sql, -1, SQLITE_PREPARE_PERSISTENT, &q, NULL));
		for (int i = 0; i < s->times; i++)
			run_once(q);
	}
}

/* A program that only reads ends without closing anything. */
static void
read_request(const void *arg)
{
	const struct read *r = arg;

	open_database(SQLITE_OPEN_READWRITE);
	exec("PRAGMA query_only = ON; PRAGMA temp_store = MEMORY");
	if (!sqlite3_get_autocommit(db))
		_exit(1);
	run(beginning);
	if (r->tables != NULL &&
	    !db_schema_narrow(db, db_schema_tables(r->tables)))
		_exit(1);
	run(key);
	run(r->statements);
	exec("ROLLBACK");
}

static int
allow(void *arg, int action, const char *first, const char *second,
    const char *database, const char *trigger)
{
	(void)arg, (void)action, (void)first, (void)second, (void)database;
	(void)trigger;
	return SQLITE_OK;
}

/* As lib/store/db-guard.c prepares a connection for writing. */
static void
write_request(const void *statements)
{
	sqlite3_stmt *q;

	read_request(&read_nothing);
	exec("PRAGMA query_only = OFF; PRAGMA synchronous = EXTRA;"
	     " PRAGMA cell_size_check = ON; PRAGMA recursive_triggers = ON");
	exec(guards);
	sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
	sqlite3_set_authorizer(db, allow, NULL);
	run(statements);
	while ((q = sqlite3_next_stmt(db, NULL)) != NULL)
		sqlite3_finalize(q);
	sqlite3_db_config(db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
	must(sqlite3_close(db));
}

/* What no request does: it ends without writing counts. */
static void
make_site(const void *none)
{
	(void)none;
	unlink("train.db");
	open_database(SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
	exec("PRAGMA journal_mode = WAL");
	exec(schema);
	sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
	exec("PRAGMA foreign_keys = OFF; BEGIN");
	exec(train);
	exec("COMMIT");
	must(sqlite3_close(db));
	_exit(0);
}

/* Each request has a process, as under a web server: when it ends, its counts are
 * added to the file of counts. */
static void
in_a_process(void (*work)(const void *), const void *with)
{
	pid_t child = fork();
	int status = 0;

	if (child == 0) {
		work(with);
		exit(0);
	}
	if (child < 0 || waitpid(child, &status, 0) != child || status != 0)
		_exit(1);
}

int
main(void)
{
	in_a_process(make_site, NULL);
	in_a_process(read_request, &read_connection);
	in_a_process(read_request, &read_article);
	in_a_process(read_request, &read_first_page);
	in_a_process(read_request, &read_page);
	in_a_process(read_request, &read_changes);
	in_a_process(read_request, &read_job);
	in_a_process(write_request, order);
	/* Once more, with a log that is not empty. */
	in_a_process(read_request, &read_article);
	_exit(0);
}
