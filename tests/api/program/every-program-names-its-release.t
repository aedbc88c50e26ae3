# Proves that every program of a build carries the id of its sources, the one that galley
# --version prints: an upgrade in the browser compares them (docs/console.md §2.7).
# suite: fast
use strict;
use warnings;

use lib 'tests/lib';
use Galley;
use Galley::Process qw(run_program);
use Test::More;

my $build = Galley::build();
my ($id) = run_program(["$build/bin/galley", '--version'])->{out} =~ /^build +([0-9a-f]{32})$/m;
ok $id, 'galley --version prints it' or BAIL_OUT('no id');
my @programs = grep { -f && -x && !/\.(?:o|d)$/ } glob "$build/bin/* $build/cgi-bin/*";
cmp_ok scalar(@programs), '>', 10, 'there are programs';
for my $program (@programs) {
	my ($found) = Galley::slurp($program) =~ /\x07\0{3}\x20\0{3}\x01\0{3}Galley\0\0([0-9a-f]{32})/;
	is $found, $id, substr $program, length "$build/";
}
done_testing;
