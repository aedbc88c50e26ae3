/* Settings as galley.conf has them: the whole file, a line of it, and each with its value
 * (conf.h). */
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/buf.h"
#include "base/ctx.h"
#include "system/conf.h"
#include "system/conf/conf-key.h"
#include "system/conf/console-conf.h"

#define VALUE_MAX_BYTES ((size_t)64 * 1024) /* no longer than a file */

static void
write_value(struct buf *out, const void *settings, const struct conf_key *key)
{
	const struct conf *conf = settings; /* of RATE alone */
	const void *value = (const char *)settings + key->offset;

	if (key->kind == TEXT || key->kind == URL)
		buf_add_text(out, *(const char *const *)value);
	else if (key->kind == SWITCH)
		buf_add_text(out, *(const bool *)value ? "on" : "off");
	else if (key->kind == RATE && conf->requests_counted)
		buf_add_text(out, "count");
	else
		buf_add_int(out, *(const int64_t *)value);
}

static void
write_key(struct buf *out, const void *conf, const struct conf_key *key)
{
	buf_printf(out, "\n# %s\n%s = ", key->doc, key->name);
	write_value(out, conf, key);
	buf_add_char(out, '\n');
}

void
conf_write(struct buf *out, const struct conf *conf)
{
	buf_add_text(out, "# The settings of this Galley instance: key = value. Read again by\n"
			  "# every request; no restart is needed. galley config set KEY=VALUE\n"
			  "# changes a line, galley config check looks for faults.\n");
	for (size_t i = 0; conf_key_at(i) != NULL; i++)
		write_key(out, conf, conf_key_at(i));
}

void
conf_write_key(struct ctx *c, struct buf *out, const char *name, const char *value)
{
	const struct conf_key *key = conf_key_named(name);
	struct console_conf other;
	struct conf conf;
	void *settings = &conf;

	if (key == NULL) {
		key = console_conf_named(name, strlen(name));
		settings = &other;
	}
	conf_defaults(&conf);
	if (conf_key_set(c, settings, key, value) == NULL)
		write_key(out, settings, key);
}

static void
see(struct ctx *c, const struct conf_key *key, const void *settings, const void *standard,
    conf_seen *each, void *arg)
{
	struct buf value, usual;

	buf_init(&value, c->arena, VALUE_MAX_BYTES);
	buf_init(&usual, c->arena, VALUE_MAX_BYTES);
	write_value(&value, settings, key);
	write_value(&usual, standard, key);
	each(arg, key->name, value.len > 0 ? value.data : "",
	    value.len == usual.len &&
		(value.len == 0 || memcmp(value.data, usual.data, value.len) == 0));
}

void
conf_each(struct ctx *c, const struct conf *conf, conf_seen *each, void *arg)
{
	struct console_conf console, usual;
	const struct conf_key *key;
	struct conf standard;

	conf_defaults(&standard);
	for (size_t i = 0; (key = conf_key_at(i)) != NULL; i++)
		see(c, key, conf, &standard, each, arg);
	console_conf_read(c, &console);
	for (size_t i = 0; (key = console_conf_key(i)) != NULL; i++) {
		conf_key_default(&usual, key);
		see(c, key, &console, &usual, each, arg);
	}
}
