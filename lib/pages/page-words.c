#include "pages/page-words.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/ctx.h"
#include "screen/tr.h"

/* The words of pages in more languages than the console has (po/). One form of "minutes" serves
 * every number: it is abbreviated where a language would change it. */

static const char *const words_english[WORDS_TEXTS] = { "Previous:", "Next:", "More articles",
	"Newest articles", "Older articles", "Skip to the content",
	"On its own website:", "Nothing is published here yet.", "To the list of articles",
	"Language:", "Tag:", "Section:", "This address is wrong",
	"What follows the question mark in it cannot be read.", "There is no such page",
	"Look at the address again.", "This article is no longer here",
	"It was published once, and was taken back.", "Too many requests",
	"Too many pages were asked for from your network. Try again in a minute.",
	"Not available right now", "This page cannot be shown right now. Try again in a moment.",
	"Request:", "Topics", "All", "Feed" };

/* The last one has no tag; the first one is English. */
static const struct words words_table[] = {
	{ "en", { 0 }, NULL, "%d %m %y",
	    "January|February|March|April|May|June|July|August|September|October|November|December" },
	{ "en-US", { 0 }, NULL, "%m %d, %y",
	    "January|February|March|April|May|June|July|August|September|October|November|December" },
	{ "ar", { 0 }, NULL, "%d %m %y",
	    "يناير|فبراير|مارس|أبريل|مايو|يونيو|يوليو|أغسطس|سبتمبر|أكتوبر|نوفمبر|ديسمبر" },
	{ "bg",
	    { "Предишна:", "Следваща:", "Още статии", "Най-нови статии", "По-стари статии",
		"Към съдържанието", "На собствения му сайт:", "Тук още нищо не е публикувано.",
		"Към списъка със статии", "Език:", "Етикет:", "Раздел:", "Този адрес е грешен",
		"Частта след въпросителния знак не може да бъде прочетена.", "Няма такава страница",
		"Проверете адреса отново.", "Тази статия вече не е тук",
		"Тя беше публикувана, но беше оттеглена.", "Твърде много заявки",
		"От вашата мрежа бяха поискани твърде много страници. Опитайте отново след минута.",
		"В момента не е достъпно",
		"Тази страница не може да бъде показана в момента. Опитайте отново след малко.",
		"Заявка:", "Теми", "Всички", "Емисия" },
	    "%lld мин четене", "%d %m %y г.",
	    "януари|февруари|март|април|май|юни|юли|август|септември|октомври|ноември|декември" },
	{ "cs",
	    { "Předchozí:", "Další:", "Další články", "Nejnovější články", "Starší články",
		"Přejít k obsahu", "Na vlastním webu:", "Zatím tu nic nevyšlo.", "Na seznam článků",
		"Jazyk:", "Štítek:", "Rubrika:", "Tato adresa je chybná",
		"Část za otazníkem nelze přečíst.", "Taková stránka neexistuje",
		"Zkontrolujte znovu adresu.", "Tento článek už tu není",
		"Byl zveřejněn, ale poté stažen.", "Příliš mnoho požadavků",
		"Z vaší sítě přišlo příliš mnoho požadavků na stránky. Zkuste to znovu za minutu.",
		"Momentálně nedostupné",
		"Tuto stránku nyní nelze zobrazit. Zkuste to znovu za chvíli.",
		"Požadavek:", "Témata", "Vše", "Kanál" },
	    "%lld min čtení", "%d. %m %y",
	    "ledna|února|března|dubna|května|června|července|srpna|září|října|listopadu|prosince" },
	{ "da",
	    { "Forrige:", "Næste:", "Flere artikler", "Nyeste artikler", "Ældre artikler",
		"Gå til indholdet", "På sit eget websted:", "Her er endnu ikke udgivet noget.",
		"Til listen over artikler",
		"Sprog:", "Emneord:", "Sektion:", "Denne adresse er forkert",
		"Det, der står efter spørgsmålstegnet, kan ikke læses.", "Siden findes ikke",
		"Se adressen efter en gang til.", "Denne artikel er her ikke længere",
		"Den var udgivet, men er trukket tilbage.", "For mange forespørgsler",
		"Der blev bedt om for mange sider fra dit netværk. Prøv igen om et minut.",
		"Ikke tilgængelig lige nu",
		"Siden kan ikke vises lige nu. Prøv igen om et øjeblik.", "Forespørgsel:", "Emner",
		"Alle", "Nyhedsstrøm" },
	    "%lld min. læsetid", "%d. %m %y",
	    "januar|februar|marts|april|maj|juni|juli|august|september|oktober|november|december" },
	{ "de",
	    { "Vorheriger:", "Nächster:", "Weitere Artikel", "Neueste Artikel", "Ältere Artikel",
		"Zum Inhalt springen", "Auf der eigenen Website:",
		"Hier ist noch nichts veröffentlicht.", "Zur Liste der Artikel",
		"Sprache:", "Schlagwort:", "Rubrik:", "Diese Adresse ist falsch",
		"Was nach dem Fragezeichen steht, ist nicht lesbar.", "Diese Seite gibt es nicht",
		"Prüfen Sie die Adresse noch einmal.", "Diesen Artikel gibt es hier nicht mehr",
		"Er war veröffentlicht und wurde zurückgezogen.", "Zu viele Anfragen",
		"Aus Ihrem Netz wurden zu viele Seiten angefragt. Versuchen Sie es in einer Minute noch einmal.",
		"Gerade nicht erreichbar",
		"Diese Seite kann gerade nicht angezeigt werden. Versuchen Sie es gleich noch einmal.",
		"Anfrage:", "Themen", "Alle", "Feed" },
	    "%lld Min. Lesezeit", "%d. %m %y",
	    "Januar|Februar|März|April|Mai|Juni|Juli|August|September|Oktober|November|Dezember" },
	{ "el",
	    { "Προηγούμενο:", "Επόμενο:", "Περισσότερα άρθρα", "Νεότερα άρθρα", "Παλαιότερα άρθρα",
		"Μετάβαση στο περιεχόμενο", "Στον δικό του ιστότοπο:",
		"Δεν έχει δημοσιευτεί ακόμη τίποτα εδώ.", "Στη λίστα των άρθρων",
		"Γλώσσα:", "Ετικέτα:", "Ενότητα:", "Αυτή η διεύθυνση είναι λανθασμένη",
		"Ό,τι ακολουθεί το ερωτηματικό δεν μπορεί να διαβαστεί.",
		"Δεν υπάρχει τέτοια σελίδα", "Ελέγξτε ξανά τη διεύθυνση.",
		"Αυτό το άρθρο δεν βρίσκεται πια εδώ", "Είχε δημοσιευτεί και αποσύρθηκε.",
		"Πάρα πολλά αιτήματα",
		"Ζητήθηκαν πάρα πολλές σελίδες από το δίκτυό σας. Δοκιμάστε ξανά σε ένα λεπτό.",
		"Μη διαθέσιμο αυτή τη στιγμή",
		"Αυτή η σελίδα δεν μπορεί να εμφανιστεί τώρα. Δοκιμάστε ξανά σε λίγο.",
		"Αίτημα:", "Θέματα", "Όλα", "Ροή" },
	    "%lld λεπ. ανάγνωσης", "%d %m %y",
	    "Ιανουαρίου|Φεβρουαρίου|Μαρτίου|Απριλίου|Μαΐου|Ιουνίου|Ιουλίου|Αυγούστου|Σεπτεμβρίου|Οκτωβρίου|Νοεμβρίου|Δεκεμβρίου" },
	{ "es",
	    { "Anterior:", "Siguiente:", "Más artículos", "Artículos más recientes",
		"Artículos anteriores", "Ir al contenido", "En su propio sitio web:",
		"Aquí todavía no se ha publicado nada.", "A la lista de artículos",
		"Idioma:", "Etiqueta:", "Sección:", "Esta dirección no es correcta",
		"No se puede leer lo que sigue al signo de interrogación.", "No existe esa página",
		"Revise la dirección.", "Este artículo ya no está aquí",
		"Estuvo publicado y se retiró.", "Demasiadas solicitudes",
		"Se han pedido demasiadas páginas desde su red. Inténtelo de nuevo dentro de un minuto.",
		"No disponible en este momento",
		"Esta página no se puede mostrar ahora. Inténtelo de nuevo en un momento.",
		"Solicitud:", "Temas", "Todo", "Canal" },
	    "%lld min de lectura", "%d de %m de %y",
	    "enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre" },
	{ "fa",
	    { "قبلی:", "بعدی:", "مقاله‌های بیشتر",
		"تازه‌ترین مقاله‌ها", "مقاله‌های قدیمی‌تر",
		"رفتن به محتوا", "در وب‌سایت خودش:",
		"هنوز چیزی اینجا منتشر نشده است.", "به فهرست مقاله‌ها",
		"زبان:", "برچسب:", "بخش:", "این نشانی نادرست است",
		"آنچه پس از علامت پرسش آمده خوانده نمی‌شود.",
		"چنین صفحه‌ای وجود ندارد", "نشانی را دوباره بررسی کنید.",
		"این مقاله دیگر اینجا نیست", "زمانی منتشر شده بود و سپس برداشته شد.",
		"درخواست‌های بیش از حد",
		"از شبکهٔ شما صفحه‌های بیش از حدی درخواست شده است. یک دقیقهٔ دیگر دوباره تلاش کنید.",
		"اکنون در دسترس نیست",
		"اکنون نمی‌توان این صفحه را نشان داد. کمی بعد دوباره تلاش کنید.",
		"درخواست:", "موضوع‌ها", "همه", "خوراک" },
	    "%lld دقیقه مطالعه", "%d %m %y",
	    "ژانویه|فوریه|مارس|آوریل|مه|ژوئن|ژوئیه|اوت|سپتامبر|اکتبر|نوامبر|دسامبر" },
	{ "fi",
	    { "Edellinen:", "Seuraava:", "Lisää artikkeleita", "Uusimmat artikkelit",
		"Vanhemmat artikkelit", "Siirry sisältöön",
		"Omalla sivustollaan:", "Täällä ei ole vielä julkaistu mitään.",
		"Artikkelien luetteloon", "Kieli:", "Aihe:", "Osasto:", "Osoite on virheellinen",
		"Kysymysmerkin jälkeistä osaa ei voi lukea.", "Sivua ei ole", "Tarkista osoite.",
		"Tätä artikkelia ei enää ole täällä", "Se oli julkaistu, mutta se poistettiin.",
		"Liian monta pyyntöä",
		"Verkostasi pyydettiin liian monta sivua. Yritä uudelleen minuutin kuluttua.",
		"Ei saatavilla juuri nyt",
		"Sivua ei voi näyttää juuri nyt. Yritä hetken kuluttua uudelleen.",
		"Pyyntö:", "Aiheet", "Kaikki", "Syöte" },
	    "Lukuaika %lld min", "%d. %m %y",
	    "tammikuuta|helmikuuta|maaliskuuta|huhtikuuta|toukokuuta|kesäkuuta|heinäkuuta|elokuuta|syyskuuta|lokakuuta|marraskuuta|joulukuuta" },
	{ "fr",
	    { "Précédent :", "Suivant :", "Plus d’articles", "Articles les plus récents",
		"Articles plus anciens", "Aller au contenu", "Sur son propre site :",
		"Rien n’est encore publié ici.", "Vers la liste des articles",
		"Langue :", "Étiquette :", "Rubrique :", "Cette adresse est incorrecte",
		"Ce qui suit le point d’interrogation est illisible.", "Cette page n’existe pas",
		"Vérifiez l’adresse.", "Cet article n’est plus ici",
		"Il a été publié, puis retiré.", "Trop de requêtes",
		"Trop de pages ont été demandées depuis votre réseau. Réessayez dans une minute.",
		"Indisponible pour le moment",
		"Cette page ne peut pas être affichée pour le moment. Réessayez dans un instant.",
		"Requête :", "Thèmes", "Tout", "Flux" },
	    "%lld min de lecture", "%d %m %y",
	    "janvier|février|mars|avril|mai|juin|juillet|août|septembre|octobre|novembre|décembre" },
	{ "he",
	    { "הקודם:", "הבא:", "מאמרים נוספים", "המאמרים החדשים ביותר", "מאמרים ישנים יותר",
		"דילוג לתוכן", "באתר שלו:", "עדיין לא פורסם כאן דבר.", "אל רשימת המאמרים",
		"שפה:", "תגית:", "מדור:", "הכתובת שגויה", "אי אפשר לקרוא את מה שאחרי סימן השאלה.",
		"אין דף כזה", "כדאי לבדוק שוב את הכתובת.", "המאמר כבר לא נמצא כאן",
		"הוא פורסם בעבר והוסר.", "יותר מדי בקשות",
		"התבקשו יותר מדי דפים מהרשת שלך. אפשר לנסות שוב בעוד דקה.", "לא זמין כרגע",
		"אי אפשר להציג את הדף כרגע. אפשר לנסות שוב בעוד רגע.", "בקשה:", "נושאים", "הכול",
		"עדכונים" },
	    "%lld דק׳ קריאה", "%d %m %y",
	    "בינואר|בפברואר|במרץ|באפריל|במאי|ביוני|ביולי|באוגוסט|בספטמבר|באוקטובר|בנובמבר|בדצמבר" },
	{ "hi",
	    { "पिछला:", "अगला:", "और लेख", "नवीनतम लेख", "पुराने लेख", "सामग्री पर जाएँ",
		"अपनी वेबसाइट पर:", "यहाँ अभी कुछ प्रकाशित नहीं हुआ है।", "लेखों की सूची पर",
		"भाषा:", "टैग:", "अनुभाग:", "यह पता गलत है", "प्रश्न चिह्न के बाद का भाग पढ़ा नहीं जा सकता।",
		"ऐसा कोई पृष्ठ नहीं है", "पता फिर से जाँचें।", "यह लेख अब यहाँ नहीं है",
		"यह प्रकाशित हुआ था और फिर हटा लिया गया।", "बहुत अधिक अनुरोध",
		"आपके नेटवर्क से बहुत अधिक पृष्ठ माँगे गए। एक मिनट बाद फिर कोशिश करें।", "अभी उपलब्ध नहीं",
		"यह पृष्ठ अभी नहीं दिखाया जा सकता। कुछ देर बाद फिर कोशिश करें।", "अनुरोध:", "विषय", "सभी",
		"फ़ीड" },
	    "पढ़ने में %lld मिनट", "%d %m %y",
	    "जनवरी|फ़रवरी|मार्च|अप्रैल|मई|जून|जुलाई|अगस्त|सितंबर|अक्टूबर|नवंबर|दिसंबर" },
	{ "hu",
	    { "Előző:", "Következő:", "További cikkek", "Legújabb cikkek", "Régebbi cikkek",
		"Ugrás a tartalomhoz", "A saját webhelyén:", "Itt még semmi sem jelent meg.",
		"A cikkek listájához", "Nyelv:", "Címke:", "Rovat:", "Ez a cím hibás",
		"A kérdőjel utáni rész nem olvasható.", "Nincs ilyen oldal",
		"Ellenőrizze újra a címet.", "Ez a cikk már nincs itt",
		"Megjelent, de visszavonták.", "Túl sok kérés",
		"Az Ön hálózatából túl sok oldalt kértek le. Próbálja újra egy perc múlva.",
		"Jelenleg nem érhető el",
		"Ez az oldal most nem jeleníthető meg. Próbálja újra egy kis idő múlva.",
		"Kérés:", "Témák", "Összes", "Hírcsatorna" },
	    "%lld perc olvasás", "%y. %m %d.",
	    "január|február|március|április|május|június|július|augusztus|szeptember|október|november|december" },
	{ "id",
	    { "Sebelumnya:", "Berikutnya:", "Artikel lainnya", "Artikel terbaru", "Artikel lama",
		"Langsung ke isi", "Di situsnya sendiri:", "Belum ada yang diterbitkan di sini.",
		"Ke daftar artikel", "Bahasa:", "Tag:", "Rubrik:", "Alamat ini salah",
		"Bagian setelah tanda tanya tidak dapat dibaca.", "Tidak ada halaman seperti ini",
		"Periksa kembali alamatnya.", "Artikel ini tidak ada lagi di sini",
		"Artikel ini pernah diterbitkan lalu ditarik.", "Terlalu banyak permintaan",
		"Terlalu banyak halaman diminta dari jaringan Anda. Coba lagi dalam satu menit.",
		"Sedang tidak tersedia",
		"Halaman ini sedang tidak dapat ditampilkan. Coba lagi sebentar lagi.",
		"Permintaan:", "Topik", "Semua", "Umpan" },
	    "%lld menit baca", "%d %m %y",
	    "Januari|Februari|Maret|April|Mei|Juni|Juli|Agustus|September|Oktober|November|Desember" },
	{ "it",
	    { "Precedente:", "Successivo:", "Altri articoli", "Articoli più recenti",
		"Articoli meno recenti", "Vai al contenuto", "Sul proprio sito:",
		"Qui non è ancora stato pubblicato nulla.", "All’elenco degli articoli",
		"Lingua:", "Tag:", "Sezione:", "Questo indirizzo è errato",
		"Ciò che segue il punto interrogativo non è leggibile.", "Questa pagina non esiste",
		"Controlli di nuovo l’indirizzo.", "Questo articolo non è più qui",
		"Era stato pubblicato ed è stato ritirato.", "Troppe richieste",
		"Dalla sua rete sono state richieste troppe pagine. Riprovi fra un minuto.",
		"Al momento non disponibile",
		"Al momento questa pagina non può essere mostrata. Riprovi tra poco.",
		"Richiesta:", "Argomenti", "Tutti", "Feed" },
	    "%lld min di lettura", "%d %m %y",
	    "gennaio|febbraio|marzo|aprile|maggio|giugno|luglio|agosto|settembre|ottobre|novembre|dicembre" },
	{ "ja",
	    { "前の記事：", "次の記事：", "ほかの記事", "新しい記事", "古い記事", "本文へ移動",
		"元のサイトでの記事：", "まだ何も公開されていません。", "記事の一覧へ", "言語：",
		"タグ：", "セクション：", "このアドレスは正しくありません",
		"疑問符の後の部分を読み取れません。", "そのようなページはありません",
		"アドレスをもう一度ご確認ください。", "この記事はもうここにはありません",
		"一度公開されましたが、取り下げられました。", "リクエストが多すぎます",
		"お使いのネットワークからのリクエストが多すぎます。1 分後にもう一度お試しください。",
		"現在ご利用いただけません",
		"現在このページを表示できません。しばらくしてからもう一度お試しください。",
		"リクエスト：", "トピック", "すべて", "フィード" },
	    "読了時間 %lld分", "%y年%m月%d日", NULL },
	{ "ko",
	    { "이전 글:", "다음 글:", "다른 글", "최신 글", "이전 글 목록", "본문으로 건너뛰기",
		"원래 웹사이트:", "아직 게시된 글이 없습니다.", "글 목록으로",
		"언어:", "태그:", "섹션:", "주소가 잘못되었습니다",
		"물음표 뒤의 내용을 읽을 수 없습니다.", "그런 페이지가 없습니다",
		"주소를 다시 확인해 주세요.", "이 글은 더 이상 여기에 없습니다",
		"게시되었다가 내려졌습니다.", "요청이 너무 많습니다",
		"사용하시는 네트워크에서 너무 많은 페이지를 요청했습니다. 1분 뒤에 다시 시도해 주세요.",
		"지금은 이용할 수 없습니다",
		"지금은 이 페이지를 표시할 수 없습니다. 잠시 후 다시 시도해 주세요.",
		"요청:", "주제", "전체", "피드" },
	    "읽는 시간 %lld분", "%y년 %m월 %d일", NULL },
	{ "nb",
	    { "Forrige:", "Neste:", "Flere artikler", "Nyeste artikler", "Eldre artikler",
		"Gå til innholdet", "På sitt eget nettsted:", "Her er ingenting publisert ennå.",
		"Til listen over artikler",
		"Språk:", "Emneord:", "Seksjon:", "Denne adressen er feil",
		"Det som står etter spørsmålstegnet, kan ikke leses.", "Siden finnes ikke",
		"Se på adressen en gang til.", "Denne artikkelen er ikke lenger her",
		"Den var publisert, men er trukket tilbake.", "For mange forespørsler",
		"Det ble bedt om for mange sider fra nettverket ditt. Prøv igjen om et minutt.",
		"Ikke tilgjengelig akkurat nå",
		"Siden kan ikke vises akkurat nå. Prøv igjen om et øyeblikk.",
		"Forespørsel:", "Emner", "Alle", "Nyhetsstrøm" },
	    "%lld min lesetid", "%d. %m %y",
	    "januar|februar|mars|april|mai|juni|juli|august|september|oktober|november|desember" },
	{ "nl",
	    { "Vorige:", "Volgende:", "Meer artikelen", "Nieuwste artikelen", "Oudere artikelen",
		"Naar de inhoud", "Op de eigen website:", "Hier is nog niets gepubliceerd.",
		"Naar de lijst met artikelen", "Taal:", "Tag:", "Rubriek:", "Dit adres klopt niet",
		"Wat na het vraagteken staat, is niet te lezen.", "Deze pagina bestaat niet",
		"Controleer het adres nog eens.", "Dit artikel staat hier niet meer",
		"Het is gepubliceerd geweest en weer ingetrokken.", "Te veel verzoeken",
		"Er zijn te veel pagina’s opgevraagd vanuit uw netwerk. Probeer het over een minuut opnieuw.",
		"Nu niet beschikbaar",
		"Deze pagina kan nu niet worden getoond. Probeer het zo meteen opnieuw.",
		"Verzoek:", "Onderwerpen", "Alles", "Feed" },
	    "%lld min. leestijd", "%d %m %y",
	    "januari|februari|maart|april|mei|juni|juli|augustus|september|oktober|november|december" },
	{ "pl",
	    { "Poprzedni:", "Następny:", "Więcej artykułów", "Najnowsze artykuły",
		"Starsze artykuły", "Przejdź do treści",
		"We własnej witrynie:", "Nic tu jeszcze nie opublikowano.", "Do listy artykułów",
		"Język:", "Tag:", "Dział:", "Ten adres jest błędny",
		"Nie można odczytać tego, co następuje po znaku zapytania.", "Nie ma takiej strony",
		"Sprawdź adres jeszcze raz.", "Tego artykułu już tu nie ma",
		"Był opublikowany, ale został wycofany.", "Zbyt wiele żądań",
		"Z Twojej sieci zażądano zbyt wielu stron. Spróbuj ponownie za minutę.",
		"Chwilowo niedostępne",
		"Nie można teraz wyświetlić tej strony. Spróbuj ponownie za chwilę.",
		"Żądanie:", "Tematy", "Wszystkie", "Kanał" },
	    "%lld min czytania", "%d %m %y",
	    "stycznia|lutego|marca|kwietnia|maja|czerwca|lipca|sierpnia|września|października|listopada|grudnia" },
	{ "pt",
	    { "Anterior:", "Seguinte:", "Mais artigos", "Artigos mais recentes",
		"Artigos mais antigos", "Ir para o conteúdo", "No seu próprio site:",
		"Ainda não há nada publicado aqui.", "Para a lista de artigos",
		"Idioma:", "Etiqueta:", "Secção:", "Este endereço está errado",
		"Não é possível ler o que vem depois do ponto de interrogação.",
		"Essa página não existe", "Verifique o endereço.", "Este artigo já não está aqui",
		"Foi publicado e depois retirado.", "Demasiados pedidos",
		"Foram pedidas demasiadas páginas a partir da sua rede. Tente novamente dentro de um minuto.",
		"Indisponível neste momento",
		"Não é possível mostrar esta página neste momento. Tente novamente daqui a pouco.",
		"Pedido:", "Temas", "Todos", "Feed" },
	    "%lld min de leitura", "%d de %m de %y",
	    "janeiro|fevereiro|março|abril|maio|junho|julho|agosto|setembro|outubro|novembro|dezembro" },
	{ "ro",
	    { "Anteriorul:", "Următorul:", "Mai multe articole", "Cele mai noi articole",
		"Articole mai vechi", "Salt la conținut",
		"Pe propriul site:", "Aici nu s-a publicat încă nimic.", "La lista articolelor",
		"Limbă:", "Etichetă:", "Secțiune:", "Această adresă este greșită",
		"Ce urmează după semnul întrebării nu poate fi citit.",
		"Nu există o astfel de pagină", "Verificați din nou adresa.",
		"Acest articol nu mai este aici", "A fost publicat, apoi retras.",
		"Prea multe cereri",
		"Din rețeaua dumneavoastră au fost cerute prea multe pagini. Încercați din nou peste un minut.",
		"Indisponibil în acest moment",
		"Această pagină nu poate fi afișată acum. Încercați din nou peste puțin timp.",
		"Cerere:", "Teme", "Toate", "Flux" },
	    "%lld min de citit", "%d %m %y",
	    "ianuarie|februarie|martie|aprilie|mai|iunie|iulie|august|septembrie|octombrie|noiembrie|decembrie" },
	{ "ru",
	    { "Предыдущая:", "Следующая:", "Другие статьи", "Новые статьи", "Более старые статьи",
		"Перейти к содержанию",
		"На собственном сайте:", "Здесь пока ничего не опубликовано.", "К списку статей",
		"Язык:", "Метка:", "Раздел:", "Этот адрес неверен",
		"Не удаётся прочитать то, что стоит после вопросительного знака.",
		"Такой страницы нет", "Проверьте адрес ещё раз.", "Этой статьи здесь больше нет",
		"Она была опубликована и снята с публикации.", "Слишком много запросов",
		"Из вашей сети запрошено слишком много страниц. Попробуйте ещё раз через минуту.",
		"Сейчас недоступно",
		"Сейчас эту страницу нельзя показать. Попробуйте ещё раз немного позже.",
		"Запрос:", "Темы", "Все", "Лента" },
	    "%lld мин чтения", "%d %m %y г.",
	    "января|февраля|марта|апреля|мая|июня|июля|августа|сентября|октября|ноября|декабря" },
	{ "sk",
	    { "Predchádzajúci:", "Nasledujúci:", "Ďalšie články", "Najnovšie články",
		"Staršie články", "Prejsť na obsah", "Na vlastnom webe:", "Zatiaľ tu nič nevyšlo.",
		"Na zoznam článkov", "Jazyk:", "Štítok:", "Rubrika:", "Táto adresa je nesprávna",
		"Časť za otáznikom sa nedá prečítať.", "Taká stránka neexistuje",
		"Skontrolujte adresu ešte raz.", "Tento článok tu už nie je",
		"Bol zverejnený, no potom stiahnutý.", "Priveľa požiadaviek",
		"Z vašej siete prišlo priveľa požiadaviek na stránky. Skúste to znova o minútu.",
		"Momentálne nedostupné",
		"Túto stránku teraz nemožno zobraziť. Skúste to znova o chvíľu.",
		"Požiadavka:", "Témy", "Všetko", "Kanál" },
	    "%lld min čítania", "%d. %m %y",
	    "januára|februára|marca|apríla|mája|júna|júla|augusta|septembra|októbra|novembra|decembra" },
	{ "sv",
	    { "Föregående:", "Nästa:", "Fler artiklar", "Nyaste artiklarna", "Äldre artiklar",
		"Hoppa till innehållet", "På sin egen webbplats:", "Här är ännu inget publicerat.",
		"Till listan över artiklar", "Språk:", "Tagg:", "Avdelning:", "Adressen är fel",
		"Det som står efter frågetecknet går inte att läsa.", "Sidan finns inte",
		"Kontrollera adressen en gång till.", "Den här artikeln finns inte kvar",
		"Den har varit publicerad men har dragits tillbaka.", "För många förfrågningar",
		"För många sidor har begärts från ditt nätverk. Försök igen om en minut.",
		"Inte tillgänglig just nu",
		"Sidan kan inte visas just nu. Försök igen om en stund.", "Förfrågan:", "Ämnen",
		"Alla", "Flöde" },
	    "%lld min lästid", "%d %m %y",
	    "januari|februari|mars|april|maj|juni|juli|augusti|september|oktober|november|december" },
	{ "tr",
	    { "Önceki:", "Sonraki:", "Diğer yazılar", "En yeni yazılar", "Daha eski yazılar",
		"İçeriğe geç", "Kendi sitesinde:", "Burada henüz bir şey yayımlanmadı.",
		"Yazı listesine", "Dil:", "Etiket:", "Bölüm:", "Bu adres yanlış",
		"Soru işaretinden sonraki kısım okunamıyor.", "Böyle bir sayfa yok",
		"Adresi yeniden kontrol edin.", "Bu yazı artık burada değil",
		"Yayımlanmıştı, sonra geri çekildi.", "Çok fazla istek",
		"Ağınızdan çok fazla sayfa istendi. Bir dakika sonra yeniden deneyin.",
		"Şu anda kullanılamıyor",
		"Bu sayfa şu anda gösterilemiyor. Birazdan yeniden deneyin.", "İstek:", "Konular",
		"Tümü", "Akış" },
	    "%lld dk. okuma", "%d %m %y",
	    "Ocak|Şubat|Mart|Nisan|Mayıs|Haziran|Temmuz|Ağustos|Eylül|Ekim|Kasım|Aralık" },
	{ "uk",
	    { "Попередня:", "Наступна:", "Інші статті", "Найновіші статті", "Старіші статті",
		"Перейти до вмісту", "На власному сайті:", "Тут ще нічого не опубліковано.",
		"До списку статей", "Мова:", "Мітка:", "Розділ:", "Ця адреса неправильна",
		"Те, що стоїть після знака питання, неможливо прочитати.", "Такої сторінки немає",
		"Перевірте адресу ще раз.", "Цієї статті тут більше немає",
		"Її було опубліковано, а потім знято.", "Забагато запитів",
		"З вашої мережі надійшло забагато запитів на сторінки. Спробуйте ще раз за хвилину.",
		"Зараз недоступно",
		"Цю сторінку зараз неможливо показати. Спробуйте ще раз трохи згодом.",
		"Запит:", "Теми", "Усі", "Стрічка" },
	    "%lld хв читання", "%d %m %y р.",
	    "січня|лютого|березня|квітня|травня|червня|липня|серпня|вересня|жовтня|листопада|грудня" },
	{ "vi",
	    { "Bài trước:", "Bài sau:", "Các bài khác", "Bài mới nhất", "Bài cũ hơn",
		"Chuyển đến nội dung", "Trên trang web riêng:", "Chưa có gì được đăng ở đây.",
		"Đến danh sách bài viết", "Ngôn ngữ:", "Thẻ:", "Chuyên mục:",
		"Địa chỉ này không đúng", "Không đọc được phần sau dấu hỏi.", "Không có trang này",
		"Hãy kiểm tra lại địa chỉ.", "Bài viết này không còn ở đây",
		"Bài đã được đăng rồi bị gỡ xuống.", "Quá nhiều yêu cầu",
		"Mạng của bạn đã yêu cầu quá nhiều trang. Hãy thử lại sau một phút.",
		"Hiện không dùng được",
		"Hiện không thể hiển thị trang này. Hãy thử lại sau giây lát.",
		"Yêu cầu:", "Chủ đề", "Tất cả", "Nguồn tin" },
	    "%lld phút đọc", "%d tháng %m, %y", NULL },
	{ "zh",
	    { "上一篇：", "下一篇：", "更多文章", "最新文章", "更早的文章", "跳到正文",
		"在其自己的网站上：", "这里还没有发布任何内容。", "前往文章列表", "语言：",
		"标签：", "栏目：", "此网址有误", "无法读取问号后面的内容。", "没有这个页面",
		"请再次检查网址。", "这篇文章已不在这里", "它曾经发布，后来被撤下。", "请求过多",
		"您的网络请求的页面过多。请一分钟后再试。", "暂时无法访问",
		"目前无法显示此页面。请稍后再试。", "请求：", "主题", "全部", "订阅源" },
	    "阅读约需 %lld 分钟", "%y年%m月%d日", NULL },
	{ "zh-Hant",
	    { "上一篇：", "下一篇：", "更多文章", "最新文章", "較早的文章", "跳到正文",
		"在其自己的網站上：", "這裡尚未發布任何內容。", "前往文章列表", "語言：", "標籤：",
		"欄目：", "此網址有誤", "無法讀取問號後面的內容。", "沒有這個頁面",
		"請再次檢查網址。", "這篇文章已不在這裡", "它曾經發布，後來被撤下。", "請求過多",
		"您的網路請求的頁面過多。請一分鐘後再試。", "目前無法使用",
		"目前無法顯示此頁面。請稍後再試。", "請求：", "主題", "全部", "訂閱來源" },
	    "閱讀約需 %lld 分鐘", "%y年%m月%d日", NULL },
	{ NULL, { 0 }, NULL, NULL, NULL },
};

