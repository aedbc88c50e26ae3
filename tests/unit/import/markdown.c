#include "import/markdown/markdown.h"

#include <sys/stat.h>
#include <sys/time.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "base/fileio.h"
#include "tests/tap.h"

#define FIXTURES "tests/fixtures/markdown/"

#define TEN(text) text text text text text text text text text text
#define HUNDRED(text) TEN(TEN(text))

static struct arena arena;
static struct ctx ctx = { .arena = &arena };
static const struct settings settings = { .language = "en", .website = "https://www.example.com" };
static const struct settings no_website = { .language = "en" };
static struct document_options options = { .settings = &settings };

static const char *
json_of(const struct content *content)
{
	struct buf out;

	buf_init(&out, &arena, 8 * 1024 * 1024);
	content_to_json(content, NULL, &out);
	return buf_done(&out);
}

/* Reads a text; returns its content as JSON, or the refusal's sentence. */
static const char *
read_text(const char *text, size_t len, struct document *out, const char **notes)
{
	struct notes list = { .c = &ctx };
	struct err *err = markdown_read(&ctx, text, len, &options, &list, out);
	struct buf all;

	buf_init(&all, &arena, 1024 * 1024);
	for (size_t i = 0; i < list.count; i++)
		buf_printf(&all, "%s\n", list.lines[i]);
	*notes = all.data;
	return err != NULL ? err->message : json_of(&out->snapshot.content);
}

static const char *
file(const char *name, const char *extension)
{
	const char *path = arena_printf(&arena, FIXTURES "%s%s", name, extension);
	char *text = fileio_read(&arena, path, 1024 * 1024, NULL);

	if (text == NULL)
		bail("%s cannot be read", path);
	return text;
}

/* Whole documents: their content, the notes, and the way back to Markdown. */
static void
test_fixtures(void)
{
	static const char *const names[] = { "english", "arabic", "japanese", "html", "hostile" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		struct document document, back;
		const char *text = file(names[i], ".md"), *notes, *got;
		struct buf out;
		options.path = arena_printf(&arena, FIXTURES "%s.md", names[i]);
		got = read_text(text, strlen(text), &document, &notes);
		is_text(arena_printf(&arena, "%s\n", got), file(names[i], ".json"),
		    "%s.md becomes its content", names[i]);
		is_text(notes, file(names[i], ".notes"), "all that %s.md loses is told", names[i]);
		buf_init(&out, &arena, 4 * 1024 * 1024);
		markdown_write(&ctx, &document, &out);
		is_text(read_text(out.data, out.len, &back, &notes), got,
		    "%s.md comes back as it was", names[i]);
		is_text(notes, "", "and loses nothing more");
		options.path = NULL;
		arena_reset(&arena);
	}
}

/* A body, and a text that its content (or the refusal, or the notes) must hold. */
struct sample {
	const char *name, *text, *content, *notes;
};

