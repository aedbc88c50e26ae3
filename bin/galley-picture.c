/* Makes the thumbnail of a stranger's picture (content/thumbnail.h); the task runner starts it.
 * Before the first byte is read it gives up all files, programs and sockets. It is a program of its
 * own because libjpeg, libpng and libwebp are large, and read what anybody sent. */
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "base/fileio.h"
#include "base/log.h"
#include "content/picture-format.h"
#include "content/thumbnail.h"
#include "system/harden.h"
#include "system/program.h"

#define MEMORY_MAX ((size_t)320 * 1024 * 1024)
#define SECONDS_MAX 10 /* of a processor */

static const char usage[] =
    "usage: galley-picture <PICTURE >THUMBNAIL\n"
    "\n"
    "Makes the thumbnail of a PNG, JPEG, WebP or GIF; the task runner starts it.\n"
    "It writes a WebP, or \"no REASON\".\n";

/* Test builds are larger than the limit: sanitizers map terabytes. */
static void
confine(void)
{
	const struct rlimit memory = { MEMORY_MAX, MEMORY_MAX },
			    time = { SECONDS_MAX, SECONDS_MAX };

#ifndef __SANITIZE_ADDRESS__
	setrlimit(RLIMIT_AS, &memory);
#endif
	setrlimit(RLIMIT_CPU, &time);
	(void)harden_confine(NULL, 0, false);
}

int
main(int argc, char **argv)
{
	struct arena arena;
	struct ctx c = { .arena = &arena, .request_id = "" };
	const void *bytes, *made;
	const char *why;
	struct stat st;
	size_t len;

	harden_process(HARDEN_TOOL);
	if (argc == 2 && strcmp(argv[1], "--help") == 0)
		usage_print(usage);
	if (argc != 1 || fstat(STDIN_FILENO, &st) != 0 || !S_ISREG(st.st_mode))
		usage_refuse(usage);
	log_open("galley-picture", NULL);
	arena_init(&arena, MEMORY_MAX);
	bytes = st.st_size == 0
		    ? MAP_FAILED
		    : mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, STDIN_FILENO, 0);
	confine();
	if (bytes == MAP_FAILED || (size_t)st.st_size > PICTURE_BYTES_MAX)
		why = "it is empty or too large";
	else
		why = thumbnail_make(&c, bytes, (size_t)st.st_size, &made, &len);
	if (why != NULL) {
		made = arena_printf(&arena, "no %s\n", why);
		len = strlen(made);
	}
	/* _exit() runs no handlers of the libraries. */
	_exit(fileio_write_all(STDOUT_FILENO, made, len) ? 0 : 1);
}