/* The language of the present page, as tr_tag() is that of po/; each page sets both. */
static const struct words *spoken = words_table;

/* Returns whether the tag is this language, or one of its regions. */
static bool
is_of(const char *tag, const char *language)
{
	size_t len = strlen(language);

	return strncasecmp(tag, language, len) == 0 && (tag[len] == '\0' || tag[len] == '-');
}

/* Returns whether Chinese of this tag is written in traditional characters. */
static bool
is_traditional(const char *tag)
{
	static const char *const marks[] = { "-hant", "-tw", "-hk", "-mo" };

	for (size_t i = 0; i < sizeof(marks) / sizeof(*marks); i++) {
		if (strcasestr(tag, marks[i]) != NULL)
			return is_of(tag, "zh") && strcasestr(tag, "-hans") == NULL;
	}
	return false;
}

/* Returns the row that names the tag best, or NULL. */
static const struct words *
find(const char *tag)
{
	const struct words *best = NULL;

	if (is_traditional(tag))
		tag = "zh-Hant";
	else if (is_of(tag, "no") || is_of(tag, "nn"))
		tag = "nb";
	for (const struct words *row = words_table; row->tag != NULL; row++) {
		if (is_of(tag, row->tag) && (best == NULL || strlen(row->tag) > strlen(best->tag)))
			best = row;
	}
	return best;
}

