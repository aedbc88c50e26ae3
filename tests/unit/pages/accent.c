/* Proves that the letters of links can be read on every ground of a page, whatever accent a
 * workspace has (WCAG 2, AA), that an accent which can be read is theirs, and that contrasts are
 * those of WCAG. */
#include "pages/page-layout.h"

#include "tests/tap.h"

/* --ground and --wash of lib/pages/pages.css, for light and for dark. */
static const char *const grounds[2][2] = { { "#fdfcf9", "#f3f0e9" }, { "#17181a", "#202225" } };

static int64_t
hundredths(const char *a, const char *b)
{
	return (int64_t)(100 * colour_contrast(a, b) + 0.5);
}

/* Returns whether the colour can be read on both grounds. */
static bool
can_be_read(const char *colour, int dark)
{
	return colour_contrast(colour, grounds[dark][0]) >= 4.5 &&
	       colour_contrast(colour, grounds[dark][1]) >= 4.5;
}

int
main(void)
{
	int wrong = 0, taken = 0, colours = 0;
	char colour[8];

	is_int(hundredths("#000000", "#ffffff"), 2100, "black on white");
	is_int(hundredths("#777777", "#ffffff"), 448, "the gray that is just too light");
	is_int(hundredths("#767676", "#ffffff"), 454, "and the one that is not");
	is_int(hundredths("#ff0000", "#ffffff"), 400, "red");
	is_int(hundredths("#ffffff", "#0000ff"), 859, "blue, the other way round");
	is_text(letters_of("#0b57a4", false), "#0b57a4", "what can be read stays");
	is_text(letters_of("#0b57a4", true), letters_of("", true), "on dark it is the sheet's own");
	is_text(letters_of("#ffe800", false), letters_of("", false), "and yellow on light");
	is_text(letters_of("#ffe800", true), "#ffe800", "which stays on dark");
	for (unsigned rgb = 0; rgb < 0x1000000; rgb += 0x10f0d) {
		(void)snprintf(colour, sizeof(colour), "#%06x", rgb);
		for (int dark = 0; dark < 2; dark++) {
			const char *letters = letters_of(colour, dark != 0);
			wrong += !can_be_read(letters, dark);
			wrong += can_be_read(colour, dark) && letters != colour;
			taken += letters == colour;
		}
		colours++;
	}
	is_int(wrong, 0, "of %d accents the letters can be read", colours);
	ok(taken > 0, "some are taken");
	return done_testing();
}
