#!/usr/bin/perl
# report.pl [--whole] BUILD [FILE|FOLDER...] reports what the counters of `make coverage`
# counted.
#
# The table of floors goes to standard output, that of files to BUILD/table.txt,
# and the lines that were never executed to BUILD/uncovered.txt, with the reason if
# tests/coverage/uncovered has one. With a FILE or FOLDER, only its lines that were never
# executed are printed. With --whole, for the whole suite, it fails when fewer than 95 % of the
# lines of lib/ and cgi-bin/ were executed, and names entries of the list that excuse nothing any
# more.
#
# Two builds are counted, the usual one and the one with fault points: a line or branch is
# covered if it was executed in either of them. Empty lines, comments, single braces and
# definitions of macros are not counted. A branch is one outcome of one condition.
use strict;
use warnings;

use Cwd qw(getcwd);
use FindBin qw($Bin);
use lib $Bin;
use Uncovered;

my $least = 95;
my %option;
$option{$1} = 1 while @ARGV && $ARGV[0] =~ /^--(whole)$/ && shift @ARGV;
my ($build, @named) = @ARGV;
die "report.pl [--whole] BUILD [FILE|FOLDER...]\n" if !defined $build;

my %file;
read_counts($_) for grep { -d } $build, "$build/test";
die "Nothing was counted in $build.\n" if !%file;
my @paths = sort keys %file;
my $list = Uncovered->new("$Bin/uncovered");
my %missed = map { $_ => missed_of($_) } @paths;
if (@named) {
	for my $path (@paths) {
		next if !grep { $path eq $_ || $path =~ m{^\Q$_\E(?:/|$)} }
			map { s{/+$}{}r } @named;
		print row($path, [$path]), listing($path);
	}
	exit 0;
}
write_file("$build/table.txt", map { row($_, [$_]) } @paths);
write_file("$build/uncovered.txt", map { listing($_) } @paths);
exit tell_all();

# ---- reading

# Reads one build's counts from every object, not from the programs: code that no program links
# counts as well. An object that is older than its source is left out, since its lines differ.
sub read_counts {
	my ($folder) = @_;
	my $profile = "$build/profile";
	run_tool('llvm-profdata', 'merge', '-sparse', '-o', $profile,
		glob "$build/counters/*");
	my @objects = map { ('-object', $_) } sort grep {
		my $source = s{^\Q$folder\E/(.*)\.o$}{$1.c}r;
		-e $source && -M $source > -M $_;
	} glob "$folder/lib/*/*.o $folder/lib/*/*/*.o $folder/cgi-bin/*.o $folder/bin/*.o";
	return if !@objects;
	my $report = "$build/report";
	run_tool('llvm-cov', 'export', '-format=lcov', "-instr-profile=$profile",
		@objects, \$report);
	my $top = getcwd();
	my ($path, %nth);
	open my $lines, '<', $report or die "$report: $!\n";
	while (my $line = <$lines>) {
		if ($line =~ /^SF:(.*)/) {
			$path = $1 =~ s{^\Q$top\E/}{}r;
			undef $path if $path !~ m{^(?:lib|cgi-bin|bin)/} || !-e $path;
			%nth = ();
			$file{$path}{says} //= saying($path) if $path;
		}
		next if !$path;
		add_line($path, $1, $2) if $line =~ /^DA:(\d+),(\d+)/;
		add_branch($path, $1, $nth{$1}++, $2 eq '-' ? 0 : $2)
			if $line =~ /^BRDA:(\d+),\d+,\d+,(-|\d+)/;
	}
}

# Runs a tool. If the last word is a reference to a file name, the output goes to this file. The
# tool's warnings are about functions that changed since they were counted.
sub run_tool {
	my ($tool, @words) = @_;
	my $out = ref $words[-1] ? ${ pop @words } : '/dev/null';
	my $pid = fork // die "fork: $!\n";
	if ($pid == 0) {
		open STDOUT, '>', $out or die "$out: $!\n";
		open STDERR, '>', "$build/report.err" or die "$build: $!\n";
		exec { $tool } $tool, @words
			or print STDERR "$tool: $! (packages of the purpose coverage)\n";
		exit 127;
	}
	waitpid $pid, 0;
	return if $? == 0;
	open my $err, '<', "$build/report.err" or die "$tool failed\n";
	die "$tool failed: ", <$err>;
}

sub add_line {
	my ($path, $number, $count) = @_;
	return if !$file{$path}{says}[$number];
	$file{$path}{lines}{$number} += $count;
}