void
words_begin(struct ctx *c, const char *language)
{
	tr_begin(c, tr_accept(language)->tag);
	spoken = find(language);
	if (spoken == NULL)
		spoken = find(tr_tag());
	if (spoken == NULL)
		spoken = words_table;
}

static const void *
fits(const char *tag, size_t len)
{
	char text[36];

	if (len >= sizeof(text))
		return NULL;
	memcpy(text, tag, len);
	text[len] = '\0';
	return find(text);
}

const char *
words_begin_reader(struct ctx *c, const char *accept_language)
{
	const struct words *wanted = tr_wanted(accept_language, fits);

	words_begin(c, wanted != NULL ? wanted->tag : words_table->tag);
	return spoken->tag;
}

/* Returns a text in the page's language, and the language that it is in. */
static const char *
said(const char *english, const char **tag)
{
	for (size_t i = 0; i < WORDS_TEXTS; i++) {
		if (spoken->texts[i] != NULL && strcmp(words_english[i], english) == 0) {
			*tag = spoken->tag;
			return spoken->texts[i];
		}
	}
	*tag = tr_tag();
	return tr(english);
}

const char *
words_said(const char *english)
{
	const char *tag;

	return said(english, &tag);
}

/* Returns whether both tags begin with the same language. */
static bool
is_same(const char *a, const char *b)
{
	size_t len = strcspn(a, "-");

	return len == strcspn(b, "-") && strncasecmp(a, b, len) == 0;
}

