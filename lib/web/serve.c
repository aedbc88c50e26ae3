#include "web/serve.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include "access/apikey.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "base/err.h"
#include "base/fileio.h"
#include "base/jwrite.h"
#include "base/log.h"
#include "base/uuid.h"
#include "store/hosts.h"
#include "store/limit.h"
#include "system/conf.h"
#include "system/fault.h"
#include "system/harden.h"
#include "system/instance.h"
#include "system/successor.h"
#include "web/reply.h"
#include "web/req.h"
#include "web/serve-fcgi.h"
#include "web/service.h"

/* ---- the answer is sent */

#define CHUNK 65536 /* of a stream */

/* Adds RateLimit-Policy and RateLimit. */
static void
reply_limit(struct reply *reply, const struct limit *limit)
{
	if (!limit->active)
		return;
	buf_lit(&reply->headers, "RateLimit-Policy: \"key\";q=");
	buf_add_int(&reply->headers, limit->quota);
	buf_lit(&reply->headers, ";w=60\r\nRateLimit: \"key\";r=");
	buf_add_int(&reply->headers, limit->left);
	buf_lit(&reply->headers, ";t=");
	buf_add_int(&reply->headers, limit->reset_s);
	buf_lit(&reply->headers, "\r\n");
}

static const char *
reason_of(int status)
{
	switch (status) {
	case 200:
		return "OK";
	case 204:
		return "No Content";
	case 301:
		return "Moved Permanently";
	case 303:
		return "See Other";
	case 304:
		return "Not Modified";
	case 308:
		return "Permanent Redirect";
	case 410:
		return "Gone";
	case 415:
		return "Unsupported Media Type";
	case 422:
		return "Unprocessable Content";
	default:
		break;
	}
	for (int code = ERR_INVALID; code <= ERR_TIMEOUT; code++) {
		if (err_status((enum err_code)code) == status)
			return err_reason((enum err_code)code);
	}
	return "Unknown";
}

/* Returns how many bytes of body are sent: none with 204 and 304. */
static size_t
reply_length(const struct reply *reply)
{
	if (reply->status == 304 || reply->status == 204)
		return 0;
	return reply->bytes != NULL ? reply->bytes_len : reply->body.len;
}

/* Writes the head of a page: its service has added all headers but these. */
static void
page_head(struct ctx *c, const struct reply *reply, struct buf *out)
{
	buf_printf(out, "Status: %d %s\r\nX-Request-Id: %s\r\n", reply->status,
	    reason_of(reply->status), c->request_id);
	if (reply->status != 304 && reply->status != 204)
		buf_printf(out, "Content-Type: %s\r\nContent-Length: %zu\r\n", reply->type,
		    reply_length(reply));
	buf_add(out, reply->headers.data, reply->headers.len);
	buf_lit(out, "\r\n");
}

/* Writes the head. Status is always in it, so that Apache leaves ETag and
 * If-None-Match to the program (docs/platform.md §1.2). */
static void
head(struct ctx *c, const struct reply *reply, struct buf *out)
{
	bool has_body = reply->status != 304 && reply->status != 204;

	buf_lit(out, "Status: ");
	buf_add_int(out, reply->status);
	buf_add_char(out, ' ');
	buf_add_text(out, reason_of(reply->status));
	if (has_body) {
		buf_lit(out, "\r\nContent-Type: application/json\r\nContent-Length: ");
		buf_add_int(out, (int64_t)reply_length(reply));
	}
	buf_lit(out, "\r\nCache-Control: no-store\r\nVary: Authorization");
	if (reply->etag[0] != '\0') {
		buf_lit(out, "\r\nETag: \"");
		buf_add_text(out, reply->etag);
		buf_add_char(out, '"');
	}
	buf_lit(out, "\r\nX-Request-Id: ");
	buf_add_text(out, c->request_id);
	buf_lit(out, "\r\nX-API-Version: 1.0\r\nX-Content-Type-Options: nosniff\r\n");
	buf_add(out, reply->headers.data, reply->headers.len);
	buf_lit(out, "\r\n");
}

