/*
 * What a browser says of a page, in one form; what looks like a person; and what is a bot.
 *
 * suite: fast
 */
#include "pages/collector.h"
#include "stats/label.h"
#include "tests/unit/access/place.h"

static void
paths_have_one_form(void)
{
	static const struct {
		const char *raw, *clean;
	} paths[] = {
		{ "/", "/" },
		{ "/blog", "/blog" },
		{ "/blog/", "/blog/" },
		{ "/Blog", "/Blog" },
		{ "/a//b", "/a//b" },
		{ "/blog?x=1", "/blog" },
		{ "/blog#x", "/blog" },
		{ "/a/./b", "/a/b" },
		{ "/a/../b", "/b" },
		{ "/../../b", "/b" },
		{ "/a/..", "/" },
		{ "/a/.", "/a/" },
		{ "/a/%2e%2E/b", "/b" },
		{ "/..", "/" },
		{ "/%7euser/%41", "/~user/A" },
		{ "/a%2fb", "/a%2Fb" },
		{ "/a%3fb%23", "/a%3Fb%23" },
		{ "/100%", "/100%25" },
		{ "/%zz", "/%25zz" },
		{ "/%25x", "/%25x" },
		{ "/a b", "/a%20b" },
		{ "/a%20b", "/a%20b" },
		{ "/a%22b\"<", "/a%22b%22%3C" },
		{ "/%C3%BCber", "/\xc3\xbc"
				"ber" },
		{ "/\xc3\xbc"
		  "ber",
		    "/\xc3\xbc"
		    "ber" },
		{ "/%FFx", "/%FFx" },
		{ "/%C3", "/%C3" },
		{ "/%c3/%bc", "/%C3/%BC" },
		{ "/a%00b%0A%0Dc\td", "/abcd" },
		{ "/a\xe2\x80\xae"
		  "b%E2%80%AEc\xe2\x81\xa6",
		    "/abc" },
		{ "/%2C,;=", "/,,;=" },
		{ "/u/dana@example.com/x", "/u/:x/x" },
		{ "/u/dana%40example.com", "/u/:x" },
		{ "/u/dana%2540example.com", "/u/:x" },
		{ "/@dana/post", "/@dana/post" },
	};

	for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++)
		is_text(path_clean(&arena, paths[i].raw), paths[i].clean, "%s",
		    paths[i].raw[1] == '\t' ? "a tab" : paths[i].clean);
}

static void
long_paths_are_cut(void)
{
	char path[900];

	memset(path, 'a', sizeof(path));
	path[0] = path[100] = path[250] = '/';
	path[HIT_PATH_MAX] = '\0';
	is_int((int64_t)strlen(path_clean(&arena, path)), HIT_PATH_MAX, "300 bytes stay");
	path[HIT_PATH_MAX] = 'a';
	path[HIT_PATH_MAX + 1] = '\0';
	is_int((int64_t)strlen(path_clean(&arena, path)), 250, "of 301 the last whole part goes");
	path[100] = path[250] = 'a';
	is_text(path_clean(&arena, path), "/", "one long part goes");
	for (size_t i = 0; i < sizeof(path) - 1; i++)
		path[i] = '%';
	path[0] = '/';
	path[sizeof(path) - 1] = '\0';
	is_text(path_clean(&arena, path), "/", "also one that grows");
}

static void
persons_are_hidden(void)
{
	static const char *const hidden[] = { "dana@example.com", "a.b+c@x.co",
		"3f2a9c10-5b7e-4c8d-9a41-6f0d2e7b8c55",
		"order-3F2A9C10-5B7E-4C8D-9A41-6F0D2E7B8C55", "d41d8cd98f00b204e9800998ecf8427e",
		"deadbeef12345678", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.abcDEF",
		"4915123456789", "call-015112345", "@dana@social.example",
		"sk_live_4eC39HqLyjWDarjtT1zdp7dc", "AbCdEfGhIjKlMnOpQrStUv",
		"Zm9v-YmFy_QWx-hZGRp-bjpv_cGVuIHN" };
	static const char *const shown[] = { "how-to-compost-in-a-small-flat", "2026-11-23",
		"20261123", "2026", "A-Guide-For-2026-And-Later-Years-To-Come", "index.html",
		"Donaudampfschifffahrtsgesellschaft", "iPhone-15-Pro-Max", "c9", "v1.2.3", "",
		"article123456789.html", "@dana", "a@", "me@home", "UPPERCASECAMPAIGNNAME",
		"usb-c-3.2-gen2x2-explained", "dQw4w9WgXcQ", "www.example.com",
		"\xd8\xa7\xd9\x84\xd8\xb3\xd9\x85\xd8\xa7\xd8\xaf" };

	for (size_t i = 0; i < sizeof(hidden) / sizeof(hidden[0]); i++)
		ok(part_is_personal(hidden[i], strlen(hidden[i])), "hidden: %s", hidden[i]);
	for (size_t i = 0; i < sizeof(shown) / sizeof(shown[0]); i++)
		ok(!part_is_personal(shown[i], strlen(shown[i])), "shown: %s", shown[i]);
}

static const char *
referrer(const char *raw)
{
	return path_referrer(&arena, raw, "https://www.site.example:8443");
}

