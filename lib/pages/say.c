#include "pages/say.h"

#include "base/ctx.h"
#include "pages/page-layout.h"
#include "pages/page-words.h"
#include "pages/pages-answer.h"
#include "screen/tr.h"

void
say_page(struct ctx *c, const struct site *s, struct reply *reply, int status, const char *title,
    const char *sentence)
{
	const char *language = s->w->settings.language;
	struct hwrite w;

	words_begin(c, language);
	send_begin_error(c, reply, status, s->w->embed_origins);
	layout_begin(c, &w, s,
	    &(struct layout) { .language = language, .title = words_said(title) }, &reply->body);
	words_element(&w, H_H1, NULL, language, title);
	words_element(&w, H_P, NULL, language, sentence);
	hwrite_open(&w, H_P);
	hwrite_open(&w, H_A);
	hwrite_address(&w, A_HREF, s->home);
	words_text(&w, language, tr_mark("To the list of articles"));
	hwrite_close(&w, H_A);
	hwrite_close(&w, H_P);
	layout_end(&w);
}

void
say_wrong(struct ctx *c, const struct site *s, struct reply *reply)
{
	say_page(c, s, reply, 400, tr_mark("This address is wrong"),
	    tr_mark("What follows the question mark in it cannot be read."));
}

void
say_unknown(struct ctx *c, const struct site *s, struct reply *reply)
{
	say_page(c, s, reply, 404, tr_mark("There is no such page"),
	    tr_mark("Look at the address again."));
}
