/* suite: fast */
#include "provider/outline/related.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/ctx.h"
#include "tests/tap.h"

static struct arena arena;
static struct ctx c = { .arena = &arena };

static const struct {
	const char *tag, *text, *words; /* stop words in parentheses */
} texts[] = {
	{ "en", "", "" },
	{ "en", "How to compost", "(how) (to) compost" },
	{ "en", "2026: a B-52's Web3", "(2026) (a) (b) (52) (s) web3" },
	{ "en-GB", "THE STRASSE", "(the) strasse" },
	{ "de", "Die Straße", "(die) strasse" },
	{ "sw", "the mbolea", "(the) mbolea" },
	{ "ja", "部屋でコンポストを始める", "部屋 コンポスト (始)" },
	{ "ja", "りんご", "" },
	{ "zh", "如何在家堆肥和种菜", "在家堆肥 种菜" },
	{ "zh", "的", "" },
	{ "en", "的", "(的)" },
	{ "ko", "빵 굽는 법", "(빵) 굽는 (법)" },
	{ "hi", "खाद कैसे", "खाद (कैसे)" },
	{ "en", "</script>&*[x]", "script (x)" },
};

static const char *
joined(const struct words *words)
{
	struct buf b;

	buf_init(&b, &arena, 1000);
	for (size_t i = 0; i < words->count; i++) {
		const struct word *w = &words->list[i];
		buf_printf(&b, w->stop ? "%s(%s)" : "%s%s", i > 0 ? " " : "", w->fold);
	}
	return buf_done(&b);
}

static void
texts_are_split(void)
{
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		struct words words;

		words_split(&c, texts[i].tag, texts[i].text, 20, &words);
		is_text(joined(&words), texts[i].words, "%s: \"%s\" is split", texts[i].tag,
		    texts[i].text);
	}
}

static void
places_are_kept(void)
{
	const char *text = "Größe, von-bis  oben";
	struct words words;

	words_split(&c, "en", text, 20, &words);
	is_int((int64_t)words.count, 4, "four words");
	is_int((int64_t)words.list[1].at, 9, "where one begins, in bytes");
	is_int((int64_t)words.list[1].end, 12, "and ends");
	ok(!words.list[1].joined, "a comma parts");
	ok(words.list[2].joined, "a hyphen joins");
	ok(words.list[3].joined, "spaces join");
	words_split(&c, "en", text, 2, &words);
	is_int((int64_t)words.count, 2, "no more than asked for");
}

static const struct {
	const char *a, *b;
	bool same;
} pairs[] = {
	{ "compost", "Compost", true },
	{ "compost", "composting", true },
	{ "compost", "compositions", false },
	{ "cars", "card", false },
	{ "card", "cards", true },
	{ "contact", "contract", false },
	{ "Garten", "Gärten", true },
	{ "компост", "компоста", true },
	{ "السماد", "سماد", true },
	{ "سماد", "والسماد", true },
	{ "הקומפוסט", "קומפוסט", true },
	{ "퇴비를", "퇴비", true },
	{ "퇴비", "퇴근", false },
	{ "堆肥", "阳台堆肥", true },
	{ "堆肥", "肥堆", false },
	{ "コンポスト", "コンテスト", true },
	{ "堆肥", "compost", false },
};

static void
forms_of_one_word_are_the_same(void)
{
	for (size_t i = 0; i < sizeof(pairs) / sizeof(*pairs); i++) {
		struct words a, b;

		words_split(&c, "en", pairs[i].a, 1, &a);
		words_split(&c, "en", pairs[i].b, 1, &b);
		is_int(words_same(&a.list[0], &b.list[0]), pairs[i].same, "%s and %s", pairs[i].a,
		    pairs[i].b);
		is_int(words_same(&b.list[0], &a.list[0]), pairs[i].same, "the other way round");
	}
}

static void
distinct_words_come_once(void)
{
	struct words words;

	words_split(&c, "en", "The garden and the gardens: composting compost in 2026", 20, &words);
	words_distinct(&words);
	is_text(joined(&words), "garden composting",
	    "without stop words, numbers and forms of one before");
}

int
main(void)
{
	arena_init(&arena, 10 * 1024 * 1024);
	texts_are_split();
	places_are_kept();
	forms_of_one_word_are_the_same();
	distinct_words_come_once();
	return done_testing();
}
