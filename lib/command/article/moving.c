#include "command/article/moving.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "content/snapshot.h"
#include "export/facts.h"
#include "import/html/htmlmap.h"
#include "system/stop.h"
#include "terminal/csv.h"
#include "terminal/terminal.h"

#define ROW_MAX ((size_t)64 << 20) /* a title or a note may be long */

/* Opens a new file, or empties an old one. A link in its place is not followed,
 * because its target may be another user's file; those of /dev belong to the
 * system. */
static FILE *
open_report(const char *path)
{
	bool device = strncmp(path, "/dev/", 5) == 0;
	int fd =
	    open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | (device ? 0 : O_NOFOLLOW), 0666);

	return fd < 0 ? NULL : fdopen(fd, "w");
}

/* Tells what is stored if the import ends early. */
static void
tell_rest(const struct moving *m, const char *why)
{
	note_say(
	    "galley: %s%zu posts were imported, %zu failed. The same command again does the rest: what is stored stays unchanged.",
	    why, m->created + m->updated + m->unchanged, m->failed);
}

static void end_json(struct moving *m);

/* Tells the rest when the process dies in a post: nothing of that post is stored. */
static void
on_death(struct call *call)
{
	if (call->as_json)
		end_json(call->death_arg);
	call_flush(call, true);
	tell_rest(call->death_arg, "");
}

static other_each tell;

struct err *
moving_begin(struct moving *m, const char *report)
{
	struct jwrite *j = &m->call->json;

	m->work = call_work(m->call);
	m->other.each = tell;
	m->other.arg = m;
	m->skipped.arena = m->lost.arena = m->hidden.arena = m->kept;
	m->other.pictures.hosts.arena = m->other.pictures.failed.arena = m->kept;
	if (report != NULL) {
		m->report = open_report(report);
		if (m->report == NULL && errno == ELOOP)
			return refuse(m->c, ERR_INVALID,
			    "%s is a link; name the file that the report should be.", report);
		if (m->report == NULL)
			return refuse(m->c, ERR_INVALID, "%s: %s.", report, strerror(errno));
		fputs("file,source,title,id,slug,status,action,note\r\n", m->report);
	}
	if (m->call->as_json) {
		jwrite_object(j);
		jwrite_member_array(j, "articles");
	}
	m->call->on_death = on_death;
	m->call->death_arg = m;
	return NULL;
}

/* Returns the title as people read it: in an export it is HTML. */
static const char *
plain_title(struct moving *m, const char *title)
{
	return title == NULL ? NULL
			     : facts_cut(m->c, htmlmap_plain(m->c, title), SNAPSHOT_TITLE_MAX);
}

static void
report(struct moving *m, const struct other_item *item, const char *action, const char *note)
{
	const struct import_result *r = item->result;
	const char *const cells[] = { item->path, item->post == NULL ? NULL : item->post->key,
		plain_title(m, item->title), r == NULL ? NULL : r->id, r == NULL ? NULL : r->slug,
		r == NULL || item->err != NULL ? NULL : r->status, action, note };
	struct buf row;

	if (m->report == NULL)
		return;
	buf_init(&row, m->c->arena, ROW_MAX);
	csv_row(&row, cells, sizeof(cells) / sizeof(cells[0]));
	(void)fwrite(row.data, 1, row.len, m->report);
	(void)fflush(m->report);
}

static void
post_to_json(
    struct moving *m, const struct other_item *item, const char *status, const char *action)
{
	const struct import_result *r = item->result;
	struct jwrite *j = &m->call->json;

	if (!m->call->as_json)
		return;
	jwrite_object(j);
	jwrite_member_text(j, "path", item->path);
	jwrite_member_text(j, "source", item->post->key);
	jwrite_member_text(j, "id", r->id);
	jwrite_member_text(j, "slug", r->slug);
	jwrite_member_text(j, "status", status);
	jwrite_member_text(j, "action", action);
	jwrite_member_array(j, "notes");
	for (size_t i = 0; i < item->notes->count; i++)
		jwrite_text(j, item->notes->lines[i]);
	jwrite_array_end(j);
	jwrite_object_end(j);
}

