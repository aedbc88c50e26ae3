/* suite: fast */
#include "export/facts.h"

#include "tests/unit/export/source.h"

static void
without_an_address_nothing_points_to_one(void)
{
	struct sample s = compost();
	const char *json_ld, *head;
	json_t *graph;

	s.settings.website = NULL;
	json_ld = view(&s, export_json_ld);
	head = view(&s, export_head);
	graph = parsed(json_ld);
	ok(has(view(&s, export_seo), "\"canonical\":null"), "canonical is null");
	ok(!has(head, "canonical") && !has(head, "og:url"),
	    "head has neither canonical nor og:url");
	ok(node(graph, "WebSite") == NULL && node(graph, "BreadcrumbList") == NULL,
	    "there is no WebSite and no BreadcrumbList");
	is_text(member(node(graph, "Organization"), "@id"),
	    "urn:uuid:7a0e4f52-1c3d-4b6a-8e90-2d5f7c1b3a64#organization",
	    "the workspace names the organization");
	is_text(member(node(graph, "BlogPosting"), "@id"), "urn:uuid:" ARTICLE_ID "#article",
	    "the id names the article");
	is_text(member(node(graph, "WebPage"), "url"), NULL, "the page has no url");
	ok(!has(json_ld, "\"breadcrumb\"") && !has(json_ld, "#website") &&
		!has(json_ld, "\"url\":\"urn"),
	    "nothing refers to what is not there");
	is_text(member(node(graph, "Question"), "url"), NULL, "questions have no url");
	json_decref(graph);
}

static void
without_a_pattern_the_site_remains(void)
{
	struct sample s = compost();
	json_t *graph;

	s.settings.address_pattern = NULL;
	graph = parsed(view(&s, export_json_ld));
	ok(node(graph, "WebSite") != NULL, "the website is known");
	ok(json_object_get(node(graph, "WebPage"), "isPartOf") == NULL,
	    "but the page is no part of it");
	is_text(member(node(graph, "Organization"), "url"), "https://www.example.com/",
	    "the publisher keeps its address");
	json_decref(graph);
}

static void
a_published_address_needs_no_website(void)
{
	struct sample s = compost();
	json_t *graph;

	s.settings.website = NULL;
	s.source.published_url = "https://elsewhere.example/p?id=1#top";
	graph = parsed(view(&s, export_json_ld));
	is_text(member(node(graph, "WebPage"), "url"), "https://elsewhere.example/p?id=1",
	    "the published address counts, without its fragment");
	ok(node(graph, "BreadcrumbList") == NULL, "a breadcrumb needs the website too");
	ok(json_object_get(node(graph, "WebPage"), "isPartOf") == NULL, "and so does isPartOf");
	json_decref(graph);
}

static const struct {
	const char *website, *pattern, *slug, *published, *want;
} canonicals[] = {
	{ "https://a.example", "/b/{slug}", "x-y", NULL, "https://a.example/b/x-y" },
	{ "https://a.example", "/{slug}.html?x=1", "x", NULL, "https://a.example/x.html?x=1" },
	{ "https://a.example", "/{slug}", "مرحبا", NULL,
	    "https://a.example/%D9%85%D8%B1%D8%AD%D8%A8%D8%A7" },
	{ "https://a.example", "/é/{slug}", "x", NULL, "https://a.example/%C3%A9/x" },
	{ "https://a.example", "/%C3%A9/{slug}", "x", NULL, "https://a.example/%C3%A9/x" },
	{ "https://a.example", NULL, "x", NULL, NULL },
	{ "https://a.example", "/blog", "x", NULL, NULL },
	{ NULL, "/{slug}", "x", NULL, NULL },
	{ "https://a.example", "/{slug}", "x", "https://b.example/y", "https://b.example/y" },
};

static void
canonical_is_made_of_settings(void)
{
	for (size_t i = 0; i < sizeof(canonicals) / sizeof(canonicals[0]); i++) {
		struct sample s = plain_sample();

		s.settings.website = canonicals[i].website;
		s.settings.address_pattern = canonicals[i].pattern;
		s.snapshot.slug = canonicals[i].slug;
		s.source.published_url = canonicals[i].published;
		s.source.settings = &s.settings;
		s.source.snapshot = &s.snapshot;
		is_text(
		    export_canonical(&ctx, &s.source), canonicals[i].want, "canonical %zu", i + 1);
	}
}

