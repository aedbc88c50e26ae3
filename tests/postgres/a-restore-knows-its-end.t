#!/usr/bin/perl
# Proves, for the build STORE=pg, that a restore whose COMMIT has an unknown outcome, or whose standby
# may lack it, is not told as done, and that the next command finds out what became of it: rows and
# pepper are those of the backup, or those of before (docs/postgres.md §7, §8). And that one that meets a
# backup which takes long ends with a sentence that says so, changes nothing, and lets writers write.
#
# make check-postgres runs it; the suite for SQLite leaves it out.
use strict;
use warnings;
use lib 'tests/lib';

use Galley;
use Galley::Process qw(become);
use Galley::PostgresProxy;
use Galley::Request qw(request_env split_answer);
use POSIX qw(WUNTRACED);
use Test::More;

plan skip_all => 'for the build STORE=pg: make check-postgres' if !$ENV{GALLEY_CLUSTER};

my ($server) = $ENV{GALLEY_CLUSTER} =~ /host=(\S+)/;
my $other = Galley->new;
my $restored = $other->key($other->workspace(name => 'Other'));
my $commit = '^> Query COMMIT';
my $warning = Galley::PostgresProxy::Message::warning('01000', 'canceling wait for synchronous replication');

for my $end (
	['the connection is lost before', 'Mine', like => $commit, do => 'cut'],
	['the connection is lost when it was sent', 'Other', like => $commit, do => 'cut-after'],
	['a standby may lack it', 'Other', like => '^< CommandComplete COMMIT', do => 'before', bytes => $warning],
) {
	my ($name, $becomes, %rule) = @$end;
	my $galley = Galley->new;
	my $key = $galley->key($galley->workspace(name => 'Mine'));
	my $archive = $galley->folder_of_owner('archives') . '/other.tar';
	$other->must('backup', $archive);
	my $proxy = Galley::PostgresProxy->new("$server/.s.PGSQL.5432");
	$galley->database_at($proxy->address);
	$proxy->arm(%rule, after => '^> Query UPDATE content.store SET pepper_check');
	my $done = $galley->command(qw(restore --yes), $archive);
	ok $proxy->seen->{done}, $name;
	$proxy->arm;
	is $done->{exit}, 1, '  the restore does not say that it is done';
	unlike $done->{err}, qr/nothing was changed/, '  and not that it is not';
	is join(',', map { $_->{name} } @{ $galley->must(qw(workspace list)) }), $becomes,
		"  the next command finds what there is: $becomes";
	my ($program, $env) = request_env('GET', '/articles', key => $becomes eq 'Mine' ? $key : $restored);
	is split_answer($galley->persistent($program, $env))->{status}, 200, '  and the key of it is good';
	is $galley->command('verify')->{exit}, 0, '  galley verify finds nothing';
}

# ---- a backup that takes long: it stops in the middle

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
