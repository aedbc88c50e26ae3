# Reads the list tests/coverage/uncovered: lines that no test can reach, and why. The head of the
# list explains its form.
package Uncovered;

use strict;
use warnings;

# Uncovered->new(PATH) reads the list; dies where it is not in form.
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

# Returns a pattern for a file's name, in which * matches any characters but a slash.
sub pattern_of {
	my ($file) = @_;
	my $pattern = join '[^/]*', map { quotemeta } split /\*/, $file, -1;
	return qr/^$pattern$/;
}

# Returns the reason why none of these neighbouring lines was executed, or undef.
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

# Returns the entries that were never the reason, a line each.
sub unused {
	my ($self) = @_;
	return map { "$_->{file} $_->{text}" } grep { !$_->{used} }
		@{ $self->{entries} };
}

sub entries { return @{ $_[0]{entries} } }

1;
