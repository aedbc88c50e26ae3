/* suite: fast */
#include "system/near.h"

#include "base/arena.h"
#include "tests/tap.h"

static void
distances_count_changes(void)
{
	static const struct {
		const char *a, *b;
		int64_t distance;
	} cases[] = {
		{ "", "", 0 },
		{ "key", "key", 0 },
		{ "", "key", 3 },
		{ "key", "", 3 },
		{ "key", "keys", 1 },
		{ "artcle", "article", 1 },
		{ "artixle", "article", 1 },
		{ "aritcle", "article", 1 },
		{ "lsit", "list", 1 },
		{ "docter", "doctor", 1 },
		{ "import", "export", 2 },
		{ "abcdef", "badcfe", 3 },
		{ "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "a", 40 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		is_int((int64_t)near_distance(cases[i].a, cases[i].b), cases[i].distance,
		    "from \"%s\" to \"%s\"", cases[i].a, cases[i].b);
		is_int(
		    (int64_t)near_distance(cases[i].b, cases[i].a), cases[i].distance, "and back");
	}
}

static void
the_nearest_is_found(void)
{
	static const char *const words[] = { "title", "meta_title", "tags", "slug", "image",
		"image_alt", NULL };

	is_text(near_among("titel", words), "title", "letters exchanged");
	is_text(near_among("meta-title", words), "meta_title", "one changed");
	is_text(near_among("tag", words), "tags", "one left out");
	is_text(near_among("meta", words), "meta_title", "a word begun");
	is_text(near_among("image", words), "image", "the word itself");
	is_text(near_among("colour", words), NULL, "nothing is near");
	is_text(near_among("xy", words), NULL, "a short word is near little");
	is_text(near_among("", words), NULL, "nothing is near nothing");
}

int
main(void)
{
	struct arena arena;

	arena_init(&arena, 65536);
	distances_count_changes();
	the_nearest_is_found();
	is_text(near_question(&arena, NULL), ".", "a full stop");
	is_text(near_question(&arena, "tags"), "; did you mean tags?", "or a question");
	arena_release(&arena);
	return done_testing();
}
