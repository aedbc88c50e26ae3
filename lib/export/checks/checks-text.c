#include <string.h>

#include <utf8proc.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "base/utf8.h"
#include "content/inline.h"
#include "content/lang.h"
#include "export/checks/checks.h"

#define SECTION_WORDS 40
#define ARTICLE_WORDS 600
#define SENTENCE_WORDS_MEAN 25
#define SENTENCE_WORDS_MAX 60
#define CJK_PER_WORD 2 /* so many CJK characters count as one word */

/* Returns the length of a text in half words: a word counts 2, a CJK character 1. */
static size_t
halves(size_t words, size_t cjk)
{
	return CJK_PER_WORD * words + cjk;
}

static const char *
amount(const struct checks *k, size_t words, size_t cjk)
{
	if (cjk == 0)
		return arena_printf(k->arena, tr_for(k->c, "%zu words"), words);
	return arena_printf(k->arena, tr_for(k->c, "%zu words and %zu CJK characters"), words, cjk);
}

/* Whether a reason names characters besides words: for whom they mean something. */
static bool
counts_characters(const struct checks *k, size_t cjk)
{
	int found = checks_words_find(k->f->language);

	return cjk > 0 || (found >= 0 && (checks_words[found].script == SCRIPT_HAN ||
					     checks_words[found].script == SCRIPT_KANA));
}

struct count {
	struct arena *arena;
	size_t words, cjk;
};

/* Counts the words of a text, unless it is code or a heading. */
static void
add_text(void *arg, enum content_text_kind kind, const char *text, const char *place)
{
	struct count *count = arg;

	(void)place;
	if (kind != CONTENT_IS_CODE && kind != CONTENT_IS_HEADING)
		lang_count(inline_plain(count->arena, text), &count->words, &count->cjk);
}

static const char *
too_short(const struct checks *k, const struct section *s, const struct count *n)
{
	const char *has = amount(k, n->words, n->cjk);
	const char *name = s->heading[0] == '\0'
			       ? tr_for(k->c, "The text before the first heading")
			       : arena_printf(k->arena, tr_for(k->c, "The section %s"),
				     checks_excerpt(k, inline_plain(k->arena, s->heading)));

	if (!counts_characters(k, n->cjk))
		return arena_printf(k->arena, tr_for(k->c, "%s has %s; %d words are asked for."),
		    name, has, SECTION_WORDS);
	return arena_printf(k->arena,
	    tr_for(k->c, "%s has %s; %d words or %d CJK characters are asked for."), name, has,
	    SECTION_WORDS, CJK_PER_WORD * SECTION_WORDS);
}

const char *
checks_section_text(const struct checks *k)
{
	const struct content *content = k->f->content;

	for (size_t i = 0; i < content->section_count; i++) {
		struct section *s = &content->sections[i];
		struct content alone = { .summary = "", .sections = s, .section_count = 1 };
		struct count count = { .arena = k->arena };
		content_walk(&alone, add_text, &count);
		if (halves(count.words, count.cjk) >= CJK_PER_WORD * SECTION_WORDS)
			continue;
		checks_at(
		    k, s->heading[0] == '\0' && s->body_count > 0 ? s->body[0].text : s->heading);
		return too_short(k, s, &count);
	}
	return NULL;
}

const char *
checks_enough_text(const struct checks *k)
{
	if (halves(k->h->words, k->h->cjk) >= CJK_PER_WORD * ARTICLE_WORDS)
		return NULL;
	if (!counts_characters(k, k->h->cjk))
		return arena_printf(k->arena,
		    tr_for(k->c, "The article has %s; %d words are asked for."),
		    amount(k, k->h->words, 0), ARTICLE_WORDS);
	return arena_printf(k->arena,
	    tr_for(k->c, "The article has %s; %d words or %d CJK characters are asked for."),
	    amount(k, k->h->words, k->h->cjk), ARTICLE_WORDS, CJK_PER_WORD * ARTICLE_WORDS);
}

/* Returns whether the character ends a sentence, whatever follows: full stops of
 * scripts that write no space behind them. */
static bool
is_full_stop(uint32_t cp)
{
	return cp == 0x3002 || cp == 0xFF01 || cp == 0xFF1F || cp == 0xFF61 || cp == 0x0964 ||
	       cp == 0x0965;
}

/* Returns whether the character ends a sentence if a space, or nothing, follows. */
static bool
is_end_mark(uint32_t cp)
{
	return cp == '.' || cp == '!' || cp == '?' || cp == 0x2026 || cp == 0x061F ||
	       cp == 0x06D4 || cp == 0x0589 || cp == 0x1362 || cp == 0x203D;
}

