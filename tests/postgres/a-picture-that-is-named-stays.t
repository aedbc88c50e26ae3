#!/usr/bin/perl
# Proves, for the build STORE=pg, that a purge removes no picture that another workspace is about to
# name (docs/postgres.md §3): writers of two workspaces are at work at the same time, and what one of
# them has not committed the other one does not see. Each of them stops in the middle once.
#
# make check-postgres runs it; the suite for SQLite leaves it out.
use strict;
use warnings;
use lib 'tests/lib';

use Galley;
use Galley::Process qw(become);
use POSIX qw(WNOHANG WUNTRACED);
use Test::More;

plan skip_all => 'for the build STORE=pg: make check-postgres' if !$ENV{GALLEY_CLUSTER};

my $galley = Galley->new(build => 'test');
my ($old, $new) = map { $galley->workspace(name => $_) } qw(Old New);
my $picture = 'image=' . $galley->reachable('tests/fixtures/pictures/bands.png');

sub start {
	my ($fault, @arguments) = @_;
	my $pid = fork // die "fork: $!";
	return $pid if $pid;
	become($galley->owner_ids) if $> == 0;
	$ENV{GALLEY_FAULT} = $fault if $fault;
	open STDOUT, '>', '/dev/null';
	exec $galley->programs . '/bin/galley', @arguments;
}

sub stopped {
	my $pid = start(@_);
	waitpid $pid, WUNTRACED;
	like Galley::slurp("/proc/$pid/stat"), qr/\) T /, "it stops at $_[0]";
	return $pid;
}

# Waits until the process has ended, or waits for a lock of the database; returns whether it waits.
sub waits {
	my ($pid) = @_;
	for (1 .. 1200) {
		return 0 if waitpid($pid, WNOHANG) == $pid;
		return 1 if $galley->sql('SELECT count(*) AS n FROM pg_stat_activity WHERE wait_event_type'
			. " = 'Lock' AND datname = '$galley->{database_name}'")->[0]{n};
		select undef, undef, undef, 0.05;
	}
	return 0;
}

sub end_of {
	my ($pid, $what) = @_;
	waitpid $pid, 0;
	is $?, 0, "$what ends well";
}

# Returns an article in the trash that has the picture, and one that has none.
sub pair {
	my ($trash) = $galley->import_text($old, "# Old\n\nText.\n");
	my ($other) = $galley->import_text($new, "# New\n\nText.\n");
	$galley->must(qw(article set), $trash, $picture);
	$galley->must(qw(article delete --yes), $trash);
	return ($trash, $other);
}

sub is_whole {
	my ($what) = @_;
	is $galley->sql('SELECT count(*) AS n FROM media_bytes')->[0]{n}, 1, "$what: the picture is there";
	is $galley->command('verify')->{exit}, 0, "$what: galley verify finds nothing";
}

my ($trash, $other) = pair();
my $names = stopped('db-before-commit:1:stop', qw(article set), $other, $picture);
my $purges = start(undef, qw(article purge --yes), $trash);
ok waits($purges), 'a purge waits for one who names the picture';
kill CONT => $names;
end_of($names, 'the writer');
end_of($purges, 'the purge');
is_whole('named first');

$galley->must(qw(article delete --yes), $other);
$galley->must(qw(article purge --yes), $other);
is $galley->sql('SELECT count(*) AS n FROM media')->[0]{n}, 0, 'the last purge removes it';

($trash, $other) = pair();
$purges = stopped('db-before-commit:1:stop', qw(article purge --yes), $trash);
$names = start(undef, qw(article set), $other, $picture);
ok waits($names), 'one who names the picture waits for a purge';
kill CONT => $purges;
end_of($purges, 'the purge');
end_of($names, 'the writer');
is_whole('purged first');
done_testing;
