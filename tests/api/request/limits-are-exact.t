# Proves that each key has exactly 120 requests in any 60 seconds, also for requests at once and
# when the clock steps (docs/design.md §4.8).
use strict;
use warnings;
use lib 'tests/lib';
use Test::More;
use Time::HiRes qw(time);
use Galley;

my $galley = Galley->new(build => 'test', conf => { requests_per_minute => 120 });
my $workspace = $galley->workspace;
my @keys = map { $galley->key($workspace) } 1 .. 4;

sub ask {
	my ($key, $clock) = @_;
	return $galley->get('/connection', key => $key,
		env => defined $clock ? { GALLEY_CLOCK => $clock } : {});
}

my $first = ask($keys[0]);
is $first->{headers}{'ratelimit-policy'}, '"key";q=120;w=60', 'the policy';
is $first->{headers}{ratelimit}, '"key";r=119;t=60', 'what is left';
ask($keys[0]) for 2 .. 119;
my $last = ask($keys[0]);
is $last->{status}, 200, 'request 120 is answered';
like $last->{headers}{ratelimit}, qr/^"key";r=0;t=\d+$/, 'and was the last';
my $asked = time;
my $refused = ask($keys[0]);
is_error $refused, 429, 'rate_limited', 'request 121 is not';
my $wait = $refused->{headers}{'retry-after'};
like $wait, qr/^[0-9]+$/, 'with Retry-After';
SKIP: {
	my $before = ask($keys[0], $wait - 2);
	skip 'two seconds have passed meanwhile', 1
		if $before->{status} == 200 && time - $asked >= 2;
	is_error $before, 429, 'rate_limited', 'not before its end';
}
is ask($keys[0], $wait)->{status}, 200, 'but after it';
is ask($keys[1])->{status}, 200, 'another key has its own window';
is ask($keys[0], -3600)->{status}, 200,
	'a clock that was set back locks nobody out';
is ask($keys[0], 86400)->{status}, 200, 'nor one that was set ahead';

# At once: forty processes, of ten requests each
my @children;
for my $n (1 .. 40) {
	my $pid = fork // die "fork: $!";
	if ($pid == 0) {
		my $answered = grep { ask($keys[2])->{status} == 200 } 1 .. 4;
		require POSIX;
		POSIX::_exit($answered);
	}
	push @children, $pid;
}
my $answered = 0;
for my $pid (@children) {
	waitpid $pid, 0;
	$answered += $? >> 8;
}
is $answered, 120, '160 requests at once: exactly 120 are answered';

# The same with a smaller quota, with none, and with counting only
$galley->conf(requests_per_minute => 3);
is join(' ', map { ask($keys[3])->{status} } 1 .. 4), '200 200 200 429',
	'a quota of 3';
$galley->conf(requests_per_minute => 'count');
my $counted = ask($keys[3]);
is $counted->{status}, 200, 'count refuses nobody';
like $counted->{headers}{ratelimit}, qr/r=\d+/, 'and does the work';
$galley->conf(requests_per_minute => 0);
my $off = ask($keys[3]);
is $off->{status}, 200, '0: no limit';
ok !exists $off->{headers}{ratelimit}, 'and no fields';

# Another request may come when the oldest one of the window leaves it, whatever came since.
$galley->conf(requests_per_minute => 3);
my $steady = $galley->key($workspace);
my @steady = map { ask($steady, $_) } 0, 20, 40, 40;
like $steady[2]{headers}{ratelimit}, qr/r=0;t=(?:1\d|20)$/, 'after 40 seconds of the window it says 20';
is $steady[3]{status}, 429, 'one more is too much';
like $steady[3]{headers}{'retry-after'}, qr/^(?:1\d|20)$/, 'and waits for the oldest';

# 304, 403, 404 and 400 count; a 401 has no key to count for
$galley->conf(requests_per_minute => 4);
my $key = $galley->key($workspace);
my $etag = $galley->get('/connection', key => $key)->{headers}{etag};
is $galley->get('/connection', key => $key,
	headers => { 'If-None-Match' => $etag })->{status}, 304, 'a 304';
is $galley->get('/articles?drafts=true', key => $key)->{status}, 403, 'a 403';
is $galley->get('/articles?limit=0', key => $key)->{status}, 400, 'a 400';
is $galley->get('/connection', key => $key)->{status}, 429, 'all were counted';

# If the limiter's file cannot be used, every request passes
unlink $galley->home . '/run/keys.rl';
mkdir $galley->home . '/run/keys.rl';
is $galley->get('/connection', key => $key)->{status}, $ENV{GALLEY_CLUSTER} ? 429 : 200,
	'a file that cannot be used refuses nobody; PostgreSQL has none';

done_testing;