/* Returns the content of the first section's body, up to its end. */
static const struct sample samples[] = {
	{ "a soft break is a space", "one\ntwo", "\"text\":\"one two\"", NULL },
	{ "a hard break is a line's end", "one\\\ntwo  \nthree", "\"text\":\"one\\ntwo\\nthree\"",
	    NULL },
	{ "marks are kept", "*a* _b_ **c** __d__ `e` ***f***", "*a* *b* **c** **d** `e` ***f***",
	    NULL },
	{ "strong emphasis is read back in any order", "**_a_** _**b**_",
	    "\"text\":\"***a*** ***b***\"", NULL },
	{ "what looks like a mark is literal", "2 \\* 3 snake_case \\[x\\]",
	    "2 \\\\* 3 snake_case \\\\[x\\\\]", NULL },
	{ "a mark that is not closed is literal", "*a", "\"text\":\"\\\\*a\"", NULL },
	{ "references to characters are read", "&eacute;&#x41;&lt;b&gt;", "éA<b>", NULL },
	{ "code may hold backticks", "`` a`b ``", "``a`b``", NULL },
	{ "marks lose the spaces at their ends", "<b> a </b>b", "\"text\":\"**a** b\"", NULL },
	{ "empty marks vanish", "a<b></b>c<i> </i>d", "\"text\":\"ac d\"", NULL },
	{ "marks that meet are one", "<b>a</b><b>b</b>", "\"text\":\"**ab**\"", NULL },
	{ "a link is cleaned", "[a](HTTPS://Example.COM/ü \"t\")",
	    "[a](https://example.com/%C3%BC)", "the title of a link" },
	{ "a relative link is resolved", "[a](../b/?c#d)", "[a](https://www.example.com/b/?c#d)",
	    NULL },
	{ "a link to an address alone is one", "<https://example.com/a>",
	    "[https://example.com/a](https://example.com/a)", NULL },
	{ "a bare address is a link, up to the punctuation behind it",
	    "a (https://example.com/b_(c)), HTTP://example.com/d.",
	    "\"text\":\"a ([https://example.com/b_(c)](https://example.com/b_\\\\(c\\\\))), [HTTP://example.com/d](http://example.com/d).\"",
	    NULL },
	{ "so is one without a scheme", "a **www.example.com/b** c",
	    "\"text\":\"a **[www.example.com/b](http://www.example.com/b)** c\"", NULL },
	{ "it is written without the backslashes of Markdown",
	    "https://example.com/\\_a\\_?b=1\\&c=2&amp;d=3",
	    "[https://example.com/_a_?b=1&c=2&d=3](https://example.com/_a_?b=1&c=2&d=3)", NULL },
	{ "with a hundred parentheses after it, too", "https://e.org/b" HUNDRED(")"),
	    "\"text\":\"[https://e.org/b](https://e.org/b)))", NULL },
	{ "with more it is text", "https://e.org/b)" HUNDRED(")"), "\"text\":\"https://e.org/b)))",
	    NULL },
	{ "and so is one without a scheme", "www.e.org/b)" HUNDRED(")"),
	    "\"text\":\"www.e.org/b)))", NULL },
	{ "with a backslash it is text", "https\\://example.com www\\.example.com",
	    "\"text\":\"https://example.com www.example.com\"", NULL },
	{ "in code it is code", "`https://example.com`", "\"text\":\"`https://example.com`\"",
	    NULL },
	{ "in a link it is the link's text", "[a https://example.com](https://example.org/)",
	    "\"text\":\"[a https://example.com](https://example.org/)\"", NULL },
	{ "in a cell it is a link", "| a |\n|---|\n| www.example.com |",
	    "\"rows\":[[\"[www.example.com](http://www.example.com)\"]]", NULL },
	{ "behind a source's title it is the source's address",
	    "a[^1]\n\n[^1]: Soil, https://example.org/soil.",
	    "\"title\":\"Soil\",\"url\":\"https://example.org/soil\"", NULL },
	{ "bare addresses of mail and of other schemes are text",
	    "a@example.com mailto:a@example.com ftp://example.com/b xmpp:a@example.com",
	    "\"text\":\"a@example.com mailto:a@example.com ftp://example.com/b xmpp:a@example.com\"",
	    NULL },
	{ "what is no address is text", "https:// www. https://-",
	    "\"text\":\"https:// www. https://-\"", NULL },
	{ "mail addresses are links", "<a@example.com>", "[a@example.com](mailto:a@example.com)",
	    NULL },
	{ "an anchor that there is not leaves text", "[a](#b)", "\"text\":\"a\"",
	    "the link to #b stays as text" },
	{ "a list holds lists", "- a\n  1. b\n     - c\n- d",
	    "{\"type\":\"list\",\"ordered\":false,\"items\":[{\"text\":\"a\",\"ordered\":true,\"items\":[{\"text\":\"b\",\"items\":[{\"text\":\"c\",\"items\":[]}]}]},{\"text\":\"d\",\"items\":[]}]}",
	    NULL },
	{ "an item's paragraphs are one text", "- a\n\n  b\n- c",
	    "{\"text\":\"a\\n\\nb\",\"items\":[]}", NULL },
	{ "a list's first number is told", "3. a\n4. b", "\"ordered\":true",
	    "line 4: a list that began at 3 begins at 1" },
	{ "code has its language", "```c++ x\n\ta < b\n\n```",
	    "\"language\":\"c++\",\"text\":\"\\ta < b\\n\"", "what follows the language" },
	{ "indented code is code", "    a\n\n     b",
	    "{\"type\":\"code\",\"language\":null,\"text\":\"a\\n\\n b\"}", NULL },
	{ "a quote's paragraphs are one text", "> a\n>\n> b",
	    "{\"type\":\"quote\",\"text\":\"a\\n\\nb\",\"cite\":null}", NULL },
	{ "code in a quote stands after it", "> a\n>\n>     b\n>\n> c",
	    "{\"type\":\"quote\",\"text\":\"a\\n\\nc\",\"cite\":null},{\"type\":\"code\"",
	    "in a quote stand after it now" },
	{ "a note has its kind", "> [!WARNING]\n> Hot *here*.",
	    "\"callouts\":[{\"kind\":\"warning\",\"title\":null,\"text\":\"Hot *here*.\"}]", NULL },
	{ "a note may have a title", "> [!tip]- A title\n> Text.",
	    "{\"kind\":\"tip\",\"title\":\"A title\",\"text\":\"Text.\"}", NULL },
	{ "boxes to tick are text", "- [ ] a\n- [x] b", "\"type\":\"list\"",
	    "a list has no boxes to tick" },
	{ "an unknown kind of note is a quote", "> [!WHAT]\n> Text.",
	    "\"text\":\"\\\\[!WHAT\\\\] Text.\"", NULL },
	{ "a picture is a block", "![a *b*](https://example.com/c.png \"d\")",
	    "\"body\":[{\"type\":\"image\",\"url\":\"https://example.com/c.png\",\"alt\":\"a b\",\"caption\":\"d\"",
	    NULL },
	{ "a picture in a paragraph stands after it", "a ![b](https://example.com/c.png) d",
	    "{\"type\":\"paragraph\",\"text\":\"a d\"},{\"type\":\"image\"", NULL },
	{ "the name of a stored picture stays",
	    "![a](media:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef.png)",
	    "\"url\":\"media:0123456789abcdef", NULL },
	{ "another address of that scheme does not", "![a](media:../../etc/passwd)",
	    "\"text\":\"a\"", "the picture \"media:../../etc/passwd\" was dropped" },
	{ "a picture that links leaves its link",
	    "[![b](https://example.com/c.png)](https://example.com/)",
	    "\"body\":[{\"type\":\"image\"", "a link without text was dropped" },
	{ "a table has columns and rows", "|a|b|\n|-|-|\n|*c*|d\\|e|",
	    "\"columns\":[\"a\",\"b\"],\"rowHeader\":false,\"rows\":[[\"*c*\",\"d|e\"]]", NULL },
	{ "its columns may be aligned", "|a|b|c|d|\n|:-|:-:|-:|-|\n|1|2|3|4|",
	    "\"columns\":[\"a\",\"b\",\"c\",\"d\"],\"align\":[\"left\",\"center\",\"right\",null],",
	    NULL },
	{ "in HTML, too",
	    "<table><tr><th align=\"RIGHT\">a</th><th style=\"text-align: center\">b</th><th data-align=\"left\">c</th><th align=\"justify\">d</th></tr></table>",
	    "\"align\":[\"right\",\"center\",\"left\",null],", NULL },
	{ "a short row is filled up", "|a|b|\n|-|-|\n|c|", "\"rows\":[[\"c\",\"\"]]", NULL },
	{ "cells too many are told", "|a|\n|-|\n|b|c|", "\"rows\":[[\"b\"]]",
	    "line 6: a row has more cells" },
	{ "struck-out text keeps its signs", "a ~~b **c**~~ d <s>e</s><del></del>",
	    "\"text\":\"a ~~b **c**~~ d ~~e~~\"", "line 4: struck-out text is kept with ~~" },
	{ "a rule is a block", "a\n\n---\n\nb",
	    "{\"type\":\"rule\"},{\"type\":\"paragraph\",\"text\":\"b\"}", NULL },
	{ "not in a quote", "> a\n>\n> ---\n>\n> b", "\"text\":\"a\\n\\nb\"",
	    "line 6: a horizontal rule was dropped" },
	{ "nor between the title and the first heading", "---\n\n## A\n\nb\n\n---",
	    "\"sections\":[{\"id\":\"s1\",\"heading\":\"A\",\"body\":[{\"type\":\"paragraph\",\"text\":\"b\"},{\"type\":\"rule\"}]",
	    "line 4: a horizontal rule was dropped" },
	{ "nor in a part", "## Key takeaways\n\n- a\n\n---\n\n## B\n\nc", "\"takeaways\":[\"a\"]",
	    "line 8: a horizontal rule was dropped" },
	{ "a footnote is a source", "a[^x]\n\n[^x]: [T](https://e.org/), P, 2024",
	    "\"text\":\"a[^r1]\"", NULL },
	{ "with the text after its link", "a[^x]\n\n[^x]: [T](https://e.org/), P, 2024",
	    "{\"id\":\"r1\",\"title\":\"T\",\"url\":\"https://e.org/\",\"publisher\":\"P\",\"published\":\"2024\",\"accessed\":null}",
	    NULL },
	{ "a date ends with a number", "a[^x]\n\n[^x]: [T](https://e.org/), P, 2024-0-",
	    "\"publisher\":\"P, 2024-0-\",\"published\":null", NULL },
	{ "a footnote without link has its text", "a[^x]\n\n[^x]: See *there*.",
	    "{\"id\":\"r1\",\"title\":\"See there.\",\"url\":null", NULL },
	{ "a footnote's own name stays", "a[^r7]\n\n[^r7]: T", "a[^r7]", NULL },
	{ "a footnote without definition is text", "a[^x]", "\"text\":\"a\\\\[^x\\\\]\"", NULL },
	{ "headings open sections", "a\n\n## B\n\nc\n\n### D\n\n#### E",
	    "{\"id\":\"s2\",\"heading\":\"B\",\"body\":[{\"type\":\"paragraph\",\"text\":\"c\"}],\"steps\":[],\"tables\":[],\"callouts\":[],\"subsections\":[{\"id\":\"s2-1\",\"heading\":\"D\",\"body\":[{\"type\":\"heading\",\"text\":\"E\"}]",
	    NULL },
	{ "levels are relative", "### A\n\n##### B\n\nc",
	    "\"subsections\":[{\"id\":\"s1-1\",\"heading\":\"B\"", NULL },
	{ "a deeper heading with none above opens a section", "#### A\n\n## B\n\n### C",
	    "\"sections\":[{\"id\":\"s1\",\"heading\":\"A\"", NULL },
	{ "equal headings beside each other do not nest", "### A\n\n### B\n\n## C",
	    "{\"id\":\"s2\",\"heading\":\"B\"", NULL },
	{ "underlined headings are headings", "A\n===\n\nB\n---",
	    "\"subsections\":[{\"id\":\"s1-1\",\"heading\":\"B\"", NULL },
	{ "a heading's anchor is not its text", "## A b {#c}\n\n[d](#c) [e](#a-b)",
	    "\"heading\":\"A b\",\"body\":[{\"type\":\"paragraph\",\"text\":\"[d](#s1) [e](#s1)\"}]",
	    NULL },
	{ "equal headings have numbered anchors", "## A\n\n## A\n\n[b](#a-1)", "[b](#s2)", NULL },
	{ "an anchor may be encoded", "## Größe\n\n[b](#gr%C3%B6%C3%9Fe)", "[b](#s1)", NULL },
	{ "questions are found by their heading", "## FAQ\n\n### A?\n\nb\n\nc\n\n### D?\n\ne",
	    "\"faqs\":[{\"id\":\"q1\",\"question\":\"A?\",\"answer\":\"b\\n\\nc\"},{\"id\":\"q2\",\"question\":\"D?\",\"answer\":\"e\"}]",
	    NULL },
	{ "questions that hold code stay a section", "## FAQ\n\n### A?\n\n    b",
	    "\"heading\":\"FAQ\"", "\"FAQ\" stays a section" },
	{ "takeaways are found by their heading", "## Key takeaways\n\n- a\n- **b**",
	    "\"takeaways\":[\"a\",\"**b**\"]", NULL },
	{ "takeaways with more than a list stay a section", "## Key takeaways\n\nText.\n\n- a",
	    "\"heading\":\"Key takeaways\"", "stays a section" },
	{ "sources are found by their heading",
	    "a\n\n## References\n\n1. [T](https://e.org/)\n2. U",
	    "\"references\":[{\"id\":\"r1\",\"title\":\"T\",\"url\":\"https://e.org/\",\"publisher\":null,\"published\":null,\"accessed\":null},{\"id\":\"r2\",\"title\":\"U\"",
	    NULL },
	{ "a byte order mark and other ends of lines are none of the text", "a\r\nb\rc",
	    "\"text\":\"a b c\"", NULL },
	{ "a picture's text may stand on two lines", "![a\nb\\\nc](https://example.com/d.png)",
	    "\"alt\":\"a b c\"", NULL },
	{ "a picture in a picture's text is text", "![a ![b](c.png) d](https://example.com/e.png)",
	    "\"alt\":\"a b d\"", NULL },
	{ "a note's title goes on in its text when marks do", "> [!TIP] a **b**\n> c",
	    "{\"kind\":\"tip\",\"title\":null,\"text\":\"a **b** c\"}", NULL },
	{ "the language of code is dropped when it is none",
	    "```aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\n"
	    "b\n```",
	    "\"language\":null,\"text\":\"b\"", "it is too long" },
	{ "a citation in a link is put after it", "[a[^x] b](https://e.org/)\n\n[^x]: T",
	    "\"text\":\"[a b](https://e.org/)[^r1]\"", NULL },
	{ "two footnotes get two ids",
	    "a[^x] b[^r1] c[^y]\n\n[^x]: T\n\n"
	    "[^r1]: U\n\n[^y]: V",
	    "a[^r2] b[^r1] c[^r3]", NULL },
	{ "a footnote's text is one line", "a[^x]\n\n[^x]: b\\\n    c", "\"title\":\"b c\"", NULL },
	{ "a footnote that cites is told", "a[^x]\n\n[^x]: b[^y]\n\n[^y]: c", "\"title\":\"b\"",
	    "a citation in a source was dropped" },
	{ "a footnote of nothing but a picture is its id",
	    "a[^x]\n\n[^x]: ![](https://e.org/a.png)",
	    "{\"id\":\"r1\",\"title\":\"r1\",\"url\":null", "pictures in footnotes were dropped" },
	{ "and that is told", "a[^x]\n\n[^x]: ![](https://e.org/a.png)", "a[^r1]",
	    "a footnote without text got its id as its text" },
	{ "a footnote's address is of the web", "a[^x]\n\n[^x]: [T](mailto:a@e.org)",
	    "\"title\":\"T\",\"url\":null", "the address of a source was dropped: mailto:a@e.org" },
	{ "a footnote has one link", "a[^x]\n\n[^x]: [T](https://e.org/) and [U](https://e.org/u)",
	    "\"title\":\"T and U\",\"url\":\"https://e.org/\"",
	    "only the first link of a source was kept" },
	{ "a heading over footnotes alone is theirs", "a[^x]\n\n## Sources\n\n[^x]: T",
	    "\"subsections\":[]}],\"faqs\":[],\"references\":[{\"id\":\"r1\"", NULL },
	{ "and names them", "a[^x]\n\n## Sources\n\n[^x]: T", "\"references\":\"Sources\"", NULL },
	{ "sources with a text between them stay a section", "## References\n\n- T\n\nText.",
	    "\"heading\":\"References\"", "stays a section" },
	{ "a source that shows nothing is none", "a[^x]\n\n## References\n\n- T\n- [^x]\n\n[^x]: U",
	    "\"references\":[{\"id\":\"r1\",\"title\":\"U\",\"url\":null,\"publisher\":null,\"published\":null,\"accessed\":null},{\"id\":\"r2\",\"title\":\"T\"",
	    "a source without text was dropped" },
	{ "takeaways in lists of lists stay a section", "## Key takeaways\n\n- a\n  - b",
	    "\"heading\":\"Key takeaways\"", "stays a section" },
	{ "takeaways with headings stay a section", "## Key takeaways\n\n- a\n\n### B\n\nc",
	    "\"heading\":\"Key takeaways\"", "stays a section" },
	{ "questions with a text before them stay a section", "## FAQ\n\nText.\n\n### A?\n\nb",
	    "\"heading\":\"FAQ\"", "stays a section" },
	{ "an anchor that is no text leads nowhere", "## A\n\n[b](#%FF)", "\"text\":\"b\"",
	    "the link to #%FF stays as text" },
	{ "a template's mark is told", "a {% include b %}", "a {% include b %}",
	    "a template's mark" },
	{ "a document may be empty", "", "\"sections\":[]", NULL },
};

