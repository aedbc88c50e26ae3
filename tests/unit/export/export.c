/* suite: fast */
#include "export/export.h"

#include "tests/unit/export/source.h"

/* Returns the text without line feeds. */
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

/* Returns the structured data in a head. */
static json_t *
parsed_from_head(const char *head)
{
	static const char open[] = "<script type=\"application/ld+json\">";
	const char *from = strstr(head, open), *to;

	if (from == NULL)
		return NULL;
	from += strlen(open);
	to = strstr(from, "</script>");
	return to == NULL ? NULL : parsed(arena_text_n(&arena, from, (size_t)(to - from)));
}

static void
the_example_is_rendered_byte_for_byte(void)
{
	struct sample s = compost();
	const char *json_ld = joined(fixture("compost.json_ld.json"));
	json_t *seo = parsed(fixture("compost.seo.json"));

	is_text(view(&s, export_html), fixture("compost.html"), "html is the example's");
	is_text(view(&s, export_json_ld), json_ld, "json_ld is the example's");
	is_text(view(&s, export_head),
	    arena_printf(&arena, "%s<script type=\"application/ld+json\">%s</script>",
		fixture("compost.head.html"), json_ld),
	    "head_html is the example's");
	is_text(view(&s, export_seo), json_dumps(seo, JSON_COMPACT), "seo is the example's");
	json_decref(seo);
}

static void
the_right_to_left_example_is_rendered_byte_for_byte(void)
{
	struct sample s = arabic();

	is_text(
	    view(&s, export_html), fixture("arabic.html"), "html is the right-to-left example's");
	ok(has(view(&s, export_seo), "\"language\":\"ar\""), "seo has its language");
	ok(has(view(&s, export_seo), "\"locale\":\"ar_AR\""), "and locale");
}

static const char *const members[] = { "id", "schema_version", "revision", "version", "status",
	"slug", "title", "html", "head_html", "content", "seo", "json_ld", "publishing_checks",
	"reading_minutes", "image_url", "image_width", "image_height" };

static void
all_members_are_there(json_t *object, const char *which)
{
	size_t count = sizeof(members) / sizeof(members[0]), i = 0;
	const char *name;
	json_t *value;

	is_int((int64_t)json_object_size(object), (int64_t)count, "%s has every field and no other",
	    which);
	json_object_foreach(object, name, value) {
		if (i < count)
			is_text(name, members[i], "%s: field %zu", which, i + 1);
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
	is_int(json_integer_value(json_object_get(object, "version")), 3, "its publication number");
	is_int(json_integer_value(json_object_get(object, "reading_minutes")), 1,
	    "reading time is at least a minute");
	is_text(member(object, "image_url"), "https://cms.example.net/media/6d1f0c2a.jpg",
	    "the cover's address");
	is_int((int64_t)json_array_size(json_object_get(object, "publishing_checks")),
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
	ok(has(head, "content=\"noindex, nofollow\""), "its robots are noindex, nofollow");
	ok(!has(head, "max-") && !has(head, "_time"), "it has no preview rules and no times");
	posting = node(json_object_get(object, "json_ld"), "BlogPosting");
	is_text(member(posting, "creativeWorkStatus"), "Draft", "its structured data say Draft");
	is_text(member(posting, "datePublished"), NULL, "without a date");
	ok(!has(member(object, "html"), "<time datetime=\"2026-09"), "and its byline has none");
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
	first = json_array_get(json_object_get(json_object_get(object, "content"), "sections"), 0);
	ok(!has(member(object, "html"), "write this"), "an edition shows no todo");
	ok(has(member(object, "html"), "keep this"), "but other callouts");
	is_int(
	    (int64_t)json_array_size(json_object_get(first, "callouts")), 1, "nor has its content");
	is_int((int64_t)json_array_size(json_object_get(first, "body")), 1,
	    "nor a block that places it");
	is_int(json_integer_value(
		   json_object_get(json_array_get(json_object_get(first, "body"), 0), "index")),
	    0, "and the other's place is right");
	json_decref(object);
	s.source.published = false;
	ok(has(view(&s, export_html),
	       "<aside class=\"ab-callout ab-callout-todo\"><p>write this</p>"),
	    "a draft shows it");
}

/* Checks that every text in seo is in the head as an attribute or the title. The language is
 * left out: it is in og:locale and in the structured data. */
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
		ok(has(head,
		       arena_printf(&arena, "=\"%lld\"", (long long)json_integer_value(value))),
		    "%s: a number of seo is in head_html", which);
	} else if (json_is_string(value)) {
		ok(has(head, json_string_value(value)), "%s: \"%s\" of seo is in head_html", which,
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
	} entities[] = { { "&lt;", '<' }, { "&gt;", '>' }, { "&quot;", '"' }, { "&#39;", '\'' },
		{ "&amp;", '&' } };
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

		ok(!has(html, "<script") && !has(html, "<!--") && !has(html, "<img src=x") &&
			!has(html, "javascript:a\""),
		    "html of hostile text %zu has no markup of it", i + 1);
		ok(!has(strstr(head, "ld+json\">") + 9, "<!--") && has(head, "}]}</script>"),
		    "the script of hostile text %zu ends where it must", i + 1);
		ok(in_head != NULL && json_equal(in_head, json_ld),
		    "hostile text %zu: structured data are equal", i + 1);
		is_text(member(node(json_ld, "BlogPosting"), "headline"),
		    i == 5 ? "a b c" : hostile[i], "hostile text %zu arrives in json_ld as it is",
		    i + 1);
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

	is_text(view(&again, export_render), first, "equal sources give equal bytes");
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
	/* Four bytes each in html, six in the head's JSON-LD. */
	memset(text, '<', len);
	text[600 * 1024] = '\0';
	s = compost();
	s.source.settings = &s.settings;
	s.source.snapshot = &s.snapshot;
	s.snapshot.content.faqs[0].answer = text;
	buf_reset(&out);
	export_html(&ctx, &s.source, &out);
	ok(!buf_full(&out), "where html fits");
	buf_reset(&out);
	export_render(&ctx, &s.source, &out);
	ok(buf_full(&out), "and the head does not, so is the object");
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
	todo_callouts_are_for_drafts();
	hostile_text_stays_text();
	equal_sources_give_equal_bytes();
	rendering_keeps_its_bytes_only();
	what_is_too_long_is_never_cut();
	return done_testing();
}
