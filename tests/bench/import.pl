# Measures how long it takes to import, render and publish many articles, to change a setting
# that all of them show, and to render them again:
#
#	make bench-import
#	perl tests/bench/import.pl [COUNT]     10000 articles of 8 KB each
#
# GALLEY_BUILD names the build. Every batch is on the disk when it is counted.
use strict;
use warnings;
use lib 'tests/lib';
use Galley;
use Galley::Process qw(run_program);
use Galley::Text qw(article_text);
use Time::HiRes qw(time);

my $count = shift // 10_000;
my $galley = Galley->new;
my $workspace = $galley->workspace(website => 'https://www.example.com',
	address_pattern => '/blog/{slug}', publisher_name => 'Example');
my $folder = $galley->scratch . '/site';
mkdir $folder;
Galley::spew("$folder/article-$_.md", article_text($_, 8000)) for 1 .. $count;

sub timed {
	my ($what, $pieces, @words) = @_;
	my @before = times;
	my $from = time;
	my $done = $galley->command({ seconds => 7200 }, @words);
	my $took = time - $from;
	my @after = times;
	die "galley @words: $done->{err}" if $done->{exit};
	printf "%-34s %7.2f s, %.2f s of processor time%s\n", $what, $took,
		$after[2] + $after[3] - $before[2] - $before[3],
		$pieces ? sprintf(', %.0f a second', $pieces / $took) : '';
	return $done->{json};
}

timed("import and publish $count", $count, qw(article import --publish
	--workspace), $workspace, $folder);
timed('the same again', $count, qw(article import --publish --workspace),
	$workspace, $folder);
timed('a settings change', 0, qw(workspace set), $workspace, 'author_name=Jane');
timed('render all again', $count, qw(export refresh));
printf "%.1f KB of disk each\n", (-s $galley->home . '/db/galley.db')
	/ $count / 1024;