/* Returns the document of a body. */
static const char *
with_title(const char *body)
{
	return arena_printf(&arena, "---\ntitle: Title\n---\n%s\n", body);
}

static void
test_samples(void)
{
	for (size_t i = 0; i < sizeof(samples) / sizeof(samples[0]); i++) {
		const struct sample *s = &samples[i];
		const char *text = with_title(s->text), *notes, *got;
		struct document document;
		got = read_text(text, strlen(text), &document, &notes);
		if (!ok(strstr(got, s->content) != NULL, "%s", s->name))
			printf("#  got: %s\n# want: %s\n", got, s->content);
		if (s->notes == NULL)
			is_text(notes, "", "and nothing is lost");
		else if (!ok(strstr(notes, s->notes) != NULL, "and the loss is told"))
			printf("#  got: %s\n# want: %s\n", notes, s->notes);
		arena_reset(&arena);
	}
}

static const struct {
	const char *name, *text, *path, *title, *body;
} titles[] = {
	{ "the title is that of the front matter", "---\ntitle: A\n---\nb", NULL, "A",
	    "\"text\":\"b\"" },
	{ "a first heading that equals it is gone", "---\ntitle: A b\n---\n# a *B*\n\nc", NULL,
	    "A b", "\"heading\":\"\",\"body\":[{\"type\":\"paragraph\",\"text\":\"c\"}]" },
	{ "another first heading stays", "---\ntitle: A\n---\n# B\n\nc", NULL, "A",
	    "\"heading\":\"B\"" },
	{ "without one the first heading is it", "# A `b`\n\nc", NULL, "A b", "\"heading\":\"\"" },
	{ "with none of both the file's name is", "## A", "/x/2026-09-01-getting-paid.md",
	    "Getting paid", "\"heading\":\"A\"" },
	{ "a byte order mark is none of the document", "\xEF\xBB\xBF# A\n\nb", NULL, "A",
	    "\"text\":\"b\"" },
	{ "dashes with a text behind them are no front matter", "--- a\n\n# B\n\nc", NULL, "B",
	    "\"text\":\"--- a\"" },
	{ "index takes its folder's name", "a", "/x/getting-paid/index.md", "Getting paid",
	    "\"text\":\"a\"" },
};

