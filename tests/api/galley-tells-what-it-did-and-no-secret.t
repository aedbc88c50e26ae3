#!/usr/bin/perl
# log/operator.log: a line for each change, with time, user, command, ids and
# result, and no secret; none for what only looks.
use strict;
use warnings;

use lib 'tests/lib';

use Galley;
use Test::More;

my $galley = Galley->new;
my $log = $galley->home . '/log/operator.log';
my $user = getpwuid $>;

sub lines { return split /\n/, Galley::slurp($log) }

sub last_line { return (lines())[-1] }

like last_line(), qr/^\d{4}-\d\d-\d\dT[\d:.]+Z galley\[\d+\] \Q$user\E(?: \(\w+\))? init; changed: nothing; done$/,
	'init is the first line';
is sprintf('%04o', (stat $log)[2] & 07777), '0600', 'the log is private';
is((stat $log)[4], ($galley->owner_ids)[0], 'and the owner\'s');

my $account = $galley->must(qw(account create Acme))->{id};
like last_line(), qr/account create Acme; changed: $account; done$/,
	'a change names command and id';
my $count = () = lines();
$galley->must(qw(account list));
$galley->command(qw(account show Nobody));
$galley->command('verify');
is scalar(() = lines()), $count, 'what only looks leaves no line';
$galley->command(qw(account verify Nobody));
like last_line(), qr/account verify Nobody; changed: nothing; There is no account Nobody/,
	'a refusal is told';
my $workspace = $galley->must(qw(workspace create W --language en --account),
	$account)->{id};
my $key = $galley->must(qw(key create --scope articles:read --label odd));
like last_line(), qr/key create --scope articles:read --label odd; changed: $key->{id}; done$/,
	'the id of a key';
$galley->must(qw(workspace set), $workspace, 'publisher_name=' . 'x' x 150);
like last_line(), qr/publisher_name=x+…; changed/, 'long words are cut';
my $bad = $galley->command(qw(account create), "forged\n2026 line");
is $bad->{exit}, 1, 'a name of two lines is refused';
like last_line(), qr/forged\\x0A2026 line/, 'and forges none';

my $text = Galley::slurp($log);
my $pepper = Galley::slurp($galley->home . '/db/pepper');
ok index($text, $key->{key}) < 0, 'no key is in it';
ok index($text, substr $key->{key}, 8, 20) < 0, 'nor a part of one';
ok index($text, $pepper) < 0, 'nor the pepper';

# What a command dies of is told as well.
my ($id) = $galley->import_text($workspace, "# One\n\nText.\n");
Galley::spew($galley->home . '/db/pepper', 'short');
my $died = $galley->command(qw(key create --scope articles:read));
is $died->{exit}, 1, 'without its pepper a key cannot be made';
is $died->{out}, '', 'nothing on standard output';
like $died->{err}, qr/pepper must have 32 bytes/, 'standard error says why';
like last_line(), qr/key create.*died$/, 'operator.log too';
like((lines())[-2], qr/pepper must have 32 bytes/, 'with the reason');

done_testing;
