/*
 * Random content, made of pieces that are likely to do harm, gives only the markup of
 * docs/export.md §1. The html is read by a tokenizer of the test, which shares no code
 * with the renderer.
 * suite: fast
 */
#include <jansson.h>

#include "tests/unit/export/source.h"

#define ARTICLES 2000

static uint64_t state;

static size_t
below(size_t n)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (size_t)(state % n);
}

static const char *const pieces[] = { "", " ", "word", "two words", "\n", "**", "*", "`", "``",
	"\\", "[", "]", "(", ")", "[^r1]", "[^r2]", "[^r3]", "[](https://e.org/)",
	"[x](https://e.org/?a=\"b\"&c)", "[y](#s2)", "[z](javascript:alert(1))", "**bold**", "*em*",
	"`<code>`", "<script>", "</script>", "</p>", "<!--", "-->", "]]>", "<img src=x onerror=y>",
	"&", "&amp;", "\"", "'", "=", "مرحبا", "HTTP/2", "C++", "שלום", "日本語", "\u200B",
	"\u00A0", "\u2028", "\U0001F600", "\u200F", "2026-09-01", "** **", "`` ` ``",
	"[**](https://e.org/)", "[ ](https://e.org/)" };

static const char *
some_text(size_t most)
{
	struct buf out;

	buf_init(&out, &arena, 10000);
	for (size_t i = below(most + 1); i > 0; i--) {
		buf_add_text(&out, pieces[below(sizeof(pieces) / sizeof(pieces[0]))]);
		if (below(3) == 0)
			buf_add_char(&out, ' ');
	}
	return out.data;
}

static const char *
maybe(const char *text)
{
	return below(2) == 0 ? NULL : text;
}

static struct list
some_list(int depth)
{
	struct list list = { .ordered = below(2) == 0, .item_count = below(depth > 0 ? 4 : 2) };

	list.items = arena_array(&arena, list.item_count, sizeof(*list.items));
	for (size_t i = 0; i < list.item_count; i++) {
		list.items[i].text = some_text(3);
		if (depth > 0)
			list.items[i].list = some_list(depth - 1);
	}
	return list;
}

static struct table
some_table(void)
{
	struct table table = { .caption = maybe(some_text(2)),
		.column_count = 1 + below(3),
		.row_header = below(2) == 0,
		.row_count = below(3) };

	table.columns = arena_array(&arena, table.column_count, sizeof(*table.columns));
	table.rows = arena_array(&arena, table.row_count, sizeof(*table.rows));
	for (size_t i = 0; i < table.column_count; i++)
		table.columns[i] = some_text(2);
	for (size_t r = 0; r < table.row_count; r++) {
		table.rows[r] = arena_array(&arena, table.column_count, sizeof(**table.rows));
		for (size_t i = 0; i < table.column_count; i++)
			table.rows[r][i] = some_text(2);
	}
	return table;
}

static struct block
some_block(const struct section *s)
{
	static const char *const languages[] = { NULL, "", "sh", "a b\"c>" };
	struct block block = { .type = (enum block_type)below(9) };

	block.text = some_text(6);
	block.cite = maybe(some_text(2));
	block.language = languages[below(4)];
	block.list = some_list(3);
	block.image.url = below(2) == 0 ? "media:0.png" : "https://e.org/i?a&b";
	block.image.alt = some_text(2);
	block.image.caption = maybe(some_text(2));
	block.image.width = below(2) == 0 ? 0 : 10;
	block.image.height = block.image.width;
	if (block.type == BLOCK_TABLE)
		block.index = below(s->table_count);
	if (block.type == BLOCK_CALLOUT)
		block.index = below(s->callout_count);
	return block;
}

