/* galley article import | addresses: how articles move in, and where they were and are. */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "action/action.h"
#include "action/article/article-addresses.h"
#include "article/article.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "command/call-words.h"
#include "command/call.h"
#include "command/commands.h"
#include "content/snapshot.h"
#include "content/url.h"
#include "export/facts.h"
#include "import/htmlmap.h"
#include "import/import.h"
#include "import/losses.h"
#include "import/other.h"
#include "system/work.h"
#include "terminal/csv.h"
#include "terminal/terminal.h"

/*
 * ---- what an import of another program's export prints
 *
 * Counts while it runs, then what became of the posts, how much was lost of each kind, and what was
 * not for everyone; with --report a CSV file has every line.
 */

#define ROW_MAX ((size_t)64 << 20) /* a title or a note may be long */

struct moving {
	struct ctx *c;
	struct call *call;
	struct arena *kept; /* for what outlives a post */
	struct other other;
	FILE *report; /* or NULL; each line is written when it is there */
	const struct work *work; /* its progress: items of all files, or of this one */
	size_t created, updated, unchanged, failed, pages_skipped;
	struct tally skipped, lost, hidden;
};

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
moving_rest(const struct moving *m, const char *why)
{
	note_say(
	    "galley: %s%zu posts were imported, %zu failed. The same command again does the rest: what is stored stays unchanged.",
	    why, m->created + m->updated + m->unchanged, m->failed);
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
moving_item(void *arg, const struct other_item *item)
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

/* Tells the rest when the process dies in a post: nothing of that post is stored. */
static void
moving_died(struct call *call)
{
	if (call->as_json)
		end_json(call->death_arg);
	call_flush(call, true);
	moving_rest(call->death_arg, "");
}

/* Opens the report if one is asked for, and begins the JSON. m->other tells what became
 * of each item from then on. */
static struct err *
moving_begin(struct moving *m, const char *report)
{
	struct jwrite *j = &m->call->json;

	m->work = call_work(m->call);
	m->other.each = moving_item;
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
	m->call->on_death = moving_died;
	m->call->death_arg = m;
	return NULL;
}

/* Prints the counts. */
static struct err *
moving_end(struct moving *m)
{
	work_end(m->work);
	m->call->on_death = NULL;
	if (work_must_stop(m->work)) {
		moving_rest(m, "stopped: ");
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

/* ---- galley article import --from PROGRAM */

/* Reads --site, without slashes at its end. */
static struct err *
read_site(struct ctx *c, const struct call *call, const char **site)
{
	const char *given = call_option(call, "site");
	char *clean;
	size_t len;

	*site = NULL;
	if (given == NULL)
		return NULL;
	given = url_clean_web(c->arena, given);
	if (given == NULL || strpbrk(given, "?#") != NULL)
		return err_param(
		    c, "site", "--site must be an address such as https://example.com.");
	clean = arena_text(c->arena, given);
	for (len = strlen(clean); len > 0 && clean[len - 1] == '/'; len--)
		clean[len - 1] = '\0';
	*site = clean;
	return NULL;
}

static struct err *
read_media(struct ctx *c, const struct call *call, struct pictures *out)
{
	const char *given = call_option(call, "media");

	out->mode = PICTURES_KEEP;
	if (given == NULL || strcmp(given, "keep") == 0)
		return NULL;
	if (strcmp(given, "fetch") == 0) {
		out->mode = PICTURES_FETCH;
		if (!out->dry)
			out->fetch = fetch_open(c, call_has(call, "allow-private"));
		return NULL;
	}
	if (!beneath_open(c->arena, given, &out->folder))
		return err_param(
		    c, "media", "--media must be fetch, keep or a folder; %s is none.", given);
	out->mode = PICTURES_FOLDER;
	return NULL;
}

/* Imports the exports that the operands name. */
static struct err *
moving_from(struct ctx *c, struct call *call, const struct workspace *w, const char *program)
{
	struct moving *m = arena_alloc(c->arena, sizeof(*m));
	struct other *o = &m->other;
	struct err *err;

	m->c = o->pictures.c = c;
	m->call = call;
	m->kept = c->arena;
	o->paths = (const char *const *)call->operands;
	o->count = call->operand_count;
	o->options.publish = call_has(call, "publish");
	o->options.pages = call_has(call, "pages");
	o->options.unfinished = call_has(call, "unfinished");
	o->options.force = call_has(call, "force");
	o->options.dry = o->pictures.dry = call_has(call, "dry-run");
	if (strcmp(program, "ghost") == 0)
		o->program = OTHER_GHOST;
	else if (strcmp(program, "wordpress") != 0)
		return err_param(c, "from", "--from must be wordpress or ghost, not %s.", program);
	err = read_site(c, call, &o->options.site);
	if (err == NULL)
		err = read_media(c, call, &o->pictures);
	if (err == NULL)
		err = moving_begin(m, call_option(call, "report"));
	if (err == NULL)
		err = other_import(c, m->work, w, o);
	if (o->pictures.fetch != NULL)
		fetch_close(o->pictures.fetch);
	return err != NULL ? err : moving_end(m);
}

/* ---- galley article import */

static void
notes_to_json(struct jwrite *j, const struct import_result *r, const char *more)
{
	jwrite_member_array(j, "notes");
	if (more != NULL)
		jwrite_text(j, more);
	for (size_t i = 0; i < r->note_count; i++)
		jwrite_text(j, r->notes[i]);
	jwrite_array_end(j);
	jwrite_member_int(j, "missing_pictures", (int64_t)r->missing_pictures);
}

/* The results of the files so far. */
struct outcome {
	size_t files, created, updated, unchanged, failed;
	size_t missing; /* missing pictures */
};

static size_t
imported(const struct outcome *o)
{
	return o->created + o->updated + o->unchanged;
}

static void
tell(struct call *call, const struct import_item *item, struct outcome *o)
{
	const struct import_result *r = &item->result;
	const char *action = import_action_name(r->action), *path = item->path;
	struct jwrite *j = &call->json;

	o->created += r->action == IMPORT_CREATED;
	o->updated += r->action == IMPORT_UPDATED;
	o->unchanged += r->action == IMPORT_UNCHANGED;
	call_changed(call, r->id);
	if (call->as_json) {
		jwrite_object(j);
		jwrite_member_text(j, "path", path);
		jwrite_member_text(j, "id", r->id);
		jwrite_member_text(j, "slug", r->slug);
		jwrite_member_text(j, "status", r->status);
		jwrite_member_text(j, "action", action);
		notes_to_json(j, r, NULL);
		jwrite_object_end(j);
		return;
	}
	call_say(call, "%-9s  %s  %-9s  %s", action, r->id, r->status, path);
	for (size_t i = 0; i < r->note_count; i++)
		call_say(call, "           - %s", r->notes[i]);
}

static void
tell_failure(struct call *call, const struct import_item *item, struct outcome *o)
{
	const struct import_result *r = &item->result;
	const struct err *err = item->err;
	const char *path = item->path;
	struct jwrite *j = &call->json;

	o->failed++;
	call->status = 1;
	note_say("galley: %s: %s", path, err->message);
	if (!call->as_json)
		return;
	jwrite_object(j);
	jwrite_member_text(j, "path", path);
	jwrite_member_null(j, "id");
	jwrite_member_null(j, "slug");
	jwrite_member_text(j, "status", "failed");
	jwrite_member_null(j, "action");
	notes_to_json(j, r, err->message);
	jwrite_object_end(j);
}

/* Tells how many files are left. Whatever ended the import, the files that were
 * told are stored. */
static void
tell_rest(const struct outcome *o, const char *why)
{
	size_t left = o->files - imported(o) - o->failed;

	note_say(
	    "galley: %s%zu of %zu files %s imported, %zu failed, %zu %s left. The same command again does the rest: what is stored stays unchanged.",
	    why, imported(o), o->files, imported(o) == 1 ? "was" : "were", o->failed, left,
	    left == 1 ? "is" : "are");
}

/* Tells the rest when the process dies in a batch: nothing of that batch is
 * stored. */
static void
on_death(struct call *call)
{
	if (call->as_json)
		jwrite_array_end(&call->json);
	call_flush(call, true);
	tell_rest(call->death_arg, "");
}

static void
tell_all(struct call *call, const struct outcome *o)
{
	if (imported(o) + o->failed < o->files) {
		tell_rest(o, "stopped: ");
		call->status = 128 + stop_signal();
		return;
	}
	call_say(call, "%zu of %zu files: %zu created, %zu updated, %zu unchanged, %zu failed.",
	    imported(o), o->files, o->created, o->updated, o->unchanged, o->failed);
	if (o->failed > 0)
		call_say(call,
		    "Correct what failed, and give the same command again: what is stored stays unchanged.");
}

static void
tell_missing(const struct call *call, size_t missing)
{
	if (missing == 0)
		return;
	note_say(
	    "galley: %zu picture%s missing: a note names each. Only %s text is in the articles. Import again when the files are there%s",
	    missing, missing == 1 ? " is" : "s are", missing == 1 ? "its" : "their",
	    call_option(call, "media") == NULL ? ", or name their folder: --media FOLDER." : ".");
}

struct importing {
	struct call *call;
	struct outcome outcome;
};

/* Tells of a file as soon as it is stored. */
static void
tell_one(void *arg, const struct import_item *item)
{
	struct importing *i = arg;

	if (item->err != NULL)
		tell_failure(i->call, item, &i->outcome);
	else
		tell(i->call, item, &i->outcome);
	i->outcome.missing += item->result.missing_pictures;
	call_flush(i->call, false);
}

/* Imports all files and tells of them. What is told of is stored. */
static void
import_all(struct ctx *c, struct call *call, const struct workspace *w, struct import_item *items,
    size_t count, const struct import_options *options)
{
	struct importing all = { .call = call, .outcome.files = count };

	call->on_death = on_death;
	call->death_arg = &all.outcome;
	(void)import_files(c, call_work(call), w, options, items, count, tell_one, &all);
	call->on_death = NULL;
	tell_all(call, &all.outcome);
	tell_missing(call, all.outcome.missing);
}

static struct import_item *
items_of(struct ctx *c, const struct import_paths *files)
{
	struct import_item *items = arena_array(c->arena, files->count, sizeof(*items));

	for (size_t i = 0; i < files->count; i++)
		items[i] = (struct import_item) {
			.path = files->items[i].path,
			.folder = files->items[i].folder,
			.name = files->items[i].name,
		};
	return items;
}

/* Finds the Markdown files at the operands, and notes names that no document can
 * have. */
static struct err *
find_files(struct ctx *c, struct call *call, struct import_paths *files)
{
	struct import_paths odd = { NULL, 0, 0 };

	for (size_t i = 0; i < call->operand_count; i++)
		TRY(import_walk(c, call->operands[i], files, &odd));
	for (size_t i = 0; i < odd.count; i++)
		note_say(
		    "galley: %s: this name is not UTF-8 text, so that no document can name the file: rename it if one should.",
		    odd.items[i].path);
	if (files->count == 0)
		return refuse(c, ERR_INVALID, "There is no .md or .markdown file there.");
	return NULL;
}

/* Refuses options that only the import of an export has: they must not be ignored
 * silently. */
static struct err *
check_options(struct ctx *c, const struct call *call)
{
	static const char *const others[] = { "site", "allow-private", "dry-run", "report",
		"pages" };
	const char *media = call_option(call, "media");

	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		if (call_has(call, others[i]))
			return call_usage(c, "--%s goes with --from only.", others[i]);
	}
	if (media != NULL && strcmp(media, "fetch") == 0)
		return call_usage(
		    c, "--media fetch goes with --from only: name a folder that has the pictures.");
	return NULL;
}

/* Finds the folder in which pictures of Markdown are looked for, too. */
static struct err *
find_media(
    struct ctx *c, const struct call *call, struct beneath *folder, struct import_options *options)
{
	const char *media = call_option(call, "media");

	if (media == NULL || strcmp(media, "keep") == 0)
		return NULL;
	if (!beneath_open(c->arena, media, folder))
		return err_param(c, "media", "--media must be a folder; %s is none.", media);
	options->media = folder;
	return NULL;
}

static struct err *
import(struct ctx *c, struct call *call)
{
	struct import_options options = {
		.publish = call_has(call, "publish"),
		.unfinished = call_has(call, "unfinished"),
		.force = call_has(call, "force"),
		.move = call_has(call, "move"),
	};
	struct import_paths files = { NULL, 0, 0 };
	struct find_place place;
	struct beneath media;
	struct workspace *w;

	if (call_option(call, "from") == NULL)
		TRY(check_options(c, call));
	place = pick_place(c, call, call_option(call, "workspace"));
	TRY(read_workspace(c, &place, &w));
	if (call_option(call, "from") != NULL)
		return moving_from(c, call, w, call_option(call, "from"));
	TRY(find_media(c, call, &media, &options));
	TRY(find_files(c, call, &files));
	if (call->as_json)
		jwrite_array(&call->json);
	import_all(c, call, w, items_of(c, &files), files.count, &options);
	if (call->as_json)
		jwrite_array_end(&call->json);
	return NULL;
}

/* ---- galley article addresses */

struct listed {
	struct call *call;
	bool json;
	struct redirects redirects; /* unless json */
};

static void
address_to_json(struct listed *l, const struct article *a, const char *old, const char *new)
{
	struct jwrite *j = &l->call->json;

	jwrite_object(j);
	jwrite_member_text(j, "id", a->uuid);
	jwrite_member_text(j, "status", article_status_name(a->status));
	jwrite_member_text(j, "old", old);
	jwrite_member_text(j, "new", new);
	jwrite_object_end(j);
}

static void
address_one(void *arg, const struct article *a, const char *old, const char *new)
{
	struct listed *l = arg;

	if (l->json)
		address_to_json(l, a, old, new);
	else
		redirects_add(&l->redirects, a, old, new);
}

static struct err *
form_of(struct ctx *c, const struct call *call, struct listed *l, enum redirects_form *out)
{
	static const char *const names[] = { "csv", "apache", "nginx" };
	const char *given = call_option(call, "as");

	*out = REDIRECTS_CSV;
	l->json = given == NULL ? call->as_json : strcmp(given, "json") == 0;
	for (size_t i = 0; given != NULL && !l->json && i <= 3; i++) {
		if (i == 3)
			return err_param(
			    c, "as", "--as must be csv, apache, nginx or json, not %s.", given);
		*out = (enum redirects_form)i;
		if (strcmp(given, names[i]) == 0)
			break;
	}
	if (call->as_json && !l->json)
		return err_param(c, "as", "With --json there is only --as json.");
	return NULL;
}

static struct err *
addresses(struct ctx *c, struct call *call)
{
	struct listed l = { .call = call };
	struct addresses asked = { .each = address_one, .arg = &l };
	enum redirects_form form;

	TRY(form_of(c, call, &l, &form));
	asked.place = pick_place(c, call, call_option(call, "workspace"));
	asked.moved_only = !l.json && redirects_moved_only(form);
	if (l.json)
		jwrite_array(&call->json);
	else
		redirects_begin(&l.redirects, c, form, &call->out);
	TRY(addresses_list(c, &asked));
	if (!l.json)
		redirects_end(&l.redirects);
	else
		jwrite_array_end(&call->json);
	if (l.json && !call->as_json)
		buf_add_char(&call->out, '\n');
	return NULL;
}

/* ---- the rows */

static const struct command_option import_options[] = {
	{ .name = "workspace", .value = "ID", .help = "where to" },
	{ .name = "publish", .help = "publish what is no draft and has no date to come" },
	{ .name = "unfinished", .help = "publish also what has places that are left to write" },
	{ .name = "force", .help = "overwrite an article that changed since its base" },
	{ .name = "move", .help = "also the slug of a published article" },
	{ .name = "from",
	    .value = "PROGRAM",
	    .help = "wordpress or ghost: PATH is an export of it" },
	{ .name = "pages", .help = "its pages, too, as articles" },
	{ .name = "site", .value = "URL", .help = "where its posts were: for relative addresses" },
	{ .name = "media",
	    .value = "HOW",
	    .help = "pictures: a folder that has them, fetch, or keep" },
	{ .name = "allow-private", .help = "fetch from addresses of your own network too" },
	{ .name = "dry-run", .help = "tell what would come of it" },
	{ .name = "report",
	    .value = "FILE",
	    .help = "CSV with every post, and all that was lost of it" },
	{ .name = NULL },
};

static const struct command_option addresses_options[] = {
	{ .name = "workspace", .value = "ID", .help = "whose articles" },
	{ .name = "as", .value = "FORM", .help = "csv (as it is without), apache, nginx or json" },
	{ .name = NULL },
};

const struct command command_article_import[] = {
	{ .noun = "article",
	    .verb = "import",
	    .operands = "PATH…",
	    .options = import_options,
	    .flags = COMMAND_DB | COMMAND_CHANGES,
	    .run = import,
	    .summary = "Markdown files, or another program's export, into articles",
	    .text =
		"Front matter in YAML (---) or TOML (+++): title, slug, description, date, lastmod, lang,\n"
		"image, imageAlt, imageCaption, tags, section, author, noindex, canonical, draft, id, base.\n\n"
		"A file changes the article whose id it names; else the one that the same path made\n"
		"before; else it makes a new one. With base (galley article show --as markdown writes\n"
		"it) an article that changed meanwhile is refused. Each file is imported whole or not\n"
		"at all; everything that was changed or dropped on the way is listed. Exit 1 if any\n"
		"file failed. With --publish, what has places that are left to write (callouts of kind\n"
		"todo) stays a draft unless --unfinished. Files are written some at a time, and\n"
		"each is listed when it is stored: stopped with Ctrl-C, or killed, it leaves whole articles,\n"
		"and the same command again does the rest.\n\n"
		"Pictures beside a file are stored with it, without their metadata. With --media DIR\n"
		"those that are not there are looked for in DIR, /assets/a.png as DIR/assets/a.png. One that\n"
		"is missing is named, and its text stays. Nothing outside of the folder at PATH (of a\n"
		"file: its folder) and of DIR is read, and no link that leaves them.\n\n"
		"With --from the files are exports: WordPress's XML (all files of one site at once) or\n"
		"Ghost's JSON (with --site). Posts become articles, and so do pages with --pages, with their dates and the\n"
		"last parts of their paths; other types are skipped and counted. A page without text of its\n"
		"own is a draft. What was not for everyone there (private, pending, with a password, for\n"
		"members) becomes a draft, also with --publish. The same file again changes nothing; what\n"
		"you edited or deleted here stays so, unless you say --force. A file that is broken is\n"
		"refused, and its line or member named. galley article addresses then lists old and new\n"
		"addresses, and writes redirects." },
	{ .noun = "article",
	    .verb = "addresses",
	    .operands = "",
	    .options = addresses_options,
	    .flags = COMMAND_DB,
	    .run = addresses,
	    .summary = "where articles were, and where they are now",
	    .text =
		"For articles that came from WordPress or Ghost (galley article import --from), and for\n"
		"published ones whose slug was changed. csv and json list all of them; apache and nginx\n"
		"write redirects for those that are published under another address than they had.\n\n"
		"--json: [{id, status, old, new}]." },
	{ .verb = NULL },
};
