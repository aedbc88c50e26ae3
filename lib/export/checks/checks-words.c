#include <string.h>
#include <strings.h>

#include "content/lang.h"
#include "export/checks/checks.h"

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
