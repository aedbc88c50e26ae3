/*
 * The meaning of front matter keys, and the notes about values that do not fit.
 *
 * suite: fast
 */
#include "import/markdown/fields.h"

#include "base/arena.h"
#include "base/ctx.h"
#include "import/markdown/frontmatter.h"
#include "tests/tap.h"

static struct arena arena;
static struct ctx ctx = { .arena = &arena };

/* Reads the fields of a head of these lines; returns the refusal's sentence, or all losses. */
static const char *
read_fields(const char *lines, struct document *out, struct fields *fields)
{
	const char *text = arena_printf(&arena, "---\n%s\n---\n", lines);
	struct losses losses = { .c = &ctx };
	struct notes notes = { .c = &ctx };
	struct front_value root;
	struct buf told;
	struct err *err;
	unsigned line;
	size_t body;

	memset(out, 0, sizeof(*out));
	memset(fields, 0, sizeof(*fields));
	err = frontmatter_read(&ctx, text, strlen(text), &root, &body, &line);
	if (err == NULL)
		err = fields_read(&ctx, &root, "en", &losses, out, fields);
	if (err != NULL)
		return err->message;
	losses_report(&losses, &notes);
	buf_init(&told, &arena, 1024 * 1024);
	for (size_t i = 0; i < notes.count; i++)
		buf_printf(&told, "%s\n", notes.lines[i]);
	return told.data;
}

static const char *
tags_of(const struct document *document)
{
	struct buf out;

	buf_init(&out, &arena, 1024 * 1024);
	for (size_t i = 0; i < document->snapshot.tag_count; i++)
		buf_printf(&out, "<%s>", document->snapshot.tags[i]);
	return out.data;
}

static const struct {
	const char *name, *lines, *tags;
} lists[] = {
	{ "tags are a list", "tags: [a, b c]", "<a><b c>" },
	{ "or one text with commas", "tags: a, b c ,d", "<a><b c><d>" },
	{ "or one tag", "tags: a", "<a>" },
	{ "empty ones are none", "tags: [a, '', ~, ' ']", "<a>" },
	{ "between commas, too", "tags: \", a,, \"", "<a>" },
	{ "or none at all", "tags:", "" },
};

static void
test_tags(void)
{
	struct document document;
	struct fields fields;

	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
		is_text(read_fields(lists[i].lines, &document, &fields), "",
		    "nothing is told of %s", lists[i].lines);
		is_text(tags_of(&document), lists[i].tags, "%s", lists[i].name);
		arena_reset(&arena);
	}
}

static const char fifty[] =
    "1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32,33,34,35,36,37,38,39,40,41,42,43,44,45,46,47,48,49,50";

static const struct {
	const char *name, *lines, *refusal;
} refusals[] = {
	{ "a tag that is a list", "title: T\ntags: [a, [b]]",
	    "line 3: tags must be a list of texts." },
	{ "a table of tags", "tags: {a: b}", "line 2: tags must be a list of texts." },
	{ "an author's address that is none", "author: {name: A, url: /a}",
	    "line 2: url must be an http or https address." },
	{ "a list for galley", "galley: [1]", "line 2: galley must be one JSON object." },
	{ "a number for noindex", "noindex: 1", "line 2: noindex must be true or false." },
	{ "a table for a date", "date: {a: b}", "line 2: date must be a text." },
	{ "the first of two wrong keys alone", "draft: a\nnoindex: b",
	    "line 2: draft must be true or false." },
	{ "the first of two wrong tags alone", "tags: [[a], [b]]",
	    "line 2: tags must be a list of texts." },
	{ "the first of two wrong parts of an author alone", "author: {url: /a, name: [b]}",
	    "line 2: url must be an http or https address." },
};

static void
test_refusals(void)
{
	struct document document;
	struct fields fields;
	char x[302];

	for (size_t i = 0; i < sizeof(refusals) / sizeof(refusals[0]); i++)
		is_text(read_fields(refusals[i].lines, &document, &fields), refusals[i].refusal,
		    "%s is refused", refusals[i].name);
	memset(x, 'x', sizeof(x));
	x[301] = '\0';
	is_text(read_fields(arena_printf(&arena, "a: b\ntitle: %s", x), &document, &fields),
	    "line 3: title has 301 characters; at most 300 are allowed.",
	    "a title that is too long is refused");
	is_text(read_fields(arena_printf(&arena, "tags: [%.201s]", x), &document, &fields),
	    "line 2: tags holds a tag of 201 characters; at most 200 are allowed.", "so is a tag");
	is_text(read_fields(arena_printf(&arena, "tags: [%s]", fifty), &document, &fields), "",
	    "fifty tags are taken");
	is_text(read_fields(arena_printf(&arena, "tags: [%s, 51]", fifty), &document, &fields),
	    "line 2: tags holds more than 50 tags.", "one more is refused");
	arena_reset(&arena);
}

static void
test_told(void)
{
	struct document document;
	struct fields fields;

	is_text(read_fields("slug: Über uns!", &document, &fields),
	    "line 2: the slug \"Über uns!\" became \"über-uns\".\n",
	    "a slug that is none becomes one, and it is told");
	is_text(document.snapshot.slug, "über-uns", "that one");
	is_text(read_fields("author: {name: A, mail: a@e.org}", &document, &fields),
	    "line 2: the author's mail is not used.\n", "what an author has besides is told");
	is_text(document.snapshot.author_name, "A", "the name is kept");
	is_text(read_fields("id: 12", &document, &fields),
	    "line 2: the id 12 is not used: it is no article's.\n", "an id that is none is told");
	is_text(read_fields("base: b1_x", &document, &fields), "base without an id is not used.\n",
	    "a base without an id is told");
	ok(document.base == NULL, "and not used");
	is_text(read_fields("title: \"A\\u202E\\u0007 b\"", &document, &fields),
	    "line 2: characters that cannot be stored were dropped (controls, bidi overrides).\n",
	    "what cannot be stored is told");
	is_text(document.snapshot.title, "A b", "and left out");
	is_text(read_fields("title: \"\\n A\\tb\\u2028c \\n\"", &document, &fields), "",
	    "spaces of any kind are no loss");
	is_text(document.snapshot.title, "A b c", "and one line");
	arena_reset(&arena);
}

/* Editors leave keys without a value. */
static void
test_empty(void)
{
	struct document document;
	struct fields fields;

	is_text(read_fields("title:\nslug:\ndescription:\ndate:\nlastmod:\n"
			    "lang:\nimage:\nimageAlt:\ntags:\nsection:\nauthor:\nnoindex:\n"
			    "canonical:\ndraft:\nid:\nbase:\ngalley:",
		    &document, &fields),
	    "", "keys without values say nothing");
	ok(document.snapshot.title == NULL && !document.has_slug && document.date == 0 &&
		!document.draft && document.id == NULL && document.published_url == NULL &&
		fields.galley == NULL && fields.image == NULL,
	    "and set nothing");
	is_text(document.snapshot.language, "en", "the language is the workspace's then");
	read_fields("galley:\n  a: 1\n  b: [x]", &document, &fields);
	is_text(fields.galley, "{\"a\":1,\"b\":[\"x\"]}", "galley may be written as YAML");
	arena_reset(&arena);
}

int
main(void)
{
	arena_init(&arena, (size_t)64 * 1024 * 1024);
	test_tags();
	test_refusals();
	test_told();
	test_empty();
	arena_release(&arena);
	return done_testing();
}
