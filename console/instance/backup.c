/* One backup or dump: "Download" and "Remove" (docs/console.md §4.14). */
#include <string.h>
#include <unistd.h>

#include "backup/kept-backups.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "console/answer.h"
#include "instance.h"
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
	{ .method = NULL },
};
