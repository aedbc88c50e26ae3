# Articles for measurements: Markdown that looks like what people write. The same number
# always gives the same text.
package Galley::Text;

use strict;
use warnings;

use Exporter 'import';

our @EXPORT_OK = qw(article_text);

my @words = qw(compost carbon layer moisture kitchen scraps balance season garden
	measure simple careful lid turn dry green brown small flat bin leaf heap worm
	soil water week warm spring autumn straw paper rotting slowly evenly often);

# article_text(NUMBER, BYTES) returns an article of about BYTES bytes, with front matter,
# headings, paragraphs with marks and links, lists and a table.
sub article_text {
	my ($number, $bytes) = @_;
	my $state = $number * 2 + 1;
	my $next = sub {
		$state = ($state * 1103515245 + 12345) % 2147483648;
		return int($state / 65536) % $_[0];
	};
	my $some = sub { join ' ', map { $words[$next->(scalar @words)] } 1 .. $_[0] };
	my $sentence = sub {
		my $text = ucfirst $some->(6 + $next->(9));
		my $mark = $next->(8);
		$text .= $mark == 0 ? ' **' . $some->(2) . '**'
			: $mark == 1 ? ' [' . $some->(2) . '](https://example.com/'
				. $words[$next->(scalar @words)] . ')'
			: $mark == 2 ? ' *' . $some->(1) . '*' : '';
		return "$text. ";
	};
	my $part = 0;
	my $text = sprintf "---\ntitle: Article %d about %s\ndescription: %s\n"
		. "tags: [%s, %s]\nsection: Garden\n---\n\n", $number, $some->(3),
		ucfirst($some->(12)) . '.', $some->(1), $some->(1);
	while (length $text < $bytes) {
		$text .= '## Part ' . ++$part . ' of ' . $some->(2) . "\n\n";
		$text .= join('', map { $sentence->() } 1 .. 5) . "\n\n" for 1 .. 2;
		$text .= join('', map { "- " . $sentence->() . "\n" } 1 .. 3) . "\n";
		$text .= "| " . $some->(1) . " | amount |\n|---|---|\n"
			. join('', map { '| ' . $some->(2) . " | $_ |\n" } 1 .. 3) . "\n"
			if $part % 4 == 0;
	}
	return $text;
}

1;
