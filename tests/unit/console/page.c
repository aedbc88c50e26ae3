/*
 * A page and its acts: addresses name what is there, and no text of data leaves its segment; a
 * form is read, checked and done in this order, and what is refused comes back as the page is now.
 *
 * suite: fast
 */
#include "console/page.h"

#include <fcntl.h>
#include <unistd.h>

#include "access/account.h"
#include "access/workspace.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "system/instance.h"
#include "tests/tap.h"

static struct arena arena;
static struct ctx c = { .arena = &arena, .request_id = "" };

static const struct workspace workspace = { .uuid = "w-1" };
static const struct account account = { .uuid = "a-1" };

/* ---- addresses */

static void
check_paths(void)
{
	struct visit v = { .workspace = &workspace,
		.account = &account,
		.id = "i-1",
		.name = "a name",
		.place = { .root = "/console" } };
	const struct page p = { .c = &c, .v = &v };

	is_text(page_path(&p, "/"), "/console/", "the root");
	is_text(page_path(&p, "/W/keys/ID/revoke"), "/console/w-1/keys/i-1/revoke", "W and ID");
	is_text(page_path(&p, "/A/people/NAME#W"), "/console/a-1/people/a%20name#W", "A and NAME");
	is_text(page_path(&p, "/P/people"), "/console/w-1/people", "P of a workspace");
	is_text(page_path(&p, "/Wide/IDs?of=/W/%s", "W"), "/console/Wide/IDs?of=/W/W",
	    "no other word, and none in a query");
	is_text(page_path(&p, "/W/%s/x?q=%s", "a/b?c#d&%", "\xC3\xA9=1 2"),
	    "/console/w-1/a%2Fb%3Fc%23d%26%25/x?q=%C3%A9%3D1%202", "texts are escaped");
	is_text(page_path(&p, "/W/%s/%s/x%s", "..", ".", ".."), "/console/w-1///x",
	    "and lead to no other folder");
	v.workspace = NULL;
	is_text(page_path(&p, "/P/people"), "/console/a-1/people", "P of an account");
}

/* ---- acts */

static const char *steps; /* what ran, in its order */
static struct err *check_says, *act_says;
static bool hides_form;

static void
step(const char *name)
{
	steps = arena_printf(&arena, "%s%s ", steps, name);
}

struct data {
	int looks;
};

static struct err *
load(struct page *p)
{
	struct data *d = p->data;

	step(p->acting ? "look" : "look-to-show");
	if (d->looks++ != 0)
		step("old-data");
	return NULL;
}

static void
fill(struct page *p, struct form *f)
{
	form_fill(f, "seen", p->acting ? "before" : "now");
	form_fill(f, "text", "stored");
}

static struct err *
check(struct page *p)
{
	(void)p;
	step("check");
	return check_says;
}

static struct err *
act(struct page *p)
{
	step(strcmp(p->form->id, "save") == 0 ? form_text(p->form, "text") : "pressed");
	return act_says;
}

static const struct field fields[] = {
	{ .name = "seen", .kind = FIELD_HIDDEN },
	{ .name = "text",
	    .label = "Text",
	    .kind = FIELD_TEXT,
	    .required = true,
	    .missing = "Say it." },
	{ .name = "save", .label = "Save", .kind = FIELD_SUBMIT },
	{ .name = NULL },
};

static const struct page_act save_it = { .name = "save",
	.fields = fields,
	.fill = fill,
	.check = check,
	.act = act,
	.go = "/W/things/ID",
	.notice = "saved",
	.journal = "thing save ID of W" };

static const struct page_act press_it = { .name = "press",
	.fields = PAGE_BUTTON("press", "Press", FIELD_SECONDARY),
	.check = check,
	.act = act };

static void
write_page(struct hwrite *w, struct page *p)
{
	hwrite_element(w, H_P, "The page.");
	if (!hides_form)
		page_form(w, p, &save_it, NULL);
}

static const struct page_kind page = { sizeof(struct data), load, write_page };

#define THING .title = "Thing", .access = SCREEN_PUBLIC
static SCREEN(thing) = {
	{ "GET", "/W/things/ID", THING, .page = &page },
	{ "POST", "/W/things/ID", THING, .page = &page, .act = &save_it },
	{ "POST", "/W/things/ID/press", THING, .page = &page, .act = &press_it },
	{ "POST", "/W/things/ID/alone", THING, .act = &save_it },
	{ .method = NULL },
};
const struct console_row *const console_screens[] = { thing_screens, NULL };

static struct reply reply;
static struct err *refusal;

