#include "access/pages-settings.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "access/account.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "base/utf8.h"
#include "store/db.h"

#define WORD_MIN 2
#define PAGES_WIDTH_MIN 30
#define PAGES_WIDTH_MAX 60
#define PAGES_FONT "system"

/* ---- the word of their addresses */

/* Parts of other addresses below /pages/, and names of ours. */
static const char *const reserved[] = { "share", "feed", "assets", "admin", "console", "api",
	"media", "docs", "pages", "embed", "collect", "video", NULL };

/* Returns the workspace that a word belongs to or belonged to; 0: none. */
static int64_t
owner_of(struct ctx *c, const char *word)
{
	return db_one_int(
	    c, 0, "SELECT workspace_id FROM word WHERE word = :word", db_t(":word", word));
}

const char *
word_of(struct ctx *c, int64_t workspace_id)
{
	return db_one_text(c, "",
	    "SELECT word FROM word WHERE workspace_id = :workspace AND present = 1",
	    db_i(":workspace", workspace_id));
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
	int64_t count = db_one_int(c, 0,
	    "SELECT count(*) FROM word WHERE workspace_id = :workspace", db_i(":workspace", w->id));

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
	db_run(c, "UPDATE word SET present = 0 WHERE workspace_id = :workspace AND present = 1",
	    db_i(":workspace", workspace_id));
}

struct err *
word_set(struct ctx *c, const struct workspace *w, const char *word, bool take)
{
	struct err *err = word_check(c, word);

	if (err == NULL && word[0] != '\0')
		err = check_owner(c, w, word, take);
	if (err == NULL && word[0] != '\0')
		err = check_count(c, w, word);
	if (err != NULL || strcmp(word_of(c, w->id), word) == 0)
		return err;
	leave(c, w->id);
	if (word[0] == '\0')
		return NULL;
	db_run(c,
	    "INSERT INTO word (word, workspace_id, present, since)"
	    " VALUES (:word, :workspace, 1, :now)"
	    " ON CONFLICT (word) DO UPDATE SET workspace_id = excluded.workspace_id,"
	    " present = 1, since = excluded.since",
	    db_t(":word", word), db_i(":workspace", w->id), db_i(":now", c->now));
	return NULL;
}

/* ---- how they look */

#define TITLE_MAX 200

const char *const pages_look_fields[] = { "pages_title", "pages_accent", "pages_font",
	"pages_width", NULL };

void
pages_look_of(struct ctx *c, int64_t workspace_id, struct pages_look *out)
{
	struct stmt *q;

	*out = (struct pages_look) { "", "", PAGES_FONT, WORKSPACE_PAGES_WIDTH };
	q = db_prepare(c,
	    "SELECT pages_title, pages_accent, pages_font, pages_width"
	    " FROM workspace_more WHERE workspace_id = :workspace",
	    db_i(":workspace", workspace_id));
	if (db_row(q))
		*out = (struct pages_look) { db_text(q, 0), db_text(q, 1), db_text(q, 2),
			db_int(q, 3) };
	db_reset(q);
}

const char *
pages_look_value(struct ctx *c, const struct pages_look *look, const char *field)
{
	if (strcmp(field, "pages_title") == 0)
		return look->title;
	if (strcmp(field, "pages_accent") == 0)
		return look->accent;
	if (strcmp(field, "pages_font") == 0)
		return look->font;
	return arena_printf(c->arena, "%" PRId64, look->width);
}

static struct err *
check_title(struct ctx *c, const char *value, const char **clean)
{
	*clean = value;
	if (utf8_length(value) > TITLE_MAX)
		return err_param(c, "pages_title", tr_mark("%s has at most %d characters."),
		    "pages_title", TITLE_MAX);
	if (utf8_forbidden(value, true) != NULL)
		return err_param(c, "pages_title",
		    tr_mark("%s must be one line without control characters."), "pages_title");
	return NULL;
}

