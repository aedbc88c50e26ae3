/*
 * provider-openai: the provider that uses an OpenAI-compatible endpoint (docs/design.md
 * §5). It reads a task on standard input and writes JSON lines on standard output.
 * galley.conf of its instance names the endpoint, the model and the file of the key.
 */
#include "provider/openai/openai.h"
#include "provider/protocol.h"
#include "provider/assignment.h"
#include "system/program.h"

static bool
answer_research(struct openai *oa)
{
	struct brief brief;

	if (!openai_research(oa, &brief))
		return false;
	protocol_result_brief(oa->c, &brief, &oa->usage);
	return true;
}

static bool
answer_article(struct openai *oa)
{
	const struct brief *brief = oa->assignment->brief;
	struct openai_article article;
	struct brief own;

	if (brief == NULL) {
		if (!openai_research(oa, &own))
			return false;
		brief = &own;
	}
	if (!openai_article(oa, brief, &article))
		return false;
	if (oa->assignment->image)
		article.draft.image.file = openai_image(oa, article.image_prompt);
	article.draft.image.alt = article.image_alt;
	article.draft.image.caption = article.image_caption;
	protocol_result_article(oa->c, &article.draft, &oa->usage);
	return true;
}

/* Does what the task asks for and writes all lines of the answer. */
static void
openai_answer(struct ctx *c, const struct assignment *assignment)
{
	struct openai *oa = arena_alloc(c->arena, sizeof(*oa));
	bool done = openai_open(oa, c, assignment);

	if (done)
		done = assignment->kind == ASSIGNMENT_RESEARCH ? answer_research(oa)
							       : answer_article(oa);
	if (!done)
		protocol_error(c, oa->failure.code, oa->failure.retry, "%s", oa->failure.sentence);
	openai_close(oa);
}

static const char usage[] =
    "usage: provider-openai\n"
    "\n"
    "Reads one task on standard input and writes an article or a brief, as\n"
    "JSON lines, by the endpoint and the model that galley.conf names.\n"
    "job-runner starts it; galley provider test shows what it does.\n";

int
main(int argc, char **argv)
{
	struct arena arena;
	struct assignment assignment;
	struct ctx c;

	usage_no_options(argc, argv, usage);
	protocol_begin(&c, &arena, "provider-openai");
	protocol_read(&c, &assignment);
	openai_answer(&c, &assignment);
	return 0;
}
