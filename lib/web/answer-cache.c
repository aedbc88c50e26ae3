#include "web/answer-cache.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "access/apikey.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "base/digest.h"
#include "base/fileio.h"
#include "base/log.h"
#include "store/remote-store.h"
#include "system/conf.h"
#include "system/fault.h"
#include "system/instance.h"
#include "system/program.h"
#include "web/cache-space.h"
#include "web/reply.h"
#include "web/req.h"

/* ---- the memo */

/* Each name has a few possible places, so that hardly any entry is replaced while half
 * of all places are free. */
#define MEMO_WAYS 4
#define MEMO_SETS 512
#define PLACES (MEMO_SETS * MEMO_WAYS)

/* Returns the first of the name's places. Names are digests: any of their bits are as
 * good as random. */
static unsigned
set_of(const unsigned char *name)
{
	return (name[0] | (unsigned)name[1] << 8) % MEMO_SETS * MEMO_WAYS;
}

static void
forget(struct memo *m, struct memo_place *place)
{
	free(place->bytes);
	m->used -= place->len;
	place->bytes = NULL;
	place->len = 0;
}

/* Returns the index of the name's place, or -1. */
static int
index_of(const struct memo *m, const unsigned char *name)
{
	unsigned first = set_of(name);

	if (m->places == NULL)
		return -1;
	for (unsigned i = first; i < first + MEMO_WAYS; i++) {
		if (m->places[i].bytes != NULL && memcmp(m->places[i].name, name, DIGEST_SIZE) == 0)
			return (int)i;
	}
	return -1;
}

void *
memo_find(const struct memo *m, const unsigned char name[DIGEST_SIZE], size_t *len)
{
	int found = index_of(m, name);

	if (found < 0)
		return NULL;
	*len = m->places[found].len;
	return m->places[found].bytes;
}

/* Returns a place for a name that has none: a free one, or the next by turns. */
static struct memo_place *
place_for(struct memo *m, const unsigned char *name)
{
	unsigned first = set_of(name);

	for (unsigned i = first; i < first + MEMO_WAYS; i++) {
		if (m->places[i].bytes == NULL)
			return &m->places[i];
	}
	m->hand = (m->hand + 1) % PLACES;
	return &m->places[first + m->hand % MEMO_WAYS];
}

void *
memo_put(struct memo *m, const unsigned char name[DIGEST_SIZE], size_t len)
{
	int found = index_of(m, name);
	struct memo_place *place;
	void *bytes;

	if (m->places == NULL)
		m->places = calloc(PLACES, sizeof(*m->places));
	if (m->places == NULL)
		return NULL;
	place = found >= 0 ? &m->places[found] : place_for(m, name);
	forget(m, place);
	if (len > m->max / 8)
		return NULL;
	for (; m->used + len > m->max; m->hand = (m->hand + 1) % PLACES)
		forget(m, &m->places[m->hand]);
	bytes = malloc(len > 0 ? len : 1);
	if (bytes == NULL)
		return NULL;
	memcpy(place->name, name, DIGEST_SIZE);
	place->bytes = bytes;
	place->len = len;
	m->used += len;
	return bytes;
}

void
memo_clear(struct memo *m)
{
	for (unsigned i = 0; m->places != NULL && i < PLACES; i++)
		forget(m, &m->places[i]);
}

/* ---- answers of a FastCGI process */

/* They are in its own memory, by the rules of the files and under the same names, and end with the
 * process. A hit reads the mapping of run/generation, asks whether galley.db is still the same
 * file, and copies nothing. */

/* This holds some five hundred articles of usual length. */
#define MEMORY_MAX ((size_t)16 * 1024 * 1024)
#define BODY_MAX ((size_t)1024 * 1024)

/* The head of an entry; the bytes of the answer follow it. */
struct answer {
	struct cache_moment moment;
	char etag[ETAG_TEXT];
	char shown[REPLY_SHOWN];
	bool known; /* false: the tag alone is known (a 304) */
	size_t len; /* of the body that follows */
};

struct key {
	struct cache_moment moment;
	struct cache_key key;
};

