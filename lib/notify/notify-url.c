#include "notify/notify-url.h"

#include <arpa/inet.h>
#include <stdbool.h>
#include <string.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "base/digest.h"
#include "net/address.h"
#include "store/db.h"

/* ---- addresses */

#define DIGITS "0123456789"
#define SMALL "abcdefghijklmnopqrstuvwxyz"
#define ADDRESS_MAX 1000 /* bytes */
#define LABEL_MAX 63
#define HOST_MAX 253
#define SCHEME "https://"

/* Returns whether an address of this family may be connected to. */
static bool
is_public(int family, const char *text, bool *literal)
{
	struct sockaddr_in v4 = { .sin_family = AF_INET };
	struct sockaddr_in6 v6 = { .sin6_family = AF_INET6 };

	if (family == AF_INET) {
		*literal = inet_pton(AF_INET, text, &v4.sin_addr) == 1;
		return *literal && address_kind((struct sockaddr *)&v4) == ADDRESS_PUBLIC;
	}
	*literal = inet_pton(AF_INET6, text, &v6.sin6_addr) == 1;
	return *literal && address_kind((struct sockaddr *)&v6) == ADDRESS_PUBLIC;
}

/* Returns what is wrong with a host name or an IPv4 address in small letters, or NULL. */
static const char *
wrong_name(const char *host)
{
	static const char no_name[] = tr_mark("Its host is not a name that the Internet knows.");
	const char *label = host;
	bool literal;
	size_t len;

	if (is_public(AF_INET, host, &literal))
		return NULL;
	if (literal)
		return tr_mark("Its host is an address that the Internet does not reach.");
	if (strlen(host) > HOST_MAX || strchr(host, '.') == NULL ||
	    host[strspn(host, SMALL DIGITS "-_.")] != '\0')
		return no_name;
	for (;; label += len + 1) {
		len = strcspn(label, ".");
		if (len == 0 || len > LABEL_MAX || label[0] == '-' || label[len - 1] == '-')
			return no_name;
		if (label[len] == '\0')
			break;
	}
	/* Programs read a host whose last part is a number as an IPv4 address. */
	return label[strspn(label, DIGITS)] == '\0' || strcmp(label, "localhost") == 0 ||
		       strcmp(label, "local") == 0 || strcmp(label, "internal") == 0
		   ? no_name
		   : NULL;
}

/* Returns what is wrong with host and port, or NULL. Sets *host to the host alone. */
static const char *
wrong_authority(struct ctx *c, const char *text, const char **host)
{
	const char *end = text[0] == '[' ? strchr(text, ']') : NULL, *wrong = NULL;
	size_t len = end != NULL ? (size_t)(end - text) + 1 : strcspn(text, ":");
	bool literal;

	*host = arena_text_n(c->arena, text, len);
	if (strchr(text, '@') != NULL)
		return tr_mark("It must hold no user name and no password.");
	if (end == NULL)
		wrong = wrong_name(*host);
	else if (!is_public(AF_INET6, arena_text_n(c->arena, text + 1, len - 2), &literal))
		wrong = tr_mark("Its host is an address that the Internet does not reach.");
	if (wrong != NULL || text[len] == '\0' || strcmp(text + len, ":443") == 0)
		return wrong;
	return tr_mark("Its port must be 443, that of https.");
}

static char *
in_small_letters(struct ctx *c, const char *text, size_t len)
{
	char *out = arena_text_n(c->arena, text, len);

	for (char *p = out; *p != '\0'; p++) {
		if (*p >= 'A' && *p <= 'Z')
			*p = (char)(*p + ('a' - 'A'));
	}
	return out;
}

static const char *
wrong_address(struct ctx *c, const char *value, const char **url)
{
	const char *text = value + strlen(SCHEME), *host, *wrong;
	size_t len;

	if (strncmp(value, SCHEME, strlen(SCHEME)) != 0)
		return tr_mark("It must begin with https://.");
	if (strlen(value) > ADDRESS_MAX)
		return tr_mark("It must have at most 1,000 bytes.");
	for (const char *p = text; *p != '\0'; p++) {
		if (*p <= ' ' || *p > '~' || strchr("\"<>\\^`{|}#", *p) != NULL)
			return tr_mark(
			    "It holds something that no address may hold: a space, a #, or a letter that must be written as a percent sign and two hex digits.");
	}
	len = strcspn(text, "/?");
	wrong = wrong_authority(c, in_small_letters(c, text, len), &host);
	if (wrong == NULL)
		*url = arena_printf(
		    c->arena, SCHEME "%s%s%s", host, text[len] == '/' ? "" : "/", text + len);
	return wrong;
}

