#include "provider/outline/related.h"

#include <string.h>
#include <utf8proc.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/ctx.h"
#include "base/utf8.h"
#include "content/lang.h"
#include "provider/outline/phrases.h"
#include "provider/outline/title.h"

enum letter_class {
	CLASS_NONE, /* between words */
	CLASS_WORD,
	CLASS_HAN,
	CLASS_KATAKANA,
	CLASS_HIRAGANA
};

static enum letter_class
class_of(uint32_t cp)
{
	if (!lang_is_word(cp))
		return CLASS_NONE;
	if (lang_script(cp) == SCRIPT_HAN)
		return CLASS_HAN;
	if (cp >= 0x3041 && cp <= 0x309F)
		return CLASS_HIRAGANA;
	if (lang_script(cp) == SCRIPT_KANA || cp == 0x30FC)
		return CLASS_KATAKANA;
	return CLASS_WORD;
}

static bool
all_digits(const char *text)
{
	return text[strspn(text, "0123456789")] == '\0';
}

/* Returns the word without accents: "garten" for "gärten". Many plurals change only an
 * accent. */
static const char *
without_accents(struct ctx *c, const char *text)
{
	utf8proc_int32_t parts[8];
	int boundary = 0;
	struct buf b;

	buf_init(&b, c->arena, strlen(text) + 1);
	while (*text != '\0') {
		uint32_t cp = utf8_next(&text);
		if (lang_script(cp) == SCRIPT_LATIN &&
		    utf8proc_decompose_char(
			(utf8proc_int32_t)cp, parts, 8, UTF8PROC_DECOMPOSE, &boundary) > 0)
			cp = (uint32_t)parts[0];
		buf_add_code_point(&b, cp);
	}
	return buf_done(&b);
}

static void
add(struct ctx *c, const char *tag, const char *text, size_t at, size_t end,
    enum letter_class class, struct words *out)
{
	struct word *w = &out->list[out->count++];

	w->at = at;
	w->end = end;
	w->text = arena_text_n(c->arena, text + at, end - at);
	w->fold = lang_fold(c->arena, w->text);
	w->base = without_accents(c, w->fold);
	w->length = utf8_length(w->base);
	w->cjk = class != CLASS_WORD;
	w->stop = w->length < 2 || all_digits(w->fold) || phrases_is_stop(tag, w->fold);
}

/* Adds a run of Han as several words: function words divide it and are left out. */
static void
add_han(struct ctx *c, const char *tag, const char *text, size_t at, size_t end, size_t max,
    struct words *out)
{
	size_t from = at, cut;

	while (at < end && out->count < max) {
		const char *next = text + at;
		cut = phrases_stop_han(tag, text + at, end - at);
		if (cut == 0) {
			utf8_next(&next);
			at = (size_t)(next - text);
			continue;
		}
		if (at > from)
			add(c, tag, text, from, at, CLASS_HAN, out);
		at += cut;
		from = at;
	}
	if (at > from && out->count < max)
		add(c, tag, text, from, at, CLASS_HAN, out);
}

/* Returns the end of the run of `class` that begins at `p`. */
static const char *
run_end(const char *p, enum letter_class class)
{
	const char *next = p;

	while (*p != '\0') {
		if (class_of(utf8_next(&next)) != class)
			break;
		p = next;
	}
	return p;
}

/* Returns whether words[i] and the word before it are joined as in one phrase. */
static bool
is_joined(const char *text, const struct words *words, size_t i)
{
	const char *gap = text + words->list[i - 1].end;
	size_t len = words->list[i].at - words->list[i - 1].end;

	return strspn(gap, " -") >= len;
}

void
words_split(struct ctx *c, const char *tag, const char *text, size_t max, struct words *out)
{
	const char *p = text, *end;

	out->count = 0;
	out->list = arena_array(c->arena, max, sizeof(*out->list));
	while (*p != '\0' && out->count < max) {
		const char *next = p;
		enum letter_class class = class_of(utf8_next(&next));
		end = run_end(p, class);
		if (class == CLASS_HAN)
			add_han(c, tag, text, (size_t)(p - text), (size_t)(end - text), max, out);
		else if (class == CLASS_WORD || class == CLASS_KATAKANA)
			add(c, tag, text, (size_t)(p - text), (size_t)(end - text), class, out);
		p = end;
	}
	for (size_t i = 1; i < out->count; i++)
		out->list[i].joined = is_joined(text, out, i);
}

