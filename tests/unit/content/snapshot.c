/* suite: fast */
#include "content/snapshot.h"

#include "base/arena.h"
#include "base/ctx.h"
#include "tests/tap.h"

static struct arena arena;
static struct ctx ctx = { .arena = &arena };

static char *
letters(size_t count)
{
	char *text = arena_alloc(&arena, 2 * count + 1);

	/* Two bytes each: limits count characters. */
	for (size_t i = 0; i < count; i++)
		memcpy(text + 2 * i, "\xC3\xBC", 2);
	return text;
}

static struct snapshot
good(void)
{
	return (struct snapshot) { .title = "Title", .slug = "slug", .language = "en" };
}

/* Returns the name of the refused field, or NULL. */
static const char *
refused(const struct snapshot *s)
{
	struct err *err = snapshot_check(&ctx, s);

	return err != NULL ? err->param : NULL;
}

static void
each_text_has_its_limit(void)
{
	static const struct {
		const char *name;
		size_t at, max;
	} texts[] = {
		{ "title", offsetof(struct snapshot, title), SNAPSHOT_TITLE_MAX },
		{ "author_name", offsetof(struct snapshot, author_name), SNAPSHOT_NAME_MAX },
		{ "meta_title", offsetof(struct snapshot, meta_title), SNAPSHOT_META_TITLE_MAX },
		{ "meta_description", offsetof(struct snapshot, meta_description),
		    SNAPSHOT_META_DESCRIPTION_MAX },
		{ "section", offsetof(struct snapshot, section), SNAPSHOT_NAME_MAX },
	};

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct snapshot s = good();
		const char **text = (void *)((char *)&s + texts[i].at);
		*text = letters(texts[i].max);
		is_text(
		    refused(&s), NULL, "%s of %zu characters fits", texts[i].name, texts[i].max);
		*text = letters(texts[i].max + 1);
		is_text(refused(&s), texts[i].name, "one more does not");
		*text = "";
		is_text(refused(&s), texts[i].name, "an empty one is none");
		*text = "two\nlines";
		is_text(refused(&s), texts[i].name, "it is one line");
		*text = "turned \xE2\x80\xAE"
			"round";
		is_text(refused(&s), texts[i].name, "read in one direction");
		arena_reset(&arena);
	}
}

static void
an_article_has_a_title_and_a_slug(void)
{
	struct snapshot s = good();

	is_text(refused(&s), NULL, "a title and a slug are enough");
	s.title = NULL;
	is_text(refused(&s), "title", "there is no article without a title");
	s = good();
	s.slug = "Not A Slug";
	is_text(refused(&s), "slug", "a slug has the form of one");
}

static void
tags_are_counted_and_checked(void)
{
	const char *tags[SNAPSHOT_TAGS_MAX + 1];
	struct snapshot s = good();

	for (size_t i = 0; i <= SNAPSHOT_TAGS_MAX; i++)
		tags[i] = "tag";
	s.tags = tags;
	s.tag_count = SNAPSHOT_TAGS_MAX;
	is_text(refused(&s), NULL, "%d tags fit", SNAPSHOT_TAGS_MAX);
	s.tag_count++;
	is_text(refused(&s), "tags", "one more does not");
	s.tag_count = 2;
	tags[1] = letters(SNAPSHOT_NAME_MAX + 1);
	is_text(refused(&s), "tags", "each is as short as a name");
}

static void
a_size_is_that_of_a_picture(void)
{
	struct snapshot s = good();

	s.image = "https://example.com/a.png";
	is_text(refused(&s), NULL, "a picture may have no size");
	s.image_width = 640;
	is_text(refused(&s), "image", "not half of one");
	s.image_height = 480;
	is_text(refused(&s), NULL, "but a whole one");
	s.image = NULL;
	is_text(refused(&s), "image", "which is that of a picture");
}

int
main(void)
{
	arena_init(&arena, (size_t)1 << 20);
	each_text_has_its_limit();
	an_article_has_a_title_and_a_slug();
	tags_are_counted_and_checked();
	a_size_is_that_of_a_picture();
	arena_release(&arena);
	return done_testing();
}
