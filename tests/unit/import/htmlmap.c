/*
 * Raw HTML in Markdown: the parts that the content model can express, and the notes about
 * the others.
 *
 * suite: fast
 */
#include "import/htmlmap.h"

#include "base/arena.h"
#include "base/ctx.h"
#include "import/markdown/markdown.h"
#include "tests/tap.h"

static struct arena arena;
static struct ctx ctx = { .arena = &arena };
static const struct settings settings = { .language = "en", .website = "https://www.example.com" };
static const struct document_options options = { .settings = &settings };

static const struct {
	const char *name, *html;
	const char *body; /* the first section's, as JSON without brackets */
	const char *notes; /* part of them; NULL: there must be none */
} samples[] = {
	{ "paragraphs are paragraphs", "<p>a</p><p>b\n  c</p>",
	    "{\"type\":\"paragraph\",\"text\":\"a\"},{\"type\":\"paragraph\",\"text\":\"b c\"}",
	    NULL },
	{ "paragraphs that show nothing are none",
	    "<p>a</p><p>&nbsp;</p><p><b>&nbsp;\u200B</b></p><p>b</p>",
	    "{\"type\":\"paragraph\",\"text\":\"a\"},{\"type\":\"paragraph\",\"text\":\"b\"}",
	    NULL },
	{ "marks are marks",
	    "<p><b>a</b> <strong>b</strong> <i>c</i> <em>d</em> <code>e</code></p>",
	    "{\"type\":\"paragraph\",\"text\":\"**a** **b** *c* *d* `e`\"}", NULL },
	{ "what is shown like emphasis is told", "<p><cite>a</cite></p>",
	    "{\"type\":\"paragraph\",\"text\":\"*a*\"}", "<cite> became emphasis" },
	{ "keys are code", "<p><kbd>a</kbd></p>", "{\"type\":\"paragraph\",\"text\":\"`a`\"}",
	    "<kbd> became code" },
	{ "quotation marks are written", "<p><q>a</q></p>",
	    "{\"type\":\"paragraph\",\"text\":\"“a”\"}", NULL },
	{ "literal text stays literal", "<p>*a* [b](c) `d`</p>",
	    "{\"type\":\"paragraph\",\"text\":\"\\\\*a\\\\* \\\\[b\\\\](c) \\\\`d\\\\`\"}", NULL },
	{ "links are links", "<p><a href=\"https://e.org/\">a <b>b</b></a></p>",
	    "{\"type\":\"paragraph\",\"text\":\"[a **b**](https://e.org/)\"}", NULL },
	{ "line ends are line ends", "<p>a<br>b<br/>c</p>",
	    "{\"type\":\"paragraph\",\"text\":\"a\\nb\\nc\"}", NULL },
	{ "headings are headings", "<h2>A</h2>\n<p>b</p>",
	    "{\"type\":\"paragraph\",\"text\":\"b\"}", NULL },
	{ "lists are lists", "<ul><li>a<ol><li>b</li></ol></li><li><p>c</p><p>d</p></li></ul>",
	    "{\"type\":\"list\",\"ordered\":false,\"items\":[{\"text\":\"a\",\"ordered\":true,\"items\":[{\"text\":\"b\",\"items\":[]}]},{\"text\":\"c\\n\\nd\",\"items\":[]}]}",
	    NULL },
	{ "a list in a list, beside its item, belongs to this item",
	    "<ul><li>a</li><ul><li>b</li></ul></ul>",
	    "{\"type\":\"list\",\"ordered\":false,\"items\":[{\"text\":\"a\",\"items\":[{\"text\":\"b\",\"items\":[]}]}]}",
	    NULL },
	{ "code in an item ends its list", "<ol><li>a<pre>b</pre>c</li><li>d</li></ol>",
	    "{\"type\":\"list\",\"ordered\":true,\"items\":[{\"text\":\"a\",\"items\":[]}]},{\"type\":\"code\",\"language\":null,\"text\":\"b\"},{\"type\":\"paragraph\",\"text\":\"c\"},{\"type\":\"list\",\"ordered\":true,\"items\":[{\"text\":\"d\",\"items\":[]}]}",
	    "the numbers of the next one begin at 1" },
	{ "quotes are quotes",
	    "<blockquote><p>a</p><p>b</p><footer>C, <i>D</i></footer></blockquote>",
	    "{\"type\":\"quote\",\"text\":\"a\\n\\nb\",\"cite\":\"C, *D*\"}", NULL },
	{ "a quote in a quote is a paragraph of it",
	    "<blockquote>a<blockquote>b</blockquote></blockquote>",
	    "{\"type\":\"quote\",\"text\":\"a\\n\\nb\",\"cite\":null}", "became a paragraph" },
	{ "code is code, and keeps its spaces",
	    "<pre><code class=\"language-c\">\tint a;\n\n  b &lt; c\n</code></pre>",
	    "{\"type\":\"code\",\"language\":\"c\",\"text\":\"\\tint a;\\n\\n  b < c\"}", NULL },
	{ "colours in code are gone",
	    "<pre class=\"lang-sh\"><span class=\"k\">if</span> <b>a</b></pre>",
	    "{\"type\":\"code\",\"language\":\"sh\",\"text\":\"if a\"}", NULL },
	{ "a picture has its size",
	    "<img src=\"https://e.org/a.png\" alt=\"b\" width=3 height=\"2px\">",
	    "{\"type\":\"image\",\"url\":\"https://e.org/a.png\",\"alt\":\"b\",\"caption\":null,\"width\":3,\"height\":2}",
	    NULL },
	{ "half a size is none", "<img src=\"https://e.org/a.png\" width=\"50%\" height=\"2\">",
	    "{\"type\":\"image\",\"url\":\"https://e.org/a.png\",\"alt\":\"\",\"caption\":null,\"width\":null,\"height\":null}",
	    NULL },
	{ "a figure's caption is its picture's",
	    "<figure><img src=\"https://e.org/a.png\"><figcaption>A <b>b</b></figcaption></figure>",
	    "{\"type\":\"image\",\"url\":\"https://e.org/a.png\",\"alt\":\"\",\"caption\":\"A **b**\",\"width\":null,\"height\":null}",
	    NULL },
	{ "a figure's caption is its quote's cite",
	    "<figure><blockquote>a</blockquote><figcaption>B</figcaption></figure>",
	    "{\"type\":\"quote\",\"text\":\"a\",\"cite\":\"B\"}", NULL },
	{ "an aside is a note, its pictures after it",
	    "<aside><img src=\"https://e.org/a.png\" alt=\"b\"><p>c</p></aside>",
	    "{\"type\":\"callout\",\"index\":0},{\"type\":\"image\",\"url\":\"https://e.org/a.png\",\"alt\":\"b\",\"caption\":null,\"width\":null,\"height\":null}",
	    "<aside> became a note" },
	{ "a list of definitions is paragraphs", "<dl><dt>a</dt><dd>b</dd></dl>",
	    "{\"type\":\"paragraph\",\"text\":\"**a**\"},{\"type\":\"paragraph\",\"text\":\"b\"}",
	    "<dt> became" },
	{ "scripts and styles are gone", "<p>a</p><script>b</script><style>c</style><p>d</p>",
	    "{\"type\":\"paragraph\",\"text\":\"a\"},{\"type\":\"paragraph\",\"text\":\"d\"}",
	    "<script> was dropped with its content" },
	{ "a script in a line is gone", "a <script>b *c*</script> d",
	    "{\"type\":\"paragraph\",\"text\":\"a d\"}", "<script> was dropped with its content" },
	{ "a script that is not closed takes nothing with it", "a <script> b\n\nc",
	    "{\"type\":\"paragraph\",\"text\":\"a b\"},{\"type\":\"paragraph\",\"text\":\"c\"}",
	    "<script>" },
	{ "a comment is told", "a <!-- b --> c", "{\"type\":\"paragraph\",\"text\":\"a c\"}",
	    "a comment was dropped" },
	{ "other tags are told, their text stays",
	    "<p><span lang=\"ar\">a</span><u>b</u><blink>c</blink></p>",
	    "{\"type\":\"paragraph\",\"text\":\"abc\"}",
	    "the tag <blink> was dropped, its text kept" },
	{ "what is embedded is told with its address",
	    "<p>a</p><iframe src=\"https://e.org/v\"></iframe>",
	    "{\"type\":\"paragraph\",\"text\":\"a\"}", "<iframe> https://e.org/v was dropped" },
	{ "a direction around everything is told", "<div dir=\"rtl\">\n\n*a*\n\n</div>",
	    "{\"type\":\"paragraph\",\"text\":\"*a*\"}", "<div dir=\"rtl\"> was dropped" },
	{ "elements may hold Markdown between empty lines", "<div>\n\n- *a*\n\n</div>",
	    "{\"type\":\"list\",\"ordered\":false,\"items\":[{\"text\":\"*a*\",\"items\":[]}]}",
	    "the tag <div>" },
	{ "elements may say that they hold Markdown",
	    "<div markdown=\"1\">\n  *a*\n  <p markdown=\"1\">\n  [b](c)</p>\n</div>",
	    "{\"type\":\"paragraph\",\"text\":\"*a*\"},{\"type\":\"paragraph\",\"text\":\"[b](https://www.example.com/c)\"}",
	    "the tag <div>" },
	{ "Markdown in an element is not code because it is indented",
	    "<div markdown=\"1\">\n    *a*\n\n    b\n</div>",
	    "{\"type\":\"paragraph\",\"text\":\"*a*\"},{\"type\":\"paragraph\",\"text\":\"b\"}",
	    "the tag <div>" },
	{ "an element that does not say so holds text", "<div>\n*a*\n</div>",
	    "{\"type\":\"paragraph\",\"text\":\"\\\\*a\\\\*\"}", "the tag <div>" },
	{ "tags in code are code", "`<b>`\n\n    <div markdown=\"1\">",
	    "{\"type\":\"paragraph\",\"text\":\"`<b>`\"},{\"type\":\"code\",\"language\":null,\"text\":\"<div markdown=\\\"1\\\">\"}",
	    NULL },
	{ "a closing tag in an item does not end the list", "- a</li></ul>\n- b",
	    "{\"type\":\"list\",\"ordered\":false,\"items\":[{\"text\":\"a\",\"items\":[]},{\"text\":\"b\",\"items\":[]}]}",
	    "the closing tag </ul> has no opening one" },
	{ "bold that is not closed ends with its paragraph", "a <b>b\n\nc",
	    "{\"type\":\"paragraph\",\"text\":\"a **b**\"},{\"type\":\"paragraph\",\"text\":\"c\"}",
	    NULL },
	{ "a tag that is not finished is text", "a <b\n\nc",
	    "{\"type\":\"paragraph\",\"text\":\"a <b\"},{\"type\":\"paragraph\",\"text\":\"c\"}",
	    NULL },
	{ "nobody forges a citation", "<x-cite data-id=\"1\">a</x-cite>",
	    "{\"type\":\"paragraph\",\"text\":\"a\"}", "<x-cite> was dropped" },
	{ "an address in parts is no script", "<a href=\"java\tscript:alert(1)\">a</a>",
	    "{\"type\":\"paragraph\",\"text\":\"a\"}", "stays as text" },
	{ "events are nothing", "<p onclick=\"alert(1)\" style=\"color:red\">a</p>",
	    "{\"type\":\"paragraph\",\"text\":\"a\"}", NULL },
	{ "drawings keep their text", "<svg><text>a</text></svg>",
	    "{\"type\":\"paragraph\",\"text\":\"a\"}", "the tag <svg>" },
	{ "marks are not read in the middle of words where they cannot be",
	    "これは<b>「強調」</b>です", "{\"type\":\"paragraph\",\"text\":\"これは「強調」です\"}",
	    "could not stay so" },
	{ "two kinds of lists in one item are one",
	    "<ul><li>a<ul><li>b</li></ul><ol><li>c</li></ol></li></ul>",
	    "{\"type\":\"list\",\"ordered\":false,\"items\":[{\"text\":\"a\",\"items\":[{\"text\":\"b\",\"items\":[]},{\"text\":\"c\",\"items\":[]}]}]}",
	    "two lists of different kinds" },
	{ "a heading in an item is strong text", "<ul><li><h3>a</h3>b</li></ul>",
	    "{\"type\":\"list\",\"ordered\":false,\"items\":[{\"text\":\"**a**\\n\\nb\",\"items\":[]}]}",
	    "a heading in a list became strong text" },
	{ "blocks in an item are its paragraphs", "<ul><li><div>a</div><p>b</p>c</li></ul>",
	    "{\"type\":\"list\",\"ordered\":false,\"items\":[{\"text\":\"a\\n\\nb\\n\\nc\",\"items\":[]}]}",
	    "the tag <div> was dropped" },
	{ "text behind a list in an item is a line of its own",
	    "<ul><li>a<ul><li>b</li></ul>c <b>d</b></li></ul>",
	    "{\"type\":\"list\",\"ordered\":false,\"items\":[{\"text\":\"a\\nc **d**\",\"items\":[{\"text\":\"b\",\"items\":[]}]}]}",
	    "the text after a list" },
	{ "in a nested list, too, a list beside an item belongs to it",
	    "<ul><li>a<ul><li>b</li><ul><li>c</li></ul></ul></li></ul>",
	    "{\"type\":\"list\",\"ordered\":false,\"items\":[{\"text\":\"a\",\"items\":[{\"text\":\"b\",\"items\":[{\"text\":\"c\",\"items\":[]}]}]}]}",
	    NULL },
	{ "text beside items of a nested list is an item",
	    "<ul><li>a<ul>b<li>c</li></ul></li></ul>",
	    "{\"type\":\"list\",\"ordered\":false,\"items\":[{\"text\":\"a\",\"items\":[{\"text\":\"b\",\"items\":[]},{\"text\":\"c\",\"items\":[]}]}]}",
	    NULL },
	{ "text beside items of a list stands between two lists",
	    "<ul><li>a</li><p>b</p><li>c</li></ul>",
	    "{\"type\":\"list\",\"ordered\":false,\"items\":[{\"text\":\"a\",\"items\":[]}]},{\"type\":\"paragraph\",\"text\":\"b\"},{\"type\":\"list\",\"ordered\":false,\"items\":[{\"text\":\"c\",\"items\":[]}]}",
	    NULL },
	{ "a picture in an item follows the text before it",
	    "<ul><li>a<img src=\"https://e.org/a.png\" alt=\"b\">c</li><li>d</li></ul>",
	    "{\"type\":\"list\",\"ordered\":false,\"items\":[{\"text\":\"a\",\"items\":[]}]},{\"type\":\"image\",\"url\":\"https://e.org/a.png\",\"alt\":\"b\",\"caption\":null,\"width\":null,\"height\":null},{\"type\":\"paragraph\",\"text\":\"c\"},{\"type\":\"list\",\"ordered\":false,\"items\":[{\"text\":\"d\",\"items\":[]}]}",
	    "ended a list" },
	{ "a list beside an item that holds code is no part of it",
	    "<ul><li>a</li><ul><li><pre>b</pre></li></ul></ul>",
	    "{\"type\":\"list\",\"ordered\":false,\"items\":[{\"text\":\"a\",\"items\":[]}]},{\"type\":\"code\",\"language\":null,\"text\":\"b\"}",
	    "ended a list" },
	{ "a list in a quote is lines, numbers theirs",
	    "<blockquote>a<ol><li>b<ul><li>c</li></ul></li><li>d</li></ol></blockquote>",
	    "{\"type\":\"quote\",\"text\":\"a\\n\\n1. b\\n– c\\n2. d\",\"cite\":null}",
	    "became lines of text" },
	{ "a heading in a quote is strong text", "<blockquote><h3>a *b*</h3>c</blockquote>",
	    "{\"type\":\"quote\",\"text\":\"**a \\\\*b\\\\***\\n\\nc\",\"cite\":null}",
	    "a heading in a quote" },
	{ "a quote in a quote keeps who said it",
	    "<blockquote>a<blockquote>b<footer>c</footer></blockquote></blockquote>",
	    "{\"type\":\"quote\",\"text\":\"a\\n\\nb\\nc\",\"cite\":null}", "became a paragraph" },
	{ "a quote of nothing but who said it is a paragraph",
	    "<blockquote><footer>a</footer></blockquote>",
	    "{\"type\":\"paragraph\",\"text\":\"a\"}", NULL },
	{ "an aside without anything is nothing", "<aside> </aside>a",
	    "{\"type\":\"paragraph\",\"text\":\"a\"}", NULL },
	{ "code in an aside stands after it", "<aside><p>a</p><pre>b</pre></aside>",
	    "{\"type\":\"callout\",\"index\":0},{\"type\":\"code\",\"language\":null,\"text\":\"b\"}",
	    "code, tables and notes in an aside stand after it now" },
	{ "a figure without anything to caption keeps its caption's text",
	    "<figure><p>a</p><figcaption>b</figcaption></figure>",
	    "{\"type\":\"paragraph\",\"text\":\"a\"},{\"type\":\"paragraph\",\"text\":\"b\"}",
	    NULL },
	{ "line ends in code are line ends", "<pre>a<br>b</pre>",
	    "{\"type\":\"code\",\"language\":null,\"text\":\"a\\nb\"}", NULL },
	{ "what cannot be stored is dropped from code, all of it",
	    "<pre>&#1;a&#2;&#8238;b&#3;</pre>",
	    "{\"type\":\"code\",\"language\":null,\"text\":\"ab\"}", "dropped from code" },
	{ "what cannot be stored is dropped from text, all of it", "<p>&#1;a&#2;&#8238;b&#3;</p>",
	    "{\"type\":\"paragraph\",\"text\":\"ab\"}", "characters that cannot be stored" },
	{ "HTML's other space characters are spaces", "<p>a&#12;b&#13;c</p>",
	    "{\"type\":\"paragraph\",\"text\":\"a b c\"}", NULL },
	{ "code in a line is on one line", "<p><code>a \n\t b\n</code></p>",
	    "{\"type\":\"paragraph\",\"text\":\"`a b`\"}", NULL },
	{ "code beside code is one", "<p><code>a</code><code>b</code></p>",
	    "{\"type\":\"paragraph\",\"text\":\"`ab`\"}", NULL },
	{ "code that holds a picture is what it holds",
	    "<p><code>a<img src=\"https://e.org/a.png\" alt=\"b\"></code></p>",
	    "{\"type\":\"paragraph\",\"text\":\"a\"},{\"type\":\"image\",\"url\":\"https://e.org/a.png\",\"alt\":\"b\",\"caption\":null,\"width\":null,\"height\":null}",
	    NULL },
	{ "an object is told with its address",
	    "<p>a<object data=\"https://e.org/o\">b</object></p>",
	    "{\"type\":\"paragraph\",\"text\":\"ab\"}", "<object> https://e.org/o was dropped" },
	{ "a film is told with its source's address",
	    "<p>a<video>b<source src=\"https://e.org/v\"></video></p>",
	    "{\"type\":\"paragraph\",\"text\":\"ab\"}", "<video> https://e.org/v was dropped" },
	{ "spaces around an address do not belong to it",
	    "<a href=\" \n https://e.org/a b\t\">a</a>",
	    "{\"type\":\"paragraph\",\"text\":\"[a](https://e.org/a%20b)\"}", NULL },
	{ "a backslash in an address stays one", "<a href=\"https://e.org/a\\b\">a</a>",
	    "{\"type\":\"paragraph\",\"text\":\"[a](https://e.org/a%5Cb)\"}", NULL },
	{ "a quotation mark in an address ends nothing",
	    "<a href='https://e.org/\"onclick=\"x'>a</a>",
	    "{\"type\":\"paragraph\",\"text\":\"[a](https://e.org/%22onclick=%22x)\"}", NULL },
	{ "a link to the page's top is text", "<a href=\"#\">a</a>",
	    "{\"type\":\"paragraph\",\"text\":\"a\"}", "an empty fragment" },
	{ "a link to nothing is text", "<a href=\" \">a</a>",
	    "{\"type\":\"paragraph\",\"text\":\"a\"}", "it has no address" },
	{ "the name of a stored file that is no picture is no picture",
	    "<img alt=\"a\" src=\"media:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef.svg\">",
	    "{\"type\":\"paragraph\",\"text\":\"a\"}", "was dropped" },
	{ "a tag that closes itself holds nothing", "<p>a<b/>c</p>",
	    "{\"type\":\"paragraph\",\"text\":\"ac\"}", NULL },
	{ "literal data is literal", "a <![CDATA[<b>c & d</b>]]> e",
	    "{\"type\":\"paragraph\",\"text\":\"a <b>c & d</b> e\"}", NULL },
	{ "literal data without end goes on to the end", "<div>a <![CDATA[<b>c</div>",
	    "{\"type\":\"paragraph\",\"text\":\"a <b>c</div>\"}", "<div>" },
	{ "instructions are told", "<div>a <?php b ?> c</div>",
	    "{\"type\":\"paragraph\",\"text\":\"a c\"}", "a declaration or instruction" },
	{ "a sign that opens no tag is text", "<div>1 < 2</div>",
	    "{\"type\":\"paragraph\",\"text\":\"1 < 2\"}", "<div>" },
	{ "a tag whose quotation mark is not closed is text", "<div>\na <i b=\"c>\n</div>",
	    "{\"type\":\"paragraph\",\"text\":\"a <i b=\\\"c>\"}", "<div>" },
	{ "a tag that ends in its attribute is text",
	    "<i b=", "{\"type\":\"paragraph\",\"text\":\"<i b=\"}", NULL },
	{ "a tag that holds Markdown may stand on several lines",
	    "<div\n  markdown=\"1\">*a*\n</div>", "{\"type\":\"paragraph\",\"text\":\"*a*\"}",
	    "the tag <div>" },
	{ "elements that hold Markdown keep what is around them",
	    "- a\n\n  <div markdown=\"1\">  \n  *b*\n\n  *c*\n  </div>\n- d",
	    "{\"type\":\"list\",\"ordered\":false,\"items\":[{\"text\":\"a\\n\\n*b*\\n\\n*c*\",\"items\":[]},{\"text\":\"d\",\"items\":[]}]}",
	    "the tag <div>" },
	{ "marks that cannot be read where they are leave their texts",
	    "これは<b>「a」</b>と<b>「b」</b>です",
	    "{\"type\":\"paragraph\",\"text\":\"これは「a」と「b」です\"}", "could not stay so" },
};