/* Writes to standard output in as few writes as the kernel accepts. */
static bool
write_both(const struct iovec answer[2])
{
	ssize_t got = writev(STDOUT_FILENO, answer, 2);
	size_t sent = got > 0 ? (size_t)got : 0;
	bool done = got >= 0 || errno == EINTR;

	for (int i = 0; i < 2 && done; i++) {
		const char *bytes = answer[i].iov_base;
		size_t len = answer[i].iov_len;
		size_t skip = sent < len ? sent : len;
		done = fileio_write_all(STDOUT_FILENO, bytes + skip, len - skip);
		sent -= skip;
	}
	return done;
}

/* Makes the head. After this, sending needs no memory. */
static void
reply_finish(struct ctx *c, struct reply *reply)
{
	buf_init(&reply->head, c->arena, 2 * REPLY_HEADERS_MAX);
	if (reply->type != NULL)
		page_head(c, reply, &reply->head);
	else
		head(c, reply, &reply->head);
	buf_done(&reply->head);
}

static bool
send_part(const struct exchange *x, const struct iovec *part)
{
	if (x->more != NULL)
		return x->more(x->arg, part);
	return fileio_write_all(STDOUT_FILENO, part->iov_base, part->iov_len);
}

/* Sends an answer whose body is read meanwhile. The life of the request is counted from each
 * piece that the client has taken. */
static __attribute__((noinline, cold)) bool
send_stream(const struct reply *reply, const struct exchange *x)
{
	static const struct iovec end[2];
	struct iovec part = { reply->head.data, reply->head.len };
	char chunk[CHUNK];
	ssize_t got = 0;
	bool sent;

	while ((sent = send_part(x, &part))) {
		harden_life(0);
		got = reply->stream->read(reply->stream->arg, chunk, sizeof(chunk));
		if (got <= 0)
			break;
		part = (struct iovec) { chunk, (size_t)got };
	}
	/* What was cut off must not look whole. */
	return sent && got == 0 && (x->send == NULL || x->send(x->arg, end));
}

/* Sends a finished answer: head and body. Returns false if the client went away. */
static bool
reply_send(const struct reply *reply, const struct exchange *x)
{
	const char *body = reply->bytes != NULL ? reply->bytes : reply->body.data;
	struct iovec answer[2];

	if (reply->stream != NULL)
		return send_stream(reply, x);
	answer[0] = (struct iovec) { reply->head.data, reply->head.len };
	answer[1] = (struct iovec) { (void *)(uintptr_t)body, reply_length(reply) };
	return x->send != NULL ? x->send(x->arg, answer) : write_both(answer);
}

/* ---- the line of the log */

/*
 * The line of log/requests.log that each request leaves, answered or not
 * (base/log.h describes the words before it; `galley explain` reads it):
 *
 *	GET /api/v1/articles?limit=2 200 5123 bytes 812 us key=3 workspace=UUID
 *	    scope=articles:read limit=118/120 end kept
 *
 * in one line. One space separates two words; an unknown value is "-". `key` is the
 * key's internal number, `scope` the scopes that the request needs, joined by "+",
 * with `lacks=SCOPE` after them if the key lacks one. `limit` is the number of
 * requests that were left, of how many, or "off". Behind it is `x1=` with the first eight digits of
 * the revision if the answer is one article, or `end` if it is the last page of a list or of
 * a scan. A refusal or failure ends in
 * `error=CODE` and its sentence; an answer that was cached ends in " kept". The
 * line holds no secret: the log makes keys unreadable (base/mask.h). Of a target of
 * over 900 bytes it holds only the beginning.
 */

#define TARGET_MAX 900 /* escaped it may be four times as long */
/* This is more than a line of the log holds. */
#define TEXT_MAX ((size_t)16 * 1024)

