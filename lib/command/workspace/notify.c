/* galley workspace notify: the secret and the last pings of a workspace. */
#include <errno.h>
#include <stddef.h>
#include <string.h>

#include "action/notify/notify-action.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "base/fileio.h"
#include "command/call-words.h"
#include "command/call.h"
#include "command/command.h"

#define BODY_MAX ((size_t)64 * 1024)

/* Prints the header for the bytes of a file. */
static struct err *
sign(struct ctx *c, struct call *call, const struct find_place *place, const char *path)
{
	const char *header;
	struct err *err;
	size_t len;
	char *body = fileio_read(c->arena, path, BODY_MAX, &len);

	if (body == NULL)
		return refuse(c, ERR_INVALID, "%s: %s.", path, strerror(errno));
	err = notify_sign(c, place, body, len, &header);
	if (err != NULL)
		return err;
	if (call->as_json) {
		jwrite_object(&call->json);
		jwrite_member_text(&call->json, "signature", header);
		jwrite_object_end(&call->json);
	}
	call_say(call, "Galley-Signature: %s", header);
	return NULL;
}

static void
to_json(struct call *call, const struct notify_view *view, const char *secret)
{
	struct jwrite *j = &call->json;

	jwrite_object(j);
	jwrite_member_text(j, "id", view->notify.workspace);
	jwrite_member_text(j, "notify_url", view->notify.url);
	jwrite_member_text(j, "secret", secret[0] != '\0' ? secret : NULL);
	jwrite_member_array(j, "results");
	for (size_t i = 0; i < view->count; i++) {
		jwrite_object(j);
		jwrite_member_time(j, "at", view->tries[i].at);
		jwrite_member_text(j, "result", view->tries[i].result);
		jwrite_object_end(j);
	}
	jwrite_array_end(j);
	jwrite_object_end(j);
}

static void
say(struct ctx *c, struct call *call, const struct notify_view *view, const char *secret)
{
	if (secret[0] != '\0') {
		call_say(call, "%s", secret);
		call_say(call,
		    "The secret of the pings to %s. It is shown this once only, and the one before it\n"
		    "signs nothing any more.",
		    view->notify.url);
	} else {
		call_say(call,
		    "Pings go to %s. Their secret was shown before; --new-secret makes another one.",
		    view->notify.url);
	}
	for (size_t i = 0; i < view->count; i++)
		call_say(
		    call, "%s  %s", when_text(c->arena, view->tries[i].at), view->tries[i].result);
}

static struct err *
notify(struct ctx *c, struct call *call)
{
	const char *name = call->operand_count > 0 ? call->operands[0] : NULL;
	struct find_place place = pick_place(c, call, name);
	const char *path = call_option(call, "sign");
	bool again = call_has(call, "new-secret");
	struct notify_view view, now;
	char secret[SIGNATURE_SECRET];
	struct err *err;

	if (path != NULL && again)
		return refuse(c, ERR_INVALID, "--sign and --new-secret do not go together.");
	if (path != NULL)
		return sign(c, call, &place, path);
	err = notify_make_secret(c, &place, again, &view, secret);
	if (err != NULL)
		return err;
	place = (struct find_place) { .name = view.notify.workspace };
	err = notify_show(c, &place, &now);
	if (err == NULL) {
		if (secret[0] != '\0')
			call_changed(call, now.notify.workspace);
		if (call->as_json)
			to_json(call, &now, secret);
		say(c, call, &now, secret);
	}
	explicit_bzero(secret, sizeof(secret));
	return err;
}

static const struct command_option options[] = {
	{ .name = "new-secret",
	    .help = "make another secret: the one before it signs nothing any more" },
	{ .name = "sign",
	    .value = "FILE",
	    .help = "print the header Galley-Signature for these bytes, to test a website" },
	{ .name = NULL },
};

const struct command command_workspace_notify[] = {
	{ .noun = "workspace",
	    .verb = "notify",
	    .operands = "[ID]",
	    .operands_max = 1,
	    .options = options,
	    .flags = COMMAND_DB | COMMAND_CHANGES | COMMAND_ID,
	    .run = notify,
	    .summary = "the secret of its pings, once, and how the last ones ended",
	    .text =
		"After a change the address of notify_url gets a POST that is signed with the secret\n"
		"(docs/console.md, §4.8). The first call makes the secret and prints it; it is shown\n"
		"once. A result is \"answered\", \"refused\" or \"no answer\"." },
	{ .verb = NULL },
};
