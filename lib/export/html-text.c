#include "export/html-text.h"

#include <stdint.h>
#include <string.h>
#include <utf8proc.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "base/utf8.h"
#include "content/lang.h"
#include "export/facts.h"

/* ---- direction
 *
 * Finds the parts of a text that run against the direction of the article and need a <bdi>
 * (docs/export.md §1.10).
 *
 * In a right-to-left article these are Latin tokens joined by single spaces. A
 * token is a run of characters without spaces, with at least one Latin letter,
 * less sentence punctuation, quotes and brackets at its ends. The rule speaks of
 * ASCII; other characters inside a token that do not themselves run from right
 * to left belong to it too, since an isolate that ends within "Müller", "20°C"
 * or "it’s" would show its parts in the wrong order. So does a number that follows
 * a Latin token after one space ("USB 3.0", "iPhone 15 Pro"): outside of the
 * isolate it would be on the wrong side of its word, where the plain bidi algorithm
 * (UAX 9, W7) keeps the two together. The algorithm places all other numbers.
 *
 * In a left-to-right article they are the words of right-to-left scripts,
 * joined in the same way.
 */

static utf8proc_category_t
category(uint32_t cp)
{
	return utf8proc_category((utf8proc_int32_t)cp);
}

static utf8proc_propval_t
bidi_class(uint32_t cp)
{
	return utf8proc_get_property((utf8proc_int32_t)cp)->bidi_class;
}

static bool
is_letter(uint32_t cp)
{
	utf8proc_category_t kind = category(cp);

	return kind >= UTF8PROC_CATEGORY_LU && kind <= UTF8PROC_CATEGORY_LO;
}

static bool
is_mark(uint32_t cp)
{
	utf8proc_category_t kind = category(cp);

	return kind >= UTF8PROC_CATEGORY_MN && kind <= UTF8PROC_CATEGORY_ME;
}

static bool
is_blank(uint32_t cp)
{
	utf8proc_category_t kind = category(cp);

	return kind == UTF8PROC_CATEGORY_CC ||
	       (kind >= UTF8PROC_CATEGORY_ZS && kind <= UTF8PROC_CATEGORY_ZP);
}

/* Returns whether the character is a letter, digit or mark of a right-to-left
 * script. Blocks are named because their marks and part of their punctuation have
 * no direction of their own. */
static bool
is_rtl(uint32_t cp)
{
	utf8proc_propval_t dir;

	if (cp < 0x590)
		return false;
	if (cp <= 0x8FF)
		return true;
	dir = bidi_class(cp);
	return dir == UTF8PROC_BIDI_CLASS_R || dir == UTF8PROC_BIDI_CLASS_AL ||
	       dir == UTF8PROC_BIDI_CLASS_AN;
}

static bool
is_rtl_letter(uint32_t cp)
{
	return is_rtl(cp) && is_letter(cp);
}

/* Returns whether the character is a letter of the Latin script, with or without
 * marks. */
static bool
is_latin_letter(uint32_t cp)
{
	if (cp < 0x80)
		return (cp | 0x20) >= 'a' && (cp | 0x20) <= 'z';
	return lang_script(cp) == SCRIPT_LATIN;
}

/* Returns whether the character is a letter from left to right: every letter that
 * does not run from right to left is one. */
static bool
is_ltr_letter(uint32_t cp)
{
	return is_letter(cp) && !is_rtl(cp);
}

/* Returns whether the character is a letter, digit or mark of a right-to-left
 * script, without punctuation. */
static bool
is_rtl_word(uint32_t cp)
{
	return is_rtl(cp) && lang_is_word(cp);
}

static bool
is_european_digit(uint32_t cp)
{
	return bidi_class(cp) == UTF8PROC_BIDI_CLASS_EN;
}

/* Returns whether a token of the other direction may hold the character. */
static bool
is_member(uint32_t cp, bool rtl)
{
	if (is_blank(cp))
		return false;
	return rtl ? !is_rtl(cp) : !is_ltr_letter(cp);
}

/* Returns whether a Latin token loses the character at its ends: sentence
 * punctuation, quotes and brackets. Other ASCII signs stay ("C++", "--help"). */
static bool
is_latin_margin(uint32_t cp)
{
	utf8proc_category_t kind;

	if (cp < 0x80)
		return strchr(".,:;!?\"'()[]{}", (int)cp) != NULL;
	kind = category(cp);
	return kind == UTF8PROC_CATEGORY_CF ||
	       (kind >= UTF8PROC_CATEGORY_PC && kind <= UTF8PROC_CATEGORY_PO);
}

