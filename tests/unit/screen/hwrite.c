/* suite: fast */
#include "screen/hwrite.h"

#include <gumbo.h>
#include <sys/wait.h>

#include "base/arena.h"
#include "base/log.h"
#include "tests/tap.h"

static struct arena arena;
static struct buf out;
static struct hwrite w;

static void
begin(void)
{
	buf_init(&out, &arena, 1024 * 1024);
	hwrite_init(&w, &out);
}

static const char *
written(void)
{
	hwrite_end(&w);
	return buf_done(&out);
}

static void
a_document_is_written(void)
{
	begin();
	hwrite_doctype(&w);
	hwrite_open(&w, H_HTML);
	hwrite_language(&w, "fa");
	hwrite_open(&w, H_HEAD);
	hwrite_open(&w, H_META);
	hwrite_attr(&w, A_CHARSET, "utf-8");
	hwrite_refresh(&w, 5, "?again");
	hwrite_element(&w, H_TITLE, "A & B");
	hwrite_open(&w, H_SCRIPT);
	hwrite_address(&w, A_SRC, "/a.js");
	hwrite_flag(&w, A_DEFER, true);
	hwrite_close(&w, H_SCRIPT);
	hwrite_close(&w, H_HEAD);
	hwrite_open(&w, H_BODY);
	hwrite_open(&w, H_P);
	hwrite_attr(&w, A_ID, "one");
	hwrite_attr(&w, A_CLASS, NULL);
	hwrite_data(&w, "label", "x\"y");
	hwrite_flag(&w, A_HIDDEN, false);
	hwrite_data(&w, "none", NULL);
	hwrite_text(&w, "-3");
	hwrite_open(&w, H_BR);
	hwrite_text(&w, NULL);
	hwrite_time(&w, 0, "long ago");
	hwrite_close(&w, H_P);
	hwrite_open(&w, H_INPUT);
	hwrite_address(&w, A_FORMACTION, NULL);
	hwrite_number(&w, A_MAX, 7);
	hwrite_flag(&w, A_REQUIRED, true);
	hwrite_hidden(&w, "a", "b");
	hwrite_export(&w, "<p>made by export</p>", 21);
	hwrite_close(&w, H_BODY);
	hwrite_close(&w, H_HTML);
	is_text(written(),
	    "<!DOCTYPE html>\n"
	    "<html lang=\"fa\" dir=\"rtl\"><head><meta charset=\"utf-8\"><meta http-equiv=\"refresh\" content=\"5; url=?again\"><title>A &amp; B</title><script src=\"/a.js\" defer></script></head><body><p id=\"one\" data-label=\"x&quot;y\">-3<br><time datetime=\"1970-01-01T00:00:00Z\">long ago</time></p><input max=\"7\" required><input type=\"hidden\" name=\"a\" value=\"b\"><p>made by export</p></body></html>",
	    "a document");
}

static const struct {
	const char *text, *html;
} texts[] = {
	{ "plain ü € \xF0\x9F\x98\x80\n\t", "plain ü € \xF0\x9F\x98\x80\n\t" },
	{ "<b>&amp;\"'</b>", "&lt;b&gt;&amp;amp;&quot;'&lt;/b&gt;" },
	{ "</script><!-- ]]> -->", "&lt;/script&gt;&lt;!-- ]]&gt; --&gt;" },
	{ "a\r\nb\rc", "a&#13;\nb&#13;c" },
	{ "\x01\x1B\x7F\xC2\x80", "\uFFFD\uFFFD\uFFFD\uFFFD" },
	{ "\xFF\xC0\xAF\xED\xA0\x80z", "\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFDz" },
	{ "a\u202Eb\u2066c", "a\uFFFDb\uFFFDc" },
	{ "\uFEFF\uFFFF", "\uFFFD\uFFFD" },
	{ "\u200Fa\u200E\u2028", "\u200Fa\u200E\u2028" },
};

