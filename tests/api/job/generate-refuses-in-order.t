# Proves the order of refusals of POST /generate, and that a replay is answered with the existing
# job whatever else is wrong (docs/design.md §4.17, §4.22).
# suite: twins
use strict;
use warnings;
use lib 'tests/lib';
use Galley::JSON ();
use Test::More;
use Galley;
use JobRun;

my $jobs = JobRun->new(credits => 100);
my $galley = $jobs->galley;
my ($true, $false, $null) = (JSON::PP::true, JSON::PP::false, undef);

# A request in which everything is wrong, then each time one thing less.
my $other = $galley->account;
my $plain = $galley->workspace(account => $other);
my $reader = $galley->key($plain, 'articles:read');
my $orderer = $galley->key($plain, 'articles:generate');
my $unverified = $galley->must(qw(account create), 'Nobody yet')->{id};
my $nobody = $galley->key($galley->workspace(account => $unverified),
	'articles:generate');
sub order { return $jobs->order(@_) }

is_error order(undef, {}, key => 'ab_live_wrong', body => 'x' x 70000),
	413, 'payload_too_large', 'too large comes before the key';
is_error order(undef, {}, key => 'ab_live_wrong', body => 'x'),
	401, 'unauthorized', 'the key comes first';
is_error order(undef, {}, key => $reader, body => 'x' x 70000, chunked => 1),
	403, 'forbidden', 'the scope comes before a chunked body';
is_error order(undef, {}, key => $nobody, body => 'x' x 70000, chunked => 1),
	413, 'payload_too_large', 'a chunked body that is too large';
is_error order(undef, {}, key => $nobody, body => 'x'),
	403, 'forbidden', 'the account comes before the Idempotency-Key';
my $unkeyed = order(undef, {}, key => $orderer, body => 'x');
is_error $unkeyed, 400, 'invalid_request',
	'the Idempotency-Key comes before the body';
is $unkeyed->{json}{param}, 'Idempotency-Key', 'and is named';
my $nobody_paid = order('a', {}, key => $orderer, body => '{"topic":7}');
is_error $nobody_paid, 400, 'invalid_request', 'the body comes before credits';
is $nobody_paid->{json}{param}, 'topic', 'and its member is named';
my $guarded = order('a', { maxCredits => 29 }, key => $orderer);
is_error $guarded, 409, 'conflict', 'the guard comes before the balance';
is "$guarded->{json}{required_credits} $guarded->{json}{max_credits}", '30 29',
	'with both numbers';
my $poor = order('a', { maxCredits => 30 }, key => $orderer);
is_error $poor, 402, 'insufficient_credits', 'then the balance';
is "$poor->{json}{required_credits} $poor->{json}{available_credits}", '30 0',
	'with both numbers';
$galley->conf(jobs_per_hour => 1);
is order('first', { image => $false })->{status}, 200, 'an order';
my $late = order('second', { image => $false });
is_error $late, 429, 'rate_limited', 'the hour comes last';
like $late->{headers}{'retry-after'}, qr/^3(?:600|59\d)$/, 'with its wait';
is_error order('second', { image => $false, maxCredits => 1 }), 409, 'conflict',
	'the guard comes before the hour';
$galley->conf(jobs_per_hour => 0);
is order('second', { image => $false })->{status}, 200,
	'a refused order has not used its key up';

# The Idempotency-Key itself
my %key = (
	'' => 400, ' ' => 400, ' a' => 400, 'a ' => 400, 'a b' => 200,
	'~!"{}' => 200, 'x' x 128 => 200, 'x' x 129 => 400, "a\tb" => 400,
	"a\xC3\xA4" => 400, "a\x7F" => 400,
);
$galley->must(qw(credits grant), $jobs->account, 100000, '--ref', 'more');
for my $value (sort keys %key) {
	(my $shown = substr $value, 0, 20) =~ s/([^ -~])/sprintf '\x%02X', ord $1/ge;
	is order($value, { image => $false })->{status}, $key{$value},
		"Idempotency-Key '$shown' (" . length($value) . ')';
}
isnt order('A b', { image => $false })->{json}{id},
	order('a b', { image => $false })->{json}{id},
	'values are compared byte by byte';

