/* The console's program. Its screens are found by the build (console/screens.pl). */
#include "console/request.h"

int
main(int argc, char **argv)
{
	return console_main(argc, argv);
}