static void
fill_section(struct section *s, const char *id, int depth)
{
	s->id = id;
	s->heading = some_text(3);
	s->step_count = below(3);
	s->steps = arena_array(&arena, s->step_count, sizeof(*s->steps));
	for (size_t i = 0; i < s->step_count; i++)
		s->steps[i] = (struct step) { some_text(2), some_text(3) };
	s->table_count = 1 + below(2);
	s->tables = arena_array(&arena, s->table_count, sizeof(*s->tables));
	for (size_t i = 0; i < s->table_count; i++)
		s->tables[i] = some_table();
	s->callout_count = 1 + below(2);
	s->callouts = arena_array(&arena, s->callout_count, sizeof(*s->callouts));
	for (size_t i = 0; i < s->callout_count; i++)
		s->callouts[i] = (struct callout) { (enum callout_kind)below(6),
			maybe(some_text(2)), some_text(3) };
	s->body_count = below(6);
	s->body = arena_array(&arena, s->body_count, sizeof(*s->body));
	for (size_t i = 0; i < s->body_count; i++)
		s->body[i] = some_block(s);
	s->subsection_count = depth > 0 ? below(3) : 0;
	s->subsections = arena_array(&arena, s->subsection_count, sizeof(*s->subsections));
	for (size_t i = 0; i < s->subsection_count; i++)
		fill_section(
		    &s->subsections[i], arena_printf(&arena, "%s-%zu", id, i + 1), depth - 1);
}

static void
fill_content(struct content *content)
{
	content->summary = some_text(3);
	content->takeaway_count = below(3);
	content->takeaways =
	    arena_array(&arena, content->takeaway_count, sizeof(*content->takeaways));
	for (size_t i = 0; i < content->takeaway_count; i++)
		content->takeaways[i] = some_text(2);
	content->section_count = below(4);
	content->sections = arena_array(&arena, content->section_count, sizeof(*content->sections));
	for (size_t i = 0; i < content->section_count; i++)
		fill_section(&content->sections[i], arena_printf(&arena, "s%zu", i + 1), 1);
	content->faq_count = below(3);
	content->faqs = arena_array(&arena, content->faq_count, sizeof(*content->faqs));
	for (size_t i = 0; i < content->faq_count; i++)
		content->faqs[i] = (struct faq) { arena_printf(&arena, "q%zu", i + 1), some_text(2),
			some_text(3) };
	content->reference_count = 3;
	content->references = arena_array(&arena, 3, sizeof(struct reference));
	for (size_t i = 0; i < 3; i++)
		content->references[i] = (struct reference) { arena_printf(&arena, "r%zu", i + 1),
			some_text(2), maybe("https://e.org/?a=1&b=2"), maybe(some_text(2)),
			maybe(below(2) == 0 ? "2025-03-04" : "long ago"), NULL };
	content->image_alt = maybe(some_text(2));
	content->image_caption = maybe(some_text(2));
	content->labels.takeaways = below(4) == 0 ? " " : some_text(2);
}

/* Returns the article of a number; the same number gives the same article. */
static struct sample
random_article(size_t number)
{
	static const char *const languages[] = { "en", "ar", "he", "ja" };
	static const char *const tags[] = { "<tag>", "\"two\"" };
	struct sample s = plain_sample();

	state = number * 0x9E3779B97F4A7C15U + 1;
	s.source.published = below(3) != 0;
	s.snapshot.title = arena_printf(&arena, "Title %s", some_text(3));
	s.snapshot.language = languages[below(4)];
	s.snapshot.author_name = maybe(arena_printf(&arena, "By%s", some_text(2)));
	s.snapshot.author_url = maybe("https://e.org/me?a&b");
	s.snapshot.meta_title = maybe(arena_printf(&arena, "Meta%s", some_text(2)));
	s.snapshot.section = maybe(some_text(2));
	s.snapshot.tags = (const char **)(uintptr_t)tags;
	s.snapshot.tag_count = below(3);
	s.snapshot.image = maybe("media:1.jpg");
	s.snapshot.image_width = s.snapshot.image_height = (int64_t)below(400);
	s.settings.website = maybe("https://www.example.com");
	s.settings.publisher_logo_url = maybe("https://www.example.com/l.png");
	fill_content(&s.snapshot.content);
	return s;
}

