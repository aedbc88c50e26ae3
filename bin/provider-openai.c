/*
 * provider-openai: the provider that uses an OpenAI-compatible endpoint (docs/design.md
 * §5). It reads a task on standard input and writes JSON lines on standard output.
 * galley.conf of its instance names the endpoint, the model and the file of the key.
 */
#include "system/usage.h"
#include "provider/openai/answer.h"
#include "provider/protocol.h"

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
	struct task task;
	struct ctx c;

	usage_no_options(argc, argv, usage);
	protocol_begin(&c, &arena, "provider-openai");
	protocol_read(&c, &task);
	openai_answer(&c, &task);
	return 0;
}