/* Writes a text that is in the language `tag`. */
static void
write_in(struct hwrite *w, const char *around, const char *tag, const char *text)
{
	if (is_same(around, tag)) {
		hwrite_text(w, text);
		return;
	}
	hwrite_open(w, H_SPAN);
	hwrite_language(w, tag);
	hwrite_text(w, text);
	hwrite_close(w, H_SPAN);
}

void
words_text(struct hwrite *w, const char *around, const char *english)
{
	const char *tag, *text = said(english, &tag);

	write_in(w, around, tag, text);
}

void
words_element(struct hwrite *w, enum hwrite_element e, const char *class, const char *around,
    const char *english)
{
	const char *tag, *text = said(english, &tag);

	hwrite_open(w, e);
	hwrite_attr(w, A_CLASS, class);
	if (e == H_SPAN && !is_same(around, tag)) {
		hwrite_language(w, tag);
		around = tag;
	}
	write_in(w, around, tag, text);
	hwrite_close(w, e);
}

/* Writes a date's part: the day, the year, or the month in words or numbers. */
static void
add_part(struct buf *out, char part, const char *date)
{
	const char *month = spoken->months;
	int number = (date[5] - '0') * 10 + date[6] - '0';

	if (part == 'y') {
		buf_printf(out, "%.4s", date);
	} else if (part == 'd') {
		buf_printf(out, "%d", (date[8] - '0') * 10 + date[9] - '0');
	} else if (month == NULL) {
		buf_printf(out, "%d", number);
	} else {
		while (--number > 0)
			month = strchr(month, '|') + 1;
		buf_add(out, month, strcspn(month, "|"));
	}
}