/* Returns whether a token loses the character at its ends: sentence punctuation
 * in a right-to-left article, everything but words in another article. */
static bool
is_margin(uint32_t cp, bool rtl)
{
	return rtl ? is_latin_margin(cp) : !lang_is_word(cp);
}

/* Removes margins from both ends, and marks from the beginning: those belong to
 * the character before them. A token with a letter or a number is never all
 * margin. */
static void
trim(const char **from, const char **end, bool rtl)
{
	const char *p = *from, *kept_end = *from;
	bool begun = false;

	while (p < *end) {
		const char *at = p;
		uint32_t cp = utf8_next(&p);

		if (is_margin(cp, rtl) || (!begun && is_mark(cp)))
			continue;
		if (!begun)
			*from = at;
		begun = true;
		kept_end = p;
	}
	*end = kept_end;
}

/* Finds the next token in [*p, end) that has a letter of the other direction.
 * With `behind` (another token is right before it), a number is enough in a
 * right-to-left text, unless it is one word with the text after it. */
static bool
next_token(const char **p, const char *end, bool rtl, bool behind, const char **token,
    const char **token_end)
{
	while (*p < end) {
		const char *from = *p, *stop = *p;
		bool letter = false, digit = false;
		uint32_t cp = 0;

		while (*p < end) {
			cp = utf8_next(p);
			/* A mark belongs to the character before it. */
			if (!is_member(cp, rtl) && !(is_mark(cp) && stop > from))
				break;
			stop = *p;
			letter |= rtl ? is_latin_letter(cp) : is_rtl_letter(cp);
			digit |= is_european_digit(cp);
		}
		if (!letter && !(rtl && behind && digit && !is_rtl_word(cp)))
			continue;
		*token = from;
		*token_end = stop;
		trim(token, token_end, rtl);
		return true;
	}
	return false;
}

/* Finds the first such run in [from, end). Returns false when there is none. */
static bool
find_run(const char *from, const char *end, bool rtl, const char **run, const char **run_end)
{
	const char *p = from, *token, *token_end;

	if (!next_token(&p, end, rtl, false, run, run_end))
		return false;
	/* Only a token that begins after exactly one space can join. */
	while (**run_end == ' ' && *run_end + 1 < end) {
		p = *run_end + 1;
		if (!next_token(&p, end, rtl, true, &token, &token_end) || token != *run_end + 1)
			break;
		*run_end = token_end;
	}
	return true;
}

/* Whether the text may hold a run at all. Cheaper than find_run(), for the many texts that
 * hold none. */
static bool
may_need_run(const char *text, size_t len, bool rtl)
{
	for (size_t i = 0; i < len; i++) {
		/* The lead bytes of right-to-left characters begin at this value. */
		if (rtl || (unsigned char)text[i] >= 0xD6)
			return true;
	}
	return false;
}

bool
bidi_has_letter(const char *text, size_t len, bool rtl)
{
	const char *p = text, *end = text + len;

	while (p < end) {
		uint32_t cp = utf8_next(&p);

		if (rtl ? is_rtl_letter(cp) : is_ltr_letter(cp))
			return true;
	}
	return false;
}

/* ---- escaping */

/* Returns the entity of a byte, or NULL. Text escapes & < and >; an attribute
 * also escapes both quotes (docs/export.md §1.2). */
static const char *
entity(char byte, bool attribute)
{
	switch (byte) {
	case '&':
		return "&amp;";
	case '<':
		return "&lt;";
	case '>':
		return "&gt;";
	case '"':
		return attribute ? "&quot;" : NULL;
	case '\'':
		return attribute ? "&#39;" : NULL;
	default:
		return NULL;
	}
}

static void
escape(struct buf *out, const char *text, size_t len, bool attribute)
{
	const char *from = text, *end = text + len;

	for (const char *p = text; p < end; p++) {
		const char *instead = entity(*p, attribute);

		if (instead == NULL)
			continue;
		buf_add(out, from, (size_t)(p - from));
		buf_add_text(out, instead);
		from = p + 1;
	}
	buf_add(out, from, (size_t)(end - from));
}

void
html_text_escape(struct buf *out, const char *text, size_t len)
{
	escape(out, text, len, false);
}

void
html_text_attribute(struct buf *out, const char *name, const char *value)
{
	buf_add_char(out, ' ');
	buf_add_text(out, name);
	buf_lit(out, "=\"");
	escape(out, value, strlen(value), true);
	buf_add_char(out, '"');
}

static void
add_id(struct html *h, const char *id)
{
	buf_add_text(&h->out, h->facts->prefix);
	buf_add_char(&h->out, '-');
	buf_add_text(&h->out, id);
}

