/* suite: fast */
#include "export/export.h"

#include <time.h>

#include "export/checks.h"
#include "export/facts.h"
#include "export/html.h"
#include "tests/unit/export/source.h"

/* The checks by their numbers in docs/export.md §6. */
static const char *const labels[EXPORT_CHECKS + 1] = { "", "Title is between 20 and 70 characters",
	"Meta description is between 70 and 160 characters", "Title and description differ",
	"Exactly one H1 heading", "Heading levels are not skipped", "No duplicate headings",
	"At least three sections", "Every section has text", "Article has enough text",
	"Sentences are readable", "No repeated paragraphs", "No placeholder text",
	"Text matches the article language", "Cover image is present",
	"Cover image has alternative text", "Cover image is at least 1200 pixels wide",
	"At least two references", "Every citation points to a listed reference",
	"Every listed reference is cited", "References use HTTPS and are unique", "Links are valid",
	"Canonical address is configured", "Publisher name and logo are configured",
	"Structured data is complete" };

static const char *const topics[] = { "drainage", "worms", "cardboard", "smell", "harvest" };

/* Returns a paragraph of 45 words in three sentences; each number gives other words. */
static const char *
paragraph(size_t n)
{
	static const char *const nouns[] = { "bin", "lid", "scraps", "paper", "balcony", "kitchen",
		"spade", "bucket", "soil", "week" };
	static const char *const verbs[] = { "holds", "covers", "keeps", "needs", "meets", "feeds",
		"warms", "dries", "shades", "drains" };
	struct buf b;

	buf_init(&b, &arena, 1000);
	for (size_t i = 0; i < 3; i++) {
		size_t x = (n * 7 + i * 3 + n / 10) % 10, y = (n * 3 + i) % 10;
		buf_printf(&b,
		    "%sIn the %s number %zu of our home the %s %s what you have, and it is %s.",
		    i > 0 ? " " : "", nouns[x], n * 10 + i, nouns[y], verbs[(x + y + n) % 10],
		    nouns[(y + n + i) % 10]);
	}
	return buf_done(&b);
}

static struct block *
paragraphs(size_t first, size_t count)
{
	struct block *blocks = arena_array(&arena, count, sizeof(*blocks));

	for (size_t i = 0; i < count; i++) {
		blocks[i].type = BLOCK_PARAGRAPH;
		blocks[i].text = paragraph(first + i);
	}
	return blocks;
}

/* Returns a new article that passes every check. */
static struct sample
good(void)
{
	static const struct reference references[] = {
		{ "r1", "Compost basics", "https://www.example.org/basics", NULL, NULL, NULL },
		{ "r2", "Temperature", "https://www.example.edu/heat?a=1", NULL, NULL, NULL },
	};
	struct sample s = compost();
	struct content *content = &s.snapshot.content;

	content_init(content, "en");
	content->summary = "A bin on the balcony is enough.[^r1]";
	content->sections = arena_array(&arena, 5, sizeof(struct section));
	content->section_count = 5;
	for (size_t i = 0; i < 5; i++) {
		struct section *section = &content->sections[i];
		section->id = arena_printf(&arena, "s%zu", i + 1);
		section->heading = arena_printf(&arena, "About %s", topics[i]);
		section->body = paragraphs(10 * i, 4);
		section->body_count = 4;
	}
	content->sections[1].body[0].text = arena_printf(&arena,
	    "%s See [the basics](https://www.example.org/basics), [what comes next](#s3) or [a mail](mailto:dana@example.com).[^r2]",
	    content->sections[1].body[0].text);
	content->references = arena_array(&arena, 2, sizeof(*references));
	memcpy(content->references, references, sizeof(references));
	content->reference_count = 2;
	content->image_alt = "A lidded compost bin on a kitchen shelf";
	return s;
}

static void
run(const struct sample *s, struct export_check checks[EXPORT_CHECKS])
{
	struct export_source source = s->source;

	source.settings = &s->settings;
	source.snapshot = &s->snapshot;
	export_checks(&ctx, &source, checks);
}

static void
labels_are_the_documents(void)
{
	struct sample s = good();
	struct export_check checks[EXPORT_CHECKS];

	run(&s, checks);
	for (size_t i = 0; i < EXPORT_CHECKS; i++)
		is_text(checks[i].label, labels[i + 1], "label %zu", i + 1);
}

static void
a_good_article_passes(void)
{
	struct sample s = good();
	struct export_check checks[EXPORT_CHECKS];

	for (int draft = 0; draft < 2; draft++) {
		s.source.published = draft == 0;
		run(&s, checks);
		for (size_t i = 0; i < EXPORT_CHECKS; i++) {
			is_text(checks[i].reason, NULL, "check %zu of a good %s", i + 1,
			    draft == 0 ? "article" : "draft");
			ok(checks[i].passed, "is passed");
		}
	}
}

