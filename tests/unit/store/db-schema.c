/*
 * A connection that parsed only a part of the schema knows exactly this part.
 *
 * suite: fast
 */
#include "store/sqlite/db-schema.h"

#include <sys/stat.h>

#include <sqlite3.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "store/db.h"
#include "store/migrate.h"
#include "store/sqlite/db-connection.h"
#include "system/instance.h"
#include "tests/tap.h"

static struct arena arena;
static struct instance instance;
static struct ctx c = { .arena = &arena, .request_id = "" };
static char folder[] = "/tmp/db-schema-XXXXXX";

static const char *const content[] = { "api_key", "workspace", "article", "edition", "export",
	"job", "account", "ledger", NULL };

/* Makes a database of the present schema. */
static void
begin(void)
{
	struct err *err;
	int64_t from;

	arena_init(&arena, (size_t)16 << 20);
	if (mkdtemp(folder) == NULL)
		bail("%s cannot be made", folder);
	instance.home = folder;
	instance.run = arena_printf(&arena, "%s/run", folder);
	instance.db = arena_printf(&arena, "%s/galley.db", folder);
	if (mkdir(instance.run, 0700) != 0)
		bail("%s cannot be made", instance.run);
	c.instance = &instance;
	db_create(&c, true);
	if (mkdir(arena_printf(&arena, "%s/people", folder), 0700) != 0)
		bail("%s/people cannot be made", folder);
	db_create_beside(&c, DB_CONSOLE, true);
	err = migrate_run(&c, DB_CONTENT, &from);
	if (err == NULL)
		err = migrate_run(&c, DB_CONSOLE, &from);
	if (err != NULL)
		bail("%s", err->message);
	db_close(&c);
}

static sqlite3 *
fresh_of(const char *path)
{
	sqlite3 *h;

	if (sqlite3_open_v2(path, &h, SQLITE_OPEN_READWRITE, NULL) != SQLITE_OK)
		bail("%s cannot be opened", path);
	return h;
}

static sqlite3 *
fresh(void)
{
	return fresh_of(instance.db);
}

static int
number(sqlite3 *h, const char *sql)
{
	sqlite3_stmt *q;
	int result = -1;

	if (sqlite3_prepare_v2(h, sql, -1, &q, NULL) == SQLITE_OK && sqlite3_step(q) == SQLITE_ROW)
		result = sqlite3_column_int(q, 0);
	sqlite3_finalize(q);
	return result;
}

static bool
knows(sqlite3 *h, const char *table)
{
	return number(h, arena_printf(&arena, "SELECT count(*) FROM %s", table)) >= 0;
}

static void
each_table_comes_with_all_that_is_its(const char *path, const char *const tables[])
{
	sqlite3 *whole = fresh_of(path);

	for (size_t i = 0; tables[i] != NULL; i++) {
		const char *indexes =
		    arena_printf(&arena, "SELECT count(*) FROM pragma_index_list('%s')", tables[i]);
		sqlite3 *h = fresh_of(path);
		int others = 0;
		ok(db_schema_narrow(h, db_schema_tables(tables[i]), false),
		    "%s alone is found, with as many objects as were counted", tables[i]);
		ok(knows(h, tables[i]), "%s is known", tables[i]);
		is_int(number(h, indexes), number(whole, indexes), "with all its indexes");
		for (size_t k = 0; tables[k] != NULL; k++)
			others += k != i && knows(h, tables[k]);
		is_int(others, 0, "and none of the others");
		sqlite3_close(h);
	}
	sqlite3_close(whole);
}

/* Returns all that a query answers, as one text. */
static const char *
answers(sqlite3 *h, const char *sql)
{
	const char *all = "";
	sqlite3_stmt *q;

	if (sqlite3_prepare_v2(h, sql, -1, &q, NULL) != SQLITE_OK)
		bail("%s: %s", sql, sqlite3_errmsg(h));
	while (sqlite3_step(q) == SQLITE_ROW) {
		for (int i = 0; i < sqlite3_column_count(q); i++)
			all = arena_printf(
			    &arena, "%s|%s", all, (const char *)sqlite3_column_text(q, i));
	}
	sqlite3_finalize(q);
	return all;
}

