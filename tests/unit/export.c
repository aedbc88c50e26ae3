#include "export/export.h"

#include <jansson.h>

#include "tests/unit/export-source.h"

static bool
has(const char *text, const char *part)
{
	return strstr(text, part) != NULL;
}

/* The text without line feeds. */
static char *
joined(const char *text)
{
	char *out = arena_alloc(&arena, strlen(text) + 1), *p = out;

	for (; *text != '\0'; text++) {
		if (*text != '\n')
			*p++ = *text;
	}
	return out;
}

static json_t *
parsed(const char *text)
{
	return json_loads(text, JSON_REJECT_DUPLICATES, NULL);
}

/* The structured data in a head. */
static json_t *
parsed_from_head(const char *head)
{
	static const char open[] = "<script type=\"application/ld+json\">";
	const char *from = strstr(head, open), *to;

	if (from == NULL)
		return NULL;
	from += strlen(open);
	to = strstr(from, "</script>");
	return to == NULL
		   ? NULL
		   : parsed(arena_text_n(&arena, from, (size_t)(to - from)));
}

static json_t *
node(json_t *graph, const char *type)
{
	json_t *element;
	size_t i;

	json_array_foreach(json_object_get(graph, "@graph"), i, element) {
		json_t *name = json_object_get(element, "@type");

		if (json_is_array(name))
			name = json_array_get(name, 0);
		if (strcmp(json_string_value(name), type) == 0)
			return element;
	}
	return NULL;
}

static const char *
member(json_t *object, const char *name)
{
	return json_string_value(json_object_get(object, name));
}

static void
the_example_is_rendered_byte_for_byte(void)
{
	struct sample s = compost();
	const char *json_ld = joined(fixture("compost.json_ld.json"));
	json_t *seo = parsed(fixture("compost.seo.json"));

	is_text(view(&s, export_html), fixture("compost.html"),
	    "html is the example's");
	is_text(view(&s, export_json_ld), json_ld, "json_ld is the example's");
	is_text(view(&s, export_head),
	    arena_printf(&arena,
		"%s<script type=\"application/ld+json\">%s"
		"</script>",
		fixture("compost.head.html"), json_ld),
	    "head_html is the example's");
	is_text(view(&s, export_seo), json_dumps(seo, JSON_COMPACT),
	    "seo is the example's");
	json_decref(seo);
}

static void
the_right_to_left_example_is_rendered_byte_for_byte(void)
{
	struct sample s = arabic();

	is_text(view(&s, export_html), fixture("arabic.html"),
	    "html is the right-to-left example's");
	ok(has(view(&s, export_seo), "\"language\":\"ar\""),
	    "seo has its language");
	ok(has(view(&s, export_seo), "\"locale\":\"ar_AR\""), "and locale");
}

static const char *const members[] = { "id", "schema_version", "revision",
	"version", "status", "slug", "title", "html", "head_html", "content",
	"seo", "json_ld", "publishing_checks", "reading_minutes", "image_url",
	"image_width", "image_height" };

static void
all_members_are_there(json_t *object, const char *which)
{
	size_t count = sizeof(members) / sizeof(members[0]), i = 0;
	const char *name;
	json_t *value;

	is_int((int64_t)json_object_size(object), (int64_t)count,
	    "%s has every field and no other", which);
	json_object_foreach(object, name, value) {
		if (i < count)
			is_text(
			    name, members[i], "%s: field %zu", which, i + 1);
		i++;
	}
}

static void
the_article_object_is_whole(void)
{
	struct sample s = compost();
	const char *text = view(&s, export_render);
	json_t *object = parsed(text);
	json_t *head = parsed_from_head(member(object, "head_html"));

	all_members_are_there(object, "a published article");
	is_text(member(object, "html"), view(&s, export_html), "html is whole");
	is_text(member(object, "schema_version"), "1.1", "its version is 1.1");
	is_text(member(object, "status"), "published", "its status");
	is_int(json_integer_value(json_object_get(object, "version")), 3,
	    "its publication number");
	is_int(json_integer_value(json_object_get(object, "reading_minutes")),
	    1, "reading time is at least a minute");
	is_text(member(object, "image_url"),
	    "https://cms.example.net/media/6d1f0c2a.jpg",
	    "the cover's address");
	is_int((int64_t)json_array_size(
		   json_object_get(object, "publishing_checks")),
	    EXPORT_CHECKS, "every check is listed");
	ok(json_equal(head, json_object_get(object, "json_ld")),
	    "json_ld and head_html have equal structured data");
	ok(!has(text, "\n"), "it is compact");
	json_decref(head);
	json_decref(object);
}

