#include "console/kept-page.h"

#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/checksum.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "base/digest.h"
#include "base/fileio.h"
#include "base/log.h"
#include "console/head.h"
#include "screen/say.h"
#include "store/generation.h"
#include "system/conf.h"
#include "system/fault.h"
#include "system/instance.h"

#define MAGIC "galleyp2"
#define PLACES 256
#define PAGE_MAX ((size_t)128 * 1024)
#define LEFT_BYTES ((uint64_t)64 * 1024 * 1024) /* on the disk */
#define TOKENS 8
#define TOKEN (sizeof(((struct visit *)0)->token) - 1)
#define ACTION_MAX 200

/* What a page depends on besides the recalled visit. It has no padding. */
struct moment {
	unsigned char epoch[GENERATION_EPOCH];
	uint64_t keys, workspace, seen;
	int64_t workspace_id;
	uint64_t conf;
	struct fileio_written file, log; /* of galley.db */
};

struct kept_page {
	struct moment moment;
	unsigned char name[DIGEST_SIZE];
	const char *path;
	unsigned numbers; /* of forms that the page has */
	const char *action, *number;
};

/* The beginning of a file; the page follows. */
struct front {
	char magic[8];
	unsigned char name[DIGEST_SIZE];
	uint64_t len; /* of the page */
	int64_t since, until; /* its times in words are right */
	uint64_t tokens, token_at[TOKENS];
	uint64_t number_at, number_len; /* number_len 0: it has none */
	char action[ACTION_MAX]; /* of the number's form; ends with a NUL */
	uint64_t page_sum, front_sum; /* checksums; the latter of all before it */
};

/* ---- what it depends on */

static bool
note(struct ctx *c, const struct visit *v, struct moment *out)
{
	struct generation seen;

	memset(out, 0, sizeof(*out));
	generation_read(c, v->recalled.workspace_id, &seen);
	if (!seen.usable || seen.seen % 2 != 0)
		return false;
	memcpy(out->epoch, seen.epoch, sizeof(out->epoch));
	out->keys = seen.keys;
	out->workspace = seen.workspace;
	out->seen = seen.seen;
	out->workspace_id = v->recalled.workspace_id;
	out->conf = c->conf->sum;
	fileio_look(c->instance->db, &out->file);
	fileio_look(arena_printf(c->arena, "%s-wal", c->instance->db), &out->log);
	return true;
}

static void
name_it(const struct visit *v, struct kept_page *p)
{
	struct digest d;

	digest_begin(&d, DIGEST_SIZE, "galley kept page 1");
	recall_digest(v->recall, &d);
	digest_fixed(&d, &p->moment, sizeof(p->moment));
	digest_text(&d, v->path);
	digest_text(&d, v->query);
	digest_end(&d, p->name);
}

static const char *
folder_of(struct ctx *c)
{
	return fileio_path(c->arena, c->instance->run, "console/kept");
}

static struct kept_page *
begin(struct ctx *c, const struct visit *v)
{
	struct kept_page *p = arena_alloc(c->arena, sizeof(*p));

	if (!note(c, v, &p->moment))
		return NULL;
	name_it(v, p);
	p->path = arena_printf(c->arena, "%s/page-%u", folder_of(c), p->name[0] % PLACES);
	return p;
}

/* Returns whether nothing has changed since the page was begun. */
static bool
is_fresh(struct ctx *c, const struct visit *v)
{
	struct moment now;

	return note(c, v, &now) && memcmp(&now, &v->kept->moment, sizeof(now)) == 0 &&
	    recall_is_fresh(c, v->recall);
}

/* ---- sending one */

static uint64_t
sum_of(const struct front *f)
{
	return checksum((const char *)f, offsetof(struct front, front_sum));
}

/* Returns whether `size` bytes of the page are at this place. */
static bool
fits(const struct front *f, uint64_t at, uint64_t size)
{
	return at <= f->len && size <= f->len - at;
}

static bool
is_sound(const struct front *f, const struct kept_page *p)
{
	int64_t now = clock_now();
	bool sound = memcmp(f->magic, MAGIC, sizeof(f->magic)) == 0 &&
	    memcmp(f->name, p->name, sizeof(f->name)) == 0 &&
	    f->front_sum == sum_of(f) && f->since <= now && now < f->until && f->len <= PAGE_MAX && f->tokens <= TOKENS &&
	    fits(f, f->number_at, f->number_len) &&
	    memchr(f->action, '\0', sizeof(f->action)) != NULL;

	for (uint64_t i = 0; sound && i < f->tokens; i++)
		sound = fits(f, f->token_at[i], TOKEN);
	return sound;
}

/* Returns the page, or NULL if the file is none. */
static char *
read_page(struct ctx *c, const struct kept_page *p, struct front *f)
{
	int fd = fileio_open(p->path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
	char *page = NULL;
	struct stat st;

	if (fd < 0)
		return NULL;
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_uid == geteuid() &&
	    read(fd, f, sizeof(*f)) == (ssize_t)sizeof(*f) && is_sound(f, p) &&
	    (uint64_t)st.st_size == sizeof(*f) + f->len) {
		page = arena_alloc(c->arena, (size_t)f->len);
		if (read(fd, page, (size_t)f->len) != (ssize_t)f->len ||
		    checksum(page, (size_t)f->len) != f->page_sum)
			page = NULL;
	}
	close(fd);
	return page;
}

