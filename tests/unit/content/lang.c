/* suite: fast */
#include "content/lang.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/utf8.h"
#include "tests/tap.h"

static struct arena arena;

static const struct {
	const char *tag, *clean;
} tags[] = {
	{ "en", "en" },
	{ "EN-gb", "en-GB" },
	{ "AR-ae", "ar-AE" },
	{ "NZ-zw", "nz-ZW" },
	{ "az-zzzz-aa", "az-Zzzz-AA" },
	{ "ZH-HANT-tw", "zh-Hant-TW" },
	{ "zh-yue-hk", "zh-yue-HK" },
	{ "es-419", "es-419" },
	{ "de-DE-1996", "de-DE-1996" },
	{ "sl-Rozaj-biske", "sl-rozaj-biske" },
	{ "de-CH-x-Phonebk-DE", "de-CH-x-phonebk-de" },
	{ "ar-u-NU-latn", "ar-u-nu-latn" },
	{ "en-a-bbb-x-a-ccc", "en-a-bbb-x-a-ccc" },
	{ "x-whatever", "x-whatever" },
	{ "ckb", "ckb" },
	{ "", NULL },
	{ "e", NULL },
	{ "-en", NULL },
	{ "en-", NULL },
	{ "en--GB", NULL },
	{ "en_GB", NULL },
	{ "en GB", NULL },
	{ "english123", NULL },
	{ "german-deu", NULL },
	{ "en-123456789", NULL },
	{ "de-u-a_b", NULL },
	{ "de-419-DE", NULL },
	{ "a-DE", NULL },
	{ "en-u", NULL },
	{ "en-x", NULL },
	{ "en-u-x-a", NULL },
	{ "ar-a-aaa-b", NULL },
	{ "i-klingon", NULL },
	{ "dé", NULL },
	{ "zh-Hant-Hans", NULL },
	{ "en-\"><b>", NULL },
	{ "en-x-12345678-12345678-12345678-1234", NULL },
	{ "en-x-12345678-12345678-12345678-123", "en-x-12345678-12345678-12345678-123" },
};

static void
tags_have_one_form(void)
{
	for (size_t i = 0; i < sizeof(tags) / sizeof(tags[0]); i++)
		is_text(
		    lang_clean(&arena, tags[i].tag), tags[i].clean, "the tag \"%s\"", tags[i].tag);
}

static const struct {
	const char *tag;
	bool rtl;
} directions[] = {
	{ "ar", true },
	{ "ar-EG", true },
	{ "AR", true },
	{ "he", true },
	{ "fa-IR", true },
	{ "ur", true },
	{ "ps", true },
	{ "sd", true },
	{ "ug", true },
	{ "yi", true },
	{ "dv", true },
	{ "ckb", true },
	{ "ar-Latn", false },
	{ "sd-Deva", false },
	{ "az-Arab", true },
	{ "az-arab-IR", true },
	{ "en-Hebr", true },
	{ "syr-Syrc", true },
	{ "nqo-Nkoo", true },
	{ "ff-Adlm", true },
	{ "dv-Thaa", true },
	{ "en", false },
	{ "arn", false },
	{ "zh-Hant", false },
	{ "x-ar", false },
};

static void
directions_are_known(void)
{
	for (size_t i = 0; i < sizeof(directions) / sizeof(directions[0]); i++)
		is_int(lang_is_rtl(directions[i].tag), directions[i].rtl,
		    "%s is written from the %s", directions[i].tag,
		    directions[i].rtl ? "right" : "left");
}

