/* The backups and dumps that are beside the database, "Make a backup" and "Make a dump"; one of
 * them, "Download" and "Remove" (docs/console.md §4.14); and "Restore": one that is
 * there, or a file (§4.15). */
#include <string.h>
#include <unistd.h>

#include "../uploads.h"
#include "action/uploaded-files.h"
#include "backup/kept-backups.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "console/page.h"
#include "instance-screen.h"
#include "screen/say.h"
#include "screen/tr.h"
#include "task/errand.h"

/* ---- the list */

struct backups {
	struct instance_errand errand;
	struct kept *list;
	size_t count;
};

static struct err *
make_backup(struct page *p)
{
	return asking_begin(p->c, ASKING_BACKUP, p->v->person->uuid);
}

static const struct page_act make_it = { .name = "make",
	.fields = PAGE_BUTTON("make", tr_mark("Make a backup"), FIELD_PRIMARY),
	.act = make_backup,
	.go = "/instance/backups",
	.journal = "instance " ASKING_BACKUP };

static struct err *
make_dump(struct page *p)
{
	return asking_begin(p->c, ASKING_DUMP, p->v->person->uuid);
}

static const struct page_act dump_it = { .name = "dump",
	.fields = PAGE_BUTTON("dump", tr_mark("Make a dump"), FIELD_SECONDARY),
	.act = make_dump,
	.go = "/instance/backups",
	.journal = "instance " ASKING_DUMP };

static const char *
what_of(const struct kept *k)
{
	if (strcmp(k->what, "before-migrate") == 0)
		return tr("Before an upgrade");
	if (k->dump)
		return tr("Dump");
	return strcmp(k->what, "before-restore") == 0 ? tr("Before a restore") : tr("Backup");
}

static void
write_rows(struct hwrite *w, const struct page *p, const struct backups *b)
{
	@ <list caption="Backups and dumps, the newest first" columns="File|What|Made (UTC)|Size#">
	for (size_t i = 0; i < b->count; i++) {
		const struct kept *k = &b->list[i];
		@ <row><cell><a href="/instance/backups/{k->name}">{k->name}</a></cell>
		@ <cell>{=what_of(k)}</cell><cell>{!say_moment(w, k->made_at)}</cell>
		@ <cell>{instance_bytes(p->c, k->bytes)}</cell></row>
	}
	@ </list>
}

static void
write_backups(struct hwrite *w, struct page *p)
{
	static const char *const kinds[] = { ASKING_BACKUP, ASKING_DUMP, NULL };
	const struct backups *b = p->data;

	instance_write_places(w, p->c, p->v);
	instance_write_errand(w, &b->errand, kinds);
	@ <p>A backup is the whole instance in one file: articles, pictures, orders, credits, keys,
	@ people and settings. It is kept beside the database: a copy on another machine is what
	@ helps when this one is lost.</p>
	if (b->count > 0)
		write_rows(w, p, b);
	else
		screen_empty(w, tr("There is no backup here yet."), NULL, NULL);
	if (b->errand.open)
		return;
	page_form(w, p, &make_it, NULL);
	@ <p><a class="button" href="/instance/restore">Restore</a></p>
	@ <h2>In open formats</h2>
	@ <p>A dump is everything as Markdown, JSON, CSV and pictures, to read it or to leave with
	@ it. It holds no secret and no people, so nothing can be restored from it.</p>
	page_form(w, p, &dump_it, NULL);
}

static struct err *
load_list(struct page *p)
{
	struct backups *b = p->data;

	if (p->acting)
		return NULL;
	instance_look(p->c, p->v, &b->errand);
	b->list = kept_list(p->c, &b->count);
	return NULL;
}

static const struct page_kind list_page = { sizeof(struct backups), load_list, write_backups };

#define BACKUPS INSTANCE, .title = tr_mark("Backups"), .page = &list_page

/* ---- one of them */

struct backup {
	struct instance_errand errand;
	struct kept kept;
};

/* ---- download */

struct download {
	int fd;
	struct kept_piece pieces[2];
};

static ssize_t
read_piece(void *arg, char *into, size_t max)
{
	struct download *d = arg;
	struct kept_piece *now = d->pieces[0].len > 0 ? &d->pieces[0] : &d->pieces[1];
	ssize_t got;

	if (now->len == 0)
		return 0;
	got = pread(d->fd, into, (int64_t)max < now->len ? max : (size_t)now->len, now->from);
	/* A file that became shorter is no whole answer. */
	if (got <= 0)
		return -1;
	now->from += got;
	now->len -= got;
	return got;
}