/* Checks that the reason of check `number` holds `part`; NULL: that it passes. */
static void
expect(const struct sample *s, size_t number, const char *part, const char *name)
{
	struct export_check checks[EXPORT_CHECKS];
	const char *reason;

	run(s, checks);
	reason = checks[number - 1].reason;
	if (part == NULL) {
		is_text(reason, NULL, "%zu: %s", number, name);
	} else if (!ok(!checks[number - 1].passed && reason != NULL && strstr(reason, part) != NULL,
		       "%zu: %s", number, name)) {
		printf("#  got: %s\n# want: %s\n", reason == NULL ? "passed" : reason, part);
	}
}

static const char *
repeated(const char *piece, size_t times)
{
	struct buf b;

	buf_init(&b, &arena, 4 * 1024 * 1024);
	while (times-- > 0)
		buf_add_text(&b, piece);
	return buf_done(&b);
}

static void
titles_and_descriptions(void)
{
	struct sample s = good();

	s.snapshot.title = repeated("ü", 20);
	expect(&s, 1, NULL, "20 characters are enough");
	s.snapshot.title = repeated("ü", 19);
	expect(&s, 1, "has 19 characters", "19 are not");
	s.snapshot.title = repeated("ü", 70);
	expect(&s, 1, NULL, "70 characters are not too many");
	s.snapshot.title = repeated("ü", 71);
	expect(&s, 1, "has 71 characters", "71 are");
	s = good();
	s.snapshot.meta_description = repeated("字", 70);
	expect(&s, 2, NULL, "70 characters are enough");
	s.snapshot.meta_description = repeated("字", 69);
	expect(&s, 2, "has 69 characters", "69 are not");
	s.snapshot.meta_description = repeated("字", 161);
	expect(&s, 2, "has 161 characters", "161 are too many");
	s.snapshot.meta_description = NULL;
	expect(&s, 2, "has 31 characters", "the derived one is looked at");
	s = good();
	s.snapshot.meta_description = "“How to compost: in a SMALL flat!”";
	expect(&s, 3, "repeats the title", "case and punctuation make no difference");
	s.snapshot.meta_title = "Composting for flats";
	s.snapshot.meta_description = "composting for flats";
	expect(&s, 3, "repeats the title", "the search title is compared too");
}

/* Rendering makes none of these. */
static void
levels_of_other_html(void)
{
	static const struct {
		const char *html, *one, *levels;
	} cases[] = {
		{ "<h1>A</h1><h2>B</h2><h3>C</h3><h2>D</h2>", NULL, NULL },
		{ "<h2>A</h2>", "There are 0 h1 headings.", "\"A\" is an h2 after an h0." },
		{ "<h1>A</h1><h2>B</h2><h1>C</h1>", "There are 2 h1 headings.", NULL },
		{ "<h1>A</h1><h3>B</h3>", NULL, "\"B\" is an h3 after an h1." },
		{ "<h1>A</h1><h2>B</h2><h4>C</h4>", NULL, "\"C\" is an h4 after an h2." },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct html h = { .facts = NULL };
		struct checks k = { .arena = &arena, .c = &ctx, .h = &h };

		buf_init(&h.out, &arena, 1000);
		buf_add_text(&h.out, cases[i].html);
		is_text(checks_one_h1(&k), cases[i].one, "check 4, html %zu", i);
		is_text(checks_levels(&k), cases[i].levels, "check 5, html %zu", i);
	}
}

static void
headings(void)
{
	struct sample s = good();
	struct block *body = s.snapshot.content.sections[2].body;

	expect(&s, 4, NULL, "the title is the only h1");
	body[0].type = BLOCK_HEADING;
	body[0].text = "Inside <h1> & `<h4>` [^r1]";
	expect(&s, 4, NULL, "text that looks like a heading is none");
	expect(&s, 5, NULL, "a heading in a section is an h3");
	s.snapshot.content.sections[0].heading = "";
	s.snapshot.content.sections[0].body[0] = body[0];
	body[1] = body[0];
	expect(&s, 6, "\"Inside <h1> & <h4>\" stands twice",
	    "equal headings are found, citations apart");
	s = good();
	s.snapshot.content.sections[3].heading = "**ABOUT** drainage";
	expect(&s, 6, "stands twice", "without case and marks");
	s.snapshot.content.sections[3].heading = "How to compost in a small flat";
	expect(&s, 6, "stands twice", "the title is a heading too");
	s.snapshot.content.sections[3].heading = "References";
	expect(&s, 6, "\"References\" stands twice", "so are fixed ones");
	s = good();
	body = arena_array(&arena, 200, sizeof(*body));
	for (size_t i = 0; i < 200; i++)
		body[i] = (struct block) { .type = BLOCK_HEADING,
			.text = arena_printf(&arena, "Part %zu", i) };
	s.snapshot.content.sections[3].body = body;
	s.snapshot.content.sections[3].body_count = 200;
	expect(&s, 6, NULL, "200 headings differ");
	body[199].text = "Part 0";
	expect(&s, 6, "\"Part 0\" stands twice", "of many, too");
}

