#include "provider/openai/html.h"

#include <stdbool.h>
#include <string.h>

#define TAG_MAX ((size_t)1000) /* bytes of a tag with its attributes */
#define NAME_MAX_BYTES 12

static const char inline_names[] =
    " a abbr b base bdi bdo big cite code data del dfn em embed font i img ins kbd link mark meta param q rp rt ruby s samp small source span strike strong sub sup svg time track tt u var wbr ";
static const char block_names[] =
    " address area article aside audio blockquote body br button canvas caption center col dd details dialog div dl dt fieldset figcaption figure footer form frame h1 h2 h3 h4 h5 h6 head header hr html iframe input label legend li main map math menu nav noscript object ol optgroup option p picture pre script section select style summary table tbody td template textarea tfoot th thead title tr ul video ";

static bool
is_name(char ch)
{
	return (ch >= 'a' && ch <= 'z') || (ch >= 'A' && ch <= 'Z') || (ch >= '0' && ch <= '9');
}

/* Reads the name of a possible tag, in lower case and between spaces. False if it
 * cannot be a tag. */
static bool
read_name(const char *p, char name[NAME_MAX_BYTES + 3])
{
	size_t len = 0;

	p++;
	p += *p == '/';
	name[len++] = ' ';
	while (is_name(*p) && len <= NAME_MAX_BYTES) {
		name[len++] = (char)(*p >= 'A' && *p <= 'Z' ? *p | 0x20 : *p);
		p++;
	}
	name[len++] = ' ';
	name[len] = '\0';
	return len > 2 && *p != '\0' && strchr("> /\t\n", *p) != NULL;
}

/* Returns the place behind the end tag of the script or style that begins at `p`; NULL
 * if it is neither or has no end. */
static const char *
raw_text_end(const char *p, const char *name)
{
	const char *end = NULL;

	if (strcmp(name, " script ") == 0)
		end = strcasestr(p + 1, "</script");
	else if (strcmp(name, " style ") == 0)
		end = strcasestr(p + 1, "</style");
	if (end != NULL)
		end = strchr(end, '>');
	return end == NULL ? NULL : end + 1;
}

size_t
openai_html_tag(const char *p, const char **gap)
{
	char name[NAME_MAX_BYTES + 3];
	const char *end;

	*gap = "";
	if (strncmp(p, "<!--", 4) == 0) {
		end = strstr(p, "-->");
		return end == NULL ? 4 : (size_t)(end + 3 - p);
	}
	if (!read_name(p, name))
		return 0;
	if (strstr(block_names, name) != NULL)
		*gap = " ";
	else if (strstr(inline_names, name) == NULL)
		return 0;
	end = p[1] == '/' ? NULL : raw_text_end(p, name);
	if (end != NULL)
		return (size_t)(end - p);
	end = strchr(p, '>');
	if (end == NULL || (size_t)(end - p) > TAG_MAX) {
		*gap = "";
		return 0;
	}
	return (size_t)(end + 1 - p);
}

size_t
openai_html_entity(const char *p, char *means)
{
	static const struct {
		const char *text;
		char means;
	} entities[] = { { "&amp;", '&' }, { "&lt;", '<' }, { "&gt;", '>' }, { "&quot;", '"' },
		{ "&#34;", '"' }, { "&#39;", '\'' }, { "&apos;", '\'' }, { "&nbsp;", ' ' } };

	for (size_t i = 0; i < sizeof(entities) / sizeof(entities[0]); i++) {
		size_t len = strlen(entities[i].text);
		if (strncmp(p, entities[i].text, len) == 0) {
			*means = entities[i].means;
			return len;
		}
	}
	return 0;
}
