#include "backup/dump.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "access/account.h"
#include "access/apikey.h"
#include "article/article-row.h"
#include "article/article.h"
#include "article/content-state.h"
#include "article/media.h"
#include "backup/archive.h"
#include "backup/tar.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "base/fileio.h"
#include "base/jwrite.h"
#include "import/markdown/markdown.h"
#include "job/job.h"
#include "job/ledger.h"
#include "store/db.h"
#include "system/disk.h"
#include "system/fault.h"
#include "system/fresh.h"
#include "system/instance.h"
#include "terminal/csv.h"

#define FILE_MAX ((size_t)1 << 30)
#define FOLDER "galley-dump" /* of an archive */
#define LOOK_AT_DISK ((int64_t)16 * 1024 * 1024) /* bytes between two looks */

static const char readme[] =
    "What a Galley instance held, in open formats.\n"
    "\n"
    "accounts.json, accounts.csv   customers and their credits\n"
    "ledger/                       each movement of credits, by account\n"
    "media/                        images, named by the BLAKE2b-256 of their bytes\n"
    "workspaces/ID/\n"
    "  workspace.json              settings\n"
    "  keys.json                   keys without what is secret\n"
    "  jobs.json                   orders, with research briefs\n"
    "  published/                  what is shown, as Markdown with front matter\n"
    "  drafts/, trash/             articles that are not shown\n"
    "  changes/                    working copies that differ from what is shown\n"
    "  editions/                   all that was ever published, by its number\n"
    "  articles/                   the same as JSON: state, editions, content\n"
    "\n"
    "Into another Galley: galley article import --workspace ID --publish --media .\n"
    "workspaces/ID/published, and the same without --publish for drafts. --media names\n"
    "this folder: nothing else outside of the named one is read.\n"
    "Texts are UTF-8, times RFC 3339 in UTC, CSV as RFC 4180.\n";

static const char *
path_of(struct dump *d, const char *name)
{
	return arena_printf(d->c->arena, "%s/%s", d->folder, name);
}

static void
fail(struct dump *d, const char *path)
{
	if (d->err == NULL)
		d->err = refuse(d->c, ERR_INTERNAL,
		    "%s: %s. What is there of the dump is not whole: remove it.", path,
		    strerror(errno));
}

/* Creates a folder (mode 0700); `name` is its path below the dump's folder. */
static void
make_folder(struct dump *d, const char *name)
{
	const char *path = path_of(d, name);

	/* An archive holds plain files alone. */
	if (d->err == NULL && d->tar == NULL && mkdir(path, 0700) != 0)
		fail(d, path);
}

/* Refuses to go on where the work must stop, or would fill the disk. */
static bool
may_go_on(struct dump *d)
{
	(void)FAULT("dump-file");
	if (work_must_stop(d->work))
		d->err = d->tar != NULL
			     ? work_stopped(d->c, "%s was not written.", d->folder)
			     : work_stopped(d->c, "%s is not whole: remove it.", d->folder);
	if (d->err != NULL || d->tar == NULL || d->tar->written < d->looked_at + LOOK_AT_DISK)
		return d->err == NULL;
	d->looked_at = d->tar->written;
	if (!disk_has_room(d->c->instance->db, LOOK_AT_DISK))
		d->err = refuse(d->c, ERR_UNAVAILABLE,
		    "The disk is too full for this. Remove something first.");
	return d->err == NULL;
}

static void
add_to_archive(struct dump *d, const char *name, const void *bytes, size_t len)
{
	if (!may_go_on(d))
		return;
	d->err =
	    tar_add(d->tar, arena_printf(d->c->arena, FOLDER "/%s", name), bytes, len, clock_now());
	d->files++;
	work_step(d->work, 1);
}

static int
make_file(struct dump *d, const char *path)
{
	int fd;

	if (!may_go_on(d))
		return -1;
	fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (fd < 0)
		fail(d, path);
	d->files++;
	work_step(d->work, 1);
	return fd;
}

/* Creates a file with these bytes (mode 0600). */
static void
write_file(struct dump *d, const char *name, const struct buf *bytes)
{
	const char *path = path_of(d, name);
	int fd;

	if (d->err == NULL && d->tar != NULL)
		add_to_archive(d, name, bytes->data, bytes->len);
	fd = d->err == NULL && d->tar == NULL ? make_file(d, path) : -1;
	if (fd < 0)
		return;
	if (!fileio_write_all(fd, bytes->data, bytes->len))
		fail(d, path);
	if (close(fd) != 0)
		fail(d, path);
}

