/*
 * Movements of credits, on a database of the test's own.
 *
 * suite: fast
 */
#include <stdlib.h>
#include <sys/stat.h>

#include "access/account.h"
#include "access/apikey.h"
#include "access/pepper.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "job/job.h"
#include "job/ledger.h"
#include "store/db.h"
#include "store/migrate.h"
#include "system/conf.h"
#include "system/instance.h"
#include "tests/tap.h"

static struct arena arena;
static struct instance instance;
static struct conf conf;
static struct ctx c = { .arena = &arena, .request_id = "" };
static char folder[] = "/tmp/ledger-XXXXXX";

static void
must(struct err *err)
{
	if (err != NULL)
		bail("%s", err->message);
}

static const char *
make_folder(const char *name)
{
	const char *path = arena_printf(&arena, "%s/%s", folder, name);

	if (mkdir(path, 0700) != 0)
		bail("%s cannot be made", path);
	return path;
}

static void
begin(void)
{
	int64_t from;

	arena_init(&arena, (size_t)64 << 20);
	if (mkdtemp(folder) == NULL)
		bail("%s cannot be made", folder);
	conf_defaults(&conf);
	instance.home = folder;
	instance.run = make_folder("run");
	instance.db = arena_printf(&arena, "%s/galley.db", make_folder("db"));
	instance.pepper = arena_printf(&arena, "%s/db/pepper", folder);
	c.instance = &instance;
	c.conf = &conf;
	pepper_create(&c);
	db_create(&c, true);
	must(migrate_run(&c, DB_CONTENT, &from));
}

static void
end(void)
{
	db_close(&c);
	if (system(arena_printf(&arena, "rm -r %s", folder)) != 0)
		printf("# %s stays\n", folder);
}

/* An account, and the key that may order in its one workspace. */
struct tenant {
	struct account *account;
	struct access access;
};

static struct tenant
make_tenant(void)
{
	char key[APIKEY_LENGTH + 1];
	struct workspace *w;
	struct tenant t;
	struct apikey *k;

	memset(&t, 0, sizeof(t));
	must(account_insert(&c, "Customer", true, &t.account));
	must(workspace_insert(&c, t.account->id, "Workspace", "en", &w));
	must(apikey_insert(&c, w->id, SCOPE_GENERATE, "", 0, key, &k));
	t.access.key_id = k->id;
	t.access.workspace = *w;
	return t;
}

static void
is_balance(
    const struct tenant *t, int64_t available, int64_t reserved, int64_t spent, const char *name)
{
	const struct account *a = account_of(&c, t->account->id);

	ok(a->available == available && a->reserved == reserved && a->spent == spent &&
		a->granted == available + reserved + spent,
	    "%s: %lld available, %lld reserved, %lld spent", name, (long long)a->available,
	    (long long)a->reserved, (long long)a->spent);
}

static struct job *
order(const struct tenant *t, const char *key)
{
	struct job_order what = { .kind = JOB_ARTICLE, .topic = "" };
	char uuid[UUID_TEXT];
	struct job *job;

	job_order_id(&t->access, key, uuid);
	must(job_order(&c, &t->access, uuid, &what, &job));
	return job;
}

static void
complain(void *arg, const char *sentence, int64_t rows)
{
	(void)arg;
	printf("# %lld: %s\n", (long long)rows, sentence);
}

static void
moves_credits(void)
{
	struct job_worker worker;
	struct job *job, *failed;
	struct tenant t;
	bool done;

	db_begin_write(&c, DB_CONTENT, DB_CHANGES_ALL, 0, 0);
	t = make_tenant();
	must(ledger_grant(&c, t.account->id, 100, "R-1", &done));
	is_balance(&t, 100, 0, 0, "a grant");
	job = order(&t, "first");
	failed = order(&t, "second");
	is_balance(&t, 60, 40, 0, "two orders");
	job_worker_init(&c, &worker);
	worker.locked = true;
	ok(job_claim(&c, &worker, &job) == JOB_CLAIMED, "a claim");
	ok(job_end_complete(&c, job, 7, "{}", NULL), "settled");
	is_balance(&t, 73, 20, 7, "the rest came back");
	ok(!job_end_complete(&c, job, 7, "{}", NULL), "not twice");
	job_end_fail(&c, failed, "cancelled", "Cancelled.");
	is_balance(&t, 93, 0, 7, "a refund");
	must(ledger_revoke(&c, t.account->id, 93, "R-1", &done));
	is_balance(&t, 0, 0, 7, "all that was left is revoked");
	is_int(ledger_verify(&c, complain, NULL), 0, "the invariants hold");
	db_commit(&c);
}

static void
refuses_what_cannot_be(void)
{
	struct tenant t;
	struct err *err;
	bool done;

	db_begin_write(&c, DB_CONTENT, DB_CHANGES_ALL, 0, 0);
	t = make_tenant();
	for (int64_t n = -1; n < 1; n++) {
		err = ledger_grant(&c, t.account->id, n, "R", &done);
		ok(err != NULL && err->code == ERR_INVALID, "a grant of %lld", (long long)n);
	}
	err = ledger_grant(&c, t.account->id, LEDGER_GRANT_MAX + 1, "R", &done);
	ok(err != NULL && !done, "a grant of too many");
	err = ledger_revoke(&c, t.account->id, 1, "R", &done);
	ok(err != NULL && err->code == ERR_CONFLICT, "a revocation of nothing");
	must(ledger_grant(&c, t.account->id, LEDGER_GRANT_MAX, "R", &done));
	ok(done, "the largest grant");
	must(ledger_grant(&c, t.account->id, LEDGER_GRANT_MAX, "R", &done));
	ok(!done, "its reference again");
	err = ledger_grant(&c, t.account->id, 1, "R", &done);
	ok(err != NULL && err->code == ERR_CONFLICT, "its reference with another amount");
	is_balance(&t, LEDGER_GRANT_MAX, 0, 0, "granted once");
	db_rollback(&c);
}

/* The same key and value give the same id; anything else gives another id. */
static void
names_jobs(void)
{
	struct access a = { .key_id = 1, .workspace = { .uuid = "a" } };
	struct access other_key = a, other_workspace = a;
	char first[UUID_TEXT], second[UUID_TEXT], canonical[UUID_TEXT];

	other_key.key_id = 2;
	other_workspace.workspace.uuid = "b";
	job_order_id(&a, "value", first);
	job_order_id(&a, "value", second);
	is_text(second, first, "an order has one id");
	ok(uuid_parse(first, canonical) && strcmp(first, canonical) == 0 && first[14] == '8' &&
		strchr("89ab", first[19]) != NULL,
	    "a UUID of version 8: %s", first);
	job_order_id(&a, "Value", second);
	ok(strcmp(first, second) != 0, "another value is another");
	job_order_id(&other_key, "value", second);
	ok(strcmp(first, second) != 0, "so is another key");
	job_order_id(&other_workspace, "value", second);
	ok(strcmp(first, second) != 0, "so is another workspace");
}

int
main(void)
{
	begin();
	moves_credits();
	refuses_what_cannot_be();
	names_jobs();
	end();
	return done_testing();
}
