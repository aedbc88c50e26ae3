/* The file of an errand: whatever it holds, its members are there, and its tries have an end. */
#include "task/errand.h"
#include "tests/fuzz/fuzz.h"

void
fuzz(struct ctx *c, const char *text, size_t len)
{
	struct errand e;

	(void)len;
	errand_read(c->arena, text, &e);
	MUST(e.kind != NULL && e.id != NULL && e.report != NULL);
	MUST(e.person != NULL && strlen(e.file) <= ERRAND_FILE_MAX);
	MUST(e.tries >= 0 && e.tries <= ERRAND_TRIES);
	MUST(e.asked_at >= 0 && e.changed_at >= 0);
	MUST(!e.damaged || errand_is_open(&e));
	MUST(strchr(e.kind, '\n') == NULL && strchr(e.id, '\n') == NULL);
}