static void
texts_are_escaped(void)
{
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		begin();
		hwrite_element(&w, H_P, texts[i].text);
		is_text(written(), arena_printf(&arena, "<p>%s</p>", texts[i].html), "text %zu", i);
		begin();
		hwrite_open(&w, H_IMG);
		hwrite_attr(&w, A_ALT, texts[i].text);
		is_text(written(), arena_printf(&arena, "<img alt=\"%s\">", texts[i].html),
		    "and as an attribute");
	}
	begin();
	hwrite_open(&w, H_P);
	hwrite_attr_n(&w, A_TITLE, "x\0\xE2\x82", 4);
	hwrite_attr(&w, A_ARIA_LABEL, " data-x=");
	hwrite_data(&w, "x", "a value that looks like a name is none");
	hwrite_text_n(&w, "a\0b\xE2\x82", 5);
	hwrite_text_n(&w, "", 0);
	hwrite_close(&w, H_P);
	is_text(written(),
	    "<p title=\"x\uFFFD\uFFFD\uFFFD\" aria-label=\" data-x=\" data-x=\"a value that looks like a name is none\">a\uFFFDb\uFFFD\uFFFD</p>",
	    "bytes of any kind are text");
	begin();
	hwrite_element(&w, H_TEXTAREA, "\nfirst line is empty");
	hwrite_open(&w, H_PRE);
	hwrite_open(&w, H_BR);
	hwrite_text(&w, "x");
	hwrite_close(&w, H_PRE);
	is_text(written(), "<textarea>\n\nfirst line is empty</textarea><pre>\n<br>x</pre>",
	    "a text area keeps its first newline");
}

static const struct {
	const char *address;
	bool link, own; /* kept in a link, and as a form's action */
} addresses[] = {
	{ "/console/x?a=1&b=2", true, true },
	{ "/", true, true },
	{ "#errors", true, true },
	{ "?before=x", true, true },
	{ "https://example.com/?q=1", true, false },
	{ "http://example.com/", true, false },
	{ "mailto:a@example.com", true, false },
	{ "//example.com/", false, false },
	{ "/\\example.com", false, false },
	{ "/\t/example.com", false, false },
	{ "https://a\nb", false, false },
	{ "javascript:alert(1)", false, false },
	{ " javascript:alert(1)", false, false },
	{ "JaVaScRiPt:alert(1)", false, false },
	{ "data:text/html,x", false, false },
	{ "vbscript:x", false, false },
	{ "file:///etc/passwd", false, false },
	{ "relative", false, false },
	{ "", false, false },
};

static bool
is_kept(const char *address, enum hwrite_element e, enum hwrite_attribute a)
{
	struct buf escaped;

	buf_init(&escaped, &arena, 1024);
	for (const char *p = address; *p != '\0'; p++)
		buf_add_text(&escaped, *p == '&' ? "&amp;" : (char[]) { *p, '\0' });
	begin();
	if (e == H_SCRIPT || e == H_LINK) {
		hwrite_open(&w, H_HTML);
		hwrite_open(&w, H_HEAD);
	}
	hwrite_open(&w, e);
	hwrite_address(&w, a, address);
	hwrite_attr(&w, A_ID, "x");
	if (strstr(out.data, "=\"#\" ") != NULL && strcmp(address, "#") != 0)
		return false;
	return strstr(out.data, arena_printf(&arena, "=\"%s\" ", escaped.data)) != NULL;
}

static void
addresses_are_looked_at(void)
{
	for (size_t i = 0; i < sizeof(addresses) / sizeof(addresses[0]); i++) {
		const char *address = addresses[i].address;
		is_int(
		    is_kept(address, H_A, A_HREF), addresses[i].link, "address %zu in a link", i);
		is_int(is_kept(address, H_FORM, A_ACTION), addresses[i].own, "and a form");
		ok(is_kept(address, H_BUTTON, A_FORMACTION) == addresses[i].own &&
			is_kept(address, H_SCRIPT, A_SRC) == addresses[i].own &&
			is_kept(address, H_IFRAME, A_SRC) == addresses[i].own &&
			is_kept(address, H_LINK, A_HREF) == addresses[i].own,
		    "and what a page runs, frames or takes its style from");
	}
}

/* ---- faults of the caller */

static void
a_block_in_a_paragraph(void)
{
	hwrite_open(&w, H_P);
	hwrite_open(&w, H_DIV);
}