/* Writes the token and a new number into the page. */
static bool
complete(struct ctx *c, const struct visit *v, const struct front *f, char *page)
{
	char token[TOKEN + 1], number[FORMNUMBER_TEXT];

	session_form_token(v->recalled.session, token);
	for (uint64_t i = 0; i < f->tokens; i++)
		memcpy(page + f->token_at[i], token, TOKEN);
	if (f->number_len == 0)
		return true;
	formnumber_draw(c, v->recalled.person->uuid, f->action, number);
	if (strlen(number) != f->number_len)
		return false;
	memcpy(page + f->number_at, number, (size_t)f->number_len);
	return true;
}

/* ---- doubting one */

#ifdef GALLEY_TEST

static bool
is_doubted(void)
{
	const char *mode = getenv("GALLEY_KEPT");

	return mode != NULL && strcmp(mode, "verify") == 0;
}

/* Compares the page that the ordinary way wrote with the one that is kept, if there is one. */
static void
compare(struct ctx *c, const struct visit *v, const struct reply *reply)
{
	size_t len = reply->body.len;
	struct front kept;
	char *page, *other;

	if (v->kept == NULL || !is_doubted())
		return;
	page = read_page(c, v->kept, &kept);
	if (page == NULL || !is_fresh(c, v))
		return;
	other = arena_alloc(c->arena, len + 1);
	memcpy(other, reply->body.data, len);
	for (uint64_t i = 0; len == kept.len && i < kept.tokens; i++)
		memset(other + kept.token_at[i], '0', TOKEN);
	if (len == kept.len)
		memset(other + kept.number_at, '0', (size_t)kept.number_len);
	if (reply->status != 200 || len != kept.len || memcmp(page, other, len) != 0)
		BUG("a kept page differs: %s", v->path);
}

#else
#define is_doubted() false
#define compare(c, v, reply) ((void)0)
#endif

bool
kept_page_find(struct ctx *c, struct visit *v, struct reply *reply)
{
	struct front f;
	char *page;

	if (!v->row->kept)
		return false;
	v->kept = begin(c, v);
	if (v->kept == NULL)
		return false;
	page = read_page(c, v->kept, &f);
	if (page == NULL || !complete(c, v, &f, page) || is_doubted())
		return false;
	(void)FAULT("page-kept");
	reply->bytes = page;
	reply->bytes_len = (size_t)f.len;
	reply->type = "text/html; charset=utf-8";
	head_add(reply, "no-store");
	return true;
}

/* ---- keeping one */

void
kept_page_number(struct kept_page *p, const char *action, const char *number)
{
	if (p == NULL)
		return;
	p->numbers++;
	p->action = action;
	p->number = number;
}

/* Empties all places of the token in a copy of the page; false if there are too many. */
static bool
take_tokens(const struct visit *v, char *page, struct front *f)
{
	char *at = page;

	while ((at = memmem(at, (size_t)(page + f->len - at), v->token, TOKEN)) != NULL) {
		if (f->tokens == TOKENS)
			return false;
		f->token_at[f->tokens++] = (uint64_t)(at - page);
		memset(at, '0', TOKEN);
	}
	return true;
}

/* Empties the place of the number; false if the page has more than one, or shows it twice. */
static bool
take_number(const struct kept_page *p, char *page, struct front *f)
{
	size_t len;
	char *at;

	if (p->numbers == 0)
		return true;
	len = strlen(p->number);
	at = memmem(page, (size_t)f->len, p->number, len);
	if (p->numbers > 1 || at == NULL || strlen(p->action) >= sizeof(f->action))
		return false;
	f->number_at = (uint64_t)(at - page);
	f->number_len = len;
	memcpy(f->action, p->action, strlen(p->action));
	memset(at, '0', len);
	return memmem(page, (size_t)f->len, p->number, len) == NULL;
}

/* Writes the file beside its place, and moves it there. */
static void
write_file(struct ctx *c, const char *path, const struct front *f, const char *page)
{
	const char *fresh = arena_printf(c->arena, "%s.%ld", path, (long)getpid());
	int fd = fileio_open(fresh, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW);
	bool done;

	if (fd < 0)
		return;
	done = fileio_write_all(fd, f, sizeof(*f)) &&
	    fileio_write_all(fd, page, (size_t)f->len);
	close(fd);
	(void)FAULT("page-written");
	if (!done || rename(fresh, path) != 0)
		(void)unlink(fresh);
}

static bool
has_room(struct ctx *c)
{
	struct statvfs fs;

	return statvfs(c->instance->run, &fs) != 0 ||
	    (uint64_t)fs.f_bavail * fs.f_frsize >= LEFT_BYTES;
}

void
kept_page_keep(struct ctx *c, const struct visit *v, const struct reply *reply)
{
	const struct kept_page *p = v->kept;
	struct front f;
	char *page;

	compare(c, v, reply);
	/* The counter that was noted is that of the workspace that was shown. */
	if (p == NULL || reply->status != 200 || reply->bytes != NULL ||
	    reply->body.len > PAGE_MAX || v->session != v->recalled.session ||
	    v->workspace == NULL || v->workspace->id != v->recalled.workspace_id ||
	    !fileio_is_written_out(&p->moment.file) ||
	    !fileio_is_written_out(&p->moment.log) || !is_fresh(c, v) || !has_room(c))
		return;
	memset(&f, 0, sizeof(f));
	memcpy(f.magic, MAGIC, sizeof(f.magic));
	memcpy(f.name, p->name, sizeof(f.name));
	f.len = reply->body.len;
	f.since = clock_now();
	f.until = say_until();
	page = arena_alloc(c->arena, reply->body.len);
	memcpy(page, reply->body.data, reply->body.len);
	if (!take_tokens(v, page, &f) || !take_number(p, page, &f))
		return;
	f.page_sum = checksum(page, (size_t)f.len);
	f.front_sum = sum_of(&f);
	write_file(c, p->path, &f, page);
}
