# Colours for the samples of the documentation page, by one pass over their text.
#
#	my $html = Highlight::html('php', $source);
#
# Returns the source, escaped for HTML, with span elements of the classes c
# (comment), s (string), k (word of the language), n (number), v (variable, or the
# name of a member). It knows as much of a language as our samples need: what no
# rule knows stays plain. The text without its elements is the source.
#
# https://api.example.com is in an element of the class here: docs/page.js puts the
# reader's own address there.
package Highlight;

use strict;
use warnings;

my $double = qr/"(?:[^"\\]|\\.)*"/s;
my $single = qr/'(?:[^'\\]|\\.)*'/s;
my $number = qr/\b\d[\d_]*(?:\.\d+)?\b/;

sub words { my $all = join '|', @_; return qr/\b(?:$all)\b/ }

my $script = [
	[c => qr{//[^\n]*|/\*.*?\*/}s],
	[s => qr/$single|$double|`(?:[^`\\]|\\.)*`/],
	[k => words(qw(async await break class const continue default do else export
		extends for from function if import in let new null of return throw try
		catch type typeof undefined var while true false))],
	[n => $number],
];

# The rules of each language, the first that fits wins: [class, what].
my %rules = (
	mjs => $script,
	tsx => $script,
	php => [
		[c => qr{(?://|\#)[^\n]*|/\*.*?\*/}s],
		[s => qr/$single|$double/],
		[v => qr/\$\w+/],
		[k => words(qw(array as bool break continue do echo else elseif exit false
			fn for foreach function if int new null require return static string
			throw true try catch while)) ],
		[k => qr/<\?php|\?>/],
		[n => $number],
	],
	py => [
		[c => qr/\#[^\n]*/],
		[s => qr/"""(?:.*?)"""|b?$double|b?$single/s],
		[k => words(qw(and as break class continue def elif else except False finally
			for from if import in is lambda None not or pass raise return True try
			while with yield))],
		[n => $number],
	],
	sh => [
		[c => qr/(?<![^\s])\#[^\n]*/],
		[s => qr/$single|$double/],
		[v => qr/\$\{[^}]*\}|\$\w+/],
		[k => words(qw(break case continue do done elif else esac exit fi for if in
			read set shift then until while))],
		[n => qr/(?<![-\w.\/])\d+(?![-\w.\/])/],
	],
	json => [
		[v => qr/$double(?=:)/],
		[s => $double],
		[k => words(qw(true false null))],
		[n => qr/-?$number/],
	],
);

sub escape {
	my ($text) = @_;
	my %entity = ('&' => '&amp;', '<' => '&lt;', '>' => '&gt;', '"' => '&quot;');
	return $text =~ s/([&<>"])/$entity{$1}/gr;
}

sub html {
	my ($language, $source) = @_;
	my $rules = $rules{$language} or die "no colours for $language\n";
	my $html = '';
	POSITION: while ((pos($source) // 0) < length $source) {
		for my $rule (@$rules) {
			next if $source !~ /\G($rule->[1])/gc;
			$html .= qq(<span class="$rule->[0]">) . escape($1) . '</span>';
			next POSITION;
		}
		# A word is taken whole, so that none of its ends is taken for another.
		$source =~ /\G(\w+|.)/gcs;
		$html .= escape($1);
	}
	return $html =~ s{(https://api\.example\.com)}{<span class="here">$1</span>}gr;
}

1;
