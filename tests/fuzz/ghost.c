/* A Ghost export: every post, or what is wrong with it. */
#include "import/ghost.h"
#include "import/markdown/markdown.h"
#include "import/post.h"
#include "tests/fuzz/fuzz.h"

void
fuzz(struct ctx *c, const char *text, size_t len)
{
	struct ghost ghost;

	if (ghost_open(c, fuzz_file(c, text, len), NULL, &ghost) != NULL)
		return;
	for (size_t i = 0; i < ghost_count(&ghost); i++) {
		struct notes notes = { .c = c };
		struct post post;
		memset(&post, 0, sizeof(post));
		(void)ghost_post(&ghost, i, true, &notes, &post);
	}
}
