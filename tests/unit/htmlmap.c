/* Raw HTML in Markdown: what the model can express, and what is told. */
#include "import/htmlmap.h"

#include "base/arena.h"
#include "base/ctx.h"
#include "import/markdown.h"
#include "tests/tap.h"

static struct arena arena;
static struct ctx ctx = { .arena = &arena };
static const struct settings settings = { .language = "en",
	.website = "https://www.example.com" };
static const struct document_options options = { .settings = &settings };

static const struct {
	const char *name, *html;
	const char *body;  /* the first section's, as JSON without brackets */
	const char *notes; /* part of them; NULL: there must be none */
} samples[] = {
	{ "paragraphs are paragraphs", "<p>a</p><p>b\n  c</p>",
	    "{\"type\":\"paragraph\",\"text\":\"a\"},"
	    "{\"type\":\"paragraph\",\"text\":\"b c\"}", NULL },
	{ "paragraphs that show nothing are none",
	    "<p>a</p><p>&nbsp;</p><p><b>&nbsp;\u200B</b></p><p>b</p>",
	    "{\"type\":\"paragraph\",\"text\":\"a\"},"
	    "{\"type\":\"paragraph\",\"text\":\"b\"}", NULL },
	{ "marks are marks",
	    "<p><b>a</b> <strong>b</strong> <i>c</i> <em>d</em> <code>e</code></p>",
	    "{\"type\":\"paragraph\",\"text\":\"**a** **b** *c* *d* `e`\"}", NULL },
	{ "what is shown like emphasis is told", "<p><cite>a</cite></p>",
	    "{\"type\":\"paragraph\",\"text\":\"*a*\"}", "<cite> became emphasis" },
	{ "keys are code", "<p><kbd>a</kbd></p>",
	    "{\"type\":\"paragraph\",\"text\":\"`a`\"}", "<kbd> became code" },
	{ "quotation marks are written", "<p><q>a</q></p>",
	    "{\"type\":\"paragraph\",\"text\":\"“a”\"}", NULL },
	{ "literal text stays literal", "<p>*a* [b](c) `d`</p>",
	    "{\"type\":\"paragraph\",\"text\":"
	    "\"\\\\*a\\\\* \\\\[b\\\\](c) \\\\`d\\\\`\"}", NULL },
	{ "links are links", "<p><a href=\"https://e.org/\">a <b>b</b></a></p>",
	    "{\"type\":\"paragraph\",\"text\":\"[a **b**](https://e.org/)\"}",
	    NULL },
	{ "line ends are line ends", "<p>a<br>b<br/>c</p>",
	    "{\"type\":\"paragraph\",\"text\":\"a\\nb\\nc\"}", NULL },
	{ "headings are headings", "<h2>A</h2>\n<p>b</p>",
	    "{\"type\":\"paragraph\",\"text\":\"b\"}", NULL },
	{ "lists are lists",
	    "<ul><li>a<ol><li>b</li></ol></li><li><p>c</p><p>d</p></li></ul>",
	    "{\"type\":\"list\",\"ordered\":false,\"items\":[{\"text\":\"a\","
	    "\"ordered\":true,\"items\":[{\"text\":\"b\",\"items\":[]}]},"
	    "{\"text\":\"c\\n\\nd\",\"items\":[]}]}", NULL },
	{ "a list that lies in a list beside its item belongs to it",
	    "<ul><li>a</li><ul><li>b</li></ul></ul>",
	    "{\"type\":\"list\",\"ordered\":false,\"items\":[{\"text\":\"a\","
	    "\"items\":[{\"text\":\"b\",\"items\":[]}]}]}", NULL },
	{ "code in an item ends its list",
	    "<ol><li>a<pre>b</pre>c</li><li>d</li></ol>",
	    "{\"type\":\"list\",\"ordered\":true,\"items\":[{\"text\":\"a\","
	    "\"items\":[]}]},{\"type\":\"code\",\"language\":null,\"text\":\"b\"},"
	    "{\"type\":\"paragraph\",\"text\":\"c\"},{\"type\":\"list\","
	    "\"ordered\":true,\"items\":[{\"text\":\"d\",\"items\":[]}]}",
	    "the numbers of the next one begin at 1" },
	{ "quotes are quotes",
	    "<blockquote><p>a</p><p>b</p><footer>C, <i>D</i></footer></blockquote>",
	    "{\"type\":\"quote\",\"text\":\"a\\n\\nb\",\"cite\":\"C, *D*\"}",
	    NULL },
	{ "a quote in a quote is a paragraph of it",
	    "<blockquote>a<blockquote>b</blockquote></blockquote>",
	    "{\"type\":\"quote\",\"text\":\"a\\n\\nb\",\"cite\":null}",
	    "became a paragraph" },
	{ "code is code, and keeps its blanks",
	    "<pre><code class=\"language-c\">\tint a;\n\n  b &lt; c\n</code></pre>",
	    "{\"type\":\"code\",\"language\":\"c\","
	    "\"text\":\"\\tint a;\\n\\n  b < c\"}", NULL },
	{ "colours in code are gone",
	    "<pre class=\"lang-sh\"><span class=\"k\">if</span> <b>a</b></pre>",
	    "{\"type\":\"code\",\"language\":\"sh\",\"text\":\"if a\"}", NULL },
	{ "a picture has its size",
	    "<img src=\"https://e.org/a.png\" alt=\"b\" width=3 height=\"2px\">",
	    "{\"type\":\"image\",\"url\":\"https://e.org/a.png\",\"alt\":\"b\","
	    "\"caption\":null,\"width\":3,\"height\":2}", NULL },
	{ "half a size is none",
	    "<img src=\"https://e.org/a.png\" width=\"50%\" height=\"2\">",
	    "{\"type\":\"image\",\"url\":\"https://e.org/a.png\",\"alt\":\"\","
	    "\"caption\":null,\"width\":null,\"height\":null}", NULL },
	{ "a figure's caption is its picture's",
	    "<figure><img src=\"https://e.org/a.png\"><figcaption>A <b>b</b>"
	    "</figcaption></figure>",
	    "{\"type\":\"image\",\"url\":\"https://e.org/a.png\",\"alt\":\"\","
	    "\"caption\":\"A **b**\",\"width\":null,\"height\":null}", NULL },
	{ "a figure's caption is its quote's cite",
	    "<figure><blockquote>a</blockquote><figcaption>B</figcaption></figure>",
	    "{\"type\":\"quote\",\"text\":\"a\",\"cite\":\"B\"}", NULL },
	{ "an aside is a note, its pictures after it",
	    "<aside><img src=\"https://e.org/a.png\" alt=\"b\"><p>c</p></aside>",
	    "{\"type\":\"callout\",\"index\":0},{\"type\":\"image\","
	    "\"url\":\"https://e.org/a.png\",\"alt\":\"b\",\"caption\":null,"
	    "\"width\":null,\"height\":null}", "<aside> became a note" },
	{ "a list of definitions is paragraphs",
	    "<dl><dt>a</dt><dd>b</dd></dl>",
	    "{\"type\":\"paragraph\",\"text\":\"**a**\"},"
	    "{\"type\":\"paragraph\",\"text\":\"b\"}", "<dt> became" },
	{ "scripts and styles are gone",
	    "<p>a</p><script>b</script><style>c</style><p>d</p>",
	    "{\"type\":\"paragraph\",\"text\":\"a\"},"
	    "{\"type\":\"paragraph\",\"text\":\"d\"}",
	    "<script> was dropped with its content" },
	{ "a script in a line is gone",
	    "a <script>b *c*</script> d",
	    "{\"type\":\"paragraph\",\"text\":\"a d\"}",
	    "<script> was dropped with its content" },
	{ "a script that is not closed takes nothing with it",
	    "a <script> b\n\nc",
	    "{\"type\":\"paragraph\",\"text\":\"a b\"},"
	    "{\"type\":\"paragraph\",\"text\":\"c\"}", "<script>" },
	{ "a comment is told", "a <!-- b --> c",
	    "{\"type\":\"paragraph\",\"text\":\"a c\"}", "a comment was dropped" },
	{ "other tags are told, their text stays",
	    "<p><span lang=\"ar\">a</span><u>b</u><blink>c</blink></p>",
	    "{\"type\":\"paragraph\",\"text\":\"abc\"}",
	    "the tag <blink> was dropped, its text kept" },
	{ "what is embedded is told with its address",
	    "<p>a</p><iframe src=\"https://e.org/v\"></iframe>",
	    "{\"type\":\"paragraph\",\"text\":\"a\"}",
	    "<iframe> https://e.org/v was dropped" },
	{ "a direction around everything is told",
	    "<div dir=\"rtl\">\n\n*a*\n\n</div>",
	    "{\"type\":\"paragraph\",\"text\":\"*a*\"}",
	    "<div dir=\"rtl\"> was dropped" },
	{ "elements may hold Markdown between blank lines",
	    "<div>\n\n- *a*\n\n</div>",
	    "{\"type\":\"list\",\"ordered\":false,\"items\":[{\"text\":\"*a*\","
	    "\"items\":[]}]}", "the tag <div>" },
	{ "elements may say that they hold Markdown",
	    "<div markdown=\"1\">\n  *a*\n  <p markdown=\"1\">\n  [b](c)</p>\n</div>",
	    "{\"type\":\"paragraph\",\"text\":\"*a*\"},{\"type\":\"paragraph\","
	    "\"text\":\"[b](https://www.example.com/c)\"}", "the tag <div>" },
	{ "Markdown in an element is not code because it is indented",
	    "<div markdown=\"1\">\n    *a*\n\n    b\n</div>",
	    "{\"type\":\"paragraph\",\"text\":\"*a*\"},"
	    "{\"type\":\"paragraph\",\"text\":\"b\"}", "the tag <div>" },
	{ "an element that does not say so holds text", "<div>\n*a*\n</div>",
	    "{\"type\":\"paragraph\",\"text\":\"\\\\*a\\\\*\"}", "the tag <div>" },
	{ "tags in code are code", "`<b>`\n\n    <div markdown=\"1\">",
	    "{\"type\":\"paragraph\",\"text\":\"`<b>`\"},{\"type\":\"code\","
	    "\"language\":null,\"text\":\"<div markdown=\\\"1\\\">\"}", NULL },
	{ "a closing tag in an item does not end the list",
	    "- a</li></ul>\n- b",
	    "{\"type\":\"list\",\"ordered\":false,\"items\":[{\"text\":\"a\","
	    "\"items\":[]},{\"text\":\"b\",\"items\":[]}]}",
	    "the closing tag </ul> has no opening one" },
	{ "bold that is not closed ends with its paragraph", "a <b>b\n\nc",
	    "{\"type\":\"paragraph\",\"text\":\"a **b**\"},"
	    "{\"type\":\"paragraph\",\"text\":\"c\"}", NULL },
	{ "a tag that is not finished is text", "a <b\n\nc",
	    "{\"type\":\"paragraph\",\"text\":\"a <b\"},"
	    "{\"type\":\"paragraph\",\"text\":\"c\"}", NULL },
	{ "nobody forges a citation", "<x-cite data-id=\"1\">a</x-cite>",
	    "{\"type\":\"paragraph\",\"text\":\"a\"}", "<x-cite> was dropped" },
	{ "an address in parts is no script",
	    "<a href=\"java\tscript:alert(1)\">a</a>",
	    "{\"type\":\"paragraph\",\"text\":\"a\"}", "stays as text" },
	{ "events are nothing",
	    "<p onclick=\"alert(1)\" style=\"color:red\">a</p>",
	    "{\"type\":\"paragraph\",\"text\":\"a\"}", NULL },
	{ "drawings keep their text", "<svg><text>a</text></svg>",
	    "{\"type\":\"paragraph\",\"text\":\"a\"}", "the tag <svg>" },
	{ "marks are not read in the middle of words where they cannot be",
	    "これは<b>「強調」</b>です",
	    "{\"type\":\"paragraph\",\"text\":\"これは「強調」です\"}",
	    "could not stay so" },
};

