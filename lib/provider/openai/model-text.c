#include "provider/openai/model-text.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "base/utf8.h"
#include "content/inline.h"
#include "content/url.h"

/* ---- sources */

enum { TITLE_MAX = 300, NAME_MAX_CHARS = 200, DATE_MAX = 40, SUMMARY_MAX = 300 };

static const char *
cut(struct ctx *c, const char *text, size_t max)
{
	if (text == NULL)
		return NULL;
	return arena_text_n(c->arena, text, utf8_prefix(text, max));
}

/* Whether a clean address is the address of a source. */
static bool
has_url(const struct openai_sources *sources, const char *url, size_t len)
{
	for (size_t i = 0; i < sources->count; i++) {
		const char *own = sources->list[i].url;
		if (own != NULL && strlen(own) == len && memcmp(own, url, len) == 0)
			return true;
	}
	return false;
}

static void
add(struct openai_sources *sources, const struct openai_source *source)
{
	if (sources->count == OPENAI_SOURCES_MAX || source->title[0] == '\0')
		return;
	if (source->url != NULL && has_url(sources, source->url, strlen(source->url)))
		return;
	sources->list[sources->count++] = *source;
}

/* Returns the summary of the workspace's article with this address; "" if there is
 * none. */
static const char *
summary_of(struct ctx *c, const struct assignment *assignment, const char *url)
{
	for (size_t i = 0; url != NULL && i < assignment->article_count; i++) {
		const struct assignment_article *article = &assignment->articles[i];
		if (article->url != NULL && strcmp(article->url, url) == 0)
			return cut(c, assignment_clean(c, article->summary, true), SUMMARY_MAX);
	}
	return "";
}

static void
add_article(struct ctx *c, const struct assignment *assignment,
    const struct assignment_article *article, struct openai_sources *out)
{
	const char *publisher = assignment->workspace.publisher_name;
	struct openai_source source = {
		.title = cut(c, article->title, TITLE_MAX),
		.url = article->url,
		.summary = summary_of(c, assignment, article->url),
	};

	if (publisher == NULL)
		publisher = assignment->workspace.name;
	if (publisher[0] != '\0')
		source.publisher = cut(c, publisher, NAME_MAX_CHARS);
	add(out, &source);
}

void
openai_source_collect(struct ctx *c, const struct assignment *assignment, const struct brief *brief,
    struct openai_sources *out)
{
	memset(out, 0, sizeof(*out));
	for (size_t i = 0; i < brief->source_count; i++) {
		const struct brief_source *from = &brief->sources[i];
		struct openai_source source = {
			.title = cut(c, from->title, TITLE_MAX),
			.url = from->url,
			.publisher = cut(c, from->publisher, NAME_MAX_CHARS),
			.published = cut(c, from->published, DATE_MAX),
			.summary = summary_of(c, assignment, from->url),
		};
		add(out, &source);
	}
	for (size_t i = 0; i < brief->related_count; i++) {
		const struct assignment_article *article =
		    assignment_article_find(assignment, brief->related[i]);
		if (article != NULL && article->url != NULL)
			add_article(c, assignment, article, out);
	}
}

/* Returns the number of the reference of source `number`, a new one if it is cited for
 * the first time; 0 if there is no such source. */
static size_t
cite(struct openai_sources *sources, size_t number)
{
	if (number == 0 || number > sources->count)
		return 0;
	if (sources->reference[number - 1] == 0)
		sources->reference[number - 1] = ++sources->cited;
	return sources->reference[number - 1];
}

void
openai_source_list(const struct openai_sources *sources, struct buf *out)
{
	for (size_t i = 0; i < sources->count; i++) {
		const struct openai_source *source = &sources->list[i];
		buf_printf(out, "[%zu] %s", i + 1, source->title);
		if (source->publisher != NULL)
			buf_printf(out, ", %s", source->publisher);
		if (source->published != NULL)
			buf_printf(out, ", %s", source->published);
		if (source->summary[0] != '\0')
			buf_printf(out, ": %s", source->summary);
		buf_add_char(out, '\n');
	}
}

