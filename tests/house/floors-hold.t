#!/usr/bin/perl
# The floors of lib/ are those of HACKING.md's picture, bottom first: a file includes
# files of its own floor and of the floors below it. Files of one floor that include each
# other in a circle are listed in tests/house/circles, each circle with its reason.
use strict;
use warnings;

use File::Find qw(find);
use Test::More;

sub slurp {
	my ($path) = @_;
	open my $file, '<', $path or die "$path: $!";
	local $/;
	return scalar <$file>;
}

# ---- the picture

# A line of the picture is "   name name   what they are for"; the top floor comes first.
my ($picture) = slurp('HACKING.md') =~ /^## The floors\n.*?^```\n(.*?)^```$/ms
	or BAIL_OUT('HACKING.md has no picture of the floors');
my @rooms = $picture =~ /^ *([a-z]+(?: [a-z]+)*) {2,}\S/mg;
cmp_ok scalar @rooms, '<=', 20, 'the picture has at most 20 rooms';
my @floors = reverse map { split / / } @rooms;
my %height = map { ($floors[$_] => $_) } 0 .. $#floors;
is_deeply [sort map { s{^lib/|/$}{}gr } glob 'lib/*/'], [sort @floors],
	'each folder of lib/ is a floor of the picture, and each floor a folder';

# ---- who includes whom

# A unit is a .c with its .h: its path below lib/ without the ending.
my %includes;
find({ no_chdir => 1, wanted => sub {
	my ($unit) = m{^lib/(.*)\.[ch]$} or return;
	for my $included (slurp($_) =~ /^#include "([^"]+)\.h"/mg) {
		$includes{$unit}{$included} = 1
			if $included ne $unit && -e "lib/$included.h";
	}
} }, 'lib');

sub floor_of { return $_[0] =~ s{/.*}{}r }

my @upwards;
for my $unit (sort keys %includes) {
	for my $included (sort keys %{ $includes{$unit} }) {
		push @upwards, "$unit includes $included"
			if ($height{floor_of($included)} // 99) > ($height{floor_of($unit)} // -1);
	}
}
# What is still to be taken apart: the list only shrinks.
my %later = map { ($_ => 1) } grep { /\S/ && !/^#/ } split /\n/, slurp('tests/house/upwards');
is_deeply [grep { !$later{$_} } @upwards], [], 'no file includes a file of a floor above';
delete @later{@upwards};
is_deeply [sort keys %later], [], 'and no exception is listed that is not needed';

# ---- circles

# Tarjan's strongly connected components, those with more than one unit.
my (%index, %low, %on, @stack, @circles);
my $count = 0;

sub visit {
	my ($unit) = @_;
	no warnings 'recursion';
	$index{$unit} = $low{$unit} = $count++;
	push @stack, $unit;
	$on{$unit} = 1;
	for my $next (sort keys %{ $includes{$unit} // {} }) {
		if (!defined $index{$next}) {
			visit($next);
			$low{$unit} = $low{$next} if $low{$next} < $low{$unit};
		} elsif ($on{$next} && $index{$next} < $low{$unit}) {
			$low{$unit} = $index{$next};
		}
	}
	return if $low{$unit} != $index{$unit};
	my @circle;
	do {
		push @circle, pop @stack;
		delete $on{ $circle[-1] };
	} while ($circle[-1] ne $unit);
	push @circles, join ' ', sort @circle if @circle > 1;
}
defined $index{$_} or visit($_) for sort keys %includes;

# A paragraph of the list: the units, one a line, then the reason behind a colon.
my %reason;
for my $paragraph (grep { s{^\s+}{} || 1 } split /\n\n+/, slurp('tests/house/circles') =~ s/^#.*\n//mgr) {
	my ($units, $reason) = $paragraph =~ /^((?:[\w\/-]+\s+)+):\s+(\S.*)/s or next;
	$reason{ join ' ', sort split ' ', $units } = $reason;
}
is_deeply [sort @circles], [sort keys %reason],
	'each circle of files is listed with its reason, and each listed circle is there';
cmp_ok scalar @circles, '<=', 4, 'there are few of them';
done_testing;