static void
amounts_of_text(void)
{
	struct sample s = good();
	struct content *content = &s.snapshot.content;

	content->section_count = 3;
	expect(&s, 7, NULL, "three sections are enough");
	content->section_count = 2;
	expect(&s, 7, "There are 2 sections.", "two are not");
	content->section_count = 1;
	expect(&s, 7, "There is 1 section.", "one is not");
	s = good();
	content = &s.snapshot.content;
	content->sections[4].body_count = 1;
	content->sections[4].body[0].text = repeated("word ", 40);
	expect(&s, 8, NULL, "forty words are enough for a section");
	content->sections[4].body[0].text = repeated("word ", 39);
	expect(&s, 8, "\"About harvest\" has 39 words; 40 words are asked for.",
	    "39 are not, the heading's do not count");
	content->sections[4].body[0].text = repeated("語", 80);
	expect(&s, 8, NULL, "80 CJK characters are enough");
	content->sections[4].body[0].text = repeated("語", 79);
	expect(&s, 8, "0 words and 79 CJK characters", "79 are not");
	content->sections[4].body[0].type = BLOCK_CODE;
	content->sections[4].body[0].text = repeated("word ", 90);
	expect(&s, 8, "has 0 words", "code is no text");
	content->sections[4].body_count = 0;
	content->sections[4].subsections = arena_alloc(&arena, sizeof(struct section));
	*content->sections[4].subsections = content->sections[3];
	content->sections[4].subsection_count = 1;
	expect(&s, 8, NULL, "the text of subsections is a section's");
	s = good();
	content = &s.snapshot.content;
	content->section_count = 1;
	content->summary = "";
	content->sections[0].heading = "";
	content->sections[0].body_count = 1;
	content->sections[0].body[0].text = repeated("word ", 600);
	expect(&s, 9, NULL, "600 words are enough");
	content->sections[0].body[0].text = repeated("word ", 599);
	expect(&s, 9, "The article has 599 words; 600 words are asked for.",
	    "599 are not, and nobody who writes English reads of CJK characters");
	s.snapshot.language = "ja";
	expect(&s, 9, "599 words; 600 words or 1200 CJK characters are asked for.",
	    "unless the language has them");
	s.snapshot.language = "en";
	content->sections[0].body[0].text = repeated("語", 1200);
	expect(&s, 9, NULL, "1,200 CJK characters are enough");
	content->sections[0].body[0].text = repeated("語", 1199);
	expect(&s, 9, "1199 CJK characters", "1,199 are not");
}

/* Texts and the number of words of their longest sentence, in a section of good ones. */
static const struct {
	const char *name, *unit, *end, *reason;
	size_t times;
} sentences[] = {
	{ "60 words are readable", "word ", ".", NULL, 60 },
	{ "61 are not", "word ", ".", "has 61 words", 61 },
	{ "a point in a number is no end", "3.14 ", ".", "has 62 words", 31 },
	{ "nor is one before a small letter", "e.g. bin ", ".", "has 63 words", 21 },
	{ "a question mark is an end", "word word? ", "", NULL, 40 },
	{ "so is one in quotes", "Word word.\" ", "", NULL, 40 },
	{ "in other quotes", "Word word.» ", "", NULL, 40 },
	{ "in brackets", "(Word word.) ", "", NULL, 40 },
	{ "and one of several", "Word word?! ", "", NULL, 40 },
	{ "and the Arabic one", "كلمة كلمة؟ ", "", NULL, 40 },
	{ "and the Urdu stop", "لفظ لفظ۔ ", "", NULL, 40 },
	{ "and the danda", "शब्द शब्द। ", "", NULL, 40 },
	{ "and the double one", "शब्द शब्द॥ ", "", NULL, 40 },
	{ "and the CJK stop, without a space", "言葉です。", "", NULL, 90 },
	{ "and the wide question mark", "言葉か？", "", NULL, 90 },
	{ "120 CJK characters are readable", "語", "。", NULL, 120 },
	{ "122 are not", "語", "。", "has 61 words", 122 },
};

