/* suite: fast */
#include "screen/screen.h"

#include <sys/wait.h>

#include "base/arena.h"
#include "screen/assets.h"
#include "tests/tap.h"

static struct arena arena;
static struct buf out;
static struct hwrite w;

static const struct screen_link links[] = { { "/console/", "Home", ICON_HOME, "Write" },
	{ "/console/W/articles", "Articles", ICON_ARTICLES, NULL },
	{ "/console/W/art", "Art", ICON_NOTHING, "Grow" }, { NULL, NULL, 0, NULL } };

static void
write_text(struct hwrite *writer, const void *data)
{
	hwrite_element(writer, H_P, data);
}

static const char *
page(struct screen s)
{
	buf_init(&out, &arena, 64 * 1024);
	screen_page(&out, &s, write_text, "content");
	return buf_done(&out);
}

static const char hostile[] = "</title><script>alert(\"1\")</script>&\xFF";

static void
a_page_is_whole(void)
{
	const char *html = page((struct screen) { .language = "en",
	    .title = "Articles",
	    .root = "/console",
	    .path = "/console/W/articles/ID",
	    .links = links,
	    .person = "Dana",
	    .email = "dana@example.com",
	    .mine = links,
	    .sites = links,
	    .dock = links,
	    .token = "secret",
	    .site = "Demo" });

	ok(strncmp(html,
	       "<!DOCTYPE html>\n<html lang=\"en\" dir=\"ltr\"><head><meta charset=\"utf-8\">",
	       70) == 0,
	    "it begins as a document");
	ok(strstr(html, "<title>Articles \u2013 Demo</title>") != NULL, "it has a title");
	ok(strstr(html, "<a class=\"skip\" href=\"#main\">") != NULL &&
		strstr(html, "<main id=\"main\"") != NULL,
	    "a link skips to its content");
	ok(strstr(html, "<h1><bdi>Articles</bdi></h1></div><p>content</p></main>") != NULL,
	    "the content is below its heading");
	ok(strstr(html, "articles\" aria-current=\"page\"><svg") != NULL,
	    "the place above it is marked");
	ok(strstr(html, "href=\"/console/\"><svg") != NULL &&
		strstr(html, "href=\"/console/W/art\">Art") != NULL,
	    "no other place is");
	ok(strstr(html, "<h2>Write</h2><ul><li><a href=\"/console/\">") != NULL &&
		strstr(html, "</ul><h2>Grow</h2><ul>") != NULL,
	    "each group has its title");
	ok(strstr(html,
	       "<summary><span class=\"mark person-of\" aria-hidden=\"true\">D</span><span class=\"heard\">Account of <bdi>Dana</bdi></span></summary>") !=
		NULL,
	    "the menu of the person says whose it is");
	ok(strstr(html, "action=\"/console/sign-out\"") != NULL &&
		strstr(html, "name=\"token\" value=\"secret\"") != NULL,
	    "signing out is a form with the token");
	ok(strstr(strstr(html, "<main"), "<span class=\"mark\"") == NULL,
	    "Galley's mark is above a page without a menu alone");
	html = page((struct screen) { .language = "ar",
	    .title = "Home",
	    .root = "/x/console",
	    .path = "/console/",
	    .links = links,
	    .refresh_s = 5,
	    .wrong = true,
	    .under = "Below.",
	    .back = &links[2],
	    .actions = (const struct screen_link[]) { links[1], { NULL, NULL, 0, NULL } } });
	ok(strstr(html,
	       "</h1><p>Below.</p></div><a class=\"button primary\" href=\"/console/W/articles\">") !=
		NULL,
	    "what to do first is beside the heading");
	ok(strstr(html, "<a class=\"crumb\" href=\"/console/W/art\"><svg class=\"chev flip\"") !=
		NULL,
	    "the way back is above it");
	ok(strstr(html, "<html lang=\"ar\" dir=\"rtl\">") != NULL,
	    "the direction is the language's");
	ok(strstr(html, "href=\"/console/\" aria-current=\"page\">") != NULL,
	    "the own place is marked");
	ok(strstr(html, "content=\"5; url=?again\"") != NULL, "it may refresh itself");
	ok(strstr(html, "<title>Error: Home") != NULL, "an error is in the title");
	ok(strstr(html, "href=\"/x/console/assets/console-") != NULL,
	    "the sheet is below the console's root");
	html = page((struct screen) { .language = "en",
	    .title = hostile,
	    .site = hostile,
	    .person = hostile,
	    .token = hostile,
	    .under = hostile,
	    .root = "/console" });
	ok(strstr(strstr(html, "<main"), "<span class=\"mark\"") != NULL, "which has it");
	ok(strstr(html, "<script") == NULL && strstr(html, "style=") == NULL,
	    "texts of data are texts");
}

