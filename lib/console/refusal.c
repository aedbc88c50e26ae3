#include "console/refusal.h"

#include <stdbool.h>
#include <string.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "base/err.h"
#include "base/jwrite.h"
#include "console/answer.h"
#include "console/request.h"
#include "screen/screen.h"
#include "screen/tr.h"

/* ---- hints */

/* A path that begins with "/W" is below the workspace; ID in it is what the hint is about. A hint
 * that is not here says nothing in a browser: the page has a button for it, or only a shell meets
 * the refusal. */
static const struct {
	const char *text; /* a sentence, or NULL */
	const char *label, *path; /* of a link, or NULL */
	unsigned need; /* the rights without which nobody gets the link */
} words[HINT_COUNT] = {
	[HINT_ACCOUNTS] = { .label = tr_mark("Customers"),
	    .path = "/customers",
	    .need = RIGHT_OPERATE },
	[HINT_ARTICLES] = { .label = tr_mark("Articles"), .path = "/W/articles" },
	[HINT_ARTICLE_DELETE] = { tr_mark("Move it to the trash first."),
	    tr_mark("Open the article"), "/W/articles/ID", 0 },
	[HINT_ARTICLE_UNDELETE] = { tr_mark("Restore it first."), tr_mark("Trash"),
	    "/W/articles?status=trash", 0 },
	[HINT_DOCTOR] = { tr_mark("The operator of this instance finds the cause."),
	    tr_mark("Check the installation"), "/instance", RIGHT_OPERATE },
	[HINT_EDITIONS] = { .label = tr_mark("History"), .path = "/W/articles/ID/history" },
	[HINT_JOBS] = { .label = tr_mark("Orders"), .path = "/W/orders" },
	[HINT_KEYS] = { .label = tr_mark("Keys"), .path = "/W/keys", .need = RIGHT_MANAGE },
	[HINT_KEY_CREATE] = { tr_mark("Make a new key."), tr_mark("Keys"), "/W/keys",
	    RIGHT_MANAGE },
	[HINT_MIGRATE] = { tr_mark("The operator finishes the installation on the host."), NULL,
	    NULL, 0 },
	[HINT_UNFINISHED] = { tr_mark(
				  "Write them, or publish it unfinished: it is then hidden from search engines."),
	    tr_mark("Open the article"), "/W/articles/ID", 0 },
};

const char *
hints_say(struct ctx *c, const char *sentence, enum hint hint, const char *about)
{
	const char *text = words[hint].text;

	(void)about;
	return text == NULL ? sentence
			    : arena_printf(c->arena, "%s%s%s", sentence,
				  strchr(sentence, '\n') != NULL ? "\n" : " ", tr(text));
}

/* Returns the path with the ids of its place. */
static const char *
path_of(struct ctx *c, const struct visit *v, const char *path, const char *about)
{
	const char *id = strstr(path, "/ID");

	if (strncmp(path, "/W", 2) != 0)
		return path;
	if (id == NULL)
		return arena_printf(c->arena, "/%s%s", v->workspace->uuid, path + 2);
	return arena_printf(c->arena, "/%s%.*s/%s%s", v->workspace->uuid, (int)(id - path - 2),
	    path + 2, about, id + 3);
}

/* Finds the screen to which the hint of a refusal leads this person. Returns false if there is
 * none. */
static bool
hints_link(struct ctx *c, const struct visit *v, const struct err *err, const char **address,
    const char **label)
{
	const char *path = words[err->hint].path;

	if (path == NULL || v == NULL || v->state != SESSION_GOOD ||
	    !console_may(v, words[err->hint].need) ||
	    (strncmp(path, "/W", 2) == 0 && v->workspace == NULL) ||
	    (strstr(path, "/ID") != NULL && err->about == NULL))
		return false;
	*address = console_path(c, v, "%s", path_of(c, v, path, err->about));
	*label = tr(words[err->hint].label);
	return true;
}

/* ---- answers that are no screen's */

/* An answer to a request that nobody may ask again from a cache. */
static void
begin(struct reply *reply, int status)
{
	buf_reset(&reply->headers);
	buf_reset(&reply->body);
	reply->bytes = NULL;
	reply->status = status;
	reply->type = "text/html; charset=utf-8";
	head_add(reply, "no-store");
}

/* Answers the editor's script with one text: a member of the object, or (`name` NULL) an
 * error of no field. */
static void
tell_script(struct ctx *c, struct reply *reply, int status, const char *name, const char *text)
{
	struct jwrite w;

	begin(reply, status);
	console_json(reply);
	jwrite_init(&w, &reply->body);
	jwrite_object(&w);
	if (name != NULL) {
		jwrite_member_text(&w, name, text);
	} else {
		jwrite_member_array(&w, "errors");
		jwrite_object(&w);
		jwrite_member_null(&w, "field");
		jwrite_member_null(&w, "line");
		jwrite_member_text(&w, "text", text);
		jwrite_object_end(&w);
		jwrite_array_end(&w);
		jwrite_member_text(&w, "request_id", c->request_id);
	}
	jwrite_object_end(&w);
}