static void
test_titles(void)
{
	for (size_t i = 0; i < sizeof(titles) / sizeof(titles[0]); i++) {
		struct document document;
		const char *notes, *got;
		options.path = titles[i].path;
		got = read_text(titles[i].text, strlen(titles[i].text), &document, &notes);
		is_text(document.snapshot.title, titles[i].title, "%s", titles[i].name);
		ok(strstr(got, titles[i].body) != NULL, "and the body is right");
		options.path = NULL;
		arena_reset(&arena);
	}
}

static const char *
repeated(const char *first, const char *unit, size_t count)
{
	struct buf out;

	buf_init(&out, &arena, 16 * 1024 * 1024);
	buf_add_text(&out, first);
	while (count-- > 0)
		buf_add_text(&out, unit);
	return out.data;
}

/* A refusal names the line; one element less is not refused. */
static const struct {
	const char *name, *first, *unit;
	size_t most;
	const char *refusal; /* for one more; as it begins */
} limits[] = {
	{ "characters of a paragraph", "", "x", 10000, "line 4: a text of" },
	{ "characters of a heading", "## ", "x", 300, "line 4: a heading" },
	{ "items of a list", "", "- a\n", 500, "line " },
	{ "sections", "", "## A\n\n", 60, "There are 61 sections" },
	{ "subsections", "## A\n\n## B\n\n", "### C\n\n", 30, "line 6: there" },
	{ "blocks of a section", "", "a\n\n", 500, "line 4: there are 501" },
	{ "columns of a table", "||\n|-|\n", "", 0, NULL },
	{ "rows of a table", "|a|\n|-|\n", "|b|\n", 500, "line 4: a table" },
	{ "nested quotes", "", ">", 100, "line 4: lists or quotes" },
	{ "tables of a section", "", "|a|\n|-|\n\n", 100, "line 4: there are 101 tables" },
	{ "notes of a section", "", "> [!TIP]\n> a\n\n", 100, "line 4: there are 101 notes" },
	{ "characters of a note's title", "> [!TIP] ", "x", 300,
	    "line 4: the title of a note has more" },
};

