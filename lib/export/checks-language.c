#include <string.h>
#include <strings.h>

#include "base/arena.h"
#include "base/ctx.h"
#include "base/utf8.h"
#include "export/checks.h"
#include "export/facts.h"
#include "export/html.h"

/* ---- what is known of languages */

/* A language is added as one row. The bit sets of the vote have room for 64 rows. */
const struct checks_words checks_words[] = {
	{ "ar", "Arabic", SCRIPT_ARABIC,
	    "في من على إلى أن عن التي الذي هذا هذه مع ما لا أو كان كما بعد قد بين لم لن إذا كل ذلك عند هو هي حتى يمكن غير وهو ثم أنه كانت تم",
	    "كنموذج لغوي|بصفتي نموذج|نص وهمي|[أدخل" },
	{ "bg", "Bulgarian", SCRIPT_CYRILLIC,
	    "на и в за се от да не са с по е като но или ще което това при до към който може един една си които че тя той ги ви бъде след",
	    "като езиков модел|[въведете" },
	{ "bn", "Bengali", SCRIPT_REST, "", "" },
	{ "ca", "Catalan", SCRIPT_LATIN,
	    "de la i el que en a els les un una per amb és del no al com més o però són aquest aquesta seva també es ha dels pot quan si això",
	    "com a model de llenguatge|[inseriu" },
	{ "cs", "Czech", SCRIPT_LATIN,
	    "a v se na je že s z do o to i ve pro jako za by ale jsou od po jeho který která které nebo není být k už když tak si jsem než které má bude této jak",
	    "jako jazykový model|[vložte" },
	{ "da", "Danish", SCRIPT_LATIN,
	    "og at det i en er som på af for med til den har de ikke om et men var jeg sig fra kan eller så man når vil der du hvis også hvad din mere",
	    "som en sprogmodel|[indsæt" },
	{ "de", "German", SCRIPT_LATIN,
	    "der die und in den von zu das mit sich des auf für ist im dem nicht ein eine als auch es an werden aus er hat dass sie nach wird bei einer um am sind noch wie einem über so zum kann wenn oder aber nur durch mehr",
	    "als ki-sprachmodell|als sprachmodell|als ki-modell|als künstliche intelligenz|[einfügen|[hier einfügen|[ihr name|hier text einfügen|blindtext" },
	{ "el", "Greek", SCRIPT_GREEK,
	    "και το να της του η τα με για που από την στο είναι τους στην θα μια οι δεν σε τον",
	    "ως γλωσσικό μοντέλο|[εισάγετε" },
	{ "en", "English", SCRIPT_LATIN,
	    "the of and to in is that it for on with as are this be by or an at from not have you your can which but they was will their if has when more what how there we do one all",
	    "as an ai language|as an ai model|as an ai assistant|as an ai,|as an ai i |as a large language model|as a language model,|insert text here|text goes here|content goes here" },
	{ "es", "Spanish", SCRIPT_LATIN,
	    "de la que el en y los del se las por un para con no una su al es lo como más o pero sus le ha me si sin sobre este ya entre cuando todo esta ser son también fue muy puede",
	    "como modelo de lenguaje|como una ia|como ia,|[insertar|[inserte|[su nombre|[tu nombre|texto de relleno" },
	{ "fa", "Persian", SCRIPT_ARABIC,
	    "و در به از که این را با است برای آن یک می تا بر هم خود ها شود اما یا اگر شما باید کنید هر نیز",
	    "به عنوان یک مدل زبان|متن ساختگی|[وارد کنید" },
	{ "fi", "Finnish", SCRIPT_LATIN,
	    "ja on ei se että oli mutta kun niin hän joka ovat myös tai kuin sen jos voi ole mukaan ne jotka hyvin",
	    "kielimallina|tekoälynä|[lisää" },
	{ "fr", "French", SCRIPT_LATIN,
	    "de la le et les des en un une du dans est que qui pour par sur au pas plus ne se sont avec ce il vous ou cette aux être votre mais comme elle nous leur d l qu à vos si peut",
	    "en tant que modèle de langage|en tant qu’ia|en tant qu'ia|en tant qu’intelligence artificielle|en tant qu'intelligence artificielle|[insérer|[insérez|[votre nom|texte de remplissage" },
	{ "he", "Hebrew", SCRIPT_HEBREW, "", "כמודל שפה|כבינה מלאכותית|[הכנס|[הזן" },
	{ "hi", "Hindi", SCRIPT_DEVANAGARI, "", "भाषा मॉडल के रूप में|एआई मॉडल के रूप में|[यहाँ" },
	{ "hu", "Hungarian", SCRIPT_LATIN,
	    "a az és hogy nem is egy ez van de csak meg ha már mint vagy azt el még ki volt lehet kell ezt",
	    "nyelvi modellként|[illessze" },
	{ "id", "Indonesian", SCRIPT_LATIN,
	    "yang dan di untuk dengan dari ini itu pada tidak dalam adalah ke akan atau juga dapat oleh anda lebih bisa sebagai ada jika",
	    "sebagai model bahasa|[masukkan" },
	{ "it", "Italian", SCRIPT_LATIN,
	    "di e il che la in a per un del non è una con sono da della le si dei come più al nel gli alla anche ma delle i lo ha o questo se essere può loro dell l tuo",
	    "come modello linguistico|come modello di linguaggio|come ia,|come intelligenza artificiale,|[inserire|[inserisci|testo segnaposto" },
	{ "ja", "Japanese", SCRIPT_KANA, "",
	    "言語モデルとして|aiとして、|aiアシスタントとして|ダミーテキスト|ここに入力|［ここに|[ここに" },
	{ "ko", "Korean", SCRIPT_HANGUL, "", "언어 모델로서|ai로서|인공지능으로서|[여기에|[삽입" },
	{ "nb", "Norwegian", SCRIPT_LATIN,
	    "og at det i en er som på av for med til den har de ikke om et men var jeg seg fra kan eller så man når vil der du hvis også hva din mer",
	    "som en språkmodell|[sett inn" },
	{ "nl", "Dutch", SCRIPT_LATIN,
	    "de het een van en in is dat op te zijn met voor niet die aan er om ook als bij maar of uit door naar dan nog wordt worden kan deze heeft je wat over meer",
	    "als taalmodel|als ai-taalmodel|als ai-model|[voeg in|[invoegen|[uw naam|[jouw naam" },
	{ "pl", "Polish", SCRIPT_LATIN,
	    "w i na z do się nie jest to że o a jak po od za przez dla ale co są tym oraz może który która które ich jego być lub już tak czy tylko jako aby",
	    "jako model językowy|jako sztuczna inteligencja,|[wstaw" },
	{ "pt", "Portuguese", SCRIPT_LATIN,
	    "de a o que e do da em um para é com não uma os no se na por mais as dos como mas foi ao ele das tem à seu sua ou ser quando muito há nos já está você são pode",
	    "como um modelo de linguagem|como modelo de linguagem|como uma ia,|[inserir|[insira|[seu nome|[o seu nome" },
	{ "ro", "Romanian", SCRIPT_LATIN,
	    "de și în a la cu pe nu o un este să din care mai pentru că sunt ca au prin sau dar fi se al poate",
	    "ca model de limbaj|[introduceți" },
	{ "ru", "Russian", SCRIPT_CYRILLIC,
	    "и в не на что с по как это к но из у за от для о так все же бы или если его она он они который также можно мы вы быть а только при чтобы их",
	    "как языковая модель|как искусственный интеллект,|будучи языковой моделью|[вставьте|[вставить|[ваше имя" },
	{ "sv", "Swedish", SCRIPT_LATIN,
	    "och att det i en som på är av för med till den har de inte om ett men var jag sig från kan eller så man när vill du din där vad också mer",
	    "som en språkmodell|[infoga" },
	{ "th", "Thai", SCRIPT_THAI, "", "ในฐานะโมเดลภาษา|ในฐานะ ai" },
	{ "tr", "Turkish", SCRIPT_LATIN,
	    "ve bir bu da de için ile olarak çok daha gibi olan en ne kadar ya sonra her veya ama değil mi var ancak şu o olduğu göre",
	    "dil modeli olarak|yapay zeka olarak|[buraya|[ekleyin" },
	{ "uk", "Ukrainian", SCRIPT_CYRILLIC,
	    "і в не на що з та до це як але від за для про або якщо його вона він вони який також можна ми ви бути є у й а щоб їх при які",
	    "як мовна модель|як штучний інтелект,|[вставте|[вставити|[ваше ім" },
	{ "ur", "Urdu", SCRIPT_ARABIC,
	    "کے کی میں ہے اور کا سے کو پر نے ہیں یہ کہ اس بھی ایک نہیں تھا کر لیے آپ ہو تو",
	    "لینگویج ماڈل کے طور پر|زبان کے ماڈل کے طور پر|[یہاں" },
	{ "vi", "Vietnamese", SCRIPT_LATIN,
	    "của và là có không được cho trong một các những với này đã để người khi từ đến bạn",
	    "là một mô hình ngôn ngữ|[chèn" },
	{ "zh", "Chinese", SCRIPT_HAN, "",
	    "作为一个语言模型|作为语言模型|作为一个人工智能|作为人工智能语言|作为一个ai|作為一個語言模型|作為語言模型|作為一個人工智能|作為一個ai|此处插入|在此插入|在此處插入" },
};

