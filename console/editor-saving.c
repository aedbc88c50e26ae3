/* What the editor's script writes into its page (docs/console.md §5.4): whether all is saved, and
 * the tools. Without the script nothing of it is seen. */
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
	{ "lost", tr_mark("No connection. What you type stays in this page and is sent when there"
			  " is one.") },
	{ "signed-out", tr_mark("Your session has ended. What you typed is kept in this tab.") },
	{ "sign-in", tr_mark("Sign in") },
	{ "clash", tr_mark("Somebody else changed the same place, so this is not saved. Press Save"
			   " to choose a wording.") },
	{ "refused", tr_mark("Not saved: %s") },
	{ "words", tr_mark("Words: %s") },
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
	write_copy(w);
	hwrite_open(w, H_P);
	hwrite_attr(w, A_ID, "saving-now");
	hwrite_attr(w, A_CLASS, "hint saving");
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

void
editor_write_tools(struct hwrite *w)
{
	static const struct {
		const char *name, *label;
	} tools[] = {
		{ "bold", tr_mark("Bold") }, { "italic", tr_mark("Italic") },
		{ "link", tr_mark("Link") }, { "heading", tr_mark("Heading") },
		{ "list", tr_mark("List") }, { "quote", tr_mark("Quote") },
	};

	hwrite_open(w, H_DIV);
	hwrite_attr(w, A_ID, "tools");
	hwrite_attr(w, A_CLASS, "tools");
	hwrite_attr(w, A_ROLE, "group");
	hwrite_attr(w, A_ARIA_LABEL, tr("Formats of the text"));
	hwrite_flag(w, A_HIDDEN, true);
	for (size_t i = 0; i < sizeof(tools) / sizeof(tools[0]); i++) {
		hwrite_open(w, H_BUTTON);
		hwrite_attr(w, A_TYPE, "button");
		hwrite_attr(w, A_CLASS, "button quiet");
		hwrite_data(w, "tool", tools[i].name);
		hwrite_text(w, tr(tools[i].label));
		hwrite_close(w, H_BUTTON);
	}
	hwrite_close(w, H_DIV);
}