static void
a_draft_hides_from_search(void)
{
	struct sample s = compost();
	const char *head;
	json_t *object, *posting;

	s.source.published = false;
	s.source.version = 0;
	s.source.published_at = 0;
	s.source.modified_at = 0;
	object = parsed(view(&s, export_render));
	all_members_are_there(object, "a draft");
	ok(json_is_null(json_object_get(object, "version")),
	    "a draft that never was published has no version");
	is_text(member(object, "status"), "draft", "its status is draft");
	head = member(object, "head_html");
	ok(has(head, "content=\"noindex, nofollow\""),
	    "its robots are noindex, nofollow");
	ok(!has(head, "max-") && !has(head, "_time"),
	    "it has no preview rules and no times");
	posting = node(json_object_get(object, "json_ld"), "BlogPosting");
	is_text(member(posting, "creativeWorkStatus"), "Draft",
	    "its structured data say Draft");
	is_text(member(posting, "datePublished"), NULL, "without a date");
	ok(!has(member(object, "html"), "<time datetime=\"2026-09"),
	    "and its byline has none");
	json_decref(object);
}

static void
robots_follow_the_state(void)
{
	struct sample s = compost();

	s.snapshot.noindex = true;
	ok(has(view(&s, export_seo), "\"robots\":\"noindex, follow\""),
	    "a published noindex article is noindex, follow");
	s.source.published = false;
	ok(has(view(&s, export_seo), "\"robots\":\"noindex, nofollow\""),
	    "a draft is noindex, nofollow all the same");
}

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
	ok(has(view(&s, export_seo), "\"canonical\":null"),
	    "canonical is null");
	ok(!has(head, "canonical") && !has(head, "og:url"),
	    "head has neither canonical nor og:url");
	ok(node(graph, "WebSite") == NULL &&
		node(graph, "BreadcrumbList") == NULL,
	    "there is no WebSite and no BreadcrumbList");
	is_text(member(node(graph, "Organization"), "@id"),
	    "urn:uuid:7a0e4f52-1c3d-4b6a-8e90-2d5f7c1b3a64#organization",
	    "the workspace names the organization");
	is_text(member(node(graph, "BlogPosting"), "@id"),
	    "urn:uuid:" ARTICLE_ID "#article", "the id names the article");
	is_text(
	    member(node(graph, "WebPage"), "url"), NULL, "the page has no url");
	ok(!has(json_ld, "\"breadcrumb\"") && !has(json_ld, "#website") &&
		!has(json_ld, "\"url\":\"urn"),
	    "nothing refers to what is not there");
	is_text(member(node(graph, "Question"), "url"), NULL,
	    "questions have no url");
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
	is_text(member(node(graph, "Organization"), "url"),
	    "https://www.example.com/", "the publisher keeps its address");
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
	is_text(member(node(graph, "WebPage"), "url"),
	    "https://elsewhere.example/p?id=1",
	    "the published address counts, without its fragment");
	ok(node(graph, "BreadcrumbList") == NULL,
	    "a breadcrumb needs the website too");
	ok(json_object_get(node(graph, "WebPage"), "isPartOf") == NULL,
	    "and so does isPartOf");
	json_decref(graph);
}

static const struct {
	const char *website, *pattern, *slug, *published, *want;
} canonicals[] = {
	{ "https://a.example", "/b/{slug}", "x-y", NULL,
	    "https://a.example/b/x-y" },
	{ "https://a.example", "/{slug}.html?x=1", "x", NULL,
	    "https://a.example/x.html?x=1" },
	{ "https://a.example", "/{slug}", "مرحبا", NULL,
	    "https://a.example/%D9%85%D8%B1%D8%AD%D8%A8%D8%A7" },
	{ "https://a.example", "/é/{slug}", "x", NULL,
	    "https://a.example/%C3%A9/x" },
	{ "https://a.example", "/%C3%A9/{slug}", "x", NULL,
	    "https://a.example/%C3%A9/x" },
	{ "https://a.example", NULL, "x", NULL, NULL },
	{ NULL, "/{slug}", "x", NULL, NULL },
	{ "https://a.example", "/{slug}", "x", "https://b.example/y",
	    "https://b.example/y" },
};

static void
canonical_is_made_of_settings(void)
{
	for (size_t i = 0; i < sizeof(canonicals) / sizeof(canonicals[0]);
	     i++) {
		struct sample s = plain_sample();

		s.settings.website = canonicals[i].website;
		s.settings.address_pattern = canonicals[i].pattern;
		s.snapshot.slug = canonicals[i].slug;
		s.source.published_url = canonicals[i].published;
		s.source.settings = &s.settings;
		s.source.snapshot = &s.snapshot;
		is_text(export_canonical(&ctx, &s.source), canonicals[i].want,
		    "canonical %zu", i + 1);
	}
}