static struct err *
download(struct page *p)
{
	struct download *d = arena_alloc(p->c->arena, sizeof(*d));
	struct reply_stream *stream = arena_alloc(p->c->arena, sizeof(*stream));
	const struct backup *b = p->data;
	struct err *err = kept_open(p->c, &b->kept, &d->fd, d->pieces);

	if (err != NULL)
		return err;
	*stream = (struct reply_stream) { read_piece, d };
	p->reply->type = "application/x-tar";
	head_add(p->reply, "no-store");
	reply_header(
	    p->reply, "Content-Disposition", "attachment; filename=\"galley-%s\"", b->kept.name);
	p->reply->bytes = "";
	p->reply->bytes_len = (size_t)(d->pieces[0].len + d->pieces[1].len);
	p->reply->stream = stream;
	p->answered = true;
	return NULL;
}

static const struct page_act download_it = { .name = "download",
	.fields = PAGE_BUTTON("download", tr_mark("Download"), FIELD_PRIMARY),
	.act = download,
	.journal = "instance download" };

static struct err *
remove_backup(struct page *p)
{
	return asking_remove(p->c, p->v->name);
}

static const struct page_act remove_it = { .name = "remove",
	.fields = PAGE_BUTTON("remove", tr_mark("Remove"), FIELD_DANGER),
	.act = remove_backup,
	.go = "/instance/backups",
	.notice = "removed",
	.journal = "instance remove-backup" };

/* ---- the page */

static void
write_main(struct hwrite *w, struct page *p)
{
	static const char *const kinds[] = { NULL };
	const struct backup *b = p->data;

	instance_write_places(w, p->c, p->v);
	instance_write_errand(w, &b->errand, kinds);
	@ <p>{=tr("Made (UTC):")}{=" "}{!say_moment(w, b->kept.made_at)}{=" · "}
	@ {instance_bytes(p->c, b->kept.bytes)}</p>
	if (b->kept.dump)
		@ <p>It is an archive (tar) of folders; the file README in it says what is
		@ where.</p>
	else
		@ <p>What is downloaded lacks one file, people/secret: without it no password and no
		@ authenticator of your people can be used. It holds all else, also what lets sites
		@ read: keep it where nobody else can read it.</p>
	page_form(w, p, &download_it, NULL);
	if (b->errand.open)
		return;
	page_form(w, p, &remove_it, NULL);
	if (b->kept.dump)
		return;
	@ <p><a class="button" href="/instance/restore?backup={b->kept.name}">Restore</a></p>
}

static struct err *
load(struct page *p)
{
	struct backup *b = p->data;
	struct err *err = kept_get(p->c, p->v->name, &b->kept);

	if (err != NULL)
		return err;
	instance_look(p->c, p->v, &b->errand);
	p->title = b->kept.name;
	return NULL;
}

static const struct page_kind page = { sizeof(struct backup), load, write_main };

#define BACKUP .title = tr_mark("Backup"), INSTANCE, .page = &page

/* ---- "Restore" */

#define FORM "restore"
#define THE_FILE "file" /* the choice of a file that is sent */

static const struct field fields[] = {
	{ .name = "backup", .label = tr_mark("Backup"), .kind = FIELD_SELECT, .required = true },
	{ .name = "file",
	    .label = tr_mark("File"),
	    .kind = FIELD_FILE,
	    .accept = ".tar",
	    .hint = tr_mark(
		"A backup of another instance, or one that was downloaded. Without scripts it has 64 MB at most.") },
	{ .name = "upload", .kind = FIELD_HIDDEN },
	{ .name = "host",
	    .label = tr_mark("Host of this console"),
	    .kind = FIELD_TEXT,
	    .required = true,
	    .dir = "ltr",
	    .autocomplete = "off",
	    .hint = tr_mark(
		"Type the name that the browser shows as the address of this page: everything here is replaced.") },
	{ .name = "restore",
	    .label = tr_mark("Restore"),
	    .kind = FIELD_SUBMIT,
	    .tone = FIELD_DANGER },
	{ .name = NULL },
};

struct restoring {
	struct instance_errand errand;
	struct report last;
};