static void
write_reference(struct jwrite *w, size_t reference, const struct openai_source *source)
{
	char id[24];

	snprintf(id, sizeof(id), "r%zu", reference);
	jwrite_object(w);
	jwrite_member_text(w, "id", id);
	jwrite_member_text(w, "title", source->title);
	jwrite_member_text(w, "url", source->url);
	jwrite_member_text(w, "publisher", source->publisher);
	jwrite_member_text(w, "published", source->published);
	jwrite_member_null(w, "accessed");
	jwrite_object_end(w);
}

void
openai_source_references(const struct openai_sources *sources, struct jwrite *w)
{
	jwrite_array(w);
	for (size_t n = 1; n <= sources->cited; n++) {
		for (size_t i = 0; i < sources->count; i++) {
			if (sources->reference[i] == n)
				write_reference(w, n, &sources->list[i]);
		}
	}
	jwrite_array_end(w);
}

/* ---- the HTML that models write into plain text */

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

/* Returns the place after the end tag of the script or style that begins at `p`; NULL
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

/*
 * Returns the bytes of the tag or comment at `p` (a "<"); 0 if there is none. Only
 * names of elements make a tag, so that "a <b and c" and "List<String>" stay text. A
 * script or style with its content is one tag. *gap becomes the replacement of the tag:
 * " " for elements that break a line, else "".
 */
static size_t
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

/* Returns the bytes of the entity at `p` (a "&"), if it is one of the usual ones, and
 * sets *means to its character; 0 if there is none. */
static size_t
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

#define CITED_MAX 20 /* numbers in one pair of brackets */

/* ---- texts of the model, as texts of the content */

const char *
openai_text_member(json_t *object, const char *name)
{
	const char *text = json_string_value(json_object_get(object, name));

	return text != NULL ? text : "";
}

const char *
openai_text_scrub(struct ctx *c, const char *text)
{
	const char *next;
	char one[8];
	struct buf b;

	buf_init(&b, c->arena, strlen(text));
	for (const char *p = text; *p != '\0'; p = next) {
		uint32_t cp;
		next = p;
		cp = utf8_next(&next);
		memcpy(one, p, (size_t)(next - p));
		one[next - p] = '\0';
		if (cp == 0x2028 || cp == 0x2029)
			buf_add_char(&b, '\n');
		else if (utf8_forbidden(one, false) == NULL)
			buf_add_text(&b, one);
	}
	return buf_done(&b);
}

static bool
is_digit(char ch)
{
	return ch >= '0' && ch <= '9';
}

/* Returns the bytes of the code span at `p`, or of its backticks if it has no end. Text
 * in code is never changed. */
static size_t
code_length(const char *p)
{
	size_t ticks = strspn(p, "`"), run;

	for (const char *q = p + ticks; *q != '\0'; q += run) {
		run = strspn(q, "`");
		if (run == ticks)
			return (size_t)(q + run - p);
		if (run == 0)
			run = strcspn(q, "`");
	}
	return ticks;
}

/* Returns the value of a digit of one of the three kinds that models use; -1 for
 * another character. */
static int
digit_value(uint32_t cp)
{
	if (cp >= '0' && cp <= '9')
		return (int)(cp - '0');
	if (cp >= 0x660 && cp <= 0x669)
		return (int)(cp - 0x660);
	if (cp >= 0x6F0 && cp <= 0x6F9)
		return (int)(cp - 0x6F0);
	return -1;
}

static bool
is_between_numbers(uint32_t cp)
{
	/* comma, semicolon, hyphen, Arabic comma, en dash */
	return cp == ' ' || cp == ',' || cp == ';' || cp == '-' || cp == '^' || cp == 'r' ||
	       cp == 0x60C || cp == 0x2013;
}

/*
 * Reads "[2]", "[^2]", "[^r2]" or "[1, 3]" at `p`: the numbers and the place after the
 * bracket. False for any other text in brackets.
 */
