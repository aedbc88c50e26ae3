/* suite: fast */
#include "system/conf.h"

#include "base/arena.h"
#include "base/ctx.h"
#include "tests/tap.h"

#define L10 "abcdefghij"
#define L60 L10 L10 L10 L10 L10 L10
#define LABEL L60 "klm" /* 63 letters */
#define HOST LABEL "." LABEL "." LABEL "." L10 L10 L10 L10 L10 "abcdefghi." /* 252 bytes */

static struct arena arena;
static struct ctx ctx = { .arena = &arena };

static const char *const good[] = {
	"",
	"https://example.com",
	"http://127.0.0.1:8080",
	"https://EXAMPLE.com/",
	"https://localhost",
	"https://my_app:65535/a/b///",
	"https://xn--bcher-kva.example",
	"https://1.example",
	"https://[::1]",
	"https://[2001:db8::1]:8443/blog",
	"https://example.com:1/~me/a.b/%41",
	"https://" LABEL ".example",
	"https://" HOST "a",
};

static const struct {
	const char *value, *says;
} bad[] = {
	{ "ftp://a", "must begin with https" },
	{ "example.com", "must begin with https" },
	{ "https://", "has no host" },
	{ "https:///a", "has no host" },
	{ "https://:80", "has no host" },
	{ "https://a.example/?b", "no query" },
	{ "https://a.example#b", "no query" },
	{ "https://user@example.com", "no user name" },
	{ "https://user:word@example.com", "no user name" },
	{ "https://@", "no user name" },
	{ "https://[::1", "no ] after" },
	{ "https://[::1/a]", "no ] after" },
	{ "https://[]", "no IPv6 address" },
	{ "https://[1.2.3.4]", "no IPv6 address" },
	{ "https://[fe80::1%eth0]", "no IPv6 address" },
	{ "https://[::1]x", "is no port" },
	{ "https://[::1]:", "from 1 to 65535" },
	{ "https://::1", "has no host" },
	{ "https://x:", "from 1 to 65535" },
	{ "https://x:0", "from 1 to 65535" },
	{ "https://x:080", "from 1 to 65535" },
	{ "https://x:65536", "from 1 to 65535" },
	{ "https://x:99999", "from 1 to 65535" },
	{ "https://x:18446744073709551617", "from 1 to 65535" },
	{ "https://x:8a", "from 1 to 65535" },
	{ "https://x:-1", "from 1 to 65535" },
	{ "https://a..b", "a dot too many" },
	{ "https://.a", "a dot too many" },
	{ "https://a.", "a dot too many" },
	{ "https://.", "a dot too many" },
	{ "https://-a.example", "begins or ends with -" },
	{ "https://a-.example", "begins or ends with -" },
	{ "https://a" LABEL ".example", "more than 63 letters" },
	{ "https://" HOST "ab", "more than 253 letters" },
	{ "https://b\xC3\xBC"
	  "cher.example",
	    "xn--" },
	{ "https://a b", "xn--" },
	{ "https://a,b", "xn--" },
	{ "https://a%2Eb", "xn--" },
	{ "https://256.1.1.1", "no IPv4 address" },
	{ "https://1.2.3", "no IPv4 address" },
	{ "https://a.5", "no IPv4 address" },
	{ "https://a.example/b c", "with % and two hex digits" },
	{ "https://a.example/b;c", "with % and two hex digits" },
	{ "https://a.example/\xC3\xBC", "with % and two hex digits" },
	{ "https://a.example/%4", "not followed by two hex digits" },
	{ "https://a.example/%zz", "not followed by two hex digits" },
	{ "https://a.example//b", "an empty part" },
	{ "https://a.example/a/../b", ". or .." },
	{ "https://a.example/..", ". or .." },
	{ "https://a.example/./", ". or .." },
};

int
main(void)
{
	char longest[1100] = "https://a.example/";
	struct err *err;

	arena_init(&arena, 16 * 1024 * 1024);
	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		err = conf_address_check(&ctx, "public_url", good[i]);
		ok(err == NULL, "'%.40s' is good", good[i]);
	}
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		err = conf_address_check(&ctx, "pages_url", bad[i].value);
		ok(err != NULL && err->code == ERR_INTERNAL &&
			strstr(err->message, bad[i].says) != NULL &&
			strncmp(err->message, "pages_url cannot", 16) == 0,
		    "'%.40s' is refused, with its reason", bad[i].value);
	}
	memset(longest + strlen(longest), 'a', sizeof(longest) - 1 - strlen(longest));
	err = conf_address_check(&ctx, "public_url", longest);
	ok(err != NULL && strstr(err->message, "1,000 bytes") != NULL, "a long one is refused");
	longest[1000] = '\0';
	ok(conf_address_check(&ctx, "public_url", longest) == NULL, "of 1,000 bytes it is good");
	ok(conf_address_is_of("public_url") && conf_address_is_of("console_url") &&
		conf_address_is_of("pages_url") && !conf_address_is_of("openai_url"),
	    "three keys are such addresses");
	return done_testing();
}