static void
test_limits(void)
{
	for (size_t i = 0; i < sizeof(limits) / sizeof(limits[0]); i++) {
		struct document document;
		const char *notes, *got, *text;
		text = with_title(repeated(limits[i].first, limits[i].unit, limits[i].most));
		got = read_text(text, strlen(text), &document, &notes);
		ok(got[0] == '{', "as many %s as there may be are read", limits[i].name);
		if (limits[i].refusal == NULL)
			continue;
		text = with_title(repeated(limits[i].first, limits[i].unit, limits[i].most + 1));
		got = read_text(text, strlen(text), &document, &notes);
		if (!ok(strncmp(got, limits[i].refusal, strlen(limits[i].refusal)) == 0,
			"one more is refused"))
			printf("# %.200s\n", got);
		arena_reset(&arena);
	}
}

static void
refused(const char *text, size_t len, const char *refusal, const char *name)
{
	struct document document;
	const char *notes, *got = read_text(text, len, &document, &notes);

	if (!ok(strncmp(got, refusal, strlen(refusal)) == 0, "%s is refused", name))
		printf("# %.200s\n", got);
	arena_reset(&arena);
}

/* Documents that are too large as a whole, though none of their parts is. */
static void
test_too_much(void)
{
	struct buf text;
	const char *x = repeated("", "x", 6000);

	buf_init(&text, &arena, 64 * 1024 * 1024);
	buf_printf(&text, "# T\n\n## FAQ\n\n### A?\n\n%s\n\n%s\n", x, x);
	refused(text.data, text.len, "line 5: an answer has more than 10000 characters",
	    "an answer of two long paragraphs");
	buf_init(&text, &arena, 1024 * 1024);
	x = repeated("", "x", 10001);
	buf_printf(&text, "# T\n\n*![%s](https://e.org/a.png) b*\n", x);
	refused(text.data, text.len, "line 3: a text of 10001 characters",
	    "a picture whose text is too long");
	buf_init(&text, &arena, 1024 * 1024);
	buf_lit(&text, "# T\n\n");
	for (int i = 0; i <= 100; i++)
		buf_printf(&text, "%*s- a\n", 2 * i, "");
	refused(text.data, text.len, "line 103: lists or quotes are nested more than 100 deep",
	    "a list of a hundred lists, one in another, and one");
	buf_init(&text, &arena, 1024 * 1024);
	buf_lit(&text, "# T\n\n");
	for (int i = 0; i <= 100; i++)
		buf_printf(&text, "[^%d]: a\n\n", i);
	refused(text.data, text.len, "There are 101 footnotes; at most 100 are allowed",
	    "a hundred footnotes and one");
	x = repeated("# T\n", "x", MARKDOWN_BYTES_MAX - 3);
	refused(x, strlen(x), "The document is longer than 8 MiB",
	    "a document of eight MiB and a byte");
	buf_init(&text, &arena, 64 * 1024 * 1024);
	x = repeated("", "\"", 9999);
	buf_lit(&text, "# T\n");
	for (int i = 0; i < 420; i++)
		buf_printf(&text, "%s%s\n\n", i % 210 == 0 ? "## A\n\n" : "", x);
	refused(text.data, text.len, "The article is longer than 2 MiB",
	    "an article that is longer than its document");
}