static void
a_link_in_a_link(void)
{
	hwrite_open(&w, H_A);
	hwrite_open(&w, H_SPAN);
	hwrite_open(&w, H_A);
}

static void
a_button_in_a_link(void)
{
	hwrite_open(&w, H_A);
	hwrite_open(&w, H_BUTTON);
}

static void
a_form_in_a_form(void)
{
	hwrite_open(&w, H_FORM);
	hwrite_open(&w, H_DIV);
	hwrite_open(&w, H_FORM);
}

static void
a_text_in_a_list(void)
{
	hwrite_open(&w, H_UL);
	hwrite_text(&w, "x");
}

static void
a_text_in_a_script(void)
{
	hwrite_open(&w, H_HTML);
	hwrite_open(&w, H_HEAD);
	hwrite_open(&w, H_SCRIPT);
	hwrite_text(&w, "alert(1)");
}

static void
a_raw_piece_in_a_paragraph(void)
{
	hwrite_open(&w, H_P);
	hwrite_export(&w, "<p>x</p>", 8);
}

static void
a_wrong_end(void)
{
	hwrite_open(&w, H_DIV);
	hwrite_open(&w, H_P);
	hwrite_close(&w, H_DIV);
}

static void
an_end_too_many(void)
{
	hwrite_element(&w, H_P, "x");
	hwrite_close(&w, H_P);
}

static void
an_end_too_few(void)
{
	hwrite_open(&w, H_P);
	hwrite_end(&w);
}

static void
an_end_of_a_void_element(void)
{
	hwrite_open(&w, H_BR);
	hwrite_close(&w, H_BR);
}

static void
an_attribute_after_text(void)
{
	hwrite_open(&w, H_P);
	hwrite_text(&w, "x");
	hwrite_attr(&w, A_CLASS, "late");
}

static void
an_attribute_twice(void)
{
	hwrite_open(&w, H_P);
	hwrite_attr(&w, A_CLASS, "one");
	hwrite_attr(&w, A_CLASS, "two");
}

static void
data_twice(void)
{
	hwrite_open(&w, H_P);
	hwrite_data(&w, "x", "one");
	hwrite_data(&w, "x", "two");
}

static void
a_wrong_data_name(void)
{
	hwrite_open(&w, H_P);
	hwrite_data(&w, "x onclick", "one");
}

static void
an_address_as_a_text(void)
{
	hwrite_open(&w, H_A);
	hwrite_attr(&w, A_HREF, "javascript:alert(1)");
}

static void
a_flag_as_a_text(void)
{
	hwrite_open(&w, H_INPUT);
	hwrite_attr(&w, A_REQUIRED, "no");
}

static void
an_id_with_a_space(void)
{
	hwrite_open(&w, H_P);
	hwrite_attr(&w, A_ID, "a b");
}

static void
a_refresh_to_elsewhere(void)
{
	hwrite_open(&w, H_HTML);
	hwrite_open(&w, H_HEAD);
	hwrite_refresh(&w, 0, "https://example.com/");
}

static void
a_second_head(void)
{
	hwrite_open(&w, H_HTML);
	hwrite_open(&w, H_HEAD);
	hwrite_close(&w, H_HEAD);
	hwrite_open(&w, H_HEAD);
}

static void
a_body_without_a_head(void)
{
	hwrite_open(&w, H_HTML);
	hwrite_open(&w, H_BODY);
}

static void
a_late_legend(void)
{
	hwrite_open(&w, H_FIELDSET);
	hwrite_text(&w, "x");
	hwrite_open(&w, H_LEGEND);
}

static void
a_late_doctype(void)
{
	hwrite_element(&w, H_P, "x");
	hwrite_doctype(&w);
}

static void
too_much_depth(void)
{
	for (int i = 0; i <= HWRITE_DEPTH; i++)
		hwrite_open(&w, H_DIV);
}

#define FAULT_ROW(name)                                                                            \
	{                                                                                          \
#name, name                                                                        \
	}
