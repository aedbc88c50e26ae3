/*
 * An article that is written as Markdown and read again is the same article.
 */
#include "import/markdown/markdown.h"

#include "base/arena.h"
#include "base/ctx.h"
#include "base/jread.h"
#include "base/jwrite.h"
#include "import/markdown/to-markdown.h"
#include "tests/tap.h"

static struct arena arena;
static struct ctx ctx = { .arena = &arena };
static const struct settings settings = { .language = "en" };
static const struct document_options options = { .settings = &settings };

static const char *
json_of(const struct content *content)
{
	struct buf out;

	buf_init(&out, &arena, 8 * 1024 * 1024);
	content_to_json(content, NULL, &out);
	return buf_done(&out);
}

static void
content_of(const char *json, struct content *out)
{
	json_t *root;
	struct err *err = jread_parse(&ctx, "content", json, strlen(json), &root);

	if (err == NULL)
		err = content_from_json(&ctx, "content", root, "en", out);
	if (err != NULL)
		bail("a test's content is none: %s\n%s", err->message, json);
}

static const char *
markdown_of(const struct document *document)
{
	struct buf out;

	buf_init(&out, &arena, 32 * 1024 * 1024);
	markdown_write(&ctx, document, &out);
	return buf_done(&out);
}

/* Reads a document that no test lets be refused; its notes in one text. */
static const char *
read_back(const char *text, struct document *out)
{
	struct notes notes = { .c = &ctx };
	struct err *err = markdown_read(&ctx, text, strlen(text), &options, &notes, out);
	struct buf all;

	if (err != NULL)
		bail("a document is refused: %s\n%s", err->message, text);
	buf_init(&all, &arena, 1024 * 1024);
	for (size_t i = 0; i < notes.count; i++)
		buf_printf(&all, "%s\n", notes.lines[i]);
	return all.data;
}

/* A generator of numbers that is the same everywhere. */
static uint64_t state;

static unsigned
number(unsigned below)
{
	state = state * 6364136223846793005U + 1442695040888963407U;
	return (unsigned)(state >> 33) % below;
}

/* Pieces of texts: `plain` of them harmless, then those that Markdown, HTML or
 * YAML could take for something. */
enum { PLAIN = 12 };
static const char *const pieces[] = { "word", " ", "two words", ", ", "الكلمة", " ", "日本語", "ü",
	".", " 12", "— ", "C++", "*", "**", "`", "``", "_", "\\", "[", "]", "(", ")", "<", ">",
	"<b>", "</p>", "<!--", "-->", "&", "&amp;", "&#32;", "!", "|", "~~", "#", "##", "- ", "+ ",
	"1. ", "1)", "> ", "---", "===", "```", "~~~", "{#id}", "[!TIP]", ":", "\"", "'", "  ",
	"\n", "\n\n", "\n\n\n", " \n ", "**strong**", "*em*", "`code`", "`a|b`", "` `",
	"[link](https://www.example.com/a_(b)?x=1&copy=2)", "[in](#s1)", "[away](#nowhere)",
	"[^r1]", "[^r9]", "***both***", "**a *b* c**", "\xE2\x80\x8B", "\xC2\xA0", "🙂",
	"</script>", "{{ x }}", "media:", "http://example.com", "\\*", "@", "=", "+",
	"www.example.com/a_b_c", "https://example.com/_a_?b=1&c=2;d", "www.", "http",
	"HTTPS://example.com/*x*", "://example.com", "ftp://example.com/x", "me@example.com",
	"mailto:me@example.com", "**https://example.com**",
	"[https://example.com](https://example.com/)" };

/* Whether texts are made as an import would make them: then Markdown can express all. */
static bool normal;

static const char *
text(bool hostile, bool one_line)
{
	const char *usual;

	size_t count = sizeof(pieces) / sizeof(pieces[0]);
	struct buf out;

	buf_init(&out, &arena, 4096);
	for (unsigned n = 1 + number(hostile ? 9 : 5); n > 0; n--) {
		const char *piece = pieces[number(hostile ? (unsigned)count : PLAIN)];
		bool fits = !one_line || strchr(piece, '\n') == NULL;
		/* Links to nowhere, and paragraphs that show nothing, are
		 * what import does not make. */
		bool usual_piece = strstr(piece, "](#") == NULL && strcmp(piece, "\u200B") != 0 &&
				   strcmp(piece, "\u00A0") != 0;
		if (fits && (!normal || usual_piece))
			buf_add_text(&out, piece);
	}
	usual = normal ? to_markdown_normal(&ctx, out.data) : out.data;
	return usual == NULL ? "nothing" : usual;
}

