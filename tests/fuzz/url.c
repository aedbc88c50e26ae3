/* An accepted address is clean: cleaning it again does not change it. */
#include "content/url.h"
#include "tests/fuzz/fuzz.h"

void
fuzz(struct ctx *c, const char *text, size_t len)
{
	const char *clean, *resolved;

	if (!fuzz_is_text(text, len))
		return;
	clean = url_clean(c->arena, text, len);
	if (clean != NULL) {
		MUST(strpbrk(clean, " \"<>\\\n\t") == NULL);
		MUST(strcmp(url_clean(c->arena, clean, strlen(clean)), clean) == 0);
	}
	clean = url_clean_web(c->arena, text);
	MUST(clean == NULL || url_host(c->arena, clean) != NULL);
	resolved = url_resolve(c->arena, "https://e.org/a/b?c#d", text);
	if (resolved != NULL)
		(void)url_clean_web(c->arena, resolved);
}
