#include "task/moving-step.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "access/workspace.h"
#include "action/moving-in.h"
#include "action/uploaded-files.h"
#include "article/article-pictures.h"
#include "article/text-room.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "base/fileio.h"
#include "base/log.h"
#include "base/uuid.h"
#include "content/picture-format.h"
#include "export/facts.h"
#include "import/htmlmap.h"
#include "import/import-pictures.h"
#include "import/import.h"
#include "import/other.h"
#include "net/remote.h"
#include "people/task.h"
#include "screen/tr.h"
#include "store/db.h"
#include "store/lease.h"
#include "system/conf.h"
#include "system/disk.h"
#include "system/fault.h"
#include "system/instance.h"
#include "system/work.h"
#include "task/slice.h"

/* A file in run/console/, with the upload's UUID: the journal of pictures that were fetched. */
#define MOVING_FETCHED "fetched-"

struct moving_files {
	const char *sent; /* the upload's path */
	bool archive;
	const char *opened; /* the folder of an archive; "" of a plain file */
	const char *const *paths; /* of exports */
	size_t count;
	bool has_pictures;
	struct beneath pictures; /* the folder that has them */
};

#define MOVING_FETCH_SECONDS 10 /* for one picture: a slice takes so much longer at most */

/* ---- the files of an import */

#define DEPTH_MAX 40
#define ENTRIES_MAX 200000
#define SENTENCE_MAX ((size_t)64 * 1024)

/* Says where they are, and whether it is an archive. Refuses a file that is gone. */
static struct err *
moving_files_find(struct ctx *c, const struct moving *m, struct moving_files *out)
{
	static const char zip[4] = { 'P', 'K', 3, 4 };
	char head[sizeof(zip)];
	int fd;

	*out = (struct moving_files) { .sent = uploads_path(c, m->upload), .opened = "" };
	fd = fileio_open(out->sent, O_RDONLY | O_NOFOLLOW);
	if (fd < 0)
		return refuse(c, ERR_NOT_FOUND, "%s",
		    tr_mark("The file that was sent is not here any more. Send it again."));
	out->archive = read(fd, head, sizeof(head)) == (ssize_t)sizeof(head) &&
		       memcmp(head, zip, sizeof(zip)) == 0;
	close(fd);
	if (out->archive)
		out->opened =
		    arena_printf(c->arena, "%s/console/opened-%s", c->instance->run, m->upload);
	return NULL;
}

bool
moving_files_are_elsewhere(struct ctx *c, const struct task *t)
{
	int64_t last_at = t->slice_at > t->created_at ? t->slice_at : t->created_at;
	const struct moving *m;

	if (!lease_is_shared() || c->now - last_at > CLOCK_DAY)
		return false;
	m = moving_find(c, t->id);
	return m != NULL && access(uploads_path(c, m->upload), F_OK) != 0;
}

/* ---- what an archive has */

struct walk {
	struct ctx *c;
	struct moving_files *out;
	const char *ending; /* of an export's name */
	const char **paths;
	bool pictures; /* somewhere */
	const char *uploads; /* the folder of pictures after which the addresses begin, or NULL */
	size_t entries;
};

static bool
ends(const char *name, const char *ending)
{
	size_t len = strlen(name), n = strlen(ending);

	return len > n && strcasecmp(name + len - n, ending) == 0;
}

static bool
is_picture(const char *name)
{
	return ends(name, ".jpg") || ends(name, ".jpeg") || ends(name, ".png") ||
	       ends(name, ".gif") || ends(name, ".webp");
}

static void
meet_file(struct walk *k, const char *path)
{
	size_t count = k->out->count, size = sizeof(*k->paths);

	if (is_picture(path)) {
		k->pictures = true;
		return;
	}
	if (!ends(path, k->ending))
		return;
	k->paths = arena_grow(k->c->arena, k->paths, count * size, (count + 1) * size);
	k->paths[k->out->count++] = path;
}

