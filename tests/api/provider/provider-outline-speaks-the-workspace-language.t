# Proves that the built-in provider writes nineteen languages in their own words, and English for
# all others, and that it finds words in each script.
use strict;
use warnings;
use utf8;
use lib 'tests/lib';
use Test::More;
use OutlineRun;

binmode $_, ':utf8' for Test::More->builder->output,
	Test::More->builder->failure_output;

# The script of each language, and a word that related languages do not have.
my %languages = (
	en => ['Latin', 'reading'], de => ['Latin', 'Weiterlesen'],
	nl => ['Latin', 'lezen'], fr => ['Latin', 'loin'],
	es => ['Latin', 'seguir'], it => ['Latin', 'approfondire'],
	pt => ['Latin', 'continuar'], pl => ['Latin', 'przeczytać'],
	tr => ['Latin', 'önerileri'], ru => ['Cyrillic', 'ещё'],
	uk => ['Cyrillic', 'ще'], ar => ['Arabic', 'للاستزادة'],
	fa => ['Arabic', 'بیشتر'], he => ['Hebrew', 'נוספת'],
	hi => ['Devanagari', 'आगे'], ja => ['Han', '読みたい'],
	ko => ['Hangul', '읽을거리'], zh => ['Han', '延伸阅读'],
	'zh-Hant' => ['Han', '延伸閱讀'],
);
my %script = (Latin => qr/\p{Latin}/, Cyrillic => qr/\p{Cyrillic}/,
	Arabic => qr/\p{Arabic}/, Hebrew => qr/\p{Hebrew}/,
	Devanagari => qr/\p{Devanagari}/, Hangul => qr/\p{Hangul}/,
	Han => qr/[\p{Han}\p{Hiragana}\p{Katakana}ー]/);

sub article { return order(topic => 'Galley', articles =>
	[{ title => 'Galley', url => 'https://www.example.com/' }], @_)->{result} }

my %seen;
for my $language (sort keys %languages) {
	my ($script, $word) = @{ $languages{$language} };
	my $result = article(language => $language);
	my $text = join "\n", texts_of([$result->{description},
		$result->{content}{sections}, $result->{content}{summary}]);
	$text =~ s/Galley|paragraph|callout|todo|list|https\S+|^s\d$//gm;
	my $letters = () = $text =~ /\p{Letter}/g;
	my $own = () = $text =~ /\p{Letter}(?<=$script{$script})/g;
	is $own, $letters, "$language: every letter is of its script";
	like $result->{content}{sections}[-1]{heading}, qr/\Q$word\E/,
		"$language: its own words";
	unlike $text, qr/\{\}|%s/, "$language: every place is filled";
	cmp_ok length $result->{description}, '>=', 69,
		"$language: a description that is long enough";
	cmp_ok length $result->{description}, '<=', 160,
		"$language: and short enough";
	my $brief = order(kind => 'research', language => $language,
		topic => 'Galley')->{result}{brief};
	is scalar(grep { /Galley/ } @{ $brief->{questions} }), 1,
		"$language: the first question names the topic";
	ok !$seen{$_}++, "$language: no phrase of another language: $_"
		for map { $_->{heading} } @{ $brief->{outline} };
}

# Tags
my %same = ('en-GB' => 'en', sw => 'en', 'de-AT' => 'de', 'pt-BR' => 'pt',
	'zh-CN' => 'zh', 'zh-TW' => 'zh-Hant', 'zh-Hant-HK' => 'zh-Hant',
	'zh-Hans-HK' => 'zh', 'AR-eg' => 'ar', 'not a tag' => 'en');
for my $tag (sort keys %same) {
	is article(language => $tag)->{content}{summary},
		article(language => $same{$tag})->{content}{summary},
		"$tag speaks $same{$tag}";
}

# Words: [language, topic, keywords, related title, a title that is not]
my @words = (
	['en', 'How to make compost in 2026', 'compost', 'Composting at home',
		'How to make bread'],
	['de', 'Wie man Kompost für Gärten macht', 'Kompost Gärten',
		'Der Garten im März', 'Wie man Brot macht'],
	['fr', 'Comment faire du compost d’appartement', 'compost appartement',
		'L’appartement au printemps', 'Comment faire du pain'],
	['ru', 'Как сделать компост на балконе', 'компост балконе',
		'О пользе компоста', 'Как сделать хлеб'],
	['tr', 'Evde kompost nasıl yapılır', 'Evde kompost',
		'Kompostun yararları', 'Ekmek nasıl yapılır'],
	['ar', 'كيف تصنع السماد في البيت', 'تصنع السماد البيت', 'فوائد سماد الخضار',
		'كيف يكون الخبز'],
	['he', 'איך מכינים קומפוסט בבית', 'מכינים קומפוסט בבית',
		'יתרונות הקומפוסט', 'איך אופים לחם'],
	['hi', 'घर में खाद कैसे बनाएँ', 'घर खाद बनाएँ', 'खाद के लाभ', 'रोटी कैसे'],
	['ja', '小さな部屋でコンポストを始める方法', '部屋 コンポスト',
		'コンポストの手入れ', 'おいしいパンの方法'],
	['ko', '집에서 퇴비 만들기', '집에서 퇴비 만들기', '퇴비를 쓰는 법', '빵 굽는 법'],
	['zh', '如何在家堆肥和种菜', '在家堆肥 种菜', '阳台堆肥入门', '如何烤面包'],
);
for (@words) {
	my ($language, $topic, $keywords, $near, $far) = @$_;
	my $brief = order(kind => 'research', language => $language,
		topic => $topic, articles => [{ title => $far }, { title => $near }])
		->{result}{brief};
	is join(' ', @{ $brief->{keywords} }), $keywords,
		"$language: keywords without function words";
	is_deeply $brief->{related}, ['00000000-0000-4000-8000-000000000002'],
		"$language: what is related is found, in another form of the word";
}

# Themes
my @themes = (
	['en', 'Small gardens: an overview', 'Ten small gardens', 'Bread',
		'Small gardens in winter', 'A garden'],
	['ja', 'コンポストの概要', '冬のコンポスト', 'パン', 'コンポスト入門'],
	['zh', '堆肥：概览', '阳台堆肥入门', '冬季堆肥', '面包'],
	['ru', 'Компост: обзор', 'Как сделать компост', 'Компосты зимой', 'Хлеб'],
);
for (@themes) {
	my ($language, $title, @titles) = @$_;
	is order(language => $language, topic => '',
		articles => [map { { title => $_ } } @titles])->{result}{title},
		$title, "$language: a theme out of titles";
}

done_testing;
