/* galley demo: two workspaces to look at, and an order in each. */
#include <stddef.h>
#include <string.h>

#include "access/account.h"
#include "access/apikey.h"
#include "access/scope.h"
#include "article/article.h"
#include "base/arena.h"
#include "system/conf.h"
#include "base/ctx.h"
#include "command/call.h"
#include "command/command-list.h"
#include "command/demo.h"
#include "import/import.h"
#include "job/job.h"
#include "job/ledger.h"
#include "store/db.h"

#define ACCOUNT "Demo"
#define CREDITS 1000
#define LABEL "demo " /* begins the label of every key of a demo */

/* A workspace of the demo and its settings. */
struct demo {
	const char *name;
	const char *language;
	const char *topic; /* of the article that is ordered */
	const char *settings[8][2];
};

static const struct demo demos[] = {
	{ "Demo (English)", "en", "Growing herbs on a north-facing balcony",
	    { { "website", "https://www.example.com" },
		{ "address_pattern", "/blog/{slug}/" },
		{ "publisher_name", "Example Green" },
		{ "publisher_logo_url", "https://www.example.com/logo.png" },
		{ "author_name", "Dana Reyes" },
		{ "author_url", "https://www.example.com/about/dana" },
		{ NULL, NULL } } },
	{ "Demo (Arabic)", "ar", "زراعة الأعشاب على شرفة قليلة الشمس",
	    { { "website", "https://www.example.com" },
		{ "address_pattern", "/ar/{slug}/" },
		{ "publisher_name", "المثال الأخضر" },
		{ "publisher_logo_url", "https://www.example.com/logo.png" },
		{ "author_name", "ليلى حداد" },
		{ "author_url", "https://www.example.com/ar/about" },
		{ NULL, NULL } } },
};

#define DEMOS (sizeof(demos) / sizeof(demos[0]))

/* What is printed of one. */
struct made {
	struct workspace *workspace;
	char read_key[APIKEY_LENGTH + 1];
	char drafts_key[APIKEY_LENGTH + 1];
	char generate_key[APIKEY_LENGTH + 1];
	int64_t generate_key_id;
	const char *article_id; /* of a published one */
	int revoked;            /* keys of earlier runs */
};

static struct err *
find_account(struct ctx *c, struct account **out)
{
	bool many, granted;
	struct err *err;

	*out = account_find(c, ACCOUNT, &many);
	if (many)
		return refuse(c, ERR_CONFLICT,
		    "More than one account is called " ACCOUNT ".");
	if (*out != NULL)
		return NULL;
	err = account_insert(c, ACCOUNT, true, out);
	if (err != NULL)
		return err;
	return ledger_grant(c, (*out)->id, CREDITS, "demo", &granted);
}

/* The workspace, as it is where an earlier run made it. */
static struct err *
find_workspace(struct ctx *c, const struct demo *demo,
    struct workspace **out)
{
	struct err *err = NULL;
	struct account *a;
	bool many;

	*out = workspace_find(c, demo->name, &many);
	if (many)
		return refuse(c, ERR_CONFLICT,
		    "More than one workspace is called %s.", demo->name);
	if (*out != NULL)
		return NULL;
	err = find_account(c, &a);
	if (err == NULL)
		err = workspace_insert(c, a->id, demo->name, demo->language,
		    out);
	for (size_t i = 0; err == NULL && demo->settings[i][0] != NULL; i++)
		err = workspace_set(c, *out, demo->settings[i][0],
		    demo->settings[i][1]);
	if (err != NULL)
		return err;
	workspace_update(c, *out);
	workspace_take_public_url(c, c->conf->public_url);
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

	if (strncmp(key->label, LABEL, strlen(LABEL)) != 0 ||
	    key->revoked_at != 0)
		return;
	apikey_revoke(r->c, key->id);
	r->count++;
}

