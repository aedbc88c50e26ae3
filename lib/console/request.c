#include "console/request.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "access/workspace.h"
#include "action/action.h"
#include "article/article.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "base/encoding.h"
#include "base/jwrite.h"
#include "base/utf8.h"
#include "base/uuid.h"
#include "people/throttle.h"
#include "screen/say.h"
#include "screen/tr.h"
#include "store/db.h"
#include "system/conf.h"
#include "web/req.h"

/* ---- where the console is */

/* Returns `len` bytes of a host, or of an origin, without the scheme's own port: browsers
 * send it in neither Host nor Origin. */
static const char *
without_port(struct ctx *c, const char *text, size_t len, bool https)
{
	const char *port = https ? ":443" : ":80";
	size_t port_len = strlen(port);

	if (len > port_len && memcmp(text + len - port_len, port, port_len) == 0)
		len -= port_len;
	return arena_text_n(c->arena, text, len);
}

static void
place_at(struct ctx *c, const char *url, struct place *out)
{
	const char *host = strstr(url, "://"), *path;

	out->secure = strncmp(url, "https:", 6) == 0;
	path = host != NULL ? strchr(host + 3, '/') : NULL;
	out->origin =
	    without_port(c, url, path != NULL ? (size_t)(path - url) : strlen(url), out->secure);
	out->root = arena_printf(c->arena, "%s/console", path != NULL ? path : "");
	if (!out->secure)
		out->cookie = "galley";
	else
		out->cookie = path == NULL ? "__Host-galley" : "__Secure-galley";
	/* A cookie whose name begins with __Host- must be of the whole host. */
	out->cookie_path = path == NULL && out->secure ? "/" : out->root;
}

void
place_read(struct ctx *c, struct place *out)
{
	struct console_conf own;

	console_conf_read(c, &own);
	place_at(c, own.url[0] != '\0' ? own.url : c->conf->public_url, out);
}

#define LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
#define HOST_MAX 260 /* bytes, with a port */

/* Returns whether a text can be the host and port of an address. */
static bool
is_host(const char *text)
{
	size_t len = strspn(text, LETTERS ".-[:]");

	return len > 0 && text[len] == '\0' && len <= HOST_MAX && strchr(".-:]", text[0]) == NULL;
}

bool
place_of_request(struct ctx *c, struct place *out, const char *host, bool https, const char *target,
    const char *path)
{
	const char *below = arena_printf(c->arena, "/console%s", path);
	size_t len = strcspn(target, "?"), end = strlen(below);
	const char *above, *url;

	if (host == NULL || !is_host(host) || len < end ||
	    strncmp(target + len - end, below, end) != 0)
		return false;
	above = arena_text_n(c->arena, target, len - end);
	if (above[strspn(above, LETTERS "._~/-")] != '\0' || strstr(above, "//") != NULL ||
	    strstr(above, "..") != NULL)
		return false;
	url = arena_printf(c->arena, "%s://%s%s", https ? "https" : "http", host, above);
	if (conf_address_check(c, "public_url", url) != NULL)
		return false;
	place_at(c, url, out);
	return true;
}

const char *
place_url(struct ctx *c, const struct place *p)
{
	size_t above = strlen(p->root) - strlen("/console");

	return arena_printf(c->arena, "%s%.*s", p->origin, (int)above, p->root);
}

bool
place_is_here(struct ctx *c, const struct place *p, const char *host, bool https)
{
	const char *known = strstr(p->origin, "://");

	if (known == NULL || host == NULL || https != p->secure)
		return false;
	return strcasecmp(known + 3, without_port(c, host, strlen(host), https)) == 0;
}

/* ---- headers and cookies */

void
headers_read(const struct exchange *x, struct headers *out)
{
	const struct {
		const char *name;
		const char **value;
	} wanted[] = {
		{ "HTTP_HOST=", &out->host },
		{ "HTTP_ORIGIN=", &out->origin },
		{ "HTTP_SEC_FETCH_SITE=", &out->fetch_site },
		{ "HTTP_COOKIE=", &out->cookie },
		{ "CONTENT_TYPE=", &out->content_type },
		{ "HTTP_USER_AGENT=", &out->user_agent },
		{ "HTTP_ACCEPT=", &out->accept },
		{ "HTTP_ACCEPT_LANGUAGE=", &out->accept_language },
	};

	memset(out, 0, sizeof(*out));
	for (char *const *v = x->variables; *v != NULL; v++) {
		for (size_t i = 0; i < sizeof(wanted) / sizeof(wanted[0]); i++) {
			size_t len = strlen(wanted[i].name);
			if (strncmp(*v, wanted[i].name, len) == 0)
				*wanted[i].value = *v + len;
		}
	}
}