const size_t checks_words_count = sizeof(checks_words) / sizeof(checks_words[0]);

int
checks_words_find(const char *tag)
{
	size_t len = lang_table_primary(tag);

	/* Both written forms of Norwegian are one language here. */
	if (len == 2 && (strncasecmp(tag, "no", 2) == 0 || strncasecmp(tag, "nn", 2) == 0))
		tag = "nb";
	for (size_t i = 0; i < checks_words_count; i++) {
		if (strlen(checks_words[i].tag) == len &&
		    strncasecmp(checks_words[i].tag, tag, len) == 0)
			return (int)i;
	}
	return -1;
}

/* ---- the article's language */

#define LETTERS_MIN 40 /* fewer letters do not tell a language */
#define VOTES_MIN 8 /* another language needs so many votes */
#define WORDS_MAX 4000 /* at most so many words vote */
#define SLOTS 4096 /* a power of two, for some 1,000 frequent words */
#define LANGUAGES_MAX 64

/* A frequent word, and the languages that have it, one bit each. */
struct slot {
	const char *word;
	size_t len;
	uint64_t languages;
};

struct vote {
	struct slot slots[SLOTS];
	size_t words;
	size_t votes[LANGUAGES_MAX];
	size_t letters[SCRIPT_REST + 1];
	size_t letter_count;
};