/* Something that shows: headings must. */
static const char *
heading(bool hostile)
{
	struct buf out;

	buf_init(&out, &arena, 4096);
	buf_printf(&out, "H%u %s", number(50), text(hostile, true));
	return normal ? to_markdown_normal(&ctx, out.data) : out.data;
}

static void
write_list(struct jwrite *w, bool hostile, int depth)
{
	jwrite_member_array(w, "items");
	for (unsigned n = number(4) + (depth == 0); n > 0; n--) {
		jwrite_object(w);
		jwrite_member_text(w, "text", text(hostile, false));
		jwrite_member_bool(w, "ordered", number(2));
		if (depth < 3 && number(3) == 0)
			write_list(w, hostile, depth + 1);
		jwrite_object_end(w);
	}
	jwrite_array_end(w);
}

static void
write_block(
    struct jwrite *w, bool hostile, bool rules, unsigned *tables, unsigned *callouts, bool *steps)
{
	static const char *const names[] = { "paragraph", "heading", "list", "quote", "code",
		"image", "table", "callout", "steps", "rule" };
	/* A section of nothing but a rule is what import does not make. */
	unsigned type = number(rules ? 10 : 9);

	if ((type == 6 && *tables == 0) || (type == 7 && *callouts == 0) || (type == 8 && !*steps))
		type = 0;
	jwrite_object(w);
	jwrite_member_text(w, "type", names[type]);
	if (type == 0 || type == 3)
		jwrite_member_text(w, "text", text(hostile, false));
	if (type == 1)
		jwrite_member_text(w, "text", heading(hostile));
	if (type == 2) {
		jwrite_member_bool(w, "ordered", number(2));
		write_list(w, hostile, 0);
	}
	if (type == 3 && number(2) == 0)
		jwrite_member_text(w, "cite", text(hostile, false));
	if (type == 4) {
		jwrite_member_text(w, "text", text(true, false));
		if (number(2) == 0)
			jwrite_member_text(w, "language", number(4) == 0 ? "a`b&amp;\\" : "c++");
	}
	if (type == 5) {
		jwrite_member_text(w, "url", "https://www.example.com/a_(b).png?x=1&copy=2");
		jwrite_member_text(w, "alt", text(hostile && !normal, true));
		if (number(2) == 0)
			jwrite_member_text(w, "caption", text(hostile, false));
		if (number(2) == 0) {
			jwrite_member_int(w, "width", 640);
			jwrite_member_int(w, "height", 480);
		}
	}
	if (type == 6)
		jwrite_member_int(w, "index", --*tables);
	if (type == 7)
		jwrite_member_int(w, "index", --*callouts);
	if (type == 8)
		*steps = false;
	jwrite_object_end(w);
}

static void
write_cells(struct jwrite *w, unsigned columns, bool hostile)
{
	jwrite_array(w);
	for (unsigned i = 0; i < columns; i++)
		jwrite_text(w, text(hostile, false));
	jwrite_array_end(w);
}

static void
write_table(struct jwrite *w, bool hostile)
{
	unsigned columns = 1 + number(3);

	jwrite_object(w);
	if (number(2) == 0)
		jwrite_member_text(w, "caption", text(hostile, false));
	jwrite_name(w, "columns");
	write_cells(w, columns, hostile);
	if (number(2) == 0) {
		jwrite_member_array(w, "align");
		for (unsigned i = 0; i < columns; i++) {
			const char *name = content_align_name(CONTENT_ALIGN[number(4)]);
			if (name != NULL)
				jwrite_text(w, name);
			else
				jwrite_null(w);
		}
		jwrite_array_end(w);
	}
	jwrite_member_bool(w, "rowHeader", number(2));
	jwrite_member_array(w, "rows");
	for (unsigned n = number(3); n > 0; n--)
		write_cells(w, columns, hostile);
	jwrite_array_end(w);
	jwrite_object_end(w);
}

