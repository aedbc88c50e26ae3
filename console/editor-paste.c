/* HTML that is pasted into the text (docs/console.md §5.4): the editor's script sends it, and
 * types the Markdown that comes back. Nothing is stored, so the form has no number. */
#include "action/article/article-writing.h"
#include "all.h"
#include "base/ctx.h"
#include "base/jwrite.h"
#include "screen/tr.h"

static struct err *
paste(struct ctx *c, struct visit *v, struct reply *reply)
{
	const char *html = console_sent(v, "html");
	struct pasted pasted;
	struct jwrite w;
	struct err *err;

	if (html == NULL)
		return refuse(c, ERR_INVALID, tr_mark("There is nothing to paste."));
	err = pasted_read(c, v->workspace, html, &pasted);
	if (err != NULL)
		return err;
	console_json(reply);
	jwrite_init(&w, &reply->body);
	jwrite_object(&w);
	jwrite_member_text(&w, "text", pasted.markdown);
	jwrite_member_int(&w, "pictures_left_out", (int64_t)pasted.pictures_left_out);
	jwrite_object_end(&w);
	return NULL;
}

const struct console_row editor_paste_screens[] = {
	{ .method = "POST",
	    .pattern = "/W/articles/paste",
	    .need = RIGHT_WRITE,
	    .title = tr_mark("Article"),
	    .unnumbered = true,
	    .script = true,
	    .handler = paste },
	{ .method = NULL },
};
