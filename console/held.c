/* "You sent this before" (docs/console.md §3.9): texts that arrived when their session had
 * ended by time, or their account was suspended. Sending one again is the work of
 * lib/console/refusal.c. */
#include <string.h>

#include "action/person/signing.h"
#include "all.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "base/utf8.h"
#include "console/page.h"
#include "screen/say.h"
#include "screen/tr.h"
#include "store/db.h"

#define SHOWN ((size_t)20000) /* bytes of a text */

struct holding {
	struct held held[HELD_MAX];
	bool rests[HELD_MAX]; /* the account is suspended */
	size_t count;
};

static const struct field fields[] = {
	{ .name = "again",
	    .label = tr_mark("Send again"),
	    .kind = FIELD_SUBMIT,
	    .tone = FIELD_PRIMARY },
	{ .name = "discard",
	    .label = tr_mark("Discard"),
	    .kind = FIELD_SUBMIT,
	    .tone = FIELD_DANGER },
	{ .name = NULL },
};

/* Of a suspended account: without "Send again". */
static const struct field *const resting_fields = fields + 1;

/* Browsers send lines that end with CR LF; a page has LF alone. */
static const char *
lines_of(struct ctx *c, const char *text)
{
	char *copy = arena_text(c->arena, text);
	size_t n = 0;

	for (; *text != '\0'; text++)
		if (text[0] != '\r' || text[1] != '\n')
			copy[n++] = text[0] == '\r' ? '\n' : text[0];
	copy[n] = '\0';
	return copy;
}

static void
write_part(struct hwrite *w, struct ctx *c, const char *label, const char *text)
{
	size_t len;

	if (text == NULL || text[0] == '\0')
		return;
	text = lines_of(c, text);
	len = strlen(text);
	while (len > SHOWN || !utf8_valid(text, len))
		len = len > SHOWN ? SHOWN : len - 1;
	@ <details><summary>{=label}</summary><pre dir="auto" tabindex="0">
	hwrite_text_n(w, text, len);
	@ </pre></details>
}

static void
write_one(struct hwrite *w, const struct page *p, size_t i)
{
	const struct holding *h = p->data;
	const struct held *held = &h->held[i];
	struct visit kept = *p->v;
	const char *title;
	struct form f;

	console_put_back(p->c, &kept, held->bytes, held->len);
	title = console_sent(&kept, "title");
	if (title == NULL || title[0] == '\0')
		title = console_sent(&kept, "most") != NULL ? tr("An order")
							    : tr("An article without a title");
	@ <h2>{title}</h2>
	@ <p>Sent {!say_time(w, held->created_at)}</p>
	if (h->rests[i])
		@ <notice warning><p>The account is suspended: this can be sent again once it is
		@ not any more.</p></notice>
	write_part(w, p->c, tr("Text"), console_sent(&kept, "text"));
	write_part(w, p->c, tr("Comment"), console_sent(&kept, "comment"));
	write_part(w, p->c, tr("Topic"), console_sent(&kept, "topic"));
	form_init(&f, arena_printf(p->c->arena, "held-%s", held->uuid),
	    h->rests[i] ? resting_fields : fields);
	console_form(p->c, p->v, w, &f, arena_printf(p->c->arena, "/held/%s", held->uuid));
}

static void
write_held(struct hwrite *w, const void *data)
{
	const struct page *p = data;
	const struct holding *h = p->data;

	if (h->count == 0) {
		screen_empty(
		    w, tr("Nothing of yours waits here."), page_path(p, "/"), tr("Go to Home"));
		return;
	}
	@ <p>Your session had ended when you sent this, or the account was suspended, so it was
	@ not done. It is kept for a day. What others saved meanwhile is merged with it.</p>
	for (size_t i = 0; i < h->count; i++)
		write_one(w, p, i);
}

static struct err *
show(struct ctx *c, struct visit *v, struct reply *reply)
{
	struct holding *h = arena_alloc(c->arena, sizeof(*h));

	db_begin_read(c, DB_CONSOLE);
	h->count = held_list(c, v->person->id, h->held);
	db_rollback(c);
	for (size_t i = 0; i < h->count; i++)
		h->rests[i] = console_rests_at(c, v, h->held[i].target);
	console_page(c, v, reply, NULL, NULL, write_held,
	    &(const struct page) { .c = c, .v = v, .data = h });
	return NULL;
}

/* Only "Discard" comes here. Enter in no field presses a button, so nothing else does. */
static struct err *
discard(struct ctx *c, struct visit *v, struct reply *reply)
{
	if (console_sent(v, "discard") == NULL)
		return refuse(c, ERR_INVALID, "%s", tr("No button was pressed."));
	TRY(held_discard(c, v->person->id, v->id));
	console_journal(c, v, "held discard %s", v->id);
	console_go(c, v, reply, "/held", "discarded");
	return NULL;
}

SCREEN(held) = {
	{ "GET", "/held", .title = tr_mark("You sent this before"), .access = SCREEN_ANYBODY,
	    .handler = show },
	{ "POST", "/held/ID", .title = tr_mark("You sent this before"), .access = SCREEN_ANYBODY,
	    .unnumbered = true, .sends_again = true, .handler = discard },
	{ .method = NULL },
};
