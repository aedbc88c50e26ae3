/* Draws the cover of an article as a PNG. It is a program of its own because
 * Pango may end the process, and because not every machine has Pango:
 * provider-outline starts it, and makes no cover if it cannot start it. */
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "base/log.h"
#include "provider/cover-paint.h"
#include "system/program.h"

#define MEMORY_MAX ((size_t)16 * 1024 * 1024)

static const char usage[] = "usage: galley-cover TITLE PUBLISHER LANGUAGE FILE\n"
			    "\n"
			    "Draws the cover of an article as a PNG; provider-outline starts it.\n";

int
main(int argc, char **argv)
{
	struct arena arena;
	struct ctx c = { .arena = &arena, .request_id = "" };

	if (argc == 2 && strcmp(argv[1], "--help") == 0)
		usage_print(usage);
	if (argc != 5)
		usage_refuse(usage);
	log_open("galley-cover", NULL);
	arena_init(&arena, MEMORY_MAX);
	/* _exit() runs no handlers of the libraries: they only take time. */
	_exit(cover_paint(&c, argv[1], argv[2], argv[3], argv[4]) ? 0 : 1);
}
