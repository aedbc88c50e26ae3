#!/usr/bin/perl
# A brief may lack an outline, headings, a summary, publishers. Proves that the draft follows the
# brief, makes the rest from the order only, and links the articles that fit best, whatever their
# address. An order that cannot be read is reported.
# suite: fast
use strict;
use warnings;
use utf8;

use lib 'tests/lib';

use Galley;
use Galley::Process qw(run_program);
use Galley::JSON ();
use OutlineRun;
use Test::More;

sub brief {
	return { topic => 'Compost', summary => 'All about it.', angle => '', audience => '',
		outline => [{ heading => 'The bin', points => ['Air'] }], questions => [],
		keywords => ['compost'], sources => [], related => [], @_ };
}

sub drafted {
	my (%option) = @_;
	my $done = order(%option);
	is $done->{error}, undef, 'no error';
	return $done->{result};
}

sub headings { return map { $_->{heading} } @{ $_[0]{content}{sections} } }

my $result = drafted(brief => brief(outline => []));
cmp_ok scalar(headings($result)), '>=', 3, 'a brief without an outline: one is made';
my $own = drafted(topic => 'Compost');
is_deeply [headings($result)], [headings($own)], 'that of an order without a brief';

$result = drafted(brief => brief(outline => [{ heading => '', points => ['Peels', 'Paper'] },
	{ heading => '', points => [] }, { heading => 'Worms', points => [] }]));
is_deeply [headings($result)], ['Peels', 'Worms'],
	'a part without a heading has its first point for one, an empty one is left out';

my $filled = drafted(brief => brief(summary => 'A summary of its own.'));
is $filled->{description}, 'A summary of its own.', 'the summary describes the article';
my $empty = drafted(brief => brief(summary => ''), topic => 'How to compost');
like $empty->{description}, qr/ompost/, 'without one the topic does';
like $empty->{content}{summary}, qr/ompost/, 'also at its beginning';

$result = drafted(brief => brief(sources => [
	{ id => 'r1', title => 'Soil report', url => 'https://soil.example/',
		publisher => 'Soil Institute', published => '2025-03-04' },
	{ id => 'r2', title => 'No publisher', url => undef, publisher => undef,
		published => 'x' x 2000 },
	{ id => 'r3', title => '', url => 'https://soil.example/untitled' },
	{ id => 'r4', title => 'Ours', url => 'https://www.example.com/worms' }]),
	articles => [{ title => 'Worms', url => 'https://www.example.com/worms' }]);
is_deeply [map { [@$_{qw(title publisher published)}] } @{ $result->{content}{references} }],
	[['Soil report', 'Soil Institute', '2025-03-04'], ['No publisher', undef, undef]],
	'sources are references; what is ours, untitled or no date is left out';

# ---- links: the best fits are last in the order, and first in the result.
my @articles = ({ title => 'Bicycles', url => 'https://www.example.com/bicycles' },
	{ title => 'Compost in summer', url => 'https://www.example.com/(summer' },
	{ title => 'Worms', summary => 'For compost, too.', url => 'https://www.example.com/worms' },
	{ title => 'Compost bins for balconies and worms',
		url => 'https://www.example.com/bins_(balcony)' });
$result = drafted(topic => 'Compost bins for balconies', articles => \@articles);
my $text = join "\n", texts_of($result->{content});
like $text, qr{\]\(https://www\.example\.com/bins_\(balcony\)\)}, 'the best one is linked';
$result = drafted(topic => 'Compost in summer', articles => \@articles);
like join("\n", texts_of($result->{content})), qr{\]\(https://www\.example\.com/%28summer\)},
	'a parenthesis that is not closed does not end its link';
unlike $text, qr/bicycles/, 'what has nothing to do with it is not';
my $research = order(topic => 'Compost bins for balconies', kind => 'research',
	articles => [reverse(@articles), map { { title => "Compost bins $_",
		url => "https://www.example.com/$_" } } 1 .. 30]);
is $research->{error}, undef, 'many that fit';
my @related = @{ $research->{result}{brief}{related} };
cmp_ok scalar(@related), '<=', 10, 'few are named';
is $related[0], '00000000-0000-4000-8000-000000000001', 'the best one first';

# A word that a third of the articles have counts less than a word of a single article.
$research = order(topic => 'Balcony in winter', kind => 'research', articles => [
	(map { { title => "Balcony $_", url => "https://www.example.com/$_" } } 1 .. 4),
	(map { { title => "Other $_" } } 5 .. 11), { title => 'Winter' }]);
is $research->{result}{brief}{related}[0], '00000000-0000-4000-8000-000000000012',
	'the rare word comes first';

# ---- languages without spaces between words
for my $case (['ja', '堆肥の作り方と使い方'], ['zh', '堆肥入门与常见问题'],
	['ja', 'ベランダでコンポスト'], ['th', 'ปุ๋ยหมักที่บ้าน']) {
	my ($language, $topic) = @$case;
	my $done = order(language => $language, topic => $topic, image => 1, articles => [
		{ title => $topic, url => 'https://www.example.com/a' },
		{ title => substr($topic, 0, 2), url => 'https://www.example.com/b' }]);
	is $done->{error}, undef, "$language: a draft";
	is $done->{result}{title}, $topic, "$language: its title";
}
my $of_its_own = order(language => 'ja', topic => '', articles => [
	{ title => '堆肥の作り方' }, { title => '自転車の修理' }]);
is $of_its_own->{error}, undef, 'a theme of its own, in Japanese';
like $of_its_own->{result}{title}, qr/\p{Han}/, '  from a title';
my $late = order(language => 'zh', topic => '', articles => [
	map { { title => join '', (map { chr } $_ .. $_ + 22), '堆肥' } } 0x5000, 0x6000]);
is $late->{result}{title}, '堆肥：概览', '  of titles, from the 24th character on';
my $other = order(language => 'ja', topic => '堆肥の作り方', articles => [
	{ title => '自転車', url => 'https://www.example.com/bicycles' }]);
unlike join("\n", texts_of($other->{result}{content})), qr/bicycles/,
	'an article that shares no two characters is not linked';

# ---- input that is no order
my $program = Galley::build() . '/bin/provider-outline';
my $done = run_program(['sh', '-c', "exec $program </"], env => {});
my $last = Galley::JSON->new->utf8->decode($done->{out});
is "$done->{exit} $last->{code} $last->{retry}", '0 internal_error 0',
	'an order that cannot be read is told';
like $last->{error}, qr/^The order cannot be read: Is a directory\.$/, 'with the reason';
is run_program(['sh', '-c', "$program >/dev/full"], env => {}, input => order_bytes())->{exit},
	1, 'and an answer that nobody reads is not one';
is run_program([$program], env => { GATEWAY_INTERFACE => 'CGI/1.1' })->{exit}, 2,
	'it is no CGI program';

done_testing;