/* Returns whether both words have the same two code points in a row. */
static bool
share_pair(const char *a, const char *b)
{
	const char *second, *third;
	char pair[12];

	for (; *a != '\0'; a = second) {
		second = a;
		utf8_next(&second);
		third = second;
		if (utf8_next(&third) == 0)
			break;
		memcpy(pair, a, (size_t)(third - a));
		pair[third - a] = '\0';
		if (strstr(b, pair) != NULL)
			return true;
	}
	return false;
}

/* Returns how many code points the words have in common at their beginnings. */
static size_t
common_prefix(const char *a, const char *b)
{
	size_t count = 0;

	while (*a != '\0' && utf8_next(&a) == utf8_next(&b))
		count++;
	return count;
}

/* Returns the word without an article or preposition that is written together with it. */
static const char *
without_prefix(const struct word *w)
{
	static const char *const prefixes[] = { "وال", "بال", "لل", "ال", "ב", "ה", "ו", "כ", "ל",
		"מ", "ש" };

	for (size_t i = 0; i < sizeof(prefixes) / sizeof(*prefixes); i++) {
		size_t len = strlen(prefixes[i]);
		if (strncmp(w->base, prefixes[i], len) == 0 &&
		    w->length >= utf8_length(prefixes[i]) + 3)
			return w->base + len;
	}
	return w->base;
}

/* Returns whether the words have one stem. The endings may differ by three
 * letters of the longer word and two of the shorter one. A syllable of Hangul
 * weighs more than a letter. */
static bool
share_stem(const char *a, const char *b)
{
	const char *p = a;
	bool hangul = lang_script(utf8_next(&p)) == SCRIPT_HANGUL;
	size_t common = common_prefix(a, b);
	size_t la = utf8_length(a), lb = utf8_length(b);
	size_t longer = la > lb ? la : lb, shorter = la > lb ? lb : la;

	return common >= (hangul ? 2 : 4) && longer - common <= 3 && shorter - common <= 2;
}

bool
words_same(const struct word *a, const struct word *b)
{
	const char *x, *y;

	if (strcmp(a->base, b->base) == 0)
		return true;
	if (a->cjk || b->cjk)
		return a->cjk && b->cjk && share_pair(a->base, b->base);
	x = without_prefix(a);
	y = without_prefix(b);
	return strcmp(x, y) == 0 || strcmp(x, b->base) == 0 || strcmp(a->base, y) == 0 ||
	       share_stem(x, y);
}

const struct word *
words_find(const struct words *words, const struct word *word)
{
	for (size_t i = 0; i < words->count; i++) {
		if (words_same(&words->list[i], word))
			return &words->list[i];
	}
	return NULL;
}

void
words_distinct(struct words *words)
{
	struct words kept = { words->list, 0 };

	for (size_t i = 0; i < words->count; i++) {
		struct word w = words->list[i];
		if (!w.stop && words_find(&kept, &w) == NULL)
			kept.list[kept.count++] = w;
	}
	*words = kept;
}

enum { TITLE_WEIGHT = 3, SUMMARY_WEIGHT = 1, RELATED_FROM = 3 };

/* The words of the topic that one article has. The index of a word in the topic is its
 * bit. */
struct match {
	uint64_t title; /* words of the topic that its title has */
	uint64_t summary; /* and its summary */
};

static uint64_t
shared(const struct words *topic, const struct words *words)
{
	uint64_t bits = 0;

	for (size_t i = 0; i < topic->count; i++) {
		if (words_find(words, &topic->list[i]) != NULL)
			bits |= UINT64_C(1) << i;
	}
	return bits;
}

static void
distinct(struct ctx *c, const struct assignment *assignment, const char *text, size_t max,
    struct words *out)
{
	words_split(c, assignment->workspace.language, text, max, out);
	words_distinct(out);
}

static struct match *
match_all(struct ctx *c, const struct assignment *assignment, const struct words *topic)
{
	struct match *matches =
	    arena_array(c->arena, assignment->article_count + 1, sizeof(*matches));

	for (size_t i = 0; i < assignment->article_count; i++) {
		const struct assignment_article *article = &assignment->articles[i];
		struct words words;

		distinct(c, assignment, article->title, RELATED_TITLE_WORDS, &words);
		matches[i].title = shared(topic, &words);
		distinct(c, assignment, article->summary, RELATED_SUMMARY_WORDS, &words);
		matches[i].summary = shared(topic, &words);
	}
	return matches;
}

/* Returns the weight of a word: 4 if at most an eighth of the articles have it, 1 if
 * more than half have it. In a workspace of few articles all words have the same
 * weight. */
