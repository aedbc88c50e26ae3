#!/usr/bin/perl
# Proves, for the build STORE=pg, what a server without a connection left means (docs/postgres.md §7):
# each program that asks it answers 503 in time, the tool and the runners end with a sentence, nobody tries in
# vain while nobody asks; programs that have a connection go on; and all recover by themselves.
#
# make check-postgres runs it; the suite for SQLite leaves it out.
use strict;
use warnings;
use lib 'tests/lib';

use Galley;
use Galley::Console;
use Galley::Postgres;
use Galley::Process qw(patience run_program);
use Test::More;
use Time::HiRes qw(sleep time);

plan skip_all => 'for the build STORE=pg: make check-postgres' if !$ENV{GALLEY_CLUSTER};

my $cluster = Galley::Postgres->new(settings => { max_connections => 20 });
local $ENV{GALLEY_CLUSTER} = sprintf 'host=%s user=galley', $cluster->host;
my $galley = Galley->new(conf => { requests_per_minute => 0, jobs_per_hour => 0 });
my $workspace = $galley->workspace(account => $galley->account('--credits', 1000), pages => 'notes',
	website => 'https://www.example.com', address_pattern => '/{slug}');
my $key = $galley->key($workspace, qw(articles:read articles:generate));
my ($id) = $galley->import_text($workspace, "# One\n\nText.\n");
my $console = Galley::Console->of($galley, 'https://galley.example');
my $dana = $console->person(name => 'Dana', role => 'operator');
my $server = $console->serve(fcgi => 'proxy', processes => 1);

sub connections {
	return 0 + $cluster->must('postgres', 'SELECT count(*) FROM pg_stat_activity'
		. " WHERE usename IN ('galley_programs', 'galley_api', 'galley_owner')");
}

# Takes all connections that are left for those who are no superuser; each is a psql that waits.
my @held;
sub fill {
	for (1 .. 30) {
		open my $pipe, '-|', 'sh', '-c', 'exec "$0" "$@" 2>&1', Galley::Postgres::programs() . '/psql',
			'-X', '-d', $cluster->address('postgres') =~ s/user=galley/user=galley_owner/r,
			'-c', 'SELECT pg_sleep(3600)' or die "psql: $!";
		push @held, $pipe;
	}
	for (1 .. 200 * patience()) {
		return if run_program([Galley::Postgres::programs() . '/psql', '-X', '-d',
			$cluster->address('postgres') =~ s/user=galley/user=galley_owner/r, '-c', ''])->{err}
			=~ /remaining connection slots|too many clients/;
		sleep 0.05;
	}
	die 'the server is never full';
}

sub free {
	$cluster->must('postgres', 'SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity'
		. " WHERE usename = 'galley_owner'");
	close $_ for splice @held;
	for (1 .. 200 * patience()) {
		return if $cluster->must('postgres', 'SELECT count(*) FROM pg_stat_activity'
			. " WHERE usename = 'galley_owner'") == 0;
		sleep 0.05;
	}
	die 'the server is never free';
}

my @api = ([GET => '/connection'], [GET => '/articles'], [GET => "/articles/$id"], [GET => '/sync'], [GET => '/pricing'],
	[GET => '/jobs/00000000-0000-4000-8000-000000000001'],
	[POST => '/generate', body => '{"image":false,"topic":"Moths"}', headers => { 'Idempotency-Key' => 'once' }]);
my @pages = ([GET => '/console/sign-in'], [GET => '/pages/notes/'], [GET => '/media/' . 'a' x 64 . '.png']);

# Asks each, and returns the statuses and the longest time.
sub ask_all {
	my (@which) = @_;
	my ($longest, @answers) = (0);
	for my $one (@which) {
		my ($method, $path, @option) = @$one;
		my $began = time;
		push @answers, $path =~ m{^/(?:console|pages|media)/} ? $server->fetch($method, $path, @option)
			: $server->request($method, $path, key => $key, @option);
		my $took = time - $began;
		$longest = $took if $took > $longest;
	}
	return ($longest, @answers);
}
sub statuses { return join ' ', map { $_->{status} } @_ }

