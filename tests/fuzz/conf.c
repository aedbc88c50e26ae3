/* galley.conf: settings that are read can be written, and are then read the same. */
#include "base/buf.h"
#include "system/conf.h"
#include "tests/fuzz/fuzz.h"

void
fuzz(struct ctx *c, const char *text, size_t len)
{
	struct conf conf, again;
	struct buf out, same;

	if (conf_read(c, fuzz_file(c, text, len), &conf) != NULL)
		return;
	buf_init(&out, c->arena, 1024 * 1024);
	conf_write(&out, &conf);
	MUST(conf_read(c, fuzz_file(c, out.data, out.len), &again) == NULL);
	buf_init(&same, c->arena, 1024 * 1024);
	conf_write(&same, &again);
	MUST(strcmp(buf_done(&out), buf_done(&same)) == 0);
}