/* The elements that are allowed in html, and their attributes. */
static const struct {
	const char *name, *attributes;
	bool empty; /* nothing between its tags is right */
} elements[] = {
	{ "article", " class id lang dir ", false },
	{ "header", " class ", false },
	{ "section", " class id role ", false },
	{ "h1", " ", false },
	{ "h2", " ", false },
	{ "h3", " ", false },
	{ "h4", " ", false },
	{ "p", " class ", false },
	{ "a", " href rel role ", false },
	{ "time", " datetime ", false },
	{ "bdi", " ", false },
	{ "figure", " class ", false },
	{ "img", " src alt width height decoding loading ", true },
	{ "figcaption", " ", false },
	{ "sup", " class ", false },
	{ "ul", " class ", false },
	{ "ol", " class ", false },
	{ "li", " id dir ", false },
	{ "strong", " ", false },
	{ "em", " ", false },
	{ "code", " dir class ", false },
	{ "pre", " class ", false },
	{ "span", " ", false },
	{ "br", " ", true },
	{ "div", " class id role aria-labelledby tabindex ", false },
	{ "table", " ", false },
	{ "caption", " id ", false },
	{ "thead", " ", false },
	{ "tbody", " ", false },
	{ "tr", " ", false },
	{ "th", " scope dir ", false },
	{ "td", " dir ", true },
	{ "aside", " class ", false },
	{ "blockquote", " class ", false },
	{ "footer", " ", false },
	{ "cite", " ", false },
};

#define DEPTH_MAX 200
#define IDS_MAX 2000

struct reader {
	const char *p;
	const char *fault; /* the first, or NULL */
	size_t open[DEPTH_MAX]; /* places in elements */
	bool filled[DEPTH_MAX]; /* the open element has content */
	size_t depth;
	const char *ids[IDS_MAX], *targets[IDS_MAX];
	size_t id_count, target_count;
	int level, h1;
	bool in_section_start; /* a heading must come next */
};

static void
fault(struct reader *r, const char *what)
{
	if (r->fault == NULL)
		r->fault = arena_printf(&arena, "%s at: %.60s", what, r->p);
}

static size_t
element(struct reader *r, const char *name)
{
	for (size_t i = 0; i < sizeof(elements) / sizeof(elements[0]); i++) {
		if (strcmp(elements[i].name, name) == 0)
			return i;
	}
	fault(r, arena_printf(&arena, "the element %s", name));
	return 0;
}

static const char *
name_at(struct reader *r)
{
	size_t len = strspn(r->p, "abcdefghijklmnopqrstuvwxyz-1234");
	const char *name = arena_text_n(&arena, r->p, len);

	r->p += len;
	return name;
}

static bool
is_entity(const char *p)
{
	return strncmp(p, "&amp;", 5) == 0 || strncmp(p, "&lt;", 4) == 0 ||
	       strncmp(p, "&gt;", 4) == 0 || strncmp(p, "&quot;", 6) == 0 ||
	       strncmp(p, "&#39;", 5) == 0;
}

static void
see_attribute(struct reader *r, const char *name, const char *value)
{
	static const char *const schemes[] = { "https://", "http://", "mailto:", "#ab-3f2a9c10" };
	size_t i = 0;

	if (strcmp(name, "id") == 0 && r->id_count < IDS_MAX)
		r->ids[r->id_count++] = value;
	if (strcmp(name, "aria-labelledby") == 0 && r->target_count < IDS_MAX)
		r->targets[r->target_count++] = value;
	if (strncmp(value, "#ab-3f2a9c10-r", 14) == 0 && r->target_count < IDS_MAX)
		r->targets[r->target_count++] = value + 1;
	if (strcmp(name, "href") != 0 && strcmp(name, "src") != 0)
		return;
	while (i < 4 && strncmp(value, schemes[i], strlen(schemes[i])) != 0)
		i++;
	if (i == 4)
		fault(r, arena_printf(&arena, "the address %s", value));
}

