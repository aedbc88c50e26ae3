/* suite: fast */
#include "export/html-text.h"
#include "export/html.h"

#include "tests/unit/export/source.h"

/* Returns the html of a text inside its paragraph. */
static const char *
paragraph(const char *language, const char *text)
{
	static const char open[] = "</header>\n<p>";
	struct sample s = with_text(language, text);
	const char *html = view(&s, export_html);
	const char *from = strstr(html, open), *to;

	if (from == NULL)
		return "";
	from += strlen(open);
	to = strstr(from, "</p>\n</article>");
	return arena_text_n(&arena, from, (size_t)(to - from));
}

/* In `want` the signs ⟨ ⟩ mean <bdi> and </bdi>. */
static const struct {
	const char *text, *want;
} rtl_runs[] = {
	{ "واجهة HTTP/2 سريعة", "واجهة ⟨HTTP/2⟩ سريعة" },
	{ "المؤقت وETag.", "المؤقت و⟨ETag⟩." },
	{ "لغة C++ هنا", "لغة ⟨C++⟩ هنا" },
	{ "v1.2-beta", "⟨v1.2-beta⟩" },
	{ "قل a b لي", "قل ⟨a b⟩ لي" },
	{ "قل a  b لي", "قل ⟨a⟩  ⟨b⟩ لي" },
	{ "قل a\nb لي", "قل ⟨a⟩<br>⟨b⟩ لي" },
	{ "قل a, b لي", "قل ⟨a⟩, ⟨b⟩ لي" },
	{ "عام 2026 و 15.5%", "عام 2026 و 15.5%" },
	/* A number after a Latin word is the word's; any other is not. */
	{ "Apache 2 HTTP", "⟨Apache 2 HTTP⟩" },
	{ "منفذ USB 3.0، ثم", "منفذ ⟨USB 3.0⟩، ثم" },
	{ "نظام Windows 11.", "نظام ⟨Windows 11⟩." },
	{ "عدد 3 USB و 5 GHz", "عدد 3 ⟨USB⟩ و 5 ⟨GHz⟩" },
	{ "RFC 9110 (2022) x", "⟨RFC 9110⟩ (2022) ⟨x⟩" },
	{ "USB  3 و USB، 3", "⟨USB⟩  3 و ⟨USB⟩، 3" },
	{ "USB - 3 و USB ٣", "⟨USB⟩ - 3 و ⟨USB⟩ ٣" },
	{ "USB 3مرات و USB 3/٤", "⟨USB⟩ 3مرات و ⟨USB⟩ 3/٤" },
	{ "«HTTP»، (ETag)؛ \"x y\"!", "«⟨HTTP⟩»، (⟨ETag⟩)؛ \"⟨x y⟩\"!" },
	{ "[a] {b} 'c' d: e; f?", "[⟨a⟩] {⟨b⟩} '⟨c⟩' ⟨d⟩: ⟨e⟩; ⟨f⟩?" },
	{ "a&b <c>", "⟨a&amp;b &lt;c&gt;⟩" },
	{ "قال **HTTP** و*ETag*", "قال <strong>⟨HTTP⟩</strong> و<em>⟨ETag⟩</em>" },
	{ "HTTP **ETag** x", "⟨HTTP⟩ <strong>⟨ETag⟩</strong> ⟨x⟩" },
	{ "C\\+\\+ \\*", "⟨C++⟩ *" },
	{ "اكتب `a b` هنا", "اكتب <code dir=\"ltr\">a b</code> هنا" },
	{ "[HTTP](https://e.org/)", "<a href=\"https://e.org/\">⟨HTTP⟩</a>" },
	/* An isolate never ends within a word. */
	{ "في Müller و café", "في ⟨Müller⟩ و ⟨café⟩" },
	{ "عند 20°C أو it’s", "عند ⟨20°C⟩ أو ⟨it’s⟩" },
	{ "e\u0301a و", "⟨e\u0301a⟩ و" },
	{ "مَHTTP", "مَ⟨HTTP⟩" },
	{ "HTTPَ م", "⟨HTTPَ⟩ م" },
	{ "“HTTP”—", "“⟨HTTP⟩”—" },
	{ "٢٠٢٦HTTP٣", "٢٠٢٦⟨HTTP⟩٣" },
	{ "Привет 日本", "Привет 日本" },
};