/* The process's memo: it outlives its requests. */
static struct memo memory = { .max = MEMORY_MAX };

/* Compares two moments. The boot id cannot change while the process lives. */
static bool
same_moment(const struct cache_moment *a, const struct cache_moment *b)
{
	return memcmp(a, b, sizeof(*a)) == 0;
}

/* Notes the moment in k, for the workspace of the key if that is known. Returns true if
 * the key was good at this very moment; *out is then its record. */
static bool
cache_memory_key(struct ctx *c, struct cache *k, struct cache_key *out)
{
	struct cache_moment keys;
	const struct key *known;
	size_t len;

	known = memo_find(&memory, k->key, &len);
	if (known != NULL) {
		cache_note(c, k, known->key.workspace_id);
		keys = k->moment;
		keys.workspace = known->moment.workspace; /* are not of one */
		*out = known->key;
		if (k->seen.usable && same_moment(&known->moment, &keys))
			return true;
	}
	cache_note(c, k, 0);
	return false;
}

/* Fills the reply with the answer named k->name, or 304. Returns false if there is
 * none. */
static bool
cache_memory_find(struct req *r, const struct cache *k, struct reply *reply)
{
	const struct answer *found;
	size_t len;

	found = memo_find(&memory, k->name, &len);
	if (found == NULL || !same_moment(&found->moment, &k->moment))
		return false;
	if (etag_matches(r->if_none_match, found->etag)) {
		reply->status = 304;
	} else if (found->known) {
		reply->bytes = (const char *)(found + 1);
		reply->bytes_len = found->len;
	} else {
		return false;
	}
	memcpy(reply->etag, found->etag, sizeof(reply->etag));
	memcpy(reply->shown, found->shown, sizeof(reply->shown));
	r->cached = true;
	return true;
}

/* These cache a key, or an answer, of the moment in k. */
static void
cache_memory_keep_key(const struct cache *k, const struct cache_key *key)
{
	struct key *place = memo_put(&memory, k->key, sizeof(*place));

	if (place == NULL)
		return;
	memset(place, 0, sizeof(*place));
	place->moment = k->moment;
	place->key = *key;
}

static void
cache_memory_keep(const struct cache *k, const struct reply *reply)
{
	bool known = reply->status == 200;
	size_t len = known ? reply->body.len : 0;
	struct answer *place;

	if (len > BODY_MAX)
		return;
	place = memo_put(&memory, k->name, sizeof(*place) + len);
	if (place == NULL)
		return;
	memset(place, 0, sizeof(*place));
	place->moment = k->moment;
	memcpy(place->etag, reply->etag, sizeof(place->etag));
	memcpy(place->shown, reply->shown, sizeof(place->shown));
	place->known = known;
	place->len = len;
	if (len > 0)
		memcpy(place + 1, reply->body.data, len);
}

/* ---- files: they are written whole, and believed only if they are whole */

#define MAGIC "galley3"
#define PEEKED_MAX 128

void
cache_head_make(const struct cache *k, uint64_t workspace, const unsigned char name[DIGEST_SIZE],
    struct cache_head *out)
{
	memset(out, 0, sizeof(*out));
	memcpy(out->magic, MAGIC, sizeof(MAGIC));
	memcpy(out->boot, k->seen.boot, sizeof(k->seen.boot));
	out->moment = k->moment;
	out->moment.workspace = workspace;
	memcpy(out->name, name, DIGEST_SIZE);
}

bool
cache_head_as_fresh(const struct cache_head *a, const struct cache_head *b)
{
	return memcmp(a, b, offsetof(struct cache_head, name)) == 0;
}

/* The description of the content of a file. */
struct cache_content {
	char etag[36];
	char shown[REPLY_SHOWN];
	uint64_t len; /* bytes of the body that follows */
	uint64_t checksum; /* of the body */
	uint64_t known; /* 0: the file holds the tag only (a 304) */
};

/* The head and the description of the content, before the body; one read takes both. */
struct front {
	struct cache_head head;
	struct cache_content content;
};

/* Returns whether it is a regular file that Galley wrote, with as many bytes as
 * it says. */