static const struct {
	const char *name, *html, *table, *notes;
} tables[] = {
	{ "a table has its parts",
	    "<table><caption>T</caption><thead><tr><th>a<th>b</thead>"
	    "<tbody><tr><th>c<td><i>d</i></table>",
	    "{\"caption\":\"T\",\"columns\":[\"a\",\"b\"],\"rowHeader\":true,"
	    "\"rows\":[[\"c\",\"*d*\"]]}", NULL },
	{ "a table without headings takes its first row",
	    "<table><tr><td>a<td>b<tr><td>c</table>",
	    "{\"caption\":null,\"columns\":[\"a\",\"b\"],\"rowHeader\":false,"
	    "\"rows\":[[\"c\",\"\"]]}", "became its headings" },
	{ "a cell over two columns takes one",
	    "<table><tr><th>a<th>b<th>c<tr><td colspan=2>d<td>e</table>",
	    "{\"caption\":null,\"columns\":[\"a\",\"b\",\"c\"],"
	    "\"rowHeader\":false,\"rows\":[[\"d\",\"\",\"e\"]]}",
	    "a cell that spans" },
	{ "blocks in a cell are lines",
	    "<table><tr><th>a<tr><td><p>b</p><ul><li>c<li>d</ul></table>",
	    "{\"caption\":null,\"columns\":[\"a\"],\"rowHeader\":false,"
	    "\"rows\":[[\"b\\n\\n• c\\n• d\"]]}", "<ul> became lines" },
};

