# Proves that every program is compiled and linked with the hardening of docs/platform.md §7, by
# reading the programs themselves: with readelf, and with the compiler's note in them.
# suite: own-build
use strict;
use warnings;
use lib 'tests/lib';
use Galley;
use Galley::Process qw(readelf);
use Test::More;

my $flags = Galley::build() . '/flags';
plan skip_all => 'built to find faults or to count'
	if -e $flags && Galley::slurp($flags) =~ /-fsanitize|-fprofile|-fcoverage/;

# gcc 12 and later can initialize variables with zero.
my @flags = qw(-fstack-protector-strong -fstack-clash-protection
	-fno-delete-null-pointer-checks -fno-strict-overflow -fno-strict-aliasing
	-fPIE);
my ($version) = `gcc -dumpversion` =~ /^(\d+)/;
push @flags, '-ftrivial-auto-var-init=zero' if $version >= 12;

# Returns the flags that our files of a program were compiled with. The compiler writes them into
# its notes for debuggers. Files of a library name another standard of C.
sub compiled_with {
	my ($program) = @_;
	return grep { / -std=c11 / }
		Galley::slurp($program) =~ /(GNU C\d+ \d[^\0]*)/g;
}

sub is_linked_hard {
	my ($name, $program) = @_;
	my $parts = readelf('--segments', $program);
	my $table = readelf('--dynamic', $program);
	my %segment;
	push @{ $segment{$1} }, { offset => hex $2, rights => $3 } while $parts
		=~ /^\s+(\w+)\s+0x(\w+)(?:\s+0x\w+){4}\s+(R?[ ]?W?[ ]?E?)\s+0x/mg;
	my @code = grep { $_->{rights} =~ /E/ } @{ $segment{LOAD} };
	like($parts, qr/file type is DYN/, "$name lies where chance puts it");
	like($table, qr/\bNOW\b/, "$name finds all functions at its start");
	is(scalar @{ $segment{GNU_RELRO} // [] }, 1,
		"$name writes its tables of addresses no more after that");
	unlike($segment{GNU_STACK}[0]{rights} // 'E', qr/E/,
		"$name runs nothing on its stack");
	is(scalar(grep { $_->{rights} =~ /W.*E/ } map { @$_ } values %segment), 0,
		"$name writes no code");
	ok(@code == 1 && $code[0]{offset} > 0,
		"$name runs nothing but code: headers and constants lie apart");
}

# The last of several flags of one kind counts.
sub is_compiled_hard {
	my ($name, $program, $has_mark) = @_;
	my @ways = compiled_with($program);
	cmp_ok(scalar @ways, '>', 0, "$name tells how it was compiled");
	for my $way (@ways) {
		my @missing = grep { index("$way ", " $_ ") < 0 } @flags;
		is("@missing", '', "$name was compiled with all that hardens it");
		my ($mark) = $way =~ /.* -fcf-protection=(\w+)/;
		is($mark, $has_mark ? 'full' : 'none', "$name: CET where it can be on");
	}
}

for my $kind (undef, 'test') {
	my $build = Galley::build($kind);
	next if !-e "$build/libgalley.a";
	my $link = -e "$build/link" ? Galley::slurp("$build/link") : '';
	for my $program (grep { !/\.[od]$/ } glob "$build/cgi-bin/* $build/bin/*") {
		my ($folder, $name) = $program =~ m{([^/]+)/([^/]+)$};
		$name = "test/$name" if $kind;
		is_linked_hard($name, $program);
		is_compiled_hard($name, $program,
			$folder eq 'bin' || $name =~ /console$/ || $link !~ /musl/);
	}
	like(readelf('--dyn-syms', "$build/bin/galley"), qr/__snprintf_chk\b/,
		'lengths are checked where the compiler knows them');
	my $notes = readelf('--notes', "$build/libgalley.a");
	my $files = () = $notes =~ /^File: /mg;
	my $marked = () = $notes =~ /x86 feature: IBT, SHSTK/g;
	is($marked, $files, 'every file is marked for CET');
}
done_testing();
