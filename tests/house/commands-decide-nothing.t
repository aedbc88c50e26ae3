#!/usr/bin/perl
# What a command decides is an action or a work (HACKING.md, "The floors"): no file of
# lib/command/ begins or ends a transaction or asks the store.
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

is_deeply [map { "$_ calls $decides{$_}()" } sort keys %decides], [],
	'no command begins a transaction or asks the store';
done_testing;