/* What db/brief.sh leaves out binds writers only. */
static void
a_reader_knows_all_but_what_binds_writers(const char *path, const char *const tables[])
{
	sqlite3 *whole = fresh_of(path);

	for (size_t i = 0; tables[i] != NULL; i++) {
		const char *columns = arena_printf(&arena,
		    "SELECT cid, name, type, dflt_value, pk,"
		    " hidden FROM pragma_table_xinfo('%s')",
		    tables[i]);
		const char *indexes = arena_printf(&arena,
		    "SELECT l.name, l.\"unique\", l.origin,"
		    " l.partial, x.* FROM pragma_index_list('%s') l,"
		    " pragma_index_xinfo(l.name) x ORDER BY l.name, x.seqno",
		    tables[i]);
		const char *kind = arena_printf(&arena,
		    "SELECT wr, strict FROM pragma_table_list"
		    " WHERE name = '%s'",
		    tables[i]);
		const char *bonds = arena_printf(&arena,
		    "SELECT (SELECT count(*) FROM"
		    " pragma_foreign_key_list('%s')) + (SELECT total(\"notnull\") FROM"
		    " pragma_table_info('%s') WHERE pk = 0)",
		    tables[i], tables[i]);
		sqlite3 *h = fresh_of(path);
		(void)db_schema_narrow(h, db_schema_tables(tables[i]), false);
		is_text(answers(h, columns), answers(whole, columns), "%s: its columns", tables[i]);
		is_text(answers(h, indexes), answers(whole, indexes), "its indexes");
		is_text(answers(h, kind), answers(whole, kind), "its kind");
		if (strstr("api_key job ledger", tables[i]) == NULL) /* parsed whole */
			is_int(number(h, bonds), 0, "and nothing that binds writers");
		sqlite3_close(h);
		h = fresh_of(path);
		(void)db_schema_narrow(h, db_schema_tables(tables[i]), true);
		is_text(answers(h, bonds), answers(whole, bonds), "a writer knows that, too");
		sqlite3_close(h);
	}
	sqlite3_close(whole);
}

static void
a_table_comes_without_its_indexes(void)
{
	static const char list[] = "SELECT name FROM pragma_index_list('article') ORDER BY name";
	sqlite3 *h = fresh();

	ok(db_schema_narrow(h, db_schema_tables("article-"), false), "a table alone is found");
	is_text(answers(h, list), "|sqlite_autoindex_article_1", "with what its text makes");
	sqlite3_close(h);
	h = fresh();
	ok(db_schema_narrow(h, db_schema_tables("article- article_listed"), false),
	    "and with one index");
	is_text(answers(h, list), "|article_listed|sqlite_autoindex_article_1", "which it has");
	sqlite3_close(h);
	h = fresh();
	ok(db_schema_narrow(h, db_schema_tables("article-"), true), "a writer finds it");
	is_int(number(h, "SELECT count(*) FROM pragma_index_list('article')"), 3,
	    "with all its indexes");
	sqlite3_close(h);
}

/* A migration may have made a table with a text of its own. */
static void
another_text_is_kept(void)
{
	sqlite3 *h = fresh();

	sqlite3_exec(
	    h, "ALTER TABLE export ADD COLUMN more TEXT NOT NULL DEFAULT ''", NULL, NULL, NULL);
	sqlite3_close(h);
	h = fresh();
	ok(db_schema_narrow(h, db_schema_tables("export"), false), "another table is found");
	is_int(number(h, "SELECT \"notnull\" FROM pragma_table_info('export')"
			 " WHERE name = 'more'"),
	    1, "as it is");
	sqlite3_exec(h, "ALTER TABLE export DROP COLUMN more", NULL, NULL, NULL);
	sqlite3_close(h);
}