static const struct {
	const char *name, *text;
	size_t len; /* 0: to the NUL */
	const char *refusal;
} refusals[] = {
	{ "bytes that are no text", "a\nb\n\xFFz\n", 0,
	    "line 3: there are bytes that are not text" },
	{ "a NUL", "a\nb\0c\n", 6, "line 2: there are bytes" },
	{ "no title at all", "## A\n", 0, "There is no title" },
	{ "a date that is none", "---\ntitle: A\ndate: soon\n---\n", 0,
	    "line 3: date must be a date" },
	{ "a language that is none", "---\ntitle: A\nlang: klingonisch!\n---\n", 0,
	    "line 3: lang must be a language tag" },
	{ "draft: perhaps", "---\ntitle: A\ndraft: perhaps\n---\n", 0,
	    "line 3: draft must be true or false" },
	{ "a list for a title", "---\ntitle: [A]\n---\n", 0, "line 2: title must be a text" },
	{ "an address that is none", "---\ntitle: A\ncanonical: /a\n---\n", 0,
	    "line 3: canonical must be an http" },
	{ "twelve columns and one",
	    "|a|a|a|a|a|a|a|a|a|a|a|a|a|\n"
	    "|-|-|-|-|-|-|-|-|-|-|-|-|-|\n",
	    0, "line 1: a table has 13 columns" },
	{ "a list that is nested too deeply",
	    "- a\n  - b\n    - c\n      - d\n"
	    "        - e\n          - f\n            - g\n              - h\n"
	    "                - i\n",
	    0, "line 9: lists are nested" },
};

