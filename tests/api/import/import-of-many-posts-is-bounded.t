#!/usr/bin/perl
# Proves that an export of many posts is imported whole, in memory that does not grow with their
# number. POSTS=2000 is the long form.
use strict;
use warnings;

use lib 'tests/lib';

use Galley;
use Galley::Process qw(run_program);
use Galley::Wxr;
use Galley::JSON ();
use Test::More;

plan skip_all => 'a limit of memory leaves a sanitizer none'
	if Galley::is_watched();

my $posts = $ENV{POSTS} // 200;
my %kilobytes = (wordpress => 100_000, ghost => 300_000);
my $paragraph = '<p>' . join(' ', ('words about a garden') x 40) . "</p>\n";
my $body = join '', map { "<h2>Part $_</h2>\n" . $paragraph x 6 } 1 .. 6;

sub write_wordpress {
	my ($path) = @_;
	Galley::spew($path, wxr([map { { id => $_, content => $body } }
		1 .. $posts]));
}

sub write_ghost {
	my ($path) = @_;
	Galley::spew($path, Galley::JSON->new->utf8->encode({ db => [{ data => {
		posts => [map { { id => "p$_", title => "Post $_",
			slug => "post-$_", html => $body, status => 'published',
			visibility => 'public', type => 'post',
			published_at => '2024-05-05T10:00:00.000Z' } }
			1 .. $posts] } }] }));
}

for my $program (qw(wordpress ghost)) {
	my $galley = Galley->new;
	my $workspace = $galley->workspace;
	my $path = $galley->scratch . '/export';
	$program eq 'ghost' ? write_ghost($path) : write_wordpress($path);
	my @words = ("$galley->{programs}/bin/galley", qw(article import
		--publish --from), $program, '--workspace', $workspace, $path);
	my $done = run_program(['sh', '-c',
		"ulimit -v $kilobytes{$program}; exec \"\$@\"", 'sh', @words],
		seconds => 600);
	is "$done->{exit} $done->{signal}", '0 0', "$program: it ends well"
		or diag $done->{err};
	like $done->{out}, qr/^$posts created, 0 updated, 0 unchanged, 0 failed/,
		"$program: $posts posts in $kilobytes{$program} kB";
	is $galley->sql("SELECT count(*) AS n FROM article"
		. " WHERE status = 'published'")->[0]{n}, $posts,
		"$program: all are published";
	$done = run_program(\@words, seconds => 600);
	like $done->{out}, qr/^0 created, 0 updated, $posts unchanged/,
		"$program: and again, unchanged";
}
done_testing;
