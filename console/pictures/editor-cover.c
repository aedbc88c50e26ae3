/* The cover in the editor's form (docs/console.md §5.1): one of the workspace's pictures, an
 * address, or a file that is sent with the form. */
#include <string.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "../editor.h"
#include "../pictures.h"
#include "screen/tr.h"

#define OFFERED 50

static bool
is_offered(const struct field_choice *choices, const char *value)
{
	while (choices->value != NULL && strcmp(choices->value, value) != 0)
		choices++;
	return choices->value != NULL;
}

void
editor_cover_offer(struct ctx *c, const struct visit *v, struct form *f, const char *present)
{
	struct picture_page page = { .limit = OFFERED, .bare = true };
	struct field_choice *choices = arena_array(c->arena, OFFERED + 4, sizeof(*choices));
	const char *sent = console_sent(v, "cover");
	size_t n = 0;

	choices[n++] = (struct field_choice) { "", tr("No cover") };
	picture_page_look(c, v->workspace, &page);
	for (size_t i = 0; i < page.count; i++) {
		const struct picture_row *row = &page.list[i].picture;
		choices[n++] =
		    (struct field_choice) { arena_printf(c->arena, "media:%s", row->name),
			    pictures_label(c, row) };
	}
	if (present != NULL && !is_offered(choices, present))
		choices[n++] = (struct field_choice) { present, tr("The present cover") };
	/* The action decides about one that is offered no more. */
	if (sent != NULL && !is_offered(choices, sent))
		choices[n++] = (struct field_choice) { sent, sent };
	form_choices(f, "cover", choices);
}

const char *
editor_cover_of(const struct form *f)
{
	const char *address = form_text(f, "cover-address");
	const char *chosen = form_text(f, "cover");

	return address != NULL ? address : chosen != NULL ? chosen : "";
}

bool
editor_cover_begin(struct ctx *c, struct visit *v, struct reply *reply, struct form *f,
    const struct write_view *view, struct write *w)
{
	const char *typed = w->values[WRITE_IMAGE_ALT];
	struct upload *u;
	size_t len;

	if (!console_may(v, RIGHT_WRITE) || console_file(v, "cover-file", &len) == NULL)
		return true;
	u = arena_alloc(c->arena, sizeof(*u));
	/* Words that were there before are those of another cover. */
	u->alternative =
	    view != NULL && strcmp(typed, view->values[WRITE_IMAGE_ALT]) == 0 ? "" : typed;
	if (!pictures_take(c, v, reply, f, "cover-file", u))
		return false;
	w->upload = u;
	w->values[WRITE_IMAGE] = u->media.url;
	return true;
}

void
editor_cover_end(struct ctx *c, const struct visit *v, struct write *w, bool kept)
{
	if (w->upload == NULL)
		return;
	upload_end(c, w->upload, kept);
	if (kept)
		console_journal(c, v, "picture upload %s", w->upload->media.digest);
}

void
editor_cover_again(const struct visit *v, struct form *f)
{
	size_t len, i = 0;

	if (console_file(v, "cover-file", &len) == NULL)
		return;
	while (strcmp(f->fields[i].name, "cover-file") != 0)
		i++;
	if (f->entry[i].error == NULL)
		form_refuse(f, "cover-file",
		    tr("Choose the file again: a form that comes back cannot hold it."));
}

void
editor_write_cover(struct hwrite *w, const struct editing *e)
{
	const char *chosen = form_text(e->form, "cover");
	struct picture_view view;
	const char *digest = chosen != NULL && strncmp(chosen, "media:", 6) == 0
				 ? media_digest_of(e->c, chosen + 6)
				 : NULL;

	if (digest == NULL || picture_look(e->c, e->v->workspace, digest, &view) != NULL)
		return;
	hwrite_open(w, H_P);
	pictures_write(w, e->c, e->v, &view.picture, tr("The cover"));
	hwrite_close(w, H_P);
}
