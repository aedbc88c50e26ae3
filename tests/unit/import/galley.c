/* The front matter key `galley` in edited documents: each entry applies if its place is
 * still there, is reported if the place is gone, and is ignored if Galley does not know
 * it.
 * suite: fast
 */
#include "import/markdown/extra.h"

#include "base/arena.h"
#include "base/ctx.h"
#include "import/markdown/markdown.h"
#include "import/markdown/references.h"
#include "tests/tap.h"

static struct arena arena;
static struct ctx ctx = { .arena = &arena };
static const struct settings settings = { .language = "en" };
static const struct document_options options = { .settings = &settings };

/* Returns the content of a document with this key as JSON, or the refusal. */
static const char *
read_text(const char *galley, const char *body, struct document *out, const char **told)
{
	const char *text = arena_printf(&arena,
	    "---\ntitle: T\nimage: https://e.org/c.png\ngalley: %s\n---\n%s\n", galley, body);
	struct notes notes = { .c = &ctx };
	struct buf json, all;
	struct err *err = markdown_read(&ctx, text, strlen(text), &options, &notes, out);

	buf_init(&all, &arena, 1024 * 1024);
	for (size_t i = 0; i < notes.count; i++)
		buf_printf(&all, "%s\n", notes.lines[i]);
	*told = all.data;
	if (err != NULL)
		return err->message;
	buf_init(&json, &arena, 8 * 1024 * 1024);
	content_to_json(&out->snapshot.content, NULL, &json);
	return json.data;
}

static const struct {
	const char *name, *galley, *body, *content;
	const char *told; /* NULL: nothing is */
} samples[] = {
	{ "sections are found by their headings",
	    "{\"sections\":[{\"id\":\"b\",\"heading\":\"B\"}]}", "## A\n\n## B",
	    "{\"id\":\"b\",\"heading\":\"B\"", NULL },
	{ "what is no section is none", "{\"sections\":[7,{\"id\":\"b\",\"heading\":\"B\"},null]}",
	    "## B", "{\"id\":\"b\",\"heading\":\"B\"", NULL },
	{ "a section without heading is the text before the first heading",
	    "{\"sections\":[{\"id\":\"a\"},{\"id\":\"b\",\"heading\":\"B\"}]}", "a\n\n## B",
	    "{\"id\":\"a\",\"heading\":\"\"", NULL },
	{ "a part that is unknown is none",
	    "{\"sections\":[{\"id\":\"b\",\"heading\":\"FAQ\",\"part\":\"c\"}]}",
	    "## FAQ\n\n### A?\n\nb", "{\"id\":\"b\",\"heading\":\"FAQ\"", NULL },
	{ "a list of steps that is one still is",
	    "{\"sections\":[{\"heading\":\"B\",\"steps\":{\"list\":1}}]}",
	    "## B\n\n- a\n\ntext\n\n1. c\n\n   d\n2. e",
	    "\"steps\":[{\"name\":\"c\",\"text\":\"d\"},{\"name\":\"e\",\"text\":\"\"}]", NULL },
	{ "a list of steps that holds a list now is a list, and told",
	    "{\"sections\":[{\"heading\":\"B\",\"steps\":{\"list\":0}}]}",
	    "## B\n\n1. c\n   - d\n2. e", "\"body\":[{\"type\":\"list\"",
	    "line 4: the list of steps, list 1 of the section \"B\" is gone" },
	{ "a list of steps without numbers is a list, and told",
	    "{\"sections\":[{\"heading\":\"B\",\"steps\":{\"list\":0}}]}", "## B\n\n- c\n- e",
	    "\"body\":[{\"type\":\"list\"", "line 4: the list of steps, list 1" },
	{ "things that say the same place keep their order",
	    "{\"sections\":[{\"heading\":\"B\",\"callouts\":[{\"at\":1},{},{\"at\":0}]}]}",
	    "## B\n\n> [!TIP]\n> a\n\n> [!TIP]\n> b\n\n> [!TIP]\n> c",
	    "\"callouts\":[{\"kind\":\"tip\",\"title\":null,\"text\":\"c\"},{\"kind\":\"tip\",\"title\":null,\"text\":\"a\"},{\"kind\":\"tip\",\"title\":null,\"text\":\"b\"}]",
	    NULL },
	{ "and are shown where the document has them",
	    "{\"sections\":[{\"heading\":\"B\",\"callouts\":[{\"at\":1},{},{\"at\":0}]}]}",
	    "## B\n\n> [!TIP]\n> a\n\n> [!TIP]\n> b\n\n> [!TIP]\n> c",
	    "\"body\":[{\"type\":\"callout\",\"index\":1},{\"type\":\"callout\",\"index\":2},{\"type\":\"callout\",\"index\":0}]",
	    NULL },
	{ "what is said of a block is an object",
	    "{\"sections\":[{\"heading\":\"B\",\"quotes\":[3,{\"cite\":\"d\"}]}]}",
	    "## B\n\n> a\n\ntext\n\n> b", "{\"type\":\"quote\",\"text\":\"b\",\"cite\":\"d\"}",
	    NULL },
	{ "a cover's text may be kept there", "{\"imageAlt\":\"a  b\"}", "a",
	    "\"imageAlt\":\"a  b\"", NULL },
	{ "a cover that is another has its own facts",
	    "{\"image\":{\"url\":\"https://e.org/d.png\",\"type\":\"image/png\"}}", "a",
	    "\"text\":\"a\"", "line 4: the cover was changed" },
	{ "texts that are none are passed over",
	    "{\"texts\":[3,[],[0],[0,\"a\"],[-1,\"a\",\"b\"],[\"0\",\"a\",\"b\"],[9000000000000000000,\"a\",\"b\"],[0,\"a\",\"b\"]]}",
	    "c", "\"text\":\"c\"", NULL },
	{ "a whole content of another body does not hold",
	    "{\"exact\":{\"body\":\"0123456789abcdef\",\"content\":{\"summary\":\"old\"}}}", "c",
	    "\"summary\":\"\"", NULL },
	{ "a link to a subsection's id stays one",
	    "{\"sections\":[{\"id\":\"a\",\"heading\":\"A\"},{\"id\":\"b\",\"heading\":\"B\",\"sub\":true}]}",
	    "## A\n\n[c](#b)\n\n### B", "\"text\":\"[c](#b)\"", NULL },
	{ "what Galley may not hold is refused",
	    "{\"sections\":[{\"id\":\"a b\",\"heading\":\"A\"}]}", "## A", "The id \"a b\" must be",
	    NULL },
	{ "a text that is JSON, and no object, is refused", "'[1]'", "a",
	    "line 4: \"galley\" must be one JSON object.", NULL },
};

