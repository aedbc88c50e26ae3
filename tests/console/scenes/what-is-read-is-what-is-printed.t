#!/usr/bin/perl
# On paper articles and ledgers are what a reader wants of them (docs/console.md §6.3): the text and
# the tables, all of them, in black on white, and neither menus nor buttons. Chromium prints.
use strict;
use warnings;
use utf8;

use Encode qw(decode_utf8);
use JSON::PP ();
use Test::More;

use lib 'tests/lib';
use Galley::Console;
use Galley::Process qw(run_program);

binmode Test::More->builder->$_, ':utf8' for qw(output failure_output todo_output);
my $console = Galley::Console->new;
my $galley = $console->galley;
my $account = $galley->account;
my $workspace = $galley->workspace(account => $account, name => 'Garden blog');
my ($article) = $galley->import_text($workspace, "# Compost\n\n" . join "\n\n",
	"| Material | Kind |\n|---|---|\n| Coffee grounds | green |", (map { "Paragraph $_ of the text."
	. ' It has some words more.' x 30 } 1 .. 12), 'The last words.');
$galley->must(qw(credits grant), $account, $_, '--ref', "Invoice $_") for 1 .. 45;
my $owner = $console->as($console->person(role => 'owner', account => $account, name => 'Olga'));
my $reader = $console->as($console->person(role => 'reader', account => $account, name => 'Rita'));

my (%assets, @pages);
sub answer_of {
	my ($page) = @_;
	return { status => $page->status + 0, body => decode_utf8($page->body),
		headers => { 'content-type' => $page->header('content-type') } };
}
sub add {
	my ($name, $who, $path, $dark) = @_;
	my $page = $who->get($path);
	is $page->status, 200, "$name is there";
	$assets{$_} //= answer_of($owner->request('GET', $_, whole => 1))
		for map { $_->{attr}{href} } $page->all('link', rel => 'stylesheet');
	push @pages, { name => $name, address => "http://127.0.0.1:9$page->{address}",
		answer => answer_of($page), dark => $dark ? JSON::PP::true : JSON::PP::false };
}
my $text = "/$workspace/articles/$article";
add('a preview', $owner, "$text/preview/copy");
add('an article that is only read', $reader, $text, 1);
add('a ledger', $owner, "/$account/credits", 1);
add('an activity', $owner, "/$account/activity");
my $json = JSON::PP->new->utf8;
my $done = run_program(['node', Galley::top() . '/tests/node/paper.mjs'], env => { %ENV }, seconds => 120,
	input => $json->encode({ assets => \%assets, pages => \@pages }));
is "$done->{exit} $done->{signal}", '0 0', 'they are printed' or diag $done->{err};
my $found = $json->decode($done->{out});

for my $name (sort keys %$found) {
	my $paper = $found->{$name};
	like $paper->{ink}, qr/^rgb\(0, 0, 0\) on rgba?\((?:255, 255, 255|0, 0, 0, 0)\)$/, "$name: black on white";
	is $paper->{overflow}, 0, "$name: nothing is beside the paper";
	is $paper->{torn}, 0, "$name: no row is torn between two sheets";
	unlike $paper->{text}, qr/Sign out|Home|Customers|Garden blog\s+Articles/, "$name: no menu";
}
for my $name ('a preview', 'an article that is only read') {
	my $paper = $found->{$name};
	like $paper->{text}, qr/Coffee grounds.*Paragraph 12 of the text.*The last words\./s, "$name: the whole text";
	cmp_ok $paper->{sheets}, '>=', 2, "$name: on as many sheets as it needs";
}
unlike $found->{'an article that is only read'}{text}, qr/Preview|History|Download|New picture/,
	'an article: neither links nor files to choose';
my $ledger = $found->{'a ledger'};
like $ledger->{text}, qr/Available before.*Available after.*Invoice 45.*Invoice 1\b/s, 'a ledger: sums and movements';
unlike $ledger->{text}, qr/Download|Show|Older/, '  and no buttons';
cmp_ok $ledger->{sheets}, '>=', 2, '  on several sheets';
like $found->{'an activity'}{text}, qr/Articles were imported/, 'an activity: what was done';
done_testing;
