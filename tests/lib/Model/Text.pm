# The text of an article as the console's form shows it, and how two texts that were made from
# one are merged (docs/console.md §5.1, §5.3). A text is blocks with an empty line between them.
# No block is in a text twice, and nobody moves one: so a block that two texts have is the same.
package Model::Text;

use strict;
use warnings;

use Exporter 'import';

our @EXPORT_OK = qw(text_of sections_of merge_texts);

# Returns the text of the sections of a snapshot.
sub text_of {
	my ($sections) = @_;
	my @blocks = map { my $s = $_; ($s->{heading} ne '' ? "## $s->{heading}" : ()),
		@{ $s->{paragraphs} }, defined $s->{todo} ? "> [!TODO]\n> $s->{todo}" : () }
		@$sections;
	return @blocks ? join("\n\n", @blocks) . "\n" : '';
}

sub blocks { return split /\n\n/, $_[0] =~ s/\n\z//r }

# Returns the sections of a text, or undef if a to-do is not the last block of its section: the
# model has no form for it.
sub sections_of {
	my ($text) = @_;
	my @sections;
	for my $block (blocks($text)) {
		if ($block =~ /^## (.*)/) {
			push @sections, { heading => $1, paragraphs => [] };
			next;
		}
		push @sections, { heading => '', paragraphs => [] } if !@sections;
		return undef if defined $sections[-1]{todo};
		if ($block =~ /^> \[!TODO\]\n> (.*)/) {
			$sections[-1]{todo} = $1;
		} else {
			push @{ $sections[-1]{paragraphs} }, $block;
		}
	}
	return \@sections;
}

# merge_texts(BASE, THEIRS, MINE, CHOICES) returns (TEXT, CLASHES): the number of places at
# which both made other changes, and the text, undef if a place has no choice. CHOICES are
# 'theirs', 'mine' and 'both', in order.
sub merge_texts {
	my ($base, $theirs, $mine, $choices) = @_;
	my ($b, $t, $m) = map { [blocks($_)] } $base, $theirs, $mine;
	my @sides = map { { blocks => $_, changes => [changes($b, $_)], at => 0 } } $t, $m;
	my ($at, $clashes, $open, @out) = (0, 0);
	while ($at <= @$b) {
		my ($from, $to) = next_place($at, map { $_->{changes}[0] } @sides);
		$from //= $to = @$b + 1;
		for ($at .. ($from < @$b ? $from : @$b) - 1) {
			push @out, $b->[$_];
			$_->{at}++ for @sides;
		}
		last if $from > @$b;
		1 while grep { meet($_, $from, \$to) } @sides;
		my @was = @$b[$from .. $to - 1];
		my ($now, $own) = map { [splice_of($_, scalar @was)] } @sides;
		my $both = "@$now" eq "@$own" || "@was" eq "@$now" ? $own
			: "@was" eq "@$own" ? $now : undef;
		if (!$both) {
			my $choice = $choices->[$clashes++];
			$open = 1 if !defined $choice;
			$both = [$choice && $choice ne 'mine' ? @$now : (),
				$choice && $choice ne 'theirs' ? @$own : ()];
		}
		push @out, @$both;
		$at = $to;
	}
	return ($open ? undef : @out ? join("\n\n", @out) . "\n" : '', $clashes);
}

# Returns what a side changed of the base: [FROM, TO, MORE], blocks of the base and how many more
# the side has there. As many in the place of as many are changes of each.
sub changes {
	my ($base, $side) = @_;
	my %place = map { $side->[$_] => $_ } 0 .. $#$side;
	my ($from, $at, @out) = (0, 0);
	for my $i (0 .. @$base) {
		my $to = $i < @$base ? $place{ $base->[$i] } : @$side;
		next if !defined $to;
		my ($was, $is) = ($i - $from, $to - $at);
		push @out, $was == $is ? map { [$_, $_ + 1, 0] } $from .. $i - 1
			: [$from, $i, $is - $was] if $was || $is;
		($from, $at) = ($i + 1, $to + 1);
	}
	return @out;
}

# Returns the blocks of the next change; what is added comes before what else begins there.
sub next_place {
	my ($at, @changes) = @_;
	my ($first) = sort { $a->[0] <=> $b->[0] || $a->[1] <=> $b->[1] } grep { defined } @changes;
	return $first ? @$first[0, 1] : ();
}

# Takes the changes of a side that meet these blocks. Returns whether they become more.
sub meet {
	my ($side, $from, $to) = @_;
	my $was = $$to;
	while (my $c = $side->{changes}[0]) {
		last if !($c->[0] < $$to && $c->[1] > $from)
			&& !($from == $$to && $c->[0] == $from && $c->[1] == $from);
		$$to = $c->[1] if $c->[1] > $$to;
		$side->{more} += (shift @{ $side->{changes} })->[2];
	}
	return $$to > $was;
}

# Takes the blocks that a side has in the place of so many.
sub splice_of {
	my ($side, $count) = @_;
	my $is = $count + (delete $side->{more} // 0);
	my @out = @{ $side->{blocks} }[$side->{at} .. $side->{at} + $is - 1];
	$side->{at} += $is;
	return @out;
}

1;
