/* What the editor's script asks and nothing is stored for, so that its forms have no number: what
 * the blocks of a text are (import/markdown/blocks.h), and what pasted HTML is as Markdown.
 *
 * blocks: 200 {blocks: […]}; 422 {errors: [{field, line, text}]}: the reader refuses the text.
 * Other refusals as in editor-script.c. */
#include <string.h>

#include "../all.h"
#include "action/article/article-writing.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "base/jwrite.h"
#include "editor-screen.h"
#include "import/markdown/blocks.h"
#include "screen/tr.h"

#define BLOCKS_TEXT_MAX ((size_t)1024 * 1024)

/* Returns the address on this origin of a picture of the workspace that a text names, or NULL. */
static const char *
shown_at(struct ctx *c, const void *arg, const char *src)
{
	const struct visit *v = arg;
	const char *digest = strncmp(src, "media:", 6) == 0 ? media_digest_of(c, src + 6) : NULL;
	struct picture_view view;

	if (digest == NULL || picture_look(c, v->workspace, digest, &view) != NULL)
		return NULL;
	return pictures_address(c, v, view.picture.name);
}

/* Returns the text that was sent with \n at the ends of its lines (arena), or NULL. */
static const char *
text_of(struct ctx *c, const struct visit *v)
{
	const char *sent = console_sent(v, "text");
	char *text, *to;

	if (sent == NULL)
		return NULL;
	text = to = arena_text(c->arena, sent);
	for (const char *p = text; *p != '\0'; p++) {
		if (*p != '\r' || p[1] != '\n')
			*to++ = *p == '\r' ? '\n' : *p;
	}
	*to = '\0';
	return text;
}

static struct err *
write_blocks(struct ctx *c, const struct visit *v, const char *text, const struct snapshot *base,
    struct reply *reply)
{
	const char *title = console_sent(v, "title");
	const struct settings *settings = &v->workspace->settings;
	/* A title that no heading is. */
	struct snapshot empty = { .title = "…", .slug = "", .language = settings->language };
	struct blocks_asked asked = { .settings = settings,
		.base = base,
		.title = title,
		.address = shown_at,
		.address_arg = v };
	struct err *err;

	content_init(&empty.content, empty.language);
	if (base == NULL)
		asked.base = &empty;
	if (title == NULL || title[0] == '\0')
		asked.title = empty.title;
	console_json(reply);
	err = blocks_write(c, &asked, text, &reply->body);
	if (err == NULL && buf_full(&reply->body))
		err = refuse(c, ERR_TOO_LARGE, tr_mark("This has too many parts to be shown."));
	return err;
}

static struct err *
blocks(struct ctx *c, struct visit *v, struct reply *reply)
{
	const char *text = text_of(c, v), *base = console_sent(v, "base");
	const struct snapshot *s = NULL;
	struct jwrite w;
	struct err *err = NULL;

	if (v->id != NULL)
		err = writing_base(c, v->workspace, v->id, base != NULL ? base : "", &s);
	if (err == NULL && text == NULL)
		err = refuse(c, ERR_INVALID, tr_mark("There is no text to read."));
	if (err == NULL && strlen(text) > BLOCKS_TEXT_MAX)
		err = refuse(c, ERR_TOO_LARGE,
		    tr_mark("This text is longer than %zu MiB, so it is shown as Markdown."),
		    BLOCKS_TEXT_MAX >> 20);
	if (err != NULL)
		return err;
	err = write_blocks(c, v, text, s, reply);
	if (err == NULL || err->code != ERR_INVALID)
		return err;
	console_json(reply);
	reply->status = 422;
	jwrite_init(&w, &reply->body);
	jwrite_object(&w);
	jwrite_member_array(&w, "errors");
	script_error(&w, "text", err->message, NULL);
	jwrite_array_end(&w);
	jwrite_object_end(&w);
	return NULL;
}

/* ---- HTML that is pasted into the text: the script sends it, and types the Markdown that comes
 * back. Nothing is stored, so the form has no number. */

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

SCREEN(editor_blocks) = {
	{ "POST", "/W/articles/blocks", .need = RIGHT_WRITE, .title = tr_mark("Article"),
	    .unnumbered = true, .script = SCREEN_EDITS, .handler = blocks },
	{ "POST", "/W/articles/ID/blocks", .need = RIGHT_WRITE, .title = tr_mark("Article"),
	    .unnumbered = true, .script = SCREEN_EDITS, .handler = blocks },
	{ "POST", "/W/articles/paste", .need = RIGHT_WRITE, .title = tr_mark("Article"),
	    .unnumbered = true, .script = SCREEN_EDITS, .handler = paste },
	{ .method = NULL },
};
