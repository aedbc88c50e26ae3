#ifndef SCREEN_HWRITE_H
#define SCREEN_HWRITE_H
/*
 * Writes HTML into a buffer, without a tree and without a template: the sibling of
 * base/jwrite.h. What a browser reads is the tree that was written, whatever the texts are.
 *
 *	hwrite_open(&w, H_P);
 *	hwrite_attr(&w, A_CLASS, "hint");
 *	hwrite_text(&w, "By ");
 *	hwrite_open(&w, H_A);
 *	hwrite_address(&w, A_HREF, author_address);
 *	hwrite_text(&w, author);
 *	hwrite_close(&w, H_A);
 *	hwrite_close(&w, H_P);
 *
 * Elements and attributes are enums: no name comes from outside, and what a console page must
 * not hold (style, on…, target, http-equiv) cannot be written (docs/console.md §6).
 *
 * Attributes follow hwrite_open() at once, each at most once. These faults are a BUG() in all
 * builds: an attribute after content, an attribute twice, an address or a flag through
 * hwrite_attr(), an element or a text in an element that cannot hold it (a <div> in a <p>, a
 * link in a link), an end that is not that of the innermost element. A browser would repair
 * them in its own way.
 *
 * Texts may hold anything. & < > and quotes are escaped, a carriage return too. A byte that
 * is not valid UTF-8, and a character that no stored text may hold (utf8_forbidden(): controls,
 * overrides of direction), becomes U+FFFD, where the reader sees it. All other text comes back
 * from a browser to the letter; in <textarea> and <pre>, too.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

/* The void elements have no content and are not closed. */
enum hwrite_element {
	/* the document */
	H_HTML,
	H_HEAD,
	H_BODY,
	H_TITLE,
	H_META,
	H_LINK,
	H_SCRIPT,
	/* blocks */
	H_HEADER,
	H_NAV,
	H_MAIN,
	H_FOOTER,
	H_SECTION,
	H_ARTICLE,
	H_ASIDE,
	H_DIV,
	H_H1,
	H_H2,
	H_H3,
	H_H4,
	H_P,
	H_PRE,
	H_BLOCKQUOTE,
	H_ADDRESS,
	H_HR,
	H_UL,
	H_OL,
	H_LI,
	H_DL,
	H_DT,
	H_DD,
	H_FIGURE,
	H_FIGCAPTION,
	H_DETAILS,
	H_SUMMARY,
	H_DIALOG,
	H_TABLE,
	H_CAPTION,
	H_THEAD,
	H_TBODY,
	H_TFOOT,
	H_TR,
	H_TH,
	H_TD,
	H_FORM,
	H_FIELDSET,
	H_LEGEND,
	/* within a line */
	H_A,
	H_SPAN,
	H_STRONG,
	H_EM,
	H_B,
	H_I,
	H_SMALL,
	H_CODE,
	H_KBD,
	H_SAMP,
	H_MARK,
	H_INS,
	H_DEL,
	H_SUB,
	H_SUP,
	H_Q,
	H_CITE,
	H_ABBR,
	H_TIME,
	H_BDI,
	H_BR,
	H_WBR,
	H_IMG,
	H_IFRAME,
	H_PROGRESS,
	H_METER,
	H_OUTPUT,
	H_LABEL,
	H_INPUT,
	H_BUTTON,
	H_TEXTAREA,
	H_SELECT,
	H_OPTGROUP,
	H_OPTION,
	H_DATALIST,
	/* drawings */
	H_SVG,
	H_G,
	H_PATH,
	H_RECT,
	H_LINE,
	H_POLYLINE,
	H_SVG_TEXT,
	H_SVG_TITLE,
	H_SVG_DESC,
	HWRITE_ELEMENTS
};

enum hwrite_attribute {
	/* hwrite_attr() and hwrite_number() */
	A_ID,
	A_CLASS,
	A_LANG,
	A_DIR,
	A_TITLE,
	A_ROLE,
	A_TABINDEX,
	A_ARIA_LABEL,
	A_ARIA_LABELLEDBY,
	A_ARIA_DESCRIBEDBY,
	A_ARIA_INVALID,
	A_ARIA_CONTROLS,
	A_ARIA_CURRENT,
	A_ARIA_HIDDEN,
	A_ARIA_LIVE,
	A_ARIA_SORT,
	A_CHARSET,
	A_NAME,
	A_CONTENT,
	A_REL,
	A_TYPE,
	A_HREFLANG,
	A_MEDIA,
	A_ALT,
	A_WIDTH,
	A_HEIGHT,
	A_LOADING,
	A_SANDBOX,
	A_DATETIME,
	A_METHOD,
	A_ENCTYPE,
	A_FOR,
	A_FORM,
	A_VALUE,
	A_PLACEHOLDER,
	A_LABEL,
	A_AUTOCOMPLETE,
	A_INPUTMODE,
	A_ENTERKEYHINT,
	A_AUTOCAPITALIZE,
	A_SPELLCHECK,
	A_MIN,
	A_MAX,
	A_LOW,
	A_HIGH,
	A_OPTIMUM,
	A_STEP,
	A_MAXLENGTH,
	A_ROWS,
	A_COLS,
	A_ACCEPT,
	A_LIST,
	A_WRAP,
	A_SCOPE,
	A_COLSPAN,
	A_ROWSPAN,
	A_START,
	A_VIEWBOX,
	A_PRESERVEASPECTRATIO,
	A_D,
	A_X,
	A_Y,
	A_X1,
	A_X2,
	A_Y1,
	A_Y2,
	A_RX,
	A_FILL_OPACITY,
	A_POINTS,
	A_TRANSFORM,
	/* hwrite_address() */
	A_HREF,
	A_SRC,
	A_ACTION,
	A_FORMACTION,
	A_CITE,
	/* hwrite_flag() */
	A_REQUIRED,
	A_CHECKED,
	A_SELECTED,
	A_DISABLED,
	A_READONLY,
	A_MULTIPLE,
	A_OPEN,
	A_HIDDEN,
	A_AUTOFOCUS,
	A_NOVALIDATE,
	A_FORMNOVALIDATE,
	A_DEFER,
	A_DOWNLOAD,
	A_REVERSED,
	HWRITE_ATTRIBUTES
};