static const struct {
	const char *text, *want;
} ltr_runs[] = {
	{ "The word مرحبا means hello", "The word ⟨مرحبا⟩ means hello" },
	{ "Say مرحبا يا عالم twice", "Say ⟨مرحبا يا عالم⟩ twice" },
	{ "In (שלום), תל-אביב.", "In (⟨שלום⟩), ⟨תל-אביב⟩." },
	{ "one שָׁלוֹם two", "one ⟨שָׁלוֹם⟩ two" },
	{ "foo-שלום-bar", "foo-⟨שלום⟩-bar" },
	{ "after שלום 3 words", "after ⟨שלום⟩ 3 words" },
	{ "no isolates for 日本 or é or 😀", "no isolates for 日本 or é or 😀" },
};

static const char *
with_isolates(const char *text)
{
	struct buf out;

	buf_init(&out, &arena, 10000);
	for (; *text != '\0'; text++) {
		if (strncmp(text, "⟨", 3) == 0 || strncmp(text, "⟩", 3) == 0) {
			buf_add_text(&out, strncmp(text, "⟨", 3) == 0 ? "<bdi>" : "</bdi>");
			text += 2;
		} else {
			buf_add_char(&out, *text);
		}
	}
	return out.data;
}

static void
foreign_runs_are_isolated(void)
{
	for (size_t i = 0; i < sizeof(rtl_runs) / sizeof(rtl_runs[0]); i++)
		is_text(paragraph("ar", rtl_runs[i].text), with_isolates(rtl_runs[i].want),
		    "right to left, run %zu", i + 1);
	for (size_t i = 0; i < sizeof(ltr_runs) / sizeof(ltr_runs[0]); i++)
		is_text(paragraph("en", ltr_runs[i].text), with_isolates(ltr_runs[i].want),
		    "left to right, run %zu", i + 1);
}

static const struct {
	const char *text, *want;
} marks[] = {
	{ "plain & <b> \"q\" 'a'", "plain &amp; &lt;b&gt; \"q\" 'a'" },
	{ "**s** *e* `c`", "<strong>s</strong> <em>e</em> <code dir=\"ltr\">c</code>" },
	{ "a\nb", "a<br>b" },
	{ "[x](https://e.org/?a=1&b='2')", "<a href=\"https://e.org/?a=1&amp;b=%272%27\">x</a>" },
	{ "[x](#s2)", "<a href=\"#ab-3f2a9c10-s2\">x</a>" },
	{ "[x](#)", "[x](#)" },
	{ "[x](mailto:a@e.org)", "<a href=\"mailto:a@e.org\">x</a>" },
	{ "[x](javascript:a)", "[x](javascript:a)" },
	/* Marks around nothing are gone; what they held is not. */
	{ "a [](https://e.org/) b", "a  b" },
	{ "a [ ](https://e.org/) b", "a   b" },
	{ "a **[](https://e.org/)** b", "a  b" },
	{ "a **[x](https://e.org/)**", "a <strong><a href=\"https://e.org/\">x</a></strong>" },
	{ "a [**x**](https://e.org/)", "a <a href=\"https://e.org/\"><strong>x</strong></a>" },
	{ "[^r9] is nobody's", "[^r9] is nobody's" },
	/* A paragraph that shows nothing is none. */
	{ "", "" },
	{ " \n\u00A0\u200B", "" },
	{ "[](https://e.org/)", "" },
	{ "` `", "" },
};

static void
marks_become_elements(void)
{
	for (size_t i = 0; i < sizeof(marks) / sizeof(marks[0]); i++)
		is_text(paragraph("en", marks[i].text), marks[i].want, "marks, text %zu", i + 1);
}

