#include "provider/outline/phrases.h"

static const struct phrases list[] = {
	{
	    .tag = "pl",
	    .open = "„",
	    .close = "”",
	    .overview = "{}: przegląd",
	    .about = "Tematem tego artykułu jest {}.",
	    .summary = "Tematem tego artykułu jest {}: co to oznacza, dlaczego "
		"jest ważne, jak wygląda w praktyce i na co uważać.",
	    .description = "{}: co to oznacza, dlaczego jest ważne, jak wygląda "
		"w praktyce i na co uważać.",
	    .angle = "Przystępne wprowadzenie: od znaczenia pojęć do pierwszych "
		"samodzielnych kroków.",
	    .audience = "Czytelnicy, którzy stykają się z tematem po raz "
		"pierwszy.",
	    .parts = {
		{ "O co chodzi",
		  { "Co znaczą pojęcia, prostymi słowami",
		    "Dla kogo jest ten temat, a dla kogo nie",
		    "Co ten artykuł pomija" },
		  "Wyjaśnij temat w dwóch lub trzech zdaniach, tak jak "
		  "wyjaśnia się znajomemu. Zdefiniuj każde pojęcie, którego "
		  "początkujący nie znają, i powiedz, gdzie temat się kończy." },
		{ "Dlaczego to ważne",
		  { "Co zmienia się dla czytelnika",
		    "Co się stanie, jeśli nic nie zrobimy",
		    "Ile to wymaga czasu, pieniędzy i wysiłku" },
		  "Powiedz, co czytelnicy zyskują i ile ich to kosztuje. Do "
		  "każdej liczby podaj źródło albo usuń liczbę." },
		{ "Jak to wygląda w praktyce",
		  { "Co przygotować przed rozpoczęciem",
		    "Kolejne kroki we właściwym porządku",
		    "Przykład z praktyki" },
		  "Opisz drogę krok po kroku, w każdym kroku jedna czynność. "
		  "Poproś o wypróbowanie kogoś, kto nigdy tego nie robił." },
		{ "Na co uważać",
		  { "Częste błędy i jak ich unikać",
		    "Ograniczenia i pytania otwarte",
		    "Kiedy poradzić się specjalisty" },
		  "Podaj błędy znane z własnego doświadczenia i sposób ich "
		  "naprawienia. Napisz otwarcie, czego nie wiadomo." },
	    },
	    .leads = { "W tej części:", "Co można tu znaleźć:",
		"Punkty, które warto znać:", "Najważniejsze w skrócie:" },
	    .bare = "Tematem tej części jest {}.",
	    .questions = { "Co oznacza {}?", "Od czego zacząć?",
		"Ile to kosztuje czasu i pieniędzy?",
		"Po czym poznać, że to działa?" },
	    .todo_title = "Do napisania",
	    .todo = "Napisz akapit o każdym z powyższych punktów, własnymi "
		"słowami i ze źródłem dla każdego faktu.",
	    .todo_bare = "Napisz tę część: dwa lub trzy akapity własnymi "
		"słowami, ze źródłem dla każdego faktu.",
	    .todo_angle = "Ujęcie tematu: {}",
	    .todo_audience = "Odbiorcy: {}",
	    .todo_keywords = "Słowa kluczowe: {}",
	    .todo_order = "Pełna treść zamówienia: {}",
	    .todo_questions = "Czytelnicy zadadzą te pytania; odpowiedz na każde "
		"w kilku zdaniach i dodaj je do częstych pytań:",
	    .reading = "Warto przeczytać",
	    .reading_own = "Więcej na ten temat w naszym serwisie:",
	    .reading_sources = "Źródła na ten temat:",
	    .see = "Zobacz też: {}",
	    .cover_alt = "Grafika tytułowa ze słowami {}",
	},
	{
	    .tag = "ru",
	    .open = "«",
	    .close = "»",
	    .overview = "{}: обзор",
	    .about = "Тема этой статьи — {}.",
	    .summary = "Тема этой статьи — {}: что это значит, почему это важно, "
		"как это делается на практике и на что обратить внимание.",
	    .description = "{}: что это значит, почему это важно, как это "
		"делается на практике и на что обратить внимание.",
	    .angle = "Понятное введение: от значения терминов до первых "
		"самостоятельных шагов.",
	    .audience = "Читатели, которые впервые знакомятся с темой.",
	    .parts = {
		{ "О чём идёт речь",
		  { "Что означают термины, простыми словами",
		    "Кому это нужно, а кому нет",
		    "Что остаётся за рамками статьи" },
		  "Объясните тему в двух-трёх предложениях, как объяснили бы "
		  "знакомому. Дайте определение каждому термину, которого "
		  "новичок не знает, и скажите, где проходит граница темы." },
		{ "Почему это важно",
		  { "Что изменится для читателя",
		    "Что будет, если ничего не делать",
		    "Сколько нужно времени, денег и усилий" },
		  "Скажите, что читатель получит и чего это ему стоит. К "
		  "каждой цифре укажите источник или уберите цифру." },
		{ "Как это делается на практике",
		  { "Что подготовить заранее",
		    "Шаги по порядку",
		    "Пример из практики" },
		  "Опишите путь шаг за шагом, одно действие на шаг. Попросите "
		  "пройти его того, кто никогда этого не делал." },
		{ "На что обратить внимание",
		  { "Частые ошибки и как их избежать",
		    "Ограничения и открытые вопросы",
		    "Когда стоит обратиться к специалисту" },
		  "Назовите ошибки, которые видели сами, и способы их "
		  "исправить. Прямо скажите, что неизвестно." },
	    },
	    .leads = { "В этом разделе:", "Что читатель найдёт здесь:",
		"Что сюда относится:", "Главное коротко:" },
	    .bare = "Тема этого раздела — {}.",
	    .questions = { "Что означает {}?", "С чего начать?",
		"Сколько это займёт времени и денег?",
		"Как понять, что получается?" },
	    .todo_title = "Осталось написать",
	    .todo = "Напишите по абзацу о каждом пункте выше, своими словами и "
		"с источником для каждого факта.",
	    .todo_bare = "Напишите этот раздел: два-три абзаца своими словами, "
		"с источником для каждого факта.",
	    .todo_angle = "Угол зрения: {}",
	    .todo_audience = "Аудитория: {}",
	    .todo_keywords = "Ключевые слова: {}",
	    .todo_order = "Заказ полностью: {}",
	    .todo_questions = "Читатели зададут эти вопросы; ответьте на каждый "
		"в нескольких предложениях и добавьте их в частые вопросы:",
	    .reading = "Что ещё почитать",
	    .reading_own = "Ещё об этом на нашем сайте:",
	    .reading_sources = "Источники по теме:",
	    .see = "См. также: {}",
	    .cover_alt = "Заглавная картинка со словами {}",
	},
	{
	    .tag = "uk",
	    .open = "«",
	    .close = "»",
	    .overview = "{}: огляд",
	    .about = "Тема цієї статті — {}.",
	    .summary = "Тема цієї статті — {}: що це означає, чому це важливо, "
		"як це робиться на практиці та на що звернути увагу.",
	    .description = "{}: що це означає, чому це важливо, як це робиться "
		"на практиці та на що звернути увагу.",
	    .angle = "Зрозумілий вступ: від значення термінів до перших "
		"самостійних кроків.",
	    .audience = "Читачі, які вперше знайомляться з темою.",
	    .parts = {
		{ "Про що йдеться",
		  { "Що означають терміни, простими словами",
		    "Кому це потрібно, а кому ні",
		    "Що лишається поза межами статті" },
		  "Поясніть тему двома-трьома реченнями, як пояснили б "
		  "знайомому. Дайте визначення кожному терміну, якого новачок "
		  "не знає, і скажіть, де закінчується тема." },
		{ "Чому це важливо",
		  { "Що зміниться для читача",
		    "Що буде, якщо нічого не робити",
		    "Скільки потрібно часу, грошей і зусиль" },
		  "Скажіть, що читач отримає і чого це йому коштує. До кожної "
		  "цифри наведіть джерело або приберіть цифру." },
		{ "Як це робиться на практиці",
		  { "Що підготувати заздалегідь",
		    "Кроки по порядку",
		    "Приклад із практики" },
		  "Опишіть шлях крок за кроком, одна дія на крок. Попросіть "
		  "пройти його того, хто ніколи цього не робив." },
		{ "На що звернути увагу",
		  { "Поширені помилки та як їх уникнути",
		    "Обмеження та відкриті питання",
		    "Коли варто звернутися до фахівця" },
		  "Назвіть помилки, які бачили самі, і способи їх виправити. "
		  "Прямо скажіть, що невідомо." },
	    },
	    .leads = { "У цьому розділі:", "Що читач знайде тут:",
		"Що сюди належить:", "Головне коротко:" },
	    .bare = "Тема цього розділу — {}.",
	    .questions = { "Що означає {}?", "З чого почати?",
		"Скільки це забере часу та грошей?",
		"Як зрозуміти, що все вдається?" },
	    .todo_title = "Залишилося написати",
	    .todo = "Напишіть по абзацу про кожен пункт вище, своїми словами та "
		"з джерелом для кожного факту.",
	    .todo_bare = "Напишіть цей розділ: два-три абзаци своїми словами, з "
		"джерелом для кожного факту.",
	    .todo_angle = "Кут зору: {}",
	    .todo_audience = "Аудиторія: {}",
	    .todo_keywords = "Ключові слова: {}",
	    .todo_order = "Замовлення повністю: {}",
	    .todo_questions = "Читачі поставлять ці запитання; дайте на кожне "
		"відповідь у кількох реченнях і додайте їх до частих запитань:",
	    .reading = "Що ще почитати",
	    .reading_own = "Ще про це на нашому сайті:",
	    .reading_sources = "Джерела за темою:",
	    .see = "Див. також: {}",
	    .cover_alt = "Титульне зображення зі словами {}",
	},
};

const struct phrases_family phrases_slavic = { list,
	sizeof(list) / sizeof(*list) };
