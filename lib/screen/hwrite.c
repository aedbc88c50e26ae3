#include "screen/hwrite.h"

#include <string.h>

#include "base/clock.h"
#include "base/log.h"
#include "screen/hwrite-text.h"

/* What an element is, and what it may hold. */
enum {
	FLOW = 1, PHRASE = 2, TEXT = 4, DOCUMENT = 8, HEAD = 16, BODY = 32,
	META = 64, ITEM = 128, TERM = 256, CAPTION = 512, ROWS = 1024,
	ROW = 2048, CELL = 4096, OPTION = 8192, GROUP = 16384, LEGEND = 32768,
	SUMMARY = 65536, FIGCAPTION = 131072, SHAPE = 262144,
	LINE = PHRASE | TEXT,
	BLOCKS = FLOW | PHRASE | TEXT,
	/* must be the first content of its parent */
	FIRST = DOCUMENT | HEAD | CAPTION | LEGEND | SUMMARY
};

/* What an element must not be within. */
enum { CLICKED = 1, FORM = 2, LABEL = 4 };

struct element {
	const char *name;
	unsigned is;      /* what its parent must hold */
	unsigned holds;   /* 0: nothing */
	unsigned kinds;   /* never within an element that bars one of these */
	unsigned bars;
	bool is_void;
};