/* Returns the target in at most TARGET_MAX bytes, as one word. The log hides keys. */
static const char *
target_of(struct ctx *c, const struct req *r)
{
	const char *whole = r->target != NULL && r->target[0] != '\0' ? r->target : r->path;
	size_t len;
	char *text;

	if (whole == NULL || whole[0] == '\0')
		return "-";
	len = strnlen(whole, TARGET_MAX + 1);
	if (len <= TARGET_MAX && strchr(whole, ' ') == NULL)
		return whole;
	text = arena_text_n(c->arena, whole, len <= TARGET_MAX ? len : TARGET_MAX);
	for (char *p = text; *p != '\0'; p++)
		*p = *p == ' ' ? '+' : *p;
	return len <= TARGET_MAX ? text : arena_printf(c->arena, "%s…", text);
}

/* Returns the names of scopes as "articles:read+drafts:read"; "-" for none. */
static const char *
names_of(struct ctx *c, unsigned scopes)
{
	char *text;

	if (scopes == 0)
		return "-";
	/* Nearly always there is one scope, whose name is a literal. */
	if ((scopes & (scopes - 1)) == 0)
		return scope_name((enum scope)scopes);
	text = arena_text(c->arena, scope_to_text(c->arena, scopes));
	for (char *p = text; *p != '\0'; p++)
		*p = *p == ' ' ? '+' : *p;
	return text;
}

/* Adds the caller, the request and its duration. */
static void
add_request(struct ctx *c, struct buf *line, const struct req *r, const struct reply *reply,
    int64_t took_us)
{
	const char *workspace = r->access.workspace.uuid;
	const char *method = r->method;

	buf_add_text(line, method != NULL && method[0] != '\0' ? method : "-");
	buf_add_char(line, ' ');
	buf_add_text(line, target_of(c, r));
	buf_add_char(line, ' ');
	buf_add_int(line, reply->status);
	buf_add_char(line, ' ');
	buf_add_int(line, (int64_t)reply_length(reply));
	buf_lit(line, " bytes ");
	buf_add_int(line, took_us);
	buf_lit(line, " us key=");
	buf_add_int(line, r->access.key_id);
	buf_lit(line, " workspace=");
	buf_add_text(line, workspace != NULL ? workspace : "-");
}

/* Adds the scopes that the request needs, and the one that the key lacks. */
static void
add_scopes(struct ctx *c, struct buf *line, const struct req *r)
{
	unsigned missing = r->access.key_id != 0 ? r->scopes & ~r->access.scopes : 0;

	buf_lit(line, " scope=");
	buf_add_text(line, names_of(c, r->scopes));
	if (missing == 0)
		return;
	buf_lit(line, " lacks=");
	buf_add_text(line, names_of(c, missing));
}

/* Adds the limit as "118/120", or the reason why there is none. */
static void
add_limit(struct buf *line, const struct req *r)
{
	buf_lit(line, " limit=");
	if (r->limit.active) {
		buf_add_int(line, r->limit.left);
		buf_add_char(line, '/');
		buf_add_int(line, r->limit.quota);
	} else {
		buf_add_text(line, r->access.key_id != 0 ? "off" : "-");
	}
}

static void
add_error(struct buf *line, const struct err *err)
{
	buf_lit(line, " error=");
	buf_add_text(line, err_name(err->code));
	buf_add_char(line, ' ');
	buf_add_text(line, err->message);
}

/* Writes the line. `err` is the refusal or failure, or NULL; `began_at` is a time of
 * the boot clock. */
static void
serve_log(struct ctx *c, const struct req *r, const struct reply *reply, const struct err *err,
    int64_t began_at)
{
	struct buf line;

	buf_init(&line, c->arena, TEXT_MAX);
	add_request(c, &line, r, reply, clock_boot() - began_at);
	add_scopes(c, &line, r);
	add_limit(&line, r);
	if (reply->shown[0] != '\0') {
		buf_add_char(&line, ' ');
		buf_add_text(&line, reply->shown);
	}
	if (err != NULL)
		add_error(&line, err);
	if (r->cached)
		buf_lit(&line, " kept");
	log_text(line.data);
}

