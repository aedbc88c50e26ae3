/* A provider's line: one of the four kinds, with only possible values. */
#include "job/try.h"
#include "tests/fuzz/fuzz.h"

void
fuzz(struct ctx *c, const char *text, size_t len)
{
	struct try_said said;

	if (try_line(c, text, len, &said) != NULL)
		return;
	MUST(said.kind != LINE_RESULT ||
	     (said.usage.input_tokens >= 0 && said.usage.output_tokens >= 0 &&
		 said.usage.images >= 0));
	MUST(said.kind != LINE_STEP || said.step != NULL);
}
