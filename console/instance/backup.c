/* One backup or dump, "Download" and "Remove" (docs/console.md §4.14); and "Restore": one that is
 * there, or a file (§4.15). */
#include <string.h>
#include <unistd.h>

#include "../uploads.h"
#include "action/uploaded-files.h"
#include "backup/kept-backups.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "console/answer.h"
#include "instance-screen.h"
#include "screen/say.h"
#include "screen/tr.h"
#include "task/errand.h"

static const struct field download_fields[] = {
	{ .name = "download", .label = tr_mark("Download"), .kind = FIELD_SUBMIT,
	    .tone = FIELD_PRIMARY },
	{ .name = NULL },
}, remove_fields[] = {
	{ .name = "remove", .label = tr_mark("Remove"), .kind = FIELD_SUBMIT,
	    .tone = FIELD_DANGER },
	{ .name = NULL },
};

struct page {
	struct ctx *c;
	const struct visit *v;
	struct instance_errand errand;
	struct kept kept;
	struct form download, removal;
};

static void
write_main(struct hwrite *w, const void *data)
{
	static const char *const kinds[] = { NULL };
	const struct page *p = data;
	const char *path = arena_printf(p->c->arena, "/instance/backups/%s", p->kept.name);

	instance_write_places(w, p->c, p->v);
	instance_write_errand(w, &p->errand, kinds);
	hwrite_open(w, H_P);
	hwrite_text(w, tr("Made (UTC):"));
	hwrite_text(w, " ");
	say_moment(w, p->kept.made_at);
	hwrite_text(w, " · ");
	screen_data(w, instance_bytes(p->c, p->kept.bytes));
	hwrite_close(w, H_P);
	if (p->kept.dump)
		hwrite_element(w, H_P,
		    tr("It is an archive (tar) of folders; the file README in it says what is where."));
	else
		hwrite_element(w, H_P,
		    tr("What is downloaded lacks one file, people/secret: without it no password and no authenticator of your people can be used. It holds all else, also what lets sites read: keep it where nobody else can read it."));
	console_form(p->c, p->v, w, &p->download, arena_printf(p->c->arena, "%s/download", path));
	if (p->errand.open)
		return;
	console_form(p->c, p->v, w, &p->removal, arena_printf(p->c->arena, "%s/remove", path));
	if (p->kept.dump)
		return;
	hwrite_open(w, H_P);
	screen_button_link(w, console_path(p->c, p->v, "/instance/restore?backup=%s", p->kept.name),
	    tr("Restore"), false);
	hwrite_close(w, H_P);
}

static struct err *
show(struct ctx *c, struct visit *v, struct reply *reply)
{
	struct page *p = arena_alloc(c->arena, sizeof(*p));
	struct err *err = kept_get(c, v->name, &p->kept);

	if (err != NULL)
		return err;
	p->c = c;
	p->v = v;
	instance_look(c, v, &p->errand);
	form_init(&p->download, "download", download_fields);
	form_init(&p->removal, "remove", remove_fields);
	console_page(c, v, reply, p->kept.name, NULL, write_main, p);
	return NULL;
}

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
download(struct ctx *c, struct visit *v, struct reply *reply)
{
	struct download *d = arena_alloc(c->arena, sizeof(*d));
	struct reply_stream *stream = arena_alloc(c->arena, sizeof(*stream));
	struct kept k;
	struct err *err = kept_get(c, v->name, &k);

	if (err == NULL)
		err = kept_open(c, &k, &d->fd, d->pieces);
	if (err != NULL)
		return err;
	*stream = (struct reply_stream) { read_piece, d };
	reply->type = "application/x-tar";
	head_add(reply, "no-store");
	reply_header(reply, "Content-Disposition", "attachment; filename=\"galley-%s\"", k.name);
	reply->bytes = "";
	reply->bytes_len = (size_t)(d->pieces[0].len + d->pieces[1].len);
	reply->stream = stream;
	console_journal(c, v, "instance download");
	return NULL;
}

static struct err *
remove_backup(struct ctx *c, struct visit *v, struct reply *reply)
{
	struct err *err;

	console_will_go(v, "/instance/backups?notice=removed");
	err = asking_remove(c, v->name);
	if (err != NULL)
		return err;
	console_journal(c, v, "instance remove-backup");
	console_go(c, v, reply, "/instance/backups", "removed");
	return NULL;
}

#define BACKUP .title = tr_mark("Backup"), INSTANCE

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

