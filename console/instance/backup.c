/* One backup or dump, "Download" and "Remove" (docs/console.md §4.14); and "Restore": one that is
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
	hwrite_open(w, H_P);
	hwrite_text(w, tr("Made (UTC):"));
	hwrite_text(w, " ");
	say_moment(w, b->kept.made_at);
	hwrite_text(w, " · ");
	screen_data(w, instance_bytes(p->c, b->kept.bytes));
	hwrite_close(w, H_P);
	if (b->kept.dump)
		hwrite_element(w, H_P,
		    tr("It is an archive (tar) of folders; the file README in it says what is where."));
	else
		hwrite_element(w, H_P,
		    tr("What is downloaded lacks one file, people/secret: without it no password and no authenticator of your people can be used. It holds all else, also what lets sites read: keep it where nobody else can read it."));
	page_form(w, p, &download_it, NULL);
	if (b->errand.open)
		return;
	page_form(w, p, &remove_it, NULL);
	if (b->kept.dump)
		return;
	hwrite_open(w, H_P);
	screen_button_link(
	    w, page_path(p, "/instance/restore?backup=%s", b->kept.name), tr("Restore"), false);
	hwrite_close(w, H_P);
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
	hwrite_element(w, H_P,
	    tr("All articles, pictures, orders, credits and keys become what the backup holds. What is there now is kept as a backup first. The people who may sign in and galley.conf stay as they are; what is withdrawn, closed or revoked now stays so; dates of publishing are suspended, and open tasks end."));
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
	{ "GET", "/instance/backups/NAME", BACKUP },
	{ "POST", "/instance/backups/NAME/download", BACKUP, .act = &download_it, .step_up = true,
	    .unnumbered = true },
	{ "POST", "/instance/backups/NAME/remove", BACKUP, .act = &remove_it, .step_up = true },
	{ "GET", RESTORE },
	{ "POST", RESTORE, .act = &restore_it, .files = true },
	{ .method = NULL },
};
