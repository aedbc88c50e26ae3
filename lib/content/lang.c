#include "content/lang.h"

#include <string.h>
#include <strings.h>
#include <utf8proc.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "base/log.h"
#include "base/utf8.h"
#include "system/near.h"

/* ---- scripts */

/* Blocks of Unicode, and parts of blocks, whose letters belong to a script; in
 * order. */
static const struct {
	uint32_t first, last;
	enum lang_script script;
} ranges[] = {
	{ 0x0041, 0x02AF, SCRIPT_LATIN },
	{ 0x02B0, 0x02B8, SCRIPT_LATIN },
	{ 0x02E0, 0x02E4, SCRIPT_LATIN },
	{ 0x0370, 0x03E1, SCRIPT_GREEK },
	{ 0x03F0, 0x03FF, SCRIPT_GREEK },
	{ 0x0400, 0x052F, SCRIPT_CYRILLIC },
	{ 0x0590, 0x05FF, SCRIPT_HEBREW },
	{ 0x0600, 0x06FF, SCRIPT_ARABIC },
	{ 0x0750, 0x077F, SCRIPT_ARABIC },
	{ 0x0870, 0x08FF, SCRIPT_ARABIC },
	{ 0x0900, 0x097F, SCRIPT_DEVANAGARI },
	{ 0x0E00, 0x0E7F, SCRIPT_THAI },
	{ 0x1100, 0x11FF, SCRIPT_HANGUL },
	{ 0x1C80, 0x1C8F, SCRIPT_CYRILLIC },
	{ 0x1D00, 0x1DBF, SCRIPT_LATIN },
	{ 0x1E00, 0x1EFF, SCRIPT_LATIN },
	{ 0x1F00, 0x1FFF, SCRIPT_GREEK },
	{ 0x2C60, 0x2C7F, SCRIPT_LATIN },
	{ 0x3005, 0x3007, SCRIPT_HAN },
	{ 0x3021, 0x3029, SCRIPT_HAN },
	{ 0x3038, 0x303B, SCRIPT_HAN },
	{ 0x3041, 0x30FF, SCRIPT_KANA },
	{ 0x3131, 0x318F, SCRIPT_HANGUL },
	{ 0x31F0, 0x31FF, SCRIPT_KANA },
	{ 0x3400, 0x4DBF, SCRIPT_HAN },
	{ 0x4E00, 0x9FFF, SCRIPT_HAN },
	{ 0xA640, 0xA69F, SCRIPT_CYRILLIC },
	{ 0xA720, 0xA7FF, SCRIPT_LATIN },
	{ 0xA8E0, 0xA8FF, SCRIPT_DEVANAGARI },
	{ 0xA960, 0xA97F, SCRIPT_HANGUL },
	{ 0xAB30, 0xAB6F, SCRIPT_LATIN },
	{ 0xAC00, 0xD7FF, SCRIPT_HANGUL },
	{ 0xF900, 0xFAFF, SCRIPT_HAN },
	{ 0xFB00, 0xFB06, SCRIPT_LATIN },
	{ 0xFB1D, 0xFB4F, SCRIPT_HEBREW },
	{ 0xFB50, 0xFDFF, SCRIPT_ARABIC },
	{ 0xFE70, 0xFEFE, SCRIPT_ARABIC },
	{ 0xFF21, 0xFF5A, SCRIPT_LATIN },
	{ 0xFF66, 0xFF9F, SCRIPT_KANA },
	{ 0xFFA0, 0xFFDC, SCRIPT_HANGUL },
	{ 0x1AFF0, 0x1B16F, SCRIPT_KANA },
	{ 0x20000, 0x3FFFD, SCRIPT_HAN },
};

#define RANGE_COUNT (sizeof(ranges) / sizeof(ranges[0]))

static enum lang_script
range_script(uint32_t cp)
{
	size_t low = 0, high = RANGE_COUNT;

	while (low < high) {
		size_t middle = (low + high) / 2;
		if (cp > ranges[middle].last)
			low = middle + 1;
		else if (cp < ranges[middle].first)
			high = middle;
		else
			return ranges[middle].script;
	}
	return SCRIPT_REST;
}

static utf8proc_category_t
category_of(uint32_t cp)
{
	return utf8proc_category((utf8proc_int32_t)cp);
}

