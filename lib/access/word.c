#include "access/word.h"

#include <stddef.h>
#include <string.h>

#include "access/account.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "store/db.h"

/* Parts of other addresses below /pages/, and names of ours. */
static const char *const reserved[] = { "share", "feed", "assets", "admin", "console", "api",
	"media", "docs", "pages", "embed", "collect", "video", NULL };

/* Returns the workspace that a word belongs to or belonged to; 0: none. */
static int64_t
owner_of(struct ctx *c, const char *word)
{
	struct stmt *q = db_prepare(c, "SELECT workspace_id FROM word WHERE word = :word");
	int64_t id;

	db_bind_text(q, ":word", word);
	id = db_row(q) ? db_int(q, 0) : 0;
	db_reset(q);
	return id;
}

const char *
word_of(struct ctx *c, int64_t workspace_id)
{
	struct stmt *q = db_prepare(c, "SELECT word FROM word"
				       " WHERE workspace_id = :workspace AND present = 1");
	const char *word;

	db_bind_int(q, ":workspace", workspace_id);
	word = db_row(q) ? db_text(q, 0) : "";
	db_reset(q);
	return word;
}

enum word_found
word_find(struct ctx *c, const char *word, struct word *out)
{
	int64_t id = owner_of(c, word);
	const struct account *a;

	if (id == 0 || workspace_is_deleted(c, id))
		return WORD_UNKNOWN;
	out->present = word_of(c, id);
	if (out->present[0] == '\0')
		return WORD_UNKNOWN;
	out->workspace = workspace_of(c, id);
	a = account_of(c, out->workspace->account_id);
	if (!a->verified || a->suspended)
		return WORD_UNKNOWN;
	return strcmp(out->present, word) == 0 ? WORD_PRESENT : WORD_PAST;
}

struct err *
word_check(struct ctx *c, const char *word)
{
	size_t len = strlen(word);

	if (len == 0)
		return NULL;
	if (len < WORD_MIN || len > WORD_MAX || word[0] == '-' || word[len - 1] == '-' ||
	    strspn(word, "abcdefghijklmnopqrstuvwxyz0123456789-") != len)
		return err_param(c, "pages",
		    tr_mark(
			"The word of the pages has %d to %d of the letters a to z, digits and hyphens, and no hyphen at its ends."),
		    WORD_MIN, WORD_MAX);
	for (size_t i = 0; reserved[i] != NULL; i++) {
		if (strcmp(reserved[i], word) == 0)
			return err_param(c, "pages",
			    tr_mark(
				"The word %s is kept for addresses of Galley: choose another one."),
			    word);
	}
	return NULL;
}

bool
word_is_left(struct ctx *c, const char *word)
{
	int64_t id = owner_of(c, word);

	return id != 0 && workspace_is_deleted(c, id);
}

static struct err *
check_owner(struct ctx *c, const struct workspace *w, const char *word, bool take)
{
	int64_t id = owner_of(c, word);

	if (!account_of(c, w->account_id)->verified)
		return err_param(
		    c, "pages", tr_mark("Only the workspaces of a verified account have pages."));
	if (id == 0 || id == w->id || (take && workspace_is_deleted(c, id)))
		return NULL;
	return err_param(c, "pages",
	    tr_mark("The word %s belongs to another workspace: choose another one."), word);
}

/* A word is its workspace's for ever, so nobody must get as many as he likes. */
static struct err *
check_count(struct ctx *c, const struct workspace *w, const char *word)
{
	struct stmt *q = db_prepare(c, "SELECT count(*) FROM word"
				       " WHERE workspace_id = :workspace");
	int64_t count;

	db_bind_int(q, ":workspace", w->id);
	count = db_row(q) ? db_int(q, 0) : 0;
	db_reset(q);
	if (count < WORDS_MAX || owner_of(c, word) == w->id)
		return NULL;
	return err_param(c, "pages",
	    tr_mark(
		"This workspace has had %d words, and there are never more: choose one of them again."),
	    WORDS_MAX);
}

/* Ends the present word of a workspace. The word stays the workspace's. */
static void
leave(struct ctx *c, int64_t workspace_id)
{
	struct stmt *q = db_prepare(c, "UPDATE word SET present = 0"
				       " WHERE workspace_id = :workspace AND present = 1");

	db_bind_int(q, ":workspace", workspace_id);
	db_run(q);
}

struct err *
word_set(struct ctx *c, const struct workspace *w, const char *word, bool take)
{
	struct err *err = word_check(c, word);
	struct stmt *q;

	if (err == NULL && word[0] != '\0')
		err = check_owner(c, w, word, take);
	if (err == NULL && word[0] != '\0')
		err = check_count(c, w, word);
	if (err != NULL || strcmp(word_of(c, w->id), word) == 0)
		return err;
	leave(c, w->id);
	if (word[0] == '\0')
		return NULL;
	q = db_prepare(c, "INSERT INTO word (word, workspace_id, present, since)"
			  " VALUES (:word, :workspace, 1, :now)"
			  " ON CONFLICT (word) DO UPDATE SET workspace_id = excluded.workspace_id,"
			  " present = 1, since = excluded.since");
	db_bind_text(q, ":word", word);
	db_bind_int(q, ":workspace", w->id);
	db_bind_int(q, ":now", c->now);
	db_run(q);
	return NULL;
}
