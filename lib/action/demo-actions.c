#include "action/demo-actions.h"

#include <stddef.h>
#include <string.h>

#include "access/account.h"
#include "access/apikey.h"
#include "access/pages-settings.h"
#include "action/action.h"
#include "article/article.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "base/uuid.h"
#include "job/job.h"
#include "job/ledger.h"
#include "people/factor.h"
#include "people/membership.h"
#include "people/password.h"
#include "people/person.h"
#include "people/session.h"
#include "system/conf.h"
#include "system/work.h"

#define ACCOUNT "Demo"
#define CREDITS 1000
/* Where README serves examples/site and examples/embed.html. */
#define EXAMPLE_SITE "http://127.0.0.1:8000 http://localhost:8000"
#define LABEL "demo " /* begins the label of every key of a demo */

/* A workspace of the demo and its settings. */
struct demo {
	const char *name;
	const char *language;
	const char *topic; /* the topic of the article that is ordered */
	const char *word; /* of its pages */
	const char *settings[12][2];
};

static const struct demo demos[DEMO_WORKSPACES] = {
	{ "Demo (English)", "en", "Growing herbs on a north-facing balcony", "demo",
	    { { "website", "https://www.example.com" }, { "address_pattern", "/blog/{slug}/" },
		{ "publisher_name", "Example Green" },
		{ "publisher_logo_url", "https://www.example.com/logo.png" },
		{ "author_name", "Dana Reyes" },
		{ "author_url", "https://www.example.com/about/dana" },
		{ "embed_origins", EXAMPLE_SITE }, { "analytics_enabled", "on" },
		{ "analytics_origins", "https://www.example.com" }, { NULL, NULL } } },
	{ "Demo (Arabic)", "ar", "زراعة الأعشاب على شرفة قليلة الشمس", "demo-arabic",
	    { { "website", "https://www.example.com" }, { "address_pattern", "/ar/{slug}/" },
		{ "publisher_name", "المثال الأخضر" },
		{ "publisher_logo_url", "https://www.example.com/logo.png" },
		{ "author_name", "ليلى حداد" },
		{ "author_url", "https://www.example.com/ar/about" },
		{ "embed_origins", EXAMPLE_SITE }, { NULL, NULL } } },
};

static struct err *
demo_account(struct ctx *c, struct account **out)
{
	bool many, granted;

	*out = account_find(c, ACCOUNT, &many);
	if (many)
		return refuse(c, ERR_CONFLICT, "More than one account is called " ACCOUNT ".");
	if (*out != NULL)
		return NULL;
	TRY(account_insert(c, ACCOUNT, true, out));
	return ledger_grant(c, (*out)->id, CREDITS, "demo", &granted);
}

/* Turns the pages of a new workspace on. Where somebody else has the word, it has none. */
static void
take_word(struct ctx *c, const struct workspace *w, const char *word)
{
	struct err *err = word_set(c, w, word, false);

	(void)err;
}

/* Finds the workspace of an earlier run, which stays as it is, or makes it. */
static struct err *
demo_workspace(struct ctx *c, const struct demo *demo, struct workspace **out)
{
	struct account *a;
	bool many;

	*out = workspace_find(c, demo->name, &many);
	if (many)
		return refuse(c, ERR_CONFLICT, "More than one workspace is called %s.", demo->name);
	if (*out != NULL)
		return NULL;
	TRY(demo_account(c, &a));
	TRY(workspace_insert(c, a->id, demo->name, demo->language, out));
	for (size_t i = 0; demo->settings[i][0] != NULL; i++)
		TRY(workspace_set(c, *out, demo->settings[i][0], demo->settings[i][1]));
	workspace_update(c, *out);
	workspace_take_public_url(c, c->conf->public_url);
	take_word(c, *out, demo->word);
	*out = workspace_of(c, (*out)->id);
	return NULL;
}

/* What revoke_demo_key() is told. */
struct revoking {
	struct ctx *c;
	int count;
};

static void
revoke_demo_key(void *arg, const struct apikey *key)
{
	struct revoking *r = arg;

	if (strncmp(key->label, LABEL, strlen(LABEL)) != 0 || key->revoked_at != 0)
		return;
	apikey_revoke(r->c, key->id);
	r->count++;
}

