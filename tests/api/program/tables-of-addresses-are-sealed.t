# What a program writes into its tables of addresses when it starts it cannot write
# any more when it answers: the C library sees to that, or the program does
# (system/harden.c).
use strict;
use warnings;
use lib 'tests/lib';
use Galley;
use Galley::Process qw(readelf);
use Test::More;

plan skip_all => 'a watched program is another'
	if Galley::is_watched();

my $galley = Galley->new;

# Where the tables lie from the program's beginning on: whole pages of them.
sub tables {
	my ($program) = @_;
	my ($at, $size) = readelf('--segments', $program) =~ /^\s+GNU_RELRO\s+0x\w+ 0x(\w+) 0x\w+ 0x\w+ 0x(\w+)/m;
	return (hex($at) & ~4095, hex($at) + hex($size) & ~4095);
}

# {from, to, rights} of all that lies in a process's memory from its program's file;
# of a process that must not be looked into only root sees it.
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