static bool
is_letter(utf8proc_category_t category)
{
	return category >= UTF8PROC_CATEGORY_LU && category <= UTF8PROC_CATEGORY_LO;
}

static bool
is_mark(utf8proc_category_t category)
{
	return category >= UTF8PROC_CATEGORY_MN && category <= UTF8PROC_CATEGORY_ME;
}

static bool
is_ascii_letter(uint32_t cp)
{
	return (cp >= 'a' && cp <= 'z') || (cp >= 'A' && cp <= 'Z');
}

enum lang_script
lang_script(uint32_t cp)
{
	enum lang_script script;
	utf8proc_category_t category;

	if (cp < 0x80)
		return is_ascii_letter(cp) ? SCRIPT_LATIN : SCRIPT_OTHER;
	category = category_of(cp);
	script = range_script(cp);
	/* Some ideographs are numbers (U+3007), not letters. */
	if (category == UTF8PROC_CATEGORY_NL && script == SCRIPT_HAN)
		return script;
	return is_letter(category) ? script : SCRIPT_OTHER;
}

bool
lang_is_word(uint32_t cp)
{
	utf8proc_category_t category;

	if (cp < 0x80)
		return is_ascii_letter(cp) || (cp >= '0' && cp <= '9');
	category = category_of(cp);
	return is_letter(category) || is_mark(category) || category == UTF8PROC_CATEGORY_ND ||
	       category == UTF8PROC_CATEGORY_NL;
}

bool
lang_is_mark(uint32_t cp)
{
	return cp >= 0x300 && is_mark(category_of(cp));
}

bool
lang_is_cjk(uint32_t cp)
{
	enum lang_script script;

	if (cp < 0x3005)
		return false;
	script = lang_script(cp);
	return script == SCRIPT_HAN || script == SCRIPT_KANA;
}

void
lang_count(const char *text, size_t *words, size_t *cjk)
{
	enum { BETWEEN, IN_WORD, IN_CJK } state = BETWEEN;

	while (*text != '\0') {
		uint32_t cp = utf8_next(&text);
		if (lang_is_cjk(cp)) {
			(*cjk)++;
			state = IN_CJK;
		} else if (!lang_is_word(cp)) {
			state = BETWEEN;
		} else if (state == IN_CJK && lang_is_mark(cp)) {
			/* A mark belongs to the character before it. */
		} else if (state != IN_WORD) {
			(*words)++;
			state = IN_WORD;
		}
	}
}

/* Returns whether no byte is `lead` or more. */
static bool
is_below(const char *text, unsigned char lead)
{
	for (; *text != '\0'; text++) {
		if ((unsigned char)*text >= lead)
			return false;
	}
	return true;
}

/* Returns the text in the normalisation form that `options` ask for. */
static const char *
mapped(struct arena *a, const char *text, utf8proc_option_t options)
{
	const utf8proc_uint8_t *bytes = (const utf8proc_uint8_t *)text;
	utf8proc_ssize_t len = (utf8proc_ssize_t)strlen(text);
	utf8proc_ssize_t count, size;
	utf8proc_int32_t *out;

	count = utf8proc_decompose(bytes, len, NULL, 0, options);
	if (count < 0)
		BUG("a text that is not UTF-8: %s", utf8proc_errmsg(count));
	out = arena_array(a, (size_t)count + 1, sizeof(*out));
	utf8proc_decompose(bytes, len, out, count, options);
	size = utf8proc_reencode(out, count, options);
	if (size < 0)
		BUG("utf8proc: %s", utf8proc_errmsg(size));
	return (const char *)out;
}

const char *
lang_fold(struct arena *a, const char *text)
{
	char *folded;

	if (!is_below(text, 0x80))
		return mapped(a, text, UTF8PROC_STABLE | UTF8PROC_COMPOSE | UTF8PROC_CASEFOLD);
	folded = arena_text(a, text);
	for (char *p = folded; *p != '\0'; p++) {
		if (*p >= 'A' && *p <= 'Z')
			*p = (char)(*p - 'A' + 'a');
	}
	return folded;
}

const char *
lang_nfc(struct arena *a, const char *text)
{
	/* Below U+0300 every text is composed. */
	if (is_below(text, 0xCC))
		return text;
	return mapped(a, text, UTF8PROC_STABLE | UTF8PROC_COMPOSE);
}