static void
lengths_of_sentences(void)
{
	struct sample s = good();
	struct content *content = &s.snapshot.content;
	const char **text = &content->sections[1].body[1].text;

	for (size_t i = 0; i < sizeof(sentences) / sizeof(*sentences); i++) {
		*text = arena_printf(&arena, "%s%s",
		    repeated(sentences[i].unit, sentences[i].times), sentences[i].end);
		expect(&s, 10, sentences[i].reason, sentences[i].name);
	}
	*text = arena_printf(&arena, "%s.", repeated("word ", 70));
	expect(&s, 10, "in section \"About worms\"", "the place is named");
	content->summary = arena_printf(&arena, "%s.", repeated("word ", 80));
	expect(&s, 10, "in summary has 80", "the summary has sentences");
	content->summary = "";
	content->sections[1].body[1].type = BLOCK_CODE;
	expect(&s, 10, NULL, "code has no sentences");
	s = good();
	content = &s.snapshot.content;
	content->summary = "";
	content->section_count = 1;
	content->sections[0].body[0].text =
	    arena_printf(&arena, "%sa. B %sb.", repeated("a ", 24), repeated("b ", 23));
	content->sections[0].body_count = 1;
	expect(&s, 10, NULL, "25 words are a good average");
	content->sections[0].body[0].text =
	    arena_printf(&arena, "%sa. B %sb.", repeated("a ", 25), repeated("b ", 23));
	expect(&s, 10, "25.5 words on average", "25.5 are not");
	content->section_count = 0;
	expect(&s, 10, NULL, "no sentence is too long where there is none");
}

/* Returns a paragraph of `count` words; those from `from` to `to` are different ones. */
static const char *
numbered(size_t count, size_t from, size_t to)
{
	struct buf b;

	buf_init(&b, &arena, 100000);
	for (size_t i = 0; i < count; i++)
		buf_printf(&b, "%s%zu ", i >= from && i < to ? "x" : "w", i);
	return buf_done(&b);
}

static void
repetitions(void)
{
	struct sample s = good();
	struct content *content = &s.snapshot.content;
	const char **first = &content->sections[0].body[1].text;
	const char **second = &content->sections[3].body[2].text;

	*second = arena_printf(&arena, "**%s**", *first);
	expect(&s, 11,
	    "in section \"About smell\" says nearly the same as one in section \"About drainage\"",
	    "an equal paragraph is found, marks apart");
	*first = "Here:  one two -- three four five six,, seven eight.";
	*second = "here one two three four five six seven eight";
	expect(&s, 11, "nearly the same", "punctuation makes no difference");
	/* 98 shingles each. Ten words in the middle change 12 of them: 86 of
	 * 110 are common, 78 per cent. Eight change 10: 88 of 108, 81. */
	*first = numbered(100, 0, 0);
	*second = numbered(100, 50, 58);
	expect(&s, 11, "nearly the same", "81 per cent in common are too much");
	*second = numbered(100, 50, 60);
	expect(&s, 11, NULL, "78 are not");
	*second = numbered(119, 100, 119);
	expect(&s, 11, "nearly the same", "a paragraph that goes on a little is found");
	*second = numbered(140, 100, 140);
	expect(&s, 11, NULL, "one that goes on for long is another");
	*first = *second = "今日は天気がいいので散歩に行きます。";
	expect(&s, 11, "nearly the same", "CJK characters are compared");
	*first = *second = "はい、そうです。";
	expect(&s, 11, NULL, "a short answer may come twice");
	*first = *second = "Yes, it does.";
	expect(&s, 11, NULL, "in words too");
	*first = *second = paragraph(77);
	content->sections[3].body[2].type = BLOCK_CODE;
	expect(&s, 11, NULL, "code may repeat a paragraph");
}

static const struct {
	const char *language, *text, *reason; /* reason NULL: passed */
} drafts[] = {
	{ "en", "Lorem ipsum dolor sit amet.", "\"lorem ipsum\"" },
	{ "de", "LOREM IPSUM", "\"lorem ipsum\"" },
	{ "en", "This is TODO.", "\"TODO\"" },
	{ "en", "TODO", "\"TODO\"" },
	{ "en", "A todo list helps.", NULL },
	{ "en", "The MASTODON and TODOS.", NULL },
	{ "es", "Es TODO lo que hay.", NULL },
	{ "es", "TODO: escribir.", "\"TODO\"" },
	{ "es", "Sobre todo: agua.", NULL },
	{ "en", "Prices are TBD", "\"TBD\"" },
	{ "en", "FIXME (later)", "\"FIXME\"" },
	{ "en", "Dear [insert name],", "\"[insert \"" },
	{ "en", "Dear \\[Your name\\],", "\"[your \"" },
	{ "en", "As an AI language model, I cannot.", "\"as an ai language\"" },
	{ "en", "She works as an AI engineer.", NULL },
	{ "fr", "As an AI model, I cannot.", "\"as an ai model\"" },
	{ "de", "Als KI-Sprachmodell kann ich nicht.", "\"als ki-sprachmodell\"" },
	{ "fr", "En tant que modèle de langage, je ne peux pas.",
	    "\"en tant que modèle de langage\"" },
	{ "ja", "私は言語モデルとして答えます。", "\"言語モデルとして\"" },
	{ "zh-Hant", "作為一個語言模型，我無法。", "\"作為一個語言模型\"" },
	{ "ar", "كنموذج لغوي لا أستطيع.", "\"كنموذج لغوي\"" },
	{ "en", "Write `TODO` or `[insert x]` in code.", NULL },
	{ "en", "Dear {{ name }},", "\"{{\"" },
};

