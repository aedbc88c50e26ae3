/* suite: fast */
#include "content/slug.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/utf8.h"
#include "tests/tap.h"

static struct arena arena;

static const struct {
	const char *text, *slug;
} titles[] = {
	{ "How to compost in a small flat", "how-to-compost-in-a-small-flat" },
	{ "  --What's  new?--  ", "what-s-new" },
	{ "Größe & Maß", "größe-maß" },
	{ "ÀÉÎ", "àéî" },
	{ "a\xCC\x88", "ä" },
	{ "كيف تبني واجهة HTTP/2", "كيف-تبني-واجهة-http-2" },
	{ "मुख्य बातें", "मुख्य-बातें" },
	{ "東京の天気、明日", "東京の天気-明日" },
	{ "Ⅷ 二〇二四年", "ⅷ-二〇二四年" },
	{ "٣ أشياء", "٣-أشياء" },
	{ "", "article" },
	{ "!!! 🎉", "article" },
	{ "a_b.c", "a-b-c" },
	{ "İstanbul", "istanbul" },
};

static void
titles_become_slugs(void)
{
	for (size_t i = 0; i < sizeof(titles) / sizeof(titles[0]); i++) {
		const char *slug = slug_make(&arena, titles[i].text);
		is_text(slug, titles[i].slug, "\"%s\" becomes a slug", titles[i].text);
		ok(slug_is_valid(&arena, slug), "which is valid");
	}
}

static const char *
repeated(const char *piece, size_t times)
{
	struct buf b;

	buf_init(&b, &arena, 100000);
	while (times-- > 0)
		buf_add_text(&b, piece);
	return b.data;
}

static void
long_titles_are_cut(void)
{
	const char *slug;

	slug = slug_make(&arena, repeated("nine char ", 20));
	is_int((int64_t)utf8_length(slug), 79, "a long title is cut at a word");
	slug = slug_make(&arena, repeated("seven c ", 9));
	is_int((int64_t)utf8_length(slug), 71, "one that fits is not");
	slug = slug_make(&arena, repeated("ß", 300));
	is_int((int64_t)utf8_length(slug), 80, "a word that is too long is cut at 80 code points");
	slug = slug_make(&arena, repeated("क्", 60));
	is_int((int64_t)utf8_length(slug), 80, "marks count");
	slug = slug_make(&arena, arena_printf(&arena, "%s\xE0\xA5\x8D", repeated("क", 80)));
	is_int((int64_t)utf8_length(slug), 79, "a character is not cut from its mark");
	slug = slug_make(&arena, repeated("\xCC\x81", 200));
	is_text(slug, "article", "a slug of marks alone is not cut anywhere");
	slug = slug_make(&arena, arena_printf(&arena, "%s b", repeated("a", 80)));
	is_text(slug, repeated("a", 80), "a word that just fits stays whole");
}

static const struct {
	const char *text;
	bool valid;
} forms[] = {
	{ "compost", true },
	{ "a", true },
	{ "größe-2", true },
	{ "", false },
	{ "Compost", false },
	{ "-a", false },
	{ "a-", false },
	{ "a--b", false },
	{ "a b", false },
	{ "a/b", false },
	{ "..", false },
	{ "a\xCC\x88", false },
	{ "a_b", false },
};

static void
forms_are_checked(void)
{
	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++)
		is_int(slug_is_valid(&arena, forms[i].text), forms[i].valid, "\"%s\" is %s slug",
		    forms[i].text, forms[i].valid ? "a" : "no");
	ok(slug_is_valid(&arena, repeated("ü", 200)), "a slug may have 200 code points");
	ok(!slug_is_valid(&arena, repeated("ü", 201)), "and no more");
}

