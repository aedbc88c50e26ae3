#include "web/serve-shell.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/ctx.h"
#include "base/jwrite.h"
#include "web/req.h"
#include "web/service.h"

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

const char *
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
