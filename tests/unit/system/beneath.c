/* suite: fast */
#include "system/beneath.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/fileio.h"
#include "tests/tap.h"

static struct arena arena;
static char folder[] = "/tmp/galley-beneath-XXXXXX";

static const char *
at(const char *name)
{
	return arena_printf(&arena, "%s/in/%s", folder, name);
}

static void
put(const char *name, const char *text)
{
	if (!fileio_replace(&arena, at(name), text, strlen(text), 0600))
		bail("%s cannot be written", name);
}

static void
place(const char *to, const char *name)
{
	if (symlink(to, at(name)) != 0)
		bail("%s cannot be linked", name);
}

static void
make(const char *name)
{
	if (!fileio_make_folder(at(name), 0700))
		bail("%s cannot be made", name);
}

/* Reads the file; returns its text and its real path, or the name of the errno. */
static const char *
reads(const struct beneath *b, const char *path)
{
	const char *real = NULL, *text;
	size_t len;

	text = beneath_read(&arena, b, path, 100, &len, &real);
	if (text == NULL)
		return strerrorname_np(errno);
	return arena_printf(&arena, "%s %s", text, real + strlen(b->path));
}

static void
test_paths(const struct beneath *b)
{
	static const struct {
		const char *path, *want;
	} cases[] = {
		{ "file", "text /file" },
		{ "./sub//deep", "deep /sub/deep" },
		{ "sub/../file", "text /file" },
		{ "none", "ENOENT" },
		{ "file/more", "ENOTDIR" },
		{ "sub", "EISDIR" },
		{ "", "EISDIR" },
		{ "pipe", "EINVAL" },
		{ "..", "EXDEV" },
		{ "../out", "EXDEV" },
		{ "sub/../../out", "EXDEV" },
		{ "stays", "deep /sub/deep" },
		{ "sub/up", "text /file" },
		{ "folder/deep", "deep /sub/deep" },
		{ "absolute", "deep /sub/deep" },
		{ "whole/file", "text /file" },
		{ "leaves", "EXDEV" },
		{ "away", "EXDEV" },
		{ "away/passwd", "EXDEV" },
		{ "beside", "EXDEV" },
		{ "chain", "EXDEV" },
		{ "loop", "ELOOP" },
		{ "dangling", "ENOENT" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		is_text(
		    reads(b, cases[i].path), cases[i].want, "%s: %s", cases[i].path, cases[i].want);
}

static void
test_depth(const struct beneath *b)
{
	const char *path = "file";

	for (int i = 0; i < 130; i++)
		path = arena_printf(&arena, "sub/../%s", path);
	is_text(reads(b, path), "text /file", "a path may wind");
	path = "d";
	make(path);
	for (int i = 0; i < 128; i++) {
		path = arena_printf(&arena, "%s/d", path);
		make(path);
	}
	is_text(reads(b, path), "ENAMETOOLONG", "folders have a bound");
}

static void
test_reasons(const struct beneath *b)
{
	ok(strstr(beneath_reason(&arena, b, EXDEV), b->path) != NULL,
	    "a link that leaves: the folder is named");
	is_text(beneath_reason(&arena, b, EINVAL), "it is no plain file", "a pipe");
	is_text(beneath_reason(&arena, b, ENOENT), strerror(ENOENT), "what the system says");
}

static void
test_open(void)
{
	struct beneath root, none;

	ok(!beneath_open(&arena, at("none"), &none) && errno == ENOENT,
	    "a folder that is not there");
	ok(!beneath_open(&arena, at("file"), &none) && errno == ENOTDIR, "a file is no folder");
	ok(beneath_open(&arena, "/", &root), "the root is one");
	ok(beneath_read(&arena, &root, "etc/passwd", 1 << 20, NULL, NULL) != NULL, "and has files");
}

int
main(void)
{
	struct beneath b;
	char *real;

	arena_init(&arena, (size_t)64 << 20);
	if (mkdtemp(folder) == NULL)
		bail("there is no temporary folder");
	real = realpath(folder, NULL);
	make("sub");
	put("file", "text");
	put("sub/deep", "deep");
	put("../out", "out");
	place("sub/deep", "stays");
	place("../file", "sub/up");
	place("sub", "folder");
	place(arena_printf(&arena, "%s/in/sub/deep", real), "absolute");
	place(arena_printf(&arena, "%s/in", real), "whole");
	place("../out", "leaves");
	place("/etc", "away");
	place(arena_printf(&arena, "%s/inside", real), "beside");
	place("leaves", "chain");
	place("loop", "loop");
	place("nowhere", "dangling");
	if (mkfifo(at("pipe"), 0600) != 0 || !beneath_open(&arena, at(""), &b))
		bail("the folder cannot be made");
	test_paths(&b);
	test_depth(&b);
	test_reasons(&b);
	test_open();
	free(real);
	if (system(arena_printf(&arena, "rm -rf %s", folder)) != 0)
		bail("%s cannot be removed", folder);
	arena_release(&arena);
	return done_testing();
}
