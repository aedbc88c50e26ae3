# Proves that a restore ends every job that was open when the backup was made, as failed and
# refunded: no client waits for it any more (docs/design.md §6).
# suite: valgrind
use strict;
use warnings;
use lib 'tests/lib';
use Test::More;
use Galley;
use JobRun;

my $jobs = JobRun->new(credits => 100);
my $galley = $jobs->galley;
my $done = $jobs->ordered('done', topic => 'Bees');
$jobs->run;
my $waits = $jobs->ordered('waits', topic => 'retry 9');
$jobs->run;
my $queued = $jobs->ordered('queued', topic => 'Wasps');
my $backup = $galley->home . '/db/backup.tar';
$galley->must('backup', $backup);
$jobs->due_now;
$jobs->provider('instant');
$jobs->run;
my $article = $jobs->job($queued)->{article_id};
ok $article, 'after the backup a job completes';

my $restored = $galley->must('restore', $backup);
is_deeply [sort @{ $restored->{jobs_failed} }], [sort $waits, $queued],
	'the restore lists the jobs that were open';
for my $id ($waits, $queued) {
	my $job = $jobs->job($id);
	is "$job->{status} $job->{error_code} $job->{cost}", 'failed cancelled 0',
		'each is failed';
	like $job->{error}, qr/restored from a backup/, 'and says why';
}
is $jobs->job($done)->{status}, 'completed', 'a job that had ended stays as it is';
is_deeply $jobs->balance,
	{ granted => 100, available => 93, reserved => 0, spent => 7 },
	'their credits are back';
is $galley->get("/articles/$article?drafts=true", key => $jobs->key)->{status},
	404, 'a job that came after the backup is gone';
is $jobs->run->{err}, '', 'the runner has nothing to do';
is $jobs->broken, '', 'verify finds nothing';
done_testing;
