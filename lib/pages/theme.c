#include "pages/theme.h"

#include <string.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "base/digest.h"
#include "pages/shade.h"

#define DIGITS 16
/* The colour of links where the workspace has chosen none. */
#define ACCENT "#0b57a4"

static const struct {
	const char *name, *families;
} fonts[] = {
	{ "system", "system-ui, -apple-system, \"Segoe UI\", Roboto, \"Noto Sans\", sans-serif" },
	{ "serif", "Georgia, Cambria, \"Times New Roman\", \"Noto Serif\", serif" },
	{ "sans", "\"Helvetica Neue\", Helvetica, Arial, \"Noto Sans\", sans-serif" },
	{ "mono", "ui-monospace, \"Cascadia Mono\", Menlo, \"DejaVu Sans Mono\", monospace" },
};

static const char *
families_of(const char *font)
{
	for (size_t i = 1; i < sizeof(fonts) / sizeof(fonts[0]); i++) {
		if (strcmp(fonts[i].name, font) == 0)
			return fonts[i].families;
	}
	return fonts[0].families;
}

const char *
theme_sheet(struct ctx *c, const struct pages_look *look)
{
	const char *accent = look->accent[0] != '\0' ? look->accent : ACCENT;
	char light[SHADE_TEXT], dark[SHADE_TEXT];

	shade_of(accent, false, light);
	shade_of(accent, true, dark);
	return arena_printf(c->arena,
	    ":root {\n"
	    "\t--pages-accent: light-dark(%s, %s);\n"
	    "\t--pages-font: %s;\n"
	    "\t--pages-width: %lldrem;\n"
	    "}\n",
	    light, dark, families_of(look->font), (long long)look->width);
}

const char *
theme_name(struct ctx *c, const struct pages_look *look)
{
	char digits[DIGITS + 1];
	struct digest d;

	digest_begin(&d, DIGITS / 2, "galley theme 1");
	digest_text(&d, theme_sheet(c, look));
	digest_end_hex(&d, digits);
	return arena_printf(c->arena, THEME_BEGINS "%s" THEME_ENDS, digits);
}

bool
theme_is_name(const char *text)
{
	if (strncmp(text, THEME_BEGINS, strlen(THEME_BEGINS)) != 0)
		return false;
	text += strlen(THEME_BEGINS);
	return strspn(text, "0123456789abcdef") == DIGITS && strcmp(text + DIGITS, THEME_ENDS) == 0;
}