/* The table of docs/export.md §2, and the rules around it. */
static const struct {
	const char *tag, *locale;
} locales[] = {
	{ "ar", "ar_AR" },
	{ "en", "en_US" },
	{ "he", "he_IL" },
	{ "fa", "fa_IR" },
	{ "pt", "pt_PT" },
	{ "zh", "zh_CN" },
	{ "de", "de_DE" },
	{ "fr", "fr_FR" },
	{ "es", "es_ES" },
	{ "it", "it_IT" },
	{ "nl", "nl_NL" },
	{ "ja", "ja_JP" },
	{ "ko", "ko_KR" },
	{ "hi", "hi_IN" },
	{ "ru", "ru_RU" },
	{ "tr", "tr_TR" },
	{ "pl", "pl_PL" },
	{ "en-GB", "en_GB" },
	{ "pt-BR", "pt_BR" },
	{ "zh-Hant-TW", "zh_TW" },
	{ "zh-Hant", "zh_TW" },
	{ "zh-Hans", "zh_CN" },
	{ "sv-FI", "sv_FI" },
	{ "zh-yue-HK", "zh_HK" },
	{ "zh-cmn-Hans-CN", "zh_CN" },
	{ "sv", NULL },
	{ "es-419", NULL },
	{ "x-de-DE", NULL },
	{ "en-x-GB", "en_US" },
	{ "tlh", NULL },
};

static void
locales_are_known(void)
{
	for (size_t i = 0; i < sizeof(locales) / sizeof(locales[0]); i++)
		is_text(lang_locale(&arena, locales[i].tag), locales[i].locale, "the locale of %s",
		    locales[i].tag);
}

static const struct {
	const char *tag;
	enum lang_label label;
	const char *text;
} labels[] = {
	{ "en", LANG_TAKEAWAYS, "Key takeaways" },
	{ "en-GB", LANG_FAQS, "Frequently asked questions" },
	{ "en", LANG_REFERENCES, "References" },
	{ "ar-EG", LANG_REFERENCES, "المراجع" },
	{ "de", LANG_FAQS, "Häufig gestellte Fragen" },
	{ "zh", LANG_FAQS, "常见问题" },
	{ "zh-TW", LANG_FAQS, "常見問題" },
	{ "zh-Hans-HK", LANG_FAQS, "常见问题" },
	{ "zh-SG", LANG_FAQS, "常见问题" },
	{ "zh-hk", LANG_FAQS, "常見問題" },
	{ "tlh", LANG_REFERENCES, "References" },
};

static void
labels_are_in_the_language(void)
{
	static const char *const languages[] = { "de", "fr", "es", "it", "pt", "nl", "pl", "tr",
		"ru", "uk", "ar", "he", "fa", "ur", "hi", "ja", "ko", "zh", "zh-Hant", "sv", "cs" };

	for (size_t i = 0; i < sizeof(labels) / sizeof(labels[0]); i++)
		is_text(lang_label(labels[i].tag, labels[i].label), labels[i].text,
		    "the label of %s", labels[i].tag);
	for (size_t i = 0; i < sizeof(languages) / sizeof(*languages); i++)
		ok(strcmp(lang_label(languages[i], LANG_FAQS), lang_label("en", LANG_FAQS)) != 0,
		    "%s has labels of its own", languages[i]);
}

static const struct {
	const char *tag, *heading;
	enum lang_label label;
	bool is;
} names[] = {
	{ "en", "FAQ", LANG_FAQS, true },
	{ "en", "faq", LANG_FAQS, true },
	{ "en", "Frequently Asked Questions", LANG_FAQS, true },
	{ "en", "Frequently asked", LANG_FAQS, false },
	{ "en", "FAQ|FAQs", LANG_FAQS, false },
	{ "en", "", LANG_FAQS, false },
	{ "en", "References", LANG_FAQS, false },
	{ "en", "REFERENCES", LANG_REFERENCES, true },
	{ "de", "häufige fragen", LANG_FAQS, true },
	{ "de", "HÄUFIGE FRAGEN", LANG_FAQS, true },
	{ "de", "FAQ", LANG_FAQS, true },
	{ "en", "Häufige Fragen", LANG_FAQS, false },
	{ "tlh", "Sources", LANG_REFERENCES, true },
	{ "ja", "よくある質問", LANG_FAQS, true },
};

