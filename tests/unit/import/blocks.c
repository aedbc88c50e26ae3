/*
 * What the blocks of a text are for the visual view. With arguments it writes a line of JSON for
 * each text, for tests of the view: "shown FILE…" the texts that an editor shows of documents,
 * "typed FILE…" their texts as they are, "-" texts from standard input, each with a NUL after it.
 *
 * suite: fast
 */
#include "import/markdown/blocks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "base/jwrite.h"
#include "import/markdown/body.h"
#include "import/markdown/markdown.h"
#include "tests/tap.h"

static struct arena arena;
static struct ctx ctx = { .arena = &arena };
static const struct settings settings = { .language = "en" };

#define ROOM ((size_t)256 * 1024 * 1024)

static const char *
address(struct ctx *c, void *arg, const char *src)
{
	(void)arg;
	return strncmp(src, "media:", 6) == 0 ? arena_printf(c->arena, "/media/%s", src + 6) : NULL;
}

static struct snapshot
snapshot_of(const char *language)
{
	struct snapshot s = { .title = "A title", .slug = "a", .language = language };

	content_init(&s.content, language);
	return s;
}

static struct err *
write_json(const struct snapshot *base, const char *text, struct buf *out)
{
	const struct blocks_asked asked = {
		.settings = &settings, .base = base, .title = base->title, .address = address
	};

	buf_init(out, &arena, ROOM);
	return blocks_write(&ctx, &asked, text, out);
}

/* ---- for tests of the view */

static char *
read_all(FILE *in, size_t *len)
{
	size_t cap = 1 << 20;
	char *bytes = malloc(cap);

	for (*len = 0; bytes != NULL; *len += fread(bytes + *len, 1, cap - 1 - *len, in)) {
		if (feof(in) || ferror(in))
			break;
		if (*len + 1 == cap)
			bytes = realloc(bytes, cap *= 2);
	}
	if (bytes == NULL)
		bail("no memory");
	bytes[*len] = '\0';
	return bytes;
}

static void
print(const struct snapshot *base, const char *text)
{
	struct buf json, line;
	struct jwrite w;

	buf_init(&line, &arena, ROOM);
	jwrite_init(&w, &line);
	jwrite_object(&w);
	jwrite_member_text(&w, "text", text);
	jwrite_name(&w, "read");
	if (write_json(base, text, &json) != NULL)
		jwrite_null(&w);
	else
		jwrite_raw(&w, json.data, json.len);
	jwrite_object_end(&w);
	(void)puts(buf_done(&line));
}

static void
print_file(const char *path, bool shown)
{
	const struct document_options options = { .settings = &settings, .path = path };
	struct snapshot base = snapshot_of("en");
	struct notes notes = { .c = &ctx };
	FILE *in = fopen(path, "r");
	struct document d;
	const char *text;
	size_t len;
	char *bytes;

	if (in == NULL)
		bail("%s cannot be read", path);
	bytes = read_all(in, &len);
	(void)fclose(in);
	if (shown && markdown_read(&ctx, bytes, len, &options, &notes, &d) == NULL)
		print(&d.snapshot, body_text(&ctx, &d.snapshot.content));
	else if (!shown && body_of_file(&ctx, bytes, len, &text) == NULL)
		print(&base, text);
	free(bytes);
	arena_reset(&arena);
}

static int
print_texts(void)
{
	struct snapshot base = snapshot_of("en");
	size_t len;
	char *all = read_all(stdin, &len);

	for (char *text = all; text < all + len; text += strlen(text) + 1) {
		print(&base, text);
		arena_reset(&arena);
	}
	free(all);
	return 0;
}

/* ---- the test */

/* Returns the array of blocks of a text. */
static const char *
read_text(const char *text)
{
	struct snapshot base = snapshot_of("en");
	struct buf json;
	struct err *err = write_json(&base, text, &json);
	size_t skip = sizeof("{\"blocks\":[") - 1;

	if (err != NULL)
		return err->message;
	return arena_text_n(&arena, json.data + skip, json.len - skip - 2);
}

#define BLOCK(first, last, node) "{\"first\":" #first ",\"last\":" #last ",\"node\":" node "}"
#define TEXT(text) "{\"type\":\"text\",\"text\":\"" text "\"}"
#define MARKED(mark, text)                                                                         \
	"{\"type\":\"text\",\"marks\":[{\"type\":\"" mark "\"}],\"text\":\"" text "\"}"
