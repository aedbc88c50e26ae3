# Proves that the memory of a FastCGI process does not grow while it answers requests of all
# kinds, and that it ends by itself after 100,000 requests.
#
# REQUESTS=N  the number of requests (3,000); `make check-fastcgi` sends 180,000 to programs
#             under AddressSanitizer.

use strict;
use warnings;

use lib 'tests/lib';
use Test::More;
use Galley;
use Galley::FastCGI;
use Galley::Request qw(request_env);

my $requests = $ENV{REQUESTS} // 3000;
# The sanitizer's quarantine is full after a thousand requests.
my $allowed_kib = Galley::is_watched() && $requests < 100_000 ? 2048 : 256;
# The sanitizer keeps freed memory for a while, to catch late uses; its quarantine is bounded.
$ENV{ASAN_OPTIONS} = 'quarantine_size_mb=1:'
	. 'thread_local_quarantine_size_kb=64:detect_stack_use_after_return=0';

my $galley = Galley->new(conf => { jobs_per_hour => 0 });
my $account = $galley->account;
$galley->must(qw(credits grant), $account, 100_000, '--ref', 'one');
my $workspace = $galley->workspace(account => $account);
my $key = $galley->key($workspace,
	qw(articles:read drafts:read articles:generate));
my $paragraph = 'A sentence of some length. ' x 40;
my @ids = $galley->import_text($workspace,
	map { "# Article $_\n\n$paragraph\n\n## Part\n\n$paragraph\n" } 1 .. 30);
push @ids, $galley->import_text($workspace, { publish => 0 },
	"# Draft\n\nText.\n");
my $tag = $galley->get('/articles', key => $key)->{headers}{etag};
my ($job, $page);

# Each: its share of 100 requests, and code that makes a request from the count so far.
my @kinds = (
	[30, sub { [GET => "/articles/$ids[$_[0] % @ids]?drafts=true"] }],
	[12, sub { [GET => '/articles?limit=' . ($_[0] % 30 + 1)] }],
	[6, sub { [GET => '/articles', headers => { 'If-None-Match' => $tag }] }],
	[3, sub { [GET => '/articles?limit=0'] }],
	[3, sub { [GET => '/articles?cursor=' . 'x' x ($_[0] % 900)] }],
	[2, sub { [GET => "/articles/$ids[0]", key => "${key}0"] }],
	[2, sub { [POST => '/articles', body => '{}'] }],
	[2, sub { [GET => '/articles/00000000-0000-4000-8000-000000000000'] }],
	[10, sub { [GET => '/sync?limit=' . ($_[0] % 9 + 1)] }],
	[5, sub { [GET => '/sync?limit=7&cursor=' . ($page // 'x')] }],
	[4, sub { [POST => '/generate', body => '{"topic":"Compost"}',
		headers => { 'Idempotency-Key' => $_[0] % 40 }] }],
	[2, sub { [POST => '/generate', body => '{"topic":"' . 'x' x 2000 . '"}',
		headers => { 'Idempotency-Key' => 'a' }] }],
	[1, sub { [POST => '/generate', body => 'x' x 70_000, chunked => 1,
		headers => { 'Idempotency-Key' => 'b' }] }],
	[1, sub { [POST => '/generate', body => '{"topic":']  }],
	[5, sub { [GET => '/jobs/' . ($job // 'x')] }],
	[5, sub { [GET => '/connection'] }],
	[4, sub { [GET => '/pricing'] }],
	[3, sub { [GET => '/nothing'] }],
);
my @wheel = map { ($_->[1]) x $_->[0] } @kinds;
is @wheel, 100, 'the mix is of 100';

my (%process, %count, %first, %wrong, %of_pid, $last_of_first);

# Returns the memory that belongs to no file, from a file of /proc that every user may read.
sub resident_kib {
	my ($pid) = @_;
	my (undef, $resident, $shared) = split ' ',
		Galley::slurp("/proc/$pid/statm");
	return ($resident - $shared) * 4;
}

for my $n (1 .. $requests) {
	my ($method, $target, %option) = @{ $wheel[$n * 37 % 100]->($n) };
	my ($program, $env) = request_env($method, $target, key => $key, %option);
	my $process = $process{$program} //= Galley::FastCGI->new(
		$galley->programs . "/cgi-bin/$program",
		$galley->scratch . "/$program.socket", [$galley->owner_ids]);
	my $done = $process->request($env, $option{body});
	my ($status) = $done->{out} =~ /^Status: (\d+)/;
	$count{$program}++;
	$of_pid{$program}{ $process->{pid} // 'dead' }++;
	$wrong{"$method $target"} = $status // $done->{err}
		if !defined $status || $status >= 500;
	($job) = $done->{out} =~ /"id":"([^"]*)"/
		if !$job && $program eq 'generate';
	($page) = $done->{out} =~ /"next_cursor":"([^"]*)"/
		if !$page && $program eq 'sync';
	$last_of_first = resident_kib($process->{pid})
		if $program eq 'articles' && $count{articles} == 99_999;
	next if $n != int($requests * 0.4);
	%first = map { $_ => resident_kib($process{$_}{pid}) } keys %process;
}
is_deeply \%wrong, {}, 'every request is answered';

# After 100,000 requests another process answers.
for my $program (grep { $count{$_} <= 100_000 } sort keys %process) {
	my $now = resident_kib($process{$program}{pid});
	cmp_ok $now, '<=', $first{$program} + $allowed_kib,
		"$program has $now KiB of its own after $count{$program} requests,"
		. " $first{$program} before";
}
my @lives = sort { $b <=> $a } values %{ $of_pid{articles} };
if ($count{articles} > 100_000) {
	is_deeply \@lives, [100_000, $count{articles} - 100_000],
		'100,000 requests are the end of a process';
	is $process{articles}{ended}, 0, 'a good one';
	cmp_ok $last_of_first, '<=', $first{articles} + $allowed_kib,
		"then it had $last_of_first KiB of its own, $first{articles} before";
} else {
	is scalar(@lives), 1, 'none has ended';
}
done_testing;