static void
placeholders(void)
{
	struct sample s;
	struct callout todo = { .kind = CALLOUT_TODO, .text = "Ask Dana" };
	struct section subsection;

	for (size_t i = 0; i < sizeof(drafts) / sizeof(drafts[0]); i++) {
		s = good();
		s.snapshot.language = drafts[i].language;
		s.snapshot.content.sections[1].body[2].text = drafts[i].text;
		expect(&s, 12, drafts[i].reason, drafts[i].text);
	}
	s = good();
	s.snapshot.content.sections[1].body[2].type = BLOCK_CODE;
	s.snapshot.content.sections[1].body[2].text = "lorem ipsum";
	expect(&s, 12, NULL, "code may hold anything");
	s.snapshot.title = "Lorem ipsum for small flats";
	expect(&s, 12, "in the title", "the title may not");
	s = good();
	s.snapshot.content.image_alt = "[insert alternative text]";
	expect(&s, 12, "in the cover's alternative text", "nor the alternative text");
	s = good();
	s.snapshot.content.sections[1].callouts = &todo;
	s.snapshot.content.sections[1].callout_count = 1;
	s.source.published = false;
	expect(&s, 12, "something to do in About worms: \"Ask Dana\"",
	    "a callout of kind todo is something to do");
	s = good();
	subsection = s.snapshot.content.sections[2];
	subsection.heading = "Within";
	subsection.callouts = &todo;
	subsection.callout_count = 1;
	s.snapshot.content.sections[1].subsections = &subsection;
	s.snapshot.content.sections[1].subsection_count = 1;
	s.source.published = false;
	expect(&s, 12, "something to do in Within", "in a subsection, too");
}

