#ifndef IMPORT_IMPORT_H
#define IMPORT_IMPORT_H
/*
 * Imports documents: one Markdown file (or text) becomes one article (docs/export.md §5.1,
 * docs/design.md §6).
 *
 * Which article: the article of this workspace whose `id` the front matter names; else the
 * article that the same real path made before; else a new one. With `base`, an article that
 * has changed since is refused, unless `force` is set. An article in the trash comes back.
 *
 * Images that a document names by relative paths are stored as media first
 * (article/media.h).
 *
 * lib/import: documents that become articles; markdown/ writes them, too. Not here: archives
 * (bin/galley-unpack.c), and the steps of a move (lib/task). Begin with import.h; other.c is the
 * shortest importer.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "access/workspace.h"
#include "base/err.h"
#include "import/document.h"
#include "system/beneath.h"

struct article;
struct work;

enum import_action { IMPORT_CREATED, IMPORT_UPDATED, IMPORT_UNCHANGED };

/* Returns the name in results: created, updated, unchanged. */
const char *import_action_name(enum import_action action);

/* A picture that is part of the program (the demo's). */
struct import_embedded {
	const char *name; /* of its file; NULL ends a list */
	const unsigned char *bytes;
	size_t len;
};

struct import_options {
	bool publish; /* publish what is no draft and not dated ahead */
	bool unfinished; /* publish also what has callouts of kind todo */
	bool force; /* overwrite what changed since `base` */
	bool move; /* also the slug of a published article (moved_check()) */
	const char *id; /* the only article that may be written: an editor's
			     text (no other is looked for), or NULL */
	const char *base; /* its token as the text was made from it, or NULL:
			     then the front matter's */
	const struct beneath *media; /* where pictures are looked for that are
			not beside their document, or NULL */
	int64_t *room; /* bytes of pictures that may be stored; NULL: all that come */
	bool dry; /* nothing is stored: what would come of it is told */
	const char *source; /* what the path of a file is remembered by, before its name in
			its folder; NULL: the folder's real path */
	const struct import_embedded *pictures; /* what relative paths of a
				text that is no file name, or NULL */
};

struct import_result {
	const char *id; /* of the article */
	const char *slug; /* of its working copy */
	const char *status; /* draft or published */
	enum import_action action;
	const char **notes; /* what was changed or dropped on the way in */
	size_t note_count;
	size_t missing_pictures; /* each has its note */
};

/* Tells what became of an article: `fresh`, it was created; `touched`, it was changed.
 * Leaves the notes. */
void import_result_set(struct import_result *r, const struct article *a, bool fresh, bool touched);

/* A file on its way in. */
struct import_item {
	const char *path; /* as it is told */
	const struct beneath *folder; /* that was named: nothing outside of it
					 is read */
	const char *name; /* the path from there */
	struct err *err; /* why it was refused; nothing of it is stored then */
	struct import_result result; /* also then it has the notes */
};

/*
 * Imports `items`, at least one, into `workspace` (as read in an earlier transaction; none
 * may be open): a work (system/work.h). Returns how many it took, which are all unless it
 * had to stop. They are taken in batches, each of which has memory of its own. A batch is
 * read first, then written in one transaction, in its order; in several where one would
 * hold other writers up. `each` is called for every file after its transaction and before
 * the next, or where it was refused. So a process that dies loses whole files only, and
 * has told of all that is stored but for the transaction in which it died. The same work
 * again does the rest.
 *
 * Each is imported whole or refused alone: the file cannot be read, is too long
 * or no UTF-8, what markdown_read(), article_insert() and article_save() refuse,
 * ERR_CONFLICT for a stale `base`. Images of a refused one may have been stored.
 */
typedef void import_each(void *arg, const struct import_item *item);

size_t import_files(struct ctx *c, const struct work *work, const struct workspace *workspace,
    const struct import_options *options, struct import_item *items, size_t count,
    import_each *each, void *arg);

/* One text that is no file; refuses the same. Also then `out` has the notes. */
MAY_REFUSE struct err *import_text(struct ctx *c, const struct workspace *workspace,
    const char *text, size_t len, const struct import_options *options, struct import_result *out);

/* A list of files in the request's arena. All zero is an empty list. */
struct import_paths {
	struct import_path {
		const char *path; /* as it is told */
		const struct beneath *folder; /* that was named, or the named
						 file's own */
		const char *name; /* the path from there */
	} * items;
	size_t count;
	size_t room;
};

/*
 * Adds to `files` the Markdown files at `path`: itself, or where it is a folder all *.md and
 * *.markdown below it in the order of their paths; hidden entries are passed over, and links to
 * folders of the folder. A link that leaves it, to a folder or of a Markdown file's name, is among
 * them: import_files() refuses it. Refuses a path that cannot be read, and a Markdown file or
 * folder below it whose name is not UTF-8. Other entries with such a name are added to `odd`, with
 * the name as it is.
 */
MAY_REFUSE struct err *
import_walk(struct ctx *c, const char *path, struct import_paths *files, struct import_paths *odd);

#endif
