/* suite: fast */
#include "import/wordpress.h"

#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "import/losses.h"
#include "tests/tap.h"

static struct arena arena;
static struct ctx c = { .arena = &arena };

static struct wxr_attachment attachments[] = {
	{ .id = "7", .url = "https://a.example/7.png", .alt = "Seven \"7\"" },
	{ .id = "8", .url = "https://a.example/8.png", .caption = "Eight" },
};
static const struct wxr wxr = { .site = "https://a.example",
	.title = "Site",
	.attachments = attachments,
	.attachment_count = 2 };

static const struct {
	const char *name, *text, *html;
} texts[] = {
	{ "one line", "a", "a" },
	{ "a newline", "a\nb", "a<br>\nb" },
	{ "an empty line", "a\n\nb", "a<p>\n\nb" },
	{ "empty lines with spaces", "a\n \t\n\nb", "a<p>\n\n\nb" },
	{ "before a block", "a\n<ul>\n<li>b</li>\n\n<li>c</li>\n</ul>",
	    "a\n<ul>\n<li>b</li>\n\n<li>c</li>\n</ul>" },
	{ "after a block", "<h2>a</h2>\nb", "<h2>a</h2>\nb" },
	{ "after a text element", "<b>a</b>\nb", "<b>a</b><br>\nb" },
	{ "code", "<pre>a\n\n[x y=1]</pre>", "<pre>a\n\n[x y=1]</pre>" },
	{ "text that begins with an address", "https://a.example/ is", "https://a.example/ is" },
	{ "an address alone", "a\n\nhttps://a.example/x\n\nb",
	    "a<p>\n\n<a href=\"https://a.example/x\">https://a.example/x</a><p>\n\nb" },
	{ "the block editor", "<!-- wp:paragraph -->\n<p>a\nb</p>\n\n<!-- /wp:paragraph -->",
	    "\n<p>a\nb</p>\n\n" },
	{ "the block editor's addresses",
	    "<!-- wp:embed {\"a\":1} --><div>\nhttps://a.example/\n</div>",
	    "<div>\n<a href=\"https://a.example/\">https://a.example/</a>\n"
	    "</div>" },
	{ "read more", "a<!--more-->b", "ab" },
	{ "other comments", "a<!-- b -->", "a<!-- b -->" },
	{ "a bracket", "a [sic] [1] [ b ]", "a [sic] [1] [ b ]" },
	{ "a bracket that is not closed", "a [b c=1", "a [b c=1" },
	{ "a shortcode", "a [b c=1] d", "a  d" },
	{ "one that closes itself", "a [b /] d", "a  d" },
	{ "one that encloses", "[b]x [i]y[/i][/b]", "x y" },
	{ "one that is escaped", "[[gallery]]", "[gallery]" },
	{ "[caption]",
	    "[caption width=\"3\"]<a href=\"x\"><img src=\"y\"></a> A <em>b</em>[/caption]",
	    "<figure><a href=\"x\"><img src=\"y\"></a><figcaption> A <em>b</em></figcaption></figure>" },
	{ "an old [caption]", "[caption caption=\"A\"]<img src=\"y\">[/caption]",
	    "<figure><img src=\"y\"><figcaption>A</figcaption></figure>" },
	{ "[youtube]", "[youtube https://v.example/x]",
	    "<p><a href=\"https://v.example/x\">https://v.example/x</a></p>" },
	{ "[youtube] with parameters", "[youtube https://v.example/w?v=1 w=3]",
	    "<p><a href=\"https://v.example/w?v=1\">https://v.example/w?v=1</a></p>" },
	{ "an old [youtube]", "[youtube=https://v.example/w?v=1]",
	    "<p><a href=\"https://v.example/w?v=1\">https://v.example/w?v=1</a></p>" },
	{ "another bracket with an address", "[see https://v.example/x]",
	    "[see https://v.example/x]" },
	{ "[embed]", "[embed width=1]https://a.example/v[/embed]",
	    "<p><a href=\"https://a.example/v\">https://a.example/v</a></p>" },
	{ "[video]", "[video mp4=\"https://a.example/v.mp4\"][/video]",
	    "<p><a href=\"https://a.example/v.mp4\">https://a.example/v.mp4</a></p>" },
	{ "[gallery]", "[gallery ids=\"7, 8,9\"]",
	    "<figure><img src=\"https://a.example/7.png\" alt=\"Seven &quot;7&quot;\"></figure><figure><img src=\"https://a.example/8.png\" alt=\"\"><figcaption>Eight</figcaption></figure>" },
};

static void
texts_mean_the_same_as_html(void)
{
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct notes notes = { .c = &c };
		is_text(wordpress_html(&c, &wxr, texts[i].text, &notes), texts[i].html, "%s",
		    texts[i].name);
	}
}

static size_t
newlines(const char *text)
{
	size_t n = 0;

	for (; *text != '\0'; text++)
		n += *text == '\n';
	return n;
}

/* Losses name lines of the file, so no newline may be removed or added. */
static void
every_newline_stays(void)
{
	static const char *const pieces[] = { "\n", "\n\n", "a", "[b", "]", "[/b]", " c=1",
		"<!-- wp:x", "-->", "<p>", "</p>", "<pre>", "</pre>", "[caption]", "[/caption]",
		"<img>", "http://a.b", "\"", "[embed]", "[/embed]", "[[", "]]", "<", "[gallery",
		" " };
	unsigned state = 1;
	size_t wrong = 0;

	for (int round = 0; round < 20000; round++) {
		struct notes notes = { .c = &c };
		char text[400] = "";
		const char *html;
		for (int n = 0; n < 20; n++) {
			state = state * 1103515245U + 12345U;
			strcat(text, pieces[(state >> 16) % 25]);
		}
		html = wordpress_html(&c, &wxr, text, &notes);
		if (newlines(html) != newlines(text) && wrong++ == 0)
			printf("# %s\n# ---\n# %s\n", text, html);
		arena_reset(&arena);
	}
	ok(wrong == 0, "every newline stays where it was");
}

static const struct {
	const char *note, *kind;
} notes[] = {
	{ "a loss.", "a loss" },
	{ "line 3: a loss.", "a loss" },
	{ "lines 3, 7 and 12: a loss.", "a loss" },
	{ "lines 3, 7, 9, 12 and 4 more: a loss.", "a loss" },
	{ "line 3 of it.", "line … of it" },
	{ "the link to \"/a\" stays", "the link to \"…\" stays" },
	{ "<iframe> https://a.example/ was dropped", "<iframe> … was dropped" },
	{ "the tag <h2> [contact-form-7]", "the tag <h2> [contact-form-7]" },
};

static void
notes_have_kinds(void)
{
	for (size_t i = 0; i < sizeof(notes) / sizeof(notes[0]); i++)
		is_text(tally_kind_of(&arena, notes[i].note), notes[i].kind, "%s", notes[i].note);
}

int
main(void)
{
	arena_init(&arena, (size_t)64 << 20);
	texts_mean_the_same_as_html();
	every_newline_stays();
	notes_have_kinds();
	return done_testing();
}