static void
begin(void)
{
	buf_init(&out, &arena, 64 * 1024);
	hwrite_init(&w, &out);
}

static const struct screen_column columns[] = { { .label = "Title" },
	{ .label = "Words", .number = true }, { .label = NULL } };

static void
put_cell(const char *text)
{
	screen_list_cell(&w);
	screen_data(&w, text);
	screen_list_cell_end(&w);
}

static void
pieces_are_written(void)
{
	begin();
	screen_list_begin(&w, "Articles", columns);
	screen_list_row(&w);
	put_cell("A<b");
	put_cell("12");
	screen_list_row_end(&w);
	screen_list_row(&w);
	put_cell("B");
	put_cell(NULL);
	screen_list_row_end(&w);
	screen_list_end(&w);
	is_text(buf_done(&out),
	    "<table class=\"list\"><caption>Articles</caption><thead><tr><th scope=\"col\">Title</th><th scope=\"col\" class=\"number\">Words</th></tr></thead><tbody><tr><th scope=\"row\"><bdi>A&lt;b</bdi></th><td data-label=\"Words\" class=\"number\"><bdi>12</bdi></td></tr><tr><th scope=\"row\"><bdi>B</bdi></th><td data-label=\"Words\" class=\"number\"></td></tr></tbody></table>",
	    "a list");
	begin();
	screen_pages(&w, NULL, NULL);
	is_text(buf_done(&out), "", "a list of one page has no links");
	screen_pages(&w, "?after=1", "?before=2");
	is_text(buf_done(&out),
	    "<nav class=\"pages\" aria-label=\"Pages\"><a class=\"prev\" rel=\"prev\" href=\"?after=1\">Newer</a><a class=\"next\" rel=\"next\" href=\"?before=2\">Older</a></nav>",
	    "others have them");
	begin();
	screen_empty(&w, "Nothing yet.", "/new", "New article");
	screen_notice(&w, SCREEN_GOOD, "Saved.");
	hwrite_open(&w, H_P);
	screen_state(&w, SCREEN_WARNING, "Draft");
	hwrite_close(&w, H_P);
	is_text(buf_done(&out),
	    "<div class=\"empty\"><p>Nothing yet.</p><a class=\"button primary\" href=\"/new\">New article</a></div><div class=\"notice good\" role=\"status\"><svg class=\"i\" viewBox=\"0 0 24 24\" aria-hidden=\"true\"><path d=\"M5 12.5l4.5 4.5L19 7.5\"></path></svg><p>Saved.</p></div><p><span class=\"state warning\">Draft</span></p>",
	    "an empty state, a notice, a state");
}

static void
sentences_hold_data(void)
{
	const char *sentences[][2] = {
		{ "%s and %s: 5 %%", "<bdi>&lt;A&gt;</bdi> and <bdi>B</bdi>: 5 %" },
		{ "%2$s before %1$s", "<bdi>B</bdi> before <bdi>&lt;A&gt;</bdi>" },
		{ "none", "none" },
	};

	for (size_t i = 0; i < sizeof(sentences) / sizeof(sentences[0]); i++) {
		/* As a translation is: not known when this is compiled. */
		void (*sentence)(struct hwrite *, const char *, ...) = screen_sentence;
		begin();
		sentence(&w, sentences[i][0], "<A>", "B");
		is_text(buf_done(&out), sentences[i][1], "sentence %zu", i);
	}
	begin();
	screen_notice(&w, SCREEN_BAD, "Not %s.", "saved");
	is_text(buf_done(&out),
	    "<div class=\"notice bad\" role=\"alert\"><svg class=\"i\" viewBox=\"0 0 24 24\" aria-hidden=\"true\"><path d=\"M12 4l9 16H3zM12 10v4M12 17h.01\"></path></svg><p>Not <bdi>saved</bdi>.</p></div>",
	    "so does a notice");
}

