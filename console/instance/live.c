/* What rests or fails by itself: "This instance is live", where it is quiet (docs/console.md
 * §4.15); mails that are not sent (§2.6). */
#include "action/instance-actions.h"
#include "action/person/mailing.h"

#include "base/ctx.h"
#include "instance.h"
#include "notify/mail.h"
#include "screen/tr.h"

static const struct field fields[] = {
	{ .name = "live", .label = tr_mark("This instance is live"), .kind = FIELD_SUBMIT },
	{ .name = NULL },
};

void
instance_write_live(struct hwrite *w, struct ctx *c, const struct visit *v, int64_t since)
{
	struct form f;

	if (since == 0)
		return;
	screen_notice(w, SCREEN_WARNING, "%s",
	    tr("This instance is quiet: it was live under another address or on another machine, so it is a copy, or a backup was restored here. Orders, dates of publishing, pings and mails rest, because the other one may still do them. Press this once the other one is gone."));
	form_init(&f, "live", fields);
	console_form(c, v, w, &f, "/instance/live");
}

void
instance_write_mails(struct hwrite *w, struct ctx *c)
{
	const char *fault = mail_fault_read(c);

	if (fault == NULL || !mailing_is_on(c))
		return;
	screen_notice(
	    w, SCREEN_WARNING, "%s", tr("The last mail could not be sent. It is tried again."));
	instance_write_english(w, H_P, fault);
}

static struct err *
live(struct ctx *c, struct visit *v, struct reply *reply)
{
	struct err *err;

	console_will_go(v, "/instance?notice=live");
	err = live_action(c);
	if (err != NULL)
		return err;
	console_journal(c, v, "instance live");
	console_go(c, v, reply, "/instance", "live");
	return NULL;
}

const struct console_row instance_live_screens[] = {
	{ .method = "POST",
	    .pattern = "/instance/live",
	    INSTANCE,
	    .title = tr_mark("Instance"),
	    .handler = live },
	{ .method = NULL },
};