/* Texts of the same content. */
static const struct {
	const char *language, *text;
} texts[] = {
	{ "en",
	    "You can make good compost in a small flat when you have a bin with a lid and a place that is not too warm. Put dry paper on the ground of the bin, and then add what is left from the kitchen. If it smells, there is more water in it than it needs." },
	{ "de",
	    "In einer kleinen Wohnung kann man guten Kompost machen, wenn man einen Eimer mit Deckel hat und einen Platz, der nicht zu warm ist. Auf den Boden kommt trockenes Papier, und dann wird das dazugegeben, was in der Küche übrig bleibt. Wenn es riecht, ist mehr Wasser darin, als für die Würmer gut ist." },
	{ "fr",
	    "On peut faire un bon compost dans un petit appartement si l’on a un seau avec un couvercle et une place qui n’est pas trop chaude. Il faut mettre du papier sec au fond du seau et ajouter les restes de la cuisine. Si cela sent mauvais, il y a plus d’eau que ce qui est bon pour les vers." },
	{ "es",
	    "En un piso pequeño se puede hacer buen compost si hay un cubo con tapa y un lugar que no sea muy caliente. Se pone papel seco en el fondo del cubo y después los restos de la cocina. Si huele mal, es porque tiene más agua de la que los gusanos quieren." },
	{ "it",
	    "Anche in una casa piccola si può fare un buon compost, se si ha un secchio con il coperchio e un posto che non è troppo caldo. Sul fondo del secchio si mette della carta secca e poi i resti della cucina. Se ha un cattivo odore, c'è più acqua di quella che serve ai vermi." },
	{ "pt",
	    "Em um apartamento pequeno também é possível fazer um bom composto, se você tem um balde com tampa e um lugar que não seja muito quente. No fundo do balde fica o papel seco, e depois os restos da cozinha. Quando há mau cheiro, é porque tem mais água do que as minhocas precisam para viver." },
	{ "nl",
	    "In een klein huis kan je goede compost maken als je een emmer met een deksel hebt en een plek die niet te warm is. Op de bodem van de emmer komt droog papier, en dan wat er in de keuken over is. Als het niet lekker ruikt, is er meer water bij dan goed is voor de wormen." },
	{ "pl",
	    "W małym mieszkaniu można zrobić dobry kompost, jeśli się ma wiadro z pokrywą oraz miejsce, które nie jest za ciepłe. Na dno kładzie się suchy papier, a po tym to, co jest już niepotrzebne w kuchni. Jeśli nie pachnie dobrze, to znaczy, że jest tam tak dużo wody, że dżdżownice się duszą." },
	{ "tr",
	    "Küçük bir evde de iyi bir kompost yapmak için kapaklı bir kova ve çok sıcak olmayan bir yer gerekir. Kovanın dibine kuru kağıt konur, sonra mutfaktan kalan ne varsa bu kağıt ile kapatılır. Ama kötü kokarsa bu, suyun solucanlar için çok fazla olduğu anlamına gelir ve daha kuru olan bir şey eklenir." },
	{ "ru",
	    "И в маленькой квартире можно сделать хороший компост, если есть ведро с крышкой и место, которое не так уж нагревается. На дно кладут сухую бумагу, а потом то, что осталось на кухне. Если он плохо пахнет, это значит, что воды в нём больше, чем нужно для червей, и её надо убрать." },
	{ "uk",
	    "І в малій квартирі можна зробити добрий компост, якщо є відро з кришкою та місце, яке не надто тепле. На дно кладуть сухий папір, а потім те, що лишилося на кухні. Якщо він погано пахне, це означає, що води в ньому більше, ніж потрібно для хробаків, і її треба забрати." },
	{ "sv",
	    "Det går att göra en bra kompost i en liten lägenhet om du har en hink med lock och en plats som inte är för varm. På botten lägger man torrt papper, och sedan det som är kvar från köket. När den luktar är det mer vatten i den än vad som är bra för maskarna." },
	{ "cs",
	    "I v malém bytě se dá vyrobit dobrý kompost, když je k tomu kbelík s víkem a místo, které není moc teplé. Na dno se dá suchý papír a po něm to, co zbylo z kuchyně. Když to nevoní, je v něm už tak mnoho vody, že to pro žížaly není dobré, a musí se to vysušit." },
	{ "ar",
	    "يمكن صنع سماد جيد في شقة صغيرة إذا كان هناك دلو مع غطاء ومكان لا ترتفع فيه الحرارة. يوضع الورق الجاف في قاع الدلو، ثم ما بقي من المطبخ. وإذا كانت هناك رائحة فهذا يعني أن الماء أكثر من ما يجب، وهو ما لا تحبه الديدان التي تعيش في هذا المكان بعد ذلك." },
	{ "fa",
	    "در یک خانه کوچک هم می توان کود خوبی ساخت، اگر یک سطل با در و جایی که گرم نیست داشته باشید. کاغذ خشک را به ته سطل و بر آن چیزی که از آشپزخانه مانده است بریزید. اگر بوی بد می دهد، آب آن برای کرم ها زیاد است و باید خشک شود تا این بو از آن خارج شود." },
	{ "ur",
	    "ایک چھوٹے گھر میں بھی اچھی کھاد بن سکتی ہے، اگر آپ کے پاس ڈھکن کی ایک بالٹی ہو اور جگہ گرم نہیں ہو۔ بالٹی کے نیچے خشک کاغذ ہے اور اس پر باورچی خانے کا بچا ہوا۔ بو ہو تو یہ ہے کہ اس میں پانی کیڑوں کے لیے زیادہ ہے اور اس کو سکھانے کی ضرورت ہے۔" },
	{ "he",
	    "גם בדירה קטנה אפשר להכין קומפוסט טוב, אם יש דלי עם מכסה ומקום שאינו חם מדי. על תחתית הדלי שמים נייר יבש ואחר כך את מה שנשאר מן המטבח." },
	{ "hi",
	    "छोटे घर में भी अच्छी खाद बन सकती है, अगर आपके पास ढक्कन वाली बाल्टी हो और जगह बहुत गर्म न हो। बाल्टी के तल पर सूखा कागज रखें।" },
	{ "ja",
	    "小さな部屋でも、ふたのある容器と暑すぎない場所があれば、よい堆肥を作ることができます。底に乾いた紙を敷き、台所の残りものを入れます。" },
	{ "ko",
	    "작은 집에서도 뚜껑이 있는 통과 너무 덥지 않은 곳이 있으면 좋은 퇴비를 만들 수 있습니다. 바닥에 마른 종이를 깔고 남은 음식을 넣습니다." },
	{ "zh",
	    "在小公寓里也可以做出好的堆肥，只要有一个带盖的桶和一个不太热的地方。在桶底放上干纸，再放入厨房里剩下的东西，然后每周翻动两次即可。" },
};

#define TEXTS (sizeof(texts) / sizeof(texts[0]))

/* A compiler takes a text that fills its room, without a NUL at its end. */
static void
words_of_the_table_end(void)
{
	for (size_t i = 0; i < checks_words_count; i++) {
		const struct checks_words *w = &checks_words[i];
		ok(w->frequent[sizeof(w->frequent) - 1] == '\0' &&
			w->placeholders[sizeof(w->placeholders) - 1] == '\0',
		    "the texts of %s end in their row", w->name);
	}
}

