/* suite: fast */
/*
 * Whole pages of the console's kind, with hostile and long texts. Without an argument this is
 * a test of them as bytes; with an absolute folder it writes them there, for a browser to look at
 * (tests/docs/the-screens-are-sound.t). The sheet is written beside them.
 */
#include <err.h>
#include <errno.h>
#include <sys/stat.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "screen/assets.h"
#include "screen/form.h"
#include "screen/screen.h"
#include "screen/tr.h"
#include "tests/tap.h"

static struct arena arena;
static struct ctx ctx = { .arena = &arena, .request_id = "" };

static const struct screen_link links[] = { { "/console/", "Home", ICON_HOME, "Write" },
	{ "/console/W/articles", "Articles", ICON_ARTICLES, NULL },
	{ "/console/W/pictures", "Pictures", ICON_PICTURES, NULL },
	{ "/console/W/statistics", "Statistics", ICON_STATISTICS, "Grow" },
	{ "/console/W/sites", "Sites", ICON_SITES, NULL },
	{ "/console/W/orders", "Orders", ICON_ORDERS, NULL },
	{ "/console/W/settings", "Settings", ICON_SETTINGS, "Set up" },
	{ "/console/W/keys", "Keys", ICON_KEYS, NULL },
	{ "/console/W/people", "People", ICON_PEOPLE, NULL }, { NULL, NULL, 0, NULL } };

static const struct screen_link dock[] = { { "/console/", "Home", ICON_HOME, NULL },
	{ "/console/W/articles", "Articles", ICON_ARTICLES, NULL },
	{ "/console/W/articles/new", "New", ICON_NEW, NULL },
	{ "/console/W/statistics", "Statistics", ICON_STATISTICS, NULL }, { NULL, NULL, 0, NULL } };

static const struct screen_link sites[] = { { "/console/W", "راهنمای خرید و a name that is long",
						ICON_NOTHING, NULL },
	{ "/console/", "All workspaces", ICON_NOTHING, "" }, { NULL, NULL, 0, NULL } };

static const struct screen_link new_article[] = {
	{ "/console/W/articles/new", "New article", ICON_NEW, NULL }, { NULL, NULL, 0, NULL }
};

/* ---- a list */

static const struct field search[] = {
	{ .name = "q", .label = tr_mark("Title or slug"), .kind = FIELD_TEXT },
	{ .name = "status",
	    .label = tr_mark("Status"),
	    .kind = FIELD_SELECT,
	    .choices = (const struct field_choice[]) { { "", "All" }, { "draft", "Draft" },
		{ "published", "Published" }, { NULL, NULL } } },
	{ .name = "find", .label = tr_mark("Find"), .kind = FIELD_SUBMIT }, { .name = NULL }
};

static const struct {
	const char *title, *language, *words, *changed, *state;
	enum screen_tone tone;
} articles[] = {
	{ "How to choose a bicycle for long winters", "en", "1,840", "today, 09:12", "Published",
	    SCREEN_GOOD },
	{ "راهنمای انتخاب کتری برقی USB 3.0 برای خانه", "fa", "960", "yesterday", "Changed",
	    SCREEN_WARNING },
	{ "Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichenverordnung und mehr", "de",
	    "12,004", "19 November 2026", "Draft", SCREEN_NOTE },
	{ "</title><script>alert(1)</script> & \"more\"", "en", "3", "18 November 2026",
	    "In review", SCREEN_NOTE },
	{ "Five kettles compared", "en", "2,210", "2 October 2026", "Job failed", SCREEN_BAD },
};

static void
write_articles(struct hwrite *w, const void *data)
{
	static const struct screen_column columns[] = { { .label = "Title" }, { .label = "State" },
		{ .label = "Language" }, { .label = "Words", .number = true },
		{ .label = "Last changed" }, { .label = NULL } };
	struct form form;

	(void)data;
	screen_notice(w, SCREEN_GOOD, tr("“%s” is published. 2 sites read this workspace."),
	    articles[0].title);
	form_init(&form, "search", search);
	form_write(
	    w, &form, &(struct form_head) { .action = "/console/W/articles", .search = true });
	screen_list_begin(w, "Articles", columns);
	for (size_t i = 0; i < sizeof(articles) / sizeof(articles[0]); i++) {
		screen_list_row(w);
		screen_list_cell(w);
		hwrite_open(w, H_A);
		hwrite_address(w, A_HREF, "/console/W/articles/ID");
		screen_data(w, articles[i].title);
		hwrite_close(w, H_A);
		screen_list_cell_end(w);
		screen_list_cell(w);
		screen_state(w, articles[i].tone, articles[i].state);
		screen_list_cell_end(w);
		screen_list_cell(w);
		screen_data(w, articles[i].language);
		screen_list_cell_end(w);
		screen_list_cell(w);
		screen_data(w, articles[i].words);
		screen_list_cell_end(w);
		screen_list_cell(w);
		hwrite_time(w, INT64_C(1795000000000000), articles[i].changed);
		screen_list_cell_end(w);
		screen_list_row_end(w);
	}
	screen_list_end(w);
	screen_pages(w, "?after=x", "?before=y");
}

