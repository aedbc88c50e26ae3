#!/usr/bin/perl
# Proves that a key is replaced without a gap, that a leaked key is found without being shown, and
# that surprising effects of scopes are explained.
use strict;
use warnings;

use lib 'tests/lib';

use Galley;
use Galley::Process qw(run_program);
use Terminal qw(on_terminal);
use Test::More;

my $galley = Galley->new(build => 'test');
my $account = $galley->account;
my $workspace = $galley->workspace(name => 'First', account => $account);
my $tool = $galley->home . '/bin/galley';

sub status {
	my ($key, $seconds) = @_;
	return $galley->get('/connection', key => $key,
		env => { GALLEY_CLOCK => $seconds // 0 })->{status};
}

# Runs the tool as an operator does, with standard input.
sub say_to {
	my ($input, @words) = @_;
	return run_program([$tool, @words], input => $input);
}

# ---- rotate

my $old = $galley->must(qw(key create --workspace First --label site
	--scope articles:read --scope drafts:read));
my $new = $galley->must(qw(key rotate --grace 24h), $old->{id});
like $new->{key}, qr/^ab_live_[0-9A-Za-z]{38}$/, 'rotate prints a key';
my ($first, $second) = @{ $galley->must(qw(key list --workspace First)) };
is_deeply [@$second{qw(id label)}, $second->{scopes}],
	[$new->{id}, 'site', $first->{scopes}],
	'with the scopes and the label of the old one';
is $second->{expires_at}, undef, 'that never expires, as the old one';
is_deeply $new->{old}, $first, 'and tells how the old one is now';
is status($_), 200, 'both work' for $old->{key}, $new->{key};
is status($old->{key}, 86_000), 200, 'the old one until the grace is over';
is status($old->{key}, 86_500), 401, 'and not after it';
is status($new->{key}, 86_500), 200, 'the new one goes on';

my $third = $galley->must(qw(key rotate --grace 0), $new->{id});
is status($new->{key}), 401, 'without a grace the old one ends at once';
is status($third->{key}), 200, 'and the new one works';

my $soon = $galley->must(qw(key create --workspace First --expires 2h --scope
	articles:read));
my $next = $galley->must(qw(key rotate --grace 7d), $soon->{id});
is status($soon->{key}, 7300), 401, 'a grace makes no key live longer';
is status($next->{key}, 7100), 200, 'the new one lives as long as the old one';
is status($next->{key}, 7300), 401, 'and no longer';

my $later = $galley->must(qw(key create --workspace First --expires 90d --scope
	articles:read));
$galley->must(qw(key rotate --grace 1h), $later->{id});
is status($later->{key}, 3500), 200, 'a key that would expire later works on';
is status($later->{key}, 3700), 401, 'until its grace is over';

# The new key lives as long as the first one did, however much time the old key has left.
$galley->must(qw(key rotate --grace 1h), $later->{id});
my @keys = @{ $galley->must(qw(key list --workspace First)) };
my $lifetime = sub {
	my ($id) = @_;
	my ($one) = @{ $galley->sql("SELECT (expires_at - created_at + 500000) / 1000000 AS s,"
		. " (lifetime + 500000) / 1000000 AS made_for FROM api_key WHERE uuid = '$id'") };
	return "$one->{s} $one->{made_for}";
};
is $lifetime->($keys[-1]{id}), '7776000 7776000', 'a successor of a key in its grace lives 90 days';
my $again = $galley->command(qw(key rotate --grace 2h), $later->{id});
is $again->{json}{again}, JSON::PP::true(), 'that there was one already is told';
like $again->{err}, qr/had been replaced before: ab_live_\w{4}…\w{4}, id [\da-f-]{36}, has its label/,
	'with the one that there is';
is $lifetime->($again->{json}{id}), '7776000 7776000', 'and so does the third';
$again = $galley->must(qw(key rotate --expires 10d), $again->{json}{id});
is $again->{again}, JSON::PP::false(), 'one that was not replaced is not told of';
is $again->{before}, undef, 'and has no other';
$again = $galley->must(qw(key rotate), $again->{id});
is $lifetime->($again->{id}), '864000 864000', 'a lifetime that was given is handed on';
$again = $galley->must(qw(key rotate --grace 30d), $soon->{id});
is $again->{again}, JSON::PP::true(), 'a grace that shortens nothing is a replacement, too';
is $lifetime->($again->{id}), '7200 7200', 'and changes no lifetime';
$again = $galley->must(qw(key rotate), $first->{id});
is_deeply [@$again{qw(again before)}], [JSON::PP::true(), $new->{id}],
	'a key for ever in its grace had been replaced';
my ($ever) = grep { $_->{id} eq $again->{id} } @{ $galley->must(qw(key list --workspace First)) };
is $ever->{expires_at}, undef, 'and its successor is for ever, too';

my $done = $galley->command(qw(key rotate), $new->{id});
is $done->{exit}, 1, 'a revoked key is not replaced';
like $done->{err}, qr/is revoked already.*galley key create/, 'a new one must be made';
$done = $galley->command(qw(key rotate --grace soon), $third->{id});
is $done->{exit}, 1, 'a wrong grace';
like $done->{err}, qr/soon is not a time/, 'is refused';
is status($third->{key}), 200, 'and changes nothing';

# ---- find

my $leaked = $third->{key};
my $display = substr($leaked, 0, 12) . '…' . substr $leaked, -4;
my $log = "2026-11-21 curl -H 'Authorization: Bearer $leaked' twice $leaked\n";
$done = say_to($log, qw(key find));
is $done->{exit}, 0, 'a leaked key is found in a line of a log';
unlike $done->{out} . $done->{err}, qr/\Q$leaked/, 'and not shown';
like $done->{out}, qr/^\Q$display\E is a key of this instance\.$/m, 'only so';
like $done->{out}, qr/^workspace  First \($workspace\)$/m, 'with its workspace';
like $done->{out}, qr/^account    .* \($account\)$/m, 'its account';
like $done->{out}, qr/^scopes     articles:read drafts:read$/m, 'its scopes';
like $done->{out}, qr/^last use   \d{4}-/m, 'its last use';
like $done->{out}, qr/^  galley key revoke \Q$third->{id}\E$/m,
	'and the line that ends it';
is scalar(() = $done->{out} =~ /is a key of/g), 1, 'once, though given twice';

my $found = $galley->must({ input => $log }, qw(key find));
is_deeply $found, [{ display => substr($leaked, 0, 12) . "\x{2026}"
	. substr($leaked, -4), damage => undef, alike => [],
	key => $galley->must(qw(key show), $third->{id}) }], 'the same as JSON';

$done = say_to($old->{key} . "\n" . $soon->{key}, qw(key find));
is scalar(() = $done->{out} =~ /is a key of/g), 2, 'two keys of one text';

$done = say_to($new->{key}, qw(key find));
like $done->{out}, qr/^state      revoked$/m, 'a revoked one is found, too';
like $done->{out}, qr/no longer works/, 'and needs nothing';
unlike $done->{out}, qr/galley key revoke/, 'not even to be revoked';

sub damaged {
	my ($text, $exit, $pattern, $name) = @_;
	my $done = say_to($text, qw(key find));
	is $done->{exit}, $exit, "$name: exit $exit";
	like $done->{out}, $pattern, "$name: the sentence";
	unlike $done->{out} . $done->{err}, qr/\Q$text\E/, "$name: not shown";
	return $done->{out};
}
my $fix = qr/galley key revoke \Q$third->{id}/;
like damaged(substr($leaked, 0, 40), 1, qr/6 of its 46 characters are missing/,
	'an end cut off'), $fix, 'the key with this beginning is named';
my $wrong = substr($leaked, 20, 1) eq 'x' ? 'y' : 'x';
like damaged(substr($leaked, 0, 20) . $wrong . substr($leaked, 21), 1,
	qr/characters are wrong/, 'a wrong letter'), $fix, 'the key is named';
like damaged(substr($leaked, 15), 1, qr/does not begin with ab_live_/,
	'a beginning cut off'), $fix, 'the key with this end is named';
like damaged("${leaked}abc", 0, qr/3 characters too many/, 'an end too many'),
	$fix, 'is that key';
my ($torn) = @{ $galley->command({ input => substr $leaked, 0, 40 },
	qw(key find))->{json} };
is $torn->{key}, undef, 'a torn one is no key';
is_deeply [map { $_->{id} } @{ $torn->{alike} }], [$third->{id}], 'but one is like it';
like $galley->command({ input => join "\n", map { "ab_live_$_" . 'x' x 34 } 1000 .. 1999 },
	qw(key find))->{err}, qr/only the first \d+ keys were looked up/,
	'many keys are not all looked up, which is told';
damaged('hunter2', 1, qr/No key of this instance begins or ends like it/,
	'a password');
$done = say_to(" \n", qw(key find));
is $done->{exit}, 1, 'nothing at all';
like $done->{err}, qr/no key in that: a key is ab_live_/, 'is refused';

my $abroad = Galley->new(build => 'test');
$done = say_to($abroad->key($abroad->workspace), qw(key find));
is $done->{exit}, 1, 'a key of another instance';
like $done->{out}, qr/is a whole key, but not one of this instance/, 'is nobody\'s';

$done = on_terminal({ type => "$leaked\n", after => qr/not shown\): / }, $tool,
	qw(key find));
is $done->{exit}, 0, 'on a terminal the key is asked for';
unlike $done->{screen}, qr/\Q$leaked/, 'and not shown';
like $done->{out}, $fix, 'but found';

# ---- surprising effects

sub warned {
	my ($pattern, @scopes) = @_;
	my $err = $galley->command(qw(key create --workspace First),
		map { ('--scope', $_) } @scopes)->{err};
	like $err, $pattern, "@scopes";
}
warned(qr/never replaces articles:read/, 'drafts:read');
warned(qr/orders jobs that cost credits/, qw(articles:read articles:generate));
warned(qr/^$/, qw(articles:read drafts:read));
warned(qr/^$/, 'articles:generate');
warned(qr/article:read is no scope.*did you mean articles:read\?/,
	'article:read');

my $orders = $galley->must(qw(key create --workspace First --scope
	articles:generate));
like say_to('', qw(key rotate), $orders->{id})->{out},
	qr/An Idempotency-Key belongs to the key/, 'repeated orders are warned of';
unlike say_to('', qw(key rotate), $third->{id})->{out}, qr/Idempotency/,
	'where a key orders';

$galley->conf(requests_per_minute => 0);
$done = $galley->command(qw(key list --workspace First));
like $done->{err}, qr/requests_per_minute is 0: nothing counts/,
	'without a limiter no use is known';

done_testing;
