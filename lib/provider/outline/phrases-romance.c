#include "provider/outline/phrases.h"

/* French puts a no-break space (U+00A0) inside quotation marks and before a colon
 * and a question mark. */
static const struct phrases list[] = {
	{
	    .tag = "fr",
	    .open = "« ",
	    .close = " »",
	    .overview = "{} : vue d’ensemble",
	    .about = "Cet article a pour sujet {}.",
	    .summary = "Cet article a pour sujet {} : de quoi il s’agit, pourquoi "
		"c’est important, comment s’y prendre et à quoi faire attention.",
	    .description = "{} : de quoi il s’agit, pourquoi c’est important, "
		"comment s’y prendre et à quoi faire attention.",
	    .angle = "Une introduction accessible : du sens des mots aux premiers "
		"pas du lecteur.",
	    .audience = "Les lecteurs qui découvrent le sujet.",
	    .parts = {
		{ "De quoi il s’agit",
		  { "Le sens des termes, avec des mots simples",
		    "À qui cela s’adresse, et qui peut s’en passer",
		    "Ce que cet article laisse de côté" },
		  "Expliquez le sujet en deux ou trois phrases, comme à un ami. "
		  "Définissez chaque terme que les débutants ignorent et dites "
		  "où le sujet s’arrête." },
		{ "Pourquoi c’est important",
		  { "Ce qui change pour le lecteur",
		    "Ce qui arrive si l’on ne fait rien",
		    "Ce qu’il faut de temps, d’argent et d’efforts" },
		  "Dites ce que les lecteurs y gagnent et ce que cela leur coûte. "
		  "Donnez une source pour chaque chiffre, ou retirez le chiffre." },
		{ "Comment s’y prendre",
		  { "Ce qu’il faut préparer avant de commencer",
		    "Les étapes, dans l’ordre",
		    "Un exemple concret" },
		  "Décrivez la marche à suivre étape par étape, une action à la "
		  "fois. Faites-la essayer par quelqu’un qui ne l’a jamais fait." },
		{ "À quoi faire attention",
		  { "Les erreurs fréquentes et comment les éviter",
		    "Les limites et les questions ouvertes",
		    "Quand demander conseil à un spécialiste" },
		  "Citez des erreurs que vous avez vues vous-même et la façon de "
		  "les réparer. Dites franchement ce que l’on ne sait pas." },
	    },
	    .leads = { "Cette partie aborde :", "Ce que vous trouverez ici :",
		"Les points à connaître :", "L’essentiel en bref :" },
	    .bare = "Cette partie traite de {}.",
	    .questions = { "Qu’entend-on par {} ?", "Par où commencer ?",
		"Combien de temps et d’argent faut-il ?",
		"Comment savoir si cela fonctionne ?" },
	    .todo_title = "Reste à écrire",
	    .todo = "Écrivez un paragraphe pour chaque point ci-dessus, avec vos "
		"propres mots et une source pour chaque fait.",
	    .todo_bare = "Écrivez cette partie : deux ou trois paragraphes, avec "
		"vos propres mots et une source pour chaque fait.",
	    .todo_angle = "Angle : {}",
	    .todo_audience = "Public : {}",
	    .todo_keywords = "Mots-clés : {}",
	    .todo_order = "La demande complète : {}",
	    .todo_questions = "Les lecteurs poseront ces questions ; répondez à "
		"chacune en quelques phrases et ajoutez-les aux questions "
		"fréquentes :",
	    .reading = "Pour aller plus loin",
	    .reading_own = "À lire aussi sur notre site :",
	    .reading_sources = "Sources sur le sujet :",
	    .see = "Voir aussi : {}",
	    .cover_alt = "Image de titre avec les mots {}",
	},
	{
	    .tag = "es",
	    .open = "«",
	    .close = "»",
	    .overview = "{}: una visión general",
	    .about = "Este artículo trata sobre {}.",
	    .summary = "Este artículo trata sobre {}: qué significa, por qué "
		"importa, cómo se lleva a la práctica y qué conviene tener en "
		"cuenta.",
	    .description = "{}: qué significa, por qué importa, cómo se lleva a "
		"la práctica y qué conviene tener en cuenta.",
	    .angle = "Una introducción clara: desde el significado de los "
		"términos hasta los primeros pasos.",
	    .audience = "Lectores que se acercan al tema por primera vez.",
	    .parts = {
		{ "De qué se trata",
		  { "Qué significan los términos, en palabras sencillas",
		    "A quién le interesa y quién puede saltárselo",
		    "Qué deja fuera este artículo" },
		  "Explique el tema en dos o tres frases, como se lo contaría a "
		  "un amigo. Defina cada término que un principiante no conozca "
		  "y diga dónde termina el tema." },
		{ "Por qué importa",
		  { "Qué cambia para el lector",
		    "Qué ocurre si no se hace nada",
		    "Cuánto tiempo, dinero y esfuerzo requiere" },
		  "Diga qué ganan los lectores y qué les cuesta. Indique una "
		  "fuente para cada cifra o quite la cifra." },
		{ "Cómo se lleva a la práctica",
		  { "Qué hay que preparar antes de empezar",
		    "Los pasos, en su orden",
		    "Un ejemplo concreto" },
		  "Describa el camino paso a paso, una acción en cada paso. Pida "
		  "que lo pruebe alguien que nunca lo haya hecho." },
		{ "Qué conviene tener en cuenta",
		  { "Errores frecuentes y cómo evitarlos",
		    "Límites y preguntas abiertas",
		    "Cuándo consultar a un experto" },
		  "Mencione errores que haya visto usted mismo y cómo se "
		  "corrigen. Diga con franqueza lo que no se sabe." },
	    },
	    .leads = { "En este apartado se trata:",
		"Lo que encontrará aquí:", "Los puntos que hay que conocer:",
		"Lo esencial de un vistazo:" },
	    .bare = "Este apartado trata sobre {}.",
	    .questions = { "¿Qué se entiende por {}?", "¿Por dónde empiezo?",
		"¿Cuánto tiempo y dinero cuesta?",
		"¿Cómo sé que está funcionando?" },
	    .todo_title = "Queda por escribir",
	    .todo = "Escriba un párrafo sobre cada punto anterior, con sus "
		"propias palabras y una fuente para cada dato.",
	    .todo_bare = "Escriba este apartado: dos o tres párrafos con sus "
		"propias palabras y una fuente para cada dato.",
	    .todo_angle = "Enfoque: {}",
	    .todo_audience = "Público: {}",
	    .todo_keywords = "Palabras clave: {}",
	    .todo_order = "El encargo completo: {}",
	    .todo_questions = "Los lectores harán estas preguntas; responda a "
		"cada una en pocas frases y añádalas a las preguntas frecuentes:",
	    .reading = "Para seguir leyendo",
	    .reading_own = "Más sobre esto en nuestro sitio:",
	    .reading_sources = "Fuentes sobre el tema:",
	    .see = "Véase también: {}",
	    .cover_alt = "Imagen de portada con las palabras {}",
	},
	{
	    .tag = "it",
	    .open = "«",
	    .close = "»",
	    .overview = "{}: una panoramica",
	    .about = "Questo articolo parla di {}.",
	    .summary = "Questo articolo parla di {}: che cosa significa, perché è "
		"importante, come si fa in pratica e a che cosa fare attenzione.",
	    .description = "{}: che cosa significa, perché è importante, come si "
		"fa in pratica e a che cosa fare attenzione.",
	    .angle = "Un’introduzione chiara: dal significato dei termini ai "
		"primi passi di chi legge.",
	    .audience = "Chi si avvicina all’argomento per la prima volta.",
	    .parts = {
		{ "Di che cosa si tratta",
		  { "Che cosa significano i termini, in parole semplici",
		    "A chi serve e chi può farne a meno",
		    "Che cosa questo articolo non tratta" },
		  "Spieghi l’argomento in due o tre frasi, come lo "
		  "racconterebbe a un amico. Definisca ogni termine che chi "
		  "comincia non conosce e dica dove finisce l’argomento." },
		{ "Perché è importante",
		  { "Che cosa cambia per chi legge",
		    "Che cosa succede se non si fa nulla",
		    "Quanto costa in tempo, denaro e fatica" },
		  "Dica che cosa ci guadagna chi legge e quanto gli costa. "
		  "Indichi una fonte per ogni cifra, oppure tolga la cifra." },
		{ "Come si fa in pratica",
		  { "Che cosa preparare prima di cominciare",
		    "I passi, nel loro ordine",
		    "Un esempio concreto" },
		  "Descriva il percorso passo dopo passo, un’azione per volta. "
		  "Lo faccia provare a qualcuno che non l’ha mai fatto." },
		{ "A che cosa fare attenzione",
		  { "Gli errori frequenti e come evitarli",
		    "I limiti e le questioni aperte",
		    "Quando rivolgersi a un esperto" },
		  "Citi errori che ha visto di persona e il modo di rimediare. "
		  "Dica con franchezza che cosa non si sa." },
	    },
	    .leads = { "In questa sezione:", "Che cosa si trova qui:",
		"I punti da conoscere:", "L’essenziale in breve:" },
	    .bare = "Questa sezione parla di {}.",
	    .questions = { "Che cosa si intende per {}?", "Da dove si comincia?",
		"Quanto tempo e denaro ci vogliono?",
		"Come capisco che sta funzionando?" },
	    .todo_title = "Ancora da scrivere",
	    .todo = "Scriva un paragrafo su ciascun punto qui sopra, con parole "
		"proprie e una fonte per ogni fatto.",
	    .todo_bare = "Scriva questa sezione: due o tre paragrafi con parole "
		"proprie e una fonte per ogni fatto.",
	    .todo_angle = "Taglio: {}",
	    .todo_audience = "Pubblico: {}",
	    .todo_keywords = "Parole chiave: {}",
	    .todo_order = "La richiesta completa: {}",
	    .todo_questions = "Chi legge farà queste domande; risponda a ciascuna "
		"in poche frasi e le aggiunga alle domande frequenti:",
	    .reading = "Per approfondire",
	    .reading_own = "Altri articoli sul nostro sito:",
	    .reading_sources = "Fonti sull’argomento:",
	    .see = "Vedi anche: {}",
	    .cover_alt = "Immagine del titolo con le parole {}",
	},
	{
	    .tag = "pt",
	    .open = "“",
	    .close = "”",
	    .overview = "{}: uma visão geral",
	    .about = "Este artigo trata de {}.",
	    .summary = "Este artigo trata de {}: o que significa, por que é "
		"importante, como funciona na prática e a que prestar atenção.",
	    .description = "{}: o que significa, por que é importante, como "
		"funciona na prática e a que prestar atenção.",
	    .angle = "Uma introdução clara: do significado dos termos aos "
		"primeiros passos de quem lê.",
	    .audience = "Leitores que têm contato com o tema pela primeira vez.",
	    .parts = {
		{ "Do que se trata",
		  { "O que significam os termos, em palavras simples",
		    "Para quem é este tema e quem pode passar adiante",
		    "O que este artigo deixa de fora" },
		  "Explique o tema em duas ou três frases, como explicaria a um "
		  "amigo. Defina cada termo que um iniciante não conhece e diga "
		  "onde o tema termina." },
		{ "Por que é importante",
		  { "O que muda para quem lê",
		    "O que acontece se nada for feito",
		    "O que exige em tempo, dinheiro e esforço" },
		  "Diga o que os leitores ganham e quanto isso lhes custa. "
		  "Indique uma fonte para cada número, ou retire o número." },
		{ "Como funciona na prática",
		  { "O que preparar antes de começar",
		    "Os passos, pela ordem",
		    "Um exemplo concreto" },
		  "Descreva o caminho passo a passo, uma ação por passo. Peça a "
		  "alguém que nunca o fez para seguir os passos." },
		{ "A que prestar atenção",
		  { "Erros frequentes e como evitá-los",
		    "Limites e perguntas em aberto",
		    "Quando consultar um especialista" },
		  "Cite erros que você mesmo já viu e como corrigi-los. Diga com "
		  "franqueza o que não se sabe." },
	    },
	    .leads = { "Esta seção aborda:", "O que você encontra aqui:",
		"Os pontos a conhecer:", "O essencial em resumo:" },
	    .bare = "Esta seção trata de {}.",
	    .questions = { "O que se entende por {}?", "Por onde começo?",
		"Quanto tempo e dinheiro custa?",
		"Como sei que está funcionando?" },
	    .todo_title = "Falta escrever",
	    .todo = "Escreva um parágrafo sobre cada ponto acima, com suas "
		"próprias palavras e uma fonte para cada fato.",
	    .todo_bare = "Escreva esta seção: dois ou três parágrafos com suas "
		"próprias palavras e uma fonte para cada fato.",
	    .todo_angle = "Abordagem: {}",
	    .todo_audience = "Público: {}",
	    .todo_keywords = "Palavras-chave: {}",
	    .todo_order = "O pedido completo: {}",
	    .todo_questions = "Os leitores farão estas perguntas; responda a cada "
		"uma em poucas frases e inclua-as nas perguntas frequentes:",
	    .reading = "Para continuar lendo",
	    .reading_own = "Mais sobre isto no nosso site:",
	    .reading_sources = "Fontes sobre o tema:",
	    .see = "Veja também: {}",
	    .cover_alt = "Imagem de título com as palavras {}",
	},
};

const struct phrases_family phrases_romance = { list,
	sizeof(list) / sizeof(*list) };
