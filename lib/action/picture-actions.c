#include "action/picture-actions.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "action/action.h"
#include "article/article-pictures.h"
#include "article/purge.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "base/fileio.h"
#include "base/log.h"
#include "content/picture-clean.h"
#include "import/markdown/to-markdown.h"
#include "screen/tr.h"
#include "store/db.h"
#include "system/conf.h"
#include "system/disk.h"
#include "system/fault.h"
#include "system/filelock.h"
#include "system/instance.h"

#define USES_LISTED 3 /* of each picture of a list */
#define PICTURE_USES_SHOWN 100
#define MARKDOWN_MAX ((size_t)128 * 1024)
#define MIB ((int64_t)1024 * 1024)
#define RETRY_AFTER_S 10
/* A mark that is older is that of a process that was killed: none lives so long. */
#define MARK_S 3600
#define SWEPT_MAX 100

/* ---- marks of files that no transaction names yet */

static const char *
mark_of(struct ctx *c, const char *name)
{
	return arena_printf(c->arena, "%s/console/uploads/%s", c->instance->run, name);
}

static void
mark(struct ctx *c, const char *name)
{
	const char *path = mark_of(c, name);
	int fd;

	(void)fileio_make_folder(fileio_folder(c->arena, path), 0700);
	fd = fileio_open(path, O_WRONLY | O_CREAT | O_TRUNC);
	if (fd < 0)
		die_passing(RETRY_AFTER_S, "%s: %s", path, strerror(errno));
	close(fd);
}

/* Removes what a killed process wrote of a file under another name (base/fileio.h). */
static void
remove_parts(struct ctx *c, const char *name)
{
	DIR *dir = opendir(c->instance->media);
	const struct dirent *entry;
	size_t len = strlen(name);

	while (dir != NULL && (entry = readdir(dir)) != NULL) {
		if (entry->d_name[0] == '.' && strncmp(entry->d_name + 1, name, len) == 0 &&
		    entry->d_name[len + 1] == '.')
			(void)unlink(media_path(c, entry->d_name));
	}
	if (dir != NULL)
		closedir(dir);
}

/* Removes the files of these names and their marks, unless a row names the file; NULL is none.
 * Returns how many are gone. */
static size_t
remove_unnamed(struct ctx *c, const char *const *names, size_t count)
{
	size_t gone = 0;

	db_begin_write(c, DB_CONTENT, DB_CHANGES_NOTHING, 0, 0);
	/* The change passed the gate; this ends it. */
	gate_skip(c);
	for (size_t i = 0; i < count; i++)
		gone += names[i] != NULL && media_remove(c, names[i]);
	db_commit(c);
	for (size_t i = 0; i < count; i++) {
		if (names[i] != NULL)
			(void)unlink(mark_of(c, names[i]));
	}
	return gone;
}

/* Does the same, but not while a backup keeps the files: then it returns false. */
static bool
remove_files(struct ctx *c, const char *const *names, size_t count, size_t *gone)
{
	pid_t holder;
	int held =
	    filelock_take(arena_printf(c->arena, "%s/media.lock", c->instance->run), &holder);

	if (held < 0)
		return false;
	*gone = remove_unnamed(c, names, count);
	filelock_release(held);
	return true;
}

static bool
remove_file(struct ctx *c, const char *name)
{
	size_t gone;

	return remove_files(c, &name, 1, &gone);
}

void
upload_mark_gone(struct ctx *c, const struct purge_media *m)
{
	for (size_t i = 0; i < m->count; i++) {
		if (m->files[i] != NULL)
			mark(c, m->files[i]);
	}
}

size_t
upload_remove_gone(struct ctx *c, const struct purge_media *m)
{
	size_t gone = 0;

	if (m->count > 0)
		(void)remove_files(c, m->files, m->count, &gone);
	return gone;
}

