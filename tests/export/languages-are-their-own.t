#!/usr/bin/perl
# Articles in eight languages: language and direction, isolates, slugs in their
# own letters, labels, words and minutes counted as their scripts have it.
use strict;
use warnings;
use utf8;

use lib 'tests/lib';

use Exports;
use Test::More;

binmode $_, ':utf8' for Test::More->builder->output,
	Test::More->builder->failure_output;

my $exports = Exports->new;
my $rows = $exports->import_folder('tests/fixtures/languages');
my $articles = $exports->articles;

is join("\n", @{ $_->{notes} }), '', "$_->{slug}: nothing is changed or lost"
	for @$rows;

my %languages = (
	ar => { dir => 'rtl', slug => 'حفظ-الصور-القديمة', locale => 'ar_AR',
		labels => ['أهم النقاط', 'الأسئلة الشائعة', 'المراجع'],
		bdi => ['2026-03-04', 'JPEG', 'Google Photos', 'iCloud Drive', 'M-DISC'],
		code => 'sha256sum -c sums.txt', source => 'جامعة المثال' },
	he => { dir => 'rtl', slug => 'עגבניות-על-המרפסת', locale => 'he_IL',
		labels => ['עיקרי הדברים', 'שאלות נפוצות', 'מקורות'],
		bdi => ['2026-03-05', 'Cherry Gold', 'Wi-Fi', 'NPK 20-20-20'],
		code => 'moisture=12', source => 'מכון לדוגמה' },
	fa => { dir => 'rtl', slug => 'سرویس-دوچرخه', locale => 'fa_IR',
		labels => ['نکات کلیدی', 'پرسش‌های متداول', 'منابع'],
		bdi => ['2026-03-06', 'Allen', 'V-Brake', 'Shimano Nexus'],
		code => 'gear --check', source => 'انجمن نمونه' },
	hi => { dir => 'ltr', slug => 'बिजली-का-बिल-कम-करें', locale => 'hi_IN',
		labels => ['मुख्य बातें', 'अक्सर पूछे जाने वाले प्रश्न', 'संदर्भ'],
		code => 'kWh = 12.4', source => 'उदाहरण ऊर्जा ब्यूरो' },
	ja => { dir => 'ltr', slug => '包丁の研ぎ方', locale => 'ja_JP',
		labels => ['要点', 'よくある質問', '参考文献'],
		code => 'date, knife, grit', source => '例示調理学会' },
	zh => { dir => 'ltr', slug => '室内种香草', locale => 'zh_CN',
		labels => ['要点', '常见问题', '参考资料'],
		code => 'date, height_cm', source => '示例园艺学会' },
	de => { dir => 'ltr', slug => 'größere-stühle-leimen', locale => 'de_DE',
		labels => ['Das Wichtigste in Kürze', 'Häufig gestellte Fragen',
			'Quellen'], source => 'Beispielinstitut für Holztechnik' },
	en => { dir => 'ltr', slug => 'read-a-water-meter-and-find-a-leak',
		locale => 'en_US', labels => ['Key takeaways',
			'Frequently asked questions', 'References'],
		code => '433 MHz', source => 'Example Water Council' },
);

# The words of the visible text and its Han and kana, counted here another way:
# out of the html, whose tags divide words only where they are blocks.
my $cjk_letter = qr/[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}ー]/;

sub counted {
	my ($html) = @_;
	$html =~ s{<p class="ab-byline">.*}{};
	$html =~ s{<h1>.*}{};
	$html =~ s{<section class="ab-references".*?</section>}{}s;
	$html =~ s{<figure class="ab-cover">.*?</figure>}{}s;
	$html =~ s{<h2>[^<]*</h2>(?=\n<(?:ul>|div class="ab-faq"))}{}g;
	$html =~ s{<sup\b.*?</sup>}{ }gs;
	$html =~ s{</?(?:bdi|strong|em|a|span|code)\b[^>]*>}{}g;
	$html =~ s{<[^>]*>}{ }g;
	$html =~ s/&\w+;/ /g;
	my $cjk = () = $html =~ /$cjk_letter/g;
	$html =~ s/$cjk_letter/ /g;
	my $words = () = $html =~ /[\p{L}\p{M}\p{N}]+/g;
	return ($words, $cjk);
}

# What an article of this length passes: all but the length itself, and an
# author's address where the article names its own author.
my %short = map { $_ => 1 } 'Article has enough text',
	'Structured data is complete';

for my $language (sort keys %languages) {
	my $want = $languages{$language};
	my $article = $articles->{"languages/$language"};
	my $html = $article->{html};
	my ($posting) = grep { $_->{'@type'} eq 'BlogPosting' }
		@{ $article->{json_ld}{'@graph'} };

	like $html, qr/^<article [^>]*lang="$language" dir="$want->{dir}">/,
		"$language: language and direction";
	is $article->{seo}{language}, $language, "$language: seo";
	is $posting->{inLanguage}, $language, "$language: inLanguage";
	is $article->{seo}{openGraph}{locale}, $want->{locale},
		"$language: og:locale";
	is $article->{slug}, $want->{slug}, "$language: the slug's own letters";
	like $article->{canonical_url} // $article->{seo}{canonical},
		qr{^https://www\.example\.com/blog/[\x21-\x7e]+$},
		"$language: its address is percent-encoded";
	for my $label (@{ $want->{labels} }) {
		like $html, qr{<h2>\Q$label\E</h2>}, "$language: $label";
	}
	like $html, qr{<code dir="ltr">\Q$want->{code}\E</code>},
		"$language: code runs from left to right" if $want->{code};
	like $html, qr{</cite>, \Q$want->{source}\E, <time},
		"$language: a source's parts, whatever divides them";
	like $html, qr{<bdi>\Q$_\E</bdi>}, "$language: <bdi> around $_"
		for @{ $want->{bdi} // [] };
	unlike $html, qr{<bdi>}, "$language: no isolates" if !$want->{bdi};
	unlike $html, qr/[\x{200e}\x{200f}\x{202a}-\x{202e}\x{2066}-\x{2069}]/,
		"$language: no control characters";

	my ($words, $cjk) = counted($html);
	is $posting->{wordCount}, $words + $cjk, "$language: words";
	my $minutes = $words / 220 + $cjk / 500;
	$minutes = int $minutes + ($minutes > int $minutes);
	is $article->{reading_minutes}, $minutes, "$language: minutes";
	is $posting->{timeRequired}, "PT${minutes}M", "$language: timeRequired";

	my @failed = grep { !$_->{passed} && !$short{ $_->{label} } }
		@{ $article->{publishing_checks} };
	is join('; ', map { $_->{label} } @failed), '', "$language: its checks";
}

done_testing;
