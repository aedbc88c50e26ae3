# Writes the table and the picture.
package Bench::Report;

use strict;
use warnings;

use List::Util qw(max);

sub new { return bless { lines => [], bars => [] }, shift }

sub say_line {
	my ($self, $line) = @_;
	push @{ $self->{lines} }, $line;
	print "$line\n";
}

sub section {
	my ($self, $title) = @_;
	$self->say_line("\n$title");
	$self->say_line('-' x length $title);
}

sub bar {
	my ($self, $name, $rate, $ratio) = @_;
	push @{ $self->{bars} }, [$name, $rate, $ratio];
}

sub text { return join "\n", @{ $_[0]{lines} }, '' }

sub escaped {
	return $_[0] =~ s/&/&amp;/gr =~ s/</&lt;/gr =~ s/>/&gt;/gr;
}

sub picture {
	my ($self, $title) = @_;
	my @bars = @{ $self->{bars} };
	my $widest = max(1, map { log(1 + $_->[1]) } @bars);
	my $height = 24 * @bars + 56;
	my $svg = qq{<svg xmlns="http://www.w3.org/2000/svg" width="960"}
		. qq{ height="$height" font-family="sans-serif" font-size="13">\n}
		. qq{<rect width="100%" height="100%" fill="#fff"/>\n}
		. qq{<text x="10" y="20" font-weight="bold">} . escaped($title)
		. qq{</text>\n<text x="10" y="38" fill="#666">Requests a second;}
		. qq{ the bars are logarithmic. Grey: what the others are compared}
		. qq{ with.</text>\n};
	my $y = 50;
	for (@bars) {
		my ($name, $rate, $ratio) = @$_;
		my $width = 420 * log(1 + $rate) / $widest;
		my $colour = $name =~ /^(?:empty|static)/ ? '#999' : '#2a6f97';
		$svg .= sprintf qq{<text x="330" y="%d" text-anchor="end">%s</text>}
			. qq{<rect x="340" y="%d" width="%.1f" height="16" fill="%s"/>}
			. qq{<text x="%.1f" y="%d">%.0f%s</text>\n},
			$y + 13, escaped($name), $y, $width, $colour, 346 + $width,
			$y + 13, $rate, $ratio ne '' ? " ($ratio)" : '';
		$y += 24;
	}
	return "$svg</svg>\n";
}

1;
