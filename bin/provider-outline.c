/*
 * provider-outline: the built-in provider (docs/design.md §5). It reads one task on
 * standard input and answers on standard output, offline. A cover, if there is one, is a
 * file in the current directory. lib/provider/outline/outline.h says what it writes.
 *
 * job-runner starts it with an empty environment; `galley provider test` shows what it
 * does.
 */
#include "provider/outline/outline.h"
#include "provider/protocol.h"
#include "system/program.h"

static const char usage[] =
    "usage: provider-outline\n"
    "\n"
    "Reads one task on standard input and writes an article or a brief, as\n"
    "JSON lines. job-runner starts it; galley provider test shows what it\n"
    "does.\n";

int
main(int argc, char **argv)
{
	struct arena arena;
	struct assignment assignment;
	struct ctx c;

	usage_no_options(argc, argv, usage);
	protocol_begin(&c, &arena, "provider-outline");
	protocol_read(&c, &assignment);
	outline_run(&c, &assignment);
	return 0;
}
