# The list tests/coverage/uncovered: lines that no test can reach, and why. Its
# head says how it is written.
package Uncovered;

use strict;
use warnings;

# Uncovered->new(PATH)
sub new {
	my ($class, $path) = @_;
	my ($reason, @entries);
	open my $list, '<', $path or die "$path: $!\n";
	while (my $line = <$list>) {
		chomp $line;
		next if $line =~ /^(?:#|$)/;
		if ($line =~ /^(\S.*):$/) {
			$reason = $1;
			next;
		}
		my ($file, $text) = $line =~ /^\t(\S+)\s+(\S.*)$/
			or die "$path:$.: neither a reason nor FILE TEXT: $line\n";
		die "$path:$.: no reason above it\n" if !defined $reason;
		push @entries, { file => $file, text => $text, reason => $reason,
			pattern => pattern_of($file) };
	}
	return bless { entries => \@entries }, $class;
}

# A file's name, in which * stands for whatever is no slash.
sub pattern_of {
	my ($file) = @_;
	my $pattern = join '[^/]*', map { quotemeta } split /\*/, $file, -1;
	return qr/^$pattern$/;
}

# Why none of these neighbouring lines was executed; undef where that is not known.
sub reason {
	my ($self, $path, @lines) = @_;
	for my $entry (@{ $self->{entries} }) {
		next if $path !~ $entry->{pattern};
		next if !grep { index($_, $entry->{text}) >= 0 } @lines;
		$entry->{used} = 1;
		return $entry->{reason};
	}
	return undef;
}

# The entries that were never the reason, each as a line.
sub unused {
	my ($self) = @_;
	return map { "$_->{file} $_->{text}" } grep { !$_->{used} }
		@{ $self->{entries} };
}

sub entries { return @{ $_[0]{entries} } }

1;