/* Returns the slot of a word, or the free slot where the word belongs. */
static struct slot *
slot_of(struct vote *v, const char *word, size_t len)
{
	size_t hash = 5381;

	for (size_t i = 0; i < len; i++)
		hash = hash * 33 + (unsigned char)word[i];
	for (hash &= SLOTS - 1;; hash = (hash + 1) & (SLOTS - 1)) {
		struct slot *slot = &v->slots[hash];
		if (slot->word == NULL || (slot->len == len && memcmp(slot->word, word, len) == 0))
			return slot;
	}
}

/* Adds the frequent words of a language, folded. */
static void
add_words(struct vote *v, struct arena *a, size_t language)
{
	const char *p = lang_fold(a, checks_words[language].frequent);

	while (*p != '\0') {
		size_t len = strcspn(p, " ");
		struct slot *slot = slot_of(v, p, len);
		slot->word = p;
		slot->len = len;
		slot->languages |= UINT64_C(1) << language;
		p += len + (p[len] == ' ');
	}
}

/* Gives a vote to each language that has the word among its frequent ones. */
static void
count_word(struct vote *v, const char *word, size_t len)
{
	uint64_t languages = slot_of(v, word, len)->languages;

	v->words++;
	for (size_t i = 0; languages != 0; i++, languages >>= 1)
		v->votes[i] += languages & 1;
}

