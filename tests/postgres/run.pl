#!/usr/bin/perl
# run.pl [SCRIPT...]   runs scripts of tests/ with the programs of the build STORE=pg, on a private
#                      PostgreSQL (docs/postgres.md): make check-postgres
#
# Without a name, those that tests/postgres/scripts lists. The model plays three seeds, or as many
# as SEEDS says. A script makes its instances as always (tests/lib/Galley.pm); each of them has a
# database of its own. JOBS says how many scripts run at a time (2).
use strict;
use warnings;

use lib 'tests/lib';

use Galley::Postgres;
use TAP::Harness;

my $cluster = Galley::Postgres->new(settings => { max_connections => 200 })
	// die Galley::Postgres::missing() . "\n";
$ENV{GALLEY_CLUSTER} = sprintf 'host=%s user=galley', $cluster->host;
$ENV{GALLEY_BUILD} ||= 'build/pg';
-x "$ENV{GALLEY_BUILD}/tests/fcgi-once"
	or die "$ENV{GALLEY_BUILD}/tests/fcgi-once is not built: make check-postgres T=SCRIPT builds it\n";
$ENV{SEEDS} //= 3;

sub listed {
	open my $file, '<', 'tests/postgres/scripts' or die "tests/postgres/scripts: $!";
	return grep { /\S/ && !/^#/ } map { chomp; $_ } <$file>;
}

my @scripts = @ARGV ? @ARGV : listed();
my $run = TAP::Harness->new({ jobs => $ENV{JOBS} // 2, lib => ['tests/lib'] })->runtests(@scripts);
$cluster->stop;
exit($run->all_passed ? 0 : 1);
