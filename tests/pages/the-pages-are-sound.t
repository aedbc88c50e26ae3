# Lists and articles of six languages, and what is said where there is none: valid to the Nu checker,
# sound to axe-core at the width of a phone and of a desktop, light and dark, whole without scripts.
# The words around the articles are those of po/, or are marked as English.
# suite: slow
use strict;
use warnings;
use utf8;
use lib 'tests/lib';
use Test::More;
use Galley;
use Galley::Checkers qw(look nu_finds_nothing);
use Galley::Picture qw(png);
use Galley::Reader;

binmode Test::More->builder->$_, ':encoding(UTF-8)' for qw(output failure_output);
my %text = (
	en => ['Compost in a <small> garden', 'Leaves, scraps and a little patience.'],
	de => ['Kompost im kleinen Garten', 'Laub, Küchenreste und ein wenig Geduld.'],
	ar => ['السماد في حديقة صغيرة', 'أوراق وبقايا مطبخ وقليل من الصبر.'],
	he => ['קומפוסט בגינה קטנה', 'עלים, שאריות וקצת סבלנות.'],
	fa => ['کمپوست در باغچه کوچک', 'برگ، پسماند آشپزخانه و کمی صبر.'],
	ja => ['小さな庭の堆肥', '落ち葉と台所のくずと少しの忍耐。'],
);
my %rtl = map { $_ => 1 } qw(ar he fa);
my $galley = Galley->new;
my $server = $galley->serve;
my $reader = Galley::Reader->new($galley);
$galley->conf(public_url => $server->url);
Galley::spew($galley->scratch . '/cover.png', png(64, 40));

sub article {
	my ($language, $title, $said, $front) = @_;
	return "---\ntitle: '$title'\nlanguage: $language\n" . ($front // '') . "---\n\n$said\n\n"
		. "## $said\n\n" . "$said " x 12 . "\n\n> [!NOTE]\n> $said\n\n> $said\n\n"
		. "| A | B |\n|---|---|\n| $said | 2 |\n\n1. $said\n2. `code()` and [a link](https://example.org/)\n\n"
		. "```\n" . 'long ' x 40 . "\n```\n\n" . 'x' x 90 . "\n";
}

my @addresses;
for my $language (sort keys %text) {
	my ($title, $said) = @{ $text{$language} };
	my $w = $galley->workspace(name => $title, language => $language,
		embed_origins => 'https://host.example', website => 'https://www.example.com',
		address_pattern => '/{slug}');
	my ($other) = grep { $_ ne $language } $language eq 'ar' ? 'en' : 'ar';
	$galley->import_text($w, article($language, "$title 1", $said),
		article($language, $title, $said, "slug: main\nimage: cover.png\ntags: [a]\nsection: $said\ndescription: $title, $said\n"),
		article($language, "$title 3", $said, "author: A Person\nsection: $title\nimage: cover.png\n"),
		article($other, $text{$other}[0], $text{$other}[1], "slug: other\n"));
	$reader->turn_on($w, "word-$language", pages_accent => '#ffe800', pages_font => 'serif');
	push @addresses, map { "/word-$language/$_" } 'main', $language =~ /en|de|ar/ ? '' : ();
	my $page = $reader->get("/word-$language/main")->{body};
	my $list = $reader->get("/word-$language/")->{body};
	utf8::decode($_) for $page, $list;
	my $direction = $rtl{$language} ? 'rtl' : 'ltr';
	like $page, qr{<html lang="$language" dir="$direction">}, "$language: language and direction";
	like $list, qr{<html lang="$language" dir="$direction">}, 'of the list, too';
	like $list, qr{<li lang="$other" dir="@{[$rtl{$other} ? 'rtl' : 'ltr']}">}, 'and of each item';
	my ($previous, $skip) = @{ { ar => ['السابقة:'], en => ['Previous:', 'Skip to the content<'],
		de => ['Vorheriger:', 'Zum Inhalt springen<'], he => ['הקודם:', 'דילוג לתוכן<'],
		fa => ['قبلی:', 'رفتن به محتوا<'], ja => ['前の記事：', '本文へ移動<'] }->{$language} };
	like $page, qr{<span class="way">\Q$previous\E<}, 'words of its language';
	like $page, qr{>\Q$skip\E}, 'of the link to the content, too' if $language ne 'ar';
	is scalar(() = "$page$list" =~ /<script/g), 2, 'no script but that of frames';
	my ($words) = { ar => 'الموضوعات', en => 'Topics', de => 'Themen', he => 'נושאים', fa => 'موضوع‌ها', ja => 'トピック' }->{$language};
	like $_, qr{id="topics">\Q$words\E<}, 'of the topics, too' for $page, $list;
	unlike "$page$list", qr{<style|\sstyle=|\son[a-z]+=}, 'nothing inline';
}
push @addresses, '/word-ar/nothing', '/word-ja/?tag=a', '/word-he/?tag=a&section=b', '/nobody/';

# ---- the checkers

my (@files, %sheets);
for my $address (@addresses) {
	my $body = $reader->get($address)->{body};
	push @files, $galley->scratch . '/page-' . scalar @files . '.html';
	Galley::spew($files[-1], $body);
	$sheets{$1}++ while $body =~ m{<link rel="stylesheet" href="/pages([^"]+)"}g;
}
is scalar keys %sheets, 8, 'a sheet of all, one of each workspace, and one of errors' or diag explain \%sheets;
for my $sheet (sort keys %sheets) {
	push @files, $galley->scratch . '/' . ($sheet =~ s{\W}{-}gr) . '.css';
	Galley::spew($files[-1], $reader->get($sheet)->{body});
	cmp_ok -s $files[-1], '<=', 12 * 1024, "$sheet is small";
}
nu_finds_nothing(@files);

for my $view (look(map { $server->url . "/pages$_" } @addresses)) {
	my $name = "$view->{view} of " . $view->{file} =~ s{.*/pages}{}r;
	is_deeply $view->{violations}, [], "$name: axe-core finds nothing"
		or diag explain $view->{violations};
	is $view->{overflow}, 0, "$name: nothing reaches out sideways";
	is_deeply $view->{small}, [], "$name: all is large enough for a finger"
		or diag explain $view->{small};
	is_deeply $view->{refused}, [], "$name: nothing is asked for elsewhere";
}
done_testing();
