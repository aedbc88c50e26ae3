#include "screen/hwrite.h"

#include <string.h>

#include "base/clock.h"
#include "base/log.h"
#include "screen/hwrite-text.h"

/* What an element is, and what it may hold. */
enum {
	FLOW = 1,
	PHRASE = 2,
	TEXT = 4,
	DOCUMENT = 8,
	HEAD = 16,
	BODY = 32,
	META = 64,
	ITEM = 128,
	TERM = 256,
	CAPTION = 512,
	ROWS = 1024,
	ROW = 2048,
	CELL = 4096,
	OPTION = 8192,
	GROUP = 16384,
	LEGEND = 32768,
	SUMMARY = 65536,
	FIGCAPTION = 131072,
	SHAPE = 262144,
	LINE = PHRASE | TEXT,
	BLOCKS = FLOW | PHRASE | TEXT,
	/* must be the first content of its parent */
	FIRST = DOCUMENT | HEAD | CAPTION | LEGEND | SUMMARY
};

/* What an element must not be within. */
enum { CLICKED = 1, FORM = 2, LABEL = 4 };

struct element {
	char name[11]; /* the text itself: an address would be written at each start */
	uint8_t name_len;
	unsigned is; /* what its parent must hold */
	unsigned holds; /* 0: nothing */
	unsigned kinds; /* never within an element that bars one of these */
	unsigned bars;
	bool is_void;
};

#define N(name) name, sizeof(name) - 1