void
words_date(struct ctx *c, struct hwrite *w, const char *around, int64_t at)
{
	char date[CLOCK_TEXT];
	struct buf out;

	clock_format_date(date, at);
	buf_init(&out, c->arena, 200);
	for (const char *p = spoken->date; *p != '\0'; p++) {
		if (*p == '%')
			add_part(&out, *++p, date);
		else
			buf_add_char(&out, *p);
	}
	hwrite_open(w, H_TIME);
	hwrite_attr(w, A_DATETIME, date);
	write_in(w, around, spoken->tag, buf_done(&out));
	hwrite_close(w, H_TIME);
}

void
words_minutes(struct ctx *c, struct hwrite *w, const char *around, int64_t minutes)
{
	const char *at, *tag = spoken->tag, *text;

	if (spoken->minutes != NULL) {
		at = strstr(spoken->minutes, "%lld");
		text = arena_printf(c->arena, "%.*s%lld%s", (int)(at - spoken->minutes),
		    spoken->minutes, (long long)minutes, at + 4);
	} else {
		tag = tr_tag();
		text = arena_printf(c->arena,
		    tr_count("%lld minute to read", "%lld minutes to read", minutes),
		    (long long)minutes);
	}
	hwrite_open(w, H_SPAN);
	if (!is_same(around, tag))
		hwrite_language(w, tag);
	hwrite_text(w, text);
	hwrite_close(w, H_SPAN);
}