static void
test_refusals(void)
{
	for (size_t i = 0; i < sizeof(refusals) / sizeof(refusals[0]); i++) {
		struct document document;
		size_t len = refusals[i].len;
		const char *notes, *got;
		got = read_text(
		    refusals[i].text, len > 0 ? len : strlen(refusals[i].text), &document, &notes);
		if (!ok(strncmp(got, refusals[i].refusal, strlen(refusals[i].refusal)) == 0,
			"%s is refused", refusals[i].name))
			printf("# %s\n", got);
		arena_reset(&arena);
	}
}

/* The store of a test: counts, and knows the pictures beside the document. */
static struct stored_image *
store(void *arg, struct notes *notes, const char *address)
{
	struct stored_image *image = arena_alloc(&arena, sizeof(*image));
	const char *path =
	    arena_printf(&arena, "%s/%s", fileio_folder(&arena, options.path), address);
	int *count = arg;

	(void)notes;
	if (address[0] == '/' || access(path, F_OK) != 0)
		return NULL;
	++*count;
	image->url = "media:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef.png";
	image->type = "image/png";
	image->width = (int64_t)strlen(fileio_name(path));
	image->height = 7;
	return image;
}

static void
test_pictures(void)
{
	static const char text[] = "---\ntitle: T\nimage: a%20b.png\n---\n"
				   "![a](./a%20%62.png?v=1)\n\n![b](none.png)\n\n![c](/a%20b.png)\n"
				   "\n[d](e/)\n";
	static const char ftp[] = "---\ntitle: T\n"
				  "image: ftp://e.org/a.png\n---\n";
	struct document document;
	const char *notes, *got;
	char folder[] = "/tmp/galley-markdown-XXXXXX";
	const char *path;
	int count = 0;

	if (mkdtemp(folder) == NULL)
		bail("there is no temporary folder");
	path = arena_printf(&arena, "%s/a b.png", folder);
	if (!fileio_replace(&arena, path, "x", 1, 0600))
		bail("%s cannot be written", path);
	options.path = arena_printf(&arena, "%s/t.md", folder);
	options.store = store;
	options.store_arg = &count;
	got = read_text(text, strlen(text), &document, &notes);
	is_int(count, 2, "only files beside the document are stored");
	ok(strstr(got, "{\"type\":\"image\",\"url\":\"media:0123456789abcdef") != NULL &&
		strstr(got, "\"width\":7,\"height\":7") != NULL,
	    "a stored picture has its name and size");
	ok(strstr(got, "\"text\":\"b\"") != NULL && strstr(got, "none.png") == NULL &&
		strstr(notes, "missing picture none.png, line 7") != NULL,
	    "the text of what is no file stays, and it is named");
	ok(strstr(got, "\"text\":\"c\"") != NULL &&
		strstr(notes, "missing picture /a%20b.png, line 9") != NULL,
	    "so is that of a path from the root");
	ok(strstr(got, "example.com") == NULL || strstr(got, "example.com/e/") != NULL,
	    "and no address is made up");
	is_text(document.snapshot.image_type, "image/png", "the cover is stored, too");
	options.settings = &no_website;
	got = read_text(text, strlen(text), &document, &notes);
	ok(strstr(got, "\"text\":\"b\"") != NULL &&
		strstr(notes, "missing picture none.png, line 7") != NULL,
	    "without a website it is the same");
	ok(strstr(got, "\"text\":\"d\"") != NULL &&
		strstr(notes,
		    "the link to \"e/\" stays as text: it is relative, and the workspace has no website") !=
		    NULL,
	    "a relative link, too");
	read_text(ftp, strlen(ftp), &document, &notes);
	ok(document.snapshot.image == NULL &&
		strstr(notes, "line 3: the picture \"ftp://e.org/a.png\" was dropped") != NULL,
	    "a cover that cannot be one is none, and it is told");
	options.settings = &settings;
	options.path = NULL;
	options.store = NULL;
	unlink(path);
	rmdir(folder);
	arena_reset(&arena);
}

