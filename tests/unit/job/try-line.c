/*
 * The meaning of one line of a provider, and lines that are refused.
 *
 * suite: fast
 */
#include "base/arena.h"
#include "base/ctx.h"
#include "job/try.h"
#include "tests/tap.h"

static struct arena arena;
static struct ctx c = { .arena = &arena, .request_id = "" };

#define USAGE "\"usage\":{\"input_tokens\":1,\"output_tokens\":2,\"images\":3}"

static void
reads_lines(void)
{
	static const struct {
		const char *line;
		enum try_line kind;
	} cases[] = {
		{ "{\"stage\":\"writing\"}", LINE_STAGE },
		{ "{\"stage\":\"dancing\"}", LINE_STAGE },
		{ "{\"step\":\"a\",\"output\":null}", LINE_STEP },
		{ "{\"step\":\"a\",\"output\":[1,{}]}", LINE_STEP },
		{ "{\"result\":{}," USAGE "}", LINE_RESULT },
		{ "{\"result\":{}," USAGE ",\"model\":\"x\"}", LINE_RESULT },
		{ "{\"error\":\"No.\",\"code\":\"timeout\",\"retry\":true}", LINE_ERROR },
	};
	struct try_said said;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct err *err = try_line(&c, cases[i].line, strlen(cases[i].line), &said);
		ok(err == NULL && said.kind == cases[i].kind, "%s", cases[i].line);
	}
}

static void
refuses_lines(void)
{
	static const char *const lines[] = {
		"",
		"x",
		"7",
		"[]",
		"null",
		"{}",
		"{} {}",
		"{\"stage\":7}",
		"{\"stage\":null}",
		"{\"step\":\"a\"}",
		"{\"step\":7,\"output\":1}",
		"{\"step\":\"\\n\",\"output\":1}",
		"{\"output\":1}",
		"{\"result\":{}}",
		"{\"result\":[]," USAGE "}",
		"{\"result\":null," USAGE "}",
		"{\"result\":{},\"usage\":{\"input_tokens\":1,\"output_tokens\":2}}",
		"{\"result\":{},\"usage\":{\"input_tokens\":-1,\"output_tokens\":2,\"images\":0}}",
		"{\"result\":{},\"usage\":{\"input_tokens\":1.5,\"output_tokens\":2,\"images\":0}}",
		"{\"result\":{},\"usage\":{\"input_tokens\":1,\"output_tokens\":1000000001,\"images\":0}}",
		"{\"error\":\"No.\"}",
		"{\"error\":\"No.\",\"retry\":true}",
		"{\"error\":\"No.\",\"code\":\"cancelled\",\"retry\":true}",
		"{\"error\":\"No.\",\"code\":\"timeout\",\"retry\":\"no\"}",
		"{\"error\":7,\"code\":\"timeout\",\"retry\":true}",
		"{\"stage\":\"a\",\"stage\":\"b\"}",
	};
	struct try_said said;

	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
		ok(try_line(&c, lines[i], strlen(lines[i]), &said) != NULL, "refused: %s",
		    lines[i]);
}

static void
reads_what_they_say(void)
{
	const char *result = "{\"result\":{}," USAGE "}";
	const char *control = "{\"error\":\"a\\u0007b\",\"code\":\"timeout\",\"retry\":false}";
	struct try_said said;
	char *late, *text = arena_alloc(&arena, 2000);

	(void)!try_line(&c, "{\"stage\":\"image\"}", 17, &said);
	is_text(said.stage, "image", "a known stage");
	(void)!try_line(&c, "{\"stage\":\"done\"}", 16, &said);
	is_text(said.stage, NULL, "a stage that is not the provider's");
	(void)!try_line(&c, result, strlen(result), &said);
	ok(said.usage.input_tokens == 1 && said.usage.output_tokens == 2 && said.usage.images == 3,
	    "the usage");
	(void)!try_line(&c, control, strlen(control), &said);
	is_text(said.fault.sentence, "The provider failed.", "a sentence that cannot be shown");
	memset(text, 'x', 1500);
	late = arena_printf(&arena, "{\"error\":\"%s\",\"code\":\"timeout\",\"retry\":true}", text);
	(void)!try_line(&c, late, strlen(late), &said);
	is_int((int64_t)strlen(said.fault.sentence), JOB_ERROR_MAX,
	    "a sentence that is too long is cut");
}

int
main(void)
{
	arena_init(&arena, (size_t)16 << 20);
	reads_lines();
	refuses_lines();
	reads_what_they_say();
	return done_testing();
}
