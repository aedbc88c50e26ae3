#include "pages/shade.h"

#include <stdio.h>
#include <string.h>

#include "base/percent.h"

/* A little more than AA asks, so that no rounding is below it. */
#define CONTRAST 4.55
#define STEPS 64

/* Returns the fifth root of 0 to 1, by Newton's way: the programs have no library of
 * mathematics. */
static double
fifth_root(double x)
{
	double r = 1;

	for (int i = 0; i < 60 && x > 0; i++)
		r -= (r - x / (r * r * r * r)) / 5;
	return x > 0 ? r : 0;
}

/* Returns the light of a channel (WCAG 2, "relative luminance"). */
static double
light_of(int channel)
{
	double v = channel / 255.0;

	if (v <= 0.04045)
		return v / 12.92;
	v = (v + 0.055) / 1.055;
	return v * v * fifth_root(v * v); /* v to the power of 2.4 */
}

static int
channel_of(const char *colour, int i)
{
	return 16 * percent_digit(colour[1 + 2 * i]) + percent_digit(colour[2 + 2 * i]);
}

static double
luminance(const char *colour)
{
	return 0.2126 * light_of(channel_of(colour, 0)) + 0.7152 * light_of(channel_of(colour, 1)) +
	       0.0722 * light_of(channel_of(colour, 2));
}

double
shade_contrast(const char *a, const char *b)
{
	double la = luminance(a) + 0.05, lb = luminance(b) + 0.05;

	return la > lb ? la / lb : lb / la;
}

/* Mixes the colour with black or white: it moves towards that end until it can be read. */
void
shade_of(const char *colour, bool dark, char out[SHADE_TEXT])
{
	const char *ground = dark ? SHADE_DARK_GROUND : SHADE_LIGHT_GROUND;
	int end = dark ? 255 : 0;

	for (int step = 0; step <= STEPS; step++) {
		int mixed[3];
		for (int i = 0; i < 3; i++) {
			int from = channel_of(colour, i);
			mixed[i] = from + (end - from) * step / STEPS;
		}
		(void)snprintf(out, SHADE_TEXT, "#%02x%02x%02x", (unsigned)mixed[0] & 0xFF,
		    (unsigned)mixed[1] & 0xFF, (unsigned)mixed[2] & 0xFF);
		if (shade_contrast(out, ground) >= CONTRAST)
			return;
	}
}
