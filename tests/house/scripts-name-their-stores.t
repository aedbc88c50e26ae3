#!/usr/bin/perl
# Each script is run with both stores (tests/postgres/scripts), or tests/postgres/others says why not
# (docs/postgres.md): a script that nobody thought of is a rule that only one store keeps.
# suite: fast
use strict;
use warnings;

use File::Find qw(find);
use Test::More;

sub lines {
	my ($path) = @_;
	open my $file, '<', $path or die "$path: $!";
	return grep { /\S/ && !/^#/ } map { chomp; $_ } <$file>;
}

my %listed;
$listed{$_}++ for lines('tests/postgres/scripts');
my (%reason, @without);
for my $line (lines('tests/postgres/others')) {
	my ($name, $why) = split ' ', $line, 2;
	$listed{$name}++;
	$reason{$name} = $why;
	push @without, $name if ($why // '') !~ /\S{2,} \S+/;
}
my @scripts;
find({ no_chdir => 1, wanted => sub {
	push @scripts, $_ if /\.t\z/ && !m{^tests/(?:house|unit|postgres|node_modules)/};
} }, 'tests');
cmp_ok scalar @scripts, '>', 250, @scripts . ' scripts';

# A line of tests/postgres/others may name a folder.
sub is_known {
	my ($path) = @_;
	return 1 if $listed{$path};
	return scalar grep { m{/\z} && index($path, $_) == 0 } keys %reason;
}
is_deeply [grep { !is_known($_) } sort @scripts], [],
	'each is in tests/postgres/scripts, or in tests/postgres/others with its reason';
is_deeply [grep { !-e } sort keys %listed], [], 'and each that is named is there';
is_deeply [grep { $listed{$_} > 1 } sort keys %listed], [], 'once';
is_deeply \@without, [], 'each reason is one';
done_testing;
