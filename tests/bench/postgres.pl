#!/usr/bin/perl
# postgres.pl   how fast the build STORE=pg is, as ratios of one run (docs/postgres.md §3): make
#               bench-postgres
#
# GETs of one article and of a list, on SQLite (with and without kept answers) and on a private
# PostgreSQL, three times in turn: of one process of FastCGI, whose client is this script; and through
# Apache with mod_fcgid, by 1 and by 8 clients, where wrk is. Then a proxy holds each message back for
# 500 us in each direction, and 1 and 16 accounts order for SECONDS (10) through it. PostgreSQL syncs, as an
# instance's does.
use strict;
use warnings;

use lib 'tests/lib';

use Galley;
use Galley::FastCGI;
use Galley::Postgres;
use Galley::PostgresProxy;
use Galley::Process qw(run_program);
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

sub median { return (sort { $a <=> $b } @_)[@_ / 2] }

# Requests in a second of one process: the median of ten looks.
sub of_process {
	my ($at, $target) = @_;
	my ($program, $env) = request_env('GET', $target, key => $at->{key});
	my $ask = sub { return $at->{galley}->persistent($program, $env) };
	my $answer = split_answer($ask->());
	die "$target: $answer->{status}\n" if $answer->{status} != 200;
	return median(map {
		my $began = time;
		$ask->() for 1 .. 100;
		100 / (time - $began);
	} 1 .. 10);
}

# The same through Apache, by `clients`.
sub through_apache {
	my ($at, $target, $clients) = @_;
	my $wrk = sub { return run_program(['wrk', '-t1', "-c$clients", "-d$_[0]s", '--timeout', '30s', '-H',
		"Authorization: Bearer $at->{key}", $at->{server}->url . "/api/v1$target"]) };
	# A process that finds other settings refuses one request, and ends.
	$wrk->(1);
	my $done = $wrk->(2);
	die "wrk: $done->{err}$done->{out}" if $done->{exit} || $done->{out} =~ /Non-2xx|Socket errors/;
	return $done->{out} =~ m{Requests/sec:\s+([\d.]+)} ? $1 : die "wrk: $done->{out}";
}

my %at = (SQLite => instance('build'), PostgreSQL => instance('build/pg', $cluster));
my %way = ('one process' => \&of_process);
if (grep { -x "$_/wrk" } split /:/, $ENV{PATH}) {
	for my $store (sort keys %at) {
		my $on = $store eq 'PostgreSQL';
		local $ENV{GALLEY_BUILD} = $on ? 'build/pg' : 'build';
		local $ENV{GALLEY_CLUSTER} = $on ? sprintf('host=%s user=galley', $cluster->host) : '';
		$at{$store}{server} = $at{$store}{galley}->serve(fcgi => 'fcgid');
	}
	$way{"Apache, $_ client" . ($_ > 1 ? 's' : '')} = do {
		my $clients = $_;
		sub { through_apache(@_, $clients) };
	} for 1, 8;
}

# A process reads a file again at each request until the file is a few seconds old.
sub settle { $at{SQLite}{galley}->conf(kept_answers => $_[0]); sleep 3 }

for my $target ('/articles/ID', '/articles?limit=20') {
	my %rate;
	for my $round (1 .. 3) {
		for my $kept (4096, 0) {
			settle($kept);
			for my $way (sort keys %way) {
				my $of = sub { $way{$way}->($at{ $_[0] }, $target =~ s/ID/$at{ $_[0] }{id}/r) };
				$of->('SQLite');
				push @{ $rate{$way}{$kept} }, $of->('SQLite');
				push @{ $rate{$way}{PostgreSQL} }, $of->('PostgreSQL') if !$kept;
			}
		}
	}
	for my $way (sort keys %way) {
		my %m = map { $_ => median(@{ $rate{$way}{$_} }) } keys %{ $rate{$way} };
		printf "GET %s, %s: PostgreSQL %.0f a second; %.2f of SQLite's %.0f without kept answers, %.2f of its %.0f with them\n",
			$target, $way, $m{PostgreSQL}, $m{PostgreSQL} / $m{0}, $m{0}, $m{PostgreSQL} / $m{4096}, $m{4096};
	}
}

# ---- at a distance

my $proxy = Galley::PostgresProxy->new($cluster->host . '/.s.PGSQL.5432');
my $galley = $at{PostgreSQL}{galley};
my @keys = map {
	my $account = $galley->account('--credits', 1_000_000);
	$galley->key($galley->workspace(account => $account), 'articles:generate');
} 1 .. 16;
$galley->database_at($proxy->address);
$proxy->delay(500);

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
