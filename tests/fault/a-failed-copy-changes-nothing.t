# The disk fails or is full at one operation of a backup, a restore or a migration on the
# database's files. Proves that the command says so and changes nothing, leaves no half backup,
# and succeeds when it is repeated (docs/platform.md §3.5: P2, K15).
#
# It tests some places of each kind, from a random one on; with GALLEY_FAULT_ALL every place
# (make check-faults). GALLEY_FAULT_START repeats a run's choice.
use strict;
use warnings;
use lib 'tests/lib';
use FaultPoints qw(met_points older_database);
use Galley;
use Test::More;

my $galley = Galley->new(build => 'test');
my $older = Galley->new(build => 'test');
my $workspace = $galley->workspace(name => 'Before');
$galley->import_text($workspace, map { "# Article $_\n\nText.\n" } 1 .. 3);
my ($kept, $fresh) = map { $galley->scratch . "/$_.tar" } qw(kept fresh);
chmod 0777, $galley->scratch;
$galley->must('backup', $kept);
my $start = $ENV{GALLEY_FAULT_START} // int rand 100;
diag "from place $start on" if !$ENV{GALLEY_FAULT_ALL};

# Returns all rows, without the times at which keys were used.
sub rows {
	my ($on) = @_;
	my $done = Galley::Process::run_program(
		['sqlite3', $on->home . '/db/galley.db', '.dump',
		'PRAGMA user_version'], as => [$on->owner_ids]);
	die $done->{err} if $done->{err} ne '';
	return $done->{out};
}

# Every restore draws other epochs.
sub without_epochs {
	return $_[0] =~ s/'[0-9a-f]{32}'/'an epoch'/gr;
}

# Returns some of the places that the code passes, each with its fault.
sub places {
	my ($on, $code) = @_;
	my (undef, $met) = met_points($on, $code);
	my @all;
	for my $name (qw(vfs-read vfs-write vfs-sync vfs-truncate vfs-delete)) {
		push @all, map { my $n = $_; map { [$name, $n, $_] }
			$name eq 'vfs-write' ? qw(EIO ENOSPC) : 'EIO' }
			1 .. $met->{$name} // 0;
	}
	cmp_ok scalar @all, '>', 10, scalar(@all) . ' places';
	return @all if $ENV{GALLEY_FAULT_ALL};
	my $stride = int(@all / 9) || 1;
	return map { $all[($start + $_ * $stride) % @all] } 0 .. 8;
}

sub names {
	return join ', ', map { $_->{name} } @{ $galley->must(qw(workspace list)) };
}

my %said;

# Checks that the command fails at the place and leaves all as it was, or goes on, and that it
# then succeeds.
sub fails_well {
	my ($what, $on, $prepare, $run) = @_;
	$prepare->();
	my @wrong;
	my $failed = 0;
	for my $place (places($on, $run)) {
		my $at = join ':', @$place;
		$prepare->();
		my $before = rows($on);
		my $done = $run->({ GALLEY_FAULT => $at });
		push @wrong, "$at: signal $done->{signal}" if $done->{signal};
		if ($done->{exit} != 0) {
			$failed++;
			push @wrong, "$at: exit $done->{exit}" if $done->{exit} != 1;
			push @wrong, "$at: no word" if $done->{err} !~ /\w/;
			push @wrong, "$at: half a backup" if -e $fresh;
		}
		my $after = $done->{exit} != 0 ? rows($on) : $before;
		push @wrong, "$at: something was changed: $done->{err}"
			if $after ne $before && $place->[0] ne 'vfs-sync';
		my $again = $run->({});
		push @wrong, "$at, again: $again->{err}" if $again->{exit} != 0;
		# A commit whose sync failed may still be there: then it must be whole.
		push @wrong, "$at: half of it was changed: $done->{err}"
			if $after ne $before && without_epochs($after) ne without_epochs(rows($on));
		my $sound = $on->command('verify');
		push @wrong, "$at: $sound->{out}" if $sound->{exit} != 0;
	}
	is join("\n", @wrong), '', "$what: a failed command changes nothing";
	cmp_ok $failed, '>', 2, "$failed times it failed";
}

fails_well('backup', $galley, sub { unlink $fresh },
	sub { return $galley->command({ env => $_[0] }, 'backup', $fresh) });
unlink $fresh;
fails_well('restore', $galley,
	sub { $galley->must(qw(workspace set), $workspace, 'name=After') },
	sub { return $galley->command({ env => $_[0] }, 'restore', $kept) });
is names(), 'Before', 'the restored article is there';
fails_well('migrate', $older, sub { older_database($older) },
	sub { return $older->command({ env => $_[0] }, 'migrate') });

# A row that refers to a missing row would be lost to every query that joins
older_database($older);
Galley::Process::run_program(['sqlite3', $older->home . '/db/galley.db',
	'DELETE FROM account'], as => [$older->owner_ids]);
my $before = rows($older);
unlike $before, qr/'Older'/, 'a grant whose account is gone';
my $done = $older->command('migrate');
is $done->{exit}, 1, 'is not brought up';
like $done->{err}, qr/a row of ledger refers to one that is not there/, 'but named';
is rows($older), $before, 'and nothing is changed';

done_testing;