# The seconds of the machine that all programs have used.
sub used {
	my $ticks = 0;
	for my $pid (values %{ $server->{pools}->pids }) {
		my @all = ($pid, split ' ', Galley::slurp("/proc/$pid/task/$pid/children"));
		for (@all) {
			my $stat = eval { Galley::slurp("/proc/$_/stat") } // next;
			# utime, stime, and those of children that have ended.
			$ticks += $_ for (split ' ', $stat =~ s/.*\) //sr)[11 .. 14];
		}
	}
	return $ticks / 100;
}

# ---- nobody has a connection

fill();
my ($longest, @answers) = ask_all(@api);
is_error $answers[$_], 503, 'service_unavailable', "@{ $api[$_] }[0, 1] without a connection left" for 0 .. $#api;
cmp_ok $longest, '<', 3 * patience(), 'soon';
cmp_ok $answers[0]{headers}{'retry-after'} // 0, '>', 0, 'with the seconds to wait';
unlike join('', map { $_->{body} } @answers), qr/connection slots|PostgreSQL|galley_/, 'and without a word of the server\'s';
($longest, @answers) = ask_all(@pages);
is statuses(@answers), '503 503 503', 'console, pages and pictures, too';
cmp_ok $longest, '<', 3 * patience(), 'soon';
like Galley::slurp($galley->home . '/log/requests.log'), qr/remaining connection slots|too many clients/, 'the log says why';
my $before = used();
sleep 2;
cmp_ok used() - $before, '<=', 0.2, 'while nobody asks, nobody tries';
for (['galley', 'account', 'list'], ['job-runner', '--once'], ['task-runner', '--once']) {
	my ($program, @words) = @$_;
	my $began = time;
	my $done = run_program([$galley->programs . "/bin/$program", @words], as => [$galley->owner_ids]);
	isnt $done->{exit}, 0, "$program ends with a fault";
	is $done->{signal}, 0, "$program is not killed";
	cmp_ok time - $began, '<', 5 * patience(), "$program ends soon";
}

# ---- it has room again

free();
($longest, @answers) = ask_all(@api, @pages);
is statuses(@answers), '200 200 200 200 200 404 200 200 200 404', 'once there is room all answer, and nothing was started again';
is run_program([$galley->programs . '/bin/job-runner', '--once'], as => [$galley->owner_ids])->{exit}, 0, 'runners, too';

# ---- who has a connection keeps it

my $kept = connections();
cmp_ok $kept, '>=', 8, 'each program has kept its connection';
fill();
($longest, @answers) = ask_all(@api[0 .. 4], $api[6]);
is statuses(@answers), '200 200 200 200 200 200', 'a program with a connection answers while no other can connect';
is $answers[5]{headers}{'idempotent-replayed'}, 'true', 'and the order was made once';
my $browser = $console->browser;
is $browser->get('/sign-in')->status, 200, 'so does the console';
free();

# ---- more ask than there is room for

$server->stop;
$server = $console->serve(fcgi => 'proxy', processes => 6);
my @children = map {
	my $pid = fork // die "fork: $!";
	if ($pid == 0) {
		my ($good, $bad) = (0, 0);
		my $end = time + 3;
		while (time < $end) {
			my ($took, @got) = ask_all(@api[0 .. 4]);
			$bad++ if $took > 6 * patience() || grep { $_->{status} !~ /^(?:200|503)$/ } @got;
			$good += grep { $_->{status} == 200 } @got;
		}
		require POSIX;
		POSIX::_exit($bad ? 2 : $good ? 0 : 1);
	}
	$pid;
} 1 .. 8;
is join(' ', map { waitpid $_, 0; $? >> 8 } @children), join(' ', (0) x 8),
	'thirty processes for sixteen connections: each answer is 200 or 503, and all get good ones';
$server->stop;
$server = $console->serve(fcgi => 'proxy', processes => 1);
($longest, @answers) = ask_all(@api[0 .. 4]);
is statuses(@answers), '200 200 200 200 200', 'and then all is well';
is $galley->command('verify')->{exit}, 0, 'galley verify finds nothing';
done_testing;