static void
referrers_are_hosts(void)
{
	is_text(referrer("News.Example.org"), "news.example.org", "a host is in lower case");
	is_text(referrer("news.example.org.:8080"), "news.example.org", "without port and dot");
	is_text(referrer("www.site.example"), "", "the site itself is none");
	is_text(referrer("site.example"), "site.example", "but for another host of it");
	is_text(referrer("www.site.example.org"), "www.site.example.org", "or a longer name");
	is_text(referrer("192.168.1.7"), "", "no address is written");
	is_text(referrer("[2001:db8::1]"), "", "of IPv6 neither");
	is_text(referrer("localhost"), "", "nor a name of one machine");
	is_text(referrer("a b.example"), "", "nor what is none");
	is_text(referrer("x\n.example"), "", "nor what is obeyed");
	is_text(referrer("a..example"), "", "nor an empty label");
	is_text(referrer("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.news.example"),
	    "news.example", "of a long one the first labels go");
}

static void
campaigns_are_one_label(void)
{
	is_text(path_campaign(&arena, NULL, NULL, NULL), "", "there is none");
	is_text(path_campaign(&arena, "nl", NULL, NULL), "nl", "a source");
	is_text(path_campaign(&arena, "nl", "mail", "May"), "nl / mail / May", "all of it");
	is_text(path_campaign(&arena, NULL, "", "May"), "- / - / May", "what is missing is a dash");
	is_text(path_campaign(&arena, " a \n\t b ", "dana@example.com", "x\xe2\x80\xae"),
	    "a b / :x / x", "it is one line, and nobody's name");
	is_int(
	    (int64_t)strlen(path_campaign(&arena,
		"\xe2\x82\xac\xe2\x82\xac\xe2\x82\xac\xe2\x82"
		"\xac\xe2\x82\xac\xe2\x82\xac\xe2\x82\xac\xe2\x82\xac\xe2\x82\xac\xe2\x82\xac\xe2\x82"
		"\xac\xe2\x82\xac\xe2\x82\xac\xe2\x82\xac\xe2\x82\xac\xe2\x82\xac\xe2\x82\xac\xe2\x82"
		"\xac\xe2\x82\xac\xe2\x82\xac",
		NULL, NULL)),
	    57, "no character is cut in two");
}

static void
bots_are_found(void)
{
	static const struct {
		const char *agent, *language, *rule;
	} readers[] = {
		{ "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", "de",
		    "" },
		{ "Mozilla/5.0 (Linux; Android 14; CUBOT NOTE 50) AppleWebKit/537.36 Chrome/140",
		    "en", "" },
		{ "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15",
		    "ar", "" },
		{ "Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0", NULL, "no-language" },
		{ "Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0", "", "no-language" },
		{ NULL, "de", "no-agent" },
		{ "", "de", "no-agent" },
		{ "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)", "en",
		    "crawler" },
		{ "Mozilla/5.0 (X11) HeadlessChrome/140.0 Safari/537.36", "en", "webdriver" },
		{ "facebookexternalhit/1.1", NULL, "preview" },
		{ "curl/8.5.0", NULL, "library" },
		{ "python-requests/2.32", "en", "library" },
		{ "Mozilla/5.0 (compatible; UptimeRobot/2.0)", "en", "monitor" },
	};

	for (size_t i = 0; i < sizeof(readers) / sizeof(readers[0]); i++) {
		const char *rule = bot_rule(readers[i].agent, readers[i].language);
		is_text(rule, readers[i].rule, "%s",
		    readers[i].agent != NULL ? readers[i].agent : "no user agent");
		if (strlen(rule) > HIT_BOT_MAX)
			bail("%s is too long", rule);
	}
}

#define SITE "\"site_id\":\"s\",\"path\":\"/\""

static bool
takes(const char *body, struct beacon *form)
{
	return beacon_read(&c, body, strlen(body), form) == NULL;
}

static void
forms_are_flat(void)
{
	static const char *const wrong[] = { "", "[]", "null", "1", "\"x\"", "{}", "{" SITE,
		"{" SITE "}x", "{\"site_id\":\"s\"}", "{\"path\":\"/\"}",
		"{\"site_id\":\"s\",\"path\":\"\"}", "{\"site_id\":\"s\",\"path\":\"a\"}",
		"{" SITE ",\"consent\":null}", "{" SITE ",\"consent\":\"true\"}",
		"{" SITE ",\"consent\":1}", "{" SITE ",\"article\":null}",
		"{" SITE ",\"referrer\":{}}", "{" SITE ",\"width\":\"xxl\"}",
		"{" SITE ",\"width\":\"\"}", "{" SITE ",\"other\":\"x\"}",
		"{" SITE ",\"path\":\"/\"}", "{" SITE ",\"referrer\":\"\\u0000\"}",
		"{" SITE ",\"referrer\":\"\xff\"}", "{\"site_id\":1,\"path\":\"/\"}" };
	struct beacon form;

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		ok(!takes(wrong[i], &form), "no form: %s", wrong[i]);
	ok(takes("{" SITE "}", &form) && !form.consent && form.article == NULL,
	    "what is needed is enough");
	ok(takes("{" SITE ",\"consent\":false}", &form) && !form.consent, "consent may be refused");
	ok(takes(
	       " {" SITE ",\"consent\":true,\"article\":\"a\",\"referrer\":\"r\","
	       "\"width\":\"xl\",\"utm_source\":\"1\",\"utm_medium\":\"2\",\"utm_campaign\":\"3\"}\n",
	       &form) &&
		form.consent && strcmp(form.article, "a") == 0 && strcmp(form.referrer, "r") == 0 &&
		strcmp(form.width, "xl") == 0 && strcmp(form.source, "1") == 0 &&
		strcmp(form.medium, "2") == 0 && strcmp(form.campaign, "3") == 0,
	    "and all of it is taken");
}

int
main(void)
{
	place_begin();
	paths_have_one_form();
	long_paths_are_cut();
	persons_are_hidden();
	referrers_are_hosts();
	campaigns_are_one_label();
	bots_are_found();
	forms_are_flat();
	return place_end();
}
