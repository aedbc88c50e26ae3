/* suite: fast */
#include "provider/outline/title.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/ctx.h"
#include "base/utf8.h"
#include "tests/tap.h"

static struct arena arena;
static struct ctx c = { .arena = &arena };

static const struct {
	const char *topic, *title;
} topics[] = {
	{ "Compost", "Compost" },
	{ "How does compost work?", "How does compost work?" },
	{ "Write about compost in flats. Be brief.", "Write about compost in flats" },
	{ "Dr. Who and the worms. More.", "Dr. Who and the worms" },
	{ "Version 1.5 of the compost guide", "Version 1.5 of the compost guide" },
	{ "First line\nSecond line", "First line" },
	{ "堆肥入门。请写得简单。", "堆肥入门" },
	{ "堆肥是什么？请说明。", "堆肥是什么？" },
	{ "खाद कैसे बनाएँ। सरल लिखें।", "खाद कैसे बनाएँ" },
	{ "كيف تصنع السماد؟ اشرح.", "كيف تصنع السماد؟" },
	{ "...", "..." },
	{ "Wait for the worms...", "Wait for the worms..." },
	{ "", "" },
};

static const struct {
	const char *text;
	size_t max;
	const char *cut;
} cuts[] = {
	{ "short", 10, "short" },
	{ "exactly ten", 11, "exactly ten" },
	{ "cut at a word, not inside", 20, "cut at a word, not…" },
	{ "comma, then more words", 8, "comma…" },
	{ "abcdefghijklmno", 10, "abcdefghi…" },
	{ "a bcdefghijklmno", 10, "a bcdefgh…" },
	{ "aaaaaaaae\xCC\x81\xCC\x81z", 10, "aaaaaaaa…" },
	{ "खाद कैसे बनाएँ", 4, "खाद…" },
	{ "aaa\xF0\x9F\x91\xA8\xE2\x80\x8D\xF0\x9F\x91\xA9zzzz", 6, "aaa…" },
};

static void
topics_give_titles(void)
{
	struct buf b;

	for (size_t i = 0; i < sizeof(topics) / sizeof(*topics); i++)
		is_text(title_of_topic(&c, topics[i].topic), topics[i].title,
		    "the title of topic %zu", i);
	buf_init(&b, &arena, 10000);
	for (int i = 0; i < 300; i++)
		buf_add_text(&b, "word ");
	is_int((int64_t)utf8_length(title_of_topic(&c, b.data)), 110, "a long one is cut");
}

static void
texts_are_cut(void)
{
	for (size_t i = 0; i < sizeof(cuts) / sizeof(*cuts); i++)
		is_text(title_cut(&c, cuts[i].text, cuts[i].max), cuts[i].cut,
		    "\"%s\" in %zu code points", cuts[i].text, cuts[i].max);
}

static void
blank_texts_are_known(void)
{
	ok(title_is_blank(""), "an empty text is no title");
	ok(title_is_blank(" \n\t\xC2\xA0\xE3\x80\x80"), "nor are spaces");
	ok(title_is_blank("\xE2\x80\x8B\xE2\x80\x8D\xC2\xAD"), "format characters");
	ok(!title_is_blank("\xE2\x80\x8B."), "a full stop is not");
	ok(!title_is_blank("🌱"), "nor is a pictograph");
}

static void
questions_are_known(void)
{
	ok(title_is_question("Why?"), "an ASCII question mark");
	ok(title_is_question("为什么？"), "a full-width one");
	ok(title_is_question("لماذا؟"), "an Arabic one");
	ok(!title_is_question("Why? Because."), "at the end only");
	ok(!title_is_question(""), "nothing asks nothing");
}

int
main(void)
{
	arena_init(&arena, 10 * 1024 * 1024);
	topics_give_titles();
	texts_are_cut();
	blank_texts_are_known();
	questions_are_known();
	return done_testing();
}