static struct err *
make_keys(struct ctx *c, struct made *made)
{
	const struct {
		unsigned scopes;
		const char *label;
		char *key;
	} keys[] = {
		{ SCOPE_READ, LABEL "read", made->read_key },
		{ SCOPE_READ | SCOPE_DRAFTS, LABEL "drafts",
		    made->drafts_key },
		{ SCOPE_GENERATE, LABEL "generate", made->generate_key },
	};
	struct revoking revoking = { .c = c };
	struct err *err = NULL;
	struct apikey *key;

	apikey_list(c, made->workspace->id, revoke_demo_key, &revoking);
	made->revoked = revoking.count;
	for (size_t i = 0; i < 3 && err == NULL; i++) {
		err = apikey_insert(c, made->workspace->id, keys[i].scopes,
		    keys[i].label, 0, keys[i].key, &key);
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

/* One order, where there was none yet: a job to look at, as soon as a runner
 * came by. */
static struct err *
order_article(struct ctx *c, const struct demo *demo, struct made *made)
{
	struct job_order order = { .kind = JOB_ARTICLE, .topic = demo->topic,
		.image = true };
	struct access access = { .key_id = made->generate_key_id,
		.scopes = SCOPE_GENERATE, .workspace = *made->workspace };
	char uuid[UUID_TEXT];
	struct job *job;
	int jobs = 0;

	job_list(c, made->workspace, 1, count_job, &jobs);
	if (jobs > 0)
		return NULL;
	job_order_id(&access, "demo", uuid);
	return job_order(c, &access, uuid, &order, &job);
}

/* The articles of one language; those whose slug is there are left as they
 * are. */
static struct err *
import_articles(struct ctx *c, const struct demo *demo, struct made *made)
{
	const struct import_options options = { .publish = true,
		.pictures = demo_pictures };
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
		err = import_text(c, made->workspace, d->text, strlen(d->text),
		    &options, &result);
		if (err != NULL)
			return refuse(c, err->code, "%s: %s", d->name,
			    err->message);
	}
	return NULL;
}

static void
keep_id(void *arg, const struct article *a)
{
	const char **id = arg;

	*id = a->uuid;
}

static struct err *
make(struct ctx *c, const struct demo *demo, struct made *made)
{
	struct err *err;

	db_begin_write(c, DB_CONTENT, DB_CHANGES_ALL, 0, 0);
	err = find_workspace(c, demo, &made->workspace);
	if (err == NULL)
		err = make_keys(c, made);
	if (err == NULL)
		err = order_article(c, demo, made);
	if (err != NULL)
		return err;
	db_commit(c);
	err = import_articles(c, demo, made);
	if (err != NULL)
		return err;
	db_begin_read(c, DB_CONTENT);
	article_list(c, made->workspace->id, ARTICLE_PUBLISHED, 1, keep_id,
	    &made->article_id);
	db_commit(c);
	return NULL;
}

static void
tell(struct call *call, const struct made *m)
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
	call_say(call, "  an article    %s",
	    m->article_id != NULL ? m->article_id : "-");
	if (m->revoked > 0)
		call_say(call, "  The %d demo keys of the run before are revoked"
		    " now.", m->revoked);
}

static struct err *
demo(struct ctx *c, struct call *call)
{
	struct made made[DEMOS];
	struct err *err;

	memset(made, 0, sizeof(made));
	for (size_t i = 0; i < DEMOS; i++) {
		err = make(c, &demos[i], &made[i]);
		if (err != NULL)
			return err;
		call_changed(call, made[i].workspace->uuid);
	}
	if (call->as_json) {
		jwrite_object(&call->json);
		jwrite_member_array(&call->json, "workspaces");
	}
	for (size_t i = 0; i < DEMOS; i++)
		tell(call, &made[i]);
	if (call->as_json) {
		jwrite_array_end(&call->json);
		jwrite_object_end(&call->json);
	}
	return NULL;
}

const struct command command_demo[] = {
	{ .verb = "demo", .operands = "",
	    .flags = COMMAND_DB | COMMAND_CHANGES, .run = demo,
	    .summary = "two workspaces with articles and keys to try",
	    .text = "Said again, it keeps workspaces and articles, revokes the"
		    " demo keys of the run before and\nmakes new ones." },
	{ .verb = NULL },
};