static void
messages_hold_values(void)
{
	size_t size = 3;
	int64_t number = -5;
	char text[] = "<A>";
	const struct screen_hole holes[] = { HOLE(text), HOLE(size), OURS("& B"), HOLE(number) };

	begin();
	screen_message(&w, "%4$s, %s %lld, %zu%%", 4, holes);
	is_text(buf_done(&out), "-5, <bdi>&lt;A&gt;</bdi> 3, &amp; B%",
	    "texts of data are isolated, numbers and ours are not");
	begin();
	is_text(screen_text(&w, "%s: %d, %s", 3, holes), "<A>: 3, & B", "and all are a text");
	hwrite_open(&w, H_IMG);
	screen_attribute(&w, A_WIDTH, HOLE(size));
	screen_attribute(&w, A_ALT, HOLE(text));
	screen_attribute(&w, A_TITLE, HOLE((const char *)NULL));
	hwrite_end(&w);
	is_text(buf_done(&out), "<img width=\"3\" alt=\"&lt;A&gt;\">", "an attribute is any");
}

static void
columns_are_left_out(void)
{
	const struct screen_column *left =
	    screen_columns(&w, (const struct screen_column[]) { { .label = "a", .left_out = true },
				   { .label = "b", .number = true }, { .label = NULL } });

	is_text(left[0].label, "b", "a column may be left out");
	ok(left[0].number && left[1].label == NULL, "the others stay");
}

static void
too_few_values(void)
{
	const struct screen_hole hole = HOLE("a");

	screen_message(&w, "%s %s", 1, &hole);
}

static void
lists_in_lists(void)
{
	screen_list_begin(&w, "x", columns);
	screen_list_begin(&w, "y", columns);
}

static void
addresses_are_made(void)
{
	struct buf address;

	buf_init(&address, &arena, 1000);
	buf_add_text(&address, "/console/W/articles");
	screen_address_add(&address, "q", "a&b=\u00FC \"x\"");
	screen_address_add(&address, "none", NULL);
	screen_address_add(&address, "before", "x-1_2.~");
	is_text(buf_done(&address), "/console/W/articles?q=a%26b%3D%C3%BC%20%22x%22&before=x-1_2.~",
	    "a query may hold anything");
}

static void
too_few_cells(void)
{
	screen_list_begin(&w, "x", columns);
	screen_list_row(&w);
	put_cell("one");
	screen_list_row_end(&w);
}

static void
too_many_cells(void)
{
	screen_list_begin(&w, "x", columns);
	screen_list_row(&w);
	for (int i = 0; i < 3; i++)
		put_cell("one");
}

static void
other_directives(void)
{
	void (*sentence)(struct hwrite *, const char *, ...) = screen_sentence;

	sentence(&w, "%d", 5);
}

static void
it_is_a_bug(void (*wrong)(void), const char *name)
{
	int status = 0;
	pid_t child = fork();

	if (child == 0) {
		fclose(stderr);
		begin();
		wrong();
		_exit(0);
	}
	waitpid(child, &status, 0);
	ok(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT, "%s are a bug", name);
}

/* ---- the sheet */

static void
the_sheet_is_small_and_ours(void)
{
	static const char *const refused[] = { "http", "//", "@import", "url(",
		"left:", "right:", "-left", "-right", ": left", ": right", "expression" };
	const char *address = asset_address(&arena, "/console", ASSET_SHEET), *css, *name;
	size_t len = 0, length = 0;

	name = strstr(address, "/assets/") + strlen("/assets/");
	css = style_find(name, &len);
	if (!ok(css != NULL, "%s is found", name))
		return;
	is_int((int64_t)strlen(css), (int64_t)len, "whole");
	ok(style_find("console-0000000000000000.css", &length) == NULL &&
		style_find("", &length) == NULL,
	    "another release's is not");
	ok(len < 40 * 1024, "it has less than 40 KiB: %zu bytes", len);
	for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++)
		ok(strstr(css, refused[i]) == NULL, "it never says %s", refused[i]);
}

int
main(void)
{
	arena_init(&arena, 64 * 1024 * 1024);
	a_page_is_whole();
	pieces_are_written();
	sentences_hold_data();
	messages_hold_values();
	columns_are_left_out();
	addresses_are_made();
	it_is_a_bug(too_few_values, "too few values");
	it_is_a_bug(lists_in_lists, "lists in lists");
	it_is_a_bug(too_few_cells, "too few cells");
	it_is_a_bug(too_many_cells, "too many cells");
	it_is_a_bug(other_directives, "other directives");
	the_sheet_is_small_and_ours();
	return done_testing();
}
