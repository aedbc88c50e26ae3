#include "import/import.h"

#include <errno.h>
#include <string.h>

#include "article/media.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "base/fileio.h"
#include "import/intake.h"
#include "store/db.h"
#include "system/fault.h"
#include "system/work.h"

/* A batch is written in one transaction, since each costs one wait for the disk;
 * or in several if one would keep other writers waiting. */
enum { BATCH_FILES = 32 };
#define BATCH_MEMORY ((size_t)64 * 1024 * 1024) /* bytes of the documents that were read */
#define FILES_MEMORY ((size_t)3 << 29) /* for a batch, with all that is made of it */
#define HOLD (CLOCK_SECOND / 30)

/* Writes the documents that were read, from `first` on, in one transaction.
 * Returns where it ended. A piece that is undone leaves the clock of `w` ahead of
 * the table's clock: so no stamp is given twice. */
static size_t
write_some(struct ctx *c, const struct workspace *workspace, struct intake *intakes,
    struct import_item *items, size_t first, size_t count)
{
	struct workspace *w;
	struct err *err = workspace_begin(c, workspace, &w);
	int64_t until = clock_boot() + HOLD;
	size_t i = first;

	while (i < count && (i == first || clock_boot() < until)) {
		struct import_item *item = &items[i];
		if (item->err == NULL)
			item->err = err;
		if (item->err == NULL) {
			db_mark(c);
			item->err = intake_write(&intakes[i], w, &item->result);
			if (item->err == NULL && !intakes[i].options->dry)
				db_keep(c);
			else
				db_undo(c);
		}
		i++;
	}
	(void)FAULT("import-written");
	if (err == NULL && !intakes[first].options->dry)
		db_commit(c);
	else
		db_rollback(c);
	return i;
}

static void
take_notes(struct import_item *item, const struct intake *in)
{
	item->result.notes = in->notes.lines;
	item->result.note_count = in->notes.count;
	item->result.missing_pictures = in->notes.missing;
}

/* Imports the first of `items`, at least one, and returns how many fit the batch. */
static size_t
import_batch(struct ctx *c, const struct work *work, const struct workspace *workspace,
    const struct import_options *options, struct import_item *items, size_t count,
    import_each *each, void *arg)
{
	size_t read = 0, told = 0, limit = count < BATCH_FILES ? count : BATCH_FILES;
	struct intake *intakes = arena_array(c->arena, limit, sizeof(*intakes));
	size_t before = c->arena->used;

	while (read < limit && c->arena->used - before < BATCH_MEMORY) {
		struct intake *in = &intakes[read];
		struct import_item *item = &items[read++];
		*in = (struct intake) { .c = c, .options = options, .notes = { .c = c } };
		memset(&item->result, 0, sizeof(item->result));
		item->err = intake_file(in, &workspace->settings, item);
	}
	for (size_t i = 0; i < read;) {
		bool refused = items[i].err != NULL;
		i = refused ? i + 1 : write_some(c, workspace, intakes, items, i, read);
		if (refused && i < read)
			continue;
		/* This is told before the next transaction, in which the process
		 * may die. */
		for (; told < i; told++) {
			take_notes(&items[told], &intakes[told]);
			each(arg, &items[told]);
			work_step(work, 1);
		}
	}
	return read;
}

size_t
import_files(struct ctx *c, const struct work *work, const struct workspace *workspace,
    const struct import_options *options, struct import_item *items, size_t count,
    import_each *each, void *arg)
{
	struct arena scratch, *kept = c->arena;
	size_t done = 0;

	arena_init(&scratch, FILES_MEMORY);
	work_begin(work, "Importing", WORK_PIECES, (int64_t)count);
	while (done < count && !work_must_stop(work)) {
		c->arena = &scratch;
		done += import_batch(
		    c, work, workspace, options, items + done, count - done, each, arg);
		c->arena = kept;
		arena_reset(&scratch);
	}
	work_end(work);
	arena_release(&scratch);
	return done;
}

struct err *
import_text(struct ctx *c, const struct workspace *workspace, const char *text, size_t len,
    const struct import_options *options, struct import_result *out)
{
	struct intake in = { .c = c, .options = options, .notes = { .c = c } };
	struct import_item item = { 0 };

	item.err = intake_text(&in, &workspace->settings, text, len);
	if (item.err == NULL)
		(void)write_some(c, workspace, &in, &item, 0, 1);
	take_notes(&item, &in);
	*out = item.result;
	return item.err;
}