static const char *
read_html(const char *html, const char **notes)
{
	struct notes list = { .c = &ctx };
	struct document document;
	const char *text = arena_printf(&arena, "---\ntitle: T\n---\n%s\n",
	    html);
	struct err *err = markdown_read(&ctx, text, strlen(text), &options,
	    &list, &document);
	struct buf all, json;

	if (err != NULL)
		return err->message;
	buf_init(&all, &arena, 1024 * 1024);
	for (size_t i = 0; i < list.count; i++)
		buf_printf(&all, "%s\n", list.lines[i]);
	*notes = all.data;
	buf_init(&json, &arena, 1024 * 1024);
	content_to_json(&document.snapshot.content, NULL, &json);
	return json.data;
}

static void
look(const char *name, const char *html, const char *want, const char *told)
{
	const char *notes = "", *got = read_html(html, &notes);

	if (!ok(strstr(got, want) != NULL, "%s", name))
		printf("#  got: %s\n# want: %s\n", got, want);
	if (told == NULL)
		is_text(notes, "", "and nothing is lost");
	else if (!ok(strstr(notes, told) != NULL, "and the loss is told"))
		printf("#  got: %s\n# want: %s\n", notes, told);
	arena_reset(&arena);
}

int
main(void)
{
	arena_init(&arena, (size_t)256 * 1024 * 1024);
	for (size_t i = 0; i < sizeof(samples) / sizeof(samples[0]); i++)
		look(samples[i].name, samples[i].html,
		    arena_printf(&arena, "\"body\":[%s]", samples[i].body),
		    samples[i].notes);
	for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++)
		look(tables[i].name, tables[i].html,
		    arena_printf(&arena, "\"tables\":[%s]", tables[i].table),
		    tables[i].notes);
	arena_release(&arena);
	return done_testing();
}
