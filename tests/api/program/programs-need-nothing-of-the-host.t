# Proves that the programs that answer requests run on any Linux: they need no dynamic loader (a
# segment of type PT_INTERP), and are loaded at another address each time (their file is of type
# ET_DYN).
# suite: own-build
use strict;
use warnings;
use lib 'tests/lib';
use Galley;
use Test::More;

my $link = Galley::build() . '/link';
plan skip_all => 'built to be dynamic'
	if -e $link && Galley::slurp($link) =~ /dynamic/;
my $loader = 3;   # PT_INTERP
my $moving = 3;   # ET_DYN
# Those of the API, pages and the collector. The console's is dynamic but in a release; that of
# pictures is one of PostgreSQL's build, whose programs are dynamic.
for my $program (map { Galley::build() . "/cgi-bin/$_" } grep { $_ ne 'picture' }
		map { m{(\w[\w-]*)\.c$} } glob Galley::top() . '/cgi-bin/*.c') {
	my ($name) = $program =~ m{([^/]+)$};
	my $file = Galley::slurp($program);
	my ($type) = unpack 'x16 S<', $file;
	my ($at) = unpack 'x32 Q<', $file;
	my ($size, $count) = unpack 'x54 S< S<', $file;
	my @types = map { unpack 'L<', substr $file, $at + $_ * $size, 4 }
		0 .. $count - 1;
	is scalar(grep { $_ == $loader } @types), 0, "$name asks for no loader";
	is $type, $moving, 'and is position-independent';
}
done_testing();