static void
what_lists_read_stands_first(void)
{
	static const char *const of_lists = "('api_key', 'workspace', 'article', 'export')";
	sqlite3 *h = fresh();

	is_int(number(h, arena_printf(&arena,
			     "SELECT count(*) FROM sqlite_schema WHERE tbl_name NOT IN %s"
			     " AND rowid < (SELECT max(rowid) FROM sqlite_schema"
			     " WHERE tbl_name IN %s)",
			     of_lists, of_lists)),
	    0, "nothing is looked at that a list does not read");
	sqlite3_close(h);
}

static void
what_is_not_known_is_said(void)
{
	is_int((int)db_schema_tables("article form"), 0, "a table that none asks for");
	is_int((int)db_schema_tables("articl"), 0, "half a name");
	is_int((int)db_schema_tables("articles"), 0, "more than a name");
	ok(db_schema_tables("article export") ==
		(db_schema_tables("export") | db_schema_tables("article")),
	    "two are both");
}

static void
all_can_be_known_later(void)
{
	sqlite3 *h = fresh();
	sqlite3_stmt *q;

	sqlite3_limit(h, SQLITE_LIMIT_SQL_LENGTH, 5000);
	(void)db_schema_narrow(h, db_schema_tables("workspace"), false);
	sqlite3_prepare_v2(h, "SELECT count(*) FROM workspace", -1, &q, NULL);
	db_schema_widen(h);
	ok(knows(h, "form"), "what was left out is known later");
	is_int(sqlite3_step(q), SQLITE_ROW, "what was prepared before still runs");
	sqlite3_finalize(q);
	is_int(sqlite3_limit(h, SQLITE_LIMIT_SQL_LENGTH, -1), 5000, "the limit is what it was");
	is_int(sqlite3_exec(h, "UPDATE sqlite_master SET sql = ''", NULL, NULL, NULL), SQLITE_ERROR,
	    "nor the right to write the schema");
	sqlite3_close(h);
}

/* A database as a future migration may leave it. */
static void
another_schema_is_parsed_whole(void)
{
	sqlite3 *h = fresh();

	sqlite3_exec(h, "DROP INDEX article_listed", NULL, NULL, NULL);
	sqlite3_close(h);
	h = fresh();
	ok(!db_schema_narrow(h, db_schema_tables("article"), false),
	    "where an index is missing, not all is found");
	ok(knows(h, "article") && knows(h, "ledger"), "and all is known");
	sqlite3_close(h);
}

/* A writer that did not know an index would leave it without the new rows. */
static void
a_writer_knows_every_index(void)
{
	unsigned of_orders = db_schema_tables("job ledger");
	sqlite3 *h = fresh();

	ok(db_schema_narrow(h, of_orders, true), "a writer knows its tables");
	ok(knows(h, "job") && !knows(h, "form"), "and no others");
	sqlite3_close(h);
	h = fresh();
	sqlite3_exec(h, "CREATE INDEX job_mine ON job (topic)", NULL, NULL, NULL);
	sqlite3_close(h);
	h = fresh();
	ok(db_schema_narrow(h, of_orders, false), "a reader needs no index of others");
	sqlite3_close(h);
	h = fresh();
	ok(!db_schema_narrow(h, of_orders, true), "a writer that finds one more parses all");
	is_int(number(h, "SELECT count(*) FROM pragma_index_list('job')"), 4, "and knows it");
	sqlite3_exec(h, "DROP INDEX job_mine", NULL, NULL, NULL);
	sqlite3_close(h);
}

static void
a_request_that_writes_parses_once(void)
{
	db_open(&c, DB_WAIT_WRITE_MS);
	db_touches(&c, "workspace");
	db_begin_read(&c, DB_CONTENT);
	ok(db_row(db_prepare(&c, "SELECT count(*) FROM workspace")), "it reads first");
	db_rollback(&c);
	ok(sqlite3_get_autocommit(c.db->handle), "the read ends");
	db_begin_write(&c, DB_CONTENT, DB_CHANGES_NOTHING, 0, 0);
	is_int(c.db->schema, DB_SCHEMA_NARROW, "then it writes, and knows what it named");
	ok(!knows(c.db->handle, "form"), "and nothing else");
	db_commit(&c);
	db_close(&c);
}

