/* suite: fast */
#include "content/url.h"

#include "base/arena.h"
#include "base/buf.h"
#include "tests/tap.h"

static struct arena arena;

/* NULL: refused. */
static const struct {
	const char *text, *clean;
} cleans[] = {
	{ "https://www.example.com/a/b?c=d&e=f#g", "https://www.example.com/a/b?c=d&e=f#g" },
	{ "HTTPS://WWW.Example.COM/Path", "https://www.example.com/Path" },
	{ "http://example.com", "http://example.com" },
	{ "https://example.com:8443/", "https://example.com:8443/" },
	{ "https://example.com:/a", "https://example.com/a" },
	{ "https://example.com./", "https://example.com./" },
	{ "https://example.com:80a/", NULL },
	{ "https://example.com:-80/", NULL },
	{ "https://192.0.2.1/", "https://192.0.2.1/" },
	{ "https://[2001:DB8::1]:80/", "https://[2001:db8::1]:80/" },
	{ "https://bücher.example/ü?ü#ü", "https://b%C3%BCcher.example/%C3%BC?%C3%BC#%C3%BC" },
	{ "https://b%c3%bccher.example/", "https://b%C3%BCcher.example/" },
	{ "https://ex%61mple.com/", "https://example.com/" },
	{ "https://example.com/%41%zz%4", "https://example.com/%41%25zz%254" },
	{ "https://example.com/%aF%Af%0g", "https://example.com/%aF%Af%250g" },
	{ "https://example.com/<\"'>`{|}^[]",
	    "https://example.com/%3C%22%27%3E%60%7B%7C%7D%5E%5B%5D" },
	{ "https://example.com/a#b#c", "https://example.com/a#b%23c" },
	{ "https://example.com/a?b?c", "https://example.com/a?b?c" },
	{ "https://example.com?a@b", "https://example.com?a@b" },
	{ "https://example.com/a_(b)", "https://example.com/a_(b)" },
	{ "mailto:dana@example.com", "mailto:dana@example.com" },
	{ "MAILTO:d@example.com?subject=a%20b", "mailto:d@example.com?subject=a%20b" },
	{ "#s1", "#s1" },
	{ "#ü", "#%C3%BC" },
	{ "", NULL },
	{ "#", NULL },
	{ "example.com", NULL },
	{ "/path", NULL },
	{ "//example.com/", NULL },
	{ "https:example.com", NULL },
	{ "https:/example.com", NULL },
	{ "https://", NULL },
	{ "https:///a", NULL },
	{ "https://?a", NULL },
	{ "https://user@example.com/", NULL },
	{ "https://user:word@example.com/", NULL },
	{ "https://@example.com/", NULL },
	{ "https://example.com:65535/", "https://example.com:65535/" },
	{ "https://example.com:65536/", NULL },
	{ "https://example.com:8a/", NULL },
	{ "https://exam ple.com/", NULL },
	{ "https://example.com/a b", NULL },
	{ " https://example.com/", NULL },
	{ "https://example.com/\n", NULL },
	{ "https://example.com/\x01", NULL },
	{ "https://example.com/\x7F", NULL },
	{ "https://example.com\\@evil.example/", NULL },
	{ "https://exa<mple.com/", NULL },
	{ "https://exa%6", NULL },
	{ "https://exa%00mple.com/", NULL },
	{ "https://exa%2Fmple.com/", NULL },
	{ "https://exa%40mple.com/", NULL },
	{ "https://exa%ffmple.com/", NULL },
	{ "https://.example.com/", NULL },
	{ "https://a..example.com/", NULL },
	{ "https://192.0.2.256/", NULL },
	{ "https://1.2/", NULL },
	{ "https://[::1/", NULL },
	{ "https://[::g]/", NULL },
	{ "https://[]/", NULL },
	{ "https://example.com/\xFF", NULL },
	{ "javascript:alert(1)", NULL },
	{ "JaVaScRiPt:alert(1)", NULL },
	{ "java\tscript:alert(1)", NULL },
	{ "data:text/html,a", NULL },
	{ "vbscript:a", NULL },
	{ "file:///etc/passwd", NULL },
	{ "ftp://example.com/", NULL },
	{ "media:00.png", NULL },
	{ "mailto:", NULL },
	{ "mailto:dana", NULL },
	{ "mailto:@example.com", NULL },
	{ "mailto:dana@?a=b@c", NULL },
};