static bool
is_ours(int fd, const struct cache_content *content)
{
	struct stat st;

	return content->len <= BODY_MAX && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) &&
	       st.st_uid == geteuid() && st.st_size == (off_t)(sizeof(struct front) + content->len);
}

/* Opens a file whose head is `wanted` and reads the description of its content.
 * Returns a descriptor for cache_file_body(), which the caller closes, or -1 if the file
 * is missing or has another head. *current then tells whether the place holds another
 * answer that is as fresh as `wanted`. */
static int
cache_file_open(
    const char *path, const struct cache_head *wanted, struct cache_content *content, bool *current)
{
	int fd = fileio_open(path, O_RDONLY | O_NOFOLLOW);
	struct front front;
	bool whole;

	*current = false;
	if (fd < 0)
		return -1;
	whole = read(fd, &front, sizeof(front)) == (ssize_t)sizeof(front) &&
		is_ours(fd, &front.content);
	if (whole && memcmp(&front.head, wanted, sizeof(*wanted)) == 0 &&
	    front.content.etag[ETAG_TEXT - 1] == '\0' &&
	    front.content.shown[REPLY_SHOWN - 1] == '\0') {
		*content = front.content;
		return fd;
	}
	*current = whole && cache_head_as_fresh(&front.head, wanted);
	close(fd);
	return -1;
}

/* Returns the body, content->len bytes without a NUL after them, valid as long as the
 * process lives: it is mapped, since such a process answers once. NULL if it is
 * damaged. */
/* Maps the body. No process makes such a file shorter: files are written beside
 * their place and renamed. Its pages are not populated at once: one fault brings
 * sixteen of them, which costs less. */
static const char *
cache_file_body(int fd, const struct cache_content *content)
{
	size_t len = (size_t)content->len;
	const char *file = mmap(NULL, sizeof(struct front) + len, PROT_READ, MAP_PRIVATE, fd, 0);

	if (file == MAP_FAILED)
		return NULL;
	file += sizeof(struct front);
	return checksum(file, len) == content->checksum ? file : NULL;
}

/* Reads a file of at most `max` bytes of content, up to 128, whatever its head says: for
 * a caller that learns from the content what the head should be. */
static bool
cache_file_peek(const char *path, struct cache_head *head, char *body, size_t max, size_t *len)
{
	int fd = fileio_open(path, O_RDONLY | O_NOFOLLOW);
	struct {
		struct front front;
		char body[PEEKED_MAX];
	} file;
	const struct cache_content *content = &file.front.content;
	ssize_t got;
	bool whole;

	if (fd < 0)
		return false;
	got = read(fd, &file, sizeof(file));
	whole = got >= (ssize_t)sizeof(file.front) && content->len <= max &&
		content->len == (uint64_t)got - sizeof(file.front) && is_ours(fd, content) &&
		checksum(file.body, (size_t)content->len) == content->checksum;
	close(fd);
	if (!whole)
		return false;
	*head = file.front.head;
	*len = (size_t)content->len;
	memcpy(body, file.body, *len);
	return true;
}

static bool
write_open(
    int fd, const struct cache_head *head, const struct cache_content *content, const char *body)
{
	if (FAULT("kept-write") != 0)
		return false;
	return fileio_write_all(fd, head, sizeof(*head)) &&
	       fileio_write_all(fd, content, sizeof(*content)) &&
	       fileio_write_all(fd, body, (size_t)content->len);
}

static bool
write_fresh(const char *fresh, const struct cache_head *head, const struct cache_content *content,
    const char *body)
{
	int fd = fileio_open(fresh, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW);
	bool done;

	if (fd < 0)
		return false;
	done = write_open(fd, head, content, body);
	close(fd);
	(void)FAULT("kept-written");
	return done;
}

/* Writes a file beside its place, and then moves it there: an answer if there is room for
 * it (cache-space.h), a key's record (`workspace_id` is 0) by renaming it over the old one.
 * Returns false with errno set. */
