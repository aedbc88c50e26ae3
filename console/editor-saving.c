/* What the editor's script fills in its page (docs/console.md §5.4): whether all is saved, the
 * tools, its keys, the question about a picture, and the preview. Without the script nothing of it
 * is seen. */
#include "base/arena.h"
#include "base/ctx.h"
#include "editor.h"
#include "screen/tr.h"

static const struct {
	const char *name, *sentence;
} says[] = {
	{ "waits", tr_mark("Not saved yet") },
	{ "sending", tr_mark("Saving…") },
	{ "saved", tr_mark("Saved at %s") },
	{ "merged", tr_mark("Saved at %s, with what somebody else wrote meanwhile") },
	{ "lost",
	    tr_mark(
		"No connection. What you type stays in this page and is sent when there is one.") },
	{ "signed-out", tr_mark("Your session has ended. What you typed is kept in this tab.") },
	{ "sign-in", tr_mark("Sign in") },
	{ "clash",
	    tr_mark(
		"Somebody else changed the same place, so this is not saved. Press Save to choose a wording.") },
	{ "refused", tr_mark("Not saved: %s") },
	{ "words", tr_mark("Words: %s") },
	{ "plain", tr_mark("No connection, so it was pasted as plain text.") },
	{ "left-out",
	    tr_mark(
		"Pictures were left out: your browser did not get them. Save each as a file, then choose it with \"Picture\".") },
	{ "no-picture", tr_mark("Only pictures can be taken in: JPEG, PNG, WebP or GIF.") },
	{ "uploading", tr_mark("The picture is being uploaded…") },
	{ "not-uploaded",
	    tr_mark("No connection, so the picture was not uploaded. Try it again.") },
};

static void
write_button(struct hwrite *w, const char *id, const char *label)
{
	hwrite_open(w, H_BUTTON);
	hwrite_attr(w, A_TYPE, "button");
	hwrite_attr(w, A_ID, id);
	hwrite_attr(w, A_CLASS, "button");
	hwrite_text(w, label);
	hwrite_close(w, H_BUTTON);
	hwrite_text(w, " ");
}

/* What is in this tab and was never saved. */
static void
write_copy(struct hwrite *w)
{
	hwrite_open(w, H_DIV);
	hwrite_attr(w, A_ID, "saving-copy");
	hwrite_attr(w, A_CLASS, "notice warning");
	hwrite_flag(w, A_HIDDEN, true);
	hwrite_element(w, H_P, tr("You typed something here before that was not saved."));
	hwrite_open(w, H_P);
	write_button(w, "saving-take", tr("Take it back"));
	write_button(w, "saving-drop", tr("Discard it"));
	hwrite_close(w, H_P);
	hwrite_close(w, H_DIV);
}

void
editor_write_saving(struct hwrite *w, const struct editing *e)
{
	hwrite_open(w, H_DIV);
	hwrite_attr(w, A_ID, "saving");
	hwrite_data(w, "person", e->v->person->uuid);
	hwrite_data(
	    w, "paste", console_path(e->c, e->v, "/%s/articles/paste", e->v->workspace->uuid));
	write_copy(w);
	hwrite_open(w, H_P);
	hwrite_attr(w, A_ID, "saving-now");
	hwrite_attr(w, A_CLASS, "hint saving");
	hwrite_close(w, H_P);
	hwrite_open(w, H_P);
	hwrite_attr(w, A_ID, "saving-heard");
	hwrite_attr(w, A_CLASS, "heard");
	hwrite_attr(w, A_ROLE, "status");
	hwrite_close(w, H_P);
	for (size_t i = 0; i < sizeof(says) / sizeof(says[0]); i++) {
		hwrite_open(w, H_SPAN);
		hwrite_data(w, "say", says[i].name);
		hwrite_flag(w, A_HIDDEN, true);
		hwrite_text(w, tr(says[i].sentence));
		hwrite_close(w, H_SPAN);
	}
	hwrite_close(w, H_DIV);
}

/* ---- the tools */

static void
write_tool(struct hwrite *w, const char *name, const char *label)
{
	hwrite_open(w, H_BUTTON);
	hwrite_attr(w, A_TYPE, "button");
	hwrite_attr(w, A_CLASS, "button quiet");
	hwrite_data(w, "tool", name);
	hwrite_text(w, label);
	hwrite_close(w, H_BUTTON);
}

/* What a picture that was dropped or pasted shows; its files follow one by one. The script makes
 * the field: it is none of the form. */