static struct err *
make_keys(struct ctx *c, struct demo_made *made)
{
	const struct {
		unsigned scopes;
		const char *label;
		char *key;
	} keys[] = {
		{ SCOPE_READ, LABEL "read", made->read_key },
		{ SCOPE_READ | SCOPE_DRAFTS, LABEL "drafts", made->drafts_key },
		{ SCOPE_GENERATE, LABEL "generate", made->generate_key },
	};
	struct revoking revoking = { .c = c };
	struct err *err = NULL;
	struct apikey *key;

	apikey_list(c, made->workspace->id, revoke_demo_key, &revoking);
	made->revoked = revoking.count;
	for (size_t i = 0; i < 3 && err == NULL; i++) {
		err = apikey_insert(
		    c, made->workspace->id, keys[i].scopes, keys[i].label, 0, keys[i].key, &key);
		if (err == NULL)
			made->generate_key_id = key->id;
	}
	return err;
}

static void
count_job(void *arg, const struct job *job)
{
	int *count = arg;

	(void)job;
	(*count)++;
}

/* Orders an article if nothing was ordered yet: after the next run of the job
 * runner there is a job to see. */
static struct err *
order_article(struct ctx *c, const struct demo *demo, struct demo_made *made)
{
	struct job_order order = { .kind = JOB_ARTICLE, .topic = demo->topic, .image = true };
	struct access access = { .key_id = made->generate_key_id,
		.scopes = SCOPE_GENERATE,
		.workspace = *made->workspace };
	char uuid[UUID_TEXT];
	struct job *job;
	int jobs = 0;

	job_list(c, made->workspace, 1, count_job, &jobs);
	if (jobs > 0)
		return NULL;
	job_order_id(&access, "demo", uuid);
	return job_order(c, &access, uuid, &order, &job);
}

/* Imports the articles of one language, if the workspace has no article yet. */
static struct err *
import_articles(struct ctx *c, const struct demo *demo, struct demo_made *made)
{
	const struct import_options options = { .publish = true, .pictures = demo_pictures };
	const struct demo_document *d = demo_documents;
	struct import_result result;
	struct err *err;
	int64_t present;

	db_begin_read(c, DB_CONTENT);
	present = article_count(c, made->workspace->id, ARTICLE_PUBLISHED) +
		  article_count(c, made->workspace->id, ARTICLE_DRAFT) +
		  article_count(c, made->workspace->id, ARTICLE_DELETED);
	db_commit(c);
	for (; present == 0 && d->language != NULL; d++) {
		if (strcmp(d->language, demo->language) != 0)
			continue;
		err = import_text(c, made->workspace, d->text, strlen(d->text), &options, &result);
		if (err != NULL)
			return refuse(c, err->code, "%s: %s", d->name, err->message);
	}
	return NULL;
}

/* Changes keys, too. */
static const struct action_scope scope = { .change = DB_CHANGES_ALL };

static struct err *
insert_workspace(struct ctx *c, const struct demo *demo, struct demo_made *made)
{
	ACTION(c, action_begin(c, &scope));
	TRY(demo_workspace(c, demo, &made->workspace));
	TRY(make_keys(c, made));
	TRY(order_article(c, demo, made));
	return action_commit(c);
}

static struct err *
make_workspace(struct ctx *c, const struct demo *demo, struct demo_made *made)
{
	struct err *err = insert_workspace(c, demo, made);

	if (err != NULL)
		made->workspace = NULL;
	return err;
}

static struct err *
make_demo(struct ctx *c, const struct demo *demo, struct demo_made *made)
{
	struct article a;

	TRY(make_workspace(c, demo, made));
	TRY(import_articles(c, demo, made));
	db_begin_read(c, DB_CONTENT);
	for (struct stmt *q = article_list(c, made->workspace->id, ARTICLE_PUBLISHED, 1);
	     article_next(q, &a);)
		made->article_id = a.uuid;
	db_commit(c);
	return NULL;
}

