#include "provider/outline/phrases.h"

/* Of Western Asia. */
static const struct phrases list[] = {
	{
	    .tag = "tr",
	    .open = "“",
	    .close = "”",
	    .overview = "{}: genel bakış",
	    .about = "Bu yazının konusu: {}.",
	    .summary = "Bu yazının konusu {}: ne anlama geldiği, neden önemli "
		"olduğu, uygulamada nasıl yürüdüğü ve nelere dikkat edilmesi "
		"gerektiği.",
	    .description = "{}: ne anlama gelir, neden önemlidir, uygulamada "
		"nasıl yürür ve nelere dikkat edilmelidir.",
	    .angle = "Anlaşılır bir giriş: kavramların anlamından okurun ilk "
		"adımlarına.",
	    .audience = "Konuyla ilk kez karşılaşan okurlar.",
	    .parts = {
		{ "Konu nedir",
		  { "Kavramların anlamı, yalın sözlerle",
		    "Kimler için olduğu, kimlerin atlayabileceği",
		    "Bu yazının dışında kalanlar" },
		  "Konuyu bir arkadaşınıza anlatır gibi iki üç cümleyle "
		  "açıklayın. Yeni başlayanların bilmediği her kavramı "
		  "tanımlayın ve konunun nerede bittiğini söyleyin." },
		{ "Neden önemli",
		  { "Okur için neyin değiştiği",
		    "Hiçbir şey yapılmazsa ne olacağı",
		    "Ne kadar zaman, para ve emek istediği" },
		  "Okurun ne kazandığını ve bunun neye mal olduğunu söyleyin. "
		  "Her sayı için bir kaynak gösterin ya da sayıyı çıkarın." },
		{ "Uygulamada nasıl yürür",
		  { "Başlamadan önce hazırlanacaklar",
		    "Adımlar, sırasıyla",
		    "Uygulamadan bir örnek" },
		  "Yolu adım adım anlatın, her adımda tek bir iş olsun. "
		  "Adımları, bunu hiç yapmamış birine deneterek sınayın." },
		{ "Nelere dikkat edilmeli",
		  { "Sık yapılan hatalar ve onlardan kaçınmanın yolları",
		    "Sınırlar ve açık sorular",
		    "Ne zaman bir uzmana danışılacağı" },
		  "Kendi gördüğünüz hataları ve nasıl düzeltildiklerini yazın. "
		  "Bilinmeyenleri açıkça söyleyin." },
	    },
	    .leads = { "Bu bölümde:", "Okurun burada bulacakları:",
		"Konuya giren noktalar:", "Kısaca ana noktalar:" },
	    .bare = "Bu bölümün konusu: {}.",
	    .questions = { "{} ne demektir?", "Nereden başlamalıyım?",
		"Ne kadar zaman ve para ister?",
		"İşe yaradığını nasıl anlarım?" },
	    .todo_title = "Yazılacaklar",
	    .todo = "Yukarıdaki her nokta için kendi sözlerinizle ve her bilgiye "
		"kaynak göstererek bir paragraf yazın.",
	    .todo_bare = "Bu bölümü yazın: kendi sözlerinizle ve her bilgiye "
		"kaynak göstererek iki üç paragraf.",
	    .todo_angle = "Bakış açısı: {}",
	    .todo_audience = "Hedef kitle: {}",
	    .todo_keywords = "Anahtar sözcükler: {}",
	    .todo_order = "Siparişin tamamı: {}",
	    .todo_questions = "Okurlar bu soruları soracaktır; her birini birkaç "
		"cümleyle yanıtlayıp sık sorulan sorulara ekleyin:",
	    .reading = "Okuma önerileri",
	    .reading_own = "Sitemizde bu konuda:",
	    .reading_sources = "Konuyla ilgili kaynaklar:",
	    .see = "Ayrıca bakınız: {}",
	    .cover_alt = "Üzerinde {} yazan başlık görseli",
	},
	{
	    .tag = "ar",
	    .open = "«",
	    .close = "»",
	    .overview = "{}: نظرة عامة",
	    .about = "موضوع هذا المقال: {}.",
	    .summary = "يتناول هذا المقال موضوع {}: معناه وأهميته وكيفيته في "
		"الممارسة وما ينبغي الانتباه إليه.",
	    .description = "{}: المعنى والأهمية والكيفية في الممارسة وما ينبغي "
		"الانتباه إليه.",
	    .angle = "مدخل مبسّط: من معاني المصطلحات إلى الخطوات الأولى للقارئ.",
	    .audience = "القرّاء الذين يتعرّفون إلى الموضوع أول مرة.",
	    .parts = {
		{ "عمّ يدور الموضوع",
		  { "معاني المصطلحات بكلمات بسيطة",
		    "لمن يفيد هذا الموضوع ومن يستغني عنه",
		    "ما لا يتناوله هذا المقال" },
		  "اشرح الموضوع في جملتين أو ثلاث كما تشرحه لصديق. عرّف كل "
		  "مصطلح لا يعرفه المبتدئ، وبيّن أين ينتهي الموضوع." },
		{ "لماذا هو مهم",
		  { "ما الذي يتغيّر بالنسبة إلى القارئ",
		    "ما الذي يحدث إن لم نفعل شيئًا",
		    "ما يتطلّبه من وقت ومال وجهد" },
		  "اذكر ما يكسبه القارئ وما يكلّفه ذلك. أورد مصدرًا لكل رقم، "
		  "أو احذف الرقم." },
		{ "كيف يتم ذلك عمليًا",
		  { "ما ينبغي تجهيزه قبل البدء",
		    "الخطوات بالترتيب",
		    "مثال عملي" },
		  "صف الطريق خطوة بخطوة، فعل واحد في كل خطوة. واطلب من شخص "
		  "لم يجرّب ذلك قط أن يتّبع الخطوات." },
		{ "ما ينبغي الانتباه إليه",
		  { "أخطاء شائعة وكيف نتجنّبها",
		    "الحدود والأسئلة المفتوحة",
		    "متى نستشير مختصًا" },
		  "اذكر أخطاء رأيتها بنفسك وكيف تُصلَح. وقل بصراحة ما هو غير "
		  "معروف." },
	    },
	    .leads = { "يتناول هذا القسم:", "ما يجده القارئ هنا:",
		"نقاط تتصل بالموضوع:", "أهم النقاط باختصار:" },
	    .bare = "موضوع هذا القسم: {}.",
	    .questions = { "ما المقصود بـ{}؟", "من أين أبدأ؟",
		"كم يستغرق من الوقت والمال؟", "كيف أعرف أنه ينجح؟" },
	    .todo_title = "ما تبقّى للكتابة",
	    .todo = "اكتب فقرة عن كل نقطة مما سبق، بكلماتك ومع مصدر لكل معلومة.",
	    .todo_bare = "اكتب هذا القسم: فقرتان أو ثلاث بكلماتك، مع مصدر لكل "
		"معلومة.",
	    .todo_angle = "زاوية التناول: {}",
	    .todo_audience = "الجمهور: {}",
	    .todo_keywords = "الكلمات المفتاحية: {}",
	    .todo_order = "نص الطلب كاملًا: {}",
	    .todo_questions = "سيطرح القرّاء هذه الأسئلة؛ أجب عن كل منها في بضع "
		"جمل وأضفها إلى الأسئلة الشائعة:",
	    .reading = "للاستزادة",
	    .reading_own = "المزيد عن هذا الموضوع في موقعنا:",
	    .reading_sources = "مصادر عن الموضوع:",
	    .see = "انظر أيضًا: {}",
	    .cover_alt = "صورة العنوان وعليها الكلمات {}",
	},
	{
	    .tag = "he",
	    .open = "\"",
	    .close = "\"",
	    .overview = "{}: סקירה",
	    .about = "המאמר הזה עוסק בנושא {}.",
	    .summary = "המאמר הזה עוסק בנושא {}: מה משמעותו, למה הוא חשוב, איך "
		"זה נעשה בפועל ולמה כדאי לשים לב.",
	    .description = "{}: מה המשמעות, למה זה חשוב, איך זה נעשה בפועל ולמה "
		"כדאי לשים לב.",
	    .angle = "היכרות בשפה פשוטה: ממשמעות המונחים ועד הצעדים הראשונים של "
		"הקוראים.",
	    .audience = "קוראים שפוגשים את הנושא בפעם הראשונה.",
	    .parts = {
		{ "במה מדובר",
		  { "מה פירוש המונחים, במילים פשוטות",
		    "למי זה מתאים ומי יכול לוותר",
		    "במה המאמר הזה אינו עוסק" },
		  "יש להסביר את הנושא בשניים או שלושה משפטים, כמו לחבר. יש "
		  "להגדיר כל מונח שמתחילים אינם מכירים ולומר היכן הנושא נגמר." },
		{ "למה זה חשוב",
		  { "מה משתנה עבור הקוראים",
		    "מה קורה אם לא עושים דבר",
		    "כמה זמן, כסף ומאמץ זה דורש" },
		  "יש לומר מה הקוראים מרוויחים ומה זה עולה להם. לכל מספר יש "
		  "לתת מקור, או להשמיט את המספר." },
		{ "איך זה נעשה בפועל",
		  { "מה להכין לפני שמתחילים",
		    "השלבים לפי הסדר",
		    "דוגמה מן המעשה" },
		  "יש לתאר את הדרך שלב אחר שלב, פעולה אחת בכל שלב. כדאי לבקש "
		  "ממי שמעולם לא עשה זאת ללכת לפי השלבים." },
		{ "למה כדאי לשים לב",
		  { "טעויות נפוצות ואיך להימנע מהן",
		    "מגבלות ושאלות פתוחות",
		    "מתי לפנות לאיש מקצוע" },
		  "יש לציין טעויות שראיתם בעצמכם ואיך מתקנים אותן. יש לומר "
		  "בגלוי מה אינו ידוע." },
	    },
	    .leads = { "בחלק הזה:", "מה הקוראים ימצאו כאן:",
		"נקודות ששייכות לנושא:", "עיקרי הדברים בקצרה:" },
	    .bare = "החלק הזה עוסק בנושא {}.",
	    .questions = { "מה פירוש {}?", "מאיפה מתחילים?",
		"כמה זמן וכסף זה דורש?", "איך יודעים שזה מצליח?" },
	    .todo_title = "מה נשאר לכתוב",
	    .todo = "יש לכתוב פסקה על כל אחת מהנקודות שלמעלה, במילים שלכם ועם "
		"מקור לכל עובדה.",
	    .todo_bare = "יש לכתוב את החלק הזה: שתיים או שלוש פסקאות במילים "
		"שלכם, עם מקור לכל עובדה.",
	    .todo_angle = "זווית: {}",
	    .todo_audience = "קהל היעד: {}",
	    .todo_keywords = "מילות מפתח: {}",
	    .todo_order = "ההזמנה במלואה: {}",
	    .todo_questions = "הקוראים ישאלו את השאלות האלה; יש לענות על כל אחת "
		"בכמה משפטים ולהוסיף אותן לשאלות הנפוצות:",
	    .reading = "לקריאה נוספת",
	    .reading_own = "עוד על הנושא באתר שלנו:",
	    .reading_sources = "מקורות על הנושא:",
	    .see = "ראו גם: {}",
	    .cover_alt = "תמונת כותרת עם המילים {}",
	},
	{
	    .tag = "fa",
	    .open = "«",
	    .close = "»",
	    .overview = "{}: نگاهی کلی",
	    .about = "موضوع این مقاله: {}.",
	    .summary = "این مقاله دربارهٔ {} است: معنای آن، اهمیت آن، شیوهٔ انجام "
		"آن در عمل و نکته‌هایی که باید به آن‌ها توجه کرد.",
	    .description = "{}: معنا، اهمیت، شیوهٔ انجام در عمل و نکته‌هایی که "
		"باید به آن‌ها توجه کرد.",
	    .angle = "مقدمه‌ای ساده: از معنای اصطلاح‌ها تا نخستین گام‌های خواننده.",
	    .audience = "خوانندگانی که نخستین بار با این موضوع روبه‌رو می‌شوند.",
	    .parts = {
		{ "موضوع چیست",
		  { "معنای اصطلاح‌ها به زبان ساده",
		    "این موضوع به کار چه کسی می‌آید و چه کسی به آن نیاز ندارد",
		    "آنچه این مقاله به آن نمی‌پردازد" },
		  "موضوع را در دو یا سه جمله، چنان‌که برای دوستی می‌گویید، شرح "
		  "دهید. هر اصطلاحی را که تازه‌کار نمی‌شناسد تعریف کنید و بگویید "
		  "موضوع کجا تمام می‌شود." },
		{ "چرا مهم است",
		  { "چه چیزی برای خواننده تغییر می‌کند",
		    "اگر کاری نکنیم چه می‌شود",
		    "چقدر زمان، پول و تلاش می‌خواهد" },
		  "بگویید خواننده چه به دست می‌آورد و برایش چه هزینه‌ای دارد. "
		  "برای هر عدد منبعی بیاورید یا آن عدد را حذف کنید." },
		{ "در عمل چگونه است",
		  { "آنچه پیش از شروع باید آماده کرد",
		    "گام‌ها به ترتیب",
		    "نمونه‌ای عملی" },
		  "راه را گام به گام شرح دهید، هر گام یک کار. از کسی که هرگز "
		  "این کار را نکرده بخواهید گام‌ها را دنبال کند." },
		{ "به چه چیزهایی باید توجه کرد",
		  { "اشتباه‌های رایج و راه پرهیز از آن‌ها",
		    "محدودیت‌ها و پرسش‌های باز",
		    "چه وقت باید از کارشناس پرسید" },
		  "از اشتباه‌هایی بنویسید که خود دیده‌اید و راه اصلاحشان را "
		  "بگویید. آنچه را معلوم نیست آشکارا بگویید." },
	    },
	    .leads = { "در این بخش:", "خواننده اینجا چه می‌یابد:",
		"نکته‌های مربوط به موضوع:", "نکته‌های اصلی در یک نگاه:" },
	    .bare = "موضوع این بخش: {}.",
	    .questions = { "{} یعنی چه؟", "از کجا شروع کنم؟",
		"چقدر زمان و پول می‌خواهد؟",
		"از کجا بدانم که نتیجه می‌دهد؟" },
	    .todo_title = "آنچه باید نوشته شود",
	    .todo = "دربارهٔ هر یک از نکته‌های بالا یک بند بنویسید، به زبان خود و "
		"با ذکر منبع برای هر مطلب.",
	    .todo_bare = "این بخش را بنویسید: دو یا سه بند به زبان خود، با ذکر "
		"منبع برای هر مطلب.",
	    .todo_angle = "زاویهٔ دید: {}",
	    .todo_audience = "مخاطبان: {}",
	    .todo_keywords = "کلیدواژه‌ها: {}",
	    .todo_order = "متن کامل سفارش: {}",
	    .todo_questions = "خوانندگان این پرسش‌ها را خواهند پرسید؛ به هر کدام "
		"در چند جمله پاسخ دهید و آن‌ها را به پرسش‌های متداول بیفزایید:",
	    .reading = "برای مطالعهٔ بیشتر",
	    .reading_own = "مطالب بیشتر در سایت ما:",
	    .reading_sources = "منابع دربارهٔ این موضوع:",
	    .see = "همچنین ببینید: {}",
	    .cover_alt = "تصویر عنوان با واژه‌های {}",
	},
};

const struct phrases_family phrases_western = { list,
	sizeof(list) / sizeof(*list) };