void
html_text_id(struct html *h, const char *name, const char *id)
{
	buf_add_char(&h->out, ' ');
	buf_add_text(&h->out, name);
	buf_lit(&h->out, "=\"");
	add_id(h, id);
	buf_add_char(&h->out, '"');
}

/* ---- parsing */

static bool
is_end(enum inline_event event)
{
	return event == INLINE_STRONG_END || event == INLINE_EMPHASIS_END ||
	       event == INLINE_LINK_END;
}

static bool
is_begin(enum inline_event event)
{
	return event == INLINE_STRONG || event == INLINE_EMPHASIS || event == INLINE_LINK;
}

/* Turns a mark into an empty text, which writes nothing. */
static void
drop(struct inline_token *token)
{
	token->event = INLINE_TEXT;
	token->len = 0;
}

/* Returns whether the tokens show anything, and drops the marks around nothing.
 * `open` holds the open marks; `seen[d]` says whether something was seen inside
 * the d outermost of them. */
static bool
prune(struct arena *a, struct inline_token *tokens, size_t count)
{
	struct inline_token **open = arena_array(a, count, sizeof(*open));
	bool *seen = arena_array(a, count + 1, sizeof(*seen));
	size_t depth = 0;

	for (size_t i = 0; i < count; i++) {
		struct inline_token *token = &tokens[i];

		if (is_begin(token->event)) {
			open[depth++] = token;
			seen[depth] = false;
		} else if (is_end(token->event)) {
			if (!seen[depth]) {
				drop(token);
				drop(open[depth - 1]);
			}
			depth--;
			seen[depth] |= seen[depth + 1];
		} else if (token->event == INLINE_CITE ||
			   !invisible_text(token->text, token->len)) {
			seen[depth] = true;
		} else if (token->event == INLINE_CODE) {
			token->event = INLINE_TEXT;
		}
	}
	return seen[0];
}

void
html_text_parse(struct html *h, const char *text, struct html_text *t)
{
	if (strpbrk(text, "\\*`[") == NULL) {
		t->one.event = INLINE_TEXT;
		t->one.text = text;
		t->one.len = strlen(text);
		t->tokens = &t->one;
		t->count = 1;
		t->visible = !invisible_text(text, t->one.len);
		return;
	}
	arena_reset(&h->scratch);
	t->tokens = inline_parse(&h->scratch, text, &t->count);
	t->visible = prune(&h->scratch, t->tokens, t->count);
}

/* ---- writing */

/* Writes text without newlines. With `bdi`, runs against the direction of the
 * article are in <bdi> (above). */
static void
write_line(struct html *h, const char *text, size_t len, bool bdi)
{
	const char *p = text, *end = text + len, *run, *run_end;
	bool rtl = h->facts->rtl;

	bdi = bdi && may_need_run(text, len, rtl);
	while (bdi && find_run(p, end, rtl, &run, &run_end)) {
		html_text_escape(&h->out, p, (size_t)(run - p));
		buf_lit(&h->out, "<bdi>");
		html_text_escape(&h->out, run, (size_t)(run_end - run));
		buf_lit(&h->out, "</bdi>");
		p = run_end;
	}
	html_text_escape(&h->out, p, (size_t)(end - p));
}

/* Writes text; a newline becomes <br>. */
static void
write_lines(struct html *h, const char *text, size_t len, bool bdi)
{
	const char *end = text + len, *stop;

	while ((stop = memchr(text, '\n', (size_t)(end - text))) != NULL) {
		write_line(h, text, (size_t)(stop - text), bdi);
		buf_lit(&h->out, "<br>");
		text = stop + 1;
	}
	write_line(h, text, (size_t)(end - text), bdi);
}

/* Opens a link. A fragment names a place in this article, and so gets the prefix
 * of the article's ids. */
static void
write_link(struct html *h, const char *url)
{
	buf_lit(&h->out, "<a");
	if (url[0] == '#')
		url = arena_printf(&h->scratch, "#%s-%s", h->facts->prefix, url + 1);
	html_text_attribute(&h->out, "href", url);
	buf_add_char(&h->out, '>');
}

/* Finds the place of the reference with this id. Returns false if there is none. */
static bool
find_reference(const struct html *h, const struct inline_token *id, size_t *at)
{
	const struct content *content = h->facts->content;

	for (size_t i = 0; i < content->reference_count; i++) {
		const char *known = content->references[i].id;

		if (strncmp(known, id->text, id->len) == 0 && known[id->len] == '\0') {
			*at = i;
			return true;
		}
	}
	return false;
}