void
refusal_sign_in(struct ctx *c, const struct visit *v, struct reply *reply)
{
	const char *then = "/";
	struct buf address;

	/* The sign-in leads to a page, never to the address of a form alone. */
	if (rows_get(c, v->path))
		then = console_then(c, v,
		    v->query[0] == '\0' ? v->path
					: arena_printf(c->arena, "%s?%s", v->path, v->query));
	buf_init(&address, c->arena, (size_t)16 * 1024);
	buf_printf(&address, "%s/sign-in", v->place.root);
	if (strcmp(then, "/") != 0)
		screen_address_add(&address, "then", then);
	if (v->by_script)
		tell_script(c, reply, 403, "sign_in", buf_done(&address));
	else
		head_go(reply, 303, buf_done(&address));
}

void
refusal_held(struct ctx *c, const struct visit *v, struct reply *reply)
{
	struct buf address;

	buf_init(&address, c->arena, (size_t)1024);
	buf_printf(&address, "%s/sign-in", v->place.root);
	screen_address_add(&address, "then", "/held");
	screen_address_add(&address, "notice", "held");
	head_go(reply, 303, buf_done(&address));
}

struct page {
	const char *sentence;
	const char *request_id;
	const char *kept; /* what is said of what was sent, or NULL */
	const char *back, *label; /* an address, or NULL */
	const char *next, *next_label; /* the address of what helps, or NULL */
};

static void
write_refusal(struct hwrite *w, const void *data)
{
	const struct page *p = data;

	hwrite_element(w, H_P, p->sentence);
	if (p->kept != NULL)
		hwrite_element(w, H_P, p->kept);
	if (p->next != NULL) {
		hwrite_open(w, H_P);
		screen_button_link(w, p->next, p->next_label, true);
		hwrite_close(w, H_P);
	}
	if (p->back != NULL) {
		hwrite_open(w, H_P);
		screen_button_link(w, p->back, p->label, p->next == NULL);
		hwrite_close(w, H_P);
	}
	hwrite_open(w, H_P);
	hwrite_attr(w, A_CLASS, "hint");
	hwrite_text(w, tr("Request:"));
	hwrite_text(w, " ");
	hwrite_element(w, H_CODE, p->request_id);
	hwrite_close(w, H_P);
}

static const char *
title_of(enum err_code code)
{
	switch (code) {
	case ERR_FORBIDDEN:
		return tr("This is not allowed");
	case ERR_NOT_FOUND:
		return tr("Not found");
	case ERR_METHOD:
		return tr("This address works in another way");
	case ERR_CONFLICT:
		return tr("Something changed meanwhile");
	case ERR_TOO_LARGE:
		return tr("This is too large");
	case ERR_RATE_LIMITED:
		return tr("Please wait");
	case ERR_UNAVAILABLE:
		return tr("Not available right now");
	case ERR_INTERNAL:
		return tr("Something failed");
	default:
		return tr("This did not work");
	}
}

static void
write_page(struct ctx *c, const struct visit *v, struct reply *reply, const char *title,
    const struct page *page)
{
	struct place place = { .root = "/console" };

	if (v != NULL) {
		console_frame(c, v, reply, title, NULL, write_refusal, page);
		return;
	}
	if (c->conf != NULL)
		place_read(c, &place);
	screen_page(&reply->body,
	    &(struct screen) {
		.language = tr_tag(), .title = title, .root = place.root, .path = "" },
	    write_refusal, page);
}

void
refusal_write(struct ctx *c, const struct visit *v, struct reply *reply, const struct err *err)
{
	struct page page = { .sentence = err->message,
		.request_id = c->request_id,
		.back = v != NULL && v->state == SESSION_GOOD
			    ? arena_printf(c->arena, "%s/", v->place.root)
			    : NULL,
		.label = tr("Go to Home") };

	if (v != NULL && v->by_script) {
		tell_script(c, reply, err_status(err->code), NULL, err->message);
		return;
	}
	(void)hints_link(c, v, err, &page.next, &page.next_label);
	begin(reply, err_status(err->code));
	if (err->retry_after_s > 0)
		reply_header(reply, "Retry-After", "%d", err->retry_after_s);
	write_page(c, v, reply, title_of(err->code), &page);
}

void
refusal_kept(struct ctx *c, const struct visit *v, struct reply *reply, const struct err *err)
{
	const struct page page = { .sentence = err->message,
		.kept = tr(
		    "What you sent is kept for a day: you can read it, and send it again once the account is not suspended any more."),
		.request_id = c->request_id,
		.back = console_path(c, v, "/held"),
		.label = tr("Show what you sent") };

	begin(reply, err_status(err->code));
	write_page(c, v, reply, title_of(err->code), &page);
}

void
refusal_shown_before(struct ctx *c, const struct visit *v, struct reply *reply)
{
	const struct page page = {
		.sentence = tr(
		    "This form was sent before, and was done then. What it showed is shown once only."),
		.request_id = c->request_id,
		.back = arena_printf(c->arena, "%s/", v->place.root),
		.label = tr("Go to Home")
	};

	begin(reply, 200);
	write_page(c, v, reply, tr("This was done before"), &page);
}
