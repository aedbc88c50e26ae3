#include "access/pages-look.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "base/utf8.h"
#include "store/db.h"

#define TITLE_MAX 200

const char *const pages_look_fields[] = { "pages_title", "pages_accent", "pages_font",
	"pages_width", NULL };

void
pages_look_of(struct ctx *c, int64_t workspace_id, struct pages_look *out)
{
	struct stmt *q = db_prepare(c, "SELECT pages_title, pages_accent, pages_font, pages_width"
				       " FROM workspace_more WHERE workspace_id = :workspace");

	*out = (struct pages_look) { "", "", PAGES_FONT, PAGES_WIDTH };
	db_bind_int(q, ":workspace", workspace_id);
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

	*clean = len == 0 ? arena_printf(c->arena, "%d", PAGES_WIDTH) : value;
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
statement_of(struct ctx *c, const char *field)
{
	if (strcmp(field, "pages_title") == 0)
		return db_prepare(c, "INSERT INTO workspace_more (workspace_id, pages_title)"
				     " VALUES (:workspace, :value) ON CONFLICT (workspace_id)"
				     " DO UPDATE SET pages_title = excluded.pages_title");
	if (strcmp(field, "pages_accent") == 0)
		return db_prepare(c, "INSERT INTO workspace_more (workspace_id, pages_accent)"
				     " VALUES (:workspace, :value) ON CONFLICT (workspace_id)"
				     " DO UPDATE SET pages_accent = excluded.pages_accent");
	if (strcmp(field, "pages_font") == 0)
		return db_prepare(c, "INSERT INTO workspace_more (workspace_id, pages_font)"
				     " VALUES (:workspace, :value) ON CONFLICT (workspace_id)"
				     " DO UPDATE SET pages_font = excluded.pages_font");
	return db_prepare(c, "INSERT INTO workspace_more (workspace_id, pages_width)"
			     " VALUES (:workspace, :value) ON CONFLICT (workspace_id)"
			     " DO UPDATE SET pages_width = excluded.pages_width");
}

void
pages_look_set(struct ctx *c, int64_t workspace_id, const char *field, const char *clean)
{
	struct stmt *q = statement_of(c, field);

	db_bind_int(q, ":workspace", workspace_id);
	if (strcmp(field, "pages_width") == 0)
		db_bind_int(q, ":value", atoi(clean));
	else
		db_bind_text(q, ":value", clean);
	db_run(q);
}

void
pages_look_reset(struct ctx *c, int64_t workspace_id)
{
	struct stmt *q =
	    db_prepare(c, "UPDATE workspace_more SET pages_title = '',"
			  " pages_accent = '', pages_font = 'system', pages_width = :width"
			  " WHERE workspace_id = :workspace");

	db_bind_int(q, ":width", PAGES_WIDTH);
	db_bind_int(q, ":workspace", workspace_id);
	db_run(q);
}