/* Writes a citation as a link to its reference. Content without the reference is
 * refused when it is read; if the reference is missing in spite of that, the mark
 * stays as text and check 18 reports it. */
static void
write_cite(struct html *h, const struct inline_token *token)
{
	const struct reference *references = h->facts->content->references;
	size_t i;

	if (!find_reference(h, token, &i)) {
		buf_lit(&h->out, "[^");
		html_text_escape(&h->out, token->text, token->len);
		buf_add_char(&h->out, ']');
		return;
	}
	if (h->numbers[i] == 0) {
		h->cited[h->cited_count++] = &references[i];
		h->numbers[i] = h->cited_count;
	}
	buf_lit(&h->out, "<sup class=\"ab-cite\"><a href=\"#");
	add_id(h, references[i].id);
	buf_lit(&h->out, "\" role=\"doc-biblioref\">");
	buf_add_int(&h->out, (int64_t)h->numbers[i]);
	buf_lit(&h->out, "</a></sup>");
}

/* Writes one token: marks become elements, and code has its own direction. */
static void
write_token(struct html *h, const struct inline_token *token, bool bdi)
{
	switch (token->event) {
	case INLINE_TEXT:
		write_lines(h, token->text, token->len, bdi);
		break;
	case INLINE_CODE:
		buf_lit(&h->out, "<code dir=\"ltr\">");
		html_text_escape(&h->out, token->text, token->len);
		buf_lit(&h->out, "</code>");
		break;
	case INLINE_CITE:
		write_cite(h, token);
		break;
	case INLINE_STRONG:
		buf_lit(&h->out, "<strong>");
		break;
	case INLINE_STRONG_END:
		buf_lit(&h->out, "</strong>");
		break;
	case INLINE_EMPHASIS:
		buf_lit(&h->out, "<em>");
		break;
	case INLINE_EMPHASIS_END:
		buf_lit(&h->out, "</em>");
		break;
	case INLINE_LINK:
		write_link(h, token->text);
		break;
	case INLINE_LINK_END:
		buf_lit(&h->out, "</a>");
		break;
	}
}

void
html_text_write(struct html *h, const struct html_text *t, bool bdi)
{
	for (size_t i = 0; i < t->count; i++)
		write_token(h, &t->tokens[i], bdi);
}

/* Returns whether the words of a token are counted: those of text and code are,
 * those of citations are not. */
static bool
is_words(const struct inline_token *token)
{
	return token->event == INLINE_TEXT || token->event == INLINE_CODE;
}

/* Marks do not divide words: "un**believ**able" is one word. */
void
html_text_count(struct html *h, const struct html_text *t)
{
	size_t len = 0;
	struct buf plain;

	if (t->count == 1 && is_words(t->tokens) && t->tokens->text[t->tokens->len] == '\0') {
		lang_count(t->tokens->text, &h->words, &h->cjk);
		return;
	}
	for (size_t i = 0; i < t->count; i++)
		len += t->tokens[i].len;
	buf_init(&plain, &h->scratch, len);
	for (size_t i = 0; i < t->count; i++) {
		if (is_words(&t->tokens[i]))
			buf_add(&plain, t->tokens[i].text, t->tokens[i].len);
	}
	lang_count(plain.data, &h->words, &h->cjk);
}

/* Writes `before`, the text and `after`; nothing if the text shows nothing. */
static bool
between(struct html *h, const char *before, const char *text, const char *after, bool counted)
{
	struct html_text t;

	if (text == NULL)
		return false;
	html_text_parse(h, text, &t);
	if (!t.visible)
		return false;
	buf_add_text(&h->out, before);
	html_text_write(h, &t, true);
	buf_add_text(&h->out, after);
	if (counted)
		html_text_count(h, &t);
	return true;
}

bool
html_text_between(struct html *h, const char *before, const char *text, const char *after)
{
	return between(h, before, text, after, true);
}

bool
html_text_caption(struct html *h, const char *before, const char *text, const char *after)
{
	return between(h, before, text, after, false);
}

bool
html_text_shows(struct html *h, const char *text)
{
	struct html_text t;

	if (text == NULL)
		return false;
	html_text_parse(h, text, &t);
	return t.visible;
}

void
html_text_plain(struct html *h, const char *text, bool bdi)
{
	write_line(h, text, strlen(text), bdi);
}

bool
html_text_has_letter(const struct html_text *t, bool rtl)
{
	for (size_t i = 0; i < t->count; i++) {
		const struct inline_token *token = &t->tokens[i];

		if (token->event == INLINE_TEXT && bidi_has_letter(token->text, token->len, rtl))
			return true;
	}
	return false;
}