/* Removes what killed processes left, and what was removed during a backup. */
static void
sweep(struct ctx *c)
{
	const char *folder = mark_of(c, ""), *name;
	DIR *dir = opendir(folder);
	const struct dirent *entry;
	struct stat st;
	int count = 0;

	while (dir != NULL && count < SWEPT_MAX && (entry = readdir(dir)) != NULL) {
		if (media_digest_of(c, entry->d_name) == NULL)
			continue;
		name = arena_text(c->arena, entry->d_name);
		if (stat(mark_of(c, name), &st) != 0 ||
		    st.st_mtime + MARK_S > clock_now() / CLOCK_SECOND)
			continue;
		remove_parts(c, name);
		if (!remove_file(c, name))
			break;
		count++;
	}
	if (dir != NULL)
		closedir(dir);
}

/* ---- what is refused */

static bool
begins(const struct upload *u, size_t at, const char *text)
{
	size_t len = strlen(text);

	return u->len >= at + len && memcmp((const char *)u->bytes + at, text, len) == 0;
}

/* Says what a file is that is none of the four kinds, and what to do. */
static struct err *
explain(struct ctx *c, const struct upload *u, struct err *err)
{
	static const char *const brands[] = { "avif", "avis", "heic", "heix", "hevc", "mif1",
		"msf1" };
	size_t head = u->len < 1024 ? u->len : 1024;

	for (size_t i = 0; begins(u, 4, "ftyp") && i < sizeof(brands) / sizeof(*brands); i++) {
		if (begins(u, 8, brands[i]))
			return err_param(c, "picture",
			    i < 2
				? tr_mark(
				      "AVIF pictures cannot be stored. Save it as a JPEG, PNG, WebP or GIF.")
				: tr_mark(
				      "HEIC pictures cannot be stored. Save it as a JPEG: in the settings of an iPhone's camera this is called “Most compatible”."));
	}
	if (memmem(u->bytes, head, "<svg", 4) != NULL)
		return err_param(c, "picture",
		    tr_mark(
			"SVG pictures can hold programs, so they cannot be stored. Save it as a PNG or WebP."));
	if (err->code == ERR_INVALID)
		err->param = "picture";
	return err;
}

static struct err *
check_account(struct ctx *c, const struct workspace *w, int64_t more)
{
	struct console_conf conf;
	int64_t taken = picture_list_bytes(c, w->account_id);

	console_conf_read(c, &conf);
	if (taken + more <= conf.account_mib * MIB)
		return NULL;
	return refuse(c, ERR_TOO_LARGE,
	    tr_mark(
		"The pictures of this account take %lld of %lld MiB, so this one does not fit. Remove pictures that no article shows, or ask the operator for more."),
	    (long long)(taken / MIB), (long long)conf.account_mib);
}

static struct err *
no_room(struct ctx *c)
{
	struct err *err = refuse(c, ERR_UNAVAILABLE,
	    tr_mark(
		"The disk of this instance is full, or nearly so: the picture was not stored. Ask the operator, then send it again."));

	err->retry_after_s = RETRY_AFTER_S;
	return err;
}

/* ---- the file */

static struct err *
check_known(struct ctx *c, const struct workspace *w, const struct upload *u)
{
	ACTION(c, action_reading(c, DB_CONTENT));
	TRY(check_account(c, w, (int64_t)u->len));
	return action_commit(c);
}

struct err *
upload_begin(struct ctx *c, const struct workspace *w, struct upload *u)
{
	struct picture_clean clean;
	struct err *err;

	if (u->len > PICTURE_BYTES_MAX)
		return refuse(c, ERR_TOO_LARGE,
		    tr_mark("The picture has %zu MiB, and may have %zu. Save it smaller."),
		    u->len >> 20, PICTURE_BYTES_MAX >> 20);
	err = picture_clean(c, u->bytes, u->len, &clean);
	if (err != NULL)
		return explain(c, u, err);
	TRY(check_known(c, w, u));
	if (!disk_has_room(c->instance->media, (int64_t)u->len))
		return no_room(c);
	sweep(c);
	media_of(c, &clean, &u->media);
	u->marked = u->media.url + strlen("media:");
	mark(c, u->marked);
	(void)FAULT("upload-marked");
	err = media_stage(c, u->bytes, u->len, &clean, &u->media);
	if (err == NULL)
		return NULL;
	log_line("%s", err->message);
	upload_end(c, u, false);
	return no_room(c);
}