static const struct {
	const char *name, *html, *table, *notes;
} tables[] = {
	{ "a table has its parts",
	    "<table><caption>T</caption><thead><tr><th>a<th>b</thead><tbody><tr><th>c<td><i>d</i></table>",
	    "{\"caption\":\"T\",\"columns\":[\"a\",\"b\"],\"rowHeader\":true,\"rows\":[[\"c\",\"*d*\"]]}",
	    NULL },
	{ "a table without headings takes its first row", "<table><tr><td>a<td>b<tr><td>c</table>",
	    "{\"caption\":null,\"columns\":[\"a\",\"b\"],\"rowHeader\":false,\"rows\":[[\"c\",\"\"]]}",
	    "became its headings" },
	{ "a cell over two columns takes one",
	    "<table><tr><th>a<th>b<th>c<tr><td colspan=2>d<td>e</table>",
	    "{\"caption\":null,\"columns\":[\"a\",\"b\",\"c\"],\"rowHeader\":false,\"rows\":[[\"d\",\"\",\"e\"]]}",
	    "a cell that spans" },
	{ "blocks in a cell are lines",
	    "<table><tr><th>a<tr><td><p>b</p><ul><li>c<li>d</ul></table>",
	    "{\"caption\":null,\"columns\":[\"a\"],\"rowHeader\":false,\"rows\":[[\"b\\n\\n• c\\n• d\"]]}",
	    "<ul> became lines" },
	{ "a row without cells is none", "<table><tr></tr><tr><th>a</table>",
	    "{\"caption\":null,\"columns\":[\"a\"],\"rowHeader\":false,\"rows\":[]}", NULL },
	{ "a figure's caption is its table's",
	    "<figure><table><caption>a</caption><tr><th>b</table><figcaption>c</figcaption></figure>",
	    "{\"caption\":\"c\",\"columns\":[\"b\"],\"rowHeader\":false,\"rows\":[]}",
	    "a caption was dropped in favour of the figure's" },
	{ "a picture in a table stands after it",
	    "<table><tr><th>a<tr><td>b<img src=\"https://e.org/a.png\"></table>",
	    "{\"caption\":null,\"columns\":[\"a\"],\"rowHeader\":false,\"rows\":[[\"b\"]]}",
	    "a picture in a table stands after it now" },
};

