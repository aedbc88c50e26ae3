#include "provider/outline/stopwords.h"

#include <stdio.h>
#include <string.h>

#include "provider/outline/phrases.h"

#define WORD_MAX 48 /* bytes; no word of the lists has more */

/* The words of a language, folded, each between two spaces. */
static const struct {
	const char *language;
	const char *words;
} lists[] = {
	{ "en",
	    " a about after all also an and any are as at be because been before being best better between both but by can could did do does doing don done every few for from get getting good had has have her here his how if in into is it its just know let like ll make making many me more most much my need new no nor not of off on once one only or other our out over own please re same she should so some such tell than that the their them then there these they things this those through to too top under until up us use using ve very want was way ways we were what when where which while who why will with without would write you your article articles " },
	{ "de",
	    " ab aber alle allem allen aller alles als also am an auch auf aus bei beim besser beste besten bin bis da damit dann das dass dein deine dem den denn der des die dies diese dieser dieses doch du durch ein eine einem einen einer eines er es für gegen gibt gut gute guten haben hat hier ihr ihre ihren im in ins ist ja jede jeder jedes kann kein keine können machen macht man mehr mein mit muss nach nicht noch nur ob oder ohne schon sehr sein seine sich sie sind so soll sollte sollten über um und uns unser unsere unter vom von vor wann warum was wenn wer werden wie wieder wir wird wo wurde zu zum zur zwischen artikel tipps " },
	{ "fr",
	    " afin ai ainsi alors après au aussi autre autres aux avant avec avoir bien bon bonne car ce ceci cela ces cet cette ceux chaque chez comme comment contre dans de depuis des dès deux doit donc du elle elles en encore entre est et être eu faire fait faut il ils je la le les leur leurs lors lui ma mais me meilleur meilleurs même mes moins mon ne ni nos notre nous on ont ou où par pas peu peut plus pour pourquoi pouvoir qu quand que quel quelle quelles quels qui quoi sa sans se selon ses si son sont sous sur ta tes toi ton tous tout toute toutes très tu un une vers voici vos votre vous article articles " },
	{ "es",
	    " al algo algunos ante antes aquí así aun aunque bien bueno buenos cada casi como cómo con contra cual cuál cuales cuáles cuando cuándo cuanto de del desde después donde dónde dos el él ella ellas ellos en entre era es esa ese eso esta está estas este esto estos forma formas fue ha hace hacer hasta hay la las le les lo los más me mejor mejores mi mis mucho muy nada ni no nos nosotros nuestra nuestro o otra otro otros para pero poco por porque puede pueden que qué quien quién se sea ser si sí sin sobre son su sus también tan tener tiene toda todas todo todos tu tus un una unas uno unos usted y ya artículo " },
	{ "it",
	    " a ad agli ai al alla alle allo anche ancora avere bene buona buono che chi ci col come con contro cosa così cui da dal dalla dalle degli dei del dell della delle dello dentro di dopo dove due e è ed era essere fa fare fra gli ha hanno ho i il in io la le lei lo loro lui ma meglio meno mia migliore migliori mio molto ne nei nel nell nella nelle nello noi non nostra nostro o ogni oltre per perché perchè più poco prima può qual quale quali quando quanto quella quelle quello questa queste questi questo qui se sei senza si sia solo sono sopra sotto su sua sue sugli sui sul sulla suo suoi tra tu tua tuo tutta tutte tutti tutto un una uno usare voi articolo " },
	{ "pt",
	    " a ao aos apenas após as às até bem boa bom cada com como contra da das de dela dele depois desde deve do dois dos e é ela elas ele eles em entre era essa esse esta está estas este estes eu faz fazer foi há isso isto já lhe mais mas me melhor melhores mesmo meu minha muito na não nas nem no nos nós nossa nosso num numa o onde os ou para pela pelas pelo pelos pode podem por porque porquê pouco qual quais quando quanto que quê quem se sem ser seu seus só sob sobre sua suas são também tem ter toda todas todo todos tu um uma umas uns usar você vocês artigo " },
	{ "nl",
	    " aan al alle alles als altijd ben beste beter bij daar dan dat de der deze die dit doen door dus een en er geen goed goede haar had heb hebben heeft hem het hier hij hoe hun ik in is je jij jou jouw kan kun kunnen maar maken mag me meer men met mijn moet moeten na naar niet nieuwe nog nu of om omdat onder ons onze ook op over te tegen ten ter tot tussen u uit uw van veel voor waar waarom wanneer was wat we wel welke werd wie wij wil worden wordt zal ze zelf zich zij zijn zo zonder zou artikel tips " },
	{ "pl",
	    " a aby albo ale ani bardzo bez bo by być był była było były będą będzie choć ci co czego czy czyli dla do dobre dobry gdy gdzie go i ich ile im inne ja jak jaka jaki jakie je jego jej jest jeszcze jeśli już każdy kiedy która które którego której których który kto ma mają mi mieć mnie może można mój my na nad najlepsze najlepszy nam nas nasz nasze nie niego niej nim nich niż o od on ona one oni oraz po pod ponieważ przed przez przy robić się są swoje swój ta tak także tam te tego tej ten to tu twoje twój ty tych tylko tym u w wasze we więc wy wszystkie wszystko z za zawsze ze że żeby artykuł " },
	{ "tr",
	    " acaba ama ancak artık bazı belki ben bile bir biraz birçok biz bu bunu bunun böyle çok çünkü da daha de değil diye eğer en en gibi hangi hem hep her hiç için ile ise iyi kadar ki kim mı mi mu mü nasıl ne neden nedir nerede niçin niye o olan olarak oldu olduğu olur olmak onlar onu onun sen siz sonra şey şu tüm ve veya ya yani yapmak yapılır yeni yok var üzere önce makale " },
	{ "ru",
	    " а без более бы был была были было быть в вам вас ваш ваша ваши весь во вот все всё всего всех вы где да для до его ее её если есть еще ещё же за зачем и из или им их к как какая какие какой когда кто ли лучше лучшие лучший меня мне много может можно мой мы на над надо нам нас наш наша наши не него нет ни них но ну нужно о об один он она они оно от очень по под после почему при про с самый сам свой себя сделать со так также такой там те тем то того тоже только том тот ты у уже хорошо чего чем через что чтобы это этого этой этот эти я статья " },
	{ "uk",
	    " а або адже але б без більше би бо був була були було бути в вам вас ваш ваша ваші весь ви від він вона вони воно все всі всіх да де для до є же з за зі і із й його її як яка яке який які якщо інші їх кожен коли краще кращі ми мій може можна на над нам нас наш наша наші не немає ні ніж но о один після по під при про робити свій себе так також такий там те ти тих то того той тому треба тільки у хто це цей ця ці чи чим чому ще що щоб я стаття " },
	{ "ar",
	    " أحد أخرى إذا إلا إلى التي الذي الذين الى أم أما أن إن أنا أنت أنها أو أول أي أين أفضل بعد بعض بل بين تحت تكون ثم جدا جميع حتى حول حيث خلال دون ذات ذلك سوف ضد عبر على عليك علينا عليه عليها عن عند عندما غير في فيه فيها فقط قبل قد كان كانت كل كم كما كيف كيفية لا لدى لذلك لكن لم لماذا لن لنا له لها ليس ما ماذا متى مثل مع من منذ منها منه نحن نحو هذا هذه هل هم هنا هناك هو هي وهو وهي يا يجب يكون يمكن مقال مقالة " },
	{ "he",
	    " אבל או אחד אחרי אחרת איך אין איפה אל אם אני אנחנו אף את אתה אתם בו בין בלי בכל גם הוא היא היה הייתה הם הן הנה ואת ועל וגם זה זאת זו טוב יותר יש כאן כדי כי כך כל כמה כמו לא לאחר לה להם להיות לו לי לך לנו לעשות לפני למה מאוד מה מהו מהי מי מן מתי נגד עד על עוד עם עכשיו עצמו פה רק של שלהם שלו שלי שלך שלכם שלנו שם תוך מאמר כיצד מדוע היכן " },
	{ "fa",
	    " آن آنها از است اگر اما انجام او ای این اینکه با باشد باید بدون بر برای بعد به بهتر بهترین بود پس پیش تا تر ترین تو چرا چطور چگونه چند چه چی چیست خود خوب در درباره دو دیگر را روی زیر سپس شد شده شما شود کجا کدام کرد کردن کرده کند کنید کنیم که کی ما مانند مثل من می نیز نیست ها های هر هم همه هیچ و ولی یا یک مقاله " },
	{ "hi",
	    " अगर अच्छा अच्छे अपना अपनी अपने अब आप आपका आपकी आपके इन इस इसका इसकी इसके इसे उन उस उसका उसके उसे एक और कई कब कर करना करने करें करे का कि किस किसी की कुछ के कैसे को कोई कौन क्या क्यों जब जहाँ जा जाता जाती जाते जो तक तथा तब तो था थी थे दिया दे दो द्वारा न नहीं ने पर फिर बहुत बाद बारे बिना भी मगर में मैं यदि यह यहाँ या ये रहा रही रहे लिए लेकिन वह वाला वाली वाले वे सकता सकते सब सभी साथ से हम हमारे हर ही हुआ हुई हुए है हैं हो होता होती होते होना लेख " },
	{ "ja", " 方法 私 何 時 中 上 下 前 後 的 等 記事 場合 必要 " },
	{ "ko",
	    " 가장 그 그것 그리고 그러나 나 나의 내 너무 누가 다른 대한 대해 더 또 또는 많은 매우 모든 무엇 무엇인가 및 방법 보다 수 아주 어디 어떤 어떻게 언제 없는 왜 우리 위한 위해 이 이것 이런 있는 있다 저 좋은 좀 중 때 것 통해 하기 하는 하는법 하다 한 할 해야 글 기사 " },
	{ "zh",
	    " 一个 一個 一些 一种 一種 与 與 为什么 為什麼 为何 什么 什麼 他们 你 你们 你的 您 您的 使用 了解 其他 其中 及 及其 可以 吗 嗎 和 哪些 哪里 多少 如何 它 它们 对于 對於 怎么 怎麼 怎样 怎樣 我 我们 我們 或 或者 方法 是否 最好 最佳 没有 沒有 的 能够 自己 要 让 讓 这个 這個 这些 這些 那个 那些 都 需要 请 請 以及 关于 關於 有关 文章 指南 " },
};

static const char *
words_of(const char *tag)
{
	for (size_t i = 0; i < sizeof(lists) / sizeof(*lists); i++) {
		if (phrases_is_language(tag, lists[i].language))
			return lists[i].words;
	}
	return NULL;
}

static bool
listed(const char *words, const char *word, size_t len)
{
	char needle[WORD_MAX + 3];

	if (words == NULL || len > WORD_MAX)
		return false;
	snprintf(needle, sizeof(needle), " %.*s ", (int)len, word);
	return strstr(words, needle) != NULL;
}

bool
stopwords_has(const char *tag, const char *fold)
{
	size_t len = strlen(fold);

	return listed(words_of(tag), fold, len) || listed(lists[0].words, fold, len);
}

size_t
stopwords_han(const char *tag, const char *han, size_t len)
{
	const char *words = words_of(tag);

	if (!phrases_is_language(tag, "zh"))
		return 0;
	/* Try the longest first. Every Han character of the list has three bytes. */
	for (size_t bytes = 9; bytes > 0; bytes -= 3) {
		if (bytes <= len && listed(words, han, bytes))
			return bytes;
	}
	return 0;
}