static void
headings_are_recognised(void)
{
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		is_int(lang_names(names[i].tag, names[i].label, names[i].heading), names[i].is,
		    "\"%s\" in %s is %s", names[i].heading, names[i].tag,
		    names[i].is ? "a name" : "none");
}

static const struct {
	uint32_t code_point;
	enum lang_script script;
	bool word, cjk;
} characters[] = {
	{ 'a', SCRIPT_LATIN, true, false },
	{ '1', SCRIPT_OTHER, true, false },
	{ '_', SCRIPT_OTHER, false, false },
	{ 0x00C0, SCRIPT_LATIN, true, false },
	{ 0x2167, SCRIPT_OTHER, true, false }, /* Roman eight */
	{ 0x00B2, SCRIPT_OTHER, false, false },
	{ 0x00E9, SCRIPT_LATIN, true, false }, /* é */
	{ 0x00D7, SCRIPT_OTHER, false, false }, /* × */
	{ 0x0301, SCRIPT_OTHER, true, false }, /* acute */
	{ 0x03B1, SCRIPT_GREEK, true, false },
	{ 0x0436, SCRIPT_CYRILLIC, true, false },
	{ 0x05D0, SCRIPT_HEBREW, true, false },
	{ 0x0645, SCRIPT_ARABIC, true, false },
	{ 0x0663, SCRIPT_OTHER, true, false }, /* Arabic digit */
	{ 0x061F, SCRIPT_OTHER, false, false }, /* ؟ */
	{ 0x06CC, SCRIPT_ARABIC, true, false },
	{ 0x0915, SCRIPT_DEVANAGARI, true, false },
	{ 0x093E, SCRIPT_OTHER, true, false }, /* vowel sign */
	{ 0x0E01, SCRIPT_THAI, true, false },
	{ 0x10D0, SCRIPT_REST, true, false }, /* Georgian */
	{ 0xAC00, SCRIPT_HANGUL, true, false },
	{ 0xFFA0, SCRIPT_HANGUL, true, false }, /* filler of half width */
	{ 0x3042, SCRIPT_KANA, true, true },
	{ 0x30A2, SCRIPT_KANA, true, true },
	{ 0x30FC, SCRIPT_KANA, true, true },
	{ 0x30FB, SCRIPT_OTHER, false, false }, /* ・ */
	{ 0xFF71, SCRIPT_KANA, true, true },
	{ 0x6F22, SCRIPT_HAN, true, true },
	{ 0x3005, SCRIPT_HAN, true, true },
	{ 0x3007, SCRIPT_HAN, true, true },
	{ 0x20000, SCRIPT_HAN, true, true },
	{ 0x3002, SCRIPT_OTHER, false, false }, /* 。 */
	{ 0x1F600, SCRIPT_OTHER, false, false },
	{ 0x10FFFF, SCRIPT_OTHER, false, false },
};

static void
characters_are_known(void)
{
	for (size_t i = 0; i < sizeof(characters) / sizeof(*characters); i++) {
		uint32_t cp = characters[i].code_point;
		ok(lang_script(cp) == characters[i].script &&
			lang_is_word(cp) == characters[i].word &&
			lang_is_cjk(cp) == characters[i].cjk,
		    "U+%04X has its script and kind", (unsigned)cp);
	}
}

static void
marks_are_known(void)
{
	ok(lang_is_mark(0x300) && lang_is_mark(0x93E) && lang_is_mark(0xFE0F),
	    "marks belong to what is before them");
	ok(!lang_is_mark('a') && !lang_is_mark(0x2FF) && !lang_is_mark(0x6F22),
	    "nothing else does");
}

