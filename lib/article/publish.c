/* Moves an article between draft, published and deleted. */
#include <string.h>

#include "article/article-name.h"
#include "article/article-pictures.h"
#include "article/article-row.h"
#include "article/article.h"
#include "article/desk.h"
#include "article/desk/text-room.h"
#include "article/listed.h"
#include "article/revision.h"
#include "article/stored.h"
#include "article/withdraw.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "export/todo.h"
#include "store/db.h"

/* Writes the status, stamps and published URL that `a` has, and what is listed of it. */
static void
update_state(struct ctx *c, const struct article *a)
{
	struct stmt *q =
	    db_prepare(c, "UPDATE article SET status = :status, changed_at = :changed,"
			  " created_at = :created, published_url = :url, version = :version,"
			  " edition_id = :edition, edition_digest = :digest,"
			  " edition_of = :of, first_published_at = :first,"
			  " modified_at = :modified, updated_at = :updated"
			  " WHERE id = :id AND workspace_id = :workspace");

	db_bind_text(q, ":status", article_status_name(a->status));
	db_bind_int(q, ":changed", a->changed_at);
	db_bind_int(q, ":created", a->created_at);
	db_bind_text(q, ":url", a->published_url);
	db_bind_int(q, ":version", a->version);
	db_bind_int(q, ":updated", a->updated_at);
	db_bind_int(q, ":id", a->id);
	db_bind_int(q, ":workspace", a->workspace_id);
	if (a->version > 0) {
		db_bind_int(q, ":edition", a->edition_id);
		db_bind_blob(q, ":digest", a->edition_digest, ARTICLE_DIGEST);
		db_bind_blob(q, ":of", a->edition_of, ARTICLE_DIGEST);
		db_bind_int(q, ":first", a->first_published_at);
		db_bind_int(q, ":modified", a->modified_at);
	}
	db_run(q);
	listed_note(c, a);
}

/* Stores the edition and returns its internal id. */
static int64_t
insert_edition(struct ctx *c, const struct article *a, const struct snapshot *snapshot,
    const struct row_texts *texts)
{
	struct stmt *q = db_prepare(c,
	    "INSERT INTO edition (article_id, version, published_at, digest, " ROW_EDITION
	    ") VALUES (:article, :version, :now, :digest, " ROW_EDITION_VALUES ") RETURNING id");

	db_bind_int(q, ":article", a->id);
	db_bind_int(q, ":version", a->version);
	db_bind_int(q, ":now", c->now);
	db_bind_blob(q, ":digest", texts->digest, ARTICLE_DIGEST);
	row_bind_edition(q, snapshot, texts);
	return db_insert(q);
}

/* Frees the slug of the edition that was shown until now, unless the working copy
 * has the same slug. */
static void
release_shown_slug(struct ctx *c, const struct article *a)
{
	const char *slug = edition_shown_slug(c, a);

	if (slug != NULL && strcmp(slug, a->slug) != 0)
		name_drop_slug(c, a->workspace_id, a->id, slug);
}

struct snapshot *
article_next_edition(struct ctx *c, const struct article *a)
{
	struct snapshot *s = article_working_copy(c, a);

	s->unfinished = todo_count(&s->content);
	s->content = *todo_removed(c->arena, &s->content);
	return s;
}

/* Makes the edition that publishing a copy creates, and its texts: the copy without its
 * to-dos, and their number. What a save of this transaction wrote is used again. */
static struct err *
make_edition(struct ctx *c, const struct snapshot *copy, const struct row_written *written,
    struct snapshot *out, struct row_texts *texts)
{
	const struct content *content = todo_removed(c->arena, &copy->content);

	*out = *copy;
	out->unfinished = todo_count(&copy->content);
	out->content = *content;
	if (written != NULL && content == &copy->content) {
		*texts = written->texts;
		return NULL;
	}
	return row_texts(c, out, texts);
}

static struct err *
check_trash(struct ctx *c, const struct article *a)
{
	if (a->status != ARTICLE_DELETED)
		return NULL;
	return err_hint(c, refuse(c, ERR_CONFLICT, tr_mark("%s is in the trash."), a->title),
	    HINT_ARTICLE_UNDELETE, a->uuid);
}

/* What a new edition needs. An old one that is shown again takes no room. */
static struct err *
check_new(struct ctx *c, const struct article *a)
{
	struct err *err = check_trash(c, a);

	return err != NULL ? err : text_room_check(c);
}

/* Stores and shows an edition; `of` is the digest of the copy that it was made of. A date
 * that the article had has no meaning any more. */
static struct err *
show_edition(struct ctx *c, struct workspace *w, struct article *a, const struct snapshot *snapshot,
    const struct row_texts *texts, const unsigned char of[ARTICLE_DIGEST], int64_t first_at,
    int64_t modified_at)
{
	schedule_end(c, a);
	a->status = ARTICLE_PUBLISHED;
	if (a->version == 0)
		a->first_published_at = first_at != 0 ? first_at : c->now;
	a->version++;
	a->modified_at = modified_at != 0 ? modified_at : c->now;
	if (a->modified_at < a->first_published_at)
		a->modified_at = a->first_published_at;
	a->edition_id = insert_edition(c, a, snapshot, texts);
	text_room_took(c, row_size(snapshot, texts) + TEXT_ROOM_ROW);
	picture_use_note(c, &(struct picture_use_text) { .workspace_id = w->id,
				.article_id = a->id,
				.published = true,
				.snapshot = snapshot,
				.json = texts->content,
				.json_len = texts->content_len });
	memcpy(a->edition_digest, texts->digest, ARTICLE_DIGEST);
	memcpy(a->edition_of, of, ARTICLE_DIGEST);
	a->changed_at = change_stamp(c, w);
	update_state(c, a);
	return stored_write(c, w, a, snapshot);
}

