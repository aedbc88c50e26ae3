#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "base/utf8.h"
#include "content/inline.h"
#include "export/checks.h"
#include "export/facts.h"
#include "export/html.h"

/* ---- how much text */

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
 * scripts that write no space after them. */
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

/* ---- what repeats */

/* Two paragraphs repeat each other if at least four fifths of the runs of three words
 * that one or both of them have are in both. Where words are not separated, runs of
 * three characters count.
 *
 * Not all pairs are compared. Let the shingles of every paragraph be sorted: two
 * paragraphs with four fifths in common must share one among the first fifth of them.
 * Only paragraphs that share one there are compared. */
#define SHINGLE 3
/* A word counts 2, a CJK character 1. A short answer may appear twice. */
#define LENGTH_MIN 12
/* The most comparisons of one paragraph: paragraphs that all begin alike must not take
 * square time. */
#define COMPARISONS_MAX 128

struct paragraph {
	const struct checks_text *text;
	uint64_t *shingles; /* hashes, ascending, each once */
	size_t count;
	const struct paragraph *last; /* the last one that it was compared with */
	int comparisons;
};

/* This paragraph has this shingle among the first fifth of its shingles. */
struct meeting {
	uint64_t shingle;
	size_t paragraph;
};

static uint64_t
mixed(uint64_t hash, uint64_t value)
{
	hash = (hash ^ value) * UINT64_C(0x9E3779B97F4A7C15);
	return hash ^ hash >> 29;
}

static int
compare(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

static int
by_value(const void *a, const void *b)
{
	return compare(*(const uint64_t *)a, *(const uint64_t *)b);
}

static int
by_shingle(const void *a, const void *b)
{
	const struct meeting *x = a, *y = b;
	int order = compare(x->shingle, y->shingle);

	return order != 0 ? order : compare(x->paragraph, y->paragraph);
}

/* Returns the hash of the next word or CJK character of a folded text, or 0 at
 * its end. Adds its weight to *length. */
static uint64_t
next_word(const char **p, size_t *length)
{
	uint64_t hash = 0;

	while (**p != '\0') {
		const char *at = *p;
		uint32_t cp = utf8_next(p);
		bool cjk = lang_is_cjk(cp);
		if (hash != 0 && (cjk || !lang_is_word(cp))) {
			*p = at;
			break;
		}
		if (!cjk && !lang_is_word(cp))
			continue;
		hash = mixed(hash + 1, cp);
		if (cjk) {
			*length += 1;
			return hash | 1;
		}
	}
	if (hash == 0)
		return 0;
	*length += 2;
	return hash | 1;
}

static size_t
without_doubles(uint64_t *values, size_t count)
{
	size_t kept = 0;

	qsort(values, count, sizeof(*values), by_value);
	for (size_t i = 0; i < count; i++) {
		if (kept == 0 || values[kept - 1] != values[i])
			values[kept++] = values[i];
	}
	return kept;
}

/* Fills the shingles. Returns false if the paragraph is too short to count. */
static bool
shingle(struct arena *a, struct paragraph *paragraph)
{
	const char *folded = lang_fold(a, paragraph->text->plain), *p = folded;
	uint64_t window[SHINGLE] = { 0 }, word;
	size_t length = 0, words = 0, count = 0;

	paragraph->shingles = arena_array(a, strlen(folded) + 1, sizeof(uint64_t));
	while ((word = next_word(&p, &length)) != 0) {
		memmove(window, window + 1, sizeof(window) - sizeof(*window));
		window[SHINGLE - 1] = word;
		if (++words >= SHINGLE)
			paragraph->shingles[count++] =
			    mixed(mixed(mixed(1, window[0]), window[1]), window[2]);
	}
	if (length < LENGTH_MIN || count == 0)
		return false;
	paragraph->count = without_doubles(paragraph->shingles, count);
	return true;
}

/* Check 11, for two paragraphs: they repeat each other if at least four fifths of the
 * shingles that one or both of them have are in both. */
static bool
is_repeated(const struct paragraph *a, const struct paragraph *b)
{
	size_t i = 0, j = 0, common = 0;

	/* With such a difference in length they cannot have four fifths in
	 * common. */
	if (5 * a->count < 4 * b->count || 5 * b->count < 4 * a->count)
		return false;
	while (i < a->count && j < b->count) {
		int order = compare(a->shingles[i], b->shingles[j]);
		common += order == 0;
		i += order <= 0;
		j += order >= 0;
	}
	return 5 * common >= 4 * (a->count + b->count - common);
}

/* Returns how many of the first shingles must be looked at: two paragraphs with
 * four fifths in common share at least one of these. */
static size_t
first_fifth(const struct paragraph *paragraph)
{
	return paragraph->count - (4 * paragraph->count + 4) / 5 + 1;
}

/* Returns the first fifths of all paragraphs, ordered by shingle, so that
 * paragraphs that share one are neighbours. */
static struct meeting *
meetings_of(
    struct arena *a, const struct paragraph *paragraphs, size_t count, size_t *meeting_count)
{
	struct meeting *meetings;
	size_t n = 0;

	for (size_t i = 0; i < count; i++)
		n += first_fifth(&paragraphs[i]);
	meetings = arena_array(a, n, sizeof(*meetings));
	*meeting_count = n;
	n = 0;
	for (size_t i = 0; i < count; i++) {
		for (size_t s = 0; s < first_fifth(&paragraphs[i]); s++) {
			meetings[n].shingle = paragraphs[i].shingles[s];
			meetings[n++].paragraph = i;
		}
	}
	if (n > 0)
		qsort(meetings, n, sizeof(*meetings), by_shingle);
	return meetings;
}

static const char *
repeat_reason(
    const struct checks *k, const struct checks_text *first, const struct checks_text *second)
{
	checks_at(k, second->raw);
	return arena_printf(k->arena,
	    tr_for(k->c, "The paragraph %s in %s says nearly the same as one in %s."),
	    checks_excerpt(k, second->plain), second->place, first->place);
}

/* Returns an earlier paragraph with the shingle of `meetings[i]` that its
 * paragraph repeats, or NULL. */
static const struct paragraph *
repeated_at(struct paragraph *all, const struct meeting *meetings, size_t i)
{
	struct paragraph *second = &all[meetings[i].paragraph];

	while (i-- > 0 && meetings[i].shingle == meetings[i + 1].shingle) {
		const struct paragraph *first = &all[meetings[i].paragraph];
		if (first == second->last)
			continue;
		if (second->comparisons == COMPARISONS_MAX)
			break;
		second->comparisons++;
		second->last = first;
		if (is_repeated(first, second))
			return first;
	}
	return NULL;
}

const char *
checks_repeats(const struct checks *k)
{
	struct paragraph *all = arena_array(k->arena, k->text_count, sizeof(*all));
	size_t count = 0, meeting_count;
	struct meeting *meetings;

	for (size_t i = 0; i < k->text_count; i++) {
		if (k->texts[i].kind != CONTENT_IS_PARAGRAPH &&
		    k->texts[i].kind != CONTENT_IS_SUMMARY)
			continue;
		all[count].text = &k->texts[i];
		count += shingle(k->arena, &all[count]);
	}
	meetings = meetings_of(k->arena, all, count, &meeting_count);
	for (size_t i = 1; i < meeting_count; i++) {
		const struct paragraph *first = repeated_at(all, meetings, i);
		if (first != NULL)
			return repeat_reason(k, first->text, all[meetings[i].paragraph].text);
	}
	return NULL;
}