/* ---- what is known of each language */

static const struct lang_row rows[] = {
	{ "ar", "ar_AR", { "أهم النقاط", "الأسئلة الشائعة", "المراجع" },
	    { "النقاط الرئيسية|أبرز النقاط|خلاصة", "أسئلة شائعة|الأسئلة المتكررة",
		"مراجع|المصادر|مصادر" } },
	{ "bg", "", { "Основни изводи", "Често задавани въпроси", "Източници" },
	    { "Накратко", "", "Литература" } },
	{ "bn", "", { "মূল বিষয়", "সচরাচর জিজ্ঞাসিত প্রশ্ন", "তথ্যসূত্র" }, { "", "", "" } },
	{ "ca", "", { "Punts clau", "Preguntes freqüents", "Referències" },
	    { "Idees clau", "", "Fonts|Bibliografia" } },
	{ "cs", "", { "To nejdůležitější", "Často kladené otázky", "Zdroje" },
	    { "Hlavní body|Shrnutí", "Časté dotazy|Časté otázky",
		"Reference|Použité zdroje|Literatura" } },
	{ "da", "", { "Det vigtigste", "Ofte stillede spørgsmål", "Kilder" },
	    { "Hovedpunkter", "", "Referencer|Litteratur" } },
	{ "de", "de_DE", { "Das Wichtigste in Kürze", "Häufig gestellte Fragen", "Quellen" },
	    { "Das Wichtigste|Kernpunkte|Auf einen Blick|Die wichtigsten Punkte",
		"Häufige Fragen|Fragen und Antworten",
		"Referenzen|Einzelnachweise|Literatur|Literaturverzeichnis|Quellenverzeichnis" } },
	{ "el", "", { "Βασικά σημεία", "Συχνές ερωτήσεις", "Πηγές" },
	    { "Κύρια σημεία", "", "Παραπομπές|Βιβλιογραφία" } },
	{ "en", "en_US", { "Key takeaways", "Frequently asked questions", "References" },
	    { "Takeaways|Key points|Main takeaways|Main points", "FAQ|FAQs|Common questions",
		"Sources|Bibliography|Works cited" } },
	{ "es", "es_ES", { "Puntos clave", "Preguntas frecuentes", "Referencias" },
	    { "Ideas clave|Conclusiones clave|Lo más importante", "", "Fuentes|Bibliografía" } },
	{ "fa", "fa_IR", { "نکات کلیدی", "پرسش‌های متداول", "منابع" },
	    { "نکات مهم|نکته‌های کلیدی",
		"سوالات متداول|سؤالات متداول|پرسش‌های پرتکرار",
		"مراجع" } },
	{ "fi", "", { "Tärkeimmät asiat", "Usein kysytyt kysymykset", "Lähteet" },
	    { "Pääkohdat", "UKK", "Viitteet" } },
	{ "fr", "fr_FR", { "À retenir", "Questions fréquentes", "Références" },
	    { "L’essentiel|L'essentiel|Points clés|Points à retenir|L’essentiel à retenir|L'essentiel à retenir",
		"Foire aux questions|Questions fréquemment posées", "Sources|Bibliographie" } },
	{ "he", "he_IL", { "עיקרי הדברים", "שאלות נפוצות", "מקורות" },
	    { "נקודות מפתח|נקודות עיקריות", "שאלות ותשובות", "הפניות|ביבליוגרפיה" } },
	{ "hi", "hi_IN", { "मुख्य बातें", "अक्सर पूछे जाने वाले प्रश्न", "संदर्भ" },
	    { "मुख्य बिंदु|प्रमुख बिंदु", "अक्सर पूछे जाने वाले सवाल|सामान्य प्रश्न", "सन्दर्भ|स्रोत" } },
	{ "hu", "", { "A legfontosabb tudnivalók", "Gyakran ismételt kérdések", "Források" },
	    { "Főbb pontok", "Gyakori kérdések|GYIK", "Hivatkozások|Irodalom" } },
	{ "id", "", { "Poin penting", "Pertanyaan yang sering diajukan", "Referensi" },
	    { "Poin utama", "Pertanyaan umum", "Sumber|Daftar pustaka" } },
	{ "it", "it_IT", { "Punti chiave", "Domande frequenti", "Riferimenti" },
	    { "In sintesi|Punti principali", "", "Fonti|Bibliografia" } },
	{ "ja", "ja_JP", { "要点", "よくある質問", "参考文献" },
	    { "重要なポイント|要点まとめ|この記事の要点", "よくあるご質問",
		"出典|参考資料|参考" } },
	{ "ko", "ko_KR", { "핵심 요약", "자주 묻는 질문", "참고 자료" },
	    { "핵심 내용|핵심 포인트|주요 내용|요점 정리", "자주 하는 질문",
		"참고자료|참고 문헌|참고문헌|출처" } },
	{ "nb", "", { "Det viktigste", "Ofte stilte spørsmål", "Kilder" },
	    { "Hovedpunkter", "Vanlige spørsmål", "Referanser|Litteratur" } },
	{ "nl", "nl_NL", { "De belangrijkste punten", "Veelgestelde vragen", "Bronnen" },
	    { "Belangrijkste punten|Kernpunten|In het kort", "Veel gestelde vragen",
		"Referenties|Bronvermelding|Literatuur" } },
	{ "no", "", { "Det viktigste", "Ofte stilte spørsmål", "Kilder" },
	    { "Hovedpunkter", "Vanlige spørsmål", "Referanser|Litteratur" } },
	{ "pl", "pl_PL", { "Najważniejsze informacje", "Najczęściej zadawane pytania", "Źródła" },
	    { "Kluczowe wnioski|Najważniejsze punkty|W skrócie", "Często zadawane pytania",
		"Bibliografia|Przypisy|Literatura" } },
	{ "pt", "pt_PT", { "Pontos principais", "Perguntas frequentes", "Referências" },
	    { "Pontos-chave|Principais pontos|Principais conclusões", "", "Fontes|Bibliografia" } },
	{ "ro", "", { "Idei principale", "Întrebări frecvente", "Referințe" },
	    { "Puncte cheie", "", "Surse|Bibliografie" } },
	{ "ru", "ru_RU", { "Главное", "Часто задаваемые вопросы", "Источники" },
	    { "Основные выводы|Ключевые выводы|Коротко о главном|Ключевые моменты",
		"Частые вопросы|Вопросы и ответы",
		"Литература|Ссылки|Список литературы|Примечания" } },
	{ "sv", "", { "Det viktigaste i korthet", "Vanliga frågor", "Källor" },
	    { "Det viktigaste|Viktiga punkter", "Vanliga frågor och svar",
		"Referenser|Litteratur" } },
	{ "th", "", { "ประเด็นสำคัญ", "คำถามที่พบบ่อย", "แหล่งอ้างอิง" }, { "", "", "อ้างอิง" } },
	{ "tr", "tr_TR", { "Önemli noktalar", "Sıkça sorulan sorular", "Kaynaklar" },
	    { "Öne çıkanlar|Ana fikirler|Özet", "Sık sorulan sorular|SSS",
		"Kaynakça|Referanslar" } },
	{ "uk", "", { "Головне", "Поширені запитання", "Джерела" },
	    { "Основні висновки|Ключові висновки|Коротко про головне",
		"Часті запитання|Часті питання|Питання та відповіді",
		"Література|Посилання|Список літератури" } },
	{ "ur", "", { "اہم نکات", "اکثر پوچھے جانے والے سوالات", "حوالہ جات" },
	    { "کلیدی نکات", "عمومی سوالات", "ماخذ|مآخذ" } },
	{ "vi", "", { "Điểm chính", "Câu hỏi thường gặp", "Tài liệu tham khảo" },
	    { "Những điểm chính", "", "Nguồn tham khảo" } },
	{ "zh", "zh_CN", { "要点", "常见问题", "参考资料" },
	    { "核心要点|关键要点|重点|本文要点", "常见问题解答", "参考文献|参考来源|资料来源" } },
	{ "zh-Hant", "zh_TW", { "重點整理", "常見問題", "參考資料" },
	    { "重點|要點|關鍵要點|本文重點", "常見問題解答", "參考文獻|資料來源" } },
};

