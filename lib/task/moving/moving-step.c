#include "task/moving/moving-step.h"

#include <string.h>

#include "access/workspace.h"
#include "action/moving/moving-in.h"
#include "article/desk/text-room.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "base/fileio.h"
#include "export/facts.h"
#include "import/html/htmlmap.h"
#include "import/import.h"
#include "import/other.h"
#include "screen/tr.h"
#include "store/db.h"
#include "system/fault.h"
#include "system/stop.h"
#include "system/work.h"
#include "task/moving/moving-files.h"
#include "task/moving/moving-pictures.h"
#include "task/task-gate.h"

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
	struct tally losses, skipped;
};

/* ---- what became of the items */

/* Writes what became of the items since the last note, and that they are done. Another host that
 * has taken the task over notes them itself. */
static void
note(struct moving_run *s)
{
	struct ctx *c = s->c;
	struct gate *gate = c->gate;
	int64_t id = s->t->id;

	if (s->met == 0)
		return;
	s->t->number += (int64_t)s->met;
	s->t->done = s->t->number - 1;
	c->gate = NULL;
	db_begin_write(c, DB_CONSOLE, DB_CHANGES_NOTHING, 0, 0);
	if (!task_is_mine(c, s->t)) {
		db_rollback(c);
		s->gate.lost = true;
		c->gate = gate;
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
	c->gate = gate;
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
	size_t before;

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
	before = o->pictures.stored;
	err = other_import(s->c, &s->work, s->w, o);
	if (fetch != NULL)
		fetch_close(fetch);
	s->m->pictures += (int64_t)(o->pictures.stored - before);
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
	struct err *err;

	if (!s->files.archive)
		return import_one(s, &options);
	err = import_walk(c, s->files.opened, &files, &odd);
	if (err == NULL && files.count == 0)
		err = refuse(c, ERR_INVALID, "%s",
		    tr_mark("There is no .md or .markdown file in the archive."));
	if (err != NULL)
		return err;
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
