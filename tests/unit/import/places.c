/*
 * The reader of Markdown knows in which lines of the text each part of the content is.
 *
 * suite: fast
 */
#include "import/markdown/sections.h"

#include "base/arena.h"
#include "base/ctx.h"
#include "import/markdown/body.h"
#include "tests/tap.h"

static struct arena arena;
static struct ctx ctx = { .arena = &arena };
static const struct settings settings = { .language = "en" };

static void
read_text(const char *text, struct snapshot *s, struct places *places)
{
	struct err *err;

	*places = (struct places) { 0 };
	*s = (struct snapshot) { .title = "A title", .slug = "a", .language = "en" };
	content_init(&s->content, "en");
	err = body_places(&ctx, &settings, s, s->title, text, &s->content, places);
	if (err != NULL)
		bail("refused: %s", err->message);
}

/* Writes the nodes as "kind first-last" and so on. */
static const char *
nodes_of(const struct places *p)
{
	static const char *const names[] = { "heading", "paragraph", "list", "quote", "table",
		"note", "other" };
	struct buf out;

	buf_init(&out, &arena, 4096);
	for (size_t i = 0; i < p->node_count; i++)
		buf_printf(&out, "%s%s %u-%u", i > 0 ? ", " : "", names[p->nodes[i].kind],
		    p->nodes[i].first, p->nodes[i].last);
	return buf_done(&out);
}

static const char text[] = "Lead\n" /* 1 */
			   "goes on.[^a]\n"
			   "\n"
			   "## One\n"
			   "\n"
			   "1. Step\n" /* 6 */
			   "\n"
			   "   More of it.\n"
			   "2. Step\n"
			   "\n"
			   "| A | B |\n" /* 11 */
			   "|---|---|\n"
			   "| 1 | 2 |\n"
			   "\n"
			   "\n"
			   "> [!TIP]\n" /* 16 */
			   "> Tip.\n"
			   "\n"
			   "### Sub\n"
			   "\n"
			   "```\n" /* 21 */
			   "## no heading\n"
			   "```\n"
			   "\n"
			   "<table><tr><td>1</td></tr></table>\n"
			   "\n" /* 26 */
			   "## FAQ\n"
			   "\n"
			   "### Why?\n"
			   "\n"
			   "Because.\n" /* 31 */
			   "\n"
			   "### And?\n"
			   "Yes.\n"
			   "\n"
			   "[^a]: [T](https://x.example/), P\n" /* 36 */
			   "[^b]: Second\n"
			   "    goes on.\n";

int
main(void)
{
	const struct places_section *s;
	struct snapshot copy;
	struct places p;

	arena_init(&arena, (size_t)512 * 1024 * 1024);
	read_text(text, &copy, &p);
	is_text(nodes_of(&p),
	    "paragraph 1-2, heading 4-4, list 6-9, table 11-13, quote 16-17, heading 19-19, other 21-23, other 25-25, heading 27-27, heading 29-29, paragraph 31-31, heading 33-33, paragraph 34-34, note 36-36, note 37-38",
	    "each block has its lines");
	is_int((int64_t)p.count, 3, "sections and subsections are listed");
	s = &p.sections[1];
	is_text(s->id, "s2", "the second one has its id");
	is_int(s->line, 4, "its heading has a line");
	is_int((int64_t)s->body_count, 3, "it has three blocks");
	is_int(s->body[0], 6, "the first one begins here");
	is_int(s->tables[0], 11, "its table begins here");
	is_int(s->callouts[0], 16, "its callout begins here");
	ok(places_node(&p, 11, PLACES_TABLE) != NULL, "it is a node");
	s = places_section(&p, "s2-1");
	ok(s != NULL && s->sub && s->line == 19, "the subsection is found by its id");
	is_int(s->tables[0], 25, "a table in HTML has a line");
	ok(places_node(&p, 25, PLACES_TABLE) == NULL, "and is no table of Markdown");
	is_int((int64_t)p.faq_count, 2, "the questions are found");
	is_int(p.faqs[1], 33, "in their lines");
	is_int((int64_t)p.reference_count, 2, "the sources are found");
	is_int(p.references[1], 37, "in their lines");

	read_text("", &copy, &p);
	is_int((int64_t)p.count, 0, "an empty text has no place");
	return done_testing();
}
