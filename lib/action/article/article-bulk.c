#include "action/article/article-bulk.h"

#include <string.h>

#include "action/action.h"
#include "action/article/publish-actions.h"
#include "action/picture-actions.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/ctx.h"
#include "base/digest.h"
#include "base/uuid.h"
#include "screen/tr.h"

#define TOLD_MAX ((size_t)1024 * 1024)

/* ---- what stands against it */

/* Returns why the act has no sense for an article of this state, or NULL. Such an article is
 * left before anything of it is changed. */
static const char *
stands_against(struct ctx *c, const struct article *a, enum bulk_act act)
{
	bool in_trash = a->status == ARTICLE_DELETED;

	switch (act) {
	case BULK_PUBLISH:
		if (!in_trash && state_is_current(c, a))
			return tr("It is published as it is already.");
		break;
	case BULK_UNPUBLISH:
		if (!in_trash && a->status != ARTICLE_PUBLISHED)
			return tr("It is not published.");
		break;
	case BULK_TRASH:
		return in_trash ? tr("It is in the trash already.") : NULL;
	case BULK_RESTORE:
	case BULK_DESTROY:
		return in_trash ? NULL : tr("It is not in the trash.");
	case BULK_BACK:
		return NULL;
	}
	return in_trash ? tr("It is in the trash: restore it first.") : NULL;
}

/* Makes what differs as soon as anybody changes the article. */
static void
mark(const struct article *a, char out[BULK_MARK])
{
	struct digest d;

	digest_begin(&d, (BULK_MARK - 1) / 2, "galley bulk mark 1");
	digest_int(&d, (int64_t)a->status);
	digest_int(&d, a->version);
	digest_int(&d, a->changed_at);
	digest_int(&d, a->updated_at);
	digest_int(&d, a->created_at);
	digest_bytes(&d, a->digest, sizeof(a->digest));
	digest_text(&d, a->published_url != NULL ? a->published_url : "");
	digest_end_hex(&d, out);
}

/* ---- what a person looks at */

static const char *
left_to_write(struct ctx *c, size_t count)
{
	return arena_printf(c->arena,
	    tr_count(
		"%zu place is left to write.", "%zu places are left to write.", (int64_t)count),
	    count);
}

/* Reads what a person looks at before an article is published, and adds it to the digest. */
static void
look_at(struct ctx *c, const struct workspace *w, const struct article *a, struct digest *d,
    struct bulk_one *one)
{
	struct ready ready;

	ready_read(c, w, a, &ready);
	digest_text(d, ready.seen);
	if (one->why == NULL && ready.todo_count > 0)
		one->why = left_to_write(c, ready.todo_count);
	one->failing_count = ready.failing_count;
	one->failing = arena_array(c->arena, ready.failing_count + 1, sizeof(*one->failing));
	for (size_t i = 0; i < ready.failing_count; i++)
		one->failing[i] = failing_line(c, &ready.failing[i]);
}

static void
look_at_one(struct ctx *c, const struct workspace *w, struct bulk *b, size_t i, struct digest *d)
{
	const struct article *a = article_find(c, w->id, b->ids[i]);
	struct bulk_one *one = &b->ones[i];
	char now[BULK_MARK];

	*one = (struct bulk_one) { 0 };
	digest_text(d, b->ids[i]);
	if (a == NULL) {
		one->why = tr("It is not there any more.");
		return;
	}
	one->title = a->title;
	one->was = a->status;
	one->why = stands_against(c, a, b->act);
	if (b->act == BULK_PUBLISH)
		look_at(c, w, a, d, one);
	if (b->act == BULK_BACK) {
		mark(a, now);
		if (strcmp(now, b->before->ones[i].mark) != 0)
			one->why = tr("Somebody changed it since.");
	}
	/* What is lost is what was seen. */
	if (b->act == BULK_DESTROY)
		digest_bytes(d, a->digest, sizeof(a->digest));
	digest_int(d, (int64_t)a->status);
	digest_int(d, one->why != NULL);
}

/* Looks at all of them, in the present transaction. */
static void
look(struct ctx *c, const struct workspace *w, struct bulk *b)
{
	struct digest d;

	digest_begin(&d, (READY_SEEN - 1) / 2, "galley bulk 1");
	for (size_t i = 0; i < b->count; i++)
		look_at_one(c, w, b, i, &d);
	digest_end_hex(&d, b->shown);
}

