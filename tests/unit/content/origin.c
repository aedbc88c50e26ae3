/* suite: fast */
#include "content/origin.h"

#include <string.h>

#include "base/arena.h"
#include "tests/tap.h"

static struct arena arena;

/* NULL: refused. What browsers write was asked of one (new URL(text).origin). */
static const struct {
	const char *text, *clean;
} origins[] = {
	{ "https://a.example", "https://a.example" },
	{ "HTTPS://A.Example", "https://a.example" },
	{ "https://a.example/", "https://a.example" },
	{ "https://a.example:443", "https://a.example" },
	{ "https://a.example:0443/", "https://a.example" },
	{ "https://a.example:", "https://a.example" },
	{ "https://a.example:8443", "https://a.example:8443" },
	{ "https://a.example:65535", "https://a.example:65535" },
	{ "https://a.example.", "https://a.example" },
	{ "https://a.example.:443/", "https://a.example" },
	{ "https://ex%61mple.com", "https://example.com" },
	{ "https://a_b.example", "https://a_b.example" },
	{ "https://localhost:8443", "https://localhost:8443" },
	/* names in other scripts */
	{ "https://bücher.example", "https://xn--bcher-kva.example" },
	{ "https://BÜCHER.example.", "https://xn--bcher-kva.example" },
	{ "https://bu\xCC\x88"
	  "cher.example",
	    "https://xn--bcher-kva.example" },
	{ "https://b%C3%BCcher.example", "https://xn--bcher-kva.example" },
	{ "https://XN--BCHER-KVA.example", "https://xn--bcher-kva.example" },
	{ "https://faß.example", "https://xn--fa-hia.example" },
	{ "https://βόλος.example", "https://xn--nxasmm1c.example" },
	{ "https://ΒΌΛΟΣ.example", "https://xn--nxasmq6b.example" },
	{ "https://пример.example", "https://xn--e1afmkfd.example" },
	{ "https://مثال.example", "https://xn--mgbh0fb.example" },
	{ "https://日本語.example", "https://xn--wgv71a119e.example" },
	{ "https://日本語。example", "https://xn--wgv71a119e.example" },
	{ "https://ａ．ｅｘａｍｐｌｅ", "https://a.example" },
	{ "https://a｡example", "https://a.example" },
	/* addresses */
	{ "https://192.0.2.1", "https://192.0.2.1" },
	{ "https://[2001:DB8:0:0:0:0:0:1]:443", "https://[2001:db8::1]" },
	{ "https://[::ffff:192.0.2.1]", "https://[::ffff:c000:201]" },
	{ "https://[1:0:0:2:0:0:0:3]", "https://[1:0:0:2::3]" },
	{ "https://[1:0:2:3:4:5:6:7]", "https://[1:0:2:3:4:5:6:7]" },
	{ "https://[::]", "https://[::]" },
	/* no origins */
	{ "", NULL },
	{ "null", NULL },
	{ "*", NULL },
	{ "a.example", NULL },
	{ "https://*.example", NULL },
	{ "https://", NULL },
	{ "https:///a.example", NULL },
	{ "https:a.example", NULL },
	{ "//a.example", NULL },
	{ "ftp://a.example", NULL },
	{ "http://a.example", NULL },
	{ "http://localhost", NULL },
	{ "https://a.example/b", NULL },
	{ "https://a.example//", NULL },
	{ "https://a.example?", NULL },
	{ "https://a.example#", NULL },
	{ "https://a.example\\", NULL },
	{ "https://u@a.example", NULL },
	{ "https://u:p@a.example", NULL },
	{ "https://@a.example", NULL },
	{ "https://a.example:0", NULL },
	{ "https://a.example:65536", NULL },
	{ "https://a.example:99999999999999999999999", NULL },
	{ "https://a.example:8o", NULL },
	{ "https://a.example:-1", NULL },
	{ "https://a..example", NULL },
	{ "https://.a.example", NULL },
	{ "https://a.example..", NULL },
	{ "https://.", NULL },
	{ "https://a b.example", NULL },
	{ "https://a\tb.example", NULL },
	{ "https://a%00.example", NULL },
	{ "https://a%2Fb.example", NULL },
	{ "https://a%.example", NULL },
	{ "https://a%FF.example", NULL },
	{ "https://a;script-src.example", NULL },
	{ "https://a'.example", NULL },
	{ "https://a,b.example", NULL },
	{ "https://1.2.3", NULL },
	{ "https://127.1", NULL },
	{ "https://0x7f.1", NULL },
	{ "https://1.2.3.256", NULL },
	{ "https://01.2.3.4", NULL },
	{ "https://[::1", NULL },
	{ "https://[1.2.3.4]", NULL },
	{ "https://[::1%25lo]", NULL },
	{ "https://xn--.example", NULL },
	{ "https://xn--a.example", NULL },
	{ "https://xn--abc-.example", NULL },
	{ "https://xn--fa-hia-.example", NULL },
	{ "https://xn--bcher-kvA\xC3\xBC.example", NULL },
	{ "https://\xCC\x88"
	  "a.example",
	    NULL },
	{ "https://a\xE2\x80\x8D"
	  "b.example",
	    NULL },
	{ "https://a.example\xE2\x80\xA8", NULL },
	{ "https://aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.example",
	    NULL },
	{ "https://üüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüü.example",
	    NULL },
};

