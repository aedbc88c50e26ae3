# Proves that run_program() ends a program that hangs or computes for ever, and lets one work that is
# slow, by either way of starting it (tests/lib/Galley/Process.pm).
use strict;
use warnings;
use lib 'tests/lib';
use Galley::Process qw(run_program);
use Test::More;

sub runs {
	my ($seconds, @words) = @_;
	return eval { run_program(\@words, seconds => $seconds, env => { PATH => '/usr/bin:/bin' }) };
}
for my $alone (0, 1) {
	local $Galley::Process::alone = $alone;
	my $way = $alone ? 'by Perl' : 'by the starter';
	ok !runs(1, 'sleep', 60), "$way: what sleeps is ended";
	like $@, qr/^sleep did not end in 1 s/, '  and named';
	ok !runs(1, 'perl', '-e', '1 while 1'), "$way: what computes for ever, too";
	ok !runs(1, 'perl', '-e', '$| = 1; while (1) { print "."; select undef, undef, undef, 0.2 }'),
		"$way: what writes for ever, too";
	is runs(3, 'perl', '-e', '$| = 1; for (1 .. 25) { print "."; select undef, undef, undef, 0.2 }')->{out},
		'.' x 25, "$way: what writes is at work";
	is runs(3, 'perl', '-e', '1 while (times)[0] + (times)[1] < 4; print "done"')->{out}, 'done',
		"$way: what computes, too";
	is runs(3, 'false')->{exit}, 1, "$way: what ends by itself has its status";
}
done_testing;