/* Returns the value of the cookie with this name (arena), or NULL. A name that was sent
 * twice has no value: another program on the host may have set one of them. */
static const char *
headers_cookie(struct ctx *c, const struct headers *h, const char *name)
{
	const char *p = h->cookie, *found = NULL;
	size_t len = strlen(name);

	while (p != NULL && *p != '\0') {
		size_t whole = strcspn(p, ";");
		if (whole > len && strncmp(p, name, len) == 0 && p[len] == '=') {
			if (found != NULL)
				return NULL;
			found = arena_text_n(c->arena, p + len + 1, whole - len - 1);
		}
		p += whole;
		p += strspn(p, "; ");
	}
	return found;
}

/* ---- what it says */

const char *
console_query(struct ctx *c, const struct visit *v, const char *name)
{
	const char *p = v->query;
	size_t len = strlen(name);

	while (*p != '\0') {
		size_t whole = strcspn(p, "&");
		if (whole >= len && strncmp(p, name, len) == 0 && (p[len] == '=' || whole == len)) {
			char *value = arena_text_n(
			    c->arena, p + len + (whole > len), whole - len - (whole > len));
			for (char *plus = value; *plus != '\0'; plus++)
				*plus = *plus == '+' ? ' ' : *plus;
			return percent_decode(c->arena, value, strlen(value));
		}
		p += whole + (p[whole] == '&');
	}
	return NULL;
}

const char *
console_sent(const struct visit *v, const char *name)
{
	for (size_t i = 0; i < v->sent.count; i++) {
		const struct form_value *value = &v->sent.values[i];
		if (strcmp(value->name, name) == 0 && utf8_valid(value->text, value->len))
			return value->text;
	}
	return NULL;
}

const void *
console_file(const struct visit *v, const char *name, size_t *len)
{
	for (size_t i = 0; i < v->sent.file_count; i++) {
		if (strcmp(v->sent.files[i].name, name) != 0)
			continue;
		*len = v->sent.files[i].len;
		return v->sent.files[i].text;
	}
	return NULL;
}

/* ---- the row of an address */

#define TABLES_MAX ((size_t)64 * 1024)

/* Takes the next segment of a path; false at its end. */
static bool
next_segment(const char **p, const char **segment, size_t *len)
{
	if (**p != '/')
		return false;
	*segment = *p + 1;
	*len = strcspn(*segment, "/");
	*p = *segment + *len;
	return true;
}

static bool
match_segment(struct ctx *c, const char *word, size_t word_len, const char *text, size_t len,
    struct matched *out)
{
	const char *value = arena_text_n(c->arena, text, len);
	char uuid[UUID_TEXT];

	if (word_len == 4 && memcmp(word, "NAME", 4) == 0) {
		out->name = value;
		return len > 0;
	}
	if (word[0] < 'A' || word[0] > 'Z')
		return word_len == len && memcmp(word, text, len) == 0;
	if (!uuid_parse(value, uuid))
		return false;
	value = arena_text(c->arena, uuid);
	if (word_len == 2)
		out->id = value;
	else if (word[0] == 'W')
		out->workspace = value;
	else
		out->account = value;
	return true;
}

static bool
match(struct ctx *c, const char *pattern, const char *path, struct matched *out)
{
	const char *word, *text;
	size_t word_len, len;

	memset(out, 0, sizeof(*out));
	while (next_segment(&pattern, &word, &word_len)) {
		if (!next_segment(&path, &text, &len) ||
		    !match_segment(c, word, word_len, text, len, out))
			return false;
	}
	return *pattern == '\0' && *path == '\0';
}

bool
rows_find(struct ctx *c, struct visit *v, struct matched *m, const char **allow)
{
	const char *method = strcmp(v->r->method, "HEAD") == 0 ? "GET" : v->r->method;
	bool get = false, post = false;

	for (size_t i = 0; console_screens[i] != NULL; i++) {
		for (const struct console_row *row = console_screens[i]; row->method != NULL;
		     row++) {
			if (!match(c, row->pattern, v->path, m))
				continue;
			get |= row->method[0] == 'G';
			post |= row->method[0] == 'P';
			if (strcmp(row->method, method) == 0) {
				v->row = row;
				return true;
			}
		}
	}
	*allow = get && post ? "GET, HEAD, POST" : get ? "GET, HEAD" : post ? "POST" : NULL;
	return false;
}

