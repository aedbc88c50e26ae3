/* Checks what a stranger gets from public_url, for doctor.h. */
#include <dirent.h>
#include <stddef.h>
#include <string.h>

#include "access/apikey.h"
#include "article/media.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "base/fileio.h"
#include "doctor/doctor-ask.h"
#include "doctor/doctor.h"
#include "net/remote.h"
#include "system/conf.h"
#include "system/instance.h"

#define CERTIFICATE_DAYS 14
#define SAMPLE 32 /* first bytes by which a file is recognised */
#define SECONDS 10 /* for one answer */

static const char *
need_url(struct ctx *c)
{
	return hint_say(c, "set public_url to the address of this instance", HINT_CONFIG,
	    "public_url=https://…");
}

/* Returns public_url, or NULL if it is not known. */
static const char *
public_url(struct ctx *c)
{
	if (c->conf == NULL || c->conf->public_url[0] == '\0')
		return NULL;
	return c->conf->public_url;
}

void
doctor_ask(struct ctx *c, const char *url, struct remote_how how, struct doctor_answer *out)
{
	struct remote *remote;
	struct err *err;

	how.own = true;
	if (how.limit_s == 0)
		how.limit_s = SECONDS;
	remote = remote_open(c, &how);
	err = remote_get(c, remote, url, &out->of);
	remote_close(remote);
	out->by_client = err != NULL && out->of.reason == NULL;
	out->failure = err == NULL	? NULL
		       : out->by_client ? err->message
					: arena_printf(c->arena, "%s: %s", url, out->of.reason);
}

static void
get(struct ctx *c, const char *url, const char *key, struct doctor_answer *out)
{
	doctor_ask(c, url, (struct remote_how) { .key = key }, out);
}

struct doctor_finding
doctor_no_answer(const struct doctor_answer *a)
{
	if (a->by_client)
		return doctor_bad(a->failure, "make install again");
	if (strstr(a->failure, "certificate") != NULL)
		return doctor_bad(a->failure,
		    "renew the certificate, or install it with all those above it: no customer can connect");
	return doctor_bad(a->failure,
	    "see that the web server runs, and that public_url in galley.conf is its address");
}

/* Explains an answer of the API that is not 401. */
static struct doctor_finding
explain(struct ctx *c, const char *url, const struct doctor_answer *a)
{
	const char *told = arena_printf(c->arena, "%s answers %d", url, a->of.status);

	if (a->of.status == 403 && strncmp(url, "http://", 7) == 0)
		return doctor_bad(told,
		    "public_url is plain http and require_https is on: use https, or set require_https = off");
	if (a->of.status == 403 || a->of.status == 404)
		return doctor_bad(told,
		    "the web server does not give /api/v1 to the programs in cgi-bin: see INSTALL.md");
	if (a->of.status >= 500)
		return doctor_bad(told,
		    "see log/ and the web server's error log; the programs may lack the right to run or to read the instance");
	if (a->of.status >= 300 && a->of.status < 400)
		return doctor_bad(told, "public_url leads elsewhere: set it to the final address");
	return doctor_bad(told, "public_url is not the address of this instance");
}

static bool
says(const struct doctor_answer *a, const char *text)
{
	return memmem(a->of.body, a->of.body_len, text, strlen(text)) != NULL;
}

/* Returns whether the answer is the API's own 401, and whole. */
static bool
is_refusal(struct ctx *c, const struct doctor_answer *a)
{
	return a->of.status == 401 && !a->of.cut && says(a, "\"unauthorized\"") &&
	       remote_header(c, &a->of, "X-API-Version", 0) != NULL;
}

struct doctor_finding
doctor_api(struct ctx *c)
{
	char key[APIKEY_LENGTH + 1];
	const char *url = public_url(c);
	struct doctor_answer a;

	if (url == NULL)
		return doctor_bad(
		    "public_url is not set: images have no address, and nothing can be asked",
		    need_url(c));
	url = arena_printf(c->arena, "%s/api/v1/connection", url);
	apikey_random(key);
	get(c, url, key, &a);
	if (a.failure != NULL)
		return doctor_no_answer(&a);
	if (!is_refusal(c, &a) && a.of.status != 429)
		return explain(c, url, &a);
	if (says(&a, "No Authorization header"))
		return doctor_bad("the web server drops the Authorization header: no key works",
		    "CGIPassAuth On for cgi-bin; the files in apache-conf/ have it");
	return doctor_good(arena_printf(c->arena, "%s refuses a wrong key", url));
}

struct doctor_finding
doctor_certificate(struct ctx *c)
{
	const char *url = public_url(c);
	struct doctor_answer a;
	int64_t ends, days;

	if (url == NULL || strncmp(url, "https://", 8) != 0)
		return doctor_good("public_url has no certificate");
	doctor_ask(c, url, (struct remote_how) { .certificate = true }, &a);
	ends = a.failure == NULL ? a.of.expires_at : 0;
	if (ends == 0)
		return doctor_note("when the certificate ends is not known here",
		    "watch it with another tool; curl on this host does not tell");
	days = (ends - clock_now()) / (86400 * CLOCK_SECOND);
	if (ends <= clock_now())
		return doctor_bad(
		    "the certificate has expired", "renew it: no customer can connect");
	if (days < CERTIFICATE_DAYS)
		return doctor_warn(
		    arena_printf(c->arena, "the certificate ends in %lld days", (long long)days),
		    "see why it was not renewed by itself");
	return doctor_good(
	    arena_printf(c->arena, "the certificate is good for %lld days", (long long)days));
}

