#!/usr/bin/perl
# Proves that docs/add-an-endpoint.patch, which HACKING.md names, applies to a
# clean copy of the tree, builds and answers, and that a place which is left out is named.
# suite: own-build
use strict;
use warnings;

use lib 'tests/lib';

use File::Temp ();
use Galley;
use Galley::Process qw(run_program);
use Test::More;

plan skip_all => 'there is no patch on this machine' if !-x '/usr/bin/patch';
my $folder = File::Temp->newdir('galley-XXXXXX', TMPDIR => 1);
chmod 0755, "$folder";
my $clone = "$folder/galley";

# Runs a command in the copy, without the MAKEFLAGS of the run that this test is part of.
sub run {
	my (@words) = @_;
	my %env = (%ENV, GALLEY_BUILD => 'build');
	delete @env{qw(MAKEFLAGS MAKELEVEL MAKEOVERRIDES GALLEY_KEPT GALLEY_FCGI)};
	return run_program(['sh', '-c', 'cd "$0" && exec "$@"', $clone, @words],
		env => \%env, seconds => 300);
}

sub shell {
	my ($line) = @_;
	my $done = run_program(['sh', '-c', $line]);
	die "$line: $done->{err}" if $done->{exit} != 0;
}

# Copies the sources and the objects with their times, so that only new files are compiled. The
# archive is left out: it may be of another way of linking. `flags` says how objects are compiled:
# without it, all would be compiled again.
my ($top, $build) = (Galley::top(), Galley::build());
mkdir $clone;
shell("cd '$top' && tar -c --exclude=./build --exclude=./demo --exclude=./.git"
	. " --exclude=./tests/node_modules . | tar -x -C '$clone'");
mkdir "$clone/build";
shell("cd '$build' && cp -a flags lib gen bin cgi-bin htdocs apache-conf nginx '$clone/build'");

my $patch = Galley::slurp("$clone/docs/add-an-endpoint.patch");
my $done = run(qw(patch -p1 -i docs/add-an-endpoint.patch));
is $done->{exit}, 0, 'the patch applies' or BAIL_OUT($done->{out});
my @opened = $patch =~ m{^\+\+\+ b/(\S+)$}mg;
cmp_ok scalar @opened, '<=', 6, 'it opens at most six files';
my ($name) = $patch =~ m{^\+\+\+ b/cgi-bin/(\w+)\.c$}m;
$done = run(qw(make LINK=dynamic BUILD=build), "build/cgi-bin/$name",
	'build/nginx/galley.conf', map { "build/apache-conf/$_" } qw(galley.conf galley-proxy-fcgi.conf htaccess));
is $done->{exit}, 0, 'the program is built' or diag $done->{err};
unlike $done->{err}, qr/warning/, 'without warnings';

my ($own) = $patch =~ m{^\+\+\+ b/(tests/api/.*\.t)$}m;
my $places = 'tests/api/program/each-endpoint-has-its-places.t';
for my $test ($own, 'tests/http/answers-arrive-unchanged.t', $places) {
	$done = run('prove', $test);
	is $done->{exit}, 0, $test or diag $done->{out}, $done->{err};
}

# Each file that the patch changes is one of the places of an endpoint.
for my $file (@opened) {
	next if $file =~ m{^cgi-bin/};
	my $text = Galley::slurp("$clone/$file");
	Galley::spew("$clone/$file", -e "$top/$file" ? Galley::slurp("$top/$file") : '');
	$done = run('prove', $places);
	my $where = $file =~ m{^(tests/(?:api|http))/} ? "a script of $1" : $file;
	like $done->{err}, qr/Failed test '\Q$where\E .*\b$name\b/,
		"without its part in $file that place is named";
	Galley::spew("$clone/$file", $text);
}
done_testing;