struct err *
rows_refuse(struct ctx *c, const char *allow)
{
	if (allow != NULL)
		return refuse(c, ERR_METHOD, tr_mark("This address answers %s."), allow);
	return refuse(c, ERR_NOT_FOUND, tr_mark("There is no such page."));
}

const struct console_row *
rows_of(struct ctx *c, const char *method, const char *path)
{
	struct matched m;

	for (size_t i = 0; console_screens[i] != NULL; i++) {
		for (const struct console_row *row = console_screens[i]; row->method != NULL;
		     row++) {
			if (strcmp(row->method, method) == 0 && match(c, row->pattern, path, &m))
				return row;
		}
	}
	return NULL;
}

bool
rows_find_account(struct ctx *c, struct visit *v, struct matched *m)
{
	for (size_t i = 0; console_screens[i] != NULL; i++) {
		for (const struct console_row *row = console_screens[i]; row->method != NULL;
		     row++) {
			if (strncmp(row->pattern, "/A/", 3) == 0 &&
			    strcmp(row->method, v->row->method) == 0 &&
			    match(c, row->pattern, v->path, m)) {
				v->row = row;
				return true;
			}
		}
	}
	return false;
}

_Noreturn void
rows_print(struct ctx *c, const struct service *service)
{
	struct jwrite w;
	struct buf out;

	(void)service;
	buf_init(&out, c->arena, TABLES_MAX);
	jwrite_init(&w, &out);
	jwrite_array(&w);
	for (size_t i = 0; console_screens[i] != NULL; i++) {
		for (const struct console_row *row = console_screens[i]; row->method != NULL;
		     row++) {
			jwrite_object(&w);
			jwrite_member_text(&w, "method", row->method);
			jwrite_member_text(&w, "path", row->pattern);
			jwrite_member_text(&w, "title", row->title);
			jwrite_member_int(&w, "access", row->access);
			jwrite_member_int(&w, "need", row->need);
			jwrite_member_int(&w, "any", row->any);
			jwrite_member_bool(&w, "step_up", row->step_up);
			jwrite_member_bool(&w, "files", row->files);
			jwrite_object_end(&w);
		}
	}
	jwrite_array_end(&w);
	exit(puts(buf_done(&out)) < 0 || fflush(stdout) != 0);
}

/* ---- the place, and the rights there */

bool
visitor_place(struct ctx *c, struct visit *v, const struct matched *m)
{
	v->id = m->id;
	v->name = m->name;
	if (m->workspace == NULL && m->account == NULL)
		return true;
	db_begin_read(c, DB_CONTENT);
	if (m->workspace != NULL) {
		v->workspace = workspace_find_uuid(c, m->workspace);
		if (v->workspace != NULL) {
			v->account = account_of(c, v->workspace->account_id);
			say_begin(c, time_zone_of(c, v->workspace->id), clock_now());
		}
	} else {
		v->account = account_find_uuid(c, m->account);
	}
	db_rollback(c);
	return v->account != NULL;
}

static const char *
uuid_of_account(const struct visit *v)
{
	return v->account != NULL ? v->account->uuid : NULL;
}

static const char *
uuid_of_workspace(const struct visit *v)
{
	return v->workspace != NULL ? v->workspace->uuid : NULL;
}

static void
read_rights(struct ctx *c, struct visit *v)
{
	if (v->state == SESSION_GOOD)
		v->rights = membership_rights_both(
		    c, v->person->id, uuid_of_account(v), uuid_of_workspace(v), &v->account_rights);
}

/* ---- who asks */

/* Asks the store. */
static void
ask(struct ctx *c, struct visit *v, const char *token)
{
	v->state = SESSION_NONE;
	db_begin_read(c, DB_CONSOLE);
	if (token != NULL)
		v->state = session_check(c, token, &v->session, &v->person);
	read_rights(c, v);
	db_rollback(c);
}

/* Speaks the person's language, and counts the visit. */
static void
greet(struct ctx *c, struct visit *v)
{
	if (v->person != NULL)
		tr_begin(c, v->person->language);
	if (v->session != NULL)
		session_form_token(v->session, v->token);
	if (v->state == SESSION_GOOD && !v->by_script && console_query(c, v, "again") == NULL)
		console_used(c, v);
}

void
visitor_find(struct ctx *c, struct visit *v, const struct headers *h)
{
	const char *token = headers_cookie(c, h, v->place.cookie);

	v->device = headers_cookie(c, h, arena_printf(c->arena, "%s-device", v->place.cookie));
	ask(c, v, token);
	greet(c, v);
}

void
console_used(struct ctx *c, const struct visit *v)
{
	session_used(c, v->session);
	throttle_note(c, v->r->address, v->session->person_id);
}