static const struct element elements[HWRITE_ELEMENTS] = {
	[H_HTML] = { "html", DOCUMENT, HEAD | BODY, 0, 0, false },
	[H_HEAD] = { "head", HEAD, META, 0, 0, false },
	[H_BODY] = { "body", BODY, BLOCKS, 0, 0, false },
	[H_TITLE] = { "title", META, TEXT, 0, 0, false },
	[H_META] = { "meta", META, 0, 0, 0, true },
	[H_LINK] = { "link", META, 0, 0, 0, true },
	[H_SCRIPT] = { "script", META, 0, 0, 0, false },
	[H_HEADER] = { "header", FLOW, BLOCKS, 0, 0, false },
	[H_NAV] = { "nav", FLOW, BLOCKS, 0, 0, false },
	[H_MAIN] = { "main", FLOW, BLOCKS, 0, 0, false },
	[H_FOOTER] = { "footer", FLOW, BLOCKS, 0, 0, false },
	[H_SECTION] = { "section", FLOW, BLOCKS, 0, 0, false },
	[H_ARTICLE] = { "article", FLOW, BLOCKS, 0, 0, false },
	[H_ASIDE] = { "aside", FLOW, BLOCKS, 0, 0, false },
	[H_DIV] = { "div", FLOW, BLOCKS, 0, 0, false },
	[H_H1] = { "h1", FLOW, LINE, 0, 0, false },
	[H_H2] = { "h2", FLOW, LINE, 0, 0, false },
	[H_H3] = { "h3", FLOW, LINE, 0, 0, false },
	[H_H4] = { "h4", FLOW, LINE, 0, 0, false },
	[H_P] = { "p", FLOW, LINE, 0, 0, false },
	[H_PRE] = { "pre", FLOW, LINE, 0, 0, false },
	[H_BLOCKQUOTE] = { "blockquote", FLOW, BLOCKS, 0, 0, false },
	[H_ADDRESS] = { "address", FLOW, BLOCKS, 0, 0, false },
	[H_HR] = { "hr", FLOW, 0, 0, 0, true },
	[H_UL] = { "ul", FLOW, ITEM, 0, 0, false },
	[H_OL] = { "ol", FLOW, ITEM, 0, 0, false },
	[H_LI] = { "li", ITEM, BLOCKS, 0, 0, false },
	[H_DL] = { "dl", FLOW, TERM, 0, 0, false },
	[H_DT] = { "dt", TERM, BLOCKS, 0, 0, false },
	[H_DD] = { "dd", TERM, BLOCKS, 0, 0, false },
	[H_FIGURE] = { "figure", FLOW, BLOCKS | FIGCAPTION, 0, 0, false },
	[H_FIGCAPTION] = { "figcaption", FIGCAPTION, BLOCKS, 0, 0, false },
	[H_DETAILS] = { "details", FLOW, BLOCKS | SUMMARY, 0, 0, false },
	[H_SUMMARY] = { "summary", SUMMARY, LINE, 0, 0, false },
	[H_TABLE] = { "table", FLOW, CAPTION | ROWS, 0, 0, false },
	[H_CAPTION] = { "caption", CAPTION, LINE, 0, 0, false },
	[H_THEAD] = { "thead", ROWS, ROW, 0, 0, false },
	[H_TBODY] = { "tbody", ROWS, ROW, 0, 0, false },
	[H_TFOOT] = { "tfoot", ROWS, ROW, 0, 0, false },
	[H_TR] = { "tr", ROW, CELL, 0, 0, false },
	[H_TH] = { "th", CELL, BLOCKS, 0, 0, false },
	[H_TD] = { "td", CELL, BLOCKS, 0, 0, false },
	[H_FORM] = { "form", FLOW, BLOCKS, FORM, FORM, false },
	[H_FIELDSET] = { "fieldset", FLOW, BLOCKS | LEGEND, 0, 0, false },
	[H_LEGEND] = { "legend", LEGEND, LINE, 0, 0, false },
	[H_A] = { "a", PHRASE, LINE, CLICKED, CLICKED, false },
	[H_SPAN] = { "span", PHRASE, LINE, 0, 0, false },
	[H_STRONG] = { "strong", PHRASE, LINE, 0, 0, false },
	[H_EM] = { "em", PHRASE, LINE, 0, 0, false },
	[H_B] = { "b", PHRASE, LINE, 0, 0, false },
	[H_I] = { "i", PHRASE, LINE, 0, 0, false },
	[H_SMALL] = { "small", PHRASE, LINE, 0, 0, false },
	[H_CODE] = { "code", PHRASE, LINE, 0, 0, false },
	[H_KBD] = { "kbd", PHRASE, LINE, 0, 0, false },
	[H_SAMP] = { "samp", PHRASE, LINE, 0, 0, false },
	[H_MARK] = { "mark", PHRASE, LINE, 0, 0, false },
	[H_INS] = { "ins", PHRASE, LINE, 0, 0, false },
	[H_DEL] = { "del", PHRASE, LINE, 0, 0, false },
	[H_SUB] = { "sub", PHRASE, LINE, 0, 0, false },
	[H_SUP] = { "sup", PHRASE, LINE, 0, 0, false },
	[H_Q] = { "q", PHRASE, LINE, 0, 0, false },
	[H_CITE] = { "cite", PHRASE, LINE, 0, 0, false },
	[H_ABBR] = { "abbr", PHRASE, LINE, 0, 0, false },
	[H_TIME] = { "time", PHRASE, LINE, 0, 0, false },
	[H_BDI] = { "bdi", PHRASE, LINE, 0, 0, false },
	[H_BR] = { "br", PHRASE, 0, 0, 0, true },
	[H_WBR] = { "wbr", PHRASE, 0, 0, 0, true },
	[H_IMG] = { "img", PHRASE, 0, 0, 0, true },
	[H_IFRAME] = { "iframe", PHRASE, 0, CLICKED, 0, false },
	[H_PROGRESS] = { "progress", PHRASE, LINE, 0, 0, false },
	[H_OUTPUT] = { "output", PHRASE, LINE, 0, 0, false },
	[H_LABEL] = { "label", PHRASE, LINE, CLICKED | LABEL, LABEL, false },
	[H_INPUT] = { "input", PHRASE, 0, CLICKED, 0, true },
	[H_BUTTON] = { "button", PHRASE, LINE, CLICKED, CLICKED, false },
	[H_TEXTAREA] = { "textarea", PHRASE, TEXT, CLICKED, 0, false },
	[H_SELECT] = { "select", PHRASE, OPTION | GROUP, CLICKED, 0, false },
	[H_OPTGROUP] = { "optgroup", GROUP, OPTION, 0, 0, false },
	[H_OPTION] = { "option", OPTION, TEXT, 0, 0, false },
	[H_DATALIST] = { "datalist", PHRASE, OPTION, 0, 0, false },
	[H_SVG] = { "svg", PHRASE, SHAPE, 0, 0, false },
	[H_G] = { "g", SHAPE, SHAPE, 0, 0, false },
	[H_PATH] = { "path", SHAPE, 0, 0, 0, false },
	[H_RECT] = { "rect", SHAPE, 0, 0, 0, false },
	[H_LINE] = { "line", SHAPE, 0, 0, 0, false },
	[H_POLYLINE] = { "polyline", SHAPE, 0, 0, 0, false },
	[H_SVG_TEXT] = { "text", SHAPE, TEXT, 0, 0, false },
	[H_SVG_TITLE] = { "title", SHAPE, TEXT, 0, 0, false },
	[H_SVG_DESC] = { "desc", SHAPE, TEXT, 0, 0, false },
};

void
hwrite_init(struct hwrite *w, struct buf *out)
{
	memset(w, 0, sizeof(*w));
	w->out = out;
}