/* Names and profiles: the article's, the workspace's, the brand. */
static const struct {
	const char *own, *own_url, *workspace, *workspace_url;
	const char *type, *name, *url; /* of the author in json_ld */
	const char *byline;
} authors[] = {
	{ NULL, NULL, "Dana", "https://e.example/d", "Person", "Dana",
	    "https://e.example/d",
	    "<a href=\"https://e.example/d\" rel=\"author\">Dana</a> " },
	{ "Li", NULL, "Dana", "https://e.example/d", "Person", "Li", NULL,
	    "<p class=\"ab-byline\">Li <time" },
	{ "Li", "https://e.example/l", "Dana", NULL, "Person", "Li",
	    "https://e.example/l",
	    "<a href=\"https://e.example/l\" rel=\"author\">Li</a> " },
	{ NULL, NULL, NULL, NULL, "Organization", "Example Green",
	    "https://www.example.com/",
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
		is_text(member(author, "@type"), authors[i].type,
		    "author %zu: type", i + 1);
		is_text(member(author, "name"), authors[i].name,
		    "author %zu: name", i + 1);
		is_text(member(author, "url"), authors[i].url,
		    "author %zu: url", i + 1);
		ok((node(graph, "Person") != NULL) ==
			(strcmp(authors[i].type, "Person") == 0),
		    "author %zu: a Person node for a person only", i + 1);
		ok(has(view(&s, export_html), authors[i].byline),
		    "author %zu: stands in the byline", i + 1);
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
	ok(!has(member(object, "head_html"), "image\""),
	    "head_html has no image");
	ok(has(member(object, "head_html"), "content=\"summary\""),
	    "the card is a small one");
	ok(node(json_object_get(object, "json_ld"), "ImageObject") == NULL,
	    "json_ld has no image");
	json_decref(object);
	s.settings.public_url = "https://cms.example.net";
	s.snapshot.image = NULL;
	ok(!has(view(&s, export_json_ld), "mage\":"),
	    "nor has an article without a cover");
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
		ok(has(head,
		       arena_printf(&arena, "content=\"%s\"", sizes[i].card)),
		    "a cover of %lld x %lld has the card %s",
		    (long long)sizes[i].width, (long long)sizes[i].height,
		    sizes[i].card);
		ok(has(head, "og:image:width") == (sizes[i].width > 0),
		    "its size is told when it is known");
	}
}

static void
the_description_has_defaults(void)
{
	struct sample s = compost();
	struct sample p =
	    with_text("en", "**First** [paragraph](https://e.org)");
	const char *longest = "Forty letters and one more word come to";
	struct sample cut;

	s.snapshot.meta_description = NULL;
	ok(has(view(&s, export_seo),
	       "\"description\":\"Indoor composting works "
	       "when air, moisture and carbon are in "
	       "balance.\""),
	    "the summary, as plain text");
	ok(has(view(&p, export_seo), "\"description\":\"First paragraph\""),
	    "else the first paragraph");
	p = plain_sample();
	ok(has(view(&p, export_seo), "\"description\":\"\",") &&
		!has(view(&p, export_head), "description"),
	    "with neither of them it is empty, and left out elsewhere");
	cut = with_text("en", arena_printf(&arena, "%s\n %s %s %s %s", longest,
				  longest, longest, longest, longest));
	ok(has(view(&cut, export_seo),
	       arena_printf(&arena, "\"description\":\"%s %s %s %s\",", longest,
		   longest, longest, longest)),
	    "it is cut at a word");
}

static void
a_headline_is_cut_at_a_word(void)
{
	struct sample s = plain_sample();
	json_t *graph;

	s.snapshot.title =
	    "One hundred and ten code points are what a headline may have, and "
	    "this one has rather more than that, as you see";
	graph = parsed(view(&s, export_json_ld));
	is_text(member(node(graph, "BlogPosting"), "headline"),
	    "One hundred and ten code points are what a headline may have, and "
	    "this one has rather more than that, as you",
	    "a long headline ends with a whole word");
	is_text(member(node(graph, "WebPage"), "name"), s.snapshot.title,
	    "the page keeps its name");
	json_decref(graph);
}