static bool
cache_file_write(struct ctx *c, const char *path, int64_t workspace_id,
    const struct cache_head *head, const char *etag, const char *shown, bool known,
    const char *body, size_t len)
{
	const char *fresh = arena_printf(c->arena, "%s.%ld", path, (long)getpid());
	struct cache_content content;
	struct cache_space room;
	bool counted = workspace_id != 0, done;

	if (len > BODY_MAX || (counted && !cache_space_find(c, workspace_id, path,
					      sizeof(struct front) + len, &room)))
		return true;
	memset(&content, 0, sizeof(content));
	memcpy(content.etag, etag, strlen(etag));
	memcpy(content.shown, shown, strlen(shown));
	content.len = len;
	content.checksum = checksum(body, len);
	content.known = known;
	done = write_fresh(fresh, head, &content, body);
	if (!done && counted)
		cache_space_leave(&room);
	if (done)
		done = counted ? cache_space_fill(&room, fresh, path) : rename(fresh, path) == 0;
	if (!done)
		unlink(fresh);
	return done;
}

/* ---- keys and answers */

#define KEY_PLACES 4096
#define CACHE_PATH_MAX ((size_t)2 * PATH_MAX)

static unsigned
number_of(const unsigned char *digest)
{
	return digest[0] | (unsigned)digest[1] << 8 | (unsigned)digest[2] << 16 |
	       (unsigned)(digest[3] & 0x7F) << 24;
}

void
cache_note(struct ctx *c, struct cache *k, int64_t workspace_id)
{
	struct cache_moment *now = &k->moment;

	memset(now, 0, sizeof(*now));
	if (STORE_IS_REMOTE) {
		const struct remote_stamps stamps = remote_stamps(c);

		now->keys = (uint64_t)stamps.keys;
		now->workspace = (uint64_t)stamps.workspace;
		k->seen.usable = true;
		return;
	}
	generation_read(c, workspace_id, &k->seen);
	memcpy(now->epoch, k->seen.epoch, sizeof(now->epoch));
	now->keys = k->seen.keys;
	now->workspace = k->seen.workspace;
	fileio_identify(c->instance->db, &now->database);
}

/* Begins `path` with the path of run/kept/. */
static void
begin_path(struct ctx *c, struct buf *path)
{
	buf_init(path, c->arena, CACHE_PATH_MAX);
	buf_add_text(path, c->instance->run);
	buf_lit(path, "/kept/");
}

static const char *
key_path(struct ctx *c, const struct cache *k)
{
	struct buf path;

	begin_path(c, &path);
	buf_lit(&path, "keys/");
	buf_add_int(&path, number_of(k->key) % KEY_PLACES);
	return buf_done(&path);
}

/* Reads the key's record, and then run/generation for the workspace that it
 * names: one reading serves both, since nothing else was read before it. */
static bool
read_record(struct ctx *c, struct cache *k, struct cache_key *record)
{
	struct cache_head found, wanted;
	size_t len;
	bool fits;

	if (!cache_file_peek(key_path(c, k), &found, (char *)record, sizeof(*record), &len) ||
	    len != sizeof(*record)) {
		cache_note(c, k, 0);
		return false;
	}
	cache_note(c, k, record->workspace_id);
	cache_head_make(k, 0, k->key, &wanted);
	fits = k->seen.usable && memcmp(&found, &wanted, sizeof(found)) == 0;
	if (!fits)
		cache_note(c, k, 0);
	return fits;
}

static bool
find_key(struct ctx *c, struct cache *k, struct cache_key *key)
{
	bool found = c->lasting ? cache_memory_key(c, k, key) : read_record(c, k, key);

	return found && (key->expires_at == 0 || key->expires_at > clock_now());
}

/* Looks the record up that k->key names. */
static bool
take_record(struct ctx *c, struct req *r, struct cache *k)
{
	struct cache_key record;

	if (!find_key(c, k, &record))
		return false;
	r->access.key_id = record.key_id;
	r->access.scopes = (unsigned)record.scopes;
	r->access.workspace.id = record.workspace_id;
	record.workspace_uuid[sizeof(record.workspace_uuid) - 1] = '\0';
	r->access.workspace.uuid = arena_text(c->arena, record.workspace_uuid);
	return true;
}