void
bulk_look(struct ctx *c, struct bulk *b)
{
	db_begin_read(c, DB_CONTENT);
	look(c, workspace_of(c, b->workspace->id), b);
	db_rollback(c);
}

bool
bulk_asks(const struct bulk *b)
{
	if (b->act != BULK_TRASH)
		return b->act != BULK_RESTORE && b->act != BULK_BACK;
	for (size_t i = 0; i < b->count; i++) {
		if (b->ones[i].why == NULL && b->ones[i].was == ARTICLE_PUBLISHED)
			return true;
	}
	return false;
}

/* ---- one after the other */

/* Makes the article what it was before. */
static struct err *
go_back(struct ctx *c, struct workspace *w, struct article *a, enum article_status was)
{
	struct err *err = NULL;

	if (was == ARTICLE_DELETED)
		return article_delete(c, w, a);
	if (a->status == ARTICLE_DELETED)
		err = article_undelete(c, w, a);
	if (err == NULL && was == ARTICLE_PUBLISHED)
		err = article_publish_again(c, w, a);
	else if (err == NULL && a->status == ARTICLE_PUBLISHED)
		err = article_unpublish(c, w, a);
	return err;
}

static struct err *
act_on(struct ctx *c, struct workspace *w, struct article *a, struct bulk *b, size_t i)
{
	switch (b->act) {
	case BULK_PUBLISH:
		return article_publish(c, w, a, 0, 0);
	case BULK_UNPUBLISH:
		return article_unpublish(c, w, a);
	case BULK_TRASH:
		return article_delete(c, w, a);
	case BULK_RESTORE:
		return article_undelete(c, w, a);
	case BULK_BACK:
		return go_back(c, w, a, b->before->ones[i].was);
	case BULK_DESTROY:
		break;
	}
	return purge_article(c, w, a, &b->media);
}

/* Acts on all in the present transaction, but those that have a refusal. Returns false when
 * one more article is refused in the middle of its change. */
static bool
act_on_all(struct ctx *c, struct workspace *w, struct bulk *b, struct err *refusals[BULK_MAX])
{
	b->done = 0;
	for (size_t i = 0; i < b->count; i++) {
		struct bulk_one *one = &b->ones[i];
		struct article *a;
		if (one->why == NULL && refusals[i] != NULL)
			one->why = refusals[i]->message;
		if (one->why != NULL)
			continue;
		a = article_find(c, w->id, b->ids[i]);
		refusals[i] = act_on(c, w, a, b, i);
		if (refusals[i] != NULL)
			return false;
		if (b->act != BULK_DESTROY)
			mark(article_find(c, w->id, b->ids[i]), one->mark);
		b->done++;
	}
	if (b->act == BULK_DESTROY) {
		purge_rows(c, &b->media);
		upload_mark_gone(c, &b->media);
	}
	return true;
}

/* One transaction. *again: an article was refused in the middle of its change. Nothing is
 * done then, and the others follow in another transaction. */
static struct err *
run_once(struct ctx *c, struct bulk *b, struct err *refusals[BULK_MAX], bool *again)
{
	struct workspace *w;

	*again = false;
	ACTION(c, workspace_begin(c, b->workspace, &w));
	purge_media_init(&b->media, c);
	look(c, w, b);
	if (b->seen != NULL && strcmp(b->shown, b->seen) != 0)
		return refuse(c, ERR_CONFLICT, "%s",
		    tr("Something was changed since this page was shown, so nothing was done. Look again."));
	*again = !act_on_all(c, w, b, refusals);
	if (*again) {
		db_rollback(c);
		return NULL;
	}
	gate_leave(c);
	return action_commit(c);
}

/* Takes what can be taken back of the act before. */
static void
choose_back(struct ctx *c, struct bulk *b)
{
	struct bulk *before = arena_alloc(c->arena, sizeof(*before));
	const char **ids = arena_array(c->arena, BULK_MAX, sizeof(*ids));

	for (size_t i = 0; i < b->before->count; i++) {
		if (!bulk_goes_back(b->before, i))
			continue;
		before->ones[b->count] = b->before->ones[i];
		ids[b->count++] = b->before->ids[i];
	}
	b->of = b->before->act;
	b->before = before;
	b->ids = ids;
}

