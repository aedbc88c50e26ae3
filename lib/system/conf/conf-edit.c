/* Changes galley.conf as a text that people wrote (conf.h). */
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "system/conf.h"
#include "system/conf/conf-address.h"
#include "system/conf/console-conf.h"
#include "base/ctx.h"

#define FAULTS_MAX 64
#define TEXT_MAX ((size_t)64 * 1024)

/* Makes a line a comment, so that the lines behind it are read, too. */
static void
leave_out(char *text, int number)
{
	while (--number > 0)
		text = strchr(text, '\n') + 1;
	if (*text != '\0' && *text != '\n')
		*text = '#';
}

size_t
conf_faults(struct ctx *c, const char *text, struct conf_fault **out)
{
	size_t len = strlen(text), count = 0;
	char *rest = arena_text_n(c->arena, text, len);
	struct console_conf other;
	struct conf conf;
	struct err *err;
	int line;

	*out = arena_alloc(c->arena, FAULTS_MAX * sizeof(**out));
	while (count < FAULTS_MAX) {
		err = conf_parse(c, arena_text_n(c->arena, rest, len), len, &conf, &line);
		if (err == NULL)
			err =
			    console_conf_parse(c, arena_text_n(c->arena, rest, len), &other, &line);
		if (err == NULL)
			break;
		(*out)[count++] = (struct conf_fault) { line, err->message };
		if (line == 0)
			break;
		leave_out(rest, line);
	}
	return count;
}

static bool
is_space(char ch)
{
	return ch == ' ' || ch == '\t' || ch == '\r';
}

/* Returns whether a line (to `end`) sets this key. */
static bool
sets(const char *line, const char *end, const char *key)
{
	size_t len = strlen(key);

	while (line < end && is_space(*line))
		line++;
	if ((size_t)(end - line) < len || strncmp(line, key, len) != 0)
		return false;
	line += len;
	while (line < end && is_space(*line))
		line++;
	return line < end && *line == '=';
}

/* Returns the value without the spaces around it, which a reader does not see. */
static const char *
trim(struct ctx *c, const char *value)
{
	size_t len;

	while (is_space(*value))
		value++;
	len = strlen(value);
	while (len > 0 && is_space(value[len - 1]))
		len--;
	return arena_text_n(c->arena, value, len);
}

struct err *
conf_edit(struct ctx *c, const char **text, const char *key, const char *value)
{
	const char *line = *text, *end, *next;
	bool done = false;
	struct conf conf;
	struct err *err;
	struct buf out;

	conf_defaults(&conf);
	value = trim(c, value);
	err = conf_set(c, &conf, key, value);
	if (err == NULL && conf_address_is_of(key))
		err = conf_address_check(c, key, value);
	if (err != NULL)
		return err;
	buf_init(&out, c->arena, 2 * TEXT_MAX);
	for (; *line != '\0'; line = next) {
		end = strchrnul(line, '\n');
		next = end + (*end != '\0');
		if (!sets(line, end, key))
			buf_add(&out, line, (size_t)(next - line));
		else if (!done)
			buf_printf(&out, "%s = %s\n", key, value);
		done = done || sets(line, end, key);
	}
	if (!done) {
		if (out.len > 0 && out.data[out.len - 1] != '\n')
			buf_add_char(&out, '\n');
		conf_write_key(c, &out, key, value);
	}
	if (out.len > TEXT_MAX)
		return refuse(c, ERR_INVALID, "galley.conf would be longer than 64 KiB.");
	*text = out.data;
	return NULL;
}