struct err *
article_publish(
    struct ctx *c, struct workspace *w, struct article *a, int64_t first_at, int64_t modified_at)
{
	const struct row_written *written = a->written;
	const struct snapshot *copy;
	struct snapshot snapshot;
	struct row_texts texts;
	struct err *err = check_new(c, a);

	if (err != NULL)
		return err;
	copy = written != NULL ? written->snapshot : article_working_copy(c, a);
	err = make_edition(c, copy, written, &snapshot, &texts);
	if (err != NULL)
		return err;
	release_shown_slug(c, a);
	return show_edition(c, w, a, &snapshot, &texts, a->digest, first_at, modified_at);
}

struct err *
article_publish_copy(struct ctx *c, struct workspace *w, struct article *a,
    const struct snapshot *copy, const unsigned char digest[ARTICLE_DIGEST])
{
	struct snapshot snapshot;
	struct row_texts texts;
	const char *slug;
	struct err *err = check_new(c, a);

	if (err == NULL)
		err = name_choose_slug(c, w->id, a->id, copy->slug, false, &slug);
	if (err == NULL)
		err = make_edition(c, copy, NULL, &snapshot, &texts);
	if (err != NULL)
		return err;
	release_shown_slug(c, a);
	/* The working copy may have given this slug up meanwhile. */
	name_hold_slug(c, w->id, a->id, slug);
	return show_edition(c, w, a, &snapshot, &texts, digest, 0, 0);
}

struct err *
article_publish_again(struct ctx *c, struct workspace *w, struct article *a)
{
	struct edition last;
	const char *slug;
	struct err *err = check_trash(c, a);

	if (err != NULL)
		return err;
	if (a->status != ARTICLE_DRAFT || !edition_find(c, a, a->version, &last))
		return refuse(c, ERR_CONFLICT,
		    tr_mark("%s is published, or never was: there is nothing to publish again."),
		    a->title);
	err = name_choose_slug(c, w->id, a->id, last.slug, false, &slug);
	if (err != NULL)
		return err;
	name_hold_slug(c, w->id, a->id, slug);
	schedule_end(c, a);
	a->status = ARTICLE_PUBLISHED;
	a->changed_at = change_stamp(c, w);
	update_state(c, a);
	return stored_write(c, w, a, article_edition(c, a, a->version));
}

struct err *
article_unpublish(struct ctx *c, struct workspace *w, struct article *a)
{
	if (a->status != ARTICLE_PUBLISHED)
		return refuse(c, ERR_CONFLICT, tr_mark("%s is not published."), a->title);
	schedule_end(c, a);
	release_shown_slug(c, a);
	a->status = ARTICLE_DRAFT;
	update_state(c, a);
	withdraw_count(c, w->id);
	return stored_write(c, w, a, article_working_copy(c, a));
}

struct err *
article_delete(struct ctx *c, struct workspace *w, struct article *a)
{
	if (a->status == ARTICLE_DELETED)
		return refuse(c, ERR_CONFLICT, tr_mark("%s is in the trash already."), a->title);
	schedule_end(c, a);
	release_shown_slug(c, a);
	if (a->status == ARTICLE_PUBLISHED)
		withdraw_count(c, w->id);
	a->status = ARTICLE_DELETED;
	a->updated_at = c->now;
	update_state(c, a);
	(void)share_end_article(c, a->id);
	return NULL;
}

struct err *
article_undelete(struct ctx *c, struct workspace *w, struct article *a)
{
	if (a->status != ARTICLE_DELETED)
		return refuse(c, ERR_CONFLICT, tr_mark("%s is not in the trash."), a->title);
	a->status = ARTICLE_DRAFT;
	a->updated_at = c->now;
	update_state(c, a);
	return stored_write(c, w, a, article_working_copy(c, a));
}

static bool
same(const char *x, const char *y)
{
	if (x == NULL || y == NULL)
		return x == y;
	return strcmp(x, y) == 0;
}

/* Renders the stored bytes again after a change that is not in the snapshot. They
 * can grow by the length of one address only, so that the ceiling of a saved
 * article cannot be passed. */
static void
store_again(struct ctx *c, struct workspace *w, struct article *a)
{
	struct snapshot *s;
	struct err *err;

	if (a->status == ARTICLE_DELETED)
		return;
	s = a->status == ARTICLE_PUBLISHED ? article_edition(c, a, a->version)
					   : article_working_copy(c, a);
	err = stored_write(c, w, a, s);
	(void)err;
}

void
article_set_published_url(struct ctx *c, struct workspace *w, struct article *a, const char *url)
{
	if (same(a->published_url, url))
		return;
	a->published_url = url;
	if (a->status == ARTICLE_PUBLISHED)
		a->changed_at = change_stamp(c, w);
	update_state(c, a);
	store_again(c, w, a);
}

void
article_set_created_at(struct ctx *c, struct workspace *w, struct article *a, int64_t created_at)
{
	(void)w;
	a->created_at = created_at;
	update_state(c, a);
}
