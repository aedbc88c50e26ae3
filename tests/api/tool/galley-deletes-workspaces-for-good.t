#!/usr/bin/perl
# Proves that a deleted workspace is closed at once and leaves only the account's ledger: no
# article, no picture of its own, no working key, no reserved credit. Other workspaces do not
# change. A killed command can be repeated.
use strict;
use warnings;

use lib 'tests/lib';

use File::Basename qw(basename);
use Galley;
use Galley::Process qw(run_program);
use JobRun;
use Terminal qw(on_terminal);
use Test::More;

my $jobs = JobRun->new(provider => 'fake', credits => 100);
my $galley = $jobs->galley;
my $tool = $galley->home . '/bin/galley';
my $gone = $jobs->workspace;
my $name = $galley->must(qw(workspace show), $gone)->{name};
$galley->must(qw(workspace set), $gone, 'website=https://gone.example');
my $stays = $galley->workspace(account => $jobs->account);
my $other_key = $galley->key($stays);

# Articles in all states, more than are destroyed in one transaction; one picture of only this
# workspace, and one that another workspace has, too.
my @ids = $galley->import_text($gone, map { "# Article $_\n\nText.\n" } 1 .. 60);
my ($other) = $galley->import_text($stays, "# Other\n\nText.\n");
my %picture = map { $_ => $galley->reachable("tests/fixtures/pictures/bands.$_") }
	qw(png jpg);
$galley->must(qw(article set), $ids[0], "image=$picture{png}", 'image_alt=Own');
$galley->must(qw(article set), $_, "image=$picture{jpg}", 'image_alt=Shared')
	for $ids[1], $other;
$galley->must(qw(article publish), @ids[0, 1], $other);
$galley->must(qw(article unpublish), $ids[2]);
$galley->must(qw(article delete), $ids[3]);
sub pictures { return map { /-160-1/ ? () : /(\w+)$/ } glob $galley->home . '/htdocs/media/*.*' }
is join(' ', sort(pictures())), 'jpg png', 'two pictures';

# Jobs: one ended, one under way, one waiting.
my $ended = $jobs->ordered('one', topic => 'An article');
$jobs->run;
is $jobs->job($ended)->{status}, 'completed', 'a job has ended';
my $running = $jobs->ordered('two', topic => 'An article');
$jobs->run(env => { GALLEY_FAULT => 'runner-claimed:1:kill' });
is $jobs->job($running)->{status}, 'running', 'one is under way';
my $waiting = $jobs->ordered('three', topic => 'An article');
my $charged = $galley->must(qw(credits show), $jobs->account)->{spent};

sub status { return $galley->get($_[0], key => $_[1] // $jobs->key)->{status} }
my @targets = ('/connection', '/articles', "/articles/$ids[0]", '/sync',
	"/jobs/$ended");
is status($_), 200, "GET $_" for (@targets) x 2;
my $before = $galley->get("/articles/$other", key => $other_key)->{body};
my $backup = $galley->home . '/db/backup.tar';
$galley->must('backup', $backup);

# ---- refused without its name

my $rows = sub { $galley->sql('SELECT count(*) AS n FROM article')->[0]{n} };
my $articles = $rows->();
for my $case (
	[[], 2, qr/say --confirm with the workspace's name/],
	[['--confirm', 'Another'], 1, qr/not the name of the workspace, \Q$name/],
) {
	my ($words, $exit, $sentence) = @$case;
	my $done = $galley->command(qw(workspace delete), $gone, @$words);
	is $done->{exit}, $exit, "@$words: exit $exit";
	like $done->{err}, $sentence, 'the sentence';
}
my $done = on_terminal({ type => "no\n", after => qr/Type its name/ }, $tool,
	qw(workspace delete), $gone);
is $done->{exit}, 1, 'another word at the terminal';
like $done->{screen}, qr/and its \d+ articles will be destroyed/,
	'which says what is at stake';
is $rows->(), $articles, 'nothing was destroyed';
is status('/connection'), 200, 'nothing was refused';

# ---- killed

$done = $galley->command({ env => { GALLEY_FAULT => 'workspace-slice:1:kill' } },
	qw(workspace delete), $gone, '--confirm', $name);
is $done->{signal}, 9, 'killed after the first articles';
is status($_), 401, "GET $_ is refused already" for @targets;
cmp_ok $rows->(), '<', $articles, 'articles are gone';
cmp_ok $rows->(), '>', 1, 'others not yet';
is $galley->must(qw(workspace show), $gone)->{name}, $name, 'it is still there';

# ---- done, at the terminal

$done = on_terminal({ type => "$name\n", after => qr/Type its name/ }, $tool,
	qw(workspace delete), $gone);
is $done->{exit}, 0, 'said again, its name typed' or diag $done->{screen};
like $done->{screen}, qr/\rDestroying  \[/, 'it shows how far it is';
like $done->{out}, qr/^Workspace \Q$name\E is deleted: \d+ articles and 1 picture are/,
	'and says what is gone';
is status($_), 401, "GET $_ is refused" for @targets;
is $galley->command(qw(workspace show), $_)->{exit}, 1, "$_ is not there"
	for $gone, $name;
is join(' ', map { $_->{id} } @{ $galley->must(qw(workspace list)) }), $stays,
	'nor in the list';
is_deeply $galley->sql('SELECT uuid FROM article'), [{ uuid => $other }],
	'no article is left of it';
is $galley->sql("SELECT count(*) AS n FROM $_ WHERE article_id
	NOT IN (SELECT id FROM article)")->[0]{n}, 0, "nor in $_"
	for qw(edition export article_name origin);
is join(' ', pictures()), 'jpg', 'its own picture is gone';
is_deeply [glob $galley->home . '/run/kept/1/*'], [], 'no kept answer is left';
is $galley->sql("SELECT website FROM workspace WHERE uuid = '$gone'")->[0]{website},
	undef, 'nor a setting';

# ---- the ledger

is_deeply $galley->must(qw(credits show), $jobs->account), { granted => 100,
	available => 100 - $charged, reserved => 0, spent => $charged },
	'what was held is available again';
is $galley->must(qw(job show), $_)->{error}, 'The workspace was deleted.',
	'an open job was cancelled' for $running, $waiting;
is $galley->must(qw(job show), $ended)->{status}, 'completed',
	'one that had ended stays';
$done = $galley->command('verify');
is $done->{exit}, 0, 'the store is sound' or diag $done->{out};
$jobs->run;
is $galley->sql('SELECT count(*) AS n FROM article')->[0]{n}, 1,
	'the job runner brings nothing back';

# ---- other workspaces

ok $galley->get("/articles/$other", key => $other_key)->{body} eq $before,
	'another workspace is as it was';
my $new = $galley->must(qw(workspace create), $name, '--account', $jobs->account,
	'--language', 'en')->{id};
is $galley->must(qw(workspace show), $name)->{id}, $new, 'its name is free';
$done = $galley->must(qw(workspace delete), $new, '--confirm', $name);
is_deeply $done, { id => $new, articles => 0, pictures => 0, keys => 0,
	jobs => [], credits => 0 }, 'an empty one, as JSON';

# ---- a backup has it, but its keys stay refused

$galley->must('restore', $backup);
is $galley->must(qw(workspace show), $gone)->{website}, 'https://gone.example',
	'a backup brings it back';
is status('/connection'), 401, 'its key stays refused';
is status('/connection', $other_key), 200, 'others work';

done_testing;