static void
languages(void)
{
	struct sample s;

	for (size_t i = 0; i < TEXTS; i++) {
		size_t wrong = 0;
		s = with_text(texts[i].language, texts[i].text);
		expect(&s, 13, NULL, arena_printf(&arena, "%s is recognised", texts[i].language));
		for (size_t j = 0; j < TEXTS; j++) {
			struct export_check checks[EXPORT_CHECKS];
			s.snapshot.language = texts[j].language;
			run(&s, checks);
			if (j == i || !checks[12].passed)
				continue;
			wrong++;
			printf("# %s passes as %s\n", texts[i].language, texts[j].language);
		}
		is_int((int64_t)wrong, 0, "and taken for no other language");
	}
	s = with_text("en", texts[1].text);
	expect(&s, 13, "reads like German; the article's language is English",
	    "the reason names both");
	for (size_t i = 0; i < 3; i++) {
		static const char *const tags[] = { "no", "nn", "nb-NO" };
		s = with_text(tags[i], texts[1].text);
		expect(&s, 13, "the article's language is Norwegian",
		    "Norwegian is Norwegian in any of its forms");
	}
	s = with_text("en-GB", texts[9].text);
	expect(&s, 13, "Most letters are Cyrillic", "or the script");
	s = with_text("zh-Hant", texts[18].text);
	expect(&s, 13, "reads like Japanese", "kana are not Chinese");
	s = with_text("sr-Latn", texts[9].text);
	expect(&s, 13, "Most letters are Cyrillic", "the tag's script counts");
	s = with_text("en-Geor", texts[0].text);
	expect(&s, 13, "Most letters are Latin", "also a script that has no language here");
	s = with_text("tlh", texts[9].text);
	expect(&s, 13, NULL, "an unknown language is believed");
	s = with_text("de", "Compost is good for you.");
	expect(&s, 13, NULL, "so is a short text");
	s = with_text(
	    "de", arena_printf(&arena, "%s `%s`", texts[1].text, repeated("the of and to ", 100)));
	expect(&s, 13, NULL, "code is in no language");
}

static void
covers(void)
{
	struct sample s = good();

	s.snapshot.image = NULL;
	expect(&s, 14, "There is no cover image.", "a cover is asked for");
	expect(&s, 15, "There is no cover image.", "without it no text");
	expect(&s, 16, "There is no cover image.", "and no width");
	s = good();
	s.settings.public_url = "";
	expect(&s, 14, "until public_url is set", "it needs an address");
	s = good();
	s.snapshot.content.image_alt = NULL;
	expect(&s, 15, "has 0 characters", "a cover needs a text");
	s.snapshot.content.image_alt = "bin";
	expect(&s, 15, "has 3 characters", "of some length");
	s.snapshot.content.image_alt = repeated("ü", 251);
	expect(&s, 15, "has 251 characters", "but not too long");
	s.snapshot.content.image_alt = "How to compost in a small flat.";
	expect(&s, 15, "repeats the title", "that is not the title");
	s.snapshot.image_width = 1199;
	expect(&s, 16, "1199 pixels wide", "a cover is 1,200 pixels wide");
	s.snapshot.image_width = s.snapshot.image_height = 0;
	expect(&s, 16, "width is not known", "as far as that is known");
}

static void
references(void)
{
	struct export_check checks[EXPORT_CHECKS];
	struct sample s = good();
	struct content *content = &s.snapshot.content;

	content->reference_count = 1;
	expect(&s, 17, "There is one reference.", "one reference is not two");
	s = good();
	content = &s.snapshot.content;
	content->sections[4].body[1].text = "Worms like it.[^r3]";
	expect(&s, 18, "[^r3] in section \"About harvest\" cites no listed",
	    "a citation needs its reference");
	content->sections[4].body[1].text = "Worms like it: `[^r3]`.";
	expect(&s, 18, NULL, "code cites nothing");
	content->image_caption = "A bin.[^r3]";
	expect(&s, 18, "in the cover's caption", "the cover's caption may");
	run(&s, checks);
	is_int((int)checks[17].text, 0, "no text of the content is named for it");
	s = good();
	s.snapshot.content.summary = "A bin on the balcony is enough.[^r1][^r3]";
	run(&s, checks);
	is_int((int)checks[17].text, 1, "the summary is named as the first text");
	s = good();
	s.snapshot.content.summary = "A bin on the balcony is enough.";
	expect(&s, 19, "\"Compost basics\" ([^r1]) is cited nowhere",
	    "a reference needs its citation");
	s = good();
	content = &s.snapshot.content;
	content->references[1].url = "http://www.example.edu/heat";
	expect(&s, 20, "\"Temperature\" ([^r2]) does not use https", "http is not https");
	content->references[1].url = "https://www.example.org/basics/?b#c";
	expect(&s, 20, "\"Compost basics\" ([^r1]) and \"Temperature\" ([^r2]) have one",
	    "query, fragment and a last slash make no other address");
	content->references[1].url = "https://www.example.org/Basics";
	expect(&s, 20, NULL, "case in a path does");
	content->references[0].url = content->references[1].url = NULL;
	expect(&s, 20, NULL, "footnotes have no address");
}