/* A writer that asks for a table that it did not name, in the middle of its transaction. */
static void
a_writer_may_ask_for_more(void)
{
	struct stmt *q;

	db_open(&c, DB_WAIT_WRITE_MS);
	db_touches(&c, "workspace");
	db_begin_write(&c, DB_CONTENT, DB_CHANGES_NOTHING, 0, 0);
	is_int(db_run_counted(&c,
		   "INSERT INTO account (uuid, name, created_at) VALUES (:uuid, 'More', 1)",
		   db_t(":uuid", "00000000-0000-4000-8000-000000000001")),
	    1, "a write to what it knows");
	q = db_prepare(&c, "INSERT INTO form (number, person, route, digest, answer,"
			   " created_at) VALUES ('more', '', '', x'00', '', 1)");
	is_int(c.db->schema, DB_SCHEMA_WHOLE, "another table: all of it is parsed");
	is_int(db_run_counted_stmt(q), 1, "and written");
	is_int(sqlite3_exec(c.db->handle,
		   "INSERT INTO ledger (account_id, number, kind)"
		   " VALUES (1, 1, 'grant')",
		   NULL, NULL, NULL),
	    SQLITE_CONSTRAINT, "the triggers that guard money are still there");
	db_commit(&c);
	db_close(&c);
	db_open(&c, DB_WAIT_READ_MS);
	db_begin_read(&c, DB_CONTENT);
	ok(db_row(db_prepare(
	       &c, "SELECT 1 FROM account JOIN form ON number = 'more' WHERE name = 'More'")),
	    "both are there after the commit");
	db_rollback(&c);
	db_close(&c);
}

static void
a_request_may_read_more_than_it_said(void)
{
	db_open(&c, DB_WAIT_READ_MS);
	db_reads(&c, DB_CONTENT, "workspace");
	db_begin_read(&c, DB_CONTENT);
	is_int(c.db->schema, DB_SCHEMA_WANTED, "nothing is parsed before it is asked for");
	ok(db_row(db_prepare(&c, "SELECT count(*) FROM workspace")), "a statement reads");
	is_int(c.db->schema, DB_SCHEMA_NARROW, "without more being parsed than it needs");
	ok(db_row(db_prepare(&c, "SELECT count(*) FROM ledger")), "another asks for more");
	is_int(c.db->schema, DB_SCHEMA_WHOLE, "then all of it is");
	ok(db_row(db_prepare(&c, "SELECT count(*) FROM workspace")), "and the first reads on");
	db_rollback(&c);
	db_close(&c);
}

/* The code relies on behaviour that SQLite's authors do not document. */
static void
another_sqlite_parses_all(void)
{
	ok(db_schema_is_tested(sqlite3_libversion_number()),
	    "SQLite %s is one of the tested versions: if not, and all else here passes, add it to the list in db-schema.c",
	    sqlite3_libversion());
	ok(!db_schema_is_tested(sqlite3_libversion_number() + 1),
	    "the next version is not, so it parses the whole schema");
	ok(!db_schema_is_tested(0), "nor is none");
}

int
main(void)
{
	begin();
	another_sqlite_parses_all();
	each_table_comes_with_all_that_is_its(instance.db, content);
	a_reader_knows_all_but_what_binds_writers(instance.db, content);
	a_table_comes_without_its_indexes();
	what_lists_read_stands_first();
	what_is_not_known_is_said();
	all_can_be_known_later();
	a_request_may_read_more_than_it_said();
	a_request_that_writes_parses_once();
	a_writer_may_ask_for_more();
	a_writer_knows_every_index();
	another_text_is_kept();
	another_schema_is_parsed_whole();
	(void)!system(arena_printf(&arena, "rm -rf %s", folder));
	return done_testing();
}
