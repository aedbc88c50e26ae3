#ifndef TESTS_EXPORT_SOURCE_H
#define TESTS_EXPORT_SOURCE_H
/*
 * What the tests of lib/export render: the articles of docs/export.md's examples,
 * ready to be changed by a test. Run from the top of the tree.
 */
#include <jansson.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "base/jread.h"
#include "export/export.h"
#include "tests/tap.h"

#define FIXTURES "tests/fixtures/export/"
#define FIXTURE_MAX 100000 /* bytes */
#define ARTICLE_ID "3f2a9c10-5b7e-4c8d-9a41-6f0d2e7b8c55"
#define CANONICAL "https://www.example.com/blog/compost-small-flat"

static struct arena arena;
static struct ctx ctx = { .arena = &arena };

/* An article of a test: everything that its export depends on. */
struct sample {
	struct settings settings;
	struct snapshot snapshot;
	struct export_source source;
};

typedef void sample_view(struct ctx *c, const struct export_source *source, struct buf *out);

__attribute__((unused)) static char *
fixture(const char *name)
{
	FILE *file = fopen(arena_printf(&arena, FIXTURES "%s", name), "r");
	char *text = arena_alloc(&arena, FIXTURE_MAX + 1);

	if (file == NULL || fread(text, 1, FIXTURE_MAX, file) == 0)
		bail("no fixture %s: run from the top of the tree", name);
	fclose(file);
	return text;
}

__attribute__((unused)) static const char *
view(const struct sample *s, sample_view *render)
{
	struct buf out;
	struct export_source source = s->source;

	/* A sample may have been copied. */
	source.settings = &s->settings;
	source.snapshot = &s->snapshot;
	buf_init(&out, &arena, EXPORT_BYTES_MAX);
	render(&ctx, &source, &out);
	return buf_done(&out);
}

/* An English article of the compost example's workspace, without content. */
__attribute__((unused)) static struct sample
plain_sample(void)
{
	struct sample s = {
		.settings = {
			.workspace_id = "7a0e4f52-1c3d-4b6a-8e90-2d5f7c1b3a64",
			.name = "Example workspace",
			.language = "en",
			.website = "https://www.example.com",
			.address_pattern = "/blog/{slug}",
			.publisher_name = "Example Green",
			.author_name = "Dana Reyes",
			.public_url = "https://cms.example.net",
		},
		.snapshot = {
			.title = "How to compost in a small flat",
			.slug = "compost-small-flat",
			.language = "en",
		},
		.source = {
			.id = ARTICLE_ID,
			.published = true,
			.version = 3,
			.revision = "x1_00112233445566778899aabbccddeeff",
		},
	};

	clock_parse("2026-09-01T08:00:00Z", &s.source.published_at);
	clock_parse("2026-09-14T10:30:00Z", &s.source.modified_at);
	content_init(&s.snapshot.content, "en");
	return s;
}

__attribute__((unused)) static void
read_content(struct sample *s, const char *name)
{
	const char *text = fixture(name);
	json_t *json;

	if (jread_parse(&ctx, "content", text, strlen(text), &json) != NULL ||
	    content_from_json(&ctx, "content", json, s->snapshot.language, &s->snapshot.content) !=
		NULL)
		bail("%s is refused", name);
}

/* The example of docs/export.md §1 to §5. */
__attribute__((unused)) static struct sample
compost(void)
{
	static const char *tags[] = { "compost" };
	struct sample s = plain_sample();

	s.settings.publisher_logo_url = "https://www.example.com/logo.png";
	s.settings.author_url = "https://www.example.com/about/dana";
	s.snapshot.meta_description =
	    "A five-litre bin, two parts cardboard and one part scraps: composting indoors without smell or flies.";
	s.snapshot.section = "Home";
	s.snapshot.tags = tags;
	s.snapshot.tag_count = 1;
	s.snapshot.image = "media:6d1f0c2a.jpg";
	s.snapshot.image_type = "image/jpeg";
	s.snapshot.image_width = 1200;
	s.snapshot.image_height = 675;
	s.snapshot.image_generated = true;
	read_content(&s, "compost.content.json");
	return s;
}

/* The right-to-left example of docs/export.md §1. */
__attribute__((unused)) static struct sample
arabic(void)
{
	struct sample s = plain_sample();

	s.snapshot.title = "كيف تبني واجهة HTTP/2 سريعة";
	s.snapshot.language = "ar";
	s.snapshot.author_name = "ليلى حداد";
	s.snapshot.author_url = "https://www.example.com/ar/about";
	read_content(&s, "arabic.content.json");
	return s;
}

/* A sample with one section of one paragraph. */
__attribute__((unused)) static struct sample
with_text(const char *language, const char *text)
{
	struct sample s = plain_sample();
	struct section *section = arena_alloc(&arena, sizeof(*section));
	struct block *block = arena_alloc(&arena, sizeof(*block));

	block->type = BLOCK_PARAGRAPH;
	block->text = text;
	section->id = "s1";
	section->heading = "";
	section->body = block;
	section->body_count = 1;
	s.snapshot.language = language;
	s.snapshot.content.sections = section;
	s.snapshot.content.section_count = 1;
	return s;
}

__attribute__((unused)) static bool
has(const char *text, const char *part)
{
	return strstr(text, part) != NULL;
}

__attribute__((unused)) static json_t *
parsed(const char *text)
{
	return json_loads(text, JSON_REJECT_DUPLICATES, NULL);
}

/* The first node of that type in structured data, or NULL. */
__attribute__((unused)) static json_t *
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

__attribute__((unused)) static const char *
member(json_t *object, const char *name)
{
	return json_string_value(json_object_get(object, name));
}

#endif