bool
cache_key(struct ctx *c, struct req *r, struct cache *k)
{
	memset(k, 0, sizeof(*k));
	k->on = r->route->cached && c->conf->kept_answers > 0 &&
		(STORE_IS_REMOTE || apikey_digest(c, r->authorization, k->key));
	if (STORE_IS_REMOTE)
		cache_note(c, k, 0);
	return k->on && (STORE_IS_REMOTE || take_record(c, r, k));
}

bool
cache_word(struct ctx *c, struct req *r, struct cache *k, const char *word)
{
	struct digest d;

	memset(k, 0, sizeof(*k));
	k->on = !STORE_IS_REMOTE && r->route->cached && c->conf->kept_answers > 0;
	if (!k->on)
		return false;
	digest_begin(&d, DIGEST_SIZE, "galley kept word 1");
	digest_text(&d, word);
	digest_end(&d, k->key);
	return take_record(c, r, k);
}

/* Adds the program's build: another build never sends this one's cached answers. */
static void
digest_build(struct digest *d)
{
	unsigned char id[BUILD_ID_MAX];
	size_t len = build_id(id);

	if (len == 0)
		BUG("a program linked without -Wl,--build-id");
	digest_bytes(d, id, len);
}

static void
name_answer(struct ctx *c, const struct req *r, struct cache *k)
{
	struct digest d;

	digest_begin(&d, DIGEST_SIZE, "galley kept answer 1");
	digest_int(&d, r->access.workspace.id);
	digest_int(&d, r->access.scopes);
	digest_text(&d, r->route->pattern);
	digest_text(&d, r->id);
	for (int i = 0; r->route->params != NULL && r->route->params[i].name != NULL; i++) {
		digest_int(&d, r->param[i].given);
		digest_int(&d, r->param[i].number);
		digest_int(&d, r->param[i].flag);
		digest_text(&d, r->param[i].text);
	}
	digest_int(&d, (int64_t)c->conf->sum);
	if (!c->lasting)
		digest_build(&d);
	digest_end(&d, k->name);
}

static const char *
answer_path(struct ctx *c, const struct req *r, unsigned place)
{
	struct buf path;

	begin_path(c, &path);
	buf_add_int(&path, r->access.workspace.id);
	buf_add_char(&path, '/');
	buf_add_int(&path, place);
	return buf_done(&path);
}

/* Fills the reply. A 304 needs no body; a record of the tag alone can give only a 304. */
static bool
answer(struct req *r, struct reply *reply, int fd, const struct cache_content *content)
{
	if (etag_matches(r->if_none_match, content->etag))
		reply->status = 304;
	else if (content->known == 0)
		return false;
	else
		reply->bytes = cache_file_body(fd, content);
	if (reply->status != 304 && reply->bytes == NULL)
		return false;
	reply->bytes_len = (size_t)content->len;
	memcpy(reply->etag, content->etag, sizeof(reply->etag));
	memcpy(reply->shown, content->shown, sizeof(reply->shown));
	r->cached = true;
	return true;
}

bool
cache_find(struct ctx *c, struct req *r, struct cache *k, struct reply *reply)
{
	unsigned places = (unsigned)c->conf->kept_answers, place[2];
	struct cache_content content;
	struct cache_head wanted;
	bool current[2];

	if (STORE_IS_REMOTE && !k->on)
		return false;
	name_answer(c, r, k);
	if (STORE_IS_REMOTE || c->lasting)
		return cache_memory_find(r, k, reply);
	cache_head_make(k, k->seen.workspace, k->name, &wanted);
	place[0] = number_of(k->name) % places;
	place[1] = number_of(k->name + 4) % places;
	for (int i = 0; i < 2; i++) {
		int fd =
		    cache_file_open(answer_path(c, r, place[i]), &wanted, &content, &current[i]);
		if (fd >= 0) {
			bool answered = answer(r, reply, fd, &content);
			close(fd);
			k->place = place[i];
			return answered;
		}
	}
	/* A new answer replaces one that is not fresh, else any of the two. */
	k->place = !current[0] || (current[1] && k->name[8] % 2 == 0) ? place[0] : place[1];
	return false;
}

