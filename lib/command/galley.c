#include "command/galley.h"

#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "command/call.h"
#include "command/help/help-text.h"
#include "command/instance/public-url.h"
#include "command/journal.h"
#include "start/owner.h"
#include "start/tool.h"
#include "store/db.h"
#include "system/conf.h"
#include "system/instance.h"
#include "system/stop.h"
#include "terminal/hints.h"
#include "terminal/terminal.h"

#define MEMORY_MAX ((size_t)4 << 30)

/* Reads galley.conf. A fault in it stops nothing while there are good settings,
 * but it is always told. */
static struct err *
read_conf(struct ctx *c, struct conf *conf)
{
	struct err *err = conf_take(c, conf);

	if (err == NULL && conf->fault != NULL)
		note_say(
		    "galley: ATTENTION: %s\n"
		    "        Until that is fixed the last good settings are used, and no job is begun.\n"
		    "        galley config check names every fault; galley config set changes a line.",
		    conf->fault);
	return err;
}

/* Prepares what the handler of `call` needs (enum command_flag). */
static struct err *
prepare(struct ctx *c, const struct call *call, struct instance *instance, struct conf *conf)
{
	unsigned flags = call->command->flags;
	struct err *err;

	if ((flags & COMMAND_ALONE) != 0)
		return NULL;
	err = instance_find(c, call->instance, instance);
	if (err != NULL)
		return err;
	c->instance = instance;
	if ((flags & COMMAND_NEW) != 0)
		return NULL;
	err = tool_own(c, &call->work, (flags & (COMMAND_DB | COMMAND_CHANGES)) != 0);
	if (err == NULL && (flags & (COMMAND_CONF | COMMAND_DB)) != 0)
		err = read_conf(c, conf);
	if (err == NULL && (flags & COMMAND_DB) != 0) {
		db_open(c, DB_WAIT_TOOL_MS);
		public_url_take(c);
	}
	return err;
}

static struct err *
print(struct ctx *c, struct call *call)
{
	call_flush(call, true);
	if (call->unwritten != 0)
		return refuse(c, ERR_INTERNAL, "standard output: %s.", strerror(call->unwritten));
	return NULL;
}

static int
complain(struct ctx *c, const struct call *call, const struct err *err)
{
	note_say("galley: %s", err->message);
	if (!call_is_usage(err))
		return 1;
	if (call->command != NULL)
		fprintf(stderr, "%s --help tells how it is used.\n", help_name(c, call->command));
	else
		fputs("galley help lists the commands.\n", stderr);
	return 2;
}

static int
run(struct ctx *c, struct call *call)
{
	struct instance instance;
	struct err *err;
	struct conf conf;
	unsigned flags = call->command->flags;
	int status = 0;

	call->user = owner_caller(c);
	err = prepare(c, call, &instance, &conf);
	if (err == NULL && (flags & COMMAND_CHANGES) != 0 && (flags & COMMAND_NEW) == 0)
		journal_begin(c, call);
	if (err == NULL)
		err = call_read_ids(c, call);
	if (err == NULL)
		err = call->command->run(c, call);
	tool_end(c);
	journal_end(call, err);
	if (err == NULL)
		err = print(c, call);
	if (err != NULL)
		status = complain(c, call, err);
	if (call->stopped || (err != NULL && work_is_stopped(err)))
		stop_end();
	return status != 0 ? status : call->status;
}

int
galley_main(int argc, char **argv)
{
	struct arena arena;
	struct ctx c = { .request_id = "", .hint = hints_tell };
	struct call call;
	struct err *err;

	if (tool_refuse_web("galley"))
		return 1;
	tool_begin(&c, &arena, "galley", MEMORY_MAX);
	call_init(&call, &c);
	err = call_parse(&c, &call, argc, argv);
	return err != NULL ? complain(&c, &call, err) : run(&c, &call);
}
