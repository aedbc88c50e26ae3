#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "action/uploaded-files.h"
#include "all.h"
#include "base/arena.h"
#include "base/ctx.h"
#include "base/jwrite.h"
#include "screen/say.h"
#include "screen/tr.h"
#include "uploads.h"

/*
 * Large files in slices (docs/console.md §3.13): for the script of pages that take one
 * (lib/screen/sending.js). Forms without it bring their file themselves. And the list of the
 * files that are here.
 *
 * POST /console/W/uploads, for backups /console/instance/uploads: `size`, `kind`, and a `mark` that
 * tells two files of one size apart → {id, offset, size}. POST …/uploads/ID?offset=N with the file
 * part `slice`; 409 with the offset that is wanted. Both have the form's token and no number. A
 * finished upload is the hidden field `upload` of a form.
 */

/* Returns a number of at most 18 digits, or -1. */
static int64_t
number_of(const char *text)
{
	size_t len = text == NULL ? 0 : strspn(text, "0123456789");

	return len == 0 || len > 18 || text[len] != '\0' ? -1 : strtoll(text, NULL, 10);
}

struct uploading
uploads_of(const struct visit *v)
{
	bool inside = v->workspace != NULL;

	return (struct uploading) { .person = v->person->uuid,
		.account = inside ? v->account->uuid : "",
		.workspace = inside ? v->workspace->uuid : "",
		.kind = inside ? "moving" : "backup",
		.mark = "" };
}

void
uploads_write_line(struct hwrite *w, struct ctx *c, const struct visit *v, const char *form)
{
	const struct uploading u = uploads_of(v);
	const char *to = u.workspace[0] == '\0' ? console_path(c, v, "/instance/uploads")
						: console_path(c, v, "/%s/uploads", u.workspace);

	@ <div id="sending" data-form={form} data-kind={u.kind} data-to={to}>
	@ <p id="sending-now" role="status"></p>
	@ <span data-say="sends" hidden>
	@ {=tr("%s of the file is sent. Leave this page open.")}</span>
	@ <span data-say="waits" hidden>There is no connection. It goes on by itself.</span>
	@ <span data-say="ended" hidden>You are signed out. Sign in, and choose the same file again:
	@ it goes on where it ended.</span><span data-say="sign-in" hidden>Sign in</span></div>
}

/* ---- the files that are here */

static const struct field remove_fields[] = {
	{ .name = "remove",
	    .label = tr_mark("Remove"),
	    .kind = FIELD_SUBMIT,
	    .tone = FIELD_DANGER },
	{ .name = NULL },
};

struct err *
uploads_read_kept(struct ctx *c, const struct visit *v, struct uploads_kept *out)
{
	const struct uploading whose = uploads_of(v);

	return uploads_kept_list(c, &whose, out);
}

static void
write_one(struct hwrite *w, struct ctx *c, const struct visit *v, const struct uploading *u)
{
	struct form *f = arena_alloc(c->arena, sizeof(*f));
	int64_t size = (u->size + 1023) / 1024;
	long long parts = 100 * (u->got / 1024) / size;

	form_init(f, arena_printf(c->arena, "remove-%s", u->uuid), remove_fields);
	@ <row><cell>{arena_printf(c->arena, tr("%s KiB"), tr_number(c->arena, size))}</cell><cell>
	if (uploading_is_whole(u))
		@ {tr("Complete")}
	else
		@ {arena_printf(c->arena, tr("%lld of 100 parts are here"), parts)}
	@ </cell><cell>{!say_time(w, u->changed_at)}</cell><cell>
	console_form(c, v, w, f,
	    arena_printf(c->arena, "/%s/uploads/%s/remove", v->workspace->uuid, u->uuid));
	@ </cell></row>
}

void
uploads_write_kept(
    struct hwrite *w, struct ctx *c, const struct visit *v, const struct uploads_kept *kept)
{
	if (kept->count == 0)
		return;
	@ <h2>Files that you sent</h2><p>They are removed a day after their last use, or by you.</p>
	@ <list caption="Files that you sent, the newest first"
	@ columns="File|State|Last used|Actions">
	for (size_t i = 0; i < kept->count; i++)
		write_one(w, c, v, &kept->list[i]);
	@ </list>
}

static struct err *
remove_kept(struct ctx *c, struct visit *v, struct reply *reply)
{
	const struct uploading whose = uploads_of(v);
	const char *path = arena_printf(c->arena, "/%s/moving", v->workspace->uuid);

	console_will_go(v, path);
	TRY(uploads_kept_remove(c, &whose, v->id));
	console_journal(c, v, "moving remove %s", v->id);
	console_go(c, v, reply, path, NULL);
	return NULL;
}

/* ---- slices */

static void
tell(struct reply *reply, int status, const struct uploading *u)
{
	struct jwrite w;

	console_json(reply);
	reply->status = status;
	jwrite_init(&w, &reply->body);
	jwrite_object(&w);
	jwrite_member_text(&w, "id", u->uuid);
	jwrite_member_int(&w, "offset", u->got);
	jwrite_member_int(&w, "size", u->size);
	jwrite_object_end(&w);
}

static struct err *
begin(struct ctx *c, struct visit *v, struct reply *reply)
{
	struct uploading u = uploads_of(v);
	const char *kind = console_sent(v, "kind"), *mark = console_sent(v, "mark");

	if (kind == NULL || strcmp(kind, u.kind) != 0)
		return err_param(c, "kind", tr_mark("No such file is taken here."));
	u.size = number_of(console_sent(v, "size"));
	if (mark != NULL)
		u.mark = mark;
	TRY(uploads_begin(c, &u));
	console_used(c, v);
	tell(reply, 200, &u);
	return NULL;
}

static struct err *
slice(struct ctx *c, struct visit *v, struct reply *reply)
{
	const struct uploading whose = uploads_of(v);
	struct uploading *now;
	int64_t offset = number_of(console_query(c, v, "offset"));
	size_t len = 0;
	const void *bytes = console_file(v, "slice", &len);
	bool taken;

	if (bytes == NULL)
		len = 0;
	TRY(uploads_slice(c, &whose, v->id, offset, bytes, len, &now, &taken));
	console_used(c, v);
	tell(reply, taken ? 200 : 409, now);
	return NULL;
}

#define MOVING .need = RIGHT_WRITE | RIGHT_PUBLISH
#define INSTANCE .need = RIGHT_OPERATE
#define SENT                                                                                       \
	.method = "POST", .title = tr_mark("A large file"), .script = SCREEN_SENDS,                \
	.unnumbered = true

SCREEN(uploads) = {
	{ SENT, MOVING, .pattern = "/W/uploads", .handler = begin },
	{ SENT, MOVING, .pattern = "/W/uploads/ID", .files = true, .handler = slice },
	{ .method = "POST",
	    .title = tr_mark("A large file"),
	    MOVING,
	    .pattern = "/W/uploads/ID/remove",
	    .handler = remove_kept },
	{ SENT, INSTANCE, .pattern = "/instance/uploads", .handler = begin },
	{ SENT, INSTANCE, .pattern = "/instance/uploads/ID", .files = true, .handler = slice },
	{ .method = NULL },
};
