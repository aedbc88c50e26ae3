#include <string.h>
#include <strings.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "base/utf8.h"
#include "content/lang.h"
#include "export/checks/checks.h"

#define LETTERS_MIN 40 /* fewer letters do not tell a language */
#define VOTES_MIN 8 /* another language needs so many votes */
#define WORDS_MAX 4000 /* at most so many words vote */
#define SLOTS 4096 /* a power of two, for some 1,000 frequent words */
#define LANGUAGES_MAX 64

/* A frequent word, and the languages that have it, one bit each. */
struct slot {
	const char *word;
	size_t len;
	uint64_t languages;
};

struct vote {
	struct slot slots[SLOTS];
	size_t words;
	size_t votes[LANGUAGES_MAX];
	size_t letters[SCRIPT_REST + 1];
	size_t letter_count;
};

/* Returns the slot of a word, or the free slot where the word belongs. */
static struct slot *
slot_of(struct vote *v, const char *word, size_t len)
{
	size_t hash = 5381;

	for (size_t i = 0; i < len; i++)
		hash = hash * 33 + (unsigned char)word[i];
	for (hash &= SLOTS - 1;; hash = (hash + 1) & (SLOTS - 1)) {
		struct slot *slot = &v->slots[hash];
		if (slot->word == NULL || (slot->len == len && memcmp(slot->word, word, len) == 0))
			return slot;
	}
}

/* Adds the frequent words of a language, folded. */
static void
add_words(struct vote *v, struct arena *a, size_t language)
{
	const char *p = lang_fold(a, checks_words[language].frequent);

	while (*p != '\0') {
		size_t len = strcspn(p, " ");
		struct slot *slot = slot_of(v, p, len);
		slot->word = p;
		slot->len = len;
		slot->languages |= UINT64_C(1) << language;
		p += len + (p[len] == ' ');
	}
}

/* Gives a vote to each language that has the word among its frequent ones. */
static void
count_word(struct vote *v, const char *word, size_t len)
{
	uint64_t languages = slot_of(v, word, len)->languages;

	v->words++;
	for (size_t i = 0; languages != 0; i++, languages >>= 1)
		v->votes[i] += languages & 1;
}

/* Counts the letters of each script, and lets each word vote. */
static void
count_text(struct vote *v, struct arena *a, const char *text)
{
	const char *p = lang_fold(a, text), *word = NULL;

	while (*p != '\0') {
		const char *at = p;
		uint32_t cp = utf8_next(&p);
		enum lang_script script = lang_script(cp);
		v->letters[script]++;
		v->letter_count += script != SCRIPT_OTHER;
		if (lang_is_word(cp)) {
			if (word == NULL)
				word = at;
		} else if (word != NULL) {
			count_word(v, word, (size_t)(at - word));
			word = NULL;
		}
	}
	if (word != NULL)
		count_word(v, word, (size_t)(p - word));
}

static const struct {
	const char *subtag;
	enum lang_script script;
} subtags[] = {
	{ "Latn", SCRIPT_LATIN },
	{ "Grek", SCRIPT_GREEK },
	{ "Cyrl", SCRIPT_CYRILLIC },
	{ "Hebr", SCRIPT_HEBREW },
	{ "Arab", SCRIPT_ARABIC },
	{ "Deva", SCRIPT_DEVANAGARI },
	{ "Hans", SCRIPT_HAN },
	{ "Hant", SCRIPT_HAN },
	{ "Hani", SCRIPT_HAN },
	{ "Jpan", SCRIPT_KANA },
	{ "Kore", SCRIPT_HANGUL },
	{ "Hang", SCRIPT_HANGUL },
	{ "Thai", SCRIPT_THAI },
};

/* Returns the script that the language tag asks for, or SCRIPT_OTHER if the
 * language's script is not known. */
