/* Proves that shades of any colour can be read on every ground of a page (WCAG 2, AA), that a
 * colour which can be read stays as it is, and that contrasts are those of WCAG. */
#include "pages/page-layout.h"

#include "tests/tap.h"

/* The grounds of pages.css and htdocs/article.css. */
static const char *const light[] = { "#ffffff", "#f5f5f3" };
static const char *const dark[] = { "#17171a", "#26262a" };

static int64_t
hundredths(const char *a, const char *b)
{
	return (int64_t)(100 * shade_contrast(a, b) + 0.5);
}

int
main(void)
{
	int wrong = 0, colours = 0;
	char shade[SHADE_TEXT], colour[SHADE_TEXT];

	is_int(hundredths("#000000", "#ffffff"), 2100, "black on white");
	is_int(hundredths("#777777", "#ffffff"), 448, "the gray that is just too light");
	is_int(hundredths("#767676", "#ffffff"), 454, "and the one that is not");
	is_int(hundredths("#ff0000", "#ffffff"), 400, "red");
	is_int(hundredths("#ffffff", "#0000ff"), 859, "blue, the other way round");
	shade_of("#0b57a4", false, shade);
	is_text(shade, "#0b57a4", "what can be read stays");
	shade_of("#ffff00", false, shade);
	ok(strcmp(shade, "#ffff00") != 0, "what cannot is changed");
	for (unsigned rgb = 0; rgb < 0x1000000; rgb += 0x10f0d) {
		(void)snprintf(colour, sizeof(colour), "#%06x", rgb);
		shade_of(colour, false, shade);
		for (int i = 0; i < 2; i++)
			wrong += shade_contrast(shade, light[i]) < 4.5;
		shade_of(colour, true, shade);
		for (int i = 0; i < 2; i++)
			wrong += shade_contrast(shade, dark[i]) < 4.5;
		colours++;
	}
	is_int(wrong, 0, "of %d colours every shade can be read", colours);
	return done_testing();
}
