/* suite: fast */
#include "export/html.h"

#include "tests/unit/export/source.h"

/* Returns the html of a section with the heading "H" and these blocks. */
static const char *
flow(struct sample *s, struct block *body, size_t count)
{
	static const char open[] = "<h2>H</h2>\n";
	struct section *section = s->snapshot.content.sections;
	const char *html, *from;

	section->heading = "H";
	section->body = body;
	section->body_count = count;
	html = view(s, export_html);
	from = strstr(html, open) + strlen(open);
	return arena_text_n(&arena, from, (size_t)(strstr(from, "</section>\n</article>") - from));
}

static struct list_item inner[] = { { "two", { false, NULL, 0 } }, { " ", { false, NULL, 0 } } };
static struct list_item items[] = { { "one", { true, inner, 2 } }, { "", { false, NULL, 0 } },
	{ "", { false, inner, 1 } } };
static struct list_item empties[] = { { "", { true, inner + 1, 1 } } };

static const struct {
	const char *name;
	struct block block;
	const char *want;
} blocks[] = {
	{ "paragraph", { .type = BLOCK_PARAGRAPH, .text = "a" }, "<p>a</p>\n" },
	{ "empty paragraph", { .type = BLOCK_PARAGRAPH, .text = "" }, "" },
	{ "heading", { .type = BLOCK_HEADING, .text = "a" }, "<h3>a</h3>\n" },
	{ "rule", { .type = BLOCK_RULE }, "<hr>\n" },
	{ "empty heading", { .type = BLOCK_HEADING, .text = " " }, "" },
	{ "quote", { .type = BLOCK_QUOTE, .text = "a", .cite = "b" },
	    "<blockquote class=\"ab-quote\"><p>a</p><footer>b</footer></blockquote>\n" },
	{ "quote without source", { .type = BLOCK_QUOTE, .text = "a" },
	    "<blockquote class=\"ab-quote\"><p>a</p></blockquote>\n" },
	{ "empty quote", { .type = BLOCK_QUOTE, .text = "", .cite = "" }, "" },
	{ "code", { .type = BLOCK_CODE, .text = "a < **b**\n", .language = "sh" },
	    "<pre class=\"ab-code\"><code dir=\"ltr\" class=\"language-sh\">a &lt; **b**\n"
	    "</code></pre>\n" },
	{ "code without language", { .type = BLOCK_CODE, .text = "a" },
	    "<pre class=\"ab-code\"><code dir=\"ltr\">a</code></pre>\n" },
	{ "code of a language with spaces",
	    { .type = BLOCK_CODE, .text = "a", .language = "c++ \"x\"" },
	    "<pre class=\"ab-code\"><code dir=\"ltr\" class=\"language-c++\">a</code></pre>\n" },
	{ "empty code", { .type = BLOCK_CODE, .text = "\n" }, "" },
	{ "list", { .type = BLOCK_LIST, .list = { false, items, 3 } },
	    "<ul class=\"ab-list\">\n<li>one\n<ol class=\"ab-list\">\n"
	    "<li>two</li>\n</ol>\n</li>\n<li>\n<ul class=\"ab-list\">\n"
	    "<li>two</li>\n</ul>\n</li>\n</ul>\n" },
	{ "list of nothing", { .type = BLOCK_LIST, .list = { true, empties, 1 } }, "" },
	{ "image", { .type = BLOCK_IMAGE, .image = { "media:9.png", "a \"b\"", "c", 800, 600 } },
	    "<figure class=\"ab-figure\">\n"
	    "<img src=\"https://cms.example.net/media/9.png\" alt=\"a &quot;b&quot;\" width=\"800\" height=\"600\" decoding=\"async\" loading=\"lazy\">\n"
	    "<figcaption>c</figcaption>\n</figure>\n" },
	{ "image of unknown size",
	    { .type = BLOCK_IMAGE, .image = { "https://e.org/i.png", "", NULL, 0, 0 } },
	    "<figure class=\"ab-figure\">\n"
	    "<img src=\"https://e.org/i.png\" alt=\"\" decoding=\"async\" loading=\"lazy\">\n"
	    "</figure>\n" },
};

static void
blocks_become_elements(void)
{
	for (size_t i = 0; i < sizeof(blocks) / sizeof(blocks[0]); i++) {
		struct sample s = with_text("en", "");
		struct block block = blocks[i].block;

		is_text(flow(&s, &block, 1), blocks[i].want, "%s", blocks[i].name);
	}
}

static void
stored_images_need_an_address(void)
{
	struct sample s = with_text("en", "");
	struct block block = { .type = BLOCK_IMAGE,
		.image = { "media:9.png", "a", "c", 800, 600 } };

	s.settings.public_url = "";
	is_text(
	    flow(&s, &block, 1), "", "a stored image without address is left out, caption and all");
}

/* One of each, so that a test sees the order. */
static void
add_extras(struct section *section)
{
	static const char *column[] = { "T" };
	static struct step step = { "N", "X" };
	static struct table tables[2] = {
		{ "one", column, 1, false, NULL, 0, NULL },
		{ "two", column, 1, false, NULL, 0, NULL },
	};
	static struct callout callouts[2] = {
		{ CALLOUT_WARNING, "W", "w" },
		{ CALLOUT_NOTE, NULL, "n" },
	};

	section->steps = &step;
	section->step_count = 1;
	section->tables = tables;
	section->table_count = 2;
	section->callouts = callouts;
	section->callout_count = 2;
}