/* ---- forms */

static const struct field sign_in[] = { { .name = "email",
					    .label = tr_mark("E-mail"),
					    .kind = FIELD_EMAIL,
					    .required = true,
					    .autocomplete = "username" },
	{ .name = "password",
	    .label = tr_mark("Password"),
	    .kind = FIELD_PASSWORD,
	    .required = true,
	    .autocomplete = "current-password" },
	{ .name = "stay",
	    .label = tr_mark("Stay signed in on this device for 30 days"),
	    .kind = FIELD_CHECKBOX },
	{ .name = "enter",
	    .label = tr_mark("Sign in"),
	    .kind = FIELD_SUBMIT,
	    .tone = FIELD_PRIMARY },
	{ .name = NULL } };

static void
write_sign_in(struct hwrite *w, const void *data)
{
	struct form form;

	(void)data;
	form_init(&form, "sign-in", sign_in);
	form_fill(&form, "email", "dana@example.com");
	form_write(w, &form, &(struct form_head) { .action = "/console/sign-in" });
}

static const struct field settings[] = { { .name = "title",
					     .label = tr_mark("Title"),
					     .kind = FIELD_TEXT,
					     .required = true,
					     .max = 120 },
	{ .name = "text",
	    .label = tr_mark("Text"),
	    .kind = FIELD_AREA,
	    .required = true,
	    .max = 100000,
	    .hint = tr_mark("Markdown. An empty line begins a new paragraph.") },
	{ .name = "slug",
	    .label = tr_mark("Slug"),
	    .kind = FIELD_TEXT,
	    .dir = "ltr",
	    .readonly = true,
	    .hint = tr_mark("Published: only a publisher changes it.") },
	{ .name = "language",
	    .label = tr_mark("Language"),
	    .kind = FIELD_SELECT,
	    .required = true,
	    .choices = (const struct field_choice[]) { { "en", "English" }, { "fa", "Persian" },
		{ NULL, NULL } } },
	{ .name = "kind",
	    .label = tr_mark("Kind"),
	    .kind = FIELD_RADIO,
	    .required = true,
	    .choices = (const struct field_choice[]) { { "article", "Article" },
		{ "brief", "Research brief" }, { NULL, NULL } } },
	{ .name = "limit",
	    .label = tr_mark("At most"),
	    .kind = FIELD_NUMBER,
	    .least = 1,
	    .most = 500,
	    .hint = tr_mark("Credits. The price now: 40.") },
	{ .name = "day", .label = tr_mark("Date"), .kind = FIELD_DATE },
	{ .name = "hide", .label = tr_mark("Hide from search engines"), .kind = FIELD_CHECKBOX },
	{ .name = "email", .label = tr_mark("Author's address"), .kind = FIELD_EMAIL },
	{ .name = "save", .label = tr_mark("Save"), .kind = FIELD_SUBMIT, .tone = FIELD_PRIMARY },
	{ .name = "preview", .label = tr_mark("Preview"), .kind = FIELD_SUBMIT },
	{ .name = "trash",
	    .label = tr_mark("Move to trash"),
	    .kind = FIELD_SUBMIT,
	    .tone = FIELD_DANGER },
	{ .name = NULL } };

static void
write_refused(struct hwrite *w, const void *data)
{
	static const char text[] = "# Kettles\n\n</textarea><script>alert(1)</script>\n\n| a | b |";
	static const struct form_value sent[] = { { "title", "", 0 },
		{ "text", text, sizeof(text) - 1 }, { "limit", "0", 1 }, { "language", "fa", 2 },
		{ "hide", "1", 1 }, { "email", "dana at example", 15 } };
	struct form form;

	(void)data;
	form_init(&form, "edit", settings);
	form_fill(&form, "slug", "five-kettles-compared");
	if (form_read(&ctx, &form, sent, sizeof(sent) / sizeof(sent[0])))
		abort();
	form_write(w, &form,
	    &(struct form_head) {
		.action = "/console/W/articles/ID", .token = "t", .number = "n" });
}

/* ---- other states */

static void
write_empty(struct hwrite *w, const void *data)
{
	(void)data;
	screen_notice(w, SCREEN_WARNING,
	    "Cron last ran 3 hours ago. Its line: * * * * * /home/me/galley/bin/job-runner");
	screen_notice(w, SCREEN_BAD, "The disk is full. What you typed is below.");
	screen_empty(w,
	    "No article is here yet. Write the first one, or bring yours from WordPress, Ghost or Markdown files.",
	    "/console/W/articles/new", "New article");
}

