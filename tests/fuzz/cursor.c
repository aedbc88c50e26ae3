/* Only texts that we made are cursors; any word and number come back from one. */
#include "web/cursor.h"
#include "tests/fuzz/fuzz.h"

struct place {
	const char *word;
	int64_t number;
};

static const struct cursor_field fields[] = {
	{ CURSOR_TEXT, offsetof(struct place, word) },
	{ CURSOR_NUMBER, offsetof(struct place, number) },
	{ .kind = CURSOR_END },
};

void
fuzz(struct ctx *c, const char *text, size_t len)
{
	struct place place, back;
	const char *made;

	fuzz_instance(c);
	if (cursor_decode(c, text, "fuzz", fields, &place))
		MUST(strcmp(cursor_encode(c, "fuzz", fields, &place), text) == 0);
	if (len == 0 || len > 1000 || !fuzz_is_text(text, len) || strchr(text, ' ') != NULL)
		return;
	place = (struct place) { text, (int64_t)len - 500 };
	made = cursor_encode(c, "fuzz", fields, &place);
	MUST(cursor_decode(c, made, "fuzz", fields, &back));
	MUST(strcmp(back.word, text) == 0 && back.number == place.number);
	MUST(!cursor_decode(c, made, "other", fields, &back));
}