#define HWRITE_DEPTH 64 /* elements inside each other; more is a BUG */
#define HWRITE_DATA 4 /* data-… of one element; more is a BUG */

struct hwrite {
	struct buf *out;
	size_t depth; /* open elements */
	enum hwrite_element element; /* of the last start tag */
	bool in_tag; /* that tag still takes attributes */
	bool copies; /* something has a button that copies it (screen.h) */
	const struct screen_column *columns; /* of the open list (screen.h), or NULL */
	size_t cell; /* of its row: the next one */
	uint64_t given[2]; /* its attributes, as bits */
	const char *data[HWRITE_DATA]; /* the names of its data-… */
	size_t data_count;
	uint8_t open[HWRITE_DEPTH]; /* enum hwrite_element, outermost first */
	uint8_t children[HWRITE_DEPTH + 1]; /* by depth; counts to 2 */
	uint8_t bars[HWRITE_DEPTH + 1]; /* by depth: what none of those that are open may hold */
};

void hwrite_init(struct hwrite *w, struct buf *out);

/* Writes the doctype. It must be the first thing written. */
void hwrite_doctype(struct hwrite *w);

void hwrite_open(struct hwrite *w, enum hwrite_element e);
void hwrite_close(struct hwrite *w, enum hwrite_element e);
/* Whether an element, and a text, may be written here: what is not is a BUG. */
bool hwrite_may_open(const struct hwrite *w, enum hwrite_element e);
bool hwrite_may_text(const struct hwrite *w);
/* Says that the document or piece is whole: an open element is a BUG. */
void hwrite_end(struct hwrite *w);

/* Write an attribute; a text that is NULL writes nothing. An id holds no space. */
void hwrite_attr(struct hwrite *w, enum hwrite_attribute a, const char *text);
void hwrite_attr_n(struct hwrite *w, enum hwrite_attribute a, const char *bytes, size_t len);
void hwrite_number(struct hwrite *w, enum hwrite_attribute a, int64_t value);
/* Writes an attribute without a value if `on`. */
void hwrite_flag(struct hwrite *w, enum hwrite_attribute a, bool on);
/* Writes data-NAME; the name is a literal of lower-case letters, digits and hyphens. */
void hwrite_data(struct hwrite *w, const char *name, const char *text);
/* Writes lang, and dir as that language is written. */
void hwrite_language(struct hwrite *w, const char *tag);

/*
 * Writes an address. It begins with /, #, ?, https:, http: or mailto:, has no spaces, controls
 * or backslashes, and does not begin with //. Any other address (javascript:, data:) is written
 * as "#". What a page sends forms to, runs, frames or takes its style from must be on this
 * origin: in `action`, `formaction`, <script>, <iframe> and <link> only the first three may
 * begin it.
 */
void hwrite_address(struct hwrite *w, enum hwrite_attribute a, const char *address);

/* Write a text; NULL writes nothing. */
void hwrite_text(struct hwrite *w, const char *text);
void hwrite_text_n(struct hwrite *w, const char *bytes, size_t len);

/* Writes an element without attributes that holds this text. */
void hwrite_element(struct hwrite *w, enum hwrite_element e, const char *text);

/* Writes a field that is sent and not shown. */
void hwrite_hidden(struct hwrite *w, const char *name, const char *value);

/* Writes a picture that says nothing, of one path in 24 units. Both texts are literals, and nothing
 * in them needs an escape: pages have many of them. */
void hwrite_icon(struct hwrite *w, const char *class, const char *path);

/* Writes <time datetime="…">, which shows `shown`; `at` in microseconds. */
void hwrite_time(struct hwrite *w, int64_t at, const char *shown);

/* Writes the <meta> by which a page asks for `address` (which begins with / or ?) after
 * `seconds`. */
void hwrite_refresh(struct hwrite *w, int seconds, const char *address);

/* The only raw entry: `html` is the html of an article as the export floor made it, and is
 * whole. It goes where blocks may be. */
void hwrite_export(struct hwrite *w, const char *html, size_t len);

#endif
