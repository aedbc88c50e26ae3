/* Our HTML writer against gumbo, a reader by the rules of browsers: whatever is written,
 * with whatever texts, is read back as the tree that was written. */
#include <gumbo.h>

#include "base/utf8.h"
#include "screen/hwrite.h"
#include "tests/fuzz/fuzz.h"

/* What must be read back: a line for each element, attribute and text, in their order. */
struct wanted {
	struct buf lines;
	bool in_text; /* the last line is a text, which may go on */
};

/* What a browser must show of these bytes. */
static void
add_shown(struct buf *out, const char *from, size_t len)
{
	/* A sequence that is cut ends with the NUL. */
	const char *bytes = arena_text_n(out->arena, from, len);

	for (size_t i = 0; i < len;) {
		size_t sequence = bytes[i] == '\0' ? 0 : utf8_sequence(bytes + i);
		char one[5] = "";
		memcpy(one, bytes + i, sequence);
		if (sequence == 0 || (utf8_forbidden(one, false) != NULL && one[0] != '\r'))
			buf_add_text(out, "\uFFFD");
		else
			buf_add_text(out, one);
		i += sequence > 0 ? sequence : 1;
	}
}

static void
want_text(struct wanted *wanted, const char *bytes, size_t len)
{
	if (len == 0)
		return;
	if (!wanted->in_text)
		buf_add_text(&wanted->lines, "\ntext ");
	wanted->in_text = true;
	add_shown(&wanted->lines, bytes, len);
}

static void
want_line(struct wanted *wanted, const char *what, const char *name)
{
	wanted->in_text = false;
	buf_add_char(&wanted->lines, '\n');
	buf_add_text(&wanted->lines, what);
	buf_add_text(&wanted->lines, name);
}

static void
read_back(const GumboNode *node, struct wanted *got)
{
	const GumboElement *element = &node->v.element;
	GumboStringPiece tag;
	char name[32] = "";

	if (node->type == GUMBO_NODE_TEXT || node->type == GUMBO_NODE_WHITESPACE) {
		want_text(got, node->v.text.text, strlen(node->v.text.text));
		return;
	}
	MUST(node->type == GUMBO_NODE_ELEMENT);
	/* An element that is written has a name in the text; a browser's own has none. */
	tag = element->original_tag;
	MUST(tag.length > 0);
	gumbo_tag_from_original_text(&tag);
	MUST(tag.length < sizeof(name));
	memcpy(name, tag.data, tag.length);
	want_line(got, "<", name);
	for (unsigned i = 0; i < element->attributes.length; i++) {
		const GumboAttribute *a = element->attributes.data[i];
		want_line(got, "@", a->name);
		buf_add_char(&got->lines, '=');
		buf_add_text(&got->lines, a->value);
	}
	for (unsigned i = 0; i < element->children.length; i++)
		read_back(element->children.data[i], got);
	want_line(got, ">", name);
}

/* The name of an element whose start tag was just written. */
static const char *
tag_name(struct ctx *c, const struct hwrite *w)
{
	const char *name = strrchr(w->out->data, '<') + 1;

	return arena_text_n(c->arena, name, strcspn(name, " >"));
}

struct input {
	const char *bytes;
	size_t len;
};

static unsigned
take(struct input *in)
{
	if (in->len == 0)
		return 0;
	in->len--;
	return (unsigned char)*in->bytes++;
}

static const char *
take_text(struct input *in, size_t *len)
{
	const char *text = in->bytes;

	*len = take(in) % 24;
	if (*len > 0)
		text++;
	*len = *len > in->len ? in->len : *len;
	in->bytes += *len;
	in->len -= *len;
	return text;
}

/* Opens an element, with up to three attributes. */
static void
write_element(
    struct ctx *c, struct hwrite *w, struct wanted *wanted, struct input *in, enum hwrite_element e)
{
	static const struct {
		enum hwrite_attribute a;
		const char *name;
	} attributes[] = { { A_CLASS, "class" }, { A_TITLE, "title" }, { A_VALUE, "value" },
		{ A_ALT, "alt" } };
	unsigned how = take(in), first = take(in) % 4;
	size_t depth = w->depth, len;
	const char *text, *name;

