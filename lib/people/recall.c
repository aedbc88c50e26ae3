#include "people/recall.h"

#include <dirent.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/checksum.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "base/digest.h"
#include "base/fileio.h"
#include "base/uuid.h"
#include "store/generation.h"
#include "store/schemas.h"
#include "system/build.h"
#include "system/conf.h"
#include "system/fault.h"
#include "system/instance.h"

#define MAGIC "galley1"
#define PLACES 512
#define LANGUAGE_MAX 40 /* bytes, with a NUL */
#define SWEPT_AFTER CLOCK_DAY
/* All that a record depends on. Compared byte by byte, so it has no padding, and is zeroed before
 * it is filled. */
struct moment {
	char boot[40];
	unsigned char epoch[GENERATION_EPOCH];
	uint64_t counter;
	struct fileio_identity content, people;
	/* Of people/console.db and its log: who reads them may create the log, and remove it
	 * again, as long as it is empty. */
	struct fileio_written file, log;
};

struct recall {
	unsigned char session[DIGEST_SIZE]; /* the session's digest */
	unsigned char name[DIGEST_SIZE];
	const char *path; /* of the record */
	struct moment moment;
};

/* The file. The texts end with a NUL. */
struct record {
	char magic[8];
	struct moment moment;
	unsigned char name[DIGEST_SIZE];
	int64_t session_id, person_id, created_at, proved_at, ends_at, idle_s;
	int64_t workspace_id;
	uint64_t trusted, rights;
	char session_uuid[40], person_uuid[40], account[40], language[LANGUAGE_MAX];
	char person_name[PERSON_NAME_MAX + 8];
	uint64_t checksum; /* of all before it */
};

/* ---- the moment */

/* Notes the moment. Returns false if nothing may be believed now. */
static bool
note(struct ctx *c, struct moment *out)
{
	const char *people = db_console_path(c);
	struct generation seen;

	memset(out, 0, sizeof(*out));
	generation_read_people(c, &seen);
	if (!seen.usable)
		return false;
	memcpy(out->boot, seen.boot, sizeof(seen.boot));
	memcpy(out->epoch, seen.epoch, sizeof(out->epoch));
	out->counter = seen.keys;
	fileio_identify(c->instance->db, &out->content);
	fileio_identify(people, &out->people);
	fileio_look(people, &out->file);
	fileio_look(arena_printf(c->arena, "%s-wal", people), &out->log);
	return true;
}

bool
recall_is_fresh(struct ctx *c, const struct recall *r)
{
	struct moment now;

	return note(c, &now) && memcmp(&now, &r->moment, sizeof(now)) == 0;
}

/* ---- the name */

static const char *
folder_of(struct ctx *c)
{
	return fileio_path(c->arena, c->instance->run, "console/kept");
}

/* Names the record. Another build, or another schema, never believes this one's. */
static void
name_it(struct recall *r, const char *workspace)
{
	unsigned char build[BUILD_ID_MAX];
	size_t len = build_id(build);
	struct digest d;

	digest_begin_keyed(&d, DIGEST_SIZE, "galley recalled visit 1", r->session,
	    sizeof(r->session));
	digest_text(&d, workspace);
	digest_bytes(&d, build, len);
	digest_int(&d, schemas_number(DB_CONTENT));
	digest_int(&d, schemas_number(DB_CONSOLE));
	digest_end(&d, r->name);
}

struct recall *
recall_begin(struct ctx *c, const char *token, const char *workspace)
{
	struct recall *r = arena_alloc(c->arena, sizeof(*r));
	unsigned place;

	if (c->conf->kept_answers == 0 || !session_digest(c, token, r->session) ||
	    !note(c, &r->moment))
		return NULL;
	name_it(r, workspace);
	place = (r->name[0] | (unsigned)r->name[1] << 8) % PLACES;
	r->path = arena_printf(c->arena, "%s/%u", folder_of(c), place);
	return r;
}

void
recall_digest(const struct recall *r, struct digest *d)
{
	digest_fixed(d, r->name, sizeof(r->name));
	digest_fixed(d, &r->moment, sizeof(r->moment));
}

/* ---- the record */

static uint64_t
checksum_of(const struct record *record)
{
	return checksum((const char *)record, offsetof(struct record, checksum));
}

/* Returns whether a text ends in its place. */
static bool
ends(const char *text, size_t size)
{
	return memchr(text, '\0', size) != NULL;
}

static bool
read_record(const char *path, struct record *out)
{
	int fd = fileio_open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
	struct stat st;
	bool whole;

	if (fd < 0)
		return false;
	whole = fstat(fd, &st) == 0 && S_ISREG(st.st_mode) &&
	    st.st_uid == geteuid() && st.st_size == (off_t)sizeof(*out) &&
	    read(fd, out, sizeof(*out)) == (ssize_t)sizeof(*out);
	close(fd);
	return whole && memcmp(out->magic, MAGIC, sizeof(MAGIC)) == 0 &&
	    out->checksum == checksum_of(out) &&
	    ends(out->session_uuid, sizeof(out->session_uuid)) &&
	    ends(out->person_uuid, sizeof(out->person_uuid)) &&
	    ends(out->account, sizeof(out->account)) &&
	    ends(out->language, sizeof(out->language)) &&
	    ends(out->person_name, sizeof(out->person_name));
}

