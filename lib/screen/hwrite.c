#include "screen/hwrite.h"

#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/utf8.h"
#include "content/lang.h"

/* ---- text, escaped */

/* Writes valid text without forbidden characters, escaped for a double-quoted attribute and
 * for content alike. */
static void
escape(struct buf *out, const char *text, size_t len)
{
	const char *end = text + len;

	while (text < end) {
		size_t safe = 0;
		while (text + safe < end && text[safe] != '&' && text[safe] != '<' &&
		       text[safe] != '>' && text[safe] != '"')
			safe++;
		buf_add(out, text, safe);
		text += safe;
		if (text == end)
			break;
		switch (*text++) {
		case '&':
			buf_lit(out, "&amp;");
			break;
		case '<':
			buf_lit(out, "&lt;");
			break;
		case '>':
			buf_lit(out, "&gt;");
			break;
		default:
			buf_lit(out, "&quot;");
		}
	}
}

#define REPLACEMENT "\xEF\xBF\xBD"

/* Returns a copy of the bytes as valid text: each wrong byte, and NUL, is U+FFFD. */
static const char *
valid_text(struct arena *arena, const char *bytes, size_t len)
{
	const char *text = arena_text_n(arena, bytes, len);
	struct buf valid;

	if (utf8_valid(text, len))
		return text;
	buf_init(&valid, arena, 3 * len);
	for (size_t i = 0; i < len;) {
		size_t sequence = text[i] == '\0' ? 0 : utf8_sequence(text + i);
		if (sequence == 0)
			buf_lit(&valid, REPLACEMENT);
		else
			buf_add(&valid, text + i, sequence);
		i += sequence > 0 ? sequence : 1;
	}
	return buf_done(&valid);
}

/* Writes a valid text. */
static void
write_valid(struct buf *out, const char *text)
{
	const char *bad;

	while ((bad = utf8_forbidden(text, false)) != NULL) {
		escape(out, text, (size_t)(bad - text));
		if (*bad == '\r')
			buf_lit(out, "&#13;");
		else
			buf_lit(out, REPLACEMENT);
		text = bad;
		(void)utf8_next(&text);
	}
	escape(out, text, strlen(text));
}

/* Bytes that are written as they are, wherever they are: most of any text. */
static const bool plain[256] = { ['\n'] = true,
	['\t'] = true,
	[' '] = true,
	['!'] = true,
	['#' ... '%'] = true,
	['\'' ... ';'] = true,
	['='] = true,
	['?' ... '~'] = true };

/* Writes a text, escaped. A wrong byte and a forbidden character are written as U+FFFD, a
 * carriage return as &#13;. */
static void
add_escaped(struct buf *out, const char *text)
{
	const char *rest = text;
	size_t len;

	while (plain[(unsigned char)*rest])
		rest++;
	buf_add(out, text, (size_t)(rest - text));
	if (*rest == '\0')
		return;
	len = strlen(rest);
	write_valid(out, utf8_valid(rest, len) ? rest : valid_text(out->arena, rest, len));
}

/* ---- elements */

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
	[H_METER] = { N("meter"), PHRASE, LINE, 0, 0, false },
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

/* Writes a name after "<" or "</", and `next` after it, if there is one. */
static inline void
add_name(struct buf *out, const char *before, size_t before_len, const struct element *element,
    const char *next)
{
	char tag[2 + sizeof(element->name) + 2];
	size_t len = before_len;

	memcpy(tag, before, before_len);
	memcpy(tag + len, element->name, sizeof(element->name));
	len += element->name_len;
	if (*next != '\0')
		tag[len++] = *next;
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
	add_escaped(w->out, text);
}

void
hwrite_text_n(struct hwrite *w, const char *bytes, size_t len)
{
	if (len == 0)
		return;
	enter(w, hwrite_may_text(w), "text");
	add_escaped(w->out, valid_text(w->out->arena, bytes, len));
}

void
hwrite_element(struct hwrite *w, enum hwrite_element e, const char *text)
{
	hwrite_open(w, e);
	hwrite_text(w, text);
	hwrite_close(w, e);
}

void
hwrite_hidden(struct hwrite *w, const char *name, const char *value)
{
	hwrite_open(w, H_INPUT);
	hwrite_attr(w, A_TYPE, "hidden");
	hwrite_attr(w, A_NAME, name);
	hwrite_attr(w, A_VALUE, value);
}

void
hwrite_export(struct hwrite *w, const char *html, size_t len)
{
	enter(w, has_place(w, FLOW), "an article");
	buf_add(w->out, html, len);
}