static const struct {
	const char *name;
	void (*function)(void);
} faults[] = { FAULT_ROW(a_block_in_a_paragraph), FAULT_ROW(a_link_in_a_link),
	FAULT_ROW(a_button_in_a_link), FAULT_ROW(a_form_in_a_form), FAULT_ROW(a_text_in_a_list),
	FAULT_ROW(a_text_in_a_script), FAULT_ROW(a_raw_piece_in_a_paragraph),
	FAULT_ROW(a_wrong_end), FAULT_ROW(an_end_too_many), FAULT_ROW(an_end_too_few),
	FAULT_ROW(an_end_of_a_void_element), FAULT_ROW(an_attribute_after_text),
	FAULT_ROW(an_attribute_twice), FAULT_ROW(data_twice), FAULT_ROW(a_wrong_data_name),
	FAULT_ROW(an_address_as_a_text), FAULT_ROW(a_flag_as_a_text), FAULT_ROW(an_id_with_a_space),
	FAULT_ROW(a_refresh_to_elsewhere), FAULT_ROW(a_second_head),
	FAULT_ROW(a_body_without_a_head), FAULT_ROW(a_late_legend), FAULT_ROW(a_late_doctype),
	FAULT_ROW(too_much_depth) };

static void
faults_are_bugs(void)
{
	for (size_t i = 0; i < sizeof(faults) / sizeof(faults[0]); i++) {
		int status = 0;
		pid_t child = fork();
		if (child == 0) {
			fclose(stderr);
			begin();
			faults[i].function();
			_exit(0);
		}
		waitpid(child, &status, 0);
		ok(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT, "%s is a bug",
		    faults[i].name);
	}
}

/* ---- every element, read back by a browser's rules */

/* Opens what may hold `e`, then `e` itself. */
static bool
open_with_parents(enum hwrite_element e, int depth)
{
	struct hwrite before = w;
	size_t len = out.len;

	if (hwrite_may_open(&w, e)) {
		hwrite_open(&w, e);
		return true;
	}
	for (int parent = 0; depth > 0 && parent < HWRITE_ELEMENTS; parent++) {
		if (!hwrite_may_open(&w, (enum hwrite_element)parent))
			continue;
		hwrite_open(&w, (enum hwrite_element)parent);
		if (w.depth > before.depth && open_with_parents(e, depth - 1))
			return true;
		w = before;
		out.len = len;
		out.data[len] = '\0';
	}
	return false;
}

static bool
has_element(const GumboNode *node, const char *name)
{
	GumboStringPiece tag;
	bool found;

	if (node->type != GUMBO_NODE_ELEMENT)
		return false;
	tag = node->v.element.original_tag;
	gumbo_tag_from_original_text(&tag);
	found = tag.length == strlen(name) && strncmp(tag.data, name, tag.length) == 0 &&
		gumbo_get_attribute(&node->v.element.attributes, "id") != NULL;
	for (unsigned i = 0; !found && i < node->v.element.children.length; i++)
		found = has_element(node->v.element.children.data[i], name);
	return found;
}

static void
every_element_is_read_back(void)
{
	for (int e = H_META; e < HWRITE_ELEMENTS; e++) {
		GumboOutput *read;
		char name[16] = "";
		begin();
		hwrite_open(&w, H_HTML);
		hwrite_open(&w, H_HEAD);
		if (!hwrite_may_open(&w, (enum hwrite_element)e)) {
			hwrite_close(&w, H_HEAD);
			hwrite_open(&w, H_BODY);
		}
		if (!ok(open_with_parents((enum hwrite_element)e, 3), "element %d has a place", e))
			continue;
		hwrite_attr(&w, A_ID, "it");
		sscanf(strrchr(out.data, '<'), "<%15[a-z0-9]", name);
		while (w.depth > 0)
			hwrite_close(&w, w.open[w.depth - 1]);
		read = gumbo_parse(buf_done(&out));
		ok(has_element(read->root, name), "<%s> is read back", name);
		gumbo_destroy_output(&kGumboDefaultOptions, read);
	}
}

int
main(void)
{
	arena_init(&arena, 64 * 1024 * 1024);
	a_document_is_written();
	texts_are_escaped();
	addresses_are_looked_at();
	faults_are_bugs();
	every_element_is_read_back();
	return done_testing();
}