static struct session *
session_of(struct ctx *c, const struct recall *r, const struct record *record)
{
	struct session *s = arena_alloc(c->arena, sizeof(*s));

	s->id = record->session_id;
	s->uuid = record->session_uuid;
	s->person_id = record->person_id;
	s->created_at = record->created_at;
	s->proved_at = record->proved_at;
	s->ends_at = record->ends_at;
	s->idle_s = record->idle_s;
	s->trusted = record->trusted != 0;
	s->address = s->browser = "";
	memcpy(s->digest, r->session, sizeof(s->digest));
	return s;
}

static struct person *
person_from(struct ctx *c, const struct record *record)
{
	struct person *p = arena_alloc(c->arena, sizeof(*p));

	p->id = record->person_id;
	p->uuid = record->person_uuid;
	p->name = record->person_name;
	p->language = record->language;
	p->email = p->login = "";
	return p;
}

bool
recall_find(struct ctx *c, const struct recall *r, struct recalled *out)
{
	struct session *session;
	struct record *record;

	memset(out, 0, sizeof(*out));
	if (r == NULL)
		return false;
	record = arena_alloc(c->arena, sizeof(*record));
	if (!read_record(r->path, record) ||
	    memcmp(&record->moment, &r->moment, sizeof(r->moment)) != 0 ||
	    memcmp(record->name, r->name, sizeof(r->name)) != 0)
		return false;
	session = session_of(c, r, record);
	if (!session_lasts(c, session))
		return false;
	out->session = session;
	out->person = person_from(c, record);
	out->account = record->account;
	out->rights = (unsigned)record->rights;
	out->workspace_id = record->workspace_id;
	return true;
}

/* Copies a text to its place, which is zeroed; false if it is too long. */
static bool
put(char *place, size_t size, const char *text)
{
	size_t len = strlen(text);

	if (len >= size)
		return false;
	memcpy(place, text, len + 1);
	return true;
}

static bool
fill(const struct recall *r, const struct recalled *what, struct record *out)
{
	const struct session *s = what->session;
	const struct person *p = what->person;

	memset(out, 0, sizeof(*out));
	memcpy(out->magic, MAGIC, sizeof(MAGIC));
	out->moment = r->moment;
	memcpy(out->name, r->name, sizeof(out->name));
	out->session_id = s->id;
	out->person_id = p->id;
	out->created_at = s->created_at;
	out->proved_at = s->proved_at;
	out->ends_at = s->ends_at;
	out->idle_s = s->idle_s;
	out->trusted = s->trusted;
	out->rights = what->rights;
	out->workspace_id = what->workspace_id;
	if (!put(out->session_uuid, sizeof(out->session_uuid), s->uuid) ||
	    !put(out->person_uuid, sizeof(out->person_uuid), p->uuid) ||
	    !put(out->account, sizeof(out->account), what->account) ||
	    !put(out->language, sizeof(out->language), p->language) ||
	    !put(out->person_name, sizeof(out->person_name), p->name))
		return false;
	out->checksum = checksum_of(out);
	return true;
}

/* Writes the record beside its place, and moves it there. */
static void
write_record(struct ctx *c, const char *path, const struct record *record)
{
	const char *fresh = arena_printf(c->arena, "%s.%ld", path, (long)getpid());
	const int flags = O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW;
	int fd = fileio_open(fresh, flags);
	bool done;

	if (fd < 0 && fileio_make_folder(folder_of(c), 0700))
		fd = fileio_open(fresh, flags);
	if (fd < 0)
		return;
	done = fileio_write_all(fd, record, sizeof(*record));
	close(fd);
	(void)FAULT("visit-written");
	if (!done || rename(fresh, path) != 0)
		(void)unlink(fresh);
}

void
recall_keep(struct ctx *c, const struct recall *r, const struct recalled *what)
{
	struct record record;

	if (r != NULL && fileio_is_written_out(&r->moment.file) && fileio_is_written_out(&r->moment.log) &&
	    recall_is_fresh(c, r) && fill(r, what, &record))
		write_record(c, r->path, &record);
}

void
recall_sweep(struct ctx *c, bool all)
{
	DIR *dir = opendir(folder_of(c));
	int64_t now = clock_machine();
	const struct dirent *entry;
	struct stat st;

	if (dir == NULL)
		return;
	while ((entry = readdir(dir)) != NULL) {
		if (fstatat(dirfd(dir), entry->d_name, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
		    !S_ISDIR(st.st_mode) &&
		    (all || (int64_t)st.st_mtime * CLOCK_SECOND + SWEPT_AFTER < now))
			(void)unlinkat(dirfd(dir), entry->d_name, 0);
	}
	closedir(dir);
}
