/* suite: fast */
#include "base/mask.h"

#include "tests/tap.h"

#define BODY "Xy3kQm8ZtB4nWv7LsD2pRf6HjG9cKa1E0u5YiT"
#define STARS "**************************************"

/* A text, and its masked form; NULL if it stays as it is. */
static const struct {
	const char *text, *shown;
} texts[] = {
	{ "key revoke ab_live_" BODY "; done", "key revoke ab_live_" STARS "; done" },
	{ "ab_live_" BODY, "ab_live_" STARS },
	{ "ab_live_" BODY " ab_live_" BODY, "ab_live_" STARS " ab_live_" STARS },
	{ "xab_live_" BODY, "xab_live_" STARS },
	{ "aab_live_" BODY, "aab_live_" STARS },
	{ "ab_live_abc", "ab_live_***" },
	{ "AB_LIVE_" BODY, "AB_LIVE_" STARS },
	{ "?key=ab%5Flive%5Fabc&x=1", "?key=ab%5Flive%5F***&x=1" },
	{ "?key=ab%5flive_abc%41", "?key=ab%5flive_******" },
	{ "%61%62%5f%6c%69%76%65%5f%58", "%61%62%5f%6c%69%76%65%5f***" },
	{ "ab%255Flive%25255Fabc", "ab%255Flive%25255F***" },
	{ "ab%2525255Flive_a%252541", "ab%2525255Flive_********" },
	{ "%2561%25%362_live_abc", "%2561%25%362_live_***" },
	{ "\"ab\\u005flive\\u005Fabc\"", "\"ab\\u005flive\\u005F***\"" },
	{ "ab&#95live&#x5fzyz", "ab&#95live&#x5f***" },
	{ "ab&lowbar;live&UnderBar;abc", "ab&lowbar;live&UnderBar;***" },
	{ "AB%26lowbar%3BLIVE%u005fabc", "AB%26lowbar%3BLIVE%u005f***" },
	{ "ab\\u{5f}live\\137abc", "ab\\u{5f}live\\137***" },
	{ "ab\\u{live_abc ab&#live_abc", NULL },
	{ "ab\\u{0000005f}live_abc", "ab\\u{0000005f}live_***" },
	{ "ab\\u{00000005f}live_abc", NULL },
	{ "ab&95;live_abc ab&x95;live_abc abxlowbar;live_abc", NULL },
	{ "ab_live_abc&#;d", "ab_live_***&#;d" },
	{ "ab_live_abc\\u{000000000}d", "ab_live_***\\u{000000000}d" },
	{ "ab_live_Xy3k\u20269QwZabc", "ab_live_**************" },
	{ "ab\\x5flive_a\\x62c", "ab\\x5flive_******" },
	{ "ab&#95;live&#x5F;abc&#100;.", "ab&#95;live&#x5F;*********." },
	{ "ab%26%2395%3Blive_abc", "ab%26%2395%3Blive_***" },
	{ "ab_invite_abc-d_e", "ab_invite_*******" },
	{ "/console/invite/ab_invite_abc/", "/console/invite/ab_invite_***/" },
	{ "GET /console/reset/ab%5Freset_0af", "GET /console/reset/ab%5Freset_***" },
	{ "ab_share_abc?", "ab_share_***?" },
	{ "ab_code_ABCD-EFGH", "ab_code_*********" },
	{ "ab_ping_0123abcd", "ab_ping_********" },
	{ "ab_live_abc%E2%80%8Bdef", "ab_live_***************" },
	{ "ab_live_ab\xC2\xAD"
	  "cd",
	    "ab_live_******" },
	{ "ab_live_abcde…9QwZ", "ab_live_************" },
	{ "ab_live_Xy3k…9QwZ is revoked", NULL },
	{ "a key is ab_live_ and 38 letters", NULL },
	{ "articles --key ab_live_…", NULL },
	{ "", NULL },
	{ "ab_liveabc", NULL },
	{ "ab_lives_abc", NULL },
	{ "ab_", NULL },
	{ "ab%5", NULL },
	{ "ab%5Flive%5F", NULL },
	{ "100% of %zz and \\u12 and &#; and &#xyz;", NULL },
	{ "GET /api/v1/articles?limit=2&cursor=b_a%5F", NULL },
};

static void
check_texts(void)
{
	char copy[256];

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		const char *text = texts[i].text, *shown = texts[i].shown;
		strcpy(copy, text);
		mask_secrets(copy);
		is_text(copy, shown != NULL ? shown : text, "%s", text);
		ok(mask_finds(text) == (shown != NULL), "is found or not");
		ok(shown == NULL || mask_suspects(text, strlen(text)), "and suspected");
		ok(!mask_finds(copy), "and masked once for all");
	}
}

/* A secret at any place of a line. */
static void
check_places(void)
{
	char line[80];
	int wrong = 0;

	for (size_t at = 0; at < 40; at++) {
		memset(line, '.', sizeof(line));
		memcpy(line + at, "ab_live_x", 9);
		line[at + 9] = '\0';
		wrong += !mask_suspects(line, at + 9) || !mask_finds(line);
	}
	is_int(wrong, 0, "a secret is suspected wherever it ends");
	memset(line, '.', sizeof(line));
	ok(!mask_suspects(line, sizeof(line)), "nothing is suspected in vain");
	ok(!mask_suspects("", 0), "nor in nothing");
	ok(mask_suspects("ab_", 3) && mask_suspects("AB_", 3) && !mask_suspects("limit_of", 8),
	    "of the signs in words only those behind a b are suspected");
}

int
main(void)
{
	check_texts();
	check_places();
	return done_testing();
}