static void
how_tos_have_two_steps(void)
{
	struct sample s = compost();
	struct section *section = &s.snapshot.content.sections[0];
	json_t *graph = parsed(view(&s, export_json_ld));

	is_text(member(node(graph, "HowTo"), "name"), "Set up the bin",
	    "a section with two steps is a HowTo");
	json_decref(graph);
	section->steps[1].name = section->steps[1].text = "​";
	graph = parsed(view(&s, export_json_ld));
	ok(node(graph, "HowTo") == NULL, "with one that shows it is none");
	ok(has(view(&s, export_html), "s1-step1\"") &&
		!has(view(&s, export_html), "s1-step2\""),
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
	ok(node(graph, "Question") == NULL,
	    "an answer without text is none in json_ld");
	is_text(member(node(graph, "WebPage"), "@type"), "WebPage",
	    "and the page is no FAQPage");
	json_decref(graph);
}

static void
todo_callouts_are_for_drafts(void)
{
	struct sample s = compost();
	struct section *section = &s.snapshot.content.sections[0];
	struct callout callouts[] = {
		{ CALLOUT_TODO, NULL, "write this" },
		{ CALLOUT_NOTE, NULL, "keep this" },
	};
	struct block body[] = {
		{ .type = BLOCK_CALLOUT, .index = 0 },
		{ .type = BLOCK_CALLOUT, .index = 1 },
	};
	json_t *object, *first;

	section->callouts = callouts;
	section->callout_count = 2;
	section->body = body;
	section->body_count = 2;
	object = parsed(view(&s, export_render));
	first = json_array_get(
	    json_object_get(json_object_get(object, "content"), "sections"), 0);
	ok(!has(member(object, "html"), "write this"),
	    "an edition shows no todo");
	ok(has(member(object, "html"), "keep this"), "but other callouts");
	is_int((int64_t)json_array_size(json_object_get(first, "callouts")), 1,
	    "nor has its content");
	is_int((int64_t)json_array_size(json_object_get(first, "body")), 1,
	    "nor a block that places it");
	is_int(json_integer_value(json_object_get(
		   json_array_get(json_object_get(first, "body"), 0), "index")),
	    0, "and the other's place is right");
	json_decref(object);
	s.source.published = false;
	ok(has(view(&s, export_html),
	       "<aside class=\"ab-callout ab-callout-todo\"><p>write this</p>"),
	    "a draft shows it");
}

/* Every text in seo but the language (which stands in og:locale and in the
 * structured data) is in head as an attribute or the title. */
static void
seo_stands_in_head(json_t *value, const char *head, const char *which)
{
	const char *name;
	json_t *part;
	size_t i;

	if (json_is_object(value)) {
		json_object_foreach(value, name, part)
			seo_stands_in_head(part, head, which);
	} else if (json_is_array(value)) {
		json_array_foreach(value, i, part)
			seo_stands_in_head(part, head, which);
	} else if (json_is_integer(value)) {
		ok(has(head, arena_printf(&arena, "=\"%lld\"",
				 (long long)json_integer_value(value))),
		    "%s: a number of seo stands in head_html", which);
	} else if (json_is_string(value)) {
		ok(has(head, json_string_value(value)),
		    "%s: \"%s\" of seo stands in head_html", which,
		    json_string_value(value));
	}
}

static const char *const hostile[] = {
	"</script><script>alert(1)</script>",
	"\"><img src=x onerror=alert(1)>",
	"' onmouseover='alert(1)",
	"<!--<script>",
	"]]>&amp;&#60;b&gt; Tom & Jerry",
	"a\u2028b\u2029c",
	"\u200Fمرحبا abc \u200E\u05E9\u05DC\u05D5\u05DD",
	"\U0001F468\u200D\U0001F469\u200D\U0001F467 e\u0301 \U0001F3F3",
	"{\"@type\":\"Evil\"}\\u003c/script\\u003e\\",
	"`code` **x** [l](javascript:alert(1)) [^r1]",
};

/* Undoes attribute escaping, in place. */
static char *
unescaped(char *text)
{
	static const struct {
		const char *entity;
		char byte;
	} entities[] = { { "&lt;", '<' }, { "&gt;", '>' }, { "&quot;", '"' },
		{ "&#39;", '\'' }, { "&amp;", '&' } };
	char *to = text;

	for (char *from = text; *from != '\0';) {
		size_t i = 0, len = 0;

		for (; i < 5; i++) {
			len = strlen(entities[i].entity);
			if (strncmp(from, entities[i].entity, len) == 0)
				break;
		}
		*to++ = i < 5 ? entities[i].byte : *from;
		from += i < 5 ? len : 1;
	}
	*to = '\0';
	return text;
}

static struct sample
hostile_sample(const char *text)
{
	struct sample s = compost();
	struct content *content = &s.snapshot.content;
	struct section *section = &content->sections[0];
	const char **tags = arena_array(&arena, 1, sizeof(*tags));

	*tags = text;
	s.snapshot.title = s.snapshot.meta_title = text;
	s.snapshot.meta_description = s.snapshot.section = text;
	s.snapshot.author_name = text;
	s.snapshot.tags = tags;
	s.snapshot.image_type = text;
	s.settings.publisher_name = text;
	content->summary = content->takeaways[0] = text;
	section->heading = section->body[0].text = text;
	section->steps[0].name = section->steps[0].text = text;
	section->tables[0].caption = section->tables[0].columns[0] = text;
	section->tables[0].rows[0][0] = text;
	section->callouts[0].title = section->callouts[0].text = text;
	content->faqs[0].question = content->faqs[0].answer = text;
	content->references[0].title = content->references[0].publisher = text;
	content->references[0].published = text;
	content->image_alt = content->image_caption = text;
	content->labels.takeaways = content->labels.faqs = text;
	content->labels.references = text;
	return s;
}

static void
hostile_text_stays_text(void)
{
	for (size_t i = 0; i < sizeof(hostile) / sizeof(hostile[0]); i++) {
		struct sample s = hostile_sample(hostile[i]);
		json_t *object = parsed(view(&s, export_render));
		const char *html = member(object, "html");
		const char *head = member(object, "head_html");
		json_t *in_head = parsed_from_head(head);
		json_t *json_ld = json_object_get(object, "json_ld");

		ok(!has(html, "<script") && !has(html, "<!--") &&
			!has(html, "<img src=x") &&
			!has(html, "javascript:a\""),
		    "html of hostile text %zu has no markup of it", i + 1);
		ok(!has(strstr(head, "ld+json\">") + 9, "<!--") &&
			has(head, "}]}</script>"),
		    "the script of hostile text %zu ends where it must", i + 1);
		ok(in_head != NULL && json_equal(in_head, json_ld),
		    "hostile text %zu: structured data are equal", i + 1);
		is_text(member(node(json_ld, "BlogPosting"), "headline"),
		    i == 5 ? "a b c" : hostile[i],
		    "hostile text %zu arrives in json_ld as it is", i + 1);
		seo_stands_in_head(json_object_get(object, "seo"),
		    unescaped(arena_text(&arena, head)),
		    arena_printf(&arena, "hostile text %zu", i + 1));
		json_decref(in_head);
		json_decref(object);
	}
}

static void
equal_sources_give_equal_bytes(void)
{
	struct sample s = compost();
	const char *first = view(&s, export_render);
	struct sample again = compost();

	is_text(view(&again, export_render), first,
	    "equal sources give equal bytes");
}

static void
rendering_keeps_its_bytes_only(void)
{
	struct sample s = compost();
	struct buf out;
	size_t before;

	s.source.settings = &s.settings;
	s.source.snapshot = &s.snapshot;
	buf_init(&out, &arena, EXPORT_BYTES_MAX);
	before = arena.used;
	export_render(&ctx, &s.source, &out);
	ok(arena.used - before < 3 * out.len,
	    "a request keeps nothing of a rendering but its bytes");
}

/* A megabyte of text that grows by escaping. */
static void
what_is_too_long_is_never_cut(void)
{
	size_t len = 1024 * 1024;
	char *text = arena_alloc(&arena, len + 1);
	struct sample s;
	struct buf out;

	memset(text, '&', len);
	s = with_text("en", text);
	s.source.settings = &s.settings;
	s.source.snapshot = &s.snapshot;
	buf_init(&out, &arena, 64 * 1024 * 1024);
	export_render(&ctx, &s.source, &out);
	ok(buf_full(&out), "an object beyond the ceiling is told to be full");
	buf_reset(&out);
	export_html(&ctx, &s.source, &out);
	ok(buf_full(&out), "and so is html alone");
}

int
main(void)
{
	arena_init(&arena, (size_t)1 << 30);
	the_example_is_rendered_byte_for_byte();
	the_right_to_left_example_is_rendered_byte_for_byte();
	the_article_object_is_whole();
	a_draft_hides_from_search();
	robots_follow_the_state();
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
	how_tos_have_two_steps();
	questions_need_an_answer();
	todo_callouts_are_for_drafts();
	hostile_text_stays_text();
	equal_sources_give_equal_bytes();
	rendering_keeps_its_bytes_only();
	what_is_too_long_is_never_cut();
	return done_testing();
}