static void
write_section(struct jwrite *w, bool hostile, bool first, bool nested)
{
	static const char *const kinds[] = { "note", "tip", "warning", "todo" };
	unsigned tables = number(3), callouts = number(3), count = number(3);
	bool steps = count > 0;

	jwrite_object(w);
	jwrite_member_text(w, "heading",
	    first && number(2) == 0 ? ""
	    : number(12) == 0	    ? "FAQ"
				    : heading(hostile));
	jwrite_member_array(w, "steps");
	for (; count > 0; count--) {
		jwrite_object(w);
		jwrite_member_text(w, "name", text(hostile, true));
		jwrite_member_text(w, "text", text(hostile, false));
		jwrite_object_end(w);
	}
	jwrite_array_end(w);
	jwrite_member_array(w, "tables");
	for (unsigned i = 0; i < tables; i++)
		write_table(w, hostile);
	jwrite_array_end(w);
	jwrite_member_array(w, "callouts");
	for (unsigned i = 0; i < callouts; i++) {
		jwrite_object(w);
		jwrite_member_text(w, "kind", kinds[number(4)]);
		if (number(2) == 0)
			jwrite_member_text(w, "title", text(hostile, true));
		jwrite_member_text(w, "text", text(hostile, false));
		jwrite_object_end(w);
	}
	jwrite_array_end(w);
	jwrite_member_array(w, "body");
	for (unsigned n = number(7); n > 0; n--)
		write_block(w, hostile, !first, &tables, &callouts, &steps);
	jwrite_array_end(w);
	if (!nested) {
		jwrite_member_array(w, "subsections");
		for (unsigned n = number(3); n > 0; n--)
			write_section(w, hostile, false, true);
		jwrite_array_end(w);
	}
	jwrite_object_end(w);
}

static void
write_reference(struct jwrite *w, const char *id, bool hostile)
{
	jwrite_object(w);
	jwrite_member_text(w, "id", id);
	jwrite_member_text(w, "title", heading(hostile));
	if (number(3) > 0)
		jwrite_member_text(w, "url", "https://www.example.org/x");
	if (number(2) == 0)
		jwrite_member_text(w, "publisher", text(hostile, true));
	if (number(2) == 0)
		jwrite_member_text(w, "published", "2025-03-04");
	if (number(2) == 0)
		jwrite_member_text(w, "accessed", "2026-08-30");
	jwrite_object_end(w);
}

/* Returns a whole content of the seed as JSON. */
static const char *
random_content(uint64_t seed, bool hostile)
{
	static const char *const ids[] = { "r1", "r9", "smith-2020" };
	struct jwrite w;
	struct buf out;

	state = seed;
	buf_init(&out, &arena, 4 * 1024 * 1024);
	jwrite_init(&w, &out);
	jwrite_object(&w);
	jwrite_member_text(&w, "summary", text(hostile, false));
	jwrite_member_array(&w, "takeaways");
	for (unsigned n = number(4); n > 0; n--)
		jwrite_text(&w, text(hostile, false));
	jwrite_array_end(&w);
	jwrite_member_array(&w, "sections");
	for (unsigned i = 0, n = number(4); i < n; i++)
		write_section(&w, hostile, i == 0, false);
	jwrite_array_end(&w);
	jwrite_member_array(&w, "faqs");
	for (unsigned n = number(3); n > 0; n--) {
		jwrite_object(&w);
		jwrite_member_text(&w, "question", heading(hostile));
		jwrite_member_text(&w, "answer", text(hostile, false));
		jwrite_object_end(&w);
	}
	jwrite_array_end(&w);
	jwrite_member_array(&w, "references");
	for (unsigned i = 0; i < 3; i++)
		write_reference(&w, ids[i], hostile);
	jwrite_array_end(&w);
	if (number(2) == 0)
		jwrite_member_text(&w, "imageCaption", text(hostile, normal));
	jwrite_object_end(&w);
	return buf_done(&out);
}

/* Whether a content comes back byte for byte; *exact and *texts whether the
 * whole of it, or single texts, had to be kept in front matter. */
static bool
comes_back(const char *json, bool *exact, bool *texts)
{
	struct document document = { .snapshot = { .title = "T", .slug = "t", .language = "en" } },
			back;
	const char *markdown;

	content_of(json, &document.snapshot.content);
	markdown = markdown_of(&document);
	*exact = strstr(markdown, "\"exact\":{\"body\"") != NULL;
	*texts = strstr(markdown, "\"texts\":[") != NULL;
	read_back(markdown, &back);
	if (strcmp(json_of(&document.snapshot.content), json_of(&back.snapshot.content)) == 0)
		return true;
	printf("# %s\n# %s\n# %s\n", json_of(&document.snapshot.content),
	    json_of(&back.snapshot.content), markdown);
	return false;
}

