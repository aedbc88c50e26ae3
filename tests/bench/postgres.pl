#!/usr/bin/perl
# postgres.pl   how fast the build STORE=pg is, as ratios of one run (docs/postgres.md §3): make
#               bench-postgres
#
# One process of FastCGI answers GETs of one article and of a list, on SQLite (with and without kept
# answers) and on a private PostgreSQL. Then a proxy holds each message back for 500 us in each direction, and 1
# and 16 accounts order for SECONDS (10) through it. PostgreSQL syncs, as an instance's does.
use strict;
use warnings;

use lib 'tests/lib';

use Galley;
use Galley::FastCGI;
use Galley::Postgres;
use Galley::PostgresProxy;
use Galley::Request qw(request_env split_answer);
use Time::HiRes qw(time);

my $SECONDS = $ENV{SECONDS} // 10;
my $cluster = Galley::Postgres->new(settings => { fsync => 'on', max_connections => 100 })
	// die Galley::Postgres::missing() . "\n";

sub instance {
	my ($build, $cluster) = @_;
	$ENV{GALLEY_BUILD} = $build;
	delete $ENV{GALLEY_CLUSTER};
	$ENV{GALLEY_CLUSTER} = sprintf 'host=%s user=galley', $cluster->host if $cluster;
	my $galley = Galley->new(conf => { requests_per_minute => 0, jobs_per_hour => 0 });
	my $workspace = $galley->workspace;
	my @ids = $galley->import_text($workspace, map { "# Title $_\n\n" . "Some words. " x 200 } 1 .. 25);
	return { galley => $galley, key => $galley->key($workspace), id => $ids[0] };
}

# Returns the median of ten rates: requests in a second of one process.
sub rate {
	my ($at, $target) = @_;
	my ($program, $env) = request_env('GET', $target, key => $at->{key});
	my $ask = sub { return $at->{galley}->persistent($program, $env) };
	my $answer = split_answer($ask->());
	die "$target: $answer->{status}\n" if $answer->{status} != 200;
	my @rates;
	for (1 .. 10) {
		my $began = time;
		$ask->() for 1 .. 100;
		push @rates, 100 / (time - $began);
	}
	return (sort { $a <=> $b } @rates)[5];
}

my %at = (SQLite => instance('build'), PostgreSQL => instance('build/pg', $cluster));
for my $target ("/articles/ID", '/articles?limit=20') {
	my %rate;
	for my $store (sort keys %at) {
		$rate{$store} = rate($at{$store}, $target =~ s/ID/$at{$store}{id}/r);
	}
	$at{SQLite}{galley}->conf(kept_answers => 'off');
	$rate{computed} = rate($at{SQLite}, $target =~ s/ID/$at{SQLite}{id}/r);
	$at{SQLite}{galley}->conf(kept_answers => 'on');
	printf "GET %s: PostgreSQL %.0f a second; %.2f of SQLite's %.0f without kept answers, %.2f of its %.0f with them\n",
		$target, $rate{PostgreSQL}, $rate{PostgreSQL} / $rate{computed}, $rate{computed},
		$rate{PostgreSQL} / $rate{SQLite}, $rate{SQLite};
}

# ---- at a distance

my $proxy = Galley::PostgresProxy->new($cluster->host . '/.s.PGSQL.5432');
my $galley = $at{PostgreSQL}{galley};
my @keys = map {
	my $account = $galley->account('--credits', 1_000_000);
	$galley->key($galley->workspace(account => $account), 'articles:generate');
} 1 .. 16;
$galley->database_at($proxy->address);
$proxy->arm(delay_us => 500);

# Orders of the first `count` accounts, in a second.
sub orders {
	my ($count) = @_;
	my @from;
	for my $n (0 .. $count - 1) {
		my $pid = open(my $pipe, '-|') // die "fork: $!";
		if ($pid == 0) {
			my $process = Galley::FastCGI->new($galley->programs . '/cgi-bin/generate',
				$galley->scratch . "/order-$count-$n.socket", [$galley->owner_ids]);
			my $done = -1;
			my $began;
			while (!$began || time < $began + $SECONDS) {
				my ($program, $env) = request_env('POST', '/generate', key => $keys[$n],
					body => '{"image":false}', headers => { 'Idempotency-Key' => "$count-$n-$done" });
				my $answer = split_answer($process->request($env, '{"image":false}'));
				die "order: $answer->{status} $answer->{body}\n" if $answer->{status} != 200;
				$began //= time;
				$done++;
			}
			printf "%f\n", $done / (time - $began);
			STDOUT->flush;
			$process->stop;
			POSIX::_exit(0);
		}
		push @from, $pipe;
	}
	my $sum = 0;
	$sum += <$_> // 0 for @from;
	close $_ for @from;
	return $sum;
}

my ($one, $many) = (orders(1), orders(16));
printf "500 us away: one account orders %.0f in a second, 16 accounts %.0f: %.1f times as many\n",
	$one, $many, $many / ($one || 1);
$cluster->stop;
