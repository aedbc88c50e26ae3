#ifndef ACTION_MOVING_IN_H
#define ACTION_MOVING_IN_H
/*
 * Actions on imports that people began in a browser (docs/console.md §4.11): begin, look, end.
 * task/moving/ does what they ask for.
 */
#include "base/err.h"
#include "people/task.h"
#include "people/uploading.h"

/* What each step needs of the person. */
#define MOVING_RIGHTS ((unsigned)RIGHT_WRITE | (unsigned)RIGHT_PUBLISH)

/* Begins an import, or a dry run, of a whole upload: person, account and workspace are those of
 * `whose`; program, site, dry and publish of `m` are given, and the upload's UUID, or in `fresh` a
 * file that came at once (uploads_store()). Fills *t; the gate is left with it. Refuses an upload
 * that uploads_get() refuses, a wrong site (param "site"), and (ERR_CONFLICT) while another one
 * of this workspace is open. Changes people's store. */
MAY_REFUSE struct err *moving_begin(struct ctx *c, const struct uploading *whose,
    struct uploading *fresh, struct moving *m, struct task *t);

/* Ends an import that is open; what is stored stays. Refuses one that is not there, or not in
 * this workspace. Changes people's store. */
MAY_REFUSE struct err *moving_end(struct ctx *c, const char *workspace, const char *id);

#define MOVING_LOSSES_MAX 200 /* kinds that are shown */
#define MOVING_ITEMS 50 /* of a page */

#define MOVING_TASKS 20 /* of a list */

struct moving_view {
	struct task *task;
	struct moving *moving;
	bool upload_is_there; /* so that it can be imported */
	struct moving_loss losses[MOVING_LOSSES_MAX], skipped[MOVING_LOSSES_MAX];
	size_t loss_count, skipped_count;
	struct moving_item items[MOVING_ITEMS + 1]; /* one more says that there are more */
	size_t item_count;
};

/* Reads an import of this workspace; of its items those after `after`, of all or of those that
 * failed. Refuses one that is not there. */
MAY_REFUSE struct err *moving_look(struct ctx *c, const struct uploading *whose, const char *id,
    bool failed, int64_t after, struct moving_view *out);

struct moving_list {
	struct task tasks[MOVING_TASKS];
	struct moving *movings[MOVING_TASKS];
	size_t count;
};

/* Reads the newest imports of a workspace. */
MAY_REFUSE struct err *moving_list(struct ctx *c, const char *workspace, struct moving_list *out);

#endif
