# What fuzzing found once, and what it begins with, is read again by each target
# (tests/fuzz/fuzz.h): no crash, and what a target promises holds.
use strict;
use warnings;
use lib 'tests/lib';
use Galley;
use Galley::Process qw(run_program);
use Test::More;

my @targets = map { m{([^/]+)\.c$} } grep { !m{/fuzz\.c$} } glob 'tests/fuzz/*.c';
cmp_ok(scalar @targets, '>=', 18, 'every reader of bytes has its target');
for my $target (@targets) {
	my $corpus = "tests/fuzz/corpus/$target";
	my $files = () = glob "$corpus/*";
	my $done = run_program([Galley::build() . "/tests/fuzz/$target", $corpus],
		seconds => 120);
	my $read = () = $done->{out} =~ /^ok /mg;
	is("$done->{exit} $read", "0 $files", "$target reads its $files inputs")
		or diag($done->{err});
	cmp_ok($files, '>', 0, 'it has some');
}
done_testing();