#define ROW_COUNT (sizeof(rows) / sizeof(rows[0]))

size_t
lang_table_primary(const char *tag)
{
	return strcspn(tag, "-");
}

static bool
is_letters(const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		if ((text[i] < 'a' || text[i] > 'z') && (text[i] < 'A' || text[i] > 'Z'))
			return false;
	}
	return true;
}

/* Returns the first subtag after the language and its extended languages. */
static const char *
after_language(const char *tag)
{
	const char *p = tag + lang_table_primary(tag);

	/* A tag that is only private use has no script and no region. */
	if (p - tag < 2)
		return "";
	while (*p == '-' && strcspn(p + 1, "-") == 3 && is_letters(p + 1, 3))
		p += 4;
	return *p == '-' ? p + 1 : p;
}

const char *
lang_table_script(const char *tag)
{
	const char *p = after_language(tag);

	return strcspn(p, "-") == 4 && is_letters(p, 4) ? p : NULL;
}

/* Returns the region subtag (2 letters or 3 digits) of a well-formed tag, or NULL. */
static const char *
region_of(const char *tag)
{
	const char *p = after_language(tag);
	size_t len;

	if (lang_table_script(tag) != NULL)
		p += p[4] == '-' ? 5 : 4;
	len = strcspn(p, "-");
	if (len == 2 && is_letters(p, 2))
		return p;
	return len == 3 && strspn(p, "0123456789") >= 3 ? p : NULL;
}