#define LINK(href, text)                                                                           \
	"{\"type\":\"text\",\"marks\":[{\"type\":\"link\",\"attrs\":{\"href\":\"" href             \
	"\",\"title\":null}}],\"text\":\"" text "\"}"
#define P(content) "{\"type\":\"paragraph\",\"content\":[" content "]}"
#define EMPTY "{\"type\":\"paragraph\"}"
#define ITEM(first, last, content)                                                                 \
	"{\"type\":\"list_item\",\"attrs\":{\"first\":" #first ",\"last\":" #last                  \
	"},\"content\":[" content "]}"
#define BULLETS(tight, bullet, items)                                                              \
	"{\"type\":\"bullet_list\",\"attrs\":{\"tight\":" #tight ",\"bullet\":\"" bullet           \
	"\"},\"content\":[" items "]}"
#define NUMBERS(tight, start, delim, items)                                                        \
	"{\"type\":\"ordered_list\",\"attrs\":{\"tight\":" #tight ",\"start\":" #start             \
	",\"delim\":\"" delim "\",\"steps\":false},\"content\":[" items "]}"
#define CELL(type, align, content)                                                                 \
	"{\"type\":\"table_" type "\",\"attrs\":{\"align\":" align "},\"content\":[" content "]}"
#define ROW(line, cells)                                                                           \
	"{\"type\":\"table_row\",\"attrs\":{\"line\":" #line "},\"content\":[" cells "]}"
#define NOTE(label, content)                                                                       \
	"{\"type\":\"note\",\"attrs\":{\"label\":\"" label                                         \
	"\",\"accessed\":null},\"content\":[" content "]}"
#define CALLOUT(kind, title, titled, content)                                                      \
	"{\"type\":\"callout\",\"attrs\":{\"kind\":\"" kind "\",\"title\":" title                  \
	",\"titled\":" #titled "},\"content\":[" content "]}"
#define HEADING(level, part, content)                                                              \
	"{\"type\":\"heading\",\"attrs\":{\"level\":" #level ",\"part\":" part                     \
	"},\"content\":[" content "]}"
#define IMAGE(type, src, url, alt, title)                                                          \
	"{\"type\":\"" type "\",\"attrs\":{\"src\":\"" src "\",\"url\":" url ",\"alt\":\"" alt     \
	"\",\"title\":" title "}}"