struct err *
notify_address_check(struct ctx *c, const char *value, const char **url)
{
	const char *wrong;

	*url = "";
	if (value[0] == '\0')
		return NULL;
	wrong = wrong_address(c, value, url);
	return wrong == NULL ? NULL : err_param(c, "notify_url", "%s", tr_for(c, wrong));
}

const char *
notify_host(struct ctx *c, const char *url)
{
	const char *host = url + strlen(SCHEME);
	size_t len = strcspn(host, "/?");

	if (host[0] == '[')
		return arena_text_n(c->arena, host + 1, len - 2);
	return arena_text_n(c->arena, host, len);
}

/* ---- the columns */

#define COLUMNS                                                                                    \
	"w.id, w.uuid, m.notify_url, m.notify_set_at, m.notify_secret,"                            \
	" a.verified, a.suspended, w.announced_at, w.settings_digest,"                             \
	" w.settings_count, w.analytics_enabled, w.analytics_origins,"                             \
	" w.embed_origins, w.epoch, m.withdrawn"

static void
from_row(struct stmt *q, struct notify *out)
{
	struct digest d;
	const void *settings;
	size_t len;

	*out = (struct notify) { .workspace_id = db_int(q, 0),
		.workspace = db_text(q, 1),
		.url = db_is_null(q, 2) ? "" : db_text(q, 2),
		.set_at = db_int(q, 3),
		.secret = db_int(q, 4),
		.epoch = db_text(q, 13),
		.announced_at = db_int(q, 7),
		.rests = db_int(q, 5) == 0 || db_int(q, 6) != 0 };
	digest_begin(&d, NOTIFY_MARK, "galley ping mark 1");
	digest_int(&d, out->announced_at);
	settings = db_bytes(q, 8, &len);
	digest_bytes(&d, settings, len);
	digest_int(&d, db_int(q, 9));
	digest_int(&d, db_int(q, 10));
	digest_text(&d, db_text(q, 11));
	digest_text(&d, db_text(q, 12));
	digest_int(&d, db_int(q, 14));
	digest_end(&d, out->mark);
}

bool
notify_find(struct ctx *c, const char *workspace, struct notify *out)
{
	struct stmt *q = db_prepare(c,
	    "SELECT " COLUMNS " FROM workspace w JOIN account a ON a.id = w.account_id"
	    " LEFT JOIN workspace_more m ON m.workspace_id = w.id"
	    " WHERE w.uuid = :uuid AND w.deleted_at IS NULL",
	    db_t(":uuid", workspace));
	bool found = db_row(q);

	if (found)
		from_row(q, out);
	db_reset(q);
	return found;
}

void
notify_list(struct ctx *c, void (*each)(void *arg, const struct notify *n), void *arg)
{
	struct stmt *q = db_prepare(c,
	    "SELECT " COLUMNS " FROM workspace_more m JOIN workspace w ON w.id = m.workspace_id"
	    " JOIN account a ON a.id = w.account_id"
	    " WHERE m.notify_url <> '' AND w.deleted_at IS NULL /*scan*/");
	struct notify n;

	while (db_row(q)) {
		from_row(q, &n);
		each(arg, &n);
	}
}

const char *
notify_url_of(struct ctx *c, int64_t workspace_id)
{
	return db_one_text(c, "",
	    "SELECT notify_url FROM workspace_more WHERE workspace_id = :workspace",
	    db_i(":workspace", workspace_id));
}

static void
clear(struct ctx *c, int64_t workspace_id)
{
	db_run(c, "UPDATE workspace_more SET notify_url = '' WHERE workspace_id = :workspace",
	    db_i(":workspace", workspace_id));
}

static void
set(struct ctx *c, int64_t workspace_id, const char *url)
{
	db_run(c,
	    "INSERT INTO workspace_more"
	    " (workspace_id, notify_url, notify_set_at) VALUES (:workspace, :url, :now)"
	    " ON CONFLICT (workspace_id) DO UPDATE SET notify_url = excluded.notify_url,"
	    " notify_set_at = excluded.notify_set_at"
	    " WHERE workspace_more.notify_url <> excluded.notify_url",
	    db_i(":workspace", workspace_id), db_t(":url", url), db_i(":now", c->now));
}

void
notify_set_url(struct ctx *c, int64_t workspace_id, const char *url)
{
	if (url[0] == '\0')
		clear(c, workspace_id);
	else
		set(c, workspace_id, url);
}

int64_t
notify_count_secret(struct ctx *c, int64_t workspace_id)
{
	return db_one_int(c, 0,
	    "INSERT INTO workspace_more (workspace_id, notify_secret) VALUES (:workspace, 1)"
	    " ON CONFLICT (workspace_id) DO UPDATE SET"
	    " notify_secret = workspace_more.notify_secret + 1 RETURNING notify_secret",
	    db_i(":workspace", workspace_id));
}
