# Writes tests/bench/baseline: `make bench-baseline`, after a change that was
# meant to cost or to save instructions. The commit says why.
use strict;
use warnings;
use lib 'tests/lib';
use Galley::Instructions;

die "the baseline is counted in programs linked by LINK=musl\n"
	if !Galley::Instructions::is_musl();
my $counting = Galley::Instructions->new;
my $text = <<'END';
# Instructions of one request, LINK=musl (see tests/lib/Galley/Instructions.pm).
# tests/api/requests-cost-no-more-instructions.t compares; `make bench-baseline`
# writes this file.
END
for my $name ($counting->names) {
	my $count = $counting->count($name);
	$text .= "$count $name\n";
	print "$count $name\n";
}
Galley::spew('tests/bench/baseline', $text);