static void
test_random(unsigned count, bool hostile, bool usual)
{
	unsigned exact = 0, texts = 0, wrong = 0;

	normal = usual;
	for (unsigned seed = 1; seed <= count && wrong == 0; seed++) {
		bool is_exact, has_texts;
		if (!comes_back(random_content(seed, hostile), &is_exact, &has_texts)) {
			printf("# seed %u\n", seed);
			wrong++;
		}
		if (is_exact)
			printf("# seed %u is kept whole\n", seed);
		exact += is_exact;
		texts += has_texts;
		arena_reset(&arena);
	}
	ok(wrong == 0, "%u random contents come back as they were%s%s", count,
	    hostile ? ", full of marks" : "", usual ? ", usual ones" : "");
	is_int(exact, 0, "none of them is kept whole in front matter");
	if (usual)
		is_int(texts, 0, "Markdown alone says their texts");
}

static const char article[] =
    "{\"summary\":\"A summary.\",\"sections\":[{\"id\":\"bin\",\"heading\":\"Set up the bin\",\"body\":[{\"type\":\"paragraph\",\"text\":\"Choose a bin.\"},{\"type\":\"steps\"},{\"type\":\"quote\",\"text\":\"It is dry.\",\"cite\":\"Dana\"}],\"steps\":[{\"name\":\"Drill\",\"text\":\"Ten holes.\"},{\"name\":\"Fill\",\"text\":\"Five cm.\"}],\"tables\":[{\"caption\":\"What goes in\",\"columns\":[\"A\",\"B\"],\"rowHeader\":true,\"rows\":[[\"1\",\"2\"]]}],\"callouts\":[{\"kind\":\"tip\",\"title\":\"A tip\",\"text\":\"Freeze.\"}],\"subsections\":[{\"id\":\"where\",\"heading\":\"Where to put it\",\"body\":[{\"type\":\"paragraph\",\"text\":\"See [above](#bin).[^r1]\"}]}]},{\"id\":\"use\",\"heading\":\"Use it\",\"body\":[{\"type\":\"paragraph\",\"text\":\"Twice a week.\"}]}],\"faqs\":[{\"id\":\"smell\",\"question\":\"Does it smell?\",\"answer\":\"No.\"}],\"references\":[{\"id\":\"r1\",\"title\":\"Basics\",\"url\":\"https://www.example.org/b\",\"publisher\":\"Institute\",\"published\":\"2025-03-04\",\"accessed\":\"2026-08-30\"}]}";

/* Edits of the article's Markdown: `from` is replaced by `to`; what must be in
 * the content then, and in the notes (NULL: there must be none). */
static const struct {
	const char *name, *from, *to, *content, *notes;
} edits[] = {
	{ "an untouched article keeps its steps", "", "",
	    "\"steps\":[{\"name\":\"Drill\",\"text\":\"Ten holes.\"},{\"name\":\"Fill\",\"text\":\"Five cm.\"}]",
	    NULL },
	{ "a corrected word changes that word", "Choose a bin.", "Take a bin.",
	    "\"text\":\"Take a bin.\"},{\"type\":\"steps\"}", NULL },
	{ "a new paragraph moves no caption", "Choose a bin.", "Choose a bin.\n\nWith a lid.",
	    "\"caption\":\"What goes in\"", NULL },
	{ "a new paragraph moves no cite", "Choose a bin.", "Choose a bin.\n\nWith a lid.",
	    "\"cite\":\"Dana\"", NULL },
	{ "a changed heading keeps its id", "## Use it", "## Use it daily",
	    "{\"id\":\"use\",\"heading\":\"Use it daily\"", NULL },
	{ "a new section gets an id of its own", "## Use it", "## Empty it\n\nNow.\n\n## Use it",
	    "{\"id\":\"s1\",\"heading\":\"Empty it\"", NULL },
	{ "a new section takes no id from others", "## Use it", "## Empty it\n\nNow.\n\n## Use it",
	    "{\"id\":\"use\",\"heading\":\"Use it\"", NULL },
	{ "a removed section is reported", "## Use it\n\nTwice a week.\n", "", "{\"id\":\"bin\"",
	    "the section \"Use it\" is gone" },
	{ "a removed quote is reported", "> It is dry.\n", "", "{\"id\":\"bin\"",
	    "quote 1 of the section \"Set up the bin\"" },
	{ "an edited step stays a step", "Ten holes.", "Twelve holes.",
	    "{\"name\":\"Drill\",\"text\":\"Twelve holes.\"}", NULL },
	{ "a new step is one", "2. Fill", "2. Wait\n3. Fill", "{\"name\":\"Wait\",\"text\":\"\"}",
	    NULL },
	{ "a new row comes into the table", "| 1 | 2 |", "| 1 | 2 |\n| 3 | 4 |",
	    "\"rows\":[[\"1\",\"2\"],[\"3\",\"4\"]]", NULL },
	{ "a question keeps its id", "Does it smell?", "Does it smell bad?",
	    "{\"id\":\"smell\",\"question\":\"Does it smell bad?\"", NULL },
	{ "a source keeps the date of access", "[Basics]", "[The basics]",
	    "\"title\":\"The basics\",\"url\":\"https://www.example.org/b\",\"publisher\":\"Institute\",\"published\":\"2025-03-04\",\"accessed\":\"2026-08-30\"",
	    NULL },
	{ "a link to a heading's anchor finds its id", "Twice a week.",
	    "See [there](#where-to-put-it).", "[there](#where)", NULL },
	{ "a link to a content id stays one", "Twice a week.", "See [there](#smell).",
	    "[there](#smell)", NULL },
	{ "the summary, which Markdown does not show, stays", "Choose", "Take",
	    "\"summary\":\"A summary.\"", NULL },
	{ "a heading block is one", "Twice a week.", "Twice.\n\n#### Why\n\nSo.",
	    "{\"type\":\"heading\",\"text\":\"Why\"}", NULL },
};