/* Checks that a request without a key is refused as such: else a proxy adds a
 * key, or another program answers. */
struct doctor_finding
doctor_headers(struct ctx *c)
{
	const char *url = public_url(c);
	struct doctor_answer a;

	if (url == NULL)
		return doctor_note("not asked: public_url is not set", need_url(c));
	url = arena_printf(c->arena, "%s/api/v1/connection", url);
	get(c, url, NULL, &a);
	if (a.failure != NULL)
		return doctor_no_answer(&a);
	if (!is_refusal(c, &a))
		return explain(c, url, &a);
	if (!says(&a, "No Authorization header"))
		return doctor_bad("a request without a key is taken for one with a key",
		    "something in front of the programs adds an Authorization header: take it out");
	return doctor_good("a request without a key is told so");
}

/* A file that no stranger may get, and its first bytes. */
struct secret {
	const char *name; /* path below the instance */
	const char *sample;
	size_t len;
};

/* Asks whether a file is served. failure is set if there was no answer at all. */
static bool
is_served(struct ctx *c, const char *base, const struct secret *s, const char **failure)
{
	struct doctor_answer a;

	if (s->len == 0)
		return false;
	get(c, arena_printf(c->arena, "%s/%s", base, s->name), NULL, &a);
	if (a.failure != NULL)
		*failure = a.failure;
	return a.failure == NULL && a.of.status / 100 == 2 && a.of.body_len >= s->len &&
	       memcmp(a.of.body, s->sample, s->len) == 0;
}

/* Reads the first bytes of a file. len is 0 if there is no such file. */
static struct secret
secret_of(struct ctx *c, const char *name)
{
	const char *path = arena_printf(c->arena, "%s/%s", c->instance->home, name);
	struct secret s = { name, "", 0 };

	s.sample = fileio_read_now(c->arena, path, (size_t)64 * 1024 * 1024, &s.len);
	if (s.sample == NULL)
		s.len = 0;
	if (s.len > SAMPLE)
		s.len = SAMPLE;
	return s;
}

/* Returns the address without its path, or NULL if it has no path: files beside
 * the instance may be served there. */
static const char *
origin_of(struct ctx *c, const char *url)
{
	const char *slash = strchr(strstr(url, "://") + 3, '/');

	if (slash == NULL)
		return NULL;
	return arena_text_n(c->arena, url, (size_t)(slash - url));
}

struct doctor_finding
doctor_private(struct ctx *c)
{
	/* Only SQLite may read the database's own bytes. */
	struct secret secrets[] = { secret_of(c, "galley.conf"), secret_of(c, "db/pepper"),
		secret_of(c, "log/operator.log"), secret_of(c, "log/requests.log"),
		secret_of(c, "people/secret"), secret_of(c, "run/console/code.txt"),
		secret_of(c, "run/keys.rl"), /* run/ has it when there is no code */
		{ "db/galley.db", "SQLite format 3", 16 },
		{ "people/console.db", "SQLite format 3", 16 } };
	const char *bases[] = { public_url(c), NULL };
	const char *failure = NULL;

	if (bases[0] == NULL)
		return doctor_note("not asked: public_url is not set", need_url(c));
	bases[1] = origin_of(c, bases[0]);
	for (size_t i = 0; i < 2 && bases[i] != NULL; i++) {
		for (size_t n = 0; n < sizeof(secrets) / sizeof(*secrets); n++) {
			if (!is_served(c, bases[i], &secrets[n], &failure))
				continue;
			return doctor_bad(arena_printf(c->arena, "%s/%s is served to everybody",
					      bases[i], secrets[n].name),
			    "close these folders now (INSTALL.md says how), then revoke all keys: they must count as known");
		}
	}
	if (failure != NULL)
		return doctor_note(failure, "ask again when the web server answers");
	return doctor_good("galley.conf, databases, secrets and logs are not served");
}

/* Returns any stored image, or NULL. */
static const char *
some_media(struct ctx *c)
{
	DIR *dir = opendir(c->instance->media);
	const char *found = NULL;
	const struct dirent *entry;

	if (dir == NULL)
		return NULL;
	while (found == NULL && (entry = readdir(dir)) != NULL) {
		if (media_digest_of(c, entry->d_name) != NULL)
			found = arena_text(c->arena, entry->d_name);
	}
	closedir(dir);
	return found;
}

struct doctor_finding
doctor_media(struct ctx *c)
{
	const char *name = some_media(c), *url = public_url(c);
	struct doctor_answer a;

	if (name == NULL)
		return doctor_good("there is no stored image yet");
	if (url == NULL)
		return doctor_note("not asked: public_url is not set", need_url(c));
	url = arena_printf(c->arena, "%s/media/%s", url, name);
	get(c, url, NULL, &a);
	if (a.failure != NULL)
		return doctor_no_answer(&a);
	if (a.of.status != 200)
		return doctor_bad(arena_printf(c->arena, "%s answers %d", url, a.of.status),
		    "let the web server serve htdocs/media at /media: see INSTALL.md");
	if (remote_header(c, &a.of, "X-Content-Type-Options", 0) == NULL)
		return doctor_bad("images are served without nosniff",
		    "take the lines for /media from apache-conf/");
	return doctor_good("stored images are served");
}
