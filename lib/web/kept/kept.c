#include "web/kept/kept.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "access/apikey.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "base/fileio.h"
#include "base/log.h"
#include "system/build.h"
#include "system/conf.h"
#include "system/instance.h"
#include "web/kept/kept-file.h"
#include "web/kept/kept-memory.h"
#include "web/reply.h"
#include "web/req.h"

#define KEY_PLACES 4096
#define KEPT_PATH_MAX ((size_t)2 * PATH_MAX)

static unsigned
number_of(const unsigned char *digest)
{
	return digest[0] | (unsigned)digest[1] << 8 | (unsigned)digest[2] << 16 |
	       (unsigned)(digest[3] & 0x7F) << 24;
}

void
kept_note(struct ctx *c, struct kept *k, int64_t workspace_id)
{
	struct kept_moment *now = &k->moment;

	generation_read(c, workspace_id, &k->seen);
	memset(now, 0, sizeof(*now));
	memcpy(now->epoch, k->seen.epoch, sizeof(now->epoch));
	now->keys = k->seen.keys;
	now->workspace = k->seen.workspace;
	fileio_identify(c->instance->db, &now->database);
}

/* Begins `path` with the path of run/kept/. */
static void
begin_path(struct ctx *c, struct buf *path)
{
	buf_init(path, c->arena, KEPT_PATH_MAX);
	buf_add_text(path, c->instance->run);
	buf_lit(path, "/kept/");
}

static const char *
key_path(struct ctx *c, const struct kept *k)
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
read_record(struct ctx *c, struct kept *k, struct kept_key *record)
{
	struct kept_head found, wanted;
	size_t len;

	if (!kept_file_peek(key_path(c, k), &found, (char *)record, sizeof(*record), &len) ||
	    len != sizeof(*record)) {
		kept_note(c, k, 0);
		return false;
	}
	kept_note(c, k, record->workspace_id);
	kept_head_make(k, 0, k->key, &wanted);
	if (!k->seen.usable || memcmp(&found, &wanted, sizeof(found)) != 0) {
		kept_note(c, k, 0);
		return false;
	}
	return true;
}

static bool
find_key(struct ctx *c, struct kept *k, struct kept_key *key)
{
	bool found = c->lasting ? kept_memory_key(c, k, key) : read_record(c, k, key);

	return found && (key->expires_at == 0 || key->expires_at > clock_now());
}

