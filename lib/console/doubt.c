#include "console/doubt.h"

#include <string.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "base/err.h"
#include "console/head.h"
#include "console/page.h"
#include "console/stepup.h"
#include "screen/tr.h"

#define SENT_MAX ((size_t)1024 * 1024) /* bytes of a form that comes back */

/* The present visit, for the last words of a process that dies in it. Each request sets it. */
static struct {
	const struct visit *v;
	struct arena *arena;
} present;

void
doubt_note(struct ctx *c, const struct visit *v)
{
	present.v = v;
	present.arena = c->arena;
}

bool
doubt_has_visit(void)
{
	return present.v != NULL;
}

/* Only what would be held (docs/console.md §3.9) comes back: another form may hold a password, a
 * code or a key. */
static bool
comes_back(const struct visit *v)
{
	size_t len = 0;

	if (!v->row->holds || v->by_script || v->number_state != FORMNUMBER_GOOD ||
	    v->renewed[0] != '\0' || stepup_is_answer(v) || v->sent.file_count > 0)
		return false;
	for (size_t i = 0; i < v->sent.count; i++)
		len += v->sent.values[i].len;
	return len <= SENT_MAX;
}

struct page {
	struct ctx *c;
	const struct visit *v;
	const char *sentence;
};

/* The button has no name: what is sent again is what was sent. */
static void
write_button(struct hwrite *w)
{
	hwrite_open(w, H_DIV);
	hwrite_attr(w, A_CLASS, "buttons");
	hwrite_open(w, H_BUTTON);
	hwrite_attr(w, A_TYPE, "submit");
	hwrite_attr(w, A_CLASS, "button primary");
	hwrite_text(w, tr("Send again"));
	hwrite_close(w, H_BUTTON);
	hwrite_close(w, H_DIV);
}

static void
write_form(struct hwrite *w, const void *data)
{
	static const struct field none[] = { { .name = NULL } };
	const struct page *p = data;
	const struct visit *v = p->v;
	struct form f;

	hwrite_element(w, H_P, p->sentence);
	form_init(&f, "again", none);
	form_write_begin(w, &f,
	    &(struct form_head) { .token = v->token,
		.number = v->number.number,
		.action = console_path(p->c, v, "%s", v->path) });
	for (size_t i = 0; i < v->sent.count; i++) {
		const struct form_value *value = &v->sent.values[i];
		if (strcmp(value->name, "token") == 0 || strcmp(value->name, "number") == 0)
			continue;
		hwrite_open(w, H_INPUT);
		hwrite_attr(w, A_TYPE, "hidden");
		hwrite_attr(w, A_NAME, value->name);
		hwrite_attr_n(w, A_VALUE, value->text, value->len);
	}
	write_button(w);
	form_write_end(w);
}

static void
answer(struct ctx *c, const struct visit *v, struct reply *reply, const struct err *err,
    const char *title, const char *sentence)
{
	const struct page page = { .c = c, .v = v, .sentence = sentence };

	reply_init(c, reply);
	reply->status = err_status(err->code);
	reply->type = "text/html; charset=utf-8";
	head_add(reply, "no-store");
	if (err->retry_after_s > 0)
		reply_header(reply, "Retry-After", "%d", err->retry_after_s);
	console_frame(c, v, reply, title, NULL, write_form, &page);
}

bool
doubt_wait(struct ctx *c, const struct visit *v, struct reply *reply, const struct err *err)
{
	if (!comes_back(v))
		return false;
	answer(c, v, reply, err, tr("Please wait"), err->message);
	return true;
}

bool
doubt_answer(struct ctx *c, struct reply *reply, const struct err *err)
{
	const struct visit *v = present.v;

	present.v = NULL;
	/* Only a form whose handler ran can have done something. */
	if (err->code != ERR_UNAVAILABLE || v == NULL || v->gate.enter == NULL || !comes_back(v))
		return false;
	/* What was sent needs more than the last words have; this death is not for want of it. */
	c->arena = present.arena;
	c->gate = NULL;
	answer(c, v, reply, err, tr("Not available right now"),
	    tr("The console cannot answer right now, and it is not known whether this form was done. Wait a moment and send it again: it is done once."));
	return true;
}
