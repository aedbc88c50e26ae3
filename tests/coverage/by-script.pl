#!/usr/bin/perl
# by-script.pl BUILD OUT [SCRIPT...] runs each script alone with the programs of `make coverage`, and
# writes into OUT which scripts execute a function: FILE FUNCTION SECONDS:SCRIPT..., those first that take
# the least time, eight at most. The mutants of a function are tried with these (tests/mutants/mutants.pl).
#
# Without SCRIPTs: all that need no more than a web server, Apache or a browser of this machine. A script
# that fails, or takes longer than a minute, is named and left out.
use strict;
use warnings;

use Time::HiRes qw(time);

$| = 1;
my ($build, $out, @scripts) = @ARGV;
die "by-script.pl BUILD OUT [SCRIPT...]\n" if !defined $out;
my $counters = 'build/coverage/counters';
my $empty = "$out.counters"; # the counters as they are before a script
my $most = 8;

sub slurp {
	my ($path) = @_;
	open my $file, '<', $path or die "$path: $!\n";
	local $/;
	return scalar <$file>;
}

if (!@scripts) {
	@scripts = grep { slurp($_) !~ /^# suite:.*\bown-build\b/m }
		map { glob "tests/$_" } qw(api/*/*.t console/*.t console/*/*.t pages/*.t export/*.t fault/*.t);
}

# Where a function is; that of a static one is told with its file's name alone. Each program has a main(), so
# that nobody knows whose one ran.
my %home;
for my $path (map { glob "$_/*.c $_/*/*.c $_/*/*/*.c" } qw(lib cgi-bin bin console)) {
	my $name = $path =~ s{.*/}{}r;
	my $text = slurp($path);
	while ($text =~ /^(.*)\n([a-z_]\w*)\(/mg) {
		my ($type, $function) = ($1, $2);
		$home{$type =~ /\bstatic\b/ ? "$name:$function" : $function} //= $path if $function ne 'main';
	}
}

# How often each function ran, {"FILE FUNCTION"}.
sub counts {
	my @counted = grep { -s } glob "$counters/*";
	my (%ran, $name);
	open my $show, '-|', 'sh', '-c', 'llvm-profdata merge -sparse -o "$0" "$@" 2>/dev/null'
		. ' && llvm-profdata show --all-functions "$0"', "$out.profdata", @counted or die "llvm-profdata: $!\n";
	while (my $line = <$show>) {
		$name = $1 if $line =~ /^  (\S+):$/;
		next if $line !~ /^    Function count: ([1-9]\d*)/ || !defined $name;
		my $count = $1;
		my ($function) = $name =~ /(\w+)$/;
		my $path = $home{ $name =~ s{^.*/}{}r };
		$ran{"$path $function"} += $count if defined $path;
	}
	close $show;
	return %ran;
}

# Each program has a file of counters that every user may write, and has run once.
system("rm -rf '$counters' '$empty' && sh tests/coverage/run.sh '$build' --list tests/house/references-exist.t >/dev/null"
	. " && cp -a '$counters' '$empty'") == 0 or die "$counters: cannot be prepared\n";
my %before = counts();

my (%ran_by, @left_out);
for my $script (@scripts) {
	-e s{^\Q$counters\E}{$empty}r or unlink for glob "$counters/*";
	system("cp '$empty'/* '$counters'/") == 0 or die "$counters: cannot be emptied\n";
	my $began = time;
	my $passed = system('sh', '-c', 'GALLEY_BUILD="$0" timeout 60 perl "$1" >/dev/null 2>&1 </dev/null', $build, $script) == 0;
	my $seconds = time - $began;
	push(@left_out, $script), next if !$passed;
	my %ran = counts();
	my @ran = grep { $ran{$_} > ($before{$_} // 0) } keys %ran;
	$ran_by{$_}{$script} = $seconds for @ran;
	printf "%5.1f s %5d functions %s\n", $seconds, scalar @ran, $script;
}
open my $file, '>', $out or die "$out: $!\n";
for my $function (sort keys %ran_by) {
	my $by = $ran_by{$function};
	my @best = grep { defined } (sort { $by->{$a} <=> $by->{$b} || $a cmp $b } keys %$by)[0 .. $most - 1];
	print $file join(' ', $function, map { sprintf '%.1f:%s', $by->{$_}, $_ } @best), "\n";
}
close $file or die "$out: $!\n";
unlink "$out.profdata";
system 'rm', '-rf', $empty;
print "left out: $_\n" for @left_out;
