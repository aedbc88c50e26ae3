# Proves that the tests' reader of JSON (tests/lib/Galley/JSON.pm) takes what JSON::PP of Perl's
# core takes, with the same values, and refuses the rest: short texts, the description of the
# API, and damaged parts of it. It refuses a name that comes twice, too.
# suite: fast
use strict;
use warnings;
use lib 'tests/lib';
use Galley;
use Galley::JSON ();
use JSON::PP ();
use Test::More;

my $exact = JSON::PP->new->ascii->canonical;

# What became of a text, as one string: a value, in which numbers differ from texts, or a refusal.
sub outcome {
	my ($class, $text, $utf8) = @_;
	my $value = eval { $exact->encode([$class->new->utf8($utf8)->decode($text)]) };
	return defined $value ? "value $value" : 'refused';
}

my @texts = ('', ' ', 'x', '1', '"a"', 'null', '[]', '{}', '[ ]', '{ }', ' [1] ', "[1]\n", '[1]x', '[1,]', '[,1]',
	'[1 2]', '[0]', '[-0]', '[01]', '[1.5]', '[1.]', '[.5]', '[-1.25]', '[1e3]', '[1.5e-3]', '[1E+2]',
	'[1e400]', '[123456789012345]', '[1234567890123456]', '[123456789012345678901234567890]',
	'[0.1234567890123456789]', '[true,false,null]', '[truefalse]', '[nul]', '[True]',
	'["a\"b\\\\c\/\b\f\n\r\t"]', '["\u00e4\ud83d\ude00"]', '["\u0000"]', '["\ud83d"]', '["\ude00"]',
	'["\ud83dx"]', '["\x"]', '["\u12"]', '["a', "[\"a\nb\"]", "[\"a\tb\"]", "[\"\x00\"]",
	"[\"\xc3\xa4\"]", "[\"\xe4\"]", "[\"\xed\xa0\x80\"]", "[\"\xf0\x9f\x98\x80\"]", "[\"\xc0\x80\"]", "[\"\xff\"]",
	"\xef\xbb\xbf[1]", '{"a":1}', '{ "a" : 1 , "b" : 2 }', '{"":1}', '{a:1}', "{'a':1}",
	'{"a" 1}', '{"a":}', '{"a":1,}', '{"\u0061":1,"b\"":2}', "{\"\xc3\xa4\":1}", '[1]/**/', '[1]#', "\x{b}[1]",
	"[1\x{a0}]", '[' x 600 . ']' x 600, '[' x 513 . ']' x 513, '[' x 510 . ']' x 510,
	'{"a":' x 510 . '1' . '}' x 510, "[\"a\\u0308\"]", "[\x{661}]", "[\"\x{661}\",\"a\",\"\\n\"]");
my @differ = grep { outcome('Galley::JSON', $_, 0) ne outcome('JSON::PP', $_, 0)
	|| ($_ !~ /[^\x00-\xff]/ && outcome('Galley::JSON', $_, 1) ne outcome('JSON::PP', $_, 1)) } @texts;
is_deeply \@differ, [], 'short texts, as letters and as bytes';
is outcome('Galley::JSON', '{"a":1,"a":2}', 1), 'refused', 'a name that comes twice';
is ref Galley::JSON->new->decode('[true]')->[0], 'JSON::PP::Boolean', 'true is that of Perl\'s core';

my $whole = Galley::slurp('htdocs/openapi.json');
is outcome('Galley::JSON', $whole, 1), outcome('JSON::PP', $whole, 1), 'a long text';

# Each damaged text is a part of the description with a letter too many, too few, or another.
my ($part) = JSON::PP->new->utf8->decode($whole)->{paths}{'/pricing'};
my $text = JSON::PP->new->utf8->canonical->encode([$part, -1.5, 12, 0, "\x{e4}\"", undef, JSON::PP::true]);
my $seed = $ENV{SEED} // time;
srand $seed;
my @wrong;
for (1 .. 300) {
	my $at = int rand length $text;
	my $other = $text;
	substr $other, $at, int rand 2, (split //, qq({}[]",:\\0159.-+eEun \n\x01\xe4\xff))[rand 24];
	my ($ours, $core) = map { outcome($_, $other, 1) } 'Galley::JSON', 'JSON::PP';
	push @wrong, $other if $ours ne $core && !($ours eq 'refused' && comes_twice($other));
}
is_deeply \@wrong, [], 'damaged texts' or diag "SEED=$seed";
done_testing;

# Returns whether a text is refused for a name that comes twice alone.
sub comes_twice {
	my ($text) = @_;
	return defined eval { Cpanel::JSON::XS->new->utf8->allow_nonref->allow_dupkeys->decode($text); 1 };
}
