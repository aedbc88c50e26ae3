/* Failed checks and what is left to write, each a link to its place (docs/console.md §5.1): a
 * field of the editor, or the block of the text that it means. */
#include <string.h>

#include "action/article/piece-look.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "editor.h"
#include "screen/tr.h"

/* The reasons are bytes of the tool's answers, which say "has 1 words". */
static const char *
one_word(struct ctx *c, const char *reason)
{
	static const char wrong[] = " 1 words";
	const char *at = strstr(reason, wrong);

	if (at == NULL)
		return reason;
	return arena_printf(
	    c->arena, "%.*s 1 word%s", (int)(at - reason), reason, at + sizeof(wrong) - 1);
}

/* Returns the address of the editor's field that a check is about, or NULL. In the editor
 * itself that is a place of the page: what is typed stays. */
static const char *
field_of(struct ctx *c, const struct visit *v, const struct ready *r, const char *label)
{
	static const char *const fields[] = { [EXPORT_TITLE] = "title",
		[EXPORT_DESCRIPTION] = "description",
		[EXPORT_TEXT] = "text",
		[EXPORT_COVER] = "cover",
		[EXPORT_AUTHOR] = "author-address" };
	enum export_about about = export_check_about(label);
	bool here = strcmp(v->row->pattern, "/W/articles/ID") == 0;

	if (about == EXPORT_SETTINGS)
		return console_may(v, RIGHT_MANAGE)
			   ? console_path(c, v, "/%s/settings", v->workspace->uuid)
			   : NULL;
	if (!editor_has_field(fields[about]))
		return NULL;
	return arena_printf(c->arena, "%s#article-%s",
	    here ? "" : console_path(c, v, "%s", editor_address(c, v, r->article->uuid)),
	    fields[about]);
}

/* Returns where a failed check or a to-do leads, or NULL. */
static const char *
way_of(struct ctx *c, const struct visit *v, const struct ready *r, const char *piece,
    const char *label)
{
	if (piece != NULL && console_may(v, RIGHT_WRITE) && r->article->status != ARTICLE_DELETED)
		return console_path(
		    c, v, "%s/parts/%s", editor_address(c, v, r->article->uuid), piece);
	return label != NULL ? field_of(c, v, r, label) : NULL;
}

struct err *
editor_find_spots(
    struct ctx *c, const struct visit *v, const struct ready *r, const struct piece_spot **out)
{
	size_t count = r->failing_count + r->todo_count;
	struct piece_spot *spots = arena_array(c->arena, count + 1, sizeof(*spots));
	const char **keys = arena_array(c->arena, count + 1, sizeof(*keys));

	*out = NULL;
	if (!console_may(v, RIGHT_WRITE) || r->article->status == ARTICLE_DELETED)
		return NULL;
	memcpy(keys, r->failing_pieces, r->failing_count * sizeof(*keys));
	if (r->todo_count > 0)
		memcpy(keys + r->failing_count, r->todo_pieces, r->todo_count * sizeof(*keys));
	*out = spots;
	return piece_spots(c, v->workspace, v->id, keys, count, spots);
}

/* Names the lines of the text to which the script leads. */
static void
write_spot(struct hwrite *w, const struct piece_spot *spot)
{
	if (spot == NULL || spot->first == 0)
		return;
	hwrite_data(w, "first", arena_printf(w->out->arena, "%u", spot->first));
	hwrite_data(w, "last", arena_printf(w->out->arena, "%u", spot->last));
}

static void
write_one(struct hwrite *w, const char *way, const char *line, const struct piece_spot *spot)
{
	hwrite_open(w, H_LI);
	if (way == NULL) {
		screen_data(w, line);
	} else {
		hwrite_open(w, H_A);
		hwrite_address(w, A_HREF, way);
		write_spot(w, spot);
		screen_data(w, line);
		hwrite_close(w, H_A);
	}
	hwrite_close(w, H_LI);
}

static void
begin_list(struct hwrite *w, const char *title)
{
	hwrite_element(w, H_H2, title);
	hwrite_open(w, H_UL);
	hwrite_attr(w, A_CLASS, "ways");
}

void
editor_write_ready(struct ctx *c, const struct visit *v, struct hwrite *w, const struct ready *r,
    const struct piece_spot *spots)
{
	if (r->failing_count + r->todo_count == 0)
		screen_notice(w, SCREEN_GOOD, "%s",
		    tr("It passes every check, and nothing is left to write."));
	if (r->failing_count > 0)
		begin_list(w, tr("Failed checks"));
	for (size_t i = 0; i < r->failing_count; i++) {
		const struct export_check *k = &r->failing[i];
		write_one(w, way_of(c, v, r, r->failing_pieces[i], k->label),
		    k->reason == NULL
			? tr(k->label)
			: arena_printf(c->arena, "%s: %s", tr(k->label), one_word(c, k->reason)),
		    spots != NULL ? &spots[i] : NULL);
	}
	if (r->failing_count > 0)
		hwrite_close(w, H_UL);
	if (r->todo_count > 0)
		begin_list(w, tr("Left to write"));
	for (size_t i = 0; i < r->todo_count; i++)
		write_one(w, way_of(c, v, r, r->todo_pieces[i], NULL), r->todos[i],
		    spots != NULL ? &spots[r->failing_count + i] : NULL);
	if (r->todo_count > 0)
		hwrite_close(w, H_UL);
}