/* Returns whether the tag means traditional Chinese: by its script if it has one,
 * else by its region. */
static bool
is_traditional(const char *tag)
{
	static const char *const regions[] = { "TW", "HK", "MO" };
	const char *script = lang_table_script(tag);
	const char *region = region_of(tag);

	if (script != NULL)
		return strncasecmp(script, "Hant", 4) == 0;
	for (size_t i = 0; region != NULL && i < 3; i++) {
		if (strncasecmp(region, regions[i], 2) == 0)
			return true;
	}
	return false;
}

static const struct lang_row *
row_named(const char *tag, size_t len)
{
	for (size_t i = 0; i < ROW_COUNT; i++) {
		if (strlen(rows[i].tag) == len && strncasecmp(rows[i].tag, tag, len) == 0)
			return &rows[i];
	}
	return NULL;
}

const struct lang_row *
lang_table_row(const char *tag)
{
	size_t len = lang_table_primary(tag);

	if (len == 2 && strncasecmp(tag, "zh", 2) == 0 && is_traditional(tag))
		return row_named("zh-Hant", 7);
	return row_named(tag, len);
}

/* ---- tags */

#define TAG_MAX 35

static bool
is_alpha(char ch)
{
	return (ch >= 'a' && ch <= 'z') || (ch >= 'A' && ch <= 'Z');
}

static bool
is_digit(char ch)
{
	return ch >= '0' && ch <= '9';
}

/* Returns whether a subtag has `min` to `max` letters. */
static bool
letters(const char *subtag, size_t len, size_t min, size_t max)
{
	for (size_t i = 0; i < len; i++) {
		if (!is_alpha(subtag[i]))
			return false;
	}
	return len >= min && len <= max;
}

static bool
letters_or_digits(const char *subtag, size_t len, size_t min, size_t max)
{
	for (size_t i = 0; i < len; i++) {
		if (!is_alpha(subtag[i]) && !is_digit(subtag[i]))
			return false;
	}
	return len >= min && len <= max;
}

/* Returns whether a subtag is two letters or three digits. */
static bool
is_region(const char *subtag, size_t len)
{
	return letters(subtag, len, 2, 2) ||
	       (len == 3 && is_digit(subtag[0]) && is_digit(subtag[1]) && is_digit(subtag[2]));
}

/* Returns whether a subtag has five to eight letters or digits, or four that
 * begin with a digit. */
static bool
is_variant(const char *subtag, size_t len)
{
	return letters_or_digits(subtag, len, 5, 8) ||
	       (len == 4 && is_digit(subtag[0]) && letters_or_digits(subtag, len, 4, 4));
}

/* Returns the length of the subtag at `p`, or 0 at the end. */
static size_t
subtag_length(const char *p)
{
	return strcspn(p, "-");
}

/* Returns the place after a subtag of `len` characters and the hyphen after it.
 * A hyphen that ends the tag is not passed, and so makes the tag malformed. */