static void
addresses_are_cleaned_or_refused(void)
{
	for (size_t i = 0; i < sizeof(cleans) / sizeof(cleans[0]); i++) {
		const char *clean = url_clean(&arena, cleans[i].text, strlen(cleans[i].text));
		is_text(clean, cleans[i].clean, "case %zu is %s", i,
		    cleans[i].clean == NULL ? "refused" : "cleaned");
		if (clean != NULL)
			is_text(url_clean(&arena, clean, strlen(clean)), clean, "once is enough");
	}
	is_text(url_clean(&arena, "https://a.example/bc", 19), "https://a.example/b",
	    "only the given bytes are looked at");
	is_text(url_clean(&arena, "https://a.example/%41", 20), "https://a.example/%254",
	    "also within an escape");
	ok(url_clean(&arena, "https://a.example/\0b", 20) == NULL, "a NUL is refused");
}

static const char *
long_address(size_t bytes)
{
	char *text = arena_alloc(&arena, bytes + 1);

	memset(text, 'a', bytes);
	memcpy(text, "https://a.example/", 18);
	return text;
}

static void
addresses_have_an_end(void)
{
	const char *text = long_address(2000);
	char *encoded = arena_text(&arena, text);

	is_text(url_clean(&arena, text, 2000), text, "2,000 bytes are allowed");
	ok(url_clean(&arena, long_address(2001), 2001) == NULL, "and no more");
	encoded[1999] = '<';
	ok(url_clean(&arena, encoded, 2000) == NULL, "counted when they are encoded");
}

static void
kinds_of_addresses(void)
{
	is_text(url_clean_web(&arena, "HTTP://a.example/"), "http://a.example/",
	    "a web address is http or https");
	is_text(url_clean_web(&arena, "mailto:a@b.example"), NULL, "and no mail address");
	is_text(url_clean_web(&arena, "#a"), NULL, "and no fragment");
	is_text(url_clean_origin(&arena, "https://A.example:8443/"), "https://a.example:8443",
	    "an origin loses its slash");
	is_text(
	    url_clean_origin(&arena, "https://a.example"), "https://a.example", "and needs none");
	is_text(url_clean_origin(&arena, "http://a.example"), NULL, "an origin is https");
	is_text(url_clean_origin(&arena, "https://a.example/b"), NULL, "without path");
	is_text(url_clean_origin(&arena, "https://a.example//"), NULL, "of any kind");
	is_text(url_clean_origin(&arena, "https://a.example?b"), NULL, "without query");
	is_text(url_clean_origin(&arena, "https://a.example/#b"), NULL, "without fragment");
}

static const struct {
	const char *url, *host;
} hosts[] = {
	{ "https://a.example/b", "a.example" },
	{ "http://a.example:80?b", "a.example" },
	{ "https://a.example#b:c", "a.example" },
	{ "https://[2001:db8::1]:80/", "[2001:db8::1]" },
	{ "mailto:a@b.example", NULL },
	{ "#a", NULL },
};

static void
hosts_are_found(void)
{
	for (size_t i = 0; i < sizeof(hosts) / sizeof(hosts[0]); i++)
		is_text(
		    url_host(&arena, hosts[i].url), hosts[i].host, "the host of %s", hosts[i].url);
}

