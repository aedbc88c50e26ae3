/*
 * A page that says what its export says has no finding; each thing that is missing, another or
 * there twice is one. tests/api/tool/verify-page-finds-differences-from-the-export.t asks the tool.
 *
 * suite: fast
 */
#include <string.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "doctor/page-compare.h"
#include "tests/tap.h"

#define ADDRESS "https://example.com/bees/"
#define TITLE "<title>Bees</title>"
#define CANONICAL "<link rel=\"canonical\" href=\"" ADDRESS "\">"
#define LD(json) "<script type=\"application/ld+json\">" json "</script>"
#define DATA LD("{\"@type\": \"BlogPosting\", \"headline\": \"Bees\"}")
#define HEAD TITLE CANONICAL DATA
#define ARTICLE "<article class=\"ab-article\"><h1>Bees</h1><p>Text.</p></article>"
#define PAGE(html, head, body)                                                                     \
	"<!DOCTYPE html><html " html "><head>" head "</head><body>" body "</body></html>"
#define LANGUAGE "lang=\"en\" dir=\"ltr\""

static struct arena arena;
static struct ctx c = { .arena = &arena, .request_id = "" };

/* Returns what was found of a page: "CHECK CHECK...". */
static const char *
found_in(const char *html, const struct page_header *header)
{
	static const char export[] = PAGE(LANGUAGE, HEAD, ARTICLE);
	struct page_report report = { .c = &c };
	const char *all = "";
	struct page expected;

	page_read(&c, export, strlen(export), &expected);
	compare_apart(&report, &expected, html, strlen(html), header);
	for (size_t i = 0; i < report.count; i++)
		all =
		    arena_printf(&arena, "%s%s%s", all, i > 0 ? " " : "", report.findings[i].check);
	return all;
}

int
main(void)
{
	static const struct {
		const char *html, *checks, *name;
	} pages[] = {
		{ PAGE(LANGUAGE, HEAD, ARTICLE), "", "the same page" },
		{ PAGE(LANGUAGE, HEAD, "<nav>More</nav>" ARTICLE), "", "with a menu" },
		{ PAGE(LANGUAGE, "<title>\n Bees </title>" CANONICAL DATA, ARTICLE), "",
		    "with other spaces" },
		{ PAGE(LANGUAGE, "<title>Wasps</title>" CANONICAL DATA, ARTICLE), "title",
		    "another title" },
		{ PAGE(LANGUAGE, TITLE HEAD, ARTICLE), "title", "two titles" },
		{ PAGE(LANGUAGE, TITLE DATA, ARTICLE), "canonical", "no canonical link" },
		{ PAGE(LANGUAGE, TITLE "<link rel=\"canonical\" href=\"/wasps/\">" DATA, ARTICLE),
		    "canonical", "a canonical link to another page" },
		{ PAGE(LANGUAGE, HEAD "<meta name=\"robots\" content=\"noindex\">", ARTICLE),
		    "robots", "a page that no index takes" },
		{ PAGE("lang=\"de\" dir=\"ltr\"", HEAD, ARTICLE), "language", "another language" },
		{ PAGE("lang=\"en\" dir=\"rtl\"", HEAD, ARTICLE), "direction",
		    "another direction" },
		{ PAGE(LANGUAGE, HEAD, "<h1>Bees</h1>" ARTICLE), "h1", "two headings" },
		{ PAGE(LANGUAGE, HEAD, ARTICLE "<article class=\"ab-article\">Text.</article>"),
		    "article", "the article twice" },
		{ PAGE(LANGUAGE, TITLE DATA, CANONICAL ARTICLE), "head", "a head in the body" },
		{ PAGE(LANGUAGE, TITLE CANONICAL, ARTICLE), "json_ld", "no structured data" },
		{ PAGE(LANGUAGE, TITLE CANONICAL LD("{\"@type\": \"Article\"}"), ARTICLE),
		    "json_ld", "another's" },
		{ PAGE(LANGUAGE, HEAD LD("{\"@type\": \"Organization\"}"), ARTICLE), "",
		    "a shop's beside it" },
		{ PAGE(LANGUAGE, HEAD DATA, ARTICLE), "json_ld", "the article's twice" },
	};
	const struct page_header plain = { .address = ADDRESS };
	struct page_header closed = plain;

	arena_init(&arena, (size_t)256 << 20);
	for (size_t i = 0; i < sizeof(pages) / sizeof(pages[0]); i++)
		is_text(found_in(pages[i].html, &plain), pages[i].checks, "%s", pages[i].name);
	compare_split(&c, "noarchive, NOINDEX", &closed.robots);
	is_int((long long)closed.robots.count, 2, "each directive is one");
	is_text(
	    found_in(pages[0].html, &closed), "robots", "the head of the answer closes the page");
	arena_release(&arena);
	return done_testing();
}
