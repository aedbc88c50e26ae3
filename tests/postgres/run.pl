#!/usr/bin/perl
# run.pl [SCRIPT...]   runs scripts of tests/ with the programs of the build STORE=pg, on a private
#                      PostgreSQL (docs/postgres.md): make check-postgres
#
# Without a name, those that tests/postgres/scripts lists, and then the hosts that die
# (tests/failover), if the programs of their hosts are here. The model plays three seeds, or as many
# as SEEDS says. A script makes its instances as always (tests/lib/Galley.pm); each of them has a
# database of its own. JOBS says how many scripts run at a time (3).
use strict;
use warnings;

use lib 'tests/lib', 'tests/failover';

use Galley::Postgres;
use Hosts;

my $cluster = Galley::Postgres->new(settings => { max_connections => 200 })
	// die Galley::Postgres::missing() . "\n";
$ENV{GALLEY_BUILD} ||= 'build/pg';
-x "$ENV{GALLEY_BUILD}/tests/fcgi-once"
	or die "$ENV{GALLEY_BUILD}/tests/fcgi-once is not built: make check-postgres T=SCRIPT builds it\n";
$ENV{SEEDS} //= 3;

sub listed {
	open my $file, '<', 'tests/postgres/scripts' or die "tests/postgres/scripts: $!";
	return grep { /\S/ && !/^#/ } map { chomp; $_ } <$file>;
}

# tests/run.pl begins with the long ones, installs once for all, and last says what failed.
my @options = ('--jobs=' . ($ENV{JOBS} // 3), @ARGV ? () : "--times=$ENV{GALLEY_BUILD}/times");
my $passed;
{
	local $ENV{GALLEY_CLUSTER} = sprintf 'host=%s user=galley', $cluster->host;
	$passed = system($^X, 'tests/run.pl', @options, @ARGV ? @ARGV : listed()) == 0;
}
$cluster->stop;
exit($passed ? 0 : 1) if @ARGV;

# These have hosts and networks of their own, and kill processes in time: one after the other, with
# nothing beside them.
if (my $missing = Hosts::missing()) {
	print "Left out: no host was killed (tests/failover): $missing\n";
} else {
	for my $script (sort glob 'tests/failover/*.t') {
		$passed = system($^X, 'tests/run.pl', $script) == 0 && $passed;
	}
}
exit($passed ? 0 : 1);
