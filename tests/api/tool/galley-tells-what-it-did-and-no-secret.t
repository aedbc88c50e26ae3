#!/usr/bin/perl
# Proves that log/operator.log has a line for each change, with time, user, command, ids and
# result and without any secret, and no line for commands that only read.
# suite: valgrind
use strict;
use warnings;

use lib 'tests/lib';

use Galley;
use Galley::Process qw(run_program);
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

# A leaked key is typed whole. It is found, and stored nowhere.
my $tool = $galley->programs . '/bin/galley';
my ($shown, $tail) = (substr($key->{key}, 0, 12), substr $key->{key}, -4);
my $seen = '';
sub typed {
	my @words = @_;
	my $done = run_program([$tool, @words]);
	$seen .= $done->{out} . $done->{err};
	return $done;
}
my $stranger = 'ab_live_' . 'x' x 38;
is typed(qw(key show), $key->{key})->{exit}, 0, 'a key is shown by itself';
my $next = typed(qw(key rotate --grace 1h), $key->{key});
is $next->{exit}, 0, 'and replaced';
like last_line(), qr/key rotate --grace 1h ab_live_\*{38}; changed: $key->{id} /,
	'its line has none of it';
$seen =~ s/^ab_live_\w{38}$//m;
my $done = typed(qw(key revoke), $key->{key});
is $done->{exit}, 0, 'a whole key is revoked';
like $done->{out}, qr/^Key \Q$shown\E…\Q$tail\E is revoked/, 'and named as ever';
is $galley->must(qw(key show), $key->{id})->{revoked_at} =~ /^2/, 1, 'it is that one';
like last_line(), qr/key revoke ab_live_\*{38}; changed: $key->{id}; done$/,
	'the log names it by its id';
like typed(qw(key revoke), $stranger)->{err},
	qr/^galley: ab_live_xxxx…xxxx is not a whole key: name it by its id/, 'a damaged key';
my $torn = substr $key->{key}, 0, 40;
like typed(qw(key revoke), $torn)->{err}, qr/^galley: ab_live_… is not a whole key/,
	'a torn one';
my $elsewhere = Galley->new;
my $foreign = $elsewhere->key($elsewhere->workspace);
like typed(qw(key rotate), $foreign)->{err},
	qr/^galley: ab_live_\w{4}…\w{4} is a whole key, but not one of this instance/, 'another\'s';
typed('key', 'show', "ab%5flive%255F$torn");
typed('account', 'show', $_), typed('account', 'verify', $_), typed($_)
	for $key->{key}, $key->{key} =~ s/_/%5F/gr, $key->{key} =~ s/_/\\u005f/gr;
for my $secret ($key->{key}, $foreign) {
	ok index($seen, substr $secret, 8, 20) < 0, 'nothing that is printed has it';
}

my $text = Galley::slurp($log);
ok index($text, substr $foreign, 8, 20) < 0, 'no key of another in the log';
my $pepper = Galley::slurp($galley->home . '/db/pepper');
ok index($text, $key->{key}) < 0, 'no key is in it';
ok index($text, substr $key->{key}, 8, 20) < 0, 'nor a part of one';
ok index($text, $pepper) < 0, 'nor the pepper';

# The reason why a command died is logged as well.
my ($id) = $galley->import_text($workspace, "# One\n\nText.\n");
Galley::spew($galley->home . '/db/pepper', 'short');
my $died = $galley->command(qw(key create --scope articles:read));
is $died->{exit}, 1, 'without its pepper a key cannot be made';
is $died->{out}, '', 'nothing on standard output';
like $died->{err}, qr/pepper must have 32 bytes/, 'standard error says why';
if (!$galley->{database}) { # which refuses such a host before the command begins
	like last_line(), qr/key create.*died$/, 'operator.log too';
	like((lines())[-2], qr/pepper must have 32 bytes/, 'with the reason');
}

done_testing;