/* Goes through a folder that galley-unpack filled: it holds folders and plain files alone. */
static void
walk(struct walk *k, const char *folder, int depth)
{
	DIR *dir = depth > DEPTH_MAX ? NULL : opendir(folder);
	const struct dirent *entry;
	struct stat st;

	while (dir != NULL && (entry = readdir(dir)) != NULL && k->entries++ < ENTRIES_MAX) {
		const char *path = fileio_path(k->c->arena, folder, entry->d_name);
		if (entry->d_name[0] == '.' || lstat(path, &st) != 0)
			continue;
		if (S_ISREG(st.st_mode))
			meet_file(k, path);
		if (!S_ISDIR(st.st_mode))
			continue;
		if (k->uploads == NULL &&
		    (strcmp(entry->d_name, "uploads") == 0 || strcmp(entry->d_name, "images") == 0))
			k->uploads = path;
		walk(k, path, depth + 1);
	}
	if (dir != NULL)
		closedir(dir);
}

static int
by_bytes(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Finds the exports of an archive, in the order of their names, so that each step meets the
 * same. */
static struct err *
list_archive(struct ctx *c, const struct moving *m, struct moving_files *out)
{
	bool ghost = strcmp(m->program, "ghost") == 0;
	struct walk k = { .c = c, .out = out, .ending = ghost ? ".json" : ".xml" };

	walk(&k, out->opened, 0);
	if (out->count == 0)
		return refuse(c, ERR_INVALID, "%s",
		    ghost ? tr_mark("There is no .json file in the archive.")
			  : tr_mark("There is no .xml file in the archive."));
	if (ghost && out->count > 1)
		return refuse(c, ERR_INVALID, "%s",
		    tr_mark(
			"There are several .json files in the archive. Send one with Ghost's export alone."));
	qsort(k.paths, out->count, sizeof(*k.paths), by_bytes);
	out->paths = k.paths;
	out->has_pictures =
	    k.pictures &&
	    beneath_open(c->arena, k.uploads != NULL ? k.uploads : out->opened, &out->pictures);
	return NULL;
}

/* Finds the exports, and the folder of their pictures. Refuses an archive without one. */
static struct err *
moving_files_list(struct ctx *c, const struct moving *m, struct moving_files *out)
{
	const char **paths = arena_array(c->arena, 1, sizeof(*paths));

	if (out->archive && strcmp(m->program, "markdown") != 0)
		return list_archive(c, m, out);
	paths[0] = out->sent;
	out->paths = paths;
	out->count = 1;
	return NULL;
}

/* Returns the text with every `what` replaced. */
static const char *
replaced(struct ctx *c, const char *text, const char *what, const char *by)
{
	struct buf out;
	const char *at;

	if (what[0] == '\0' || strstr(text, what) == NULL)
		return text;
	buf_init(&out, c->arena, SENTENCE_MAX);
	while ((at = strstr(text, what)) != NULL) {
		buf_add(&out, text, (size_t)(at - text));
		buf_add_text(&out, by);
		text = at + strlen(what);
	}
	buf_add_text(&out, text);
	return buf_full(&out) ? text : buf_done(&out);
}

/* Returns a sentence without the folders in which the files are: people never saw them. */
static const char *
moving_files_words(struct ctx *c, const struct moving_files *files, const char *sentence)
{
	sentence = replaced(c, sentence, arena_printf(c->arena, "%s: ", files->sent), "");
	sentence = replaced(c, sentence, files->sent, "The file");
	if (files->opened[0] != '\0')
		sentence = replaced(c, sentence, arena_printf(c->arena, "%s/", files->opened), "");
	return sentence;
}

/* ---- unpacking an archive */

#define PROGRAM "galley-unpack"
#define SECONDS "5"
#define KILLED_AFTER_S 60 /* one file may take longer than the seconds */
#define SAID_MAX ((size_t)200)
#define NOT_STARTED 127
#define PREFIX "opened-"

/* Removes a folder and all below it; no link is followed. */
static void
remove_all(int at, const char *name, int depth)
{
	int fd = openat(at, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	const struct dirent *entry;

	while (dir != NULL && depth < DEPTH_MAX && (entry = readdir(dir)) != NULL) {
		if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
			continue;
		if (unlinkat(fd, entry->d_name, 0) != 0)
			remove_all(fd, entry->d_name, depth + 1);
	}
	if (dir != NULL)
		closedir(dir);
	else if (fd >= 0)
		close(fd);
	(void)unlinkat(at, name, AT_REMOVEDIR);
}

/* ---- the program */

static _Noreturn void
child(const char *program, int archive, int out, char *const *words)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	alarm(KILLED_AFTER_S);
	if (dup2(archive, STDIN_FILENO) >= 0 && dup2(out, STDOUT_FILENO) >= 0)
		execv(program, words);
	_exit(NOT_STARTED);
}

/* Starts the program, and returns what it said, or NULL; *status is that of waitpid(). */
static const char *
run(struct ctx *c, const struct moving *m, const struct moving_files *files, int *status)
{
	const char *program = arena_printf(c->arena, "%s/bin/" PROGRAM, c->instance->programs);
	const char *words[] = { PROGRAM, files->opened,
		arena_printf(c->arena, "%" PRId64, m->entries),
		arena_printf(c->arena, "%" PRId64, m->bytes), SECONDS, NULL };
	int archive = fileio_open(files->sent, O_RDONLY | O_NOFOLLOW), ends[2];
	const char *said;
	pid_t pid;

	*status = NOT_STARTED << 8;
	if (archive < 0 || pipe2(ends, O_CLOEXEC) != 0)
		die_passing(10, "%s: %s", files->sent, strerror(errno));
	pid = fork();
	if (pid == 0)
		child(program, archive, ends[1], (char *const *)words);
	close(archive);
	close(ends[1]);
	said = pid < 0 ? NULL : fileio_read_fd(c->arena, ends[0], SAID_MAX, NULL);
	close(ends[0]);
	while (pid > 0 && waitpid(pid, status, 0) < 0 && errno == EINTR)
		continue;
	return said;
}

/* ---- what it said */

static struct err *
refused(struct ctx *c, const char *why)
{
	static const struct {
		const char *word, *sentence;
	} reasons[] = {
		{ "no entries\n", tr_mark("The archive has more than 100,000 files.") },
		{ "no bytes\n",
		    tr_mark(
			"The archive holds more than 8 GiB, or more than a hundred times its own size.") },
		{ "no disk\n",
		    tr_mark(
			"The disk of this instance has not enough space for what the archive holds. Ask the operator.") },
		{ "no encrypted\n", tr_mark("The archive has a password. Make it without one.") },
	};

	for (size_t i = 0; i < sizeof(reasons) / sizeof(reasons[0]); i++) {
		if (strcmp(why, reasons[i].word) == 0)
			return refuse(c, ERR_INVALID, "%s", reasons[i].sentence);
	}
	return refuse(
	    c, ERR_INVALID, "%s", tr_mark("The archive is damaged, or is not a zip archive."));
}

static struct err *
unpack(struct ctx *c, struct moving *m, struct task *t, const struct moving_files *files)
{
	int status;
	const char *said;
	char word[8];

	if (mkdir(files->opened, 0700) != 0 && errno != EEXIST)
		die_passing(10, "%s: %s", files->opened, strerror(errno));
	said = run(c, m, files, &status);
	(void)FAULT("archive-unpacked");
	if (WIFEXITED(status) && WEXITSTATUS(status) == NOT_STARTED)
		return refuse(c, ERR_INVALID, "%s",
		    tr_mark(
			"Archives cannot be opened here. Unpack it, and send the export that is in it."));
	if (said == NULL || status != 0)
		said = "";
	if (sscanf(said, "%7s %" SCNd64 " %" SCNd64, word, &m->entries, &m->bytes) != 3)
		return refused(c, said);
	if (strcmp(word, "done") == 0)
		t->number = 1;
	return NULL;
}

static void
note_unpacked(struct ctx *c, const struct moving *m, const struct task *t)
{
	db_begin_write(c, DB_CONSOLE, DB_CHANGES_NOTHING, 0, 0);
	uploading_touch(c, m->upload);
	moving_update(c, m);
	(void)task_advance(c, t);
	db_commit(c);
}

/* Unpacks for one slice. Sets *prepared, and t->number, if there is nothing left to unpack.
 * Refuses an archive that is refused, and one where there is no galley-unpack. */
static struct err *
moving_unpack(struct ctx *c, struct task *t, bool *prepared)
{
	struct moving_files files;
	struct moving *m;
	struct err *err;

	*prepared = t->number != 0;
	if (*prepared)
		return NULL;
	db_begin_read(c, DB_CONSOLE);
	m = moving_find(c, t->id);
	db_rollback(c);
	/* What is wrong with it is told by its step. */
	if (m == NULL || moving_files_find(c, m, &files) != NULL || !files.archive) {
		*prepared = true;
		return NULL;
	}
	err = unpack(c, m, t, &files);
	if (err != NULL) {
		/* It may be a hundred times the upload, which alone counts for the account. */
		remove_all(AT_FDCWD, files.opened, 0);
		return err;
	}
	note_unpacked(c, m, t);
	return NULL;
}

/* ---- what is left over */

/* Returns the upload of a file or folder that an import made, or NULL. */
static const char *
upload_of(struct ctx *c, const char *name)
{
	static const char *const prefixes[] = { PREFIX, MOVING_FETCHED };
	char uuid[UUID_TEXT];

	for (size_t i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++) {
		size_t len = strlen(prefixes[i]);
		if (strncmp(name, prefixes[i], len) == 0 && uuid_parse(name + len, uuid))
			return arena_text(c->arena, uuid);
	}
	return NULL;
}

bool
moving_unpack_sweep(struct ctx *c, bool only_look)
{
	DIR *dir = opendir(fileio_path(c->arena, c->instance->run, "console"));
	const struct dirent *entry;
	const char *uuid;
	bool found = false, there;

	while (dir != NULL && (entry = readdir(dir)) != NULL) {
		uuid = upload_of(c, entry->d_name);
		if (uuid == NULL)
			continue;
		there = access(uploads_path(c, uuid), F_OK) == 0;
		found = found || !there;
		if (!there && !only_look && unlinkat(dirfd(dir), entry->d_name, 0) != 0)
			remove_all(dirfd(dir), entry->d_name, 0);
	}
	if (dir != NULL)
		closedir(dir);
	return found;
}

/* ---- pictures */

#define MIB ((int64_t)1024 * 1024)

/* The client of this process, which works on one slice. A confined process starts none. */
static struct remote *client;

struct err *
moving_prepare(struct ctx *c, struct task *t, bool *prepared)
{
	const struct remote_how how = { .limit_s = MOVING_FETCH_SECONDS };
	struct err *err = moving_unpack(c, t, prepared);
	const struct moving *m;

	if (err != NULL || !*prepared)
		return err;
	db_begin_read(c, DB_CONSOLE);
	m = moving_find(c, t->id);
	db_rollback(c);
	if (m == NULL || !m->fetch || m->dry)
		return NULL;
	client = remote_open(c, &how);
	remote_start(c, client);
	return NULL;
}

/* Returns what fetches, in the arena, or NULL if nothing is fetched. */
static struct fetch *
moving_pictures_open(struct ctx *c, const struct moving *m)
{
	if (client == NULL || !m->fetch || m->dry)
		return NULL;
	return fetch_resume(c, client,
	    arena_printf(c->arena, "%s/console/" MOVING_FETCHED "%s", c->instance->run, m->upload));
}

/* Returns how many bytes of pictures may be stored. Outside of transactions. */
static int64_t
moving_pictures_room(struct ctx *c, const struct workspace *w)
{
	struct console_conf conf;
	int64_t taken;

	if (!disk_has_room(c->instance->media, PICTURE_GIVEN_MAX))
		return 0;
	console_conf_read(c, &conf);
	db_begin_read(c, DB_CONTENT);
	taken = picture_list_bytes(c, w->account_id);
	db_rollback(c);
	return conf.account_mib * MIB - taken;
}

/* ---- steps */

#define STEP (4 * CLOCK_SECOND)
#define NOTED 20 /* items that are noted at once */
#define TITLE 100 /* characters of a title */
#define TEXT_MAX ((size_t)8 * 1024 * 1024)
#define SOURCE "moving:"

struct moving_run {
	struct task_gate gate;
	struct ctx *c;
	const struct workspace *w;
	struct task *t;
	struct moving *m;
	struct moving_files files;
	struct arena *kept; /* of the step: items have their own */
	struct work work;
	int64_t until; /* boot clock */
	bool cut; /* the work was told to stop */
	bool any; /* an item is done, or a picture fetched: a step does one at least */
	int64_t room; /* bytes of pictures that may be stored */
	struct moving_item items[NOTED];
	size_t count;
	size_t met; /* items since the last note, those that were passed over too */
	const struct pictures *pictures; /* of this step; NULL: they are not counted */
	size_t stored, left; /* of its pictures, when it was noted last */
	struct tally losses, skipped;
};

/* ---- what became of the items */

/* Adds the pictures since the last note. Only an item that is done changes their numbers: one that
 * is cut gives them back (import/other.c). */
static void
count_pictures(struct moving_run *s)
{
	if (s->pictures == NULL)
		return;
	s->m->pictures += (int64_t)(s->pictures->stored - s->stored);
	s->m->pictures_left += (int64_t)(s->pictures->left - s->left);
	s->stored = s->pictures->stored;
	s->left = s->pictures->left;
}

/* Writes what became of the items since the last note, and that they are done. Another host that
 * has taken the task over notes them itself. */
static void
note(struct moving_run *s)
{
	struct ctx *c = s->c;
	int64_t id = s->t->id;

	if (s->met == 0)
		return;
	s->t->number += (int64_t)s->met;
	s->t->done = s->t->number - 1;
	count_pictures(s);
	db_begin_write(c, DB_CONSOLE, DB_CHANGES_NOTHING, 0, 0);
	gate_skip(c);
	if (!task_is_mine(c, s->t)) {
		db_rollback(c);
		s->gate.lost = true;
		return;
	}
	for (size_t i = 0; i < s->count; i++)
		moving_add_item(c, id, &s->items[i]);
	for (size_t i = 0; i < s->losses.count; i++)
		moving_add_loss(c, id,
		    &(struct moving_loss) { .kind = s->losses.kinds[i].text,
			.count = (int64_t)s->losses.kinds[i].count });
	for (size_t i = 0; i < s->skipped.count; i++)
		moving_add_loss(c, id,
		    &(struct moving_loss) { .kind = s->skipped.kinds[i].text,
			.count = (int64_t)s->skipped.kinds[i].count,
			.skipped = true });
	moving_update(c, s->m);
	(void)task_advance(c, s->t);
	db_commit(c);
	(void)FAULT("moving-noted");
	s->met = s->count = s->losses.count = s->skipped.count = 0;
}

/* Returns a note without the words of the tool: "(--force brings it back)". */
static const char *
plain_note(struct moving_run *s, const char *text)
{
	const char *from, *to;

	text = moving_files_words(s->c, &s->files, text);
	from = strstr(text, " (--");
	to = from == NULL ? NULL : strchr(from, ')');
	if (to == NULL)
		return text;
	return arena_printf(s->c->arena, "%.*s%s", (int)(from - text), text, to + 1);
}

/* Joins notes as lines, and counts them by their kinds but for the last `uncounted`. */
static const char *
join(struct moving_run *s, const char *const *lines, size_t count, size_t uncounted)
{
	struct buf out;

	buf_init(&out, s->kept, MOVING_NOTES_MAX + 4);
	for (size_t i = 0; i < count; i++) {
		const char *line = plain_note(s, lines[i]);
		if (i + uncounted < count)
			tally_note(&s->losses, line);
		if (out.len + strlen(line) + 2 > MOVING_NOTES_MAX)
			continue;
		if (out.len > 0)
			buf_add_char(&out, '\n');
		buf_add_text(&out, line);
	}
	return out.len == 0 ? "" : buf_done(&out);
}

static const char *
count_outcome(struct moving *m, const struct import_result *r, bool failed)
{
	if (failed) {
		m->failed++;
		return "failed";
	}
	switch (r->action) {
	case IMPORT_CREATED:
		m->created++;
		break;
	case IMPORT_UPDATED:
		m->updated++;
		break;
	default:
		m->unchanged++;
	}
	return import_action_name(r->action);
}

/* Keeps an item until it is noted. */
static void
keep(struct moving_run *s, const char *title, const struct import_result *r, bool failed,
    const char *notes)
{
	s->items[s->count++] = (struct moving_item) { .number = s->t->number + (int64_t)s->met,
		.title = arena_text(s->kept, title),
		.article = failed || r->id == NULL || (s->m->dry && r->action == IMPORT_CREATED)
			       ? ""
			       : arena_text(s->kept, r->id),
		.outcome = count_outcome(s->m, r, failed),
		.notes = notes };
}

static void
end_item(struct moving_run *s)
{
	s->any = true;
	s->met++;
	if (s->met >= NOTED)
		note(s);
}

/* Is told of each post of another program (import/other.h). */
static void
each_post(void *arg, const struct other_item *item)
{
	struct moving_run *s = arg;
	struct ctx *c = s->c;
	bool failed;

	if (s->gate.lost)
		return;
	s->m->pages += item->page;
	if (item->skipped != NULL) {
		tally_add(&s->skipped, item->skipped);
		s->m->skipped++;
		end_item(s);
		return;
	}
	failed = item->err != NULL || item->result->status == NULL;
	keep(s,
	    item->title == NULL ? item->post->key
				: facts_cut(c, htmlmap_plain(c, item->title), TITLE),
	    item->result, failed,
	    join(s, item->notes->lines, item->notes->count, item->err != NULL));
	end_item(s);
}

/* Is told of each document (import/import.h). */
static void
each_file(void *arg, const struct import_item *item)
{
	struct moving_run *s = arg;
	const struct import_result *r = &item->result;
	const char **lines = arena_array(s->c->arena, r->note_count + 1, sizeof(*lines));

	if (s->gate.lost)
		return;
	for (size_t i = 0; i < r->note_count; i++)
		lines[i] = r->notes[i];
	if (item->err != NULL)
		lines[r->note_count] = item->err->message;
	keep(s, item->name, r, item->err != NULL,
	    join(s, lines, r->note_count + (item->err != NULL), item->err != NULL));
	end_item(s);
}

/* ---- the works */

static bool
must_stop(void *arg)
{
	struct moving_run *s = arg;

	s->cut =
	    s->cut || s->gate.lost || stop_signal() != 0 || (s->any && clock_boot() >= s->until);
	return s->cut;
}

/* Is asked before each picture that is fetched. */
static bool
may_ask(void *arg)
{
	struct moving_run *s = arg;

	if (must_stop(s))
		return false;
	s->any = true;
	return true;
}

static void
know_total(void *arg, const char *what, enum work_unit unit, int64_t total)
{
	struct moving_run *s = arg;

	(void)what;
	(void)unit;
	s->t->total = total;
}

static struct err *
import_other(struct moving_run *s)
{
	struct other *o = arena_alloc(s->kept, sizeof(*o));
	struct fetch *fetch = moving_pictures_open(s->c, s->m);
	struct err *err;

	*o = (struct other) { .program = strcmp(s->m->program, "ghost") == 0 ? OTHER_GHOST
									     : OTHER_WORDPRESS,
		.paths = s->files.paths,
		.count = s->files.count,
		.skip = (size_t)(s->t->number - 1),
		.each = each_post,
		.arg = s,
		.options = { .publish = s->m->publish,
		    .dry = s->m->dry,
		    .pages = s->m->with_pages,
		    .site = s->m->site[0] == '\0' ? NULL : s->m->site },
		.pictures = { .c = s->c,
		    .dry = s->m->dry,
		    .mode = s->files.has_pictures ? PICTURES_FOLDER
			    : fetch != NULL	  ? PICTURES_FETCH
						  : PICTURES_KEEP,
		    .folder = s->files.pictures,
		    .fetch = fetch,
		    .may_ask = may_ask,
		    .arg = s,
		    .room = &s->room } };
	o->pictures.hosts.arena = o->pictures.failed.arena = s->kept;
	s->pictures = &o->pictures;
	err = other_import(s->c, &s->work, s->w, o);
	if (fetch != NULL)
		fetch_close(fetch);
	return err;
}

/* Imports one document that is not in an archive. */
static struct err *
import_one(struct moving_run *s, const struct import_options *options)
{
	struct ctx *c = s->c;
	struct import_item item = { .path = s->files.sent, .name = tr_mark("The document") };
	size_t len;
	char *text;

	know_total(s, "", WORK_PIECES, 1);
	if (s->t->number > 1)
		return NULL;
	text = fileio_read(c->arena, s->files.sent, TEXT_MAX, &len);
	if (text == NULL)
		return refuse(
		    c, ERR_INVALID, tr_mark("The file is longer than %zu MiB."), TEXT_MAX >> 20);
	item.err = import_text(c, s->w, text, len, options, &item.result);
	each_file(s, &item);
	return NULL;
}

static struct err *
import_markdown(struct moving_run *s)
{
	struct import_options options = {
		.publish = s->m->publish, .dry = s->m->dry, .source = SOURCE, .room = &s->room
	};
	struct ctx *c = s->c;
	struct import_paths files = { NULL, 0, 0 }, odd = { NULL, 0, 0 };
	struct import_item *items;
	size_t skip = (size_t)(s->t->number - 1);

	if (!s->files.archive)
		return import_one(s, &options);
	TRY(import_walk(c, s->files.opened, &files, &odd));
	if (files.count == 0)
		return refuse(c, ERR_INVALID, "%s",
		    tr_mark("There is no .md or .markdown file in the archive."));
	items = arena_array(s->kept, files.count, sizeof(*items));
	for (size_t i = 0; i < files.count; i++)
		items[i] = (struct import_item) { .path = files.items[i].path,
			.folder = files.items[i].folder,
			.name = files.items[i].name };
	if (skip < files.count)
		(void)import_files(
		    c, &s->work, s->w, &options, items + skip, files.count - skip, each_file, s);
	s->t->total = (int64_t)files.count;
	return NULL;
}

static struct err *
import(struct moving_run *s, bool *more)
{
	struct ctx *c = s->c;
	struct err *err = moving_files_list(c, s->m, &s->files);
	struct text_room texts;

	if (err == NULL) {
		c->gate = &s->gate.gate;
		text_room_begin(c, s->w->account_id, s->t->account, &texts);
		err = strcmp(s->m->program, "markdown") == 0 ? import_markdown(s) : import_other(s);
		text_room_end(c);
		c->gate = NULL;
	}
	if (err == NULL)
		note(s);
	*more = s->cut && s->t->done < s->t->total;
	return err;
}

/* Reads what is to be done, and says that the upload is used. */
static struct err *
begin(struct moving_run *s)
{
	struct ctx *c = s->c;

	db_begin_write(c, DB_CONSOLE, DB_CHANGES_NOTHING, 0, 0);
	s->m = moving_find(c, s->t->id);
	if (s->m != NULL)
		uploading_touch(c, s->m->upload);
	db_commit(c);
	return s->m != NULL ? moving_files_find(c, s->m, &s->files)
			    : refuse(c, ERR_NOT_FOUND, "%s", tr_mark("Its row was damaged."));
}

struct err *
moving_step(
    struct ctx *c, const struct workspace *w, struct task *t, bool *more, const char **report)
{
	struct moving_run *s = arena_alloc(c->arena, sizeof(*s));
	struct err *err;

	*s = (struct moving_run) { .c = c,
		.w = w,
		.t = t,
		.kept = c->arena,
		.until = clock_boot() + STEP,
		.work = { .begin = know_total, .must_stop = must_stop, .arg = s } };
	task_gate_init(&s->gate, w, t, MOVING_RIGHTS);
	s->losses.arena = s->skipped.arena = c->arena;
	*report = tr_mark("It came to its end.");
	*more = true;
	err = begin(s);
	if (err == NULL && t->number == 0)
		t->number = 1;
	s->room = moving_pictures_room(c, w);
	if (err == NULL)
		err = import(s, more);
	if (err != NULL)
		err = refuse(c, err->code, "%s", moving_files_words(c, &s->files, err->message));
	return err;
}