/* Finds the file that was sent, in slices or with the form. */
static struct err *
take_file(struct ctx *c, struct visit *v, const struct form *f, struct asking_restore *order)
{
	const struct uploading whose = uploads_of(v);
	const char *id = form_text(f, "upload");
	struct uploading *u;
	size_t len = 0;
	const void *bytes = console_file(v, "file", &len);
	struct err *err;

	if (id != NULL && id[0] != '\0') {
		err = uploads_get(c, &whose, id, &u);
	} else if (bytes == NULL || len == 0) {
		return err_param(
		    c, "file", tr_mark("Choose a file, or one of the backups that are here."));
	} else {
		u = arena_alloc(c->arena, sizeof(*u));
		*u = whose;
		err = uploads_store(c, u, bytes, len);
		order->fresh = u;
	}
	if (err == NULL)
		order->upload = u->uuid;
	return err;
}

static struct err *
restore(struct page *p)
{
	struct asking_restore order = { .person = p->v->person->uuid,
		.backup = form_text(p->form, "backup"),
		.typed = form_text(p->form, "host"),
		.origin = p->v->place.origin };
	struct err *err = NULL;

	if (strcmp(order.backup, THE_FILE) == 0) {
		order.backup = NULL;
		err = take_file(p->c, p->v, p->form, &order);
	}
	return err != NULL ? err : asking_restore(p->c, &order);
}

/* Offers the backups that are here; that of the address is chosen. */
static void
fill(struct page *p, struct form *f)
{
	const char *asked = console_query(p->c, p->v, "backup");
	struct field_choice *choices;
	struct kept k, *list;
	size_t count, n = 1;

	list = kept_list(p->c, &count);
	choices = arena_array(p->c->arena, count + 2, sizeof(*choices));
	choices[0] = (struct field_choice) { THE_FILE, tr("The file below") };
	for (size_t i = 0; i < count; i++) {
		if (!list[i].dump)
			choices[n++] = (struct field_choice) { list[i].name, list[i].name };
	}
	form_choices(f, "backup", choices);
	form_fill(f, "backup",
	    asked != NULL && kept_get(p->c, asked, &k) == NULL && !k.dump ? k.name : THE_FILE);
}

static const struct page_act restore_it = { .name = FORM,
	.fields = fields,
	.fill = fill,
	.act = restore,
	.go = "/instance/restore",
	.journal = "instance restore" };

static void
write_restore(struct hwrite *w, struct page *p)
{
	static const char *const kinds[] = { ASKING_RESTORE, NULL };
	const struct restoring *r = p->data;

	instance_write_places(w, p->c, p->v);
	instance_write_errand(w, &r->errand, kinds);
	if (r->errand.open && p->form == NULL)
		return;
	if (r->last.count > 0)
		instance_write_report(w, tr("What is not as the last backup had it"), &r->last);
	@ <p>All articles, pictures, orders, credits and keys become what the backup holds. What is
	@ there now is kept as a backup first. The people who may sign in and galley.conf stay as
	@ they are; what is withdrawn, closed or revoked now stays so; dates of publishing are
	@ suspended, and open tasks end.</p>
	page_form(w, p, &restore_it, NULL);
	uploads_write_line(w, p->c, p->v, FORM);
}

static struct err *
load_restore(struct page *p)
{
	struct restoring *r = p->data;

	/* A form with a file asks before it is shown. */
	if (p->acting || (p->form == NULL && !page_step_up(p)))
		return NULL;
	instance_look(p->c, p->v, &r->errand);
	(void)report_read(p->c, ASKING_RESTORE, &r->last);
	return NULL;
}

static const struct page_kind restore_page = { sizeof(struct restoring), load_restore,
	write_restore };

#define RESTORE                                                                                    \
	.pattern = "/instance/restore", INSTANCE, .title = tr_mark("Restore"),                     \
	.page = &restore_page, .step_up = true, .script = SCREEN_SENDS

SCREEN(backup) = {
	{ "GET", "/instance/backups", BACKUPS },
	{ "POST", "/instance/backups", BACKUPS, .act = &make_it },
	{ "POST", "/instance/dump", BACKUPS, .act = &dump_it },
	{ "GET", "/instance/backups/NAME", BACKUP },
	{ "POST", "/instance/backups/NAME/download", BACKUP, .act = &download_it, .step_up = true,
	    .unnumbered = true },
	{ "POST", "/instance/backups/NAME/remove", BACKUP, .act = &remove_it, .step_up = true },
	{ "GET", RESTORE },
	{ "POST", RESTORE, .act = &restore_it, .files = true },
	{ .method = NULL },
};
