/* A form as a browser sends it: the first line is its Content-Type, the rest its body. Every
 * part that is read is inside the body with a NUL after it, in order, and apart from
 * the others. */
#include "console/multipart.h"
#include "tests/fuzz/fuzz.h"

/* The parts of both lists, each in its order: none reaches into the next. */
static void
look(const struct form_value *values, size_t count, const char *body, size_t len)
{
	const char *after = body;

	for (size_t i = 0; i < count; i++) {
		MUST(values[i].name != NULL && strlen(values[i].name) <= 100);
		MUST(values[i].text >= after);
		MUST(values[i].text + values[i].len <= body + len);
		MUST(values[i].text[values[i].len] == '\0');
		after = values[i].text + values[i].len;
	}
}

void
fuzz(struct ctx *c, const char *text, size_t len)
{
	const char *end = memchr(text, '\n', len);
	size_t type_len = end != NULL ? (size_t)(end - text) : 0;
	size_t body_len = end != NULL ? len - type_len - 1 : 0;
	const char *type = arena_text_n(c->arena, text, type_len);
	/* Of its own, so that a sanitizer sees what is read after it. */
	char *body = malloc(body_len + 1);
	struct multipart m;

	MUST(body != NULL);
	if (body_len > 0)
		memcpy(body, end + 1, body_len);
	body[body_len] = '\0';
	if (multipart_read(c, type, body, body_len, &m) == NULL) {
		MUST(multipart_is(type));
		MUST(m.count + m.file_count <= MULTIPART_PARTS_MAX);
		look(m.values, m.count, body, body_len);
		look(m.files, m.file_count, body, body_len);
		for (size_t i = 0; i < m.file_count; i++)
			MUST(m.files[i].len > 0);
	}
	free(body);
}
