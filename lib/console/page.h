#ifndef CONSOLE_PAGE_H
#define CONSOLE_PAGE_H
/*
 * A screen as what it shows and what can be done there: a page finds what it is about and writes
 * it, an act is a table of fields and the change. One driver (page.c) runs the protocol of forms
 * for all of them (docs/console.md §3.7).
 *
 *	static const struct page_act revoke_it = { .name = "revoke", .act = revoke, .go = "/W/keys",
 *		.notice = "revoked", .journal = "key revoke ID",
 *		.fields = PAGE_BUTTON("revoke", tr_mark("Revoke"), FIELD_DANGER) };
 *
 *	#define KEY .title = tr_mark("Key"), .need = RIGHT_MANAGE, .page = &key_page
 *	SCREEN(keys) = {
 *		{ .method = "GET", .pattern = "/W/keys/ID", KEY },
 *		{ .method = "POST", .pattern = "/W/keys/ID/revoke", KEY, .act = &revoke_it },
 *		{ .method = NULL },
 *	};
 */
#include "console/answer.h"

/* One page, for one request. */
struct page {
	struct ctx *c;
	struct visit *v;
	struct reply *reply;
	void *data; /* the screen's own, of page_kind.size bytes: zeros before load() */
	struct form *form; /* what was sent, with its errors; NULL: nothing was */
	const char *title, *under; /* set by load(); NULL: the row's title, no sentence */
	const char *go, *notice; /* where a good form leads: page_will_go() */
	bool acting; /* an act follows load(): what only the page shows need not be read */
	bool answered; /* the reply is there: page_answer(), page_step_up() */
	bool written; /* the form that was sent is on the page */
};

typedef struct err *page_do(struct page *p);
typedef void page_write(struct hwrite *w, struct page *p);

struct page_kind {
	size_t size; /* of the data; 0: there are no data */
	page_do
	    *load; /* finds what the page is about, or refuses; NULL: there is nothing to find */
	page_write *write; /* what is inside <main> */
};

/*
 * What a person can do. After a good form the driver writes the journal, and sends the browser to
 * `go`. A refused form comes back on the page with what was typed and what is wrong, and with
 * hidden fields and data of a new look. If the page does not write the form, of which a right or a
 * setting may have gone meanwhile, the refusal is told above it. In a row without .page a refusal
 * is a page of its own.
 */
struct page_act {
	const char *name; /* the form's id on a page */
	const struct field *fields;
	void (*fill)(struct page *p, struct form *f); /* what is stored, choices, fields by need */
	page_do *check; /* refuses what fields cannot; runs though one is wrong (form.errors) */
	page_do *act; /* the change; runs for a good form only */
	const char *go; /* as page_path(), without holes; NULL: the page again, with act()'s data */
	const char *notice; /* of answer.c, or NULL */
	const char *journal; /* "key revoke ID", with the words of page_path(); NULL: act()'s */
	enum db_store store; /* of the change */
};

/* The fields of a form that is one button. */
#define PAGE_BUTTON(name_, label_, tone_)                                                          \
	(const struct field[])                                                                     \
	{                                                                                          \
		{ .name = name_, .label = label_, .kind = FIELD_SUBMIT, .tone = tone_ },           \
		{                                                                                  \
			.name = NULL                                                               \
		}                                                                                  \
	}

/* Answers a row without a handler. */
MAY_REFUSE struct err *page_run(struct ctx *c, struct visit *v, struct reply *reply);

/*
 * Returns an address below the console's root (arena): page_path(p, "/W/keys/%s?probe=%s", id,
 * word). Before the query a segment that is one of these words is what the page is about: W its
 * workspace, A its account, P the workspace or, on a page of an account, the account; ID and NAME
 * what its own address names. A word that the page lacks is a BUG. Each %s is a text, which is
 * escaped: it adds no segment and no query. "%%" and other directives are a BUG.
 */
const char *
page_path(const struct page *p, const char *pattern, ...) __attribute__((format(printf, 2, 3)));

/* Writes the form of an act. It is sent to the address of the row that has the act; `id` is what
 * the last word of that address names. NULL: what the page is about, and then a form that was sent
 * is written with what was typed. */
void page_form(struct hwrite *w, struct page *p, const struct page_act *act, const char *id);

/* What a page says that asks before an act which takes something away; screen_question_link() leads
 * there. */
struct page_question {
	const char *about; /* what it is about, a text of data */
	const char *says[4]; /* what will happen, and how it is undone; NULL: no more */
	const char *back; /* where a person goes who does not want it, below the root */
};

/* Writes it, and the act's form, whose last field is the button. The title is the question. */
void page_ask(struct hwrite *w, struct page *p, const struct page_act *act, struct page_question q);

/* Says in load() or check() where a good form leads, in place of the act's `go` and `notice`: a
 * path below the root, without words. */
void page_will_go(struct page *p, const char *path, const char *notice);

/* Asks who it is, if that was long ago (console_step_up()). Returns false if the page that asks is
 * the answer: return NULL at once. In load() or check(). */
bool page_step_up(struct page *p);

/* Answers with another page, in act(): what is shown once is cleared there afterwards. */
void page_answer(struct page *p, const char *title, const char *under, page_write *write);

#endif
