/* The attributes of screen/hwrite.h: their names, values and addresses. */
#include "screen/hwrite.h"

#include <string.h>

#include "base/log.h"
#include "content/lang.h"
#include "screen/hwrite-text.h"

#define N(name) name, sizeof(name) - 1

/* The texts themselves: addresses of texts would be written at each start. */
static const struct {
	char name[17];
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
	[A_D] = { N("d") },
	[A_X] = { N("x") },
	[A_Y] = { N("y") },
	[A_X1] = { N("x1") },
	[A_X2] = { N("x2") },
	[A_Y1] = { N("y1") },
	[A_Y2] = { N("y2") },
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
	end_value(w, text);
}

void
hwrite_attr_n(struct hwrite *w, enum hwrite_attribute a, const char *bytes, size_t len)
{
	hwrite_attr(w, a, bytes != NULL ? hwrite_valid(w->out->arena, bytes, len) : NULL);
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
	hwrite_escaped(w->out, address);
	buf_add_char(w->out, '"');
}
