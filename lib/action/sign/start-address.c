#include "action/sign/start-address.h"

#include <string.h>

#include "access/workspace.h"
#include "action/sign/sign-log.h"
#include "action/sign/start.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "base/log.h"
#include "screen/tr.h"
#include "store/db.h"
#include "system/conf.h"
#include "system/conf/conf-address.h"
#include "system/conf/conf-file.h"
#include "system/instance.h"

bool
start_address_is_good(struct ctx *c, const char *url)
{
	return strncmp(url, "https://", 8) == 0 || !c->conf->require_https;
}

/* Makes the new text. The file is looked at again under its lock. */
static struct err *
edit(struct ctx *c, const char **text, const char *url)
{
	size_t len = strlen(*text);
	struct conf_fault *faults;
	struct conf now;
	int line;

	if (conf_faults(c, *text, &faults) > 0)
		return refuse(c, ERR_CONFLICT, "%s",
		    tr("galley.conf has a fault, so nothing was changed. Correct it first."));
	if (conf_parse(c, arena_text(c->arena, *text), len, &now, &line) == NULL &&
	    now.public_url[0] != '\0')
		return refuse(c, ERR_CONFLICT, "%s",
		    tr("This instance has an address by now. Open this page there."));
	return conf_edit(c, text, "public_url", url);
}

static struct err *
change(struct ctx *c, const char *url)
{
	struct conf_file file;
	struct err *err = conf_file_lock(c, &file);
	const char *text;

	if (err != NULL)
		return err;
	text = file.text;
	err = edit(c, &text, url);
	if (err == NULL)
		err = conf_file_replace(c, &file, text);
	conf_file_release(&file);
	return err;
}

/* Gives the address to the workspaces, so that pictures have one at once, and not only when cron
 * has come. Where that is refused, the job runner does it. */
static void
take_over(struct ctx *c)
{
	if (db_release(c) != DB_RELEASE_SAME)
		return;
	db_begin_write(c, DB_CONTENT, DB_CHANGES_ALL, 0, 0);
	if (gate_pass(c) == NULL) {
		(void)workspace_take_public_url(c, c->conf->public_url);
		db_commit(c);
	} else {
		db_rollback(c);
	}
}

struct err *
start_address(struct ctx *c, const char *code, const char *address, const char *url)
{
	struct conf *conf = arena_alloc(c->arena, sizeof(*conf));
	struct err *err = start_check(c, code, address);

	if (err == NULL && conf_address_check(c, "public_url", url) != NULL)
		err = refuse(c, ERR_INVALID, "%s",
		    tr("This is not an address that a browser can open, so it was not used."));
	if (err == NULL && !start_address_is_good(c, url))
		err = refuse(c, ERR_INVALID, "%s",
		    tr("This address begins with http://, so it was not used."));
	if (err == NULL)
		err = change(c, url);
	if (err == NULL)
		err = conf_read(c, c->instance->conf, conf);
	if (err != NULL)
		return err;
	c->conf = conf;
	take_over(c);
	sign_log(c, "address-set", NULL, address);
	log_into(arena_printf(c->arena, "%s/operator.log", c->instance->log),
	    arena_printf(c->arena, "person=- account=- config set public_url=%s", url));
	return NULL;
}