/* The innermost open element; NULL outside of all. */
static const struct element *
innermost(const struct hwrite *w)
{
	return w->depth > 0 ? &elements[w->open[w->depth - 1]] : NULL;
}

/* Ends the start tag. A browser drops a newline that follows <textarea> or <pre>: so one
 * is written, and those of the text stay. */
static void
end_tag(struct hwrite *w)
{
	if (!w->in_tag)
		return;
	w->in_tag = false;
	buf_add_char(w->out, '>');
	if (w->element == H_TEXTAREA || w->element == H_PRE)
		buf_add_char(w->out, '\n');
}

/* Whether content of a kind may follow here. Outside of all elements a document or blocks
 * may be. */
static bool
has_place(const struct hwrite *w, unsigned kind)
{
	const struct element *parent = innermost(w);
	unsigned holds = parent != NULL ? parent->holds : DOCUMENT | BLOCKS;
	uint8_t children = w->children[w->depth];

	if ((holds & kind) == 0 || ((kind & FIRST) != 0 && children > 0))
		return false;
	return kind != BODY || children == 1;
}

bool
hwrite_may_open(const struct hwrite *w, enum hwrite_element e)
{
	if (w->depth == HWRITE_DEPTH || !has_place(w, elements[e].is))
		return false;
	for (size_t i = 0; i < w->depth; i++) {
		if ((elements[w->open[i]].bars & elements[e].kinds) != 0)
			return false;
	}
	return true;
}

bool
hwrite_may_text(const struct hwrite *w)
{
	return has_place(w, TEXT);
}

static void
enter(struct hwrite *w, bool may, const char *what)
{
	if (!may)
		BUG("%s has no place in <%s>", what,
		    w->depth > 0 ? innermost(w)->name : "");
	end_tag(w);
	if (w->children[w->depth] < 2)
		w->children[w->depth]++;
}

void
hwrite_doctype(struct hwrite *w)
{
	if (w->depth > 0 || w->children[0] > 0)
		BUG("the doctype is the first thing in a document");
	buf_lit(w->out, "<!DOCTYPE html>\n");
}

void
hwrite_open(struct hwrite *w, enum hwrite_element e)
{
	const struct element *element = &elements[e];

	enter(w, hwrite_may_open(w, e), element->name);
	w->element = e;
	w->in_tag = true;
	w->given[0] = w->given[1] = 0;
	w->data_count = 0;
	buf_add_char(w->out, '<');
	buf_add_text(w->out, element->name);
	if (!element->is_void) {
		w->open[w->depth++] = (uint8_t)e;
		w->children[w->depth] = 0;
	}
}

void
hwrite_close(struct hwrite *w, enum hwrite_element e)
{
	const struct element *element = innermost(w);

	if (element != &elements[e])
		BUG("</%s> meets an open <%s>", elements[e].name,
		    element != NULL ? element->name : "");
	end_tag(w);
	w->depth--;
	buf_lit(w->out, "</");
	buf_add_text(w->out, element->name);
	buf_add_char(w->out, '>');
}

void
hwrite_end(struct hwrite *w)
{
	end_tag(w);
	if (w->depth > 0)
		BUG("<%s> is still open", innermost(w)->name);
}

/* ---- texts */

void
hwrite_text(struct hwrite *w, const char *text)
{
	if (text == NULL || text[0] == '\0')
		return;
	enter(w, hwrite_may_text(w), "text");
	hwrite_escaped(w->out, text);
}

void
hwrite_text_n(struct hwrite *w, const char *bytes, size_t len)
{
	if (len == 0)
		return;
	enter(w, hwrite_may_text(w), "text");
	hwrite_escaped(w->out, hwrite_valid(w->out->arena, bytes, len));
}

void
hwrite_int(struct hwrite *w, int64_t value)
{
	enter(w, hwrite_may_text(w), "text");
	buf_add_int(w->out, value);
}

void
hwrite_element(struct hwrite *w, enum hwrite_element e, const char *text)
{
	hwrite_open(w, e);
	hwrite_text(w, text);
	hwrite_close(w, e);
}

void
hwrite_export(struct hwrite *w, const char *html, size_t len)
{
	enter(w, has_place(w, FLOW), "an article");
	buf_add(w->out, html, len);
}

void
hwrite_time(struct hwrite *w, int64_t at, const char *shown)
{
	char text[CLOCK_TEXT];

	clock_format_seconds(text, at);
	hwrite_open(w, H_TIME);
	hwrite_attr(w, A_DATETIME, text);
	hwrite_text(w, shown);
	hwrite_close(w, H_TIME);
}
