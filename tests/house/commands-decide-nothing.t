#!/usr/bin/perl
# What a command decides is an action or a work (HACKING.md, "The floors"): no file of
# lib/command/ begins or ends a transaction or asks the store. Files that still do are
# listed in tests/house/commands-later; the list only shrinks.
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

my %decides;
find({ no_chdir => 1, wanted => sub {
	/\.[ch]$/ or return;
	my $code = slurp($_) =~ s{/\*.*?\*/}{}gsr;
	$decides{$_} = $1 if $code =~ /\b(db_(?:begin|commit|rollback|prepare)\w*)\(/;
} }, 'lib/command');

my %later = map { ($_ => 1) } grep { /\S/ && !/^#/ } split /\n/, slurp('tests/house/commands-later');
is_deeply [map { "$_ calls $decides{$_}()" } grep { !$later{$_} } sort keys %decides], [],
	'no command begins a transaction or asks the store';
is_deeply [grep { !$decides{$_} } sort keys %later], [], 'and no exception is listed that is not needed';
done_testing;
