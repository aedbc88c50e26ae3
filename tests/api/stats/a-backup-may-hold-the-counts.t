#!/usr/bin/perl
# `galley backup --with-stats` (docs/pages.md §9): the counts of readers are in it, their visitors are
# not, and a restore keeps the present counts.
use strict;
use warnings;

use Test::More;

use lib 'tests/lib';
use Galley;
use Galley::Hits;
use Galley::JSON ();
use Galley::Process qw(run_program);

my $galley = Galley->new(build => 'test');
my $hits = Galley::Hits->new($galley);
my $shop = $galley->workspace(name => 'Shop', analytics_enabled => 'true',
	analytics_origins => 'https://shop.example');
my ($article) = $galley->import_text($shop, "# One\n\nText.\n");
my $folder = $galley->folder_of_owner('kept');
$hits->write({ workspace => $shop, article => $article, path => '/a', visitor => 'VISITOR1' },
	{ workspace => $shop, path => '/a', visitor => 'VISITOR2' });
$hits->count;
$galley->get('/articles', key => $galley->key($shop));
$hits->runner({ GALLEY_CLOCK => 100 }); # the log is counted, too

sub names { my ($file) = @_; return [sort grep { !/^(?:media|people)/ } split /\n/, `tar -tf $file`] }
$galley->must('backup', "$folder/plain.tar");
is_deeply(names("$folder/plain.tar"), [qw(galley.conf galley.db pepper)], 'a backup has no counts');
my $said = run_program([$galley->programs . '/bin/galley', 'backup', '--with-stats', "$folder/counts.tar"]);
like($said->{out}, qr/the counts of readers/, 'but one that was asked to');
is_deeply(names("$folder/counts.tar"), [qw(galley.conf galley.db pepper stats/stats.db)], '    has them');
system('tar', '-xf', "$folder/counts.tar", '-C', $folder, 'stats/stats.db');
my $copy = run_program(['sqlite3', '-json', "$folder/stats/stats.db", 'SELECT (SELECT sum(count) FROM view'
	. ' WHERE kind = 1) AS views, (SELECT count(*) FROM viewed_article) AS articles,'
	. ' (SELECT count(*) FROM seen) AS seen, (SELECT count(*) FROM reader) + (SELECT count(*)'
	. ' FROM log_file) AS logs'])->{out};
is_deeply(Galley::JSON->new->decode($copy), [{ views => 2, articles => 1, seen => 0, logs => 0 }],
	'    without visitors, and without who reads the API');
my $visitor = unpack 'H*', 'VISITOR1';
is($hits->sql("SELECT count(*) AS n FROM seen WHERE hash = '$visitor'")->[0]{n}, 1, '    whose hash is here');
unlike(Galley::slurp("$folder/stats/stats.db"), qr/$visitor/, '    and in no byte there');
is($galley->command('restore', '--check', "$folder/counts.tar")->{exit}, 0, 'it is a good backup');

$hits->write({ workspace => $shop, path => '/b' });
$hits->count;
my $sites = $galley->home . '/run/sites/list';
unlink $sites; # as on a new machine
$galley->must('restore', "$folder/counts.tar", '--yes');
$hits->runner;
like(Galley::slurp($sites), qr/^[0-9a-f]{36} $shop .*https:\/\/shop\.example$/m,
	'the collector knows the sites of the backup with the next run of the task runner');
is($hits->sum('views', $shop), 3, 'a restore keeps the present counts');
is_deeply($hits->labels('path', $shop), { '/a' => 2, '/b' => 1 }, '    all of them');
$hits->write({ workspace => $shop, path => '/c' });
$hits->count;
is($hits->sum('views', $shop), 4, '    and counting goes on');

if ($galley->{database}) {
	$galley->psql('DROP SCHEMA stats CASCADE', 'stats');
} else {
	unlink glob $galley->home . '/stats/*';
}
is($galley->command('backup', '--with-stats', "$folder/none.tar")->{exit}, 0, 'where nothing is counted');
is_deeply(names("$folder/none.tar"), [qw(galley.conf galley.db pepper)], '    nothing is added');

done_testing();