void
visitor_rights(struct ctx *c, struct visit *v)
{
	db_begin_read(c, DB_CONSOLE);
	read_rights(c, v);
	db_rollback(c);
}

struct err *
console_article(struct ctx *c, const struct visit *v, struct article **out)
{
	struct err *err;

	db_begin_read(c, DB_CONTENT);
	err = find_article_id(c, v->id, out);
	if (err == NULL && (*out)->workspace_id != v->workspace->id)
		err = err_hint(c, refuse(c, ERR_NOT_FOUND, tr_mark("There is no such article.")),
		    HINT_ARTICLES, NULL);
	db_rollback(c);
	return err;
}

const char console_suspended[] = tr_mark(
    "This account is suspended: it can be read and exported, and nothing can be changed. Ask the operator.");

/* A suspended account has reading and export only (docs/console.md §2.4). */
bool
console_rests(const struct visit *v)
{
	return v->account != NULL && v->account->suspended;
}

bool
console_rests_at(struct ctx *c, const struct visit *v, const char *path)
{
	struct visit sent = *v;
	const char *allow;
	struct matched m;

	sent.path = path;
	return rows_find(c, &sent, &m, &allow) && visitor_place(c, &sent, &m) &&
	       console_rests(&sent);
}

bool
console_may(const struct visit *v, enum right right)
{
	if ((right & ~(unsigned)(RIGHT_READ | RIGHT_OPERATE)) != 0 && console_rests(v))
		return false;
	return (v->rights & right) == right;
}

/* A visit of the account as it is in the present transaction. */
static struct err *
check_suspended(struct ctx *c, struct visit *v, const struct account *a)
{
	v->rests = a != NULL && a->suspended && strcmp(v->r->method, "POST") == 0 &&
		   (v->row->need & RIGHT_OPERATE) == 0;
	return v->rests ? refuse(c, ERR_FORBIDDEN, "%s", tr(console_suspended)) : NULL;
}

struct err *
visitor_suspended(struct ctx *c, struct visit *v)
{
	return check_suspended(c, v, v->account);
}

struct err *
console_need(struct ctx *c, struct visit *v, enum right right)
{
	v->needs |= right;
	if ((v->rights & right) == right)
		return NULL;
	return refuse(c, ERR_FORBIDDEN,
	    tr_mark("Your role here does not allow this. Ask somebody who manages this place."));
}

/* Returns whether these rights are enough for a row. */
static bool
is_enough(const struct visit *v, unsigned rights)
{
	unsigned need = v->row->need | v->needs | RIGHT_READ, any = v->row->any;

	return (rights & need) == need && (any == 0 || (rights & any) != 0);
}

struct err *
visitor_right(struct ctx *c, const struct visit *v)
{
	if (v->row->access == SCREEN_ANYBODY)
		return NULL;
	if (v->rights == 0)
		return refuse(c, ERR_NOT_FOUND, tr_mark("There is no such page."));
	if (is_enough(v, v->rights))
		return NULL;
	return refuse(c, ERR_FORBIDDEN,
	    tr_mark("Your role here does not allow this. Ask somebody who manages this place."));
}

/* ---- again, under the lock */

/* Looks again whether the session lives and the person may do this. */
static struct err *
check_again(struct ctx *c, void *arg)
{
	struct visit *v = arg;
	struct person *p = person_of(c, v->person->id);
	unsigned rights;

	if (p == NULL || p->disabled_at != 0 || !session_is_live(c, v->session))
		return refuse(c, ERR_UNAUTHORIZED,
		    tr_mark("Your session has ended, so nothing was done. Sign in again."));
	if (v->row->access != SCREEN_MEMBERS)
		return NULL;
	rights = membership_rights(c, p->id, uuid_of_account(v), uuid_of_workspace(v));
	return is_enough(v, rights)
		   ? NULL
		   : refuse(c, ERR_FORBIDDEN,
			 tr_mark("Your role here was changed meanwhile, so nothing was done."));
}

/* Looks again whether the account is suspended: that may have happened while the request
 * waited. What is read here may end with a slice of a work, so the visit does not keep it. */
static struct err *
check_suspended_again(struct ctx *c, struct visit *v)
{
	return check_suspended(
	    c, v, v->account != NULL ? account_find_uuid(c, v->account->uuid) : NULL);
}

struct err *
visitor_again(struct ctx *c, struct visit *v)
{
	TRY(db_present(c) == DB_CONSOLE ? check_again(c, v)
					: db_aside(c, DB_CONSOLE, check_again, v));
	if (db_present(c) == DB_CONTENT)
		TRY(check_suspended_again(c, v));
	return NULL;
}
