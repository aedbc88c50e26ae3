#!/usr/bin/perl
# The texts of the interface (docs/console.md §6.2): the build finds the same ones as xgettext, and
# each catalogue is whole, right, and has no text that the code does not have. What a person in a
# browser may be refused with is marked.
use strict;
use warnings;
use utf8;
use lib 'po', 'tests/lib';

use Catalogue qw(texts_of read_po pot_of);
use Encode qw(decode_utf8 encode_utf8);
use File::Temp qw(tempdir);
use Pseudo;
use Test::More;

binmode Test::More->builder->$_, ':encoding(UTF-8)' for qw(output failure_output);
my $folder = tempdir(CLEANUP => 1);
my @files = split /\n/, qx(git ls-files 'lib/*.c' 'console/*.c');
# Lines of screens that begin with @ have their texts in what the build makes of them.
require './lib/screen/page.pl';
for my $path (@files) {
	my $code = slurp($path);
	$path = spew($path =~ tr{/}{-}r, translate($path, $code, undef)) if has_lines($code);
}
my $texts = texts_of(@files);
cmp_ok keys %$texts, '>', 300, 'there are texts';

sub spew {
	my ($name, $text) = @_;
	open my $file, '>:encoding(UTF-8)', "$folder/$name" or die "$name: $!";
	print {$file} $text;
	close $file or die "$name: $!";
	return "$folder/$name";
}

# ---- what xgettext and msgfmt say

my @template = `make -s -n galley.pot` =~ /xgettext \S+ (-k.*?) --sort/s ? split ' ', $1 : ();
cmp_ok scalar @template, '>=', 5, 'make galley.pot names the words of translators';
is system('xgettext', '--from-code=UTF-8', @template, '--no-location', '-o',
	"$folder/theirs.pot", @files), 0, 'xgettext reads the code';
my $theirs = read_po("$folder/theirs.pot")->{texts};
is_deeply [grep { !$theirs->{$_} } sort keys %$texts], [], 'the build finds no other text';
is_deeply [grep { !$texts->{$_} } sort keys %$theirs], [], 'and all of them';

# A catalogue with these translations; {ENGLISH => [TRANSLATION...]}.
sub po {
	my ($name, $rule, $said) = @_;
	my $q = \&Catalogue::quoted;
	return spew($name, join "\n", qq(msgid ""\nmsgstr ""),
		map({ $q->("$_\n") } 'Language: xx', 'X-Language-Name: X',
			'Content-Type: text/plain; charset=UTF-8', "Plural-Forms: $rule"), '',
		map { my ($key, @forms) = ($_, @{ $said->{$_} });
			my $many = $texts->{$key} && $texts->{$key}{many};
			(($key =~ /%/ ? '#, c-format' : ()), 'msgid ' . $q->($key), defined $many
				? ('msgid_plural ' . $q->($many), map { "msgstr[$_] " . $q->($forms[$_]) } 0 .. $#forms)
				: 'msgstr ' . $q->($forms[0]), '') } sort keys %$said);
}

my $two = 'nplurals=2; plural=(n != 1);';
my $pseudo = Pseudo::catalogue($texts)->{texts};
my @catalogues = (glob('po/*.po'), po('pseudo.po', $two, $pseudo));
for my $path (@catalogues) {
	my $said = qx(msgfmt --check-format --check-header -o /dev/null '$path' 2>&1);
	is $?, 0, "msgfmt finds nothing in $path" or diag $said;
	my $po = read_po($path);
	is_deeply [grep { !$texts->{$_} } sort keys %{ $po->{texts} }], [],
		"$path: each text is in the code";
}
my @lengths = (0, 0);
for my $english (keys %$pseudo) {
	$lengths[0] += length $english;
	$lengths[1] += length $pseudo->{$english}[0];
}
cmp_ok $lengths[1] / $lengths[0], '>=', 1.4, 'the pseudo-language is 40 % longer';

# ---- what the build says

sub compile {
	my ($path, @words) = @_;
	my $files = join ' ', @files;
	my $out = qx(perl po/compile.pl @words '$path' -- $files 2>&1);
	return ($? >> 8, decode_utf8($out));
}
my ($exit, $out) = compile($catalogues[-1], '--whole');
is $exit, 0, 'a whole catalogue is compiled' or diag substr $out, 0, 500;
like $out, qr/return \(unsigned long\)\(\(n != 1\)\);/, 'with its rule of plurals';
my ($plain) = grep { !/%/ } sort keys %$texts;
my ($formatted) = grep { /%s/ } sort keys %$texts;
my ($counted) = grep { $texts->{$_}{many} } sort keys %$texts;
for my $case (
	['a text that is missing', $two, sub { delete $_[0]{$plain} }, qr/is not translated: \Q$plain/],
	['an empty text', $two, sub { $_[0]{$plain} = [''] }, qr/is not translated: \Q$plain/],
	['another directive', $two, sub { $_[0]{$formatted} = ['%n'] }, qr/other directives: /],
	['one form too many', 'nplurals=3; plural=(n==1 ? 0 : n<5 ? 1 : 2);', sub { },
		qr/has not 3 forms: /],
	['a rule that is code', 'nplurals=2; plural=(system(n));', sub { }, qr/no Plural-Forms/],
) {
	my ($name, $rule, $change, $why) = @$case;
	my %said = map { $_ => [@{ $pseudo->{$_} }] } keys %$pseudo;
	$change->(\%said);
	($exit, $out) = compile(po('wrong.po', $rule, \%said), '--whole');
	isnt $exit, 0, "$name ends the build of a release";
	like $out, $why, 'and is named';
}
my %few = ($plain => [$plain], $counted => [map { "$pseudo->{$counted}[1]" } 1 .. 3]);
($exit, $out) = compile(po('few.po', 'nplurals=3; plural=(n==1 ? 0 : n<5 ? 1 : 2);', \%few));
is $exit, 0, 'another build takes a catalogue that is begun' or diag substr $out, 0, 500;

# ---- what people are refused with

my @unmarked;
for my $path (grep { m{^(?:\Q$folder\E/|console|lib/(?:console|people|screen)|lib/action/(?:article|person|sign))/} }
		@files) {
	open my $file, '<', $path or die "$path: $!";
	my $code = do { local $/; readline $file };
	while ($code =~ /\b(?:refuse\(\s*[^,()]+,\s*[^,()]+|err_param\(\s*[^,()]+,\s*(?:"[^"]*"|[^,()"]+)),\s*("(?:[^"\\]|\\.)*")/g) {
		my ($format, $line) = ($1, 1 + (substr($code, 0, $-[0]) =~ tr/\n//));
		push @unmarked, "$path:$line: $format" if $format =~ s/%[-+ #0-9.*]*[a-z]+//gr =~ /[A-Za-z]{2}/;
	}
}
is_deeply \@unmarked, [], 'what people are refused with is marked: tr_mark("...")';
done_testing;
