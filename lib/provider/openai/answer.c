#include "provider/openai/answer.h"

#include "provider/openai/article.h"
#include "provider/openai/image.h"
#include "provider/openai/research.h"

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
	const struct brief *brief = oa->task->brief;
	struct openai_article article;
	struct brief own;

	if (brief == NULL) {
		if (!openai_research(oa, &own))
			return false;
		brief = &own;
	}
	if (!openai_article(oa, brief, &article))
		return false;
	if (oa->task->image)
		article.draft.image.file = openai_image(oa, article.image_prompt);
	article.draft.image.alt = article.image_alt;
	article.draft.image.caption = article.image_caption;
	protocol_result_article(oa->c, &article.draft, &oa->usage);
	return true;
}

void
openai_answer(struct ctx *c, const struct task *task)
{
	struct openai *oa = arena_alloc(c->arena, sizeof(*oa));
	bool done = openai_open(oa, c, task);

	if (done)
		done = task->kind == TASK_RESEARCH ? answer_research(oa) : answer_article(oa);
	if (!done)
		protocol_error(c, oa->failure.code, oa->failure.retry, "%s", oa->failure.sentence);
	openai_close(oa);
}
