/* suite: fast */
#include "provider/outline/phrases.h"

#include "base/arena.h"
#include "base/ctx.h"
#include "base/utf8.h"
#include "tests/tap.h"

static struct arena arena;
static struct ctx c = { .arena = &arena };

static const char *const languages[] = { "en", "de", "nl", "fr", "es", "it", "pt", "pl", "ru", "uk",
	"tr", "ar", "he", "fa", "hi", "ja", "ko", "zh", "zh-Hant" };

static int
places(const char *phrase)
{
	int count = 0;

	while ((phrase = strstr(phrase, "{}")) != NULL) {
		count++;
		phrase += 2;
	}
	return count;
}

/* Present, of one line, fit to be stored, without marks; `holes` places. */
static bool
is_fit(const char *phrase, int holes)
{
	if (phrase == NULL || phrase[0] == '\0')
		return false;
	return places(phrase) == holes && phrase[strcspn(phrase, "*`[]\\")] == '\0' &&
	       utf8_forbidden(phrase, true) == NULL;
}

static void
check_parts(const struct phrases *p)
{
	for (int i = 0; i < PHRASES_PARTS; i++) {
		bool fit = is_fit(p->parts[i].heading, 0) && is_fit(p->parts[i].todo, 0);
		for (int k = 0; k < PHRASES_POINTS; k++)
			fit = fit && is_fit(p->parts[i].points[k], 0);
		ok(fit, "%s: part %d is whole", p->tag, i + 1);
	}
	for (int i = 0; i < PHRASES_LEADS; i++)
		ok(is_fit(p->leads[i], 0), "%s: lead %d", p->tag, i + 1);
	for (int i = 0; i < PHRASES_QUESTIONS; i++)
		ok(is_fit(p->questions[i], i == 0), "%s: question %d", p->tag, i + 1);
}

static void
check_table(const struct phrases *p)
{
	const char *filled[] = { p->overview, p->about, p->summary, p->description, p->bare,
		p->todo_angle, p->todo_audience, p->todo_keywords, p->todo_order, p->see,
		p->cover_alt };
	const char *plain[] = { p->open, p->close, p->angle, p->audience, p->todo_title, p->todo,
		p->todo_bare, p->todo_questions, p->reading, p->reading_own, p->reading_sources };

	for (size_t i = 0; i < sizeof(filled) / sizeof(*filled); i++)
		ok(is_fit(filled[i], 1), "%s: phrase %zu has one place: %s", p->tag, i, filled[i]);
	for (size_t i = 0; i < sizeof(plain) / sizeof(*plain); i++)
		ok(is_fit(plain[i], 0), "%s: phrase %zu has none: %s", p->tag, i, plain[i]);
	ok(utf8_length(p->description) <= 110, "%s: the description leaves room for a title",
	    p->tag);
}

int
main(void)
{
	arena_init(&arena, 1024 * 1024);
	for (size_t i = 0; i < sizeof(languages) / sizeof(*languages); i++) {
		const struct phrases *p = phrases_find(languages[i]);
		is_text(p->tag, languages[i], "%s is there", languages[i]);
		check_table(p);
		check_parts(p);
	}
	is_text(phrases_find("zh-TW")->tag, "zh-Hant", "by region");
	is_text(phrases_find("zh-Hans-TW")->tag, "zh", "the script first");
	is_text(phrases_find("eng")->tag, "en", "others speak English");
	is_text(phrases_find("ara")->tag, "en", "a prefix is no language");
	is_text(phrases_fill(&c, "a {} b", "{}"), "a {} b", "filled once");
	is_text(phrases_fill(&c, "none", "x"), "none", "or not at all");
	return done_testing();
}