/* ---- the life of a request */

#define ARENA_MAX ((size_t)512 * 1024 * 1024)
/* Most answers need less: then malloc() is never called. Memory that is not used costs
 * nothing. */
#define FIRST_MEMORY ((size_t)1024 * 1024)

/* The present request, for the last words of a process that dies in it. In a FastCGI
 * process each request sets them again. */
static const struct service *dying_service;
static struct ctx *dying_c;
static struct req *dying_req;
static const struct exchange *dying_x;
static int64_t began_at; /* boot clock */
static bool answered;

/* For the last words of a process that has no memory left. */
static _Alignas(max_align_t) char reserve[32 * 1024];

/* galley.conf, in a process that answers many requests. */
static struct conf_memory conf_memory;

/* Within this time of a request a read is done once more: a client waits 2 s and the time of one
 * read. */
#define REPEATED_WITHIN (2 * CLOCK_SECOND)

/* So long a process that dies waits for the end of its request's body. */
#define LAST_MARK_S 5

static bool
may_repeat(void)
{
	static bool repeated;
	const char *method = dying_req != NULL ? dying_req->method : NULL;
	bool may = !repeated && dying_service->repeats && db_read_was_lost() && method != NULL &&
		   (strcmp(method, "GET") == 0 || strcmp(method, "HEAD") == 0) &&
		   clock_boot() - began_at < REPEATED_WITHIN;

	repeated = repeated || may;
	return may;
}

/* Reads and answers the request once more: nothing of its answer was sent, and it changed nothing
 * (docs/postgres.md §7). A second death is the last one. False: this may not be done. */
static __attribute__((noinline, cold)) bool
repeat(void)
{
	struct ctx *c = dying_c;
	struct req *r = dying_req;
	struct reply reply;
	struct err *err;

	if (!may_repeat())
		return false;
	log_line("the read is done once more");
	log_live_on();
	if (dying_x->last != NULL)
		dying_x->last();
	memset(r, 0, sizeof(*r));
	reply_init(c, &reply);
	err = req_read(c, dying_x, dying_service->body_max, r);
	if (err == NULL)
		err = dying_service->answer(c, dying_service, r, &reply);
	if (err != NULL)
		dying_service->refuse(c, r, &reply, err);
	reply_limit(&reply, &r->limit);
	reply_finish(c, &reply);
	answered = true;
	if (!dying_service->unlogged)
		serve_log(c, r, &reply, err, began_at);
	if (!reply_send(&reply, dying_x))
		log_line("the client went away");
	log_answered();
	return true;
}

/* Reads what the web server still sends of the last request. It would meet a closed connection, and
 * answer with an error of its own, although our answer is in its buffer. */
static void
hear_out(void)
{
	char rest[1024];

	if (dying_x->read == NULL)
		return;
	dying_x->wait(dying_x->arg, LAST_MARK_S);
	while (dying_x->read(dying_x->arg, rest, sizeof(rest)) > 0)
		;
}

/* Sends a whole 500 or 503 from a process that cannot continue (docs/design.md
 * §4.4). */
static __attribute__((cold)) void
last_words(bool passing, int retry_after_s)
{
	struct err err = { .code = passing ? ERR_UNAVAILABLE : ERR_INTERNAL };
	static struct arena last;
	struct reply reply;

	if (answered || dying_c == NULL || (passing && repeat()))
		return;
	answered = true;
	arena_init_with(&last, sizeof(reserve), reserve, sizeof(reserve));
	dying_c->arena = &last;
	db_rollback(dying_c);
	err.retry_after_s = passing ? retry_after_s : 0;
	err.message = passing ? dying_service->passing : dying_service->failed;
	reply_init(dying_c, &reply);
	dying_service->refuse(dying_c, dying_req, &reply, &err);
	if (dying_x->last != NULL)
		dying_x->last();
	reply_finish(dying_c, &reply);
	reply_send(&reply, dying_x);
	log_answered();
	if (dying_req != NULL) {
		req_drain(dying_req, dying_service->drain_max);
		if (!dying_service->unlogged)
			serve_log(dying_c, dying_req, &reply, &err, began_at);
	}
	hear_out();
}