static const struct {
	const char *what, *text, *blocks;
} cases[] = {
	{ "an empty text has no block", "", "" },
	{ "a paragraph, whose soft break is a space", "\nOne\ntwo.\n\n",
	    BLOCK(2, 3, P(TEXT("One") "," TEXT(" ") "," TEXT("two."))) },
	{ "a heading", "Set up\n------\n", BLOCK(1, 2, HEADING(2, "null", TEXT("Set up"))) },
	{ "marks in the order of the schema", "a ***b***  \n`c`~~d~~",
	    BLOCK(1, 2,
		P(TEXT("a ") ",{\"type\":\"text\",\"marks\":[{\"type\":\"strong\"},{\"type\":"
			     "\"em\"}],\"text\":\"b\"},{\"type\":\"hard_break\"}," MARKED(
				 "code", "c") "," MARKED("strike", "d"))) },
	{ "links, bare ones, and a mail that is none",
	    "[a](https://x.example) www.x.example me@x.example",
	    BLOCK(1, 1,
		P(LINK("https://x.example", "a") "," TEXT(" ") "," LINK("http://www.x.example",
		    "www.x.example") "," TEXT(" ") "," TEXT("me@x.example"))) },
	{ "an address for links is between blocks", "[a][b]\n\n[b]: https://x.example\n\nc",
	    BLOCK(1, 1, P(LINK("https://x.example", "a"))) "," BLOCK(5, 5, P(TEXT("c"))) },
	{ "tags in a line, a break, and what only keeps things apart", "a<kbd>b<br/>c<!-- -->d",
	    BLOCK(1, 1,
		P(TEXT("a") ",{\"type\":\"raw\",\"attrs\":{\"text\":\"<kbd>\"}}," TEXT(
		    "b") ",{\"type\":\"hard_break\"}," TEXT("c") "," TEXT("d"))) },
	{ "a block of HTML has no form", "a\n\n<div>\nb\n</div>\n\nc",
	    BLOCK(1, 1, P(TEXT("a"))) "," BLOCK(3, 5, "null") "," BLOCK(7, 7, P(TEXT("c"))) },
	{ "nor has what is in an element that holds Markdown",
	    "<aside markdown=\"1\">\n  b\n</aside>\n\nc",
	    BLOCK(1, 1, "null") "," BLOCK(2, 2, "null") "," BLOCK(3, 3, "null") "," BLOCK(
		5, 5, P(TEXT("c"))) },
	{ "but what is there to the letter has", "<aside markdown=\"1\">\n\nb\n\n</aside>",
	    BLOCK(1, 1, "null") "," BLOCK(3, 3, P(TEXT("b"))) "," BLOCK(5, 5, "null") },
	{ "a picture and an image", "![a *b*](media:x.png \"c\")\n\n![d](https://x.example/e) f",
	    BLOCK(1, 1,
		IMAGE("picture", "media:x.png", "\"/media/x.png\"", "a b", "\"c\"")) "," BLOCK(3, 3,
		P(IMAGE("image", "https://x.example/e", "null", "d", "null") "," TEXT(" f"))) },
	{ "lists in lists, tight and loose", "* a\n  1) b\n* c\n\n\n7. d\n\n   e\n\n8. f\n",
	    BLOCK(1, 3,
		BULLETS(true, "*",
		    ITEM(0, 1,
			P(TEXT("a")) "," NUMBERS(true, 1, ")",
			    ITEM(1, 1, P(TEXT("b"))))) "," ITEM(2, 2, P(TEXT("c"))))) "," BLOCK(6,
		10,
		NUMBERS(false, 7, ".",
		    ITEM(0, 2, P(TEXT("d")) "," P(TEXT("e"))) "," ITEM(4, 4, P(TEXT("f"))))) },
	{ "an empty item", "- a\n-\n",
	    BLOCK(1, 2, BULLETS(true, "-", ITEM(0, 0, P(TEXT("a"))) "," ITEM(1, 1, EMPTY))) },
	{ "an item that begins with something else has no form", "-     code\n\nb",
	    BLOCK(1, 1, "null") "," BLOCK(3, 3, P(TEXT("b"))) },
	{ "a quote with a list with dashes in it", "> a\n>\n> + b\n",
	    BLOCK(1, 3,
		"{\"type\":\"blockquote\",\"attrs\":{\"cite\":null},\"content\":[" P(
		    TEXT("a")) "," BULLETS(true, "+", ITEM(2, 2, P(TEXT("b")))) "]}") },
	{ "callouts", "> [!TIP]\n> a\n\n> [!todo]- b\n>\n> c\n\n> [!note] d *e*\n\n> [!x] f",
	    BLOCK(1, 2, CALLOUT("tip", "null", false, P(TEXT("a")))) "," BLOCK(
		4, 6, CALLOUT("todo", "\"b\"", true, P(TEXT("c")))) "," BLOCK(8, 8,
		CALLOUT("note", "null", false, P(TEXT(" d ") "," MARKED("em", "e")))) "," BLOCK(10,
		10,
		"{\"type\":\"blockquote\",\"attrs\":{\"cite\":null},\"content\":[" P(
		    TEXT("[!x] f")) "]}") },
	{ "code", "```js x\n\na\n```\n\n    b\n",
	    BLOCK(1, 4,
		"{\"type\":\"code_block\",\"attrs\":{\"info\":\"js x\"},\"content\":[" TEXT(
		    "\\na") "]}") "," BLOCK(6, 6,
		"{\"type\":\"code_block\",\"attrs\":{\"info\":null},\"content\":[" TEXT(
		    "b") "]}") },
	{ "a table, with a bar in code", "| A | B |\n|:-:|---|\n| `a\\|b` | c<br>d |\n| e |\n",
	    BLOCK(1, 4,
		"{\"type\":\"table\",\"attrs\":{\"caption\":null,\"rowHeader\":false},\"content\":"
		"[" ROW(0, CELL("header", "\"center\"", TEXT("A")) "," CELL(
			       "header", "null", TEXT("B"))) "," ROW(2,
		    CELL("cell", "\"center\"", MARKED("code", "a|b")) "," CELL("cell", "null",
			TEXT("c") ",{\"type\":\"hard_break\"}," TEXT("d"))) "," ROW(3,
		    CELL("cell", "\"center\"", TEXT("e")) "," CELL("cell", "null", "")) "]}") },
	{ "notes, cited or not", "a[^x][^y]\n\n[^y]: b\n[^x]: c\n    d\n[^z]: e\n",
	    BLOCK(1, 1,
		P(TEXT("a") ",{\"type\":\"cite\",\"attrs\":{\"label\":\"x\"}},{\"type\":\"cite\","
			    "\"attrs\":{\"label\":\"y\"}}")) "," BLOCK(3, 3,
		NOTE("y", P(TEXT("b")))) "," BLOCK(4, 5,
		NOTE("x", P(TEXT("c") "," TEXT(" ") "," TEXT("d")))) "," BLOCK(6, 6,
		NOTE("z", P(TEXT("e")))) },
	{ "the headings of parts",
	    "## Key takeaways\n\n- a\n\n## Text\n\nb\n\n## FAQ\n\n### c\n\nd\n",
	    BLOCK(1, 1, HEADING(2, "\"takeaways\"", TEXT("Key takeaways"))) "," BLOCK(
		3, 3, BULLETS(true, "-", ITEM(0, 0, P(TEXT("a"))))) "," BLOCK(5, 5,
		HEADING(2, "null", TEXT("Text"))) "," BLOCK(7, 7, P(TEXT("b"))) "," BLOCK(9, 9,
		HEADING(2, "\"faqs\"", TEXT("FAQ"))) "," BLOCK(11, 11,
		HEADING(3, "null", TEXT("c"))) "," BLOCK(13, 13, P(TEXT("d"))) },
	{ "a rule", "a\n\n---\n",
	    BLOCK(1, 1, P(TEXT("a"))) "," BLOCK(3, 3, "{\"type\":\"rule\"}") },
};

