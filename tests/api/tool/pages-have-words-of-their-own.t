#!/usr/bin/perl
# The word of a workspace's pages, and how they look: what galley workspace set takes, what it
# refuses, and whose a word stays.
# suite: fast
use strict;
use warnings;
use utf8;

use lib 'tests/lib';

use Encode qw(encode_utf8);
use Galley;
use Test::More;

binmode Test::More->builder->$_, ':utf8' for qw(output failure_output);

my $galley = Galley->new;
my $first = $galley->workspace(name => 'First');
my $second = $galley->workspace(name => 'Second');

sub set { return $galley->command(qw(workspace set), map { encode_utf8($_) } @_) }
sub shown { return $galley->must(qw(workspace show), $_[0]) }

# Whose each word is: "word=NAME" of the present ones, "word" of the past ones.
sub words {
	my $rows = $galley->sql('SELECT word, present, name FROM word'
		. ' JOIN workspace w ON w.id = workspace_id ORDER BY word');
	return join ' ', map { $_->{word} . ($_->{present} ? "=$_->{name}" : '') } @$rows;
}

my %pages = map { $_ => shown($first)->{$_} }
	qw(pages pages_address pages_title pages_accent pages_font pages_width);
is_deeply \%pages, { pages => undef, pages_address => undef, pages_title => undef,
	pages_accent => undef, pages_font => 'system', pages_width => 42 },
	'a workspace has no pages, and a look';

# ---- what a field takes
for (
	['pages', 'a-2', 'a-2'], ['pages', 'x' x 60, 'x' x 60], ['pages', 'first', 'first'],
	['pages_title', 'Ünser <Blog>', 'Ünser <Blog>'], ['pages_title', '', undef],
	['pages_accent', '#AbCdEf', '#abcdef'], ['pages_accent', '#ffffff', '#ffffff'],
	['pages_accent', '', undef],
	['pages_font', 'serif', 'serif'], ['pages_font', 'mono', 'mono'],
	['pages_font', 'sans', 'sans'], ['pages_font', '', 'system'],
	['pages_width', '30', 30], ['pages_width', '60', 60], ['pages_width', '', 42],
) {
	my ($field, $value, $stored) = @$_;
	my $done = set($first, "$field=$value");
	is $done->{json}{$field}, $stored, "$field takes '$value'" or diag $done->{err};
}
my $before = shown($first);
my @wrong = (
	(map { ['pages', $_] } qw(a -a a- A ä a_b a.b a/b share feed assets admin console api media docs
		pages embed collect video), 'a b', "a\n", 'x' x 61),
	['pages_title', "a\nb"], ['pages_title', "a\x{202E}b"], ['pages_title', 'x' x 201],
	(map { ['pages_accent', $_] } 'red', '#fff', '#12345g', '0a6e4f0', '#0a6e4f0'),
	(map { ['pages_font', $_] } qw(Serif comic)),
	(map { ['pages_width', $_] } qw(29 61 42rem 042 -30 4.5)), ['pages_width', ' 42'],
);
my @taken = grep { my ($field, $value) = @$_; set($first, 'pages_title=Half', "$field=$value")->{exit} != 1 }
	@wrong;
is_deeply [map { "$$_[0]=$$_[1]" } @taken], [], 'wrong values are refused';
is_deeply shown($first), $before, 'and nothing is changed';
like set($first, 'pages=share')->{err}, qr/kept for addresses of Galley/, 'a reserved word says so';

# ---- whose a word is
is words(), 'a-2 first=First ' . 'x' x 60, 'the earlier words are the workspace\'s';
is set($second, 'pages=first')->{exit}, 1, 'the word of another one is refused';
is set($second, 'pages=a-2')->{exit}, 1, 'an earlier word, too';
is set($second, qw(pages=a-2 --take))->{exit}, 1, 'and a living one\'s word is never taken';
is set($first, 'author_name=Dana', 'pages=a-2')->{json}{pages}, 'a-2',
	'it goes back to an earlier word of its own, with another setting before it';
is set($first, 'pages=')->{exit}, 0, 'pages are turned off';
is shown($first)->{pages}, undef, 'then there is no word';
is set($second, qw(pages=a-2 --take))->{exit}, 1, 'the words stay its own';

$galley->must(qw(workspace set), $first, 'pages=first', 'pages_title=Ours');
$galley->must(qw(workspace delete), $first, qw(--confirm First));
is $galley->sql('SELECT count(*) AS n FROM workspace_more WHERE pages_title <> \'\'')->[0]{n}, 0,
	'nothing is left of how the pages of a deleted workspace looked';
my $refused = set($second, 'pages=first');
is $refused->{exit}, 1, 'a word of a deleted workspace is refused';
like $refused->{err}, qr/--take/, 'and the operator is told how to give it';
is set($second, qw(pages=first --take))->{json}{pages}, 'first', 'which does it';
is words(), 'a-2 first=Second ' . 'x' x 60, 'and gives no other one';

# ---- nobody takes all words
my $third = $galley->workspace(name => 'Third');
$galley->must(qw(workspace set), $third, "pages=w$_") for 1, 2;
$galley->sql("INSERT INTO word SELECT 'x' || id.value, w.id, 0, 0 FROM workspace w"
	. " JOIN json_each('[3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20]') id WHERE w.uuid = '$third'");
like set($third, 'pages=w3')->{err}, qr/has had 20 words/, 'a workspace has 20 words at most';
is set($third, 'pages=x7')->{exit}, 0, 'and goes back to each of them';

# ---- accounts
$galley->sql('UPDATE account SET verified = 0');
like set($second, 'pages=other')->{err}, qr/verified account/, 'only a verified account gets a word';
is set($second, 'pages=')->{exit}, 0, 'each can turn its pages off';
done_testing;