/* Counts the letters of each script, and lets each word vote. */
static void
count_text(struct vote *v, struct arena *a, const char *text)
{
	const char *p = lang_fold(a, text), *word = NULL;

	while (*p != '\0') {
		const char *at = p;
		uint32_t cp = utf8_next(&p);
		enum lang_script script = lang_script(cp);
		v->letters[script]++;
		v->letter_count += script != SCRIPT_OTHER;
		if (lang_is_word(cp)) {
			if (word == NULL)
				word = at;
		} else if (word != NULL) {
			count_word(v, word, (size_t)(at - word));
			word = NULL;
		}
	}
	if (word != NULL)
		count_word(v, word, (size_t)(p - word));
}

static const struct {
	const char *subtag;
	enum lang_script script;
} subtags[] = {
	{ "Latn", SCRIPT_LATIN },
	{ "Grek", SCRIPT_GREEK },
	{ "Cyrl", SCRIPT_CYRILLIC },
	{ "Hebr", SCRIPT_HEBREW },
	{ "Arab", SCRIPT_ARABIC },
	{ "Deva", SCRIPT_DEVANAGARI },
	{ "Hans", SCRIPT_HAN },
	{ "Hant", SCRIPT_HAN },
	{ "Hani", SCRIPT_HAN },
	{ "Jpan", SCRIPT_KANA },
	{ "Kore", SCRIPT_HANGUL },
	{ "Hang", SCRIPT_HANGUL },
	{ "Thai", SCRIPT_THAI },
};

/* Returns the script that the language tag asks for, or SCRIPT_OTHER if the
 * language's script is not known. */
static enum lang_script
script_of(const char *tag, int language)
{
	const char *subtag = lang_table_script(tag);

	if (subtag == NULL)
		return language < 0 ? SCRIPT_OTHER : checks_words[language].script;
	for (size_t i = 0; i < sizeof(subtags) / sizeof(*subtags); i++) {
		if (strncasecmp(subtag, subtags[i].subtag, 4) == 0)
			return subtags[i].script;
	}
	return SCRIPT_REST;
}

static const char *
script_name(enum lang_script script)
{
	static const char *const names[] = { "other", "Latin", "Greek", "Cyrillic", "Hebrew",
		"Arabic", "Devanagari", "Chinese", "Japanese", "Korean", "Thai", "other" };

	return names[script];
}

/* Returns the number of letters of a script. In Japanese and Korean texts,
 * Chinese characters count, too. */
static size_t
letters_in(const struct vote *v, enum lang_script script)
{
	size_t count = v->letters[script];

	if (script == SCRIPT_KANA || script == SCRIPT_HANGUL)
		count += v->letters[SCRIPT_HAN];
	return count;
}

/* Check 13, first part: at least half of the letters must be of the script of the
 * article's language. The share of kana tells Japanese from Chinese, and the
 * share of Hangul tells Korean from Chinese. */
static const char *
check_script(const struct checks *k, const struct vote *v, enum lang_script script)
{
	size_t kana = v->letters[SCRIPT_KANA], han = v->letters[SCRIPT_HAN];
	enum lang_script most = SCRIPT_LATIN;

	for (int s = SCRIPT_LATIN; s <= SCRIPT_REST; s++) {
		if (v->letters[s] > v->letters[most])
			most = (enum lang_script)s;
	}
	if (script == SCRIPT_HAN && 10 * kana > han + kana)
		return tr_for(k->c, "The text reads like Japanese: it has kana.");
	if ((script == SCRIPT_KANA && 20 * kana < han) ||
	    (script == SCRIPT_HANGUL && v->letters[SCRIPT_HANGUL] < han))
		return tr_for(
		    k->c, "The text reads like Chinese: nearly all of it is Han characters.");
	if (2 * letters_in(v, script) < v->letter_count)
		return arena_printf(k->arena,
		    tr_for(k->c, "Most letters are %s; the article's language is %s."),
		    script_name(most), k->f->language);
	return NULL;
}