/* Counts an article, and returns what was done with it. */
static const char *
count_action(struct moving *m, const struct import_result *r, bool failed)
{
	if (failed) {
		m->failed++;
		m->call->status = 1;
		return NULL;
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

static void
tell_article(struct moving *m, const struct other_item *item)
{
	const struct import_result *r = item->result;
	bool failed = item->err != NULL || r->status == NULL;
	const struct notes *notes = item->notes;
	const char *action;

	/* The last note of a refused one is the refusal. */
	for (size_t i = 0; i < notes->count - (item->err != NULL); i++)
		tally_note(&m->lost, notes->lines[i]);
	if (item->err != NULL)
		note_say("galley: %s: %s: %s", item->path, item->post->key, item->err->message);
	else if (r->id != NULL && r->action != IMPORT_UNCHANGED)
		call_changed(m->call, r->id);
	action = count_action(m, r, failed);
	if (item->err == NULL && item->post->private != NULL)
		tally_add(&m->hidden,
		    arena_printf(m->c->arena, "%s  (%s)",
			item->title == NULL ? item->post->key : plain_title(m, item->title),
			item->post->private));
	post_to_json(m, item, failed ? "failed" : r->status, action);
	for (size_t i = 0; i < notes->count; i++)
		report(m, item, action == NULL ? "failed" : action, notes->lines[i]);
	if (notes->count == 0)
		report(m, item, action, NULL);
}

/* Tells what became of an item. */
static void
tell(void *arg, const struct other_item *item)
{
	struct moving *m = arg;

	if (item->skipped == NULL) {
		tell_article(m, item);
		return;
	}
	tally_add(&m->skipped, item->skipped);
	m->pages_skipped += item->page;
	report(m, item, "skipped", item->skipped);
}

static void
say_tally(struct call *call, const char *heading, struct tally *t, bool counted)
{
	if (t->count == 0)
		return;
	tally_sort(t);
	call_say(call, "\n%s", heading);
	for (size_t i = 0; i < t->count; i++) {
		if (counted)
			call_say(call, "  %6zu  %s", t->kinds[i].count, t->kinds[i].text);
		else
			call_say(call, "  %s", t->kinds[i].text);
	}
}

static void
tally_to_json(struct jwrite *j, const char *name, struct tally *t)
{
	tally_sort(t);
	jwrite_member_object(j, name);
	for (size_t i = 0; i < t->count; i++)
		jwrite_member_int(j, t->kinds[i].text, (int64_t)t->kinds[i].count);
	jwrite_object_end(j);
}

static void
end_json(struct moving *m)
{
	struct jwrite *j = &m->call->json;

	jwrite_array_end(j);
	jwrite_member_bool(j, "dry_run", m->other.options.dry);
	tally_to_json(j, "skipped", &m->skipped);
	tally_to_json(j, "notes", &m->lost);
	jwrite_member_object(j, "pictures");
	jwrite_member_int(j, "stored", (int64_t)m->other.pictures.stored);
	tally_to_json(j, "failed", &m->other.pictures.failed);
	tally_to_json(j, "hosts", &m->other.pictures.hosts);
	jwrite_object_end(j);
	jwrite_object_end(j);
}

static void
end_text(struct moving *m)
{
	struct call *call = m->call;

	call_say(call, "%s%zu created, %zu updated, %zu unchanged, %zu failed.",
	    m->other.options.dry ? "Nothing was written. It would be: " : "", m->created,
	    m->updated, m->unchanged, m->failed);
	say_tally(call, "Not for everyone there, and drafts here:", &m->hidden, false);
	say_tally(call, "Skipped:", &m->skipped, true);
	if (m->pages_skipped > 0)
		call_say(call, "  With --pages, pages become articles, too.");
	say_tally(call, "What was lost, changed or not done:", &m->lost, true);
	if (m->other.pictures.stored > 0)
		call_say(call, "\nPictures %s: %zu", m->other.options.dry ? "to store" : "stored",
		    m->other.pictures.stored);
	say_tally(
	    call, "Pictures that still live elsewhere, by host:", &m->other.pictures.hosts, true);
	say_tally(call, "Pictures that could not be had:", &m->other.pictures.failed, false);
}

struct err *
moving_end(struct moving *m)
{
	work_end(m->work);
	m->call->on_death = NULL;
	if (work_must_stop(m->work)) {
		tell_rest(m, "stopped: ");
		m->call->status = 128 + stop_signal();
	}
	if (m->call->as_json)
		end_json(m);
	else
		end_text(m);
	if (m->report != NULL && (ferror(m->report) != 0 || fclose(m->report) != 0))
		return refuse(
		    m->c, ERR_INTERNAL, "The report could not be written: %s.", strerror(errno));
	return NULL;
}