/* Asks for the boot's id now: a confined process cannot read it. */
void
serve_learn_boot(void)
{
	char boot[CLOCK_BOOT_ID];

	(void)clock_boot_id(boot);
}

/* Draws the request's id, which the answer and the log both name. */
static void
name_request(struct ctx *c, char id[UUID_TEXT])
{
	uuid_random(id);
	c->request_id = id;
	log_request(id);
}

/* Uses the last good settings: a fault of galley.conf stops no customer while there are
 * some. */
static __attribute__((noinline, cold)) void
use_good(struct ctx *c, struct err *fault, struct conf *conf)
{
	if (conf_good(c, fault, conf) != NULL)
		die("%s", fault->message);
	log_line("%s The last good settings are used.", fault->message);
}

/* A process that may not read the new galley.conf answers its last request by what it
 * remembers. The new one may require https: a request without it is refused, and the next
 * process knows. The address of the console says itself whether it has https. */
static __attribute__((noinline, cold)) void
check_stale(const struct service *service, const struct conf *conf, const struct req *r)
{
	if (conf_memory.stale && !conf->require_https && !r->https && !service->asks_place)
		die_passing(1, "galley.conf was replaced; the next process reads it");
}

void
serve_life(struct ctx *c, const struct service *service, const struct exchange *x)
{
	char request_id[UUID_TEXT];
	struct reply reply;
	struct conf conf;
	struct err *err;
	struct req r;

	began_at = clock_boot();
	name_request(c, request_id);
	memset(&r, 0, sizeof(r));
	answered = false;
	dying_c = c;
	dying_req = &r;
	dying_x = x;
	err = c->lasting ? conf_read_changed(c, c->instance->conf, &conf_memory, &conf)
			 : conf_read(c, c->instance->conf, &conf);
	if (err != NULL)
		use_good(c, err, &conf);
	c->conf = &conf;
	reply_init(c, &reply);
	err = req_read(c, x, service->body_max, &r);
	if (err == NULL) {
		if (c->lasting)
			check_stale(service, &conf, &r);
		err = service->answer(c, service, &r, &reply);
	}
	if (err != NULL)
		service->refuse(c, &r, &reply, err);
	reply_limit(&reply, &r.limit);
	(void)FAULT("before-answer");
	reply_finish(c, &reply);
	answered = true;
	/* Under FastCGI a client that sends a body slowly is answered first (serve-fcgi.c). */
	if (x->send == NULL)
		req_drain(&r, service->drain_max);
	/* This comes before the answer: once that is read, mod_cgid expects the process to
	 * be dead, and asks again only every 10 ms. */
	if (!service->unlogged)
		serve_log(c, &r, &reply, err, began_at);
	dying_req = NULL;
	/* The process of a cached 304 ends within 50 us, mostly before Apache asks for its end;
	 * a successor takes as long to start. */
	if (service->brief && !c->lasting && conf.successor && !(r.cached && reply.status == 304))
		successor_begin(HARDEN_LIFE_S);
	if (!reply_send(&reply, x))
		log_line("the client went away");
}

/* ---- one request from a shell, for debugging */

#define ROUTES_MAX ((size_t)64 * 1024)

static _Noreturn void
usage(const char *program)
{
	fprintf(stderr,
	    "usage: %s METHOD PATH [--key KEY] [--instance DIR] [--header 'Name: value'] [--body FILE]\n"
	    "       %s --routes\n"
	    "Answers one request as under a web server. PATH is below the endpoint: '/?limit=2', '/<id>'.\n"
	    "--routes prints what the program answers, as JSON.\n",
	    program, program);
	exit(2);
}