struct err *
demo_make(struct ctx *c, const struct work *work, struct demo_made out[DEMO_WORKSPACES])
{
	memset(out, 0, DEMO_WORKSPACES * sizeof(*out));
	for (size_t i = 0; i < DEMO_WORKSPACES; i++) {
		if (work_must_stop(work))
			return work_stopped(c,
			    "%zu of %d demo workspaces were made. The same command again does the rest.",
			    i, DEMO_WORKSPACES);
		TRY(make_demo(c, &demos[i], &out[i]));
	}
	return NULL;
}

/* ---- the person of the demo */

#define GROUP 4 /* letters between two hyphens */

/* Returns whether only this machine reaches the console. */
static bool
is_local(struct ctx *c)
{
	static const char *const hosts[] = { "127.0.0.1", "localhost", "[::1]" };
	struct console_conf own;
	const char *url, *host;

	console_conf_read(c, &own);
	url = own.url[0] != '\0' ? own.url : c->conf->public_url;
	host = strstr(url, "://");
	for (size_t i = 0; host != NULL && i < sizeof(hosts) / sizeof(hosts[0]); i++) {
		size_t len = strlen(hosts[i]);
		if (strncmp(host + 3, hosts[i], len) == 0 && strchr("/:", host[3 + len]) != NULL)
			return true;
	}
	return false;
}

/* 16 letters of 32: 80 bits. */
static void
make_password(char out[DEMO_PASSWORD])
{
	static const char letters[33] = "abcdefghijkmnopqrstuvwxyz2345679";
	unsigned char chance[DEMO_PASSWORD];

	uuid_random_bytes(chance, sizeof(chance));
	for (size_t i = 0; i < DEMO_PASSWORD - 1; i++)
		out[i] = i % (GROUP + 1) == GROUP ? '-' : letters[chance[i] % 32];
	out[DEMO_PASSWORD - 1] = '\0';
	explicit_bzero(chance, sizeof(chance));
}

static struct err *
find_or_insert(struct ctx *c, struct person **out)
{
	struct person fresh = { .email = DEMO_PERSON_EMAIL,
		.login = DEMO_PERSON_EMAIL,
		.name = "Demo",
		.language = "en" };

	*out = person_find(c, DEMO_PERSON_EMAIL);
	if (*out != NULL)
		return NULL;
	TRY(person_insert(c, &fresh));
	*out = person_of(c, fresh.id);
	return NULL;
}

static void
make_operator(struct ctx *c, const struct person *p)
{
	const struct membership *found = membership_find(c, p->id, "");
	struct membership m = { .person_id = p->id,
		.kind = MEMBERSHIP_INSTANCE,
		.place = "",
		.account = "",
		.rights = RIGHT_ALL,
		.invited_name = "",
		.invited_email = "",
		.invited_by = "" };

	if (found == NULL)
		membership_insert(c, &m);
	else
		membership_set(c, found->id, RIGHT_ALL);
	membership_begin(c, found == NULL ? m.id : found->id);
}

struct err *
demo_person(struct ctx *c, char password[DEMO_PASSWORD])
{
	static const char *const names[] = { DEMO_PERSON_EMAIL };
	const char *good, *hash;
	struct person *p = NULL;

	if (!is_local(c))
		return err_hint(c,
		    refuse(c, ERR_CONFLICT,
			tr_mark(
			    "The demo's person signs in on this machine alone, and the address of this console is another or not set: public_url and console_url must begin with http://127.0.0.1 or http://localhost.")),
		    HINT_PERSON_CREATE, NULL);
	make_password(password);
	TRY(password_read(c, password, false, names, 1, &good));
	TRY(password_hash(c, good, (struct password_asker) { .login = DEMO_PERSON_EMAIL }, &hash));
	ACTION(c, action_begin_console(c));
	TRY(find_or_insert(c, &p));
	make_operator(c, p);
	person_disable(c, p->id, false);
	person_set_password(c, p->id, hash);
	factor_remove(c, p->id);
	session_delete_all(c, p->id, 0);
	device_delete_all(c, p->id, 0);
	return action_commit(c);
}