/* The HTML of another program, whose title is known or is in it. */
static void
test_html(void)
{
	static const char html[] = "<h1>Title</h1><p>a</p>";
	struct losses losses = { .c = &ctx };
	struct notes notes = { .c = &ctx };
	struct document document;

	for (int i = 0; i < 2; i++) {
		memset(&document, 0, sizeof(document));
		document.snapshot.language = "en";
		if (i == 0)
			document.snapshot.title = "Title";
		ok(markdown_html(&ctx, html, 1, &options, &losses, &notes, &document) == NULL &&
			strstr(json_of(&document.snapshot.content), "Title") == NULL,
		    "a title is not repeated in the text");
		is_text(document.snapshot.title, "Title", "it is the title");
	}
	arena_reset(&arena);
}

/* Texts that would keep a careless parser busy for hours. */
static const struct {
	const char *name, *first, *unit;
	size_t count;
} long_ones[] = {
	{ "brackets", "", "[", 100000 },
	{ "pictures' brackets", "", "![[]()", 20000 },
	{ "asterisks", "", "*a ", 50000 },
	{ "strong runs", "", "**a*", 50000 },
	{ "low lines", "", "_a_", 50000 },
	{ "backticks", "", "`a``", 50000 },
	{ "open tags", "", "<a ", 100000 },
	{ "open tags with quotes", "", "<a b=\"", 100000 },
	{ "nested elements", "", "<div>", 100000 },
	{ "nested elements in lines", "", "<div>\n\n", 20000 },
	{ "nested bold", "", "<b>\n\nx\n\n", 20000 },
	{ "elements that hold Markdown", "", "<div markdown=\"1\">\n", 50000 },
	{ "closing tags", "", "</div>", 100000 },
	{ "comments", "", "<!-- ", 100000 },
	{ "instructions", "", "<?", 100000 },
	{ "instructions in an element", "<div>", "<?", 1000000 },
	{ "declarations in an element", "<div>", "<!a", 1000000 },
	{ "scripts", "", "a <script> ", 100000 },
	{ "styles in emphasis", "", "*a <style>* ", 100000 },
	{ "quotes", "", "> ", 50000 },
	{ "lists", "", "- ", 50000 },
	{ "lists in lines", "", "* a\n", 50000 },
	{ "footnotes", "", "[^a]: b\n\n", 20000 },
	{ "citations", "[^a]: b\n\n", "[^a]", 50000 },
	{ "definitions", "", "[a]: b\n", 50000 },
	{ "cells", "|a|b|c|\n|-|-|-|\n", "|\n", 30000 },
	{ "columns", "", "|-", 100000 },
	{ "headings", "", "# a\n", 50000 },
	{ "rules", "", "---\n\n", 50000 },
	{ "references", "", "&amp;", 100000 },
	{ "braces", "# ", "{#", 100000 },
	{ "links nowhere", "", "[a](#b) ", 20000 },
};

/* The test is killed after so many seconds of processor time, which prove reports. */
static void
limit_time(int seconds)
{
	const struct itimerval limit = { .it_value = { seconds, 0 } };

	setitimer(ITIMER_PROF, &limit, NULL);
}

static void
test_long(void)
{
	for (size_t i = 0; i < sizeof(long_ones) / sizeof(long_ones[0]); i++) {
		struct document document;
		const char *notes, *text = with_title(repeated(
				       long_ones[i].first, long_ones[i].unit, long_ones[i].count));
		limit_time(20);
		read_text(text, strlen(text), &document, &notes);
		limit_time(0);
		ok(true, "%zu %s end in time", long_ones[i].count, long_ones[i].name);
		arena_release(&arena);
	}
}

int
main(void)
{
	arena_init(&arena, (size_t)1024 * 1024 * 1024);
	test_fixtures();
	test_samples();
	test_titles();
	test_limits();
	test_too_much();
	test_refusals();
	test_pictures();
	test_html();
	test_long();
	arena_release(&arena);
	return done_testing();
}