static bool
read_numbers(const char *p, size_t numbers[CITED_MAX], size_t *count, const char **end)
{
	size_t number = 0, digits = 0;
	uint32_t cp;

	*count = 0;
	for (p++;;) {
		cp = utf8_next(&p);
		if (digit_value(cp) >= 0 && digits++ < 3) {
			number = number * 10 + (size_t)digit_value(cp);
			continue;
		}
		if (cp != ']' && !is_between_numbers(cp))
			return false;
		if (digits > 0 && *count < CITED_MAX)
			numbers[(*count)++] = number;
		number = digits = 0;
		if (cp == ']')
			break;
	}
	*end = p;
	return *count > 0;
}

/* The state of the scan over a text. */
struct scan {
	struct ctx *c;
	const struct openai_sources *sources; /* NULL: the text becomes plain */
	const char *link_end; /* the "](…)" of a link that goes, or NULL */
	size_t link_end_len;
	struct buf out;
};

/* Returns the bytes of an address in parentheses at `p`, with a title if it has one; 0
 * if there is none. */
static size_t
address_length(const char *p)
{
	size_t depth = 0;

	if (*p != '(')
		return 0;
	for (const char *q = p; *q != '\0' && *q != '\n'; q++) {
		if (*q == '(')
			depth++;
		else if (*q == ')' && --depth == 0)
			return (size_t)(q + 1 - p);
	}
	return 0;
}

/* Returns whether a link or an image begins at `p` that must be removed, because
 * its address is no source's. Notes where its text ends. Nested links that this
 * simple scan does not understand are left to inline_parse() and emit_link(). */
static bool
begins_dead_link(struct scan *s, const char *p)
{
	const char *end = p + 1 + strcspn(p + 1, "[]`\\\n");
	size_t len;
	const char *url;

	if (*end != ']')
		return false;
	len = address_length(end + 1);
	if (len == 0)
		return false;
	url = url_clean(s->c->arena, end + 2, len - 2);
	if (s->sources != NULL && url != NULL && has_url(s->sources, url, strlen(url)))
		return false;
	s->link_end = end;
	s->link_end_len = len + 1;
	return true;
}

static void
drop_spaces(struct buf *out)
{
	while (out->len > 0 && out->data[out->len - 1] == ' ')
		out->data[--out->len] = '\0';
}

/* Takes the citation at `p`. Returns its bytes; 0 if there is none. */
static size_t
take_citation(struct scan *s, const char *p)
{
	size_t numbers[CITED_MAX], count;
	const char *end;

	if (!read_numbers(p, numbers, &count, &end)) {
		/* Any other footnote would cite nothing. */
		if (p[1] != '^')
			return 0;
		end = p + strcspn(p, "] \n");
		if (*end != ']')
			return 0;
		drop_spaces(&s->out);
		return (size_t)(end + 1 - p);
	}
	end += address_length(end);
	drop_spaces(&s->out);
	for (size_t i = 0; s->sources != NULL && i < count; i++)
		buf_printf(&s->out, "[^r%zu]", numbers[i]);
	return (size_t)(end - p);
}

/* Takes what must change at `p`. Returns the bytes taken; 0 if the text stays as it is. */
static size_t
take_foreign(struct scan *s, const char *p)
{
	const char *gap = "";
	size_t len = 0;
	char means;

	if (p == s->link_end)
		return s->link_end_len;
	if (*p == '<') {
		len = openai_html_tag(p, &gap);
		buf_add_text(&s->out, gap);
	} else if (*p == '&') {
		len = openai_html_entity(p, &means);
		buf_add(&s->out, &means, len > 0);
	} else if (*p == '[') {
		len = take_citation(s, p);
		if (len == 0 && begins_dead_link(s, p))
			len = 1;
	} else if (*p == '!' && p[1] == '[' && begins_dead_link(s, p + 1)) {
		len = 2;
	}
	return len;
}