/* Begins an empty buffer for the bytes of a file. */
static void
begin_file(struct dump *d, struct buf *out)
{
	buf_init(out, d->c->arena, FILE_MAX);
}

/* ---- articles, as Markdown and JSON */

#define ARTICLE_MEMORY ((size_t)2 << 30) /* for one article with all its editions */
#define DIGITS 64 /* hexadecimal digits in the name of a stored image */

struct walk {
	struct dump *d;
	const struct workspace *w;
	struct arena scratch; /* for one article */
	const struct article *article;
	struct jwrite *json;
};

/* Returns whether an image's name follows: 64 hexadecimal digits and a dot. */
static bool
is_media(const char *text)
{
	return strspn(text, "0123456789abcdef") == DIGITS && text[DIGITS] == '.';
}

/* Copies the text. The addresses of stored images become paths to the dump's
 * media folder, where an import finds them. The line `galley:` keeps the names
 * under which they are stored. */
static void
with_paths(const char *text, struct buf *out)
{
	static const char name[] = "media:", path[] = "../../../media/";
	bool ours = false;

	for (const char *p = text; *p != '\0';) {
		if (p == text || p[-1] == '\n')
			ours = strncmp(p, "galley: ", 8) == 0;
		if (!ours && strncmp(p, name, strlen(name)) == 0 && is_media(p + strlen(name))) {
			buf_add_text(out, path);
			p += strlen(name);
			continue;
		}
		buf_add_char(out, *p++);
	}
}

static void
write_text(struct walk *walk, const struct snapshot *s, const char *name)
{
	struct dump *d = walk->d;
	struct buf text, out;

	begin_file(d, &text);
	begin_file(d, &out);
	markdown_write_article(d->c, walk->article, s, &text);
	with_paths(buf_done(&text), &out);
	write_file(d, arena_printf(d->c->arena, "workspaces/%s/%s.md", walk->w->uuid, name), &out);
}

static void
write_content(struct walk *walk, const struct snapshot *s)
{
	struct buf text;

	begin_file(walk->d, &text);
	content_to_json(&s->content, NULL, &text);
	jwrite_name(walk->json, "content");
	jwrite_raw(walk->json, text.data, text.len);
}

static void
add_edition(void *arg, const struct edition *edition)
{
	struct walk *walk = arg;
	struct ctx *c = walk->d->c;
	const struct snapshot *s = article_edition(c, walk->article, edition->version);
	struct jwrite *j = walk->json;

	jwrite_object(j);
	jwrite_member_int(j, "version", edition->version);
	jwrite_member_time(j, "published_at", edition->published_at);
	jwrite_member_text(j, "title", s->title);
	jwrite_member_text(j, "slug", s->slug);
	jwrite_member_text(j, "language", s->language);
	jwrite_member_int(j, "unfinished", s->unfinished);
	write_content(walk, s);
	jwrite_object_end(j);
	write_text(walk, s,
	    arena_printf(
		c->arena, "editions/%s-%lld", walk->article->uuid, (long long)edition->version));
}

/* Writes the article's Markdown into the folder of the article's state. */
static void
write_state(struct walk *walk, const struct snapshot *working)
{
	static const char *const folders[] = {
		[ARTICLE_DRAFT] = "drafts",
		[ARTICLE_PUBLISHED] = "changes",
		[ARTICLE_DELETED] = "trash",
	};
	const struct article *a = walk->article;
	struct ctx *c = walk->d->c;

	if (a->status == ARTICLE_PUBLISHED)
		write_text(walk, article_edition(c, a, a->version),
		    arena_printf(c->arena, "published/%s", a->uuid));
	if (a->status != ARTICLE_PUBLISHED || article_has_changes(a))
		write_text(
		    walk, working, arena_printf(c->arena, "%s/%s", folders[a->status], a->uuid));
}

static void
write_article(struct walk *walk)
{
	const struct article *a = walk->article;
	struct dump *d = walk->d;
	struct ctx *c = d->c;
	const struct snapshot *working = article_working_copy(c, a);
	struct jwrite json;
	struct buf text;

	begin_file(d, &text);
	jwrite_init(&json, &text);
	walk->json = &json;
	jwrite_object(&json);
	jwrite_name(&json, "article");
	article_state_write(&json, a, article_unfinished(c, a));
	write_content(walk, working);
	jwrite_member_array(&json, "editions");
	edition_list(c, a, add_edition, walk);
	jwrite_array_end(&json);
	jwrite_object_end(&json);
	buf_add_char(&text, '\n');
	write_file(d,
	    arena_printf(c->arena, "workspaces/%s/articles/%s.json", walk->w->uuid, a->uuid),
	    &text);
	write_state(walk, working);
}

