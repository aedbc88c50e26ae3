/* Takes the hits of readers (docs/pages.md §8). */
#include "pages/collector.h"

int
main(int argc, char **argv)
{
	return collect_main(argc, argv);
}