static size_t
take(struct scan *s, const char *p)
{
	size_t len = take_foreign(s, p);

	if (len > 0)
		return len;
	len = *p == '`' ? code_length(p) : 1;
	if (*p == '\\' && p[1] != '\0')
		len = 2;
	buf_add(&s->out, p, len);
	return len;
}

/* Returns the text without tags, entities and foreign links, with its citations as
 * marks: [^r2] is source number 2. */
static const char *
prepare(struct ctx *c, const struct openai_sources *sources, const char *text)
{
	struct scan s = { .c = c, .sources = sources };

	/* "[1]" to "[^r1]" grows most. */
	buf_init(&s.out, c->arena, 3 * strlen(text) + 16);
	while (*text != '\0')
		text += take(&s, text);
	return assignment_clean(c, buf_done(&s.out), true);
}

static void
emit_citation(struct openai_sources *sources, const struct inline_token *t, struct buf *out)
{
	size_t number = 0, reference;

	for (size_t i = 1; i < t->len && is_digit(t->text[i]); i++)
		number = number * 10 + (size_t)(t->text[i] - '0');
	reference = cite(sources, number);
	if (reference > 0)
		buf_printf(out, "[^r%zu]", reference);
}

/* Writes the beginning or the end of a link. Links do not nest: `address` is the
 * address of the open link, NULL if the link was dropped or none is open. */
static void
emit_link(struct ctx *c, struct openai_sources *sources, const struct inline_token *t,
    const char **address, struct buf *out)
{
	if (t->event == INLINE_LINK) {
		*address = NULL;
		if (!has_url(sources, t->text, t->len))
			return;
		*address = arena_text_n(c->arena, t->text, t->len);
		buf_add_char(out, '[');
	} else if (*address != NULL) {
		buf_lit(out, "](");
		inline_escape_address(out, *address);
		buf_add_char(out, ')');
	}
}

static void
emit(struct openai_sources *sources, const struct inline_token *t, struct buf *out)
{
	switch (t->event) {
	case INLINE_TEXT:
		inline_escape(out, t->text, t->len);
		break;
	case INLINE_CODE:
		inline_escape_code(out, t->text, t->len);
		break;
	case INLINE_CITE:
		emit_citation(sources, t, out);
		break;
	case INLINE_STRONG:
	case INLINE_STRONG_END:
		buf_lit(out, "**");
		break;
	case INLINE_EMPHASIS:
	case INLINE_EMPHASIS_END:
		buf_lit(out, "*");
		break;
	case INLINE_LINK:
	case INLINE_LINK_END:
		break;
	}
}

const char *
openai_text_marked(struct ctx *c, struct openai_sources *sources, const char *text, size_t max)
{
	struct inline_token *tokens;
	const char *address = NULL;
	size_t count;
	struct buf out;

	/* Escapes at most double a text. A text that was cut has no broken mark. */
	text = arena_text_n(c->arena, text, utf8_prefix(text, max / 3));
	text = prepare(c, sources, text);
	tokens = inline_parse(c->arena, text, &count);
	buf_init(&out, c->arena, 8 * strlen(text) + 16);
	for (size_t i = 0; i < count; i++) {
		emit(sources, &tokens[i], &out);
		if (tokens[i].event == INLINE_LINK || tokens[i].event == INLINE_LINK_END)
			emit_link(c, sources, &tokens[i], &address, &out);
	}
	return buf_done(&out);
}

const char *
openai_text_plain(struct ctx *c, const char *text, size_t max)
{
	const char *plain = inline_plain(c->arena, prepare(c, NULL, text));

	plain += strspn(plain, "# ");
	return assignment_clean(c, arena_text_n(c->arena, plain, utf8_prefix(plain, max)), true);
}

const char *
openai_text_escaped(struct ctx *c, const char *text, size_t max)
{
	const char *plain = openai_text_plain(c, text, max);
	struct buf out;

	buf_init(&out, c->arena, 2 * strlen(plain));
	inline_escape(&out, plain, strlen(plain));
	return buf_done(&out);
}
