#include "console/sent.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "base/digest.h"
#include "base/fileio.h"
#include "base/log.h"
#include "base/uuid.h"
#include "console/answer.h"
#include "console/request.h"
#include "screen/tr.h"
#include "system/disk.h"
#include "system/fault.h"
#include "system/filelock.h"
#include "system/harden.h"
#include "system/instance.h"
#include "web/req.h"

#define ARRIVE_FORM_MAX ((size_t)8 * 1024 * 1024)

/* ---- the body on its way in */

/* A longer body with files goes into a file. */
#define MEMORY_MAX ((size_t)512 * 1024)
#define PIECE ((size_t)64 * 1024)

#define SLOW 4 /* bodies at once that need more than REQ_BODY_S */
#define PATIENCE 2 /* bodies at once that need more than ARRIVE_MS before a process begins */
#define SLOW_AFTER (CLOCK_SECOND)

#define RETRY_AFTER_S 10

struct arrival {
	struct ctx *c;
	struct visit *v;
	const char *folder; /* run/console */
	int64_t began_at; /* boot clock */
	int slot; /* -1: none is held */
};

/* Takes one of the places of slow bodies, once it is clear that this is one. */
static void
be_patient(struct arrival *a)
{
	const struct exchange *x = a->v->r->exchange;

	if (x->wait == NULL || a->slot >= 0 || a->v->state != SESSION_GOOD ||
	    clock_boot() - a->began_at < SLOW_AFTER)
		return;
	for (int i = 0; i < SLOW && a->slot < 0; i++) {
		pid_t holder;
		a->slot =
		    filelock_take(arena_printf(a->c->arena, "%s/slow-%d", a->folder, i), &holder);
	}
	if (a->slot >= 0)
		x->wait(x->arg, ARRIVE_S);
}

/* Returns the path of the file whose bytes are the places of arrive_patience(); after them comes
 * that of texts whose session has ended. */
static const char *
patience_path(struct ctx *c)
{
	return arena_printf(c->arena, "%s/console/patience", c->instance->run);
}

int
arrive_patience(struct ctx *c)
{
	int fd = -1;

	for (int i = 0; i < PATIENCE && fd < 0; i++)
		fd = filelock_take_byte(patience_path(c), i);
	return fd;
}

/* Gives a body that has had its second more time, unless a stranger sends it. */
static void
give_time(struct arrival *a)
{
	const struct exchange *x = a->v->r->exchange;

	if (x->wait == NULL)
		return;
	if (a->v->state == SESSION_ENDED)
		a->slot = filelock_take_byte(patience_path(a->c), PATIENCE);
	if (a->v->state == SESSION_GOOD || a->slot >= 0)
		x->wait(x->arg, REQ_BODY_S);
}

static struct err *
too_long(struct ctx *c, size_t max)
{
	if (max < (size_t)1024 * 1024)
		return refuse(c, ERR_TOO_LARGE,
		    tr_mark("This form is too large: it may have %zu KiB."), max >> 10);
	return refuse(
	    c, ERR_TOO_LARGE, tr_mark("This form is too large: it may have %zu MiB."), max >> 20);
}

static struct err *
into_memory(struct arrival *a, size_t room, char **body, size_t *len)
{
	struct req *r = a->v->r;
	size_t got;

	*body = arena_alloc(a->c->arena, room + 2);
	while (*len <= room && (got = req_some(r, *body + *len, room + 1 - *len)) > 0) {
		*len += got;
		be_patient(a);
	}
	return NULL;
}

/* Opens a file that has no name, or loses it at once. */
static int
open_file(struct arrival *a)
{
	const char *path;
	char id[UUID_TEXT];
	int fd = open(a->folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);

	if (fd >= 0)
		return fd;
	uuid_random(id);
	path = arena_printf(a->c->arena, "%s/.%s", a->folder, id);
	fd = fileio_open(path, O_RDWR | O_CREAT | O_EXCL);
	if (fd >= 0)
		(void)unlink(path);
	return fd;
}

static struct err *
no_room(struct ctx *c)
{
	struct err *err = refuse(c, ERR_UNAVAILABLE,
	    tr_mark(
		"The disk of this instance is nearly full, so the file was not taken. Ask the operator; then go back and send it again."));

	err->retry_after_s = RETRY_AFTER_S;
	return err;
}

/* Writes what comes into the file. False with errno set. */
static bool
fill(struct arrival *a, int fd, size_t room, size_t *len)
{
	char *piece = arena_alloc(a->c->arena, PIECE);
	size_t got = 1;

	while (*len <= room && got > 0) {
		got = req_some(a->v->r, piece, PIECE);
		if (got > 0 && !fileio_write_all(fd, piece, got))
			return false;
		*len += got;
		be_patient(a);
	}
	(void)FAULT("upload-arrived");
	return ftruncate(fd, (off_t)(*len + 1)) == 0;
}

static struct err *
into_file(struct arrival *a, size_t room, char **body, size_t *len)
{
	int fd = open_file(a), saved;
	bool done;

	if (fd < 0)
		die_passing(RETRY_AFTER_S, "%s: %s", a->folder, strerror(errno));
	done = fill(a, fd, room, len);
	saved = errno;
	*body =
	    done ? mmap(NULL, *len + 1, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0) : MAP_FAILED;
	if (done && *body == MAP_FAILED)
		saved = errno;
	close(fd);
	if (*body == MAP_FAILED && (saved == ENOSPC || saved == EDQUOT))
		return no_room(a->c);
	if (*body == MAP_FAILED)
		die_passing(RETRY_AFTER_S, "an upload: %s", strerror(saved));
	a->v->mapped = *body;
	a->v->mapped_len = *len + 1;
	return NULL;
}