static const char *
past(const char *p, size_t len)
{
	p += len;
	return p[0] == '-' && p[1] != '\0' ? p + 1 : p;
}

/* Returns whether the rest of the tag is extensions ("u-nu-arab") and private use
 * ("x-one"). */
static bool
extensions(const char *p)
{
	while (*p != '\0') {
		bool private_use = *p == 'x' || *p == 'X';
		size_t count = 0, len = subtag_length(p);
		if (!letters_or_digits(p, len, 1, 1))
			return false;
		p = past(p, len);
		while ((len = subtag_length(p)) > (private_use ? 0 : 1)) {
			if (!letters_or_digits(p, len, 1, 8))
				return false;
			p = past(p, len);
			count++;
		}
		if (count == 0)
			return false;
	}
	return true;
}

/* Returns whether a tag is well-formed (RFC 5646 §2.1). */
static bool
is_well_formed(const char *tag)
{
	const char *p = tag;
	size_t len = subtag_length(p);
	int extended = 0;

	if (len == 1 && (*p == 'x' || *p == 'X'))
		return extensions(p);
	if (!letters(p, len, 2, 8))
		return false;
	if (len > 3)
		extended = 3;
	p = past(p, len);
	while (extended++ < 3 && letters(p, len = subtag_length(p), 3, 3))
		p = past(p, len);
	if (letters(p, len = subtag_length(p), 4, 4))
		p = past(p, len);
	if (is_region(p, len = subtag_length(p)))
		p = past(p, len);
	while (is_variant(p, len = subtag_length(p)))
		p = past(p, len);
	return extensions(p);
}

/* Sets the usual case of a subtag: two letters in upper case (US), four with a
 * capital (Latn), all others in lower case. The first subtag and those of
 * extensions are in lower case. */
static void
set_case(char *subtag, size_t len, bool first, bool extension)
{
	for (size_t i = 0; i < len; i++) {
		bool upper = !first && !extension && (len == 2 || (len == 4 && i == 0));
		if (upper && subtag[i] >= 'a' && subtag[i] <= 'z')
			subtag[i] = (char)(subtag[i] - 'a' + 'A');
		else if (!upper && subtag[i] >= 'A' && subtag[i] <= 'Z')
			subtag[i] = (char)(subtag[i] - 'A' + 'a');
	}
}

const char *
lang_clean(struct arena *a, const char *tag)
{
	bool extension = false;
	char *clean, *p;

	if (strlen(tag) > TAG_MAX || !is_well_formed(tag))
		return NULL;
	clean = arena_text(a, tag);
	for (p = clean; *p != '\0';) {
		size_t len = subtag_length(p);
		if (len == 1)
			extension = true;
		set_case(p, len, p == clean, extension);
		p += len + (p[len] == '-');
	}
	return clean;
}

/* ---- what depends on them */

/* Returns whether `text` (`len` bytes) is one of the words of `list`, without
 * case. */
static bool
listed(const char *list, const char *text, size_t len)
{
	const char *p = list;

	while (*p != '\0') {
		size_t word = strcspn(p, " ");
		if (word == len && strncasecmp(p, text, len) == 0)
			return true;
		p += word + (p[word] == ' ');
	}
	return false;
}

bool
lang_is_rtl(const char *tag)
{
	const char *script = lang_table_script(tag);

	if (script != NULL)
		return listed("Arab Hebr Syrc Thaa Nkoo Adlm", script, 4);
	return listed("ar he fa ur ps sd ug yi dv ckb", tag, lang_table_primary(tag));
}

const char *
lang_locale(struct arena *a, const char *tag)
{
	const char *region = region_of(tag);
	const struct lang_row *row = lang_table_row(tag);

	if (region == NULL)
		return row != NULL && row->locale[0] != '\0' ? row->locale : NULL;
	/* Open Graph's territories are countries: es-419 has none. */
	if (is_digit(region[0]))
		return NULL;
	return arena_printf(a, "%.*s_%.2s", (int)lang_table_primary(tag), tag, region);
}

const char *
lang_label(const char *tag, enum lang_label label)
{
	const struct lang_row *row = lang_table_row(tag);

	if (row == NULL)
		row = lang_table_row("en");
	return row->labels[label];
}

