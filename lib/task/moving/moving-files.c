#include "task/moving/moving-files.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "action/moving/uploads.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "base/fileio.h"
#include "screen/tr.h"
#include "store/lease.h"
#include "system/instance.h"

#define DEPTH_MAX 40
#define ENTRIES_MAX 200000
#define SENTENCE_MAX ((size_t)64 * 1024)

struct err *
moving_files_find(struct ctx *c, const struct moving *m, struct moving_files *out)
{
	static const char zip[4] = { 'P', 'K', 3, 4 };
	char head[sizeof(zip)];
	int fd;

	*out = (struct moving_files) { .sent = uploads_path(c, m->upload), .opened = "" };
	fd = fileio_open(out->sent, O_RDONLY | O_NOFOLLOW);
	if (fd < 0)
		return refuse(c, ERR_NOT_FOUND, "%s",
		    tr_mark("The file that was sent is not here any more. Send it again."));
	out->archive = read(fd, head, sizeof(head)) == (ssize_t)sizeof(head) &&
		       memcmp(head, zip, sizeof(zip)) == 0;
	close(fd);
	if (out->archive)
		out->opened =
		    arena_printf(c->arena, "%s/console/opened-%s", c->instance->run, m->upload);
	return NULL;
}

bool
moving_files_are_elsewhere(struct ctx *c, const struct task *t)
{
	int64_t last_at = t->slice_at > t->created_at ? t->slice_at : t->created_at;
	const struct moving *m;

	if (!lease_is_shared() || c->now - last_at > CLOCK_DAY)
		return false;
	m = moving_find(c, t->id);
	return m != NULL && access(uploads_path(c, m->upload), F_OK) != 0;
}

/* ---- what an archive has */

struct walk {
	struct ctx *c;
	struct moving_files *out;
	const char *ending; /* of an export's name */
	const char **paths;
	bool pictures; /* somewhere */
	const char *uploads; /* the folder of pictures that the addresses begin behind, or NULL */
	size_t entries;
};

static bool
ends(const char *name, const char *ending)
{
	size_t len = strlen(name), n = strlen(ending);

	return len > n && strcasecmp(name + len - n, ending) == 0;
}

static bool
is_picture(const char *name)
{
	return ends(name, ".jpg") || ends(name, ".jpeg") || ends(name, ".png") ||
	       ends(name, ".gif") || ends(name, ".webp");
}

static void
meet_file(struct walk *k, const char *path)
{
	size_t count = k->out->count, size = sizeof(*k->paths);

	if (is_picture(path)) {
		k->pictures = true;
		return;
	}
	if (!ends(path, k->ending))
		return;
	k->paths = arena_grow(k->c->arena, k->paths, count * size, (count + 1) * size);
	k->paths[k->out->count++] = path;
}

/* Goes through a folder that galley-unpack filled: it holds folders and plain files alone. */
static void
walk(struct walk *k, const char *folder, int depth)
{
	DIR *dir = depth > DEPTH_MAX ? NULL : opendir(folder);
	const struct dirent *entry;
	struct stat st;

	while (dir != NULL && (entry = readdir(dir)) != NULL && k->entries++ < ENTRIES_MAX) {
		const char *path = fileio_path(k->c->arena, folder, entry->d_name);
		if (entry->d_name[0] == '.' || lstat(path, &st) != 0)
			continue;
		if (S_ISREG(st.st_mode))
			meet_file(k, path);
		if (!S_ISDIR(st.st_mode))
			continue;
		if (k->uploads == NULL &&
		    (strcmp(entry->d_name, "uploads") == 0 || strcmp(entry->d_name, "images") == 0))
			k->uploads = path;
		walk(k, path, depth + 1);
	}
	if (dir != NULL)
		closedir(dir);
}

static int
by_bytes(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Finds the exports of an archive, in the order of their names, so that each step meets the
 * same. */
static struct err *
list_archive(struct ctx *c, const struct moving *m, struct moving_files *out)
{
	bool ghost = strcmp(m->program, "ghost") == 0;
	struct walk k = { .c = c, .out = out, .ending = ghost ? ".json" : ".xml" };

	walk(&k, out->opened, 0);
	if (out->count == 0)
		return refuse(c, ERR_INVALID, "%s",
		    ghost ? tr_mark("There is no .json file in the archive.")
			  : tr_mark("There is no .xml file in the archive."));
	if (ghost && out->count > 1)
		return refuse(c, ERR_INVALID, "%s",
		    tr_mark(
			"There are several .json files in the archive. Send one with Ghost's export alone."));
	qsort(k.paths, out->count, sizeof(*k.paths), by_bytes);
	out->paths = k.paths;
	out->has_pictures =
	    k.pictures &&
	    beneath_open(c->arena, k.uploads != NULL ? k.uploads : out->opened, &out->pictures);
	return NULL;
}

struct err *
moving_files_list(struct ctx *c, const struct moving *m, struct moving_files *out)
{
	const char **paths = arena_array(c->arena, 1, sizeof(*paths));

	if (out->archive && strcmp(m->program, "markdown") != 0)
		return list_archive(c, m, out);
	paths[0] = out->sent;
	out->paths = paths;
	out->count = 1;
	return NULL;
}

/* Returns the text with every `what` replaced. */
static const char *
replaced(struct ctx *c, const char *text, const char *what, const char *by)
{
	struct buf out;
	const char *at;

	if (what[0] == '\0' || strstr(text, what) == NULL)
		return text;
	buf_init(&out, c->arena, SENTENCE_MAX);
	while ((at = strstr(text, what)) != NULL) {
		buf_add(&out, text, (size_t)(at - text));
		buf_add_text(&out, by);
		text = at + strlen(what);
	}
	buf_add_text(&out, text);
	return buf_full(&out) ? text : buf_done(&out);
}

const char *
moving_files_words(struct ctx *c, const struct moving_files *files, const char *sentence)
{
	sentence = replaced(c, sentence, arena_printf(c->arena, "%s: ", files->sent), "");
	sentence = replaced(c, sentence, files->sent, "The file");
	if (files->opened[0] != '\0')
		sentence = replaced(c, sentence, arena_printf(c->arena, "%s/", files->opened), "");
	return sentence;
}
