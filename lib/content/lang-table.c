#include "content/lang-table.h"

#include <stdbool.h>
#include <string.h>
#include <strings.h>

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

const char *
lang_table_region(const char *tag)
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
	const char *region = lang_table_region(tag);

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