static void
add_article(struct walk *walk, const struct article *a)
{
	struct dump *d = walk->d;
	struct arena *mine = d->c->arena;

	if (d->err != NULL)
		return;
	d->c->arena = &walk->scratch;
	walk->article = a;
	d->articles++;
	write_article(walk);
	d->c->arena = mine;
	/* A refusal is in this memory. */
	if (d->err == NULL)
		arena_reset(&walk->scratch);
}

static void
write_articles(struct dump *d, const struct workspace *w)
{
	static const char *const folders[] = { "published", "drafts", "changes", "trash",
		"editions", "articles" };
	struct ctx *c = d->c;
	struct walk *walk = arena_alloc(c->arena, sizeof(*walk));
	struct article a;

	for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); i++)
		make_folder(d, arena_printf(c->arena, "workspaces/%s/%s", w->uuid, folders[i]));
	walk->d = d;
	walk->w = w;
	arena_init(&walk->scratch, ARTICLE_MEMORY);
	for (struct stmt *q = article_list(c, w->id, ARTICLE_PUBLISHED, INT64_MAX);
	     article_next(q, &a);)
		add_article(walk, &a);
	for (struct stmt *q = article_list(c, w->id, ARTICLE_DRAFT, INT64_MAX);
	     article_next(q, &a);)
		add_article(walk, &a);
	for (struct stmt *q = article_list(c, w->id, ARTICLE_DELETED, INT64_MAX);
	     article_next(q, &a);)
		add_article(walk, &a);
	/* With its param, which says whether the work was stopped. */
	if (d->err != NULL) {
		const char *param = d->err->param;
		d->err = refuse(c, d->err->code, "%s", d->err->message);
		d->err->param = param;
	}
	arena_release(&walk->scratch);
}

/* ---- workspaces */

struct rows {
	struct dump *d;
	struct buf text;
	struct jwrite json;
};

static void
begin_rows(struct dump *d, struct rows *rows)
{
	rows->d = d;
	begin_file(d, &rows->text);
	jwrite_init(&rows->json, &rows->text);
}

static void
end_rows(struct rows *rows, const struct workspace *w, const char *name)
{
	buf_add_char(&rows->text, '\n');
	write_file(rows->d, arena_printf(rows->d->c->arena, "workspaces/%s/%s", w->uuid, name),
	    &rows->text);
}

static void
add_key(void *arg, const struct apikey *key)
{
	struct rows *rows = arg;
	struct jwrite *j = &rows->json;

	jwrite_object(j);
	jwrite_member_text(j, "id", key->uuid);
	jwrite_member_text(j, "display", key->display);
	jwrite_member_text(j, "label", key->label);
	jwrite_member_text(j, "scopes", scope_to_text(rows->d->c->arena, key->scopes));
	jwrite_member_time(j, "created_at", key->created_at);
	jwrite_member_time_or_null(j, "expires_at", key->expires_at);
	jwrite_member_time_or_null(j, "revoked_at", key->revoked_at);
	jwrite_object_end(j);
	buf_add_char(&rows->text, '\n');
}

static void
add_job(void *arg, const struct job *job)
{
	struct rows *rows = arg;
	struct jwrite *j = &rows->json;
	struct job_orderer by;

	job_orderer(rows->d->c, job->id, &by);
	jwrite_object(j);
	jwrite_member_text(j, "ordered_by", by.ordered_by);
	jwrite_member_text(j, "topic", job->topic);
	jwrite_member_bool(j, "image", job->image);
	jwrite_member_bool(j, "auto_publish", job->auto_publish);
	jwrite_name(j, "usage");
	if (job->usage == NULL)
		jwrite_null(j);
	else
		jwrite_raw(j, job->usage, strlen(job->usage));
	jwrite_name(j, "job");
	job_to_json(j, job);
	jwrite_object_end(j);
	buf_add_char(&rows->text, '\n');
}

/* Writes one workspace with its articles. */
static void
write_workspace(struct dump *d, const struct workspace *w)
{
	struct ctx *c = d->c;
	struct rows rows;

	make_folder(d, arena_printf(c->arena, "workspaces/%s", w->uuid));
	begin_rows(d, &rows);
	jwrite_object(&rows.json);
	workspace_state_members(c, &rows.json, w);
	workspace_state_pages(c, &rows.json, w);
	jwrite_object_end(&rows.json);
	end_rows(&rows, w, "workspace.json");
	begin_rows(d, &rows);
	jwrite_array(&rows.json);
	apikey_list(c, w->id, add_key, &rows);
	jwrite_array_end(&rows.json);
	end_rows(&rows, w, "keys.json");
	begin_rows(d, &rows);
	jwrite_array(&rows.json);
	job_list(c, w, INT64_MAX, add_job, &rows);
	jwrite_array_end(&rows.json);
	end_rows(&rows, w, "jobs.json");
	write_articles(d, w);
}