/* Returns whether the character is a quote or bracket, which may be between the
 * end mark and the space. */
static bool
is_closing(uint32_t cp)
{
	utf8proc_category_t category = utf8proc_category((utf8proc_int32_t)cp);

	return cp == '"' || cp == '\'' || category == UTF8PROC_CATEGORY_PE ||
	       category == UTF8PROC_CATEGORY_PF || category == UTF8PROC_CATEGORY_PI;
}

/* Returns whether the sentence continues after the end mark before `p`: a
 * character other than a space follows ("3.14"), or a small letter follows a full
 * stop ("e.g. a bin"). */
static bool
goes_on(uint32_t mark, const char *p)
{
	uint32_t cp = utf8_next(&p);

	while (is_closing(cp) || is_end_mark(cp))
		cp = utf8_next(&p);
	if (cp == 0)
		return false;
	if (cp > ' ' && cp != 0xA0)
		return true;
	while (cp != 0 && (cp <= ' ' || cp == 0xA0))
		cp = utf8_next(&p);
	return mark == '.' && utf8proc_category((utf8proc_int32_t)cp) == UTF8PROC_CATEGORY_LL;
}

/* Returns the end of the sentence that begins at `p`. */
static const char *
sentence_end(const char *p)
{
	while (*p != '\0') {
		uint32_t cp = utf8_next(&p);
		if (is_full_stop(cp) || (is_end_mark(cp) && !goes_on(cp, p)))
			return p;
	}
	return p;
}

struct sentences {
	size_t count, halves; /* of all sentences, in half words */
	size_t longest; /* in half words */
	const char *text; /* the longest sentence, its place, and where it is in */
	const char *place;
	const char *raw;
};

/* Counts the sentences of a text and their lengths, and keeps the longest. A
 * sentence without words does not count. */
static void
measure(struct arena *a, const struct checks_text *t, struct sentences *all)
{
	const char *from, *to;

	for (from = t->plain; *from != '\0'; from = to) {
		size_t words = 0, cjk = 0;
		const char *sentence;
		to = sentence_end(from);
		sentence = arena_text_n(a, from, (size_t)(to - from));
		lang_count(sentence, &words, &cjk);
		if (words + cjk == 0)
			continue;
		all->count++;
		all->halves += halves(words, cjk);
		if (halves(words, cjk) > all->longest) {
			all->longest = halves(words, cjk);
			all->text = sentence;
			all->place = t->place;
			all->raw = t->raw;
		}
	}
}

const char *
checks_sentences(const struct checks *k)
{
	struct sentences all = { 0 };
	size_t tenths;

	for (size_t i = 0; i < k->text_count; i++) {
		enum content_text_kind kind = k->texts[i].kind;
		if (kind == CONTENT_IS_SUMMARY || kind == CONTENT_IS_TAKEAWAY ||
		    kind == CONTENT_IS_PARAGRAPH)
			measure(k->arena, &k->texts[i], &all);
	}
	if (all.longest > CJK_PER_WORD * SENTENCE_WORDS_MAX) {
		checks_at(k, all.raw);
		return arena_printf(k->arena,
		    tr_for(k->c, "A sentence in %s has %zu words; %d are the most: %s."), all.place,
		    all.longest / CJK_PER_WORD, SENTENCE_WORDS_MAX, checks_excerpt(k, all.text));
	}
	if (all.halves <= CJK_PER_WORD * SENTENCE_WORDS_MEAN * all.count)
		return NULL;
	checks_at(k, all.raw);
	tenths = 10 * all.halves / CJK_PER_WORD / all.count;
	return arena_printf(k->arena,
	    tr_for(k->c,
		"Sentences have %zu.%zu words on average; %d are good. The longest one, in %s: %s."),
	    tenths / 10, tenths % 10, SENTENCE_WORDS_MEAN, all.place, checks_excerpt(k, all.text));
}

const char *
checks_prose(const struct checks *k, const struct checks_text *t)
{
	struct inline_token *tokens;
	struct buf out;
	size_t count;

	if (strchr(t->raw, '`') == NULL)
		return t->plain;
	tokens = inline_parse(k->arena, t->raw, &count);
	buf_init(&out, k->arena, strlen(t->raw) + count);
	for (size_t i = 0; i < count; i++) {
		if (tokens[i].event == INLINE_TEXT)
			buf_add(&out, tokens[i].text, tokens[i].len);
		else if (tokens[i].event == INLINE_CODE)
			buf_add_char(&out, ' ');
	}
	return buf_done(&out);
}