static void
attribute(struct reader *r, size_t which)
{
	const char *name, *value;
	size_t len;

	r->p++;
	name = name_at(r);
	if (strstr(elements[which].attributes, arena_printf(&arena, " %s ", name)) == NULL)
		fault(r, arena_printf(&arena, "the attribute %s", name));
	if (strncmp(r->p, "=\"", 2) != 0) {
		fault(r, "an attribute without quoted value");
		return;
	}
	r->p += 2;
	len = strcspn(r->p, "\"<>'");
	value = arena_text_n(&arena, r->p, len);
	for (const char *p = value; *p != '\0'; p++) {
		if (*p == '&' && !is_entity(p))
			fault(r, "a bare & in an attribute");
	}
	r->p += len;
	if (*r->p != '"')
		fault(r, "a bare sign in an attribute");
	r->p += *r->p != '\0';
	see_attribute(r, name, value);
}

static void
see_element(struct reader *r, const char *name)
{
	bool heading = name[0] == 'h' && name[1] >= '1' && name[1] <= '6';

	if (r->in_section_start && !heading)
		fault(r, "a section without heading");
	r->in_section_start = strcmp(name, "section") == 0;
	if (!heading)
		return;
	if (name[1] - '0' > r->level + 1)
		fault(r, "a skipped heading level");
	r->level = name[1] - '0';
	r->h1 += r->level == 1;
}

static void
open_tag(struct reader *r)
{
	const char *name = name_at(r);
	size_t which = element(r, name);

	while (*r->p == ' ' && r->fault == NULL)
		attribute(r, which);
	if (*r->p != '>')
		fault(r, "a tag that does not end");
	r->p += *r->p != '\0';
	see_element(r, name);
	r->filled[r->depth] = true;
	if (strcmp(name, "img") == 0 || strcmp(name, "br") == 0)
		return;
	if (r->depth + 1 == DEPTH_MAX) {
		fault(r, "endless nesting");
		return;
	}
	r->open[r->depth++] = which;
	r->filled[r->depth] = elements[which].empty;
}

static void
close_tag(struct reader *r)
{
	const char *name = name_at(r);

	if (r->depth == 0 || strcmp(elements[r->open[r->depth - 1]].name, name) != 0) {
		fault(r, arena_printf(&arena, "a stray </%s>", name));
		return;
	}
	if (!r->filled[r->depth])
		fault(r, arena_printf(&arena, "an empty %s", name));
	r->depth--;
	if (*r->p != '>')
		fault(r, "an end tag that does not end");
	r->p += *r->p != '\0';
}

static void
text(struct reader *r)
{
	size_t len = strcspn(r->p, "<&");

	for (size_t i = 0; i < len; i++) {
		if (r->p[i] == '>')
			fault(r, "a bare >");
		/* Only line feeds are allowed between blocks. */
		if (r->p[i] != '\n')
			r->filled[r->depth] = true;
	}
	r->p += len;
	if (*r->p != '&')
		return;
	if (!is_entity(r->p))
		fault(r, "a bare &");
	r->filled[r->depth] = true;
	r->p++;
}

static void
check_ids(struct reader *r)
{
	for (size_t i = 0; i < r->id_count; i++) {
		for (size_t k = 0; k < i; k++) {
			if (strcmp(r->ids[i], r->ids[k]) == 0)
				fault(r, "an id twice");
		}
	}
	for (size_t i = 0; i < r->target_count; i++) {
		size_t k = 0;

		while (k < r->id_count && strcmp(r->targets[i], r->ids[k]) != 0)
			k++;
		if (k == r->id_count)
			fault(r, "a citation or label of nothing");
	}
}

/* Returns the first fault of html, or NULL. */
static const char *
html_fault(const char *html)
{
	struct reader *r = arena_alloc(&arena, sizeof(*r));

	r->p = html;
	while (*r->p != '\0' && r->fault == NULL) {
		if (strncmp(r->p, "</", 2) == 0) {
			r->p += 2;
			close_tag(r);
		} else if (*r->p == '<') {
			r->p++;
			open_tag(r);
		} else {
			text(r);
		}
	}
	if (r->fault == NULL && (r->depth != 0 || r->h1 != 1))
		fault(r, "no whole article with one h1");
	if (r->fault == NULL)
		check_ids(r);
	return r->fault;
}