static void
attributes_are_escaped(void)
{
	struct buf out;

	buf_init(&out, &arena, 1000);
	html_text_attribute(&out, "content", "a & <b> \"c\" 'd'");
	is_text(out.data, " content=\"a &amp; &lt;b&gt; &quot;c&quot; &#39;d&#39;\"",
	    "attributes are escaped with their quotes");
}

/* The markup of the one table of an article, from its first row on. */
static const char *
table(const char *language, const char *column, const char *value)
{
	struct sample s = with_text(language, "");
	struct section *section = s.snapshot.content.sections;
	const char *cells[] = { column, value };
	const char **rows[] = { &cells[1] };
	struct table one = { NULL, &cells[0], 1, false, rows, 1, NULL };
	const char *html, *from;

	section->tables = &one;
	section->table_count = 1;
	html = view(&s, export_html);
	from = strstr(html, "<table>\n");
	if (from == NULL)
		return "";
	from += 8;
	return arena_text_n(&arena, from, (size_t)(strstr(html, "</table>") - from));
}

static const struct {
	const char *language, *column, *value, *want;
} tables[] = {
	{ "en", "A", "b",
	    "<thead><tr><th scope=\"col\">A</th></tr></thead>\n"
	    "<tbody>\n<tr><td>b</td></tr>\n</tbody>\n" },
	{ "en", "A", "שלום",
	    "<thead><tr><th scope=\"col\">A</th></tr></thead>\n"
	    "<tbody>\n<tr><td dir=\"auto\">שלום</td></tr>\n</tbody>\n" },
	{ "en", "A", "שלום x",
	    "<thead><tr><th scope=\"col\">A</th></tr></thead>\n<tbody>\n"
	    "<tr><td dir=\"auto\"><bdi>שלום</bdi> x</td></tr>\n</tbody>\n" },
	{ "ar", "HTTP", "من HTTP",
	    "<thead><tr><th scope=\"col\" dir=\"auto\">HTTP</th></tr></thead>\n"
	    "<tbody>\n<tr><td dir=\"auto\">من <bdi>HTTP</bdi></td></tr>\n"
	    "</tbody>\n" },
	{ "en", "", "b", "<tbody>\n<tr><td>b</td></tr>\n</tbody>\n" },
	{ "en", "A", "",
	    "<thead><tr><th scope=\"col\">A</th></tr></thead>\n"
	    "<tbody>\n<tr><td></td></tr>\n</tbody>\n" },
	{ "en", "", " ", "" },
};

static void
cells_find_their_own_direction(void)
{
	for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++)
		is_text(table(tables[i].language, tables[i].column, tables[i].value),
		    tables[i].want, "a table of \"%s\" and \"%s\" in %s", tables[i].column,
		    tables[i].value, tables[i].language);
}

/* References, and the places where they are allowed. */
static const struct {
	const char *language;
	struct reference reference;
	const char *want;
} references[] = {
	{ "en", { "r1", "T", "https://e.org/", "P", "2025-03", NULL },
	    "<cite><a href=\"https://e.org/\" rel=\"external\">T</a></cite>, P, <time datetime=\"2025-03\">2025-03</time>" },
	{ "en", { "r1", "T", NULL, NULL, "spring 2024", NULL }, "<cite>T</cite>, spring 2024" },
	{ "en", { "r1", "T", NULL, NULL, "2023-02-29", NULL }, "<cite>T</cite>, 2023-02-29" },
	{ "en", { "r1", "T", NULL, NULL, "2025/03", NULL }, "<cite>T</cite>, 2025/03" },
	{ "en", { "r1", "T", NULL, NULL, "1912", NULL },
	    "<cite>T</cite>, <time datetime=\"1912\">1912</time>" },
	{ "ar", { "r1", "كتاب HTTP", NULL, "ACM", NULL, NULL },
	    "<cite>كتاب <bdi>HTTP</bdi></cite>, <bdi>ACM</bdi>" },
	{ "ar", { "r1", "The HTTP book", NULL, "ACM", NULL, NULL },
	    "<cite>The HTTP book</cite>, ACM" },
};

