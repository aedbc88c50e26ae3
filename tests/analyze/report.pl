#!/usr/bin/perl
# report.pl [--all] RESULT... prints the findings in the tools' output, each once and in one
# line, without those of tests/analyze/exceptions. With --all it also prints exceptions that
# excuse nothing any more. It exits with 1 if it printed a line.
use strict;
use warnings;

use Cwd qw(abs_path);
use File::Basename qw(dirname);

my $top = abs_path(dirname(__FILE__) . '/../..');
my $list = 'tests/analyze/exceptions';

sub lines_of {
	my ($path) = @_;
	open my $file, '<', $path or die "$path: $!\n";
	chomp(my @lines = <$file>);
	return @lines;
}

# Returns the exceptions; adds a sentence for each line that does not follow the file's head.
sub exceptions {
	my (@exceptions, @wrong);
	my ($number, $explained) = (0, 0);
	for my $line (lines_of("$top/$list")) {
		$number++;
		if ($line =~ /^(#|$)/) {
			$explained = $line ne '';
			next;
		}
		my ($path, $check, $text) = split ' ', $line, 3;
		push @wrong, "$list:$number: no comment says why" if !$explained;
		push @exceptions, { line => $number, path => $path,
			check => $check // '', text => $text // '', met => 0 };
	}
	return (\@exceptions, @wrong);
}

my %sources;

sub source_line {
	my ($path, $number) = @_;
	$sources{$path} //= [-e "$top/$path" ? lines_of("$top/$path") : ()];
	return $sources{$path}[$number - 1] // '';
}

sub is_excepted {
	my ($exceptions, $path, $number, $checks) = @_;
	my $found = 0;
	for my $exception (@$exceptions) {
		next if $exception->{path} ne $path
			|| !grep { $_ eq $exception->{check} } @$checks;
		next if index(source_line($path, $number), $exception->{text}) < 0;
		$found = $exception->{met} = 1;
	}
	return $found;
}

my $all = @ARGV && $ARGV[0] eq '--all' && shift @ARGV;
my ($exceptions, @left) = exceptions();
my %seen;
for my $result (@ARGV) {
	for my $line (lines_of($result)) {
		my ($path, $number, $said, $checks) = $line
			=~ /^(?:\Q$top\E\/)?([^\s:]+):(\d+):(?:\d+:)? \w[\w ]*: (.*) \[([^\]\s]+)\]$/
			or next;
		my @checks = map { s/^-W(error=)?//r } split /,/, $checks;
		my $finding = "$path:$number: $said [$checks]";
		next if $seen{$finding}++
			|| is_excepted($exceptions, $path, $number, \@checks);
		push @left, $finding;
	}
}
push @left, map { "$list:$_->{line}: nothing is found there any more" }
	grep { $all && !$_->{met} } @$exceptions;
print "$_\n" for @left;
exit(@left ? 1 : 0);