void
hwrite_icon(struct hwrite *w, const char *class, const char *path)
{
	enter(w, has_place(w, PHRASE), "a picture");
	buf_lit(w->out, "<svg class=\"");
	buf_add_text(w->out, class);
	buf_lit(w->out, "\" viewBox=\"0 0 24 24\" aria-hidden=\"true\"><path d=\"");
	buf_add_text(w->out, path);
	buf_lit(w->out, "\"></path></svg>");
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

/* ---- attributes: their names, values and addresses */

/* The texts themselves: addresses of texts would be written at each start. */
static const struct {
	char name[20];
	uint8_t len;
} attributes[HWRITE_ATTRIBUTES] = {
	[A_ID] = { N("id") },
	[A_CLASS] = { N("class") },
	[A_LANG] = { N("lang") },
	[A_DIR] = { N("dir") },
	[A_TITLE] = { N("title") },
	[A_ROLE] = { N("role") },
	[A_TABINDEX] = { N("tabindex") },
	[A_ARIA_LABEL] = { N("aria-label") },
	[A_ARIA_LABELLEDBY] = { N("aria-labelledby") },
	[A_ARIA_DESCRIBEDBY] = { N("aria-describedby") },
	[A_ARIA_INVALID] = { N("aria-invalid") },
	[A_ARIA_CONTROLS] = { N("aria-controls") },
	[A_ARIA_CURRENT] = { N("aria-current") },
	[A_ARIA_HIDDEN] = { N("aria-hidden") },
	[A_ARIA_LIVE] = { N("aria-live") },
	[A_ARIA_SORT] = { N("aria-sort") },
	[A_CHARSET] = { N("charset") },
	[A_NAME] = { N("name") },
	[A_CONTENT] = { N("content") },
	[A_REL] = { N("rel") },
	[A_TYPE] = { N("type") },
	[A_HREFLANG] = { N("hreflang") },
	[A_MEDIA] = { N("media") },
	[A_ALT] = { N("alt") },
	[A_WIDTH] = { N("width") },
	[A_HEIGHT] = { N("height") },
	[A_LOADING] = { N("loading") },
	[A_SANDBOX] = { N("sandbox") },
	[A_DATETIME] = { N("datetime") },
	[A_METHOD] = { N("method") },
	[A_ENCTYPE] = { N("enctype") },
	[A_FOR] = { N("for") },
	[A_FORM] = { N("form") },
	[A_VALUE] = { N("value") },
	[A_PLACEHOLDER] = { N("placeholder") },
	[A_LABEL] = { N("label") },
	[A_AUTOCOMPLETE] = { N("autocomplete") },
	[A_INPUTMODE] = { N("inputmode") },
	[A_ENTERKEYHINT] = { N("enterkeyhint") },
	[A_AUTOCAPITALIZE] = { N("autocapitalize") },
	[A_SPELLCHECK] = { N("spellcheck") },
	[A_MIN] = { N("min") },
	[A_MAX] = { N("max") },
	[A_LOW] = { N("low") },
	[A_HIGH] = { N("high") },
	[A_OPTIMUM] = { N("optimum") },
	[A_STEP] = { N("step") },
	[A_MAXLENGTH] = { N("maxlength") },
	[A_ROWS] = { N("rows") },
	[A_COLS] = { N("cols") },
	[A_ACCEPT] = { N("accept") },
	[A_LIST] = { N("list") },
	[A_WRAP] = { N("wrap") },
	[A_SCOPE] = { N("scope") },
	[A_COLSPAN] = { N("colspan") },
	[A_ROWSPAN] = { N("rowspan") },
	[A_START] = { N("start") },
	[A_VIEWBOX] = { N("viewBox") },
	[A_PRESERVEASPECTRATIO] = { N("preserveAspectRatio") },
	[A_D] = { N("d") },
	[A_X] = { N("x") },
	[A_Y] = { N("y") },
	[A_X1] = { N("x1") },
	[A_X2] = { N("x2") },
	[A_Y1] = { N("y1") },
	[A_Y2] = { N("y2") },
	[A_RX] = { N("rx") },
	[A_FILL_OPACITY] = { N("fill-opacity") },
	[A_POINTS] = { N("points") },
	[A_TRANSFORM] = { N("transform") },
	[A_HREF] = { N("href") },
	[A_SRC] = { N("src") },
	[A_ACTION] = { N("action") },
	[A_FORMACTION] = { N("formaction") },
	[A_CITE] = { N("cite") },
	[A_REQUIRED] = { N("required") },
	[A_CHECKED] = { N("checked") },
	[A_SELECTED] = { N("selected") },
	[A_DISABLED] = { N("disabled") },
	[A_READONLY] = { N("readonly") },
	[A_MULTIPLE] = { N("multiple") },
	[A_OPEN] = { N("open") },
	[A_HIDDEN] = { N("hidden") },
	[A_AUTOFOCUS] = { N("autofocus") },
	[A_NOVALIDATE] = { N("novalidate") },
	[A_FORMNOVALIDATE] = { N("formnovalidate") },
	[A_DEFER] = { N("defer") },
	[A_DOWNLOAD] = { N("download") },
	[A_REVERSED] = { N("reversed") },
};

enum value { VALUE_TEXT, VALUE_ADDRESS, VALUE_FLAG };

static enum value
value_of(enum hwrite_attribute a)
{
	if (a >= A_REQUIRED)
		return VALUE_FLAG;
	return a >= A_HREF ? VALUE_ADDRESS : VALUE_TEXT;
}

/* Writes ` name`, and `="` before a value; a BUG where no attribute may be, or not this one. */
static void
begin_attribute(struct hwrite *w, enum hwrite_attribute a, enum value value)
{
	uint64_t bit = (uint64_t)1 << (a % 64);
	char name[1 + sizeof(attributes[a].name) + 2];

	if (!w->in_tag)
		BUG("the attribute %s has no start tag", attributes[a].name);
	if (value_of(a) != value)
		BUG("the attribute %s has a call of its own", attributes[a].name);
	if ((w->given[a / 64] & bit) != 0)
		BUG("the attribute %s is given twice", attributes[a].name);
	w->given[a / 64] |= bit;
	name[0] = ' ';
	memcpy(name + 1, attributes[a].name, sizeof(attributes[a].name));
	memcpy(name + 1 + attributes[a].len, "=\"", 2);
	buf_add(w->out, name, 1u + attributes[a].len + (value == VALUE_FLAG ? 0 : 2));
}

static void
end_value(struct hwrite *w, const char *text)
{
	add_escaped(w->out, text);
	buf_add_char(w->out, '"');
}

void
hwrite_attr(struct hwrite *w, enum hwrite_attribute a, const char *text)
{
	if (text == NULL)
		return;
	if (a == A_ID && (text[0] == '\0' || strpbrk(text, " \t\n\r\f") != NULL))
		BUG("\"%s\" is no id", text);
	begin_attribute(w, a, VALUE_TEXT);
	end_value(w, text);
}

void
hwrite_attr_n(struct hwrite *w, enum hwrite_attribute a, const char *bytes, size_t len)
{
	hwrite_attr(w, a, bytes != NULL ? valid_text(w->out->arena, bytes, len) : NULL);
}

void
hwrite_number(struct hwrite *w, enum hwrite_attribute a, int64_t value)
{
	begin_attribute(w, a, VALUE_TEXT);
	buf_add_int(w->out, value);
	buf_add_char(w->out, '"');
}

void
hwrite_flag(struct hwrite *w, enum hwrite_attribute a, bool on)
{
	if (on)
		begin_attribute(w, a, VALUE_FLAG);
}

static bool
is_data_name(const char *name)
{
	const char *p = name;

	while ((*p >= 'a' && *p <= 'z') || (*p >= '0' && *p <= '9') || *p == '-')
		p++;
	return p > name && *p == '\0';
}

void
hwrite_data(struct hwrite *w, const char *name, const char *text)
{
	if (text == NULL)
		return;
	if (!w->in_tag || w->data_count == HWRITE_DATA || !is_data_name(name))
		BUG("data-%s is not at its place, or no name", name);
	for (size_t i = 0; i < w->data_count; i++) {
		if (strcmp(w->data[i], name) == 0)
			BUG("data-%s is given twice", name);
	}
	w->data[w->data_count++] = name;
	buf_lit(w->out, " data-");
	buf_add_text(w->out, name);
	buf_lit(w->out, "=\"");
	end_value(w, text);
}

void
hwrite_language(struct hwrite *w, const char *tag)
{
	hwrite_attr(w, A_LANG, tag);
	hwrite_attr(w, A_DIR, lang_is_rtl(tag) ? "rtl" : "ltr");
}

/* ---- addresses */

/* All bytes but spaces, controls and backslashes. */
static const bool of_address[256] = {
	['!' ... '['] = true, [']' ... '~'] = true, [0x80 ... 0xFF] = true
};

/* Browsers drop tabs and newlines within an address, take \ for /, and read //host as another
 * origin: none of these may begin or be in one. */
static bool
is_address(const char *address, bool own_origin)
{
	static const char *const schemes[] = { "https:", "http:", "mailto:" };

	const char *p = address;

	while (of_address[(unsigned char)*p])
		p++;
	if (*p != '\0')
		return false;
	if (address[0] == '/')
		return address[1] != '/';
	if (address[0] == '#' || address[0] == '?')
		return true;
	for (size_t i = 0; !own_origin && i < sizeof(schemes) / sizeof(schemes[0]); i++) {
		if (strncmp(address, schemes[i], strlen(schemes[i])) == 0)
			return true;
	}
	return false;
}

void
hwrite_address(struct hwrite *w, enum hwrite_attribute a, const char *address)
{
	bool own_origin = a == A_ACTION || a == A_FORMACTION || w->element == H_SCRIPT ||
			  w->element == H_IFRAME || w->element == H_LINK;

	if (address == NULL)
		return;
	begin_attribute(w, a, VALUE_ADDRESS);
	if (!is_address(address, own_origin))
		address = "#";
	end_value(w, address);
}

void
hwrite_refresh(struct hwrite *w, int seconds, const char *address)
{
	if ((address[0] != '/' && address[0] != '?') || !is_address(address, true))
		BUG("a page does not refresh itself to %s", address);
	hwrite_open(w, H_META);
	buf_printf(w->out, " http-equiv=\"refresh\" content=\"%d; url=", seconds);
	add_escaped(w->out, address);
	buf_add_char(w->out, '"');
}