static enum lang_script
script_of(const char *tag, int language)
{
	const char *subtag = lang_table_script(tag);

	if (subtag == NULL)
		return language < 0 ? SCRIPT_OTHER : checks_words[language].script;
	for (size_t i = 0; i < sizeof(subtags) / sizeof(*subtags); i++) {
		if (strncasecmp(subtag, subtags[i].subtag, 4) == 0)
			return subtags[i].script;
	}
	return SCRIPT_REST;
}

static const char *
script_name(enum lang_script script)
{
	static const char *const names[] = { "other", "Latin", "Greek", "Cyrillic", "Hebrew",
		"Arabic", "Devanagari", "Chinese", "Japanese", "Korean", "Thai", "other" };

	return names[script];
}

/* Returns the number of letters of a script. In Japanese and Korean texts,
 * Chinese characters count, too. */
static size_t
letters_in(const struct vote *v, enum lang_script script)
{
	size_t count = v->letters[script];

	if (script == SCRIPT_KANA || script == SCRIPT_HANGUL)
		count += v->letters[SCRIPT_HAN];
	return count;
}

/* Check 13, first part: at least half of the letters must be of the script of the
 * article's language. The share of kana tells Japanese from Chinese, and the
 * share of Hangul tells Korean from Chinese. */
static const char *
check_script(const struct checks *k, const struct vote *v, enum lang_script script)
{
	size_t kana = v->letters[SCRIPT_KANA], han = v->letters[SCRIPT_HAN];
	enum lang_script most = SCRIPT_LATIN;

	for (int s = SCRIPT_LATIN; s <= SCRIPT_REST; s++) {
		if (v->letters[s] > v->letters[most])
			most = (enum lang_script)s;
	}
	if (script == SCRIPT_HAN && 10 * kana > han + kana)
		return tr_for(k->c, "The text reads like Japanese: it has kana.");
	if ((script == SCRIPT_KANA && 20 * kana < han) ||
	    (script == SCRIPT_HANGUL && v->letters[SCRIPT_HANGUL] < han))
		return tr_for(
		    k->c, "The text reads like Chinese: nearly all of it is Han characters.");
	if (2 * letters_in(v, script) < v->letter_count)
		return arena_printf(k->arena,
		    tr_for(k->c, "Most letters are %s; the article's language is %s."),
		    script_name(most), k->f->language);
	return NULL;
}

/* Check 13, second part: the check fails if another language of the script has
 * VOTES_MIN votes or more, and over a quarter more than the article's own. */
static const char *
check_vote(const struct checks *k, const struct vote *v, int language)
{
	size_t own = v->votes[language], best = 0;

	for (size_t i = 0; i < checks_words_count; i++) {
		if (v->votes[i] > v->votes[best])
			best = i;
	}
	if (v->votes[best] < VOTES_MIN || 4 * v->votes[best] <= 5 * own)
		return NULL;
	return arena_printf(k->arena,
	    tr_for(k->c, "The text reads like %s; the article's language is %s (%s)."),
	    checks_words[best].name, checks_words[language].name, k->f->language);
}

const char *
checks_language(const struct checks *k)
{
	struct vote *v = arena_alloc(k->arena, sizeof(*v));
	int language = checks_words_find(k->f->language);
	enum lang_script script = script_of(k->f->language, language);
	const char *reason;

	if (script == SCRIPT_OTHER)
		return NULL;
	for (size_t i = 0; i < checks_words_count; i++) {
		if (checks_words[i].script == script)
			add_words(v, k->arena, i);
	}
	for (size_t i = 0; i < k->text_count && v->words < WORDS_MAX; i++) {
		if (k->texts[i].kind != CONTENT_IS_CODE)
			count_text(v, k->arena, checks_prose(k, &k->texts[i]));
	}
	if (v->letter_count < LETTERS_MIN)
		return NULL;
	reason = check_script(k, v, script);
	if (reason == NULL && language >= 0 && checks_words[language].script == script &&
	    checks_words[language].frequent[0] != '\0')
		reason = check_vote(k, v, language);
	return reason;
}
