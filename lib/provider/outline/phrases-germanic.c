#include "provider/outline/phrases.h"

static const struct phrases list[] = {
	{
	    .tag = "en",
	    .open = "“",
	    .close = "”",
	    .overview = "{}: an overview",
	    .about = "This article is about {}.",
	    .summary = "This article is about {}: what it means, why it matters, "
		"how it works in practice and what to watch out for.",
	    .description = "{}: what it means, why it matters, how it works in "
		"practice and what to watch out for.",
	    .angle = "A plain introduction: from the meaning of the terms to the "
		"reader's own first steps.",
	    .audience = "Readers who meet the topic for the first time.",
	    .parts = {
		{ "What it is about",
		  { "What the terms mean, in plain words",
		    "Who this is for, and who can skip it",
		    "What this article leaves out" },
		  "Explain the topic in two or three sentences, as you would to "
		  "a friend. Define every term that newcomers do not know, and "
		  "say where the topic ends." },
		{ "Why it matters",
		  { "What changes for the reader",
		    "What happens if nothing is done",
		    "What it takes in time, money and effort" },
		  "Say what readers gain and what it costs them. Give a source "
		  "for every figure, or leave the figure out." },
		{ "How it works in practice",
		  { "What to have ready before the start",
		    "The steps, in their order",
		    "An example, worked through" },
		  "Describe the way step by step, one action to a step. Have "
		  "someone follow the steps who has never done it." },
		{ "What to watch out for",
		  { "Frequent mistakes, and how to avoid them",
		    "Limits and open questions",
		    "When to ask someone who knows" },
		  "Name mistakes that you have seen yourself, and how to mend "
		  "them. Say plainly what is not known." },
	    },
	    .leads = { "This section covers:", "What readers find here:",
		"What belongs here:", "The main points at a glance:" },
	    .bare = "This section is about {}.",
	    .questions = { "What is meant by {}?", "Where do I begin?",
		"How much time and money does it take?",
		"How do I know that it is working?" },
	    .todo_title = "Still to write",
	    .todo = "Write a paragraph on each point above, in your own words and "
		"with a source for every fact.",
	    .todo_bare = "Write this section: two or three paragraphs in your own "
		"words, with a source for every fact.",
	    .todo_angle = "Angle: {}",
	    .todo_audience = "Audience: {}",
	    .todo_keywords = "Keywords: {}",
	    .todo_order = "The order in full: {}",
	    .todo_questions = "Readers will ask these questions; answer each in a "
		"few sentences and add them as frequently asked questions:",
	    .reading = "Further reading",
	    .reading_own = "More about this on our site:",
	    .reading_sources = "Sources on the topic:",
	    .see = "See also: {}",
	    .cover_alt = "Title image with the words {}",
	},
	{
	    .tag = "de",
	    .open = "„",
	    .close = "“",
	    .overview = "{}: ein Überblick",
	    .about = "In diesem Artikel geht es um das Thema {}.",
	    .summary = "In diesem Artikel geht es um das Thema {}: was damit "
		"gemeint ist, warum es wichtig ist, wie es in der Praxis geht und "
		"worauf man achten sollte.",
	    .description = "{}: was damit gemeint ist, warum es wichtig ist, wie "
		"es in der Praxis geht und worauf man achten sollte.",
	    .angle = "Eine verständliche Einführung: von den Begriffen bis zu den "
		"ersten eigenen Schritten.",
	    .audience = "Leserinnen und Leser, die dem Thema zum ersten Mal "
		"begegnen.",
	    .parts = {
		{ "Worum es geht",
		  { "Was die Begriffe bedeuten, in einfachen Worten",
		    "Für wen das Thema ist und für wen nicht",
		    "Was dieser Artikel auslässt" },
		  "Erklären Sie das Thema in zwei, drei Sätzen, so wie Sie es "
		  "Bekannten erklären würden. Bestimmen Sie jeden Begriff, den "
		  "Neulinge nicht kennen, und sagen Sie, wo das Thema endet." },
		{ "Warum es wichtig ist",
		  { "Was sich für die Leser ändert",
		    "Was geschieht, wenn man nichts tut",
		    "Was es an Zeit, Geld und Mühe kostet" },
		  "Sagen Sie, was die Leser davon haben und was es sie kostet. "
		  "Nennen Sie zu jeder Zahl eine Quelle, oder lassen Sie die "
		  "Zahl weg." },
		{ "Wie es in der Praxis geht",
		  { "Was man vorher bereitlegt",
		    "Die Schritte in ihrer Reihenfolge",
		    "Ein Beispiel aus der Praxis" },
		  "Beschreiben Sie den Weg Schritt für Schritt, eine Handlung je "
		  "Schritt. Lassen Sie jemanden danach vorgehen, der es noch nie "
		  "gemacht hat." },
		{ "Worauf man achten sollte",
		  { "Häufige Fehler und wie man sie vermeidet",
		    "Grenzen und offene Fragen",
		    "Wann man Fachleute fragen sollte" },
		  "Nennen Sie Fehler, die Sie selbst gesehen haben, und wie man "
		  "sie behebt. Sagen Sie offen, was man nicht weiß." },
	    },
	    .leads = { "In diesem Abschnitt geht es um:",
		"Das erfahren Sie hier:", "Diese Punkte gehören dazu:",
		"Das Wichtigste auf einen Blick:" },
	    .bare = "In diesem Abschnitt geht es um {}.",
	    .questions = { "Was ist mit {} gemeint?", "Wo fange ich an?",
		"Wie viel Zeit und Geld kostet es?",
		"Woran merke ich, dass es gelingt?" },
	    .todo_title = "Noch zu schreiben",
	    .todo = "Schreiben Sie zu jedem Punkt oben einen Absatz, in eigenen "
		"Worten und mit einer Quelle für jede Tatsache.",
	    .todo_bare = "Schreiben Sie diesen Abschnitt: zwei oder drei Absätze "
		"in eigenen Worten, mit einer Quelle für jede Tatsache.",
	    .todo_angle = "Blickwinkel: {}",
	    .todo_audience = "Zielgruppe: {}",
	    .todo_keywords = "Stichwörter: {}",
	    .todo_order = "Der Auftrag im Wortlaut: {}",
	    .todo_questions = "Diese Fragen werden kommen; beantworten Sie jede "
		"in wenigen Sätzen und nehmen Sie sie als häufige Fragen auf:",
	    .reading = "Zum Weiterlesen",
	    .reading_own = "Mehr dazu auf unserer Website:",
	    .reading_sources = "Quellen zum Thema:",
	    .see = "Siehe auch: {}",
	    .cover_alt = "Titelbild mit den Worten {}",
	},
	{
	    .tag = "nl",
	    .open = "‘",
	    .close = "’",
	    .overview = "{}: een overzicht",
	    .about = "Dit artikel gaat over {}.",
	    .summary = "Dit artikel gaat over {}: wat ermee bedoeld wordt, waarom "
		"het ertoe doet, hoe het in de praktijk gaat en waar u op moet "
		"letten.",
	    .description = "{}: wat ermee bedoeld wordt, waarom het ertoe doet, "
		"hoe het in de praktijk gaat en waar u op moet letten.",
	    .angle = "Een heldere inleiding: van de betekenis van de begrippen "
		"tot de eerste eigen stappen.",
	    .audience = "Lezers die voor het eerst met het onderwerp te maken "
		"krijgen.",
	    .parts = {
		{ "Waar het over gaat",
		  { "Wat de begrippen betekenen, in gewone woorden",
		    "Voor wie dit is, en wie het kan overslaan",
		    "Wat dit artikel niet behandelt" },
		  "Leg het onderwerp uit in twee of drie zinnen, zoals u het aan "
		  "een vriend zou uitleggen. Omschrijf elk begrip dat nieuwe "
		  "lezers niet kennen en zeg waar het onderwerp ophoudt." },
		{ "Waarom het ertoe doet",
		  { "Wat er voor de lezer verandert",
		    "Wat er gebeurt als u niets doet",
		    "Wat het kost aan tijd, geld en moeite" },
		  "Zeg wat lezers eraan hebben en wat het hun kost. Noem bij elk "
		  "cijfer een bron, of laat het cijfer weg." },
		{ "Hoe het in de praktijk gaat",
		  { "Wat u vooraf klaarlegt",
		    "De stappen in de juiste volgorde",
		    "Een voorbeeld uit de praktijk" },
		  "Beschrijf de weg stap voor stap, één handeling per stap. Laat "
		  "iemand de stappen volgen die het nog nooit gedaan heeft." },
		{ "Waar u op moet letten",
		  { "Veelgemaakte fouten en hoe u ze voorkomt",
		    "Grenzen en open vragen",
		    "Wanneer u een deskundige inschakelt" },
		  "Noem fouten die u zelf gezien hebt en hoe u ze herstelt. Zeg "
		  "eerlijk wat niet bekend is." },
	    },
	    .leads = { "In dit deel komt aan bod:", "Dit leest u hier:",
		"Deze punten horen erbij:", "De hoofdpunten in het kort:" },
	    .bare = "Dit deel gaat over {}.",
	    .questions = { "Wat wordt bedoeld met {}?", "Waar begin ik?",
		"Hoeveel tijd en geld kost het?",
		"Hoe merk ik dat het werkt?" },
	    .todo_title = "Nog te schrijven",
	    .todo = "Schrijf over elk punt hierboven een alinea, in eigen woorden "
		"en met een bron voor elk feit.",
	    .todo_bare = "Schrijf dit deel: twee of drie alinea's in eigen "
		"woorden, met een bron voor elk feit.",
	    .todo_angle = "Invalshoek: {}",
	    .todo_audience = "Doelgroep: {}",
	    .todo_keywords = "Trefwoorden: {}",
	    .todo_order = "De volledige opdracht: {}",
	    .todo_questions = "Lezers zullen deze vragen stellen; beantwoord ze "
		"elk in een paar zinnen en neem ze op als veelgestelde vragen:",
	    .reading = "Verder lezen",
	    .reading_own = "Meer hierover op onze site:",
	    .reading_sources = "Bronnen over het onderwerp:",
	    .see = "Zie ook: {}",
	    .cover_alt = "Titelafbeelding met de woorden {}",
	},
};

const struct phrases_family phrases_germanic = { list,
	sizeof(list) / sizeof(*list) };
