#include "command/commands.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "access/workspace.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "base/log.h"
#include "base/utf8.h"
#include "command/call.h"
#include "start/owner.h"
#include "start/tool.h"
#include "store/db.h"
#include "system/conf.h"
#include "system/instance.h"
#include "system/work.h"
#include "terminal/hints.h"
#include "terminal/terminal.h"

const struct command *const command_list[] = {
	command_init,
	command_account,
	command_person,
	command_workspace,
	command_moving,
	command_key,
	command_article_import,
	command_article,
	command_article_edit,
	command_article_state,
	command_credits,
	command_stats,
	command_job,
	command_provider,
	command_task,
	command_export,
	command_verify,
	command_doctor,
	command_explain,
	command_verify_page,
	command_backup,
	command_restore,
	command_live,
	command_migrate,
	command_store,
	command_dump,
	command_demo,
	command_config,
	command_fix,
	command_help,
	NULL,
};

/* ---- the journal */

#define LINE_MAX_BYTES 3500
#define WORD_MAX_CHARS 80 /* longer words are cut: the log is not a place for texts */

static void
add_word(struct buf *line, const char *word)
{
	size_t len = utf8_prefix(word, WORD_MAX_CHARS);

	buf_add_char(line, ' ');
	buf_add(line, word, len);
	if (word[len] != '\0')
		buf_add_text(line, "…");
}

static void
add_command(struct buf *line, const struct call *call)
{
	const struct command *command = call->command;

	if (command->noun != NULL)
		buf_printf(line, "%s ", command->noun);
	buf_add_text(line, command->verb);
	for (size_t i = 0; i < call->given_count; i++) {
		buf_printf(line, " --%s", call->given[i].name);
		if (call->given[i].value[0] != '\0')
			add_word(line, call->given[i].value);
	}
	for (size_t i = 0; i < call->operand_count; i++)
		add_word(line, call->operands[i]);
}

/* The command of this process, for its line if it dies. A process runs one
 * command. */
static const char *running;
static struct call *under_way;

static void
last_words(bool passing, int retry_after_s)
{
	(void)passing;
	(void)retry_after_s;
	if (under_way->ids.len > 0)
		log_line("%s; changed: %s, and it is not known what else; died", running,
		    under_way->ids.data);
	else
		log_line("%s; it is not known what was changed; died", running);
	note_say("galley: %s", log_death());
	if (under_way->on_death != NULL)
		under_way->on_death(under_way);
}

void
journal_begin(struct ctx *c, struct call *call)
{
	struct buf line;

	buf_init(&line, c->arena, LINE_MAX_BYTES);
	add_command(&line, call);
	running = line.data;
	under_way = call;
	log_open("galley", arena_printf(c->arena, "%s/operator.log", c->instance->log));
	log_request(call->user);
	log_on_death(last_words);
	call->journal = true;
}

void
journal_end(const struct call *call, const struct err *err)
{
	if (!call->journal)
		return;
	log_line("%s; changed: %s; %s", running, call->ids.len > 0 ? call->ids.data : "nothing",
	    err != NULL		? err->message
	    : call->status != 0 ? "failed in part"
				: "done");
}

void
public_url_take(struct ctx *c)
{
	int64_t changed = workspace_follow_public_url(c, c->conf->public_url);

	if (changed < 0)
		return;
	note_say("public_url is now %s for %lld workspace%s.",
	    c->conf->public_url[0] != '\0' ? c->conf->public_url : "not set", (long long)changed,
	    changed == 1 ? "" : "s");
}

/* ---- the life of a command */

#define MEMORY_MAX ((size_t)4 << 30)

/* Reads galley.conf. A fault in it stops nothing while there are good settings,
 * but it is always told. */
static struct err *
read_conf(struct ctx *c, struct conf *conf)
{
	TRY(conf_take(c, conf));
	if (conf->fault != NULL)
		note_say(
		    "galley: ATTENTION: %s\n"
		    "        Until that is fixed the last good settings are used, and no job is begun.\n"
		    "        galley config check names every fault; galley config set changes a line.",
		    conf->fault);
	return NULL;
}

/* Prepares what the handler of `call` needs (enum command_flag). */
static struct err *
prepare(struct ctx *c, const struct call *call, struct instance *instance, struct conf *conf)
{
	unsigned flags = call->command->flags;

	if ((flags & COMMAND_ALONE) != 0)
		return NULL;
	TRY(tool_find(c, call->instance, instance));
	if ((flags & COMMAND_NEW) != 0)
		return NULL;
	TRY(tool_own(c, &call->work, (flags & (COMMAND_DB | COMMAND_CHANGES)) != 0));
	if ((flags & (COMMAND_CONF | COMMAND_DB)) != 0)
		TRY(read_conf(c, conf));
	if ((flags & COMMAND_DB) != 0) {
		db_open(c, DB_WAIT_TOOL_MS);
		public_url_take(c);
	}
	return NULL;
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
		fprintf(stderr, "%s --help tells how it is used.\n", call_name(c, call->command));
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