static const struct {
	const char *text;
	size_t words, cjk;
} counts[] = {
	{ "", 0, 0 },
	{ "  \n", 0, 0 },
	{ "How to compost in a small flat", 7, 0 },
	{ "don't re-use 3.14", 6, 0 },
	{ "naïve Größe", 2, 0 },
	{ "a\xCC\x88 b", 2, 0 },
	{ "أهم النقاط", 2, 0 },
	{ "मुख्य बातें", 2, 0 },
	{ "자주 묻는 질문", 3, 0 },
	{ "東京タワー", 0, 5 },
	{ "今日はJSONを使う。", 1, 6 },
	{ "iPhone15を買う", 1, 3 },
	{ "二〇二四年", 0, 5 },
	{ "か\xE3\x82\x99き", 0, 2 },
	{ "a\xEF\xBB\xBF-b", 2, 0 },
};

static void
words_are_counted(void)
{
	for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
		size_t words = 0, cjk = 0;
		lang_count(counts[i].text, &words, &cjk);
		is_int((int64_t)words, (int64_t)counts[i].words, "words of \"%s\"",
		    counts[i].text[0] == ' ' ? "spaces" : counts[i].text);
		is_int((int64_t)cjk, (int64_t)counts[i].cjk, "and its CJK characters");
	}
}

static void
case_is_folded(void)
{
	is_text(lang_fold(&arena, "Straße ABC"), "strasse abc", "case is folded");
	is_text(lang_fold(&arena, "ÄÖ"), lang_fold(&arena, "a\xCC\x88ö"),
	    "composed and decomposed are the same");
	is_text(lang_fold(&arena, "ABC xyz"), "abc xyz", "ASCII too");
	is_text(lang_fold(&arena, ""), "", "an empty text stays empty");
	is_text(lang_nfc(&arena, "A\xCC\x8A e\xCC\x81"), "Å é", "texts are composed");
	is_text(lang_nfc(&arena, "\xE2\x84\xAB"), "Å", "singletons are replaced");
	is_text(lang_nfc(&arena, "가"), "가", "syllables are composed");
	is_text(lang_nfc(&arena, "ABC"), "ABC", "nothing else changes");
}

/* A composed text is not composed again, whatever it holds. */
static void
composing_twice_changes_nothing(void)
{
	uint32_t wrong = 0;

	for (uint32_t cp = 1; cp <= 0x10FFFF && wrong == 0; cp++) {
		struct buf b;
		const char *once;
		if (cp >= 0xD800 && cp <= 0xDFFF)
			continue;
		if (cp % 256 == 0)
			arena_reset(&arena);
		buf_init(&b, &arena, 20);
		buf_add_code_point(&b, cp);
		buf_add_text(&b, "\xCC\x81");
		once = lang_nfc(&arena, b.data);
		if (strcmp(lang_nfc(&arena, once), once) != 0)
			wrong = cp;
	}
	is_int(wrong, 0, "composing twice changes nothing");
}

/* A compiler takes a text that fills its room, without a NUL at its end. */
static void
texts_of_the_table_end(void)
{
	char tag[] = "aa";
	int rows = 0;

	for (tag[0] = 'a'; tag[0] <= 'z'; tag[0]++)
		for (tag[1] = 'a'; tag[1] <= 'z'; tag[1]++) {
			const struct lang_row *row = lang_table_row(tag);
			if (row == NULL)
				continue;
			rows++;
			for (int i = 0; i < 3; i++)
				if (row->labels[i][sizeof(row->labels[i]) - 1] ||
				    row->others[i][sizeof(row->others[i]) - 1])
					ok(0, "a text of %s is too long", tag);
		}
	ok(rows > 30, "the texts of %d languages end in their rows", rows);
}

int
main(void)
{
	arena_init(&arena, 64 * 1024 * 1024);
	tags_have_one_form();
	directions_are_known();
	locales_are_known();
	labels_are_in_the_language();
	headings_are_recognised();
	characters_are_known();
	marks_are_known();
	words_are_counted();
	case_is_folded();
	texts_of_the_table_end();
	composing_twice_changes_nothing();
	return done_testing();
}