/* ---- credits */

/* Rows that go to two files: JSON, and a spreadsheet. */
struct sheet {
	struct dump *d;
	struct jwrite json;
	struct buf text, csv;
};

static void
begin_sheet(struct sheet *t, struct dump *d, const char *const *head, size_t columns)
{
	t->d = d;
	begin_file(d, &t->text);
	begin_file(d, &t->csv);
	jwrite_init(&t->json, &t->text);
	csv_row(&t->csv, head, columns);
	jwrite_array(&t->json);
}

/* Ends a row of the JSON. Each row has its own line. */
static void
end_row(struct sheet *t)
{
	jwrite_object_end(&t->json);
	buf_add_char(&t->text, '\n');
}

/* Writes NAME.json and NAME.csv. */
static void
end_sheet(struct sheet *t, const char *name)
{
	struct arena *a = t->d->c->arena;

	jwrite_array_end(&t->json);
	write_file(t->d, arena_printf(a, "%s.json", name), &t->text);
	write_file(t->d, arena_printf(a, "%s.csv", name), &t->csv);
}

static const char *
digits(struct arena *a, int64_t value)
{
	return arena_printf(a, "%lld", (long long)value);
}

static void
add_movement(void *arg, const struct ledger_row *row)
{
	struct sheet *t = arg;
	struct jwrite *j = &t->json;
	struct arena *a = t->d->c->arena;
	char at[CLOCK_TEXT];

	jwrite_object(j);
	jwrite_member_int(j, "number", row->number);
	jwrite_member_text(j, "kind", row->kind);
	jwrite_member_text(j, "job_id", row->job_uuid);
	jwrite_member_text(j, "ref", row->ref);
	jwrite_member_int(j, "available", row->available);
	jwrite_member_int(j, "reserved", row->reserved);
	jwrite_member_int(j, "spent", row->spent);
	jwrite_member_int(j, "available_after", row->available_after);
	jwrite_member_int(j, "reserved_after", row->reserved_after);
	jwrite_member_int(j, "spent_after", row->spent_after);
	jwrite_member_time(j, "at", row->at);
	end_row(t);
	clock_format(at, row->at);
	csv_row(&t->csv,
	    (const char *const[]) { digits(a, row->number), at, row->kind, row->job_uuid, row->ref,
		digits(a, row->available), digits(a, row->reserved), digits(a, row->spent),
		digits(a, row->available_after), digits(a, row->reserved_after),
		digits(a, row->spent_after) },
	    11);
}

static void
write_ledger(struct dump *d, const struct account *account)
{
	static const char *const head[] = { "number", "at", "kind", "job_id", "ref", "available",
		"reserved", "spent", "available_after", "reserved_after", "spent_after" };
	struct sheet t;

	begin_sheet(&t, d, head, 11);
	ledger_list(d->c, account->id, INT64_MIN, INT64_MAX, add_movement, &t);
	end_sheet(&t, arena_printf(d->c->arena, "ledger/%s", account->uuid));
}

static void
add_account(struct sheet *t, const struct account *account)
{
	struct jwrite *j = &t->json;
	struct arena *a = t->d->c->arena;
	char at[CLOCK_TEXT];

	jwrite_object(j);
	jwrite_member_text(j, "id", account->uuid);
	jwrite_member_text(j, "name", account->name);
	jwrite_member_bool(j, "verified", account->verified);
	jwrite_member_bool(j, "suspended", account->suspended);
	jwrite_member_int(j, "granted", account->granted);
	jwrite_member_int(j, "available", account->available);
	jwrite_member_int(j, "reserved", account->reserved);
	jwrite_member_int(j, "spent", account->spent);
	jwrite_member_time(j, "created_at", account->created_at);
	end_row(t);
	clock_format(at, account->created_at);
	csv_row(&t->csv,
	    (const char *const[]) { account->uuid, account->name,
		account->verified ? "true" : "false", account->suspended ? "true" : "false",
		digits(a, account->granted), digits(a, account->available),
		digits(a, account->reserved), digits(a, account->spent), at },
	    9);
	write_ledger(t->d, account);
}