static void
write_param(struct jwrite *w, const struct param *p)
{
	static const char *const kinds[] = {
		[PARAM_INT] = "integer",
		[PARAM_BOOL] = "boolean",
		[PARAM_TEXT] = "string",
		[PARAM_TIME] = "date-time",
	};

	jwrite_object(w);
	jwrite_member_text(w, "name", p->name);
	jwrite_member_text(w, "kind", kinds[p->kind]);
	jwrite_member_int(w, "min", p->min);
	jwrite_member_int(w, "max", p->max);
	jwrite_member_int(w, "standard", p->standard);
	jwrite_member_text(w, "scope", p->scope != 0 ? scope_name((enum scope)p->scope) : NULL);
	jwrite_object_end(w);
}

static void
write_route(struct ctx *c, struct jwrite *w, const char *program, const struct route *route)
{
	const struct param *p = route->params;

	jwrite_object(w);
	jwrite_member_text(w, "method", route->method);
	jwrite_member_text(w, "path", arena_printf(c->arena, "/%s%s", program, route->pattern));
	jwrite_member_text(w, "scope", scope_name((enum scope)route->scope));
	jwrite_member_bool(w, "body", route->body);
	jwrite_member_array(w, "params");
	for (; p != NULL && p->name != NULL; p++)
		write_param(w, p);
	jwrite_array_end(w);
	jwrite_object_end(w);
}

_Noreturn void
serve_shell_routes(struct ctx *c, const struct service *service)
{
	const struct route *routes = service->routes;
	struct jwrite w;
	struct buf out;

	buf_init(&out, c->arena, ROUTES_MAX);
	jwrite_init(&w, &out);
	jwrite_array(&w);
	for (; routes->method != NULL; routes++)
		write_route(c, &w, service->program, routes);
	jwrite_array_end(&w);
	exit(puts(buf_done(&out)) < 0 || fflush(stdout) != 0);
}

static void
set_path(struct ctx *c, const struct service *service, const char *path)
{
	const char *query = strchr(path, '?');
	size_t len = query != NULL ? (size_t)(query - path) : strlen(path);

	/* In a shell "/" means the resource itself; over HTTP it would be another path. */
	if (service->routes != NULL && len == 1 && path[0] == '/')
		len = 0;
	setenv("PATH_INFO", arena_text_n(c->arena, path, len), 1);
	setenv("QUERY_STRING", query != NULL ? query + 1 : "", 1);
	setenv("REQUEST_URI",
	    arena_printf(c->arena, "%s/%s%.*s%s", service->base, service->program, (int)len, path,
		query != NULL ? query : ""),
	    1);
}

/* Turns "If-None-Match: x" into HTTP_IF_NONE_MATCH. */
static bool
set_header(struct ctx *c, const char *header)
{
	const char *colon = strchr(header, ':');
	char *name;

	if (colon == NULL)
		return false;
	name = arena_printf(c->arena, "HTTP_%.*s", (int)(colon - header), header);
	for (char *p = name; *p != '\0'; p++)
		*p = *p == '-' ? '_' : (char)toupper((unsigned char)*p);
	setenv(name, colon + 1 + strspn(colon + 1, " "), 1);
	return true;
}

static bool
set_body(struct ctx *c, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat st;

	if (fd < 0 || fstat(fd, &st) != 0 || dup2(fd, STDIN_FILENO) < 0) {
		fprintf(stderr, "%s: %s\n", path, strerror(errno));
		return false;
	}
	setenv("CONTENT_LENGTH", arena_printf(c->arena, "%lld", (long long)st.st_size), 1);
	return true;
}

static bool
option(struct ctx *c, const char *name, const char *value, const char **dir)
{
	if (strcmp(name, "--key") == 0)
		return setenv("HTTP_AUTHORIZATION", arena_printf(c->arena, "Bearer %s", value),
			   1) == 0;
	if (strcmp(name, "--instance") == 0) {
		*dir = value;
		return true;
	}
	if (strcmp(name, "--header") == 0)
		return set_header(c, value);
	if (strcmp(name, "--body") == 0)
		return set_body(c, value);
	return false;
}