static void
write_text(struct hwrite *w, const void *data)
{
	(void)data;
	hwrite_element(w, H_H2, "What changed");
	hwrite_open(w, H_P);
	hwrite_text(w, "Dana saved ");
	hwrite_time(w, 0, "two minutes ago");
	hwrite_text(w, ". The kettle boils in ");
	hwrite_element(w, H_DEL, "four");
	hwrite_text(w, " ");
	hwrite_element(w, H_INS, "three");
	hwrite_text(w, " minutes, and ");
	hwrite_element(w, H_CODE, "five-kettles-compared");
	hwrite_text(w, " is its slug.");
	hwrite_close(w, H_P);
	hwrite_open(w, H_PRE);
	hwrite_element(w, H_CODE,
	    "curl -H 'Authorization: Bearer ab_live_…' https://blog.example.com/api/v1/connection?probe=WORD");
	hwrite_close(w, H_PRE);
	hwrite_open(w, H_DETAILS);
	hwrite_element(w, H_SUMMARY, "What a reader of keys sees");
	hwrite_element(w, H_P, "Only requests with that word.");
	hwrite_close(w, H_DETAILS);
}

static const struct {
	const char *name;
	struct screen screen;
	screen_main *write_main;
} pages[] = {
	{ "articles",
	    { .language = "en",
		.title = "Articles",
		.path = "/console/W/articles",
		.links = links,
		.person = "Dana Ferrero",
		.email = "dana@example.com",
		.dock = dock,
		.sites = sites,
		.mine = sites,
		.token = "t",
		.site = "Kettles & Co",
		.actions = new_article },
	    write_articles },
	{ "sign-in", { .language = "en", .title = "Sign in", .path = "/console/sign-in" },
	    write_sign_in },
	{ "refused",
	    { .language = "en",
		.title = "Five kettles compared",
		.path = "/console/W/articles/ID",
		.links = links,
		.person = "Dana Ferrero",
		.email = "dana@example.com",
		.dock = dock,
		.sites = sites,
		.mine = sites,
		.token = "t",
		.site = "Kettles & Co",
		.wrong = true },
	    write_refused },
	{ "empty",
	    { .language = "en",
		.title = "Articles",
		.path = "/console/W/articles",
		.links = links,
		.person = "Donaudampfschifffahrtsgesellschaftskapitän",
		.email = "dana@example.com",
		.dock = dock,
		.sites = sites,
		.mine = sites,
		.token = "t",
		.site = "A workspace with quite a long name of its own" },
	    write_empty },
	{ "text",
	    { .language = "en",
		.title = "History",
		.under = "Editions and saves of “Five kettles compared”. Any two can be compared.",
		.path = "/console/W/articles/ID/history",
		.links = links,
		.person = "Dana",
		.email = "dana@example.com",
		.dock = dock,
		.sites = sites,
		.mine = sites,
		.token = "t",
		.site = "Kettles & Co" },
	    write_text },
};

static void
write_file(const char *path, const char *bytes, size_t len)
{
	FILE *file = fopen(path, "w");

	if (file == NULL || fwrite(bytes, 1, len, file) != len || fclose(file) != 0)
		err(1, "%s", path);
}

static void
make_folder(const char *path)
{
	if (mkdir(path, 0700) != 0 && errno != EEXIST)
		err(1, "%s", path);
}

/* The sheet is at its address: the folder is the console's root. */
static void
write_sheet(const char *folder)
{
	const char *address = asset_address(&arena, folder, ASSET_SHEET), *css;
	size_t len = 0;

	css = style_find(strrchr(address, '/') + 1, &len);
	make_folder(arena_printf(&arena, "%s/assets", folder));
	write_file(address, css, len);
}

int
main(int argc, char **argv)
{
	arena_init(&arena, 64 * 1024 * 1024);
	for (size_t i = 0; i < sizeof(pages) / sizeof(pages[0]); i++) {
		struct screen screen;
		struct buf out;
		buf_init(&out, &arena, 1024 * 1024);
		screen = pages[i].screen;
		screen.root = argc == 2 ? argv[1] : "/console";
		screen_page(&out, &screen, pages[i].write_main, NULL);
		ok(!buf_full(&out) && strstr(out.data, "<script>") == NULL && out.len < 20 * 1024,
		    "%s: %zu bytes", pages[i].name, out.len);
		if (argc == 2)
			write_file(arena_printf(&arena, "%s/%s.html", argv[1], pages[i].name),
			    out.data, out.len);
	}
	if (argc == 2)
		write_sheet(argv[1]);
	return done_testing();
}
