#!/usr/bin/perl
# Who knows the id of another customer's thing, and types it behind the address of a workspace or an
# account of their own, sees nothing and changes nothing (docs/console.md §3.10): for every row of the
# console's tables whose address names a thing.
use strict;
use warnings;
use utf8;

use Test::More;

use lib 'tests/lib';
use Galley::Console;
use Galley::Screens qw(screens_of world address_of);

binmode Test::More->builder->$_, ':utf8' for qw(output failure_output todo_output);
my $console = Galley::Console->new;
my $galley = $console->galley;
my $world = world($console);
# The world with another's own places, and all else as it was.
my $mine = { %$world, workspace => $world->{foreign}, account => $world->{other_account} };
my $outsider = $console->as($world->{outsider});
my $own = $outsider->get("/$world->{foreign}/keys");
my (undef, $form) = $own->sends('Create key', Label => 'x');
my %field = @$form;
# Words that only the other customer has.
my $theirs = join '|', map { quotemeta } 'A published article', 'A draft', 'An article', 'An order', 'A post',
	'A picture', 'The owner', 'The writer', values %{ { map { $_ => $world->{$_} }
	qw(workspace account) } };
my ($state, $rows) = ($console->state, 0);
for my $row (screens_of($world)) {
	next if $row->{path} !~ m{^/[WA]/.*\b(?:ID|NAME)\b};
	my $address = address_of($mine, $row->{path}, { %{ $row->{form} }, workspace => 'workspace',
		account => 'account' });
	$rows++;
	if ($row->{method} eq 'GET') {
		my $page = $outsider->request('GET', $address);
		unlike $page->body, qr/$theirs/, "$row->{what}: nothing is told" or diag $page->status;
		next if $page->status == 404;
		# What has no row of its own is shown as one that nobody has.
		my $nobodys = $outsider->request('GET', address_of($mine, $row->{path}, { %{ $row->{form} },
			workspace => 'workspace', account => 'account', id => 'nothing' }));
		is $page->status . $page->text, $nobodys->status . $nobodys->text, '  as of an id that nobody has';
		next;
	}
	my ($press, @given) = @{ $row->{form}{press} // [] };
	my $page = $outsider->post($address, [token => $field{token}, number => $field{number},
		map { ref $_ ? $_ : "$_" } @given]);
	cmp_ok $page->status, '>=', 400, "$row->{what}: refused";
	unlike $page->body, qr/$theirs/, '  and nothing is told' or diag $page->body =~ /($theirs)/, $page->text;
}
cmp_ok $rows, '>', 40, 'there are such rows';
is $console->state, $state, 'nothing was changed';
done_testing;