/* Check 13, second part: the check fails if another language of the script has
 * VOTES_MIN votes or more, and over a quarter more than the article's own. */
static const char *
check_vote(const struct checks *k, const struct vote *v, int language)
{
	size_t own = v->votes[language], best = 0;

	for (size_t i = 0; i < checks_words_count; i++) {
		if (v->votes[i] > v->votes[best])
			best = i;
	}
	if (v->votes[best] < VOTES_MIN || 4 * v->votes[best] <= 5 * own)
		return NULL;
	return arena_printf(k->arena,
	    tr_for(k->c, "The text reads like %s; the article's language is %s (%s)."),
	    checks_words[best].name, checks_words[language].name, k->f->language);
}

const char *
checks_language(const struct checks *k)
{
	struct vote *v = arena_alloc(k->arena, sizeof(*v));
	int language = checks_words_find(k->f->language);
	enum lang_script script = script_of(k->f->language, language);
	const char *reason;

	if (script == SCRIPT_OTHER)
		return NULL;
	for (size_t i = 0; i < checks_words_count; i++) {
		if (checks_words[i].script == script)
			add_words(v, k->arena, i);
	}
	for (size_t i = 0; i < k->text_count && v->words < WORDS_MAX; i++) {
		if (k->texts[i].kind != CONTENT_IS_CODE)
			count_text(v, k->arena, checks_prose(k, &k->texts[i]));
	}
	if (v->letter_count < LETTERS_MIN)
		return NULL;
	reason = check_script(k, v, script);
	if (reason == NULL && language >= 0 && checks_words[language].script == script &&
	    checks_words[language].frequent[0] != '\0')
		reason = check_vote(k, v, language);
	return reason;
}

/* ---- what drafts leave behind */

/* Phrases that no published text may contain, in any language. They are in lower
 * case and separated by "|". */
static const char everywhere[] =
    "lorem ipsum|dolor sit amet|[insert |[your |[placeholder|[todo|[tbd|[company name|{{";

/* Returns the phrases of both lists, folded; NULL ends them. */
static const char **
phrases_of(struct arena *a, const char *list, const char *more)
{
	char *text = arena_text(a, lang_fold(a, arena_printf(a, "%s|%s", list, more)));
	const char **phrases = arena_array(a, strlen(text) + 2, sizeof(*phrases));
	size_t count = 0;

	while (text != NULL) {
		char *bar = strchr(text, '|');
		if (bar != NULL)
			*bar = '\0';
		if (text[0] != '\0')
			phrases[count++] = text;
		text = bar == NULL ? NULL : bar + 1;
	}
	return phrases;
}

/* Returns whether the found text is a word: no letter or digit touches either end
 * of it. */
static bool
is_word_at(const char *text, const char *at, size_t len)
{
	const char *before = at, *after = at + len;

	if (at > text) {
		do
			before--;
		while (before > text && ((unsigned char)*before & 0xC0) == 0x80);
		if (lang_is_word(utf8_next(&before)))
			return false;
	}
	return !lang_is_word(utf8_next(&after));
}

/* Finds a mark of unfinished work: TODO, FIXME or TBD as a word of its own, in
 * capitals. In Spanish and Portuguese, where "todo" is a word that a headline may
 * write in capitals, ":" or "(" must follow it. */