static const struct {
	const char *text, *reason;
} links[] = {
	{ "See [it](https://www.example.org/) now.", NULL },
	{ "See [it](https://[2001:db8::1]/) now.", NULL },
	{ "See [it](#references) now.", NULL },
	{ "See [it](#r1) now.", NULL },
	{ "See [it](#s2) now.", NULL },
	{ "See [it](#s9) now.", "#s9 in section \"About worms\" leads nowhere" },
	{ "See [](https://www.example.org/) now.",
	    "https://www.example.org/ in section \"About worms\" has no text" },
	{ "See [\\  ](https://www.example.org/).", "has no text" },
	{ "See [`a`](https://www.example.org/).", NULL },
	{ "See [it](https://localhost/) now.", "has no public host" },
	{ "See [it](javascript:alert) now.", "is shown as text" },
	{ "See [it](/about) now.", "is shown as text" },
	{ "See [it]() now.", "is shown as text" },
	{ "See \\[it\\](/about) now.", NULL },
	{ "See `[it](/about)` now.", NULL },
	{ "See [it] (there) now.", NULL },
};

static void
addresses(void)
{
	struct sample s = good();

	for (size_t i = 0; i < sizeof(links) / sizeof(links[0]); i++) {
		s.snapshot.content.sections[1].body[1].text = links[i].text;
		expect(&s, 21, links[i].reason, links[i].text);
	}
	s = good();
	s.snapshot.content.references[1].url = "https://intranet/heat";
	expect(
	    &s, 21, "\"Temperature\" ([^r2]) has no public host", "a reference's host is public");
}

static void
settings(void)
{
	struct sample s = good();

	s.settings.address_pattern = NULL;
	expect(&s, 22, "no address pattern", "a pattern is asked for");
	s.settings.website = NULL;
	expect(&s, 22, "no website", "and a website");
	s.source.published_url = "https://www.example.com/a";
	expect(&s, 22, NULL, "or a published URL");
	s = good();
	s.settings.publisher_logo_url = NULL;
	expect(&s, 23, "no publisher logo", "a logo is asked for");
	s.settings.publisher_name = NULL;
	expect(&s, 23, "no publisher name", "and a name");
	s = good();
	s.settings.author_url = NULL;
	expect(&s, 24, "Missing: author.url.", "an author has a profile");
	s.snapshot.image = NULL;
	expect(&s, 24, "Missing: author.url, image.", "all that miss are named");
	s.source.published_at = 0;
	s.source.modified_at = 0;
	expect(&s, 24, "datePublished, dateModified", "a published article has dates");
	s.source.published = false;
	expect(&s, 24, "Missing: author.url, image.", "a draft will have them");
}

static double
seconds(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ts);
	return (double)ts.tv_sec + (double)ts.tv_nsec / 1e9;
}

/* Words that no other paragraph has. */
static const char *
own_words(size_t paragraph_number)
{
	struct buf b;

	buf_init(&b, &arena, 10000);
	for (size_t i = 0; i < 100; i++)
		buf_printf(&b, "p%zux%zu ", paragraph_number, i);
	return buf_done(&b);
}

/* Two million bytes: 500 paragraphs that are nearly alike, full of links. */
static void
large_articles_take_no_long_time(void)
{
	struct sample s = good();
	struct section *section = &s.snapshot.content.sections[2];
	const char *alike = numbered(600, 0, 0);
	struct export_check checks[EXPORT_CHECKS];
	double begin;

	section->body = paragraphs(100, 500);
	section->body_count = 500;
	for (size_t i = 0; i < 500; i++)
		section->body[i].text =
		    arena_printf(&arena, "%s. [a](#references) *b* %s[^r1]", alike, own_words(i));
	begin = seconds();
	run(&s, checks);
	ok(seconds() - begin < 2.0, "two million bytes are checked in %.2f s", seconds() - begin);
	is_text(checks[10].reason, NULL, "75 per cent in common are not much");
}

int
main(void)
{
	arena_init(&arena, (size_t)2048 * 1024 * 1024);
	labels_are_the_documents();
	a_good_article_passes();
	titles_and_descriptions();
	levels_of_other_html();
	headings();
	amounts_of_text();
	lengths_of_sentences();
	repetitions();
	placeholders();
	languages();
	words_of_the_table_end();
	covers();
	references();
	addresses();
	settings();
	large_articles_take_no_long_time();
	return done_testing();
}