static int
rarity(const struct match *matches, size_t count, size_t word)
{
	size_t with = 0;

	for (size_t i = 0; i < count; i++)
		with += (matches[i].title | matches[i].summary) >> word & 1;
	if (count < 8 || with * 2 > count)
		return 1;
	if (with * 4 > count)
		return 2;
	return with * 8 > count ? 3 : 4;
}

static int
score(const struct match *match, const int *weights, size_t words)
{
	int sum = 0;

	for (size_t i = 0; i < words; i++) {
		if (match->title >> i & 1)
			sum += TITLE_WEIGHT * weights[i];
		else if (match->summary >> i & 1)
			sum += SUMMARY_WEIGHT * weights[i];
	}
	return sum;
}

/* Inserts an article into the list of the best articles. */
static void
insert(struct related *out, int *scores, const struct assignment_article *article, int points)
{
	size_t at = out->count;

	while (at > 0 && scores[at - 1] < points)
		at--;
	if (at == RELATED_MAX)
		return;
	if (out->count < RELATED_MAX)
		out->count++;
	for (size_t i = out->count - 1; i > at; i--) {
		out->articles[i] = out->articles[i - 1];
		scores[i] = scores[i - 1];
	}
	out->articles[at] = article;
	scores[at] = points;
}

void
related_find(
    struct ctx *c, const struct assignment *assignment, const char *text, struct related *out)
{
	int weights[RELATED_TOPIC_WORDS], scores[RELATED_MAX];
	struct match *matches;
	struct words topic;

	memset(out, 0, sizeof(*out));
	distinct(c, assignment, text, RELATED_TOPIC_WORDS, &topic);
	matches = match_all(c, assignment, &topic);
	for (size_t i = 0; i < topic.count; i++)
		weights[i] = rarity(matches, assignment->article_count, i);
	for (size_t i = 0; i < assignment->article_count; i++) {
		int points = score(&matches[i], weights, topic.count);
		if (points >= RELATED_FROM)
			insert(out, scores, &assignment->articles[i], points);
	}
}

void
related_named(const struct assignment *assignment, const struct brief *brief, struct related *out)
{
	memset(out, 0, sizeof(*out));
	for (size_t i = 0; i < brief->related_count; i++) {
		const struct assignment_article *article =
		    assignment_article_find(assignment, brief->related[i]);
		bool known = false;

		for (size_t k = 0; k < out->count; k++)
			known = known || out->articles[k] == article;
		if (article != NULL && !known && out->count < RELATED_MAX)
			out->articles[out->count++] = article;
	}
}

const struct assignment_article *
related_best(struct ctx *c, const struct assignment *assignment, const struct related *related,
    const bool *taken, const char *text)
{
	const struct assignment_article *best = NULL;
	struct words words, title;
	int most = 0;

	distinct(c, assignment, text, RELATED_TOPIC_WORDS, &words);
	for (size_t i = 0; i < related->count; i++) {
		int count;

		distinct(c, assignment, related->articles[i]->title, RELATED_TITLE_WORDS, &title);
		count = __builtin_popcountll(shared(&words, &title));
		if (!taken[i] && count > most) {
			most = count;
			best = related->articles[i];
		}
	}
	return best;
}

/* ---- a theme */

enum {
	/* of the newest articles: they show what the workspace is about now */
	TITLES_MAX = 50,
	TITLE_WORDS = 20,
	PHRASE_WORDS = 3,
	WHOLE_TITLE_MAX = 60, /* code points of a title without a word */
	CJK_MIN = 2, /* characters of a phrase in Han or Katakana */
	CJK_MAX = 6,
	CJK_RUN_MAX = 24 /* characters of a run that are examined */
};

struct titles {
	const char *text[TITLES_MAX];
	struct words words[TITLES_MAX];
	size_t count;
};

struct theme {
	const char *text; /* "" for none */
	/* titles that hold it, times its length in words or characters of CJK */
	size_t score;
};

static void
read_titles(struct ctx *c, const struct assignment *assignment, struct titles *t)
{
	for (size_t i = 0; i < assignment->article_count && i < TITLES_MAX; i++) {
		t->text[i] = assignment->articles[i].title;
		words_split(
		    c, assignment->workspace.language, t->text[i], TITLE_WORDS, &t->words[i]);
		t->count++;
	}
}

/* Returns whether the words [at, at + len) are one phrase: they are joined, and
 * neither the first nor the last is a stop word or a run of Han or Katakana. */
static bool
is_phrase(const struct words *w, size_t at, size_t len)
{
	if (at + len > w->count || w->list[at].stop || w->list[at].cjk ||
	    w->list[at + len - 1].stop || w->list[at + len - 1].cjk)
		return false;
	for (size_t i = at + 1; i < at + len; i++) {
		if (!w->list[i].joined)
			return false;
	}
	return true;
}

