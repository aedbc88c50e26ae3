#include "command/workspace/first-site.h"

#include <string.h>

#include "access/account.h"
#include "access/apikey.h"
#include "access/scope.h"
#include "access/workspace.h"
#include "system/conf.h"
#include "base/ctx.h"
#include "store/db.h"

#define LABEL "galley init"

struct site {
	struct account *account;
	struct workspace *workspace;
	struct apikey *apikey;
	char key[APIKEY_LENGTH + 1];
};

static struct err *
set_website(struct ctx *c, const struct call *call, struct workspace *w)
{
	const char *website = call_option(call, "website");

	return website == NULL ? NULL
			       : workspace_set(c, w, "website", website);
}

struct err *
first_site_check(struct ctx *c, const struct call *call)
{
	const char *name = call_option(call, "site");
	const char *language = call_option(call, "language");
	struct workspace w = { .id = 0 };
	struct err *err;

	if (name == NULL &&
	    (language != NULL || call_option(call, "website") != NULL))
		return call_usage(c, "--website and --language are those of a"
		    " --site: name it, too.");
	if (name == NULL)
		return NULL;
	if (language == NULL)
		return call_usage(c, "--site needs --language: that of its"
		    " articles, such as en, ar or pt-BR.");
	err = workspace_set(c, &w, "name", name);
	if (err == NULL)
		err = workspace_set(c, &w, "language", language);
	return err != NULL ? err : set_website(c, call, &w);
}

static struct err *
make(struct ctx *c, const struct call *call, struct site *s)
{
	const char *name = call_option(call, "site");
	struct err *err;

	err = account_insert(c, name, true, &s->account);
	if (err == NULL)
		err = workspace_insert(c, s->account->id, name,
		    call_option(call, "language"), &s->workspace);
	if (err == NULL)
		err = set_website(c, call, s->workspace);
	if (err != NULL)
		return err;
	workspace_update(c, s->workspace);
	workspace_take_public_url(c, c->conf->public_url);
	return apikey_insert(c, s->workspace->id, SCOPE_READ, LABEL, 0, s->key,
	    &s->apikey);
}

static void
to_json(struct jwrite *j, const struct site *s)
{
	jwrite_member_text(j, "account_id", s->account->uuid);
	jwrite_member_text(j, "workspace_id", s->workspace->uuid);
	jwrite_member_text(j, "key_id", s->apikey->uuid);
	jwrite_member_text(j, "key", s->key);
}

static void
say(struct ctx *c, struct call *call, const struct site *s)
{
	const char *url = c->conf->public_url;

	call_say(call, "\nAccount and workspace %s were made, and a key that"
	    " reads its articles. It is shown this\nonce only:\n\n%s\n",
	    s->account->name, s->key);
	call_say(call, "When the web server runs, this answers with the"
	    " workspace:\n\n  curl -H 'Authorization: Bearer %s'"
	    " '%s/api/v1/connection'\n", s->key,
	    url[0] != '\0' ? url : "PUBLIC-URL");
	call_say(call, "galley workspace show tells which settings are blank,"
	    " and what that costs;\ngalley article import --publish FOLDER"
	    " brings articles.");
}

struct err *
first_site_make(struct ctx *c, struct call *call)
{
	struct site site;
	struct err *err;

	if (call_option(call, "site") == NULL)
		return NULL;
	db_begin_write(c, DB_CONTENT, DB_CHANGES_ALL, 0, 0);
	err = make(c, call, &site);
	if (err != NULL)
		return err;
	db_commit(c);
	call_changed(call, site.account->uuid);
	call_changed(call, site.workspace->uuid);
	call_changed(call, site.apikey->uuid);
	if (call->as_json)
		to_json(&call->json, &site);
	else
		say(c, call, &site);
	explicit_bzero(site.key, sizeof(site.key));
	return NULL;
}
