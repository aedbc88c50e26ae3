# Proves that a program's tables of addresses, which it writes when it starts, cannot be written
# any more when it answers: the C library or the program itself seals them (system/harden.c).
use strict;
use warnings;
use lib 'tests/lib';
use Galley;
use Galley::Process qw(readelf);
use Test::More;

plan skip_all => 'a watched program is another'
	if Galley::is_watched();

my $galley = Galley->new;

# Returns where the tables are, counted from the program's beginning: whole pages only.
sub tables {
	my ($program) = @_;
	my ($at, $size) = readelf('--segments', $program) =~ /^\s+GNU_RELRO\s+0x\w+ 0x(\w+) 0x\w+ 0x\w+ 0x(\w+)/m;
	return (hex($at) & ~4095, hex($at) + hex($size) & ~4095);
}

# Returns {from, to, rights} of each part of the program's file in a process's memory. Only root
# may see the memory of a process that is closed to debuggers.
sub memory {
	my ($pid, $program) = @_;
	no warnings 'portable';
	open my $file, '<', "/proc/$pid/maps" or return;
	return map { m{^(\w+)-(\w+) (\S+) .* \Q$program\E$}
		? { from => hex $1, to => hex $2, rights => $3 } : () } <$file>;
}

for my $name (qw(articles generate)) {
	my $program = $galley->programs . "/cgi-bin/$name";
	my (undef, $env) = Galley::Request::request_env('OPTIONS', "/$name");
	$galley->persistent($name, $env, '');
	my @memory = memory($galley->{fcgi}{$name}{pid}, $program);
	plan skip_all => 'only root may look' if !@memory;
	my ($from, $to) = map { $_ + $memory[0]{from} } tables($program);
	my @there = grep { $_->{from} < $to && $_->{to} > $from } @memory;
	cmp_ok($to, '>', $from, "$name has such tables");
	is(join(' ', map { $_->{rights} } @there), 'r--p', "$name: they are read only");
}
done_testing;
