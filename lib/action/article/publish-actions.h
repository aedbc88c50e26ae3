#ifndef ACTION_PUBLISH_ACTIONS_H
#define ACTION_PUBLISH_ACTIONS_H
/*
 * Publishing an article, at once or at a date; taking it back, the trash; and which publishing
 * checks articles fail.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "access/workspace.h"
#include "action/action.h"
#include "article/article.h"
#include "article/desk.h"
#include "base/err.h"
#include "export/export.h"

/* ---- Checks that an article does not pass */

/* Fills `out` with the checks that fail, in their order, and returns their number. */
size_t failing_checks(
    struct ctx *c, const struct export_source *s, struct export_check out[EXPORT_CHECKS]);

/* Returns "label: reason", in the arena. */
const char *failing_line(struct ctx *c, const struct export_check *k);

/* An article that does not pass every check. */
struct check_failing {
	const struct article *article;
	struct export_check checks[EXPORT_CHECKS];
	size_t count;
	int64_t unfinished; /* places that are left to write */
};

/* One label, and how many articles fail there. */
struct check_label {
	const char *text;
	int64_t failed;
};

struct check {
	/* What is asked. */
	struct find_place place; /* whose articles */
	bool drafts; /* drafts, too: their working copies */
	/* Told how many of the articles are done; with 0 before the first. */
	void (*step)(void *arg, int64_t done, int64_t total);
	void *arg;

	/* What was found. */
	int64_t articles; /* that were checked */
	struct check_failing *failing;
	size_t count; /* of `failing` */
	struct check_label labels[EXPORT_CHECKS]; /* most failures first */
	size_t label_count;
};

/* Asks which publishing checks the articles of a workspace fail, as the API shows them. Only reads.
 * Refuses what find_workspace() refuses. */
MAY_REFUSE struct err *check_articles(struct ctx *c, struct check *k);

/* Returns "1 place is left to write", in the arena: an article is not finished while its working
 * copy has callouts of kind todo (export/todo.h). */
const char *unfinished_sentence(struct ctx *c, int64_t count);

/*
 * ---- States
 *
 * Actions that move an article between its states: published, draft, in the trash.
 *
 *	struct state s = { .id = uuid };
 *	err = state_publish(c, &s);
 *
 * Each changes the article's workspace (DB_CHANGES_WORKSPACE).
 */
struct state {
	/* What is asked. */
	const char *id; /* of the article */
	bool unfinished; /* publish also what has places that are left to write */
	bool again; /* publish also what is published as it is already */
	/* Of state_undo() and state_publish_again(): what somebody saw. */
	int64_t version, changed_at;

	/* What became of it. */
	const struct article *article;
	bool changed; /* false: it was published as it is already */
	const char **failing; /* publishing checks that fail, with their reasons */
	size_t failing_count;
};

/* Publishes the working copy and tells which publishing checks fail. Refuses an
 * article that is unfinished, unless `unfinished`, and one in the trash. */
MAY_REFUSE struct err *state_publish(struct ctx *c, struct state *s);

/* Makes a published article a draft. Refuses every other article. */
MAY_REFUSE struct err *state_unpublish(struct ctx *c, struct state *s);

/* Returns whether the article was published just now, for the first time, so that state_undo()
 * takes it back without a question. In a transaction. */
bool state_is_fresh(struct ctx *c, const struct article *a);

/* Does what state_unpublish() does with an article that is fresh. Refuses (ERR_CONFLICT) every
 * other one, and one that somebody published, also the same edition, since it was seen. */
MAY_REFUSE struct err *state_undo(struct ctx *c, struct state *s);

/* Shows the last edition of a draft to readers again. Refuses an article without one, and
 * (ERR_CONFLICT) one that somebody published since it was seen. */
MAY_REFUSE struct err *state_publish_again(struct ctx *c, struct state *s);

/* Puts an article into the trash. Refuses one that is there. */
MAY_REFUSE struct err *state_delete(struct ctx *c, struct state *s);

/* Takes an article out of the trash, as a draft. Refuses every other article. */
MAY_REFUSE struct err *state_undelete(struct ctx *c, struct state *s);

/* Returns whether publishing would only make the shown edition again. In a transaction. */
bool state_is_current(struct ctx *c, const struct article *a);

/*
 * ---- Dates
 *
 * Articles that are published at a date (docs/console.md §5.2). Setting a date freezes the
 * copy that was seen; that copy is published then, whatever was saved since, by the rules of
 * publishing by hand. What cannot be published then is suspended, with the reason, and only
 * setting a date again revives it.
 *
 * later_set() and later_cancel() change the article's workspace (DB_CHANGES_WORKSPACE).
 */

/* Reads a date of RFC 3339 that is to come. Refuses any other text, a past time, and one
 * after 9999-12-29 (`param` is "at"). */
MAY_REFUSE struct err *later_read(struct ctx *c, const char *text, int64_t *at);

struct later {
	/* What is asked. */
	const char *id; /* of the article */
	int64_t at;
	bool unfinished; /* publish also what has places that are left to write */
	const char *person; /* UUID; NULL: the tool */

	/* What became of it. */
	const struct article *article;
	bool changed; /* later_cancel(): there was a date */
};

/* Sets the date of an article: its present working copy is published then. Refuses the
 * times that later_read() refuses, an article in the trash, one that is published as it is
 * already, and what is unfinished without `unfinished`. */
MAY_REFUSE struct err *later_set(struct ctx *c, struct later *l);

/* Ends the date of an article, if it has one. */
MAY_REFUSE struct err *later_cancel(struct ctx *c, struct later *l);

/* Freezes the working copy of `a` and sets the date, inside a transaction of the caller, who
 * has asked the rest. Refuses what later_set() refuses, but for what is unfinished. */
MAY_REFUSE struct err *later_freeze(
    struct ctx *c, const struct article *a, int64_t at, bool unfinished, const char *person);

/* What a person is told of the date of an article. */
struct later_view {
	bool set; /* there is one; else the rest is not filled in */
	struct schedule schedule;
	bool edited; /* the working copy was changed since it was frozen */
};

/* Reads it inside a transaction of the caller. */
void later_view(struct ctx *c, const struct article *a, struct later_view *out);

/* Returns whether an article is due. Begins a transaction that reads. */
bool later_is_due(struct ctx *c);

/* Publishes one article that is due, in one transaction, or suspends its date. False if
 * none is due. For the task runner. */
bool later_run_next(struct ctx *c);

/* Suspends the dates that a person set and may not set any more, in a transaction of its own:
 * after the person was disabled, removed or lowered (docs/console.md §2.4). Holds the
 * content's lock in any case. `person` is a UUID. */
void later_suspend_of(struct ctx *c, const char *person);

#endif