/* A name of 59 characters that are far from each other: its code would be four times as long. */
static const char *
long_name(void)
{
	char *text = arena_alloc(&arena, 256), *to = text + strlen("https://");

	memcpy(text, "https://", strlen("https://"));
	for (int i = 0; i < 59; i++) {
		int point = 0x4E00 + i * 337 % 0x5000;
		*to++ = (char)(0xE0 | point >> 12);
		*to++ = (char)(0x80 | (point >> 6 & 0x3F));
		*to++ = (char)(0x80 | (point & 0x3F));
	}
	memcpy(to, ".example", sizeof(".example"));
	return text;
}

static const struct {
	const char *text, *clean;
} locals[] = {
	{ "http://localhost", "http://localhost" },
	{ "http://LOCALHOST:80/", "http://localhost" },
	{ "http://localhost.:8080", "http://localhost:8080" },
	{ "http://127.0.0.1:3000", "http://127.0.0.1:3000" },
	{ "https://a.example", "https://a.example" },
	{ "http://127.0.0.2", NULL },
	{ "http://a.localhost", NULL },
	{ "http://localhost.example", NULL },
	{ "http://localhost@a.example", NULL },
	{ "http://a.example", NULL },
	{ "http://[::1]", NULL },
	{ "null", NULL },
};

int
main(void)
{
	const char *clean;

	arena_init(&arena, (size_t)64 * 1024 * 1024);
	for (size_t i = 0; i < sizeof(origins) / sizeof(origins[0]); i++) {
		clean = origin_clean(&arena, origins[i].text, false);
		is_text(clean, origins[i].clean, "%s", origins[i].text);
		if (clean != NULL)
			is_text(origin_clean(&arena, clean, false), clean, "and again");
	}
	for (size_t i = 0; i < sizeof(locals) / sizeof(locals[0]); i++)
		is_text(origin_clean(&arena, locals[i].text, true), locals[i].clean,
		    "for frames: %s", locals[i].text);
	is_text(origin_clean_list(&arena,
		    "https://b%C3%BCcher.example  https://a.example. https://a.example:443 what",
		    false),
	    "https://xn--bcher-kva.example https://a.example what",
	    "a list has each once, and keeps what is none");
	is_text(origin_clean(&arena, long_name(), false), NULL, "a name whose code is too long");
	is_text(origin_clean_list(&arena, "", true), "", "an empty list stays empty");
	return done_testing();
}