# The body
my @bodies = (
	[ 200, '{}' ], [ 200, ' { } ' ], [ 200, '{"topic":""}' ],
	[ 200, '{"topic":"' . ('é' x 1500) . '"}' ],
	[ 400, '{"topic":"' . ('é' x 1501) . '"}', 'topic' ],
	[ 200, '{"topic":"a\r\n\u0007\uFEFFb"}' ],
	[ 400, '{"topic":"a\u0000b"}', 'body' ],
	[ 400, '{"topic":"\ud800"}', 'body' ],
	[ 400, "{\"topic\":\"\xFF\"}", 'body' ],
	[ 400, '{"topic":null}', 'topic' ], [ 400, '{"topic":1}', 'topic' ],
	[ 400, '{"image":null}', 'image' ], [ 400, '{"image":1}', 'image' ],
	[ 400, '{"image":"true"}', 'image' ],
	[ 400, '{"autoPublish":0}', 'autoPublish' ],
	[ 200, '{"kind":"research"}' ], [ 400, '{"kind":"Article"}', 'kind' ],
	[ 400, '{"kind":null}', 'kind' ], [ 400, '{"kind":""}', 'kind' ],
	[ 400, '{"maxCredits":0}', 'maxCredits' ],
	[ 200, '{"maxCredits":1000000}' ],
	[ 400, '{"maxCredits":1000001}', 'maxCredits' ],
	[ 400, '{"maxCredits":30.0}', 'maxCredits' ],
	[ 400, '{"maxCredits":"30"}', 'maxCredits' ],
	[ 400, '{"maxCredits":1e3}', 'maxCredits' ],
	[ 400, '{"maxcredits":1}', 'maxcredits' ],
	[ 400, '{"é b":1}', 'é b' ], [ 400, '{"' . 'x' x 100 . '":1}', 'x' x 100 ],
	[ 400, '{"":1}', 'body' ], [ 400, '{"topic":"a","":{}}', 'body' ],
	[ 400, '{" ":1}', 'body' ], [ 400, '{"\n":1}', 'body' ],
	[ 400, '{"topic\u0007":1}', 'body' ], [ 400, '{"\u202Ecipot":1}', 'body' ],
	[ 400, '{"\u009B31m":1}', 'body' ], [ 400, '{"\uFEFFtopic":1}', 'body' ],
	[ 400, '{"' . 'x' x 101 . '":1}', 'body' ],
	[ 400, '{"' . 'x' x 20000 . '":1}', 'body' ],
	[ 400, '{"topic":"a","topic":"b"}', 'body' ],
	[ 400, '', 'body' ], [ 400, ' ', 'body' ], [ 400, '[]', 'body' ],
	[ 400, 'null', 'body' ], [ 400, '{} x', 'body' ], [ 400, '{', 'body' ],
	[ 400, '[' x 1000, 'body' ],
	[ 400, '{"researchId":"x"}', 'researchId' ],
	[ 400, '{"researchId":null}', 'researchId' ],
	[ 400, '{"researchId":"00000000-0000-4000-8000-000000000000"}',
		'researchId' ],
);
my $number = 0;
for my $case (@bodies) {
	my ($status, $body, $param) = @$case;
	my $answer = order('body-' . ++$number, {}, body => $body);
	my $name = substr($body, 0, 40) . (length $body > 40 ? ' …' : '');
	$name =~ s/([^ -~])/sprintf '\x%02X', ord $1/ge;
	is $answer->{status}, $status, "body $name";
	next if $status == 200;
	utf8::decode($param);
	is $answer->{json}{param}, $param, '  names what is wrong';
	like $answer->{json}{error}, qr/^[\w\[. "][ -~\w]{0,400}\.\z/, '  in a sentence';
}

# Replays
my $first = order('again', { topic => 'One', image => $false });
ok !exists $first->{headers}{'idempotent-replayed'}, 'a first answer is not a replay';
is $first->{headers}{'retry-after'}, 10, 'and says when to ask again';
ok !exists $first->{headers}{etag}, 'and has no tag: it is not a GET';
my $before = $jobs->balance;
my %replay = (
	'the same body' => [ { topic => 'One', image => $false } ],
	'another body' => [ { topic => 'Two', kind => 'research' } ],
	'a guard that is too low' => [ { maxCredits => 1 } ],
	'a broken body' => [ {}, body => '{"topic":' ],
	'an unknown member' => [ { nonsense => 1 } ],
	'no body' => [ {}, body => '' ],
	'a chunked body' => [ {}, body => '{}', chunked => 1 ],
	'a body cut short' => [ {}, body => '{"topic":"One"',
		headers => { 'Idempotency-Key' => 'again', 'Content-Length' => 500 } ],
);
for my $name (sort keys %replay) {
	my ($members, %option) = @{ $replay{$name} };
	my $again = order('again', $members, %option);
	is $again->{status}, 200, "replay with $name";
	is_deeply $again->{json}, $first->{json}, '  the job';
	is $again->{headers}{'idempotent-replayed'}, 'true', '  says so';
}
is_error order('again', {}, body => 'x' x 70000, chunked => $_), 413,
	'payload_too_large', 'a replay with a body that is too large' for 0, 1;
is_deeply $jobs->balance, $before, 'nothing was reserved by replays';

my $sibling = $galley->key($jobs->workspace, 'articles:generate');
isnt order('again', { image => $false }, key => $sibling)->{json}{id},
	$first->{json}{id}, 'another key has its own values';
my $left = $jobs->balance->{available};
$galley->must(qw(credits revoke), $jobs->account, $left, '--ref', 'all');
$galley->conf(jobs_per_hour => 1);
is_error order('new', { image => $false }), 402, 'insufficient_credits',
	'nothing is left';
is order('again', {})->{json}{id}, $first->{json}{id},
	'an empty balance and a used-up hour: the job';
my $run = $jobs->run;
is "$run->{exit} $run->{signal} $run->{err}", "0 0 ", "a run";
my $done = order('again', {});
is "$done->{json}{status} $done->{json}{cost}", 'completed 7',
	'the job as it is now';
ok !exists $done->{headers}{'retry-after'}, 'whose status is final';
$galley->must(qw(account suspend), $jobs->account);
is_error order('again', {}), 403, 'forbidden',
	'a suspended account comes before the replay';
is $galley->get('/pricing', key => $jobs->key)->{status}, 200,
	'and may look at prices';
is $galley->get("/jobs/$first->{json}{id}", key => $jobs->key)->{status}, 200,
	'and at jobs';
$galley->must(qw(account resume), $jobs->account);
$galley->sql("UPDATE api_key SET scopes = 'articles:read'");
is_error order('again', {}), 403, 'forbidden',
	'a revoked scope comes before the replay';
is $galley->request('GET', '/generate', key => $jobs->key)->{status}, 405,
	'GET is not allowed';
is $jobs->broken, '', 'verify finds nothing';
done_testing;
