#include "action/picture/picture.h"

#include <stdlib.h>
#include <string.h>

#include "action/action.h"
#include "action/picture/upload.h"
#include "article/purge.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/ctx.h"
#include "import/markdown/unmark.h"
#include "screen/tr.h"
#include "store/db.h"
#include "system/fault.h"

#define USES_LISTED 3
#define MARKDOWN_MAX ((size_t)128 * 1024)

/* ---- what is shown */

static bool
is_logo(const struct workspace *w, const char *digest)
{
	return w->settings.publisher_logo_url != NULL &&
	       strstr(w->settings.publisher_logo_url, digest) != NULL;
}

static void
view(struct ctx *c, const struct workspace *w, const struct picture_row *row, size_t max,
    struct picture_view *out)
{
	struct buf text;

	*out = (struct picture_view) { .picture = *row, .is_logo = is_logo(w, row->digest) };
	out->uses = arena_array(c->arena, max, sizeof(*out->uses));
	if (max == 0)
		return;
	out->use_count = picture_use_list(c, w->id, row->digest, out->uses, max, &out->more_uses);
	buf_init(&text, c->arena, MARKDOWN_MAX);
	buf_printf(&text, "![%s](media:%s)", unmark_literal(c, row->alternative), row->name);
	out->markdown = buf_done(&text);
}

/* Reads the key of a page's end: "ADDED_AT-DIGEST". */
static bool
read_key(const char *text, struct picture_row *out)
{
	char *end;

	if (text == NULL || text[0] < '0' || text[0] > '9')
		return false;
	out->added_at = strtoll(text, &end, 10);
	if (*end != '-' || strlen(end + 1) != MEDIA_DIGEST - 1 ||
	    strspn(end + 1, "0123456789abcdef") != MEDIA_DIGEST - 1)
		return false;
	memcpy(out->digest, end + 1, MEDIA_DIGEST);
	return true;
}

static const char *
key_of(struct ctx *c, const struct picture_row *row)
{
	return arena_printf(c->arena, "%lld-%s", (long long)row->added_at, row->digest);
}

void
picture_page_look(struct ctx *c, const struct workspace *w, struct picture_page *page)
{
	struct picture_row key, *found = arena_array(c->arena, page->limit + 1, sizeof(*found)),
				*first = found;
	bool older, back, more;

	db_begin_read(c, DB_CONTENT);
	older = read_key(page->older, &key);
	back = !older && read_key(page->newer, &key);
	page->count =
	    back ? picture_list_back(c, w->id, &key, found, page->limit + 1)
		 : picture_list_page(c, w->id, older ? &key : NULL, found, page->limit + 1);
	more = page->count > page->limit;
	if (more) {
		page->count = page->limit;
		first += back;
	}
	page->list = arena_array(c->arena, page->count + 1, sizeof(*page->list));
	for (size_t i = 0; i < page->count; i++)
		view(c, w, &first[i], page->bare ? 0 : USES_LISTED, &page->list[i]);
	db_rollback(c);
	page->before = page->count > 0 && (back ? more : older) ? key_of(c, first) : NULL;
	page->next = page->count > 0 && (back || more) ? key_of(c, &first[page->count - 1]) : NULL;
}

static struct err *
find(struct ctx *c, const struct workspace *w, const char *digest, struct picture_row *out)
{
	if (picture_list_find(c, w->id, digest, out))
		return NULL;
	return refuse(c, ERR_NOT_FOUND, tr_mark("There is no such picture."));
}

struct err *
picture_look(struct ctx *c, const struct workspace *w, const char *digest, struct picture_view *out)
{
	struct picture_row row;
	struct err *err;

	db_begin_read(c, DB_CONTENT);
	err = find(c, w, digest, &row);
	if (err == NULL)
		view(c, w, &row, PICTURE_USES_SHOWN, out);
	return action_end(c, err);
}

/* ---- changes */

struct err *
picture_describe(
    struct ctx *c, const struct workspace *w, const char *digest, const char *alternative)
{
	struct workspace *now;
	struct err *err = workspace_begin(c, w, &now);

	if (err == NULL && !picture_list_describe(c, now->id, digest, alternative))
		err = refuse(c, ERR_NOT_FOUND, tr_mark("There is no such picture."));
	return action_end(c, err);
}

static struct err *
check_unused(struct ctx *c, const struct workspace *w, const char *digest)
{
	struct picture_use use;
	bool more;

	if (picture_use_list(c, w->id, digest, &use, 1, &more) > 0)
		return refuse(c, ERR_CONFLICT,
		    tr_mark(
			"“%s” shows this picture, so it stays. Take it out of the article first."),
		    use.title);
	if (is_logo(w, digest))
		return refuse(c, ERR_CONFLICT,
		    tr_mark("It is the publisher's logo, so it stays. Change the settings first."));
	return NULL;
}

/* Looks outside of the lock whether anything else names the picture: that reads all articles. */
static void
look_for_others(
    struct ctx *c, const struct workspace *w, const char *digest, struct purge_media *media)
{
	struct picture_row row;

	db_begin_read(c, DB_CONTENT);
	if (picture_list_find(c, w->id, digest, &row)) {
		purge_media_add(media, row.digest);
		purge_look(c, media);
	}
	db_rollback(c);
	(void)FAULT("picture-looked");
}

struct err *
picture_remove(struct ctx *c, const struct workspace *w, const char *digest)
{
	struct purge_media media;
	struct workspace *now;
	struct err *err;

	purge_media_init(&media, c);
	look_for_others(c, w, digest, &media);
	err = workspace_begin(c, w, &now);
	if (err == NULL)
		err = check_unused(c, now, digest);
	if (err == NULL && !picture_list_remove(c, now->id, digest))
		err = refuse(c, ERR_NOT_FOUND, tr_mark("There is no such picture."));
	if (err == NULL) {
		purge_rows(c, &media);
		upload_mark_gone(c, &media);
	}
	err = action_end(c, err);
	(void)FAULT("picture-removed");
	if (err == NULL)
		(void)upload_remove_gone(c, &media);
	return err;
}