/* Returns the first fault of head_html beside `json_ld`, or NULL. */
static const char *
head_fault(const char *head, const char *json_ld)
{
	static const char open[] = "<script type=\"application/ld+json\">";
	const char *script = strstr(head, open), *end;
	json_t *inside, *outside;
	bool equal;

	if (script == NULL)
		return "no script";
	for (const char *p = head; p < script; p++) {
		if (*p == '<' && strncmp(p, "<meta ", 6) != 0 && strncmp(p, "<link ", 6) != 0 &&
		    strncmp(p, "<title>", 7) != 0 && strncmp(p, "</title>", 8) != 0)
			return p;
	}
	script += strlen(open);
	end = strstr(script, "</script>");
	if (end == NULL || end[9] != '\0' || strcspn(script, "<>&") != (size_t)(end - script))
		return "a script that does not end where it must";
	inside = json_loadb(script, (size_t)(end - script), 0, NULL);
	outside = json_loads(json_ld, JSON_REJECT_DUPLICATES, NULL);
	equal = inside != NULL && json_equal(inside, outside);
	json_decref(inside);
	json_decref(outside);
	return equal ? NULL : "structured data that differ";
}

/* Empty texts and nulls have no place in structured data. */
static bool
is_filled(json_t *value)
{
	const char *name;
	json_t *part;
	size_t i;

	if (json_is_object(value)) {
		json_object_foreach(value, name, part) {
			if (!is_filled(part))
				return false;
		}
	}
	if (json_is_array(value)) {
		json_array_foreach(value, i, part) {
			if (!is_filled(part))
				return false;
		}
		return json_array_size(value) > 0;
	}
	if (json_is_string(value))
		return json_string_length(value) > 0;
	return !json_is_null(value);
}

static void
random_articles_are_sound(void)
{
	const char *wrong = NULL;
	size_t i;

	for (i = 0; i < ARTICLES && wrong == NULL; i++) {
		struct sample s = random_article(i);
		const char *json_ld = view(&s, export_json_ld);
		json_t *graph = json_loads(json_ld, 0, NULL);

		wrong = html_fault(view(&s, export_html));
		if (wrong == NULL)
			wrong = head_fault(view(&s, export_head), json_ld);
		if (wrong == NULL && !is_filled(graph))
			wrong = "something empty in json_ld";
		json_decref(graph);
		arena_reset(&arena);
	}
	if (!ok(wrong == NULL, "%d random articles have sound exports", ARTICLES))
		printf("# article %zu: %s\n", i - 1, wrong);
}

/* The tokenizer must find faults, or the test would prove nothing. */
static void
the_tokenizer_sees_faults(void)
{
	static const char *const bad[] = {
		"<article><h1>a</h1><script>x</script></article>",
		"<article><h1>a</h1><p onclick=\"x\">y</p></article>",
		"<article><h1>a</h1><p></p></article>",
		"<article><h1>a</h1><h3>b</h3></article>",
		"<article><h1>a</h1><p>b</article>",
		"<article><h1>a & b</h1></article>",
		"<article><h1>a > b</h1></article>",
		"<article><h1>a</h1><a href=\"javascript:x\">y</a></article>",
		"<article><h1>a</h1><section><p>b</p></section></article>",
		"<article><h1>a</h1><section id=\"x\"><h2>b</h2></section><section id=\"x\"><h2>b</h2></section></article>",
		"<article><p>a</p></article>",
		"<article><h1>a</h1><img src=\"https://e.org/\" /></article>",
	};

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		ok(html_fault(bad[i]) != NULL, "fault %zu is seen", i + 1);
	is_text(html_fault("<article><h1>a</h1></article>"), NULL, "and nothing else is one");
}

int
main(void)
{
	arena_init(&arena, (size_t)1 << 28);
	the_tokenizer_sees_faults();
	random_articles_are_sound();
	return done_testing();
}
