/* suite: fast */
#include "provider/openai/model-text.h"

#include "base/arena.h"
#include "base/ctx.h"
#include "base/utf8.h"
#include "content/inline.h"
#include "tests/tap.h"

static struct arena arena;
static struct ctx ctx = { .arena = &arena };

/* Three sources, none of them cited yet. */
static struct openai_sources *
three_sources(void)
{
	struct openai_sources *sources = arena_alloc(&arena, sizeof(*sources));

	sources->count = 3;
	for (size_t i = 0; i < sources->count; i++) {
		sources->list[i].title = "Source";
		sources->list[i].summary = "";
	}
	sources->list[1].url = "https://www.example.org/two_(2)";
	return sources;
}

static const struct {
	const char *text, *want;
} marked[] = {
	{ "Plain text.", "Plain text." },
	{ "**Strong**, *emphasis*, `code`.", "**Strong**, *emphasis*, `code`." },
	{ "Two\n lines\tand  spaces ", "Two lines and spaces" },
	/* citations */
	{ "A fact [2].", "A fact[^r1]." },
	{ "A fact [3], another [1], again [3].", "A fact[^r1], another[^r2], again[^r1]." },
	{ "A fact [1, 3].", "A fact[^r1][^r2]." },
	{ "A fact [1][2].", "A fact[^r1][^r2]." },
	{ "A fact [^2] and [^r3].", "A fact[^r1] and[^r2]." },
	{ "A fact [2](https://evil.example/).", "A fact[^r1]." },
	{ "حقيقة [٢].", "حقيقة[^r1]." },
	{ "حقيقة [٢، ٣].", "حقيقة[^r1][^r2]." },
	{ "Unknown [4] [0] [999].", "Unknown." },
	{ "Half known [9, 1].", "Half known[^r1]." },
	{ "The year [2024] and [sic].", "The year \\[2024\\] and \\[sic\\]." },
	{ "A note [^note].", "A note." },
	{ "`a[1]` stays code", "`a[1]` stays code" },
	{ "\\[1] is escaped", "\\[1\\] is escaped" },
	/* links */
	{ "See [here](https://evil.example/x).", "See here." },
	{ "See [it](https://www.example.org/two_(2)).",
	    "See [it](https://www.example.org/two_\\(2\\))." },
	{ "See [bad](javascript:alert(1)).", "See bad." },
	{ "See [our page](/about).", "See our page." },
	{ "See [a](b \"title\") and [c]()", "See a and c" },
	{ "![a picture](https://evil.example/x.png)", "a picture" },
	{ "[a [b](https://evil.example/) c](/x)", "\\[a b c\\](/x)" },
	{ "[**bold** text](/x) on", "**bold** text on" },
	{ "(as [sic]) and f(x) stay", "(as \\[sic\\]) and f(x) stay" },
	{ "a[0](x) and f(x)[y]", "a and f(x)\\[y\\]" },
	{ "**[x](https://evil.example/)**", "**x**" },
	/* HTML */
	{ "a<b>b</b>c", "abc" },
	{ "One<br>two<p class=\"x\">three</p>", "One two three" },
	{ "<script>alert(1)</script>Text", "Text" },
	{ "<SCRIPT src=x>alert(1)</ScRiPt >Text", "Text" },
	{ "<style>p{}</style>Text<!-- no -->.", "Text." },
	{ "<img src=x onerror=alert(1)>Text", "Text" },
	{ "<a href=\"https://evil.example\">text</a>", "text" },
	{ "Tom &amp; Jerry &lt;3", "Tom & Jerry <3" },
	{ "1 <2 and a <b and c", "1 <2 and a <b and c" },
	{ "List<String> and x<y>z", "List<String> and x<y>z" },
	{ "`<b>` is a tag", "`<b>` is a tag" },
	{ "<script>never closed", "never closed" },
	/* characters that are no marks */
	{ "5 * 3 * 2", "5 \\* 3 \\* 2" },
	{ "an ` alone and ** alone", "an \\` alone and \\*\\* alone" },
	{ "", "" },
};

static void
texts_keep_only_our_marks(void)
{
	for (size_t i = 0; i < sizeof(marked) / sizeof(marked[0]); i++) {
		const char *got = openai_text_marked(&ctx, three_sources(), marked[i].text, 10000);
		is_text(got, marked[i].want, "marked: %s", marked[i].text);
	}
}

static const struct {
	const char *text, *plain, *escaped;
} plain[] = {
	{ "A title", "A title", "A title" },
	{ "## **A** title [1]", "A title", "A title" },
	{ "<h2>Tom &amp; <i>Jerry</i></h2>", "Tom & Jerry", "Tom & Jerry" },
	{ "Links [go](https://x.example)", "Links go", "Links go" },
	{ "5 * 3 [a]", "5 * 3 [a]", "5 \\* 3 \\[a\\]" },
	{ " \n ", "", "" },
};

static void
titles_are_plain(void)
{
	for (size_t i = 0; i < sizeof(plain) / sizeof(plain[0]); i++) {
		const char *text = plain[i].text;
		is_text(openai_text_plain(&ctx, text, 300), plain[i].plain, "plain: %s", text);
		is_text(
		    openai_text_escaped(&ctx, text, 300), plain[i].escaped, "escaped: %s", text);
	}
	is_text(
	    openai_text_plain(&ctx, "سماد سماد", 4), "سماد", "a long one is cut at a code point");
}

static void
forbidden_characters_go(void)
{
	is_text(openai_text_scrub(&ctx, "a\u202Eb\uFEFFc\x01"
					"d\r\n\te\u2028f"),
	    "abcd\n\te\nf", "overrides, controls and line separators go");
	is_text(
	    openai_text_scrub(&ctx, "  if x:\n    y"), "  if x:\n    y", "the spaces of code stay");
}

/* Pieces that open, close and break every construct. */
static const char *const pieces[] = { "<", ">", "</", "script", "<!--", "-->", "[", "]", "[^", "[1",
	",", "2]", "(", ")", "(https://", "x", " ", "`", "``", "*", "**", "\\", "&amp;", "&", "٣",
	"\n", "b", "é" };

static void
any_text_gives_a_text(void)
{
	uint32_t seed = 1;
	bool good = true;

	for (int round = 0; round < 20000; round++) {
		struct buf b;
		const char *got;
		arena_reset(&arena);
		buf_init(&b, &arena, 4000);
		for (int i = 0; i < 12; i++) {
			seed = seed * 1664525 + 1013904223;
			buf_add_text(&b, pieces[(seed >> 8) % 28]);
		}
		got = openai_text_marked(&ctx, three_sources(), b.data, 10000);
		if (utf8_valid(got, strlen(got)) && strstr(inline_plain(&arena, got), "\n") == NULL)
			continue;
		good = false;
		printf("# %s\n", b.data);
	}
	ok(good, "any text gives one valid line");
}

static void
long_texts_stay_within_their_limit(void)
{
	struct buf b;
	const char *got;

	buf_init(&b, &arena, 200000);
	while (b.len < 90000)
		buf_lit(&b, "[1]**`");
	got = openai_text_marked(&ctx, three_sources(), b.data, 10000);
	ok(utf8_length(got) <= 10000, "a long text of marks fits its limit");
}

int
main(void)
{
	arena_init(&arena, (size_t)64 * 1024 * 1024);
	texts_keep_only_our_marks();
	titles_are_plain();
	forbidden_characters_go();
	any_text_gives_a_text();
	long_texts_stay_within_their_limit();
	return done_testing();
}