static const char *
replaced(const char *text, const char *from, const char *to)
{
	const char *at = strstr(text, from);

	if (at == NULL)
		bail("\"%s\" is not in\n%s", from, text);
	return arena_printf(&arena, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
}

static void
test_edits(void)
{
	struct document document = { .snapshot = { .title = "T", .slug = "t", .language = "en" } },
			back;

	for (size_t i = 0; i < sizeof(edits) / sizeof(edits[0]); i++) {
		const char *markdown, *body, *notes, *json;
		content_of(article, &document.snapshot.content);
		markdown = markdown_of(&document);
		body = strstr(markdown, "\n---\n");
		markdown = arena_printf(&arena, "%.*s%s", (int)(body - markdown), markdown,
		    replaced(body, edits[i].from, edits[i].to));
		notes = read_back(markdown, &back);
		json = json_of(&back.snapshot.content);
		if (!ok(strstr(json, edits[i].content) != NULL, "%s", edits[i].name))
			printf("# %s\n# %s\n", json, markdown);
		if (edits[i].notes == NULL)
			is_text(notes, "", "and nothing is lost");
		else if (!ok(strstr(notes, edits[i].notes) != NULL, "and the loss is told"))
			printf("# %s\n", notes);
		arena_reset(&arena);
	}
}

/* A fence is as long as it must be. */
static void
test_fences(void)
{
	static const char *const codes[] = { "a", "```", "`", "a````b" };
	static const char *const fences[] = { "\n```c\na\n```\n", "\n````c\n```\n````\n",
		"\n```c\n`\n```\n", "\n`````c\na````b\n`````\n" };
	struct document document = { .snapshot = { .title = "T", .slug = "t", .language = "en" } };

	for (size_t i = 0; i < sizeof(codes) / sizeof(codes[0]); i++) {
		content_of(
		    arena_printf(&arena,
			"{\"sections\":[{\"id\":\"s1\",\"heading\":\"H\",\"body\":[{\"type\":\"code\",\"text\":\"%s\",\"language\":\"c\"}]}]}",
			codes[i]),
		    &document.snapshot.content);
		ok(strstr(markdown_of(&document), fences[i]) != NULL, "the fence of %s", codes[i]);
	}
}

/* The fields beside the content. */
static void
test_fields(void)
{
	const char *tags[] = { "compost", "a, b", "yes", "12" };
	struct document d = { .snapshot = { .title = "Yes: \"no\" — 'a' #1",
				  .slug = "a-slug",
				  .language = "pt-BR",
				  .author_name = "Dana R.",
				  .author_url = "https://www.example.com/dana",
				  .noindex = true,
				  .meta_title = "Meta",
				  .meta_description = "true",
				  .section = "Home: garden",
				  .tags = tags,
				  .tag_count = 4,
				  .image = "https://www.example.com/c.jpg",
				  .image_type = "image/jpeg",
				  .image_width = 1200,
				  .image_height = 675,
				  .image_generated = true },
		.id = "3f2a9c10-5b7e-4c8d-9a41-6f0d2e7b8c55",
		.base = "b1_x",
		.date = INT64_C(1788249600000000),
		.lastmod = INT64_C(1788253261000000),
		.draft = true,
		.published_url = "https://www.example.com/p?a=1&b=2" },
			back;
	const struct snapshot *s = &d.snapshot, *t = &back.snapshot;

	content_init(&d.snapshot.content, "pt-BR");
	d.snapshot.content.image_alt = " A \"bin\"  of wood ";
	is_text(read_back(markdown_of(&d), &back), "",
	    "front matter that was written has nothing unknown");
	is_text(t->title, s->title, "the title comes back");
	is_text(t->slug, s->slug, "the slug comes back");
	ok(back.has_slug, "and is an explicit one");
	is_text(t->language, s->language, "the language comes back");
	is_text(t->author_name, s->author_name, "the author comes back");
	is_text(t->author_url, s->author_url, "the author's address, too");
	ok(t->noindex, "noindex comes back");
	is_text(t->meta_title, s->meta_title, "the meta title comes back");
	is_text(t->meta_description, s->meta_description,
	    "a description that looks like a boolean comes back");
	is_text(t->section, s->section, "the section comes back");
	is_int((int64_t)t->tag_count, 4, "all tags come back");
	for (size_t i = 0; i < 4 && i < t->tag_count; i++)
		is_text(t->tags[i], tags[i], "tag %zu comes back", i + 1);
	is_text(t->image, s->image, "the cover comes back");
	is_text(t->image_type, s->image_type, "the cover's type, too");
	is_int(t->image_width, 1200, "the cover's width, too");
	is_int(t->image_height, 675, "the cover's height, too");
	ok(t->image_generated, "that it was drawn by a model, too");
	is_text(t->content.image_alt, " A \"bin\"  of wood ", "its text with its spaces, too");
	is_text(back.id, d.id, "the id comes back");
	is_text(back.base, d.base, "the base comes back");
	is_int(back.date, d.date, "the date comes back");
	is_int(back.lastmod, d.lastmod, "the last change comes back");
	ok(back.draft, "draft comes back");
	is_text(back.published_url, d.published_url, "the published address comes back");
	arena_reset(&arena);
}

/* Cases that random contents do not have. */
static const struct {
	const char *name;
	bool whole; /* Markdown has no form for it */
	const char *json;
} contents[] = {
	{ "a list of nothing", true,
	    "{\"sections\":[{\"heading\":\"A\",\"body\":[{\"type\":\"list\",\"items\":[]},{\"type\":\"list\",\"items\":[{\"text\":\"a\"}]}]}]}" },
	{ "a caption that shows nothing", false,
	    "{\"sections\":[{\"heading\":\"\",\"body\":[{\"type\":\"image\",\"url\":\"https://e.org/a.png\",\"alt\":\"\",\"caption\":\" \"}]}]}" },
};

static void
test_contents(void)
{
	bool exact, texts;

	for (size_t i = 0; i < sizeof(contents) / sizeof(contents[0]); i++) {
		ok(comes_back(contents[i].json, &exact, &texts), "%s comes back", contents[i].name);
		is_int(exact, contents[i].whole, "kept %s",
		    contents[i].whole ? "whole" : "as Markdown");
		arena_reset(&arena);
	}
}

static const struct {
	const char *name, *galley;
} wrong[] = {
	{ "JSON that is none", "{\"sections\":}" },
	{ "a text", "'hello'" },
	{ "a list", "[1, 2]" },
};

static void
test_wrong(void)
{
	struct notes notes = { .c = &ctx };
	struct document out;

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		const char *text =
		    arena_printf(&arena, "---\ntitle: T\ngalley: %s\n---\nText\n", wrong[i].galley);
		struct err *err = markdown_read(&ctx, text, strlen(text), &options, &notes, &out);
		ok(err != NULL && strncmp(err->message, "line 3: ", 8) == 0,
		    "a galley that is %s is refused with its line", wrong[i].name);
	}
	arena_reset(&arena);
}

int
main(int argc, char **argv)
{
	arena_init(&arena, (size_t)512 * 1024 * 1024);
	test_random(argc > 1 ? (unsigned)atoi(argv[1]) : 300, false, true);
	test_random(argc > 1 ? (unsigned)atoi(argv[1]) : 300, true, true);
	test_random(argc > 1 ? (unsigned)atoi(argv[1]) : 300, false, false);
	test_random(argc > 1 ? (unsigned)atoi(argv[1]) : 300, true, false);
	test_contents();
	test_edits();
	test_fences();
	test_fields();
	test_wrong();
	arena_release(&arena);
	return done_testing();
}
