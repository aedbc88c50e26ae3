# The pseudo-language: right to left, and 40 % longer. Its texts are the English ones in other
# letters, between brackets, so that a text of the interface which is none of them is found
# (tests/console), and a page that is too narrow is seen. Test builds alone have it.
package Pseudo;

use strict;
use warnings;
use utf8;

my %letters = qw(a ا b ب c ج d د e ه f ف g غ h ح i ي j ژ k ك l ل m م n ن o و p پ q ق r ر s س
	t ت u ع v ڤ w ش x خ y ى z ز);

# Returns the text in the pseudo-language. What printf() reads, and names in braces, stay.
sub text {
	my ($english) = @_;
	return '1.000' if $english eq '1,000';
	my ($out, $letters, $made) = ('', 0, 0);
	while ($english =~ /\G(%(?:%|(?:\d\$)?[-+ #0]*(?:\*|\d+)?(?:\.(?:\*|\d+))?(?:hh|h|ll|l|z|j)?[a-zA-Z])|\{[a-z_]+\}|.)/gs) {
		my $piece = $1;
		my $letter = $letters{ lc $piece };
		if (!defined $letter) {
			$out .= $piece;
			next;
		}
		$letters++;
		# Vowels are twice there, and one more where there are few.
		my $times = $piece =~ /[aeiou]/i || $made < $letters * 1.5 - 1 ? 2 : 1;
		$made += $times;
		$out .= $letter x $times;
	}
	return "\x{27e6}$out\x{27e7}";
}

# Returns all texts as read_po() of Catalogue.pm returns a file.
sub catalogue {
	my ($texts) = @_;
	return { header => { Language => 'ar-XB', 'X-Language-Name' => text('Pseudo-language'),
			'Plural-Forms' => 'nplurals=2; plural=(n != 1);' },
		texts => { map { my $t = $_; $t->{one} => [map { text($_) } grep { defined }
			@$t{qw(one many)}] } values %$texts } };
}

1;