static const struct {
	const char *name, *html, *part, *notes;
} others[] = {
	{ "an aside's heading is the note's title", "<aside><h3>a</h3><p>b</p></aside>",
	    "\"callouts\":[{\"kind\":\"note\",\"title\":\"a\",\"text\":\"b\"}]",
	    "its heading the note's title" },
	{ "a heading is on one line", "<h2>a<br>b</h2>", "\"heading\":\"a b\"",
	    "a line's end in a heading" },
	{ "a heading of a picture alone is the picture",
	    "<h2><img src=\"https://e.org/a.png\"></h2>",
	    "\"heading\":\"\",\"body\":[{\"type\":\"image\"",
	    "a heading without text was dropped" },
	{ "a table of nothing but its caption is that text", "<table><caption>a</caption></table>",
	    "\"body\":[{\"type\":\"paragraph\",\"text\":\"a\"}],\"steps\":[],\"tables\":[]", NULL },
};

static const char *
read_html(const char *html, const char **notes)
{
	struct notes list = { .c = &ctx };
	struct document document;
	const char *text = arena_printf(&arena, "---\ntitle: T\n---\n%s\n", html);
	struct err *err = markdown_read(&ctx, text, strlen(text), &options, &list, &document);
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
		    arena_printf(&arena, "\"body\":[%s]", samples[i].body), samples[i].notes);
	for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++)
		look(tables[i].name, tables[i].html,
		    arena_printf(&arena, "\"tables\":[%s]", tables[i].table), tables[i].notes);
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		look(others[i].name, others[i].html, others[i].part, others[i].notes);
	arena_release(&arena);
	return done_testing();
}
