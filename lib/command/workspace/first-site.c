#include "command/workspace/first-site.h"

#include <string.h>

#include "access/account.h"
#include "action/workspace-actions.h"
#include "base/ctx.h"
#include "system/conf.h"

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

struct err *
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
to_json(struct jwrite *j, const struct first_site *s)
{
	jwrite_member_text(j, "account_id", s->account->uuid);
	jwrite_member_text(j, "workspace_id", s->workspace->uuid);
	jwrite_member_text(j, "key_id", s->apikey->uuid);
	jwrite_member_text(j, "key", s->key);
}

static void
say(struct ctx *c, struct call *call, const struct first_site *s)
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

struct err *
first_site_make(struct ctx *c, struct call *call)
{
	struct first_site site = site_of(call);
	struct err *err;

	if (call_option(call, "site") == NULL)
		return NULL;
	err = workspace_create_site(c, &site);
	if (err != NULL)
		return err;
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
