/* Takes a line of requests.log apart (logs.h). */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "logs/logs.h"

/* Returns the next word, NUL-terminated, or "" at the end. Moves *p behind the
 * space after it. */
static const char *
word(char **p)
{
	char *start = *p;
	size_t len = strcspn(start, " ");

	*p = start + len + (start[len] == ' ');
	start[len] = '\0';
	return start;
}

/* Returns the value of the next word NAME=VALUE. Returns NULL, and leaves *p, if
 * the next word is another. */
static const char *
value(char **p, const char *name)
{
	size_t len = strlen(name);

	if (strncmp(*p, name, len) != 0 || (*p)[len] != '=')
		return NULL;
	return word(p) + len + 1;
}

/* Reads a whole number, and behind it the word `unit` if one is given. Returns
 * false if they are not there. */
static bool
number(char **p, const char *unit, int64_t *out)
{
	char *end;

	*out = strtoll(*p, &end, 10);
	if (end == *p || *end != ' ')
		return false;
	*p = end + 1;
	return unit == NULL || strcmp(word(p), unit) == 0;
}

static void
parse_end(char *p, struct logs_request *out)
{
	size_t len;

	out->revision = value(&p, "x1");
	out->ended = strcmp(p, "end") == 0 || strncmp(p, "end ", 4) == 0;
	out->error = value(&p, "error");
	if (out->error != NULL)
		out->sentence = p;
	len = strlen(p);
	out->kept = out->error == NULL && len >= 4 && strcmp(p + len - 4, "kept") == 0;
}

/* Reads what follows the id. Returns false if it is not what web/serve-log.h
 * writes. */
static bool
parse_request(char *p, struct logs_request *out)
{
	int64_t status;
	const char *key;

	out->method = word(&p);
	out->target = word(&p);
	if (!number(&p, NULL, &status) || !number(&p, "bytes", &out->bytes) ||
	    !number(&p, "us", &out->took_us) || (key = value(&p, "key")) == NULL)
		return false;
	out->status = (int)status;
	out->key = strtoll(key, NULL, 10);
	out->workspace = value(&p, "workspace");
	out->scope = value(&p, "scope");
	out->lacks = value(&p, "lacks");
	out->limit = value(&p, "limit");
	parse_end(p, out);
	return out->workspace != NULL && out->scope != NULL && out->limit != NULL;
}

bool
logs_parse(struct ctx *c, const char *line, size_t len, struct logs_request *out)
{
	char *p = arena_text_n(c->arena, line, len), *bracket;
	const char *rest;

	memset(out, 0, sizeof(*out));
	out->at = word(&p);
	out->program = word(&p);
	bracket = strchr(out->program, '[');
	if (bracket == NULL || strlen(out->at) < 20)
		return false;
	*bracket = '\0';
	out->process = bracket + 1;
	bracket[1 + strcspn(bracket + 1, "]")] = '\0';
	out->id = word(&p);
	rest = arena_text(c->arena, p);
	if (parse_request(p, out))
		return true;
	out->method = rest;
	return false;
}