static void
write_picture(struct hwrite *w, const struct editing *e)
{
	const char *to = arena_printf(e->c->arena, "/%s/pictures", e->v->workspace->uuid);
	char number[FORMNUMBER_TEXT];

	formnumber_draw(e->c, e->v->person->uuid, to, number);
	hwrite_open(w, H_DIV);
	hwrite_attr(w, A_ID, "picture");
	hwrite_attr(w, A_CLASS, "notice");
	hwrite_data(w, "to", console_path(e->c, e->v, "%s", to));
	hwrite_data(w, "number", number);
	hwrite_flag(w, A_HIDDEN, true);
	hwrite_open(w, H_P);
	hwrite_attr(w, A_ID, "picture-label");
	hwrite_text(w, tr("What does this picture show?"));
	hwrite_text(w, " ");
	hwrite_open(w, H_BDI);
	hwrite_attr(w, A_ID, "picture-name");
	hwrite_close(w, H_BDI);
	hwrite_close(w, H_P);
	hwrite_open(w, H_P);
	hwrite_attr(w, A_CLASS, "hint");
	hwrite_attr(w, A_ID, "picture-hint");
	hwrite_text(w,
	    tr("It is read to people who do not see it. Leave it empty if the picture only decorates."));
	hwrite_close(w, H_P);
	hwrite_open(w, H_P);
	hwrite_attr(w, A_CLASS, "error");
	hwrite_attr(w, A_ID, "picture-error");
	hwrite_attr(w, A_ROLE, "alert");
	hwrite_close(w, H_P);
	hwrite_open(w, H_P);
	hwrite_attr(w, A_CLASS, "row");
	write_button(w, "picture-add", tr("Add the picture"));
	write_button(w, "picture-cancel", tr("Leave it out"));
	hwrite_close(w, H_P);
	hwrite_close(w, H_DIV);
}

void
editor_write_tools(struct hwrite *w, const struct editing *e)
{
	static const struct {
		const char *name, *label;
	} tools[] = {
		{ "bold", tr_mark("Bold") },
		{ "italic", tr_mark("Italic") },
		{ "link", tr_mark("Link") },
		{ "heading", tr_mark("Heading") },
		{ "list", tr_mark("List") },
		{ "quote", tr_mark("Quote") },
		{ "picture", tr_mark("Picture") },
	};

	hwrite_open(w, H_DIV);
	hwrite_attr(w, A_ID, "tools");
	hwrite_attr(w, A_CLASS, "tools");
	hwrite_attr(w, A_ROLE, "group");
	hwrite_attr(w, A_ARIA_LABEL, tr("Formats of the text"));
	hwrite_flag(w, A_HIDDEN, true);
	for (size_t i = 0; i < sizeof(tools) / sizeof(tools[0]); i++)
		write_tool(w, tools[i].name, tr(tools[i].label));
	if (e->article != NULL)
		write_tool(w, "beside", tr("Show preview"));
	hwrite_close(w, H_DIV);
	write_picture(w, e);
	hwrite_open(w, H_P);
	hwrite_attr(w, A_CLASS, "error");
	hwrite_attr(w, A_ID, "paste-error");
	hwrite_attr(w, A_ROLE, "alert");
	hwrite_close(w, H_P);
	hwrite_open(w, H_BUTTON);
	hwrite_attr(w, A_TYPE, "button");
	hwrite_attr(w, A_ID, "way-back");
	hwrite_attr(w, A_CLASS, "button quiet");
	hwrite_flag(w, A_HIDDEN, true);
	hwrite_text(w, tr("Back to the list above"));
	hwrite_close(w, H_BUTTON);
}

/* ---- its keys */

static void
write_key(struct hwrite *w, bool shifted, const char *key, const char *what)
{
	hwrite_open(w, H_LI);
	hwrite_element(w, H_KBD, tr("Ctrl"));
	hwrite_text(w, " + ");
	if (shifted) {
		hwrite_element(w, H_KBD, tr("Shift"));
		hwrite_text(w, " + ");
	}
	hwrite_element(w, H_KBD, key);
	hwrite_text(w, arena_printf(w->out->arena, " %s", what));
	hwrite_close(w, H_LI);
}

void
editor_write_keys(struct hwrite *w)
{
	hwrite_open(w, H_DETAILS);
	hwrite_attr(w, A_ID, "keys");
	hwrite_flag(w, A_HIDDEN, true);
	hwrite_element(w, H_SUMMARY, tr("Keyboard"));
	hwrite_open(w, H_UL);
	hwrite_attr(w, A_CLASS, "keys");
	write_key(w, false, "S", tr("Save"));
	write_key(w, false, "B", tr("Bold"));
	write_key(w, false, "I", tr("Italic"));
	write_key(w, false, "K", tr("Link"));
	write_key(w, true, "V", tr("Paste as plain text"));
	hwrite_close(w, H_UL);
	hwrite_element(w, H_P, tr("On a Mac it is Command in the place of Ctrl."));
	hwrite_close(w, H_DETAILS);
}

/* ---- the preview */

void
editor_write_beside(struct hwrite *w, const struct editing *e)
{
	hwrite_open(w, H_DIALOG);
	hwrite_attr(w, A_ID, "beside");
	hwrite_attr(w, A_CLASS, "beside");
	hwrite_attr(w, A_ARIA_LABEL, tr("The article as readers see it"));
	hwrite_data(
	    w, "src", console_path(e->c, e->v, "%s/preview/copy?beside=1&colours=", e->action));
	hwrite_data(w, "title", e->article->title);
	write_button(w, "beside-close", tr("Close the preview"));
	hwrite_open(w, H_DIV);
	hwrite_attr(w, A_ID, "beside-frames");
	hwrite_close(w, H_DIV);
	hwrite_close(w, H_DIALOG);
}