struct err *
bulk_run(struct ctx *c, struct bulk *b)
{
	struct err *refusals[BULK_MAX] = { NULL };
	bool again = true;

	if (b->act == BULK_BACK)
		choose_back(c, b);
	for (size_t i = 0; i <= b->count && again; i++)
		TRY(run_once(c, b, refusals, &again));
	return NULL;
}

void
bulk_pictures(struct ctx *c, struct bulk *b)
{
	(void)upload_remove_gone(c, &b->media);
}

/* ---- what was done, as a text: the act in a line, then a line for each article: its id, what it
 * was with its mark, or "-" and why it was left. */

static const char *const acts[] = { [BULK_PUBLISH] = "publish",
	[BULK_UNPUBLISH] = "unpublish",
	[BULK_TRASH] = "trash",
	[BULK_RESTORE] = "restore",
	[BULK_DESTROY] = "destroy",
	[BULK_BACK] = "back" };

#define ACTS (sizeof(acts) / sizeof(acts[0]))

const char *
bulk_tell(struct ctx *c, const struct bulk *b)
{
	struct buf out;

	buf_init(&out, c->arena, TOLD_MAX);
	buf_printf(&out, "%s %s\n", acts[b->act], acts[b->act == BULK_BACK ? b->of : b->act]);
	for (size_t i = 0; i < b->count; i++) {
		const struct bulk_one *one = &b->ones[i];
		if (one->why == NULL) {
			buf_printf(&out, "%s %d %s\n", b->ids[i], (int)one->was, one->mark);
			continue;
		}
		buf_printf(&out, "%s - ", b->ids[i]);
		for (const char *p = one->why; *p != '\0'; p++)
			buf_add_char(&out, *p == '\n' ? ' ' : *p);
		buf_add_char(&out, '\n');
	}
	return buf_done(&out);
}

/* Takes the next word, or (`end` '\n') the rest of the line; NULL at the end of the text. */
static char *
next_word(char **p, char end)
{
	char *word = *p, *at = strchr(word, end);

	if (at == NULL)
		return NULL;
	*at = '\0';
	*p = at + 1;
	return word;
}

static bool
read_act(const char *word, enum bulk_act *out)
{
	for (size_t i = 0; word != NULL && i < ACTS; i++) {
		if (strcmp(acts[i], word) == 0) {
			*out = (enum bulk_act)i;
			return true;
		}
	}
	return false;
}

/* Reads a line about an article; false at the end. */
static bool
read_one(struct ctx *c, char **p, struct bulk *b, const char **ids)
{
	struct bulk_one *one = &b->ones[b->count];
	const char *id = next_word(p, ' '), *was = NULL, *rest = NULL;
	const struct article *a;

	if (id != NULL && (was = next_word(p, ' ')) != NULL)
		rest = next_word(p, '\n');
	if (rest == NULL || b->count == BULK_MAX)
		return false;
	ids[b->count++] = id;
	a = article_find(c, b->workspace->id, id);
	if (a != NULL)
		one->title = a->title;
	if (was[0] == '-') {
		one->why = rest;
		return true;
	}
	one->was = (enum article_status)(was[0] - '0');
	if (strlen(rest) < BULK_MARK)
		memcpy(one->mark, rest, strlen(rest) + 1);
	b->done++;
	return true;
}

bool
bulk_recall(struct ctx *c, const struct workspace *w, const char *told, struct bulk *out)
{
	char *p = arena_text(c->arena, told);
	const char **ids = arena_array(c->arena, BULK_MAX, sizeof(*ids));
	enum bulk_act act, of;

	memset(out, 0, sizeof(*out));
	if (!read_act(next_word(&p, ' '), &act) || !read_act(next_word(&p, '\n'), &of))
		return false;
	*out = (struct bulk) { .workspace = w, .act = act, .of = of, .ids = ids };
	db_begin_read(c, DB_CONTENT);
	while (read_one(c, &p, out, ids))
		continue;
	db_rollback(c);
	return true;
}

bool
bulk_goes_back(const struct bulk *b, size_t i)
{
	if (b->ones[i].why != NULL || b->act == BULK_DESTROY || b->act == BULK_BACK)
		return false;
	/* What readers had before is in the History of the article. */
	return b->act != BULK_PUBLISH || b->ones[i].was != ARTICLE_PUBLISHED;
}
