# Each fuzz target reads its inputs again: the first inputs, and those that once found a fault
# (tests/fuzz/fuzz.h). Proves that none crashes it and that the target's promise holds.
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