static const struct element elements[HWRITE_ELEMENTS] = {
	[H_HTML] = { N("html"), DOCUMENT, HEAD | BODY, 0, 0, false },
	[H_HEAD] = { N("head"), HEAD, META, 0, 0, false },
	[H_BODY] = { N("body"), BODY, BLOCKS, 0, 0, false },
	[H_TITLE] = { N("title"), META, TEXT, 0, 0, false },
	[H_META] = { N("meta"), META, 0, 0, 0, true },
	[H_LINK] = { N("link"), META, 0, 0, 0, true },
	[H_SCRIPT] = { N("script"), META | PHRASE, 0, 0, 0, false },
	[H_HEADER] = { N("header"), FLOW, BLOCKS, 0, 0, false },
	[H_NAV] = { N("nav"), FLOW, BLOCKS, 0, 0, false },
	[H_MAIN] = { N("main"), FLOW, BLOCKS, 0, 0, false },
	[H_FOOTER] = { N("footer"), FLOW, BLOCKS, 0, 0, false },
	[H_SECTION] = { N("section"), FLOW, BLOCKS, 0, 0, false },
	[H_ARTICLE] = { N("article"), FLOW, BLOCKS, 0, 0, false },
	[H_ASIDE] = { N("aside"), FLOW, BLOCKS, 0, 0, false },
	[H_DIV] = { N("div"), FLOW, BLOCKS, 0, 0, false },
	[H_H1] = { N("h1"), FLOW, LINE, 0, 0, false },
	[H_H2] = { N("h2"), FLOW, LINE, 0, 0, false },
	[H_H3] = { N("h3"), FLOW, LINE, 0, 0, false },
	[H_H4] = { N("h4"), FLOW, LINE, 0, 0, false },
	[H_P] = { N("p"), FLOW, LINE, 0, 0, false },
	[H_PRE] = { N("pre"), FLOW, LINE, 0, 0, false },
	[H_BLOCKQUOTE] = { N("blockquote"), FLOW, BLOCKS, 0, 0, false },
	[H_ADDRESS] = { N("address"), FLOW, BLOCKS, 0, 0, false },
	[H_HR] = { N("hr"), FLOW, 0, 0, 0, true },
	[H_UL] = { N("ul"), FLOW, ITEM, 0, 0, false },
	[H_OL] = { N("ol"), FLOW, ITEM, 0, 0, false },
	[H_LI] = { N("li"), ITEM, BLOCKS, 0, 0, false },
	[H_DL] = { N("dl"), FLOW, TERM, 0, 0, false },
	[H_DT] = { N("dt"), TERM, BLOCKS, 0, 0, false },
	[H_DD] = { N("dd"), TERM, BLOCKS, 0, 0, false },
	[H_FIGURE] = { N("figure"), FLOW, BLOCKS | FIGCAPTION, 0, 0, false },
	[H_FIGCAPTION] = { N("figcaption"), FIGCAPTION, BLOCKS, 0, 0, false },
	[H_DETAILS] = { N("details"), FLOW, BLOCKS | SUMMARY, 0, 0, false },
	[H_SUMMARY] = { N("summary"), SUMMARY, LINE, 0, 0, false },
	[H_DIALOG] = { N("dialog"), FLOW, BLOCKS, 0, 0, false },
	[H_TABLE] = { N("table"), FLOW, CAPTION | ROWS, 0, 0, false },
	[H_CAPTION] = { N("caption"), CAPTION, LINE, 0, 0, false },
	[H_THEAD] = { N("thead"), ROWS, ROW, 0, 0, false },
	[H_TBODY] = { N("tbody"), ROWS, ROW, 0, 0, false },
	[H_TFOOT] = { N("tfoot"), ROWS, ROW, 0, 0, false },
	[H_TR] = { N("tr"), ROW, CELL, 0, 0, false },
	[H_TH] = { N("th"), CELL, BLOCKS, 0, 0, false },
	[H_TD] = { N("td"), CELL, BLOCKS, 0, 0, false },
	[H_FORM] = { N("form"), FLOW, BLOCKS, FORM, FORM, false },
	[H_FIELDSET] = { N("fieldset"), FLOW, BLOCKS | LEGEND, 0, 0, false },
	[H_LEGEND] = { N("legend"), LEGEND, LINE, 0, 0, false },
	[H_A] = { N("a"), PHRASE, LINE, CLICKED, CLICKED, false },
	[H_SPAN] = { N("span"), PHRASE, LINE, 0, 0, false },
	[H_STRONG] = { N("strong"), PHRASE, LINE, 0, 0, false },
	[H_EM] = { N("em"), PHRASE, LINE, 0, 0, false },
	[H_B] = { N("b"), PHRASE, LINE, 0, 0, false },
	[H_I] = { N("i"), PHRASE, LINE, 0, 0, false },
	[H_SMALL] = { N("small"), PHRASE, LINE, 0, 0, false },
	[H_CODE] = { N("code"), PHRASE, LINE, 0, 0, false },
	[H_KBD] = { N("kbd"), PHRASE, LINE, 0, 0, false },
	[H_SAMP] = { N("samp"), PHRASE, LINE, 0, 0, false },
	[H_MARK] = { N("mark"), PHRASE, LINE, 0, 0, false },
	[H_INS] = { N("ins"), PHRASE, LINE, 0, 0, false },
	[H_DEL] = { N("del"), PHRASE, LINE, 0, 0, false },
	[H_SUB] = { N("sub"), PHRASE, LINE, 0, 0, false },
	[H_SUP] = { N("sup"), PHRASE, LINE, 0, 0, false },
	[H_Q] = { N("q"), PHRASE, LINE, 0, 0, false },
	[H_CITE] = { N("cite"), PHRASE, LINE, 0, 0, false },
	[H_ABBR] = { N("abbr"), PHRASE, LINE, 0, 0, false },
	[H_TIME] = { N("time"), PHRASE, LINE, 0, 0, false },
	[H_BDI] = { N("bdi"), PHRASE, LINE, 0, 0, false },
	[H_BR] = { N("br"), PHRASE, 0, 0, 0, true },
	[H_WBR] = { N("wbr"), PHRASE, 0, 0, 0, true },
	[H_IMG] = { N("img"), PHRASE, 0, 0, 0, true },
	[H_IFRAME] = { N("iframe"), PHRASE, 0, CLICKED, 0, false },
	[H_PROGRESS] = { N("progress"), PHRASE, LINE, 0, 0, false },
	[H_OUTPUT] = { N("output"), PHRASE, LINE, 0, 0, false },
	[H_LABEL] = { N("label"), PHRASE, LINE, CLICKED | LABEL, LABEL, false },
	[H_INPUT] = { N("input"), PHRASE, 0, CLICKED, 0, true },
	[H_BUTTON] = { N("button"), PHRASE, LINE, CLICKED, CLICKED, false },
	[H_TEXTAREA] = { N("textarea"), PHRASE, TEXT, CLICKED, 0, false },
	[H_SELECT] = { N("select"), PHRASE, OPTION | GROUP, CLICKED, 0, false },
	[H_OPTGROUP] = { N("optgroup"), GROUP, OPTION, 0, 0, false },
	[H_OPTION] = { N("option"), OPTION, TEXT, 0, 0, false },
	[H_DATALIST] = { N("datalist"), PHRASE, OPTION, 0, 0, false },
	[H_SVG] = { N("svg"), PHRASE, SHAPE, 0, 0, false },
	[H_G] = { N("g"), SHAPE, SHAPE, 0, 0, false },
	[H_PATH] = { N("path"), SHAPE, 0, 0, 0, false },
	[H_RECT] = { N("rect"), SHAPE, 0, 0, 0, false },
	[H_LINE] = { N("line"), SHAPE, 0, 0, 0, false },
	[H_POLYLINE] = { N("polyline"), SHAPE, 0, 0, 0, false },
	[H_SVG_TEXT] = { N("text"), SHAPE, TEXT, 0, 0, false },
	[H_SVG_TITLE] = { N("title"), SHAPE, TEXT, 0, 0, false },
	[H_SVG_DESC] = { N("desc"), SHAPE, TEXT, 0, 0, false },
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
	return w->depth < HWRITE_DEPTH && has_place(w, elements[e].is) &&
	       (w->bars[w->depth] & elements[e].kinds) == 0;
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
		BUG("%s has no place in <%s>", what, w->depth > 0 ? innermost(w)->name : "");
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

/* Writes a name behind "<" or "</", and the byte that `behind` may hold behind it. */
static inline void
add_name(struct buf *out, const char *before, size_t before_len, const struct element *element,
    const char *behind)
{
	char tag[2 + sizeof(element->name) + 2];
	size_t len = before_len;

	memcpy(tag, before, before_len);
	memcpy(tag + len, element->name, sizeof(element->name));
	len += element->name_len;
	if (*behind != '\0')
		tag[len++] = *behind;
	buf_add(out, tag, len);
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
	add_name(w->out, "<", 1, element, "");
	if (!element->is_void) {
		unsigned bars = w->bars[w->depth] | element->bars;
		w->open[w->depth++] = (uint8_t)e;
		w->children[w->depth] = 0;
		w->bars[w->depth] = (uint8_t)bars;
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
	add_name(w->out, "</", 2, element, ">");
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
