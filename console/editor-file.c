/* The text of an article as a file: "Text from a file", for hosts that limit what a text field
 * may send, and "Download as Markdown" (docs/console.md §5.1). */
#include <string.h>

#include "action/article/article-writing.h"
#include "all.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/ctx.h"
#include "base/encoding.h"
#include "console/answer.h"
#include "editor.h"
#include "export/export.h"
#include "import/markdown/body.h"
#include "import/markdown/markdown.h"
#include "screen/tr.h"

/* Returns the file that was sent, or NULL. */
static const struct form_value *
sent_file(const struct visit *v)
{
	for (size_t i = 0; i < v->sent.file_count; i++) {
		if (strcmp(v->sent.files[i].name, "file") == 0)
			return &v->sent.files[i];
	}
	return NULL;
}

bool
editor_has_file(const struct visit *v)
{
	return console_may(v, RIGHT_WRITE) && sent_file(v) != NULL;
}

struct err *
editor_take_file(struct ctx *c, struct visit *v)
{
	const struct form_value *file = sent_file(v);
	const char *text;
	struct err *err;

	if (file == NULL || !editor_has_file(v))
		return NULL;
	err = body_of_file(c, file->text, file->len, &text);
	if (err != NULL) {
		err->param = "text";
		return err;
	}
	for (size_t i = 0; i < v->sent.count; i++) {
		if (strcmp(v->sent.values[i].name, "text") == 0) {
			v->sent.values[i].text = text;
			v->sent.values[i].len = strlen(text);
		}
	}
	return NULL;
}

void
editor_write_file(struct hwrite *w)
{
	hwrite_open(w, H_DIV);
	hwrite_attr(w, A_CLASS, "field");
	hwrite_open(w, H_LABEL);
	hwrite_attr(w, A_FOR, "article-file");
	hwrite_text(w, tr("Text from a file"));
	hwrite_close(w, H_LABEL);
	hwrite_open(w, H_P);
	hwrite_attr(w, A_CLASS, "hint");
	hwrite_attr(w, A_ID, "article-file-hint");
	hwrite_text(w, tr("A file of Markdown, which takes the place of the text when you save."));
	hwrite_close(w, H_P);
	hwrite_open(w, H_INPUT);
	hwrite_attr(w, A_TYPE, "file");
	hwrite_attr(w, A_ID, "article-file");
	hwrite_attr(w, A_NAME, "file");
	hwrite_attr(w, A_ACCEPT, ".md,.markdown,.txt,text/markdown,text/plain");
	hwrite_attr(w, A_ARIA_DESCRIBEDBY, "article-file-hint");
	hwrite_close(w, H_DIV);
}

/* Returns the document of the working copy (docs/export.md §5), with the text that the editor
 * shows: what its author wrote, and readers do not see, comes back with it. */
static const char *
document_of(struct ctx *c, const struct article *a, const struct write_view *shown)
{
	const char *body = body_text(c, &shown->snapshot->content);
	size_t tail = strlen(body) + (body[0] != '\0' ? 1 : 0);
	struct buf whole;

	buf_init(&whole, c->arena, 4 * EXPORT_BYTES_MAX);
	markdown_write_article(c, a, shown->snapshot, &whole);
	return arena_printf(
	    c->arena, "%.*s\n%s", (int)(whole.len - tail), buf_done(&whole), shown->text);
}

static struct err *
download(struct ctx *c, struct visit *v, struct reply *reply)
{
	const struct article *a;
	struct write_view shown;
	struct err *err = write_look(c, v->workspace, v->id, &a, &shown);

	if (err != NULL)
		return err;
	reply->type = "text/markdown; charset=utf-8";
	head_add(reply, "no-store");
	/* A slug may hold letters of any script: RFC 6266, RFC 8187. */
	reply_header(reply, "Content-Disposition",
	    "attachment; filename=\"article.md\"; filename*=UTF-8''%s.md",
	    percent_encode_path(c->arena, a->slug));
	reply->bytes = document_of(c, a, &shown);
	reply->bytes_len = strlen(reply->bytes);
	return NULL;
}

const struct console_row editor_file_screens[] = {
	{ .method = "GET",
	    .pattern = "/W/articles/ID/markdown",
	    .title = tr_mark("Download as Markdown"),
	    .handler = download },
	{ .method = NULL },
};