/* Names and profiles: the article's, the workspace's, the brand. */
static const struct {
	const char *own, *own_url, *workspace, *workspace_url;
	const char *type, *name, *url; /* of the author in json_ld */
	const char *byline;
} authors[] = {
	{ NULL, NULL, "Dana", "https://e.example/d", "Person", "Dana", "https://e.example/d",
	    "<a href=\"https://e.example/d\" rel=\"author\">Dana</a> " },
	{ "Li", NULL, "Dana", "https://e.example/d", "Person", "Li", NULL,
	    "<p class=\"ab-byline\">Li <time" },
	{ "Li", "https://e.example/l", "Dana", NULL, "Person", "Li", "https://e.example/l",
	    "<a href=\"https://e.example/l\" rel=\"author\">Li</a> " },
	{ NULL, NULL, NULL, NULL, "Organization", "Example Green", "https://www.example.com/",
	    "<p class=\"ab-byline\">Example Green <time" },
};

static void
the_author_is_a_person_or_the_brand(void)
{
	for (size_t i = 0; i < sizeof(authors) / sizeof(authors[0]); i++) {
		struct sample s = plain_sample();
		json_t *graph, *author;

		s.snapshot.author_name = authors[i].own;
		s.snapshot.author_url = authors[i].own_url;
		s.settings.author_name = authors[i].workspace;
		s.settings.author_url = authors[i].workspace_url;
		graph = parsed(view(&s, export_json_ld));
		author = json_object_get(node(graph, "BlogPosting"), "author");
		is_text(member(author, "@type"), authors[i].type, "author %zu: type", i + 1);
		is_text(member(author, "name"), authors[i].name, "author %zu: name", i + 1);
		is_text(member(author, "url"), authors[i].url, "author %zu: url", i + 1);
		ok((node(graph, "Person") != NULL) == (strcmp(authors[i].type, "Person") == 0),
		    "author %zu: a Person node for a person only", i + 1);
		ok(has(view(&s, export_html), authors[i].byline), "author %zu: is in the byline",
		    i + 1);
		json_decref(graph);
	}
}

static void
the_brand_is_the_publisher_or_the_workspace(void)
{
	struct sample s = compost();

	s.settings.publisher_name = NULL;
	ok(has(view(&s, export_seo), "\"siteName\":\"Example workspace\""),
	    "without a publisher's name the workspace's is the brand");
}

static void
an_image_without_address_is_left_out(void)
{
	struct sample s = compost();
	json_t *object;

	s.settings.public_url = "";
	object = parsed(view(&s, export_render));
	ok(json_is_null(json_object_get(object, "image_url")) &&
		json_is_null(json_object_get(object, "image_width")) &&
		json_is_null(json_object_get(object, "image_height")),
	    "stored media have no address without public_url");
	ok(!has(member(object, "html"), "<img"), "html has no image");
	ok(!has(member(object, "head_html"), "image\""), "head_html has no image");
	ok(has(member(object, "head_html"), "content=\"summary\""), "the card is a small one");
	ok(node(json_object_get(object, "json_ld"), "ImageObject") == NULL, "json_ld has no image");
	json_decref(object);
	s.settings.public_url = "https://cms.example.net";
	s.snapshot.image = NULL;
	ok(!has(view(&s, export_json_ld), "mage\":"), "nor has an article without a cover");
}

static void
the_card_is_large_for_large_images(void)
{
	static const struct {
		int64_t width, height;
		const char *card;
	} sizes[] = {
		{ 300, 157, "summary_large_image" },
		{ 299, 157, "summary" },
		{ 300, 156, "summary" },
		{ 0, 0, "summary" },
	};

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		struct sample s = compost();
		const char *head;

		s.snapshot.image_width = sizes[i].width;
		s.snapshot.image_height = sizes[i].height;
		head = view(&s, export_head);
		ok(has(head, arena_printf(&arena, "content=\"%s\"", sizes[i].card)),
		    "a cover of %lld x %lld has the card %s", (long long)sizes[i].width,
		    (long long)sizes[i].height, sizes[i].card);
		ok(has(head, "og:image:width") == (sizes[i].width > 0),
		    "its size is told when it is known");
	}
}