/* Asks a row, with a text that was sent, or NULL. */
static const char *
ask(size_t row, const char *text)
{
	struct form_value sent[] = { { "seen", "before", 6 }, { "text", text, 0 } };
	struct visit *v = arena_alloc(&arena, sizeof(*v));

	*v = (struct visit) { .row = &thing_screens[row],
		.path = "/w-1/things/i-1",
		.query = "",
		.answer = "",
		.id = "i-1",
		.workspace = &workspace,
		.place = { .root = "/console", .cookie = "c", .cookie_path = "/" } };
	if (text != NULL) {
		sent[1].len = strlen(text);
		v->sent.values = sent;
		v->sent.count = 2;
	}
	steps = "";
	reply_init(&c, &reply);
	reply.status = 200;
	refusal = page_run(&c, v, &reply);
	return buf_done(&reply.body);
}

static bool
has(const char *html, const char *part)
{
	return strstr(html, part) != NULL;
}

static void
check_good(const char *folder)
{
	const char *html = ask(0, NULL);

	is_text(steps, "look-to-show ", "a page looks once");
	ok(has(html, "action=\"/console/w-1/things/i-1\"") && has(html, "value=\"stored\"") &&
		has(html, "value=\"now\""),
	    "its form leads to its row, and shows what is stored");
	(void)ask(1, "typed");
	is_text(steps, "look check typed ", "a good form is looked at, checked and done");
	ok(refusal == NULL && reply.status == 303 &&
		has(buf_done(&reply.headers), "/console/w-1/things/i-1?notice=saved"),
	    "it leads to where the act says");
	char line[200] = "";
	int fd = open(arena_printf(&arena, "%s/operator.log", folder), O_RDONLY);
	ok(fd >= 0 && read(fd, line, sizeof(line) - 1) > 0 &&
		has(line, "thing save i-1 of w-1 workspace=w-1"),
	    "the journal names what the page is about");
	close(fd);
	act_says = NULL;
	ok(has(ask(2, ""), "The page.") && reply.status == 200,
	    "an act that leads nowhere shows the page");
}

static void
check_refused(void)
{
	const char *html = ask(1, "");

	is_text(steps, "look check look-to-show ", "a wrong form is checked, and not done");
	ok(reply.status == 422 && has(html, "Say it.") && has(html, "The page."),
	    "it comes back with what is wrong");
	act_says = err_param(&c, "text", "Taken.");
	html = ask(1, "typed");
	is_text(steps, "look check typed look-to-show ", "a refused act: the page looks again");
	ok(reply.status == 422 && has(html, "Taken.") && has(html, "value=\"typed\""),
	    "what was typed is there, with the sentence beside it");
	ok(has(html, "value=\"now\"") && !has(html, "value=\"before\""),
	    "hidden fields are of the new look");
	act_says = refuse(&c, ERR_CONFLICT, "Too late.");
	html = ask(1, "typed");
	is_int(reply.status, 409, "a conflict is one");
	act_says = refuse(&c, ERR_FORBIDDEN, "No.");
	(void)ask(1, "typed");
	ok(refusal == act_says, "what is no answer to a form is passed on");
	act_says = NULL;
	check_says = refuse(&c, ERR_CONFLICT, "Not now.");
	html = ask(2, "");
	is_text(steps, "look check look-to-show ", "a button is refused by the check");
	ok(reply.status == 409 && has(html, "Not now.") && has(html, "<p>The page.</p>"),
	    "a page without its form tells that");
	ok(strstr(html, "Not now.") < strstr(html, "The page."), "above all else");
	hides_form = true;
	html = ask(1, "");
	ok(reply.status == 422 && has(html, "Say it.") && !has(html, "<form") &&
		strstr(html, "Say it.") < strstr(html, "The page."),
	    "and so is what was wrong in fields that it does not write now");
	hides_form = false;
	(void)ask(3, "typed");
	ok(refusal == check_says, "without a page a refusal is passed on");
	check_says = NULL;
	(void)ask(3, "");
	ok(refusal != NULL && refusal->code == ERR_CONFLICT, "and so is a wrong field");
}

int
main(void)
{
	char folder[] = "/tmp/page-XXXXXX";
	struct instance instance = { .log = folder };

	arena_init(&arena, (size_t)64 << 20);
	c.now = 1;
	c.instance = &instance;
	ok(mkdtemp(folder) != NULL, "a folder for the journal");
	check_paths();
	check_good(folder);
	check_refused();
	(void)unlink(arena_printf(&arena, "%s/operator.log", folder));
	(void)rmdir(folder);
	return done_testing();
}
