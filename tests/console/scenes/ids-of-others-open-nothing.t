#!/usr/bin/perl
# Who knows the id of another customer's thing, and types it behind the address of a workspace or an
# account of their own, sees nothing and changes nothing (docs/console.md §3.10): for every row of the
# console's tables whose address names a thing.
# suite: fast
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
my $own = $outsider->get("/$world->{foreign}/keys/new");
my (undef, $form) = $own->sends('Create key', Name => 'x');
my %field = @$form;
# Words that only the other customer has.
my $theirs = join '|', map { quotemeta } 'A published article', 'A draft', 'An article', 'An order', 'A post',
	'A picture', 'The owner', 'The writer', values %{ { map { $_ => $world->{$_} }
	qw(workspace account) } };
# What the rightful owner's form would send, but for token and number.
my $owner = $console->as($world->{people}{owner});
my $operator = $console->as($world->{people}{operator});
sub fields_of {
	my ($row) = @_;
	my ($press, @given) = @{ $row->{form}{press} // [] };
	return () if !defined $press;
	my $who = $row->{form}{account} ? $operator : $owner;
	my $from = $who->get(address_of($world, $row->{form}{from} // $row->{path}, $row->{form}));
	my (undef, $sent) = eval { $from->sends([$press, $who->root . $row->{address}], @given) };
	my @fields;
	while (my ($name, $value) = splice @{ $sent // [] }, 0, 2) {
		push @fields, $name => $value if $name ne 'token' && $name ne 'number';
	}
	return @fields;
}
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
	# Where the page that refuses has a form with a good number, that is sent, too.
	my $number = $field{number};
	my $page;
	for my $try ('refused', 'refused with a number of its own') {
		$page = $outsider->post($address, [token => $field{token}, number => $number, fields_of($row)]);
		cmp_ok $page->status, '>=', 400, "$row->{what}: $try";
		($number) = map { $_->{value} } grep { ($_->{name} // '') eq 'number' } map { @{ $_->{fields} } }
			grep { ($_->{action} // '') eq $outsider->root . $address } $page->forms;
		last if !defined $number;
	}
	unlike $page->body, qr/$theirs/, '  and nothing is told' or diag $page->body =~ /($theirs)/, $page->text;
}
cmp_ok $rows, '>', 40, 'there are such rows';
is $console->state, $state, 'nothing was changed';
done_testing;