/*
 * Turns the arguments that serve.h describes into the environment that a web server
 * would give. Returns the --instance, or NULL. A usage error prints the usage and ends
 * the process with 2; --routes prints the service's tables and ends it with 0.
 */
static __attribute__((noinline, cold)) const char *
serve_shell(struct ctx *c, int argc, char **argv, const struct service *service)
{
	const char *dir = NULL;

	if (argc == 2 && strcmp(argv[1], "--routes") == 0) {
		if (service->tables == NULL)
			exit(puts("[]") < 0 || fflush(stdout) != 0);
		service->tables(c, service);
	}
	if (argc < 3 || argc % 2 == 0)
		usage(service->program);
	setenv("REQUEST_METHOD", argv[1], 1);
	setenv("HTTPS", "on", 1);
	setenv("REMOTE_ADDR", "127.0.0.1", 1);
	setenv("CONTENT_LENGTH", "0", 1);
	set_path(c, service, argv[2]);
	for (int i = 3; i + 1 < argc; i += 2) {
		if (!option(c, argv[i], argv[i + 1], &dir))
			usage(service->program);
	}
	return dir;
}

/* ---- the program */

/* Answers the one request of a CGI process, or those of a FastCGI process. */
static void
serve(struct ctx *c, const struct service *service, bool fcgi)
{
	const struct exchange cgi = { .variables = environ };

	if (fcgi) {
		serve_learn_boot();
		service->confine(c, true);
		serve_fcgi(c, service);
		return;
	}
	if (service->brief)
		db_memory_once();
	if (service->upload_s > 0)
		harden_life(service->upload_s);
	serve_life(c, service, &cgi);
}

/* Returns whether standard input is a FastCGI listening socket. It is here because every
 * request asks, and the FastCGI loop's code is far from what a CGI process runs. */
static bool
is_fcgi(void)
{
	struct sockaddr_storage peer;
	socklen_t len = sizeof(peer);

	/* A listening socket has no peer; no other descriptor 0 is a socket without a
	 * peer. */
	return getpeername(STDIN_FILENO, (struct sockaddr *)&peer, &len) != 0 && errno == ENOTCONN;
}

int
serve_service(int argc, char **argv, const struct service *service)
{
	static const struct exchange none;
	/* On as few pages as possible. */
	static _Alignas(4096) char memory[FIRST_MEMORY];
	bool fcgi = is_fcgi();
	struct instance instance;
	struct arena arena;
	struct ctx c = { .arena = &arena, .request_id = "" };
	const char *dir = NULL;
	char request_id[UUID_TEXT];
	struct err *err;

	harden_process(fcgi ? HARDEN_FCGI : service->asks_place ? HARDEN_CONSOLE : HARDEN_CGI);
	arena_init_with(&arena, ARENA_MAX, memory, sizeof(memory));
	if (!fcgi && getenv("GATEWAY_INTERFACE") == NULL)
		dir = serve_shell(&c, argc, argv, service);
	log_open(service->program, NULL);
	log_on_death(last_words);
	dying_service = service;
	dying_c = &c;
	dying_x = &none;
	err = instance_find(&c, dir, &instance);
	if (err != NULL) {
		name_request(&c, request_id);
		die("%s", err->message);
	}
	c.instance = &instance;
	log_open(service->program, fileio_path(&arena, instance.log, "requests.log"));
	if (fcgi && serve_pool_size() > 0) {
		harden_limit(HARDEN_FCGI);
		serve_pool(
		    arena_printf(&arena, "%s/cgi-bin/%s", instance.programs, service->program),
		    serve_pool_size());
		_exit(0);
	}
	serve(&c, service, fcgi);
	if (fcgi || c.db != NULL)
		db_close(&c);
	_exit(0);
}
