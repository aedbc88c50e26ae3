/* The attributes of screen/hwrite.h: their names, values and addresses. */
#include "screen/hwrite.h"

#include <string.h>

#include "base/log.h"
#include "content/lang.h"
#include "screen/hwrite-text.h"

static const char *const attributes[HWRITE_ATTRIBUTES] = {
	[A_ID] = "id", [A_CLASS] = "class", [A_LANG] = "lang", [A_DIR] = "dir",
	[A_TITLE] = "title", [A_ROLE] = "role", [A_TABINDEX] = "tabindex",
	[A_ARIA_LABEL] = "aria-label", [A_ARIA_LABELLEDBY] = "aria-labelledby",
	[A_ARIA_DESCRIBEDBY] = "aria-describedby",
	[A_ARIA_INVALID] = "aria-invalid", [A_ARIA_CURRENT] = "aria-current",
	[A_ARIA_HIDDEN] = "aria-hidden", [A_ARIA_LIVE] = "aria-live",
	[A_ARIA_SORT] = "aria-sort", [A_CHARSET] = "charset",
	[A_NAME] = "name", [A_CONTENT] = "content", [A_REL] = "rel",
	[A_TYPE] = "type", [A_HREFLANG] = "hreflang", [A_MEDIA] = "media",
	[A_ALT] = "alt", [A_WIDTH] = "width", [A_HEIGHT] = "height",
	[A_LOADING] = "loading", [A_SANDBOX] = "sandbox",
	[A_DATETIME] = "datetime", [A_METHOD] = "method",
	[A_ENCTYPE] = "enctype", [A_FOR] = "for", [A_FORM] = "form",
	[A_VALUE] = "value", [A_PLACEHOLDER] = "placeholder",
	[A_LABEL] = "label", [A_AUTOCOMPLETE] = "autocomplete",
	[A_INPUTMODE] = "inputmode", [A_ENTERKEYHINT] = "enterkeyhint",
	[A_AUTOCAPITALIZE] = "autocapitalize", [A_SPELLCHECK] = "spellcheck",
	[A_MIN] = "min", [A_MAX] = "max", [A_STEP] = "step",
	[A_MAXLENGTH] = "maxlength", [A_ROWS] = "rows", [A_COLS] = "cols",
	[A_ACCEPT] = "accept", [A_LIST] = "list",
	[A_WRAP] = "wrap", [A_SCOPE] = "scope",
	[A_COLSPAN] = "colspan", [A_ROWSPAN] = "rowspan", [A_START] = "start",
	[A_VIEWBOX] = "viewBox", [A_D] = "d", [A_X] = "x", [A_Y] = "y",
	[A_X1] = "x1", [A_X2] = "x2", [A_Y1] = "y1", [A_Y2] = "y2",
	[A_POINTS] = "points", [A_TRANSFORM] = "transform",
	[A_HREF] = "href", [A_SRC] = "src", [A_ACTION] = "action",
	[A_FORMACTION] = "formaction", [A_CITE] = "cite",
	[A_REQUIRED] = "required", [A_CHECKED] = "checked",
	[A_SELECTED] = "selected", [A_DISABLED] = "disabled",
	[A_READONLY] = "readonly", [A_MULTIPLE] = "multiple",
	[A_OPEN] = "open", [A_HIDDEN] = "hidden", [A_AUTOFOCUS] = "autofocus",
	[A_NOVALIDATE] = "novalidate", [A_FORMNOVALIDATE] = "formnovalidate",
	[A_DEFER] = "defer", [A_DOWNLOAD] = "download",
	[A_REVERSED] = "reversed",
};

enum value { VALUE_TEXT, VALUE_ADDRESS, VALUE_FLAG };

static enum value
value_of(enum hwrite_attribute a)
{
	if (a >= A_REQUIRED)
		return VALUE_FLAG;
	return a >= A_HREF ? VALUE_ADDRESS : VALUE_TEXT;
}

/* Writes ` name`; a BUG where no attribute may be, or not this one. */
static void
begin_attribute(struct hwrite *w, enum hwrite_attribute a, enum value value)
{
	uint64_t bit = (uint64_t)1 << (a % 64);

	if (!w->in_tag)
		BUG("the attribute %s has no start tag", attributes[a]);
	if (value_of(a) != value)
		BUG("the attribute %s has a call of its own", attributes[a]);
	if ((w->given[a / 64] & bit) != 0)
		BUG("the attribute %s is given twice", attributes[a]);
	w->given[a / 64] |= bit;
	buf_add_char(w->out, ' ');
	buf_add_text(w->out, attributes[a]);
}

static void
add_value(struct hwrite *w, const char *text)
{
	buf_lit(w->out, "=\"");
	hwrite_escaped(w->out, text);
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
	add_value(w, text);
}

void
hwrite_attr_n(struct hwrite *w, enum hwrite_attribute a, const char *bytes,
    size_t len)
{
	hwrite_attr(w, a, bytes != NULL ? hwrite_valid(w->out->arena, bytes, len) : NULL);
}

void
hwrite_number(struct hwrite *w, enum hwrite_attribute a, int64_t value)
{
	begin_attribute(w, a, VALUE_TEXT);
	buf_lit(w->out, "=\"");
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
	add_value(w, text);
}

void
hwrite_language(struct hwrite *w, const char *tag)
{
	hwrite_attr(w, A_LANG, tag);
	hwrite_attr(w, A_DIR, lang_is_rtl(tag) ? "rtl" : "ltr");
}

/* ---- addresses */

/* Browsers drop tabs and newlines within an address, take \ for /, and read //host as another
 * origin: none of these may begin or be in one. */
static bool
is_address(const char *address, bool own_origin)
{
	static const char *const schemes[] = { "https:", "http:", "mailto:" };

	for (const unsigned char *p = (const unsigned char *)address; *p != '\0'; p++) {
		if (*p <= ' ' || *p == 0x7F || *p == '\\')
			return false;
	}
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
	bool own_origin = a == A_ACTION || a == A_FORMACTION ||
	    w->element == H_SCRIPT || w->element == H_IFRAME ||
	    w->element == H_LINK;

	if (address == NULL)
		return;
	begin_attribute(w, a, VALUE_ADDRESS);
	if (!is_address(address, own_origin))
		address = "#";
	add_value(w, address);
}

void
hwrite_refresh(struct hwrite *w, int seconds, const char *address)
{
	if ((address[0] != '/' && address[0] != '?') || !is_address(address, true))
		BUG("a page does not refresh itself to %s", address);
	hwrite_open(w, H_META);
	buf_printf(w->out, " http-equiv=\"refresh\" content=\"%d; url=", seconds);
	hwrite_escaped(w->out, address);
	buf_add_char(w->out, '"');
}