	hwrite_open(w, e);
	name = tag_name(c, w);
	want_line(wanted, "<", name);
	for (unsigned i = 0; i < how % 3; i++) {
		text = take_text(in, &len);
		hwrite_attr_n(w, attributes[(first + i) % 4].a, text, len);
		want_line(wanted, "@", attributes[(first + i) % 4].name);
		buf_add_char(&wanted->lines, '=');
		add_shown(&wanted->lines, text, len);
	}
	if (how & 64) {
		text = take_text(in, &len);
		hwrite_data(w, "x", arena_text_n(c->arena, text, len));
		want_line(wanted, "@data-x=", "");
		add_shown(&wanted->lines, text, strnlen(text, len));
	}
	if (how & 128) {
		hwrite_flag(w, A_HIDDEN, true);
		want_line(wanted, "@hidden=", "");
	}
	if (w->depth == depth)
		want_line(wanted, ">", name);
}

static void
close_innermost(struct ctx *c, struct hwrite *w, struct wanted *wanted)
{
	struct buf end;

	/* gumbo, unlike browsers, puts a text that ends a form after it. */
	if (wanted->in_text && w->open[w->depth - 1] == H_FORM) {
		hwrite_open(w, H_HR);
		want_line(wanted, "<", "hr");
		want_line(wanted, ">", "hr");
	}
	buf_init(&end, c->arena, 64);
	hwrite_close(w, w->open[w->depth - 1]);
	for (const char *p = strrchr(w->out->data, '/') + 1; *p != '>'; p++)
		buf_add_char(&end, *p);
	want_line(wanted, ">", end.data);
}

/* The input is a program: each byte is an element to open, a text, or an end. */
static void
write_program(struct ctx *c, struct hwrite *w, struct wanted *wanted, struct input *in)
{
	while (in->len > 0) {
		unsigned op = take(in);
		size_t len;
		const char *text;
		if (op < HWRITE_ELEMENTS) {
			/* What a script holds is not looked at: it has no text. */
			if (op != H_SCRIPT && hwrite_may_open(w, (enum hwrite_element)op))
				write_element(c, w, wanted, in, (enum hwrite_element)op);
		} else if (op < 200) {
			text = take_text(in, &len);
			if (!hwrite_may_text(w))
				continue;
			hwrite_text_n(w, text, len);
			want_text(wanted, text, len);
		} else if (w->depth > 2) {
			close_innermost(c, w, wanted);
		}
	}
}

void
fuzz(struct ctx *c, const char *text, size_t len)
{
	struct input in = { text, len };
	struct wanted wanted = { .in_text = false }, got = { .in_text = false };
	struct buf out;
	struct hwrite w;
	GumboOutput *read;

	buf_init(&out, c->arena, 64 * len + 4096);
	buf_init(&wanted.lines, c->arena, 64 * len + 4096);
	buf_init(&got.lines, c->arena, 1024 * len + 65536);
	hwrite_init(&w, &out);
	hwrite_doctype(&w);
	hwrite_open(&w, H_HTML);
	want_line(&wanted, "<", "html");
	hwrite_open(&w, H_HEAD);
	want_line(&wanted, "<", "head");
	hwrite_element(&w, H_TITLE, text);
	want_line(&wanted, "<", "title");
	want_text(&wanted, text, strlen(text));
	want_line(&wanted, ">", "title");
	close_innermost(c, &w, &wanted);
	hwrite_open(&w, H_BODY);
	want_line(&wanted, "<", "body");
	write_program(c, &w, &wanted, &in);
	while (w.depth > 0)
		close_innermost(c, &w, &wanted);
	hwrite_end(&w);
	read = gumbo_parse_with_options(&kGumboDefaultOptions, buf_done(&out), out.len);
	read_back(read->root, &got);
	if (strcmp(buf_done(&got.lines), buf_done(&wanted.lines)) != 0) {
		fprintf(stderr, "%s\n-- wanted%s\n-- got%s\n", out.data, wanted.lines.data,
		    got.lines.data);
		MUST(!"the tree is read back");
	}
	gumbo_destroy_output(&kGumboDefaultOptions, read);
}