/* Returns the phrase as the title writes it. */
static const char *
phrase_text(struct ctx *c, const struct titles *t, size_t title, size_t at, size_t len)
{
	const struct word *list = t->words[title].list;

	return arena_text_n(
	    c->arena, t->text[title] + list[at].at, list[at + len - 1].end - list[at].at);
}

static bool
has_phrase(const struct words *w, const struct word *phrase, size_t len)
{
	for (size_t at = 0; at + len <= w->count; at++) {
		size_t same = 0;
		while (same < len && words_same(&w->list[at + same], &phrase[same]))
			same++;
		if (same == len)
			return true;
	}
	return false;
}

/* Takes a phrase as the theme if it is better than the best one. A phrase of one title
 * only is no theme. A longer phrase says more, so fewer titles may hold it. */
static void
consider(struct theme *best, const char *text, size_t titles, size_t length)
{
	if (titles < 2 || titles * length <= best->score)
		return;
	best->text = text;
	best->score = titles * length;
}

static void
consider_phrases(struct ctx *c, const struct titles *t, size_t title, struct theme *best)
{
	const struct words *w = &t->words[title];

	for (size_t at = 0; at < w->count; at++) {
		for (size_t len = 1; len <= PHRASE_WORDS; len++) {
			size_t titles = 0;
			if (!is_phrase(w, at, len))
				continue;
			for (size_t i = 0; i < t->count; i++)
				titles += has_phrase(&t->words[i], &w->list[at], len);
			consider(best, phrase_text(c, t, title, at, len), titles, len);
		}
	}
}

/* Returns how many titles hold `text`. */
static size_t
titles_with(const struct titles *t, const char *text)
{
	size_t count = 0;

	for (size_t i = 0; i < t->count; i++)
		count += strstr(t->text[i], text) != NULL;
	return count;
}

/* Considers the parts of a run of Han or Katakana. */
static void
consider_run(struct ctx *c, const struct titles *t, const struct word *run, struct theme *best)
{
	const char *p = run->text;

	for (int i = 0; *p != '\0' && i < CJK_RUN_MAX; i++, utf8_next(&p)) {
		for (size_t len = CJK_MIN; len <= CJK_MAX; len++) {
			size_t bytes = utf8_prefix(p, len);
			char *part = arena_text_n(c->arena, p, bytes);
			if (utf8_length(part) == len)
				consider(best, part, titles_with(t, part), len);
		}
	}
}

static const char *
with_capital(struct ctx *c, const char *text)
{
	const char *p = text;
	struct buf b;

	while (*p != '\0' && *p != ' ') {
		if (utf8proc_category((utf8proc_int32_t)utf8_next(&p)) == UTF8PROC_CATEGORY_LU)
			return text;
	}
	p = text;
	buf_init(&b, c->arena, strlen(text) + 8);
	buf_add_code_point(&b, (uint32_t)utf8proc_totitle((utf8proc_int32_t)utf8_next(&p)));
	buf_add_text(&b, p);
	return b.data;
}

/* Takes the longest of the phrases that begin first in a title. */
static void
first_phrase(struct ctx *c, const struct titles *t, size_t title, struct theme *best)
{
	const struct words *w = &t->words[title];

	for (size_t at = 0; at < w->count && best->text[0] == '\0'; at++) {
		size_t len = PHRASE_WORDS;
		while (len > 0 && !is_phrase(w, at, len))
			len--;
		if (w->list[at].cjk && !w->list[at].stop)
			best->text = w->list[at].text;
		else if (len > 0)
			best->text = phrase_text(c, t, title, at, len);
	}
}

const char *
theme_find(struct ctx *c, const struct assignment *assignment)
{
	struct titles *t = arena_alloc(c->arena, sizeof(*t));
	struct theme best = { "", 0 };

	read_titles(c, assignment, t);
	for (size_t i = 0; i < t->count; i++) {
		consider_phrases(c, t, i, &best);
		for (size_t k = 0; k < t->words[i].count; k++) {
			if (t->words[i].list[k].cjk)
				consider_run(c, t, &t->words[i].list[k], &best);
		}
	}
	for (size_t i = 0; i < t->count && best.text[0] == '\0'; i++)
		first_phrase(c, t, i, &best);
	for (size_t i = 0; i < t->count && best.text[0] == '\0'; i++) {
		if (!title_is_blank(t->text[i]))
			best.text = title_cut(c, t->text[i], WHOLE_TITLE_MAX);
	}
	return best.text[0] != '\0' ? with_capital(c, best.text) : NULL;
}