static const char *
marker_in(const struct checks *k, const char *text)
{
	static const char *const markers[] = { "TODO", "FIXME", "TBD" };
	bool careful =
	    strncmp(k->f->language, "es", 2) == 0 || strncmp(k->f->language, "pt", 2) == 0;

	for (size_t i = 0; i < sizeof(markers) / sizeof(*markers); i++) {
		size_t len = strlen(markers[i]);
		const char *p = text;
		while ((p = strstr(p, markers[i])) != NULL) {
			if (is_word_at(text, p, len) &&
			    (!careful || p[len] == ':' || p[len] == '('))
				return markers[i];
			p += len;
		}
	}
	return NULL;
}

/* Check 12, for one text: it must contain no marker as it is spelled, and no
 * placeholder phrase in any case. */
static const char *
placeholder_in(const struct checks *k, const char **phrases, const char *text, const char *place)
{
	const char *found = marker_in(k, text);
	const char *folded = lang_fold(k->arena, text);

	for (; found == NULL && *phrases != NULL; phrases++) {
		if (strstr(folded, *phrases) != NULL)
			found = *phrases;
	}
	if (found == NULL)
		return NULL;
	return arena_printf(k->arena, tr_for(k->c, "There is \"%s\" in %s."), found, place);
}

/* Check 12 fails for an edition that was published with to-dos. They were left
 * out, so that its content does not show them. */
static const char *
left_out(const struct checks *k)
{
	int64_t count = k->f->snapshot->unfinished;

	if (!k->f->source->published || count == 0)
		return NULL;
	return arena_printf(k->arena,
	    tr_count_for(k->c, "%lld place had something to do when it was published.",
		"%lld places had something to do when it was published.", count),
	    (long long)count);
}

/* Check 12 fails if there is a callout of kind todo. */
static const char *
todo_in(const struct checks *k, const struct section *sections, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const struct section *s = &sections[i];
		const char *reason;
		for (size_t j = 0; j < s->callout_count; j++) {
			if (s->callouts[j].kind != CALLOUT_TODO)
				continue;
			checks_at(k, s->callouts[j].text);
			return arena_printf(k->arena,
			    tr_for(k->c, "There is something to do in %s: %s."),
			    s->heading[0] == '\0' ? tr_for(k->c, "the beginning") : s->heading,
			    checks_excerpt(k, s->callouts[j].text));
		}
		reason = todo_in(k, s->subsections, s->subsection_count);
		if (reason != NULL)
			return reason;
	}
	return NULL;
}

/* Check 12, for the texts beside the flow of the content. */
static const char *
placeholder_beside(const struct checks *k, const char **phrases)
{
	const struct content *content = k->f->content;
	const struct {
		const char *text, *place;
	} others[] = {
		{ k->f->snapshot->title, tr_mark("the title") },
		{ k->f->description, tr_mark("the meta description") },
		{ content->image_alt, tr_mark("the cover's alternative text") },
		{ content->image_caption, tr_mark("the cover's caption") },
	};
	const char *reason = NULL;

	for (size_t i = 0; i < 4 && reason == NULL; i++) {
		if (others[i].text != NULL)
			reason = placeholder_in(
			    k, phrases, others[i].text, tr_for(k->c, others[i].place));
	}
	return reason;
}

const char *
checks_placeholders(const struct checks *k)
{
	int language = checks_words_find(k->f->language);
	const char *own = language < 0 ? "" : checks_words[language].placeholders;
	const char *english = checks_words[checks_words_find("en")].placeholders;
	const char **phrases =
	    phrases_of(k->arena, everywhere, arena_printf(k->arena, "%s|%s", english, own));
	const struct content *content = k->f->content;
	const char *reason = left_out(k);

	if (reason == NULL)
		reason = todo_in(k, content->sections, content->section_count);
	for (size_t i = 0; i < k->text_count && reason == NULL; i++) {
		if (k->texts[i].kind != CONTENT_IS_CODE)
			reason = placeholder_in(
			    k, phrases, checks_prose(k, &k->texts[i]), k->texts[i].place);
		if (reason != NULL)
			*k->text = i + 1;
	}
	return reason != NULL ? reason : placeholder_beside(k, phrases);
}