/* RFC 3986 §5.4, against http://a/b/c/d?q, and cases that it leaves open. */
static const struct {
	const char *ref, *target;
} refs[] = {
	{ "g:h", "g:h" },
	{ "a:h", "a:h" },
	{ "Z:h", "Z:h" },
	{ "z:h", "z:h" },
	{ "A:h", "A:h" },
	{ "g", "http://a/b/c/g" },
	{ "./g", "http://a/b/c/g" },
	{ "g/", "http://a/b/c/g/" },
	{ "/g", "http://a/g" },
	{ "//g", "http://g" },
	{ "?y", "http://a/b/c/d?y" },
	{ "g?y", "http://a/b/c/g?y" },
	{ "#s", "http://a/b/c/d?q#s" },
	{ "g#s", "http://a/b/c/g#s" },
	{ "g?y#s", "http://a/b/c/g?y#s" },
	{ ";x", "http://a/b/c/;x" },
	{ "g;x?y#s", "http://a/b/c/g;x?y#s" },
	{ "", "http://a/b/c/d?q" },
	{ ".", "http://a/b/c/" },
	{ "./", "http://a/b/c/" },
	{ "..", "http://a/b/" },
	{ "../", "http://a/b/" },
	{ "../g", "http://a/b/g" },
	{ "../..", "http://a/" },
	{ "../../", "http://a/" },
	{ "../../g", "http://a/g" },
	{ "../../../g", "http://a/g" },
	{ "/./g", "http://a/g" },
	{ "/../g", "http://a/g" },
	{ "g.", "http://a/b/c/g." },
	{ ".g", "http://a/b/c/.g" },
	{ "g..", "http://a/b/c/g.." },
	{ "..g", "http://a/b/c/..g" },
	{ "./../g", "http://a/b/g" },
	{ "./g/.", "http://a/b/c/g/" },
	{ "g/./h", "http://a/b/c/g/h" },
	{ "g/../h", "http://a/b/c/h" },
	{ "g;x=1/../y", "http://a/b/c/y" },
	{ "g?y/../x", "http://a/b/c/g?y/../x" },
	{ "g#s/../x", "http://a/b/c/g#s/../x" },
	{ "1:2", "http://a/b/c/1:2" },
	{ "//g/../h?i", "http://g/h?i" },
};

static void
references_are_resolved(void)
{
	for (size_t i = 0; i < sizeof(refs) / sizeof(refs[0]); i++)
		is_text(url_resolve(&arena, "http://a/b/c/d?q", refs[i].ref), refs[i].target,
		    "\"%s\" is resolved", refs[i].ref);
	is_text(url_resolve(&arena, "https://a.example", "b.html"), "https://a.example/b.html",
	    "a base may have no path");
	is_text(url_resolve(&arena, "https://a.example", "?b"), "https://a.example?b",
	    "which a query leaves empty");
	is_text(url_resolve(&arena, "mailto:a@b.example", "c"), NULL, "a mail address is no base");
	is_text(url_resolve(&arena, "/a", "b"), NULL, "nor is a path");
	is_text(url_resolve(&arena, "https:///a", "b"), NULL, "nor an address without host");
}

static uint64_t state;

static uint32_t
below(uint32_t limit)
{
	state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (uint32_t)(state >> 33) % limit;
}

/* The result of url_clean() is safe in any attribute, and cleaning it again changes
 * nothing. */
static void
clean_addresses_are_safe(void)
{
	static const char *const bits[] = { "https://", "http://", "mailto:", "#", "a", "B", ".",
		"/", "?", "@", ":", "%", "%4", "%C3%BC", "ü", "<", "\"", "'", "&", "[", "]", "::1",
		"0", "-", "\\", " ", "(", ")", "%00" };
	static const char allowed[] =
	    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~:/?#[]@!$&()*+,;=%";
	int wrong = 0;

	for (int i = 0; i < 100000 && wrong == 0; i++) {
		const char *clean, *again;
		struct buf b;
		buf_init(&b, &arena, 1000);
		buf_add_text(&b, bits[below(4)]);
		for (uint32_t n = below(12); n > 0; n--)
			buf_add_text(&b, bits[below(sizeof(bits) / sizeof(bits[0]))]);
		clean = url_clean(&arena, b.data, b.len);
		if (clean != NULL) {
			again = url_clean(&arena, clean, strlen(clean));
			if (again == NULL || strcmp(again, clean) != 0 ||
			    clean[strspn(clean, allowed)] != '\0') {
				wrong++;
				printf("# %s -> %s -> %s\n", b.data, clean,
				    again == NULL ? "NULL" : again);
			}
		}
		arena_reset(&arena);
	}
	is_int(wrong, 0, "random addresses are clean or refused");
}

int
main(int argc, char **argv)
{
	state = argc > 1 ? strtoull(argv[1], NULL, 10) : 20260901;
	printf("# seed %llu\n", (unsigned long long)state);
	arena_init(&arena, 64 * 1024 * 1024);
	addresses_are_cleaned_or_refused();
	addresses_have_an_end();
	kinds_of_addresses();
	hosts_are_found();
	references_are_resolved();
	clean_addresses_are_safe();
	return done_testing();
}
