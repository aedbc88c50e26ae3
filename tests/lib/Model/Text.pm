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
	my %in = map { my ($name, $text) = @$_; $name => { map { $_ => 1 } blocks($text) } }
		['theirs', $theirs], ['mine', $mine];
	my @rest = map { [blocks($_)] } $base, $theirs, $mine;
	my ($clashes, $open, @out) = (0, 0);
	for my $block ((grep { $in{theirs}{$_} && $in{mine}{$_} } blocks($base)), undef) {
		my ($b, $t, $m) = map { take($_, $block) } @rest;
		my $both = "@$t" eq "@$m" || "@$b" eq "@$t" ? $m : "@$b" eq "@$m" ? $t : undef;
		if (!$both) {
			my $choice = $choices->[$clashes++];
			$open = 1 if !defined $choice;
			$both = [$choice && $choice ne 'mine' ? @$t : (),
				$choice && $choice ne 'theirs' ? @$m : ()];
		}
		push @out, @$both, defined $block ? $block : ();
	}
	return ($open ? undef : @out ? join("\n\n", @out) . "\n" : '', $clashes);
}

# Takes the blocks before this one, and the block; all of them without one.
sub take {
	my ($blocks, $block) = @_;
	my @run;
	push @run, shift @$blocks while @$blocks && (!defined $block || $blocks->[0] ne $block);
	shift @$blocks;
	return \@run;
}

1;
