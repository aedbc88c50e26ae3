#include "task/moving/moving-files.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "action/moving/uploads.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/ctx.h"
#include "base/fileio.h"
#include "screen/tr.h"

#define SENTENCE_MAX ((size_t)64 * 1024)

struct err *
moving_files_find(struct ctx *c, const struct moving *m, struct moving_files *out)
{
	static const char zip[4] = { 'P', 'K', 3, 4 };
	char head[sizeof(zip)];
	int fd;

	*out = (struct moving_files){ .sent = uploads_path(c, m->upload), .opened = "" };
	fd = fileio_open(out->sent, O_RDONLY | O_NOFOLLOW);
	if (fd < 0)
		return refuse(c, ERR_NOT_FOUND, "%s", tr_mark("The file that was sent is not here"
		    " any more. Send it again."));
	out->archive = read(fd, head, sizeof(head)) == (ssize_t)sizeof(head) &&
	    memcmp(head, zip, sizeof(zip)) == 0;
	close(fd);
	return NULL;
}

struct err *
moving_files_list(struct ctx *c, const struct moving *m, struct moving_files *out)
{
	const char **paths = arena_array(c->arena, 1, sizeof(*paths));

	(void)m;
	paths[0] = out->sent;
	out->paths = paths;
	out->count = 1;
	if (out->archive)
		return refuse(c, ERR_INVALID, "%s", tr_mark("This is an archive. Unpack it, and"
		    " send the export that is in it."));
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
		sentence = replaced(c, sentence, arena_printf(c->arena, "%s/", files->opened),
		    "");
	return sentence;
}