/* What Markdown has no form for is found in the article that the text was made of. */
static void
test_base(void)
{
	const char *text = "## A\n\n1. b\n\n> c\n\n| D |\n|---|\n| e |\n\n> [!TIP]\n> f\n";
	struct snapshot s = snapshot_of("en");
	struct section *section;
	struct buf json;

	if (body_read(&ctx, &settings, &s, s.title, text, &s.content) != NULL)
		bail("the text was refused");
	section = &s.content.sections[0];
	section->body[0].type = BLOCK_STEPS;
	section->step_count = 1;
	section->steps = arena_array(&arena, 1, sizeof(*section->steps));
	section->steps[0].name = "b";
	section->steps[0].text = "";
	section->body[1].cite = "Who";
	section->tables[0].caption = "Caption";
	section->tables[0].row_header = true;
	section->callouts[0].title = "Title";
	if (write_json(&s, text, &json) != NULL)
		bail("the text was refused with its base");
	ok(strstr(json.data, "\"steps\":true") != NULL, "a numbered list is of steps");
	ok(strstr(json.data, "\"cite\":\"Who\"") != NULL, "a quote has its source");
	ok(strstr(json.data, "\"caption\":\"Caption\",\"rowHeader\":true") != NULL,
	    "a table has its caption");
	ok(strstr(json.data, "\"title\":\"Title\",\"titled\":false") != NULL,
	    "a callout has its title");
}

static void
test_limits(void)
{
	struct snapshot base = snapshot_of("en");
	char *text = arena_alloc(&arena, MARKDOWN_BYTES_MAX + 2), *p = text;
	struct buf json;

	for (int i = 0; i < 101; i++)
		p += sprintf(p, "%*s- a\n", 2 * i, "");
	is_text(read_text(text), "line 101: lists or quotes are nested more than 100 deep.",
	    "what is nested too deep is refused");
	for (p = text; p < text + 8000; p += 2)
		memcpy(p, "*a", 3);
	ok(write_json(&base, text, &json) == NULL, "thousands of marks are read");
	memset(text, 'a', MARKDOWN_BYTES_MAX + 1);
	text[MARKDOWN_BYTES_MAX + 1] = '\0';
	ok(write_json(&base, text, &json) != NULL, "a text of more than 8 MiB is refused");
}

int
main(int argc, char **argv)
{
	arena_init(&arena, (size_t)2 * 1024 * 1024 * 1024);
	if (argc == 2 && strcmp(argv[1], "-") == 0)
		return print_texts();
	for (int i = 2; i < argc; i++)
		print_file(argv[i], strcmp(argv[1], "shown") == 0);
	if (argc > 1)
		return 0;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		is_text(read_text(cases[i].text), cases[i].blocks, "%s", cases[i].what);
	test_base();
	test_limits();
	return done_testing();
}
