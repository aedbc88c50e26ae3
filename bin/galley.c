/* The operator's tool (docs/design.md §6). Everything is in lib/command/. */
#include "command/commands.h"

int
main(int argc, char **argv)
{
	return galley_main(argc, argv);
}