static void
references_show_what_is_known(void)
{
	static const char open[] = "-r1\" dir=\"auto\">";

	for (size_t i = 0; i < sizeof(references) / sizeof(references[0]); i++) {
		struct sample s = with_text(references[i].language, "x[^r1]");
		struct reference one = references[i].reference;
		const char *html, *from;

		s.snapshot.content.references = &one;
		s.snapshot.content.reference_count = 1;
		html = view(&s, export_html);
		from = strstr(html, open);
		if (!ok(from != NULL, "reference %zu is listed", i + 1))
			continue;
		from += strlen(open);
		is_text(arena_text_n(&arena, from, (size_t)(strstr(from, "</li>") - from)),
		    references[i].want, "reference %zu", i + 1);
	}
}

static void
citations_are_numbered_by_first_use(void)
{
	struct sample s = with_text("en", "a[^r3] b[^r1] c[^r3]");
	struct reference list[] = {
		{ .id = "r1", .title = "One" },
		{ .id = "r2", .title = "Two" },
		{ .id = "r3", .title = "Three" },
	};
	const char *html, *first, *second;

	s.snapshot.content.references = list;
	s.snapshot.content.reference_count = 3;
	html = view(&s, export_html);
	ok(strstr(html, "r3\" role=\"doc-biblioref\">1<") != NULL &&
		strstr(html, "r1\" role=\"doc-biblioref\">2<") != NULL,
	    "numbers follow first use");
	first = strstr(html, "<li id=\"ab-3f2a9c10-r3\"");
	second = strstr(html, "<li id=\"ab-3f2a9c10-r1\"");
	ok(first != NULL && second != NULL && first < second, "so does the list");
	ok(strstr(html, "Two") == NULL, "what nothing cites is not listed");
}

static void
words_are_counted(void)
{
	static const struct {
		const char *text;
		int64_t words, cjk, minutes;
	} counts[] = {
		{ "one **two**three, don't", 4, 0, 1 },
		{ "日本語 text", 1, 3, 1 },
		{ "", 0, 0, 1 },
	};
	struct facts f;
	struct html h;

	for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
		struct sample s = with_text("en", counts[i].text);

		s.source.settings = &s.settings;
		s.source.snapshot = &s.snapshot;
		facts_init(&f, &ctx, &s.source);
		html_render(&h, &f);
		is_int((int64_t)h.words, counts[i].words, "words of \"%s\"", counts[i].text);
		is_int((int64_t)h.cjk, counts[i].cjk, "CJK characters of it");
		is_int(html_reading_minutes(&h), counts[i].minutes, "reading time of it");
	}
	h.words = 220;
	h.cjk = 0;
	is_int(html_reading_minutes(&h), 1, "220 words are a minute");
	h.words = 221;
	is_int(html_reading_minutes(&h), 2, "one more begins the next");
	h.words = 110;
	h.cjk = 250;
	is_int(html_reading_minutes(&h), 1, "the two counts are added");
	h.cjk = 251;
	is_int(html_reading_minutes(&h), 2, "before they are rounded");
}

static void
cuts_keep_words_and_characters(void)
{
	static const struct {
		const char *text;
		size_t max;
		const char *want;
	} cuts[] = {
		{ "one two three", 13, "one two three" },
		{ "one two three", 12, "one two" },
		{ "one two three", 7, "one two" },
		{ "one two three", 6, "one" },
		{ "  one \n\n two  ", 20, "one two" },
		{ "unbreakable", 5, "unbre" },
		{ "日本語の文章", 3, "日本語" },
		{ "ae\u0301o", 2, "a" },
	};

	for (size_t i = 0; i < sizeof(cuts) / sizeof(cuts[0]); i++)
		is_text(facts_cut(&ctx, cuts[i].text, cuts[i].max), cuts[i].want, "cut %zu", i + 1);
}

int
main(void)
{
	arena_init(&arena, (size_t)1 << 28);
	foreign_runs_are_isolated();
	marks_become_elements();
	attributes_are_escaped();
	cells_find_their_own_direction();
	references_show_what_is_known();
	citations_are_numbered_by_first_use();
	words_are_counted();
	cuts_keep_words_and_characters();
	return done_testing();
}