static void
write_accounts(struct dump *d)
{
	static const char *const head[] = { "id", "name", "verified", "suspended", "granted",
		"available", "reserved", "spent", "created_at" };
	const struct account *account;
	struct sheet t;

	make_folder(d, "ledger");
	begin_sheet(&t, d, head, 9);
	for (struct stmt *q = account_list(d->c); (account = account_next(d->c, q)) != NULL;)
		add_account(&t, account);
	end_sheet(&t, "accounts");
}

/* ---- images */

/* Leaves out a picture that is damaged or missing: that is no reason to lose all
 * others. */
static void
leave_out(struct dump *d, const char *name, const char *fault)
{
	d->damaged++;
	work_tell(d->work, "the picture %s is damaged and is not in the dump: %s.", name, fault);
}

static void
copy_media(void *arg, const char *name)
{
	struct dump *d = arg;
	struct arena scratch, *kept = d->c->arena;
	const char *path, *fault;
	const void *bytes;
	size_t len;
	int out;

	if (d->err != NULL)
		return;
	arena_init(&scratch, 4 * PICTURE_BYTES_MAX);
	d->c->arena = &scratch;
	bytes = media_read(d->c, name, &len, &fault);
	d->c->arena = kept;
	if (bytes == NULL && errno != EFBIG && errno != ENOENT) {
		fail(d, media_path(d->c, name));
	} else if (bytes == NULL) {
		leave_out(d, name, fault);
	} else {
		name = arena_printf(kept, "media/%s", name);
		path = path_of(d, name);
		if (d->tar != NULL)
			add_to_archive(d, name, bytes, len);
		out = d->tar == NULL ? make_file(d, path) : -1;
		if (out >= 0 && !fileio_write_all(out, bytes, len))
			fail(d, path);
		if (out >= 0)
			close(out);
	}
	arena_release(&scratch);
}

/* ---- the run */

/* Makes the folder if it is missing. Refuses one that is not empty. */
static struct err *
prepare(struct ctx *c, const char *folder)
{
	const struct dirent *entry;
	bool empty = true;
	DIR *dir;

	TRY(archive_check_place(c, folder));
	if (mkdir(folder, 0700) != 0 && errno != EEXIST)
		return refuse(c, ERR_INTERNAL, "%s: %s.", folder, strerror(errno));
	dir = opendir(folder);
	if (dir == NULL)
		return refuse(c, ERR_INTERNAL, "%s: %s.", folder, strerror(errno));
	while ((entry = readdir(dir)) != NULL)
		empty &= strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0;
	closedir(dir);
	if (!empty)
		return refuse(c, ERR_INVALID,
		    "%s is not empty: name a folder that is, or one that is not there yet.",
		    folder);
	return NULL;
}

/* Writes everything, of one moment. */
static void
write_all(struct dump *d)
{
	struct ctx *c = d->c;
	const struct workspace *w;
	struct buf text;

	work_begin(d->work, "Writing", WORK_PIECES, 0);
	begin_file(d, &text);
	buf_add_text(&text, readme);
	write_file(d, "README", &text);
	db_begin_read(c, DB_CONTENT);
	write_accounts(d);
	make_folder(d, "workspaces");
	for (struct stmt *q = workspace_list(c); (w = workspace_next(c, q)) != NULL;) {
		d->workspaces++;
		if (d->err == NULL)
			write_workspace(d, w);
	}
	make_folder(d, "media");
	media_list(c, copy_media, d);
	db_commit(c);
	work_end(d->work);
}

struct err *
dump_run(struct ctx *c, const struct work *work, const char *word, struct dump *out)
{
	char *folder = arena_text(c->arena, word);
	size_t len = strlen(folder);
	struct err *err;

	while (len > 1 && folder[len - 1] == '/')
		folder[--len] = '\0';
	err = prepare(c, folder);
	*out = (struct dump) { .c = c, .work = work, .folder = folder };
	if (err != NULL)
		return err;
	write_all(out);
	return out->err;
}

struct err *
dump_archive(struct ctx *c, const struct work *work, const char *path, struct dump *out)
{
	const char *folder = fileio_folder(c->arena, path);
	struct fresh file;
	struct tar tar;

	*out = (struct dump) { .c = c, .work = work, .folder = path, .tar = &tar };
	archive_sweep(c, folder, "dump-");
	TRY(fresh_make(c, path, &file));
	tar_init(&tar, c, file.fd, path);
	write_all(out);
	if (out->err == NULL)
		out->err = tar_end(&tar);
	if (out->err == NULL)
		out->err = fresh_put(c, &file, false);
	fresh_drop(&file);
	out->tar = NULL;
	return out->err;
}
