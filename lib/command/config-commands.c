/* galley config: the lines of galley.conf. */
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "base/fileio.h"
#include "command/call.h"
#include "command/commands.h"
#include "start/owner.h"
#include "store/db.h"
#include "system/conf-edit.h"
#include "system/conf.h"
#include "system/instance.h"

/* ---- galley config check */

static void
say_faults(struct call *call, const char *path, const struct conf_fault *faults, size_t count)
{
	struct jwrite *j = &call->json;

	if (call->as_json) {
		jwrite_object(j);
		jwrite_member_text(j, "file", path);
		jwrite_member_bool(j, "ok", count == 0);
		jwrite_member_array(j, "faults");
	}
	for (size_t i = 0; i < count; i++) {
		if (call->as_json) {
			jwrite_object(j);
			jwrite_member_int(j, "line", faults[i].line);
			jwrite_member_text(j, "message", faults[i].message);
			jwrite_object_end(j);
		}
		call_say(call, "%s, line %d: %s", path, faults[i].line, faults[i].message);
	}
	if (call->as_json) {
		jwrite_array_end(j);
		jwrite_object_end(j);
	}
	if (count == 0)
		call_say(call, "%s has no fault.", path);
}

static struct err *
check(struct ctx *c, struct call *call)
{
	const char *path = call->operand_count > 0 ? call->operands[0] : c->instance->conf;
	const char *text = call->operand_count > 0
			       ? fileio_read(c->arena, path, CONF_FILE_MAX, NULL)
			       : fileio_read_now(c->arena, path, CONF_FILE_MAX, NULL);
	struct conf_fault *faults;
	struct conf good;
	size_t count;

	if (text == NULL)
		return refuse(c, ERR_NOT_FOUND, "%s: %s.", path, strerror(errno));
	count = conf_faults(c, text, &faults);
	say_faults(call, path, faults, count);
	call->status = count > 0;
	if (count > 0 && call->operand_count == 0)
		call_say(call,
		    conf_read(c, conf_good_path(c), &good) == NULL
			? "Until that is fixed the last good settings are used, and no job is begun."
			: "Until that is fixed every request is answered with 500.");
	return NULL;
}

/* ---- galley config show */

struct shown {
	struct call *call;
	bool *found; /* for each operand, whether a key has this name */
};

static bool
is_wanted(struct shown *s, const char *key)
{
	bool wanted = s->call->operand_count == 0;

	for (size_t i = 0; i < s->call->operand_count; i++) {
		if (strcmp(s->call->operands[i], key) != 0)
			continue;
		s->found[i] = true;
		wanted = true;
	}
	return wanted;
}

static void
show_key(void *arg, const char *key, const char *value, bool is_default)
{
	struct shown *s = arg;

	if (!is_wanted(s, key))
		return;
	if (s->call->as_json)
		jwrite_member_text(&s->call->json, key, value);
	call_say(s->call, "%s =%s%s%s", key, value[0] != '\0' ? " " : "", value,
	    is_default ? "    # the default" : "");
}

static struct err *
show(struct ctx *c, struct call *call)
{
	struct shown s = { .call = call, .found = arena_alloc(c->arena, call->operand_count + 1) };

	if (call->as_json)
		jwrite_object(&call->json);
	conf_each(c, c->conf, show_key, &s);
	if (call->as_json)
		jwrite_object_end(&call->json);
	for (size_t i = 0; i < call->operand_count; i++) {
		struct conf standard;
		conf_defaults(&standard);
		if (!s.found[i])
			return conf_set(c, &standard, call->operands[i], "");
	}
	return NULL;
}

/* ---- galley config set */

/* Makes the text with all changes of the operands. Refuses a text that has
 * faults. */
static struct err *
edit(struct ctx *c, const struct call *call, const char **text)
{
	struct conf_fault *faults;
	const char *key, *value;
	size_t count;

	for (size_t i = 0; i < call->operand_count; i++) {
		TRY(call_field(c, call->operands[i], &key, &value));
		TRY(conf_edit(c, text, key, value));
	}
	count = conf_faults(c, *text, &faults);
	if (count == 0)
		return NULL;
	return refuse(c, ERR_INVALID,
	    "%s would still have a fault; nothing was changed. Line %d: %s Give its key, too, or correct that line in an editor.",
	    c->instance->conf, faults[0].line, faults[0].message);
}

static struct err *
change(struct ctx *c, struct call *call, bool *changed)
{
	struct conf_file file;
	struct err *err;
	const char *text;

	*changed = false;
	TRY(conf_file_lock(c, &file));
	text = file.text;
	err = edit(c, call, &text);
	if (err == NULL && strcmp(text, file.text) != 0) {
		err = conf_file_replace(c, &file, text);
		*changed = err == NULL;
	}
	conf_file_release(&file);
	return err;
}

static bool
names_url(const struct call *call)
{
	static const char key[] = "public_url=";

	for (size_t i = 0; i < call->operand_count; i++) {
		if (strncmp(call->operands[i], key, strlen(key)) == 0)
			return true;
	}
	return false;
}

/* Sets the keys. The owner of the folder of galley.conf writes it: if that is
 * root, this happens before the process becomes the instance's owner. */
static struct err *
set(struct ctx *c, struct call *call)
{
	struct conf *conf = arena_alloc(c->arena, sizeof(*conf));
	uid_t uid, leader = 0;
	bool changed;
	gid_t gid;

	TRY(owner_of(c, &uid, &gid));
	if (geteuid() == 0)
		TRY(owner_leader(c, c->instance->home, &leader));
	if (leader != 0)
		TRY(owner_become_user(c, uid, gid));
	TRY(change(c, call, &changed));
	TRY(owner_become_user(c, uid, gid));
	TRY(conf_read(c, c->instance->conf, conf));
	c->conf = conf;
	if (changed)
		journal_begin(c, call);
	conf_keep(c);
	call_say(call,
	    changed ? "%s is changed; every program reads it with its next request."
		    : "%s says that already; nothing was changed.",
	    c->instance->conf);
	if (call->as_json) {
		jwrite_object(&call->json);
		jwrite_member_bool(&call->json, "changed", changed);
		jwrite_object_end(&call->json);
	}
	if (!changed || !names_url(call) || access(c->instance->db, F_OK) != 0)
		return NULL;
	db_open(c, DB_WAIT_TOOL_MS);
	public_url_take(c);
	return NULL;
}

/* ---- the rows */

const struct command command_config[] = {
	{ .noun = "config",
	    .verb = "check",
	    .operands = "[FILE]",
	    .run = check,
	    .summary = "name every fault of galley.conf",
	    .text =
		"Exit 1 when there is one. With FILE it reads that file: a galley.conf that is to be put in place." },
	{ .noun = "config",
	    .verb = "show",
	    .operands = "[KEY…]",
	    .flags = COMMAND_CONF,
	    .run = show,
	    .summary = "show the settings of galley.conf that are in force" },
	{ .noun = "config",
	    .verb = "set",
	    .operands = "KEY=VALUE…",
	    .flags = COMMAND_NEW,
	    .run = set,
	    .summary = "change lines of galley.conf, and nothing else of it",
	    .text =
		"Comments and the order of lines stay. An unknown key, or a value that does not fit, changes nothing. KEY= sets the empty text. galley.conf explains each key.\n\n"
		"  galley config set public_url=https://api.example.com" },
	{ .verb = NULL },
};
