#!/usr/bin/perl
# Proves, for the build STORE=pg, that a restore that meets a backup which takes long ends with a
# sentence that says so, that nothing is changed then, and that writers do not wait meanwhile
# (docs/postgres.md §8). The backup stops in the middle.
#
# make check-postgres runs it; the suite for SQLite leaves it out.
use strict;
use warnings;
use lib 'tests/lib';

use Galley;
use Galley::Process qw(become);
use POSIX qw(WUNTRACED);
use Test::More;

plan skip_all => 'for the build STORE=pg: make check-postgres' if !$ENV{GALLEY_CLUSTER};

my $galley = Galley->new(build => 'test');
$galley->workspace(name => 'Before');
my $folder = $galley->folder_of_owner('archives');
$galley->must('backup', "$folder/first.tar");
$galley->workspace(name => 'After');

sub start {
	my ($out, $fault, @words) = @_;
	my $pid = fork // die "fork: $!";
	return $pid if $pid;
	become($galley->owner_ids) if $> == 0;
	$ENV{GALLEY_FAULT} = $fault if $fault;
	open STDOUT, '>', '/dev/null';
	open STDERR, '>', $out;
	exec $galley->programs . '/bin/galley', @words;
}

my $backup = start('/dev/null', 'archive-copied:1:stop', 'backup', "$folder/second.tar");
waitpid $backup, WUNTRACED;
like Galley::slurp("/proc/$backup/stat"), qr/\) T /, 'a backup stops in the middle';

my $restore = start("$folder/said", undef, qw(restore --yes), "$folder/first.tar");
my $waits = 0;
for (1 .. 1200) {
	$waits = $galley->sql('SELECT count(*) AS n FROM pg_stat_activity WHERE wait_event_type'
		. " = 'Lock' AND datname = '$galley->{database_name}'")->[0]{n};
	last if $waits;
	select undef, undef, undef, 0.05;
}
is $waits, 1, 'a restore waits';
ok $galley->workspace(name => 'Meanwhile'), 'a writer does not';
waitpid $restore, 0;
is $? >> 8, 1, 'the restore ends';
like Galley::slurp("$folder/said"), qr/A backup of this instance is being made\. Nothing was changed/,
	'and says why';
kill CONT => $backup;
waitpid $backup, 0;
is $?, 0, 'the backup ends well';
is join(',', sort map { $_->{name} } @{ $galley->must(qw(workspace list)) }), 'After,Before,Meanwhile',
	'nothing was changed';
$galley->must(qw(restore --yes), "$folder/first.tar");
is join(',', map { $_->{name} } @{ $galley->must(qw(workspace list)) }), 'Before',
	'behind the backup the same restore succeeds';
done_testing;
