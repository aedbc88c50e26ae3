#!/usr/bin/perl
# A settings change writes one row, however many articles there are. Proves that galley export
# refresh then renders all stale exports in a process for each processor, that its processes end
# with it when it is killed anywhere, and that the next refresh goes on.
use strict;
use warnings;

use lib 'tests/lib';

use Galley;
use Galley::Text qw(article_text);
use POSIX ();
use Terminal qw(on_terminal);
use Test::More;

my $count = 180;
my $galley = Galley->new(build => 'test');
my $workspace = $galley->workspace(website => 'https://example.com',
	address_pattern => '/{slug}');
my $other = $galley->workspace;
my @ids = $galley->import_text($workspace, map { article_text($_, 500) }
	1 .. $count);
$galley->import_text($other, map { article_text($_, 500) } 1 .. 3);
my $key = $galley->key($workspace);

sub refresh {
	my (@words) = @_;
	return $galley->must(qw(export refresh), @words)->{renewed};
}

sub exports {
	return join '', map { "$_->{revision} $_->{body}\n" } @{ $galley->sql(
		'SELECT revision, body FROM export ORDER BY article_id') };
}

# ---- a settings change

my ($stats, $faults) = map { $galley->scratch . "/$_" } qw(stats faults);
for my $file ($stats, $faults) {
	Galley::spew($file, '');
	chmod 0666, $file;
}
my $before = exports();
my $articles = sub { return join ',', map { $_->{it} } @{ $galley->sql('SELECT hex(digest) || changed_at'
	. ' || updated_at AS it FROM article ORDER BY id') } };
my $rows = $articles->();
$galley->must({ env => { GALLEY_STATS => $stats, GALLEY_FAULT_LOG => $faults } },
	qw(workspace set), $workspace, 'author_name=Jane Doe');
is scalar(() = Galley::slurp($faults) =~ /^db-before-commit$/mg), 1,
	'a settings change is one transaction';
my $steps = 0;
$steps += (split / /)[2] for split /\n/, Galley::slurp($stats);
cmp_ok $steps, '<', 2000, "of a few steps ($steps)";
is $articles->(), $rows, 'it touches no article';
is exports(), $before, 'and no export';

# ---- the refresh

my @asked = @ids[0, 59, 60, 119, 120, 179];
my @answers = map { $galley->get("/articles/$_", key => $key)->{body} } @asked;
like $answers[0], qr/Jane Doe/, 'a reader sees it at once';
is refresh('--workspace', $other), 0, 'nothing is stale in the other workspace';
is refresh(), $count, 'a refresh renews all';
is refresh(), 0, 'once';
my $differ = grep { index($answers[$_], $galley->sql("SELECT body FROM export"
	. " WHERE article_id = (SELECT id FROM article"
	. " WHERE uuid = '$asked[$_]')")->[0]{body}) < 0 } 0 .. $#asked;
is $differ, 0, 'and stores what a reader was given';
is $galley->command('verify')->{exit}, 0, 'verify finds nothing';

# ---- what people and the log see of it

$galley->must(qw(workspace set), $workspace, 'author_name=Joan Doe');
my $done = on_terminal({}, $galley->programs . '/bin/galley',
	qw(export refresh));
like $done->{screen}, qr/\rRendering  \[#+ *\] +\d+ %  \d+ of @{[$count + 3]}/,
	'a terminal sees how far it is';
is $done->{out}, "$count stored exports were renewed.\n", 'and the result';
is $galley->command('export', 'refresh')->{err}, '', 'a pipe sees nothing';

# ---- killed

sub stale {
	my ($name) = @_;
	$galley->must(qw(workspace set), $workspace, "author_name=$name");
}

stale('John Doe');
$done = $galley->command({ env => { GALLEY_FAULT => 'export-stored:15:kill' } },
	qw(export refresh));
is "$done->{exit} $done->{signal}", '1 0', 'a process that was killed is told';
like $done->{err}, qr/ended early.*the same command again/s, 'with what to do';
my $rest = refresh();
cmp_ok $rest, '<=', $count, "the next one does the rest ($rest)";
is refresh(), 0, 'all of it';

# Returns its processes, as the kernel lists them.
sub processes {
	my $tool = $galley->programs . '/bin/galley';
	return grep { (readlink("/proc/$_/exe") // '') eq $tool }
		map { m{(\d+)$} } glob '/proc/[0-9]*';
}

sub wait_until {
	my ($what) = @_;
	for (1 .. 3000) {
		return 1 if $what->();
		select undef, undef, undef, 0.01;
	}
	return 0;
}

sub stopped {
	return grep { Galley::slurp("/proc/$_/stat") =~ /\) T / } processes();
}

stale('Jack Doe');
my $pid = fork // die "fork: $!";
if ($pid == 0) {
	$ENV{GALLEY_FAULT} = 'export-stored:1:stop';
	open STDOUT, '>', '/dev/null';
	exec $galley->programs . '/bin/galley', qw(export refresh)
		or POSIX::_exit(127);
}
chomp(my $processors = `nproc`);
my $workers = $processors > 3 ? 3 : $processors;
# One of them holds the write lock when it stops.
ok wait_until(sub { stopped() == 1 && processes() == $workers + 1 }),
	"one process for each of $processors processors";
kill KILL => $pid;
waitpid $pid, 0;
ok wait_until(sub { processes() == 0 }), 'they end with the first';
is refresh(), $count, 'a later refresh does it all';

done_testing;