/* Looks the record up that k->key names. */
static bool
take_record(struct ctx *c, struct req *r, struct kept *k)
{
	struct kept_key record;

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
kept_key(struct ctx *c, struct req *r, struct kept *k)
{
	memset(k, 0, sizeof(*k));
	k->on = GENERATION_IS_KNOWN && r->route->kept && c->conf->kept_answers > 0 &&
		apikey_digest(c, r->authorization, k->key);
	return k->on && take_record(c, r, k);
}

bool
kept_word(struct ctx *c, struct req *r, struct kept *k, const char *word)
{
	struct digest d;

	memset(k, 0, sizeof(*k));
	k->on = GENERATION_IS_KNOWN && r->route->kept && c->conf->kept_answers > 0;
	if (!k->on)
		return false;
	digest_begin(&d, DIGEST_SIZE, "galley kept word 1");
	digest_text(&d, word);
	digest_end(&d, k->key);
	return take_record(c, r, k);
}

/* Adds the program's build: another build never sends this one's kept answers. */
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
name_answer(struct ctx *c, const struct req *r, struct kept *k)
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
answer(struct req *r, struct reply *reply, int fd, const struct kept_content *content)
{
	if (etag_matches(r->if_none_match, content->etag))
		reply->status = 304;
	else if (content->known == 0)
		return false;
	else
		reply->bytes = kept_file_body(fd, content);
	if (reply->status != 304 && reply->bytes == NULL)
		return false;
	reply->bytes_len = (size_t)content->len;
	memcpy(reply->etag, content->etag, sizeof(reply->etag));
	memcpy(reply->shown, content->shown, sizeof(reply->shown));
	r->kept = true;
	return true;
}

bool
kept_find(struct ctx *c, struct req *r, struct kept *k, struct reply *reply)
{
	unsigned places = (unsigned)c->conf->kept_answers, place[2];
	struct kept_content content;
	struct kept_head wanted;
	bool current[2];

	name_answer(c, r, k);
	if (c->lasting)
		return kept_memory_find(r, k, reply);
	kept_head_make(k, k->seen.workspace, k->name, &wanted);
	place[0] = number_of(k->name) % places;
	place[1] = number_of(k->name + 4) % places;
	for (int i = 0; i < 2; i++) {
		int fd =
		    kept_file_open(answer_path(c, r, place[i]), &wanted, &content, &current[i]);
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
write_file(struct ctx *c, const char *path, int64_t workspace_id, const struct kept_head *head,
    const char *etag, const char *shown, bool known, const char *body, size_t len)
{
	if (kept_file_write(c, path, workspace_id, head, etag, shown, known, body, len))
		return;
	if (errno == ENOENT && fileio_make_folder(fileio_folder(c->arena, path), 0700) &&
	    kept_file_write(c, path, workspace_id, head, etag, shown, known, body, len))
		return;
	complain(c, path);
}

/* Keeps the key, with the moment that was noted before its row was read. */
static void
keep_key(struct ctx *c, const struct req *r, struct kept *k)
{
	struct kept_key record;
	struct kept_head head;

	memset(&record, 0, sizeof(record));
	record.key_id = r->access.key_id;
	record.workspace_id = r->access.workspace.id;
	record.expires_at = r->access.expires_at;
	record.scopes = r->access.scopes;
	memcpy(record.workspace_uuid, r->access.workspace.uuid, strlen(r->access.workspace.uuid));
	if (c->lasting) {
		kept_memory_keep_key(k, &record);
		return;
	}
	kept_head_make(k, 0, k->key, &head);
	write_file(
	    c, key_path(c, k), 0, &head, "", "", true, (const char *)&record, sizeof(record));
}

void
kept_keep(struct ctx *c, struct req *r, struct kept *k, bool knew, const struct reply *reply)
{
	int64_t slot = knew ? r->access.workspace.id : 0;
	struct generation now;
	struct kept_head head;

	if (!k->on || !k->seen.usable)
		return;
	generation_read(c, slot, &now);
	if (!generation_same(&k->seen, &now))
		return;
	if (!knew) {
		keep_key(c, r, k);
		return;
	}
	if (reply->etag[0] == '\0' || (reply->status != 200 && reply->status != 304))
		return;
	if (c->lasting) {
		kept_memory_keep(k, reply);
		return;
	}
	kept_head_make(k, k->seen.workspace, k->name, &head);
	write_file(c, answer_path(c, r, k->place), r->access.workspace.id, &head, reply->etag,
	    reply->shown, reply->status == 200, reply->body.data,
	    reply->status == 200 ? reply->body.len : 0);
}

#ifdef GALLEY_TEST

bool
kept_is_doubted(void)
{
	const char *mode = getenv("GALLEY_KEPT");

	return mode != NULL && strcmp(mode, "verify") == 0;
}

void
kept_compare(struct ctx *c, const struct req *r, const struct kept *k, const struct reply *kept,
    const struct reply *ordinary)
{
	struct generation now;

	generation_read(c, r->access.workspace.id, &now);
	if (!generation_same(&k->seen, &now))
		return;
	if (ordinary == NULL)
		BUG("a kept answer to what is refused: %s", r->target);
	if (kept->status != ordinary->status || strcmp(kept->etag, ordinary->etag) != 0 ||
	    strcmp(kept->shown, ordinary->shown) != 0 ||
	    (kept->status == 200 &&
		(kept->bytes_len != ordinary->body.len ||
		    memcmp(kept->bytes, ordinary->body.data, kept->bytes_len) != 0)))
		BUG("a kept answer differs: %s", r->target);
}

#endif