static void
the_description_has_defaults(void)
{
	struct sample s = compost();
	struct sample p = with_text("en", "**First** [paragraph](https://e.org)");
	const char *longest = "Forty letters and one more word come to";
	struct sample cut;

	s.snapshot.meta_description = NULL;
	ok(has(view(&s, export_seo),
	       "\"description\":\"Indoor composting works when air, moisture and carbon are in balance.\""),
	    "the summary, as plain text");
	ok(has(view(&p, export_seo), "\"description\":\"First paragraph\""),
	    "else the first paragraph");
	p = plain_sample();
	ok(has(view(&p, export_seo), "\"description\":\"\",") &&
		!has(view(&p, export_head), "description"),
	    "with neither of them it is empty, and left out elsewhere");
	cut = with_text("en",
	    arena_printf(&arena, "%s\n %s %s %s %s", longest, longest, longest, longest, longest));
	ok(has(view(&cut, export_seo), arena_printf(&arena, "\"description\":\"%s %s %s %s\",",
					   longest, longest, longest, longest)),
	    "it is cut at a word");
}

static void
a_headline_is_cut_at_a_word(void)
{
	struct sample s = plain_sample();
	json_t *graph;

	s.snapshot.title =
	    "One hundred and ten code points are what a headline may have, and this one has rather more than that, as you see";
	graph = parsed(view(&s, export_json_ld));
	is_text(member(node(graph, "BlogPosting"), "headline"),
	    "One hundred and ten code points are what a headline may have, and this one has rather more than that, as you",
	    "a long headline ends with a whole word");
	is_text(
	    member(node(graph, "WebPage"), "name"), s.snapshot.title, "the page keeps its name");
	json_decref(graph);
}

static void
a_title_that_shows_nothing_is_the_slug(void)
{
	struct sample s = plain_sample();

	s.snapshot.title = "\u200B";
	ok(has(view(&s, export_html), "<h1>compost-small-flat</h1>"),
	    "a page has a name that can be seen");
}

static void
how_tos_have_two_steps(void)
{
	struct sample s = compost();
	struct section *section = &s.snapshot.content.sections[0];
	json_t *graph = parsed(view(&s, export_json_ld)), *steps;

	is_text(member(node(graph, "HowTo"), "name"), "Set up the bin",
	    "a section with two steps is a HowTo");
	json_decref(graph);
	section->steps = memcpy(
	    arena_array(&arena, 3, sizeof(struct step)), section->steps, 2 * sizeof(struct step));
	section->steps[2] = section->steps[0];
	section->steps[1].name = section->steps[1].text = "​";
	section->step_count = 3;
	graph = parsed(view(&s, export_json_ld));
	steps = json_object_get(node(graph, "HowTo"), "step");
	is_int((int64_t)json_array_size(steps), 2, "of three steps one that shows nothing is none");
	is_int(json_integer_value(json_object_get(json_array_get(steps, 1), "position")), 2,
	    "and the next one has its place");
	json_decref(graph);
	section->step_count = 2;
	graph = parsed(view(&s, export_json_ld));
	ok(node(graph, "HowTo") == NULL, "with one that shows it is none");
	ok(has(view(&s, export_html), "s1-step1\"") && !has(view(&s, export_html), "s1-step2\""),
	    "html shows the one");
	json_decref(graph);
}

static void
questions_need_an_answer(void)
{
	struct sample s = compost();
	json_t *graph;

	s.snapshot.content.faqs[0].answer = "[^r1]";
	graph = parsed(view(&s, export_json_ld));
	ok(node(graph, "Question") == NULL, "an answer without text is none in json_ld");
	is_text(member(node(graph, "WebPage"), "@type"), "WebPage", "and the page is no FAQPage");
	json_decref(graph);
}

int
main(void)
{
	arena_init(&arena, (size_t)1 << 26);
	without_an_address_nothing_points_to_one();
	without_a_pattern_the_site_remains();
	a_published_address_needs_no_website();
	canonical_is_made_of_settings();
	the_author_is_a_person_or_the_brand();
	the_brand_is_the_publisher_or_the_workspace();
	an_image_without_address_is_left_out();
	the_card_is_large_for_large_images();
	the_description_has_defaults();
	a_headline_is_cut_at_a_word();
	a_title_that_shows_nothing_is_the_slug();
	how_tos_have_two_steps();
	questions_need_an_answer();
	return done_testing();
}