struct restore_page {
	struct ctx *c;
	const struct visit *v;
	struct instance_errand errand;
	struct report last;
	struct form form;
};

static void
write_restore(struct hwrite *w, const void *data)
{
	static const char *const kinds[] = { ASKING_RESTORE, NULL };
	const struct restore_page *p = data;

	instance_write_places(w, p->c, p->v);
	instance_write_errand(w, &p->errand, kinds);
	if (p->errand.open)
		return;
	if (p->last.count > 0)
		instance_write_report(w, tr("What is not as the last backup had it"), &p->last);
	hwrite_element(w, H_P,
	    tr("All articles, pictures, orders, credits and keys become what the backup holds. What is there now is kept as a backup first. The people who may sign in and galley.conf stay as they are; what is withdrawn, closed or revoked now stays so; dates of publishing are suspended, and open tasks end."));
	console_form(p->c, p->v, w, &p->form, "/instance/restore");
	uploads_write_line(w, p->c, p->v, FORM);
}

static struct restore_page *
begin(struct ctx *c, struct visit *v)
{
	struct restore_page *p = arena_alloc(c->arena, sizeof(*p));
	struct field_choice *choices;
	struct kept *list;
	size_t count, n = 1;

	p->c = c;
	p->v = v;
	instance_look(c, v, &p->errand);
	(void)report_read(c, ASKING_RESTORE, &p->last);
	list = kept_list(c, &count);
	choices = arena_array(c->arena, count + 2, sizeof(*choices));
	choices[0] = (struct field_choice) { THE_FILE, tr("The file below") };
	for (size_t i = 0; i < count; i++) {
		if (!list[i].dump)
			choices[n++] = (struct field_choice) { list[i].name, list[i].name };
	}
	form_init(&p->form, FORM, fields);
	form_choices(&p->form, "backup", choices);
	return p;
}

static struct err *
show_restore(struct ctx *c, struct visit *v, struct reply *reply)
{
	const char *asked = console_query(c, v, "backup");
	struct restore_page *p;
	struct kept k;

	/* A form with a file asks before it is shown. */
	if (!console_step_up(c, v, reply))
		return NULL;
	p = begin(c, v);
	form_fill(&p->form, "backup",
	    asked != NULL && kept_get(c, asked, &k) == NULL && !k.dump ? k.name : THE_FILE);
	console_page(c, v, reply, NULL, NULL, write_restore, p);
	return NULL;
}

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
ask(struct ctx *c, struct visit *v, const struct form *f)
{
	struct asking_restore order = { .person = v->person->uuid,
		.backup = form_text(f, "backup"),
		.typed = form_text(f, "host"),
		.origin = v->place.origin };
	struct err *err = NULL;

	if (strcmp(order.backup, THE_FILE) == 0) {
		order.backup = NULL;
		err = take_file(c, v, f, &order);
	}
	return err != NULL ? err : asking_restore(c, &order);
}

static struct err *
restore(struct ctx *c, struct visit *v, struct reply *reply)
{
	struct restore_page *p = begin(c, v);
	struct err *err;

	console_will_go(v, "/instance/restore");
	if (console_read(c, v, &p->form)) {
		err = ask(c, v, &p->form);
		if (err == NULL) {
			console_journal(c, v, "instance restore");
			console_go(c, v, reply, "/instance/restore", NULL);
			return NULL;
		}
		err = console_wrong(c, v, reply, &p->form, err);
		if (err != NULL)
			return err;
	} else {
		console_refused(v, reply);
	}
	console_page(c, v, reply, NULL, NULL, write_restore, p);
	return NULL;
}

#define RESTORE                                                                                    \
	.pattern = "/instance/restore", .title = tr_mark("Restore"), INSTANCE, .step_up = true

const struct console_row backup_screens[] = {
	{ .method = "GET", .pattern = "/instance/backups/NAME", BACKUP, .handler = show },
	{ .method = "POST",
	    .pattern = "/instance/backups/NAME/download",
	    BACKUP,
	    .step_up = true,
	    .unnumbered = true,
	    .handler = download },
	{ .method = "POST",
	    .pattern = "/instance/backups/NAME/remove",
	    BACKUP,
	    .step_up = true,
	    .handler = remove_backup },
	{ .method = "GET", RESTORE, .sends = true, .handler = show_restore },
	{ .method = "POST", RESTORE, .sends = true, .files = true, .handler = restore },
	{ .method = NULL },
};