struct err *
upload_insert(struct ctx *c, const struct workspace *w, struct upload *u)
{
	TRY(check_account(c, w, u->media.bytes));
	media_insert(c, &u->media);
	picture_list_add(c, w->id, u->media.digest, u->alternative, u->person);
	(void)FAULT("upload-inserted");
	return NULL;
}

/* Removes the file of a picture that was refused. A file that was there before may be one that a
 * backup reads now. A new one never had a row, so it goes at once, also where many are refused. */
static void
remove_refused(struct ctx *c, const struct upload *u)
{
	if (u->media.staged == NULL)
		(void)remove_file(c, u->marked);
	else if (unlink(u->media.staged) == 0)
		(void)unlink(mark_of(c, u->marked));
	else
		(void)remove_unnamed(c, &u->marked, 1);
}

void
upload_end(struct ctx *c, struct upload *u, bool kept)
{
	if (u->marked == NULL)
		return;
	if (kept)
		(void)unlink(mark_of(c, u->marked));
	else
		remove_refused(c, u);
	u->marked = NULL;
}

static struct err *
insert_row(struct ctx *c, const struct workspace *w, struct upload *u)
{
	struct workspace *now;

	ACTION(c, workspace_begin(c, w, &now));
	TRY(upload_insert(c, now, u));
	return action_commit(c);
}

struct err *
upload_add(struct ctx *c, const struct workspace *w, struct upload *u)
{
	struct err *err = insert_row(c, w, u);

	upload_end(c, u, err == NULL);
	return err;
}

/* ---- the pictures of a workspace */

static bool
is_logo(const struct workspace *w, const char *digest)
{
	return w->settings.publisher_logo_url != NULL &&
	       strstr(w->settings.publisher_logo_url, digest) != NULL;
}

static void
read_view(struct ctx *c, const struct workspace *w, const struct picture_row *row, size_t max,
    struct picture_view *out)
{
	struct buf text;

	*out = (struct picture_view) { .picture = *row, .is_logo = is_logo(w, row->digest) };
	out->uses = arena_array(c->arena, max, sizeof(*out->uses));
	if (max == 0)
		return;
	out->use_count = picture_use_list(c, w->id, row->digest, out->uses, max, &out->more_uses);
	buf_init(&text, c->arena, MARKDOWN_MAX);
	buf_printf(&text, "![%s](media:%s)", to_markdown_literal(c, row->alternative), row->name);
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
		read_view(c, w, &first[i], page->bare ? 0 : USES_LISTED, &page->list[i]);
	db_rollback(c);
	page->before = page->count > 0 && (back ? more : older) ? key_of(c, first) : NULL;
	page->next = page->count > 0 && (back || more) ? key_of(c, &first[page->count - 1]) : NULL;
}

static struct err *
find_picture(struct ctx *c, const struct workspace *w, const char *digest, struct picture_row *out)
{
	if (picture_list_find(c, w->id, digest, out))
		return NULL;
	return refuse(c, ERR_NOT_FOUND, tr_mark("There is no such picture."));
}

struct err *
picture_look(struct ctx *c, const struct workspace *w, const char *digest, struct picture_view *out)
{
	struct picture_row row;

	ACTION(c, action_reading(c, DB_CONTENT));
	TRY(find_picture(c, w, digest, &row));
	read_view(c, w, &row, PICTURE_USES_SHOWN, out);
	return action_commit(c);
}

struct err *
picture_describe(
    struct ctx *c, const struct workspace *w, const char *digest, const char *alternative)
{
	struct workspace *now;

	ACTION(c, workspace_begin(c, w, &now));
	if (!picture_list_describe(c, now->id, digest, alternative))
		return refuse(c, ERR_NOT_FOUND, tr_mark("There is no such picture."));
	return action_commit(c);
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

	purge_media_init(&media, c);
	look_for_others(c, w, digest, &media);
	ACTION(c, workspace_begin(c, w, &now));
	TRY(check_unused(c, now, digest));
	if (!picture_list_remove(c, now->id, digest))
		return refuse(c, ERR_NOT_FOUND, tr_mark("There is no such picture."));
	purge_rows(c, &media);
	upload_mark_gone(c, &media);
	action_commit(c);
	(void)FAULT("picture-removed");
	(void)upload_remove_gone(c, &media);
	return NULL;
}