#define STEPS                                                                                      \
	"<ol class=\"ab-steps\">\n<li id=\"ab-3f2a9c10-s1-step1\">"                                \
	"<strong>N</strong> <span>X</span></li>\n</ol>\n"
#define TABLE(id, caption)                                                                         \
	"<div class=\"ab-table\" role=\"region\" "                                                 \
	"aria-labelledby=\"ab-3f2a9c10-" id "\" tabindex=\"0\">\n<table>\n"                        \
	"<caption id=\"ab-3f2a9c10-" id "\">" caption "</caption>\n"                               \
	"<thead><tr><th scope=\"col\">T</th></tr></thead>\n</table>\n</div>\n"
#define WARNING                                                                                    \
	"<aside class=\"ab-callout ab-callout-warning\"><p><strong>W"                              \
	"</strong></p><p>w</p></aside>\n"
#define NOTE "<aside class=\"ab-callout ab-callout-note\"><p>n</p></aside>\n"

static void
the_flow_places_and_the_rest_follows(void)
{
	struct sample s = with_text("en", "");
	struct block body[] = {
		{ .type = BLOCK_CALLOUT, .index = 1 },
		{ .type = BLOCK_TABLE, .index = 1 },
		{ .type = BLOCK_STEPS },
		{ .type = BLOCK_TABLE, .index = 1 },
		{ .type = BLOCK_STEPS },
		{ .type = BLOCK_CALLOUT, .index = 1 },
	};

	add_extras(s.snapshot.content.sections);
	is_text(flow(&s, NULL, 0), STEPS TABLE("t1", "one") TABLE("t2", "two") WARNING NOTE,
	    "what no block places comes as steps, tables, callouts");
	is_text(flow(&s, body, 6), NOTE TABLE("t1", "two") STEPS TABLE("t2", "one") WARNING,
	    "what a block places comes there, and once");
}

/* Regions are landmarks. */
static void
no_two_regions_have_one_name(void)
{
	static const char *column[] = { "T" };
	static struct table tables[] = {
		{ "One  *two*", column, 1, false, NULL, 0, NULL },
		{ "one two", column, 1, false, NULL, 0, NULL },
		{ "three", column, 1, false, NULL, 0, NULL },
		{ "ONE\ntwo ", column, 1, false, NULL, 0, NULL },
	};
	struct sample s = with_text("en", "");
	const char *html;
	int regions = 0, captions = 0;

	s.snapshot.content.sections->tables = tables;
	s.snapshot.content.sections->table_count = 4;
	html = flow(&s, NULL, 0);
	for (const char *p = html; (p = strstr(p, "role=\"region\"")); p++)
		regions++;
	for (const char *p = html; (p = strstr(p, "</caption>")); p++)
		captions++;
	is_int(regions, 2, "a caption names one region; case and spaces do not count");
	is_int(captions, 4, "others with that caption are none, but show it");
}

static const struct {
	const char *section, *subsection;
	const char *want; /* the headings, h1 apart */
} levels[] = {
	{ "A", "B", "<h2>A <h3>S <h3>B <h4>T " },
	{ "", "B", "<h2>S <h2>B <h3>T " },
	{ "A", "", "<h2>A <h3>S <h3>T " },
	{ "", "", "<h2>S <h2>T " },
	{ "[](https://e.org/)", "B", "<h2>S <h2>B <h3>T " },
};

static void
no_heading_level_is_skipped(void)
{
	struct block in_section = { .type = BLOCK_HEADING, .text = "S" };
	struct block in_subsection = { .type = BLOCK_HEADING, .text = "T" };

	for (size_t i = 0; i < sizeof(levels) / sizeof(levels[0]); i++) {
		struct sample s = with_text("en", "");
		struct section sub = { .id = "s1-1",
			.heading = levels[i].subsection,
			.body = &in_subsection,
			.body_count = 1 };
		struct section *section = s.snapshot.content.sections;
		struct buf seen;
		const char *p;

		section->heading = levels[i].section;
		section->body = &in_section;
		section->subsections = &sub;
		section->subsection_count = 1;
		buf_init(&seen, &arena, 1000);
		p = strstr(view(&s, export_html), "</header>");
		for (; *p != '\0'; p++) {
			if (p[0] == '<' && p[1] == 'h')
				buf_printf(&seen, "%.5s ", p);
		}
		is_text(seen.data, levels[i].want, "headings, case %zu", i + 1);
	}
}

static void
a_section_without_heading_has_no_element(void)
{
	struct sample s = with_text("en", "a");

	ok(strstr(view(&s, export_html), "</header>\n<p>a</p>\n</article>") != NULL,
	    "text before the first heading is in the article itself");
}

int
main(void)
{
	arena_init(&arena, (size_t)1 << 26);
	blocks_become_elements();
	stored_images_need_an_address();
	the_flow_places_and_the_rest_follows();
	no_two_regions_have_one_name();
	no_heading_level_is_skipped();
	a_section_without_heading_has_no_element();
	return done_testing();
}
