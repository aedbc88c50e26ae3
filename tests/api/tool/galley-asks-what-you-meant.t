#!/usr/bin/perl
# Proves that a mistyped command, option, field, name or value is answered with the word that was
# meant, and a word that is near none of them with the place to look.
use strict;
use warnings;

use lib 'tests/lib';

use Galley;
use Test::More;

my $galley = Galley->new;
my $account = $galley->must(qw(account create Customer))->{id};
$galley->workspace(name => 'Magazine', account => $account);
my ($id) = $galley->import_text('Magazine', "# One\n\nText.\n");

# the words, the exit status, the sentence
for my $case (
	[[qw(artcle list)], 2, qr/did you mean galley article list\?/],
	[[qw(article lsit)], 2, qr/did you mean galley article list\?/],
	[[qw(article unpub x)], 2, qr/did you mean galley article unpublish\?/],
	[[qw(keys list)], 2, qr/did you mean galley key list\?/],
	[[qw(docter)], 2, qr/did you mean galley doctor\?/],
	[[qw(help artcle)], 2, qr/did you mean galley article\?/],
	[[qw(zzzzzz)], 2, qr/galley help lists/],
	[[qw(help article imprt)], 2, qr/did you mean galley article import\?/],
	[[qw(article frobnicate)], 2, qr/galley help article lists what it has/],
	[[qw(article list --workspce x)], 2, qr/did you mean --workspace\?/],
	[[qw(article list --work x)], 2, qr/did you mean --workspace\?/],
	[[qw(account list --jsno)], 2, qr/did you mean --json\?/],
	[[qw(account list --frob)], 2, qr/has no option --frob\.$/m],
	[[qw(workspace set Magazine web-site=x)], 1, qr/did you mean website\?/],
	[[qw(workspace set Magazine colour=x)], 1,
		qr/no field colour; galley help workspace set lists them\.$/m],
	[['article', 'set', $id, 'titel=x'], 1, qr/did you mean title\?/],
	[[qw(workspace show Magasine)], 1, qr/did you mean Magazine\?/],
	[[qw(workspace show Blog)], 1, qr/galley workspace list shows them\.$/m],
	[[qw(account show customer)], 1, qr/did you mean Customer\?/],
	[[qw(article list --status publisched)], 1, qr/did you mean published\?/],
) {
	my ($words, $exit, $sentence) = @$case;
	my $done = $galley->command(@$words);
	is $done->{exit}, $exit, "galley @$words: exit $exit";
	like $done->{err}, $sentence, 'and the sentence';
}

$galley->conf('request_per_minute' => 5);
my $done = $galley->command(qw(account list));
is $done->{exit}, 0, 'a mistyped key of galley.conf: the last good settings are used';
like $done->{err}, qr/galley\.conf, line \d+: .*did you mean requests_per_minute\?/,
	'the same';

done_testing;