static struct err *
check_accent(struct ctx *c, const char *value, const char **clean)
{
	char *lower = arena_text(c->arena, value);

	*clean = lower;
	if (value[0] == '\0')
		return NULL;
	if (strlen(value) != 7 || value[0] != '#' ||
	    strspn(value + 1, "0123456789abcdefABCDEF") != 6)
		return err_param(c, "pages_accent",
		    tr_mark("A color is # and six hexadecimal digits, such as #0a6e4f."));
	for (char *p = lower; *p != '\0'; p++)
		*p = *p >= 'A' && *p <= 'F' ? (char)(*p - 'A' + 'a') : *p;
	return NULL;
}

static struct err *
check_font(struct ctx *c, const char *value, const char **clean)
{
	static const char *const fonts[] = { PAGES_FONT, "serif", "sans", "mono", NULL };

	*clean = value[0] == '\0' ? PAGES_FONT : value;
	for (size_t i = 0; fonts[i] != NULL; i++) {
		if (strcmp(fonts[i], *clean) == 0)
			return NULL;
	}
	return err_param(
	    c, "pages_font", tr_mark("The font is one of system, serif, sans and mono."));
}

static struct err *
check_width(struct ctx *c, const char *value, const char **clean)
{
	size_t len = strlen(value);
	int width = len == 2 && strspn(value, "0123456789") == len ? atoi(value) : 0;

	*clean = len == 0 ? arena_printf(c->arena, "%d", WORKSPACE_PAGES_WIDTH) : value;
	if (len == 0 || (width >= PAGES_WIDTH_MIN && width <= PAGES_WIDTH_MAX))
		return NULL;
	return err_param(c, "pages_width",
	    tr_mark("The width of the pages is a number from %d to %d."), PAGES_WIDTH_MIN,
	    PAGES_WIDTH_MAX);
}

struct err *
pages_look_check(struct ctx *c, const char *field, const char *value, const char **clean)
{
	if (!utf8_valid(value, strlen(value)))
		return err_param(c, field, tr_mark("The value is not UTF-8 text."));
	if (strcmp(field, "pages_title") == 0)
		return check_title(c, value, clean);
	if (strcmp(field, "pages_accent") == 0)
		return check_accent(c, value, clean);
	return strcmp(field, "pages_font") == 0 ? check_font(c, value, clean)
						: check_width(c, value, clean);
}

/* Returns the statement that sets the field. */
static struct stmt *
statement_of(struct ctx *c, const char *field, const struct db_value *values)
{
	if (strcmp(field, "pages_title") == 0)
		return db_prepare_with(c,
		    "INSERT INTO workspace_more (workspace_id, pages_title)"
		    " VALUES (:workspace, :value) ON CONFLICT (workspace_id)"
		    " DO UPDATE SET pages_title = excluded.pages_title",
		    values);
	if (strcmp(field, "pages_accent") == 0)
		return db_prepare_with(c,
		    "INSERT INTO workspace_more (workspace_id, pages_accent)"
		    " VALUES (:workspace, :value) ON CONFLICT (workspace_id)"
		    " DO UPDATE SET pages_accent = excluded.pages_accent",
		    values);
	if (strcmp(field, "pages_font") == 0)
		return db_prepare_with(c,
		    "INSERT INTO workspace_more (workspace_id, pages_font)"
		    " VALUES (:workspace, :value) ON CONFLICT (workspace_id)"
		    " DO UPDATE SET pages_font = excluded.pages_font",
		    values);
	return db_prepare_with(c,
	    "INSERT INTO workspace_more (workspace_id, pages_width)"
	    " VALUES (:workspace, :value) ON CONFLICT (workspace_id)"
	    " DO UPDATE SET pages_width = excluded.pages_width",
	    values);
}

void
pages_look_set(struct ctx *c, int64_t workspace_id, const char *field, const char *clean)
{
	const struct db_value values[] = { db_i(":workspace", workspace_id),
		strcmp(field, "pages_width") == 0 ? db_i(":value", atoi(clean))
						  : db_t(":value", clean),
		{ 0 } };

	db_run_stmt(statement_of(c, field, values));
}