static size_t
max_of(const struct visit *v)
{
	if (v->state != SESSION_GOOD && v->state != SESSION_ENDED)
		return ARRIVE_STRANGER_MAX;
	return v->row->files ? ARRIVE_FILES_MAX : ARRIVE_FORM_MAX;
}

/*
 * Reads the whole body, with one more byte after it that may be written. Refuses one that
 * is too long for its row (413), and a picture for which the disk has no room (503). What did
 * not come is missing at the end. arrive_release() ends the life of the bytes.
 */
static struct err *
arrive_read(struct ctx *c, struct visit *v, char **body, size_t *len)
{
	size_t max = max_of(v), room = max;
	struct arrival a = { .c = c,
		.v = v,
		.began_at = clock_boot(),
		.slot = -1,
		.folder = fileio_path(c->arena, c->instance->run, "console") };
	struct err *err;

	*len = 0;
	if (!v->r->chunked)
		room = (size_t)v->r->content_length;
	if (room > max)
		return too_long(c, max);
	(void)fileio_make_folder(a.folder, 0700);
	give_time(&a);
	if (v->row->files && room > MEMORY_MAX) {
		err = disk_has_room(a.folder, (int64_t)room) ? into_file(&a, room, body, len)
							     : no_room(c);
	} else {
		err = into_memory(&a, room, body, len);
	}
	if (a.slot >= 0)
		filelock_release(a.slot);
	return err == NULL && *len > max ? too_long(c, max) : err;
}

void
arrive_release(struct visit *v)
{
	if (v->mapped != NULL)
		(void)munmap(v->mapped, v->mapped_len);
	v->mapped = NULL;
}

/* ---- a form that was sent */

#define KEPT_MAX (ARRIVE_FORM_MAX + (size_t)1024 * 1024)

/* Computes what makes two sendings of a form the same. */
static void
digest_sent(struct visit *v)
{
	struct digest d;

	digest_begin(&d, DIGEST_SIZE, "galley form 1");
	for (size_t i = 0; i < v->sent.count; i++) {
		const struct form_value *value = &v->sent.values[i];
		if (strcmp(value->name, "token") == 0 || strcmp(value->name, "number") == 0)
			continue;
		digest_text(&d, value->name);
		digest_bytes(&d, value->text, value->len);
	}
	digest_int(&d, (int64_t)v->sent.count);
	for (size_t i = 0; i < v->sent.file_count; i++) {
		digest_text(&d, v->sent.files[i].name);
		digest_bytes(&d, v->sent.files[i].text, v->sent.files[i].len);
	}
	digest_end(&d, v->number.digest);
}

void
sent_number(struct ctx *c, struct visit *v)
{
	v->number.number = console_sent(v, "number");
	v->number.person = v->person != NULL ? v->person->uuid : "";
	v->number.route = v->path;
	digest_sent(v);
	v->number_state = formnumber_check(c, &v->number);
}

/* A picture makes a form longer, not its texts. */
static struct err *
check_texts(struct ctx *c, const struct visit *v)
{
	size_t len = 0;

	for (size_t i = 0; i < v->sent.count; i++)
		len += v->sent.values[i].len;
	if (len <= ARRIVE_FORM_MAX)
		return NULL;
	return refuse(c, ERR_TOO_LARGE, tr_mark("This form is too large: it may have %zu MiB."),
	    ARRIVE_FORM_MAX >> 20);
}

struct err *
sent_read(struct ctx *c, struct visit *v, const struct headers *h)
{
	char *body = NULL;
	size_t len = 0;
	struct err *err = arrive_read(c, v, &body, &len);

	harden_life(0);
	if (err == NULL)
		err = multipart_read(c, h->content_type, body, len, &v->sent);
	if (err == NULL)
		err = check_texts(c, v);
	v->lost = err != NULL;
	if (err != NULL)
		return err;
	sent_number(c, v);
	return NULL;
}

/* ---- what is kept for later */

/* Names and values, each with a NUL after it, and the length of the value before both. */
void
sent_write(struct ctx *c, const struct visit *v, struct buf *out)
{
	buf_init(out, c->arena, KEPT_MAX);
	for (size_t i = 0; i < v->sent.count; i++) {
		const struct form_value *value = &v->sent.values[i];
		const uint64_t len = value->len;
		if (strcmp(value->name, "token") == 0)
			continue;
		buf_add(out, &len, sizeof(len));
		buf_add(out, value->name, strlen(value->name) + 1);
		buf_add(out, value->text, value->len);
		buf_add_char(out, '\0');
	}
}

void
console_put_back(struct ctx *c, struct visit *v, const unsigned char *bytes, size_t len)
{
	const char *at = (const char *)bytes, *end = at + len;

	memset(&v->sent, 0, sizeof(v->sent));
	v->sent.values = arena_array(c->arena, MULTIPART_PARTS_MAX, sizeof(*v->sent.values));
	while (at < end) {
		struct form_value *value = &v->sent.values[v->sent.count++];
		uint64_t size;
		memcpy(&size, at, sizeof(size));
		at += sizeof(size);
		value->name = at;
		at += strlen(at) + 1;
		value->text = at;
		value->len = size;
		at += size + 1;
	}
}