/* Returns whether the first `len` bytes of `name` are `heading`, without case. */
static bool
is_same(const char *name, size_t len, const char *heading)
{
	const char *end = name + len;

	while (name < end && *heading != '\0') {
		if (utf8proc_tolower((utf8proc_int32_t)utf8_next(&name)) !=
		    utf8proc_tolower((utf8proc_int32_t)utf8_next(&heading)))
			return false;
	}
	return name == end && *heading == '\0';
}

/* Returns whether one of the names of `list`, separated by "|", is `heading`. */
static bool
is_named(const char *list, const char *heading)
{
	while (*list != '\0') {
		size_t len = strcspn(list, "|");
		if (is_same(list, len, heading))
			return true;
		list += len + (list[len] == '|');
	}
	return false;
}

static bool
row_names(const struct lang_row *row, enum lang_label label, const char *heading)
{
	return row != NULL &&
	       (is_named(row->labels[label], heading) || is_named(row->others[label], heading));
}

bool
lang_names(const char *tag, enum lang_label label, const char *heading)
{
	return row_names(lang_table_row(tag), label, heading) ||
	       row_names(lang_table_row("en"), label, heading);
}

/* ---- registered subtags */

struct language {
	char tag[3];
	char three[4]; /* its code of three letters, which is no subtag */
	char library[4]; /* the one that libraries use, or "" */
	char name[20]; /* in English */
};

/* Codes of countries, and old codes, that people write in place of a language's. */
struct mistake {
	char wrong[10], right[6];
};

/*
 * The subtags that are registered, made of languages.txt: 8 KiB that no program of the API carries.
 *
 * subtag_two, subtag_three, subtag_region	languages of two and of three letters, regions of
 *						two: a bit for the last letter, found by those
 *						before it
 * subtag_scripts, subtag_parts			scripts, four letters each; parts of the world,
 *						three digits each
 * languages, mistakes				arrays of the structs above
 */
#include "subtags.gen.h"

#define LANGUAGE_COUNT (sizeof(languages) / sizeof(languages[0]))

/* Languages whose code is that of a country in which another language is spoken. */
static const struct {
	char tag[3], meant[6];
	char is[16], other[28];
} doubts[] = {
	{ "se", "sv", "Northern Sami", "Swedish" },
	{ "kr", "ko", "Kanuri", "Korean" },
	{ "br", "pt-BR", "Breton", "the Portuguese of Brazil" },
	{ "si", "sl", "Sinhala", "Slovenian" },
	{ "ee", "et", "Ewe", "Estonian" },
};

static bool
has_bit(uint32_t mask, char letter)
{
	return (mask >> ((letter | 0x20) - 'a') & 1) != 0;
}

static size_t
index_of(char letter)
{
	return (size_t)((letter | 0x20) - 'a');
}

/* Returns whether a language is registered. It consists of letters, because the
 * tag is well-formed. */
static bool
is_known_language(const char *p, size_t len)
{
	if (len == 2)
		return has_bit(subtag_two[index_of(p[0])], p[1]);
	if (len != 3)
		return false;
	/* qaa to qtz are for private use. */
	if (p[0] == 'q' && p[1] <= 't')
		return true;
	return has_bit(subtag_three[index_of(p[0])][index_of(p[1])], p[2]);
}

static bool
is_known_script(const char *p)
{
	/* Qaaa to Qabx are for private use. */
	if (strncasecmp(p, "Qaa", 3) == 0 ||
	    (strncasecmp(p, "Qab", 3) == 0 && (p[3] | 0x20) <= 'x'))
		return true;
	for (const char *s = subtag_scripts; *s != '\0'; s += 4) {
		if (strncasecmp(s, p, 4) == 0)
			return true;
	}
	return false;
}

/* Returns whether a region is registered. Numbers are for parts of the world;
 * countries have letters. */
static bool
is_known_region(const char *p)
{
	if (p[0] >= '0' && p[0] <= '9') {
		for (const char *s = subtag_parts; *s != '\0'; s += 3) {
			if (strncmp(s, p, 3) == 0)
				return true;
		}
		return false;
	}
	/* AA, QM to QZ, XA to XZ and ZZ are for private use. */
	if (p[0] == 'X' || (p[0] == 'Q' && p[1] >= 'M') || strncmp(p, "AA", 2) == 0 ||
	    strncmp(p, "ZZ", 2) == 0)
		return true;
	return has_bit(subtag_region[index_of(p[0])], p[1]);
}

