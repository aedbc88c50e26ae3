# A process pays for each page that it touches, and a kept answer costs little else
# (docs/speed.md §6). Bounds the pages that a program of LINK=musl touches in every request, as
# far as the program's file shows them.
use strict;
use warnings;
use lib 'tests/lib';
use Galley;
use Galley::Process qw(readelf run_program);
use Test::More;

my $build = Galley::build();
plan skip_all => 'LINK=musl lays them so'
	if Galley::slurp("$build/link") !~ /musl|release/;

use constant PAGE => 4096;

# Two pages of addresses that are not written after the start, two of SQLite, one of the C
# library and of small variables.
use constant PAGES_OF_ADDRESSES => 5;

# The functions that a kept answer runs.
my @common = qw(_init main _start __init_libc static_init_tls serve_main serve_life cache_find
	apikey_check limit_take generation_read log_text blake2b_final memcpy __set_thread_area);
use constant COMMON_CODE => 112 * 1024;

# Of the API's programs: cgi-bin/pages.c is none.
for my $program (map { m{([\w-]+)\.c$} ? "$build/cgi-bin/$1" : () }
	grep { Galley::slurp($_) =~ /\bserve_main\(/ } glob "cgi-bin/*.c") {
	my ($name) = $program =~ m{([^/]+)$};

	my $addresses = readelf('--relocs', $program);
	my %pages = map { int(hex($_) / PAGE) => 1 }
		$addresses =~ /^(\w+)\s+\w+\s+R_X86_64_RELATIVE/mg;
	cmp_ok(scalar keys %pages, '<=', PAGES_OF_ADDRESSES,
		"$name: the pages with addresses to be set at its start");

	my %at = reverse run_program(['nm', $program], env => { %ENV })->{out}
		=~ /^(\w+) [Tt] (\w+)$/mg;
	my @found = sort map { $at{$_} // fail("$name has no $_") } @common;
	cmp_ok(hex($found[-1]) - hex($found[0]), '<', COMMON_CODE,
		"$name: what a kept answer runs lies together");
}
done_testing();