sub add_branch {
	my ($path, $number, $nth, $count) = @_;
	$file{$path}{branches}{$number}[$nth] += $count;
}

# Returns each line of a file without its comments; a line that holds nothing else is empty.
sub saying {
	my ($path) = @_;
	open my $source, '<', $path or die "$path: $!\n";
	my $text = do { local $/; <$source> };
	$text =~ s{("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')|(/\*.*?\*/)}
		{ $1 // "\n" x ($2 =~ tr/\n//) }gse;
	$text =~ s{^#(?:.*\\\n)*.*}{ "\n" x ($& =~ tr/\n//) }gme;
	return [undef, map { s/^\s+|\s+$//gr =~ s/^[{}]*;?$|^\} ?else ?\{?$//r }
		split /\n/, $text, -1];
}

# ---- counting

# Returns the lines that were never executed, as groups of neighbours: [[NUMBER...], ...].
sub missed_of {
	my ($path) = @_;
	my $lines = $file{$path}{lines} // {};
	my (@runs, $open);
	for my $number (sort { $a <=> $b } keys %$lines) {
		if ($lines->{$number}) {
			undef $open;
			next;
		}
		push @runs, $open = [] if !$open;
		push @$open, $number;
	}
	return \@runs;
}

sub totals {
	my ($paths) = @_;
	my %n = map { $_ => 0 } qw(lines hit known branches taken);
	for my $path (@$paths) {
		my @lines = values %{ $file{$path}{lines} // {} };
		$n{lines} += @lines;
		$n{hit} += grep { $_ } @lines;
		$n{known} += @$_ for grep { defined reason_of($path, $_) }
			@{ $missed{$path} };
		my @branches = map { @$_ } values %{ $file{$path}{branches} // {} };
		$n{branches} += @branches;
		$n{taken} += grep { $_ } @branches;
	}
	return \%n;
}

# Finds the reason by the text of the lines themselves, or by the line that leads to them. If this
# line only asks whether there was an error, the line before it decides, because it would have made
# the error.
sub reason_of {
	my ($path, $run) = @_;
	my $says = $file{$path}{says};
	my @lines = ($run->[0], @$run);
	do {
		$lines[0]--;
		$lines[0]-- while $lines[0] > 0 && $says->[$lines[0]] eq '';
	} while $lines[0] > 0 && $says->[$lines[0]] eq 'if (err != NULL)';
	shift @lines if $lines[0] == 0;
	return $list->reason($path, map { $says->[$_] } @lines);
}

# ---- telling

sub share { return $_[1] ? sprintf('%5.1f', 100 * $_[0] / $_[1]) : '    -' }

sub row {
	my ($name, $paths) = @_;
	my $n = totals($paths);
	return '' if !$n->{lines};
	return sprintf "%-34s %s %% of %5d lines (%s %% but for those listed)"
		. "  %s %% of %5d branches\n", $name, share(@$n{qw(hit lines)}),
		$n->{lines}, share($n->{hit}, $n->{lines} - $n->{known}),
		share(@$n{qw(taken branches)}), $n->{branches};
}

# Returns the lines of a file that were not executed, each group with its reason.
sub listing {
	my ($path) = @_;
	return map {
		my $run = $_;
		my $reason = reason_of($path, $run);
		(map({ "$path:$_: $file{$path}{says}[$_]\n" } @$run),
			defined $reason ? "\t($reason)\n" : ());
	} @{ $missed{$path} };
}

sub tell_all {
	my %floor;
	for my $path (@paths) {
		my ($folder) = $path =~ m{^(lib/[^/]+|[^/]+)/};
		push @{ $floor{$folder} }, $path;
	}
	my @counted = grep { m{^(?:lib|cgi-bin)/} } @paths;
	print map({ row($_, $floor{$_}) } sort keys %floor),
		row('lib and cgi-bin', \@counted);
	print "Each file: $build/table.txt; what was not executed: "
		. "$build/uncovered.txt\n";
	return 0 if !$option{whole};
	print map { "tests/coverage/uncovered: excuses nothing any more: $_\n" }
		$list->unused;
	my $n = totals(\@counted);
	return 0 if 100 * $n->{hit} >= $least * $n->{lines};
	print "Fewer than $least % of the lines of lib/ and cgi-bin/ were executed.\n";
	return 1;
}

sub write_file {
	my ($path, @text) = @_;
	open my $out, '>', $path or die "$path: $!\n";
	print $out @text;
	close $out or die "$path: $!\n";
}
