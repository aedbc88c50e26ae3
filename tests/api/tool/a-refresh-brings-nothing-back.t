#!/usr/bin/perl
# Exports are rendered again outside the lock. Proves that an article which is deleted or
# published between the rendering and the storing stays as it is: the rendered export is
# discarded.
use strict;
use warnings;

use lib 'tests/lib';

use JobRun;
use POSIX qw(WIFSTOPPED WUNTRACED);
use Test::More;

my $jobs = JobRun->new;
my $galley = $jobs->galley;
my $workspace = $galley->workspace;
my $key = $galley->key($workspace);
my ($gone, $again, $same) = $galley->import_text($workspace,
	map { "# Article $_\n\nText.\n" } 1 .. 3);

sub html {
	my ($id) = @_;
	my $answer = $galley->get("/articles/$id", key => $key);
	return $answer->{status} == 200 ? $answer->{json}{data}[0]{html}
		: $answer->{status};
}

sub stored {
	my ($id) = @_;
	return $galley->sql('SELECT x.revision FROM export x JOIN article a ON a.id ='
		. " x.article_id WHERE a.uuid = '$id'")->[0]{revision};
}

$jobs->run;
$galley->must(qw(workspace set), $workspace, 'author_name=Ada');
my $before = stored($gone);
my $runner = $jobs->start(words => ['--once'],
	env => { GALLEY_FAULT => 'exports-rendered:1:stop' });
waitpid $runner, WUNTRACED;
ok WIFSTOPPED(${^CHILD_ERROR_NATIVE}), 'exports are rendered, and not stored yet';
$galley->must(qw(article delete), $gone);
$galley->must(qw(article set), $again, 'title=New');
$galley->must(qw(article publish --again), $again);
$galley->must(qw(workspace set), $workspace, 'author_name=Bob');
kill CONT => $runner;
waitpid $runner, 0;
is $?, 0, 'the runner ends well';
is html($gone), 404, 'what was deleted meanwhile stays so';
like html($again), qr/New.*Bob/s, 'what was published is shown';
like html($same), qr/Article 3.*Bob/s, 'and no page has the old name';
is $galley->command('verify')->{exit}, 0, 'the store is whole';
$jobs->run;
is stored($gone), $before, 'nothing is stored of what was deleted';
is $galley->must(qw(export refresh))->{renewed} // 0, 0,
	'a runner later all is renewed';
done_testing;