static void
numbers_fit(void)
{
	const char *longest = repeated("a", 80);
	const char *slug = slug_numbered(&arena, longest, 12);

	is_text(slug_numbered(&arena, "compost", 2), "compost-2", "a number is added");
	is_int((int64_t)strlen(slug), 80, "a numbered slug fits 80 code points");
	is_text(slug + 77, "-12", "and ends with its number");
	slug = slug_numbered(&arena, repeated("nine-char-", 8), 2);
	ok(slug_is_valid(&arena, slug), "a numbered slug has no double hyphen");
}

static const struct {
	const char *path, *slug;
} files[] = {
	{ "/posts/2024-03-01-hello-world.md", "hello-world" },
	{ "hello.en.md", "hello-en" },
	{ "Hello World.markdown", "hello-world" },
	{ "/blog/my-post/index.md", "my-post" },
	{ "/blog/2024-03-01-my-post/index.md", "my-post" },
	{ "/blog/v1.2/index.md", "v1-2" },
	{ "/blog/my-post//index.md", "my-post" },
	{ "index.md", "index" },
	{ "./index.md", "index" },
	{ "/index.md", "index" },
	{ "2024-03-01.md", "2024-03-01" },
	{ "abcd-ef-gh-title.md", "abcd-ef-gh-title" },
	{ "2024-03-0x-title.md", "2024-03-0x-title" },
	{ "2024-03-01-.md", "2024-03-01" },
	{ ".hidden", "hidden" },
	{ "README", "readme" },
};

static void
files_have_slugs(void)
{
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++)
		is_text(slug_of_file(&arena, files[i].path), files[i].slug, "%s gives a slug",
		    files[i].path);
}

/* Every code point, alone and between letters: the slug must be valid, or the importer
 * would make slugs that the editor refuses. */
static void
every_derived_slug_is_valid(void)
{
	uint32_t wrong = 0;

	for (uint32_t cp = 1; cp <= 0x10FFFF && wrong == 0; cp++) {
		struct buf b;
		const char *slug;
		if (cp >= 0xD800 && cp <= 0xDFFF)
			continue;
		if (cp % 256 == 0)
			arena_reset(&arena);
		buf_init(&b, &arena, 100);
		buf_add_code_point(&b, cp);
		buf_add_text(&b, "a e");
		buf_add_code_point(&b, cp);
		slug = slug_make(&arena, b.data);
		if (!slug_is_valid(&arena, slug))
			wrong = cp;
	}
	is_int(wrong, 0, "slugs made with any code point are valid");
}

static const struct {
	const char *path, *title, *slug;
} documents[] = {
	{ "/posts/post.md", "My first article", "my-first-article" },
	{ "/posts/Post-2.md", "My first article", "my-first-article" },
	{ "/posts/untitled 3.md", "My first article", "my-first-article" },
	{ "/posts/2024-03-01-draft.md", "My first article", "my-first-article" },
	{ "/posts/2024-03-01.md", "My first article", "my-first-article" },
	{ "/posts/0007.md", "My first article", "0007" },
	{ "/posts/article/index.md", "My first article", "my-first-article" },
	{ "/posts/my-post/index.md", "My first article", "my-post" },
	{ "/posts/2024-03-01-bees.md", "My first article", "bees" },
	{ "/posts/postage.md", "My first article", "postage" },
	{ "/posts/post-office.md", "My first article", "post-office" },
	{ "/posts/top-10.md", "My first article", "top-10" },
	{ "/posts/post.md", "???", "article" },
};

static void
documents_have_slugs(void)
{
	for (size_t i = 0; i < sizeof(documents) / sizeof(documents[0]); i++)
		is_text(slug_of_document(&arena, documents[i].path, documents[i].title),
		    documents[i].slug, "%s, a document, gives a slug", documents[i].path);
}

int
main(void)
{
	arena_init(&arena, 64 * 1024 * 1024);
	titles_become_slugs();
	long_titles_are_cut();
	forms_are_checked();
	numbers_fit();
	files_have_slugs();
	documents_have_slugs();
	every_derived_slug_is_valid();
	return done_testing();
}