/* Logs one line a minute: a full disk must not fill the log as well. */
static void
complain(struct ctx *c, const char *path)
{
	const char *mark = fileio_path(c->arena, c->instance->run, "kept/complained");
	int error = errno;
	struct stat st;

	if (stat(mark, &st) == 0 && st.st_mtime <= time(NULL) && st.st_mtime + 60 > time(NULL))
		return;
	(void)fileio_make_folder(fileio_folder(c->arena, mark), 0700);
	(void)fileio_replace(c->arena, mark, "", 0, 0600);
	log_line("kept answers: %s: %s; the ordinary way answers", path, strerror(error));
}

static void
write_file(struct ctx *c, const char *path, int64_t workspace_id, const struct cache_head *head,
    const char *etag, const char *shown, bool known, const char *body, size_t len)
{
	if (cache_file_write(c, path, workspace_id, head, etag, shown, known, body, len))
		return;
	if (errno == ENOENT && fileio_make_folder(fileio_folder(c->arena, path), 0700) &&
	    cache_file_write(c, path, workspace_id, head, etag, shown, known, body, len))
		return;
	complain(c, path);
}

/* Keeps the key, with the moment that was noted before its row was read. */
static void
keep_key(struct ctx *c, const struct req *r, struct cache *k)
{
	struct cache_key record;
	struct cache_head head;

	memset(&record, 0, sizeof(record));
	record.key_id = r->access.key_id;
	record.workspace_id = r->access.workspace.id;
	record.expires_at = r->access.expires_at;
	record.scopes = r->access.scopes;
	memcpy(record.workspace_uuid, r->access.workspace.uuid, strlen(r->access.workspace.uuid));
	if (c->lasting) {
		cache_memory_keep_key(k, &record);
		return;
	}
	cache_head_make(k, 0, k->key, &head);
	write_file(
	    c, key_path(c, k), 0, &head, "", "", true, (const char *)&record, sizeof(record));
}

void
cache_keep(struct ctx *c, struct req *r, struct cache *k, bool knew, const struct reply *reply)
{
	int64_t slot = knew ? r->access.workspace.id : 0;
	struct generation now;
	struct cache_head head;

	if (!k->on || !k->seen.usable)
		return;
	if (!STORE_IS_REMOTE) {
		generation_read(c, slot, &now);
		if (!generation_same(&k->seen, &now))
			return;
	}
	if (!knew) {
		keep_key(c, r, k);
		return;
	}
	if (reply->etag[0] == '\0' || (reply->status != 200 && reply->status != 304))
		return;
	if (STORE_IS_REMOTE || c->lasting) {
		cache_memory_keep(k, reply);
		return;
	}
	cache_head_make(k, k->seen.workspace, k->name, &head);
	write_file(c, answer_path(c, r, k->place), r->access.workspace.id, &head, reply->etag,
	    reply->shown, reply->status == 200, reply->body.data,
	    reply->status == 200 ? reply->body.len : 0);
}

#ifdef GALLEY_TEST

bool
cache_is_doubted(void)
{
	const char *mode = getenv("GALLEY_KEPT");

	return mode != NULL && strcmp(mode, "verify") == 0;
}

void
cache_compare(struct ctx *c, const struct req *r, const struct cache *k, const struct reply *cached,
    const struct reply *ordinary)
{
	struct generation now;
	struct cache snapshot = { .on = true };

	generation_read(c, r->access.workspace.id, &now);
	cache_note(c, &snapshot, r->access.workspace.id);
	if (STORE_IS_REMOTE ? !same_moment(&k->moment, &snapshot.moment)
			    : !generation_same(&k->seen, &now))
		return;
	if (ordinary == NULL)
		BUG("a kept answer to what is refused: %s", r->target);
	if (cached->status != ordinary->status || strcmp(cached->etag, ordinary->etag) != 0 ||
	    strcmp(cached->shown, ordinary->shown) != 0 ||
	    (cached->status == 200 &&
		(cached->bytes_len != ordinary->body.len ||
		    memcmp(cached->bytes, ordinary->body.data, cached->bytes_len) != 0)))
		BUG("a kept answer differs: %s", r->target);
}

#endif
