#include "backup/dump.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "access/account.h"
#include "article/media.h"
#include "backup/archive.h"
#include "backup/tar.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "base/fileio.h"
#include "base/jwrite.h"
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

void
dump_folder(struct dump *d, const char *name)
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

void
dump_file(struct dump *d, const char *name, const struct buf *bytes)
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

void
dump_begin(struct dump *d, struct buf *out)
{
	buf_init(out, d->c->arena, FILE_MAX);
}

/* ---- credits */

/* Rows that go to two files: JSON, and a spreadsheet. */
struct table {
	struct dump *d;
	struct jwrite json;
	struct buf text, csv;
};

static void
begin(struct table *t, struct dump *d, const char *const *head, size_t columns)
{
	t->d = d;
	dump_begin(d, &t->text);
	dump_begin(d, &t->csv);
	jwrite_init(&t->json, &t->text);
	csv_row(&t->csv, head, columns);
	jwrite_array(&t->json);
}

/* Ends a row of the JSON. Each row has its own line. */
static void
end_row(struct table *t)
{
	jwrite_object_end(&t->json);
	buf_add_char(&t->text, '\n');
}

/* Writes NAME.json and NAME.csv. */
static void
end(struct table *t, const char *name)
{
	struct arena *a = t->d->c->arena;

	jwrite_array_end(&t->json);
	dump_file(t->d, arena_printf(a, "%s.json", name), &t->text);
	dump_file(t->d, arena_printf(a, "%s.csv", name), &t->csv);
}

static const char *
digits(struct arena *a, int64_t value)
{
	return arena_printf(a, "%lld", (long long)value);
}

static void
add_movement(void *arg, const struct ledger_row *row)
{
	struct table *t = arg;
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
	struct table t;

	begin(&t, d, head, 11);
	ledger_list(d->c, account->id, INT64_MIN, INT64_MAX, add_movement, &t);
	end(&t, arena_printf(d->c->arena, "ledger/%s", account->uuid));
}

static void
add_account(void *arg, const struct account *account)
{
	struct table *t = arg;
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
	struct table t;

	dump_folder(d, "ledger");
	begin(&t, d, head, 9);
	account_list(d->c, add_account, &t);
	end(&t, "accounts");
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

static void
add_workspace(void *arg, const struct workspace *w)
{
	struct dump *d = arg;

	d->workspaces++;
	if (d->err == NULL)
		dump_workspace(d, w);
}

/* Makes the folder if it is missing. Refuses one that is not empty. */
static struct err *
prepare(struct ctx *c, const char *folder)
{
	struct err *err = archive_check_place(c, folder);
	const struct dirent *entry;
	bool empty = true;
	DIR *dir;

	if (err != NULL)
		return err;
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
	struct buf text;

	work_begin(d->work, "Writing", WORK_PIECES, 0);
	dump_begin(d, &text);
	buf_add_text(&text, readme);
	dump_file(d, "README", &text);
	db_begin_read(c, DB_CONTENT);
	write_accounts(d);
	dump_folder(d, "workspaces");
	workspace_list(c, add_workspace, d);
	dump_folder(d, "media");
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
	struct err *err;

	*out = (struct dump) { .c = c, .work = work, .folder = path, .tar = &tar };
	archive_sweep(c, folder, "dump-");
	err = fresh_make(c, path, &file);
	if (err != NULL)
		return err;
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
