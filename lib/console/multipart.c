#include "console/multipart.h"

#include <stdbool.h>
#include <string.h>
#include <strings.h>

#include "base/arena.h"
#include "base/ctx.h"

#define BOUNDARY_MAX 70 /* RFC 2046 §5.1.1 */
#define NAME_MAX_BYTES 100
#define HEAD_MAX ((size_t)16 * 1024) /* of a part; what is longer costs time */

static struct err *
broken(struct ctx *c, const char *what)
{
	return err_param(c, "body",
	    tr_mark("The form did not arrive whole (%s). Go back and send it again."), what);
}

/* Returns the value of a parameter of a header, "" if it has none: NAME=VALUE or
 * NAME="VALUE". NULL: the header has no such parameter. */
static char *
parameter(struct ctx *c, const char *header, const char *name)
{
	size_t len = strlen(name);

	for (const char *p = strchr(header, ';'); p != NULL; p = strchr(p, ';')) {
		p += 1 + strspn(p + 1, " \t");
		if (strncasecmp(p, name, len) != 0 || p[len] != '=') {
			/* A quoted value may hold a semicolon. */
			const char *equal = p + strcspn(p, "=;");
			if (equal[0] == '=' && equal[1] == '"') {
				equal += 2 + strcspn(equal + 2, "\"");
				p = equal;
			}
			continue;
		}
		p += len + 1;
		if (*p != '"')
			return arena_text_n(c->arena, p, strcspn(p, "; \t"));
		return arena_text_n(c->arena, p + 1, strcspn(p + 1, "\""));
	}
	return NULL;
}

bool
multipart_is(const char *type)
{
	static const char wanted[] = "multipart/form-data";
	size_t len = sizeof(wanted) - 1;

	return type != NULL && strncasecmp(type, wanted, len) == 0 &&
	       strchr("; \t", type[len]) != NULL;
}

/* The bytes that are left to read. */
struct input {
	char *at;
	char *end;
	const char *delimiter; /* CR LF and two hyphens before the boundary */
	size_t delimiter_len;
};

/* Finds the next delimiter; NULL: there is none. */
static char *
find_delimiter(const struct input *in)
{
	return memmem(in->at, (size_t)(in->end - in->at), in->delimiter, in->delimiter_len);
}

/* Takes one line of a part's head. Returns NULL if it does not end before `stop`. */
static char *
take_line(struct input *in, const char *stop)
{
	char *line = in->at;
	char *end = memmem(line, (size_t)(stop - line), "\r\n", 2);

	if (end == NULL || memchr(line, '\0', (size_t)(end - line)) != NULL)
		return NULL;
	*end = '\0';
	in->at = end + 2;
	return line;
}

/* Reads the head of a part up to the empty line. */
static struct err *
read_head(struct ctx *c, struct input *in, const char **name, bool *is_file)
{
	size_t left = (size_t)(in->end - in->at);
	const char *stop = in->at + (left < HEAD_MAX ? left : HEAD_MAX);
	char *line;

	*name = NULL;
	*is_file = false;
	while ((line = take_line(in, stop)) != NULL && line[0] != '\0') {
		if (strncasecmp(line, "Content-Disposition:", 20) != 0)
			continue;
		*name = parameter(c, line, "name");
		*is_file = parameter(c, line, "filename") != NULL;
	}
	if (line == NULL || *name == NULL || strlen(*name) > NAME_MAX_BYTES)
		return broken(c, "a part has no head");
	return NULL;
}

static void
add(struct form_value *to, size_t *count, const char *name, const char *text, size_t len)
{
	to[*count] = (struct form_value) { .name = name, .text = text, .len = len };
	(*count)++;
}

static struct err *
read_part(struct ctx *c, struct input *in, struct multipart *out)
{
	const char *name;
	bool is_file;
	struct err *err = read_head(c, in, &name, &is_file);
	char *text, *end;

	if (err != NULL)
		return err;
	/* The delimiter of an empty part may begin with the end of its head. */
	text = in->at;
	in->at -= 2;
	memcpy(in->at, "\r\n", 2);
	end = find_delimiter(in);
	if (end == NULL)
		return broken(c, "a part has no end");
	in->at = end + in->delimiter_len;
	if (end < text)
		end = text;
	if (!is_file) {
		add(out->values, &out->count, name, text, (size_t)(end - text));
		*end = '\0';
	} else if (end > text) {
		add(out->files, &out->file_count, name, text, (size_t)(end - text));
		*end = '\0';
	}
	return NULL;
}

/* Returns whether the two bytes of `text` come next. */
static bool
begins_with(const struct input *in, const char *text)
{
	return in->end - in->at >= 2 && memcmp(in->at, text, 2) == 0;
}

/* After a delimiter comes the end of its line, or two hyphens at the end of all. */
static struct err *
next_part(struct ctx *c, struct input *in, bool *more)
{
	*more = !begins_with(in, "--");
	if (!*more)
		return NULL;
	while (in->at < in->end && (*in->at == ' ' || *in->at == '\t'))
		in->at++;
	if (!begins_with(in, "\r\n"))
		return broken(c, "a boundary has no end");
	in->at += 2;
	return NULL;
}

struct err *
multipart_read(struct ctx *c, const char *type, char *body, size_t len, struct multipart *out)
{
	struct input in = { .at = body, .end = body + len };
	const char *boundary = NULL;
	struct err *err;
	bool more = true;

	memset(out, 0, sizeof(*out));
	if (multipart_is(type))
		boundary = parameter(c, type, "boundary");
	if (boundary == NULL || boundary[0] == '\0' || strlen(boundary) > BOUNDARY_MAX)
		return broken(c, "it names no boundary");
	out->values = arena_array(c->arena, MULTIPART_PARTS_MAX, sizeof(*out->values));
	out->files = arena_array(c->arena, MULTIPART_PARTS_MAX, sizeof(*out->files));
	in.delimiter = arena_printf(c->arena, "\r\n--%s", boundary);
	in.delimiter_len = strlen(in.delimiter);
	if (len < in.delimiter_len - 2 || memcmp(body, in.delimiter + 2, in.delimiter_len - 2) != 0)
		return broken(c, "its first boundary is missing");
	in.at += in.delimiter_len - 2;
	err = next_part(c, &in, &more);
	while (err == NULL && more) {
		if (out->count + out->file_count == MULTIPART_PARTS_MAX)
			return broken(c, "it has too many fields");
		err = read_part(c, &in, out);
		if (err == NULL)
			err = next_part(c, &in, &more);
	}
	return err;
}