static void
test_samples(void)
{
	for (size_t i = 0; i < sizeof(samples) / sizeof(samples[0]); i++) {
		const char *told, *got;
		struct document document;
		got = read_text(samples[i].galley, samples[i].body, &document, &told);
		if (!ok(strstr(got, samples[i].content) != NULL, "%s", samples[i].name))
			printf("#  got: %s\n# want: %s\n", got, samples[i].content);
		if (samples[i].told == NULL)
			is_text(told, "", "and nothing is told");
		else if (!ok(strstr(told, samples[i].told) != NULL, "and it is told"))
			printf("# %s\n", told);
		arena_reset(&arena);
	}
}

/* Facts about a source that Markdown cannot say apply as long as its footnote is unchanged. */
static void
test_references(void)
{
	const char *was, *told, *galley;
	struct reference said = { .title = "T", .url = "https://e.org/" };
	struct document document;
	struct buf text;

	buf_init(&text, &arena, 4096);
	references_write(&text, &said);
	was = extra_digest(&ctx, text.data, text.len);
	galley = arena_printf(&arena,
	    "{\"references\":[7,{\"id\":\"r1\",\"was\":\"%s\",\"exact\":{\"title\":\"T, or U\",\"url\":\"https://e.org/u\"}},{\"id\":\"r2\",\"was\":\"%s\",\"exact\":{}}]}",
	    was, was);
	ok(strstr(read_text(galley, "a[^r1]\n\n[^r1]: [T](https://e.org/)", &document, &told),
	       "\"title\":\"T, or U\",\"url\":\"https://e.org/u\"") != NULL,
	    "a source that nobody touched is what it was");
	ok(strstr(read_text(galley, "a[^r1]\n\n[^r1]: [V](https://e.org/)", &document, &told),
	       "\"title\":\"V\",\"url\":\"https://e.org/\"") != NULL,
	    "one that was edited is what it says");
	ok(strstr(read_text(galley, "a[^r2]\n\n[^r2]: [T](https://e.org/)", &document, &told),
	       "\"title\":\"r2\",\"url\":null") != NULL,
	    "one of which nothing is said has its id for a title");
	arena_reset(&arena);
}

int
main(void)
{
	arena_init(&arena, (size_t)256 * 1024 * 1024);
	test_samples();
	test_references();
	arena_release(&arena);
	return done_testing();
}