/* Returns the tag that was probably meant by a language's name, its code of three
 * letters, or a country's code; NULL if none is known. */
static const char *
meant_by(const char *word, size_t len)
{
	struct near near;
	char text[24];
	size_t i;

	if (len == 0 || len >= sizeof(text))
		return NULL;
	memcpy(text, word, len);
	text[len] = '\0';
	for (i = 0; i < sizeof(mistakes) / sizeof(mistakes[0]); i++) {
		if (strcasecmp(mistakes[i].wrong, text) == 0)
			return mistakes[i].right;
	}
	for (i = 0; i < LANGUAGE_COUNT; i++) {
		const struct language *l = &languages[i];
		if (strcasecmp(l->three, text) == 0 || strcasecmp(l->library, text) == 0 ||
		    strcasecmp(l->name, text) == 0)
			return l->tag;
	}
	if (len < 5)
		return NULL;
	text[0] = (char)(text[0] >= 'a' && text[0] <= 'z' ? text[0] - 32 : text[0]);
	near = near_to(text);
	for (i = 0; i < LANGUAGE_COUNT; i++)
		near_try(&near, languages[i].name);
	for (i = 0; i < LANGUAGE_COUNT && near.best != NULL; i++) {
		if (near.best == languages[i].name)
			return languages[i].tag;
	}
	return NULL;
}

/* Returns the first subtag that is not registered, or NULL if all are. *what
 * becomes its kind: "language", "script" or "region". */
static const char *
unregistered(const char *tag, const char **what)
{
	const char *script = lang_table_script(tag);
	const char *region = region_of(tag);

	if (strncasecmp(tag, "x-", 2) == 0)
		return NULL;
	*what = "language";
	if (!is_known_language(tag, lang_table_primary(tag)))
		return tag;
	*what = "script";
	if (script != NULL && !is_known_script(script))
		return script;
	*what = "region";
	return region != NULL && !is_known_region(region) ? region : NULL;
}

const char *
subtag_meant(struct arena *a, const char *text)
{
	char *hyphens = arena_text_n(a, text, strcspn(text, ".@"));
	const char *clean, *what, *bad;
	size_t len;

	for (char *p = hyphens; *p != '\0'; p++) {
		if (*p == '_' || *p == ' ')
			*p = '-';
	}
	len = strcspn(hyphens, "-");
	clean = lang_clean(a, hyphens);
	bad = clean == NULL ? NULL : unregistered(clean, &what);
	if (clean != NULL && bad == NULL)
		return clean;
	if (bad != NULL && bad > clean && strncmp(bad, "UK", 3) == 0)
		return arena_printf(a, "%.*sGB", (int)(bad - clean), clean);
	return meant_by(hyphens, len);
}

/* Returns the end of a refusal: "; did you mean en-GB?", or examples of tags. */
static const char *
suggestion(struct arena *a, const char *text)
{
	const char *meant = subtag_meant(a, text);

	return meant == NULL ? ": write en, ar, pt-BR and the like." : near_question(a, meant);
}

struct err *
subtag_read(struct ctx *c, const char *param, const char *text, const char *old, const char **out)
{
	const char *clean = lang_clean(c->arena, text), *bad, *what;

	*out = NULL;
	if (clean == NULL)
		return err_param(c, param, tr_mark("%s is not a language tag%s"), text,
		    suggestion(c->arena, text));
	bad = old != NULL && strcmp(old, clean) == 0 ? NULL : unregistered(clean, &what);
	if (bad != NULL)
		return err_param(c, param,
		    tr_mark("%s is not a language tag: there is no %s %.*s%s"), text, what,
		    (int)strcspn(bad, "-"), bad, suggestion(c->arena, text));
	*out = clean;
	return NULL;
}

const char *
subtag_doubt(struct arena *a, const char *tag)
{
	for (size_t i = 0; i < sizeof(doubts) / sizeof(doubts[0]); i++) {
		if (strcmp(tag, doubts[i].tag) == 0)
			return arena_printf(a, "%s is %s; %s is %s.", tag, doubts[i].is,
			    doubts[i].other, doubts[i].meant);
	}
	return NULL;
}
